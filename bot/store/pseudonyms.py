"""Digests that recognize a returning user without storing their id, so that blocks and bars outlast *Forget me*."""

from __future__ import annotations

import hmac


def pseudonym(purpose: str, salt: int, user_id: int) -> str:
    """The digest of a user for one purpose; another `salt`, such as another server, gives an unrelated digest."""
    return hmac.digest(str(salt).encode(), f"{purpose}: {user_id}".encode(), "sha256").hex()
