"""A match: one instance of a game. Its log is the match; everything else is computed from it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from types import MappingProxyType
from typing import TypeAlias

from engine.core import Action, Decision, Event, GameSpec, LastAction, Outcome, Setup, State, View, describe
from engine.errors import BrokenLog, EngineError, IllegalAction, MatchOver, NotDue, UndoRefused
from engine.notation import format_action, parse_action
from engine.texts import CHANCE, Seat, Text


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the log: who (CHANCE included) and the notation of what."""

    seat: Seat
    notation: str


@dataclass(frozen=True, slots=True)
class Undo(Action):
    """Take back everything from a ply on; an entry of the log like any other."""

    ply: int = describe("the first ply that is taken back")


@dataclass(frozen=True, slots=True)
class Redo(Action):
    """Do once more what was taken back last, luck included; an entry of the log like any other."""


@dataclass(frozen=True, slots=True)
class TookBack(Event):
    """Something reported before no longer holds."""

    template = "{seat} {seat:takes|take} back a move."

    seat: Seat


class UndoKind(StrEnum):
    """How an undo may happen."""

    FREE = "free"
    CONSENT = "consent"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class UndoPolicy:
    """What a seat may take back: from `ply` on, with the consent of `seats`, or not at all because of `reason`."""

    kind: UndoKind
    reason: Text
    ply: int = -1
    seats: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw that counts: the notation in the log, that of what the seed gives there, and what happened by it."""

    ply: int
    notation: str
    drawn: str
    events: tuple[Event, ...]


MISFIT = Text("does not fit.")

History: TypeAlias = tuple[tuple[Seat, tuple[Event, ...]], ...]
"""Who acted, and what happened by it, in order."""


@dataclass(frozen=True, slots=True)
class _Ply:
    """An entry that counts: its place in the raw log, and the positions before and after it."""

    version: int
    entry: Entry
    before: State
    after: State
    events: tuple[Event, ...]
    uncovers: bool


class Match:
    """The one mutable class of the engine: log, gate, luck, undo, views.

    `seed` is a secret: who knows it knows every draw to come.

    >>> from engine.games import discover
    >>> spec = discover()["jinns"]
    >>> match = Match.begin(spec, spec.setup(2), "a seed")
    >>> view = match.view(None)
    >>> view.due, format_action(view.decisions[0].options[0])
    ((0,), 'place 1')
    >>> match.play(Seat(0), match.parse("place 1"))
    (Entry(seat=0, notation='place 1'),)
    >>> match.undo(Seat(0))
    (Entry(seat=0, notation='undo 0'),)
    >>> match.version, match.ply, match.effective
    (2, 0, ())
    >>> replayed = Match.replay(spec, match.setup, "a seed", match.entries)
    >>> replayed.state == match.state
    True
    """

    def __init__(self, spec: GameSpec, setup: Setup, seed: str) -> None:
        self.spec = spec
        self.setup = setup
        self.entries: list[Entry] = []
        self.state: State = spec.start(setup)
        self._seed = seed
        self._plies: list[_Ply] = []
        self._lengths = [0]  # by version: how many plies counted then
        self._taken_back: list[tuple[Seat, list[_Ply]]] = []  # what can be done once more, the last one first
        self.answered: dict[int, bool] = {}
        """Entries, by number, given for a seat by its standing answers: whether they came at once, for all to see."""
        self.stood_in: set[int] = set()
        """Entries, by number, that a computer played in the place of the person whose seat it is."""

    @classmethod
    def begin(cls, spec: GameSpec, setup: Setup, seed: str) -> Match:
        """A new match, its first deal already drawn and in `entries`."""
        match = cls(spec, setup, seed)
        match._draw()
        return match

    @classmethod
    def replay(
        cls,
        spec: GameSpec,
        setup: Setup,
        seed: str,
        entries: Iterable[Entry],
        answered: Mapping[int, bool] = MappingProxyType({}),
        *,
        stood_in: Iterable[int] = (),
        drawn: bool = False,
    ) -> Match:
        """The match of a stored log, with what is known of it besides (see `answered` and `stood_in`).

        Raises:
            BrokenLog: an entry cannot be read or does not fit its position, or, where everything has to
                be `drawn` from the seed, is not what luck draws there.
        """
        match = cls(spec, setup, seed)
        match.answered |= answered
        match.stood_in |= {*stood_in}
        for entry in entries:
            if drawn and entry.seat == CHANCE:
                match._require_drawn(entry)
            match._append(entry)
        return match

    def copy(self) -> Match:
        """Another match with the same log; playing one leaves the other as it is."""
        # Shallow copies are enough, since positions, entries and plies are frozen; `Match(...)` would set the game up
        # anew for every preview.
        twin = copy.copy(self)
        twin.entries, twin._plies = self.entries.copy(), self._plies.copy()
        twin._lengths, twin._taken_back = self._lengths.copy(), self._taken_back.copy()
        twin.answered, twin.stood_in = self.answered.copy(), self.stood_in.copy()
        return twin

    def until(self, ply: int) -> Match:
        """The match after so many of the plies that still count, as if nothing else had happened."""
        past = Match(self.spec, self.setup, self._seed)
        # Versions count raw entries; where nothing was taken back they equal the plies.
        past._plies = [replace(known, version=n) for n, known in enumerate(self._plies[:ply])]
        past.entries = [known.entry for known in past._plies]
        past._lengths = list(range(ply + 1))
        past.state = past._plies[-1].after if past._plies else past.state
        return past

    @property
    def effective(self) -> tuple[Entry, ...]:
        """The entries that count, in order: nothing that was taken back, and no undo."""
        return tuple(ply.entry for ply in self._plies)

    @property
    def ply(self) -> int:
        """Length of the effective log: entries that were not taken back, draws included."""
        return len(self._plies)

    @property
    def version(self) -> int:
        """Grows with every entry, also with an undo, so that no two positions of a match have the same."""
        return len(self.entries)

    def moves_before(self, version: int) -> int:
        """How many of the moves that count were made before a version; luck is no move."""
        return sum(ply.entry.seat != CHANCE for ply in self._plies if ply.version < version)

    def acts_of(self, seat: Seat) -> tuple[int, ...]:
        """The versions at which a seat decided something, as far as that counts.

        Decisions with a single option and answers of its standing answers are left out; those of a stand-in are not.
        """
        plies = (ply for ply in self._plies if ply.entry.seat == seat and ply.version not in self.answered)
        return tuple(ply.version for ply in plies if self._chose(ply, seat))

    @property
    def versions(self) -> tuple[int, ...]:
        """The version before each ply: the number of its entry in the raw log."""
        return tuple(ply.version for ply in self._plies)

    def asked_at(self, seat: Seat) -> int:
        """The version since which the decision of a seat is unchanged: what its controls are stamped with.

        Where several seats are due at once, an answer of another seat that this one learns nothing of changes nothing.
        """
        version, asked = self.version, self.state.decision_of(seat)
        for ply in reversed(self._plies):
            # Luck and its own acts are news to a seat, whatever it sees of them.
            told = ply.entry.seat in (seat, CHANCE) or any(event.visible_to(seat) for event in ply.events)
            # An undo in between is news, too: the versions have to follow each other.
            if told or ply.version != version - 1 or ply.before.decision_of(seat) != asked:
                break
            version = ply.version
        return version

    def acted_at(self, seat: Seat) -> int:
        """The version right after the last act of a seat, 0 before its first. What was answered for it is no act."""
        plies = {ply.version: ply for ply in self._plies}
        for n in reversed(range(self.version)):
            if self.entries[n].seat != seat or n in self.answered:
                continue
            # An entry without a ply was taken back, or is an undo or redo itself: an act all the same.
            if n not in plies or self._chose(plies[n], seat):
                return n + 1
        return 0

    @property
    def names(self) -> tuple[str, ...]:
        """One name per seat."""
        return self.spec.seat_names(self.setup)

    @property
    def outcome(self) -> Outcome | None:
        """The result, or `None` while the match goes on."""
        return self.state.outcome()

    def decision_of(self, seat: Seat) -> Decision:
        """What the seat must decide now.

        Raises:
            MatchOver: nobody has anything to decide any more.
            NotDue: somebody else has.
        """
        if decision := self.state.decision_of(seat):
            return decision
        due = tuple(decision.seat for decision in self.state.decisions())
        if not due:
            raise MatchOver("over", Text("This game is over."))
        text = Text("It is not {seat:@’s|your} turn; {due} must decide.", seat=seat, due=due)
        raise NotDue(text, seat=seat, ply=self.ply, due=due)

    def play(self, seat: Seat, *actions: Action) -> tuple[Entry, ...]:
        """Let a seat act, once or several times in a row, and luck after it. Returns the new entries of the log.

        Raises:
            MatchOver, NotDue: see `decision_of`.
            IllegalAction: an action is not among the options; nothing has changed.
        """
        if len(actions) > 1:
            self.ahead(seat, actions)  # all of them, or none
        first = len(self.entries)
        self._act(seat, actions)
        self._draw()
        return tuple(self.entries[first:])

    def answer(self, seat: Seat, action: Action, *, at_once: bool) -> tuple[Entry, ...]:
        """Let a standing answer of a seat be given, and luck after it. Returns and raises as `play` does."""
        # Read before `play`: this is the number of the entry it is about to write.
        number = self.version
        new = self.play(seat, action)
        self.answered[number] = at_once
        return new

    def is_open(self, seat: Seat) -> bool:
        """Whether everybody sees what this seat is asked, and which of its options it takes, whatever that is: then
        the time it takes tells nothing more. Raises as `decision_of` does.
        """
        decision = self.decision_of(seat)
        if decision.private:
            return False
        ways = [self.state.apply(seat, option) for option in decision.options]
        if any(event.audience is not None for _, events in ways for event in events):
            return False
        # Two options that look alike to the public leave open which one was taken.
        return len({(after.observe(None), events) for after, events in ways}) == len(ways)

    def ahead(self, seat: Seat, actions: Sequence[Action]) -> Match:
        """A copy in which the seat has acted, and nothing that needs luck or a choice of others has followed.

        Raises:
            MatchOver, NotDue, IllegalAction: as `play` does.
        """
        trial = self.copy()
        trial._act(seat, actions)
        # No `_draw`: luck is never drawn ahead (tests/engine/test_match.py).
        trial._settle()
        return trial

    def preview(self, seat: Seat, *actions: Action) -> View[State]:
        """What the seat would see after legal actions of its own, up to where luck comes in. Changes nothing."""
        # The version of this match, not of the copy: everything after it is new.
        return self.ahead(seat, actions).view(seat, since=self.version, preview=True)

    def view(
        self,
        viewer: Seat | None,
        *,
        since: int | None = None,
        offered: tuple[Action, ...] = (),
        preview: bool = False,
    ) -> View[State]:
        """What the viewer may know, with the events since a version (default: from the last action of a seat on).

        `preview` says that the last actions have not been played yet.
        """
        acts = (n for n in reversed(range(self.ply)) if self._plies[n].entry.seat != CHANCE)
        first = next(acts, 0) if since is None else self._first_since(since)
        events = (event for ply in self._plies[first:] for event in ply.events)
        return View(
            game=self.spec.slug,
            title=self.spec.title,
            colors=self.spec.seat_colors(self.setup),
            setup=self.setup,
            viewer=viewer,
            ply=self.ply,
            state=self.state.observe(viewer),
            decisions=tuple(_as_seen(decision, viewer) for decision in self.state.decisions()),
            events=tuple(event for event in events if event.visible_to(viewer)),
            outcome=self.outcome,
            offered=offered,
            last_action=self._last_action(viewer, first),
            gains=self._gains(first),
            preview=preview,
        )

    def history(self, viewer: Seat | None, *, since: int = 0) -> History:
        """Who acted (CHANCE included) at each ply since a version, with the events the viewer may know.

        What was taken back is left out; if it was there at that version, an event says that it was taken back.
        """
        first = self._first_since(since)
        seats: list[Seat] = []
        # If the log was never shorter since, nothing from before that version was taken back.
        if first < self._lengths[since]:
            undone = format_action(Undo(first))
            # The undo that went back furthest is the one that names `first`.
            seats = [entry.seat for entry in self.entries[since:] if entry.notation == undone]
        # Several may have gone back that far; the last one counts.
        return tuple((seat, (TookBack(seat),)) for seat in seats[-1:]) + self.told_from(first, viewer)

    def told_from(self, ply: int, viewer: Seat | None) -> History:
        """The same from a ply on, such as that of an undo: what it takes back."""
        return tuple(
            (ply.entry.seat, tuple(event for event in ply.events if event.visible_to(viewer)))
            for ply in self._plies[ply:]
        )

    def answered_for(self, seat: Seat, *, since: int) -> History:
        """What standing answers did for a seat since a version, as that seat may see it, as far as it still counts."""
        plies = [ply for ply in self._plies if ply.version >= since and ply.version in self.answered]
        return tuple(
            (seat, tuple(event for event in ply.events if event.visible_to(seat)))
            for ply in plies
            if ply.entry.seat == seat
        )

    def draws(self) -> tuple[Draw, ...]:
        """All draws that count, each with what the seed gives there."""
        return tuple(
            Draw(n, ply.entry.notation, format_action(self._sample(ply.before, n)), ply.events)
            for n, ply in enumerate(self._plies)
            # A single option is no luck: it turns up what lay hidden.
            if ply.entry.seat == CHANCE and len(ply.before.decisions()[0].options) != 1
        )

    def parse(self, notation: str) -> Action:
        """The action of a seat that a notation stands for. Raises `NotationError`."""
        # Neither luck nor Undo: players can write neither (tests/engine/test_match.py).
        return parse_action(notation, self.spec.actions)

    def choice_at(self, ply: int) -> tuple[State, Action]:
        """What was chosen at a ply, and the position it was chosen in."""
        there = self._plies[ply]
        # A ply keeps the notation only.
        return there.before, self._parse_entry(there.entry)

    def view_at(self, ply: int, viewer: Seat | None, offered: tuple[Action, ...] = ()) -> View[State]:
        """What the viewer could know before a ply, with nothing of what had happened just then."""
        before = self._plies[ply].before
        return replace(
            # The current view supplies what does not depend on the ply; the rest is replaced.
            self.view(viewer, offered=offered),
            ply=ply,
            state=before.observe(viewer),
            decisions=tuple(_as_seen(decision, viewer) for decision in before.decisions()),
            events=(),
            outcome=before.outcome(),
            last_action=None,
            gains=(),
        )

    def undo_policy(self, seat: Seat) -> UndoPolicy:
        """Whether the seat may take back what it chose last, derived from the log and the events.

        What was answered for somebody, since there was only one answer, does not count as acting.
        """
        # From what forbids an undo to what allows it: the first reason that holds is the one people read.
        if self.outcome is not None:
            return UndoPolicy(UndoKind.REFUSED, Text("The game is over."))
        last = next((n for n in reversed(range(self.ply)) if self._chose(self._plies[n], seat)), None)
        if last is None:
            return UndoPolicy(UndoKind.REFUSED, Text("You have nothing to take back."))
        since = self._plies[last:]
        # Consent cannot help: what has been seen stays known.
        if any(ply.uncovers for ply in since):
            return UndoPolicy(UndoKind.REFUSED, Text("Something hidden has been seen since."))
        others = frozenset(Seat(s) for s in range(self.setup.seats)) - {seat}
        # After an undo a ply draws the same again (see `_sample`), so the seat would choose knowing the luck to come.
        if any(ply.entry.seat == CHANCE for ply in since):
            return UndoPolicy(UndoKind.CONSENT, Text("Something has been drawn or rolled since."), last, others)
        if any(self._chose(ply, other) for ply in since for other in others):
            return UndoPolicy(UndoKind.CONSENT, Text("Others have acted since."), last, others)
        return UndoPolicy(UndoKind.FREE, Text("Nobody has acted since."), last)

    def undo(self, seat: Seat, consents: frozenset[Seat] = frozenset()) -> tuple[Entry, ...]:
        """Take back what the seat chose last and all that followed. Returns the new entries.

        Raises:
            UndoRefused: the policy refuses it, or somebody's consent is missing.
        """
        policy = self.undo_policy(seat)
        if policy.kind is UndoKind.REFUSED:
            raise UndoRefused("undo-refused", policy.reason)
        if missing := policy.seats - consents:
            text = Text("{reason} {seats} would have to agree.", reason=policy.reason, seats=tuple(sorted(missing)))
            raise UndoRefused("undo-consent", text)
        return self._noted(seat, Undo(policy.ply))

    def may_redo(self, seat: Seat) -> bool:
        """Whether the seat took something back and nobody has done anything else since."""
        return bool(self._taken_back) and self._taken_back[-1][0] == seat

    def redo(self, seat: Seat) -> tuple[Entry, ...]:
        """Do once more what the seat took back last, with the same luck. Returns the new entries.

        Raises:
            UndoRefused: there is nothing, or something else was done since.
        """
        if not self.may_redo(seat):
            raise UndoRefused("redo-refused", Text("You have nothing to redo."))
        return self._noted(seat, Redo())

    # --- inside ---

    def _noted(self, seat: Seat, action: Undo | Redo) -> tuple[Entry, ...]:
        entry = Entry(seat, format_action(action))
        self._append(entry)
        return (entry,)

    def _chose(self, ply: _Ply, seat: Seat) -> bool:
        """Whether a ply is a choice of the seat; what its standing answer brought at once is none.

        One that took its time is: nobody can tell it from a choice, not even by what may be taken back.
        """
        if ply.entry.seat != seat or self.answered.get(ply.version):
            return False
        decision = ply.before.decision_of(seat)
        return decision is not None and not decision.automatic

    def _first_since(self, version: int) -> int:
        """The first ply that was not there at a version, or not always since."""
        # Undo and new moves may have brought the log back to the same length: the shortest in between counts.
        return min(self._lengths[version:])

    def _act(self, seat: Seat, actions: Iterable[Action]) -> None:
        """Let a seat act several times; what answers itself in between is answered."""
        for n, action in enumerate(actions):
            if n:
                self._settle()
            if action not in self.decision_of(seat).options:
                refusal = self.state.refuse(seat, action)
                raise IllegalAction(
                    "illegal",
                    refusal.text,
                    seat=seat,
                    ply=self.ply,
                    notation=format_action(action),
                    rule=refusal.rule,
                )
            self._append(Entry(seat, format_action(action)), action)

    def _settle(self) -> None:
        while decision := next((d for d in self.state.decisions() if d.automatic), None):
            self._append(Entry(decision.seat, format_action(decision.options[0])), decision.options[0])

    def _draw(self) -> None:
        while self._luck_is_due:
            action = self._sample(self.state, self.ply)
            self._append(Entry(CHANCE, format_action(action)), action)

    @property
    def _luck_is_due(self) -> bool:
        # All that are due are CHANCE, or none is (see `Frame.decisions`).
        return any(decision.seat == CHANCE for decision in self.state.decisions()[:1])

    def _sample(self, state: State, ply: int) -> Action:
        # A generator for each ply: a draw depends on the seed and its place alone, so that replay and undo repeat it.
        return state.sample(Random(f"{self._seed}/{ply}"))

    def _require_drawn(self, entry: Entry) -> None:
        if not self._luck_is_due or format_action(self._sample(self.state, self.ply)) != entry.notation:
            raise self._broken(entry, Text("is not what luck draws there."))

    def _append(self, entry: Entry, action: Action | None = None) -> None:
        """Extend log and state by an entry, parsed unless its action is at hand."""
        # An action at hand has passed `_act`, or was drawn; one from a stored log has passed nothing.
        if action is None:
            action = self._parse_entry(entry)
            if not self._fits(entry.seat, action):
                raise self._broken(entry, MISFIT)
        match action:
            case Undo(ply):
                # Kept with its luck, so that a redo brings the same.
                self._taken_back.append((entry.seat, self._plies[ply:]))
                self.state = self._plies[ply].before
                del self._plies[ply:]
            case Redo():
                _, plies = self._taken_back.pop()
                self._plies += plies
                self.state = plies[-1].after
            case _:
                self._apply(entry, action)
                # A new move gives up what could have been done once more.
                self._taken_back.clear()
        # Last: if anything above raises, log and state still agree.
        self.entries.append(entry)
        self._lengths.append(self.ply)

    def _parse_entry(self, entry: Entry) -> Action:
        try:
            return parse_action(entry.notation, self._verbs(entry.seat))
        except EngineError as error:
            raise self._broken(entry, Text("cannot be read.")) from error

    def _verbs(self, seat: Seat) -> Sequence[type[Action]]:
        return self.spec.chances if seat == CHANCE else (*self.spec.actions, Undo, Redo)

    def _fits(self, seat: Seat, action: Action) -> bool:
        if isinstance(action, Undo):
            # Consent was asked for before it was written; here the log only has to make sense.
            return action.ply in range(self.ply) and self._plies[action.ply].entry.seat == seat
        if isinstance(action, Redo):
            return self.may_redo(seat)
        decision = self.state.decision_of(seat)
        if decision is None:
            return False
        # A draw with too many outcomes lists none (see `Decision`); whether it makes sense shows when it is applied.
        return action in decision.options or (seat == CHANCE and not decision.options)

    def _broken(self, entry: Entry, problem: Text) -> BrokenLog:
        """Names the entry by number and verb only: its values may be a hand, and end up in the log of the program."""
        number, verb = len(self.entries), entry.notation.partition(" ")[0]
        if verb in [cls.verb for cls in self._verbs(entry.seat)]:
            text = Text("Entry {number}, “{verb}”, {problem}", number=number, verb=verb, problem=problem)
        else:
            text = Text("Entry {number} {problem}", number=number, problem=problem)
        return BrokenLog(text, ply=self.ply)

    def _apply(self, entry: Entry, action: Action) -> None:
        before = self.state
        try:
            self.state, events = before.apply(entry.seat, action)
        # What a game may raise over a bad value of a stored log; anything wider would hide faults of ours.
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise self._broken(entry, MISFIT) from error
        uncovers = False
        if entry.seat == CHANCE:
            (draw,) = before.decisions()
            # What lay hidden is turned up without luck. Without hands everybody knew what a draw with one outcome would
            # bring, so it uncovers nothing.
            turned_up = self.spec.hands and draw.forced and not draw.weights
            uncovers = turned_up or any(event.audience is not None for event in events)
        self._plies.append(_Ply(self.version, entry, before, self.state, events, uncovers))

    def _last_action(self, viewer: Seat | None, first: int) -> LastAction | None:
        """The last event that the viewer may know of and that has a short form, and those of that seat before it."""
        told = ((n, event) for n in reversed(range(self.ply)) if (event := self._told_briefly(n, viewer)))
        last = next(told, None)
        if last is None:
            return None
        seat = self._whose(*last)
        before = ((n, self._told_briefly(n, viewer)) for n in range(first, last[0]))
        return LastAction(seat, last[1], tuple(event for n, event in before if event and self._whose(n, event) == seat))

    def _told_briefly(self, n: int, viewer: Seat | None) -> Event | None:
        """The last event of a ply that the viewer may know of and that has a short form."""
        events = reversed(self._plies[n].events)
        return next((event for event in events if type(event).brief and event.visible_to(viewer)), None)

    def _whose(self, n: int, event: Event) -> Seat:
        """The seat that an event of a ply names first, else that of the action it came of; CHANCE before any."""
        named: Seat | None = getattr(event, "seat", None)
        actors = (ply.entry.seat for ply in reversed(self._plies[: n + 1]) if ply.entry.seat != CHANCE)
        return next(actors, CHANCE) if named is None else named

    def _gains(self, first: int) -> tuple[int, ...]:
        """What the tally of each seat has changed by from a ply on; what luck lays out at the start is no change."""
        begun = next((n for n, ply in enumerate(self._plies) if ply.entry.seat != CHANCE), self.ply)
        first = max(first, begun)
        before = self._plies[first].before if first < self.ply else self.state
        return tuple(self.state.tally(seat) - before.tally(seat) for seat in map(Seat, range(self.setup.seats)))


def _as_seen(decision: Decision, viewer: Seat | None) -> Decision:
    hidden = decision.seat == CHANCE or (decision.private and decision.seat != viewer)
    # Built anew with neither options nor weights: how many there are would give something away, too.
    return Decision(decision.seat, decision.prompt, (), decision.private) if hidden else decision
