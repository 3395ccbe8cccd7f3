"""`caravanserai new-game NAME`: a package with a complete small game, to be changed into another one."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from engine.core import INTERFACE
from engine.discovery import RESERVED_SLUGS, SLUG
from engine.games import discover

TEMPLATE = "template"
"""The folder with the files of the package. `race` and `Race` in them become the name of the game."""


def main(arguments: Sequence[str] | None = None, prog: str = "caravanserai new-game") -> int:
    """Write the package into a new folder, and print how to go on."""
    parser = ArgumentParser(prog=prog, description="Write a package with a complete small game, to begin with.")
    parser.add_argument("name", help="the slug of the game: 2 to 20 lower-case letters and digits")
    parser.add_argument("--folder", type=Path, help="where to write it (default: caravanserai-NAME)")
    chosen = parser.parse_args(arguments)
    if not SLUG.fullmatch(chosen.name) or chosen.name in RESERVED_SLUGS or chosen.name in discover():
        parser.error("the name must be 2 to 20 lower-case letters and digits, and not one that the bot uses already")
    folder = chosen.folder or Path(f"caravanserai-{chosen.name}")
    if folder.exists():
        parser.error(f"{folder} exists already")
    write_package(chosen.name, folder)
    print(f"""{folder} is a game that runs. Install it, check it, and play it:

  pip install --editable {folder}
  caravanserai check {chosen.name} --folder pictures
  caravanserai play --game {chosen.name}

Then change it: {folder}/caravanserai_{chosen.name}/game.py has the rules.""")
    return 0


def write_package(name: str, folder: Path) -> None:
    """Write the files of the template with another name."""
    template = resources.files(__package__).joinpath(TEMPLATE)
    for source, target in _files(template, folder):
        text = source.read_text(encoding="utf-8")
        target = Path(str(target).replace("race", name).removesuffix(".txt"))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_rename(text, name), encoding="utf-8")


def _files(template: resources.abc.Traversable, folder: Path) -> list[tuple[resources.abc.Traversable, Path]]:
    files = []
    for entry in template.iterdir():
        if entry.is_dir():
            files += _files(entry, folder / entry.name)
        else:
            files.append((entry, folder / entry.name))
    return files


def _rename(text: str, name: str) -> str:
    text = re.sub(r"\brace\b|(?<=caravanserai[-_])race", name, text)
    return re.sub("Race", name.capitalize(), text).replace("INTERFACE", str(INTERFACE))
