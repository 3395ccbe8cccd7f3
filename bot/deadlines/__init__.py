"""Time: the pace of a game, clocks, votes about who is late, and reminders."""
