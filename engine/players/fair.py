"""A computer player of medium strength: it thinks ahead briefly and is not always exact."""

from engine.players import Player
from engine.players.search.thinker import Thinker

# Measured: without slips it was as strong as `strong`, which won 49 % of 136 games of Muscat against it
# (engine/players/measurements.md).
PLAYER = Player("Merchant", Thinker(seconds=0.02, worlds=6, slips=0.3), level=2)
