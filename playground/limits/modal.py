"""Rules for modals."""

from __future__ import annotations

from collections.abc import Iterator

from playground.components import Kind, walk
from playground.limits import table
from playground.limits.measure import check_count, check_length, check_unique
from playground.limits.parts import option_flaws, part_flaws
from playground.wire import Flaw, Json

_TOP_LEVEL = frozenset({Kind.ACTION_ROW, Kind.LABEL, Kind.TEXT_DISPLAY})


def modal_flaws(data: Json) -> list[Flaw]:
    """The flaws of the `data` of a modal response."""
    top = data.get("components") or []
    parts = list(walk(top))
    return [
        *check_length("title", data.get("title") or "", table.MODAL_TITLE, least=1),
        *check_length("custom_id", data.get("custom_id") or "", table.CUSTOM_ID, least=1),
        *check_count("components", top, table.MODAL_COMPONENTS, least=1),
        *check_unique(
            ((f"{path}.custom_id", p["custom_id"]) for path, p in parts if p.get("custom_id")), "the custom_id"
        ),
        *(
            Flaw(f"components.{index}", f"component type {part.get('type')} is not allowed at the top level of a modal")
            for index, part in enumerate(top)
            if part.get("type") not in _TOP_LEVEL
        ),
        *(flaw for path, part in parts for flaw in _field_flaws(path, part)),
    ]


def _field_flaws(path: str, part: Json) -> Iterator[Flaw]:
    match part.get("type"):
        case Kind.LABEL:
            yield from check_length(f"{path}.label", part.get("label") or "", table.LABEL, least=1)
            yield from check_length(f"{path}.description", part.get("description"), table.LABEL_DESCRIPTION)
            if not isinstance(part.get("component"), dict):
                yield Flaw(f"{path}.component", "a label needs a field")
        case Kind.TEXT_INPUT:
            yield from _input_flaws(path, part)
        case Kind.RADIO_GROUP | Kind.CHECKBOX_GROUP:
            yield from check_length(f"{path}.custom_id", part.get("custom_id") or "", table.CUSTOM_ID, least=1)
            # Without `max_values`, all boxes of a group may be checked.
            several = part.get("max_values") or len(part.get("options") or ())
            most = 1 if part["type"] == Kind.RADIO_GROUP else several
            yield from option_flaws(path, {**part, "max_values": most}, table.GROUP_CHOICES)
        case _:
            yield from part_flaws(path, part)


def _input_flaws(path: str, field: Json) -> Iterator[Flaw]:
    yield from check_length(f"{path}.custom_id", field.get("custom_id") or "", table.CUSTOM_ID, least=1)
    yield from check_length(f"{path}.label", field.get("label"), table.LABEL, least=1)
    yield from check_length(f"{path}.placeholder", field.get("placeholder"), table.INPUT_PLACEHOLDER)
    yield from check_length(f"{path}.value", field.get("value"), table.INPUT_TEXT)
    least, most = field.get("min_length") or 0, field.get("max_length") or table.INPUT_TEXT
    if not 0 <= least <= most <= table.INPUT_TEXT:
        yield Flaw(f"{path}.min_length", f"lengths {least} to {most} are no range within 0 to {table.INPUT_TEXT}")
