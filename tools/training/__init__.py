"""Finding out by self-play what positions are worth. `python -m tools.training muscat` writes a game's weights."""
