"""The walled town in which two games are played: its lap, its cards, its thieves. It is no game by itself."""
