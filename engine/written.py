"""Functions written out field by field, for what is made by the million: a loop over the fields would take longer."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any, TypeVar

T = TypeVar("T")


def function(head: str, *lines: str, **names: Any) -> Callable[..., Any]:
    """The function with a head such as `add(one, other)` and these lines; `names` is all it may use."""
    body = "".join(f"\n    {line}" for line in lines)
    exec(f"def {head}:{body}", names)
    written: Callable[..., Any] = names[head.partition("(")[0]]
    return written


def setters(cls: Any) -> dict[str, Callable[[Any, Any], None]]:
    """`set_` and the name of each field of a slotted dataclass -> what fills the slot, be the class frozen or not."""
    return {f"set_{field.name}": getattr(cls, field.name).__set__ for field in dataclasses.fields(cls)}


def filling_slots(cls: type[T]) -> type[T]:
    """For a frozen, slotted dataclass that is made very often; goes above `@dataclass`.

    Its `__init__` fills the slots straight away, where that of `dataclass` asks `object.__setattr__` for each of them.
    No field may have a default factory.
    """
    slow: Any = cls.__init__
    lines = [f"set_{f.name}(self, {f.name})" for f in dataclasses.fields(cls) if f.init]  # type: ignore[arg-type]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    fast = function(f"__init__({_parameters(slow)})", *lines, **setters(cls))
    fast.__defaults__, fast.__kwdefaults__ = slow.__defaults__, slow.__kwdefaults__
    fast.__annotations__, fast.__qualname__ = slow.__annotations__, slow.__qualname__
    cls.__init__ = fast  # type: ignore[method-assign]
    return cls


def _parameters(init: Callable[..., Any]) -> str:
    """`self, one, *, other`, without the defaults."""
    parameters = signature(init).parameters.values()
    named = [p.name for p in parameters if p.kind is Parameter.KEYWORD_ONLY]
    return ", ".join([p.name for p in parameters if p.name not in named] + ["*"] * bool(named) + named)
