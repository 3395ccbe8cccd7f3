"""What is kept in a folder changes how soon a picture is there, never what it shows, whatever lies there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from bot.posting.pictures import Pictures
from renders.disk_cache import DiskCache, keep_in, kept
from tests.renders.positions import recorded

DRAWING = """
import sys, pathlib
import resvg_py, renders
from renders.disk_cache import keep_in
from tests.renders.positions import LABELS, recorded
rasterised = []
draw = resvg_py.svg_to_bytes
resvg_py.svg_to_bytes = lambda **asked: rasterised.append(1) or draw(**asked)
keep_in(pathlib.Path(sys.argv[1]) if sys.argv[1:] else None)
sys.stdout.buffer.write(renders.png(renders.draw(recorded("middle").view(None), LABELS)))
print(len(rasterised), file=sys.stderr)
"""


def drawn(*folder: str) -> tuple[bytes, int]:
    """A picture drawn in a fresh process, and how many drawings were rasterized for it."""
    done = subprocess.run([sys.executable, "-c", DRAWING, *folder], capture_output=True, check=True)
    return done.stdout, int(done.stderr)


def test_the_next_process_rasterizes_nothing_and_draws_the_same(tmp_path: Path) -> None:
    (bare, _), (first, made), (second, made_again) = drawn(), drawn(str(tmp_path)), drawn(str(tmp_path))
    assert bare == first == second
    assert made > 50
    assert made_again == 0


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


async def test_the_bot_keeps_what_it_draws_in_its_folder(tmp_path: Path) -> None:
    match, pictures = recorded("middle"), Pictures(tmp_path)
    await pictures.draw(match.view(None), match.names)
    pictures.close()
    kept(b"a star", 5, lambda: b"*****")
    keep_in(None)
    assert DiskCache(tmp_path).get_or(b"a star", 5, never) == b"*****"
