"""The whole bot, killed again and again under all faults of the local Discord."""
