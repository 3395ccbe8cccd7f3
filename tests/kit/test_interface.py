"""The interface of games is a promise: it is documented, and none of it breaks without a new version.

`pytest --bless tests/kit/test_interface.py` records it and writes its page.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import pytest

from engine.core import INTERFACE
from kit.interface import NAMES, Signature, changes, documented, foreign_imports, signatures
from kit.interface_page import page
from tests.authors.tree import examples

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/interface.md"
RECORD = Path(__file__).with_name("interface.json")

BROKEN = (
    "{changes}. Published games rely on version {version} of the interface. Keep the recorded form beside the new one; "
    "or, if that is impossible, raise INTERFACE in engine/core.py and run this test again with --bless."
)


def read_record() -> tuple[int, dict[str, Signature]]:
    """The recorded version and signatures."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    names = record["names"].items()
    return record["version"], {n: Signature(s["kind"], tuple(s["parameters"]), s["result"]) for n, s in names}


def write_record(names: Mapping[str, Signature]) -> None:
    record = {"version": INTERFACE, "names": {name: asdict(signature) for name, signature in sorted(names.items())}}
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def test_an_incompatible_change_of_the_interface_needs_a_new_version(bless: bool) -> None:
    version, recorded = read_record()
    broken = changes(recorded, signatures())
    assert not broken or version != INTERFACE, BROKEN.format(changes="; ".join(broken), version=version)
    if bless:
        write_record(signatures())
    else:
        assert (version, recorded) == (INTERFACE, signatures()), (
            "The interface has compatible changes or a new version: `pytest --bless tests/kit/test_interface.py` "
            "records them."
        )


def test_the_interface_page_is_up_to_date(bless: bool) -> None:
    if bless:
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page(), (
        "docs/interface.md differs from the docstrings: `pytest --bless tests/kit/test_interface.py` writes it"
    )


OLD = Signature("function", ("seat: Seat", "points: int = 0"), "Text")
OLD_NAMES = {"engine.core.ask": OLD, "engine.core.tell": OLD}


@pytest.mark.parametrize(
    ("current", "phrase"),
    [
        ({"engine.core.ask": OLD}, "engine.core.tell is gone"),
        *(
            (OLD_NAMES | {"engine.core.ask": signature}, "engine.core.ask is not compatible with its recorded form")
            for signature in (
                Signature("property", OLD.parameters, "Text"),
                Signature("function", OLD.parameters, "str"),
                Signature("function", OLD.parameters[:1], "Text"),
                Signature("function", ("seat: int", "points: int = 0"), "Text"),
                Signature("function", (*OLD.parameters, "more: str"), "Text"),
                Signature("function", ("more: str = ''", *OLD.parameters), "Text"),
            )
        ),
        (
            OLD_NAMES | {"engine.core.Frame.why": Signature("abstract method")},
            "engine.core.Frame.why is new and abstract, so existing subclasses lack it",
        ),
    ],
)
def test_incompatible_changes_are_named(current: Mapping[str, Signature], phrase: str) -> None:
    assert [phrase] == changes(OLD_NAMES, current)


@pytest.mark.parametrize(
    "current",
    [
        OLD_NAMES | {"engine.core.hear": OLD, "engine.core.Frame.hint": Signature("method", ("state: S",), "Text")},
        OLD_NAMES | {"engine.core.ask": Signature("function", (*OLD.parameters, "*", "more: str = ''"), "Text")},
    ],
)
def test_additions_are_compatible_changes(current: Mapping[str, Signature]) -> None:
    assert [] == changes(OLD_NAMES, current)


def test_recorded_signatures_agree_with_python() -> None:
    for module in NAMES:
        for name, signature in ((entry.name, entry.signature) for entry in documented(module)):
            if signature.kind in ("class", "function") and signature.parameters:
                parameters = inspect.signature(getattr(import_module(module), name)).parameters.values()
                actual = [(parameter.name, parameter.default is not parameter.empty) for parameter in parameters]
                words = [word for word in signature.parameters if word not in ("*", "/")]
                recorded = [(re.split(r"\W", word.lstrip("*"))[0], " = " in word) for word in words]
                assert actual == recorded, name


def test_every_name_of_the_interface_has_a_docstring() -> None:
    entries = {f"{module}.{entry.name}": entry for module in NAMES for entry in documented(module)}
    members = {f"{name}.{member.name}": member for name, entry in entries.items() for member in entry.members}
    assert [] == [name for name, entry in (entries | members).items() if not entry.docstring]


def sources_of_games() -> Iterator[tuple[str, str]]:
    """Games in packages and the examples of games, without those of this repository, which may import everything."""
    for folder in ("examples", "kit/template"):
        for file in [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.py.txt")]:
            yield str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")
    for number, example in enumerate(examples("engine/games/README.md")):
        yield f"engine/games/README.md, example {number}", example


def test_our_own_packages_and_examples_import_only_the_interface() -> None:
    assert [] == [(file, names) for file, source in sources_of_games() if (names := foreign_imports(source))]


def test_imports_beyond_the_interface_are_named() -> None:
    source = (
        "import engine.games, engine.match\nimport json\n"
        "from engine.core import Action, field_types\nfrom renders import house\n"
        "def late():\n    from engine.games import discover\n    from .picture import paint\n"
    )
    foreign = ["engine.games", "engine.core.field_types", "renders.house", "engine.games.discover"]
    assert foreign == foreign_imports(source)
