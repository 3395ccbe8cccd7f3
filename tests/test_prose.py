"""Prose in the code stays plain: phrases that a native engineer would not write are counted, and kept rare.

The phrases are symptoms. The cure is another sentence, with the noun of the thing first (`docs/contributing.md`).
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

PACKAGES = (
    "bot",
    "caravanserai",
    "engine",
    "examples",
    "kit",
    "locales",
    "playground",
    "renders",
    "tests",
    "tools",
)

MAX_SLIPS = 1.5
"""Most slips for each 1,000 lines of a package."""

MAX_MODULE_SLIPS = 2
"""Most slips of one module: a field that a stored log names, or a text for players in a docstring, and never a
habit.
"""

PHRASES = re.compile(
    r"\b(?:what|whom?|whose) (?:is|are|was|were|has|have|had|can|may|do|does|did|comes?|came|waits?|follows?"
    r"|stands?|holds?|leads?|happen(?:s|ed)|belongs?)\b"
    r"|\b(?:somebody|nobody)\b|\b(?:[Ww]ho|[Ww]hat|[Ww]hich)ever\b"
    r"|\b(?:is|are|was|were) no (?!longer|more)\w+|\b[Ss]o (?:many|much|long|few)\b(?! as| that)|\b(?:at|of) Discord\b"
)
"""Clauses without a head, people without a name, negations by `no`, and pointers to an amount."""

PARTICIPLES = {"asked", "drawn", "found", "given", "kept", "known", "left", "said", "shown", "taken", "told", "wanted"}
"""Participles that do not name the thing in a variable."""

POSSIBLE_NAMES = re.compile(rf"\b(?:{'|'.join(sorted(PARTICIPLES))})\b\s*(?:\W{{0,3}}=|[:,)\]]|in\b)")
"""A participle where a name can be assigned, in code or in prose."""


def texts_of(source: str, nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The comments of a file, its docstrings, and the descriptions of its constants."""
    # tokenizing takes long, and most files have no such phrase after a number sign
    if any(PHRASES.search(line.partition("#")[2]) for line in source.splitlines()):
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        yield from (token.string for token in tokens if token.type == tokenize.COMMENT)
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def slips_of(source: str) -> list[str]:
    """The phrases and names of a file that stand in the way of a reader."""
    # parsing takes long, and most files have nothing that looks like either
    if not (PHRASES.search(source) or POSSIBLE_NAMES.search(source)):
        return []
    nodes = list(ast.walk(ast.parse(source)))
    phrases = [match[0] for text in texts_of(source, nodes) for match in PHRASES.finditer(text)]
    names = (node for node in nodes if isinstance(node, ast.Name))
    return phrases + [name.id for name in names if isinstance(name.ctx, ast.Store) and name.id in PARTICIPLES]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_prose_of_a_package_is_plain(package: str) -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / package).rglob("*.py"))}
    slips = {path.relative_to(ROOT).as_posix(): slips_of(source) for path, source in sources.items()}
    lines = sum(source.count("\n") for source in sources.values())
    allowed = MAX_SLIPS * lines / 1000
    assert sum(map(len, slips.values())) <= allowed, {path: rows for path, rows in slips.items() if rows}
    assert {} == {path: rows for path, rows in slips.items() if len(rows) > MAX_MODULE_SLIPS}


def test_slips_are_found_in_comments_docstrings_and_names() -> None:
    assert ["whoever", "what is", "told"] == slips_of('"""Do what is due."""\ntold = 1  # for whoever asks\n')
    assert [] == slips_of('"""Run due jobs."""\nmessage = "what is due"  # the text of a reminder\n')
