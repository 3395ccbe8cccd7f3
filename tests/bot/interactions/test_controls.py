"""Handlers of controls, one for each kind, and ids that stay the same: controls stay in channels for years."""

from __future__ import annotations

import re
from typing import Any

import pytest
from discord import ChannelType, PartialEmoji, SelectDefaultValueType

from bot import commands
from bot.errors import UserError
from bot.features import handlers
from bot.features.handlers import TAPS, TableRequest, at_table
from bot.interactions.controls import (
    FIELDS,
    Control,
    ControlId,
    Menu,
    Picker,
    UserMenu,
    chosen_name,
    id_in,
    used_control,
)
from bot.interactions.kinds import KINDS, NO_STAMP, InMatch, InVersion, Stamp, declare_anywhere, declare_at_table
from bot.interactions.parts import DANGER, PLAIN, PRIMARY
from bot.posting import board_layouts
from engine.texts import Seat
from tests.bot.whole import ANA, table_of

OLD_IDS: dict[str, dict[str, Any]] = {
    # at a table that waits for players
    "accept:1:0:": {},
    "add:1:0:": {},
    "admits:1:0:": {},
    "askend:1:0:": {},
    "cast:1:2:": {"seat": Seat(2)},
    "check:1:0:": {},
    "computers:1:0:": {},
    "decline:1:0:77": {"user_id": 77},
    "end:1:0:": {},
    "endwhy:1:0:": {},
    "full:1:0:": {},
    "guests:1:0:": {},
    "hints:1:0:": {},
    "invite:1:0:": {},
    "join:1:0:": {},
    "keep:1:0:": {},
    "learn:0:0:muscat": {"slug": "muscat"},
    "leave:1:0:": {},
    "letin:1:0:77": {"user_id": 77},
    "more:1:0:": {},
    "notyet:1:0:": {},
    "option:1:3:start_placement": {"name": "start_placement", "number": 3},
    "optionpage:1:0:1": {"page": 1},
    "options:1:0:": {},
    "preset:1:2:": {"number": 2},
    "rated:1:0:": {},
    "ready:1:0:": {},
    "rematch:1:0:": {},
    "remove:1:0:": {},
    "resign:1:0:": {},
    "shuffle:1:0:": {},
    "start:1:0:": {},
    "take:1:0:3": {"seat": Seat(3)},
    "unseat:1:2:77": {"seat": 2, "who": "77"},
    # in a game
    "agree:1:9:": {"version": 9},
    "answer:1:0:riser market": {"key": "riser market"},
    "answers:1:0:": {},
    "ask:1:9:": {"version": 9},
    "close:1:0:": {"stamp": NO_STAMP},
    "close:1:9~0a1b2c:": {"stamp": Stamp(9, "0a1b2c")},
    "disagree:1:9:": {"version": 9},
    "do:1:9~0a1b2c:": {"stamp": Stamp(9, "0a1b2c")},
    "dropplan:1:0:": {},
    "plan:1:0:": {},
    "planturn:1:0:1": {"number": 1},
    "planother:1:0:1": {"number": 1},
    "saveplan:1:1000009~0a1b2c:": {"stamp": Stamp(1_000_009, "0a1b2c")},
    "form:1:9:bid": {"stamp": Stamp(9), "words": ("bid",)},
    "hint:1:9~0a1b2c:": {"stamp": Stamp(9, "0a1b2c")},
    "pick:1:9:2": {"stamp": Stamp(9), "number": 2},
    "redo:1:9:": {"version": 9},
    "several:1:9~0a1b2c:": {"stamp": Stamp(9, "0a1b2c")},
    "series:1:9~0a1b2c:": {"stamp": Stamp(9, "0a1b2c")},
    "step:1:9:rise 2C": {"stamp": Stamp(9), "words": ("rise", "2C")},
    "try:1:9~0a1b2c:rise 2C + place B": {"stamp": Stamp(9, "0a1b2c"), "words": ("rise", "2C", "+", "place", "B")},
    "turn:1:0:": {},
    "typed:1:9:bid": {"stamp": Stamp(9), "words": ("bid",)},
    "undo:1:0:": {"version": 0},
    "undo:1:9:": {"version": 9},
    "unrate:1:9:": {"stamp": Stamp(9)},
    "unrateundo:1:9:": {"version": 9},
    # to look at a game
    "export:1:0:": {},
    "film:1:0:": {},
    "follow:1:0:": {},
    "predict:1:0:": {},
    "predicted:1:0:": {},
    "found:1:0:muscat 1 0 fire eater": {"match_id": 1, "place": "muscat 1 0 fire eater"},
    "found:0:0:muscat": {"match_id": 0, "place": "muscat"},
    "frame:1:0:12": {"number": 12, "way": 0},
    "frame:1:3:12": {"number": 12, "way": 3},
    "game:1:0:": {},
    "hand:1:0:": {},
    "log:1:0:": {"page": None},
    "log:1:0:4": {"page": 4},
    "luck:1:0:": {},
    "past:1:0:": {},
    "replay:1:0:": {"span": ""},
    "replay:1:0:round": {"span": "round"},
    "retry:1:9:": {"ply": 9, "words": ()},
    "retry:1:9:rise 2C": {"ply": 9, "words": ("rise", "2C")},
    "retryform:1:9:bid": {"ply": 9, "words": ("bid",)},
    "retrypick:1:9:2": {"ply": 9, "number": 2},
    "retrytyped:1:9:bid": {"ply": 9, "words": ("bid",)},
    "rule:1:0:5.2": {"section": "5.2"},
    "rules:1:0:": {"match_id": 1, "place": "", "number": 0},
    "rules:0:1:": {"match_id": 0, "place": "", "number": 1},
    "rules:1:0:muscat 4 1": {"match_id": 1, "place": "muscat 4 1", "number": 0},
    "search:1:0:muscat": {"match_id": 1, "place": "muscat"},
    "share:1:0:3-12": {"span": "3-12"},
    "sharestory:1:0:": {},
    "story:1:0:0": {"page": 0},
    "story:1:0:1": {"page": 1},
    "boardmore:1:0:9-ab12": {"mark": "9-ab12"},
    "text:1:0:9-ab12": {"mark": "9-ab12"},
    "unfollow:1:0:": {},
    # time
    "asleep:1:0:": {"match_id": 1},
    "asleepend:1:0:": {"match_id": 1},
    "back:1:0:": {},
    "pace:1:0:": {},
    "paces:1:0:": {},
    "snooze:0:0:evening 77": {"name": "evening", "user_id": 77},
    "vote:1:4:2 play": {"number": 4, "seat": Seat(2), "choice": "play"},
    # one's own
    "away:0:0:": {},
    "block:0:0:": {},
    "blocked:1:0:": {},
    "blockhere:1:0:": {},
    "blocks:0:2:": {"page": 2},
    "forget:0:0:": {},
    "localtime:0:0:": {"shown": ""},
    "localtime:0:0:yes": {"shown": "yes"},
    "forgetme:0:0:": {},
    "habit:0:0:quiet": {"name": "quiet"},
    "inzone:0:0:": {"shown": ""},
    "inzone:0:0:alone": {"shown": "alone"},
    "mydata:0:0:": {},
    "myfile:0:0:": {},
    "quieted:0:0:": {},
    "settingspage:0:0:times": {"page": "times"},
    "unblock:0:0:": {},
    "zone:0:0:": {"shown": ""},
    "zoned:0:0:alone": {"shown": "alone"},
    # of a server
    "again:1:0:": {"match_id": 1},
    "askdates:0:0:": {},
    "asusual:0:0:muscat": {"slug": "muscat"},
    "bar:0:30:77 Ana Maria": {"days": 30, "user_id": 77, "name": "Ana Maria"},
    "bars:0:0:": {},
    "barspan:0:0:77 Ana Maria": {"user_id": 77, "name": "Ana Maria"},
    "barspan:0:0:77 ": {"user_id": 77, "name": ""},
    "barwhom:0:0:": {},
    "calledoff:1:0:": {"match_id": 1},
    "calloff:1:0:": {"match_id": 1},
    "checkall:0:0:": {},
    "checkhere:0:0:": {},
    "dates:0:0:": {},
    "daysoff:0:0:": {},
    "weekdays:0:0:": {},
    "custom:0:0:calls": {"name": "calls"},
    "default:0:3:muscat start_placement": {"slug": "muscat", "name": "start_placement", "number": 3},
    "defaults:0:0:": {},
    "defaultpage:0:0:muscat 1": {"slug": "muscat", "page": 1},
    "defaultset:0:1:muscat": {"slug": "muscat", "number": 1},
    "defaultsof:0:0:": {},
    "games:0:0:3": {"page": 3},
    "handing:1:0:": {"match_id": 1},
    "handover:1:0:77": {"match_id": 1, "user_id": 77},
    "liftbar:0:0:": {},
    "moreserver:0:0:": {},
    "ofserver:0:0:": {},
    "serversettings:0:0:": {"page": ""},
    "serversettings:0:0:tables": {"page": "tables"},
    "unstick:1:0:": {"match_id": 1},
    "mygames:0:0:3": {"number": 3},
    # start times
    "askstart:1:0:": {},
    "calendar:1:0:": {},
    "startat:1:0:": {},
    # results and leagues
    "leaguecalendar:0:5:": {"league_id": 5},
    "leaguerules:0:0:jinns": {"game": "jinns"},
    "leaguebegin:0:5:": {"league_id": 5},
    "leagueend:0:5:": {"league_id": 5},
    "leaguegone:0:5:": {"league_id": 5},
    "leaguegroup:0:5:": {"league_id": 5},
    "leaguejoin:0:5:": {"league_id": 5},
    "leagueleave:0:5:": {"league_id": 5},
    "leagueshare:0:5:1": {"league_id": 5, "group": "1"},
    "leaguetable:0:5:2.1": {"league_id": 5, "mark": "2.1"},
    "leaguetable:0:5:": {"league_id": 5, "mark": ""},
    "leagueresult:0:5:r2": {"league_id": 5, "mark": "r2"},
    "leaguewords:0:5:0": {"league_id": 5, "group": "0"},
    "stats:0:0:": {},
    "statshare:0:0:versus/7/8": {"key": "versus/7/8"},
    "statwords:0:0:player/7": {"key": "player/7"},
}
"""The ids of all controls that messages of earlier versions have, and what they carry."""


def control_of(written: str) -> ControlId:
    match = re.fullmatch(FIELDS, written)
    assert match is not None, written
    return ControlId.of(match)


@pytest.mark.parametrize("written", OLD_IDS)
def test_a_control_id_of_an_earlier_version_still_reads_and_writes_the_same(written: str) -> None:
    control = control_of(written)
    kind, fields = KINDS[control.kind], OLD_IDS[written]
    assert fields == kind.read(control)
    # the name of a confirmation is not that of its handler
    made = kind._id(control.match, (), fields)
    assert written.partition(":")[2] == str(made).partition(":")[2]


def test_every_kind_of_control_has_a_handler_and_a_recorded_old_id() -> None:
    assert KINDS.keys() == TAPS.keys() == {control_of(written).kind for written in OLD_IDS}


@pytest.mark.parametrize("written", ["letin:1:0:", "letin:1:0:Ana", "vote:1:4:x play", f"log:1:0:{9**40}"])
def test_a_control_id_with_an_unreadable_field_is_outdated(written: str) -> None:
    control = control_of(written)
    with pytest.raises(UserError, match="outdated"):
        KINDS[control.kind].read(control)


async def nothing(request: TableRequest, page: int | None = None) -> None:
    """A handler."""


def test_a_second_handler_of_a_kind_fails_when_it_is_defined() -> None:
    with pytest.raises(ValueError, match="two kinds of controls are called log"):
        at_table("log")(nothing)
    with pytest.raises(ValueError, match="two handlers answer controls of the kind log"):
        at_table(board_layouts.log)(nothing)
    with pytest.raises(ValueError, match="leaguegone"):
        at_table("leaguegone")(nothing)


def test_a_control_without_a_handler_fails_at_startup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.interactions.kinds.KINDS", dict(KINDS))
    monkeypatch.setattr(handlers, "KINDS", KINDS | {"lonely": declare_anywhere("lonely")(lambda: None)})
    with pytest.raises(RuntimeError, match="lonely"):
        commands.import_features()


def test_a_menu_of_members_offers_no_bots() -> None:
    users = {"1": {"bot": True}, "2": {"bot": False}, "3": {}}
    data = {"custom_id": "cu:guests:1:0:", "values": ["1", "2", "3", "4"], "resolved": {"users": users}}
    used = used_control(data)
    assert used is not None
    assert ("2", "3") == used[1]


@pytest.mark.parametrize(
    ("text", "number"),
    [("5", 5), ("9" * 18, 10**18 - 1), ("9" * 20, None), ("9" * 5000, None), ("x", None), ("", None)],
)
def test_an_id_is_a_number_that_the_database_has_room_for(text: str, number: int | None) -> None:
    assert number == id_in(text)


def placed(
    league: InMatch[int], number: InVersion[int] = 0, page: int | None = None, sure: bool = False, rest: str = ""
) -> None:
    """A kind with fields in all parts of its id."""


def stamped(stamp: Stamp = NO_STAMP, keys: tuple[str, ...] = ()) -> None:
    """A kind at a table, with a position."""


def test_an_id_has_all_fields_of_its_kind_and_is_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.interactions.kinds.KINDS", dict(KINDS))
    free, seated = declare_anywhere("pawn")(placed), declare_at_table("rook")(stamped)
    ids = (free.id(5, 3, 2, sure=True, rest="x y"), free.id(5, rest="x"), free.id(league=5, page=0))
    assert ["pawn:5:3:2 1 x y", "pawn:5:0: 0 x", "pawn:5:0:0 0 "] == [str(control) for control in ids]
    names = ("league", "number", "page", "sure", "rest")
    values = [(5, 3, 2, True, "x y"), (5, 0, None, False, "x"), (5, 0, 0, False, "")]
    assert [dict(zip(names, row, strict=True)) for row in values] == [free.read(control) for control in ids]
    table = table_of(ANA)
    at = (seated.id(7, Stamp(4, "abcdef"), ("a", "b")), seated.id(table), seated.id(table, keys=("a",)))
    assert ["rook:7:4~abcdef:a b", f"rook:{table.id}:0:", f"rook:{table.id}:0:a"] == [str(control) for control in at]
    keys = [{"stamp": Stamp(4, "abcdef"), "keys": ("a", "b")}, {"stamp": NO_STAMP, "keys": ()}]
    assert keys == [seated.read(control) for control in at[:2]]
    buttons = (
        free.button("Go", PRIMARY, 5, 3),
        free.button("Go", DANGER, league=5),
        free.button("Go", league=5),
        seated.button(table, "Go", PRIMARY, Stamp(2)),
        seated.button(table, "Go", keys=("a",)),
    )
    assert [
        ("cv:pawn:5:3: 0 ", "Go", PRIMARY),
        ("cv:pawn:5:0: 0 ", "Go", DANGER),
        ("cv:pawn:5:0: 0 ", "Go", PLAIN),
        (f"cv:rook:{table.id}:2:", "Go", PRIMARY),
        (f"cv:rook:{table.id}:0:a", "Go", PLAIN),
    ] == [(button.item.custom_id, button.item.label, button.item.style) for button in buttons]


ID = ControlId("pawn", 1, 2, "x")
LONG_TEXT = "x" * 200


def test_a_control_has_at_most_the_letters_and_rows_that_discord_allows() -> None:
    emoji = PartialEmoji(name="camel", id=5)
    button = Control(ID, LONG_TEXT, DANGER, disabled=True, emoji=emoji)
    look = {"type": 2, "style": 4, "label": "x" * 80, "disabled": True, "custom_id": "cv:pawn:1:2:x"}
    assert look | {"emoji": emoji.to_dict()} == button.item.to_component_dict()
    assert ("…", False, PLAIN) == ((plain := Control(ID).item).label, plain.disabled, plain.style)
    rows = [("a", LONG_TEXT, LONG_TEXT, "y"), ("two", "B", "more", " words"), ("c", "C")]
    menu = Menu(ID, rows, LONG_TEXT, "two", [emoji, None]).item.to_component_dict()
    assert ("cm:pawn:1:2:x", "x" * 150, 1, 1) == (
        menu["custom_id"],
        menu["placeholder"],
        menu["min_values"],
        menu["max_values"],
    )
    options = [
        (option["value"], option["label"], option.get("description"), option["default"], "emoji" in option)
        for option in menu["options"]
    ]
    assert [
        ("a", "x" * 100, "x" * 100, False, True),
        ("two", "B", "more words", True, False),
        ("c", "C", None, False, False),
    ] == options
    several = Menu(ID, rows, chosen=["a", "c"], several=True).item
    assert (0, 3, None) == (several.min_values, several.max_values, several.placeholder)
    assert [True, False, True] == [option.default for option in several.options]
    assert [False] * 3 == [option.default for option in Menu(ID, rows).item.options]
    users = [UserMenu(ID, LONG_TEXT, 4).item, UserMenu(ID).item]
    assert [("cu:pawn:1:2:x", "x" * 150, 1, 4), ("cu:pawn:1:2:x", None, 1, 1)] == [
        (menu.custom_id, menu.placeholder, menu.min_values, menu.max_values) for menu in users
    ]


def test_a_picker_begins_with_what_is_chosen_and_may_be_emptied() -> None:
    text, roles = ChannelType.text, Picker.roles(ID, range(1, 30), LONG_TEXT).item
    channels = Picker.channels(ID, [5, 6, 7], LONG_TEXT, [text], most=2).item
    look = ("cs:pawn:1:2:x", "x" * 150, 0)
    assert [(*look, 2, [5, 6]), (*look, 25, [*range(1, 26)])] == [
        (item.custom_id, item.placeholder, item.min_values, item.max_values, [v.id for v in item.default_values])
        for item in (channels, roles)
    ]
    assert [text] == channels.channel_types  # type: ignore[union-attr]  # a menu of channels
    types = {value.type for item in (channels, roles) for value in item.default_values}
    assert {SelectDefaultValueType.channel, SelectDefaultValueType.role} == types


@pytest.mark.parametrize(
    ("data", "user_id", "name"),
    [
        ({"users": {"5": {"username": "ana", "global_name": "Ana"}}, "members": {"5": {"nick": "Annie"}}}, 5, "Annie"),
        ({"users": {"5": {"username": "ana", "global_name": "Ana"}}, "members": {"5": {"nick": None}}}, 5, "Ana"),
        ({"users": {"5": {"username": "ana", "global_name": None}}, "members": None}, 5, "ana"),
        ({"users": {"5": {"username": "ana"}}}, 5, "ana"),
        ({"users": {"5": {}}, "members": {}}, 5, ""),
        ({"users": {"5": {"username": "ana"}}}, 6, ""),
        ({"users": {"5": "ana"}}, 5, ""),
        ({"users": None}, 5, ""),
        ({}, 5, ""),
    ],
)
def test_the_name_of_a_chosen_user_is_the_one_that_the_server_shows(data: Any, user_id: int, name: str) -> None:
    assert name == chosen_name({"resolved": data}, user_id)
    assert "" == chosen_name({}, user_id)


@pytest.mark.parametrize(
    ("data", "used"),
    [
        ({"custom_id": "cv:log:1:2~abcdef:x y", "values": ["a"]}, (ControlId("log", 1, 2, "x y", "abcdef"), ())),
        ({"custom_id": "cm:log:1:2:", "values": ["a", 5]}, (ControlId("log", 1, 2), ("a", "5"))),
        ({"custom_id": "cs:log:1:2:", "values": None}, (ControlId("log", 1, 2), ())),
        ({"custom_id": "cu:log:1:2:"}, (ControlId("log", 1, 2), ())),
        ({"custom_id": "cf:log:1:2:"}, None),
        ({"custom_id": "of:log:1:2:"}, None),
        ({"custom_id": 5}, None),
    ],
)
def test_a_tapped_control_is_read_from_its_id_alone(data: Any, used: Any) -> None:
    assert used == used_control(data)
