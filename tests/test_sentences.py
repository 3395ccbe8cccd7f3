"""Every sentence for people is a `Text`: a template in one piece and its fields, put into words at the very end."""

from __future__ import annotations

import ast
import builtins
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ELSEWHERE = re.compile(
    r"bot/(__main__|config|connection)\.py|bot/admin/web\.py|bot/store/"  # for whoever runs the bot
    r"|engine/(arena|training)/|engine/texts\.py"  # for whoever trains computer players; what makes the words
)
WORD = re.compile(r"[^\W\d_]{2,}")
SENTENCE = re.compile(r"\S+ .*[.!?…]\W*$", re.DOTALL)
NOT_FOR_PLAYERS = re.compile(r"_log\.\w+|logging\.\w+|Rulebook\.parse|describe|option")
BUILT_IN = {name for name, kind in vars(builtins).items() if isinstance(kind, type)}
SOURCES = [path for folder in ("bot", "engine") for path in sorted((ROOT / folder).rglob("*.py"))]


def faults(source: str) -> Iterator[str]:
    """What a source says to people without a `Text`, and texts whose fields do not fit their templates."""
    tree = ast.parse(source)
    makers = {"Text"} | {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and _hands_on(node)}
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if _is_said(node, parents.get(node)) and not any(
            _excuses(around, node, makers) for around in _up(node, parents)
        ):
            yield f"line {node.lineno}: {ast.unparse(node)}"  # type: ignore[attr-defined]
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Text" and not _fits(node):
            yield f"line {node.lineno}: the fields do not fit: {ast.unparse(node)}"


def _hands_on(function: ast.FunctionDef) -> bool:
    """Whether it makes a text of a template that it is given."""
    calls = (node for node in ast.walk(function) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Text")
    return any(ast.unparse(call.args[0]) in [arg.arg for arg in function.args.args] for call in calls if call.args)


def _is_said(node: ast.AST, parent: ast.AST | None) -> bool:
    """Whether it reads as a sentence, or as words put together with values."""
    if isinstance(node, ast.JoinedStr):
        words = "\0".join(part.value for part in node.values if isinstance(part, ast.Constant))  # type: ignore[misc]
        return " " in words and bool(WORD.search(words))
    whole = isinstance(node, ast.Constant) and isinstance(node.value, str) and not isinstance(parent, ast.JoinedStr)
    return whole and bool(SENTENCE.match(node.value)) and len(WORD.findall(node.value)) > 1  # type: ignore[attr-defined]


def _up(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """All that is around a part of a source, the inmost first."""
    while node in parents:
        node = parents[node]
        yield node


def _excuses(around: ast.AST, node: ast.AST, makers: set[str]) -> bool:
    """Whether it is a template, a docstring, or something that players do not read."""
    whole = not isinstance(node, ast.JoinedStr)
    match around:
        case ast.Expr(value=ast.Constant()) | ast.Assert() | ast.FunctionDef(name="__repr__" | "__str__"):
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(name))):
            return name in BUILT_IN
        case ast.keyword(arg="description" | "summary" | "title") | ast.Assign() | ast.AnnAssign():
            return whole
        case ast.Call():
            called = ast.unparse(around.func)
            return bool(NOT_FOR_PLAYERS.fullmatch(called)) or (whole and called.rpartition(".")[2] in makers)
    return False


def _fits(call: ast.Call) -> bool:
    """Whether the fields are those of the template, where that is at hand."""
    if not call.args or not isinstance(call.args[0], ast.Constant):
        return not call.args or not isinstance(call.args[0], ast.JoinedStr | ast.BinOp)
    given = {keyword.arg for keyword in call.keywords}
    used = [name for _, name, _, _ in string.Formatter().parse(str(call.args[0].value)) if name is not None]
    return None in given or given == set(used)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_sentence_is_a_text_with_just_its_fields(path: Path) -> None:
    if not ELSEWHERE.match(path.relative_to(ROOT).as_posix()):
        assert [] == list(faults(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "source",
    [
        'f"{who} is due."',
        'raise UserError("There is no game.")',
        'answer("There is no game.")',
        'Text("{what}", what=f"{who} is due")',
        'Text(f"{who} is due.")',
        'Text("It is " + who)',
        'Text("{who} is due.")',
        'Text("Somebody is due.", who=who)',
    ],
)
def test_a_sentence_without_a_text_and_a_text_that_does_not_fit_are_found(source: str) -> None:
    assert list(faults(source))


@pytest.mark.parametrize(
    "source",
    [
        'raise UserError(Text("There is no game."))',
        'Text("{who} is due.", who=f"<@{user}>")',
        'Text("{who} is due." if one else "All are.", who=who)',
        '_log.info(f"There is no game in {channel}.")',
        'raise ValueError(f"no such word: {word}")',
        'class Go(Event):\n    """It goes on."""\n    template = "{seat} goes on."',
        'def no(rule, template, **fields):\n    return Text(template, **fields)\nno(1, "{who} is due.", who=who)',
    ],
)
def test_what_is_a_text_or_for_nobody_is_left_alone(source: str) -> None:
    assert [] == list(faults(source))
