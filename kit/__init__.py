"""The kit for authors of games: a contract that every game keeps, as a pytest plugin, and a report about a game."""
