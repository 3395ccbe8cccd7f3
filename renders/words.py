"""Sentences shared by the descriptions of all games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from engine.core import State, View
from engine.texts import CHANCE, Text, format_value, joined, number, term
from engine.wording import say

# Discord allows 1,024 characters of alt text.
MAX_ALT_CHARS = 1000
"""Maximum length of alt text, in characters."""

# Discord allows 4,000 characters of text per message; the text around the description needs some of them.
MAX_CHARS = 3400
"""Maximum length of a long description, in characters."""


def alt_text(rows: Iterable[str]) -> str:
    """The brief rows of a description as alt text. The end is cut off if they are too long."""
    return clip(" ".join(filter(None, rows)), MAX_ALT_CHARS)


def long_text(rows: Iterable[str]) -> str:
    """The rows of a long description, one below the other."""
    return "\n".join(filter(None, rows))


def heading(view: View[State], fact: Text, now: str, *, brief: bool) -> str:
    """The first row of a description: the game, its progress, and the result or the players to act."""
    template = "{game}. {fact:^}. {now}" if brief else "**{game}**, {fact}. {now}"
    return str(Text(template, game=term(view.title), fact=fact, now=now))


def now_sentences(view: View[State], labels: Sequence[str], longest: int = 90) -> str:
    """The result, or the players to act with their prompts, each prompt cut to `longest` characters."""
    if view.outcome:
        return result_sentence(view, labels)
    prompts = " ".join(clip(say(d.prompt, labels), longest) for d in view.decisions if d.seat != CHANCE)
    return f"{due_sentence(view, labels)} {prompts}".strip()


def due_sentence(view: View[State], labels: Sequence[str]) -> str:
    """Name the players to act: `Red to decide.`."""
    names = tuple(labels[seat] for seat in view.due)
    return str(Text("{names} to decide.", names=names) if names else Text("Luck decides next."))


def result_sentence(view: View[State], labels: Sequence[str]) -> str:
    """State the result and its reason, `Red wins: Red 54, Blue 42. The palace is full.`, or "" before the end."""
    if view.outcome is None:
        return ""
    names = tuple(labels[seat] for seat in view.outcome.winners)
    scores = ", ".join(f"{name} {number(points)}" for name, points in zip(labels, view.outcome.scores, strict=True))
    result = Text("{winners} {winners:wins|share the win}: {scores}.", winners=names, scores=scores)
    return say(joined([result, view.outcome.summary]), labels)


def luck_next(view: View[State], labels: Sequence[str]) -> str:
    """Describe the possible results of the next random event, in a preview."""
    odds = view.state.odds()
    return say(odds, labels) if odds else ""


def alternatives(words: Sequence[str]) -> str:
    """List alternatives.

    >>> alternatives(["a", "b", "c"])
    'a or b or c'
    """
    first, *rest = words
    return str(Text("{one} or {other}", one=first, other=alternatives(rest))) if rest else first


def join_with_semicolons(parts: Iterable[str]) -> str:
    """Join with semicolons, spaced as in the reader's language.

    >>> join_with_semicolons(["a", "b"])
    'a; b'
    """
    return str(Text("{one}; {other}", one="", other="")).join(parts)


def with_label(label: str, words: str) -> str:
    """Words after their label; the label alone if there are none.

    >>> with_label("Palace", "empty"), with_label("Palace", "")
    ('Palace: empty', 'Palace')
    """
    return str(Text("{label}: {words}", label=label, words=words)) if words else label


def word(value: Any) -> str:
    """Put a value that has a display name, such as a color, into words.

    >>> word(True), word(1200)
    ('yes', '1,200')
    """
    return format_value(value, type(value), ())


def escape_markdown(words: str) -> str:
    r"""Escape outside text for Markdown, so that it contains no markup and no mentions.

    >>> print(escape_markdown("*Ann*"))
    \*Ann\*
    """
    # A zero-width space after the @ prevents a mention.
    return re.sub(r"([\\*_~|`>#\[\]()<:-])", r"\\\1", words).replace("@", "@\u200b")


def clip(text: str, limit: int) -> str:
    """Cut the text between words to at most `limit` characters.

    >>> clip("a text of many words", 16)
    'a text of many…'
    """
    return text if len(text) <= limit else text[: limit - 1].rsplit(" ", 1)[0] + "…"


def shorten(name: str, limit: int) -> str:
    """Cut the name to at most `limit` characters, anywhere: cut between words, only its mark might be left.

    >>> shorten("Scheherazade", 9)
    'Schehera…'
    """
    # A cut may leave a trailing backslash, which would escape the ellipsis.
    return name if len(name) <= limit else name[: limit - 1].rstrip("\\ ") + "…"
