"""Verifiable luck by commitment (docs/luck.md).

When a table is set up, the bot draws a secret and publishes its hash. The seed of the match is a hash of the secret and
of ids that Discord creates later. The bot publishes the secret at the end, so that anyone can recompute every draw.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from hashlib import sha256
from shlex import quote

from engine.core import GameSpec, OptionValue
from engine.values import Value

AS_STORED, SETTLED = 1, 2
"""The versions of the scheme. Version 1 hashed options as stored, so an omitted default led to a different seed than an
explicit one. Version 2 hashes all options in canonical form, and the contents of uploaded files."""

VERSIONS = (AS_STORED, SETTLED)

# The commitment is the hash of the digits of the secret without a newline; the seed is a hash of whole lines.
COMMITMENT, SEED = "printf %s {} | sha256sum", r"printf '%s\n' {} | sha256sum"
"""The shell commands that compute them."""


class Proof(Value):
    """The ingredients of the seed of a match.

    `secret` has 64 hex digits. `ids` are the ids of the interactions with which people took their seats, in the order
    of the seats, then the id of the one that started the match. `version` is one of `VERSIONS`.
    """

    secret: str = field(repr=False)
    ids: tuple[int, ...]
    version: int = SETTLED

    def seed(self, spec: GameSpec, options: Mapping[str, OptionValue]) -> str:
        """The seed of the match in hex: the SHA-256 of four lines. `GameSpec.setup` must have accepted the options."""
        return sha256("".join(f"{line}\n" for line in self._lines(spec, options)).encode()).hexdigest()

    def commands(self, spec: GameSpec, options: Mapping[str, OptionValue]) -> tuple[str, str]:
        """The shell commands that compute the commitment and the seed."""
        lines = " ".join(map(quote, self._lines(spec, options)))
        return COMMITMENT.format(self.secret), SEED.format(lines)

    def _lines(self, spec: GameSpec, options: Mapping[str, OptionValue]) -> tuple[str, ...]:
        hashed = dict(options) if self.version == AS_STORED else spec.settled(options)
        # Sorted, since the order in which the host chose the options must not matter.
        written = json.dumps(hashed, sort_keys=True)
        return self.secret, f"{spec.slug} {spec.rules_version}", written, " ".join(map(str, self.ids))


def commitment(secret: str) -> str:
    """The SHA-256 of a secret in hex. It can be published before the game, since it does not reveal the secret.

    >>> public_commitment("a secret") == commitment("a secret")[:PUBLIC_DIGITS]
    True
    >>> commitment("")
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    """
    return sha256(secret.encode()).hexdigest()


PUBLIC_DIGITS = 32
"""Digits of a commitment in a public message: it is infeasible to find a second secret that matches 128 bits."""


def public_commitment(secret: str) -> str:
    """The digits of the commitment for a public message."""
    return commitment(secret)[:PUBLIC_DIGITS]
