"""Names of seats and people: in the game, in messages, on buttons, in pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from bot.errors import NonsenseError
from bot.store.matches import SeatHolder
from bot.tables.faults import run_guarded
from bot.tables.loaded import LoadedMatch
from bot.tables.people import LUCK, NO_COLOR, SEAT_MARKS, computer_name, escaped, mention, names_of_seats
from engine.core import Event, GameSpec, Setup, color_names, house_colors
from engine.languages import Language, language
from engine.match import Match
from engine.texts import CHANCE, SEAT_COLORS, Seat, Text
from engine.wording import Voice, say
from locales.typography import pronouncing

Names: TypeAlias = tuple[str, ...]
"""One a seat."""


@dataclass(slots=True, eq=False)
class Named(LoadedMatch):
    """A match whose seats have names."""

    _made: tuple[tuple[SeatHolder, ...], Setup, Language, tuple[Names, Names]] | None = field(default=None, init=False)
    _spoken: tuple[tuple[SeatHolder, ...], dict[str, str]] | None = field(default=None, init=False)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The game's names of the seats; the names of their colors if its code fails."""
        return run_guarded(self, partial(_names_of_seats, self.spec, self.setup), lambda _: color_names(self.setup))

    @property
    def persons(self) -> tuple[str, ...]:
        """The names of the seats' holders as plain text; "" for an empty seat or an unknown name."""
        names = [
            self.computer_name(Seat(seat), holder.computer) if holder.computer else holder.name
            for seat, holder in enumerate(self.row.holders)
        ]
        # in a lobby, fewer people may sit than will play
        return tuple(names + [""] * len(self.seat_names))[: len(self.seat_names)]

    def computer_name(self, seat: Seat, player: str) -> str:
        """The name of a computer player on a seat."""
        return computer_name(player, self.spec, seat)

    @property
    def names_with_portraits(self) -> tuple[str, ...]:
        """The names of the seats' holders for pictures, with portraits before the names of computers."""
        # here: the first picture can load it, the start of the bot need not wait for it
        from renders.persons import with_portrait

        holders = dict(enumerate(self.row.holders))
        players = (holders[seat].computer if seat in holders else None for seat in range(len(self.seat_names)))
        return tuple(
            with_portrait(player, name) if player else name for player, name in zip(players, self.persons, strict=True)
        )

    @property
    def plain_names(self) -> tuple[str, ...]:
        """The names of the seats where markup is not interpreted, as on buttons: `🔴 Ann`."""
        return self._all_names[0]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats for messages, with escaped markup."""
        return self._all_names[1]

    @property
    def _all_names(self) -> tuple[Names, Names]:
        """Both, made anew when others sit here or something else is played: a message needs them dozens of times."""
        holders, setup, read = self.row.holders, self.setup, language()
        made = self._made
        # by identity: all are frozen, and replaced as a whole
        if made is None or made[0] is not holders or made[1] is not setup or made[2] is not read:
            plain = names_of_seats(self.persons, self.seat_names, self.marks)
            made = self._made = holders, setup, read, (plain, tuple(map(escaped, plain)))
        return made[3]

    def in_message(self, words: str) -> str:
        """Words that name people as buttons do, made fit for a message."""
        for plain, name in zip(self.plain_names, self.names, strict=True):
            words = words.replace(plain, name)
        return words

    @property
    def marks(self) -> tuple[str, ...]:
        """The emoji of the seats' colors."""
        colors = run_guarded(self, lambda: self.spec.seat_colors(self.setup), lambda _: house_colors(self.setup))
        return tuple(SEAT_MARKS.get(color, NO_COLOR) for color in colors)

    def mark(self, seat: Seat) -> str:
        """The emoji of a seat’s color; dice for luck."""
        return LUCK if seat == CHANCE else self.marks[seat]

    def say(self, message: Text | Event, you: Seat | None = None) -> str:
        """The words of a text or an event for a message, with the names of the players if the match is readable."""
        with pronouncing(self._names_by_mention):
            return say(message, SEAT_COLORS if self.problem else self.names, you)

    @property
    def _names_by_mention(self) -> dict[str, str]:
        """The names that people see in place of mentions; made anew, like `_all_names`, when others sit here."""
        holders = self.row.holders
        if self._spoken is None or self._spoken[0] is not holders:
            names = {mention(holder.user_id): holder.name for holder in holders if holder.user_id}
            self._spoken = holders, names
        return self._spoken[1]

    def say_briefly(self, event: Event, you: Seat | None = None) -> str:
        """The short form of an event, without the name of its seat. Requires a readable match."""
        return Voice(self.names, you).brief(event)

    def voice(self, match: Match, you: Seat) -> Voice:
        """The wording of the choices of a seat in a position, on the buttons of its player."""
        return Voice(self.plain_names, you, match.state.observe(you))

    def person(self, seat: Seat) -> Text:
        """The player of a seat, as a mention if they are a user."""
        user_id = self.row.holders[seat].user_id
        if user_id is None:
            return Text("**{seat}**", seat=seat)
        return Text("{mark} {holder}", mark=self.mark(seat), holder=mention(user_id))

    def persons_on(self, seats: Iterable[Seat]) -> tuple[Text, ...]:
        """The holders of several seats, each as `person` has it."""
        return tuple(map(self.person, seats))


def _names_of_seats(spec: GameSpec, setup: Setup) -> Names:
    names = spec.seat_names(setup)
    if len(names) != setup.seats or not all(isinstance(name, str) for name in names):
        raise NonsenseError("seat_names() does not return one name for each seat")
    return names
