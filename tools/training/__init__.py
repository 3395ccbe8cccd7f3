"""Training of evaluations by self-play. `python -m tools.training muscat` writes the weights of a game."""
