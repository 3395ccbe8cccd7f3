"""The base class of values: classes that are compared by their fields and never change."""

from __future__ import annotations

from abc import ABCMeta
from dataclasses import dataclass, field
from typing import Any, dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class ValueType(type):
    """Makes every class of values a frozen data class with slots."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: bool) -> ValueType:
        value = super().__new__(cls, name, bases, namespace)
        if "__slots__" not in namespace:
            make: Any = dataclass(frozen=True, slots=True, **options)
            # This calls `ValueType` again, for the class with slots.
            value = make(value)
        return value


class Value(metaclass=ValueType, eq=False):
    """A frozen data class with slots, without a decorator. Class keywords are the options of `dataclass`.

    >>> class Card(Value):
    ...     suit: str
    ...     rank: int = 1
    >>> Card("cups") == Card("cups", 1)
    True
    """


# Type checkers do not look for it in the bases of a metaclass.
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class AbstractValueType(ValueType, ABCMeta):
    """`ValueType` for classes with abstract methods. Their instances take longer to check with `isinstance`."""


class AbstractValue(Value, metaclass=AbstractValueType, eq=False):
    """A value with abstract methods: a class that lacks one of them cannot be instantiated."""
