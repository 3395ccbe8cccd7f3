"""Looks through a source for what people read: sentences that are no `Text`, and texts that do not fit their fields."""

from __future__ import annotations

import ast
import builtins
import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

PARTS = {"UserError", "Stale", "TextDisplay", "Control", "Menu", "Button", "SelectOption", "words_layout", "joined"}
"""Calls whose very arguments are read by people, however short they are."""

DESCRIBING = {"describe", "option"}
"""Calls with descriptions that Discord is told at registration."""

NOT_TEXTS = ("_log.", "logging.", "Rulebook.parse")
"""Calls for logs, and for rules, which are read as they are written."""

REGISTERED = {"description", "summary", "title"}
"""The same as named arguments."""

CLASS_TEXTS = {"template", "label"}
"""Templates of events and actions, which `engine.wording` puts into words."""

FOR_DEVELOPERS = {name for name, kind in vars(builtins).items() if isinstance(kind, type)}
FOR_LOGS = {"__repr__", "__str__"}

WORD = re.compile(r"[^\W\d_]{2,}")
SENTENCE_END = re.compile(r"[.!?…]\W*$")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scopes = tuple[ast.AST, ...]


def loose_sentences(source: str) -> list[str]:
    """What a source says to people without a `Text`."""
    tree = ast.parse(source)
    looking = _Looking(texts_of(tree))
    looking.visit(tree)
    return looking.found


def faulty_texts(source: str) -> list[str]:
    """The texts of a source whose template is not at hand, or does not fit its fields."""
    return [_noted(text.call, fault) for text in texts_of(ast.parse(source)) for fault in _faults(text)]


def _noted(node: ast.expr, what: str) -> str:
    return f"line {node.lineno}: {what}: {ast.unparse(node)}"


# --- the texts of a source ---


@dataclass(frozen=True, slots=True)
class _Maker:
    """A function that makes a text of a template, its argument number `place`, and of named arguments.

    `own` are those that are no fields, `more` the fields that it adds itself.
    """

    place: int
    own: frozenset[str] = frozenset()
    more: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text where it is made, and the literals that its template can be; none if they are not at hand.

    `varied` says that they were given to one name in turn, so that the fields need not go with all of them.
    """

    call: ast.Call
    maker: _Maker
    templates: tuple[ast.Constant, ...]
    varied: bool


def texts_of(tree: ast.Module) -> list[FoundText]:
    """Every text that a module makes, also by a function of its own that hands a template on."""
    makers, handing_on = {"Text": _Maker(0)}, set()
    for function in (node for node in ast.walk(tree) if isinstance(node, Function)):
        if call := _handed_on(function):
            makers[function.name] = _maker(function, call)
            handing_on.add(call)
    return [
        _found_text(call, maker, scopes)
        for call, scopes in _calls(tree, (tree,))
        if (maker := makers.get(_name(call.func))) and call not in handing_on
    ]


def _found_text(call: ast.Call, maker: _Maker, scopes: Scopes) -> FoundText:
    if len(call.args) <= maker.place or any(isinstance(given, ast.Starred) for given in call.args):
        return FoundText(call, maker, (), False)
    template = call.args[maker.place]
    literals = _literals(template, scopes)
    at_hand = tuple(node for node in literals if isinstance(node, ast.Constant) and isinstance(node.value, str))
    varied = isinstance(template, ast.Name) and len(_assigned(template.id, scopes)) > 1
    return FoundText(call, maker, at_hand if len(at_hand) == len(literals) else (), varied)


def _handed_on(function: Function) -> ast.Call | None:
    """The text that a function makes of a template that it is given."""
    given = {arg.arg for arg in function.args.args}
    return next((call for call, _ in _calls(function, ()) if call.args and _is_text_of(given, call)), None)


def _is_text_of(names: set[str], call: ast.Call) -> bool:
    return _name(call.func) == "Text" and isinstance(call.args[0], ast.Name) and call.args[0].id in names


def _maker(function: Function, call: ast.Call) -> _Maker:
    placed = [arg.arg for arg in function.args.args if arg.arg not in ("self", "cls")]
    own = {*placed, *(arg.arg for arg in function.args.kwonlyargs)}
    more = {keyword.arg for keyword in call.keywords if keyword.arg}
    return _Maker(placed.index(ast.unparse(call.args[0])), frozenset(own), frozenset(more))


def _calls(node: ast.AST, scopes: Scopes) -> Iterator[tuple[ast.Call, Scopes]]:
    """Every call below a node, with the functions around it, the inmost first, and the module."""
    if isinstance(node, Function):
        scopes = (node, *scopes)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield child, scopes
        yield from _calls(child, scopes)


def _literals(node: ast.expr | None, scopes: Scopes) -> list[ast.expr | None]:
    """What an expression can be: itself, both sides of a choice, all that a name or a table stands for."""
    match node:
        case ast.IfExp():
            return [*_literals(node.body, scopes), *_literals(node.orelse, scopes)]
        case ast.Name():
            values = _assigned(node.id, scopes)
            return [literal for value in values for literal in _literals(value, ())] or [None]
        case ast.Subscript(value=ast.Name()):
            return [part for table in _literals(node.value, scopes) for part in _parts(table)] or [None]
    return [node]


def _parts(table: ast.expr | None) -> list[ast.expr]:
    if isinstance(table, ast.Dict):
        return table.values
    return table.elts if isinstance(table, ast.Tuple | ast.List) else []


def _assigned(name: str, scopes: Scopes) -> list[ast.expr]:
    """What a name stands for: whatever is given to it in the inmost function that does so, else in the module."""
    return next(filter(None, ([*_given_in(scope, name)] for scope in scopes)), [])


def _given_in(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    for part in scope.body if isinstance(scope, ast.Module) else ast.walk(scope):
        if isinstance(part, ast.Assign) and name in map(ast.unparse, part.targets):
            yield part.value


def _faults(text: FoundText) -> Iterator[str]:
    given = {keyword.arg for keyword in text.call.keywords} - text.maker.own
    if not text.templates:
        yield "no template at hand"
    elif None in given:
        yield "nobody knows which fields"
    else:
        every = [set(_fields(template)) for template in text.templates]
        fitting = [used for used in every if used <= given | text.maker.more] if text.varied else every
        used = set().union(*fitting or every)
        yield from (f"“{name}” is not given" for name in sorted(used - given - text.maker.more))
        yield from (f"“{name}” is not used" for name in sorted(map(str, given - used)))
        yield from (f"“{forms}” is not two forms" for template in text.templates for forms in _forms(template))


def _fields(template: ast.Constant) -> Iterator[str]:
    return (name for _, name, _, _ in string.Formatter().parse(str(template.value)) if name is not None)


def _forms(template: ast.Constant) -> Iterator[str]:
    """What stands after the colons of a template and does not leave the choice between two forms."""
    found = (forms for _, _, forms, _ in string.Formatter().parse(str(template.value)))
    return (forms for forms in found if forms and forms.count("|") != 1)


# --- sentences without a text ---


class _Looking(ast.NodeVisitor):
    def __init__(self, texts: Iterable[FoundText]) -> None:
        self.found: list[str] = []
        self._templates = {id(template) for text in texts for template in text.templates}

    def _note(self, node: ast.expr, what: str) -> None:
        self.found.append(_noted(node, what))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Words between the values of an f-string."""
        if _has_words(node):
            self._note(node, "an f-string")
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                self.visit(value.value)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Words that are put together with others, or with values."""
        parts = {ast.Add: [node.left, node.right], ast.Mod: [node.left]}.get(type(node.op), [])
        if any(isinstance(part, ast.Constant) and _has_words(part) for part in parts):
            self._note(node, "words put together")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """A sentence in one piece."""
        if isinstance(node.value, str) and _is_sentence(node.value) and id(node) not in self._templates:
            self._note(node, "a sentence")

    def visit_Call(self, node: ast.Call) -> None:
        """What is given to a part of a message; `format` and `join`; nothing of a description, a log or a rulebook."""
        name = _name(node.func)
        if name in DESCRIBING or ast.unparse(node.func).startswith(NOT_TEXTS):
            return
        if name in ("format", "format_map", "join") and _has_words(getattr(node.func, "value", None)):
            self._note(node, "words put together")
        if name in PARTS:
            for given in (*node.args, *(keyword.value for keyword in node.keywords)):
                self._look_at_part(given)
        self.generic_visit(node)

    def _look_at_part(self, node: ast.expr) -> None:
        if isinstance(node, ast.IfExp):
            self._look_at_part(node.body)
            self._look_at_part(node.orelse)
        elif isinstance(node, ast.Constant) and WORD.search(str(node.value)):
            self._note(node, "a part of a message")

    # --- what is not for people, or no text yet ---

    def visit_Expr(self, node: ast.Expr) -> None:
        """Not a docstring."""
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Not the reason why it holds."""
        self.visit(node.test)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Not what only developers read."""
        kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if not (isinstance(kind, ast.Name) and kind.id in FOR_DEVELOPERS):
            self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        """Not what Discord is told at registration."""
        if node.arg not in REGISTERED or not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Not how a value looks in a log."""
        if node.name not in FOR_LOGS:
            self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Not the templates of events and actions."""
        for part in node.body:
            targets = part.targets if isinstance(part, ast.Assign) else [getattr(part, "target", None)]
            if not any(isinstance(target, ast.Name) and target.id in CLASS_TEXTS for target in targets):
                self.visit(part)


def _has_words(node: ast.AST | None) -> bool:
    """Whether a string, or what stands between the values of one, has a word and a space."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    words = "\0".join(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))
    return " " in words and WORD.search(words) is not None


def _is_sentence(words: str) -> bool:
    return " " in words and len(WORD.findall(words)) > 1 and SENTENCE_END.search(words) is not None


def _name(func: ast.expr) -> str:
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
