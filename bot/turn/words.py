"""A move said in the words of the buttons: `Y4 on 0 → B2 on 4`, or enough of them that only one can be meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.errors import Declined
from bot.turn.drafting import Turn
from bot.turn.narrowing import words_of
from engine.core import Action
from engine.texts import Text

NAMED = 3
"""So many moves are named that somebody may have meant."""

SHOWN = 60
"""Most letters of what was said that are shown again."""

_SIGNS = re.compile(r"[\\*_,;:.()→⇄–-]|\u200b")


def option_said(turn: Turn, said: str) -> Action:
    """The option of the next decision that somebody means. Raises `Declined` for none and for several."""
    options = turn.ahead.decision_of(turn.seat).options
    for fits in (_is, _contains):
        found = [option for option in options if any(fits(text, said) for text in _texts(turn, option))]
        if len(found) == 1:
            return found[0]
        if found:
            raise Declined(_which(turn, found))
    raise Declined(
        Text("I find no move like “{said}” here. **As text** on the board lists what you can do.", said=said)
    )


def options_like(turn: Turn, typed: str, most: int) -> list[tuple[str, str]]:
    """The options whose words contain what is typed: label and notation."""
    options = turn.ahead.decision_of(turn.seat).options
    rows = [(turn.voice.label(option), " ".join(words_of(option))) for option in options]
    return [row for row in rows if _contains(" ".join(row), typed)][:most]


def _texts(turn: Turn, option: Action) -> tuple[str, str]:
    return turn.voice.label(option), " ".join(words_of(option))


def _which(turn: Turn, found: Sequence[Action]) -> Text:
    named = tuple(turn.voice.label(option) for option in found[:NAMED])
    return Text("That can mean {count} moves, such as {named}. Say a little more.", count=len(found), named=named)


def _is(text: str, said: str) -> bool:
    return _plain(text) == _plain(said)


def _contains(text: str, said: str) -> bool:
    known = _plain(text)
    return all(any(word.startswith(wanted) for word in known) for wanted in _plain(said))


def _plain(text: str) -> list[str]:
    return _SIGNS.sub(" ", text).casefold().split()
