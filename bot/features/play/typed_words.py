"""A move in words: those of the buttons, `Y4 on 0 → B2 on 4`, those of the text of the board, its notation, or enough
of them that only one can be meant. One reader for every command that a move is typed into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import eq

from bot.errors import UserError
from bot.features.play.drafting import TurnDraft
from bot.features.play.spelling import begins, plain
from bot.features.play.typed_notation import Verbs, read_typed
from bot.tables.people import escaped
from bot.tables.table import Table
from engine.core import Action
from engine.errors import NotationError
from engine.languages import Language, language, reading
from engine.notation import shown_action
from engine.texts import Text, shortened
from engine.wording import Voice
from locales import language_of, languages

MAX_NAMED = 3
"""The most moves that are named that a text may mean."""

Fits = Callable[[list[str], list[str]], bool]
Ways = Callable[[Sequence[Voice], Action], Iterator[str]]


@dataclass(frozen=True, slots=True)
class MoveReader:
    """Reads moves of a game for the person that a voice speaks to, some of which are options now."""

    verbs: Verbs
    options: Sequence[Action]
    voice: Voice

    def read(self, typed: str) -> Sequence[Action]:
        """The moves that a text may mean: an option that is called so, a move that is written so, whether or not it is
        an option, or the options that have these words. None for other texts.
        """
        words = plain(typed)
        # nothing but signs would be found in every option
        tries = (self._called, self._written, self._alike) if words else ()
        for attempt in tries:
            # a board shows the words of its server, and people copy them from each other
            for read in _languages():
                with reading(read):
                    if moves := attempt(typed, words):
                        return moves
        return ()

    def _called(self, _: str, words: list[str]) -> list[Action]:
        """The options whose name this is, alone or with its meaning and its notation behind it."""
        return self._first_of(words, ((eq, _names), (eq, _full_names)))

    def _written(self, typed: str, _: list[str]) -> list[Action]:
        try:
            return [read_typed(typed, self.verbs, self.options)]
        except NotationError:
            return []

    def _alike(self, _: str, words: list[str]) -> list[Action]:
        return self._first_of(words, ((_has, _names), (begins, _names), (_has, _full_names)))

    def _first_of(self, words: list[str], tries: Sequence[tuple[Fits, Ways]]) -> list[Action]:
        # to the reader as “you”, and by their name
        voices = self.voice, Voice(self.voice.names, None, self.voice.state)
        for fits, ways in tries:
            fitting = [one for one in self.options if any(fits(plain(way), words) for way in ways(voices, one))]
            if fitting:
                return fitting
        return []


def _languages() -> Iterator[Language]:
    """The language of the reader, then all others."""
    yield language()
    yield from map(language_of, languages())


def moves_like(moves: Iterable[Action], voice: Voice, typed: str) -> Iterator[tuple[str, str] | None]:
    """Label and notation of each move in turn, `None` for one whose words do not contain the typed ones."""
    words = plain(typed)
    rows = ((voice.label(move), shown_action(move)) for move in moves)
    return (row if begins(plain(" ".join(row)), words) else None for row in rows)


def reader_of(turn: TurnDraft) -> MoveReader:
    """A reader of the next move of a turn. Raises `EngineError` if nothing can be decided."""
    return MoveReader(turn.match.spec.actions, turn.ahead.decision_of(turn.seat).options, turn.voice)


def move_said(turns: Sequence[TurnDraft], typed: str) -> TurnDraft:
    """The first of the turns in which a text means an option, with that.

    Raises:
        UserError: no move, or several moves that it may mean.
        EngineError: nothing can be decided, or a move that is not possible.
    """
    # without a decision in any of them, `decision_of` says why nothing can be decided
    deciding = [turn for turn in turns if turn.decision] or turns
    refused = None
    for turn in deciding:
        reader = reader_of(turn)
        moves = reader.read(typed)
        if len(moves) > 1:
            raise UserError(which_of(turn.table, reader.voice, moves))
        if moves and moves[0] in reader.options:
            return turn.with_chosen((*turn.chosen, moves[0]))
        refused = (turn, moves[0]) if moves else refused
    if refused:
        turn, move = refused
        return turn.with_chosen((*turn.chosen, move))
    text = escaped(shortened(typed))
    raise UserError(Text("I found no move like “{said}”. **As text** on the board lists what you can do.", said=text))


def which_of(table: Table, voice: Voice, moves: Sequence[Action]) -> Text:
    """That a text may mean several moves."""
    named = tuple(table.in_message(voice.label(option)) for option in moves[:MAX_NAMED])
    return Text(
        "That could mean {count} moves, such as {named}. Please be more precise.", count=len(moves), named=named
    )


def _names(voices: Sequence[Voice], option: Action) -> Iterator[str]:
    """The name of an option on buttons, also for people who call its reader by their name, and its notation."""
    for voice in voices:
        yield voice.label(option)
    yield shown_action(option)


def _full_names(voices: Sequence[Voice], option: Action) -> Iterator[str]:
    """The names with the meaning of the option behind them, as the text of the board has them."""
    yield from _names(voices, option)
    notation = shown_action(option)
    for voice in voices:
        label, gloss = voice.label(option), voice.gloss(option)
        yield from (f"{label} {gloss}", f"{label} {notation}", f"{label} {gloss} {notation}")


def _has(words: list[str], typed: list[str]) -> bool:
    return set(typed) <= set(words)
