"""Finding out by self-play what positions are worth. `python -m engine.training muscat` writes a game's weights."""
