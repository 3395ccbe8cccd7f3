"""Tables: the matches of the channels, kept in step with the store. Knows people, knows no Discord.

A match is in memory only as a copy of its log: it is played on aside, and shown once it is written.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from enum import Enum, auto
from random import Random
from weakref import WeakValueDictionary

from bot.clock import Clock
from bot.errors import Declined, Repeated
from bot.store.rows import Act, Chair, Damaged, Draft, Known, MatchRow, Offer, Status, Taken, Wish
from bot.store.store import Store
from bot.tables.people import presentable
from bot.tables.table import Stale, Table
from engine.core import Action, Decision, GameSpec, OptionValue
from engine.errors import BrokenLog, SetupError
from engine.games import discover
from engine.match import Match
from engine.notation import format_action
from engine.players import discover as discover_players
from engine.texts import Seat, Text, joined

_log = logging.getLogger(__name__)

DEFAULT_COMPUTER = "uniform"
"""The computer player a new empty seat gets."""

RECENT = 128
"""Tables that stay in memory although nobody uses them at the moment."""


MOST_FOLLOWERS = 50
"""So many are called in one message, beside those who played."""

NO_COMPUTER = Text("No computer plays a seat that you could offer.")

MOVED_ON = Text("The game has moved on since.")


class Following(Enum):
    """What follows an action: the next question to the same person, a board for the channel, or, where several decide
    at once, only the news who is still due.
    """

    QUESTION = auto()
    BOARD = auto()
    WAITING = auto()


class Tables:
    """The tables in use and those used lately; the place where actions are carried out."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._known: WeakValueDictionary[int, Table] = WeakValueDictionary()  # one object a match, whoever holds it
        self._open: WeakValueDictionary[int, Table] = WeakValueDictionary()  # the same by channel
        self._recent: OrderedDict[int, Table] = OrderedDict()

    # --- finding ---

    async def find(self, match_id: int) -> Table | None:
        """A table by the id of its match, replayed from the log if it is not in memory."""
        table = self._known.get(match_id)
        if table is None:
            row = await self._store.matches.find(match_id)
            if row is None:
                return None
            table = self._known.setdefault(match_id, await self._load(row))
        self._keep(table)
        return table

    async def at(self, channel_id: int) -> Table:
        """The open table of a channel. Raises `Declined` where there is none."""
        table = self._open.get(channel_id)
        if table is None or not table.is_open:
            match_id = await self._store.matches.open_in(channel_id)
            table = await self.find(match_id) if match_id is not None else None
        if table is None:
            raise Declined(Text("There is no game in this channel. Start one with `/game new`."))
        self._open[channel_id] = table
        self._keep(table)
        return table

    async def shown_at(self, channel_id: int) -> Table:
        """The open table of a channel, else the last one that was played there. Raises `Declined`."""
        try:
            return await self.at(channel_id)
        except Declined:
            match_id = await self._store.matches.last_in(channel_id)
            table = await self.find(match_id) if match_id is not None else None
            if table is None:
                raise
            return table

    def _keep(self, table: Table) -> None:
        self._recent[table.id] = table
        self._recent.move_to_end(table.id)
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)

    async def _load(self, row: MatchRow) -> Table:
        spec = discover().get(row.game)
        if spec is None:
            return _unplayable(row, None, Text("I do not know the game “{game}” any more.", game=row.game))
        if row.damage:
            _log.error("the row of match %d cannot be read: %s", row.id, row.damage)
            return _unplayable(row, spec, Text("The record of this game is damaged."))
        if row.status in (Status.LOBBY, Status.CLOSED):
            return Table(await self._with_valid_options(row, spec), spec)
        if row.rules_version != spec.rules_version:
            return _unplayable(row, spec, Text("This game began under older rules of {title}.", title=spec.title))
        try:
            return await self._replayed(row, spec)
        except (BrokenLog, Damaged, SetupError, ValueError):
            _log.exception("match %d cannot be replayed", row.id)
            return _unplayable(row, spec, Text("The record of this game cannot be read any more."))

    async def _replayed(self, row: MatchRow, spec: GameSpec) -> Table:
        setup = spec.setup(len(row.chairs), row.options)
        match = Match.replay(spec, setup, row.seed, await self._store.log.entries(row.id))
        post = await self._store.posts.pending(row.id)
        return Table(
            row,
            spec,
            match,
            waiting=post.id if post else None,
            showing=tuple(await self._store.posts.showing(row.id)),
            unanswered=await self._store.log.last_act(row.id),
            drafts=await self._store.drafts.of(row.id),
            wish=await self._store.wishes.of(row.id),
            offer=await self._store.offers.of(row.id),
            followers=await self._store.followers.of(row.id),
        )

    async def _with_valid_options(self, row: MatchRow, spec: GameSpec) -> MatchRow:
        """The row of a lobby without the options that an upgrade has taken away since it was opened."""
        valid = {name: value for name, value in row.options.items() if _is_valid(spec, name, value)}
        if valid != row.options:
            await self._store.matches.change(row.id, options=valid)
        return dataclasses.replace(row, options=valid)

    # --- the lobby ---

    async def open(self, game: str, *, guild_id: int, channel_id: int, host: Chair) -> Table:
        """A new lobby with its host seated. Raises `Declined` if the channel has an open table."""
        spec = discover()[game]
        usual = spec.presets[0].options if spec.presets else {}
        return await self._set(spec, guild_id, channel_id, host.user_id or 0, [host], usual)

    async def rematch(self, table: Table, user_id: int) -> Table:
        """A new lobby for those who play at a table, each a seat further. Raises `Declined` as `open` does, and for
        anybody else.
        """
        if table.seat_of(user_id) is None:
            raise Declined(Text("A rematch is for those who have played: one of them has to ask for it."))
        row = table.row
        chairs = [dataclasses.replace(chair, seen=0) for chair in (*row.chairs[1:], row.chairs[0])]
        return await self._set(table.spec, row.guild_id, row.channel_id, user_id, chairs, row.options)

    async def _set(
        self,
        spec: GameSpec,
        guild_id: int,
        channel_id: int,
        host_id: int,
        chairs: Sequence[Chair],
        options: Mapping[str, OptionValue],
    ) -> Table:
        try:
            match_id = await self._store.matches.create(
                guild_id=guild_id,
                channel_id=channel_id,
                host_id=host_id,
                chairs=chairs,
                options=options,
                game=spec.slug,
                rules_version=spec.rules_version,
                seed=secrets.token_hex(16),
            )
        except Taken:
            raise Declined(_taken(await self.at(channel_id), host_id)) from None
        table = await self.find(match_id)
        assert table is not None, "the row was written a moment ago"
        return table

    async def change_chairs(self, table: Table, change: Callable[[Sequence[Chair]], Sequence[Chair]]) -> None:
        """Replace who sits where, as long as the game has not started. `change` may raise `Declined`."""
        async with table.lock:
            self._require_lobby(table)
            await self._store.matches.set_chairs(table.id, change(table.row.chairs))
            await self._reread(table)

    async def set_option(self, table: Table, name: str, value: OptionValue) -> None:
        """Choose an option of the game. Raises `SetupError` if it cannot be."""
        await self.set_options(table, {**table.row.options, name: value})

    async def set_options(self, table: Table, options: Mapping[str, OptionValue]) -> None:
        """Choose all options of the game. Raises `SetupError` if they cannot be."""
        async with table.lock:
            self._require_lobby(table)
            seats = min(max(len(table.row.chairs), table.spec.seats[0]), table.spec.seats[-1])
            table.spec.setup(seats, options)
            await self._store.matches.change(table.id, options=dict(options))
            await self._reread(table)

    async def hand_on(self, table: Table) -> None:
        """Make somebody else the host if the host has left; without anybody left the match is called off."""
        async with table.lock:
            users = [chair.user_id for chair in table.row.chairs if chair.user_id]
            if not users:
                await self._store.matches.change(table.id, status=_called_off(table))
            elif table.row.host_id not in users:
                await self._store.matches.change(table.id, host_id=users[0])
            await self._reread(table)

    async def greet(self, table: Table, user_id: int, name: str) -> None:
        """Note what somebody is called in the server now, if he plays here."""
        seat, now = table.seat_of(user_id), presentable(name)
        if seat is None or table.row.chairs[seat].name == now:
            return
        async with table.lock:
            if (seat := table.seat_of(user_id)) is not None:
                await self._store.matches.note(table.id, seat, name=now)
                await self._reread(table)

    @asynccontextmanager
    async def seeing(self, table: Table, seat: Seat) -> AsyncIterator[None]:
        """While whoever plays a seat is shown the match as it stands now: noted at once, and forgotten if that fails.

        So a second tap, which may come before the answer to the first one, finds it noted.
        """
        before, version = table.row.chairs[seat].seen, table.shown().version
        if table.seen_by(seat) < version:
            await self._note_seen(table, seat, version)
        try:
            yield
        except Exception:
            await self._note_seen(table, seat, before)
            raise

    async def _note_seen(self, table: Table, seat: Seat, version: int) -> None:
        chairs = list(table.row.chairs)
        chairs[seat] = dataclasses.replace(chairs[seat], seen=version)
        table.row = dataclasses.replace(table.row, chairs=tuple(chairs))  # at once, for whoever comes meanwhile
        async with table.lock:
            await self._store.matches.note(table.id, seat, seen=version)
            await self._reread(table)

    async def note_lobby_message(self, table: Table, message_id: int) -> None:
        """Remember which message shows the lobby."""
        await self._store.matches.change(table.id, lobby_message_id=message_id)
        await self._reread(table)

    async def start(self, table: Table) -> None:
        """Deal and begin. Raises `Declined` if it began already, `SetupError` if the table cannot play like this."""
        async with table.lock:
            self._require_lobby(table)
            setup = table.spec.setup(len(table.row.chairs), table.row.options)
            match = Match.begin(table.spec, setup, table.row.seed)
            await self._go_on(table, match)
            table.waiting = await self._store.begin(
                table.id,
                match.entries,
                at=self._clock.now(),
                rules_version=table.spec.rules_version,
                post_version=match.version,
                outcome=match.outcome,
            )
            table.match = match
            await self._reread(table)

    def _require_open(self, table: Table) -> None:
        if not table.is_open:
            over = table.row.status is Status.OVER
            raise Declined(Text("This game is over.") if over else Text("This game was called off."))

    def _require_running(self, table: Table) -> None:
        self._require_open(table)
        table.playing()

    def _require_lobby(self, table: Table) -> None:
        self._require_open(table)
        if table.row.status is not Status.LOBBY:
            raise Declined(table.problem or Text("This game has already begun."))

    # --- playing ---

    async def play(
        self, table: Table, user_id: int, *actions: Action, interaction_id: int, version: int | None
    ) -> Following:
        """Let a user act, once or several times in a row; then luck, automatic answers and computers go on.

        `version` is the one the control was stamped with, or `None` for a typed command. They stop where a
        person is due. All of it is one transaction, and nobody sees any of it before it is written.

        Raises:
            Declined: not playing, or a control of an older position (`Stale`).
            EngineError: not due, not legal, or the match is over.
            Repeated: this interaction was carried out before.
            Stale: another process was faster; the table is now as that one left it.
        """
        async with table.lock:
            match = table.playing().copy()
            seat = table.seated(user_id)
            if version is not None and version != match.asked_at(seat):
                raise Stale(MOVED_ON)
            match.play(seat, *actions)
            computers_acted = await self._go_on(table, match)
            following = _following(table.playing(), match, None if computers_acted else seat)
            await self._write_act(table, match, seat, interaction_id, post=following is Following.BOARD)
            table.unanswered = Act(seat, interaction_id, format_action(actions[0]))
            return following

    # --- taking back ---

    async def undo(self, table: Table, user_id: int, *, interaction_id: int) -> None:
        """Take back what a user chose last, which nobody has to agree to but computers. Raises `EngineError`."""
        async with table.lock:
            seat = table.seated(user_id)
            await self._turned_back(table, seat, frozenset(), interaction_id)

    async def redo(self, table: Table, user_id: int, *, interaction_id: int) -> None:
        """Do once more what a user took back last. Raises `EngineError`."""
        async with table.lock:
            match, seat = table.playing().copy(), table.seated(user_id)
            match.redo(seat)
            await self._write_act(table, match, seat, interaction_id, post=True)

    async def wish(self, table: Table, user_id: int) -> Wish:
        """Ask others to agree that a user takes back what he chose last. Raises `Declined`."""
        async with table.lock:
            wish = Wish(table.seated(user_id), table.playing().version)
            await self._keep_wish(table, wish)
            return wish

    async def note_wish_message(self, table: Table, wish: Wish, message_id: int) -> None:
        """Remember which message asks the others."""
        async with table.lock:
            if table.wish is not None and table.wish.version == wish.version:
                await self._keep_wish(table, dataclasses.replace(table.wish, message_id=message_id))

    async def agree(self, table: Table, user_id: int, version: int, *, interaction_id: int) -> frozenset[Seat]:
        """Let a user agree to a wish; when nobody is left to do so, it is fulfilled. Returns whose word is missing.

        Raises:
            Declined: he was not asked, or the game has moved on (`Stale`).
        """
        async with table.lock:
            wish, seat = self._wish_for(table, user_id, version)
            agreed = wish.agreed | {seat}
            asked = table.undo_policy(wish.seat).seats
            if asked <= agreed:
                await self._turned_back(table, wish.seat, agreed, interaction_id)
            else:
                await self._keep_wish(table, dataclasses.replace(wish, agreed=agreed))
            return asked - agreed

    async def refuse_wish(self, table: Table, user_id: int, version: int) -> Wish:
        """Let a user say no to a wish, or its owner give it up. Raises `Declined` as `agree` does."""
        async with table.lock:
            if table.wish is not None and table.wish.seat == table.seat_of(user_id):
                wish = table.wish
            else:
                wish, _ = self._wish_for(table, user_id, version)
            await self._keep_wish(table, None)
            return wish

    def _wish_for(self, table: Table, user_id: int, version: int) -> tuple[Wish, Seat]:
        """The wish a user was asked for, and his seat."""
        wish, match, seat = table.wish, table.playing(), table.seat_of(user_id)
        if wish is None or not wish.version == version == match.version:
            raise Stale(MOVED_ON)
        asked = table.undo_policy(wish.seat).seats
        if seat is None or seat not in asked:
            people = tuple(table.person(seat) for seat in sorted(asked))
            raise Declined(Text("{people} {people:was|were} asked.", people=people))
        return wish, seat

    async def _keep_wish(self, table: Table, wish: Wish | None) -> None:
        await self._store.wishes.put(table.id, wish)
        table.wish = wish

    async def _turned_back(self, table: Table, seat: Seat, agreed: frozenset[Seat], interaction_id: int) -> None:
        """Take back what a seat chose last, with the consent of some people and of all computers."""
        match = table.playing().copy()
        match.undo(seat, agreed | table.computers)
        await self._go_on(table, match)
        await self._write_act(table, match, seat, interaction_id, post=True)
        table.unanswered = None

    async def _write_act(self, table: Table, match: Match, seat: Seat, interaction_id: int, *, post: bool) -> None:
        """Write what somebody did. Raises `Repeated`, or `Stale` if another process was faster."""
        try:
            await self._write(table, match, post=post, interaction_id=interaction_id, actor=seat)
        except Known:
            raise Repeated from None
        except Taken:
            await self._refresh(table)
            raise Stale(MOVED_ON) from None

    async def resume(self, table: Table) -> None:
        """Let computer players act where one is due, as after a restart or a resignation."""
        async with table.lock:
            if table.match is None or table.row.status is not Status.RUNNING:
                return
            match = table.match.copy()
            await self._go_on(table, match)
            if match.version > table.match.version:
                await self._write(table, match, post=True)

    async def resign(self, table: Table, user_id: int) -> None:
        """Hand a user's seat to a computer player."""
        async with table.lock:
            self._require_open(table)
            table.playing()
            await self._hand_over(table, table.seated(user_id), Chair(computer=DEFAULT_COMPUTER))

    async def offer(self, table: Table, seats: Collection[Seat]) -> Offer:
        """Offer those of some seats that computers play to anybody. Raises `Declined` if it is none."""
        async with table.lock:
            self._require_running(table)
            offered = table.computers & frozenset(seats)
            if not offered:
                raise Declined(NO_COMPUTER)
            await self._store.offers.put(table.id, offered)
            table.offer = Offer(offered)
            return table.offer

    async def note_offer_message(self, table: Table, message_id: int) -> None:
        """Remember which message offers seats."""
        async with table.lock:
            await self._store.offers.note(table.id, message_id)
            table.offer = await self._store.offers.of(table.id)

    async def take_over(self, table: Table, seat: Seat, chair: Chair) -> Offer:
        """Let a user play on in the seat of a computer that is offered, or that he has left. Returns the last offer.

        Raises:
            Declined: he plays already, has seen the secrets of another seat, or the seat is not to be had.
        """
        async with table.lock:
            self._require_running(table)
            _require_free(table, seat, chair.user_id or 0)
            before = table.offer
            await self._hand_over(table, seat, chair)
            return before

    async def _hand_over(self, table: Table, seat: Seat, chair: Chair) -> None:
        """Let somebody else play a seat from now on."""
        await self._store.matches.hand_over(table.id, seat, chair, table.playing().version)
        table.drafts.pop(seat, None)
        table.offer = await self._store.offers.of(table.id)
        table.followers = await self._store.followers.of(table.id)
        await self._reread(table)

    async def follow(self, table: Table, user_id: int, *, follows: bool) -> None:
        """Note that somebody wants to hear how a match ends, or does not. Raises `Declined` for whoever plays in it."""
        async with table.lock:
            self._require_running(table)
            if table.seat_of(user_id) is not None:
                raise Declined(Text("You play in this game, so you hear of its end anyway."))
            if follows and len(table.followers) >= MOST_FOLLOWERS:
                raise Declined(Text("This game has as many followers as I can call."))
            await self._store.followers.put(table.id, user_id, follows=follows)
            table.followers = await self._store.followers.of(table.id)

    async def end(self, table: Table) -> None:
        """Call the match off; its log is kept. Raises `Declined` if it is over or was called off before."""
        async with table.lock:
            self._require_open(table)
            await self._store.matches.change(table.id, status=_called_off(table))
            await self._reread(table)

    async def keep_draft(self, table: Table, seat: Seat, draft: Draft | None) -> None:
        """Keep what a seat has chosen and not confirmed, or nothing, in place of what was kept before."""
        async with table.lock:
            if draft != table.drafts.get(seat):
                await self._store.drafts.put(table.id, seat, draft)
                table.drafts.pop(seat, None)
                table.drafts |= {seat: draft} if draft else {}

    async def _write(
        self,
        table: Table,
        match: Match,
        *,
        post: bool,
        interaction_id: int | None = None,
        actor: Seat | None = None,
    ) -> None:
        """Store what a copy of the table's match has more than it, and put the copy in its place."""
        first = table.playing().version
        post_id = await self._store.append(
            table.id,
            first,
            match.entries[first:],
            at=self._clock.now(),
            outcome=match.outcome,
            post_version=match.version if post else None,
            interaction_id=interaction_id,
            drafted=actor if actor in table.drafts else None,
            wished=table.wish is not None,
        )
        table.wish = None
        table.drafts = {seat: draft for seat, draft in table.drafts.items() if seat != actor}
        table.match, table.waiting = match, post_id or table.waiting
        if match.outcome is not None:
            await self._reread(table)

    async def _go_on(self, table: Table, match: Match) -> bool:
        """Answer what needs no person: decisions of computers, and automatic ones. True if a computer had a choice."""
        computers_acted = False
        while (decision := _next_without_person(table, match)) is not None:
            if decision.automatic:
                match.play(decision.seat, decision.options[0])
                continue
            computers_acted = True
            match.play(decision.seat, await self._computer_choice(table, match, decision.seat))
        return computers_acted

    async def _computer_choice(self, table: Table, match: Match, seat: Seat) -> Action:
        players = discover_players()
        player = players.get(table.row.chairs[seat].computer or "", players[DEFAULT_COMPUTER])
        # a seed of its own: what a computer plays must say nothing about the luck to come
        return await asyncio.to_thread(player.choose, match.view(seat), Random(secrets.token_hex(16)))

    async def _reread(self, table: Table) -> None:
        row = await self._store.matches.find(table.id)
        assert row is not None, "matches are never deleted"
        table.row = row

    async def _refresh(self, table: Table) -> None:
        """Read a table anew from the store."""
        await self._reread(table)
        fresh = await self._load(table.row)
        table.match, table.problem = fresh.match, fresh.problem
        table.waiting, table.showing, table.unanswered = fresh.waiting, fresh.showing, fresh.unanswered
        table.drafts, table.wish = fresh.drafts, fresh.wish
        table.offer, table.followers = fresh.offer, fresh.followers


def _unplayable(row: MatchRow, spec: GameSpec | None, problem: Text) -> Table:
    way_out = Text("It cannot go on, but its log is kept. The host can close it with `/game end`.")
    hidden = Text("It cannot be shown.")
    return Table(row, spec, problem=joined([problem, way_out if row.status is Status.RUNNING else hidden]))


def _require_free(table: Table, seat: Seat, user_id: int) -> None:
    """Raise `Declined` unless a user may take a seat over; seats come from outside."""
    if table.seat_of(user_id) is not None:
        raise Declined(Text("You play in this game already."))
    left = table.left_by(user_id)
    if table.spec.hands and set(left) - {seat}:
        raise Declined(Text("You have seen the secrets of another seat, so you cannot play this one."))
    if seat in range(len(table.row.chairs)) and seat not in table.computers:
        raise Declined(Text("{seat} plays in this seat already.", seat=seat))
    if seat not in {*left, *table.offer.seats}:
        raise Declined(Text("This seat is not offered any more."))


def _taken(there: Table, user_id: int) -> Text:
    """That a channel has a table already."""
    if there.row.status is Status.LOBBY and there.seat_of(user_id) is not None:
        return Text("A table of {title} is set here already, and you are at it.", title=there.title)
    return Text(
        "This channel already has a game of {title}. "
        "Finish it, end it with `/game end`, or open another one in a thread.",
        title=there.title,
    )


def _is_valid(spec: GameSpec, name: str, value: OptionValue) -> bool:
    try:
        spec.setup(spec.seats[-1], {name: value})
    except SetupError:
        return False
    return True


def _called_off(table: Table) -> Status:
    return Status.CLOSED if table.row.status is Status.LOBBY else Status.ENDED


def _following(before: Match, after: Match, seat: Seat | None) -> Following:
    """What the channel learns of an action; `seat` is who goes on if he is due again."""
    was_due, due = ({decision.seat for decision in match.state.decisions()} for match in (before, after))
    unseen = due <= was_due and not any(events for _, events in after.history(None, since=before.version))
    if due == {seat} or (unseen and seat in due):
        return Following.QUESTION
    return Following.WAITING if due and unseen else Following.BOARD


def _next_without_person(table: Table, match: Match) -> Decision | None:
    """The first decision that a computer answers, or nobody."""
    decisions = match.state.decisions()
    return next((d for d in decisions if table.row.chairs[d.seat].computer or d.automatic), None)
