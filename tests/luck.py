"""Repeatable luck for tests and measurements."""

from __future__ import annotations

from typing import Any

from engine.proof import Proof


def seed_by_secret(proof: Proof, *_match: Any) -> str:
    """In place of `Proof.seed`: without the ids, in which there is the time of day."""
    return proof.secret[:32]
