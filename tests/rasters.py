"""The rasters of drawings are kept from one run of the tests to the next: to make them is a fourth of all drawing."""

from __future__ import annotations

import io
import os
import shutil
import threading
from hashlib import sha256
from pathlib import Path

import PIL
import resvg_py
from PIL import Image

FOLDER = Path(__file__).parents[1] / ".pytest_cache" / "rasters"

MAX_FILES = 20_000
"""Rasters in the folder. It is emptied when there are more, as after many changes of the drawings."""


def keep_rasters(folder: Path) -> None:
    """Look in a folder for what a drawing became before. Other drawings, and other versions, have other names."""
    if folder.is_dir() and len(os.listdir(folder)) > MAX_FILES:
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rasterize, versions = resvg_py.svg_to_bytes, f"{resvg_py.__version__} {PIL.__version__}"

    def read_or_made(*, svg_string: str, skip_system_fonts: bool) -> bytes:
        place = folder / sha256(f"{versions} {skip_system_fonts} {svg_string}".encode()).hexdigest()
        try:
            return place.read_bytes()
        except FileNotFoundError:
            data = repack(bytes(rasterize(svg_string=svg_string, skip_system_fonts=skip_system_fonts)))
        # another worker or thread must not read half of it
        part = place.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        part.write_bytes(data)
        part.replace(place)
        return data

    resvg_py.svg_to_bytes = read_or_made


def repack(png: bytes) -> bytes:
    """Encode a PNG again, so that it is decoded in half the time."""
    file = io.BytesIO()
    with Image.open(io.BytesIO(png)) as image:
        image.save(file, "PNG", compress_level=1)
    return file.getvalue()
