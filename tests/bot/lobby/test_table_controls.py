"""Controls of a table at a desk: whom they let do what, and all that they answer."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.errors import UserError
from bot.features.lobby import (
    deleted_channels,
    inviting,
    new_table,
    practice,
    starting,
    substitutes,
    table_buttons,
    table_message,
)
from bot.features.lobby.ending import reason_form
from bot.features.lobby.leaving import leave_lobby, lobbies_of
from bot.features.lobby.lobby_layouts import lobby_layout
from bot.features.lobby.options_page import CURRENT_TEXT
from bot.features.lobby.table_buttons import end
from bot.interactions.emojis import game_emblem
from bot.store.codec import time_of
from bot.store.jobs import Job, JobKind
from bot.store.matches import Admission, SeatHolder, Status
from bot.store.shard_range import NO_SERVER
from bot.store.table_events import MAX_WORDS_LENGTH
from bot.tables.guild_settings import GuildSettings
from bot.tables.preferences import preferences_of
from bot.tables.table import Table
from engine.errors import SetupError
from engine.games import discover
from engine.texts import Seat, Text, from_json
from tests.bot.desk import PUBLIC, Desk
from tests.bot.leagues.test_league_rounds import stored_season
from tests.bot.outcomes import choose, sent
from tests.bot.refusing import CHANNEL, DAY, GUEST, GUILD, HOST, HOUR, NOON, House, refusal
from tests.bot.walks import table_of
from tests.bot.whole import whole
from tests.engine.toys import TOYS
from tests.engine.toys.sealed import Bid

CARO = 72
EVA = 75
ANA, BEN = SeatHolder(HOST, name="Ana", interaction_id=1), SeatHolder(GUEST, name="Ben", interaction_id=2)
TITLE = "### Options for Toll"
ZONE_QUESTION = "I don’t know your time zone, so I use UTC. You can set it now, or at any time in `/me settings`."


async def lobby(home: House, *holders: SeatHolder, channel_id: int = CHANNEL, **columns: Any) -> Table:
    """A table of Toll, with Ana and Ben or others."""
    return await home.lobby(channel_id, *(holders or (ANA, BEN)), game="toll", **columns)


async def test_the_options_say_how_the_game_begins_and_whether_it_counts(desk: Desk) -> None:
    table = await lobby(desk.home)
    begins = "**Start** – automatically when the last seat is taken, or only when somebody taps Start."
    ((how, *lines),) = await desk.tap(HOST, f"options:{table.id}:0:")
    assert ("edit", TITLE) == (how, lines[0])
    assert [
        f"{begins} With a ready check, everyone has to tap Ready first.",
        "**Rated** – the result counts in `/stats`.",
        *("[Start when full full]", "[Ready check check]", "[✓ Rated rated]"),
    ] == lines[-9:-4]
    await desk.tap(HOST, f"full:{table.id}:0:")
    await desk.home.services.joining.join(table, SeatHolder(CARO, name="Caro", interaction_id=3))
    ((_, *lines),) = await desk.tap(HOST, f"full:{table.id}:0:")
    assert "(Start when full full)" == lines[-7], "no seat is free whose player could start it"
    await desk.home.services.lobbies.note_ready(table, GUEST, asked=False)
    assert table.row.ready
    ((_, *lines),) = await desk.tap(HOST, f"rated:{table.id}:0:")
    assert not table.row.ready
    assert ("**Rated** – no: the host turned it off", "[Rated rated]") == (lines[-8].partition(", or")[0], lines[-5])
    secret = await desk.home.lobby(CHANNEL + 1)
    ((_, *lines),) = await desk.tap(HOST, f"options:{secret.id}:0:", channel_id=CHANNEL + 1)
    assert (begins, "[Start when full full]", "[✓ Rated rated]") == (lines[-8], lines[-6], lines[-5])


async def removals(home: House) -> list[tuple[int, str]]:
    """The lines of the moderators' log about removed players, each after its moderator."""
    jobs = [job for job in await home.store.jobs.due(NOON + DAY) if job.kind is JobKind.MODERATION_LOG]
    lines = [(job.user_id, str(from_json(line))) for job in jobs for *_, line in job.state["lines"]]
    return [(user_id, line) for user_id, line in lines if "removed" in line]


async def test_a_game_starts_only_where_the_server_allows_games(desk: Desk) -> None:
    table = await lobby(desk.home, ready=[HOST, GUEST])
    desk.home.let_make_events()
    desk.home.add_channel(CHANNEL)
    for channels, status in (((9,), Status.LOBBY), ((CHANNEL,), Status.RUNNING)):
        await choose(desk.home, channels=channels)
        await desk.command(HOST, starting.start)
        assert status is table.row.status


async def test_a_start_by_command_closes_the_message_of_the_table_at_once(desk: Desk) -> None:
    table = await lobby(desk.home)
    await desk.home.services.lobbies.note_lobby_message(table, 55)
    sent(desk.home)
    assert [["new private", "The game has begun."]] == await desk.command(HOST, starting.start)
    ((head, *lines),) = [lines for lines in sent(desk.home) if lines[0].endswith("/55")]
    assert ("PATCH /channels/2/messages/55", "## Toll", []) == (head, lines[0], [line for line in lines if "[" in line])


async def test_the_message_of_an_open_table_stays_due_and_one_that_comes_again_is_no_new_one(desk: Desk) -> None:
    home = desk.home
    table = await lobby(home)
    await home.services.lobbies.note_lobby_message(table, 55)
    await home.store.jobs.put(Job(JobKind.LOBBY_MESSAGE, NOON + HOUR, table.id))
    await table_message.update_lobby(home.services, table)
    assert 1 == len(await home.store.jobs.of_match(JobKind.LOBBY_MESSAGE, table.id))
    sent(home)
    for before, edited in ((None, []), (56, []), (55, ["PATCH /channels/2/messages/55"])):
        await table_message._note_shown(home.services, table, 56, before)
        assert (56, edited) == (table.row.lobby_message_id, [head for head, *_ in sent(home)])


async def test_the_host_removes_only_the_one_who_is_still_in_the_seat(desk: Desk) -> None:
    table = await lobby(desk.home)
    late = [["new private", "Somebody has left in the meantime. Tap **Remove** again to see who is there."]]
    for seat, who in ((1, CARO), (2, GUEST), (0, GUEST)):
        assert late == await desk.tap(HOST, f"unseat:{table.id}:{seat}:{who}")
    assert (HOST, GUEST) == table.people
    await choose(desk.home, log=9)
    assert [["edit", "Done."]] == await desk.tap(HOST, f"unseat:{table.id}:1:{GUEST}")
    assert await removals(desk.home) == [], "only moderators answer for it"
    await desk.home.services.joining.join(table, SeatHolder(GUEST, name="Ben", interaction_id=3))
    moderator = discord.Permissions(manage_messages=True)
    assert [["edit", "Done."]] == await desk.tap(EVA, f"unseat:{table.id}:1:{GUEST}", permissions=moderator)
    assert [(EVA, f"**Toll**, <#{CHANNEL}>: <@{EVA}> removed <@{GUEST}>")] == await removals(desk.home)
    assert (HOST,) == table.people


async def test_the_present_character_of_a_computer_is_marked(desk: Desk) -> None:
    table = await lobby(desk.home, ANA, SeatHolder(computer="fair"), SeatHolder(computer="strong"))
    ((_, *lines),) = await desk.tap(HOST, f"computers:{table.id}:0:")
    first, second = (table.say(table.person(Seat(n))) for n in (1, 2))
    outline = ["### Computers at this table", first, ": cast 1", second, ": cast 2"]
    assert outline == [line for line in lines if not line.startswith("  ")]
    assert ["  *fair", "  *strong"] == [line.partition(" M")[0].partition(" C")[0] for line in lines if "  *" in line]


async def test_the_form_for_a_start_time_names_the_time_zone_which_is_asked_for_once(desk: Desk) -> None:
    table = await lobby(desk.home)
    form = ["form", "Start time", f"cf:startat:{table.id}:0:", "8 PM · tomorrow 8 PM · 2026-06-04 7:30 PM? = "]
    about = "In the time zone UTC. Leave it empty to start the game by hand."
    assert [[*form, about]] == await desk.tap(HOST, f"askstart:{table.id}:0:")
    answer, question = await desk.tap(HOST, f"startat:{table.id}:0:", "tomorrow 8 PM")
    assert ["edit", "The game starts on <t:1780430400:F>, if enough people are here then."] == answer
    assert ["new private", ZONE_QUESTION, "[Set my time zone zone alone]"] == question
    assert ["<@70> has set the start of **Toll** to <t:1780430400:F>."] == sent(desk.home)[0][1:]
    assert [answer] == await desk.tap(HOST, f"startat:{table.id}:0:", "tomorrow 8 PM")
    assert [] == sent(desk.home), "it was that already"
    assert [[*form[:3], f"{form[3]}2026-06-02 8 PM", about]] == await desk.tap(HOST, f"askstart:{table.id}:0:")
    assert [["edit", "The table has no start time."]] == await desk.tap(HOST, f"startat:{table.id}:0:", "")
    assert table.row.starts_at is None


async def test_a_full_table_whose_options_do_not_allow_its_seats_says_so_and_keeps_the_new_player(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await lobby(desk.home, when_full=True)

    async def start(*_: Any) -> None:
        raise SetupError("seats", Text("Not with three."))

    monkeypatch.setattr(desk.home.services.moves, "start", start)
    desk.home.let_make_events()
    desk.home.add_channel(CHANNEL)
    ((_, *lines), refusal) = await desk.tap(CARO, f"join:{table.id}:0:", message=PUBLIC)
    assert (["new private", "Not with three."], Status.LOBBY) == (refusal, table.row.status)
    assert "[Start start]" in lines, "nobody is asked whether they are ready"
    assert (HOST, GUEST, CARO) == table.people


async def test_only_those_who_sit_at_a_table_start_its_game(desk: Desk) -> None:
    table = await lobby(desk.home)
    desk.home.let_make_events()
    desk.home.add_channel(CHANNEL)
    ((how, *_),) = await desk.tap(CARO, f"start:{table.id}:0:", message=PUBLIC)
    assert ("new private", Status.LOBBY) == (how, table.row.status)
    await choose(desk.home, roles=(99,))
    ((how, refusal),) = await desk.tap(GUEST, f"start:{table.id}:0:", message=PUBLIC)
    assert ("new private", Status.LOBBY, True) == (how, table.row.status, "roles that could start games" in refusal)
    await choose(desk.home, roles=())
    await desk.tap(GUEST, f"start:{table.id}:0:", message=PUBLIC)
    assert Status.RUNNING is table.row.status


async def test_too_few_players_and_an_option_for_an_empty_seat_are_refused_with_the_reason(desk: Desk) -> None:
    table = await desk.home.lobby(game="muscat")
    desk.home.let_make_events()
    desk.home.add_channel(CHANNEL)
    refused = [["new private", "Muscat is for 3 to 5 players, not for 2."]]
    assert refused == await desk.tap(HOST, f"start:{table.id}:0:", message=PUBLIC)
    assert refused == await desk.command(HOST, starting.start)
    yellow = [["new private", "Green cannot begin: the players are Red, Blue and Yellow."]]
    number = [field.name for field in dataclasses.fields(table.spec.options)].index("start_player")
    assert yellow == await desk.tap(HOST, f"option:{table.id}:{number}:start_player", "3")
    assert (Status.LOBBY, {}) == (table.row.status, table.row.options)


async def test_seats_are_offered_in_a_game_and_its_start_is_put_into_a_calendar_before_it(desk: Desk) -> None:
    table = await lobby(desk.home, starts_at=NOON + HOUR)
    waits = [["new private", "The game hasn’t started yet. Tap **Start** when everyone is here."]]
    for user_id in (HOST, CARO):
        assert waits == await desk.command(user_id, substitutes.offer)
    ((how, *_),) = await desk.tap(GUEST, f"calendar:{table.id}:0:", message=PUBLIC)
    assert ("new private", ["game.ics"]) == (how, [file.filename for file in desk.files])
    await desk.home.services.moves.start(table, 4711)
    begun = [["new private", "This game has already begun."]]
    assert begun == await desk.tap(GUEST, f"calendar:{table.id}:0:", message=PUBLIC)
    assert begun == await desk.tap(HOST, f"optionpage:{table.id}:0:0")
    assert begun == await desk.tap(HOST, f"startat:{table.id}:0:", "")
    for user_id, control in ((CARO, "join"), (HOST, "add"), (HOST, "start")):
        assert begun == await desk.tap(user_id, f"{control}:{table.id}:0:", message=PUBLIC), control


async def test_an_old_button_to_leave_does_not_resign_from_a_game_and_a_broken_game_cannot_be_left(desk: Desk) -> None:
    table = await desk.home.posted()
    begun = "The game has begun. If you use `/game leave`, a computer takes over your seat."
    assert [["new private", begun]] == await desk.tap(GUEST, f"leave:{table.id}:0:")
    ((how, question, *_),) = await desk.command(GUEST, table_buttons.leave)
    assert ("new private", "Leave this game? A computer will take over your seat.") == (how, question)
    table.problem = Text("Its record is damaged.")
    for user_id, command in ((GUEST, table_buttons.leave), (CARO, substitutes.join)):
        assert [["new private", "Its record is damaged."]] == await desk.command(user_id, command)


async def test_after_the_last_player_the_channel_is_told_what_the_closed_game_did_to_ratings(desk: Desk) -> None:
    home = desk.home
    table = await home.posted()
    for user_id, coins in ((HOST, 0), (GUEST, 3)):
        await home.services.moves.play(table, user_id, Bid(coins), interaction_id=user_id, version=None)
    returns = " You can return with `/game join` as long as nobody has taken your seat."
    for user_id, more in ((HOST, returns), (GUEST, "")):
        sent(home)
        assert [["edit", f"Done. Thanks for playing.{more}"]] == await desk.tap(user_id, f"resign:{table.id}:0:")
        assert GUEST == table.row.host_id
    assert [
        ["🟦 <@71> has left the game; a computer takes over the seat."],
        [
            "Nobody is left at this **Sealed Bids** table, so it is closed.",
            "-# Rating: 🟦 Ben placement game 1 of 5 · 🔴 Ana placement game 1 of 5",
        ],
    ] == [lines for _, *lines in sent(home)]


async def test_a_seat_is_freed_only_in_lobbies_that_their_people_set_up(home: House) -> None:
    """A league has committed its players, a game goes on, and a broken table stays as it is."""
    table, broken = await home.lobby(), await home.lobby(3)
    broken.problem = Text("Its record is damaged.")
    await home.posted(4)
    await home.services.lobbies.open_for(table.spec, table.row.holders, guild_id=GUILD, channel_id=5, options={})
    over, resigned_table = await home.posted(6), await home.posted(8)
    await home.services.seats.end(over, at=NOON)
    await home.services.moves.play(resigned_table, GUEST, Bid(1), interaction_id=1, version=None)
    await home.services.seats.resign(resigned_table, GUEST)
    assert 4 == len(await home.store.user_data.open_games(GUEST))
    assert [table] == await lobbies_of(home.services, GUEST)


async def test_a_table_closed_by_a_tap_on_its_message_is_not_shown_there_again(desk: Desk) -> None:
    table = await lobby(desk.home, ANA, SeatHolder(computer="fair"))
    await desk.home.services.lobbies.note_lobby_message(table, PUBLIC.id)
    ((how, *lines),) = await desk.tap(HOST, f"leave:{table.id}:0:", message=PUBLIC)
    assert ("edit", "Everyone has left; the channel is free again.") == (how, lines[1])
    assert await desk.home.store.jobs.find(JobKind.LOBBY_MESSAGE, table.id) is None


HOSTS = {
    **{"options::": "", "optionpage::0": "", "preset:0:": "", "full::": "", "check::": "", "rated::": ""},
    **{"option::road": "1", "hints::": "yes", "askstart::": "", "startat::": "8 PM", "invite::": "", "guests::": "72"},
    **{
        "admits::": "request",
        "pace::": "none",
        "computers::": "",
        "cast:2:": "easy",
        "remove::": "",
        "unseat:1:71": "",
    },
    **{"letin::72": "", "decline::72": "", "notyet::": "", "askend::": "", "end::": "", "endwhy::": ""},
}
"""The controls of the host: kind, version and text -> the chosen or typed value."""


async def test_only_the_host_uses_the_controls_of_the_host(desk: Desk) -> None:
    table = await lobby(desk.home, ANA, BEN, SeatHolder(computer="fair"), admits=Admission.REQUEST)
    before = table.row
    refusal = f"Only the host, <@{HOST}>, or a moderator can do that."
    for control, value in HOSTS.items():
        kind, version, text = control.split(":")
        for user_id in (GUEST, CARO):
            assert [["new private", refusal]] == await desk.tap(
                user_id, f"{kind}:{table.id}:{version or 0}:{text}", *([value] if value else [])
            ), control
    assert (before, [], None) == (table.row, sent(desk.home), table.row.starts_at)


async def test_the_host_chooses_only_characters_for_people(desk: Desk) -> None:
    table = await lobby(desk.home, ANA, BEN, SeatHolder(computer="fair"))
    for seat, character in ((2, "uniform"), (1, "easy"), (9, "easy")):
        (answer,) = await desk.tap(HOST, f"cast:{table.id}:{seat}:", character)
        assert ["new private", "That computer is no longer at this table."] == answer
    await desk.tap(HOST, f"cast:{table.id}:2:", "easy")
    assert "easy" == table.row.holders[2].computer
    await desk.home.services.moves.start(table, 4711)
    await desk.home.services.poster.post(table)
    sent(desk.home)
    await desk.tap(HOST, f"cast:{table.id}:2:", "fair")
    await asyncio.gather(*desk.home.services.poster._under_way)
    assert [f"PATCH /channels/{CHANNEL}/messages/555"] == [line for line, *_ in sent(desk.home)], "on its board"
    assert "fair" == table.row.holders[2].computer


async def test_a_table_that_is_kept_open_says_until_when(desk: Desk) -> None:
    table = await lobby(desk.home)
    desk.home.time.now += HOUR
    ((_, *lines),) = await desk.tap(GUEST, f"keep:{table.id}:0:")
    until = int((NOON + HOUR + DAY).timestamp())
    notice = f"<@{GUEST}> is keeping this **Toll** table open."
    assert [notice, f"-# If nothing changes, it closes on <t:{until}:f>."] == lines[:2]


async def test_only_those_who_sit_at_a_table_change_its_seats(desk: Desk) -> None:
    table = await lobby(desk.home)
    for control in ("add", "shuffle"):
        ((how, refusal),) = await desk.tap(CARO, f"{control}:{table.id}:0:", message=PUBLIC)
        assert ("new private", "You haven’t joined this table yet. Tap **Join** first.") == (how, refusal), control
    assert (ANA, BEN) == table.row.holders


async def test_a_new_table_without_a_start_time_has_one_answer_and_the_pace_of_its_server_if_that_still_exists(
    desk: Desk,
) -> None:
    home = desk.home
    home.let_make_events()
    home.add_channel(CHANNEL)
    for pace, expected in (("gone", ("", False)), ("brisk-firm", ("brisk", True))):
        home.services.servers._remember(GUILD, GuildSettings(pace=pace))
        ((how, *lines),) = await desk.command(HOST, new_table.new, title="toll")
        assert ("new", TOLL, IN_LOBBY) == (how, lines[:3], lines[-4:])
        assert NEEDED == lines[-5], "no note"
        table = await home.services.tables.at(CHANNEL)
        assert expected == (table.row.pace, table.row.firm)
        await home.services.seats.end(table, at=NOON)


async def test_a_table_for_others_than_there_are_gets_no_thread(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with_threads(desk.home)
    monkeypatch.setattr(desk.home.services.channels, "open_thread", refuse_thread)
    ((how, _),) = await desk.command(HOST, new_table.new, title="toll", where="thread", join="strangers")
    assert ("new private", []) == (how, sent(desk.home))


async def test_beside_a_running_game_a_new_table_is_refused_whether_or_not_the_first_message_is_there(
    desk: Desk,
) -> None:
    desk.home.let_make_events()
    desk.home.add_channel(CHANNEL)
    await desk.home.posted()
    refusal = (
        "This channel already has a game of Sealed Bids. Finish it, end it with `/table end`, or start another one in "
        "its own thread: `/table new` with `where`."
    )
    assert [["new private", refusal]] == await desk.command(HOST, new_table.new, title="toll")


async def test_a_new_table_has_all_that_its_host_wishes_and_warms_up_its_pictures(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, warm = desk.home, list[object]()

    async def warm_up(spec: object) -> None:
        warm.append(spec)

    monkeypatch.setattr(home.services.pictures, "warm_up", warm_up)
    home.let_make_events()
    home.add_channel(CHANNEL)
    guest: Any = SimpleNamespace(id=GUEST, bot=False)
    machine: Any = SimpleNamespace(id=5, bot=True)
    wishes = {"start": "tomorrow 8 PM", "join": Admission.REQUEST.value, "invite": guest, "invite5": machine}
    answer, question = await desk.command(HOST, new_table.new, title="toll", **wishes)
    assert (f"new @{GUEST}", "## Toll") == (answer[0], answer[1])
    assert ["new private", ZONE_QUESTION, "[Set my time zone zone alone]"] == question
    table = await home.services.tables.at(CHANNEL)
    assert (Admission.REQUEST, NOON + 32 * HOUR) == (table.row.admits, table.row.starts_at)
    assert [table.spec] == warm
    await home.services.seats.end(table, at=NOON)
    ((_, refused),) = await desk.command(HOST, new_table.new, title="toll", join="strangers")
    assert "strangers" not in refused
    assert await home.services.store.matches.open_in(CHANNEL) is None


THREADS = "POST /channels/{channel_id}/messages/{message_id}/threads"


def thread_data(thread_id: int) -> dict[str, Any]:
    """A thread in the channel, as Discord describes it."""
    archived = {"archived": False, "auto_archive_duration": 60, "archive_timestamp": NOON.isoformat()}
    counts = {"message_count": 0, "member_count": 1, "rate_limit_per_user": 0}
    place = {"id": str(thread_id), "parent_id": str(CHANNEL), "owner_id": "1", "name": "inside", "type": 11}
    return {**place, **counts, "thread_metadata": archived}


def with_threads(home: House) -> discord.Thread:
    """Let the bot open threads in the channel. Returns one that exists."""
    home.network.answers[THREADS] = thread_data(88)
    home.let_make_events()
    home.add_channel(CHANNEL)
    guild: Any = home.services.channels.server(GUILD)
    return discord.Thread(guild=guild, state=guild._state, data=thread_data(3))  # type: ignore[arg-type]


async def refuse_thread(*_: Any) -> int:
    raise refusal(400, 160006)


TOLL = ["## Toll", "Walk the road; at every gate your neighbor may take a coin.", ""]
SET_UP = ["new", "<@{host}> has set up a **Toll** table.", f"-# {TOLL[1]}"]
IN_LOBBY = ["[Join join]", "(Start start)", "[Add computer add]", "[More more]"]
NEEDED = "-# 2 to 3 players. 1 more needed."
NO_THREAD = "-# Discord didn’t open a thread for this game, so the table is here."


async def test_a_table_in_a_thread_is_announced_in_the_channel_and_calls_its_host_and_guests_inside(desk: Desk) -> None:
    home = desk.home
    thread = with_threads(home)
    guest: Any = SimpleNamespace(id=GUEST, bot=False)
    wishes = {"title": "toll", "where": "thread", "invite": guest, "join": Admission.REQUEST.value}
    announcement = [line.format(host=HOST) for line in SET_UP]
    assert [announcement] == await desk.command(HOST, new_table.new, **wishes)
    (opening, name), (head, *lines) = home.network.bodies[0], sent(home)[1]
    assert ("POST /channels/2/messages/88/threads", "Toll with Ana") == (opening, name["name"])
    assert (f"POST /channels/88/messages @{HOST} @{GUEST}", TOLL) == (head, lines[:3])
    terms = ["-# 🔑 On request: the host lets people in.", f"-# Invited: <@{GUEST}>"]
    assert ["🔴 <@70> · host", "🟦 Blue: free", "-# ⏳ 24 hours per turn", *terms] == lines[3:8]
    assert [NEEDED, "[Ask to join join]", *IN_LOBBY[1:]] == lines[9:]
    row = (await home.services.tables.at(88)).row
    network, home.network.bodies = home.network, []
    await desk.command(75, new_table.new, **wishes, user=SimpleNamespace(id=75, display_name="\u200b", _roles=()))
    assert "Toll" == network.bodies[0][1]["name"], "an invisible name is left out"
    sent(home)
    assert (GUILD, CHANNEL, True, 555) == (row.guild_id, row.parent_id, row.own_thread, row.lobby_message_id)
    ((how, *lines),) = await desk.command(GUEST, new_table.new, **wishes, channel=thread, channel_id=3)
    assert ("new", TOLL, []) == (how, lines[:3], sent(home)), "a thread has no threads"
    row = (await home.services.tables.at(3)).row
    assert (GUILD, CHANNEL, False) == (row.guild_id, row.parent_id, row.own_thread)


async def test_without_a_thread_the_table_is_in_the_channel_or_its_announcement_says_that_there_is_none(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_threads(desk.home)
    monkeypatch.setattr(desk.home.services.channels, "open_thread", refuse_thread)
    wishes = {"title": "toll", "where": "thread", "invite": SimpleNamespace(id=CARO, bot=False)}
    announcement = [line.format(host=GUEST) for line in SET_UP]
    answers = await desk.command(GUEST, new_table.new, **wishes)
    assert [announcement, ["new private", NO_THREAD]] == answers
    (head, *lines), pointer = sent(desk.home)
    assert (f"POST /channels/2/messages @{CARO}", TOLL) == (head, lines[:3])
    assert ["🔴 <@71> · host", "🟦 Blue: free", "-# ⏳ 24 hours per turn", f"-# Invited: <@{CARO}>"] == lines[3:7]
    assert [NEEDED, NO_THREAD, *IN_LOBBY] == lines[8:]
    assert ["PATCH /channels/2/messages/88", "-# This table is further down now."] == pointer
    refusal = ["new private", "There’s already a Toll table here, and you’re at it."]
    assert [announcement, refusal] == await desk.command(GUEST, new_table.new, **wishes)
    none = "-# Discord didn’t open a thread, so no table was set up."
    assert [["PATCH /channels/2/messages/88", none]] == sent(desk.home)


TAKEN = [["new private", "There’s already a Toll table here, and you’re at it."]]


async def test_a_first_game_in_a_busy_channel_begins_in_a_thread_or_is_refused_with_the_reason(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = desk.home
    thread = with_threads(home)
    await lobby(home)
    learns = ["POST /channels/2/messages", "<@70> is practicing **Toll**."]
    begun = "-# Your first game of Toll has begun in <#555>. You’ll get advice along the way, each idea once."
    assert [["new private", begun]] == await desk.tap(HOST, "learn:0:0:toll")
    assert (await preferences_of(home.store.settings, HOST)).coached
    announcement, opening, (head, *_, more) = sent(home)
    assert (learns, ["POST /channels/2/messages/555/threads"]) == (announcement, opening)
    assert ("POST /channels/555/messages @70", "[More boardmore") == (head, more.rsplit(" ", 1)[0])
    row = (await home.services.tables.at(555)).row
    assert (GUILD, CHANNEL, True, HOST) == (row.guild_id, row.parent_id, row.own_thread, row.host_id)
    assert [HOST, None] == [holder.user_id for holder in row.holders]
    for place in ({"guild": None, "guild_id": None}, {"channel": thread}):
        assert (TAKEN, []) == (await desk.tap(HOST, "learn:0:0:toll", **place), sent(home)), "no thread can be opened"
    monkeypatch.setattr(home.services.channels, "open_thread", refuse_thread)
    assert TAKEN == await desk.tap(HOST, "learn:0:0:toll")
    assert [learns, ["PATCH /channels/2/messages/555", "-# No table was set up here after all."]] == sent(home)


@pytest.mark.parametrize("where", ["here", "thread"])
async def test_a_table_in_a_direct_message_has_no_thread_guests_or_admission(desk: Desk, where: str) -> None:
    guest: Any = SimpleNamespace(id=GUEST, bot=False)
    wishes = {"where": where, "join": Admission.INVITATION.value, "invite": guest}
    place = {"guild_id": None, "guild": None}
    ((how, *lines), *_) = await desk.command(HOST, new_table.new, title="toll", **wishes, **place)
    assert "new" == how, "nobody is mentioned"
    table = await desk.home.services.tables.at(CHANNEL)
    row = table.row
    assert (NO_SERVER, Admission.ANYONE, False, False) == (row.guild_id, row.admits, row.own_thread, row.rated)
    assert ({}, None) == (table.invited, row.parent_id)
    assert 1 == sum(line.startswith("-# Here you play against computers. To play with friends, ") for line in lines)


async def test_each_game_to_learn_has_a_button_with_its_emoji(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    emojis = SimpleNamespace(of=lambda name: discord.PartialEmoji(name=f"its_{name}", id=5))
    monkeypatch.setattr(new_table, "current_emojis", lambda: emojis)
    (*_, rows) = new_table._learnable_layout(discover().values()).to_components()
    assert [f"its_{game_emblem(slug)}" for slug in discover()][-1] == rows["components"][-1]["emoji"]["name"]


async def test_a_file_that_is_too_large_is_not_even_read(desk: Desk) -> None:
    file = SimpleNamespace(size=practice.MAX_BYTES + 1)
    ((how, refusal),) = await desk.command(HOST, practice.continue_from, file=file)
    assert ("new private", str(practice.TOO_LARGE)) == (how, refusal)


@pytest.mark.parametrize(
    ("names", "due", "seat"), [(("Ben", "Ana"), [0], 1), (("Ben", "Eva"), [1], 1), (("Ben",), [], 0)]
)
def test_a_saved_game_is_continued_in_the_own_seat_or_in_the_one_that_is_due(
    names: tuple[str, ...], due: list[int], seat: int
) -> None:
    state = SimpleNamespace(decisions=lambda: [SimpleNamespace(seat=Seat(n)) for n in due])
    response: Any = SimpleNamespace(
        interaction=SimpleNamespace(id=1, user=SimpleNamespace(id=HOST, display_name="Ana"))
    )
    record: Any = SimpleNamespace(names=names)
    match: Any = SimpleNamespace(state=state)
    assert seat == practice._seat(record, match, response)


def test_the_form_to_end_a_game_has_a_title_that_discord_accepts() -> None:
    table = table_of(replace(TOYS["toll"], title="T" * 60), 2)
    assert "End " + "T" * 41 == str(reason_form(end.id(table), table).title)


async def test_a_reason_is_cut_to_the_length_that_is_stored(desk: Desk) -> None:
    table = await lobby(desk.home)
    await desk.tap(HOST, f"end:{table.id}:0:", "x", "y" * MAX_WORDS_LENGTH)
    assert [["**Toll** was called off by <@70>.", "> x " + "y" * (MAX_WORDS_LENGTH - 2)]] == [
        lines for _, *lines in sent(desk.home)
    ]


async def test_an_offer_in_a_league_is_for_players_without_a_table(home: House) -> None:
    season, table = await stored_season(home, begun=True), await home.posted()
    assert () == await substitutes._rules(home.services, table)
    await home.store.leagues.note_table(season.league.id, season.tables[0], match_id=table.id)
    assert (substitutes.OF_LEAGUE,) == await substitutes._rules(home.services, table)


async def test_a_request_whose_message_is_not_known_is_answered_without_it(desk: Desk) -> None:
    table = await lobby(desk.home, ANA, admits=Admission.REQUEST)
    for user_id, control in ((GUEST, "letin"), (CARO, "decline")):
        await desk.home.services.joining.ask(table, SeatHolder(user_id, name="Dan"))
        ((how, *_), *_) = await desk.tap(HOST, f"{control}:{table.id}:0:{user_id}")
        assert ("edit", []) == (how, [lines[0] for lines in sent(desk.home) if "PATCH" in lines[0]])
    assert (HOST, GUEST) == table.people


async def test_a_lost_table_is_shown_again_and_one_that_is_there_or_running_refuses_another(desk: Desk) -> None:
    with_threads(desk.home)
    table = await lobby(desk.home)
    ((how, *lines),) = await desk.command(GUEST, new_table.new, title="toll")
    again = "-# The message of this table was lost; this one takes its place."
    assert ("new", TOLL, again, 88) == (how, lines[:3], lines[-5], table.row.lobby_message_id)
    assert TAKEN == await desk.command(GUEST, new_table.new, title="toll")
    assert ["PATCH /channels/2/messages/88"] == [head for head, *_ in sent(desk.home)]
    for user_id in table.people:
        await desk.home.services.lobbies.note_ready(table, user_id, asked=False)
    await desk.home.services.moves.start(table, 4711)
    ((how, refused),) = await desk.command(GUEST, new_table.new, title="toll")
    assert ("new private", "This channel already has a game of Toll. Finish it, end it with `/table end`") == (
        how,
        refused.partition(", or")[0],
    )


async def test_a_server_limits_its_tables_and_those_of_a_person_but_not_those_of_moderators(desk: Desk) -> None:
    home = desk.home
    with_threads(home)
    await lobby(home)
    for channel_id in (3, 4, 5):
        home.add_channel(channel_id)
    full = "This server allows 1 game at a time, and that limit is reached."
    hosting = "You’re hosting 1 game in this server, which is the limit for one person."
    for settings, user_id, limit in (({"most": 1}, GUEST, full), ({"hosted": 1}, HOST, hosting)):
        await choose(home, **{"most": 9, "hosted": 9, **settings})
        for where in ("here", "thread"):
            answer = await desk.command(user_id, new_table.new, title="toll", where=where, channel_id=3)
            assert [["new private", limit]] == [[how, words.partition(" One of")[0]] for how, words in answer]
    assert not any("threads" in request for request in home.network.accepted), "no thread without a table"
    ((how, *_),) = await desk.command(GUEST, new_table.new, title="toll", channel_id=4)
    assert "new" == how, "Ben hosts none"
    ((how, *_),) = await desk.command(HOST, new_table.new, title="toll", channel_id=5, moderates=True)
    assert "new" == how
    await home.store.bars.put(GUILD, GUEST, "Ben", "Rude", NOON, None)
    ((how, barred, *_),) = await desk.command(GUEST, new_table.new, title="toll", channel_id=6)
    assert ("new private", True) == (how, "barred you" in barred)


@pytest.mark.parametrize(("game", "pages"), [("toll", 1), ("sealed", 1), ("gangs", 3), ("muscat", 4)])
async def test_the_pages_of_the_options_have_each_option_once_and_the_last_one_those_of_the_table(
    desk: Desk, game: str, pages: int
) -> None:
    table = await desk.home.lobby(game=game)
    screens = [(await desk.tap(HOST, f"optionpage:{table.id}:0:{page}"))[0] for page in range(pages + 2)]
    assert [*range(pages), pages - 1, pages - 1] == [screens.index(page) for page in screens]
    menus = [re.findall(r": option(?: \d+)? (\w+)", "\n".join(page)) for page in screens[:pages]]
    assert [field.name for field in dataclasses.fields(table.spec.options)] == [name for page in menus for name in page]
    assert (max(map(len, menus)) <= 3, len(menus[0]) <= 1 or not table.spec.presets) == (True, True)
    assert [False] * (pages - 1) + [True] == ["[✓ Rated rated]" in page for page in screens[:pages]]
    buttons = [[line for line in page if "optionpage" in line] for page in screens[:pages]]
    assert [[n] if pages > 1 else [] for n in range(pages)] == [
        [n for n, button in enumerate(line) if button.startswith("(")] for line in buttons
    ]


async def test_the_host_ends_a_table_or_a_game_in_its_own_words_after_a_question(desk: Desk) -> None:
    table, game = await lobby(desk.home), await desk.home.posted(9)
    close = ["[Close the table end]", "[Close it and say why endwhy]", "[Cancel close]"]
    lines = ["edit", "Close this table for everyone?", *close]
    assert [lines] == await desk.tap(HOST, f"askend:{table.id}:0:")
    end_it = ["[End it end]", "[End it and say why endwhy]", "[Cancel close]"]
    question = "End this game for everyone? Its log is kept, but it can’t be continued."
    warning = "⚠️ This game is rated, but if you end it now, it won’t count."
    lines = ["edit", question, warning, *end_it]
    assert [lines] == await desk.tap(HOST, f"askend:{game.id}:0:", channel_id=9)
    form = ["form", "End Sealed Bids", f"cf:end:{game.id}:0:", "? = "]
    about = "Everyone in the channel can read it, and it’s kept with the game."
    assert [[*form, about]] == await desk.tap(HOST, f"endwhy:{game.id}:0:", channel_id=9)
    none = "There is no computer at this table. **Add computer** adds one before the game begins."
    assert [["new private", none]] == await desk.tap(HOST, f"computers:{table.id}:0:")
    broken = await lobby(desk.home, channel_id=3)
    for number, one in enumerate((table, game, broken), 55):
        await desk.home.services.lobbies.note_lobby_message(one, number)
    broken.problem = Text("Its record is damaged.")
    sent(desk.home)
    for one, edited in ((table, [f"PATCH /channels/{CHANNEL}/messages/55"]), (game, []), (broken, [])):
        place = one.row.channel_id
        assert [["edit", "Done."]] == await desk.tap(HOST, f"end:{one.id}:0:", channel_id=place)
        (head, notice), *others = sent(desk.home)
        words = f"**{one.title}** was called off by <@{HOST}>."
        assert (f"POST /channels/{place}/messages", words, edited) == (head, notice, [line for line, *_ in others])


async def test_a_game_that_cannot_be_read_is_ended_without_a_warning_and_keeps_its_players(desk: Desk) -> None:
    table = await desk.home.posted()
    with pytest.raises(UserError, match="already begun"):
        await desk.home.services.lobbies.change_holders(table, lambda holders: holders[:1])
    with pytest.raises(UserError, match="already begun"):
        await desk.home.services.lobbies.set_options(table, {})
    table.match, table.problem = None, Text("Its record is damaged.")
    ((how, question, *_),) = await desk.tap(HOST, f"askend:{table.id}:0:")
    ends = "End this game for everyone? Its log is kept, but it can’t be continued."
    assert ("edit", ends, (HOST, GUEST)) == (how, question, table.people)


async def test_who_joins_by_a_command_updates_the_table_or_brings_a_lost_one_back(desk: Desk) -> None:
    table = await lobby(desk.home, ANA)
    desk.home.let_make_events()
    desk.home.add_channel(CHANNEL)
    joined = [["new private", "You’re in. Tap **Start** when everyone is here."]]
    again = "-# The message of this table was lost; this one takes its place."
    for user_id, request, is_lost in ((GUEST, "POST /channels/2/messages", True), (CARO, "PATCH", False)):
        assert joined == await desk.command(user_id, substitutes.join)
        ((head, *lines),) = sent(desk.home)
        assert (True, is_lost, 555) == (head.startswith(request), again in lines, table.row.lobby_message_id)
    game = await desk.home.posted(9)
    for user_id, answer in (
        (HOST, "You’re already in this game."),
        (CARO, "This game has already begun, and none of its seats was yours."),
    ):
        assert [["new private", answer]] == await desk.command(user_id, substitutes.join, channel_id=9)
    assert (HOST, GUEST) == game.people


async def test_a_lobby_names_the_preset_of_its_options_or_the_options_one_by_one(home: House) -> None:
    preset = discover()["gangs"].presets[2]
    for n, (options, words) in enumerate(
        ((preset.options, str(preset.about)), ({"trading": True, "sell_to_bank": "anytime"}, " · "))
    ):
        table = await home.lobby(20 + n, game="gangs", options=dict(options))
        lines = whole(lobby_layout(table))
        assert (words in lines[5], words == lines[5].removeprefix("-# ")) == (True, n == 0), lines


def gone(user_id: int, title: str, what: str) -> list[list[str]]:
    """The requests of a direct message about a deleted channel."""
    text = f"The channel of your **{title}** game was deleted, so {what}."
    return [[f"POST /users/@me/channels to {user_id}"], ["POST /direct/messages", text]]


async def test_a_deleted_channel_closes_its_tables_and_tells_each_host_and_player_once(home: House) -> None:
    table, game, other = await lobby(home), await home.posted(9, parent_id=CHANNEL), await home.posted(11)
    unknown = await home.posted(12)
    home.add_channel(11)
    sent(home)
    jobs = home.store.jobs
    await deleted_channels.check_channel(home.services, CHANNEL)
    for one, job in ((table, True), (game, True), (other, False), (unknown, False)):
        expected = [Job(JobKind.CHANNEL_CHECK, NOON, one.id, guild_id=GUILD)] if job else []
        assert expected == await jobs.of_match(JobKind.CHANNEL_CHECK, one.id)
    guild = home.services.channels.server(GUILD)
    assert guild is not None
    await deleted_channels.check_server(home.services, guild)
    checked = [one for one in (other, unknown) if await jobs.of_match(JobKind.CHANNEL_CHECK, one.id)]
    assert [unknown] == checked, "the server lists the other channel"
    home.network.bodies.clear()
    await deleted_channels.channel_deleted(home.services, CHANNEL)
    nonces = [body.get("nonce") for address, body in home.network.bodies if "messages" in address]
    assert ["gone-1-0", "gone-1-1", "gone-2-0", "gone-2-1"] == nonces
    closed = "the table is closed", "the game was called off; its log is kept"
    closings = [("Toll", closed[0]), ("Sealed Bids", closed[1])]
    assert [line for closing in closings for user_id in (HOST, GUEST) for line in gone(user_id, *closing)] == sent(home)
    assert [Status.CLOSED, Status.ENDED, Status.RUNNING] == [each.row.status for each in (table, game, other)]


async def test_a_player_who_has_given_up_still_loses_if_the_channel_is_deleted(home: House) -> None:
    table = await home.posted(9, parent_id=CHANNEL)
    await home.services.moves.play(table, GUEST, Bid(1), interaction_id=1, version=None)
    await home.services.seats.resign(table, GUEST)
    await deleted_channels.channel_deleted(home.services, CHANNEL)
    assert table.facts.results is not None
    owners = table.facts.results.owners
    assert [(GUEST, 2)] == [(lost.user_id, lost.place) for lost in owners.forfeits]
    assert [(HOST, 1)] == [(credit.user_id, credit.place) for credit in owners.credits if credit.user_id]


async def test_a_missing_channel_is_asked_for_once_more_after_an_outage_can_be_over(home: House) -> None:
    job, later = Job(JobKind.CHANNEL_CHECK, NOON, 1), NOON + deleted_channels.RECHECK_DELAY
    again = job.at(later, missing=time_of(NOON))
    assert again == deleted_channels.recheck_later(job, NOON)
    assert again == deleted_channels.recheck_later(again, NOON + HOUR)
    assert None is deleted_channels.recheck_later(again, later)
    assert later == getattr(deleted_channels.recheck_later(job.at(NOON, missing=True), NOON), "due_at", None)


async def test_each_option_is_stored_and_shown_on_its_page_and_in_the_lobby(desk: Desk) -> None:
    table = await desk.home.lobby(game="gangs")
    await desk.home.services.lobbies.note_lobby_message(table, 55)
    first, second, last = (
        f"(Options {n} optionpage {n - 1})" if n < 3 else "(Start and hints optionpage 2)" for n in (1, 2, 3)
    )
    presets = [dict(preset.options) for preset in table.spec.presets]
    changed = {"trading": True}
    for control, row, page, options in (
        ("option:1:1:trading", "1", second, changed),
        ("option:1:0:second_window", "1", first, {**changed, "second_window": True}),
        ("preset:1:2:", "", first, presets[2]),
        ("hints:1:0:", "yes", last, presets[2]),
        ("option:1:0:second_window", CURRENT_TEXT, first, presets[2]),
    ):
        ((how, *lines),) = await desk.tap(HOST, control, *([row] if row else []))
        assert ("edit", [page], options) == (how, [line for line in lines if line[0] == "("], table.row.options)
        kinds = [kind for line in lines for kind in ("preset", "option") if f" {kind} " in line]
        assert [kinds, kinds == []] == [sorted(kinds, reverse=True), page == last], "presets come first"
        assert ["PATCH /channels/2/messages/55"] == [head for head, *_ in sent(desk.home)]
    assert table.hints
    for control, row, words in (
        ("option:1:0:roof", "1", "This game no longer has this option."),
        ("option:1:1:trading", "9", "This option has no such choice."),
        ("preset:1:3:", "", "This game no longer has these options."),
        ("hints:1:0:", "perhaps", "This option has no such choice."),
    ):
        assert [["new private", words]] == await desk.tap(HOST, control, *([row] if row else []))
    assert (presets[2], True, []) == (table.row.options, table.hints, sent(desk.home))


async def test_the_five_people_of_a_command_are_invited_without_bots(desk: Desk) -> None:
    table = await lobby(desk.home)
    people = [SimpleNamespace(id=80 + n, bot=n == 1) for n in range(5)]
    named = dict(zip(("who", "who2", "who3", "who4", "who5"), people, strict=True))
    invited = [80, 82, 83, 84]
    *most, last = [f"<@{user_id}>" for user_id in invited]
    names = f"{', '.join(most)} and {last}"
    assert [["new private", f"Invited: {names}."]] == await desk.command(HOST, inviting.invite_named, **named)
    words = [
        f"{names}: <@{HOST}> invites you to a game of **Toll**.",
        f"-# {TOLL[1]}",
        "[Join accept]",
        "[Rules rules]",
    ]
    assert [[" ".join(["POST /channels/2/messages", *(f"@{n}" for n in invited)]), *words]] == sent(desk.home)
    assert dict.fromkeys(invited, NOON) == table.invited
    await desk.home.services.seats.end(table, at=NOON)
    desk.home.let_make_events()
    desk.home.add_channel(CHANNEL)
    wishes = dict(zip(("invite", "invite2", "invite3", "invite4", "invite5"), people, strict=True))
    ((how, *_),) = await desk.command(HOST, new_table.new, title="toll", **wishes)
    assert {"new", "@80", "@82", "@83", "@84"} == {*how.split()}


async def test_a_computer_takes_the_next_free_seat_and_one_who_leaves_frees_it(desk: Desk) -> None:
    table = await lobby(desk.home)
    await desk.home.services.lobbies.note_lobby_message(table, PUBLIC.id)
    ((how, *lines),) = await desk.tap(HOST, f"add:{table.id}:0:", message=PUBLIC)
    computer = SeatHolder(computer=desk.home.services.seats.computer)
    assert ("edit", "**🟨 Tumbleweed**", (ANA, BEN, computer)) == (how, lines[5], table.row.holders)
    full = [["new private", "The table is full: Toll is for at most 3 players."]]
    assert full == await desk.tap(HOST, f"add:{table.id}:0:", message=PUBLIC)
    sent(desk.home)
    await leave_lobby(desk.home.services, table, HOST)
    assert ((BEN, computer), GUEST) == (table.row.holders, table.row.host_id)
    ((head, *lines),) = sent(desk.home)
    assert ("PATCH /channels/2/messages/9", "🔴 <@71> · host", "**🟦 Tumbleweed**") == (head, lines[3], lines[4])
    unreadable = (
        "I don’t understand this time. Type it as in these examples: 8 PM · tomorrow 8 PM · 2026-06-04 7:30 PM. It "
        "must be within the next 30 days."
    )
    assert [["new private", unreadable]] == await desk.tap(GUEST, f"startat:{table.id}:0:", "soon")


async def test_an_offer_of_a_seat_takes_the_place_of_the_one_before(desk: Desk) -> None:
    people = SeatHolder(HOST, name="Ana"), SeatHolder(GUEST, name="Ben"), SeatHolder(computer="uniform")
    table = await desk.home.posted(9, *people)
    sent(desk.home)
    offer = ["**Who takes over in Sealed Bids?**", "🟨 Tumbleweed is a computer.", "[Take this seat take 2]"]
    newer = ["PATCH /channels/9/messages/88", "-# There’s a newer offer further down."]
    for requests in ([], [newer]):
        assert [["new", *offer]] == await desk.command(HOST, substitutes.offer, channel_id=9)
        assert (requests, {Seat(2)}, 88) == (sent(desk.home), table.offer.seats, table.offer.message_id)
    who = "Only the host, <@70>, a moderator, or the person who sat there can offer a seat."
    for user_id in (GUEST, CARO):
        assert [["new private", who]] == await desk.command(user_id, substitutes.offer, channel_id=9)


async def test_a_request_for_a_seat_is_put_to_the_host_and_shows_the_answer(desk: Desk) -> None:
    table = await lobby(desk.home, ANA, admits=Admission.REQUEST)
    await desk.home.services.lobbies.note_lobby_message(table, 55)
    desk.home.let_make_events()
    desk.home.add_channel(CHANNEL)
    acknowledgment = [["new private", "You’ve asked for a seat. You’ll see the host’s answer here."]]
    for user_id, answer, message in (
        (GUEST, ("letin", "<@71> is at the table now."), "<@71> is at the table now."),
        (CARO, ("decline", "The host has answered."), "-# The host has answered <@72>’s request."),
    ):
        assert acknowledgment == await desk.tap(user_id, f"join:{table.id}:0:", message=PUBLIC)
        question = f"<@70>: <@{user_id}> is asking to join your **Toll** table."
        ways = [f"[Let in letin {user_id}]", f"[Decline decline {user_id}]"]
        assert [["POST /channels/2/messages @70", question, *ways]] == sent(desk.home)
        again = [["new private", "You’ve asked for a seat. The host, <@70>, lets people in."]]
        assert (again, []) == (await desk.tap(user_id, f"join:{table.id}:0:", message=PUBLIC), sent(desk.home))
        kind, done = answer
        assert [["edit", done]] == await desk.tap(HOST, f"{kind}:{table.id}:0:{user_id}")
        edits = {head: lines for head, *lines in sent(desk.home)}
        assert [message] == edits.pop("PATCH /channels/2/messages/555")
        assert (["PATCH /channels/2/messages/55"] if kind == "letin" else []) == [*edits]
    assert (HOST, GUEST) == table.people
