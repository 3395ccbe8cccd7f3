"""Games so small that they can be read at a glance; together they use all that the core offers."""

from tests.engine.toys import beg, garden, lay, sealed, toll

TOYS = {game.slug: game for game in (beg.GAME, garden.GAME, lay.GAME, sealed.GAME, toll.GAME)}
