"""Company at a table: bars, with their reason and end, and blocks, which stay secret."""

from __future__ import annotations

from datetime import datetime

import pytest

from bot.errors import UserError
from bot.store.shard_range import NO_SERVER
from bot.tables.company import reachable, rematch_guests, require_company, require_not_barred, require_peace
from tests.bot.refusing import CHANNEL, DAY, GUEST, GUILD, HOST, NOON, House

CARO, DAN, EVA, FINN, GINA = 72, 73, 74, 75, 76
OTHER = GUILD + 1
BARRED = "The moderators have barred you from games in this server"
NOT_POSSIBLE = "That’s not possible here."


@pytest.mark.parametrize(
    ("reason", "until", "refusal"),
    [
        ("", None, f"{BARRED} until further notice."),
        ("*Rude*", None, f"{BARRED} until further notice.\n> \\*Rude\\*"),
        ("", NOON + DAY, f"{BARRED} until <t:{int((NOON + DAY).timestamp())}:f>."),
    ],
)
async def test_barred_users_read_until_when_and_why(
    home: House, reason: str, until: datetime | None, refusal: str
) -> None:
    await home.store.bars.put(GUILD, DAN, "Dan", reason, NOON, until)
    with pytest.raises(UserError) as refused:
        await require_not_barred(home.store, GUILD, DAN, NOON)
    assert refusal == str(refused.value.text)
    for guild_id, user_id in ((GUILD, CARO), (OTHER, DAN), (NO_SERVER, DAN)):
        await require_not_barred(home.store, guild_id, user_id, NOON)


async def test_a_bar_from_before_does_not_apply_in_direct_messages(home: House) -> None:
    await home.store.bars.put(NO_SERVER, DAN, "Dan", "", NOON, None)
    await require_not_barred(home.store, NO_SERVER, DAN, NOON)
    assert {HOST, DAN} == await rematch_guests(home.store, NO_SERVER, HOST, [HOST, DAN], NOON)


async def test_only_those_who_could_sit_there_are_pinged(home: House) -> None:
    """Caro has blocked the guest, the host Dan, Finn Caro, and Gina Finn; Eva is barred."""
    table = await home.lobby()
    for user_id, blocked in ((CARO, GUEST), (HOST, DAN), (FINN, CARO), (GINA, FINN)):
        await home.store.blocks.add(user_id, blocked, "", NOON)
    await home.store.bars.put(GUILD, EVA, "Eva", "", NOON, NOON + DAY)
    everyone = [CARO, DAN, EVA, FINN]
    assert {FINN} == await reachable(home.store, table, everyone, NOON)
    assert {EVA, FINN} == await reachable(home.store, table, everyone, NOON + DAY)
    assert frozenset() == await reachable(home.store, table, everyone, NOON, by=GINA)
    for user_id in (CARO, DAN):
        with pytest.raises(UserError, match=NOT_POSSIBLE):
            await require_company(home.store, user_id, table.people)
    await require_company(home.store, FINN, table.people)


async def test_people_with_a_block_between_them_do_not_play_together(home: House) -> None:
    table = await home.lobby(CHANNEL)
    await home.store.blocks.add(CARO, GUEST, "", NOON)
    await require_peace(home.store, table)
    await home.store.blocks.add(GUEST, HOST, "", NOON)
    with pytest.raises(UserError, match=NOT_POSSIBLE):
        await require_peace(home.store, table)


async def test_a_rematch_seats_neither_of_two_who_must_not_meet(home: House) -> None:
    """Caro must not meet Dan, Eva or Finn, and the host not Eva; Finn is barred."""
    for user_id, blocked in ((CARO, DAN), (CARO, EVA), (EVA, HOST), (FINN, CARO)):
        await home.store.blocks.add(user_id, blocked, "", NOON)
    await home.store.bars.put(GUILD, FINN, "Finn", "", NOON, NOON + DAY)
    everyone = [HOST, GUEST, CARO, DAN, EVA, FINN]
    assert {HOST, GUEST} == await rematch_guests(home.store, GUILD, HOST, everyone, NOON)
    assert {HOST, GUEST, DAN, FINN} == await rematch_guests(
        home.store, GUILD, HOST, [HOST, GUEST, DAN, FINN], NOON + DAY
    )
    assert {HOST, CARO} == await rematch_guests(home.store, GUILD, HOST, [HOST, CARO, EVA, FINN], NOON)
