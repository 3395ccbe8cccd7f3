"""All that a league posts: whole messages in their order, their language, whom they ping, and their buttons."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

import pytest

from bot.features.lobby.deleted_channels import RECHECK_DELAY
from engine.games import discover
from locales.pseudo import Pseudo
from playground.player import Seen
from tests.bot.app import App
from tests.bot.leagues.test_leagues import LONG_AGO, begin, play, set_up, wait_for_boards
from tests.bot.moderating import GAME, moderator
from tests.bot.test_languages import names, plain
from tests.bot.timed_app import TimedApp
from tests.rooms import Room, play_move

XX = Pseudo()
ACCENTS = str.maketrans("áéíóúÁÉÍÓÚ", "aeiouAEIOU")
"""The pseudo-language is English with accents: a text with them has been translated."""

PLAIN_WORDS = {"luck", "Rounds"}
"""The stand-in for sealed luck, and a word of a toy that is in no catalog."""


@dataclass(frozen=True)
class Post:
    """A public message in English, with names in place of ids."""

    text: str
    labels: tuple[str, ...] = ()
    pinged: tuple[str, ...] = ()


def posts_in(app: App, channel: Room) -> list[Post]:
    """The public messages of a channel. Fails if one is not in the language of the server."""
    exempt = names(app) | PLAIN_WORDS
    return [_post(app, seen, exempt) for seen in channel.onlooker.messages if not seen.ephemeral]


def _post(app: App, seen: Seen, exempt: Collection[str]) -> Post:
    users = app.local.discord.world.users
    text = re.sub(r"<@(\d+)>", lambda match: f"@{users[int(match[1])].name}", seen.text)
    text = re.sub(r"<t:\d+:(\w)>", r"<\1>", re.sub(r"\|\|[0-9a-f]{32}\|\|", "||luck||", text))
    words = [text, *seen.labels, *(image.alt or "" for image in seen.images)]
    assert [] == [word for text in words for word in plain(text, exempt)]
    return Post(text.translate(ACCENTS), tuple(label.translate(ACCENTS) for label in seen.labels), seen.pinged)


async def tap(room: Room, name: str, label: str, on: Seen) -> Seen:
    """Tap a button of a public message. Returns the answer."""
    answer = await room.person(name).tap(XX.translate(label), on=on)
    assert answer is not None
    return answer


async def public_message(room: Room, text: str) -> Seen:
    """A public message with this text, once there is one."""
    return await room.onlooker.expect(XX.translate(text))


async def thread_of_table(app: App, mark: str) -> Room:
    """The thread of a table, once its first board is there."""
    world = app.local.discord.world
    name = await app.room().onlooker.until(
        lambda: next((thread.name for thread in world.threads if mark in thread.name), None)
    )
    thread = Room(app.local, name)
    await public_message(thread, "Bid 0 to 3")
    return thread


async def bid(room: Room, *players: str) -> None:
    """Let players bid one after another; Dan bids most."""
    for name in players:
        await play_move(room.person(name), "sealed bid", coins="3" if name == "Dan" else "1")


POINTS = "-# A win is worth 1 point, a tie half a point. Computers don’t count."
SIGN_UP = """### Sealed Bids League
2 rounds at tables of 2. A round begins as soon as all tables are finished.
-# Daily: 24 hours per turn plus 2 days to spare; after that, a computer plays · empty seats: a computer (Merchant)
{points}
**2 signed up**: {players}
{state}"""

LEFT = [
    Post("🟦 @Ben has left the league; a computer takes over the seat.\n-# `/table seats` offers it to somebody else."),
    Post(
        "**Who takes over in Sealed Bids?**\n🟦 Tumbleweed, a computer, plays in place of Ben.\n"
        "-# For players of this league who don’t have a table this round.\n"
        "@Dan: if you’re waiting for a table, you can play here.",
        ("Take this seat",),
        ("Dan",),
    ),
]
"""Messages that follow in the thread of a table where Ben leaves while Dan is waiting."""

LUCK = "-# 🎲 The luck of this game is sealed: ||luck||"
COURSE = [
    Post(
        SIGN_UP.format(points=POINTS, players="@Caro, @Dan", state="This league is over."),
        ("Standings",),
    ),
    Post(f"**Sealed Bids, round 1, table 1**: @Caro, @Ben\n{LUCK}", ("Standings",)),
    Post(
        f"**Sealed Bids**: round 1 of 2 is over.\n-# Round 1, table 1: Dan 1 · Caro 0 · Ben 0\n{POINTS}", ("As text",)
    ),
    Post(f"**Sealed Bids, round 2, table 1**: @Dan, @Caro\n{LUCK}", ("Standings",)),
    Post(
        f"### The Sealed Bids League is over\n👑 **Dan**\n-# Round 2, table 1: Dan 1 · Caro 0\n{POINTS}", ("As text",)
    ),
]
"""All messages in the channel of a league at its end."""


async def test_a_league_posts_its_course_in_the_language_of_the_server_and_pings_those_who_can_act(app: App) -> None:
    """Everyone reads English, and the server does not. Dan comes late, takes the seat that Ben leaves, and wins."""
    app.local.discord.world.locale = XX.code
    await app.close()
    await app.open()
    room = app.room()
    await moderator(room).slash("league new", game=GAME, rounds="2", seats="2")
    sign_up = await public_message(room, "League")
    for name in ("Ben", "Caro"):
        assert (await tap(room, name, "Join", sign_up)).id == sign_up.id, "the answer is the sign-up itself"
    state, labels = "Sign-up ends <R>. Then I set up the tables.", ("Join", "Leave", "Begin now", "Calendar")
    assert [Post(SIGN_UP.format(points=POINTS, players="@Ben, @Caro", state=state), labels)] == posts_in(app, room)
    answer = await tap(room, "Eva", "Begin now", sign_up)
    assert (True, "Sign-up is over; I’m setting up the tables now.") == (answer.ephemeral, answer.text)
    thread = await thread_of_table(app, "R1 T1")
    await tap(room, "Dan", "Join", sign_up)
    await bid(thread, "Ben")
    question = await tap(room, "Ben", "Leave", sign_up)
    assert (True, LEAVING, ["Leave the league"]) == (question.ephemeral, question.text, question.labels)
    await room.person("Ben").tap("Leave the league", on=question)
    offer = await public_message(thread, "Who takes over")
    assert LEFT == posts_in(app, thread)[1:]
    await tap(thread, "Dan", "Take this seat", offer)
    await bid(thread, "Caro", "Dan", "Caro", "Dan", "Caro")
    standings = await public_message(room, "round 1 of 2 is over")
    assert STANDINGS == (await tap(room, "Finn", "As text", standings)).text
    await thread_of_table(app, "R2 T1")
    await play(app, 2)
    await public_message(room, "This league is over")
    assert COURSE == posts_in(app, room)
    page = await room.person("Finn").slash("league standings")
    assert ([], ["Show to everyone", "As text"]) == ([*page.menus], page.labels), "without groups"
    world = app.local.discord.world
    members = {
        thread.name.translate(ACCENTS): {world.users[one_id].name for one_id in thread.members}
        for thread in world.threads
    }
    assert {
        "Sealed Bids R1 T1: Caro, Ben": {"Caravanserai", "Ben", "Caro", "Dan"},
        "Sealed Bids R2 T1: Dan, Caro": {"Caravanserai", "Caro", "Dan"},
    } == members


STANDINGS = f"""### Sealed Bids – after round 1 of 2
1\\. **Dan** – 1 point, 1 game
2\\. **Caro** – 0 points, 1 game
3\\. **Ben** – 0 points, 1 game
{POINTS}"""

LEAVING = (
    "Leave the Sealed Bids league? A computer takes over your seat in the current round. You won’t be paired anymore. "
    "You keep the points you have.\n⚠️ This game is rated: you’d finish last. You’d get no points for this game in the "
    "league."
)


# --- refusals and answers ---

NO_LONGER = "This league is over."
OFF = "This league was called off."
ONLY_EVA = "Only @Eva, who set up this league, or a moderator can do that."
NOT_IN = "You’re not in this league. To join, tap **Join** under its sign-up message."
LAST_ROUND = "The last round of this league has begun, so nobody can join anymore."
CLOSED = "Sign-up for this league is over."
REFUSALS = [
    ("sign-up", 0, "Ben", "leave", NOT_IN),
    ("sign-up", 0, "Ben", "begin", ONLY_EVA),
    ("sign-up", 0, "Ben", "end", ONLY_EVA),
    ("sign-up", 0, "Eva", "begin", "At least two people have to sign up first."),
    ("sign-up", 0, "Ana", "standings", "No games yet: they begin when sign-up ends."),
    ("playing", 1, "Ben", "leave", NOT_IN),
    ("playing", 1, "Eva", "begin", "The league has already begun."),
    ("playing", 1, "Ana", "calendar", CLOSED),
    ("playing", 2, "Ben", "join", LAST_ROUND),
    ("over", 2, "Ben", "join", NO_LONGER),
    ("over", 2, "Ana", "leave", NO_LONGER),
    ("over", 2, "Ben", "begin", ONLY_EVA),
    ("over", 2, "Eva", "begin", NO_LONGER),
    ("over", 2, "Eva", "end", NO_LONGER),
    ("over", 2, "Ana", "calendar", CLOSED),
    ("called off", 1, "Ben", "join", OFF),
    ("called off", 1, "Ana", "leave", OFF),
    ("called off", 1, "Eva", "begin", OFF),
    ("called off", 1, "Eva", "end", OFF),
]
"""The status of a league for which Ana has signed up, its round, who uses which control, and the reason why not."""

CONTROLS = {"join": "Join", "leave": "Leave", "begin": "Begin now", "calendar": "Calendar"}


async def test_a_league_that_was_called_off_says_by_whom_in_the_language_of_the_server(app: App) -> None:
    app.local.discord.world.locale = XX.code
    await app.close()
    await app.open()
    room = app.room()
    eva = moderator(room)
    await eva.slash("league new", game=GAME, rounds="2", seats="2")
    question = await eva.slash("league end")
    assert question is not None
    assert (CALLING_OFF, ["Call it off"]) == (question.text, question.labels)
    assert "The league is called off." == (await eva.tap("Call it off", on=question)).text
    await public_message(room, "This league was called off.")
    sign_up, *others = posts_in(app, room)
    assert sign_up.text.endswith(f"{POINTS}\nNobody has signed up yet.\n{OFF}")
    assert [Post("@Eva called off the **Sealed Bids** league.")] == others


CALLING_OFF = "Call off the Sealed Bids league? Games in progress can still be finished, but there will be no winner."


async def test_every_control_of_a_league_that_is_too_late_or_for_others_says_why(app: App) -> None:
    room = app.room()
    sign_up = await set_up(room, "Ana", rounds="2")
    await app.let_pass(4)  # until the bot has noted it
    for status, number, name, kind, reason in REFUSALS:
        await app.change("UPDATE leagues SET status = ?, round = ?", status, number)
        person = room.person(name)
        answer = await (person.tap(CONTROLS[kind], on=sign_up) if kind in CONTROLS else person.slash(f"league {kind}"))
        assert answer is not None
        text = answer.text.replace(moderator(room).mention, "@Eva")
        assert (status, name, kind, reason, True) == (status, name, kind, text, answer.ephemeral)
    assert [("Ana",)] == app.query("SELECT name FROM league_players")
    # before its sign-up is posted
    await app.change("UPDATE leagues SET status = 'sign-up', round = 0, message_id = NULL")
    answer = await room.person("Ana").slash("league leave")
    assert answer is not None
    assert ("You’re out of the league.", []) == (answer.text, app.query("SELECT name FROM league_players"))


@pytest.mark.parametrize(
    ("spent", "reached"), [(None, ["in the channel"]), ("channel", ["in a direct message"]), ("host", [])]
)
async def test_what_keeps_a_league_from_going_on_is_said_in_its_channel_else_to_its_host_if_it_still_has_one(
    app: App, spent: str | None, reached: list[str]
) -> None:
    room = app.room()
    sign_up = await set_up(room, "Ana", "Ben")
    await app.let_pass(4)
    eva, ana = moderator(room), room.person("Ana")
    if spent == "host":
        await app.change("UPDATE leagues SET host_id = 0")
    app.local.forbid(room.channel, "CREATE_PUBLIC_THREADS" if spent is None else "SEND_MESSAGES")
    before = app.local.requests["POST /users/@me/channels"]
    await eva.tap("Begin now", on=sign_up)
    while not app.query("SELECT 1 FROM jobs WHERE kind = 'league' AND attempts > 0"):
        await app.breathe()
    places = {"in the channel": room.onlooker, "in a direct message": eva.in_dm()}
    assert reached == [place for place, reader in places.items() if BLOCKED in [seen.text for seen in reader.messages]]
    assert len(reached) >= app.local.requests["POST /users/@me/channels"] - before
    assert [] == ana.in_dm().messages


NO_GAME = "I no longer have this league’s game, so the league ends here."
NO_WINNER = "Nobody wins: no game was finished."
EARLY_ENDS = [
    (
        "sign-up",
        ["Ana"],
        True,
        "Fewer than two people signed up for the **Sealed Bids** league, so there’s no league this time.",
    ),
    ("sign-up", ["Ana", "Ben"], False, NO_GAME),
    (
        "playing",
        ["Ana"],
        True,
        f"### The Sealed Bids League is over\nFewer than two people are left, so this league ends here.\n{NO_WINNER}",
    ),
    ("playing", ["Ana", "Ben"], False, f"### The sealed League is over\n{NO_GAME}\n{NO_WINNER}"),
]
"""The status of a league, its players, whether the bot has its game, and the reason why it ends."""


@pytest.mark.parametrize(("before", "players", "has_game", "reason"), EARLY_ENDS)
async def test_a_league_that_ends_early_says_why(
    app: App, monkeypatch: pytest.MonkeyPatch, before: str, players: list[str], has_game: bool, reason: str
) -> None:
    room = app.room()
    await set_up(room, *players, rounds="2")
    await app.let_pass(4)
    if not has_game:
        monkeypatch.delitem(discover(), GAME)
    if before == "playing":
        await app.change("UPDATE leagues SET status = 'playing', round = 1, shown = 1")
    await app.change("UPDATE leagues SET closes_at = ?, begun_at = ?", LONG_AGO, LONG_AGO)
    await app.change("UPDATE jobs SET due_at = ? WHERE kind = 'league'", LONG_AGO)
    await app.let_pass(5 * 60 + 1)
    end = await room.onlooker.expect(reason)
    assert reason == end.text.removesuffix(f"\n{POINTS}")
    assert () == end.pinged
    # the sign-up is updated once the end is stored
    await room.onlooker.expect(OFF if before == "sign-up" else NO_LONGER)
    assert [("called off" if before == "sign-up" else "over",)] == app.query("SELECT status FROM leagues")


BLOCKED = (
    "⚠️ I can’t set up the tables of the **Sealed Bids** league here: I need permission to send messages, attach files "
    "and open threads. A moderator can see what’s missing with `/server doctor`. I’ll keep trying; nothing is lost."
)


@pytest.mark.parametrize("has_host", [True, False])
async def test_the_host_of_a_league_alone_hears_that_its_channel_was_deleted(app: App, has_host: bool) -> None:
    room = app.room()
    await set_up(room, "Ana", "Ben")
    await app.let_pass(4)
    eva, ana = moderator(room), room.person("Ana")
    if not has_host:
        await app.change("UPDATE leagues SET host_id = 0")
    app.local.delete_channel(room.channel)
    while app.query("SELECT 1 FROM leagues WHERE status = 'sign-up'"):
        await app.breathe()
    text = "The channel of your **Sealed Bids** league was deleted, so it was called off."
    if has_host:
        await eva.in_dm().expect(text)
    await app.let_pass(4)
    assert ([text] if has_host else []) == [seen.text for seen in eva.in_dm().messages]
    assert [] == ana.in_dm().messages
    assert [("called off",)] == app.query("SELECT status FROM leagues")


async def test_a_league_goes_on_if_discord_lists_a_channel_that_it_did_not_know(timed_app: TimedApp) -> None:
    app = timed_app.app
    room = app.room()
    sign_up = await set_up(room, "Ana", "Ben")
    await app.let_pass(4)
    path = f"POST /channels/{app.local.channel(room.channel).id}/messages"
    wrong = app.local.fault(path, status=404, code=10003, times=None)
    await moderator(room).tap("Begin now", on=sign_up)
    await app.local.wait_for_fault(wrong)
    await timed_app.hours(RECHECK_DELAY.total_seconds() / 3600 + 0.2)
    app.local.lift()
    await timed_app.hours(1.1)
    await wait_for_boards(app, room, 1)


async def test_the_names_of_players_fit_into_the_names_of_threads(app: App) -> None:
    room = app.room()
    user = app.local.discord.world.users[room.person("Ana").id]
    user.name = f"Ana\u202e{'n' * 40}"
    await begin(app, room, user.name, "Ben")
    (thread,) = app.local.discord.world.threads
    assert {f"Ana{'n' * 16}…", "Ben"} == set(thread.name.removeprefix("Sealed Bids R1 T1: ").split(", "))
    assert [(f"Ana{'n' * 16}…",), ("Ben",)] == app.query("SELECT name FROM league_players ORDER BY name")
