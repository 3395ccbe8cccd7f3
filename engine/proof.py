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

from engine.core import GameSpec, OptionValue

AS_STORED, SETTLED = 1, 2
"""The versions of the scheme. At first, options were hashed as they were stored: a default that was left out gave
another seed than one that was written out. Now all options are hashed, files of options by their contents."""

VERSIONS = (AS_STORED, SETTLED)

# The hash of the secret is of its digits alone, without a line break; the seed is a hash of whole lines.
COMMITMENT, SEED = "printf %s {} | sha256sum", r"printf '%s\n' {} | sha256sum"
"""The commands of a shell that compute them."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What the seed of a match is made of.

    `secret` has 64 hex digits. `ids` are those of the interactions by which people took their seats, in the order of
    the seats, and last the one that started the match. `version` is one of `VERSIONS`.
    """

    secret: str = field(repr=False)
    ids: tuple[int, ...]
    version: int = SETTLED

    def seed(self, spec: GameSpec, options: Mapping[str, OptionValue]) -> str:
        """The seed of the match, in hex: the SHA-256 of four lines. The options were checked by `GameSpec.setup`."""
        return sha256("".join(f"{line}\n" for line in self._lines(spec, options)).encode()).hexdigest()

    def commands(self, spec: GameSpec, options: Mapping[str, OptionValue]) -> tuple[str, str]:
        """How to compute the commitment and the seed in a shell."""
        lines = " ".join(map(quote, self._lines(spec, options)))
        return COMMITMENT.format(self.secret), SEED.format(lines)

    def _lines(self, spec: GameSpec, options: Mapping[str, OptionValue]) -> tuple[str, ...]:
        hashed = dict(options) if self.version == AS_STORED else spec.settled(options)
        # Sorted: the order in which options were chosen must not matter.
        written = json.dumps(hashed, sort_keys=True)
        return self.secret, f"{spec.slug} {spec.rules_version}", written, " ".join(map(str, self.ids))


def commitment(secret: str) -> str:
    """The SHA-256 of a secret, in hex: shown before others sit down, since the secret cannot be computed from it.

    >>> public_commitment("a secret") == commitment("a secret")[:PUBLIC_DIGITS]
    True
    >>> commitment("")
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    """
    return sha256(secret.encode()).hexdigest()


PUBLIC_DIGITS = 32
"""Digits of a commitment in a public message: a second secret for 128 bits cannot be found."""


def public_commitment(secret: str) -> str:
    """The digits of the commitment that a public message shows."""
    return commitment(secret)[:PUBLIC_DIGITS]
