"""Users' own settings: `/me settings`, `/me answers`, `/me data`, and their blocks."""
