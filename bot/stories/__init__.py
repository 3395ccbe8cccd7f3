"""The stories of games that are over: thought over in the workers, told once in the channel, and kept."""
