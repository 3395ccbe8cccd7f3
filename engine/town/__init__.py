"""The walled town shared by two games: its lap, its cards and its thieves. Not a game by itself."""
