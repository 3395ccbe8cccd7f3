"""Reads typed moves for all commands: button labels (`Y4 on 0 → B2 on 4`), lines of the board as text, notation, or an
unambiguous part of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from difflib import SequenceMatcher
from functools import cache
from operator import eq

from bot.errors import UserError
from bot.features.play.drafting import TurnDraft
from bot.features.play.spelling import begins, plain
from bot.features.play.typed_notation import Verbs, read_typed
from bot.tables.people import escaped
from bot.tables.table import Table
from engine.core import Action
from engine.errors import NotationError
from engine.languages import ENGLISH, Language, language, reading
from engine.notation import shown_action
from engine.texts import Text, shortened
from engine.values import Value
from engine.wording import Voice
from locales import language_of, languages

MAX_NAMED = 3
"""The most moves listed for an ambiguous or unknown text."""

MAX_COMPARED, ALIKE = 10, 0.7
"""The most words of an unknown text that are compared with those of moves, and how alike two words must be, up to 1."""

Words = tuple[str, ...]
Fits = Callable[[Words, Words], bool]


class MoveReader(Value):
    """Reads the moves of a game, legal or not, in the words of a voice; `options` are the legal ones."""

    verbs: Verbs
    options: Sequence[Action]
    voice: Voice
    _named: dict[str, Sequence[Sequence[Words]]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """The words of the names of each option, by the code of a language."""

    def read(self, typed: str) -> Sequence[Action]:
        """The moves that a text may mean: the option with this name, the move with this notation, legal or not, or the
        options that contain these words. Empty for other texts.
        """
        words = plain(typed)
        # a text without words would match every option
        tries = (self._options_named, self._by_notation, self._alike) if words else ()
        for attempt in tries:
            # in any language: a board is in that of its server, and people copy each other's words
            for read in _languages():
                with reading(read):
                    if moves := attempt(typed, words):
                        return moves
        return ()

    def _options_named(self, _: str, words: Words) -> list[Action]:
        """The options with this name, alone or followed by the gloss and the notation."""
        if called := self._fitting(words, eq):
            return called
        # only these: a gloss costs much more than a name
        options = self._fitting(words, _begins_with)
        return [
            candidate
            for candidate in options
            if any(plain(name) == words for name in _full_names(self._voices, candidate))
        ]

    def _by_notation(self, typed: str, _: Words) -> list[Action]:
        try:
            return [read_typed(typed, self.verbs, self.options)]
        except NotationError:
            return []

    def _alike(self, _: str, words: Words) -> list[Action]:
        """The options whose names contain these words or have words that begin so, or whose full names contain them."""
        if alike := self._fitting(words, _has) or self._fitting(words, begins):
            return alike
        return [
            option
            for option in self.options
            if any(_has(plain(name), words) for name in _full_names(self._voices, option))
        ]

    def _fitting(self, words: Words, fits: Fits) -> list[Action]:
        """The options with a name that fits these words."""
        if (code := language().code) not in self._named:
            self._named[code] = [list(map(plain, _names(self._voices, option))) for option in self.options]
        named = zip(self.options, self._named[code], strict=True)
        return [option for option, names in named if any(fits(name, words) for name in names)]

    @property
    def _voices(self) -> tuple[Voice, Voice]:
        """To the reader as “you”, and by their name."""
        return self.voice, Voice(self.voice.names, None, self.voice.state)


def _languages() -> Iterator[Language]:
    """The language of the reader, then all others."""
    yield language()
    yield from map(language_of, languages())


def moves_like(moves: Iterable[Action], voice: Voice, typed: str) -> Iterator[tuple[str, str] | None]:
    """Label and notation of each move; `None` for a move that has the typed words in neither the reader's language nor
    English.
    """
    words = plain(typed)
    for move in moves:
        row = voice.label(move), shown_action(move)
        yield row if _is_like(row, words) or _is_like_in_english(move, voice, words) else None


def _is_like(row: tuple[str, str], words: Words) -> bool:
    return begins(plain(" ".join(row)), words)


def _is_like_in_english(move: Action, voice: Voice, words: Words) -> bool:
    if language() is ENGLISH:
        return False  # the reader's words are these
    with reading(ENGLISH):
        return _is_like((voice.label(move), shown_action(move)), words)


def most_alike(labels: Iterable[str], typed: str) -> list[str]:
    """The few labels that are most like a text; of equals, the first ones."""
    words = plain(typed)[:MAX_COMPARED]

    @cache
    def likeness(word: str) -> float:
        ratios = (SequenceMatcher(None, word, typed_word).ratio() for typed_word in words)
        return sum(ratio for ratio in ratios if ratio > ALIKE)

    ranked = sorted(dict.fromkeys(labels), key=lambda label: sum(map(likeness, set(plain(label)))), reverse=True)
    return ranked[:MAX_NAMED]


def reader_of(turn: TurnDraft) -> MoveReader:
    """A reader of the next move of a turn. Raises `EngineError` if the turn has no decision."""
    return MoveReader(turn.match.spec.actions, turn.ahead.decision_of(turn.seat).options, turn.voice)


def move_said(turns: Sequence[TurnDraft], typed: str) -> TurnDraft:
    """The first turn in which a text means an option, with that option added.

    Raises:
        UserError: the text means no move, or several.
        EngineError: the turns have no decision, or the move is illegal.
    """
    # if no turn has a decision, `decision_of` raises with the reason
    deciding = [turn for turn in turns if turn.decision] or turns
    refused = None
    for turn in deciding:
        reader = reader_of(turn)
        moves = reader.read(typed)
        if len(moves) > 1:
            raise UserError(which_of(turn.table, reader.voice, moves))
        if moves and moves[0] in reader.options:
            return turn.with_chosen((*turn.chosen, moves[0]))
        # as for a command with fields, the reason is about the beginning of the turn
        if moves and (refused is None or not turn.chosen):
            refused = turn, moves[0]
    if refused:
        turn, move = refused
        return turn.with_chosen((*turn.chosen, move))
    text = escaped(shortened(typed))
    raise UserError(
        Text("I couldn’t find a move like “{said}”. **As text** on the board lists what you can do.", said=text)
    )


def which_of(table: Table, voice: Voice, moves: Sequence[Action]) -> Text:
    """The message for a text that may mean several moves."""
    named = tuple(table.in_message(voice.label(option)) for option in moves[:MAX_NAMED])
    return Text(
        "That could mean {count} moves, such as {named}. Please be more specific.", count=len(moves), named=named
    )


def _names(voices: Sequence[Voice], option: Action) -> Iterator[str]:
    """The label of an option in each voice, and its notation."""
    for voice in voices:
        yield voice.label(option)
    yield shown_action(option)


def _full_names(voices: Sequence[Voice], option: Action) -> Iterator[str]:
    """The labels of an option, followed by its gloss and notation as in the board as text."""
    notation = shown_action(option)
    for voice in voices:
        label, gloss = voice.label(option), voice.gloss(option)
        yield from (f"{label} {gloss}", f"{label} {notation}", f"{label} {gloss} {notation}")


def _begins_with(name: Words, typed: Words) -> bool:
    return typed[: len(name)] == name


def _has(words: Words, typed: Words) -> bool:
    return set(typed) <= set(words)
