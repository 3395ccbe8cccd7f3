"""Turns at a desk: each step in private, its result in the channel, and what it takes to have a choice back."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bot.computers.questions import Question
from bot.computers.queue import Priority
from bot.features.handlers import TableRequest
from bot.features.play import hints, move_commands, undo_buttons, your_move_layouts
from bot.features.play.drafting import TurnDraft
from bot.features.play.plan_drafts import PLAN_VERSIONS, PlanDraft
from bot.features.play.steps import Step
from bot.features.play.why import suggest
from bot.features.play.your_move import _answer_with_board, _is_open, ask_again, close
from bot.features.view import games
from bot.store.auto_answers import AutoAnswer
from bot.store.drafts import Draft
from bot.store.jobs import NOBODY, JobKind
from bot.store.log import Act
from bot.store.matches import SeatHolder
from bot.tables.moves import NextStep
from bot.tables.planning import choices_made, planned_turn
from bot.tables.preferences import Preferences, keep_preferences
from bot.tables.rated import RatedStanding
from bot.tables.table import Stale, Table
from engine.core import CHANCE
from engine.games.muscat.verbs.cycle import Cycle
from engine.games.muscat.verbs.place import Place
from engine.match import Match
from engine.players.hints import Hint
from engine.proof import Proof
from engine.texts import Seat, Text
from tests.bot.desk import COMMAND, NAMES, Desk
from tests.bot.outcomes import sent
from tests.bot.posting.test_posted_boards import bid, finish_posting
from tests.bot.refusing import CHANNEL, GUEST, HOST, HOUR, House, refusal
from tests.engine.toys import TOYS
from tests.engine.toys.garden import Plant
from tests.engine.toys.sealed import Bid
from tests.luck import seed_by_secret

ONLOOKER = 99
PEOPLE = SeatHolder(HOST, name="Ana"), SeatHolder(GUEST, name="Ben")


@pytest.fixture
def home(home: House, monkeypatch: pytest.MonkeyPatch) -> House:
    luck = Random("turns")
    monkeypatch.setattr(secrets, "token_hex", lambda length: luck.randbytes(length).hex())
    monkeypatch.setattr(Proof, "seed", seed_by_secret)
    return home


async def test_a_turn_is_chosen_seen_and_confirmed_in_private(desk: Desk) -> None:
    home = desk.home
    table = await begin_posted(home)
    question = ["### Bid 0 to 3 coins.", *(f"[Bid {n} try bid {n}]" for n in range(4)), "[Cancel close]"]
    assert [["new private", *question]] == await desk.tap(HOST, "turn:1:0:")
    preview = ["### Play this?", "-# ✓ Bid 2", "-# Then 🟦 Ben: Bid 0 to 3 coins."]
    ways = ["[Confirm do ~71737d]", "[Back step bid]", "[Cancel close ~71737d]"]
    assert [["edit", *preview, *ways]] == await desk.tap(HOST, "try:1:0:bid 2")
    assert [["new private", *preview, *ways]] == await desk.tap(HOST, "turn:1:0:"), "the draft is kept"
    assert [["edit", *question]] == await desk.tap(HOST, "step:1:0:bid")
    assert {} == table.drafts
    await desk.tap(HOST, "try:1:0:bid 2")
    assert ([], 0) == (sent(home), table.require_match().version)
    result = ["✓ Bid 2", f"-# It’s 🟦 <@{GUEST}>’s turn.", "[Undo undo 1]"]
    assert [["edit", *result]] == await desk.tap(HOST, "do:1:0~71737d:")
    ((head, *lines),) = sent(home)
    assert ("PATCH /channels/2/messages/555", f"🟦 <@{GUEST}>: Bid 0 to 3 coins.") == (head, lines[0])
    waits = f"Not your turn yet. It’s 🟦 <@{GUEST}>’s turn."
    assert [["new private", waits, "[Undo undo 1]"]] == await desk.tap(HOST, "turn:1:0:")
    for user_id in (ONLOOKER, 0):
        stranger = f"You’re not playing in this game. It’s 🟦 <@{GUEST}>’s turn."
        assert [["new private", stranger]] == await desk.tap(user_id, "turn:1:0:")
        assert [["new private", stranger]] == await desk.tap(user_id, "try:1:0:bid 2")
    elsewhere = [["new private", "I can’t find that game here anymore."]]
    assert elsewhere == await desk.tap(HOST, "turn:1:0:", channel_id=9)
    assert elsewhere == await desk.tap(HOST, "turn:9:0:")
    outdated = [["new private", "This button is outdated and no longer works."]]
    assert outdated == await desk.tap(HOST, "gone:1:0:")


NOTHING_CHANGED = "Nothing has changed. Tap **Your move** on the newest board when you’re ready."


async def test_cancel_drops_the_draft_and_a_secret_choice_is_had_back_at_once(desk: Desk) -> None:
    table = await desk.home.posted()
    await desk.tap(HOST, "try:1:0:bid 2")
    assert [["edit", NOTHING_CHANGED]] == await desk.tap(HOST, "close:1:0~71737d:")
    assert {} == table.drafts
    await desk.tap(HOST, "try:1:0:bid 2")
    await desk.tap(HOST, "do:1:0~71737d:")
    sent(desk.home)
    nothing = [["new private", "You have nothing to take back."]]
    assert nothing == await desk.tap(GUEST, "undo:1:1:")
    back = ["↩ You took this back:", "Bid 2", "[Your move turn]", "[Redo redo 2]"]
    assert [["edit", *back]] == await desk.tap(HOST, "undo:1:1:")
    assert ["bid 2", "undo 0"] == [entry.notation for entry in table.require_match().entries]
    ((head, *lines),) = sent(desk.home)
    question = f"🔴 <@{HOST}> and 🟦 <@{GUEST}>: Bid 0 to 3 coins."
    assert ("POST /channels/2/messages", question) == (head, lines[0]), "nobody is pinged again"
    assert [["new private", "The game has moved on."]] == await desk.tap(HOST, "undo:1:1:")
    assert [["new private", "You have nothing to redo."]] == await desk.tap(GUEST, "redo:1:2:")
    assert [["edit", "Redone."]] == await desk.tap(HOST, "redo:1:2:")
    assert [f"🟦 <@{GUEST}>: Bid 0 to 3 coins."] == sent(desk.home)[0][1:2]
    stranger = [["new private", f"You’re not playing in this game. It’s 🟦 <@{GUEST}>’s turn."]]
    for control in ("undo:1:1:", "redo:1:2:", "ask:1:3:"):
        assert stranger == await desk.tap(ONLOOKER, control)


async def begin_posted(home: House) -> Table:
    """A game of Sealed Bids whose first board was posted and noted."""
    table = await home.posted()
    await finish_posting(home)
    sent(home)
    return table


def due_user(table: Table) -> int:
    (decision, *_) = table.require_match().state.decisions()
    user_id = table.row.holders[decision.seat].user_id
    assert user_id is not None
    return user_id


async def begin_levy(
    home: House, desk: Desk, *people: SeatHolder, channel_id: int = CHANNEL, host_id: int = HOST
) -> tuple[Table, int, int]:
    """A game of Toll in which a choice led to a draw. Returns its player and the other one of two."""
    table = await home.lobby(channel_id, *(people or PEOPLE), game="toll", host_id=host_id, ready=[HOST, GUEST, 72])
    await home.services.moves.start(table, 4711)
    await home.services.poster.post(table)
    mine, version = due_user(table), table.require_match().version
    ((_, *lines),) = await desk.tap(mine, f"try:{table.id}:{version}:levy yes", channel_id=channel_id)
    confirm = next(line for line in lines if line.startswith("[Confirm"))
    await desk.tap(mine, f"do:{table.id}:{confirm.split()[-1][:-1]}:", channel_id=channel_id)
    await home.services.poster.publish(table)
    sent(home)
    return table, mine, HOST + GUEST - mine


async def test_a_choice_with_a_draw_after_it_needs_the_consent_of_the_others(desk: Desk) -> None:
    table, mine, other = await begin_levy(desk.home, desk)
    version, names = table.require_match().version, {HOST: "🔴", GUEST: "🟦"}
    other_player = f"{names[other]} <@{other}>"
    why = "Something has been drawn or rolled since."
    ((how, question, choice, *lines),) = await desk.command(mine, undo_buttons.undo_last)
    assert ("new private", f"{why} To take this back, {other_player} would have to agree:") == (how, question)
    assert ("Levy yes", [f"[Ask them ask {version}]", "[Cancel close]"]) == (choice, lines[-2:])
    nothing = "You have nothing to {}."
    assert [["new private", nothing.format("take back")]] == await desk.command(other, undo_buttons.undo_last)
    assert [["new private", nothing.format("redo")]] == await desk.command(mine, undo_buttons.undo_last, redo=True)
    for user_id, outcome in (
        (other, f"{names[other]} {NAMES[other]} would rather play on, so nothing is taken back."),
        (mine, "The undo request was withdrawn."),
    ):
        assert [["edit", f"Asking {other_player}."]] == await desk.tap(mine, f"ask:1:{version}:")
        *_, (head, title, *lines) = sent(desk.home)
        own = f"{names[mine]} {NAMES[mine]}"
        assert (f"POST /channels/2/messages @{other}", f"### {own} would like to take this back") == (head, title)
        ways = [f"{other_player}: do you agree?", f"-# {why}", f"[Agree agree {version}]", f"[No disagree {version}]"]
        last_move = f"{own} takes a coin from {names[other]} {NAMES[other]}. {NAMES[mine]} walks 1 step."
        assert [last_move, *ways] == lines
        assert [["new private", "Nothing was taken back."]] == await desk.tap(user_id, f"disagree:1:{version}:")
        assert [["PATCH /channels/2/messages/555", outcome]] == sent(desk.home)
        assert table.undo_request is None
    await desk.tap(mine, f"ask:1:{version}:")
    sent(desk.home)
    for user_id in (ONLOOKER, mine):
        assert [["new private", f"{other_player} was asked."]] == await desk.tap(user_id, f"agree:1:{version}:")
    assert [["new private", "The game has moved on."]] == await desk.tap(other, f"agree:1:{version + 9}:")
    agreed = "Everyone agrees; it’s taken back."
    assert [["new private", agreed]] == await desk.tap(other, f"agree:1:{version}:")
    (head, story, *_), closed = sent(desk.home)
    assert (f"POST /channels/2/messages @{mine}", f"{own} takes back a move.") == (head, story)
    assert (["PATCH /channels/2/messages/555", agreed], None) == (closed, table.undo_request)


async def test_an_undo_request_names_a_move_that_the_picture_of_its_board_has_shown(desk: Desk) -> None:
    table = await desk.home.lobby(CHANNEL, *PEOPLE, game="gangs", ready=[HOST, GUEST, 72])
    await desk.home.services.moves.start(table, 4711)
    mine = due_user(table)
    for user_id in (mine, HOST + GUEST - mine):
        match, steps = table.require_match(), 2 if user_id == mine else 1
        card = next(option for option in match.state.decisions()[0].options if option.card == steps)
        await desk.home.services.moves.play(table, user_id, card, interaction_id=user_id, version=match.version)
    sent(desk.home)
    await desk.tap(mine, f"ask:1:{table.require_match().version}:")
    assert any(f"{NAMES[mine]} plays a 2" in line for line in sent(desk.home)[-1])


async def test_who_cannot_be_asked_hears_of_no_undo(desk: Desk) -> None:
    table, mine, _ = await begin_levy(desk.home, desk)
    desk.home.network.fault = lambda: refusal(503)
    answers = await desk.tap(mine, f"ask:1:{table.require_match().version}:")
    assert answers[-1][-1].endswith("Discord is not letting me ask the others at the moment.")


LUCK = "-# When the game is over, you can see the secret here and check every draw. Undo does not change the luck."
OVER_LINES = ["🥇 🔴 <@70> · 3", "🥈 🟦 <@71> · 0"]
NOT_PLAYING = "You’re not playing in this game. "


async def test_players_and_onlookers_look_at_a_game_as_far_as_they_may(desk: Desk) -> None:
    home = desk.home
    table = await begin_posted(home)
    home.add_channel(CHANNEL)
    due = f"It’s 🔴 <@{HOST}> and 🟦 <@{GUEST}>’s turn."
    ways = ["[Log past]", "[As text text]", "[Replay film]"]
    log = ["### Sealed Bids", "[Luck luck]", "[Export export]", "[Block a player blockhere]"]
    games_here = ["### Games in this channel", "Choose a game to look at: game", "  1 Sealed Bids, being played"]
    for user_id, board in ((HOST, [due, "[Your move turn]", *ways]), (ONLOOKER, [due, *ways, "[Follow follow]"])):
        assert [["new private", *board]] == await desk.command(user_id, games.show_board)
        assert 1 == len(desk.files)
        assert [["edit", *board]] == await desk.tap(user_id, "game:1:0:", "1")
        assert [["new private", *log]] == await desk.command(user_id, games.show_log)
        assert [["edit", *log]] == await desk.tap(user_id, "log:1:0:")
        assert [["new private", *log]] == await desk.tap(user_id, "past:1:0:")
        assert [["new private", *games_here]] == await desk.command(user_id, games.list_games)
        ((_, *luck),) = await desk.tap(user_id, "luck:1:0:")
        assert LUCK == luck[-1]
        ((_, *words),) = await desk.tap(user_id, "text:1:0:m")
        assert (user_id == HOST) == ("- Bid 2" in words)
        for control in ("replay:1:0:", "film:1:0:", "frame:1:0:0"):
            nothing = "Nobody has moved yet, so there’s nothing to replay."
            assert [["new private", nothing]] == await desk.tap(user_id, control)
        early = "The story comes when the game is over; until then it would give things away."
        assert [["new private", early]] == await desk.tap(user_id, "story:1:0:")
    assert [["edit", due, "[Your move turn]", *ways]] == await desk.tap(HOST, "hand:1:0:")
    assert [["new private", NOT_PLAYING + due]] == await desk.tap(ONLOOKER, "hand:1:0:")
    home.time.now += HOUR
    for coins in ((3, 1), (2, 0), (2, 1)):
        for user_id, n in zip((HOST, GUEST), coins, strict=True):
            await bid(home, table, user_id, n)
    for user_id, won in ((HOST, "## You win!"), (ONLOOKER, "## 🔴 Ana wins!")):
        for answer in (
            await desk.command(user_id, games.show_board, over=True),
            await desk.tap(user_id, "turn:1:0:"),
        ):
            ((how, *lines),) = answer
            assert ("new private", [won, *OVER_LINES], ways) == (how, lines[:3], lines[-3:])
        ((_, _, *lines),) = await desk.tap(user_id, "log:1:0:")
        rounds = ["`2` 🟦 The bids are 3 and 1.", "`4` 🟦 The bids are 2 and 0.", "`6` 🟦 The bids are 2 and 1."]
        assert rounds == lines[:3]
        ((_, _, verdict, *_),) = await desk.tap(user_id, "luck:1:0:")
        assert "✅ Every draw matches the seed (0 draws checked)." == verdict
        ((_, *lines),) = await desk.command(user_id, games.list_games)
        assert "  1 Sealed Bids, over – last move on June 1, 2026" == lines[-1]
        for control in ("follow:1:0:", "predict:1:0:"):
            assert [["new private", "This game is over."]] == await desk.tap(user_id, control)
        assert [["new private", "This game was too short to have a story."]] == await desk.tap(user_id, "story:1:0:")
    for control, words in (("undo:1:0:", "The game is over."), ("try:1:6:bid 1", "This game is over.")):
        assert [["new private", words]] == await desk.tap(HOST, control)


async def test_onlookers_follow_a_game_and_predict_its_winner_once_they_do(desk: Desk) -> None:
    table = await begin_posted(desk.home)
    player = "You’re in this game, so you’ll hear when it ends anyway."
    for control in ("follow:1:0:", "unfollow:1:0:"):
        assert [["new private", player]] == await desk.tap(HOST, control)
    plays = "You’re playing or have played in this game, so you can’t predict its winner."
    for control in ("predict:1:0:", "predicted:1:0:"):
        assert [["new private", plays]] == await desk.tap(HOST, control, "1")
        first = "Please follow this game first: tap **Follow** under `/game board`."
        assert [["new private", first]] == await desk.tap(ONLOOKER, control, "1")
    following = "You’re following this game of Sealed Bids. You’ll be mentioned once, when it’s over."
    answer = ["new private", following, "[Unfollow unfollow]", "[Predict the winner predict]"]
    assert [answer] == await desk.tap(ONLOOKER, "follow:1:0:")
    ((_, title, _, *menu),) = await desk.tap(ONLOOKER, "predict:1:0:")
    assert ("### Who will win?", ["Choose the winner: predicted", "  0 🔴 Ana", "  1 🟦 Ben"]) == (title, menu)
    ((_, _, _, note, *menu),) = await desk.tap(ONLOOKER, "predicted:1:0:", "1")
    assert ("✓ Your prediction before move 1: 🟦 Ben wins.", "  *1 🟦 Ben", "  - No prediction") == (
        note,
        *menu[-2:],
    )
    assert ({ONLOOKER}, [ONLOOKER]) == (table.followers, [*table.predictions])
    stopped = "You no longer follow this game of Sealed Bids, and your prediction is deleted."
    assert [["new private", stopped, "[Follow follow]"]] == await desk.tap(ONLOOKER, "unfollow:1:0:")
    assert (set(), {}) == (table.followers, table.predictions)


async def test_all_whom_an_undo_concerns_are_asked_and_each_agreement_counts(desk: Desk) -> None:
    people = (*PEOPLE, SeatHolder(72, name="Caro"))
    table, mine, _ = await begin_levy(desk.home, desk, *people)
    first, last = [user_id for user_id in table.people if user_id != mine]
    version = table.require_match().version
    await desk.tap(mine, f"ask:1:{version}:")
    assert f"POST /channels/2/messages @{first} @{last}" == sent(desk.home)[-1][0]
    mark = table.mark(table.require_seat(last))
    for user_id in (first, first):
        assert [["new private", f"Thanks. Waiting for {mark} <@{last}>."]] == await desk.tap(
            user_id, f"agree:1:{version}:"
        )
    assert (version, []) == (table.require_match().version, sent(desk.home))
    agreed = "Everyone agrees; it’s taken back."
    assert [["new private", agreed]] == await desk.tap(last, f"agree:1:{version}:")
    last_entry = table.require_match().entries[-1]
    assert (table.require_seat(mine), "undo") == (last_entry.seat, last_entry.notation.split()[0])


async def behind(*_: object) -> RatedStanding:
    """The player would lose their game now."""
    return RatedStanding.BEHIND


async def test_where_only_computers_are_left_an_undo_ends_the_rating_after_a_question(desk: Desk) -> None:
    table, mine, other = await begin_levy(desk.home, desk)
    await desk.home.services.seats.resign(table, other)
    version = table.require_match().version
    ((how, question, choice, _, *ways),) = await desk.tap(mine, f"undo:1:{version}:")
    rated = "If you take this back, the game no longer counts in `/stats`."
    assert ("edit", f"Something has been drawn or rolled since. {rated}", "Levy yes") == (how, question, choice)
    assert [f"[Take it back unrateundo {version}]", "[Cancel close]"] == ways
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk.home.services.seats, "standing_of", behind)
        ((_, question, warning, *_),) = await desk.tap(mine, f"undo:1:{version}:")
    lost = "Something has been drawn or rolled since. If you take this back, this game counts as a loss for you in"
    assert (f"{lost} `/stats`.", "⚠️ This game is rated: you’d finish last.") == (question, warning)
    assert (True, version) == (table.row.rated, table.require_match().version)
    ((how, title, *_),) = await desk.tap(mine, f"unrateundo:1:{version}:")
    assert ("edit", "↩ You took this back:") == (how, title)
    assert (False, version + 1) == (table.row.rated, table.require_match().version)


async def test_where_only_computers_are_left_an_undo_in_a_league_is_refused_without_a_question(desk: Desk) -> None:
    table, mine, other = await begin_levy(desk.home, desk, host_id=NOBODY)
    version = table.require_match().version
    ((how, question, *_),) = await desk.tap(mine, f"undo:1:{version}:")
    assert ("edit", True) == (how, "would have to agree" in question), "with another person it can be agreed"
    await desk.home.services.seats.resign(table, other)
    version = table.require_match().version
    ((_, refusal),) = await desk.tap(mine, f"undo:1:{version}:")
    assert refusal.startswith("Something has been drawn or rolled since. In a league, you can’t take that back")
    assert [["new private", refusal]] == await desk.tap(mine, f"unrateundo:1:{version}:"), "an old question"
    assert version == table.require_match().version


async def test_a_draft_of_an_earlier_question_is_dropped_with_a_note(desk: Desk) -> None:
    table = await begin_posted(desk.home)
    await bid(desk.home, table, HOST, 1)
    await bid(desk.home, table, GUEST, 2)
    table.facts = replace(table.facts, drafts={Seat(0): Draft(0, ("bid 2",))})
    question = ["### Bid 0 to 3 coins.", *(f"[Bid {n} try 3 bid {n}]" for n in range(4)), "[Cancel close 3]"]
    dropped = "-# The game has moved on, so your unconfirmed choices were dropped."
    news = "🎲 The bids are 1 and 2."
    assert [["new private", dropped, news, *question, "[Log past]"]] == await desk.tap(HOST, "turn:1:0:")
    assert {} == table.drafts
    moved_on = [["edit", "-# The game has moved on; this is the position now.", *question]]
    for control in ("try:1:0:bid 2", "do:1:0~71737d:", "step:1:0:bid"):
        assert moved_on == await desk.tap(HOST, control)
    impossible = [["new private", "That is no longer possible. Tap **Your move** again."]]
    for control in ("do:1:3:", "try:1:3:bid 9"):
        assert impossible == await desk.tap(HOST, control)
    assert [["edit", NOTHING_CHANGED]] == await desk.tap(HOST, "close:1:3:")
    assert [["edit", "Nothing has changed."]] == await desk.tap(ONLOOKER, "close:1:3:")
    assert 3 == table.require_match().version


async def test_the_question_comes_with_the_events_since_the_last_look_and_their_picture(desk: Desk) -> None:
    home = desk.home
    table, _, other = await begin_levy(home, desk)
    await keep_preferences(home.store.settings, other, Preferences(contrast=True))
    pictures: Any = home.services.pictures
    pictures.drawings.clear()
    question = [
        "### Shall the traveler pay?",
        "[Levy yes try 7 levy yes]",
        "[Levy no try 7 levy no]",
        "[Cancel close 7]",
    ]
    news = ["🟦 You walk 3 steps.", "🔴 Ana takes a coin from you. Ana walks 1 step."]
    always = "[Always answer… answers]"
    answers = [*await desk.tap(other, "turn:1:0:"), *await desk.tap(other, "turn:1:0:")]
    assert [["new private", *news, *question, "[Log past]", always], ["new private", *question, always]] == answers
    stale = "-# The game has moved on; this is the position now."
    assert [["edit", stale, *question, always]] == await desk.tap(other, "step:1:7:fly")
    assert [["edit", *question, always]] == await desk.tap(other, "step:1:7:levy")
    ((how, *lines),) = await desk.tap(other, "try:1:7:levy no")
    preview = ["### Play this?", "-# ✓ Levy no", "🎲 After **Confirm**: The camels walk."]
    assert ("edit", preview) == (how, lines[:3])
    drawings = [(view.viewer, view.ply, view.preview, len(view.events)) for view, _ in pictures.drawings]
    looks = [(1, 7, False, events) for events in (4, 1, 1, 1)]
    assert [*looks, (1, 9, True, 0)] == drawings
    offered = [option.pay for option in pictures.drawings[0][0].offered]
    assert ([True, False], {True}) == (offered, {contrast for _, contrast in pictures.drawings})
    assert (7, other) == (table.require_match().version, due_user(table))


async def test_the_question_after_a_choice_shows_a_preview_that_marks_only_its_effects(desk: Desk) -> None:
    home = desk.home
    table = await home.posted(game="alibaba")
    mine, version = due_user(table), table.require_match().version
    pictures: Any = home.services.pictures
    pictures.drawings.clear()
    await desk.tap(mine, f"turn:1:{version}:")
    ((_, *lines),) = await desk.tap(mine, f"try:1:{version}:steal 2")
    assert any(line.startswith("[Confirm") for line in lines)
    (question, _), (next_question, _) = pictures.drawings
    assert (False, True) == (question.preview, next_question.preview)
    assert (version, version + 1) == (question.ply, next_question.ply)
    assert ["Stole"] == [type(event).__name__ for event in next_question.events]


async def test_the_others_read_all_that_an_undo_takes_back_even_what_a_picture_shows(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, mine, _ = await begin_levy(desk.home, desk)
    monkeypatch.setattr(undo_buttons, "story", lambda *_, pictured=False: f"pictured: {pictured}")
    await desk.tap(mine, f"ask:1:{table.require_match().version}:")
    assert "pictured: True" in sent(desk.home)[-1]


async def test_a_learner_gets_the_news_in_one_line_so_that_the_advice_has_room(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = desk.home
    table, _, other = await begin_levy(home, desk)
    await keep_preferences(home.store.settings, other, Preferences(coached=True))
    ((_, *lines),) = await desk.tap(other, "turn:1:0:")
    assert ["🔴 Ana takes a coin from you.", "### Shall the traveler pay?"] == lines[:2]
    monkeypatch.setattr(your_move_layouts, "fresh_advice", lambda *_: Text("Keep your coins."))
    ((_, *lines),) = await desk.tap(other, "turn:1:0:")
    assert ["### Shall the traveler pay?", "-# 💡 Keep your coins."] == lines[:2]
    step = Step((), "Pay whom?", ())
    stale = "-# The game has moved on; this is the position now."
    ((_, *lines),) = await desk.tap(other, "step:1:7:fly")
    assert [stale, "### Shall the traveler pay?", "-# 💡 Keep your coins."] == lines[:3], "no log has this line"
    headings = [
        your_move_layouts.heading(TurnDraft.of(table, other), Text("Pay."), replace(step, is_part=part))
        for part in (False, True)
    ]
    assert ["### Pay.", "### Pay whom?"] == headings


async def test_the_picture_of_a_later_question_marks_the_effects_of_all_choices_of_the_turn(desk: Desk) -> None:
    table = await desk.home.posted(game="jinns")
    mine, version = due_user(table), table.require_match().version
    pictures: Any = desk.home.services.pictures
    await desk.tap(mine, f"pick:1:{version}:0", "place 1")
    await desk.tap(mine, f"pick:1:{version}~{stamp_of(table, mine)}:0", "place 2")
    view, _ = pictures.drawings[-1]
    assert (True, 2) == (view.preview, len(view.events))


def stamp_of(table: Table, user_id: int) -> str:
    """The checksum of the unconfirmed choices of a user."""
    return TurnDraft.saved(table, user_id).stamp.draft


async def test_a_confirmed_choice_has_its_answer_whatever_follows(desk: Desk) -> None:
    table = await desk.home.posted(game="alibaba")
    mine, version = due_user(table), table.require_match().version
    await desk.tap(mine, f"try:1:{version}:steal 2")
    ((_, note, *_),) = await desk.tap(mine, f"do:1:{version}~{stamp_of(table, mine)}:")
    assert ("🔴 You steal 3,000 for 2 more turns.", mine) == (note, due_user(table))
    assert table.unanswered is None, "the same command would mean a new move"
    version = table.require_match().version
    ((_, *lines),) = await desk.tap(mine, "turn:1:0:")
    assert ("### Play a movement card.", [f"[Cancel close {version}]", f"[Undo undo {version}]"]) == (
        lines[0],
        lines[-2:],
    )
    ((_, *lines),) = await desk.tap(mine, f"try:1:{version}:play 1")
    stamp = f"{version}~{stamp_of(table, mine)}"
    ways = [f"[Confirm do {stamp}]", f"[Back step {version} play]", f"[Cancel close {stamp}]"]
    assert ("-# ✓ 1 step to 1 (empty)", ways) == (lines[1], lines[-3:]), "unconfirmed choices have no Undo"


async def test_a_repeated_command_does_not_name_its_own_player_as_the_next_one(desk: Desk) -> None:
    table = await desk.home.posted(game="alibaba")
    mine, seat = due_user(table), table.require_match().state.decisions()[0].seat

    async def again(request: TableRequest) -> None:
        await ask_again(request, Act(seat, 1, "steal 2"))

    ((_, *lines),) = await desk.command(mine, again)
    assert ["You did this a moment ago, and it counted.", "### Do it again?"] == lines[:2]
    assert not [line for line in lines if "Then" in line]


@pytest.mark.parametrize(("game", "move"), [("sealed", "bid 2"), ("alibaba", "steal 2")])
async def test_a_repeated_command_is_done_already_if_others_choose_or_the_question_is_another(
    desk: Desk, game: str, move: str
) -> None:
    table = await desk.home.posted(game=game)
    mine, match = due_user(table), table.require_match()
    seat = match.state.decisions()[0].seat
    await desk.home.services.moves.play(table, mine, match.parse(move), interaction_id=1, version=None)

    async def again(request: TableRequest) -> None:
        await ask_again(request, Act(seat, 1, move))

    ((_, *lines),) = await desk.command(mine, again)
    assert (["✓ Already done when you typed it a moment ago."], {}) == (lines, table.drafts)


async def test_cancel_says_what_still_counts_to_each_kind_of_reader(desk: Desk) -> None:
    """Readers are players at the beginning of a turn and between its parts, others meanwhile, people before the game,
    and an onlooker.
    """
    table = await desk.home.posted(game="gangs")
    way_back = "Tap **Your move** on the newest board when you’re ready."

    async def told(user_id: int) -> str:
        ((_, words, *_),) = await desk.tap(user_id, f"close:{table.id}:{table.require_match().version}:")
        return words

    first = due_user(table)
    beginning = f"Nothing has changed. {way_back}"
    assert [beginning, "Nothing has changed."] == [await told(first), await told(HOST + GUEST - first)]
    moved = -1
    while moved != (mine := due_user(table)):
        (decision,), moved = table.require_match().state.decisions(), mine
        version = table.require_match().version
        await desk.home.services.moves.play(table, mine, decision.options[0], interaction_id=version, version=None)
    between = f"Nothing else has changed; the choices you confirmed earlier still count. {way_back}"
    assert [between, "Nothing has changed."] == [await told(mine), await told(ONLOOKER)]
    table = await desk.home.lobby(CHANNEL + 1)
    ((_, words),) = await desk.tap(HOST, f"close:{table.id}:0:", channel_id=CHANNEL + 1)
    assert "Nothing has changed." == words


async def test_a_turn_tells_what_was_answered_for_its_player(desk: Desk) -> None:
    home = desk.home
    table = await home.posted(game="beg")
    table.facts = table.facts.set_auto_answer(Seat(1), "begged", AutoAnswer.DECLINE)
    await home.services.moves.play(table, HOST, table.require_match().parse("beg 1"), interaction_id=1, version=None)
    (job,) = await home.store.jobs.of_match(JobKind.ANSWER, table.id)
    await home.services.auto_answers.give(table, job)
    ((_, *lines),) = await desk.tap(GUEST, f"turn:1:{table.require_match().version}:")
    assert ["🔴 Ana begs you for 1.", "↪ Answered for you: You have nothing to give."] == lines[:2]


async def planned_at_once(home: House) -> tuple[Table, Seat]:
    """A game whose first turn begins with a plan of its player."""
    table = await home.posted(game="alibaba")
    seat, match = table.require_match().state.decisions()[0].seat, table.require_match()
    turn = TurnDraft(table, match, seat, (), match)
    while turn.decision is not None:
        turn = turn.with_chosen((*turn.chosen, turn.decision.options[0]))
    plan = {choices_made(match, seat): planned_turn(seat, turn.chosen, match)}
    table.facts = table.facts.set_plan(seat, plan)
    return table, seat


PLAN_DUE = "-# Your plan will be played in a few minutes, or now if you confirm it."
DROPPED = "-# The game has moved on, so your unconfirmed choices were dropped."


@pytest.mark.parametrize("has_stale_draft", [False, True])
async def test_a_plan_that_is_due_outlives_a_stale_draft(desk: Desk, has_stale_draft: bool) -> None:
    table, seat = await planned_at_once(desk.home)
    if has_stale_draft:
        table.facts = replace(table.facts, drafts={seat: Draft(99, ("place 1",))})
    user_id = table.row.holders[seat].user_id
    assert user_id is not None
    ((_, *lines),) = await desk.tap(user_id, f"turn:1:{table.require_match().version}:")
    notes = [line for line in lines if line in (DROPPED, PLAN_DUE)]
    assert ([DROPPED, PLAN_DUE] if has_stale_draft else [PLAN_DUE], {seat}) == (notes, table.plans.keys())
    assert {} == table.drafts


async def test_a_plan_that_would_do_something_else_is_not_played(desk: Desk) -> None:
    table, seat = await planned_at_once(desk.home)
    (number, turn), *_ = table.plans[seat].items()
    moves, version = desk.home.services.moves, table.require_match().version
    unsaved = Draft(PLAN_VERSIONS * 2 + 1, ("place 1",))
    for sentences, then in ((("Something else.",), None), (turn.sentences, NextStep.BOARD)):
        table.facts = table.facts.set_plan(seat, {number: replace(turn, sentences=sentences)}).keep_draft(seat, unsaved)
        async with desk.home.services.tables.changing(table) as change:
            assert then is await moves.play_plan(table, change, seat)
        assert (then is None) == (table.require_match().version == version) == bool(table.drafts)


async def test_a_planned_choice_that_leads_to_another_question_is_news_for_the_channel(desk: Desk) -> None:
    table = await desk.home.posted(game="alibaba")
    match = table.require_match()
    (decision,) = match.state.decisions()
    turn = planned_turn(decision.seat, decision.options[:1], match)
    table.facts = table.facts.set_plan(decision.seat, {choices_made(match, decision.seat): turn})
    async with desk.home.services.tables.changing(table) as change:
        assert NextStep.BOARD is await desk.home.services.moves.play_plan(table, change, decision.seat)
    assert decision.seat == table.require_match().state.decisions()[0].seat


async def test_cancel_ends_the_plan_that_would_be_played_now(desk: Desk) -> None:
    table, seat = await planned_at_once(desk.home)
    assert [["new private", NOTHING_CHANGED]] == await desk.command(table.row.holders[seat].user_id, close)
    assert {} == table.plans


async def test_typing_suggests_what_is_possible_now_and_contains_what_was_typed(desk: Desk) -> None:
    bed, neighbor = (move_commands._suggester(Plant, field) for field in ("bed", "neighbor"))
    assert [] == await desk.suggest(HOST, bed), "no game"
    await desk.home.lobby(9, game="garden")
    assert [] == await desk.suggest(HOST, bed, channel_id=9)
    await desk.home.posted(game="garden")
    tens = [(f"{column}9", f"{column}9") for column in "abcdefghi"]
    assert tens == await desk.suggest(HOST, bed, "9")
    assert [("🟦 Ben", "blue")] == await desk.suggest(HOST, neighbor, "BEN", bed="b4")
    moves = move_commands._suggest_moves
    assert [("Plant b4 nothing", "plant b4 fallow")] == await desk.suggest(HOST, moves, "b4 nothing")
    elsewhere = move_commands._suggester(Bid, "coins")
    for user_id, function in ((GUEST, bed), (ONLOOKER, bed), (HOST, elsewhere)):
        assert [] == await desk.suggest(user_id, function)
    await desk.home.posted(10, *PEOPLE, SeatHolder(72, name="Caro"), game="muscat")
    for verb, values in ((Place, ["A", "B", "C"]), (Cycle, [])):
        markets = await desk.suggest(HOST, move_commands._suggester(verb, "market"), channel_id=10)
        assert values == [value for _, value in markets], "of the verbs that are possible now"


async def too_late(*_: Any, **__: Any) -> None:
    raise Stale(Text("Too late."))


async def test_a_move_that_comes_too_late_by_a_moment_shows_the_position_with_its_choices(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await begin_posted(desk.home)
    await desk.tap(HOST, "try:1:0:bid 2")
    monkeypatch.setattr(desk.home.services.moves, "play", too_late)
    ((how, note, *lines),) = await desk.tap(HOST, f"do:1:0~{stamp_of(table, HOST)}:")
    assert ("edit", "-# The game has moved on; this is the position now.") == (how, note)
    assert "-# ✓ Bid 2" in lines


async def begun_with_hints(home: House, *people: SeatHolder, game: str = "sealed", channel_id: int) -> Table:
    """A game whose host allows hints."""
    table = await home.lobby(channel_id, *people, game=game)
    await home.services.lobbies.allow_hints(table, allowed=True)
    for user_id in table.people:
        await home.services.lobbies.note_ready(table, user_id, asked=False)
    await home.services.moves.start(table, 4711)
    await home.services.poster.post(table)
    return table


@pytest.fixture
def questions(home: House, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The questions to the workers, which answer at once with the first two options."""
    services, questions = home.services, list[Any]()
    answer = services.questions.answer

    async def noted(user_id: int, question: Question, think: Any) -> tuple[Hint, ...]:
        questions.append((user_id, question))
        return await answer(user_id, question, think)

    async def think(call: Any, view: Any, seed: str, *, priority: Priority) -> tuple[Hint, ...]:
        questions.append((call.__name__, view.viewer, view.ply, seed, priority))
        best = zip(view.decision_of(view.viewer).options, (0.9, 0.4), strict=False)
        return tuple(Hint(option, chance, Text("Why not?")) for option, chance in best)

    monkeypatch.setattr(services.questions, "answer", noted)
    monkeypatch.setattr(services.thinkers, "think", think)
    return questions


async def test_a_hint_that_the_game_has_overtaken_is_not_shown(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    people = SeatHolder(HOST, name="Ana"), SeatHolder(computer="uniform")
    table = await desk.home.posted(CHANNEL, *people)

    async def answer(*_: Any) -> tuple[Hint, ...]:
        await desk.home.services.moves.play(table, HOST, Bid(1), interaction_id=1, version=None)
        return (Hint(Bid(0), 0.9, None),)

    monkeypatch.setattr(desk.home.services.questions, "answer", answer)
    late = "The game has moved on while I was thinking."
    assert [["new private", late]] == await desk.command(HOST, hints.show_hint)


IF_I_WERE_YOU = ["### If I were you", "`about 90%` **Bid 0**", "`about 40%` **Bid 1**", "-# Why not?"]
CHANCES = "-# Your estimated chances of winning, based on what you can know."


async def test_a_hint_is_about_the_question_of_its_reader_and_ends_the_rating_after_a_question(
    desk: Desk, questions: list[Any]
) -> None:
    await desk.home.posted(CHANNEL + 1)
    table = await begun_with_hints(desk.home, channel_id=CHANNEL)
    ((_, *lines),) = await desk.tap(GUEST, "turn:2:0:")
    assert ["[Cancel close]", "[Hint hint]"] == lines[-2:]
    ((_, *lines),) = await desk.tap(GUEST, "turn:1:0:", channel_id=CHANNEL + 1)
    assert "[Cancel close]" == lines[-1], "the host allows no hints there"
    await desk.tap(GUEST, "try:2:0:bid 2")
    question = "If you take a hint, this game no longer counts in `/stats`. Continue?"
    for control in ("hint:2:0:", f"hint:2:0~{stamp_of(table, GUEST)}:"):
        ways = ["[Show the hint unrate]", "[Cancel close]"]
        assert [["new private", question, *ways]] == await desk.tap(GUEST, control)
    assert [["new private", "The game has moved on."]] == await desk.tap(GUEST, "hint:2:3:")
    assert (True, []) == (table.row.rated, questions)
    tries = ["[Bid 0 try bid 0]", "[Bid 1 try bid 1]"]
    assert [["edit", *IF_I_WERE_YOU, CHANCES, *tries]] == await desk.tap(GUEST, "unrate:2:0:")
    thought = "hints", Seat(1), 0, "2 0", Priority.HINT
    assert [(GUEST, Question(2, Seat(1), 0, ())), thought] == questions
    assert not table.row.rated
    await desk.tap(GUEST, "hint:2:0:")
    assert [(GUEST, Question(2, Seat(1), 0, ()))] == questions[2:], "its answer is known"


async def test_a_hint_after_a_choice_is_about_the_next_question(desk: Desk, questions: list[Any]) -> None:
    people = SeatHolder(HOST, name="Ana"), SeatHolder(computer="uniform")
    await begun_with_hints(desk.home, *people, game="gangs", channel_id=CHANNEL)
    await desk.tap(HOST, "try:1:1:play 1")
    ((_, heading, *_),) = await desk.command(HOST, hints.show_hint)
    assert "### If I were you" == heading
    (who, question), (_, viewer, *_) = questions
    assert (HOST, Question(1, Seat(0), 1, ("play 1",)), Seat(0)) == (who, question, viewer)


async def play_first_options(home: House, table: Table) -> AsyncIterator[Match]:
    """The match of a table before each move, which is the first option."""
    while (match := table.require_match()).outcome is None:
        yield match
        option, new_id = match.state.decisions()[0].options[0], 1000 * table.id + match.version
        await home.services.moves.play(table, due_user(table), option, interaction_id=new_id, version=None)


async def test_no_hint_is_given_to_a_player_with_a_single_move_or_after_the_game(
    desk: Desk, questions: list[Any]
) -> None:
    table = await begun_with_hints(desk.home, *PEOPLE, game="gangs", channel_id=CHANNEL)
    async for _ in play_first_options(desk.home, table):
        if TurnDraft.saved(table, due_user(table)).decision is None:
            break
    only = "You have only one possible move, so there is no hint."
    assert [["new private", only]] == await desk.command(due_user(table), hints.show_hint)
    table = await begun_with_hints(desk.home, *PEOPLE, channel_id=CHANNEL + 1)
    async for _ in play_first_options(desk.home, table):
        pass
    over = await desk.tap(HOST, f"hint:2:{table.require_match().version}:", channel_id=CHANNEL + 1)
    assert ([["new private", "This game is over."]], []) == (over, questions)


async def test_a_planned_turn_has_no_hints_and_a_whole_one_no_form_for_several_answers(desk: Desk) -> None:
    table = await begun_with_hints(desk.home, game="gangs", channel_id=CHANNEL)
    mine = due_user(table)
    ((_, note, *lines),) = await desk.tap(HOST + GUEST - mine, "plan:1:0:")
    assert "-# You’re planning a turn. Nobody else sees this." == note
    assert f"[Cancel close {PLAN_VERSIONS + 1}]" == lines[-1], "no hint"
    await desk.tap(mine, "try:1:1:play 1")
    hire = f"{table.id}:1~{stamp_of(table, mine)}:"
    gone = [["new private", "That is no longer possible. Tap **Your move** again."]]
    for answers in ((), ("take red", "take all"), ("fly",)):
        assert gone == await desk.tap(mine, f"series:{hire}", *answers)
    ((_, *lines),) = await desk.tap(mine, f"pick:{hire}0", "take yellow")
    assert lines[-3].startswith("[Confirm")
    assert gone == await desk.tap(mine, f"several:1:1~{stamp_of(table, mine)}:")
    assert [("1 step to 1 (empty)", "play 1")] == await desk.suggest(mine, suggest, "1 step")


async def typed(desk: Desk, user_id: int, game: str, verb: str, **words: str | None) -> list[list[str]]:
    """The answers to the command of a verb."""
    interaction = desk._interaction(user_id, COMMAND, message=None)
    interaction.client.dispatcher = desk.dispatcher
    command: Any = move_commands.moves_group(TOYS[game]).get_command(verb)
    await command.callback(interaction, **words)
    lines: list[list[str]] = interaction.response.lines
    return lines


def test_a_game_has_a_command_for_each_verb_with_an_option_for_each_field() -> None:
    group = move_commands.moves_group(TOYS["garden"])
    (plant,) = group.commands
    assert ("garden", "Plant beds and share the fruit.") == (group.name, group.description)
    assert ("plant", "Use a bed of the garden.") == (plant.name, plant.description)
    options: Any = plant
    fields = [
        (option.name, option.required, str(option.description), option.autocomplete) for option in options.parameters
    ]
    assert [
        ("bed", True, "The bed, such as b4", True),
        ("crop", True, "What grows there", True),
        ("neighbor", False, "Who may share the fruit", True),
    ] == fields


async def test_a_typed_move_is_previewed_or_played_at_once_and_only_in_its_game(desk: Desk) -> None:
    table = await begin_posted(desk.home)
    preview = ["### Play this?", "-# ✓ Bid 2", "-# Then 🟦 Ben: Bid 0 to 3 coins."]
    ways = ["[Confirm do ~71737d]", "[Back step bid]", "[Cancel close ~71737d]"]
    assert [["new private", *preview, *ways]] == await typed(desk, HOST, "sealed", "bid", coins="2")
    other = "The game in this channel is Sealed Bids; use `/sealed …`."
    assert [["new private", other]] == await typed(desk, HOST, "garden", "plant", bed="a1", crop=None)
    refused = ["“Bid” is not possible now. To decide: Bid 0 to 3 coins.", "[Rule 2: Bids rule 2]"]
    assert [["new private", *refused]] == await typed(desk, HOST, "sealed", "bid", coins="9")
    assert (0, {Seat(0): Draft(0, ("bid 2",))}) == (table.require_match().version, table.drafts)
    await keep_preferences(desk.home.store.settings, HOST, Preferences(at_once=True))
    result = ["✓ Bid 3", f"-# It’s 🟦 <@{GUEST}>’s turn.", "[Undo undo 1]"]
    assert [["new private", *result]] == await typed(desk, HOST, "sealed", "bid", coins="3")
    assert (["bid 3"], None) == ([entry.notation for entry in table.require_match().entries], table.unanswered)


async def test_a_command_repeated_before_its_answer_arrived_is_not_played_twice(desk: Desk) -> None:
    table = await begin_posted(desk.home)
    await desk.home.services.moves.play(table, HOST, Bid(2), interaction_id=999 << 22, version=None)
    assert table.unanswered is not None
    done = "✓ Already done when you typed it a moment ago."
    assert [["new private", done]] == await typed(desk, HOST, "sealed", "bid", coins="2")
    assert (1, None) == (table.require_match().version, table.unanswered), "once more, it is a new move"
    waits = f"Not your turn yet. It’s 🟦 <@{GUEST}>’s turn."
    assert [["new private", waits]] == await typed(desk, HOST, "sealed", "bid", coins="2")


async def test_a_value_is_typed_into_a_form_in_upper_or_lower_case(desk: Desk) -> None:
    await desk.home.posted(game="garden")
    for words in ("plant", ""):
        form = ["form", "Garden", f"cf:typed:1:0:{words}", " = ", "The bed, such as b4"]
        assert [form] == await desk.tap(HOST, f"form:1:0:{words}")
    rows = ["date blue Plant b9 date tree 🟦 Ben", "fig blue Plant b9 fig tree 🟦 Ben", "fallow Plant b9 nothing"]
    question = ["### b9", "Which one?: pick 0", *(f"  plant b9 {row}" for row in rows)]
    for value in ("b9", "B9 "):
        answer = await desk.tap(HOST, "typed:1:0:plant", value)
        assert [["edit", *question, "[Back step plant]", "[Cancel close]"]] == answer
    ((_, *lines),) = await desk.tap(HOST, "typed:1:0:plant", "z9*")
    assert ["“z9\\*” isn’t possible.", "### Plant a bed."] == lines[:2]


ALONE, AMONG_OTHERS = (SimpleNamespace(private=False),), (SimpleNamespace(private=False),) * 2
SECRET = (SimpleNamespace(private=True),)


@pytest.mark.parametrize(
    ("questions", "movers", "told", "is_open"),
    [
        ((ALONE, ALONE), (0,), "", True),
        ((ALONE, ALONE), (1, 0, CHANCE), "", True),
        ((ALONE, ALONE), (1, 0, 1), "", False),
        ((ALONE, AMONG_OTHERS), (), "", False),
        ((ALONE, SECRET), (), "", False),
        ((SECRET, ALONE), (), "", False),
        ((ALONE, ALONE), (), "a secret", False),
    ],
)
def test_typed_choices_are_public_if_nobody_else_could_act_or_knows_less(
    questions: Any, movers: tuple[int, ...], told: str, is_open: bool
) -> None:
    """`movers` made the entries, of which the last board shows the first one; `told` is told to the player alone."""
    match = SimpleNamespace(entries=[SimpleNamespace(seat=seat) for seat in movers], version=len(movers))
    events = SimpleNamespace(history=lambda seat, since: (since, told if seat is not None else ""))
    turn: Any = SimpleNamespace(
        table=SimpleNamespace(board=SimpleNamespace(version=1), require_match=lambda: events),
        match=match,
        seat=0,
        chosen=("one", "other"),
        with_chosen=lambda chosen: SimpleNamespace(
            ahead=SimpleNamespace(state=SimpleNamespace(decisions=lambda: questions[len(chosen)]))
        ),
    )
    assert is_open == _is_open(turn)


@pytest.mark.parametrize(("message_id", "answered"), [(None, []), (9, [5])])
async def test_a_player_has_their_answer_once_the_board_is_shown(message_id: int | None, answered: list[int]) -> None:
    interactions = list[int]()

    async def show_board(board: str) -> int | None:
        assert "board" == board
        return message_id

    async def deliver(table: Any, answer: Any) -> None:
        assert (request.table, message_id) == (table, await answer("board"))

    request: Any = SimpleNamespace(
        response=SimpleNamespace(show_board=show_board, is_public=True, interaction=SimpleNamespace(id=5)),
        table=SimpleNamespace(note_answer=interactions.append),
        services=SimpleNamespace(poster=SimpleNamespace(deliver=deliver)),
    )
    turn: Any = None
    await _answer_with_board(request, turn)
    assert answered == interactions


async def test_a_control_of_a_plan_leads_to_the_real_turn_once_that_has_begun(desk: Desk) -> None:
    user_id = due_user(await desk.home.posted(game="gangs"))
    ((_, _, *question),) = await desk.tap(user_id, "turn:1:0:")
    ((how, stale, *lines),) = await desk.tap(user_id, f"pick:1:{PLAN_VERSIONS + 1}:0", "play 1")
    assert ("edit", "-# The game has moved on; this is the position now.", question) == (
        how,
        stale,
        [*lines, "[Log past]"],
    )


async def test_a_plan_is_chosen_step_by_step_and_saved_with_choices_only(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await desk.home.posted(game="gangs")
    other = HOST + GUEST - due_user(table)
    seat, version = table.require_seat(other), PLAN_VERSIONS + 1
    ((_, *lines),) = await desk.tap(other, f"pick:1:{version}:0", "play 1")
    stamp = f"{version}~{PlanDraft.restore(table, seat, 0).stamp.draft}"
    ways = [f"[Save plan saveplan {stamp}]", f"[Back step {version} play]", f"[Cancel close {stamp}]"]
    assert (["-# ✓ 1 step to 1 (empty)", "### Hire up to 3 bandits, or stop."], ways) == (lines[:2], lines[-3:])
    assert {seat: Draft(version, ("play 1",))} == table.drafts
    stale = "-# The game has moved on; this is the position now."
    assert [["edit", stale, *lines]] == await desk.tap(other, f"pick:1:{version}~abcdef:0", "take yellow")
    ((_, question, *_),) = await desk.tap(other, f"step:1:{version}:play")
    assert ("### Play a movement card.", {}) == (question, table.drafts)
    changed = "Your plan has changed in the meantime. Tap **Your move** to see it."
    assert [["new private", changed]] == await desk.tap(other, f"saveplan:1:{version}:")
    await desk.tap(other, f"pick:1:{version}:0", "play 1")
    monkeypatch.setattr(desk.home.services.moves, "save_plan", too_late)
    assert [["new private", stale]] == await desk.tap(other, f"saveplan:1:{stamp}:")
    play = desk.home.services.moves.play

    async def overtaken(*_: Any, **__: Any) -> None:
        while (mine := due_user(table)) != other:
            match = table.require_match()
            option = match.state.decisions()[0].options[0]
            await play(table, mine, option, interaction_id=match.version, version=None)
        raise Stale(Text("Too late."))

    monkeypatch.setattr(desk.home.services.moves, "save_plan", overtaken)
    on_turn = "It’s your turn now. Tap **Your move**."
    assert [["new private", on_turn]] == await desk.tap(other, f"saveplan:1:{stamp}:")
    assert {} == table.plans


async def test_a_newcomers_first_question_comes_with_the_goal_of_the_game(desk: Desk) -> None:
    home, goals = desk.home, []
    for channel_id in (CHANNEL, CHANNEL + 1):
        table = await home.lobby(channel_id, *PEOPLE, game="alibaba", ready=[HOST, GUEST, 72])
        await home.services.moves.start(table, 4711)
        for _ in range(2):
            (look,) = await desk.tap(HOST, f"turn:{table.id}:0:", channel_id=channel_id)
            goals.append([line for line in look if "**Goal**" in line])
    short = table.spec.short_in(table.setup)
    assert short
    goal, _, too_long = str(short.goal).partition(" If ")
    assert too_long
    assert [[f"-# **Goal** – {goal}"], [], [], []] == goals


@pytest.mark.parametrize(("coached", "first"), [(False, "-# **Goal** – "), (True, "### Choose the")])
async def test_a_learner_does_not_get_the_goal_again_with_the_first_question(
    desk: Desk, coached: bool, first: str
) -> None:
    table = await desk.home.lobby(CHANNEL, *PEOPLE, game="jinns", ready=[HOST, GUEST])
    await desk.home.services.moves.start(table, 4711)
    await keep_preferences(desk.home.store.settings, HOST, Preferences(coached=coached))
    ((_, line, *_),) = await desk.tap(HOST, "turn:1:0:")
    assert first == line[: len(first)]


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_typed_move_that_no_choice_allows_is_refused_as_at_the_beginning_of_the_turn(
    desk: Desk, at_once: bool
) -> None:
    table = await desk.home.posted(game="gangs")
    mine = due_user(table)
    await keep_preferences(desk.home.store.settings, mine, Preferences(at_once=at_once))
    await desk.tap(mine, f"try:1:{table.require_match().version}:play 1")
    ((_, refused, *_),) = await desk.command(mine, move_commands.move, what="play 9")
    assert "You have no 9 in your hand, only 1, 2, 3, 4 and 5." == refused
