"""The first game: at once, with advice, in a channel or in a direct message; and the options before a game."""

from __future__ import annotations

import dataclasses
import re
from random import Random

import pytest

from engine.coaching import fresh_advice
from engine.core import GameSpec, Preset
from engine.games import discover
from playground.player import Player, Seen
from tests.bot.ahead import newest
from tests.bot.app import App
from tests.bot.walks import name_of
from tests.e2e.robots import BOARD, DUE, NEUTRAL_LABELS, is_over
from tests.e2e.rooms import Room, tap_more

LAMP = "-# 💡"
MAX_DECISIONS = 120
"""More decisions than anybody makes in a short game."""

every_game = pytest.mark.parametrize("spec", discover().values(), ids=name_of)


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


async def my_board(person: Player, after: Seen | None = None) -> Seen:
    """The next board on which it is a person's turn, or the last one."""
    board = await person.expect(BOARD, after=after)
    assert is_over(board) or str(person.id) in DUE.findall(board.text)
    return board


# --- learning ---


@every_game
async def test_a_first_game_starts_at_once_against_computers_with_advice_under_the_question(
    room: Room, app: App, spec: GameSpec
) -> None:
    ana = room.person("Ana")
    assert (await ana.slash("game learn", game=spec.slug)).ephemeral
    answer = await ana.expect(f"-# Your first game of {spec.title} has begun")
    assert answer.ephemeral
    if short := spec.short_in(newest(app)[0].setup):
        lines = [f"**Goal** – {short.goal}", f"**Turn** – {short.turn}", f"**End** – {short.end}"]
        assert lines == answer.text.split("\n")[:3]
    assert "Your move" in answer.labels
    board = await my_board(ana)
    assert [ana.name] == list(board.mentions)
    question = await ana.tap("Your move", on=board)
    match, *_ = newest(app)
    advice = fresh_advice(match, match.state.decisions()[0].seat)
    assert (0 if advice is None else 1) == len(re.findall(rf"^{LAMP} .+$", question.text, re.MULTILINE)), question.text


async def test_learning_without_a_game_name_offers_a_button_for_each_game(room: Room) -> None:
    ana = room.person("Ana")
    page = await ana.slash("game learn")
    assert (True, [spec.title for spec in discover().values()]) == (page.ephemeral, page.labels)
    assert all(spec.summary in page for spec in discover().values())
    await ana.tap("Muscat", on=page)
    reply = await ana.expect("-# Your first game of Muscat has begun")
    assert (await my_board(ana)).id < reply.id, "it stands below the board"


async def test_advice_stays_on_until_it_is_switched_off(room: Room, app: App) -> None:
    ana = room.person("Ana")
    await ana.slash("game learn", game="alibaba")
    await my_board(ana)
    elsewhere = app.room().person("Ana")
    await elsewhere.slash("game learn", game="muscat")
    page = await ana.slash("me settings")
    assert "Advice under questions" in [o.label for menu in page.menus for o in menu.options if o.chosen]
    await ana.choose("No advice", on=page, menu=1)
    assert LAMP not in await elsewhere.tap("Your move", on=await my_board(elsewhere))


async def test_a_learning_game_in_a_busy_channel_opens_a_thread(room: Room) -> None:
    ana = room.person("Ana")
    await room.person("Ben").slash("table new", game="sealed")
    response = await ana.slash("game learn", game="muscat")
    inside = Room(room.local, "Muscat with Ana")
    assert response.ephemeral
    assert f"Your first game of Muscat has begun in <#{room.local.channel(inside.channel).id}>" in response
    assert [] == response.labels, "a tap here would be about the channel's own game"
    assert f"{ana.mention} is practicing **Muscat**." in room.onlooker.messages[-1]
    board = await my_board(inside.person("Ana"))
    assert [ana.name] == list(board.mentions)
    assert LAMP in await inside.person("Ana").tap("Your move", on=board)


async def test_without_a_thread_a_busy_channel_refuses_a_learning_game(room: Room, app: App) -> None:
    ana = room.person("Ana")
    await room.person("Ben").slash("table new", game="sealed")
    app.local.fault("POST /channels/*/messages/*/threads", 400, code=160006, times=None)
    reply = await ana.slash("game learn", game="muscat")
    assert reply.ephemeral
    assert "already has a game of Sealed Bids" in reply
    assert "No table was set up here after all." in room.onlooker.messages[-1]
    page = await ana.slash("me settings")
    assert "No advice" in [o.label for menu in page.menus for o in menu.options if o.chosen], "nothing has changed"


async def test_a_thread_with_a_game_refuses_a_learning_game(room: Room) -> None:
    await room.person("Ben").slash("table new", game="sealed", where="thread")
    inside = Room(room.local, "Sealed Bids with Ben")
    await inside.onlooker.expect("## Sealed Bids")
    reply = await inside.person("Ana").slash("game learn", game="muscat")
    assert "already has a game of Sealed Bids" in reply


async def test_a_whole_game_can_be_learned_in_a_direct_message(app: App, room: Room) -> None:
    ana, rng = room.person("Ana").in_dm(), Random(1)
    await ana.slash("game learn", game="muses")
    board, advised = await my_board(ana), 0
    while not is_over(board):
        screen = await ana.tap("Your move", on=board)
        while "Cancel" in screen.labels:
            advised += LAMP in screen
            screen = await _choose(ana, screen, rng)
        assert "✓" in screen
        board = await my_board(ana, after=board)
    assert advised > 3
    assert ["Rematch", "Log", "As text", "Replay", "Luck"] == board.labels
    assert [] == room.onlooker.messages, "nobody else sees anything of it"
    again = await ana.tap("Rematch", on=board)
    assert ana.mention in again


async def _choose(person: Player, shown: Seen, rng: Random) -> Seen:
    """Make one tap towards a move, or *Confirm*."""
    if "Confirm" in shown.labels:
        return await person.tap("Confirm", on=shown)
    if shown.menus:
        number = rng.randrange(len(shown.menus))
        return await person.choose(rng.choice(shown.menus[number].options).value, on=shown, menu=number)
    moves = [label for label in shown.labels if label not in NEUTRAL_LABELS]
    return await person.tap(rng.choice(moves), on=shown)


async def test_a_player_new_to_a_game_sees_goal_turn_and_end_above_the_first_board(room: Room) -> None:
    async def begun(game: str, *names: str) -> bool:
        host, *others = room.people(*names)
        lobby = await host.slash("table new", game=game)
        for person in others:
            await person.tap("Join")
        while len(others) + 1 < discover()[game].seats[0]:
            await host.tap("Add computer")
            others.append(host)
        await host.tap("Start")
        await room.onlooker.until(lambda: "The game has begun." in room.onlooker.look(lobby), what="the beginning")
        message = room.onlooker.look(lobby)
        await host.tap("End it", on=await host.slash("table end"))
        return all(f"**{name}** – " in message for name in ("Goal", "Turn", "End"))

    assert [True, False, True] == [await begun("jinns", *names) for names in (["Ana"], ["Ana"], ["Ana", "Ben"])]
    assert await begun("gangs", "Ana"), "it is another game"


async def choose(ana: Player, preset: Preset, page: Seen) -> Seen:
    """Tap the button of a preset, which has a mark afterwards."""
    label = next(label for label in page.labels if label.endswith(preset.title))
    page = await ana.tap(label, on=page)
    assert [f"✓ {preset.title}"] == [label for label in page.labels if label.startswith("✓ ")][:1]
    return page


@every_game
async def test_every_preset_shows_its_difference_in_the_options_and_the_lobby(room: Room, spec: GameSpec) -> None:
    ana = room.person("Ana")
    lobby = await ana.slash("table new", game=spec.slug)
    page = await ana.slash("table options")
    summaries = [preset.summary for preset in spec.presets if preset.summary]
    assert len(set(summaries)) == len(summaries)
    assert all(f"-# {preset.title}: {preset.summary}" in page for preset in spec.presets if preset.summary)
    for preset in spec.presets:
        about = f"{preset.title}: {preset.summary}" if preset.summary else preset.title
        page = await choose(ana, preset, page)
        await ana.until(lambda text=about: f"-# {text}" in ana.look(lobby), what="the preset")


async def test_a_new_table_in_a_direct_message_links_to_the_server_invite(room: Room) -> None:
    ana = room.person("Ana")
    lobby = await ana.in_dm().slash("table new", game="muscat")
    assert "To play with friends, [invite me to a server](https://discord.com/" in lobby
    assert "invite me" not in await ana.slash("table new", game="muscat")


# --- options before a game ---


def chosen(page: Seen) -> list[str]:
    """The row that each menu shows."""
    return [option.label for menu in page.menus for option in menu.options if option.chosen]


async def pages_of(ana: Player, page: Seen) -> list[Seen]:
    """All pages of the options; the first one comes last, so that it is shown again."""
    other = [label for label in page.labels if label in ("Options 2", "Options 3", "Start and hints")]
    turned = [await ana.tap(label, on=page) for label in other]
    back = next(label for label in turned[-1].labels if label in ("Options", "Options 1"))
    return [*turned, await ana.tap(back, on=turned[-1])]


@pytest.mark.parametrize("spec", [spec for spec in discover().values() if spec.presets], ids=name_of)
async def test_a_preset_sets_every_option_and_menus_and_lobby_show_it(room: Room, spec: GameSpec) -> None:
    ana = room.person("Ana")
    lobby = await ana.slash("table new", game=spec.slug)
    assert f"-# {spec.presets[0].title}" in lobby, "a first game is what somebody new plays"
    page, seen = await ana.slash("table options"), set()
    titles = [preset.title for preset in spec.presets]
    assert [f"✓ {titles[0]}", *titles[1:]] == page.labels[: len(titles)]
    for preset in (*spec.presets[1:], spec.presets[0]):
        await ana.choose(page.menus[-1].options[-1].value, on=page, menu=len(page.menus) - 1)
        page = await choose(ana, preset, page)
        pages = await pages_of(ana, page)
        seen.add(tuple(label for each in pages for label in chosen(each)))
        assert all(len(each.menus) == len(chosen(each)) for each in pages)
        assert len(dataclasses.fields(spec.options)) + 1 == sum(len(each.menus) for each in pages), "with hints"
        await ana.until(lambda name=preset.title: f"-# {name}" in ana.look(lobby), what="the name of the preset")
    assert len(spec.presets) == len(seen), "each is another game"
    other = next(option for option in page.menus[0].options if not option.chosen)
    changed = await ana.choose(other.value, on=page)
    assert other.label in chosen(changed)
    await ana.until(lambda: f"-# {spec.presets[0].title}" not in ana.look(lobby), what="no name of a preset")


async def test_changing_an_option_keeps_its_page_open(room: Room) -> None:
    ana = room.person("Ana")
    await ana.slash("table new", game="muscat")
    page = await ana.tap("Options 2", on=await ana.slash("table options"))
    other = next(option for option in page.menus[-1].options if not option.chosen)
    changed = await ana.choose(other.value, on=page, menu=len(page.menus) - 1)
    assert other.label in chosen(changed)
    page = await ana.tap("Start and hints", on=changed)
    assert "✓ Start when full" in (await ana.tap("Start when full", on=page)).labels
    assert "Hints: yes" in chosen(await ana.choose("Hints: yes", on=page))


async def test_only_the_host_chooses_presets(room: Room) -> None:
    ana, ben = room.people("Ana", "Ben")
    lobby = await ana.slash("table new", game="alibaba")
    await ben.tap("Join")
    assert "Only the host" in await ben.slash("table options")
    assert "-# First game" in ana.look(lobby)


def in_order(room: Room, order: list[str]) -> Seen | None:
    """The lobby, once it names these users in this order."""
    lobby = room.onlooker.messages[0]
    return lobby if order == re.findall(r"<@(\d+)>", lobby.text) else None


async def test_shuffling_seats_is_random_and_keeps_the_host(room: Room, app: App) -> None:
    names = ("Ana", "Ben", "Caro", "Dan", "Eva")
    people = room.people(*names)
    await people[0].slash("table new", game="muscat")
    for person in people[1:]:
        await person.tap("Join")
    orders = set()
    for _ in range(4):
        await tap_more(people[1], "Shuffle seats")
        seated = [str(user_id) for (user_id,) in app.query("SELECT user_id FROM seat_history ORDER BY seat")]
        assert sorted(seated) == sorted(str(person.id) for person in people)
        lobby = await room.onlooker.until(lambda order=seated: in_order(room, order), what="the new order")
        assert 1 == lobby.text.count("· host")
        assert f"{people[0].mention} · host" in lobby
        orders.add(tuple(seated))
    assert len(orders) > 1, "four times the same order is no luck"
    assert "Shuffle seats" not in (await room.onlooker.tap("More")).labels


async def test_a_player_alone_cannot_shuffle_seats(room: Room) -> None:
    ana = room.person("Ana")
    await ana.slash("table new", game="muscat")
    assert "Shuffle seats" not in (await ana.tap("More")).labels


async def test_when_the_host_leaves_the_lobby_names_the_next_one(room: Room) -> None:
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="muscat")
    assert f"{ana.mention} · host" in await ben.tap("Join")
    await tap_more(ana, "Leave")
    await room.onlooker.until(lambda: f"{ben.mention} · host" in room.onlooker.messages[0], what="the next host")
