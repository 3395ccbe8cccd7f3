"""Extract every text that players read from the code, for the catalogs."""

from __future__ import annotations

import ast
import dataclasses
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path
from string import Formatter

from engine.games import discover
from engine.languages import CONTEXT
from engine.players import discover as discover_players
from engine.texts import FIELD, SEAT_COLORS, VALUE_WORDS, Seat, Text
from engine.wording import verb_words
from locales import NAME, OPTION

ROOT = Path(__file__).parent.parent
TEMPLATES = ("template", "brief", "label")
"""Class attributes of events and actions whose values are templates."""
GENERAL = ("engine/texts.py",)
"""Files that build texts from arguments and contain none of their own."""
_POSSIBLE_TEXTS = re.compile(rf"\b(?:Text\(|seats_called\(|(?:{'|'.join(TEMPLATES)})\b)")
_PLAIN_FIELD = re.compile(r"\{\w+\^?\}")


class UnknownTemplate(Exception):
    """A text whose template cannot be determined statically."""


@dataclass(slots=True)
class Module:
    """A parsed source file: the values assigned to its names, and the calls of its functions."""

    path: Path
    tree: ast.Module
    assigned: dict[str, list[ast.expr]] = field(default_factory=lambda: defaultdict(list))
    imported: dict[str, tuple[Path, str]] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = field(default_factory=dict)
    calls: dict[str, list[ast.Call]] = field(default_factory=lambda: defaultdict(list))
    buttons: set[int] = field(default_factory=set)
    """Ids of all calls inside calls that create buttons."""


@cache
def module(path: Path) -> Module:
    """Parse a source file."""
    module_ = Module(path, ast.parse(path.read_text("utf-8")))
    for node in ast.walk(module_.tree):
        match node:
            case ast.Assign(targets=[target], value=value):
                _assign(module_, target, value)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                _assign(module_, target, value)
            case ast.NamedExpr(target=target, value=value) | ast.For(target=target, iter=value):
                _assign(module_, target, value)
            case ast.comprehension(target=target, iter=value):
                _assign(module_, target, value)
            case ast.ImportFrom(module=str(name), names=names):
                base = ROOT / name.replace(".", "/")
                file = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
                module_.imported |= {alias.asname or alias.name: (file, alias.name) for alias in names}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                module_.functions[name] = node
            case ast.Call(func=ast.Name(id=name)):
                module_.calls[name].append(node)
                if name in BUTTONS:
                    module_.buttons |= {id(inner) for inner in ast.walk(node) if isinstance(inner, ast.Call)}
            case ast.Call(func=ast.Attribute(attr=name)):
                module_.calls[name].append(node)
    return module_


def _assign(read: Module, target: ast.expr, value: ast.expr) -> None:
    if isinstance(target, ast.Name):
        read.assigned[target.id].append(value)
    elif isinstance(target, ast.Tuple):
        items = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
        for n, part in enumerate(target.elts):
            _assign(read, part, items[n] if items else _nth(value, n))


def _nth(value: ast.expr, n: int) -> ast.expr:
    """Item `n` of an unpacked value; for a sequence of tuples, item `n` of each of them."""
    if isinstance(value, ast.IfExp):
        return ast.copy_location(ast.Tuple([_nth(value.body, n), _nth(value.orelse, n)], ast.Load()), value)
    if isinstance(value, ast.Tuple | ast.List) and n < len(value.elts):
        if all(isinstance(item, ast.Tuple) for item in value.elts):
            return ast.copy_location(ast.Tuple([_nth(item, n) for item in value.elts], ast.Load()), value)
        return value.elts[n]
    return value


def templates(node: ast.expr, within: Module, seen: set[int] | None = None) -> Iterator[tuple[str, int]]:
    """The strings that an expression may evaluate to, with their lines. Raises `UnknownTemplate`."""
    seen = set() if seen is None else seen
    # Names may be assigned from each other in a cycle.
    if id(node) in seen:
        return
    seen.add(id(node))
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
            yield from _templates_of_name(name, node, within, seen)
        case _:
            raise UnknownTemplate(f"{within.path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}")


def _templates_of_name(name: str, node: ast.expr, within: Module, seen: set[int]) -> Iterator[tuple[str, int]]:
    if name in within.imported:
        path, there = within.imported[name]
        if path.exists():
            other = module(path)
            yield from templates(ast.copy_location(ast.Name(there, ast.Load()), node), other, seen)
            return
    values = [*within.assigned.get(name, ()), *_arguments(name, within)]
    if not values:
        raise UnknownTemplate(f"{within.path.relative_to(ROOT)}:{node.lineno}: {name}")
    strings = [part for value in values for part in _known_templates(value, within, seen)]
    if not strings:
        raise UnknownTemplate(f"{within.path.relative_to(ROOT)}:{node.lineno}: {name}")
    yield from strings


def _known_templates(value: ast.expr, within: Module, seen: set[int]) -> list[tuple[str, int]]:
    """The strings of a value assigned to this name anywhere in a module, or none if it is not a string."""
    try:
        return list(templates(value, within, seen))
    except UnknownTemplate:
        return []


def _arguments(name: str, within: Module) -> Iterator[ast.expr]:
    """The arguments that calls within a module pass for parameters of this name."""
    for function in within.functions.values():
        named = [parameter.arg for parameter in function.args.args]
        if name not in named:
            continue
        place = named.index(name) - (named[0] in ("self", "cls"))
        for call in within.calls.get(function.name, ()):
            yield from [call.args[place]] if place < len(call.args) else []
            yield from [keyword.value for keyword in call.keywords if keyword.arg == name]


EXAMPLES = {
    **dict.fromkeys(("seat", "owner", "partner", "rival", "buyer"), "Red"),
    **dict.fromkeys(
        ("n", "number", "most", "turns", "moves", "cards", "points", "left", "count", "more", "level"), "3"
    ),
    **dict.fromkeys(("amount", "price", "value", "stake", "fee", "purse", "score"), "1,200"),
    **dict.fromkeys(("user", "who", "host", "name", "called"), "@Ann"),
    **dict.fromkeys(("seats", "people", "others"), "Red and Blue"),
    **dict.fromkeys(("title", "game"), "Muscat"),
    **dict.fromkeys(("market", "cell", "square", "origin", "target"), "2C"),
    **dict.fromkeys(("when", "time"), "in 2 hours"),
    "artist": "piper",
    "artists": "piper and fire-eater",
    "thief": "red 4",
    "thieves": "red 4 and blue 1",
    "muse": "Clio",
    "gang": "red",
    "color": "red",
    "percent": "56",
    "link": "https://discord.com/…",
    "mark": "🔴",
}
"""Example values by field name."""

BUTTONS = ("Control", "_control", "button", "_step_control", "_replay_control", "follow_control")
"""Functions that create buttons from their arguments."""

A_BUTTON, ON_A_PICTURE = (
    "a button: at most 38 letters, better 20",
    "on a picture: no wider than the English, if possible",
)


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text that players read, with its place and comments for the translator."""

    words: str
    path: str
    line: int = 0
    about: str = ""
    context: str | None = None

    @classmethod
    def of(cls, template: str, path: str, line: int, about: str) -> SourceText:
        """Split a template from its context, if it has one."""
        context, _, words = template.rpartition(CONTEXT)
        return cls(words, path, line, about, context or None)

    @property
    def notes(self) -> list[str]:
        """Comments for the translator."""
        named = sorted({name for _, name, _, _ in Formatter().parse(self.words) if name})
        fields = [f"{name} ({EXAMPLES[name]})" if name in EXAMPLES else name for name in named]
        return [note for note in (self.about, f"fields: {', '.join(fields)}" if fields else "") if note]


def all_texts() -> list[SourceText]:
    """All texts to translate, except the rules."""
    texts, unknown = extract_templates("engine", "renders", "bot")
    if unknown:
        raise UnknownTemplate("\n".join(unknown))
    return [*texts, *_names_of_games(), *_commands()]


def extract_templates(*packages: str) -> tuple[list[SourceText], list[str]]:
    """All templates in the code of these packages, and the places of those that cannot be determined."""
    texts: list[SourceText] = []
    unknown: list[str] = []
    paths = (path for package in packages for path in sorted((ROOT / package).rglob("*.py")))
    # Parsing takes long, and half of the files have no text.
    for path in (path for path in paths if _POSSIBLE_TEXTS.search(path.read_text("utf-8"))):
        where, read = str(path.relative_to(ROOT)), module(path)
        # A description is text beside a picture.
        on_picture = where.startswith("renders/") and not where.endswith("description.py")
        for call in read.calls["Text"]:
            if call.args and where not in GENERAL:
                try:
                    about = A_BUTTON if id(call) in read.buttons else ON_A_PICTURE if on_picture else ""
                    texts += [SourceText.of(words, where, line, about) for words, line in templates(call.args[0], read)]
                except UnknownTemplate as error:
                    unknown.append(str(error))
        # A game's own names for its seats are not in a `Text`.
        for call in read.calls["seats_called"]:
            texts += [SourceText(words, where, line) for words, line in _known_templates(call.args[0], read, set())]
        texts += [SourceText(words, where, line) for name in TEMPLATES for words, line in _literals(name, read)]
    return list(dict.fromkeys(text for text in texts if _needs_translation(text.words))), unknown


def _needs_translation(template: str) -> bool:
    """Whether a template has words, or several fields that another language may order differently."""
    bare = _PLAIN_FIELD.sub("", template)
    return any(sign.isalpha() or sign in "“”…%" for sign in bare) or len(_PLAIN_FIELD.findall(template)) > 1


def _literals(name: str, read: Module) -> Iterator[tuple[str, int]]:
    for value in read.assigned.get(name, ()):
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value, value.lineno


def _names_of_games() -> Iterator[SourceText]:
    """Texts that are not in the code as sentences: titles, options, verbs, pieces and places."""
    for spec in discover().values():
        folder = f"engine/games/{spec.slug}"
        yield SourceText(spec.title, folder, about="the title of the game")
        yield SourceText(spec.summary, folder, about="what the game is, in a list of games")
        for preset in spec.presets:
            yield SourceText(preset.title, folder, about="options that go well together")
            yield SourceText(preset.summary, folder, about="how these options differ from others, after their name")
        for member in dataclasses.fields(spec.options):
            yield SourceText(member.metadata["title"] or member.name.replace("_", " "), folder, about="an option")
            yield SourceText(member.metadata["description"], folder, about="what an option does")
            yield from (
                SourceText(value.replace("_", " "), folder, about="a choice")
                for value in member.metadata["choices"]
                if type(value) is str
            )
        for action in spec.actions:
            about = "what somebody does: a button, and a row of a menu"
            yield SourceText(verb_words(action.verb), folder, about=about, context=action.sense or None)
            yield SourceText((action.__doc__ or "").partition("\n")[0], folder, about="a command")
            for member in dataclasses.fields(action):
                about = "names a field in the usage of a typed move, and is an option of a command"
                yield SourceText(member.name, folder, about=about, context=FIELD)
                yield SourceText(member.metadata.get("description", ""), folder, about="a part of a command")
                about = "a question to a player, above the answers"
                yield SourceText(member.metadata.get("question", ""), folder, about=about)
    for name in [name for name in sys.modules if name.startswith(("engine.games", "engine.town"))]:
        kinds = [kind for kind in vars(sys.modules[name]).values() if isinstance(kind, type) and issubclass(kind, Enum)]
        # Modules may import enumerations; each belongs to the module that defines it.
        members = (member for kind in kinds if kind.__module__ == name for member in kind)
        labels = (getattr(member, "label", member) for member in members)
        for label in (label for label in labels if not _names_seat(label)):
            yield SourceText(str(label), name.replace(".", "/"), about="a word for a field")
    for player in discover_players().values():
        yield SourceText(player.title, "engine/players", about="a computer player")
    yield from (SourceText(color, "engine/texts.py", about="who plays this color") for color in SEAT_COLORS)
    yield from (SourceText(word, "engine/texts.py", about="what a value is read as") for word in VALUE_WORDS)


def _names_seat(label: object) -> bool:
    """Whether a label is a text with the name of a seat: its template is among those of the code."""
    return isinstance(label, Text) and any(isinstance(value, Seat) for _, value in label.fields)


def _commands() -> Iterator[SourceText]:
    from bot.commands import all_commands

    games = discover()
    groups = [group for group in all_commands() if group.name not in games]  # commands of games are notation
    for command in (command for group in groups for command in (group, *group.walk_commands())):
        yield SourceText(command.name, "bot/commands.py", about=f"/{command.qualified_name}", context=NAME)
        for parameter in getattr(command, "parameters", ()):
            about = f"/{command.qualified_name} {parameter.display_name}"
            yield SourceText(str(parameter.display_name), "bot/commands.py", about=about, context=OPTION)
    for command in (command for group in all_commands() for command in (group, *group.walk_commands())):
        group = command.qualified_name.partition(" ")[0]
        path = f"engine/games/{group}" if group in games else "bot/commands.py"
        yield SourceText(command.description, path, about=f"/{command.qualified_name}")
        for parameter in getattr(command, "parameters", ()):
            about = f"/{command.qualified_name} {parameter.name}"
            yield SourceText(str(parameter.description), path, about=about)
            yield from (SourceText(choice.name, path, about=about) for choice in parameter.choices)
