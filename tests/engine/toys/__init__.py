"""Tiny games that together use all features of the core."""

from tests.engine.toys import beg, garden, lay, sealed, toll

TOYS = {game.slug: game for game in (beg.GAME, garden.GAME, lay.GAME, sealed.GAME, toll.GAME)}
