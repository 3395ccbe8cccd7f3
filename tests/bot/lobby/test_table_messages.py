"""Whole messages about a table: names, terms, and the fields of buttons."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.lobby.asking import _request_layout
from bot.features.lobby.inviting import _guests_layout, _invitation_layout
from bot.features.lobby.lobby_layouts import closed_lobby_layout, first_game_layout, lobby_layout
from bot.features.lobby.more import _more_layout
from bot.features.lobby.substitutes import OF_LEAGUE, _offer_layout
from bot.features.lobby.table_buttons import remove_layout
from bot.interactions.parts import GOLD
from bot.store.matches import Admission, PastHolder
from bot.store.shard_range import NO_SERVER
from engine.proof import public_commitment
from engine.texts import Seat, Text
from tests.bot.whole import ANA, BEN, CARO, DAN, HOUR, NOW, holder, table_of, whole

ABOUT = ["## Toll", "Walk the road; at every gate your neighbor may take a coin.", ""]
LUCK = f"-# 🎲 The luck of this game is sealed: ||{public_commitment('secret')}||"
HOST = "🔴 <@71> · host"
JOIN, START, COMPUTER, MORE = "[Join join]", "[Start start]", "[Add computer add]", "[More more]"
NEEDED, READY = "-# 2 to 3 players. 1 more needed.", "-# 2 to 3 players. Start when everyone is here."
ALONE = [JOIN, f"({START[1:-1]})", COMPUTER]
FULL = [f"({JOIN[1:-1]})", START, f"({COMPUTER[1:-1]})"]
STARTS = "⏰ Starts on <t:1800000000:F>, <t:1800000000:R>."


@pytest.mark.parametrize(
    ("people", "columns", "seats", "terms", "last", "controls"),
    [
        ((ANA,), {}, [HOST, "🟦 Blue: free"], [], NEEDED, ALONE),
        ((ANA,), {"guild_id": NO_SERVER, "rated": False}, [HOST, "🟦 Blue: free"], [], NEEDED, ALONE),
        ((ANA,), {"rated": False}, [HOST, "🟦 Blue: free"], ["-# Not rated"], NEEDED, ALONE),
        ((BEN, ANA), {}, ["🔴 <@72>", "🟦 <@71> · host"], [], READY, [JOIN, START, COMPUTER]),
        ((ANA, BEN, 0), {"when_full": True}, [HOST, "🟦 <@72>", "**🟨 Tumbleweed**"], [], READY, FULL),
        (
            (ANA, BEN),
            {"when_full": True, "pace": "daily", "options": {"road": 6, "fast": True}},
            [HOST, "🟦 <@72>"],
            ["-# road: 6 · fast: yes · ⏳ 24 hours per turn"],
            f"{READY} It starts as soon as 3 players are here.",
            [JOIN, START, COMPUTER],
        ),
        (
            (ANA,),
            {"admits": Admission.REQUEST, "starts_at": NOW},
            [HOST, "🟦 Blue: free"],
            ["-# 🔑 On request: the host lets people in.", STARTS],
            NEEDED,
            ["[Ask to join join]", *ALONE[1:], "[Calendar calendar]"],
        ),
        (
            (ANA,),
            {"admits": Admission.INVITATION},
            [HOST, "🟦 Blue: free"],
            ["-# 🔑 By invitation: the host invites people."],
            NEEDED,
            ALONE,
        ),
    ],
)
def test_a_lobby_says_who_sits_there_on_which_terms_and_who_is_missing(
    people: tuple[int, ...], columns: dict[str, Any], seats: list[str], terms: list[str], last: str, controls: list[str]
) -> None:
    lobby = table_of(*people, **columns)
    assert [*ABOUT, *seats, *terms, LUCK, last, *controls, MORE] == whole(lobby_layout(lobby))


def test_a_lobby_names_its_guests_the_absent_and_a_note_but_no_time_that_has_passed() -> None:
    guests = {BEN: NOW, **{1000 + n: NOW for n in range(12)}, CARO: NOW}
    lobby = table_of(ANA, BEN, starts_at=NOW, facts={"invited": guests})
    named = ", ".join(f"<@{user_id}>" for user_id in (*range(1001, 1012), CARO))
    assert [
        *ABOUT,
        *(HOST, "🟦 <@72>", "away", f"-# Invited: {named}", LUCK, READY, "note", JOIN, START, COMPUTER, MORE),
    ] == whole(lobby_layout(lobby, Text("note"), Text("away"), is_due=True))


@pytest.mark.parametrize(
    ("facts", "until"), [({}, []), ({"touched": NOW}, ["-# You have until <t:1800086400:f>; then the table closes."])]
)
def test_a_ready_check_shows_whose_answer_is_missing_and_until_when_there_is_time(
    facts: dict[str, Any], until: list[str]
) -> None:
    lobby = table_of(ANA, BEN, 0, ready_check=True, ready=frozenset({ANA}), facts={**facts, "invited": {DAN: NOW}})
    assert [
        *ABOUT,
        *("✅ 🔴 <@71> · host", "⏳ 🟦 <@72>", "✅ **🟨 Tumbleweed**", LUCK),
        *("**Ready?** The game begins when everyone is. Waiting for <@72>.", *until),
        *("[Ready ready]", MORE),
    ] == whole(lobby_layout(lobby))


def test_a_start_time_keeps_a_table_open_for_a_day_after_it() -> None:
    late = table_of(ANA, BEN, ready=frozenset(), ready_check=True, starts_at=NOW + HOUR, facts={"touched": NOW})
    assert "-# You have until <t:1800090000:f>; then the table closes." in whole(lobby_layout(late))


@pytest.mark.parametrize("introduced", [False, True])
def test_a_closed_lobby_names_the_players_and_explains_the_game_to_newcomers(introduced: bool) -> None:
    table = table_of(ANA, 0, 0, game="muscat", runs=True)
    words = whole(closed_lobby_layout(table, Text("It is over."), introduced=introduced))
    assert ["It is over.", "", "🔴 <@71>", "**🟦 Tumbleweed**", "**🟨 Tumbleweed**"] == words[1:6]
    assert ["", "**Goal** –", "**Turn** –", "**End** – "] * introduced == [line[:10] for line in words[6:]]


@pytest.mark.parametrize(
    ("columns", "where", "controls"),
    [({}, "", ["[Your move turn]", "[Rules rules]"]), ({"own_thread": True}, " in <#9>", [])],
)
def test_a_first_game_is_explained_and_has_its_buttons_where_it_is_played(
    columns: dict[str, Any], where: str, controls: list[str]
) -> None:
    table = table_of(ANA, 0, 0, game="muscat", runs=True, **columns)
    goal, turn, end, begins, *buttons = whole(first_game_layout(table))
    assert ["**Goal** –", "**Turn** –", "**End** – "] == [line[:10] for line in (goal, turn, end)]
    assert f"-# Your first game of Muscat has begun{where}. You’ll get advice along the way, each idea once." == begins
    assert controls == buttons


def test_an_invitation_comes_from_who_invites_and_leads_to_the_table() -> None:
    assert [
        "<@73> and <@74>: <@72> invites you to a game of **Toll**.",
        f"-# {ABOUT[1]}",
        "[Join accept]",
        "[Rules rules]",
    ] == whole(_invitation_layout(table_of(ANA), BEN, [CARO, DAN]))


@pytest.mark.parametrize("admits", Admission)
def test_the_host_chooses_guests_and_sees_who_may_join(admits: Admission) -> None:
    heading, hint, guests, about, menu, *rows = whole(_guests_layout(table_of(ANA, admits=admits)))
    assert "### Who do you want to invite to Toll?" == heading
    assert "-# They’re mentioned here once; up to 10 at a time." == hint
    assert ["Choose people: guests", ": admits"] == [guests, menu]
    assert about.startswith("**Who may join** – ")
    labels = {"anyone": "Anyone may join", "request": "On request", "invitation": "By invitation"}
    assert [f"  {'*' * (admission == admits)}{admission.value} {labels[admission]}" for admission in Admission] == rows


def test_a_request_asks_the_host_for_the_one_who_wants_to_join() -> None:
    assert [
        "<@72>: <@74> is asking to join your **Toll** table.",
        "[Let in letin 74]",
        "[Decline decline 74]",
    ] == whole(_request_layout(table_of(ANA, host_id=BEN), DAN))


def test_an_offer_says_in_whose_place_each_computer_plays_and_for_whom_a_seat_is() -> None:
    before = (PastHolder(Seat(1), holder(BEN), 3), PastHolder(Seat(1), holder(CARO), 4))
    table = table_of(ANA, 0, 0, runs=True, past_holders=before, facts={"offers": {Seat(2): 1, Seat(1): 1}})
    assert [
        "**Who takes over in Toll?**",
        "🟦 Tumbleweed, a computer, plays in place of Caro.",
        "🟨 Tumbleweed is a computer.",
        "-# For players of this league who don’t have a table this round.",
        "[Take 🟦 Tumbleweed’s seat take 1]",
        "[Take 🟨 Tumbleweed’s seat take 2]",
    ] == whole(_offer_layout(table, OF_LEAGUE))
    alone = table_of(ANA, 0, 0, runs=True, facts={"offers": {Seat(2): 1}})
    assert ["🟨 Tumbleweed is a computer.", "[Take this seat take 2]"] == whole(_offer_layout(alone))[1:]


def test_a_host_removes_by_seat_and_person_whoever_moves_up_meanwhile() -> None:
    assert [
        "### Who do you want to remove?",
        "[🔴 Ana unseat 71]",
        "[🟦 Ben unseat 1 72]",
        "[🟨 Tumbleweed unseat 2 None]",
    ] == whole(remove_layout(table_of(ANA, BEN, 0)))


OWN = ["[Rules rules]", "[Luck luck]"]
LEAVE, BLOCK, NOT_YET = "[Leave leave]", "[Block a player blockhere]", "[Not yet notyet]"
INVITE, COMPUTERS = ["[Invite invite]", "[Pace paces]"], "[Computers computers]"
HOSTS = ["[Options options]", "[Start time askstart]"]
ENDS = ["[Remove remove]", "[Close the table askend]"]


@pytest.mark.parametrize(
    ("people", "columns", "roles", "details", "controls"),
    [
        ((ANA,), {}, "SH", ["only if at least two people play."], [LEAVE, *INVITE, *HOSTS, *ENDS]),
        ((ANA, BEN), {}, "SH", ["yes."], ["[Shuffle seats shuffle]", LEAVE, BLOCK, *INVITE, *HOSTS, *ENDS]),
        ((ANA, BEN), {}, "S", ["yes."], ["[Shuffle seats shuffle]", LEAVE, BLOCK]),
        ((ANA,), {}, "", ["only if at least two people play."], [BLOCK]),
        ((ANA, BEN), {}, "H", ["yes."], [BLOCK, *INVITE, *HOSTS, *ENDS]),
        (
            (ANA, BEN, 0),
            {"ready": frozenset(), "rated": False},
            "H",
            ["no: the host turned it off, or a player took a hint, or took a move back without asking."],
            [BLOCK, NOT_YET, *INVITE, *HOSTS, COMPUTERS, *ENDS],
        ),
        ((ANA, 0), {"guild_id": NO_SERVER}, "SH", [], ["[Shuffle seats shuffle]", LEAVE, *HOSTS, COMPUTERS, *ENDS]),
    ],
)
def test_more_has_what_each_may_do_at_the_table(
    people: tuple[int, ...], columns: dict[str, Any], roles: str, details: list[str], controls: list[str]
) -> None:
    """`roles`: S is seated there, H is in charge of the table."""
    page = _more_layout(table_of(*people, **columns), seated="S" in roles, in_charge="H" in roles)
    counts = [f"**Counts in `/stats`** – {why}" for why in details]
    assert ["### More at this table", *counts, *OWN, *controls] == whole(page)


def test_more_tells_the_pace_and_whether_there_are_hints() -> None:
    table = table_of(ANA, BEN, pace="brisk", firm=True, facts={"hints": True})
    assert [
        "**Pace** – Brisk: 4 hours per turn plus 12 to spare; after that, a computer plays.",
        "**Hints** – players can ask for their best moves.",
    ] == whole(_more_layout(table, seated=False, in_charge=False))[1:3]


def test_the_messages_of_a_table_have_a_golden_edge() -> None:
    lobby, running = table_of(ANA, BEN), table_of(ANA, 0, runs=True, facts={"offers": {Seat(1): 1}})
    messages = [
        lobby_layout(lobby),
        closed_lobby_layout(running, Text("It is over.")),
        _invitation_layout(lobby, ANA, [BEN]),
        _offer_layout(running),
    ]
    assert [GOLD.value] * 4 == [message.to_components()[0]["accent_color"] for message in messages]
