"""Luck that anybody can check (docs/luck.md).

A secret is drawn when a table is set, and its hash is shown at once. The seed of the match is a hash of that secret and
of ids that Discord makes later. At the end the secret is shown, and with it anybody can compute every draw again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from shlex import quote

from engine.core import OptionValue

# The hash of the secret is of its digits alone, without a line break; the seed is a hash of whole lines.
COMMITMENT, SEED = "printf %s {} | sha256sum", r"printf '%s\n' {} | sha256sum"
"""The commands of a shell that compute them."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What the seed of a match is made of.

    `secret` has 64 hex digits. `ids` are those of the interactions by which people took their seats, in the order of
    the seats, and last the one that started the match.
    """

    secret: str = field(repr=False)
    ids: tuple[int, ...]

    def seed(self, game: str, rules_version: int, options: Mapping[str, OptionValue]) -> str:
        """The seed of the match, in hex: the SHA-256 of four lines."""
        lines = self._lines(game, rules_version, options)
        return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()

    def commands(self, game: str, rules_version: int, options: Mapping[str, OptionValue]) -> tuple[str, str]:
        """How to compute the commitment and the seed in a shell."""
        lines = " ".join(map(quote, self._lines(game, rules_version, options)))
        return COMMITMENT.format(self.secret), SEED.format(lines)

    def _lines(self, game: str, rules_version: int, options: Mapping[str, OptionValue]) -> tuple[str, ...]:
        # Sorted: the order in which options were chosen must not matter.
        chosen = json.dumps(dict(options), sort_keys=True)
        return self.secret, f"{game} {rules_version}", chosen, " ".join(map(str, self.ids))


def commitment(secret: str) -> str:
    """The SHA-256 of a secret, in hex: shown before anybody sits down, since nobody can compute the secret from it."""
    return sha256(secret.encode()).hexdigest()
