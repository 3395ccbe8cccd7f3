"""A strong computer player: it thinks for half a second, or less if a choice is obvious."""

from engine.players import Player
from engine.players.search.thinker import Thinker

PLAYER = Player("Caravan Leader", Thinker(seconds=0.5, worlds=24), level=3)
