"""A move said in words: those of the buttons, `Y4 on 0 → B2 on 4`, those of the text of the board, or enough of them
that only one can be meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import eq

from bot.errors import UserError
from bot.play.drafting import TurnDraft
from bot.play.narrowing import words_of
from bot.tables.people import escaped
from engine.core import Action
from engine.languages import language, reading
from engine.texts import Text, shortened
from engine.wording import Voice
from locales import language_of, languages

NAMED = 3
"""So many moves are named that somebody may have meant."""

_SIGNS = re.compile(r"[*_`,;:.!?“”«»„\"()→⇄>]|-(?!\d)|(?<=\S)-")
"""What is not said; a minus sign before a number is."""
_DASHES = re.compile("[–—−]")
# what `bot.tables.people` puts into names: escapes, a break in mentions, and isolates
_UNSEEN = re.compile("[\\\\\u200b\u2068\u2069]")
# people copy 1,000 from a text; the notation has no separators
_THOUSANDS = re.compile("(?<=\\d)[,’'\u00a0\u202f](?=\\d{3})")


def move_said(turns: Sequence[TurnDraft], said: str) -> TurnDraft:
    """The first of the turns in which these words mean something, with that. Raises `UserError` for none and for
    several moves, and `EngineError` if nothing can be decided.
    """
    # without a decision in any of them, `decision_of` says why nothing can be decided
    asked = [turn for turn in turns if turn.decision] or turns
    for turn in asked:
        if found := _in_any_language(turn, _plain(said)):
            if len(found) > 1:
                raise UserError(_which(turn, found))
            return turn.with_chosen((*turn.chosen, found[0]))
    shown = escaped(shortened(said))
    raise UserError(Text("I found no move like “{said}”. **As text** on the board lists what you can do.", said=shown))


def _in_any_language(turn: TurnDraft, wanted: Sequence[str]) -> list[Action]:
    """The options that fit these words in the language of the reader; if none does, in the first one that has some."""
    options = turn.ahead.decision_of(turn.seat).options
    # a board shows the words of its server, and people copy them from each other
    for read in (language(), *map(language_of, languages())):
        with reading(read):
            if found := _meant(turn, options, wanted):
                return found
    return []


def _meant(turn: TurnDraft, options: Sequence[Action], wanted: Sequence[str]) -> list[Action]:
    """The options that fit these words best."""
    # to the reader as “you”, and by their name
    voices = turn.voice, Voice(turn.voice.names, None, turn.voice.state)
    # from exact to vague: somebody who types one label in full is not asked which of several similar moves they mean
    tries = (eq, _in_short), (eq, _all_of_it), (_has, _in_short), (_begins, _in_short), (_has, _all_of_it)
    # nothing but signs would be found in every option
    for fits, ways in tries if wanted else ():
        found = [option for option in options if any(fits(_plain(way), wanted) for way in ways(voices, option))]
        if found:
            return found
    return []


def options_like(turn: TurnDraft, typed: str) -> Iterator[tuple[str, str] | None]:
    """Label and notation of each option in turn, `None` for one whose words do not contain the typed ones."""
    options, wanted, voice = turn.ahead.decision_of(turn.seat).options, _plain(typed), turn.voice
    rows = ((voice.label(option), " ".join(words_of(option))) for option in options)
    return (row if _begins(_plain(" ".join(row)), wanted) else None for row in rows)


def _in_short(voices: Sequence[Voice], option: Action) -> Iterator[str]:
    """What an option is called, on buttons and by people who call its reader by their name, and how it is typed."""
    for voice in voices:
        yield voice.label(option)
    yield " ".join(words_of(option))


def _all_of_it(voices: Sequence[Voice], option: Action) -> Iterator[str]:
    """The same with what it means behind it, as the text of the board tells it."""
    yield from _in_short(voices, option)
    notation = " ".join(words_of(option))
    for voice in voices:
        label, gloss = voice.label(option), voice.gloss(option)
        yield from (f"{label} {gloss}", f"{label} {notation}", f"{label} {gloss} {notation}")


def _which(turn: TurnDraft, found: Sequence[Action]) -> Text:
    named = tuple(turn.table.in_message(turn.voice.label(option)) for option in found[:NAMED])
    return Text(
        "That could mean {count} moves, such as {named}. Please be more precise.", count=len(found), named=named
    )


def _has(known: Sequence[str], wanted: Sequence[str]) -> bool:
    return set(wanted) <= set(known)


def _begins(known: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether each word is the beginning of one that is known."""
    return all(any(word.startswith(said) for word in known) for said in wanted)


def _plain(text: str) -> list[str]:
    seen = _DASHES.sub("-", _UNSEEN.sub("", text))
    return _SIGNS.sub(" ", _THOUSANDS.sub("", seen).replace("’", "'")).casefold().split()
