"""Sentences that fit every game's description."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from engine.core import State, View
from engine.texts import CHANCE, Text, worded
from engine.wording import say

# Discord: alt text has up to 1,024 characters.
ALT = 1000
"""Most characters of a short description."""

# Discord: 4,000 characters of text in all of a message; what is around this one needs some of them.
LONGEST = 3400
"""The same of a long one."""


def now_sentences(view: View[State], labels: Sequence[str], longest: int = 90) -> str:
    """How the match ended, or who has to decide what, each in at most so many characters."""
    if view.outcome:
        return result_sentence(view, labels)
    prompts = " ".join(clipped(say(d.prompt, labels), longest) for d in view.decisions if d.seat != CHANCE)
    return f"{due_sentence(view, labels)} {prompts}".strip()


def due_sentence(view: View[State], labels: Sequence[str]) -> str:
    """Who has to decide: `Red to decide.`"""
    names = tuple(labels[seat] for seat in view.due)
    return str(Text("{names} to decide.", names=names) if names else Text("Luck decides next."))


def result_sentence(view: View[State], labels: Sequence[str]) -> str:
    """How the match ended: `Red wins (palace): Red 54, Blue 42.`"""
    if view.outcome is None:
        return ""
    names = tuple(labels[seat] for seat in view.outcome.winners)
    scores = ", ".join(f"{name} {points}" for name, points in zip(labels, view.outcome.scores, strict=True))
    return str(Text("{winners} {winners:wins|share the win}: {scores}.", winners=names, scores=scores))


def luck_next(view: View[State], labels: Sequence[str]) -> str:
    """What luck may bring next, in a preview."""
    odds = view.state.odds() if view.luck_next else None
    return say(odds, labels) if odds else ""


def either(words: Sequence[str]) -> str:
    """Alternatives: `a`, `a or b`, `a or b or c`."""
    first, *rest = words
    return str(Text("{one} or {other}", one=first, other=either(rest))) if rest else first


def word(value: Any) -> str:
    """A value that people have a word for, such as a color, as they read it."""
    return worded(value, type(value), ())


def escaped(words: str) -> str:
    """Words from a file for a description, which is Markdown: nothing in them is markup, or a mention."""
    # A space without width behind the @ keeps it from being a mention.
    return re.sub(r"([\\*_~|`>#\[\]()<:-])", r"\\\1", words).replace("@", "@\u200b")


def clipped(text: str, limit: int) -> str:
    """The text, cut at a word so that it has at most `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1].rsplit(" ", 1)[0] + "…"


def shortened(name: str, limit: int) -> str:
    """The name, cut so that it has at most `limit` characters; not at a word, since its mark alone would be left."""
    # A cut may part an escaped sign from its backslash, which would then escape the ellipsis.
    return name if len(name) <= limit else name[: limit - 1].rstrip("\\ ") + "…"
