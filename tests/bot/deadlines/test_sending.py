"""Places of reminders, and the parts that others may read there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import combinations
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.features.deadlines.sending import reminder_layout, send_reminder
from bot.features.deadlines.waiting import Waiting
from bot.interactions.channels import Channels, Compose
from bot.interactions.refusals import MAX_ATTEMPTS
from bot.store.jobs import NOBODY
from bot.store.shard_range import NO_SERVER
from engine.texts import Seat, Text

ANA, CONVERSATION, SINCE = 7, 99, datetime(2026, 11, 22, tzinfo=UTC)
GAMES = {11: 1, 12: 1, 21: 2, 31: NO_SERVER}
"""A game in each of these channels, by the id of the channel -> that of its server."""


def table(channel_id: int) -> Any:
    row = SimpleNamespace(guild_id=GAMES[channel_id], channel_id=channel_id, host_id=ANA)
    return SimpleNamespace(
        title=f"game {channel_id}", row=row, board=SimpleNamespace(message_id=1), say=lambda text, *_: str(text)
    )


DUE = [(Waiting(n, 3, guild_id, n, Seat(0), Text("Where?"), False, table(n)), SINCE) for n, guild_id in GAMES.items()]


@dataclass
class Discord:
    """Channels of which some are `open`, and some let the bot mention people."""

    open: frozenset[int]
    mentioning: frozenset[int]
    messages: list[tuple[int, set[int], bool]] = field(default_factory=list)
    """The channel, the games that a message names, and whether it mentions a user."""

    @property
    def servers(self) -> Any:
        async def may_call(channel_id: int) -> bool:
            return channel_id in self.mentioning

        return SimpleNamespace(may_call=may_call)

    async def send(
        self, channel_id: int, compose: Compose, *, mentions: discord.AllowedMentions | None = None, nonce: str
    ) -> int:
        assert "the nonce" == nonce
        if channel_id not in self.open:
            answer: Any = SimpleNamespace(status=403, reason="Forbidden")
            raise discord.Forbidden(answer, {"code": 50001, "message": "Missing Access"})
        text = "".join(item.content for item in compose().walk_children() if isinstance(item, discord.ui.TextDisplay))
        is_mention = mentions is not None and [user.id for user in cast(Any, mentions.users)] == [ANA]
        self.messages.append((channel_id, {n for n in GAMES if f"game {n}" in text}, is_mention))
        return 500 + channel_id

    async def send_direct(self, user_id: int, compose: Compose, *, nonce: str) -> tuple[int, int]:
        assert ANA == user_id
        return CONVERSATION, await self.send(CONVERSATION, compose, nonce=nonce)


@pytest.mark.parametrize(("host_id", "labels"), [(ANA, ["End game 11"]), (NOBODY, [])])
def test_the_last_reminder_offers_to_end_a_game_unless_it_belongs_to_a_league(host_id: int, labels: list[str]) -> None:
    (waiting, since), *_ = DUE
    waiting.table.row.host_id, last = host_id, replace(waiting, is_last=True)
    page = reminder_layout(ANA, [(last, since)], direct=True)
    rows = [part["components"] for part in page.to_components() if "components" in part]
    waiting.table.row.host_id = ANA
    assert labels == [button["label"] for row in rows for button in row]


def subsets(*ids: int) -> Iterator[frozenset[int]]:
    return (frozenset(subset) for size in range(len(ids) + 1) for subset in combinations(ids, size))


@pytest.mark.parametrize("direct", [True, False])
async def test_a_reminder_in_a_channel_names_only_games_of_its_server_and_mentions_the_player(direct: bool) -> None:
    for open_channels in subsets(*GAMES, CONVERSATION):
        for mentioning in subsets(*GAMES):
            world = Discord(open_channels, mentioning)
            sent = await send_reminder(cast(Channels, world), ANA, DUE, direct, "the nonce")
            about = {waiting.match_id for waiting, _ in sent.about}
            calling = [n for n in GAMES if n in mentioning]
            here = [n for n in calling if GAMES[n] == GAMES[calling[0]]]
            channels = [CONVERSATION] * (direct or not calling) + here
            used = next((n for n in channels if n in open_channels), None)
            # a message in a direct message names all games
            named = set(GAMES) if used == CONVERSATION or not calling else set(here)
            assert named == about, world
            assert [(used, named, used != CONVERSATION)] * (used is not None) == world.messages
            assert sent.message == (None if used is None else (used, 500 + used))


async def test_a_reminder_goes_to_the_channel_that_waits_longest_of_at_most_eight() -> None:
    """The order is that of the decisions, not of the channels."""
    ids = [19, 18, 17, 16, 15, 14, 13, 12, 11]
    games = [table(11) for _ in ids]
    due = [
        (Waiting(n, 3, 1, n, Seat(0), Text("Where?"), False, match_id), SINCE)
        for n, match_id in zip(ids, games, strict=True)
    ]
    reached = list[int]()
    for open_channels in (ids, ids[1:], ids[7:], ids[8:]):
        world = Discord(frozenset(open_channels), frozenset(ids))
        await send_reminder(cast(Channels, world), ANA, due, False, "the nonce")
        reached += [channel_id for channel_id, *_ in world.messages]
    assert [19, 18, 12] == reached


class Puzzling(Discord):
    """A Discord that refuses with an unknown code, which may go away."""

    async def send(self, *_: Any, **__: Any) -> int:
        answer: Any = SimpleNamespace(status=400, reason="Bad Request")
        raise discord.HTTPException(answer, {"code": 1, "message": "Something new"})


@pytest.mark.parametrize("direct", [True, False])
async def test_an_unknown_refusal_of_a_reminder_is_tried_again_until_that_was_often_enough(direct: bool) -> None:
    world = cast(Channels, Puzzling(frozenset(), frozenset(GAMES) if not direct else frozenset()))
    with pytest.raises(discord.HTTPException):
        await send_reminder(world, ANA, DUE, direct, "the nonce", attempts=MAX_ATTEMPTS - 1)
    sent = await send_reminder(world, ANA, DUE, direct, "the nonce", attempts=MAX_ATTEMPTS)
    assert None is sent.message
    assert sent.about, "what was given up is not sent again at once"


async def test_a_reminder_that_reaches_nobody_is_given_up_with_all_its_games_if_no_channel_may_mention() -> None:
    world = Discord(frozenset(), frozenset())
    assert DUE == [*(await send_reminder(cast(Channels, world), ANA, DUE, True, "the nonce")).about]


def test_a_game_that_still_reminds_can_be_put_off_beside_one_that_no_longer_does() -> None:
    (first, since), (second, _), *_ = DUE
    last = replace(first, is_last=True)
    labels = []
    for due in ([last], [last, second]):
        page = reminder_layout(ANA, [(table, since) for table in due], direct=True)
        rows = [part["components"] for part in page.to_components() if "components" in part]
        labels.append([button["label"] for row in rows for button in row])
    assert [["End game 11"], ["Snooze 1 h", "This evening", "Tomorrow", "End game 11"]] == labels


@pytest.mark.parametrize("direct", [True, False])
def test_a_reminder_asks_its_player_in_the_second_person_only_in_a_direct_message(direct: bool) -> None:
    (waiting, since), *_ = DUE
    waiting.table.say = lambda text, you=None: f"{text} for {you}"
    text = str(reminder_layout(ANA, [(waiting, since)], direct=direct).to_components())
    waiting.table.say = lambda text, *_: str(text)
    assert ("for 0" in text, "for None" in text) == (direct, not direct)
