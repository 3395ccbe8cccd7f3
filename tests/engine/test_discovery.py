"""Games in installed packages: found like ours, and left out with a sentence where they cannot be used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import locales
import renders
from bot.features import groups
from bot.features.groups import CommandGroup
from engine.core import INTERFACE
from engine.discovery import RESERVED_SLUGS, installed_sources
from engine.games import discover, discover_all
from engine.match import Match
from engine.texts import Text
from renders.plain import theme_of
from tests.authors.tree import examples

RACE = examples("engine/games/README.md")[0].replace('slug="race",', 'slug="{slug}", interface={interface}, {more}')
assert "{slug}" in RACE

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a package with one game, as pip would leave it behind."""

    def install(
        package: str = "desert-race",
        slug: str = "race",
        *,
        point: str = "",
        interface: int = INTERFACE,
        more: str = "",
        source: str = RACE,
    ) -> None:
        module = package.replace("-", "_")
        folder, info = tmp_path / module, tmp_path / f"{module}-2.1.dist-info"
        folder.mkdir()
        info.mkdir()
        code = source.replace("{slug}", slug).replace("{interface}", str(interface)).replace("{more}", more)
        folder.joinpath("__init__.py").write_text("", encoding="utf-8")
        folder.joinpath("game.py").write_text(code, encoding="utf-8")
        info.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 2.1\n", "utf-8")
        entry = f"[caravanserai.games]\n{point or slug} = {module}.game\n"
        info.joinpath("entry_points.txt").write_text(entry, encoding="utf-8")

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("engine.games.installed_sources", installed_sources)
    before = set(sys.modules)
    forget()
    yield install
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(sys.modules[name].__file__):
            del sys.modules[name]
    monkeypatch.undo()
    forget()


def forget() -> None:
    """Look for games anew."""
    for cached in (discover_all, renders._artist, theme_of, locales._load, locales.language_of):
        cached.cache_clear()


def test_a_packaged_game_is_found_beside_the_built_in_ones(install: Install) -> None:
    ours = [*discover()]
    forget()
    install()
    assert sorted([*ours, "race"]) == [*discover()]
    assert "desert-race 2.1" == discover_all().sources["race"].package
    assert not discover_all().problems


def test_a_package_names_the_module_of_its_picture(install: Install, tmp_path: Path) -> None:
    install(more='picture="desert_race.picture", ')
    tmp_path.joinpath("desert_race/picture.py").write_text(
        "from renders.plain import paint, panels, alt\nfrom renders.theme import HOUSE\nTHEME = HOUSE\n"
        "def tell(view, labels): return 'drawn by the package'\n",
        encoding="utf-8",
    )
    game = discover()["race"]
    assert "desert_race.picture" not in sys.modules, "rules import no pictures"
    view = Match.begin(game, game.setup(2), "").view(None)
    assert "drawn by the package" == renders.tell(view, ["A", "B"])


def test_a_packages_catalogs_translate_only_its_own_game(install: Install, tmp_path: Path) -> None:
    install()
    catalog = tmp_path / "desert_race/locales/de/race.po"
    catalog.parent.mkdir(parents=True)
    entries = {"Points to win": "Punkte zum Sieg", "This game is over.": "Gekapert."}
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    lines = (f'msgid "{english}"\nmsgstr "{german}"\n' for english, german in entries.items())
    catalog.write_text(head + "\n".join(lines), encoding="utf-8")
    german = locales.language_of("de")
    assert "Punkte zum Sieg" == german.translate("Points to win")
    assert "Gekapert." != german.translate(Text("This game is over.").template)


@pytest.mark.parametrize(
    ("problem", "how"),
    [
        ("this bot has a game of that name already", {"slug": "jinns"}),
        ("this bot uses that name for something else", {"slug": "table"}),
        ("lower-case letters and digits", {"point": "Race"}),
        ("its entry point and its slug, race, differ", {"point": "rally"}),
        (f"written for version {INTERFACE + 1} of the interface", {"interface": INTERFACE + 1}),
        ("written for version 0 of the interface", {"interface": 0}),
        ("cannot be imported (ModuleNotFoundError: No module named 'numbskull')", {"source": "import numbskull"}),
        ("cannot be imported (SystemExit: 1)", {"source": "raise SystemExit(1)"}),
        ("has no GAME that is a GameSpec", {"source": "GAME = 'Race'"}),
        (
            "no match of it can begin (ZeroDivisionError",
            {"source": RACE.replace("start=start", "start=lambda _: 1 / 0")},
        ),
        (
            "no match of it can begin (SystemExit: 1)",
            {"source": RACE.replace("start=start", "start=lambda _: exit(1)")},
        ),
    ],
)
def test_an_unusable_package_is_left_out_with_an_explanation(
    install: Install, problem: str, how: dict[str, str | int]
) -> None:
    ours = [*discover()]
    forget()
    install(**how)
    assert ours == [*discover()]
    (sentence,) = discover_all().problems
    assert problem in sentence
    assert " of desert-race 2.1 is left out: " in sentence


def test_the_first_of_two_packages_with_the_same_slug_wins(install: Install) -> None:
    install("b-race")
    install("a-race")
    assert "a-race 2.1" == discover_all().sources["race"].package
    (sentence,) = discover_all().problems
    assert sentence == "The game race of b-race 2.1 is left out: a-race 2.1 has a game of that name already."


def test_names_of_built_in_commands_and_catalogs_are_reserved() -> None:
    commands = {group.group.name for group in vars(groups).values() if isinstance(group, CommandGroup)}
    assert commands | {*locales.catalogs("de")} - {*discover()} == RESERVED_SLUGS
