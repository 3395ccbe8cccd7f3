"""People's names: any script, only inside the panels, without overlap, and never an error."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, cycle, islice
from random import Random

import pytest
from PIL import Image, ImageChops

import renders
from bot.posting.pictures import Pictures
from bot.tables.people import presentable
from engine.core import GameSpec, State, View
from engine.games import discover
from engine.match import Match
from engine.players import offered_players
from renders import ending, persons, plain
from renders.canvas import Canvas, RGBGround
from renders.games.muses.panels import share_widths
from renders.lettering import SMALL, ink, noto, shorten
from renders.persons import FACES, draw_person, drawable_names, length_of, portraits, with_portrait
from renders.sprites import Sprite
from renders.theme import HOUSE, INK, IVORY
from tests.renders.color_vision import contrast
from tests.renders.positions import LABELS, draw_plainly, image_of, replay_recorded

Box = tuple[int, int, int, int]

TABLES = [(slug, seats) for slug, spec in discover().items() for seats in (spec.seats[0], spec.seats[-1])]
"""The minimum and maximum number of people at a table."""
every_table = pytest.mark.parametrize(("slug", "seats"), TABLES)

PLAIN = ("Maximilian the Great", "王小明さん", "Ann", "Ẩn Đỗ Quỳnh", "Wolfgang_Amadeus_1756", "Computer (strong)")
"""Long and short names, with accents above and below."""

STRANGE = {
    "@everyone": "@everyone",
    "**bold** _x_ `y` <@1>": "**bold** _x_ `y` <@1>",
    "one\ntwo\r\n\tthree": "one two three",
    "  Ann  ": "Ann",
    "🎉 Ann 👩‍👩‍👧 B 👍🏽": "Ann B",
    "🎉🇩🇪❤️": "",
    "Z̸̢̛a̷l̴͝g̵o̶͓": "Zalgo",
    "A\u200bn\u202en\u0007\x00": "Ann",
    "\ud800Ann\ue000": "Ann",
    "\u3164\u2800\u200b": "",
    "𝓐𝓷𝓷 Ｂ ⓒ": "Ann B c",
    "e\u0301": "é",
    "Ξενοφών Юлия": "Ξενοφών Юлия",
    "محمد علي": "محمد علي",
    "שָׁלוֹם": "שלום",
    "王小明 한글 カナ": "王小明 한글 カナ",
    "Հայկ გიორგი ሰላም": "Հայկ გიორგი ሰላም",
    "राम": "",
    "สมชาย": "",
    "Ram राम": "Ram",
    "": "",
}
"""The drawable part of each name."""

WIDE = "W" * 32


# --- drawable names ---


@pytest.mark.parametrize("name", STRANGE)
def test_unsupported_characters_are_dropped_and_so_are_names_with_little_left(name: str) -> None:
    assert STRANGE[name] == (drawable_names((name,), 1) or ("",))[0]


def test_drawable_names_cover_every_seat_or_are_empty() -> None:
    assert ("Ann", "", "") == drawable_names(("Ann",), 3)
    assert ("", "Ann") == drawable_names(["🎉", "Ann", "too many"], 2)
    assert () == drawable_names(("🎉", ""), 3) == drawable_names((), 3)


def test_an_endless_name_is_processed_only_up_to_its_visible_length() -> None:
    assert len(drawable_names(("ﷺ" * 100_000,), 1)[0]) <= 64


@pytest.mark.parametrize(
    "script", ["ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءآأؤإئ", "پچژکگیۀہھےٹڈڑں", "אבגדהוזחטיכךלמםנןסעפףצץקרשת"]
)
def test_every_letter_of_a_right_to_left_script_is_drawn_in_all_joined_forms(script: str) -> None:
    names = [letter * 3 for letter in script]
    assert tuple(names) == drawable_names(names, len(names))
    assert all(length_of(name) > length_of(letter) > 0 for name, letter in zip(names, script, strict=True))


def test_right_to_left_text_is_reordered_and_arabic_letters_are_joined() -> None:
    hebrew, arabic = noto("Hebrew"), noto("Arabic")
    assert ink("בא", hebrew)[0].tobytes() == name_sprite("אב").coverage.tobytes()
    assert ink("\ufeaa\ufee4\ufea4\ufee3", arabic)[0].tobytes() == name_sprite("محمد").coverage.tobytes()


def test_a_name_in_several_scripts_stays_on_one_line_in_reading_order() -> None:
    assert length_of("Ann 王") == length_of("Ann ") + length_of("王")
    assert length_of("אב Ann") == pytest.approx(length_of("אב") + length_of(" Ann"))
    one, other = name_sprite("Ann"), name_sprite("Ann 王")
    assert ImageChops.difference(one.coverage, cut_like(other, one)).getbbox() is None


def cut_like(sprite: Sprite, like: Sprite) -> Image.Image:
    """The part of a sprite that another one covers."""
    x, y = like.dx - sprite.dx, like.dy - sprite.dy
    return sprite.coverage.crop((x, y, x + like.width, y + like.height))


def name_sprite(name: str, room: float = 1000) -> Sprite:
    """The sprite of a name on a picture."""
    sprites: list[Sprite] = []

    class Paper(Canvas):
        def put(self, sprite: Sprite, x: float = 0, y: float = 0) -> None:
            sprites.append(sprite)

    draw_person(Paper(RGBGround(Image.new("RGB", (1, 1)))), 0, 0, name, room, IVORY)
    return sprites[0]


@pytest.mark.parametrize("name", [WIDE, *filter(None, STRANGE.values())])
@pytest.mark.parametrize("room", [60, 200])
def test_a_name_is_cut_to_the_available_width(name: str, room: int) -> None:
    sprite = name_sprite(name, room)
    assert sprite.dx >= -2
    assert sprite.dx + sprite.width <= room + 2


def test_teammates_share_the_width_for_their_names() -> None:
    assert [30, 40] == share_widths([30, 40], 100)
    assert [30, 70] == share_widths([30, 90], 100)
    assert [50, 50] == share_widths([80, 90], 100)


def test_names_have_the_size_of_small_text_and_are_readable_on_every_panel() -> None:
    assert {29} == {face.size for face in FACES}
    themes = {HOUSE, *map(plain.theme_of, discover())}
    assert min(contrast(theme.muted, theme.panel) for theme in themes) >= 7


# --- on the pictures ---


@cache
def some_views(slug: str, seats: int) -> tuple[View[State], ...]:
    """An early and a late position of a random game, each as a public view and as the view of the seat that is due."""
    return tuple(_views(slug, seats))


def _views(slug: str, seats: int) -> Iterator[View[State]]:
    spec = discover()[slug]
    match, rng = Match.begin(spec, spec.setup(seats), "names"), Random(seats)
    moves = 0
    while due := next(iter(match.state.decisions()), None):
        if moves in (3, 40):
            yield match.view(None)
            yield match.view(due.seat, offered=due.options)
        match.play(due.seat, rng.choice(due.options))
        moves += 1


def cycle_names(names: Sequence[str], seats: int, first: int = 0) -> tuple[str, ...]:
    """One name for each seat, in turn from the `first` one."""
    return tuple(islice(cycle(names), first, first + seats))


def outside_panels(picture: Image.Image, boxes: Sequence[Box]) -> Image.Image:
    """The picture with its panels painted over, including their edges but not their arrows."""
    rest = picture.convert("RGB")
    for box in boxes:
        rest.paste(INK, box)
    return rest


@every_table
def test_names_change_nothing_outside_the_panels(slug: str, seats: int) -> None:
    for n, view in enumerate(some_views(slug, seats)):
        labels = discover()[slug].seat_names(view.setup)
        bare = outside_panels(image_of(renders.draw(view, labels)), renders.panels(view))
        names = cycle_names([*STRANGE], seats, n * seats) if n % 2 else (WIDE,) * seats
        picture = image_of(renders.draw(view, labels, names))
        assert ImageChops.difference(bare, outside_panels(picture, renders.panels(view))).getbbox() is None


@every_table
def test_names_change_nothing_outside_the_plain_panels(slug: str, seats: int) -> None:
    view = some_views(slug, seats)[-1]
    labels, boxes = discover()[slug].seat_names(view.setup), [plain.panel_box(seats, seat) for seat in range(seats)]
    bare, picture = (image_of(draw_plainly(view, labels, persons)) for persons in ((), (WIDE,) * seats))
    assert ImageChops.difference(outside_panels(bare, boxes), outside_panels(picture, boxes)).getbbox() is None
    assert ImageChops.difference(bare.convert("RGB"), picture.convert("RGB")).getbbox() is not None


@every_table
def test_names_stay_inside_their_panels_and_overlap_no_other_text(
    slug: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n, view in enumerate(some_views(slug, seats)):
        names = drawable_names(cycle_names(PLAIN, seats, n), seats)
        boxes = words_on(view, names, monkeypatch)
        for x0, y0, x1, y1 in renders.panels(view):
            inside = [box for box in boxes if box[0] < x1 and box[2] > x0 and box[1] < y1 and box[3] > y0]
            assert len(inside) >= 3, "a badge, the seat and a name at least"
            assert [] == [box for box in inside if box[0] < x0 + 4 or box[2] > x1 - 4 or box[3] > y1 - 4]
            assert [] == [(one, other) for one, other in combinations(inside, 2) if boxes_touch(one, other)]


def words_on(view: View[State], names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> list[Box]:
    """The boxes of all text on a picture, recognized as sprites in one color."""
    boxes: list[Box] = []
    put = Canvas.put

    def noting(canvas: Canvas, sprite: Sprite, x: float = 0, y: float = 0) -> None:
        if is_text_like(sprite) and (ink_box := sprite.coverage.getbbox()):
            x0, y0 = round(x) + sprite.dx, round(y) + sprite.dy
            boxes.append((x0 + ink_box[0], y0 + ink_box[1], x0 + ink_box[2], y0 + ink_box[3]))
        put(canvas, sprite, x, y)

    labels = discover()[view.game].seat_names(view.setup)
    renders.draw(view, labels)  # fills the caches, including the ground
    with monkeypatch.context() as patched:
        patched.setattr(Canvas, "put", noting)
        renders.draw(view, (*labels[:-1], f"{labels[-1]}!"), names)
    return boxes


def is_text_like(sprite: Sprite) -> bool:
    """Whether a sprite is translucent and has a single color, like text."""
    return sprite.coverage.getextrema()[0] == 0 and sprite.picture.convert("RGB").getcolors(1) is not None


def boxes_touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


# --- cost and caching ---


def test_a_picture_depends_on_its_drawable_names() -> None:
    view = replay_recorded("middle").view(None)
    bare, ann, emoji = (renders.draw(view, LABELS, persons) for persons in ((), ("Ann",), ("🎉", "\n")))
    assert renders.png(bare) == renders.png(emoji)
    assert renders.png(bare) != renders.png(ann)
    assert bare.alt == ann.alt
    assert renders.png(ann) == renders.png(renders.draw(view, LABELS, ["Ann", ""]))


async def test_the_bot_passes_the_names_to_the_picture() -> None:
    view, pictures = replay_recorded("middle").view(None), Pictures()
    picture = await pictures.draw(view, LABELS, ["Ann", "Bob"])
    pictures.close()
    assert renders.png(renders.draw(view, LABELS, ("Ann", "Bob"))) == picture.data


LAZY = """
import sys, renders
from renders import ending, persons
persons.length_of("Ann @everyone Ξενοφών Юлия …")
opened = {"arabic_reshaper", "bidi", "manimgx_fonts", "noto_cjk_sans_jp_bold"} & set(sys.modules)
persons.length_of("محمد")
assert not opened and "noto_cjk_sans_jp_bold" not in sys.modules, opened
"""


def test_fonts_of_other_scripts_are_loaded_only_when_needed() -> None:
    subprocess.run([sys.executable, "-c", LAZY], check=True)


def test_the_first_font_for_names_is_that_of_small_text() -> None:
    assert FACES[0] == SMALL


# --- portraits ---


def test_every_computer_player_offered_to_users_has_a_unique_portrait() -> None:
    assert set(offered_players()) == set(portraits().values())
    picture = {portrait(player).tobytes() for player in offered_players()}
    assert len(offered_players()) == len(picture)


def portrait(player: str) -> Image.Image:
    """Coverage of the portrait of a computer called A, at a third of its size."""
    sprite = name_sprite(*drawable_names((with_portrait(player, "A"),), 1))
    return sprite.coverage.resize((sprite.width // 3, sprite.height // 3))


def test_a_portrait_widens_the_name_and_users_cannot_fake_it() -> None:
    portrait_name, bare = (drawable_names((name,), 1)[0] for name in (with_portrait("easy", "Ann"), "Ann"))
    assert length_of(portrait_name) > length_of(bare)
    assert "Ann" == presentable(with_portrait("easy", "Ann"))
    assert "Ann" == with_portrait("nobody", "Ann")


@pytest.mark.parametrize("over", [False, True], ids=["played", "over"])
@pytest.mark.parametrize("spec", [spec for spec in discover().values() if spec.computers], ids=lambda spec: spec.slug)
def test_the_names_of_computer_players_are_never_cut_even_at_a_full_table(
    spec: GameSpec, over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, str]] = []

    def noted(name: str, room: int, length: Callable[[str], float]) -> str:
        seen.append((name, shorten(name, room, length)))
        return seen[-1][1]

    monkeypatch.setattr(persons, "shorten", noted)
    persons._shorten_name.cache_clear()
    seats = spec.seats[-1]
    match = play_to_end(spec, seats) if over else Match.begin(spec, spec.setup(seats), "s")
    names = [with_portrait(player, name) for player, kind in spec.computers.items() for name in kind]
    for first in range(0, len(names), seats):
        list(renders.paint_all([match.view(None)], match.names, names[first : first + seats]))
    assert set(names) <= {part for name, _ in seen for part in name.split(" & ")}
    assert [] == [name for name, short in seen if short != name], "too long for the panel"


@pytest.mark.parametrize("spec", discover().values(), ids=lambda spec: spec.slug)
def test_the_card_of_the_end_names_every_player(spec: GameSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    labels: list[str] = []
    monkeypatch.setattr(ending, "draw_person", lambda canvas, x, y, name, room, color: labels.append(name))
    match, people = play_to_end(spec, spec.seats[-1]), ("Ana", "Ben", "Caro", "Dan", "Eve", "Finn")[: spec.seats[-1]]
    list(renders.paint_all([match.view(None)], match.names, people))
    assert sorted(people) == sorted(name for label in labels for name in label.split(" & "))


def play_to_end(spec: GameSpec, seats: int) -> Match:
    match, rng = Match.begin(spec, spec.setup(seats), "s"), Random("s")
    while decisions := match.state.decisions():
        match.play(decisions[0].seat, rng.choice(decisions[0].options))
    return match
