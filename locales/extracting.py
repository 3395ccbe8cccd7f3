"""Finds every sentence and word that people read in the code: what a catalog has to translate."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEMPLATES = ("template", "brief", "label")
"""Class attributes of events and actions that are templates."""


class UnknownTemplate(Exception):
    """A text whose template cannot be found by reading the code."""


@dataclass(slots=True)
class Module:
    """A source file: what its names are assigned, and with what its functions are called."""

    path: Path
    tree: ast.Module
    assigned: dict[str, list[ast.expr]] = field(default_factory=lambda: defaultdict(list))
    imported: dict[str, tuple[Path, str]] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = field(default_factory=dict)
    calls: dict[str, list[ast.Call]] = field(default_factory=lambda: defaultdict(list))

    def texts(self) -> Iterator[ast.Call]:
        """The calls of `Text`."""
        return iter(self.calls["Text"])


@cache
def module(path: Path) -> Module:
    """A source file, read."""
    read = Module(path, ast.parse(path.read_text("utf-8")))
    for node in ast.walk(read.tree):
        match node:
            case ast.Assign(targets=[target], value=value):
                _assign(read, target, value)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                _assign(read, target, value)
            case ast.NamedExpr(target=target, value=value) | ast.For(target=target, iter=value):
                _assign(read, target, value)
            case ast.comprehension(target=target, iter=value):
                _assign(read, target, value)
            case ast.ImportFrom(module=str(name), names=names):
                where = ROOT / name.replace(".", "/")
                file = where / "__init__.py" if where.is_dir() else where.with_suffix(".py")
                read.imported |= {alias.asname or alias.name: (file, alias.name) for alias in names}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                read.functions[name] = node
            case ast.Call(func=ast.Name(id=name)):
                read.calls[name].append(node)
            case ast.Call(func=ast.Attribute(attr=name)):
                read.calls[name].append(node)
    return read


def _assign(read: Module, target: ast.expr, value: ast.expr) -> None:
    if isinstance(target, ast.Name):
        read.assigned[target.id].append(value)
    elif isinstance(target, ast.Tuple):
        for n, part in enumerate(target.elts):
            exact = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
            _assign(read, part, value.elts[n] if exact else _nth(value, n))


def _nth(value: ast.expr, n: int) -> ast.expr:
    """Part `n` of what is unpacked: of each tuple that is found in it."""
    if isinstance(value, ast.IfExp):
        return ast.copy_location(ast.Tuple([_nth(value.body, n), _nth(value.orelse, n)], ast.Load()), value)
    if isinstance(value, ast.Tuple | ast.List) and n < len(value.elts):
        if all(isinstance(one, ast.Tuple) for one in value.elts):
            return ast.copy_location(ast.Tuple([_nth(one, n) for one in value.elts], ast.Load()), value)
        return value.elts[n]
    return value


def templates(node: ast.expr, within: Module, seen: frozenset[int] = frozenset()) -> Iterator[tuple[str, int]]:
    """The strings that an expression may be, with their lines. Raises `UnknownTemplate`."""
    if id(node) in seen:
        return
    seen |= {id(node)}
    match node:
        case ast.Constant(value=str(words)):
            yield words, node.lineno
        case ast.Constant():
            return
        case ast.IfExp(body=body, orelse=orelse):
            yield from templates(body, within, seen)
            yield from templates(orelse, within, seen)
        case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from templates(part, within, seen)
        case ast.Dict(values=parts):
            for part in parts:
                yield from templates(part, within, seen)
        case ast.Subscript(value=value):
            yield from templates(value, within, seen)
        case ast.Call(func=ast.Attribute(value=value, attr="get" | "items" | "values"), args=args):
            yield from templates(value, within, seen)
            for other in args[1:]:
                yield from templates(other, within, seen)
        case ast.Call(func=ast.Name(id="next" | "zip" | "enumerate"), args=args):
            for part in args:
                yield from templates(part, within, seen)
        case ast.Name(id=name):
            yield from _named(name, node, within, seen)
        case _:
            raise UnknownTemplate(f"{within.path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}")


def _named(name: str, node: ast.expr, within: Module, seen: frozenset[int]) -> Iterator[tuple[str, int]]:
    if name in within.imported:
        path, there = within.imported[name]
        if path.exists():
            other = module(path)
            yield from templates(ast.copy_location(ast.Name(there, ast.Load()), node), other, seen)
            return
    values = [*within.assigned.get(name, ()), *_arguments(name, within)]
    if not values:
        raise UnknownTemplate(f"{within.path.relative_to(ROOT)}:{node.lineno}: {name}")
    for value in values:
        yield from templates(value, within, seen)


def _arguments(name: str, within: Module) -> Iterator[ast.expr]:
    """What functions of a module that have a parameter of this name are called with for it."""
    for function in within.functions.values():
        named = [one.arg for one in function.args.args]
        if name not in named:
            continue
        place = named.index(name) - (named[0] in ("self", "cls"))
        for call in within.calls.get(function.name, ()):
            yield from [call.args[place]] if place < len(call.args) else []
            yield from [keyword.value for keyword in call.keywords if keyword.arg == name]


@dataclass(frozen=True, slots=True)
class Found:
    """A template, and where it stands."""

    words: str
    path: str
    line: int


def found(*packages: str) -> tuple[list[Found], list[str]]:
    """All templates of these packages, and the places of those that cannot be found."""
    all_found, unknown = [], []
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            where, read = str(path.relative_to(ROOT)), module(path)
            for call in read.texts():
                try:
                    if call.args:
                        all_found += [Found(words, where, line) for words, line in templates(call.args[0], read)]
                except UnknownTemplate as error:
                    unknown.append(str(error))
            for name in TEMPLATES:
                for value in read.assigned.get(name, ()):
                    if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
                        all_found.append(Found(value.value, where, value.lineno))
    return list(dict.fromkeys(all_found)), unknown
