"""The first game: at once, with advice, in a channel or in a direct message; and the options before a game."""

from __future__ import annotations

import dataclasses
import re
from random import Random
from typing import Any

import pytest

from bot.features.lobby import options_page, practice
from bot.features.lobby.more import more
from bot.features.lobby.new_table import new
from bot.store.matches import SeatHolder, Status
from bot.tables.options import starting_options
from bot.tables.preferences import preferences_of
from bot.tables.table import Table
from engine.coaching import fresh_advice
from engine.core import GameSpec
from engine.games import discover
from engine.texts import Seat
from tests.bot.desk import NAMES, PUBLIC, Desk, Screen
from tests.bot.lobby.test_table_controls import refuse_thread
from tests.bot.outcomes import sent
from tests.bot.refusing import CHANNEL, GUEST, HOST, House
from tests.bot.walks import name_of
from tests.robots import NEUTRAL_LABELS

ANA, BEN = HOST, GUEST
LAMP = "-# 💡"
DIRECT: dict[str, Any] = {"guild_id": None, "guild": None}

every_game = pytest.mark.parametrize("spec", discover().values(), ids=name_of)


@pytest.fixture
def home(home: House) -> House:
    home.let_make_events()
    home.add_channel(CHANNEL)
    return home


# --- learning ---


@every_game
async def test_a_first_game_starts_at_once_against_computers_with_advice_under_the_question(
    desk: Desk, spec: GameSpec
) -> None:
    (answer,) = await desk.command(ANA, practice.practice, title=spec.slug)
    assert answer[0] == "new private"
    assert f"-# Your first game of {spec.title} has begun" in answer.text
    table = await desk.home.services.tables.at(CHANNEL)
    if short := spec.short_in(table.require_match().setup):
        lines = [f"**Goal** – {short.goal}", f"**Turn** – {short.turn}", f"**End** – {short.end}"]
        assert lines == answer.text.split("\n")[:3]
    assert "Your move" in answer.labels
    ((head, *_),) = sent(desk.home)
    assert f"POST /channels/{CHANNEL}/messages @{ANA}" == head
    (question,) = await desk.tap(ANA, "turn:1:0:")
    advice = fresh_advice(table.require_match(), Seat(0))
    assert (0 if advice is None else 1) == len(re.findall(rf"^{LAMP} .+$", question.text, re.MULTILINE)), question.text


async def test_learning_without_a_game_name_offers_a_button_for_each_game(desk: Desk) -> None:
    (page,) = await desk.command(ANA, practice.practice)
    assert ("new private", [spec.title for spec in discover().values()]) == (page[0], page.labels)
    assert all(spec.summary in page.text for spec in discover().values())
    answer = await desk.press(ANA, "Muscat", page)
    assert "-# Your first game of Muscat has begun" in answer.text


async def test_advice_stays_on_until_it_is_switched_off(desk: Desk) -> None:
    await desk.command(ANA, practice.practice, title="alibaba")
    elsewhere = {"channel_id": 3}
    desk.home.add_channel(3)
    await desk.command(ANA, practice.practice, title="muscat", **elsewhere)
    (question,) = await desk.tap(ANA, "turn:2:0:", **elsewhere)
    assert LAMP in question.text
    await desk.tap(ANA, "habit:0:0:coached", "no")
    (question,) = await desk.tap(ANA, "turn:2:0:", **elsewhere)
    assert LAMP not in question.text


async def test_without_a_thread_a_busy_channel_refuses_a_learning_game(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.home.lobby()
    monkeypatch.setattr(desk.home.services.channels, "open_thread", refuse_thread)
    ((how, answer),) = await desk.command(75, practice.practice, title="muscat")
    assert ("new private", True) == (how, "already has a game of Sealed Bids" in answer)
    assert "-# No table was set up here after all." in sent(desk.home)[-1]
    assert not (await preferences_of(desk.home.store.settings, 75)).coached, "nothing has changed"


async def test_a_whole_game_can_be_learned_in_a_direct_message(desk: Desk) -> None:
    rng, advised = Random(1), 0
    await desk.command(ANA, practice.practice, title="muses", **DIRECT)
    table = await desk.home.services.tables.at(CHANNEL)
    while table.row.status is Status.RUNNING:
        (screen,) = await desk.tap(ANA, "turn:1:0:", **DIRECT)
        while "Cancel" in screen.labels:
            advised += LAMP in screen.text
            screen = await _choose(desk, screen, rng)
        assert "✓" in screen.text
    assert advised > 3
    await desk.home.services.poster.publish(table)
    boards = [lines for head, *lines in sent(desk.home) if head.startswith("POST")]
    buttons = [re.sub(r"\[| [a-z].*", "", line) for line in boards[-1] if line.startswith("[")]
    assert ["Rematch", "More"] == buttons
    ((_, *again),) = await desk.tap(ANA, "rematch:1:0:", message=PUBLIC, **DIRECT)
    assert f"🔴 <@{ANA}>" in "\n".join(again) or f"🟦 <@{ANA}>" in "\n".join(again)


async def _choose(desk: Desk, shown: Screen, rng: Random) -> Screen:
    """Make one tap towards a move, or *Confirm*."""
    if "Confirm" in shown.labels:
        return await desk.press(ANA, "Confirm", shown, **DIRECT)
    if shown.menus:
        number = rng.randrange(len(shown.menus))
        return await desk.choose(ANA, rng.choice(list(shown.menus[number][1])), shown, number, **DIRECT)
    return await desk.press(
        ANA, rng.choice([label for label in shown.labels if label not in NEUTRAL_LABELS]), shown, **DIRECT
    )


async def test_a_player_new_to_a_game_sees_goal_turn_and_end_above_the_first_board(desk: Desk) -> None:
    home = desk.home

    async def begun(game: str, *people: int) -> bool:
        computers = max(0, discover()[game].seats[0] - len(people))
        holders = [SeatHolder(user_id) for user_id in people] + [SeatHolder(computer="uniform")] * computers
        table = await home.lobby(CHANNEL, *holders, game=game, ready=[*people])
        await home.services.lobbies.note_lobby_message(table, PUBLIC.id)
        ((_, *lines), *_) = await desk.tap(ANA, f"start:{table.id}:0:", message=PUBLIC)
        assert any("The game has begun." in line for line in lines)
        await home.services.poster.publish(table)
        await home.services.seats.end(table, by=ANA, at=home.time.now)
        return all(any(line.startswith(f"**{name}** – ") for line in lines) for name in ("Goal", "Turn", "End"))

    assert [True, False, True] == [await begun("jinns", *people) for people in ([ANA], [ANA], [ANA, BEN])]
    assert await begun("gangs", ANA), "it is another game"


# --- options before a game ---


async def lobby_page(desk: Desk, spec: GameSpec) -> tuple[Table, Screen]:
    """A new table with its message, and the first page of its options."""
    table = await desk.home.lobby(CHANNEL, SeatHolder(ANA, name="Ana"), game=spec.slug, options=starting_options(spec))
    await desk.home.services.lobbies.note_lobby_message(table, PUBLIC.id)
    return table, (await desk.command(ANA, options_page.options))[0]


def lobby_lines(home: House) -> list[str]:
    """The message of the table after its last change."""
    *_, (head, *lines) = sent(home)
    assert f"PATCH /channels/{CHANNEL}/messages/{PUBLIC.id}" == head
    return lines


def chosen(page: list[str]) -> list[str]:
    """The row that each menu shows."""
    return [line for line in page if line.startswith("  *")]


async def pages_of(desk: Desk, page: Screen) -> list[Screen]:
    """All pages of the options."""
    others = [label for label in page.labels if label in ("Options 2", "Options 3", "Start and hints")]
    return [page, *[await desk.press(ANA, label, page) for label in others]]


@pytest.mark.parametrize("spec", [spec for spec in discover().values() if spec.presets], ids=name_of)
async def test_a_preset_sets_every_option_and_menus_and_lobby_show_it_with_its_difference(
    desk: Desk, spec: GameSpec
) -> None:
    table, page = await lobby_page(desk, spec)
    titles, seen = [preset.title for preset in spec.presets], set()
    summaries = [preset.summary for preset in spec.presets if preset.summary]
    assert len(set(summaries)) == len(summaries)
    assert all(f"-# {preset.title}: {preset.summary}" in page.text for preset in spec.presets if preset.summary)
    assert [f"✓ {titles[0]}", *titles[1:]] == page.labels[: len(titles)]
    for preset in (*spec.presets[1:], spec.presets[0]):
        await desk.choose(ANA, list(page.menus[-1][1])[-1], page, len(page.menus) - 1)
        label = next(label for label in page.labels if label.endswith(preset.title))
        page = await desk.press(ANA, label, page)
        assert [f"✓ {preset.title}"] == [label for label in page.labels if label.startswith("✓ ")][:1]
        about = f"{preset.title}: {preset.summary}" if preset.summary else preset.title
        assert f"-# {about}" in "\n".join(lobby_lines(desk.home))
        pages = await pages_of(desk, page)
        seen.add(tuple(label for each in pages for label in chosen(each)))
        assert all(len(each.menus) == len(chosen(each)) for each in pages)
        assert len(dataclasses.fields(spec.options)) + 1 == sum(len(each.menus) for each in pages), "with hints"
        assert dict(preset.options).items() <= {**starting_options(spec), **table.row.options}.items()
    assert len(spec.presets) == len(seen), "each is another game"
    now = chosen(page)[0].removeprefix("  *").split(" ")[0]
    other, label = next((value, label) for value, label in page.menus[0][1].items() if value != now)
    assert f"  *{other} {label}" in "\n".join(await desk.choose(ANA, other, page))
    assert f"-# {titles[0]}" not in "\n".join(lobby_lines(desk.home)), "no name of a preset"


async def test_a_new_table_begins_with_the_first_preset_and_a_link_to_invite_the_bot_in_a_direct_message(
    desk: Desk,
) -> None:
    (lobby,) = await desk.command(ANA, new, title="muscat", **DIRECT)
    assert "To play with friends, [invite me to a server](https://discord.com/" in lobby.text
    ((_, *lines),) = await desk.command(ANA, new, title="muscat", channel_id=3)
    assert "invite me" not in "\n".join(lines)
    assert f"-# {discover()['muscat'].presets[0].title}" in "\n".join(lines), "what somebody new plays"


async def test_changing_an_option_keeps_its_page_open(desk: Desk) -> None:
    _, page = await lobby_page(desk, discover()["muscat"])
    page = await desk.press(ANA, "Options 2", page)
    now = chosen(page)[-1].removeprefix("  *").split(" ")[0]
    other, label = next((value, label) for value, label in page.menus[-1][1].items() if value != now)
    changed = await desk.choose(ANA, other, page, len(page.menus) - 1)
    assert f"  *{other} {label}" in "\n".join(chosen(changed))
    page = await desk.press(ANA, "Start and hints", changed)
    assert "✓ Start when full" in (await desk.press(ANA, "Start when full", page)).labels
    assert "  *yes Hints: yes" in "\n".join(chosen(await desk.choose(ANA, "yes", page)))


async def test_shuffling_seats_is_random_and_keeps_the_host(desk: Desk) -> None:
    people = [ANA, BEN, 72, 73, 75]
    holders = [SeatHolder(user_id, name=NAMES.get(user_id, "Dan")) for user_id in people]
    table, orders = await desk.home.lobby(CHANNEL, *holders, game="muscat"), set()
    for _ in range(4):
        ((_, *lines),) = await desk.tap(BEN, f"shuffle:{table.id}:0:", message=PUBLIC)
        text = "\n".join(lines)
        assert (people, [*table.people]) == (sorted(table.people), [int(n) for n in re.findall(r"<@(\d+)>", text)])
        assert (1, True) == (text.count("· host"), f"<@{ANA}> · host" in text)
        orders.add(table.people)
    assert len(orders) > 1, "four times the same order is no luck"
    assert ["Shuffle seats" in (await desk.command(user_id, more))[0].labels for user_id in (BEN, 76)] == [True, False]


async def test_a_player_alone_cannot_shuffle_seats_and_a_leaving_host_hands_the_table_on(desk: Desk) -> None:
    table = await desk.home.lobby(CHANNEL, SeatHolder(ANA, name="Ana"), game="muscat")
    assert "Shuffle seats" not in (await desk.command(ANA, more))[0].labels
    ((_, *lines),) = await desk.tap(BEN, f"join:{table.id}:0:", message=PUBLIC)
    assert f"🔴 <@{ANA}> · host" in lines
    ((_, *lines),) = await desk.tap(ANA, f"leave:{table.id}:0:", message=PUBLIC)
    assert f"🔴 <@{BEN}> · host" in lines
