"""The page about the interface of games, in Markdown, made from the docstrings."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator

from engine.core import INTERFACE
from kit.interface import NAMES, Documented, documented

HEAD = f"""# What a game may import

This is version {INTERFACE} of the interface between the bot and games in packages of their own. A game may import the
names on this page from `engine` and `renders`, and use the members listed here. Its `GAME` names the version that it
was written for: `interface={INTERFACE}`.

A change that breaks such a game gets a new version, and the bot then leaves out games for other versions, with a
sentence for the host. New names, new members, and new parameters with defaults keep the version. All other names of
`engine` and `renders`, and all other packages of the bot, can change at any time.

The tests make this page from the docstrings, and run its examples:
`pytest --bless tests/kit/test_interface.py` writes it.
"""

MAX_SIGNATURE_CHARS = 116
"""Maximum length of a signature on one line; a longer one has a line for each parameter."""


def page() -> str:
    """The whole page."""
    sections = [HEAD]
    for module in NAMES:
        sections.append(f"\n## {module}\n")
        sections += [part for entry in documented(module) for part in _name(entry)]
    return "".join(sections)


def _name(entry: Documented) -> Iterator[str]:
    prose, _, examples = _parts(entry.docstring)
    yield f"\n### {entry.name}\n"
    yield f"\n```python\n{_format_entry(entry)}\n```\n"
    if prose:
        yield f"\n{prose}\n"
    if examples:
        yield f"\n```pycon\n{examples}\n```\n"
    if entry.members:
        yield "\n" + "".join(_member(member) for member in entry.members)


def _member(member: Documented) -> str:
    _, first, _ = _parts(member.docstring)
    call = member.name if member.signature.kind.endswith(("attribute", "property")) else _one_line(member)
    kind = " (abstract)" if member.signature.kind.startswith("abstract") else ""
    return _wrap(f"* `{call}`{kind}" + (f": {' '.join(first.split())}" if first else ""), "  ") + "\n"


def _format_entry(entry: Documented) -> str:
    signature = entry.signature
    if signature.kind == "constant":
        return f"{entry.name} = {signature.result}" if signature.result else entry.name
    if signature.kind == "class" and not signature.parameters:
        return f"class {entry.name}"
    begin = "class " if signature.kind == "class" else "def "
    line = f"{begin}{_one_line(entry)}"
    if len(line) <= MAX_SIGNATURE_CHARS:
        return line
    parameters = "".join(f"    {parameter},\n" for parameter in signature.parameters)
    return f"{begin}{entry.name}(\n{parameters}){_result(entry)}"


def _one_line(entry: Documented) -> str:
    return f"{entry.name}({', '.join(entry.signature.parameters)}){_result(entry)}"


def _result(entry: Documented) -> str:
    return f" -> {entry.signature.result}" if entry.signature.result else ""


def _parts(docstring: str) -> tuple[str, str, str]:
    """The prose of a docstring, the first paragraph of it, and the examples."""
    blocks = re.split(r"\n\s*\n", inspect.cleandoc(docstring))
    examples = "\n\n".join(block for block in blocks if block.startswith(">>> "))
    prose = [_prose(block) for block in blocks if block and not block.startswith(">>> ")]
    return "\n\n".join(prose), prose[0] if prose else "", examples


def _prose(block: str) -> str:
    """A paragraph on one line, and indented code as code."""
    if block.startswith("    "):
        return f"```python\n{inspect.cleandoc(block)}\n```"
    return _wrap(" ".join(block.split()))


def _wrap(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
