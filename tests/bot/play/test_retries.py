"""*Try it yourself* at a desk: two mistakes of Ben in a finished game, and what other answers were worth."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.computers.queue import Priority
from bot.features.play import steps
from bot.features.play.retries import Retry, _further, question_layout
from bot.features.play.steps import Choice, Step
from bot.posting import stories
from bot.posting.pictures import Drawn
from bot.tables.preferences import Preferences, keep_preferences
from engine.notation import format_action
from engine.story import telling
from engine.story.looking import chances_after
from engine.story.telling import Play, Story, Turning
from engine.texts import Seat
from tests.bot.desk import Desk
from tests.bot.outcomes import sent
from tests.bot.refusing import GUEST, HOST
from tests.bot.whole import whole

MOVES = "plant a1 date blue", "plant a2 fallow", "plant a3 date blue", "plant b4 fallow"
MISTAKES = Turning(1, Seat(1), 0.2, "plant a2 date red"), Turning(3, Seat(1), 0.5, "plant a4 fig red")
TURNINGS = Turning(2, Seat(0), 0.1, "plant a4 date blue"), MISTAKES[1]
CHANCES = {
    "plant b4 fallow": 0.3,
    "plant a4 fig red": 0.8,
    "plant b4 date red": 0.78,
    "plant b4 fig red": 0.4,
    "plant a2 fig red": 0.1,
}
AGAIN = "-# Move 4 once more, just to try it."
CHANCES_TEXT = "-# Your estimated chances of winning."
STORY, ANOTHER = "[Story story 0]", "[Another mistake retry"


@pytest.fixture
async def finished(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The requests to the workers, after a garden of Ana and Ben with its story."""
    home, thoughts = desk.home, list[tuple[Any, ...]]()
    table = await home.posted(game="garden")
    for n, move in enumerate(MOVES):
        action = table.require_match().parse(move)
        await home.services.moves.play(table, (HOST, GUEST)[n % 2], action, interaction_id=50 + n, version=None)
    plays = Play(2, 2, 0.0, 0.5), Play(2, 0, 0.5, 0.5)
    story = Story(((0.5, 0.5),) * 5, TURNINGS, plays, None, (), MISTAKES)
    await home.store.settings.put(stories.SCOPE, table.id, stories.NAME, story.stored())

    async def think(call: Any, *arguments: Any, priority: Priority) -> list[float]:
        thoughts.append((call, *arguments[:2], arguments[4], priority))
        return [CHANCES.get(format_action(option), 0.3) for option in arguments[3]]

    monkeypatch.setattr(telling, "MIN_CHOICES", 2)
    monkeypatch.setattr(home.services.thinkers, "think", think)
    return thoughts


def first_question(*ways: str) -> list[list[str]]:
    return [["edit", "### Plant a bed.", AGAIN, *ways, STORY]]


def question_about(bed: str) -> list[list[str]]:
    rows = ("date red", "date tree 🔴 Ana"), ("fig red", "fig tree 🔴 Ana"), ("fallow", "nothing")
    menu = [f"  plant {bed} {value} Plant {bed} {label}" for value, label in rows]
    question = [f"### {bed}", AGAIN, "Which one?: retrypick 3 0", *menu]
    return [["edit", *question, "[Back retry 3 plant]", STORY]]


async def test_only_a_mistake_is_asked_once_more_with_the_board_of_its_player(
    desk: Desk, finished: list[tuple[Any, ...]]
) -> None:
    pictures: Any = desk.home.services.pictures
    pictures.drawings.clear()
    ((how, question, note, *lines),) = await desk.tap(GUEST, "retry:1:3:")
    assert ("edit", "### Plant a bed.", AGAIN, STORY) == (how, question, note, lines[-1])
    menus = [line for line in lines if not line.startswith("  ")][:-1]
    assert [f"The bed, such as b4 ({n} of 4): retrypick 3 {n - 1}" for n in range(1, 5)] == menus
    assert ["  plant a4 a4", "  plant a5 a5"] == lines[1:3]
    for control, *row in (("retry:1:3:plant b4",), ("retrypick:1:3:0", "plant b4")):
        assert question_about("b4") == await desk.tap(GUEST, control, *row)
    ((_, *lines),) = await desk.tap(GUEST, "retry:1:3:fly")
    assert "### Plant a bed." == lines[0]
    views = [(view.viewer, view.ply, view.preview, len(view.offered)) for view, _ in pictures.drawings]
    assert [(1, 3, False, 234), *[(1, 3, False, 3)] * 2, (1, 3, False, 234)] == views
    assert [] == finished
    outdated = "This button is outdated and no longer works."
    for control in ("retry:1:4:", "retry:1:99:", f"retry:1:0:{MOVES[0]}"):
        assert [["new private", outdated]] == await desk.tap(GUEST, control)


ANSWERS = {
    "fallow": ("**That’s what you chose in the game**", "30% chosen now, in the game", CHANCES_TEXT, (6, 2)),
    "fig red": ("### Better than in the game", "40% chosen now · 30% in the game", CHANCES_TEXT, (7, 4)),
    "date red": ("### Well chosen!", "78% chosen now · 30% in the game", CHANCES_TEXT, (7, 5)),
}


async def test_an_answer_is_compared_with_the_played_and_the_best_one(
    desk: Desk, finished: list[tuple[Any, ...]]
) -> None:
    best, ways = (
        "80% · **Plant a4 fig tree 🔴 Ana** – the best I found",
        ["[Try again retry 3]", ANOTHER + " 1]", STORY],
    )
    pictures: Any = desk.home.services.pictures
    for answer, (verdict, others, estimated, fruit) in ANSWERS.items():
        expected = [["edit", verdict, best, others, estimated, *ways]]
        assert expected == await desk.tap(GUEST, f"retry:1:3:plant b4 {answer}")
        view, _ = pictures.drawings[-1]
        assert (1, 4, True, fruit) == (view.viewer, view.ply, view.preview, view.state.fruit)
        assert (chances_after, "garden", 2, "1", Priority.HINT) == finished[-1]
    worse = "### Not better than in the game"
    ((_, verdict, *lines),) = await desk.tap(GUEST, "retry:1:1:plant a2 fig red")
    assert (worse, ["[Try again retry 1]", ANOTHER + " 3]", STORY]) == (verdict, lines[-3:])
    ((_, *lines),) = await desk.tap(HOST, "retry:1:1:plant a2 fallow")
    assert [CHANCES_TEXT, "[Try again retry 1]", STORY] == lines[-3:], "the mistakes are not Ana’s"
    ((_, verdict, *_),) = await desk.tap(HOST, "retry:1:2:plant a4 date blue")
    assert "### Well chosen!" == verdict, "a turning point of a story without mistakes of players"


@pytest.mark.parametrize(("chance", "role"), [(0.804, "the best I found"), (0.82, "my suggestion")])
async def test_a_better_answer_than_the_suggested_one_leaves_it_a_suggestion(
    desk: Desk, finished: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch, chance: float, role: str
) -> None:
    monkeypatch.setitem(CHANCES, "plant b4 date red", chance)
    ((_, verdict, best, *_),) = await desk.tap(GUEST, "retry:1:3:plant b4 date red")
    assert ("### Well chosen!", f"80% · **Plant a4 fig tree 🔴 Ana** – {role}") == (verdict, best)


@pytest.mark.parametrize(
    ("chance", "verdict"), [(0.304, "Not better"), (0.31, "Only a little better"), (0.33, "Better")]
)
async def test_a_verdict_agrees_with_the_percentages_below_it(
    desk: Desk, finished: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch, chance: float, verdict: str
) -> None:
    monkeypatch.setitem(CHANCES, "plant b4 fig red", chance)
    ((_, heading, *_),) = await desk.tap(GUEST, "retry:1:3:plant b4 fig red")
    assert f"{verdict} than in the game" == heading.strip("#* ")


def test_the_next_mistake_is_the_following_one_and_after_the_last_the_first() -> None:
    own = [Turning(ply, Seat(1), 0.2, "") for ply in (1, 3, 5)]
    asked_about: list[Any] = [SimpleNamespace(ply=ply) for ply in (1, 3, 5, 2)]
    assert [own[1], own[2], own[0], own[0]] == [_further(retry, own) for retry in asked_about]
    assert _further(asked_about[0], own[:1]) is None


async def test_a_choice_among_very_many_is_typed_and_suggestions_come_first(
    desk: Desk, finished: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "MAX_LISTED", 10)
    form = first_question("[Type it retryform 3 plant]")
    assert form == await desk.tap(GUEST, "retry:1:3:")
    opened = [["form", "Garden", "cf:retrytyped:1:3:plant", " = "]]
    assert opened == await desk.tap(GUEST, "retryform:1:3:plant")
    for typed in ("b7", " B7 "):
        assert question_about("b7") == await desk.tap(GUEST, "retrytyped:1:3:plant", typed)
    for typed, verdict in (("Date", "Well chosen!"), ("plant b4 NOTHING", "That’s what you chose in the game")):
        ((_, heading, *_),) = await desk.tap(GUEST, "retrytyped:1:3:plant b4", typed)
        assert verdict == heading.strip("#* ")
    finished.clear()
    ((how, *lines),) = await desk.tap(GUEST, "retrytyped:1:3:plant", "a1*")
    assert ("edit", "“a1\\*” isn’t possible.", form[0][1:]) == (how, lines[0], lines[1:])
    table = await desk.home.services.tables.find(1)
    assert table is not None
    rows = (Choice(("plant", "b4", "fallow"), "Nothing in b4", True),)
    step = Step(("plant",), "Where do you plant?", (), True, "", "", rows)
    ways = ["[Nothing in b4 retry 3 plant b4 fallow]", "[Other… retryform 3 plant]", STORY]
    expected = ["### Where do you plant?", AGAIN, *ways]
    assert expected == whole(question_layout(Retry.of(table, 3), step, None, ("a.png", "a board")))
    assert [] == finished


async def test_a_story_has_the_lesson_of_its_reader_and_pages_in_their_colors(
    desk: Desk, finished: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures: Any = desk.home.services.pictures
    monkeypatch.setattr(pictures, "draw_story", lambda view, *_, contrast: pictures.draw(view, contrast=contrast))
    await keep_preferences(desk.home.store.settings, GUEST, Preferences(contrast=True))
    cost = "“Plant b4 nothing” cost 50% of the winning chances; “Plant a4 fig tree 🔴 Ana” was better."
    ((_, lesson, *ways),) = await desk.tap(GUEST, "story:1:0:")
    assert lesson.startswith("💡 **One thing to do better:** on move 4, “Plant a4 fig tree 🔴 Ana” instead of")
    assert ["[Look closer story 1]", "[Try it yourself retry 3]"] == ways
    ((_, *lines),) = await desk.tap(HOST, "story:1:0:")
    closer = ["[Look closer story 1]", "[Show to everyone sharestory]", "[Export export]"]
    assert closer == lines[-3:]
    assert not lines[0].startswith("#"), "the picture has the title"
    pages = [
        f"2️⃣ Move 4, 🟦 Ben: {cost}",
        "[Previous story 1]",
        "[Next story 3]",
        "[Show to everyone sharestory]",
    ]
    for user_id, place, own in (
        (GUEST, 3, "[Try it yourself retry 3]"),
        (HOST, 1, "-# This is how 🟦 Ben saw the board."),
    ):
        assert [["edit", *pages[:place], own, *pages[place:]]] == await desk.tap(user_id, "story:1:0:2")
        for number in (3, 99):
            ((_, title, *lines),) = await desk.tap(user_id, f"story:1:0:{number}")
            assert ("### How accurately everyone played", "[Previous story 2]") == (title, lines[-4])
    views = [(view.viewer, view.ply, len(view.offered), contrast) for view, contrast in pictures.drawings[-4:]]
    assert [(None, 4, 0, True), (None, 4, 0, False), (1, 3, 1, True), (1, 3, 1, False)] == views
    assert [] == finished


async def test_a_shared_story_leads_to_what_follows_the_game(
    desk: Desk, finished: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A league plans its games, and a channel that plays something else has no room for a rematch."""
    leagues, story_picture = dict[int, int](), Drawn(b"", "a.png", "a story")

    async def league_of(match_id: int) -> int | None:
        return leagues.get(match_id)

    async def draw_story(*_: Any, **__: Any) -> Drawn:
        return story_picture

    monkeypatch.setattr(desk.home.store.leagues, "league_of", league_of)
    monkeypatch.setattr(desk.home.services.pictures, "draw_story", draw_story)
    closer = "[Look closer story 1]"

    async def buttons() -> list[str]:
        sent(desk.home)
        await desk.tap(HOST, "sharestory:1:0:")
        return [line for line in sent(desk.home)[0] if line.startswith("[")]

    assert ["[Rematch rematch]", closer] == await buttons()
    leagues[1] = 7
    assert ["[Standings leaguetable 7]", closer] == await buttons()
    await desk.home.match()
    assert [closer] == await buttons()
