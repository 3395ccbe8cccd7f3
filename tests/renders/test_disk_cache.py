"""What is kept in a folder changes how soon a picture is there, never what it shows, whatever lies there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

import renders
from bot.posting.pictures import Pictures
from engine.games import discover
from renders import chosen, disk_cache, house, sprites
from renders.baking import bake_game
from renders.canvas import Canvas
from renders.disk_cache import DiskCache, keep_in, kept
from renders.games.muses import layout, tiles
from renders.games.muses.board import draw_tiles
from renders.games.muses.ground import ground
from tests.bench.walk import late_boards
from tests.renders.positions import LABELS, recorded

DRAWING = """
import sys, pathlib
import resvg_py, renders
from renders import disk_cache
from renders.disk_cache import keep_in
from tests.renders.positions import LABELS, recorded
rasterised = []
draw = resvg_py.svg_to_bytes
resvg_py.svg_to_bytes = lambda **asked: rasterised.append(1) or draw(**asked)
disk_cache.BAKED = pathlib.Path(sys.argv[1], "nothing here")
keep_in(pathlib.Path(sys.argv[2]) if sys.argv[2:] else None)
sys.stdout.buffer.write(renders.png(renders.draw(recorded("middle").view(None), LABELS)))
print(len(rasterised), file=sys.stderr)
"""

BAKING = """
import sys, pathlib
from renders import disk_cache
disk_cache.BAKED = pathlib.Path(sys.argv[1])
from renders.baking import bake
bake(most=2)
"""

FIRST_BOARDS = """
import sys, pathlib
import resvg_py, renders
from engine.games import discover
from engine.match import Match
from renders import disk_cache, palette, story
from renders.plain import theme_of
disk_cache.BAKED = pathlib.Path(sys.argv[1])
resvg_py.svg_to_bytes = palette._chosen = None
for spec in discover().values():
    match = Match.begin(spec, spec.setup(spec.seats[0]), "baked 0")
    renders.png(renders.draw(match.view(None), match.names))
    story.ground(theme_of(spec.slug))
    print(spec.slug)
"""


def ran(program: str, *folders: Path) -> tuple[bytes, bytes]:
    """What a fresh process writes and tells."""
    done = subprocess.run([sys.executable, "-c", program, *map(str, folders)], capture_output=True, check=True)
    return done.stdout, done.stderr


def test_the_next_process_rasterizes_nothing_and_draws_the_same(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (bare, _), (first, made), (second, made_again) = (ran(DRAWING, tmp_path, *to) for to in ((), (kept,), (kept,)))
    assert bare == first == second
    assert int(made) > 50
    assert int(made_again) == 0


def test_all_that_is_baked_is_not_rasterized_again(tmp_path: Path) -> None:
    ran(BAKING, tmp_path)
    first, _ = ran(FIRST_BOARDS, tmp_path)
    assert set(discover()) == set(first.decode().split())


def never() -> bytes:
    raise AssertionError("it was kept")


def test_what_was_kept_is_not_made_again(tmp_path: Path) -> None:
    DiskCache(tmp_path).get_or(b"a star", 5, lambda: b"*****")
    assert DiskCache(tmp_path).get_or(b"a star", 5, never) == b"*****"


@pytest.mark.parametrize("harm", ["cut", "empty", "foreign", "swapped", "folder", "flipped"])
def test_a_file_that_is_not_whole_is_made_again(tmp_path: Path, harm: str) -> None:
    cache = DiskCache(tmp_path)
    cache.get_or(b"a star", 5, lambda: b"*****")
    (path,) = tmp_path.glob("*.kept")
    whole = path.read_bytes()
    cache.get_or(b"a moon", 5, lambda: b"(((((")
    (other,) = set(tmp_path.glob("*.kept")) - {path}
    flipped = bytearray(whole)
    flipped[len(flipped) // 2] ^= 4
    bad = {"cut": whole[:-3], "empty": b"", "foreign": b"GIF89a", "swapped": other.read_bytes(), "flipped": flipped}
    path.unlink()
    if harm == "folder":
        path.mkdir()
    else:
        path.write_bytes(bad[harm])
    assert cache.get_or(b"a star", 5, lambda: b"*****") == b"*****"
    assert harm == "folder" or path.read_bytes() == whole


def test_a_folder_that_cannot_be_written_to_is_no_fault(tmp_path: Path) -> None:
    """A file stands where the folder should be: not even the superuser of a container can write there."""
    (tmp_path / "taken").write_bytes(b"")
    cache = DiskCache(tmp_path / "taken")
    assert [b"*", b"*"] == [cache.get_or(b"a star", 1, lambda: b"*") for _ in range(2)]


def test_a_folder_never_outgrows_its_room(tmp_path: Path) -> None:
    """Full, it takes nothing more; too full at a start, it begins anew. What others have put there stays."""
    (tmp_path / "letter.txt").write_text("from the host")
    for size in range(900, 1000):
        DiskCache(tmp_path, room=4000).get_or(str(size).encode(), size, lambda size=size: Random(size).randbytes(size))
        assert sum(path.stat().st_size for path in tmp_path.glob("*.kept")) <= 4000
    assert DiskCache(tmp_path, room=1).get_or(b"a star", 5, lambda: b"*****") == b"*****"
    assert [*tmp_path.iterdir()] == [tmp_path / "letter.txt"]


async def test_the_bot_keeps_what_it_draws_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "_baked", lambda: DiskCache(tmp_path / "nothing here"))
    match, pictures = recorded("middle"), Pictures(tmp_path)
    await pictures.draw(match.view(None), match.names)
    pictures.close()
    kept(b"a star", 5, lambda: b"*****")
    keep_in(None)
    assert DiskCache(tmp_path).get_or(b"a star", 5, never) == b"*****"


def test_a_dance_in_any_size_is_made_of_what_was_made_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiles change their size in the middle of a game, and then each of them would have to be rasterized."""
    cloth, ahead, needed = ground(2, shrunk=False), set[bytes](), set[bytes]()
    with drawn_of_nothing(monkeypatch, ahead):
        assert list(renders.ahead("muses"))
    with drawn_of_nothing(monkeypatch, needed):
        for view in late_boards(discover()["muses"], 4, "any size"):
            scene = layout.scene_of(view)
            draw_tiles(Canvas(cloth), view, LABELS, scene, layout.grid_of(scene.floor.cells, 4))
    assert len(needed) > 10
    assert needed <= ahead


@contextmanager
def drawn_of_nothing(monkeypatch: pytest.MonkeyPatch, asked: set[bytes]) -> Iterator[None]:
    """Things are rasterized blank, and what of is noted; none that was kept before or is made so is used."""
    caches = [made for home in (tiles, house, chosen) for made in vars(home).values() if hasattr(made, "cache_clear")]

    def blank(made_of: bytes, size: int, _: object) -> bytes:
        asked.add(made_of)
        return bytes(size)

    with monkeypatch.context() as patch:
        patch.setattr(sprites, "kept", blank)
        for made in caches:
            made.cache_clear()
        yield
    for made in caches:
        made.cache_clear()


def test_what_is_made_ahead_is_baked(monkeypatch: pytest.MonkeyPatch) -> None:
    def ahead(game: str) -> Iterator[None]:
        made.append(game)
        yield

    made: list[str] = []
    monkeypatch.setattr(renders, "ahead", ahead)
    bake_game(discover()["muses"], most=1)
    assert ["muses"] == made
