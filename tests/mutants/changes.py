"""Small changes to a source, each of which a test should notice.

Left alone: what is said to people (texts with spaces, f-strings), what is logged, assertions, annotations.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
}
"""Comparison -> how it looks, and what it becomes."""

OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}
VIEWERS = {"view", "history"}
"""Methods whose first argument says who looks."""

LOOSE = (ast.BoolOp, ast.IfExp, ast.NamedExpr, ast.Lambda)
"""Expressions that need brackets to stand beside `and` or `or`."""

KEY = re.compile(r"[\w./-]+")
"""Texts for the program; those for people have spaces."""


@dataclass(frozen=True, slots=True)
class Change:
    """The bytes from `start` to `end` of a source become `new`; `place` is the function, `Class.method`, or empty."""

    what: str
    place: str
    line: int
    start: int
    end: int
    new: str

    def applied_to(self, source: str) -> str:
        """The changed source."""
        data = source.encode()
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()


def changes(source: str) -> list[Change]:
    """All changes to a source that leave it a program."""
    return [change for change in _look_through(source).found if _is_program(change.applied_to(source))]


def places(source: str) -> set[str]:
    """The names of all functions and classes, as `Change.place` has them."""
    return _look_through(source).places


def _look_through(source: str) -> _Finder:
    finder = _Finder(source.encode())
    finder.visit(ast.parse(source))
    return finder


def _is_program(source: str) -> bool:
    try:
        compile(source, "changed", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


class _Finder(ast.NodeVisitor):
    def __init__(self, data: bytes) -> None:
        self.found: list[Change] = []
        self.places: set[str] = set()
        self._data = data
        self._line_starts = [0, *accumulate(map(len, data.splitlines(keepends=True)))]
        self._names: list[str] = []

    # places

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Its body, and what its parameters are if they are left out."""
        self._enter(node.name, [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body])

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Its body."""
        self._enter(node.name, node.body)

    def _enter(self, name: str, nodes: Iterable[ast.AST]) -> None:
        self._names.append(name)
        self.places.add(".".join(self._names))
        for node in nodes:
            self.visit(node)
        self._names.pop()

    # what is left alone

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Its value; an annotation does nothing."""
        if node.value:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """It is for people, and Python 3.11 does not know where its parts stand."""

    def visit_Assert(self, node: ast.Assert) -> None:
        """It always holds."""

    # statements

    def visit_Expr(self, node: ast.Expr) -> None:
        """A call for its effect is dropped."""
        if isinstance(node.value, ast.Constant) or _is_logging(node.value):
            return
        if isinstance(node.value, ast.Call | ast.Await):
            self._replace(node, "pass", "dropped a statement")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        """What is kept in an object is not kept; without a local name nothing would work at all."""
        if isinstance(node.targets[0], ast.Attribute | ast.Subscript):
            self._replace(node, "pass", "dropped an assignment")
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Nothing is added."""
        self._replace(node, "pass", "dropped an assignment")
        self.visit(node.value)

    def visit_Delete(self, node: ast.Delete) -> None:
        """Nothing is deleted."""
        self._replace(node, "pass", "dropped a statement")

    def visit_Raise(self, node: ast.Raise) -> None:
        """Nothing is refused."""
        self._replace(node, "pass", "raised nothing")

    def visit_Return(self, node: ast.Return) -> None:
        """Nothing is returned."""
        if node.value and ast.unparse(node.value) != "None":
            self._replace(node.value, "None", "returned None")
            self.visit(node.value)

    # expressions

    def visit_If(self, node: ast.If | ast.While | ast.IfExp) -> None:
        """The other way round."""
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self._negate(node.test)
            self.generic_visit(node)

    visit_While = visit_IfExp = visit_If

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """Those that were left out instead of those that were taken."""
        for test in node.ifs:
            self._negate(test)
        self.generic_visit(node)

    def _negate(self, test: ast.expr) -> None:
        if not isinstance(test, ast.UnaryOp | ast.Compare):  # these are turned where they are visited
            self._replace(test, f"not ({self._text(test)})", "negated a condition")

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Without its `not`."""
        if isinstance(node.op, ast.Not):
            self._replace(node, f"({self._text(node.operand)})", "dropped a not")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """`or` for `and`."""
        word = " or " if isinstance(node.op, ast.And) else " and "
        parts = [f"({self._text(v)})" if isinstance(v, LOOSE) else self._text(v) for v in node.values]
        self._replace(node, f"({word.join(parts)})", "swapped and and or")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """The opposite of an equality, the neighbor of an order."""
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            old, new = COMPARISONS[type(operator)]
            start, end = self._between(left, right)
            self._splice(start, end, re.sub(old, new, self._slice(start, end), count=1), "swapped a comparison")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """One less instead of one more."""
        if isinstance(node.op, ast.Add | ast.Sub) and isinstance(node.right, ast.Constant):
            start, end = self._between(node.left, node.right)
            swapped = self._slice(start, end).translate(str.maketrans("+-", "-+"))
            self._splice(start, end, swapped, "swapped plus and minus")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Another truth, one more, another key."""
        if isinstance(node.value, bool):
            self._replace(node, f"{not node.value}", "changed a constant")
        elif isinstance(node.value, int | float):
            self._replace(node, f"{node.value + 1}", "changed a constant")
        elif isinstance(node.value, str) and KEY.fullmatch(node.value):
            self._replace(node, repr(f"{node.value}x"), "changed a constant")

    def visit_Call(self, node: ast.Call) -> None:
        """Without one of its named arguments; the opposite function; another viewer."""
        if _is_logging(node):
            return
        for keyword in filter(lambda keyword: keyword.arg, node.keywords):
            self._splice(*self._with_comma(node, keyword), "", f"left out {keyword.arg}")
        if isinstance(node.func, ast.Name) and node.func.id in OPPOSITES:
            self._replace(node.func, OPPOSITES[node.func.id], "swapped min and max, or any and all")
        if isinstance(node.func, ast.Attribute) and node.func.attr in VIEWERS and node.args:
            nobody = ast.unparse(node.args[0]) == "None"
            self._replace(node.args[0], "0" if nobody else "None", "changed the viewer")
        self.generic_visit(node)

    # the text

    def _with_comma(self, node: ast.Call, keyword: ast.keyword) -> tuple[int, int]:
        """A named argument with the comma before it, or, for the first of several, all up to the next."""
        spans = sorted(map(self._span, (*node.args, *node.keywords)))
        start, end = self._span(keyword)
        at = spans.index((start, end))
        if at > 0:
            return self._data.index(b",", spans[at - 1][1]), end
        return start, spans[1][0] if len(spans) > 1 else end

    def _between(self, left: ast.expr, right: ast.expr) -> tuple[int, int]:
        return self._span(left)[1], self._span(right)[0]

    def _span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        assert node.end_lineno is not None, "the parser knows it"
        assert node.end_col_offset is not None, "the parser knows it"
        start = self._line_starts[node.lineno - 1] + node.col_offset
        return start, self._line_starts[node.end_lineno - 1] + node.end_col_offset

    def _slice(self, start: int, end: int) -> str:
        return self._data[start:end].decode()

    def _text(self, node: ast.expr) -> str:
        return self._slice(*self._span(node))

    def _replace(self, node: ast.expr | ast.stmt, new: str, what: str) -> None:
        self._splice(*self._span(node), new, what)

    def _splice(self, start: int, end: int, new: str, what: str) -> None:
        line = self._data.count(b"\n", 0, start) + 1
        self.found.append(Change(what, ".".join(self._names), line, start, end, new))


def _is_logging(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("_log.")
