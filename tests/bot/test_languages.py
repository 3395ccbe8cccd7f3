"""Everybody reads in a language of their own, what all see is in that of the server, and no word is left in English."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from itertools import count
from random import Random

import pytest

from bot.commands import all_commands
from bot.features.services import Services
from bot.jobs.kinds import KINDS
from bot.store.jobs import Job, JobKind
from engine.games import discover
from engine.languages import language
from engine.texts import Seat
from locales import language_of, languages, own_name
from playground.components import SELECTS, walk
from playground.player import Player
from playground.seen import Seen
from playground.wire import Json
from tests.bot.ahead import newest, play_ahead, walk_until
from tests.bot.app import App
from tests.bot.crawling import Crawler, kind_of, read_message
from tests.bot.habits import menu_of, open_settings
from tests.bot.moderating import open_server_settings
from tests.bot.timed_app import TimedApp
from tests.rooms import Room
from tests.sampling import EVERYTHING

GAMES = ("alibaba", "gangs", "jinns", "muscat", "muses")
SHORT = ("jinns", "muses")
"""Games of few moves. In the pseudo-language, all words of all games are looked at without playing them here."""
CODES = (*(code for code in languages() if code != "en"), "xx")
NOT_WORDS = re.compile(r"`[^`]*`|<[^>]*>|https?://\S+|[\w-]+\.(?:png|gif|json|csv|md)|UTC|\|\|[0-9a-f]+\|\|")
ENGLISH = re.compile(r"\b(?:the|your|you|of|with|and|is|are|this|that|have|for|by|from)\b", re.IGNORECASE)
"""Words that are in nearly every English sentence, and none of the other languages."""

LEFT = frozenset({"language", "start", "leave", "askend", "forget", "resign"})
"""Kinds of controls that a crawler does not use, to go on reading here."""


def plain(words: str, known: Collection[str] = ()) -> list[str]:
    """The words with a vowel that has no accent: English ones that have bypassed the catalogs."""
    words_read = re.findall(r"[^\W\d_]{3,}", NOT_WORDS.sub("", words))
    return [word for word in words_read if re.search("[aeiouAEIOU]", word) and word not in known]


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


async def in_language(app: App, locale: str) -> None:
    """The server is in a language, and so is everybody there."""
    world = app.local.discord.world
    world.locale = locale
    for user in world.people:
        user.locale = locale
    # Discord tells what a server prefers when a bot logs in
    await app.close()
    await app.open()


def moderate(app: App, person: Player) -> None:
    discord, world = app.local.discord, app.local.discord.world
    discord.give_role(world.users[person.id], world.role_named("Moderators"))


def names(app: App) -> set[str]:
    """Words of no language: the names of people, of computers, and of the languages themselves."""
    computers = {name for spec in discover().values() for few in spec.computers.values() for name in few}
    people = {user.name for user in app.local.discord.world.people}
    return {part for name in computers | people | set(map(own_name, languages())) for part in name.split()}


async def test_every_word_of_every_page_is_in_the_catalogs(app: App, room: Room) -> None:
    await in_language(app, "xx")
    ana = room.person("Ana")
    moderate(app, ana)
    reader, games = Crawler(ana, LEFT), {"game": "muscat"}
    await reader.use("table new", **games)
    without = [command for group in all_commands() for command in group.walk_commands() if group.name not in discover()]
    for command in without:
        if command.name not in LEFT and not any(parameter.required for parameter in command.parameters):
            await reader.use(command.qualified_name)
    await reader.use("league new", **games)
    assert len(reader.words) > 200
    common = names(app)
    assert {} == {words: how for words, how in reader.words.items() if plain(words, common) and "rules" not in how}


async def table_of(room: Room, slug: str) -> list[Player]:
    """A running game of as few people as it takes, by the ids of buttons."""
    people = room.people("Ana", "Ben", "Caro")[: discover()[slug].seats[0]]
    host, *others = people
    await host.slash("table new", game=slug)
    for person in others:
        await tap(room, person, "join")
    await tap(room, host, "start")
    for person in others if has(room.onlooker.messages[-1], "ready") else ():
        await tap(room, person, "ready")
    return people


async def tap(room: Room, person: Player, kind: str) -> None:
    """Tap a button of the newest message that everybody sees, by what it does."""
    newest = room.onlooker.messages[-1]
    await person.tap_id(control(newest, kind), on=newest)


FIRST_TURNS = 4
"""Turns at the beginning of a sample game, before the middle is left out."""
LAST_ENTRIES = 6
"""Entries of the log that follow the middle."""


async def whole_game(app: App, room: Room, slug: str, rng: Random) -> dict[str, str]:
    """Play a game by taps, in a sample its beginning and its end. Returns all texts, and where they were."""
    people, read = await table_of(room, slug), dict[str, str]()
    board = await room.onlooker.until(lambda: newest_board(room), what="a board")
    for turns in count():
        if has(board, "rematch"):
            break
        if turns == FIRST_TURNS and not EVERYTHING:
            due = [people[await leave_out_the_middle(app)]]
        else:
            due = [person for person in people if re.search(rf"{person.mention}\s*:", board.text)]
        read |= dict.fromkeys(await turn(rng.choice(due), board, rng), "asked")
        # another question of the same turn may be asked without a new board
        board = await room.onlooker.until(lambda seen=board: newest_board(room, after=seen), what="a new board")
    return read | {words: "in the channel" for seen in room.onlooker.messages for words in read_message(seen)}


async def leave_out_the_middle(app: App) -> Seat:
    """Let the newest game go on near its end while the bot is away. Returns the seat that is due."""
    end = walk_until(newest(app)[0], lambda match: match.outcome is not None).version
    match = await play_ahead(app, lambda match: match.version >= end - LAST_ENTRIES)
    return match.state.decisions()[0].seat


def newest_board(room: Room, after: Seen | None = None) -> Seen | None:
    boards = (seen for seen in reversed(room.onlooker.messages) if has(seen, "turn") or has(seen, "rematch"))
    newest = next(boards, None)
    return newest if newest and (after is None or newest.id > after.id) else None


def has(seen: Seen, kind: str) -> bool:
    return any(f":{kind}:" in str(button.custom_id) for button in seen.buttons)


async def turn(player: Player, board: Seen, rng: Random) -> list[str]:
    """Answer all questions of a turn, by the ids of the controls. Returns the texts on the way."""
    back = language_of(player.locale).translate("Back")
    page, read = await player.tap_id(control(board, "turn"), on=board), list[str]()
    while page is not None and page.ephemeral:
        read += read_message(page)
        parts = [part for _, part in walk(page.components) if "custom_id" in part and not part.get("disabled")]
        assert_different(parts)
        confirm = [part for part in parts if kind_of(part) == "do"]
        kinds = ("step", "pick", "try")
        ways = [part for part in parts if kind_of(part).split("/")[0] in kinds and part.get("label") != back]
        if not confirm and not ways:
            return read
        page = await choose(player, page, rng.choice(confirm or ways), rng)
    return read


async def choose(player: Player, shown: Seen, part: Json, rng: Random) -> Seen | None:
    """Tap a button, or some row of a menu."""
    if part["type"] not in SELECTS:
        return await player.tap_id(part["custom_id"], on=shown)
    number = [menu.custom_id for menu in shown.menus].index(part["custom_id"])
    return await player.choose(rng.choice(part["options"])["value"], on=shown, menu=number)


def control(seen: Seen, kind: str) -> str:
    return next(button.custom_id for button in seen.buttons if button.custom_id and f":{kind}:" in button.custom_id)


def assert_different(parts: Collection[Json]) -> None:
    """Check that no two buttons of a message, and no two rows of a menu, say the same."""
    labels = Counter(str(part.get("label")) for part in parts if "label" in part)
    rows = [Counter((o["label"], o.get("description")) for o in part["options"]) for part in parts if "options" in part]
    assert [] == [label for many in (labels, *rows) for label, times in many.items() if times > 1]


def is_english(code: str, words: str, known: Collection[str]) -> bool:
    """Whether some of these words have bypassed the catalogs: surely for the pseudo-language, else by common words."""
    return bool(plain(words, known) if code == "xx" else ENGLISH.search(NOT_WORDS.sub("", words)))


@pytest.mark.parametrize(
    ("code", "slug"),
    [(code, slug) for n, code in enumerate(CODES) for slug in (GAMES if EVERYTHING else [SHORT[n % len(SHORT)]])],
)
async def test_a_whole_game_is_translated_in_each_language(app: App, room: Room, code: str, slug: str) -> None:
    await in_language(app, code)
    read, common = await whole_game(app, room, slug, Random(slug)), names(app)
    assert {} == {words: how for words, how in read.items() if is_english(code, words, common)}


# --- whose language ---


async def speak(room: Room, **locales: str) -> list[Player]:
    """People whose clients are in these languages."""
    people = room.people(*locales)
    for person, locale in zip(people, locales.values(), strict=True):
        room.local.discord.world.users[person.id].locale = locale
    return people


async def test_players_read_their_own_languages_and_the_board_is_in_the_language_of_the_server(
    app: App, room: Room
) -> None:
    ana, ben = await speak(room, Ana="xx", Ben="en-US")
    await table_of(room, "jinns")
    board = await room.onlooker.until(lambda: newest_board(room), what="a board")
    assert ["Your move", "More"] == board.labels
    assert "**Góál** – Yóú wánt tówérs" in (await ana.tap("Your move", on=board)).text
    assert (await ben.tap("Your move", on=board)).text.startswith("Not your turn yet.")
    assert "Yóú" in (await ana.slash("me data")).text
    await turn(ana, board, Random(1))
    after = await room.onlooker.until(lambda: newest_board(room, after=board), what="the board after the move of Ana")
    assert "Move a pile" in after.text


async def test_a_chosen_language_overrides_the_client_and_applies_in_direct_messages(app: App, room: Room) -> None:
    (ana,) = await speak(room, Ana="xx")
    settings = await open_settings(ana, "language")
    assert "Yóúr séttíngs" in settings.text
    english = await ana.choose("English", on=settings, menu=menu_of(settings, "language"))
    assert "Your settings" in english.text
    assert "Your data" in (await ana.slash("me data")).text
    await ana.choose("Same as my Discord", on=english, menu=menu_of(english, "language"))
    assert "Yóúr dátá" in (await ana.in_dm().slash("me data")).text


async def test_each_direct_message_is_in_the_language_of_its_reader(app: App, room: Room) -> None:
    ana, ben = await speak(room, Ana="xx", Ben="en-US")
    await table_of(room, "jinns")
    await room.onlooker.until(lambda: newest_board(room), what="a board")
    app.local.delete_channel(room.channel)
    await ben.in_dm().expect(
        "your **Jinns of the Lake** game was deleted, so the game was called off; its log is kept."
    )
    message = await ana.in_dm().until(lambda: next(iter(ana.in_dm().messages), None), what="a message")
    assert [] == plain(message.text)


async def test_a_job_runs_in_the_language_of_its_recipients(timed_app: TimedApp) -> None:
    timed_app.fake_clock.show(20)
    room, _ = await timed_app.begin("Ana", "Ben", game="beg")
    (ana,) = await speak(room, Ana="xx")
    settings = await open_settings(ana, "summary")
    number = menu_of(settings, "summary")
    await ana.choose(settings.menus[number].options[-1].value, on=settings, menu=number)
    await timed_app.hours(14)
    (digest,) = ana.in_dm().messages
    assert "☀️ " in digest.text
    assert "is waiting for you" not in digest.text


async def test_moderators_choose_the_language_of_their_server(app: App, room: Room) -> None:
    ana, ben = await speak(room, Ana="xx", Ben="xx")
    moderate(app, ana)
    lobby = await ana.slash("table new", game="muscat")
    assert "Join" in lobby.labels, "the server is English"
    more = await open_server_settings(ana, "language")
    menu = menu_of(more, "language")
    rows = [option.label for option in more.menus[menu].options]
    assert [own_name(code) for code in languages()] == rows[1:]
    app.local.discord.world.locale = "xx"
    await app.close()
    await app.open()
    await tap(room, ben, "join")
    assert "Jóín" in room.onlooker.messages[-1].labels, "as the server has it at Discord, unless they choose"
    await ana.choose("English", on=more, menu=menu)
    await ben.slash("game leave")
    await room.onlooker.until(lambda: "Join" in room.onlooker.messages[-1].labels, what="an English lobby")


async def test_a_move_is_understood_in_any_language(app: App, room: Room) -> None:
    await speak(room, Ana="xx", Ben="xx", Caro="xx")
    people = await table_of(room, "muscat")
    board = await room.onlooker.until(lambda: newest_board(room), what="a board")
    due = next(person for person in people if re.search(rf"{person.mention}\s*:", board.text))
    suggested = [name for name, _ in await due.suggest("game move", "what", "")]
    assert suggested
    for typed in (suggested[0], "A", "place A"):
        assert has(await due.slash("game move", what=typed), "do"), typed


async def test_a_move_copied_from_a_user_with_another_language_is_accepted(app: App, room: Room) -> None:
    await speak(room, Ana="de", Ben="de", Caro="de")
    people = await table_of(room, "muscat")
    board = await room.onlooker.until(lambda: newest_board(room), what="a board")
    due = next(person for person in people if re.search(rf"{person.mention}\s*:", board.text))
    (german, _), *_ = await due.suggest("game move", "what", "")
    room.local.discord.world.users[due.id].locale = "en-US"
    assert german not in [name for name, _ in await due.suggest("game move", "what", "")]
    assert has(await due.slash("game move", what=german), "do")


async def test_a_game_is_found_by_its_title_in_either_language_and_without_accents(app: App, room: Room) -> None:
    (ana,) = await speak(room, Ana="es-ES")
    for typed in ("Alí", "ali", "Ali Baba", "alibaba"):
        assert "alibaba" in [value for _, value in await ana.suggest("table new", "game", typed)], typed
    assert any(name.startswith("Alí Babá. ") for name, _ in await ana.suggest("table new", "game", "ali"))
    await ana.slash("table new", game="ALI BABA")
    assert has(room.onlooker.messages[-1], "join")


async def test_a_tap_updates_public_messages_in_the_servers_language_not_the_users(app: App, room: Room) -> None:
    _, ben = await speak(room, Ana="en-US", Ben="xx")
    await room.person("Ana").slash("table new", game="muscat")
    await tap(room, ben, "join")
    assert ben.mention in room.onlooker.messages[-1].text
    assert {"Join", "Add computer", "More"} <= set(room.onlooker.messages[-1].labels)
    again = await ben.tap_id(control(room.onlooker.messages[-1], "join"), on=room.onlooker.messages[-1])
    assert again is not None
    assert "Yóú" in again.text, "a refusal is for Ben alone"


async def test_a_server_job_runs_in_the_language_of_the_server_even_for_a_single_user(
    timed_app: TimedApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await speak(room, Ana="xx")
    assert "Yóú" in (await ana.slash("me data")).text, "her language is known"
    codes = list[str]()

    async def note_language(_: Services, job: Job) -> None:
        codes.append(language().code)
        assert job.user_id == ana.id

    _, lane = KINDS[JobKind.REMINDER]
    monkeypatch.setitem(KINDS, JobKind.REMINDER, (note_language, lane))
    await timed_app.app.close()
    await timed_app.app.open()
    await timed_app.hours(24.1)
    assert ["en"] == codes
