"""Layouts: all messages of all games fit into Discord's limits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from types import SimpleNamespace

import pytest

from bot.features.lobby.lobby_layouts import closed_lobby_layout, lobby_layout
from bot.features.lobby.option_pages import game_pages
from bot.features.lobby.options_page import options_layout
from bot.features.lobby.table_buttons import remove_layout
from bot.features.moderation.default_options import default_options_layout
from bot.features.moderation.doctor import GONE_TEXT, LOG_PROBLEM_TEXT, OVERVIEW_PROBLEM_TEXT
from bot.features.moderation.server_settings import PAGES, settings_layout
from bot.features.play.drafting import TurnDraft
from bot.features.play.narrowing import before, step
from bot.features.play.your_move_layouts import preview_layout, step_layout
from bot.features.view.games import log_layout, look_layout
from bot.interactions.controls import Control, ControlId
from bot.interactions.parts import Layout, picture, rows
from bot.interactions.parts import layout as message_of
from bot.interactions.permissions import Doing, needs
from bot.interactions.phone import button_lines, lines_of
from bot.posting.board_layouts import Body, board_layout
from bot.posting.board_texts import LOG_LENGTH, LOG_LINES, STORY_LINES, due_text, log_pages, story
from bot.tables.guild_settings import GuildSettings
from engine.core import Event, Options
from engine.games import discover
from engine.notation import format_action
from engine.texts import CHANCE, Seat, Text
from playground.components import Kind
from playground.components import walk as walk_components
from tests.bot.walks import CASES, name_of, steps, table_of, walk
from tests.bot.whole import whole
from tests.engine.toys import TOYS
from tests.sampling import every

COMPONENTS, TEXT, ID = 40, 4000, 100
"""Discord's limits for a message of the newer kind and for a custom id."""

PICTURE = ("a-picture.png", "x" * 2000)

THREE = table_of(CASES[0][0], 3)
"""A table of three."""

every_game = pytest.mark.parametrize(("spec", "seats"), CASES, ids=name_of)


def check(layout: Layout) -> None:
    """Within the limits, and no two controls alike."""
    parts = [part for _, part in walk_components(layout.to_components())]
    assert len(parts) <= COMPONENTS
    texts = [part["content"] for part in parts if part["type"] == Kind.TEXT_DISPLAY]
    assert all(texts), "no empty text"
    assert sum(map(len, texts)) <= TEXT
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(ids) == len(set(ids)), ids
    assert max(map(len, ids), default=0) <= ID
    for part in parts:
        if part["type"] == Kind.ACTION_ROW:
            assert 1 <= len(part["components"]) <= 5
        if part["type"] == Kind.BUTTON:
            assert 1 <= len(part["label"]) <= 80
        if part["type"] == Kind.STRING_SELECT:
            values = [option["value"] for option in part["options"]]
            assert 1 <= len(values) == len(set(values)) <= 25
            assert max(len(option["label"]) for option in part["options"]) <= 100
            assert max(map(len, values)) <= 100


@every_game
def test_boards_and_private_boards_fit(spec, seats):
    since = 0
    for number, table in enumerate(walk(spec, seats, "boards")):
        match = table.match
        text = story(table, match.history(None, since=since))
        due = tuple(decision.seat for decision in match.state.decisions())
        body = Body(spec.title, *PICTURE, text, due, table.say(due_text(table)))
        check(board_layout(table, body, controls=True))
        check(board_layout(table, body, controls=False))
        check(look_layout(table, table.say(table.due_sentence()), PICTURE, due=True))
        if number % 10 == 0:
            since = match.version  # boards tell of one turn and, after a while without posts, of many


@every_game
def test_steps_and_previews_fit(spec, seats):
    for table in islice(walk(spec, seats, "steps"), 0, None, every(5)):
        match = table.match
        for decision in match.state.decisions():
            turn = TurnDraft(table, match, decision.seat, (), match)
            for now in steps(decision, turn.voice):
                back = before(decision.options, now.prefix, turn.voice)
                check(step_layout(turn, decision.prompt, now, back, PICTURE, "-# a note before it"))
            option = max(decision.options, key=lambda option: len(format_action(option)))
            text = story(table, [(decision.seat, match.preview(decision.seat, option).events)], decision.seat)
            next_turn = turn.with_chosen((option,))
            check(preview_layout(next_turn, f"### Play this?\n{text}", PICTURE))
            if (then := next_turn.decision) is not None:
                now = step(then.options, (), next_turn.voice)
                check(step_layout(next_turn, then.prompt, now, None, PICTURE, text, more=True))


@every_game
def test_lobbies_fit(spec, seats):
    for people in range(1, seats + 1):
        table = table_of(spec, people)
        pages = [options_layout(table, page=page) for page in range(len(game_pages(spec)) + 1)]
        for layout in (lobby_layout(table), *pages, remove_layout(table)):
            check(layout)
        check(closed_lobby_layout(table, Text("The game has begun.")))


@pytest.mark.parametrize("spec", discover().values(), ids=name_of)
def test_default_options_fit(spec):
    for options in ({}, {spec.slug: {}}):
        for page in range(len(game_pages(spec))):
            check(default_options_layout(GuildSettings(options=options), spec, page))
    check(default_options_layout(GuildSettings(), None))


def test_a_game_without_options_has_one_page_without_menus():
    spec = replace(TOYS["sealed"], options=Options)
    lines = whole(default_options_layout(GuildSettings(), spec))
    assert [] == [line for line in lines if "defaultset" in line or "defaultpage" in line]
    assert ((),) == game_pages(spec)


def test_server_settings_fit_with_every_choice_and_every_problem():
    many, long = range(10**18, 10**18 + 25), Text("x" * 300)
    everything = GuildSettings(channels=(1,), roles=(1,), log=1, league_roles=(1,), overview=1)
    trouble = {
        "log": [LOG_PROBLEM_TEXT, *[long] * len(needs(Doing.LOG, thread=False))],
        "overview": [OVERVIEW_PROBLEM_TEXT, *[long] * len(needs(Doing.OVERVIEW, thread=False))],
    }
    gone = {"log": [LOG_PROBLEM_TEXT, GONE_TEXT], "overview": [OVERVIEW_PROBLEM_TEXT, GONE_TEXT]}
    existing = {"channels": many, "roles": many, "contrast": many, "log": [1], "league_roles": many, "overview": [1]}
    for page in PAGES:
        check(settings_layout(everything, page, existing, trouble))
        check(settings_layout(everything, page, dict.fromkeys(existing, ()), gone))


class Said(Event):
    template = "Somebody says something of about fifty characters now."


def test_a_long_story_keeps_its_newest_lines_and_counts_the_others():
    history = [(Seat(n % 3), (Said(),)) for n in range(40)]
    lines = story(THREE, history).splitlines()
    assert "🔴 Somebody" in lines[-1]
    assert f"-# … and {40 - (len(lines) - 1)} earlier turns in *Log*" == lines[0]
    assert STORY_LINES == sum(map(lines_of, lines[1:]))


def test_the_log_shows_every_line_on_pages_that_fit():
    history = [(Seat(n % 3), (Said(),)) for n in range(200)]
    pages = log_pages(THREE, history)
    assert 200 == sum(page.count("Somebody") for page in pages)
    full = {lines_of(page) for page in pages[:-1]}
    assert full <= {LOG_LINES - 1, LOG_LINES}, "each fills the screen of a phone, and no more"
    for number in range(len(pages)):
        check(log_layout(table_of(*CASES[0]), pages, number))


def test_an_empty_log_is_one_page():
    assert [""] == log_pages(THREE, [])


def test_table_events_in_the_log_fit_on_its_pages():
    around = [Text("note {number}: {words}", number=n, words="o" * 150) for n in range(40)]
    pages = log_pages(THREE, [], around=around)
    assert len(pages) > 1
    assert all(lines_of(page) <= LOG_LINES for page in pages)
    assert [f"note {n}" for n in range(40)] == [line.split(":")[0] for page in pages for line in page.splitlines()]


def test_a_short_story_is_complete_and_luck_joins_the_line_of_the_seat_that_caused_it():
    text = story(THREE, [(Seat(0), (Said(),)), (CHANCE, (Said(),)), (Seat(1), (Said(),))])
    assert ["🔴", "🟦"] == [line.split()[0] for line in text.splitlines()]
    assert "before" not in text


class Drew(Event):
    template = "{seat} {seat:draws|draw} a card."
    seat: Seat


def test_a_draw_for_the_next_seat_begins_the_line_of_that_seat():
    first, second = (Seat(0), (Said(),)), (CHANCE, (Drew(Seat(1)),))
    played = story(THREE, [first, second, (Seat(1), (Said(),))])
    assert ["🔴", "🟦"] == [line.split()[0] for line in played.splitlines()]
    assert 1 == played.splitlines()[0].count("Somebody"), played
    (page,) = log_pages(THREE, [first, second, (Seat(1), (Said(),))])
    assert [("`1` 🔴", 0), ("`2` 🟦", 1)] == [(line[:5], line.count("draws")) for line in page.splitlines()]
    waiting = table_of(CASES[0][0], 3)
    state = SimpleNamespace(decisions=lambda: [SimpleNamespace(seat=Seat(1))])
    waiting.match = SimpleNamespace(setup=waiting.setup, state=state)
    assert ["🔴", "🟦"] == [line.split()[0] for line in story(waiting, [first, second]).splitlines()]
    caused = story(THREE, [first, second, (Seat(2), (Said(),))])
    assert ["🔴", "🟨"] == [line.split()[0] for line in caused.splitlines()], "it is part of the first turn"


@dataclass(frozen=True)
class Result:
    returns: tuple[float, ...]
    scores: tuple[int, ...]
    summary: str = "Over."
    winners: tuple[Seat, ...] = (Seat(1),)


def test_the_final_board_names_every_player_by_place_and_ties_share_a_place():
    spec, seats = next(case for case in CASES if case[1] == 4)
    table = table_of(spec, seats)
    outcome = Result((0.0, 1.0, 0.0, 0.0), (5, 9, 5, 2))
    table.match = SimpleNamespace(setup=table.setup, outcome=outcome, state=SimpleNamespace(account=lambda _: None))
    first, *places, _reason, _rated = table.say(due_text(table)).splitlines()
    assert f"## {table.names[1]} wins!" == first
    assert ["🥇", "🥈", "🥈", "◽"] == [line.split()[0] for line in places]
    assert [9, 5, 5, 2] == [int(line.split()[-1]) for line in places]
    assert all(f"<@{2**63 + seat}>" in "".join(places) for seat in range(4))


def test_a_team_takes_one_place_in_the_ranking():
    spec = discover()["muses"]
    table = table_of(spec, 4)
    won = [company == 0 for company in spec.companies(table.setup)]
    outcome = Result(tuple(win / 2 for win in won), tuple(3 + win for win in won))
    table.match = SimpleNamespace(setup=table.setup, outcome=outcome, state=SimpleNamespace(account=lambda _: None))
    _, *places, _reason, _rated = table.say(due_text(table)).splitlines()
    assert ["🥇", "🥇", "🥈", "🥈"] == [line.split()[0] for line in places]


def test_a_turn_that_is_too_long_is_cut_between_its_sentences():
    sentence = THREE.say(Said())
    for most in (2, 4, 8):
        text = story(THREE, [(Seat(0), (Said(),) * 100)], most=most)
        first, _, last = text.partition(" …")
        assert (f"{THREE.mark(Seat(0))} {sentence}", "") == (first, last.replace(sentence, "").strip())
        assert most - 2 <= lines_of(text) <= most
    (page,) = log_pages(THREE, [(Seat(0), (Said(),) * 100)])
    assert LOG_LENGTH == len(page.rstrip())


def test_the_description_of_a_picture_is_as_long_as_discord_allows() -> None:
    (gallery,) = message_of(picture(*PICTURE)).to_components()
    assert 1024 == len(gallery["items"][0]["description"])


def buttons(*labels: str) -> list[Control]:
    return [Control(ControlId("close", 1, n), label) for n, label in enumerate(labels)]


def test_five_buttons_are_in_a_row() -> None:
    assert [5, 5, 2] == [len(row.children) for row in rows(buttons(*"abcdefghijkl"))]
    assert [4, 4, 3] == [len(row.children) for row in rows(buttons(*"abcdefghijk"))], "none is alone"
    wide, short = "x" * 14, "x"
    long_last = buttons(wide, wide, short, short, short, "x" * 30)
    assert [5, 1] == [len(row.children) for row in rows(long_last)], "unless that takes one more line"


@pytest.mark.parametrize(
    ("labels", "lines"), [(("x" * 80,), 1), (("x" * 80, "y"), 2), (("a", "b", "c"), 1), (("x" * 20, "y" * 20), 2)]
)
def test_a_button_takes_at_most_a_whole_line(labels: tuple[str, ...], lines: int) -> None:
    assert lines == button_lines(buttons(*labels))
