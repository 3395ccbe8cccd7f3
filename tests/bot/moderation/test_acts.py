"""Acts of moderators: how they are stored, logged and announced to players, and refused to everyone else."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest

from bot.errors import UserError
from bot.features.admin import status
from bot.features.moderation import barring, doctor, games_overview, server_games, server_settings
from bot.store.bars import MAX_REASON
from bot.store.jobs import Job, JobKind
from bot.store.matches import SeatHolder, Status
from bot.store.undo_requests import UndoRequest
from bot.tables.guild_settings import USUAL
from bot.tables.moves import Moves
from bot.tables.overviews import overview_job
from bot.tables.scheduled_events import events_job
from bot.tables.table import Table
from engine.games import discover
from engine.texts import Seat, from_json
from tests.bot.desk import Desk, begin_games_meanwhile
from tests.bot.outcomes import choose, sent
from tests.bot.refusing import CHANNEL, DAY, GUEST, GUILD, HOST, NOON, House, refusal

EVA, LOG = 75, 4
REFUSED = [["new private", "This is for moderators: it needs the **Manage Server** permission."]]


@pytest.fixture
def home(home: House) -> House:
    home.let_make_events()
    for channel_id in (CHANNEL, LOG):
        home.add_channel(channel_id)
    return home


class Moderator(Desk):
    """Eva, who moderates."""

    async def taps(self, control: str, *values: str, **columns: Any) -> list[list[str]]:
        return await self.tap(EVA, control, *values, moderates=True, **columns)


@pytest.fixture
def eva(home: House) -> Moderator:
    return Moderator(home)


async def new_log_lines(home: House) -> list[tuple[int, str]]:
    """The lines of the log since the last look: their channels and words."""
    jobs = [job for job in await home.store.jobs.due(NOON + 99 * DAY) if job.kind is JobKind.MODERATION_LOG]
    for job in jobs:
        await home.store.jobs.drop(*job.key)
    lines = [(channel_id, str(from_json(line))) for job in jobs for channel_id, _, line in job.state["lines"]]
    return [(channel_id, line) for channel_id, line in lines if "luck sealed" not in line]


CONTROLS = (
    *("serversettings:0:0:", "moreserver:0:0:", "custom:0:0:calls", "defaults:0:0:", "defaultsof:0:0:", "games:0:0:"),
    *("default:0:0:muscat start", "defaultpage:0:0:muscat 0", "defaultset:0:0:muscat", "asusual:0:0:muscat"),
    *("ofserver:0:0:", "again:1:0:", "calloff:1:0:", "calledoff:1:0:", "unstick:1:0:", "handing:1:0:"),
    *("handover:1:0:71", "checkhere:0:0:", "checkall:0:0:", "bars:0:0:", "barwhom:0:0:", "liftbar:0:0:"),
)


async def test_only_moderators_use_the_controls_of_a_server(eva: Moderator) -> None:
    table = await eva.home.posted()
    for control in CONTROLS:
        for user_id in (HOST, 99):
            assert REFUSED == await eva.tap(user_id, control, "71"), control
    assert (Status.RUNNING, USUAL) == (table.row.status, await eva.home.services.servers.guild_settings(GUILD))
    for command in (
        server_settings.show_guild_settings,
        server_games.list_games,
        doctor.examine_server,
        barring.show,
    ):
        assert REFUSED == await eva.command(HOST, command)
        assert REFUSED != await eva.command(EVA, command, moderates=True)


VALUES: dict[str, tuple[tuple[str, ...], Any, str]] = {
    "log": ((str(LOG),), LOG, "Moderators’ log"),
    "channels": ((str(CHANNEL),), (CHANNEL,), "Where games may be started"),
    "contrast": ((str(CHANNEL),), (CHANNEL,), "High contrast"),
    "most": (("3",), 3, "How many at a time"),
    "hosted": (("0",), 0, "How many at a time for each host"),
    "pace": (("none",), "none", "Pace of new tables"),
    "rated": (("no",), False, "Ratings"),
    "archive": (("never",), "never", "Threads"),
    "calls": (("no",), False, "Mentions"),
    "overview": ((str(CHANNEL),), CHANNEL, "Overview"),
    "events": (("yes",), True, "Events"),
    "language": (("fr",), "fr", "Language"),
}
"""Settings: the rows that are chosen, the stored value, and its name in the log."""


async def test_each_setting_is_stored_logged_and_takes_effect_at_once(
    eva: Moderator, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, expected, retried = eva.home, asdict(USUAL), list[Job]()
    monkeypatch.setattr(home.services.worker, "retry_for_user", retried.append)
    for name, (rows, value, title) in VALUES.items():
        ((how, _, *_),) = await eva.taps(f"custom:0:0:{name}", *rows)
        expected[name] = value
        assert ("edit", expected) == (how, asdict(await home.services.servers.guild_settings(GUILD)))
        assert [(LOG, f"<@{EVA}> changed **{title}**")] == await new_log_lines(home)
        assert ([name] if name in ("overview", "events") else []) == [job.kind for job in retried]
        retried.clear()
        made = [overview_job(GUILD, NOON)] if name == "overview" else [events_job(GUILD, NOON)]
        jobs = [await home.store.jobs.find(kind, GUILD) for kind in (JobKind.OVERVIEW, JobKind.EVENTS)]
        assert (made if name in ("overview", "events") else []) == [job for job in jobs if job]
        await eva.taps(f"custom:0:0:{name}", *rows)
        assert [] == await new_log_lines(home), "no change"
        await home.store.jobs.drop(JobKind.OVERVIEW, GUILD)
        await home.store.jobs.drop(JobKind.EVENTS, GUILD)
    await eva.taps("custom:0:0:log", str(CHANNEL))
    # the language of the server: everyone reads the log
    lines = sorted(await new_log_lines(home))
    assert [CHANNEL, LOG] == [channel_id for channel_id, _ in lines]


async def test_the_settings_begin_with_their_first_page(eva: Moderator) -> None:
    ((_, *first),) = await eva.command(EVA, server_settings.show_guild_settings, moderates=True)
    for control, is_first in (("serversettings:0:0:", True), ("moreserver:0:0:", False)):
        ((_, *lines),) = await eva.taps(control)
        assert is_first == (first == lines)


async def test_the_options_of_a_game_are_chosen_by_option_or_preset_and_reset_alone(eva: Moderator) -> None:
    home = eva.home
    await choose(home, log=LOG, options={"jinns": {}})
    spec = discover()["gangs"]
    first, second = (dict(preset.options) for preset in spec.presets[:2])
    line = f"<@{EVA}> changed the default options of **{spec.name}**"
    for control, row, page, options in (
        ("default:0:1:gangs trading", "1", 1, {**first, "trading": True}),
        ("default:0:0:gangs second_window", "0", 0, {**first, "trading": True, "second_window": False}),
        ("defaultset:0:1:gangs", "", 0, second),
        ("asusual:0:0:gangs", "", 0, None),
    ):
        (answer,) = await eva.taps(control, *([row] if row else []))
        chosen = {"gangs": options} if options is not None else {}
        assert {"jinns": {}, **chosen} == dict((await home.services.servers.guild_settings(GUILD)).options)
        assert [(LOG, line)] == await new_log_lines(home)
        assert [answer] == await eva.taps(f"defaultpage:0:0:gangs {page}")


BEN = {"resolved": {"users": {str(GUEST): {"id": str(GUEST), "username": "ben", "global_name": "Ben"}}}}
SPANS = {"1": NOON + DAY, "3": NOON + 3 * DAY, "7": NOON + 7 * DAY, "30": NOON + 30 * DAY, "90": NOON + 90 * DAY}


def moment(at: datetime) -> str:
    return f"<t:{int(at.timestamp())}:f>"


async def test_a_bar_asks_for_span_and_reason_and_applies_at_once_in_this_server(eva: Moderator) -> None:
    home = eva.home
    await choose(home, log=LOG)
    running, lobby = await home.posted(), await home.lobby(9)
    assert [["new private", "You can’t bar yourself."]] == await eva.taps("barwhom:0:0:", str(EVA))
    assert [["new private", "I don’t know this person."]] == await eva.taps("barwhom:0:0:", "x")
    question = f"### How long should <@{GUEST}> be barred?"
    ((how, *lines),) = await eva.taps("barwhom:0:0:", str(GUEST), data=BEN)
    assert ("edit", [question, "Choose how long: barspan 71 Ben"]) == (how, lines[:2])
    about = "The person sees it when they try to play, and the moderators’ log shows it."
    form = ["form", "Bar a person", "cf:bar:0:7:71 Ben", "? = ", about]
    assert [form] == await eva.taps("barspan:0:0:71 Ben", "7")
    assert [["new private", "That choice is no longer available."]] == await eva.taps("bar:0:8:71 Ben", "")
    assert [["new private", "That choice is no longer available."]] == await eva.taps("barspan:0:0:71 Ben", "8")
    ((how, note, *lines),) = await eva.taps("bar:0:7:71 Ben", "late  *again*")
    assert ("edit", f"✓ <@{GUEST}> is barred.") == (how, note)
    assert f"* <@{GUEST}>, until {moment(SPANS['7'])}: late \\*again\\*" in lines
    line = f"<@{EVA}> barred <@{GUEST}> from games until {moment(SPANS['7'])}: “late \\*again\\*”"
    assert [(LOG, line)] == await new_log_lines(home)
    assert ((HOST, GUEST), (HOST,)) == (running.people, lobby.people)
    ((_, *lines),) = await eva.taps("barwhom:0:0:", str(GUEST), data=BEN)
    assert f"They’re barred until {moment(SPANS['7'])}; what you choose here replaces that." == lines[1]
    ((_, note, *lines),) = await eva.taps("bar:0:0:71 Ben", "")
    assert f"* <@{GUEST}>, until further notice" in lines
    assert [(LOG, f"<@{EVA}> barred <@{GUEST}> from games until further notice")] == await new_log_lines(home)
    digest = lines[-1].split()[0]
    assert [["new private", "This person is no longer barred."]] == await eva.taps("liftbar:0:0:", "x")
    ((_, note, *lines),) = await eva.taps("liftbar:0:0:", digest)
    assert (f"✓ <@{GUEST}> may play again.", "-# Nobody is barred.") == (note, lines[-2])
    assert [(LOG, f"<@{EVA}> lets <@{GUEST}> play again")] == await new_log_lines(home)
    await choose(home, log=0)
    await eva.taps("bar:0:1:71 Ben", "")
    assert [] == await new_log_lines(home)


async def test_a_bar_applies_even_if_a_game_of_its_person_begins_at_that_moment(
    eva: Moderator, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_games_meanwhile(monkeypatch, barring)
    await eva.home.lobby()
    ((how, note, *_),) = await eva.taps("bar:0:7:71 Ben", "")
    assert ("edit", f"✓ <@{GUEST}> is barred.") == (how, note)


async def test_a_bar_has_a_readable_name_the_beginning_of_its_reason_and_a_log_entry_by_its_moderator(
    eva: Moderator,
) -> None:
    home = eva.home
    await choose(home, log=LOG)
    await eva.taps("bar:0:7:71 Be\u200bn", "x" * MAX_REASON + " and more")
    (bar,) = await home.store.bars.in_server(GUILD, NOON)
    assert ("Ben", "x" * MAX_REASON) == (bar.name, bar.reason)
    (job,) = [job for job in await home.store.jobs.due(NOON + DAY) if job.kind is JobKind.MODERATION_LOG]
    assert EVA == job.user_id


async def test_the_list_of_games_has_faulty_ones_first_and_then_by_their_wait(eva: Moderator) -> None:
    home = eva.home
    assert [["new private", "There’s no game in this server. Set one up with `/table new`."]] == await eva.taps(
        "games:0:0:"
    )
    for channel_id in (5, 6, 7):
        home.add_channel(channel_id)
    lobby, running = await home.lobby(5), await home.posted(6)
    gone = await home.posted(99)
    home.network.fault, home.network.spared = (lambda: refusal(404, 10003)), ("POST", "PATCH")
    ((how, title, *lines),) = await eva.taps("games:0:0:")
    home.network.fault = None
    assert ("edit", "### Games in this server", 3) == (how, title, lines.count("Manage a game: ofserver") + 2)
    assert "⚠️ Its channel is gone." in lines
    rows = [line.split()[0] for line in lines if line.startswith("  ")]
    assert [str(table.id) for table in (gone, running, lobby)] == rows


async def test_a_game_that_ends_or_is_gone_while_the_list_is_made_is_not_listed(
    eva: Moderator, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = eva.home
    ended, running = await home.posted(), await home.posted(LOG)
    await home.services.seats.end(ended, at=NOON)

    async def open_in_server(_: int) -> list[int]:
        return [ended.id, running.id, 99]

    monkeypatch.setattr(home.store.matches, "open_in_server", open_in_server)
    (lines,) = await eva.taps("games:0:0:")
    assert [str(running.id)] == [line.split()[0] for line in lines if line.startswith("  ")]


async def test_games_that_the_list_has_no_room_for_are_counted(eva: Moderator, monkeypatch: pytest.MonkeyPatch) -> None:
    for channel_id in (CHANNEL, LOG, LOG + 1):
        await eva.home.lobby(channel_id)
    monkeypatch.setattr(server_games, "MENU_ROWS", 1)
    (lines,) = await eva.taps("games:0:0:")
    assert any("… and 2 newer games" in line for line in lines)


async def test_moderators_act_on_games_of_their_server_only(eva: Moderator, monkeypatch: pytest.MonkeyPatch) -> None:
    home = eva.home
    table = await home.posted()
    unknown = [["new private", "I can’t find that game here anymore."]]
    for control in ("again:7:0:", "calloff:7:0:", "calledoff:7:0:", "unstick:7:0:", "handover:7:0:71"):
        assert unknown == await eva.taps(control), control
    table.facts = replace(table.facts, row=replace(table.row, guild_id=8))
    for control in ("again:1:0:", "calloff:1:0:", "calledoff:1:0:", "unstick:1:0:", "handover:1:0:71"):
        assert unknown == await eva.taps(control), control
    boards = list[int]()

    async def wait_for_board(match_id: int) -> None:
        boards.append(match_id)

    monkeypatch.setattr(home.services.worker, "wait_for_board", wait_for_board)
    assert unknown == await eva.taps("ofserver:0:0:", "1")
    assert [1] == boards, "the channel has seen the position first"
    assert Status.RUNNING is table.row.status


async def test_a_game_is_unstuck_handed_over_and_ended_with_a_word_to_its_players(eva: Moderator) -> None:
    home = eva.home
    await choose(home, log=LOG)
    table = await home.posted()
    ((how, *lines),) = await eva.taps("ofserver:0:0:", str(table.id))
    assert ("edit", "**[Sealed Bids](https://discord.com/channels/7/2/555)** in <#2> · 🔴 <@70>, 🟦 <@71>") == (
        how,
        lines[0],
    )
    home.network.bodies.clear()
    ((_, note, *lines),) = await eva.taps(f"unstick:{table.id}:0:")
    assert "✓ Reloaded and posted again." == note
    heads = [lines[0] for lines in sent(home) if "messages" in lines[0]]
    assert ["GET /channels/2/messages", "POST /channels/2/messages"] == heads, "without a ping"
    here = "**Sealed Bids**, <#2>"
    assert [(0, f"{here}: <@{EVA}> unstuck it")] == await new_log_lines(home)
    home.network.fault, home.network.spared = (lambda: refusal(403, 50013)), "GET"
    home.time.now += DAY  # only some members are requested in a second
    ((_, note, *lines),) = await eva.taps(f"unstick:{table.id}:0:")
    assert "✓ Reloaded, but it can’t be posted in its channel at the moment." == note
    home.network.fault = None
    home.time.now += DAY
    await new_log_lines(home)
    assert [["new private", "That player is no longer in this game."]] == await eva.taps(f"handing:{table.id}:0:", "99")
    answers = await eva.taps(f"handing:{table.id}:0:", str(HOST))
    question = f"Let a computer play for <@{HOST}> from now on?"
    buttons = [f"[Hand it over handover {HOST}]", "[Back to the game again]"]
    cost = f"⚠️ If a computer takes over while <@{HOST}> is behind, the game counts as lost for them."
    assert [["edit", question, cost, *buttons]] == answers
    assert (HOST, GUEST) == table.people
    home.network.bodies.clear()
    ((_, note, *lines), *_) = await eva.taps(f"handover:{table.id}:0:{HOST}")
    assert "✓ A computer has taken over the seat." == note
    assert ((GUEST,), GUEST) == (table.people, table.row.host_id)
    text = f"<@{EVA}>, a moderator, has given 🔴 <@{HOST}>’s seat to a computer."
    assert ["POST /channels/2/messages", text] in [lines[:2] for lines in sent(home)]
    assert [(0, f"{here}: <@{EVA}> gave <@{HOST}>’s seat to a computer")] == await new_log_lines(home)
    ((_, question, *_),) = await eva.taps(f"handing:{table.id}:0:", str(GUEST))
    assert question.endswith("No other person is left in this game, so this ends it.")
    ((form, _, control, *_),) = await eva.taps(f"calloff:{table.id}:0:")
    assert ("form", f"cf:calledoff:{table.id}:0:") == (form, control)
    await eva.taps(f"calledoff:{table.id}:0:", "It is *late*.")
    assert Status.ENDED is table.row.status
    assert [(0, f"{here}: <@{EVA}> ended it: “It is \\*late\\*.”")] == await new_log_lines(home)


async def test_a_closed_channel_and_a_refused_board_are_problems_of_a_game(eva: Moderator) -> None:
    home = eva.home
    table = await home.match(99)
    home.network.fault = lambda: refusal(403, 50001)
    with pytest.raises(UserError):
        await home.services.poster.deliver(table)
    ((_, *lines),) = await eva.taps("games:0:0:")
    home.network.fault = None
    problems = [line for line in lines if line.startswith("⚠️ ")]
    board = "⚠️ Its board can’t be posted. Discord says: 403 Forbidden \\(50001, Missing Access\\)."
    assert ["⚠️ I can’t see its channel.", board] == problems
    assert any(line.startswith(f"  {table.id} ⚠️ Sealed Bids · #… · Ana, Ben") for line in lines)
    home.network.fault = lambda: refusal(503)
    ((_, *lines),) = await eva.taps("games:0:0:")
    assert [board] == [line for line in lines if line.startswith("⚠️ ")], "an outage is not a problem of the game"


async def test_unsticking_closes_an_undo_request(eva: Moderator) -> None:
    home = eva.home
    table = await home.posted()
    async with home.services.tables.changing(table) as change:
        change.facts = replace(table.facts, undo_request=UndoRequest(Seat(0), 0, message_id=66))
    home.network.bodies.clear()
    await eva.taps(f"unstick:{table.id}:0:")
    closed = "-# A moderator has unstuck this game; the undo request is closed."
    assert (["PATCH /channels/2/messages/66", closed], None) == (sent(home)[0], table.undo_request)
    async with home.services.tables.changing(table) as change:
        change.facts = replace(table.facts, undo_request=UndoRequest(Seat(0), 0))
    await eva.taps(f"unstick:{table.id}:0:")
    assert [] == [line for line, *_ in sent(home) if "PATCH" in line], "its message is not known"


async def test_the_computers_of_an_unstuck_game_go_on(eva: Moderator, monkeypatch: pytest.MonkeyPatch) -> None:
    table, gone_on = await eva.home.posted(), []

    async def resume(_: Moves, table: Table) -> None:
        gone_on.append(table.id)

    monkeypatch.setattr(Moves, "resume", resume)
    await eva.taps(f"unstick:{table.id}:0:")
    assert [table.id] == gone_on


async def test_handing_over_the_last_seat_ends_the_game_and_an_ended_game_cannot_be_managed(eva: Moderator) -> None:
    home = eva.home
    table = await home.posted(CHANNEL, SeatHolder(HOST, name="Ana"), SeatHolder(computer="uniform"))
    ((_, question, *_),) = await eva.taps(f"handing:{table.id}:0:", str(HOST))
    alone = "No other person is left in this game, so this ends it."
    assert f"Let a computer play for <@{HOST}> from now on? {alone}" == question
    assert [["new private", "That player is no longer in this game."]] == await eva.taps(f"handing:{table.id}:0:", "x")
    assert [["edit", "✓ A computer has taken over the seat."]] == await eva.taps(f"handover:{table.id}:0:{HOST}")
    assert Status.ENDED is table.row.status
    for control in ("again", "calloff", "calledoff", "unstick"):
        ((how, *lines),) = await eva.taps(f"{control}:{table.id}:0:")
        assert ("new private", 1) == (how, len(lines)), control
    lobby = await home.lobby(9)
    ((how, *lines),) = await eva.taps(f"handing:{lobby.id}:0:", str(HOST))
    assert ("new private", 1) == (how, len(lines))
    assert (HOST, GUEST) == lobby.people


async def test_a_lobby_is_unstuck_by_a_new_message(eva: Moderator) -> None:
    table = await eva.home.lobby()
    eva.home.network.bodies.clear()
    ((_, note, *_),) = await eva.taps(f"unstick:{table.id}:0:")
    heads = [lines[0] for lines in sent(eva.home) if "messages" in lines[0]]
    assert ("✓ Reloaded and posted again.", ["POST /channels/2/messages"]) == (note, heads)
    assert 555 == table.row.lobby_message_id


async def test_the_condition_of_the_bot_is_for_its_operators(eva: Moderator) -> None:
    refusal_text = "This is for those who run me. In this server, `/server games` shows how the games are doing."
    team = SimpleNamespace(members=[SimpleNamespace(id=HOST)])
    for application in (None, SimpleNamespace(owner=SimpleNamespace(id=5), team=None)):
        eva.application = application
        assert [["new private", refusal_text]] == await eva.command(EVA, status.show_status, moderates=True)
    for owner, members, user_id in ((EVA, None, EVA), (5, team, HOST)):
        eva.application = SimpleNamespace(owner=SimpleNamespace(id=owner), team=members)
        ((how, title, *_),) = await eva.command(user_id, status.show_status)
        assert ("new private", True) == (how, title.startswith("### Caravanserai "))


async def test_a_game_that_ends_while_a_list_is_made_waits_for_nobody(eva: Moderator) -> None:
    home, guild = eva.home, eva.home.services.channels.server(GUILD)
    assert guild is not None
    table = await home.posted()
    assert (await games_overview.overview(home.services, guild, table)).since is not None
    await home.services.seats.end(table, at=NOON)
    assert (await games_overview.overview(home.services, guild, table)).since is None


async def test_the_doctor_says_nothing_about_a_channel_while_discord_does_not_answer(eva: Moderator) -> None:
    home, guild = eva.home, eva.home.services.channels.server(GUILD)
    assert guild is not None
    home.network.fault = TimeoutError
    assert await doctor._examine_played(home.services.channels.requests, guild, 12345) is None
