"""The arrows between the packages, and what the outside relies on in every game."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from engine.core import GameSpec
from engine.games import discover
from engine.match import Undo
from engine.texts import SEAT_COLORS
from kit.playouts import setups_near_the_default

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "engine" / "games"
PACKAGES = {"engine", "kit", "locales", "renders", "bot", "playground", "caravanserai", "tools", "tests"}
STORE_ONLY = {"aiosqlite", "asyncpg", "sqlite3"}

every_game = pytest.mark.parametrize("spec", discover().values(), ids=lambda spec: spec.slug)


def sources(package: str) -> list[Path]:
    ordered = sorted((ROOT / package).rglob("*.py"))
    assert ordered, f"no sources in {package}"
    return ordered


@cache
def imports(path: Path) -> frozenset[str]:
    """The full names of all modules a file imports, wherever in the file it does."""
    names: set[str] = set()
    for node in statements(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides its layer"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def statements(block: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """All statements of a block, and those within them."""
    for node in block:
        yield node
        for part in ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from statements(getattr(node, part, ()))


def foreign(package: str, allowed: set[str]) -> dict[str, set[str]]:
    """File -> the packages it imports that are neither its own, nor allowed, nor of the standard library."""
    allowed_names = sys.stdlib_module_names | allowed | {package}
    others = {path: {name.partition(".")[0] for name in imports(path)} - allowed_names for path in sources(package)}
    return {str(path.relative_to(ROOT)): names for path, names in others.items() if names}


def test_the_engine_imports_only_the_standard_library() -> None:
    assert {} == foreign("engine", set())


def test_the_renderer_imports_only_the_engine_and_drawing_libraries() -> None:
    drawing = {"PIL", "resvg_py", "font_source_sans_pro", "font_source_serif_pro"}
    writing, compressing = {"arabic_reshaper", "bidi"}, {"isal"}
    assert {} == foreign("renders", {"engine", *drawing, *writing, *compressing})


def test_every_cache_of_the_renderer_is_bounded() -> None:
    allowed = re.compile(r" *@(lru_cache\(maxsize=\w+\)|cached|cached_property)")
    texts = [path.read_text(encoding="utf-8") for path in sources("renders")]
    decorators = [line for text in texts for line in re.findall(r"^ *@.*cache.*$", text, re.MULTILINE)]
    assert any("lru_cache" in line for line in decorators)
    assert [] == [line for line in decorators if not allowed.fullmatch(line)]


def test_the_playground_imports_none_of_our_other_packages() -> None:
    internal = {path: names & (PACKAGES - {"playground"}) for path, names in foreign("playground", set()).items()}
    assert {} == {path: names for path, names in internal.items() if names}


def test_only_the_console_command_and_the_tests_import_the_playground() -> None:
    knowing = [
        path
        for package in ("engine", "renders", "bot")
        for path in sources(package)
        if any(name.partition(".")[0] == "playground" for name in imports(path))
    ]
    assert [] == knowing


def test_no_package_imports_the_console_command_and_it_imports_no_tests() -> None:
    packages = sorted(PACKAGES - {"tests", "caravanserai"})
    names = {name.partition(".")[0] for package in packages for path in sources(package) for name in imports(path)}
    assert "caravanserai" not in names
    assert not any("tests" in name for path in sources("caravanserai") for name in imports(path))


def test_the_tools_import_only_the_engine_and_the_store() -> None:
    assert {} == foreign("tools", {"engine", "bot"})
    names = {name for path in sources("tools") for name in imports(path) if name.startswith("bot")}
    assert [] == [name for name in names if not name.startswith("bot.store.")]


def test_the_tools_are_not_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["packages"]["find"]["include"]
    assert PACKAGES - {"tests", "tools"} == {
        name for name in PACKAGES if any(fnmatch(name, pattern) for pattern in patterns)
    }


def test_only_tests_import_the_tools() -> None:
    packages = sorted(PACKAGES - {"tests", "tools"})
    files = [path for package in packages for path in sources(package)]
    assert [] == [path for path in files if any(name.partition(".")[0] == "tools" for name in imports(path))]


def test_no_package_imports_the_tests() -> None:
    packages = sorted(PACKAGES - {"tests"})
    assert [] == [p for package in packages for p in sources(package) if any("tests" in n for n in imports(p))]


LAYERS = (
    ("start_error", "errors", "clock", "metrics", "version"),
    ("store", "config", "connection", "gateway"),
    ("tables",),
    ("interactions", "logs", "computers", "watchdog"),
    ("posting",),
    ("pauses",),
    ("worker", "services", "handlers", "fields", "dispatcher", "groups"),
    ("contrast", "named", "time_zone"),
    ("view", "admin"),
    ("stats",),
    ("play", "lobby"),
    ("deadlines", "settings", "leagues"),
    ("moderation", "jobs"),
    ("commands", "command_tree", "registration", "client", "web", "__main__"),
)
"""Packages and modules of the bot, from the bottom up: each knows those before it, and no other.

Those of `bot/features` are named without it.
"""


def room(names: Sequence[str]) -> str:
    """The package or module of the bot in a path or a dotted name, without `bot`."""
    return (names[1] if names[0] == "features" and len(names) > 1 else names[0]).removesuffix(".py")


def test_every_bot_package_has_a_test_folder_of_the_same_name() -> None:
    parents = (ROOT / "bot", ROOT / "bot" / "features")
    packages = {path.parent.name for path in sources("bot") if path.parent.parent in parents} - {"features"}
    tested = {path.parent.name for path in (ROOT / "tests" / "bot").glob("*/test_*.py")}
    assert packages == tested


def test_imports_within_the_bot_point_to_lower_layers() -> None:
    """Imports that only a type checker sees count as well."""
    floor_by_name = {name: place for place, name in enumerate(name for layer in LAYERS for name in layer)}
    backwards = []
    for path in sources("bot"):
        importer = room(path.relative_to(ROOT / "bot").parts)
        for name in imports(path):
            package, *rest = name.split(".")
            imported = room(rest or [""])
            if importer != "__init__" and package == "bot" and imported not in ("", importer):
                backwards += [f"{path.relative_to(ROOT)} imports {name}"] * (
                    floor_by_name[imported] >= floor_by_name[importer]
                )
    assert [] == backwards


@pytest.mark.parametrize("package", ["engine", "bot"])
def test_no_package_has_circular_imports(package: str) -> None:
    """Imports that only a type checker sees count as well."""
    arrows = {_module(path): imports(path) for path in sources(package)}
    imports_by_module = {
        module: {name if name in arrows else name.rpartition(".")[0] for name in names} & arrows.keys()
        for module, names in arrows.items()
    }
    assert list(TopologicalSorter(imports_by_module).static_order())


def _module(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")


def test_tables_and_the_store_do_not_import_discord() -> None:
    below = ("bot/tables/", "bot/store/")
    assert [] == [path for path in files_importing({"discord"}) if path.startswith(below)]


def files_importing(modules: set[str]) -> set[str]:
    """The files outside the tests that import one of these packages."""
    return {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES - {"tests"}
        for path in sources(package)
        if modules & {name.partition(".")[0] for name in imports(path)}
    }


def test_only_the_bot_the_playground_launcher_and_the_doctor_import_discord() -> None:
    """The launcher sends the bot's process to the local Discord, by discord.py's own address, which the doctor asks."""
    outside = {path for path in files_importing({"discord"}) if not path.startswith("bot/")}
    assert outside <= {"playground/launch.py", "caravanserai/doctor.py"}


def test_only_the_store_imports_database_drivers() -> None:
    assert [] == [path for path in files_importing(STORE_ONLY) if not path.startswith("bot/store/")]


TIME = re.compile(r"\b(datetime\.now|utcnow|time\.\w+|monotonic|perf_counter|asyncio\.sleep|call_later|call_at)\(")


def test_only_the_clock_module_and_request_timeouts_use_the_system_time() -> None:
    """Except for requests under way: how long Discord takes does not depend on the time that a test has set."""
    reading = [
        path.relative_to(ROOT).as_posix()
        for package in ("engine", "renders", "bot")
        for path in sources(package)
        if TIME.search(path.read_text(encoding="utf-8"))
    ]
    timed = [f"bot/interactions/{name}.py" for name in ("exchanges", "requests", "responses")]
    assert ["bot/clock.py", *timed] == reading


@cache
def strings(path: Path) -> tuple[str, ...]:
    """The string constants of a file but its docstrings, which may give examples."""
    return tuple(_strings(path))


def _strings(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    defining = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    blocks = [node.body for node in ast.walk(tree) if isinstance(node, defining)]
    texts = {id(part.value) for body in blocks for part in body if isinstance(part, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            yield node.value


@every_game
def test_the_bot_mentions_no_game_by_name(spec: GameSpec) -> None:
    word = re.compile(rf"\b({spec.slug}|{re.escape(spec.title)})\b")
    # parsing takes long, and few files mention a game even in a comment
    texts = {path: path.read_text(encoding="utf-8") for path in sources("bot")}
    paths = [path for path, text in texts.items() if spec.slug in text or spec.title in text]
    named = [(path.name, text) for path in paths for text in (*strings(path), *imports(path)) if word.search(text)]
    assert [] == named


def test_every_package_in_the_games_folder_is_a_game() -> None:
    folders = {path.name for path in GAMES.iterdir() if (path / "__init__.py").exists()}
    modules = {path.stem for path in GAMES.glob("*.py")} - {"__init__"}
    assert folders | modules == set(discover())
    assert [] == [
        path
        for path in GAMES.iterdir()
        if path.is_dir() and not path.name.startswith("__") and not (path / "__init__.py").exists()
    ]


@every_game
def test_the_slug_of_a_game_matches_its_package(spec: GameSpec) -> None:
    module = GAMES / spec.slug
    assert module.is_dir() or module.with_suffix(".py").exists()
    assert re.fullmatch(r"[a-z][a-z0-9_]{0,31}", spec.slug)


@every_game
def test_the_title_and_the_summary_of_a_game_fit_an_announcement(spec: GameSpec) -> None:
    assert 1 <= len(spec.title) <= 45
    assert 1 <= len(spec.summary) <= 100
    assert spec.rules_version >= 1


def test_the_summary_for_a_first_game_fits_on_a_screen() -> None:
    with_lines = [spec for spec in discover().values() if spec.in_short is not None]
    assert len(with_lines) >= 5, "a new game may do without; these have them"
    for lines in (spec.short_in(setup) for spec in with_lines for setup in setups_near_the_default(spec)):
        assert lines is not None
        assert 20 <= len(f"{lines.goal} {lines.turn} {lines.end}".split()) <= 100


@every_game
def test_the_numbers_of_seats_are_in_ascending_order(spec: GameSpec) -> None:
    assert spec.seats
    assert tuple(sorted(set(spec.seats))) == spec.seats
    assert 1 <= spec.seats[0] <= spec.seats[-1] <= len(SEAT_COLORS)


@every_game
def test_every_seat_has_a_unique_name(spec: GameSpec) -> None:
    for seats in spec.seats:
        names = spec.seat_names(spec.setup(seats))
        assert seats == len(names) == len(set(names))
        assert all(names)


@every_game
def test_verbs_differ_from_each_other_and_from_undo(spec: GameSpec) -> None:
    for verbs in (spec.actions, spec.chances):
        names = [verb.verb for verb in verbs]
        assert len(set(names)) == len(names)
    assert Undo.verb not in {verb.verb for verb in spec.actions}
