"""The types that every game is made of.

A position is a value: a frozen `State` whose top `Frame` is the pending question. This module knows no particular
game, no pictures and no chat.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import Enum, StrEnum
from functools import cache, partial, reduce
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from engine.errors import SetupError
from engine.languages import ENGLISH, reading
from engine.rulebook import Rulebook, Section, Terms
from engine.texts import CHANCE, SEAT_COLORS, Seat, Text, joined, option_text, seats_called, shortened, term, verb_text
from engine.values import AbstractValue, Value

OptionValue = bool | int | str | None
"""The value of an option, as stored in the database."""

K = TypeVar("K")


# --- Setup -----------------------------------------------------------------------------------------------------------


def option(
    default: Any,
    description: str,
    *choices: OptionValue,
    title: str = "",
    file: Callable[[str], str] | None = None,
    canonical: Callable[[str], str] | None = None,
) -> Any:
    """A field of an `Options` class: its default, a one-sentence description for the host, and its possible values.

    `title` is the display name, if the name of the field will not do.
    With `file`, the text of a file that the host uploads is a value, too: `file` takes the text, returns its display
    name, and raises `SetupError` if the game cannot use it. `canonical` maps all values that play alike to one text,
    fixed choices included. The luck of a match depends on that text (`engine.proof`), not on comments or names.

    >>> class RaceOptions(Options):
    ...     goal: int = option(3, "Points to win", 3, 5)
    ...     dice: bool = option(True, "Whether luck plays a part")
    >>> RaceOptions(goal=5)
    RaceOptions(goal=5, dice=True)
    """
    # A flag implies its choices; any other field without choices has its default as the only value, or takes a file.
    values = choices or ((False, True) if isinstance(default, bool) else (default,))
    return field(
        default=default,
        metadata={
            "title": title,
            "description": description,
            "choices": values,
            "file": file,
            "canonical": canonical,
        },
    )


class Options(Value):
    """The options of a match, chosen by the host. Subclasses add fields made by `option`."""

    def check(self, seats: int) -> None:
        """Check the chosen values against each other and the number of seats.

        Raises:
            SetupError: the values are incompatible.
        """

    def settled(self) -> dict[str, OptionValue]:
        """All options in canonical form: equal for options that play alike. The luck of a match depends on it.

        A subclass resolves values that stand for other values, such as “as in the edition”.
        """
        values: dict[str, OptionValue] = dataclasses.asdict(self)
        return values


class Preset(Value):
    """A named combination of options, such as `First game`; `summary` says how it differs from others: `no trading`."""

    title: str
    options: Mapping[str, OptionValue]
    summary: str = ""

    @property
    def name(self) -> Text:
        """The title as a text."""
        return term(self.title)

    @property
    def about(self) -> Text:
        """The title with the summary: `First game: no trading`."""
        return Text("{preset}: {summary}", preset=self.name, summary=term(self.summary)) if self.summary else self.name


class InShort(Value):
    """A summary of the rules for a first game, one or two sentences each: the goal, a turn, the end of the game."""

    goal: Text
    turn: Text
    end: Text


class Setup(Value):
    """The number of seats and the chosen options, fixed before the deal."""

    seats: int
    options: Any

    def chosen(self) -> dict[str, OptionValue]:
        """The options as plain values, as stored in the database and accepted by `GameSpec.setup`."""
        return dataclasses.asdict(self.options)


# --- Actions, events, decisions --------------------------------------------------------------------------------------


def describe(description: str, question: str = "") -> Any:
    """A required field of an `Action`: the description that a player reads while typing it, and the question that asks
    for it alone: `Which pile?`. Without a question, people are asked to choose what the description names.
    """
    return field(metadata={"description": description, "question": question})


class Part(Value):
    """A part of a value that can be chosen before the rest of it, where there are many values, and the question for it.

    A type of values that has parts lists them in `parts`. Parts that answer the same question may come in any order;
    lists of them are sorted by the `order` of their values, if there is one.
    """

    question: Text
    value: Any


def _cached(function: Callable[[type], K]) -> Callable[[type], K]:
    # Resolving type hints takes longer than everything else done with an action. `cache` cannot be used directly: mypy
    # considers dataclass types unhashable.
    return cache(function)


@_cached
def field_types(cls: type) -> dict[str, Any]:
    """Maps each field of an action or event class to its resolved type, in order; `X | None` counts as X.

    >>> from engine.match import Undo
    >>> field_types(Undo)
    {'ply': <class 'int'>}
    """
    hints = typing.get_type_hints(cls)
    resolved: dict[str, Any] = {}
    # The audience of an event is not part of its sentence.
    for name in (attribute.name for attribute in dataclasses.fields(cls) if attribute.name != "audience"):
        resolved[name] = hints[name]
        if typing.get_origin(hints[name]) in (typing.Union, types.UnionType):
            # Exactly one type: with two, the notation of a value would be ambiguous.
            (resolved[name],) = (part for part in typing.get_args(hints[name]) if part is not types.NoneType)
    return resolved


def members(kind: type[Enum], seats: int) -> tuple[Enum, ...]:
    """The members of an enumeration that exist with this number of seats: a member's `owner` must be one of them."""
    owned = ((member, getattr(member, "owner", None)) for member in kind)
    return tuple(member for member, owner in owned if owner is None or owner < seats)


@_cached
def required_fields(cls: type) -> int:
    """The number of required fields of an action class; the fields that may be `None` come after them."""
    hints = typing.get_type_hints(cls)
    return sum(types.NoneType not in typing.get_args(hints[f.name]) for f in dataclasses.fields(cls))


class Action(Value):
    """A decision of a seat or a draw of CHANCE.

    A game has one subclass per verb, with fields of `int`, `str`, `bool`, `Seat`, a `StrEnum`, or a coordinate: a type
    of the game whose class method `parse` inverts `str` and raises `ValueError` for other text. Tuples of these are for
    CHANCE only; `None` is for trailing fields that do not apply. A coordinate that people read under another name than
    that of the notation has `shown`, and a class method `read` that inverts it and raises `ValueError` for other text.
    The first line of the docstring is the description of the slash command. `label` is the short text of a button, a
    template over the fields. A `talk` action only starts a conversation between people; computer players never choose
    it.

    >>> from engine.notation import format_action
    >>> from engine.wording import label
    >>> class TakeStones(Action):
    ...     "Take stones from a heap."
    ...     label = "Take {stones}"
    ...     stones: int = describe("How many stones", "How many?")
    >>> format_action(TakeStones(3)), label(TakeStones(3))
    ('take-stones 3', 'Take 3')
    """

    verb: ClassVar[str] = ""
    """The verb in the notation, derived from the name of the class: `take-stones`."""
    sense: ClassVar[str] = ""
    """The subject of the verb, in several words, if a language needs another word for it than in other games."""
    label: ClassVar[str] = ""
    """The text of a button, a template over the fields; by default, the verb and the fields."""
    talk: ClassVar[bool] = False
    """Whether the action only starts a conversation."""

    def __init_subclass__(cls) -> None:
        # Stored logs and button ids contain verbs: renaming a class makes stored matches unreadable.
        cls.verb = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()


def only(*seats: Seat) -> frozenset[Seat | None]:
    """The audience of a secret event: these seats.

    >>> only(Seat(0))
    frozenset({0})
    """
    return frozenset(seats)


def all_but(*secret: Seat, seats: int) -> frozenset[Seat | None]:
    """The audience of the public half of a secret: all other seats and the public.

    >>> all_but(Seat(0), seats=3) == {None, Seat(1), Seat(2)}
    True
    """
    # `None` is the public: spectators, and the board in the channel.
    return frozenset({None, *map(Seat, range(seats))}) - only(*secret)


class Event(Value):
    """A result of an action: typed fields, a sentence template over them, and an audience (`None` = everyone).

    A secret is reported as two events with complementary audiences: `only(seat)` and `all_but(seat, seats=...)`.
    A `minor` event is in the log but not in the message of a board, whose picture shows it anyway. `brief` is the short
    form for the picture, up to 40 characters: a template over the same fields, with a badge in place of the seat. If an
    event has none, the picture shows the one before it. A `lasting` event reports a condition: while it stays the same,
    the message of a board mentions it only once.

    >>> from engine.wording import say
    >>> class Advanced(Event):
    ...     template = "{seat} {seat:advances|advance} by {points}."
    ...     seat: Seat
    ...     points: int
    >>> say(Advanced(Seat(0), 2)), say(Advanced(Seat(0), 2), you=Seat(0))
    ('Red advances by 2.', 'You advance by 2.')
    """

    template: ClassVar[str] = ""
    """The sentence, a template over the fields."""
    brief: ClassVar[str] = ""
    """The short form for the picture."""
    minor: ClassVar[bool] = False
    """Whether the message of a board leaves the event out."""
    lasting: ClassVar[bool] = False
    """Whether the event reports a condition."""

    audience: frozenset[Seat | None] | None = field(default=None, kw_only=True)

    def and_then(self, after: Event) -> Event | None:
        """One event that replaces this one and the next; `None` if each is reported on its own."""
        return None

    def visible_to(self, viewer: Seat | None) -> bool:
        """Whether this viewer (a seat, or `None` for the public) is in the audience."""
        return self.audience is None or viewer in self.audience


class Decision(Value):
    """A choice that one seat must make now.

    `prompt` is public and must not reveal secrets; with `private`, the list of options would reveal one. `options` is a
    tuple, or, for very many options, a custom sequence that compares equal to one.
    For CHANCE, `weights` are integers aligned with `options`, computed from public knowledge. A draw with too many
    outcomes to list has neither; `Frame.sample` draws it. A single option without weights is not random: it reveals a
    hidden piece.
    `usual` is an option that players nearly always take. The bot then offers the options of the next decision at once,
    and this one only on request.
    """

    seat: Seat
    prompt: Text
    options: Sequence[Action]
    private: bool = False
    weights: tuple[int, ...] = ()
    usual: Action | None = None

    @property
    def forced(self) -> bool:
        """Whether there is only one option. It still counts as a decision.

        >>> from engine.match import Redo
        >>> secret = Decision(Seat(0), Text("Go on."), (Redo(),), private=True)
        >>> secret.forced, secret.automatic
        (True, False)
        """
        return len(self.options) == 1

    @property
    def automatic(self) -> bool:
        """Whether the engine answers it itself: it is public knowledge that there is only one option.

        A private decision is never automatic, since the length of its list is a secret, too.
        """
        # CHANCE is excepted: even a draw with one outcome needs its own entry, so that undo sees the reveal.
        return self.forced and not self.private and self.seat != CHANCE


class Refusal(Value):
    """The reason why an action is not among the options: a sentence for the player and a section of `rules.md`."""

    text: Text
    rule: str


class Advised(NamedTuple):
    """A piece of advice to choose an option; it is not shown where that is one of the worse options."""

    text: Text
    option: Action


Advice = tuple[Text | Advised, ...]
"""Advice for beginners, the most important piece first."""


class Outcome(Value):
    """The result of a match.

    `returns` has one number in 0..1 per seat: winners share 1 equally, after all tie-breaks. `scores` has the points of
    each seat as the rulebook counts them. `tie_break` is a sentence on equal scores: what decides, or that the win is
    shared.

    >>> from enum import StrEnum
    >>> End = StrEnum("End", {"NO_MOVES": "no-moves"})
    >>> shared = Outcome((0.5, 0.5, 0.0), (7, 7, 2), End.NO_MOVES, Text("Tied on points: the win is shared."))
    >>> shared.winners
    (0, 1)
    >>> str(shared.summary)
    'No moves. Tied on points: the win is shared.'
    """

    returns: tuple[float, ...]
    scores: tuple[int, ...]
    reason: StrEnum
    tie_break: Text | None = None

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats with the best return; several if the win is shared or a team's."""
        best = max(self.returns)
        # Exact equality is safe: all winners have the same quotient.
        return tuple(Seat(i) for i, value in enumerate(self.returns) if value == best)

    @property
    def summary(self) -> Text:
        """The reason as a sentence: its `label`, or its value, such as `No moves.`; then the tie-break, if any."""
        label = getattr(self.reason, "label", "") or f"{self.reason.replace('-', ' ').capitalize()}."
        reason = Text("{reason}", reason=label)
        return joined([reason, self.tie_break]) if self.tie_break else reason


class Aside(Value):
    """A small decision for a seat outside its own turn, which a standing answer can take care of.

    `key` names it within its game, in lower case. `about` describes it in the words of the seat: `where my risen artist
    goes`. `rule` is its section in `rules.md`. `decline` is the verb that says no, if there is one; it must be an
    option of every such decision, and `declined` is its label. `first` says that always taking the first option makes
    sense. `discreet` says that an immediate answer would reveal that it was automatic.
    """

    key: str
    about: Text
    rule: str
    decline: type[Action] | None = None
    declined: Text = field(default_factory=lambda: Text("Decline"))
    first: bool = True
    discreet: bool = False


# --- Positions -------------------------------------------------------------------------------------------------------

S = TypeVar("S", bound="State")
S_co = TypeVar("S_co", bound="State", covariant=True)
A = TypeVar("A", bound=Action)


class Frame(AbstractValue, Generic[S, A]):
    """A pending question, frozen inside the state: the seats that must answer, their options, and the effect of each.

    `S` is the game's state, `A` the verb that answers, or a union of verbs. Subclasses are values: see `Value`.

    >>> class Pass(Action):
    ...     "Pass the turn."
    >>> class Turn(Frame[Any, Pass]):
    ...     seat: Seat
    ...     def decisions(self, state):
    ...         return (Decision(self.seat, Text("Pass."), (Pass(),)),)
    ...     def resolve(self, state, seat, action):
    ...         return state, ()
    >>> Turn(Seat(1)).decisions(None)[0].options
    (Pass(),)
    """

    __slots__ = ()

    rule: ClassVar[str] = "1"
    """Section of `rules.md` cited when an answer is refused, unless `why_not` returns a better one."""

    aside: ClassVar[Aside | None] = None
    """The way to treat the question if it comes to a seat outside its turn. Requires `State.turn_of`."""

    verbs: ClassVar[tuple[Any, ...]] = ()
    """The classes of `A`, derived from the bases."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for base in vars(cls).get("__orig_bases__", ()):
            # Without type arguments, only the `None` remains.
            *_, answer = (None, *typing.get_args(base))
            # A game's abstract frame still has type variables here; its subclasses name the verbs.
            if issubclass(typing.get_origin(base) or base, Frame) and not isinstance(answer, TypeVar | None):
                cls.verbs = typing.get_args(answer) or (answer,)

    @abstractmethod
    def decisions(self, state: S) -> tuple[Decision, ...]:
        """One decision for each seat that is due. Never empty, and never for CHANCE and seats at once."""

    @abstractmethod
    def resolve(self, state: S, seat: Seat, action: A) -> tuple[S, tuple[Event, ...]]:
        """The state after a legal answer, and its events. `State.apply` guarantees that the verb is one of `verbs`."""

    def sample(self, state: S, rng: Random) -> Action:
        """Draw an outcome of a CHANCE decision. Override it if there are too many outcomes to list."""
        # A CHANCE decision is the only one due; the unpacking checks it.
        (decision,) = self.decisions(state)
        return rng.choices(decision.options, decision.weights or None)[0]

    def merged_chances(self, state: S) -> Decision:
        """The CHANCE decision as searches need it: equivalent outcomes merged into one, with their total weight.

        Override it if some outcomes differ only in their description.
        """
        (decision,) = self.decisions(state)
        return decision

    def gloss(self, state: S, action: A) -> Text | None:
        """The meaning of an option in this position, up to 80 characters; `None` if its label is enough.

        `state` is observed by the seat that is offered the option.
        """
        return None

    def untold(self, state: S, action: A) -> Text | None:
        """The effect of an option that no event tells, for a preview: `+4 for you, −3 for Blue`; up to 80 characters.

        `state` is observed by the seat that chose the option.
        """
        return None

    def named(self, state: S, action: A, field: str = "") -> Text | None:
        """A descriptive name for a field of an option in this position, up to 40 characters: `Y4 on 1`.

        `None` if the plain value is enough. Without a field: a name for the whole option, in place of its label.
        `state` is observed by the seat that is offered the option.
        """
        return None

    def spelled_out(self, state: S, action: A) -> Text | None:
        """An option without signs such as arrows, for sentences that quote it: `Move Y4 on 1 onto B2 on 30`.

        `None` if its name or label has none. `state` is observed by the seat that is offered the option.
        """
        return None

    def suggested(self, state: S) -> tuple[A, ...]:
        """The options that deserve a button where there are too many for all, in order; the others can be typed.

        `state` is observed by the seat that is offered the options.
        """
        return ()

    def series(self, state: S) -> int:
        """Maximum number of times in a row that this comes to the same seat, with luck in between; usually 1.

        People may answer all of them at once. Each answer counts if it is among the options by then.
        """
        return 1

    def odds(self, state: S) -> Text | None:
        """The odds of a CHANCE decision: `12 of 36 numbers catch you`. `state` is observed."""
        return None

    def advice(self, state: S) -> Advice:
        """Advice for beginners, at most 96 letters each (two lines of a phone), the most important piece first.

        A learner reads one at a time, and each only once in a match. `state` is observed.
        """
        return ()

    def why_not(self, state: S, seat: Seat, action: Action) -> Refusal | None:
        """The rule that forbids an action; `None` if it simply does not answer the question.

        Called only for actions that are not among the options, with any verb of the game.
        """
        return None


class State(AbstractValue):
    """A position. `frames[-1]` is the pending question; without frames, the game is over.

    An action of a seat must never reveal anything that this seat did not know. Every reveal is an entry by CHANCE, even
    if it has only one outcome. So previews show no secrets, and undo can tell when a secret came out.
    """

    frames: tuple[Frame[Any, Any], ...]

    def decisions(self) -> tuple[Decision, ...]:
        """The decisions that are due, the only source of legality; empty when the game is over."""
        return self.frames[-1].decisions(self) if self.frames else ()

    def decision_of(self, seat: Seat) -> Decision | None:
        """The decision that is due from a seat, if any."""
        return next((decision for decision in self.decisions() if decision.seat == seat), None)

    def apply(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        """The next state and its events. Trusts that `action` is among the options of `seat`.

        Raises:
            TypeError: the verb does not answer the pending question.
        """
        frame = self.frames[-1]
        # A draw from a stored log is not checked against options if there are too many to list (see `Match._fits`), so
        # at least check its verb.
        if not isinstance(action, frame.verbs):
            raise TypeError(f"“{action.verb}” does not answer {type(frame).__name__}")
        return frame.resolve(self, seat, action)

    def gloss(self, action: Action) -> Text | None:
        """The meaning of an option in this position: `10,000 for 4 turns`; `None` if its label is enough."""
        return self.frames[-1].gloss(self, action) if self.frames else None

    def untold(self, action: Action) -> Text | None:
        """The effect of an option that no event tells: `+4 for you, −3 for Blue`; `None` if the events tell all."""
        return self.frames[-1].untold(self, action) if self.frames else None

    def named(self, action: Action, field: str = "") -> Text | None:
        """A descriptive name for an option, or a field of one, in this position; `None` if the plain one is enough."""
        return self.frames[-1].named(self, action, field) if self.frames else None

    def spelled_out(self, action: Action) -> Text | None:
        """An option without signs such as arrows, for quotes; `None` if its name or label has none."""
        return self.frames[-1].spelled_out(self, action) if self.frames else None

    def suggested(self) -> tuple[Action, ...]:
        """The options of the pending question that deserve a button where there are too many for all."""
        return self.frames[-1].suggested(self) if self.frames else ()

    def series(self) -> int:
        """Maximum number of times in a row that the question asked now comes to the same seat."""
        return self.frames[-1].series(self) if self.frames else 0

    def odds(self) -> Text | None:
        """The odds of the draw that is due, if the game can describe them."""
        return self.frames[-1].odds(self) if self.frames else None

    def advice(self) -> Advice:
        """Advice for beginners on the pending question."""
        return self.frames[-1].advice(self) if self.frames else ()

    def if_on_turn(self, seat: Seat) -> Self | None:
        """This position as if another seat's turn began now, to explain its moves in advance.

        `None` in the middle of a turn, or if the game does not support it. The position is observed by the seat.
        """
        return None

    def turn_of(self) -> Seat | None:
        """The seat on turn (public), for games with decisions outside a seat's own turn."""
        return None

    def aside(self, seat: Seat) -> Aside | None:
        """The `Aside` of the pending question for a seat that is not on turn; `None` for the seat on turn."""
        return None if not self.frames or self.turn_of() in (None, seat) else self.frames[-1].aside

    def refuse(self, seat: Seat, action: Action) -> Refusal:
        """The reason why `action` is not among the options of `seat`."""
        frame = self.frames[-1]
        if refusal := frame.why_not(self, seat, action):
            return refusal
        prompts = [d.prompt for d in self.decisions() if d.seat == seat]
        verb = verb_text(action.verb, action.sense)
        sentence = Text("“{verb}” is not possible now. To decide: {prompts}", verb=verb, prompts=joined(prompts))
        return Refusal(sentence, frame.rule)

    def sample(self, rng: Random) -> Action:
        """Draw an outcome for CHANCE, which must be due."""
        return self.frames[-1].sample(self, rng)

    def merged_chances(self) -> Decision:
        """The decision of CHANCE, which must be due, with equivalent outcomes merged into one."""
        return self.frames[-1].merged_chances(self)

    def diagram(self) -> Text | None:
        """The observed position in a few short lines, for a game without pictures."""
        return None

    def tally(self, seat: Seat) -> int:
        """The public points of a seat, as its board shows them; 0 if the board shows none."""
        return 0

    def account(self, seat: Seat) -> Text | None:
        """A breakdown of the final score of a seat, up to 90 characters: `30 on level 3, 12 on level 2`."""
        return None

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The result, or `None` while decisions are due."""

    @abstractmethod
    def observe(self, viewer: Seat | None) -> Self:
        """This position without the viewer's unknowns, which are removed from the board and the frames."""

    @abstractmethod
    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """A full position, drawn from those that are consistent with the viewer's knowledge.

        `state.determinize(v, rng).observe(v) == state.observe(v)` always holds. It must not use anything that `observe`
        hides: from an observed position, as computer players have it, it draws the same result.
        """


class LastAction(Value):
    """The latest event with a short form, and the seat that it is about (CHANCE included).

    `earlier` has the events of the same seat before it, in order, since the ply that the view starts from.
    """

    seat: Seat
    event: Event
    earlier: tuple[Event, ...] = ()


class View(Value, Generic[S_co]):
    """A match as one viewer may know it: the only input of pictures, messages and computer players.

    `game`, `title` and `colors` come from its `GameSpec`. `viewer` is a seat, or `None` for the public. `state` is
    observed. `decisions` lack the private options of other seats and the outcomes of CHANCE. `events` are those visible
    to the viewer since the ply that the view starts from, and `gains` the changes of each seat's tally since then.
    `offered` are the options still open to the viewer in a turn under construction, so that a picture can mark their
    targets. `last_action` is the latest one that the viewer knows of, however old. A `preview` includes actions that
    the viewer has not confirmed yet.
    """

    game: str
    title: str
    colors: tuple[str, ...]
    setup: Setup
    viewer: Seat | None
    ply: int
    state: S_co
    decisions: tuple[Decision, ...]
    events: tuple[Event, ...]
    outcome: Outcome | None
    offered: tuple[Action, ...] = ()
    last_action: LastAction | None = None
    gains: tuple[int, ...] = ()
    preview: bool = False

    @property
    def due(self) -> tuple[Seat, ...]:
        """The seats with a decision, CHANCE excepted."""
        return tuple(d.seat for d in self.decisions if d.seat != CHANCE)

    @property
    def luck_next(self) -> bool:
        """Whether a draw of CHANCE comes next (only in previews)."""
        return any(d.seat == CHANCE for d in self.decisions)

    def gain(self, seat: int) -> int:
        """The change of a seat's tally; 0 if it is not known."""
        return self.gains[seat] if self.gains else 0

    def decision_of(self, seat: Seat | None) -> Decision | None:
        """The decision that is due from this seat, if any."""
        return next((d for d in self.decisions if d.seat == seat), None)


# --- Games -----------------------------------------------------------------------------------------------------------


def house_colors(setup: Setup) -> tuple[str, ...]:
    """The house colors of the seats: Red, Blue, Yellow, ..."""
    return SEAT_COLORS[: setup.seats]


def color_names(setup: Setup) -> tuple[str, ...]:
    """The names of the seats' colors in the language of the reader."""
    return seats_called(house_colors(setup))


def each_alone(setup: Setup) -> tuple[int, ...]:
    """A company for each seat."""
    return tuple(range(setup.seats))


def _agrees(setup: Setup, terms: Terms) -> bool:
    """Whether a setup has the values that some terms name."""
    # `seats` is the only term that is not an option.
    named = ((setup if name == "seats" else setup.options, name, value) for name, value in terms)
    # Compared as text, since rules are text: `{seats=4, trading=yes}`, in all languages.
    with reading(ENGLISH):
        return all(option_text(getattr(options, name)) == value for options, name, value in named)


STEP_COST = 50
"""Default CPU time of a search step, in microseconds."""

INTERFACE = 1
"""Version of the interface of `engine` and `renders` for games in separate packages."""


class Grade(StrEnum):
    """The quality of a game, from the lowest grade up. `caravanserai check` says what each one takes."""

    BRONZE = "bronze"
    SILVER = "silver"
    GOLD = "gold"
    PLATINUM = "platinum"


class GameSpec(Value):
    """The interface of a game to the rest of the program. A game module exports one as `GAME`.

    `actions` are the verbs of seats in the order of the commands, `chances` those of CHANCE. `rules_version` must grow
    whenever a change of the rules replays an old log differently. `seat_colors` are from `SEAT_COLORS`, or "" for a
    seat without a color. `companies` numbers the company of each seat: its seats win together, with equal returns.
    `hands` says that seats hold secrets. A new table starts with the first of `presets`. `asides` are the decisions
    that can come up outside a seat's own turn. `in_short` introduces a first game; it is a function where an option
    changes it. `evaluate` estimates the expected share of the win of each seat: shares sum to 1, and team mates have
    equal ones. It must accept any full position that is not over, also in the middle of a turn or with CHANCE due.
    `step_costs` maps a number of seats to the CPU time of one search step (reach a position and evaluate it) in
    microseconds, measured for all games on one machine; it determines how long computers think. `computers` maps ids of
    computer players to their names in this game, enough for every seat.
    `picture` names the module that draws the game, which is imported for the first picture; by default the module of
    `renders.games` named like the slug, or else the plain picture. `interface` is the version of `INTERFACE` for which
    a game in a separate package was written. `grade` is the grade that its author claims, which hosts see where they
    choose a game of a package, and `caravanserai check` verifies.
    """

    slug: str
    title: str
    summary: str
    seats: tuple[int, ...]
    options: type[Options]
    actions: tuple[type[Action], ...]
    chances: tuple[type[Action], ...]
    rules_version: int
    rulebook: Rulebook
    start: Callable[[Setup], State]
    seat_names: Callable[[Setup], tuple[str, ...]] = color_names
    seat_colors: Callable[[Setup], tuple[str, ...]] = house_colors
    companies: Callable[[Setup], tuple[int, ...]] = each_alone
    hands: bool = False
    presets: tuple[Preset, ...] = ()
    asides: tuple[Aside, ...] = ()
    in_short: InShort | Callable[[Setup], InShort] | None = None
    evaluate: Callable[[Any], tuple[float, ...]] | None = None
    step_costs: Mapping[int, int] = field(default_factory=dict)
    computers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    picture: str = ""
    interface: int = 0
    grade: Grade | None = None

    @property
    def name(self) -> Text:
        """The title as a text."""
        return term(self.title)

    def step_cost(self, seats: int) -> int:
        """The CPU time of a search step with this number of seats, in microseconds."""
        return self.step_costs.get(seats, STEP_COST)

    @property
    def about(self) -> Text:
        """The summary as a text."""
        return term(self.summary)

    def setup(self, seats: int, chosen: Mapping[str, OptionValue] | None = None) -> Setup:
        """A checked setup.

        Raises:
            SetupError: wrong number of seats, unknown option, value out of range, or incompatible values.

        >>> from engine.games import discover
        >>> discover()["muscat"].setup(3, {"start_placement": "fixed"}).chosen()["start_placement"]
        'fixed'
        """
        if seats not in self.seats:
            text = Text(
                "{title} is for {range} players, not for {seats}.", title=self.name, range=self.seat_range, seats=seats
            )
            raise SetupError("seats", text)
        options = self._options(chosen or {})
        options.check(seats)
        return Setup(seats, options)

    def _options(self, chosen: Mapping[str, OptionValue]) -> Options:
        fields = {f.name: f.metadata for f in dataclasses.fields(self.options)}
        for name, value in chosen.items():
            if name not in fields:
                text = Text(
                    "{title} has no option “{name}”; it has {known}.",
                    title=self.name,
                    name=shortened(name),
                    known=", ".join(fields),
                )
                raise SetupError("option", text)
            choices, file = fields[name]["choices"], fields[name]["file"]
            # `1 == True` in Python, but the two are stored and displayed differently.
            if any(value == choice and type(value) is type(choice) for choice in choices):
                continue
            if file is None or not isinstance(value, str):
                allowed = ", ".join(option_text(choice) for choice in choices)
                excerpt = shortened(str(Text("{value}", value=value)))
                text = Text("“{name}” can be {allowed}, not {value}.", name=name, allowed=allowed, value=excerpt)
                raise SetupError("option", text)
            # Called only for its error: the lobby refuses a bad file, instead of the start of the match.
            file(value)
        return self.options(**chosen)

    def settled(self, chosen: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """Checked options in canonical form, with one text for all files that play alike."""
        canonical = {attribute.name: attribute.metadata["canonical"] for attribute in dataclasses.fields(self.options)}
        settled = self.options(**chosen).settled().items()
        return {name: write(value) if (write := canonical.get(name)) else value for name, value in settled}

    def plays(self, section: Section, setup: Setup) -> bool:
        """Whether a section of the rules matters in a match of this setup. Raises `AttributeError` for a wrong name."""
        return _agrees(setup, section.only_with)

    def rule_text(self, section: Section, setup: Setup) -> str:
        """The text of a section for players of this setup. Raises `AttributeError` for a wrong name."""
        return section.read(partial(_agrees, setup))

    def short_in(self, setup: Setup) -> InShort | None:
        """The goal, a turn and the end with these options; `None` for a game without such lines."""
        return self.in_short(setup) if callable(self.in_short) else self.in_short

    def asides_in(self, setup: Setup) -> tuple[Aside, ...]:
        """The decisions that can come up outside a seat's own turn with this setup."""
        sections = self.rulebook.sections
        return tuple(aside for aside in self.asides if self.plays(sections[aside.rule], setup))

    @property
    def seat_range(self) -> Text:
        """`2`, `2 to 4`, `2 or 4`.

        >>> from engine.games import discover
        >>> str(discover()["muscat"].seat_range)
        '3 to 5'
        """
        least, most = self.seats[0], self.seats[-1]
        # A range only if no number is missing in between.
        if most - least == len(self.seats) - 1 > 0:
            return Text("{least} to {most}", least=least, most=most)
        numbers = [Text("{seats}", seats=seats) for seats in self.seats]
        return reduce(lambda some, last: Text("{some} or {last}", some=some, last=last), numbers)
