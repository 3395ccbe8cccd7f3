"""Owners of results, and results of unfinished games: pure functions over frozen values (docs/ratings.md).

| fact                                              | what it is here                                     |
|---------------------------------------------------|-----------------------------------------------------|
| resigned, *Forget me*, left the league or server  | `Parting.GAVE_UP`: a forfeit                        |
| late three times in a row at a firm pace          | `Parting.GAVE_UP`: a forfeit                        |
| given away by a vote, or by a moderator           | `Parting.LET_GO`: a forfeit if `behind` at the time |
| took a hint, undid luck alone, called it off alone | `Sitting.conceded` if behind at the time: a forfeit |
| another player or a moderator called it off       | the forfeits stay, all others are equal             |
| its channel was deleted                           | the forfeits stay, all others are equal             |
| returned before anything was decided in the seat  | no forfeit                                          |
| returned later, or another person took the seat   | the forfeit stays                                   |
| another computer was chosen for the seat          | a sitting of its own                                |
| a stand-in played a turn for a late player        | `Sitting.stood_in`: not a decision of the player    |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TypeAlias

from bot.store.tally import Credit, Forfeit
from engine.texts import Seat
from engine.values import Value


class Parting(StrEnum):
    """The way a person left a seat: by their own choice, or by a decision of others."""

    GAVE_UP = "gave up"
    LET_GO = "let go"


class Sitting(Value):
    """A user or a computer in a seat, up to entry `until` of the log, or to the end.

    `decisions` are their own, `stood_in` those that a computer made in the place of the user. `behind` is how the seat
    stood at the parting. At entry `conceded` they gave the game up and stayed.
    """

    user_id: int | None
    computer: str | None = None
    decisions: int = 0
    stood_in: int = 0
    until: int | None = None
    parting: Parting | None = None
    behind: bool = False
    conceded: int | None = None

    @property
    def holder(self) -> tuple[int | None, str | None]:
        """The key by which sittings of one user, or of one computer, belong together."""
        return self.user_id, self.computer


Sittings: TypeAlias = Sequence[Sitting]
"""The sittings of one seat, in order."""

Merit: TypeAlias = tuple[float, ...]
"""The achievement of a seat; more is better."""


class Loss(Value):
    """A forfeit before it has a place: a user lost a seat's game at entry `at` of the log."""

    seat: Seat
    user_id: int | None
    at: int


def losses_of(seats: Sequence[Sittings]) -> list[Loss]:
    """The forfeits of a match, the first one first; at most one for each user and seat."""
    losses: dict[tuple[Seat, int | None], Loss] = {}
    for number, sittings in enumerate(seats):
        for loss in _losses_in(Seat(number), sittings):
            losses.setdefault((loss.seat, loss.user_id), loss)
    return sorted(losses.values(), key=lambda loss: (loss.at, loss.seat))


def _losses_in(seat: Seat, sittings: Sittings) -> Iterator[Loss]:
    for n, sitting in enumerate(sittings):
        if sitting.conceded is not None:
            yield Loss(seat, sitting.user_id, sitting.conceded)
        elif sitting.until is not None and _is_forfeit(sitting) and not _is_back_in_time(sitting, sittings[n + 1 :]):
            yield Loss(seat, sitting.user_id, sitting.until)


def _is_forfeit(sitting: Sitting) -> bool:
    return sitting.parting is Parting.GAVE_UP or (sitting.parting is Parting.LET_GO and sitting.behind)


def _is_back_in_time(sitting: Sitting, later: Sittings) -> bool:
    """Whether a user returned before anything was decided in the seat."""
    for other in later:
        if other.holder == sitting.holder:
            return True
        if other.decisions or other.stood_in:
            return False
    return False


def owner_of(sittings: Sittings) -> Sitting:
    """The holder of a seat with most decisions; among equals a person before a computer, and the first of those."""
    made: Counter[tuple[int | None, str | None]] = Counter()
    for sitting in sittings:
        made[sitting.holder] += sitting.decisions
    # the last one of several who never decided anything: the others have only passed by
    ordered = sittings if any(made.values()) else sittings[::-1]
    return max(ordered, key=lambda sitting: (made[sitting.holder], sitting.computer is None))


def credits_of(
    match_id: int, seats: Sequence[Sittings], merits: Sequence[Merit], companies: Sequence[int]
) -> tuple[tuple[Credit, ...], tuple[Forfeit, ...]]:
    """The owner of each seat's result, and the forfeits, each with its place among all of them.

    A forfeited seat is out of the ranking if the forfeiting player or a computer decided most there.
    """
    losses = losses_of(seats)
    out = {Seat(n) for n, sittings in enumerate(seats) if _is_out(Seat(n), sittings, losses)}
    rivals = [merit for n, merit in enumerate(merits) if n not in out]

    def credit(seat: Seat) -> Credit:
        if seat in out:
            return Credit(None, None, companies[seat], len(seats), whole=False)
        owner, place = owner_of(seats[seat]), 1 + sum(other > merits[seat] for other in rivals)
        user_id = user_of_result(match_id, seat, owner.user_id)
        return Credit(user_id, owner.computer, companies[seat], place, _is_whole(seats[seat], owner))

    return tuple(credit(Seat(n)) for n in range(len(seats))), _forfeits(match_id, losses, len(rivals))


def _is_out(seat: Seat, sittings: Sittings, losses: Collection[Loss]) -> bool:
    lost_by = {loss.user_id for loss in losses if loss.seat == seat}
    owner = owner_of(sittings)
    return bool(lost_by) and (owner.computer is not None or owner.user_id in lost_by)


def _is_whole(sittings: Sittings, owner: Sitting) -> bool:
    """Whether all decisions in a seat are its owner's own."""
    return all(
        not sitting.stood_in and (sitting.holder == owner.holder or not sitting.decisions) for sitting in sittings
    )


def _forfeits(match_id: int, losses: Sequence[Loss], ranked: int) -> tuple[Forfeit, ...]:
    """The first to give up is last of all; equal times share a place."""

    def place(loss: Loss) -> int:
        return ranked + sum(loss.at <= other.at for other in losses)

    return tuple(Forfeit(loss.seat, user_of_result(match_id, loss.seat, loss.user_id), place(loss)) for loss in losses)


def user_of_result(match_id: int, seat: Seat, user_id: int | None) -> int | None:
    """The user of a result; a forgotten one is a number of this match alone, and so still counts as an opponent."""
    # negative: Discord has no such ids
    return user_id if user_id != 0 else -(100 * match_id + seat + 1)


class CalledOff(Value):
    """The facts of an unfinished match that counts.

    If `by_position`, the position ranks the players without a loss; otherwise they share first place.
    """

    seats: tuple[Sittings, ...]
    by_position: bool


def called_off(
    seats: Sequence[Sittings], user_id: int | None, behind: Collection[Seat], version: int
) -> CalledOff | None:
    """What counts of a match that `user_id` calls off at `version`; `None` if nothing does.

    The position counts if that user was behind or had lost already, or if all players have left. Losses from before
    always count.
    """
    playing = [Seat(seat) for seat, sittings in enumerate(seats) if sittings[-1].user_id is not None]
    own = next((seat for seat in playing if seats[seat][-1].user_id == user_id), None)
    # 0 is any forgotten user
    by_position = not playing or bool(user_id and has_lost(seats, user_id))
    if not by_position and own is not None and own in behind:
        return CalledOff(concede(seats, own, version), by_position=True)
    return CalledOff(tuple(seats), by_position) if losses_of(seats) else None


def has_lost(seats: Sequence[Sittings], user_id: int) -> bool:
    """Whether a user has forfeited a seat of a match."""
    return any(loss.user_id == user_id for loss in losses_of(seats))


def concede(seats: Sequence[Sittings], seat: Seat, version: int) -> tuple[Sittings, ...]:
    """The facts of a match once the player of a seat gives it up and stays."""
    *before, last = seats[seat]
    changed = (*before, replace(last, conceded=version))
    return tuple(changed if n == seat else sittings for n, sittings in enumerate(seats))
