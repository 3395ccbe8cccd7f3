"""A match: one game in progress or finished. Its log is the only state; everything else is computed from it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from random import Random
from types import MappingProxyType
from typing import TypeAlias

from engine.core import Action, Decision, Event, GameSpec, LastAction, Outcome, Setup, State, View, describe
from engine.errors import BrokenLog, EngineError, IllegalAction, MatchOver, NotDue, UndoRefused
from engine.notation import format_action, parse_action
from engine.texts import CHANCE, Seat, Text
from engine.values import Value


class Entry(Value):
    """A row of the log: the seat that acted (or CHANCE) and the notation of its action."""

    seat: Seat
    notation: str


class Undo(Action):
    """Take back everything from a ply on; a log entry like any other."""

    ply: int = describe("the first ply that is taken back")


class Redo(Action):
    """Restore the plies that were taken back last, luck included; a log entry like any other."""


class TookBack(Event):
    """A seat took back a move that was already reported."""

    template = "{seat} {seat:takes|take} back a move."

    seat: Seat


class UndoKind(StrEnum):
    """Whether a seat may undo freely, with the consent of others, or not at all."""

    FREE = "free"
    CONSENT = "consent"
    REFUSED = "refused"


class UndoPolicy(Value):
    """The undo that a seat may make: from `ply` on, with the consent of `seats`, or none because of `reason`."""

    kind: UndoKind
    reason: Text
    ply: int = -1
    seats: frozenset[Seat] = frozenset()


class Draw(Value):
    """An effective draw: its notation in the log, the notation that the seed produces there, and its events."""

    ply: int
    notation: str
    expected: str
    events: tuple[Event, ...]


MISFIT = Text("does not fit.")

History: TypeAlias = tuple[tuple[Seat, tuple[Event, ...]], ...]
"""The acting seat of each ply with its events, in order."""


class _Ply(Value):
    """An effective entry: its index in the raw log, and the positions before and after it."""

    version: int
    entry: Entry
    before: State
    after: State
    events: tuple[Event, ...]
    uncovers: bool


class Match:
    """The only mutable class of the engine: log, legality check, luck, undo, views.

    `seed` is a secret: it determines all future draws.

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
        """The number of seats and the options."""
        self.entries: list[Entry] = []
        """The log."""
        self.state: State = spec.start(setup)
        """The position."""
        self._seed = seed
        self._plies: list[_Ply] = []
        self._lengths = [0]  # version -> number of effective plies at that version
        self._taken_back: list[tuple[Seat, list[_Ply]]] = []  # undos that can be redone, the latest last
        self.answered: dict[int, bool] = {}
        """Entry number -> whether it came at once, visibly; only entries made by a seat's standing answers."""
        self.stood_in: set[int] = set()
        """Numbers of the entries that a computer played for the person in the seat."""

    @classmethod
    def begin(cls, spec: GameSpec, setup: Setup, seed: str) -> Match:
        """A new match, with the first deal already in `entries`."""
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
        """The match of a stored log; `answered` and `stood_in` are the attributes of the same name.

        With `drawn`, every draw must be the one that the seed produces.

        Raises:
            BrokenLog: an entry is unreadable, does not fit its position, or is not the draw of the seed.
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
        """An independent match with the same log."""
        # Positions, entries and plies are frozen, so shallow copies are enough. `Match(...)` would set up the game
        # again for every preview.
        twin = copy.copy(self)
        twin.entries, twin._plies = self.entries.copy(), self._plies.copy()
        twin._lengths, twin._taken_back = self._lengths.copy(), self._taken_back.copy()
        twin.answered, twin.stood_in = self.answered.copy(), self.stood_in.copy()
        return twin

    def until(self, ply: int) -> Match:
        """The match after its first `ply` effective plies, as if nothing else had happened."""
        past = Match(self.spec, self.setup, self._seed)
        # Versions count raw entries; without undos they equal the plies.
        past._plies = [replace(earlier, version=n) for n, earlier in enumerate(self._plies[:ply])]
        past.entries = [earlier.entry for earlier in past._plies]
        past._lengths = list(range(ply + 1))
        past.state = past._plies[-1].after if past._plies else past.state
        return past

    @property
    def effective(self) -> tuple[Entry, ...]:
        """The effective log: all entries but undos, redos and the entries that were taken back."""
        return tuple(ply.entry for ply in self._plies)

    @property
    def ply(self) -> int:
        """The length of the effective log, draws included."""
        return len(self._plies)

    @property
    def version(self) -> int:
        """The length of the raw log. It grows even with an undo, so that no two positions share a version."""
        return len(self.entries)

    def moves_before(self, version: int) -> int:
        """The number of effective moves made before a version, not counting draws."""
        return sum(ply.entry.seat != CHANCE for ply in self._plies if ply.version < version)

    def act_versions(self, seat: Seat) -> tuple[int, ...]:
        """The versions at which a seat made its effective choices.

        This includes choices of a stand-in, but neither forced decisions nor standing answers.
        """
        plies = (ply for ply in self._plies if ply.entry.seat == seat and ply.version not in self.answered)
        return tuple(ply.version for ply in plies if self._is_choice(ply, seat))

    @property
    def versions(self) -> tuple[int, ...]:
        """The version before each ply, which is the index of its entry in the raw log."""
        return tuple(ply.version for ply in self._plies)

    def decision_version(self, seat: Seat) -> int:
        """The version at which a seat's pending decision came up; its controls carry this version.

        If several seats are due at once, another seat's answer does not change it unless this seat sees the events.
        """
        version, pending = self.version, self.state.decision_of(seat)
        for ply in reversed(self._plies):
            # A draw, or an action of its own, is news to a seat even if it sees no event of it.
            is_news = ply.entry.seat in (seat, CHANCE) or any(event.visible_to(seat) for event in ply.events)
            # So is an undo, which leaves a gap in the versions.
            if is_news or ply.version != version - 1 or ply.before.decision_of(seat) != pending:
                break
            version = ply.version
        return version

    def last_act_version(self, seat: Seat) -> int:
        """The version right after the last act of a seat, or 0. Standing answers do not count as acts."""
        plies = {ply.version: ply for ply in self._plies}
        for n in reversed(range(self.version)):
            if self.entries[n].seat != seat or n in self.answered:
                continue
            # An entry without a ply is an undo, a redo, or was taken back; it was an act all the same.
            if n not in plies or self._is_choice(plies[n], seat):
                return n + 1
        return 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats in this game."""
        return self.spec.seat_names(self.setup)

    @property
    def outcome(self) -> Outcome | None:
        """The result, or `None` while the match goes on."""
        return self.state.outcome()

    def decision_of(self, seat: Seat) -> Decision:
        """The pending decision of the seat.

        Raises:
            MatchOver: the match is over.
            NotDue: only other seats are due.
        """
        if decision := self.state.decision_of(seat):
            return decision
        due = tuple(decision.seat for decision in self.state.decisions())
        if not due:
            raise MatchOver("over", Text("This game is over."))
        text = Text("It is not {seat:@’s|your} turn; {due} must decide.", seat=seat, due=due)
        raise NotDue(text, seat=seat, ply=self.ply, due=due)

    def play(self, seat: Seat, *actions: Action) -> tuple[Entry, ...]:
        """Play one or more actions of a seat in a row, then the draws that follow. Returns the new entries.

        Raises:
            MatchOver, NotDue: see `decision_of`.
            IllegalAction: an action is not among the options; none of the actions was played.
        """
        if len(actions) > 1:
            self.ahead(seat, actions)  # all of them, or none
        first = len(self.entries)
        self._act(seat, actions)
        self._draw()
        return tuple(self.entries[first:])

    def answer(self, seat: Seat, action: Action, *, at_once: bool) -> tuple[Entry, ...]:
        """Play a standing answer of a seat, then the draws that follow. Returns and raises like `play`."""
        # Read before `play`: the number of the entry that it will write.
        number = self.version
        new = self.play(seat, action)
        self.answered[number] = at_once
        return new

    def is_open(self, seat: Seat) -> bool:
        """Whether the pending decision of this seat and every possible answer are public. The time it takes to answer
        then reveals nothing. Raises like `decision_of`.
        """
        decision = self.decision_of(seat)
        if decision.private:
            return False
        ways = [self.state.apply(seat, option) for option in decision.options]
        if any(event.audience is not None for _, events in ways for event in events):
            return False
        # If two options look alike to the public, the choice between them is not public.
        return len({(after.observe(None), events) for after, events in ways}) == len(ways)

    def ahead(self, seat: Seat, actions: Sequence[Action]) -> Match:
        """A copy in which the seat has acted, up to the next draw or decision of another seat.

        Raises:
            MatchOver, NotDue, IllegalAction: see `play`.
        """
        trial = self.copy()
        trial._act(seat, actions)
        # No `_draw`: a preview must not draw (tests/engine/test_match.py).
        trial._settle()
        return trial

    def if_on_turn(self, seat: Seat) -> Match | None:
        """A copy in which a turn of the seat begins now, with only what the seat knows.

        `None` where no turn can begin, or where its options depend on something that the seat does not know. The copy
        has no seed, so it cannot draw. It is for `ahead` and `view` of this seat.
        """
        state = None if self.outcome is not None else self.state.observe(seat).if_on_turn(seat)
        decision = None if state is None else state.decision_of(seat)
        if state is None or decision is None or not decision.options:
            return None
        trial = self.copy()
        trial.state, trial._seed = state, ""
        return trial

    def preview(self, seat: Seat, *actions: Action) -> View[State]:
        """The seat's view after legal actions of its own, up to the next draw. Does not change the match."""
        # The version of this match, not that of the copy: the view should contain the events of these actions.
        return self.ahead(seat, actions).view(seat, since=self.version, preview=True)

    def view(
        self,
        viewer: Seat | None,
        *,
        since: int | None = None,
        offered: tuple[Action, ...] = (),
        preview: bool = False,
    ) -> View[State]:
        """The viewer's view, with the events since a version (default: since the last action of a seat).

        `preview` marks a view whose last actions have not been played yet.
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
            decisions=tuple(_observe_decision(decision, viewer) for decision in self.state.decisions()),
            events=tuple(event for event in events if event.visible_to(viewer)),
            outcome=self.outcome,
            offered=offered,
            last_action=self._last_action(viewer, first),
            gains=self._gains(first),
            preview=preview,
        )

    def history(self, viewer: Seat | None, *, since: int = 0) -> History:
        """The acting seat (or CHANCE) of each effective ply since a version, with the events visible to the viewer.

        If plies from before that version were taken back since, it starts with a `TookBack`.
        """
        first = self._first_since(since)
        seats: list[Seat] = []
        # Unless the log has been shorter since, nothing from before that version was taken back.
        if first < self._lengths[since]:
            undone = format_action(Undo(first))
            # The undo that reached back furthest has the number `first`.
            seats = [entry.seat for entry in self.entries[since:] if entry.notation == undone]
        # If several did, report the last one.
        return tuple((seat, (TookBack(seat),)) for seat in seats[-1:]) + self.events_from(first, viewer)

    def events_from(self, ply: int, viewer: Seat | None) -> History:
        """The acting seat of each ply from `ply` on with the visible events, such as those that an undo takes back."""
        return tuple(
            (ply.entry.seat, tuple(event for event in ply.events if event.visible_to(viewer)))
            for ply in self._plies[ply:]
        )

    def standing_answers(self, seat: Seat, *, since: int) -> History:
        """The effective plies since a version that a seat's standing answers played, with the events it may see."""
        plies = [ply for ply in self._plies if ply.version >= since and ply.version in self.answered]
        return tuple(
            (seat, tuple(event for event in ply.events if event.visible_to(seat)))
            for ply in plies
            if ply.entry.seat == seat
        )

    def draws(self) -> tuple[Draw, ...]:
        """All effective draws, each with the outcome that the seed produces there."""
        return tuple(
            Draw(n, ply.entry.notation, format_action(self._sample(ply.before, n)), ply.events)
            for n, ply in enumerate(self._plies)
            # A single option is not random: it reveals a hidden piece.
            if ply.entry.seat == CHANCE and len(ply.before.decisions()[0].options) != 1
        )

    def parse(self, notation: str) -> Action:
        """Parse the notation of a seat's action. Raises `NotationError`."""
        # Players must not be able to type draws or an undo (tests/engine/test_match.py).
        return parse_action(notation, self.spec.actions)

    def choice_at(self, ply: int) -> tuple[State, Action]:
        """The position before a ply, and the action chosen there."""
        there = self._plies[ply]
        # A ply stores only the notation.
        return there.before, self._parse_entry(there.entry)

    def seats_on_turn(self) -> tuple[tuple[int, Seat | None], ...]:
        """The seat on turn before each effective ply and now, each with its version; all of it is public.

        The seat is CHANCE while luck is due in a game without `State.turn_of`, and `None` while several seats are due.
        """
        before = [(ply.version, _on_turn(ply.before)) for ply in self._plies]
        return (*before, *([(self.version, _on_turn(self.state))] if self.state.frames else []))

    def view_at(self, ply: int, viewer: Seat | None, offered: tuple[Action, ...] = ()) -> View[State]:
        """The viewer's view before a ply, without events."""
        before = self._plies[ply].before
        return replace(
            # The current view supplies the fields that do not depend on the ply.
            self.view(viewer, offered=offered),
            ply=ply,
            state=before.observe(viewer),
            decisions=tuple(_observe_decision(decision, viewer) for decision in before.decisions()),
            events=(),
            outcome=before.outcome(),
            last_action=None,
            gains=(),
        )

    def undo_policy(self, seat: Seat) -> UndoPolicy:
        """Whether the seat may take back its last choice, derived from the log and the events.

        Forced decisions, which the engine answers, do not count as acts.
        """
        # Strictest rule first: the first one that applies is the reason shown to players.
        if self.outcome is not None:
            return UndoPolicy(UndoKind.REFUSED, Text("The game is over."))
        last = next((n for n in reversed(range(self.ply)) if self._is_choice(self._plies[n], seat)), None)
        if last is None:
            return UndoPolicy(UndoKind.REFUSED, Text("You have nothing to take back."))
        since = self._plies[last:]
        # Consent cannot help: players cannot forget a secret.
        if any(ply.uncovers for ply in since):
            return UndoPolicy(UndoKind.REFUSED, Text("Something hidden has been seen since."))
        others = frozenset(Seat(s) for s in range(self.setup.seats)) - {seat}
        # After an undo a ply draws the same outcome again (see `_sample`), so the seat would know it in advance.
        if any(ply.entry.seat == CHANCE for ply in since):
            return UndoPolicy(UndoKind.CONSENT, Text("Something has been drawn or rolled since."), last, others)
        if any(self._is_choice(ply, other) for ply in since for other in others):
            return UndoPolicy(UndoKind.CONSENT, Text("Others have acted since."), last, others)
        return UndoPolicy(UndoKind.FREE, Text("Nobody has acted since."), last)

    def undo(self, seat: Seat, consents: frozenset[Seat] = frozenset()) -> tuple[Entry, ...]:
        """Take back the seat's last choice and everything after it. Returns the new entries.

        Raises:
            UndoRefused: the policy refuses it, or a seat's consent is missing.
        """
        policy = self.undo_policy(seat)
        if policy.kind is UndoKind.REFUSED:
            raise UndoRefused("undo-refused", policy.reason)
        if missing := policy.seats - consents:
            text = Text("{reason} {seats} would have to agree.", reason=policy.reason, seats=tuple(sorted(missing)))
            raise UndoRefused("undo-consent", text)
        return self._record(seat, Undo(policy.ply))

    def may_redo(self, seat: Seat) -> bool:
        """Whether the latest undo that can still be redone is by this seat. A new move makes a redo impossible."""
        return bool(self._taken_back) and self._taken_back[-1][0] == seat

    def redo(self, seat: Seat) -> tuple[Entry, ...]:
        """Restore the plies that the seat took back last, with the same luck. Returns the new entries.

        Raises:
            UndoRefused: see `may_redo`.
        """
        if not self.may_redo(seat):
            raise UndoRefused("redo-refused", Text("You have nothing to redo."))
        return self._record(seat, Redo())

    # --- internals ---

    def _record(self, seat: Seat, action: Undo | Redo) -> tuple[Entry, ...]:
        entry = Entry(seat, format_action(action))
        self._append(entry)
        return (entry,)

    def _is_choice(self, ply: _Ply, seat: Seat) -> bool:
        """Whether a ply is a choice of the seat. An immediate standing answer is not.

        A delayed one is, since the undo policy must not reveal that it was automatic.
        """
        if ply.entry.seat != seat or self.answered.get(ply.version):
            return False
        decision = ply.before.decision_of(seat)
        return decision is not None and not decision.automatic

    def _first_since(self, version: int) -> int:
        """The first ply that is newer than a version, or that was taken back and replaced since."""
        # Undo and new moves may have brought the log back to the same length: the minimum in between counts.
        return min(self._lengths[version:])

    def _act(self, seat: Seat, actions: Iterable[Action]) -> None:
        """Append several actions of a seat, and the automatic decisions between them."""
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
        # One decision tells: either all are for CHANCE or none is (see `Frame.decisions`).
        return any(decision.seat == CHANCE for decision in self.state.decisions()[:1])

    def _sample(self, state: State, ply: int) -> Action:
        # A generator for each ply: a draw depends only on the seed and its ply, so that replay and undo repeat it.
        return state.sample(Random(f"{self._seed}/{ply}"))

    def _require_drawn(self, entry: Entry) -> None:
        if not self._luck_is_due or format_action(self._sample(self.state, self.ply)) != entry.notation:
            raise self._broken_log(entry, Text("is not what luck draws there."))

    def _append(self, entry: Entry, action: Action | None = None) -> None:
        """Append an entry to the log and apply it; its notation is parsed unless the caller passes the action."""
        # An action passed by the caller was checked by `_act` or drawn; one from a stored log is unchecked.
        if action is None:
            action = self._parse_entry(entry)
            if not self._fits(entry.seat, action):
                raise self._broken_log(entry, MISFIT)
        match action:
            case Undo(ply):
                # Kept with its draws, so that a redo restores them.
                self._taken_back.append((entry.seat, self._plies[ply:]))
                self.state = self._plies[ply].before
                del self._plies[ply:]
            case Redo():
                _, plies = self._taken_back.pop()
                self._plies += plies
                self.state = plies[-1].after
            case _:
                self._apply(entry, action)
                # A new move makes a redo impossible.
                self._taken_back.clear()
        # Last, so that log and state still agree if anything above raises.
        self.entries.append(entry)
        self._lengths.append(self.ply)

    def _parse_entry(self, entry: Entry) -> Action:
        try:
            return parse_action(entry.notation, self._verbs(entry.seat))
        except EngineError as error:
            raise self._broken_log(entry, Text("cannot be read.")) from error

    def _verbs(self, seat: Seat) -> Sequence[type[Action]]:
        return self.spec.chances if seat == CHANCE else (*self.spec.actions, Undo, Redo)

    def _fits(self, seat: Seat, action: Action) -> bool:
        if isinstance(action, Undo):
            # Consent was checked before the entry was written; here the log only has to be consistent.
            return action.ply in range(self.ply) and self._plies[action.ply].entry.seat == seat
        if isinstance(action, Redo):
            return self.may_redo(seat)
        decision = self.state.decision_of(seat)
        if decision is None:
            return False
        # A draw with too many outcomes lists none (see `Decision`); it is checked when it is applied.
        return action in decision.options or (seat == CHANCE and not decision.options)

    def _broken_log(self, entry: Entry, problem: Text) -> BrokenLog:
        """The error for an entry, named by number and verb only: its values may be a hand, which must not be logged."""
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
        # The errors that a bad value in a stored log can cause in a game; a wider net would hide bugs.
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise self._broken_log(entry, MISFIT) from error
        uncovers = False
        if entry.seat == CHANCE:
            (draw,) = before.decisions()
            # A draw with one outcome and no weights reveals a hidden piece. In a game without hands its outcome was
            # already known, so it uncovers nothing.
            is_reveal = self.spec.hands and draw.forced and not draw.weights
            uncovers = is_reveal or any(event.audience is not None for event in events)
        self._plies.append(_Ply(self.version, entry, before, self.state, events, uncovers))

    def _last_action(self, viewer: Seat | None, first: int) -> LastAction | None:
        """The last event with a short form that is visible to the viewer, and the earlier ones of the same seat."""
        brief = ((n, event) for n in reversed(range(self.ply)) if (event := self._brief_event(n, viewer)))
        last = next(brief, None)
        if last is None:
            return None
        seat = self._subject(*last)
        before = ((n, self._brief_event(n, viewer)) for n in range(first, last[0]))
        same = tuple(event for n, event in before if event and self._subject(n, event) == seat)
        return LastAction(seat, last[1], same)

    def _brief_event(self, n: int, viewer: Seat | None) -> Event | None:
        """The last event of a ply with a short form that is visible to the viewer."""
        events = reversed(self._plies[n].events)
        return next((event for event in events if type(event).brief and event.visible_to(viewer)), None)

    def _subject(self, n: int, event: Event) -> Seat:
        """The seat that an event is about: its field `seat`, else the seat that acted last, or CHANCE."""
        subject: Seat | None = getattr(event, "seat", None)
        actors = (ply.entry.seat for ply in reversed(self._plies[: n + 1]) if ply.entry.seat != CHANCE)
        return next(actors, CHANCE) if subject is None else subject

    def _gains(self, first: int) -> tuple[int, ...]:
        """The change of each seat's tally from a ply on, without the initial layout that luck produces."""
        opening = next((n for n, ply in enumerate(self._plies) if ply.entry.seat != CHANCE), self.ply)
        first = max(first, opening)
        before = self._plies[first].before if first < self.ply else self.state
        return tuple(self.state.tally(seat) - before.tally(seat) for seat in map(Seat, range(self.setup.seats)))


def _on_turn(state: State) -> Seat | None:
    if (seat := state.turn_of()) is not None:
        return seat
    due = {decision.seat for decision in state.decisions()}
    return due.pop() if len(due) == 1 else None


def _observe_decision(decision: Decision, viewer: Seat | None) -> Decision:
    hidden = decision.seat == CHANCE or (decision.private and decision.seat != viewer)
    # Neither options nor weights: even their number would reveal something.
    return Decision(decision.seat, decision.prompt, (), decision.private) if hidden else decision
