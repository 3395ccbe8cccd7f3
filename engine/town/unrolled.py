"""Builders whose fields are written out one by one, as `dataclasses` write out theirs.

A ply of the town takes some ten microseconds; a loop over fifteen fields would be a third of it.
"""

from __future__ import annotations

from dataclasses import Field, fields
from typing import Any

from engine.core import State


def opener(state_type: type[State]) -> Any:
    """`__init__` of a builder: every field of the state, and lists for its tuples."""
    values = (f"[*state.{f.name}]" if _is_tuple(f) else f"state.{f.name}" for f in fields(state_type))
    lines = (f"self.{f.name} = {value}" for f, value in zip(fields(state_type), values, strict=True))
    return _function("__init__(self, state)", "self.before = state", "self.events = []", *lines)


def closer(state_type: type[State]) -> Any:
    """`position` of a builder: a state, its slots filled without the detour of a frozen class."""
    slots = {f"set_{f.name}": getattr(state_type, f.name).__set__ for f in fields(state_type)}
    values = (f"(*self.{f.name},)" if _is_tuple(f) else f"self.{f.name}" for f in fields(state_type))
    lines = (f"{slot}(state, {value})" for slot, value in zip(slots, values, strict=True))
    new = {"new": object.__new__, "state_type": state_type}
    return _function("position(self)", "state = new(state_type)", *lines, "return state", **slots, **new)


def _is_tuple(field: Field[Any]) -> bool:
    return str(field.type).startswith("tuple[")


def _function(head: str, *lines: str, **names: Any) -> Any:
    body = "".join(f"\n    {line}" for line in lines)
    exec(f"def {head}:{body}", names)
    return names[head.partition("(")[0]]
