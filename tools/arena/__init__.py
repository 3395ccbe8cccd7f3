"""Measuring computer players: matches between them, and long random games that nothing may break."""
