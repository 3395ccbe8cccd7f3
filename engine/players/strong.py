"""A strong computer player: half a second of thought, less where a choice is obvious."""

from engine.players import Player
from engine.players.search.thinker import Thinker

PLAYER = Player("Caravan Leader", Thinker(seconds=0.5, worlds=24), level=3)
