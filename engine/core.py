"""The words every game is written in.

A position is a value: a frozen `State` whose top `Frame` says who has to decide what. Nothing in this module
knows a particular game, a picture or a chat.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from functools import cache, reduce
from random import Random
from typing import Any, ClassVar, Generic, Self, TypeVar

from engine.errors import SetupError
from engine.languages import ENGLISH, reading
from engine.rulebook import Rulebook, Section
from engine.texts import CHANCE, SEAT_COLORS, Seat, Text, joined, option_text, seats_called, shortened, term

OptionValue = bool | int | str | None

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
    """A field of an `Options` class: its default, one sentence for the host, and every value it may take.

    `title` is what people call it, if that is not the name of the field.
    With `file` the text of a file of the host's own is a value too: called with the text, it returns the name people
    know it by, and raises `SetupError` if the game cannot use it. `canonical` returns one text for all values that play
    alike, fixed choices included: the luck of a match depends on that text (`engine.proof`), not on comments or names.
    """
    # A flag needs no choices of its own; another field without any can only be its default, or a file.
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


@dataclass(frozen=True, slots=True)
class Options:
    """What the host may choose before a match. Subclasses add fields made by `option`."""

    def check(self, seats: int) -> None:
        """Check the chosen values against each other and the number of seats.

        Raises:
            SetupError: they do not go together.
        """

    def settled(self) -> dict[str, OptionValue]:
        """All options as they are played: equal for options that play alike. The luck of a match depends on it.

        A subclass writes out a value that stands for another one, such as “as in the edition”.
        """
        values: dict[str, OptionValue] = dataclasses.asdict(self)
        return values


@dataclass(frozen=True, slots=True)
class Preset:
    """Options that go well together, under a name for people: `First game`."""

    title: str
    options: Mapping[str, OptionValue]

    @property
    def name(self) -> Text:
        """The title as people read it."""
        return term(self.title)


@dataclass(frozen=True, slots=True)
class InShort:
    """What somebody new reads before a first game, a sentence or two each: the goal, what a turn is, how it ends."""

    goal: Text
    turn: Text
    end: Text


@dataclass(frozen=True, slots=True)
class Setup:
    """Number of seats and the chosen options, fixed before the deal."""

    seats: int
    options: Any

    def chosen(self) -> dict[str, OptionValue]:
        """The options as plain values: what a database row keeps and `GameSpec.setup` takes back."""
        return dataclasses.asdict(self.options)


# --- Actions, events, decisions --------------------------------------------------------------------------------------


def describe(description: str) -> Any:
    """A required field of an `Action`, with the sentence a player sees while typing it."""
    return field(metadata={"description": description})


def _cached(function: Callable[[type], K]) -> Callable[[type], K]:
    # Resolving type hints takes longer than everything else done with an action. The signature of `cache` itself would
    # not do: mypy takes the classes of dataclasses for unhashable.
    return cache(function)


@_cached
def field_types(cls: type) -> dict[str, Any]:
    """Name -> resolved type of the fields of an action or event class, in order; `X | None` counts as X.

    >>> from engine.match import Undo
    >>> field_types(Undo)
    {'ply': <class 'int'>}
    """
    hints = typing.get_type_hints(cls)
    found: dict[str, Any] = {}
    # The audience of an event is not part of its sentence.
    for name in (one.name for one in dataclasses.fields(cls) if one.name != "audience"):
        found[name] = hints[name]
        if typing.get_origin(hints[name]) in (typing.Union, types.UnionType):
            # One type only: of a union of two nobody could say which one a word stands for.
            (found[name],) = (part for part in typing.get_args(hints[name]) if part is not types.NoneType)
    return found


def members(kind: type[Enum], seats: int) -> tuple[Enum, ...]:
    """The members of an enumeration in a match of so many seats: one with an `owner` only where there is that seat."""
    owned = ((member, getattr(member, "owner", None)) for member in kind)
    return tuple(member for member, owner in owned if owner is None or owner < seats)


@_cached
def required_fields(cls: type) -> int:
    """How many fields of an action class always apply; those that may be `None` come after them."""
    hints = typing.get_type_hints(cls)
    return sum(types.NoneType not in typing.get_args(hints[f.name]) for f in dataclasses.fields(cls))


@dataclass(frozen=True, slots=True)
class Action:
    """Something a seat decides or chance draws.

    A game has one subclass per verb, with fields of `int`, `str`, `bool`, `Seat`, a `StrEnum`, or a coordinate: a type
    of the game with a class method `parse` that takes back what `str` gives, and raises `ValueError` (tuples of them
    for CHANCE only; `None` only at the end, where a field does not apply). The first line of its docstring is the
    command's description. `label` is the short text of a button, a template over the fields. One that is `talk` leads
    to nothing but words between people; computer players leave it to them.
    """

    verb: ClassVar[str] = ""
    label: ClassVar[str] = ""
    talk: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        # Verbs are written into logs and button ids: renaming a class makes stored matches unreadable.
        cls.verb = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()


def only(*seats: Seat) -> frozenset[Seat | None]:
    """The audience of a secret: these seats.

    >>> only(Seat(0))
    frozenset({0})
    """
    return frozenset(seats)


def all_but(*secret: Seat, seats: int) -> frozenset[Seat | None]:
    """The audience of what may be known of a secret: all other seats and the public.

    >>> all_but(Seat(0), seats=3) == {None, Seat(1), Seat(2)}
    True
    """
    # `None` is the public: spectators, and the board that everybody in the channel sees.
    return frozenset({None, *map(Seat, range(seats))}) - only(*secret)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: typed fields, a sentence over them, and who may know it (`None` = everybody).

    A secret travels as two events with complementary audiences: `only(seat)` and `all_but(seat, seats=...)`. One that
    is `minor` is left out beside a board, whose picture shows it anyway; the log tells it. `brief` is the short form
    for the picture itself, in up to 40 characters: a template over the same fields, in which a badge stands for the
    seat. An event without one gives way to what was done before it.
    """

    template: ClassVar[str] = ""
    brief: ClassVar[str] = ""
    minor: ClassVar[bool] = False

    audience: frozenset[Seat | None] | None = field(default=None, kw_only=True)

    def and_then(self, after: Event) -> Event | None:
        """One event that says the same as this and the one after it; nothing if each is worded by itself."""
        return None

    def visible_to(self, viewer: Seat | None) -> bool:
        """Whether this viewer (a seat, or `None` for the public) may know of it."""
        return self.audience is None or viewer in self.audience


@dataclass(frozen=True, slots=True)
class Decision:
    """What one seat must decide now.

    `prompt` is public and must not give anything away; `private` says that the list of options itself would. `options`
    is a tuple, or for very many a sequence of the game's own that equals one.
    For CHANCE, `weights` are integers aligned with `options`, by what everybody knows; a draw with too many outcomes to
    list has neither and is left to `Frame.sample`. A single option without weights is no luck: it turns up what lay
    hidden.
    `usual` is an option that is nearly always taken: people are asked what follows it, and this only if they want to.
    """

    seat: Seat
    prompt: Text
    options: Sequence[Action]
    private: bool = False
    weights: tuple[int, ...] = ()
    usual: Action | None = None

    @property
    def forced(self) -> bool:
        """Only one option: a decision all the same.

        >>> from engine.match import Redo
        >>> secret = Decision(Seat(0), Text("Go on."), (Redo(),), private=True)
        >>> secret.forced, secret.automatic
        (True, False)
        """
        return len(self.options) == 1

    @property
    def automatic(self) -> bool:
        """Whether everybody can see that there is one option only, so that nobody need be asked.

        A private list is asked for however short it is: its length is a secret, too.
        """
        # CHANCE is excepted: even a draw with one outcome is an entry of its own, by which undo knows what was
        # uncovered.
        return self.forced and not self.private and self.seat != CHANCE


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not among the options: a sentence for the player and the section of `rules.md`."""

    text: Text
    rule: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match.

    `returns` has one number in 0..1 per seat: winners share 1 equally, after every tie-break. `scores` are the
    points as the rulebook counts them, one per seat.

    >>> from enum import StrEnum
    >>> End = StrEnum("End", {"NO_MOVES": "no-moves"})
    >>> shared = Outcome((0.5, 0.5, 0.0), (7, 7, 2), End.NO_MOVES)
    >>> shared.winners
    (0, 1)
    >>> str(shared.told)
    'No moves.'
    """

    returns: tuple[float, ...]
    scores: tuple[int, ...]
    reason: StrEnum

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats with the best return; several after a shared win or a team's."""
        best = max(self.returns)
        # Exact equality is safe: winners get the very same quotient.
        return tuple(Seat(i) for i, value in enumerate(self.returns) if value == best)

    @property
    def told(self) -> Text:
        """Why the match ended, for people: the `label` of the reason, or its value as a sentence: `No moves.`"""
        label = getattr(self.reason, "label", "") or f"{self.reason.replace('-', ' ').capitalize()}."
        return Text("{reason}", reason=label)


@dataclass(frozen=True, slots=True)
class Aside:
    """A small question that may come to a seat outside its own turn, and what can be answered to it once and for all.

    `key` names it within its game, in small letters. `about` is what its seat would say it is: `where my risen artist
    goes`. `rule` is the section of `rules.md` that it comes from. `decline` is the verb that says no, where one does:
    it is an option then whenever this is asked; `declined` is what that means. `first`: to take the first option makes
    sense. `discreet`: an answer at once would tell others more than itself, namely that nobody has thought about it.
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


class Frame(ABC, Generic[S, A]):
    """A pending question, frozen inside the state: who is asked, what may be answered, what the answer does.

    `S` is the game's state, `A` the verb that answers, or a union of verbs. Subclasses are frozen, slotted dataclasses.
    """

    __slots__ = ()

    rule: ClassVar[str] = "1"
    """Section of `rules.md` that a refused answer points to, unless `why_not` knows a better one."""

    aside: ClassVar[Aside | None] = None
    """What this is for a seat that is not on turn; needed where that may be, with `State.turn_of`."""

    verbs: ClassVar[tuple[Any, ...]] = ()
    """The classes of `A`, read off the bases."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for base in vars(cls).get("__orig_bases__", ()):
            # A base without type arguments leaves only the `None`.
            *_, answer = (None, *typing.get_args(base))
            # An abstract frame of a game still has type variables there; a subclass names the verbs.
            if issubclass(typing.get_origin(base) or base, Frame) and not isinstance(answer, TypeVar | None):
                cls.verbs = typing.get_args(answer) or (answer,)

    @abstractmethod
    def decisions(self, state: S) -> tuple[Decision, ...]:
        """One decision per seat that is due. Never empty; all for CHANCE or all for seats."""

    @abstractmethod
    def resolve(self, state: S, seat: Seat, action: A) -> tuple[S, tuple[Event, ...]]:
        """The state after a legal answer, and what happened. Trusts `State.apply`, which lets no other verb through."""

    def sample(self, state: S, rng: Random) -> Action:
        """An outcome drawn for CHANCE, which is asked. Override it where the draws are too many to list."""
        # CHANCE is asked alone; the unpacking checks it.
        (decision,) = self.decisions(state)
        return rng.choices(decision.options, decision.weights or None)[0]

    def gathered(self, state: S) -> Decision:
        """The decision of CHANCE, which is asked, for searches: of outcomes that come to the same only one.

        It has the weight of all of them. Override it where outcomes differ only in how they are described.
        """
        (decision,) = self.decisions(state)
        return decision

    def gloss(self, state: S, action: A) -> Text | None:
        """What an option means in this position, in up to 80 characters; nothing if its label says it all.

        Called with an observed state, whose viewer is offered the option.
        """
        return None

    def named(self, state: S, action: A, field: str = "") -> Text | None:
        """What a field of an option means in this position, in up to 40 characters: `Y4 on 1`.

        Nothing if its value says it all. Without a field: the whole option, instead of its label. Called as `gloss` is.
        """
        return None

    def suggested(self, state: S) -> tuple[A, ...]:
        """A few of very many options that are worth a button each, in order; the others are typed.

        Called as `gloss` is.
        """
        return ()

    def odds(self, state: S) -> Text | None:
        """How likely is what CHANCE, which is asked, may bring: `12 of 36 numbers catch you`. Called when observed."""
        return None

    def advice(self, state: S) -> tuple[Text, ...]:
        """For somebody new: what matters now, and what the answers mean; a line each. Called when observed."""
        return ()

    def why_not(self, state: S, seat: Seat, action: Action) -> Refusal | None:
        """Why this answer is not possible, if the rules can say more than that it is not the time for it.

        Called only for actions that are not among the options; any verb of the game may come.
        """
        return None


@dataclass(frozen=True, slots=True)
class State(ABC):
    """A position. `frames[-1]` is the question asked now; no frames = the game is over.

    An action of a seat may never uncover what that seat could not know before: whatever is uncovered comes as an
    entry by CHANCE (a reveal with a single outcome is fine). So a preview shows no secrets, and undo knows when
    something was learned.
    """

    frames: tuple[Frame[Any, Any], ...]

    def decisions(self) -> tuple[Decision, ...]:
        """What must be decided now, the only source of legality; empty when the game is over."""
        return self.frames[-1].decisions(self) if self.frames else ()

    def decision_of(self, seat: Seat) -> Decision | None:
        """What a seat must decide now, if anything."""
        return next((decision for decision in self.decisions() if decision.seat == seat), None)

    def apply(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        """The next state and what happened. Trusts that `action` is among the options of `seat`.

        Raises:
            TypeError: a verb that does not answer the question asked now.
        """
        frame = self.frames[-1]
        # A draw from a stored log passes no options where there are too many to list (see `Match._fits`): here at least
        # its verb is checked.
        if not isinstance(action, frame.verbs):
            raise TypeError(f"“{action.verb}” does not answer {type(frame).__name__}")
        return frame.resolve(self, seat, action)

    def gloss(self, action: Action) -> Text | None:
        """What an option means in this position: `10,000 for 4 turns`; nothing if its label says it all."""
        return self.frames[-1].gloss(self, action) if self.frames else None

    def named(self, action: Action, field: str = "") -> Text | None:
        """What an option, or a field of one, means in this position; nothing if its own words say it."""
        return self.frames[-1].named(self, action, field) if self.frames else None

    def suggested(self) -> tuple[Action, ...]:
        """A few of very many options of the question asked now that are worth a button each."""
        return self.frames[-1].suggested(self) if self.frames else ()

    def odds(self) -> Text | None:
        """How likely is what luck decides now, where that can be said."""
        return self.frames[-1].odds(self) if self.frames else None

    def advice(self) -> tuple[Text, ...]:
        """What somebody new should know about the question asked now."""
        return self.frames[-1].advice(self) if self.frames else ()

    def if_on_turn(self, seat: Seat) -> Self | None:
        """This position if a turn of another seat began now, so that its moves can be explained before they are due.

        Nothing while a turn is under way, or for a game that cannot tell. Called with a position observed by the seat.
        """
        return None

    def turn_of(self) -> Seat | None:
        """Whose turn it is, in a game that may ask a seat something outside its own turn. Everybody can see that."""
        return None

    def aside(self, seat: Seat) -> Aside | None:
        """What the question asked now is for a seat that is not on turn; nothing for the one that is."""
        return None if not self.frames or self.turn_of() in (None, seat) else self.frames[-1].aside

    def refuse(self, seat: Seat, action: Action) -> Refusal:
        """Why `action` is not among the options of `seat`, in the words of the rules."""
        frame = self.frames[-1]
        if refusal := frame.why_not(self, seat, action):
            return refusal
        prompts = [d.prompt for d in self.decisions() if d.seat == seat]
        sentence = Text("“{verb}” is not possible now. To decide: {prompts}", verb=action.verb, prompts=joined(prompts))
        return Refusal(sentence, frame.rule)

    def sample(self, rng: Random) -> Action:
        """An outcome drawn for CHANCE, which must be due."""
        return self.frames[-1].sample(self, rng)

    def gathered(self) -> Decision:
        """What CHANCE, which must be due, may bring; of what comes to the same only one, with the weight of all."""
        return self.frames[-1].gathered(self)

    def diagram(self) -> Text | None:
        """The position in a few short lines, for a game that has no picture of its own. Called when observed."""
        return None

    def tally(self, seat: Seat) -> int:
        """The points of a seat as everybody may count them now, and as its board shows them; 0 where none are shown."""
        return 0

    def account(self, seat: Seat) -> Text | None:
        """How the score of a seat comes about, in up to 60 characters, at the end: `30 on level 3, 12 on level 2`."""
        return None

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The result, or `None` while something is left to decide."""

    @abstractmethod
    def observe(self, viewer: Seat | None) -> Self:
        """This position with everything removed that the viewer may not know, from the board and the frames."""

    @abstractmethod
    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """A full position drawn from those the viewer holds possible.

        `state.determinize(v, rng).observe(v) == state.observe(v)` always holds. It may use nothing that `observe`
        hides: called on an observed position, as computer players do, it draws the same.
        """


@dataclass(frozen=True, slots=True)
class LastAction:
    """The last thing done that has a short form: by or to whom (CHANCE included), and the event.

    `earlier` is what the same seat did before it since the time the view was asked for, an event each, in order.
    """

    seat: Seat
    event: Event
    earlier: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class View(Generic[S_co]):
    """All that one viewer may know of a match: the only thing pictures, messages and computer players receive.

    `game`, `title` and `colors` are those of its `GameSpec`. `viewer` is a seat, or `None` for the public. `state` is
    observed. `decisions` lack the options of others where those are private, and the outcomes of CHANCE. `events` are
    those visible to the viewer since the ply asked for. `offered` are the viewer's options still open while a turn is
    being built, for marking their targets. `last_action` is the last one the viewer knows of, however long ago; `gains`
    are what the tally of each seat has changed by since that ply. A `preview` shows what the viewer has not played yet.
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
        """Whether the next thing to happen is a draw of CHANCE (only in previews)."""
        return any(d.seat == CHANCE for d in self.decisions)

    def gain(self, seat: int) -> int:
        """What the tally of a seat has changed by; 0 where that is not known."""
        return self.gains[seat] if self.gains else 0

    def decision_of(self, seat: Seat | None) -> Decision | None:
        """What this seat must decide now, if anything."""
        return next((d for d in self.decisions if d.seat == seat), None)


# --- Games -----------------------------------------------------------------------------------------------------------


def house_colors(setup: Setup) -> tuple[str, ...]:
    """The house colors of the seats: Red, Blue, Yellow, ..."""
    return SEAT_COLORS[: setup.seats]


def color_names(setup: Setup) -> tuple[str, ...]:
    """The same as names, in the language of the reader."""
    return seats_called(house_colors(setup))


def each_alone(setup: Setup) -> tuple[int, ...]:
    """Every seat a company of its own."""
    return tuple(range(setup.seats))


STEP_COST = 50
"""Microseconds of a step in a game that does not say."""

INTERFACE = 1
"""The version of what a game in a package of its own may use of `engine` and `renders`."""


@dataclass(frozen=True, slots=True)
class GameSpec:
    """All the outside needs to know of a game. A game module offers one as `GAME`.

    `actions` are the verbs of seats in the order of the commands, `chances` those of CHANCE. `rules_version` grows
    when a change of the rules would replay an old log differently. `seat_colors` are some of `SEAT_COLORS`, or "" for
    a seat without one. `companies` has a number for each seat: those with the same one win together, with the same
    return. `hands` says that seats hold secrets. A new table begins with the first of the `presets`. `asides` are the
    questions that may come outside one's own turn. `in_short` is for a first game. `evaluate` guesses the expected
    share of the win of each seat; they sum to 1, team mates have the same. It takes any full position that is not
    over: in the middle of a turn, or with CHANCE due. `step_costs` are what it takes to reach a position and to
    evaluate it, by the number of seats, in microseconds of the CPU that all games were measured on; thinking is planned
    by them. `computers`
    are the names that computer players go by in this game, by their ids: enough of each kind for every seat.
    `picture` names the module that draws it, which is imported when the first picture is drawn; without one, the module
    of `renders.games` with the name of the slug does, or else the plain picture. `interface` is the version of
    `INTERFACE` that a game in a package of its own was written for.
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
    in_short: InShort | None = None
    evaluate: Callable[[Any], tuple[float, ...]] | None = None
    step_costs: Mapping[int, int] = field(default_factory=dict)
    computers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    picture: str = ""
    interface: int = 0

    @property
    def name(self) -> Text:
        """The title as people read it."""
        return term(self.title)

    def step_cost(self, seats: int) -> int:
        """What a step costs with so many seats, in microseconds."""
        return self.step_costs.get(seats, STEP_COST)

    @property
    def about(self) -> Text:
        """The summary as people read it."""
        return term(self.summary)

    def setup(self, seats: int, chosen: Mapping[str, OptionValue] | None = None) -> Setup:
        """A checked setup.

        Raises:
            SetupError: wrong number of seats, unknown option, value out of range, or values that clash.

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
        known = {f.name: f.metadata for f in dataclasses.fields(self.options)}
        for name, value in chosen.items():
            if name not in known:
                text = Text(
                    "{title} has no option “{name}”; it has {known}.",
                    title=self.name,
                    name=shortened(name),
                    known=", ".join(known),
                )
                raise SetupError("option", text)
            choices, file = known[name]["choices"], known[name]["file"]
            # `1 == True` in Python, but the two are stored and worded differently.
            if any(value == choice and type(value) is type(choice) for choice in choices):
                continue
            if file is None or not isinstance(value, str):
                allowed = ", ".join(option_text(choice) for choice in choices)
                given = shortened(str(Text("{value}", value=value)))
                text = Text("“{name}” can be {allowed}, not {value}.", name=name, allowed=allowed, value=given)
                raise SetupError("option", text)
            # Called only for the error it raises: a bad file is refused in the lobby, not when the match begins.
            file(value)
        return self.options(**chosen)

    def settled(self, chosen: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """The options of a setup that was checked, as they are played, with one text for all files that play alike."""
        canonical = {one.name: one.metadata["canonical"] for one in dataclasses.fields(self.options)}
        settled = self.options(**chosen).settled().items()
        return {name: write(value) if (write := canonical.get(name)) else value for name, value in settled}

    def plays(self, section: Section, setup: Setup) -> bool:
        """Whether a section of the rules matters in a match of this setup. Raises `AttributeError` for a wrong name."""
        # `seats` is the only term that is no option.
        terms = ((setup if name == "seats" else setup.options, name, value) for name, value in section.only_with)
        # Compared as text, since headings are text: `{seats=4, trading=yes}`, in all languages.
        with reading(ENGLISH):
            return all(option_text(getattr(chosen, name)) == value for chosen, name, value in terms)

    def asides_in(self, setup: Setup) -> tuple[Aside, ...]:
        """The questions that may come outside one's own turn in a match of this setup."""
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
        # Without a gap between them.
        if most - least == len(self.seats) - 1 > 0:
            return Text("{least} to {most}", least=least, most=most)
        numbers = [Text("{seats}", seats=seats) for seats in self.seats]
        return reduce(lambda some, last: Text("{some} or {last}", some=some, last=last), numbers)
