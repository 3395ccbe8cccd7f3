"""The interface of games: the names of `engine` and `renders` that a game may import, with their signatures.

Signatures are read from the sources, where annotations and defaults are as their authors wrote them. So they are the
same under every version of Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from engine.values import Value

NAMES: Mapping[str, tuple[str, ...]] = {
    "engine.core": (
        *("GameSpec", "INTERFACE", "Grade", "Setup", "Options", "option", "OptionValue", "Preset", "InShort"),
        *("Action", "describe", "Part", "Event", "only", "all_but", "Frame", "State", "Decision", "Refusal"),
        *("Advice", "Advised", "Aside", "Outcome", "View", "LastAction"),
    ),
    "engine.values": ("Value", "AbstractValue"),
    "engine.builder": ("Builder",),
    "engine.texts": (
        *("Seat", "CHANCE", "SEAT_COLORS", "Text", "term", "joined", "shortened", "number", "listed", "seats_called"),
    ),
    "engine.rulebook": ("Rulebook", "Section"),
    "engine.errors": ("SetupError", "NotationError", "IllegalAction"),
    "engine.evaluation": ("Evaluation", "Weights", "Shares", "hats"),
    "engine.wording": ("Voice", "say", "label", "verb_words"),
    "engine.notation": ("format_action", "parse_action"),
    "engine.languages": ("CONTEXT", "reading"),
    "engine.match": ("Match", "Entry"),
    "renders": ("draw", "tell", "png"),
    "renders.picture": ("Picture",),
    "renders.canvas": ("Canvas", "Ground"),
    "renders.grounds": ("ground_of",),
    "renders.theme": (
        *("WIDTH", "HEIGHT", "SAFE", "Color", "Point", "Box", "INK", "IVORY", "GOLD", "TURQUOISE"),
        *("SEATS", "SeatStyle", "Theme", "Strong"),
    ),
    "renders.sprites": ("Sprite", "cached", "sprite", "centered_sprite", "tint", "stack"),
    "renders.lettering": (
        *("Face", "MIN_SIZE", "sans", "serif", "FACT", "SCORE", "NAME", "LABEL", "SMALL", "width", "fit", "wrap"),
    ),
    "renders.house": (
        *("Header", "draw_header", "frame", "draw_panel", "draw_badge", "draw_gain", "plate_mark", "brackets"),
    ),
    "renders.tokens": ("token", "ring", "outline"),
    "renders.chosen": ("chosen_mark", "chosen_top", "chosen_token"),
    "renders.persons": ("draw_person",),
    "renders.symbols": ("Symbol",),
    "renders.ending": ("Card", "draw_ending"),
    "renders.words": (
        *("MAX_ALT_CHARS", "MAX_CHARS", "now_sentences", "luck_next", "alternatives", "word"),
        *("escape_markdown", "clip", "shorten"),
    ),
    "renders.plain": ("paint", "panels", "alt", "tell"),
}
"""Module -> the names that a game may import from it, in the order of the page."""

MEMBERS: Mapping[str, tuple[str, ...]] = {
    "GameSpec": ("name", "about", "setup"),
    "Evaluation": (),
    "Match": ("begin", "replay", "play", "parse", "undo", "view", "state", "outcome", "setup", "entries", "ply"),
    "Canvas": ("put", "text", "ground"),
    "Ground": (),
    "NotationError": (),
    "IllegalAction": (),
}
"""Class -> the members that a game may use. All public members of other classes are part of the interface."""

MAX_VALUE_CHARS = 60
"""Maximum length of the value of a constant in the interface."""


class Signature(Value):
    """A public name, or a public member of a class.

    `kind` is *class*, *function*, *method*, *property*, *attribute* or *constant*, or begins with *abstract*.
    `parameters` are written as in a call, with their types and defaults. `result` is a return type, or the value of a
    constant unless it is a string, since colors may change.
    """

    kind: str
    parameters: tuple[str, ...] = ()
    result: str = ""

    def is_compatible_with(self, earlier: Signature) -> bool:
        """Whether code written for an earlier signature still works: all new parameters have defaults, at the end."""
        count = len(earlier.parameters)
        added = self.parameters[count:]
        return (
            (self.kind, self.result, self.parameters[:count]) == (earlier.kind, earlier.result, earlier.parameters)
        ) and all(" = " in parameter or parameter.startswith("*") for parameter in added)


class Documented(Value):
    """A signature with its docstring, which is empty if there is none. `name` is that of a member within its class."""

    name: str
    signature: Signature
    docstring: str
    members: tuple[Documented, ...] = ()


def changes(recorded: Mapping[str, Signature], current: Mapping[str, Signature]) -> list[str]:
    """A phrase for each change that breaks games written for the recorded signatures."""
    gone = [f"{name} is gone" for name in recorded if name not in current]
    changed = [
        f"{name} is not compatible with its recorded form"
        for name, signature in current.items()
        if name in recorded and not signature.is_compatible_with(recorded[name])
    ]
    added = [
        f"{name} is new and abstract, so existing subclasses lack it"
        for name, signature in current.items()
        if name not in recorded and signature.kind.startswith("abstract")
    ]
    return [*gone, *changed, *added]


def signatures() -> dict[str, Signature]:
    """Full name -> signature, for all names and the members of classes."""
    full_names = {}
    for module in NAMES:
        for entry in documented(module):
            full_names[f"{module}.{entry.name}"] = entry.signature
            full_names |= {f"{module}.{entry.name}.{member.name}": member.signature for member in entry.members}
    return full_names


def foreign_imports(source: str) -> list[str]:
    """The names that a module imports from `engine` and `renders` although they are not part of the interface."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names if _is_foreign(alias.name)]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module = node.module or ""
            names += [f"{module}.{alias.name}" for alias in node.names if _is_foreign(module, alias.name)]
    return names


def _is_foreign(module: str, name: str = "") -> bool:
    """Whether a module of ours, or a name in it, is not part of the interface."""
    if module.partition(".")[0] not in ("engine", "renders"):
        return False
    return name not in NAMES.get(module, ()) if name else module not in NAMES


@cache
def documented(module: str) -> tuple[Documented, ...]:
    """The public names of a module, in the order of `NAMES`. Raises `KeyError` for a name that it does not define."""
    spec = find_spec(module)
    assert spec is not None, f"{module} is a module of this project"
    assert spec.origin is not None, f"{module} has a file"
    body = ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body
    entries = {entry.name: entry for entry in _entries(body)}
    return tuple(entries[name] for name in NAMES[module])


def _entries(body: list[ast.stmt]) -> Iterator[Documented]:
    """The classes, functions and constants of a module."""
    for node, following in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(node, ast.ClassDef):
            yield _class(node)
        elif isinstance(node, ast.FunctionDef):
            yield Documented(node.name, _function("function", node), ast.get_docstring(node) or "")
        elif isinstance(node, ast.Assign):
            names = [name for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)]
            value = node.value if len(names) == 1 else None
            for name in names:
                yield Documented(name.id, Signature("constant", result=_value(value)), _comment(following))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield Documented(node.target.id, Signature("constant", result=_value(node.value)), _comment(following))


def _comment(node: ast.stmt) -> str:
    """The docstring of a constant, which is the statement after it."""
    match node:
        case ast.Expr(ast.Constant(str(text))):
            return text
    return ""


def _value(value: ast.expr | None) -> str:
    if value is None or (isinstance(value, ast.Constant) and isinstance(value.value, str)):
        return ""
    text = ast.unparse(value)
    return text if len(text) <= MAX_VALUE_CHARS else ""


def _class(node: ast.ClassDef) -> Documented:
    makers = [
        statement for statement in node.body if isinstance(statement, ast.FunctionDef) and statement.name == "__init__"
    ]
    parameters = _parameters(makers[0].args)[1:] if makers else _fields(node)
    members = [*(_attributes(makers[0]) if makers else ()), *_members(node)]
    public = tuple(member for member in members if member.name in MEMBERS.get(node.name, (member.name,)))
    return Documented(node.name, Signature("class", parameters), ast.get_docstring(node) or "", public)


def _fields(node: ast.ClassDef) -> tuple[str, ...]:
    """The parameters that a value or a named tuple has because of its fields."""
    if not {"Value", "AbstractValue", "NamedTuple"} & {ast.unparse(base).partition("[")[0] for base in node.bases}:
        return ()
    fields = ["*"] if any(keyword.arg == "kw_only" for keyword in node.keywords) else []
    for statement in node.body:
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and statement.target.id[0] != "_"
        ):
            annotation, default = (
                ast.unparse(statement.annotation),
                ast.unparse(statement.value) if statement.value else "",
            )
            if not annotation.startswith("ClassVar") and "init=False" not in default:
                fields += _field(statement.target.id, annotation, default)
    return tuple(fields)


def _field(name: str, annotation: str, default: str) -> tuple[str, ...]:
    """The parameter for a field, after a `*` if it must be named."""
    value = default
    if default.startswith("field("):
        value = "..." if "default" in default else ""
    parameter = f"{name}: {annotation}" + (f" = {value}" if value else "")
    return ("*", parameter) if "kw_only=True" in default else (parameter,)


def _attributes(maker: ast.FunctionDef) -> Iterator[Documented]:
    """The public attributes that a constructor assigns."""
    for statement, following in zip(maker.body, [*maker.body[1:], ast.Pass()], strict=True):
        targets = (
            statement.targets
            if isinstance(statement, ast.Assign)
            else [statement.target]
            if isinstance(statement, ast.AnnAssign)
            else []
        )
        for target in (part for whole in targets for part in ast.walk(whole)):
            if isinstance(target, ast.Attribute) and target.attr[0] != "_":
                yield Documented(target.attr, Signature("attribute"), _comment(following))


def _members(node: ast.ClassDef) -> Iterator[Documented]:
    """The public methods, properties and class variables of a class."""
    for statement, following in zip(node.body, [*node.body[1:], ast.Pass()], strict=True):
        if isinstance(statement, ast.FunctionDef) and statement.name[0] != "_":
            decorators = {ast.unparse(decorator) for decorator in statement.decorator_list}
            kind = "property" if decorators & {"property", "cached_property"} else "method"
            kind = f"abstract {kind}" if "abstractmethod" in decorators else kind
            yield Documented(statement.name, _function(kind, statement), ast.get_docstring(statement) or "")
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            annotation = ast.unparse(statement.annotation)
            if annotation.startswith("ClassVar"):
                yield Documented(statement.target.id, Signature("attribute", result=annotation), _comment(following))


def _function(kind: str, node: ast.FunctionDef) -> Signature:
    parameters = _parameters(node.args)
    bound = kind not in ("function",) and not any(
        ast.unparse(decorator) == "staticmethod" for decorator in node.decorator_list
    )
    return Signature(kind, parameters[1:] if bound else parameters, ast.unparse(node.returns) if node.returns else "")


def _parameters(arguments: ast.arguments) -> tuple[str, ...]:
    """The parameters as written, with `/` and `*` between their kinds."""
    listed: list[str] = []
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + [*arguments.defaults]
    for number, (parameter, default) in enumerate(zip(positional, defaults, strict=True), 1):
        listed.append(_parameter(parameter, default))
        if number == len(arguments.posonlyargs):
            listed.append("/")
    if arguments.vararg or arguments.kwonlyargs:
        listed.append(f"*{ast.unparse(arguments.vararg)}" if arguments.vararg else "*")
    listed += [_parameter(*pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return (*listed, f"**{ast.unparse(arguments.kwarg)}") if arguments.kwarg else tuple(listed)


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(argument) + (f" = {ast.unparse(default)}" if default else "")
