"""Every text for people is a template in one piece and its fields. That none is a mere string is up to the types."""

from __future__ import annotations

import ast
import re
import string
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORD = re.compile(r"[^\W\d_]{2,}")
SOURCES = [path for folder in ("bot", "engine") for path in sorted((ROOT / folder).rglob("*.py"))]


def faults(source: str) -> Iterator[str]:
    """Texts that are put together of parts, and those whose fields do not fit their templates."""
    # parsing takes long, and most files have no text
    for node in ast.walk(ast.parse(source)) if "Text(" in source else ():
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Text" and not (_is_whole(node) and _fits(node)):
            yield f"line {node.lineno}: {ast.unparse(node)}"


def _is_whole(call: ast.Call) -> bool:
    """Whether no words are put together with values: neither in the template nor in a field."""
    parts = [part for field in call.keywords for part in ast.walk(field.value) if isinstance(part, ast.JoinedStr)]
    words = (value.value for part in parts for value in part.values if isinstance(value, ast.Constant))
    return not any(isinstance(arg, ast.JoinedStr | ast.BinOp) for arg in call.args) and not any(
        " " in word and WORD.search(word) for word in words if isinstance(word, str)
    )


def _fits(call: ast.Call) -> bool:
    """Whether the fields are those of the template, where that is at hand."""
    if not call.args or not isinstance(call.args[0], ast.Constant):
        return True
    passed = {keyword.arg for keyword in call.keywords}
    used = [name for _, name, _, _ in string.Formatter().parse(str(call.args[0].value)) if name is not None]
    return None in passed or passed == set(used)


def sources_by_part() -> dict[str, list[Path]]:
    """The files of each game, and those of the rest of each package."""
    by_part: dict[str, list[Path]] = defaultdict(list)
    for path in SOURCES:
        package, *inner = path.relative_to(ROOT).with_suffix("").parts
        by_part[inner[1] if inner[0] == "games" else package].append(path)
    return by_part


@pytest.mark.parametrize("paths", sources_by_part().values(), ids=sources_by_part())
def test_every_text_is_a_template_with_matching_fields(paths: list[Path]) -> None:
    results = {str(path.relative_to(ROOT)): list(faults(path.read_text(encoding="utf-8"))) for path in paths}
    assert {} == {name: lines for name, lines in results.items() if lines}


@pytest.mark.parametrize(
    "source",
    [
        'Text("{what}", what=f"{who} is due")',
        'Text(f"{who} is due.")',
        'Text("It is " + who)',
        'Text("{who} is due.")',
        'Text("Somebody is due.", who=who)',
    ],
)
def test_concatenated_texts_and_mismatched_fields_are_found(source: str) -> None:
    assert list(faults(source))
