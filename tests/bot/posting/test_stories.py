"""The story of a game becomes part of its last board once, even after failures in between, and has pages."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

from bot import worker
from bot.computers import thinkers
from bot.computers.queue import Priority
from bot.posting import stories, story_layouts
from bot.posting.board_layouts import standings_button
from bot.posting.story_layouts import accuracy_layout, shared_layout, story_layout, turning_layout
from bot.store.matches import SeatHolder
from engine.match import Match
from engine.story import telling
from engine.story.chapter import DRAW, Remark
from engine.story.telling import Play, Story, Turning
from engine.texts import Seat
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.habits import choose_preference, strong
from tests.bot.queueing import noted_priorities
from tests.bot.refusing import House
from tests.bot.walks import set_row, table_of
from tests.bot.whole import whole
from tests.engine.toys import TOYS
from tests.rooms import Room, play_move, start_game

STORY, CLOSER = "The story of Garden", "Look closer"


class _Never(Executor):
    """Workers that never come to an end."""

    def __init__(self, _number: int) -> None:
        pass

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        return Future()


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers are threads, and think for a moment of the shortest games."""
    monkeypatch.setattr(thinkers, "_processes", ThreadPoolExecutor)
    monkeypatch.setattr(telling, "MIN_CHOICES", 2)
    monkeypatch.setattr(telling, "SECONDS", 0.001)
    monkeypatch.setattr(telling, "SECOND_LOOK_SECONDS", 0.001)


async def open_again(app: App, *, wanted: bool = True) -> None:
    await app.close()
    app.stories = wanted
    await app.open()


async def play(app: App) -> Room:
    """A small garden of Ana and Ben, in which Ben ends with a blunder."""
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="garden")
    await ben.tap("Join")
    await ana.choose("size: 5", on=await ana.slash("table options"))
    await start_game(ana, ben)
    moves = "a1 date tree 🟦 Ben", "a2 date tree 🔴 Ana", "a3 date tree 🟦 Ben", "a4 nothing"
    for n, move in enumerate(moves):
        await play_move((ana, ben)[n % 2], "game move", what=f"plant {move}")
    await room.onlooker.expect("wins!")
    return room


def leads_to_story(seen: Seen) -> bool:
    return "Story" in seen.labels


def with_story(room: Room) -> list[Seen]:
    return [*filter(leads_to_story, room.onlooker.messages)]


async def test_the_last_board_includes_the_story_and_its_pages(app: App) -> None:
    await open_again(app)
    room = await play(app)
    messages = len(room.onlooker.messages)
    board = await room.onlooker.expect(leads_to_story)
    assert "wins!" in board
    assert ["Rematch", "Story", "More"] == board.labels
    assert board.images, "the picture stays"
    assert messages == len(room.onlooker.messages), "nothing is posted below it"
    finn = room.person("Finn")
    page = await finn.tap("Story", on=board)
    assert (True, False) == (page.ephemeral, "Try it yourself" in page.labels), "the mistakes are not Finn’s"
    assert "Accuracy: 🔴 Ana" in page
    page = await finn.tap("Look closer", on=page)
    while "How accurately everyone played" not in page:
        assert page.images
        page = await finn.tap("Next", on=page)
    assert "of 2 that mattered" in page
    await open_again(app)
    assert CLOSER in (await finn.slash("game story")).labels
    assert [board.id] == [seen.id for seen in with_story(room)]
    assert [] == app.query("SELECT * FROM jobs WHERE kind = 'story'")
    assert app.query("SELECT 1 FROM settings JOIN matches ON scope_id = id WHERE scope = ?", stories.SCOPE)
    # for `/stats`: as the page says, two choices mattered, and one of them cost half of the win
    records = app.query("SELECT choices, lost, lowest, luck FROM results ORDER BY match_id DESC, seat LIMIT 2")
    assert {2} <= {choices for choices, *_ in records}
    assert max(lost for _, lost, *_ in records) >= 0.5
    assert all(0 <= lowest < 0.6 and -1 <= luck <= 1 for _, _, lowest, luck in records)


def test_the_last_page_says_what_luck_has_brought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story_layouts, "luck_of", lambda *_: (0.124, -0.124))
    story = Story((), (), (Play(3, 2, 0.5, 1.0), Play(0, 0, 0.0, 0.0)), None)
    table = table_of(TOYS["garden"], 2, Match.begin(TOYS["garden"], TOYS["garden"].setup(2), "luck"))
    monkeypatch.setattr(story_layouts, "remarks_of", lambda *_: ())
    set_row(table, holders=tuple(SeatHolder(user_id=n, name=name) for n, name in enumerate(("Ana", "Ben"), 1)))
    _, ana, ben, luck, *_, previous, after, _, _ = whole(accuracy_layout(table, story))
    accuracies = "🔴 Ana: **50** – best choice in 2 of 3 that mattered", "🟦 Ben: no choice mattered"
    assert (*accuracies, "-# Luck: 🔴 Ana +12% · 🟦 Ben −12%") == (ana, ben, luck)
    assert ("[Previous", "(Next") == (previous.split()[0], after.split()[0])


async def test_a_user_can_share_the_story(app: App) -> None:
    await open_again(app)
    room = await play(app)
    await room.onlooker.expect(leads_to_story)
    ana = room.person("Ana")
    await choose_preference(ana, "contrast", "High contrast")
    own = await ana.tap("Story")
    await ana.tap("Show to everyone", on=own)
    shared = await room.onlooker.expect("Shown by")
    assert STORY in shared
    assert [True, False] == [strong(own), strong(shared)], "everyone sees the colors of the channel"
    assert (False, ["Rematch", "Look closer"]) == (shared.ephemeral, shared.labels)
    await ana.tap("Rematch", on=shared)
    await ana.tap("Show to everyone", on=await ana.tap("Story"))
    again = await room.onlooker.expect("Shown by", after=shared)
    assert ["Look closer"] == again.labels, "the channel has another table"


async def test_a_mistake_can_be_replayed(app: App) -> None:
    """Ben's story begins with his blunder; he chooses once more, and sees what each choice was worth."""
    await open_again(app)
    room = await play(app)
    await room.onlooker.expect(leads_to_story)
    before, ben = app.query("SELECT count(*) FROM entries"), room.person("Ben")
    page = await ben.tap("Story")
    assert "One thing to do better" in page
    assert "Accuracy" not in page, "the picture and the lesson fill the screen of a phone"
    question = await ben.tap("Try it yourself", on=page)
    assert question.ephemeral
    assert question.images
    assert "Move 4 once more" in question
    result = await through(ben, question, "a4", "date tree")
    assert "Well chosen!" in result
    assert "** – chosen now, the best I found" in result
    assert "% in the game" in result
    assert "Not better" not in result
    result = await through(ben, await ben.tap("Try again", on=result), "a4", "nothing")
    assert "That’s what you chose in the game" in result
    assert "One thing to do better" in await ben.tap("Story", on=result)
    assert before == app.query("SELECT count(*) FROM entries"), "the game stays as it was"


async def through(person: Player, question: Seen, *words: str) -> Seen:
    """Choose by words of labels until the answers are compared."""
    for word in words:
        if "chances" in question:
            break
        if question.menus:
            rows = [row.label for row in question.menus[0].options]
            question = await person.choose(next(row for row in rows if word in row), on=question)
        else:
            question = await person.tap(next(label for label in question.labels if word in label), on=question)
    return question


async def test_a_story_is_queued_with_the_lowest_priority(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    priorities = noted_priorities(monkeypatch)
    room = await play(app)
    await room.person("Ana").slash("game story")
    assert {Priority.STORY} == set(priorities)


async def test_a_kill_during_the_analysis_loses_no_story(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "_processes", _Never)
    monkeypatch.setattr(worker, "GRACE", 0.1)
    await open_again(app)
    room = await play(app)
    assert [] == with_story(room)
    monkeypatch.setattr(thinkers, "_processes", ThreadPoolExecutor)
    await open_again(app)
    await room.onlooker.expect(leads_to_story)
    assert 1 == len(with_story(room))


async def test_an_analysis_that_times_out_is_split_and_retried(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    think, sizes, pauses = thinkers.Thinkers.think, list[int](), list[int]()

    def briefly(tries: int) -> float:
        pauses.append(tries)
        return 0.01

    async def too_slow(self: thinkers.Thinkers, call: Any, *given: Any, **how: Any) -> Any:
        sizes.append(len(given[2]))
        if sizes[-1] > 1 or sizes.count(1) < 3:
            raise TimeoutError
        return await think(self, call, *given, **how)

    monkeypatch.setattr(thinkers.Thinkers, "think", too_slow)
    monkeypatch.setattr(telling, "BATCH_SECONDS", 100.0)
    monkeypatch.setattr(stories, "backoff", briefly)
    await open_again(app)
    room = await play(app)
    await room.onlooker.expect(leads_to_story)
    assert 1 == len(with_story(room))
    assert (True, [0, 1]) == (max(sizes) > 1, pauses)


async def test_a_story_stays_due_while_the_workers_are_busy(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: Any, **__: Any) -> Any:
        raise TimeoutError

    with monkeypatch.context() as busy:
        busy.setattr(thinkers.Thinkers, "think", never)
        await open_again(app)
        room = await play(app)
        await app.let_pass(120)
        assert [] == with_story(room)
    await open_again(app)
    await room.onlooker.expect(leads_to_story)


async def test_the_operator_can_disable_stories(app: App) -> None:
    room = await play(app)
    assert CLOSER in (await room.person("Ana").slash("game story")).labels, "anyone who asks is told all the same"
    await open_again(app)
    await room.person("Ana").slash("game board", **{"as": "text"})
    assert [] == with_story(room)


async def test_unfinished_and_short_games_have_no_story(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="garden")
    assert "hasn’t started" in await ana.slash("game story")
    await ben.tap("Join")
    await ana.tap("Start")
    assert "when the game is over" in await ana.slash("game story")
    monkeypatch.setattr(telling, "MIN_CHOICES", 20)
    room = await play(app)
    assert "too short" in await room.person("Ana").slash("game story")


@pytest.mark.parametrize(("number", "own", "tries"), [(1, True, True), (2, True, False), (1, False, False)])
def test_a_player_may_try_only_their_own_mistakes_again(
    monkeypatch: pytest.MonkeyPatch, number: int, own: bool, tries: bool
) -> None:
    mistakes = Turning(0, Seat(0), 0.2, "a"), Turning(1, Seat(1), 0.3, "b")
    remarks = Remark(0, "1", "first"), Remark(1, "2", "second")
    monkeypatch.setattr(story_layouts, "remarks_of", lambda *_: remarks)
    table = table_of(TOYS["garden"], 2, Match.begin(TOYS["garden"], TOYS["garden"].setup(2), "luck"))
    set_row(table, holders=tuple(SeatHolder(user_id=n, name=name) for n, name in enumerate(("Ana", "Ben"), 1)))
    story = Story((), mistakes, (), None)
    lines = whole(turning_layout(table, story, number, ("a.png", "a"), mistakes[:1] if own else ()))
    assert ["1️⃣ first", "2️⃣ second"][number - 1] == lines[0]
    assert tries == any(line.startswith("[Try it yourself") for line in lines)


async def test_a_story_that_is_kept_is_not_thought_over_again(home: House) -> None:
    story, service = Story((), (), (Play(3, 2, 0.5, 1.0),), None), home.services.stories
    await home.store.settings.put(stories.SCOPE, 1, stories.NAME, story.stored())
    assert story == await service.of(1, (await home.posted()).require_match())
    assert {} == service._thinking


def test_the_lowest_chance_of_a_seat_is_before_or_after_what_its_owner_played() -> None:
    course = (0.5, 0.5), (0.2, 0.8), (0.6, 0.4), (0.1, 0.9)
    story = Story(course, (), (), None)
    assert [0.2, 0.4] == stories._lowest(story, [{0, 1}, {1}])
    assert [0.1, 1.0] == stories._lowest(story, [{2}, set()])


def test_the_last_page_has_the_luckiest_draw_and_no_other_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    remarks = Remark(0, "1", "A costly choice."), Remark(1, DRAW, "A lucky draw.")
    monkeypatch.setattr(story_layouts, "remarks_of", lambda *_: remarks)
    monkeypatch.setattr(story_layouts, "luck_of", lambda *_: ())
    table = table_of(TOYS["garden"], 2, Match.begin(TOYS["garden"], TOYS["garden"].setup(2), "luck"))
    lines = whole(accuracy_layout(table, Story((), (), (), None)))
    assert ["🎲 A lucky draw."] == [line for line in lines if line.endswith(("choice.", "draw."))]


def test_each_page_of_a_story_has_all_that_belongs_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first page without a mistake of the reader, the pages that were shown to everyone, and the last page."""
    remarks = Remark(0, "1", "A costly choice."), Remark(1, DRAW, "A lucky draw.")
    monkeypatch.setattr(story_layouts, "remarks_of", lambda *_: remarks)
    monkeypatch.setattr(story_layouts, "luck_of", lambda *_: (0.1, -0.1))
    table = table_of(TOYS["garden"], 2, Match.begin(TOYS["garden"], TOYS["garden"].setup(2), "luck"))
    set_row(table, holders=tuple(SeatHolder(user_id=n, name=name) for n, name in enumerate(("Ana", "Ben"), 1)))
    story = Story((), (), (Play(3, 2, 0.5, 1.0), Play(0, 0, 0.0, 0.0)), None)
    (ana, ben), accuracy = table.names, story.plays[0].accuracy
    sums = [f"-# Accuracy: {ana} {accuracy}", f"-# Luck: {ana} +10% · {ben} −10%"]
    heading, closer = f"### The story of {table.title}", "[Look closer story 1]"
    for following in ([standings_button(7)], []):
        shared = whole(shared_layout(table, story, ("a.png", "a"), "<@1>", following))
        remark_lines = ["1️⃣ A costly choice.", "🎲 A lucky draw.", *sums, "-# Shown by <@1>."]
        assert [heading, *remark_lines, *["[Standings leaguetable 7]" for _ in following], closer] == shared
    passing_on = ["[Show to everyone sharestory]", "[Export export]"]
    assert [*sums, closer, *passing_on] == whole(story_layout(table, story, ("a.png", "a"), ()))
    meaning = (
        "-# Accuracy is 0 for random choices and 100 for perfect ones. Only choices that mattered count, judged by "
        "what could be known at the time."
    )
    best = f"{ana}: **{accuracy}** – best choice in 2 of 3 that mattered"
    lines = ["### How accurately everyone played", best, f"{ben}: no choice mattered", "🎲 A lucky draw."]
    assert [*lines, sums[1], meaning, "[Previous story 0]", "(Next story 2)", *passing_on] == whole(
        accuracy_layout(table, story)
    )
    silent = Story((), (), (), None)
    monkeypatch.setattr(story_layouts, "luck_of", lambda *_: ())
    assert [closer, *passing_on] == whole(story_layout(table, silent, ("a.png", "a"), ()))


def test_an_accuracy_of_zero_is_told_and_one_without_choices_is_not() -> None:
    table = table_of(TOYS["garden"], 2, Match.begin(TOYS["garden"], TOYS["garden"].setup(2), "luck"))
    story = Story((), (), (Play(3, 0, 1.0, 1.0), Play(0, 0, 0.0, 0.0)), None)
    assert f"-# Accuracy: {table.names[0]} 0" == table.say(story_layouts._accuracies(story))


async def test_a_reader_who_gives_up_does_not_end_the_story_for_others(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end, service = asyncio.Event(), asyncio.Event(), home.services.stories

    async def think(*_: object) -> Story:
        begun.set()
        await may_end.wait()
        return Story((), (), (), None)

    monkeypatch.setattr(service, "_think", think)
    match = (await home.posted()).require_match()
    impatient, patient = [asyncio.create_task(service.of(1, match)) for _ in range(2)]
    await begun.wait()
    impatient.cancel()
    await asyncio.wait({impatient})
    may_end.set()
    assert Story((), (), (), None) == await patient


async def test_stories_that_are_thought_over_end_with_the_bot(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, service = asyncio.Event(), home.services.stories

    async def think(*_: object) -> Story:
        begun.set()
        return await asyncio.Future()

    monkeypatch.setattr(service, "_think", think)
    reader = asyncio.create_task(service.of(1, (await home.posted()).require_match()))
    await begun.wait()
    await service.close()
    await asyncio.wait({reader})
    assert (True, {}) == (reader.cancelled(), service._thinking)
