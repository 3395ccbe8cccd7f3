"""`/me settings`: preferences apply in all servers and games."""

from __future__ import annotations

import pytest

from bot.features.settings.preference_page import PAGES
from bot.tables.preferences import Preferences, keep_preferences, preferences_of
from engine.core import State
from engine.texts import Seat
from locales import languages
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.desk import Desk
from tests.bot.forging import forge
from tests.bot.habits import open_settings
from tests.bot.refusing import HOST
from tests.playthroughs.taps import SETTINGS, Message
from tests.robots import BOARD
from tests.rooms import Room, start_game

TYPED, ADVICE = 0, 1
"""The menus of the page."""
SHOW_FIRST, AT_ONCE = "Preview first", "Play them at once"
NO_ADVICE, COACHED = "No advice", "Advice under questions"
LAMP = "-# 💡"


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


def selected_labels(page: Seen) -> list[str]:
    """The rows that the menus for moves and for advice show."""
    return [option.label for menu in page.menus[: ADVICE + 1] for option in menu.options if option.chosen]


async def begin(room: Room, game: str) -> Seen:
    """Ana begins a game with Ben. Returns the board."""
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=game)
    await ben.tap("Join")
    await start_game(ana, ben)
    return await room.onlooker.expect(BOARD)


async def choose(person: Player, menu: int, label: str) -> Seen:
    """Change a preference. Returns the page as it is then."""
    return await person.choose(label, on=await person.slash("me settings"), menu=menu)


async def test_the_page_is_private_and_shows_the_chosen_settings(room: Room) -> None:
    ana = room.person("Ana")
    page = await ana.slash("me settings")
    assert (True, [SHOW_FIRST, NO_ADVICE]) == (page.ephemeral, selected_labels(page))
    changed = await ana.choose(AT_ONCE, on=page, menu=TYPED)
    assert (page.id, [AT_ONCE, NO_ADVICE]) == (changed.id, selected_labels(changed))
    assert [AT_ONCE, COACHED] == selected_labels(await ana.choose(COACHED, on=changed, menu=ADVICE))
    assert [SHOW_FIRST, COACHED] == selected_labels(await choose(ana, TYPED, SHOW_FIRST))
    assert [SHOW_FIRST, NO_ADVICE] == selected_labels(await room.person("Ben").slash("me settings")), "nobody else’s"


async def test_settings_apply_after_a_restart_in_other_channels_and_in_direct_messages(app: App, room: Room) -> None:
    ana = room.person("Ana")
    page = await choose(ana, ADVICE, COACHED)
    await app.close()
    await app.open()
    for place in (ana, app.room().person("Ana"), ana.in_dm()):
        assert [SHOW_FIRST, COACHED] == selected_labels(await place.slash("me settings"))
    await choose(ana.in_dm(), TYPED, AT_ONCE)
    answer_on_old_page = await ana.choose(NO_ADVICE, on=page, menu=ADVICE)
    assert [AT_ONCE, NO_ADVICE] == selected_labels(answer_on_old_page)


async def test_values_that_no_menu_offers_are_refused(desk: Desk) -> None:
    settings = desk.home.store.settings
    await keep_preferences(settings, HOST, Preferences(at_once=True, coached=True))
    before = await preferences_of(settings, HOST)
    odd = [("at_once", answers) for answers in (["perhaps"], [], ["yes", "no"])]
    odd += [(name, ["yes"]) for name in ("fly", "", "__class__")]
    for name, values in odd:
        ((how, refusal),) = await desk.tap(HOST, f"habit:0:0:{name}", *values)
        assert how == "new private"
        assert refusal in ("That setting no longer exists.", "Please choose an item from the menu.")
        assert before == await preferences_of(settings, HOST)


@pytest.mark.parametrize(
    ("path", "beds"),
    [
        ("garden plant", [{"bed": bed, "crop": "fallow"} for bed in ("a1", "a2", "a3")]),
        ("game move", [{"what": f"{bed} nothing"} for bed in ("a1", "a2", "a3")]),
    ],
)
async def test_the_next_typed_move_follows_a_changed_setting(
    app: App, room: Room, path: str, beds: list[dict[str, str]]
) -> None:
    await begin(room, "garden")
    ana, ben = room.people("Ana", "Ben")
    for person, bed in zip((ana, ben), beds, strict=False):
        await choose(person, TYPED, AT_ONCE)
        assert "plants" in await person.slash(path, **bed)
    await choose(ana, TYPED, SHOW_FIRST)
    assert "Confirm" in (await ana.slash(path, **beds[2])).labels
    written = [notation for (notation,) in app.query("SELECT notation FROM entries ORDER BY n")]
    assert ["plant a1 fallow", "plant a2 fallow"] == written


async def test_advice_appears_below_the_question_of_players_who_want_it(room: Room) -> None:
    board = await begin(room, "alibaba")
    ana = room.person("Ana")
    await ana.slash("game board")  # Ana has seen the deal, so that the answer has the question only
    plain = await ana.tap("Your move", on=board)
    assert LAMP not in plain
    await choose(ana, ADVICE, COACHED)
    coached = await ana.tap("Your move", on=board)
    lines = coached.text.splitlines()
    (advised,) = (n for n, line in enumerate(lines) if line.startswith(LAMP))
    assert lines[advised - 1].startswith("### "), "it follows the question"
    assert plain.text.splitlines() == [line for line in lines if not line.startswith(LAMP)]
    await choose(ana, ADVICE, NO_ADVICE)
    assert plain.text == (await ana.tap("Your move", on=board)).text


async def test_advice_uses_only_what_its_player_may_see(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """No present advice reveals hidden information; that of a future game might."""
    advised: list[State] = []
    advice = State.advice
    monkeypatch.setattr(State, "advice", lambda state: (advised.append(state), advice(state))[1])
    board = await begin(room, "alibaba")
    ana = room.person("Ana")
    await choose(ana, ADVICE, COACHED)
    await ana.tap("Your move", on=board)
    assert [state.observe(Seat(0)) for state in advised] == advised != []
    assert all(state.observe(Seat(1)) != state for state in advised), "something is hidden"


@pytest.mark.parametrize("language", languages())
async def test_each_page_fits_on_a_phone(app: App, room: Room, language: str) -> None:
    ana = room.person("Ana")
    zone, back = "America/Argentina/ComodRivadavia", "2999-01-01T06:00:00+00:00"
    await app.prefer(ana.id, language=language, zone=zone, zone_shown=True, away=back)
    names = [page.fields[0].name if page.fields else page.name for page in PAGES]
    pages = [await open_settings(ana, name) for name in names]
    assert len(PAGES) == len({page.text for page in pages})
    assert [] == [page.text for page in pages if Message.of(page).height > SETTINGS]


async def test_a_removed_page_falls_back_to_the_first_one(app: App, room: Room) -> None:
    ana = room.person("Ana")
    on = await ana.slash("me settings")
    control = {"type": 2, "style": 2, "label": "x", "custom_id": "cv:settingspage:0:0:gone"}
    assert on.text == (await forge(app, ana, on, control)).text
