"""Log lines about unreadable data: one line for each kind, and never a value from the data itself."""

from __future__ import annotations

import logging

from bot.errors import outline, place_of

_log = logging.getLogger(__name__)

MAX_KINDS = 500
"""Kinds of unreadable data to log at most; the library has fewer places where reading can fail."""

_reported: set[tuple[str, str]] = set()


def report(event: str, error: BaseException, consequence: str) -> None:
    """Log that an event cannot be read, once for each event and place; at DEBUG with the traceback of each."""
    kind = (event, place_of(error))
    _log.debug("%s cannot be read:\n%s", event, outline(error))
    if kind not in _reported and len(_reported) < MAX_KINDS:
        _reported.add(kind)
        _log.warning("Discord sent %s, which cannot be read (%s): %s. This is logged once.", *kind, consequence)


def forget_reports() -> None:
    """Log every kind again."""
    _reported.clear()
