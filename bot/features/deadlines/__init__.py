"""Time: the pace of a game, clocks, votes about late players, and reminders."""
