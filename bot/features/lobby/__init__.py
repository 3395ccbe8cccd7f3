"""The table before the game: who plays, against which computers, how; and how a game is left or called off."""
