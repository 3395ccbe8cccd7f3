"""Discord's documented limits, and rules between fields, which its OpenAPI file does not contain.

Every function returns the flaws of a payload; an empty list means that it is valid.
"""

from __future__ import annotations

from playground.limits.commands import autocomplete_flaws, command_flaws
from playground.limits.message import is_empty, message_flaws, size_problem
from playground.limits.modal import modal_flaws

__all__ = [
    "autocomplete_flaws",
    "command_flaws",
    "is_empty",
    "message_flaws",
    "modal_flaws",
    "size_problem",
]
