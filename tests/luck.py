"""Repeatable luck for tests and measurements."""

from __future__ import annotations

from typing import Any

from engine.proof import Proof


def seed_by_secret(proof: Proof, *_match: Any) -> str:
    """Replacement for `Proof.seed` without the ids, which contain the time of day."""
    return proof.secret[:32]
