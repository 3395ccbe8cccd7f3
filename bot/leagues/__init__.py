"""`/league`: seasons of games in a server, whose tables the bot makes by itself (docs/leagues.md)."""
