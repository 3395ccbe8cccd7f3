"""`/league`: seasons of games in a server; the bot sets up their tables (docs/leagues.md)."""
