"""Whole pages for moderators: games and bars with their problems, and the fields of controls."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.lobby.option_pages import game_pages
from bot.features.lobby.options_page import options_layout
from bot.features.moderation import default_options, doctor
from bot.features.moderation.barring import ABOUT, SPANS, _bars_layout, _span_layout
from bot.features.moderation.default_options import default_options_layout
from bot.features.moderation.doctor import MAX_CHARS, Examination, _fitting, report
from bot.features.moderation.games_overview import Overview
from bot.features.moderation.server_games import (
    END_TEXT,
    HAND_OVER_TEXT,
    UNSTICK_BROKEN_TEXT,
    UNSTICK_LOBBY_TEXT,
    UNSTICK_RUNNING_TEXT,
    _game_layout,
    _games_layout,
)
from bot.features.moderation.server_settings import MAX_GAMES, MAX_HOSTED_GAMES
from bot.interactions.permissions import (
    ATTACH,
    LOCKED_FOR_PLAYERS,
    MANAGE_THREADS,
    SEE,
    WRITE,
    WRITE_IN_THREADS,
    Entry,
    Finding,
    Place,
)
from bot.store.bars import Bar
from bot.store.boards import Board
from bot.tables.guild_settings import GuildSettings
from engine.core import GameSpec
from engine.games import discover
from engine.languages import reading
from engine.texts import Text
from locales import language_of, languages
from tests.bot import walks
from tests.bot.desk import Desk
from tests.bot.outcomes import choose
from tests.bot.refusing import CHANNEL, GUILD, HOST, refusal
from tests.bot.walks import name_of, set_row
from tests.bot.whole import ANA, BEN, CARO, NOW, table_of, whole
from tests.engine.toys import TOYS
from tests.playthroughs.taps import SCREEN, height_of

SERVER: Any = SimpleNamespace(get_channel_or_thread=lambda n: SimpleNamespace(name="games") if n == 9 else None)
BEN_BARRED = Bar("d1", BEN, "Ben", "late *again*", NOW)
FORGOTTEN = Bar("d2", 0, "")


def test_the_bars_of_a_server_say_who_is_barred_until_when_and_why() -> None:
    intro = str(ABOUT).splitlines()
    assert [*intro, "-# Nobody is barred.", "Bar a person: barwhom"] == whole(_bars_layout([], None))
    assert [
        *("done", *intro),
        "* <@72>, until <t:1800000000:f>: late \\*again\\*",
        "* somebody, until further notice",
        *("Bar a person: barwhom", "Let a person play again: liftbar", "  d1 Ben", "  d2 somebody"),
    ] == whole(_bars_layout([BEN_BARRED, FORGOTTEN], Text("done")))


@pytest.mark.parametrize(("number", "more"), [(25, []), (27, ["-# … and 2 more"])])
def test_a_list_of_bars_counts_those_that_a_menu_has_no_room_for(number: int, more: list[str]) -> None:
    lines = whole(_bars_layout([Bar(f"d{n}", n + 1, f"Ben {n}") for n in range(number)], None))
    assert (25, 25) == (sum(line.startswith("* <@") for line in lines), sum(line.startswith("  d") for line in lines))
    assert more == [line for line in lines if "more" in line and "and" in line and line.startswith("-#")]


@pytest.mark.parametrize(
    ("bar", "lines"),
    [
        (None, []),
        (BEN_BARRED, ["They’re barred until <t:1800000000:f>; what you choose here replaces that."]),
    ],
)
def test_a_moderator_chooses_how_long_and_sees_the_present_bar(bar: Bar | None, lines: list[str]) -> None:
    assert [
        "### How long should <@72> be barred?",
        *lines,
        "Choose how long: barspan 72 Ben",
        *(f"  {days} {label}" for days, label in SPANS.items()),
        "[Back bars]",
    ] == whole(_span_layout(BEN, "Ben", bar))


def troubled_game(**facts: Any) -> Overview:
    """A game that waits for Ana, with one problem of each kind."""
    findings = Finding(Text("I can’t see it."), SEE), Finding(Text("It is locked."))
    table = table_of(ANA, 0, BEN, runs=True, facts={"board": Board(3, 99, {}), **facts})
    return Overview(table, NOW, (Text("It is broken."),), findings)


LOBBY = Overview(table_of(CARO, channel_id=10, host_id=CARO), None, (), ())
FINE = Overview(table_of(ANA, 0, BEN, runs=True), NOW, (), ())
GAME = [
    "**[Toll](https://discord.com/channels/8/9/99)** in <#9> · 🔴 <@71>, **🟦 Tumbleweed**, 🟨 <@72>",
    "It’s 🔴 <@71>’s turn. Asked <t:1800000000:R>.",
    "⚠️ It is broken.",
]
WAITING = ["**[Toll](https://discord.com/channels/8/10)** in <#10> · 🔴 <@73>", "Waiting for players; it hasn’t begun."]


@pytest.mark.parametrize(("more", "newer"), [(0, []), (1, ["-# … and 1 newer game"]), (3, ["-# … and 3 newer games"])])
def test_the_games_of_a_server_say_where_they_are_whom_they_wait_for_and_what_is_wrong(
    more: int, newer: list[str]
) -> None:
    assert [
        "### Games in this server",
        *(*GAME, "⚠️ I’m missing **View Channel** in its channel.", "⚠️ It is locked."),
        *(*WAITING, *newer),
        *("Manage a game: ofserver", "  1 ⚠️ Toll · #games · Ana, Ben", "  1 Toll · #… · Caro"),
        "[Barred people bars]",
    ] == whole(_games_layout([troubled_game(), LOBBY], SERVER, more, 0))


@pytest.mark.parametrize("code", languages())
def test_a_list_of_many_games_has_pages_that_fit_on_a_phone_and_a_menu_of_them_all(code: str) -> None:
    games, listed = [troubled_game()] * 4 + [FINE] * 12 + [LOBBY] * 9, 0
    with reading(language_of(code)):
        for number in range(len(games)):
            page = _games_layout(games, SERVER, 0, number)
            assert height_of(page.to_components()) <= SCREEN
            lines = whole(page)
            assert len(games) == sum("#" in line for line in lines if line.startswith("  "))
            listed += sum(line.startswith("**[") for line in lines)
            if f"[{Text('Next')} games {number + 1}]" not in lines:
                break
    assert len(games) == listed


ENDING = [str(END_TEXT), "[End it… calloff]"]
SEATS = [str(HAND_OVER_TEXT), "Whose seat?: handing", "  71 🔴 Ana"]


def test_the_page_of_a_game_has_its_problems_and_all_that_moderators_can_do() -> None:
    finding = ["⚠️ I can’t see it.", "⚠️ It is locked."]
    actions = [str(UNSTICK_RUNNING_TEXT), "[Unstick unstick]", *ENDING]
    departure = ["⚠️ <@71> and <@72> have left the server."]
    assert [
        *(
            "done",
            *GAME,
            *departure,
            *finding,
            *actions,
            *SEATS[:2],
            *(f"{row} – has left the server" for row in (SEATS[2], "  72 🟨 Ben")),
            "[All games games 0]",
        )
    ] == whole(_game_layout(troubled_game(), frozenset({BEN, ANA}), Text("done")))
    assert [*GAME, *finding, *actions, *SEATS, "  72 🟨 Ben", "[All games games 0]"] == whole(
        _game_layout(troubled_game(), frozenset(), None)
    )


def test_a_broken_game_without_people_is_one_of_nobody() -> None:
    broken = table_of(0, 0, channel_id=10, runs=True)
    broken.match, broken.problem = None, Text("Its record is damaged.")
    heading, *_ = whole(_game_layout(replace(LOBBY, table=broken), frozenset(), None))
    assert "**[Toll](https://discord.com/channels/8/10)** in <#10> · nobody" == heading


def test_the_page_of_a_lobby_has_no_seats_to_hand_over() -> None:
    assert [
        *(*WAITING, str(UNSTICK_LOBBY_TEXT), "[Unstick unstick]", *ENDING, "[All games games 0]"),
    ] == whole(_game_layout(LOBBY, frozenset(), None))


def test_the_page_of_a_game_that_cannot_be_read_names_the_people_by_mentions_alone() -> None:
    broken = troubled_game()
    broken.table.match, broken.table.problem = None, Text("Its record is damaged.")
    assert [
        "**[Toll](https://discord.com/channels/8/9/99)** in <#9> · <@71>, <@72>",
        *("It can’t continue.", "⚠️ It is broken.", "⚠️ I can’t see it.", "⚠️ It is locked."),
        *(str(UNSTICK_BROKEN_TEXT), "[Unstick unstick]", *ENDING, "[All games games 0]"),
    ] == whole(_game_layout(broken, frozenset(), None))


@pytest.mark.parametrize(
    ("options", "changed", "button"),
    [
        ({}, "", "(Reset"),
        ({"muscat": {}}, "", "(Reset"),
        ({"toll": {}}, " – Changed in this server", "[Reset"),
    ],
)
def test_the_default_options_show_which_games_a_server_has_changed(
    options: dict[str, Any], changed: str, button: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(discover(), "toll", TOYS["toll"])
    page = whole(default_options_layout(GuildSettings(options=options), TOYS["toll"]))
    assert f"  *toll Toll{changed}" in page
    assert ("muscat" in options) == ("  muscat Muscat – Changed in this server" in page)
    assert button == page[-2][:6]
    assert "[Back serversettings tables]" == page[-1]
    assert not any("defaultpage" in line for line in page), "all options fit on one page"


def test_the_menu_of_the_default_options_has_the_emoji_of_each_game(monkeypatch: pytest.MonkeyPatch) -> None:
    emojis = SimpleNamespace(of_games=lambda games: [discord.PartialEmoji(name=f"its_{game}", id=5) for game in games])
    monkeypatch.setattr(default_options, "current_emojis", lambda: emojis)
    (_, menu, _) = default_options_layout(GuildSettings(), None).to_components()
    rows = menu["components"][0]["options"]
    assert [(slug, f"its_{slug}") for slug in discover()] == [(row["value"], row["emoji"]["name"]) for row in rows]


def test_the_pages_of_a_game_have_all_of_its_options_and_nothing_else() -> None:
    for spec in discover().values():
        names = [name for page in game_pages(spec) for name in page]
        assert [option.name for option in fields(spec.options)] == names


def test_a_button_to_a_page_of_options_that_a_game_no_longer_has_leads_to_the_last_one() -> None:
    spec = discover()["muscat"]
    number = len(game_pages(spec))
    last, beyond = (whole(default_options_layout(GuildSettings(), spec, page)) for page in (number - 1, number))
    assert last == beyond
    buttons = [line for line in last if "defaultpage" in line]
    others = [f"[Options {n + 1} defaultpage muscat {n}]" for n in range(number - 1)]
    assert [*others, f"(Options {number} defaultpage muscat {number - 1})"] == buttons


@pytest.mark.parametrize("spec", [spec for spec in discover().values() if spec.presets], ids=name_of)
def test_the_default_options_and_those_of_a_table_mark_the_preset_that_is_chosen(spec: GameSpec) -> None:
    lobby = walks.table_of(spec, spec.seats[0])
    for active in spec.presets:
        # the other options at their standard, as if they had been chosen one by one
        options = {field.name: field.default for field in fields(spec.options)} | active.options
        set_row(lobby, options=options)
        for page in (default_options_layout(GuildSettings(options={spec.slug: options}), spec), options_layout(lobby)):
            marked = [line for line in whole(page) if line.startswith("[✓ ")]
            assert [f"[✓ {active.name}"] == [line[: len(f"{active.name}") + 3] for line in marked]


BITS = SEE.bit | WRITE.bit | ATTACH.bit | WRITE_IN_THREADS.bit | MANAGE_THREADS.bit


def place(number: int, **columns: Any) -> Place:
    """A channel in which the bot may do all that a game needs, and open no threads."""
    here, nothing = f"<#{number}>", Entry("everyone")
    return Place(here, here, "bot", BITS, nothing, (), nothing, **columns)


TIMED_OUT = Finding(Text("I am timed out."), everywhere=True)
HIDDEN, LOCKED = Finding(Text("I can’t see it."), SEE), Finding(Text("It is locked."))
WELL, CLOSED = Examination("<#1>", (), place(1, thread=True)), Examination("<#2>", (), place(2))
MUTE, ILL = Examination("<#5>", (TIMED_OUT,)), Examination("<#3>", (TIMED_OUT, HIDDEN, LOCKED))
PLAYED = Examination("<#4>", (LOCKED,), place(4), played=True)
NO_LOG, NO_EVENTS = Text("No log."), Text("No events.")
THREADS = (
    "-# I can’t open threads for games in <#2>: that needs **Create Public Threads** and **Send Messages in Threads**."
)


@pytest.mark.parametrize(
    ("channels", "log", "others", "lines"),
    [
        ([WELL], [], [], ["### Everything looks good", "I checked 1 channel."]),
        ([WELL, CLOSED], [], [], ["### Everything looks good", "I checked 2 channels.", THREADS]),
        ([WELL], [NO_LOG], [NO_EVENTS], ["### The moderators’ log needs attention", "No log.", "No events."]),
        ([WELL], [], [NO_EVENTS], ["### A setting needs attention", "No events."]),
        (
            [CLOSED, PLAYED],
            [NO_LOG],
            [NO_EVENTS],
            [
                *("### 1 of 2 channels needs attention", "No log.", "No events."),
                *("**<#4>** – a game is played here", "* It is locked.", THREADS),
            ],
        ),
        (
            [WELL, PLAYED, ILL, MUTE, ILL],
            [NO_LOG],
            [NO_EVENTS],
            [
                *("### I can’t play in this server at the moment", "* I am timed out."),
                *("**<#4>** – a game is played here", "* It is locked."),
                *["**<#3>**", "* I can’t see it.", "* It is locked."] * 2,
            ],
        ),
    ],
)
def test_the_doctor_reports_first_what_concerns_the_server_and_then_each_channel(
    channels: list[Examination], log: list[Text], others: list[Text], lines: list[str]
) -> None:
    assert lines == str(report(channels, "", log, others)).splitlines()


@pytest.mark.parametrize(("more", "counted"), [(0, []), (1, ["-# … and 1 more"])])
def test_a_report_has_as_many_channels_as_fit_into_a_message(more: int, counted: list[str]) -> None:
    """Each of them with a hundred characters."""
    sections = [Text("x" * 100)] * (MAX_CHARS // 100 + more)
    assert [*["x" * 100] * (MAX_CHARS // 100), *counted] == [*map(str, _fitting(sections))]


@pytest.mark.parametrize("help_url", ["https://example.org/help", ""])
def test_the_doctor_links_to_help_if_its_operator_has_a_page(help_url: str) -> None:
    lines = str(report([], help_url)).splitlines()
    more = [f"-# [More about my permissions]({help_url})"] if help_url else []
    assert ["### Everything looks good", "I checked 0 channels.", *more] == lines


@pytest.mark.parametrize(("channel_id", "lines"), [(0, []), (8, ["Log:", str(doctor.GONE_TEXT)]), (9, [])])
def test_a_channel_that_is_gone_is_a_problem_and_one_without_messages_is_none(
    channel_id: int, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "place_of", lambda _: None)
    guild: Any = SimpleNamespace(get_channel={9: object()}.get)
    assert lines == [*map(str, doctor._problems(guild, channel_id, doctor.Doing.LOG, Text("Log:")))]


def test_moderators_choose_from_limits_for_small_and_large_servers() -> None:
    limits = {field.name: [choice.value for choice in field.choices] for field in (MAX_GAMES, MAX_HOSTED_GAMES)}
    assert {"most": [0, 1, 3, 5, 10, 25, 50, 100], "hosted": [0, 1, 2, 3, 5, 10, 25]} == limits


async def test_the_doctor_finds_no_channel_before_it_knows_one_and_is_sure_of_the_one_it_is_asked_in(
    desk: Desk,
) -> None:
    ask = partial(desk.command, HOST, doctor.examine_server, moderates=True)
    nothing = "I can’t see any channel where a game could be played. Give me **View Channel** in one."
    assert [["new private", nothing]] == await ask()
    desk.home.add_channel(CHANNEL)
    desk.home.let_make_events()
    guild: Any = desk.home.services.channels.server(GUILD)
    guild._members.clear()
    await desk.home.posted()
    assert [["new private", nothing]] == await ask(), "it does not know its own roles yet"
    may = discord.Permissions(view_channel=True, send_messages=True)
    ((how, title, *lines),) = await desk.tap(HOST, "checkhere:0:0:", moderates=True, app_permissions=may)
    assert ("new private", f"**I can’t run a game in <#{CHANNEL}> yet.** What is missing:") == (how, title)
    assert lines[0].startswith("* **Attach Files**, ")


async def test_the_doctor_finds_a_thread_that_is_locked_for_the_players_of_its_game(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.home.add_channel(CHANNEL)
    monkeypatch.setattr(doctor, "place_of", lambda _: place(CHANNEL, thread=True, locked=True))
    guild, requests = desk.home.services.channels.server(GUILD), desk.home.services.channels.requests
    assert guild is not None
    one = await doctor._examine_played(requests, guild, CHANNEL)
    assert one is not None
    assert (True, [LOCKED_FOR_PLAYERS]) == (one.played, [finding.text for finding in one.own])


GRANT = "  Grant it under Server Settings › Roles › **bot** › Permissions."
FAULTS = [
    "* **Send Messages**, to post boards and mention people: none of my roles has it.",
    GRANT,
    "* **Attach Files**, for the pictures of the boards: none of my roles has it.",
    GRANT,
]
LOG, OVERVIEW = "⚠️ I can’t write to the moderators’ log:", "⚠️ I can’t post the overview:"
EVENTS = "⚠️ I can’t create events: in this server I need the **Create Events** permission."
GONE = "* The channel is gone."


async def test_the_doctor_names_the_settings_and_then_the_channels_in_order_those_of_games_last(desk: Desk) -> None:
    home = desk.home
    home.let_make_events()
    for channel_id in (CHANNEL, 5, 6):
        home.add_channel(channel_id)
    guild: Any = home.services.channels.server(GUILD)

    async def asked() -> list[str]:
        ((how, *lines),) = await desk.command(HOST, doctor.examine_server, moderates=True)
        assert "new private" == how
        return lines

    assert ["### Everything looks good", "I checked 3 channels."] == await asked()
    await choose(home, log=99, overview=98, events=True)
    settings = [LOG, GONE, OVERVIEW, GONE]
    assert ["### The moderators’ log needs attention", *settings] == await asked()
    await choose(home, log=0)
    assert ["### A setting needs attention", OVERVIEW, GONE] == await asked()
    for channel_id in (6, 7):
        await home.posted(channel_id)
    guild.owner_id = HOST
    home.network.fault, home.network.spared = (lambda: refusal(404, 10003)), "POST"
    ill = "### 4 of 4 channels need attention"
    first = [f"**<#{CHANNEL}>**", *FAULTS, "**<#5>**", *FAULTS]
    games = ["**<#6>** – a game is played here", *FAULTS, "**<#7>** – a game is played here"]
    gone = "* The channel of this game is gone."
    assert [ill, OVERVIEW, GONE, EVENTS, *first, *games, gone] == await asked()
    await choose(home, channels=(5, CHANNEL), log=5, overview=0, events=False)
    home.network.fault = lambda: refusal(403, 50001)
    log = [LOG, "* **Send Messages**, to write to the moderators’ log: none of my roles has it.", GRANT]
    chosen = ["**<#5>**", *FAULTS, f"**<#{CHANNEL}>**", *FAULTS]
    hidden = "* I can’t see this game’s channel. Give me **View Channel** there."
    assert [ill, *log, *chosen, *games, hidden] == await asked()
