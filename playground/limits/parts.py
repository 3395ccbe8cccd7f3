"""Rules for single components, independent of their place."""

from __future__ import annotations

from collections.abc import Iterator

from playground.components import ENTITY_SELECTS, SELECTS, Kind
from playground.limits import table
from playground.limits.measure import check_count, check_length, check_unique
from playground.wire import Flaw, Json

LINK_STYLE = 5
PREMIUM_STYLE = 6


def part_flaws(path: str, part: Json) -> Iterator[Flaw]:
    """The flaws of one component, without its children."""
    kind = part.get("type")
    yield from check_length(f"{path}.custom_id", part.get("custom_id"), table.CUSTOM_ID, least=1)
    match kind:
        case Kind.ACTION_ROW:
            yield from _row_flaws(path, part)
        case Kind.BUTTON:
            yield from _button_flaws(path, part)
        case Kind.SECTION:
            yield from _section_flaws(path, part)
        case Kind.TEXT_DISPLAY:
            yield from check_length(f"{path}.content", part.get("content") or "", table.V2_TEXT, least=1)
        case Kind.MEDIA_GALLERY:
            yield from _gallery_flaws(path, part)
        case Kind.CONTAINER:
            yield from _container_flaws(path, part)
        case _ if kind in SELECTS:
            yield from _select_flaws(path, part)


def _row_flaws(path: str, row: Json) -> Iterator[Flaw]:
    inside = [child.get("type") for child in row.get("components") or ()]
    yield from check_count(f"{path}.components", inside, table.BUTTONS_IN_ROW, least=1)
    if any(kind in SELECTS for kind in inside) and len(inside) > 1:
        yield Flaw(f"{path}.components", "a menu needs the whole row")
    if any(kind != Kind.BUTTON and kind not in SELECTS and kind != Kind.TEXT_INPUT for kind in inside):
        yield Flaw(f"{path}.components", "a row holds buttons or one menu")


def _button_flaws(path: str, button: Json) -> Iterator[Flaw]:
    style, custom_id, url = button.get("style"), button.get("custom_id"), button.get("url")
    if style is None:
        yield Flaw(f"{path}.style", "a button needs a style")
    # A premium button has a `sku_id`, but neither a custom id, a URL nor a label.
    elif style == PREMIUM_STYLE:
        return
    elif bool(custom_id) == bool(url):
        yield Flaw(path, "a button has either a custom_id or a url")
    elif (style == LINK_STYLE) != bool(url):
        yield Flaw(f"{path}.style", "a url belongs to the link style, and the link style needs one")
    if not button.get("label") and not button.get("emoji"):
        yield Flaw(path, "a button needs a label or an emoji")
    yield from check_length(f"{path}.label", button.get("label"), table.BUTTON_LABEL)


def _select_flaws(path: str, menu: Json) -> Iterator[Flaw]:
    if not menu.get("custom_id"):
        yield Flaw(f"{path}.custom_id", "a menu needs a custom_id")
    yield from check_length(f"{path}.placeholder", menu.get("placeholder"), table.PLACEHOLDER)
    # By default, exactly one entry is chosen.
    least, most = menu.get("min_values", 1), menu.get("max_values", 1)
    if least is not None and most is not None and least > most:
        yield Flaw(f"{path}.min_values", f"min_values {least} is above max_values {most}")
    if menu.get("type") == Kind.STRING_SELECT:
        yield from option_flaws(path, menu, table.OPTIONS)
    if menu.get("type") in ENTITY_SELECTS:
        yield from _default_flaws(path, menu, least or 0, most or 0)


_DEFAULTS = {
    Kind.USER_SELECT: {"user"},
    Kind.ROLE_SELECT: {"role"},
    Kind.CHANNEL_SELECT: {"channel"},
    Kind.MENTIONABLE_SELECT: {"user", "role"},
}


def _default_flaws(path: str, menu: Json, least: int, most: int) -> Iterator[Flaw]:
    """Default values must fit the menu's kind and its limits."""
    defaults = menu.get("default_values") or []
    if most > table.OPTIONS:
        yield Flaw(f"{path}.max_values", f"at most {table.OPTIONS} entries can be chosen")
    if defaults and not least <= len(defaults) <= most:
        yield Flaw(f"{path}.default_values", f"{len(defaults)} entries are selected by default, not {least} to {most}")
    for index, value in enumerate(defaults):
        if value.get("type") not in _DEFAULTS[menu["type"]]:
            yield Flaw(f"{path}.default_values.{index}", f"a {value.get('type')} cannot be chosen here")


def option_flaws(path: str, menu: Json, most: int) -> Iterator[Flaw]:
    """The flaws of the options of a string select or a choice group."""
    options = menu.get("options") or []
    yield from check_count(f"{path}.options", options, most, least=1)
    yield from check_unique(((f"{path}.options.{i}.value", o.get("value")) for i, o in enumerate(options)), "the value")
    for index, option in enumerate(options):
        for key in ("label", "value"):
            yield from check_length(f"{path}.options.{index}.{key}", option.get(key) or "", table.OPTION_TEXT, least=1)
        yield from check_length(f"{path}.options.{index}.description", option.get("description"), table.OPTION_TEXT)
    chosen = sum(bool(option.get("default")) for option in options)
    if chosen > (menu.get("max_values") or 1):
        yield Flaw(f"{path}.options", f"{chosen} options are selected by default, more than max_values")
    if len(options) < (menu.get("max_values") or 1):
        yield Flaw(f"{path}.max_values", f"only {len(options)} options to choose from")


def _section_flaws(path: str, section: Json) -> Iterator[Flaw]:
    texts = section.get("components") or []
    yield from check_count(f"{path}.components", texts, table.SECTION_TEXTS, least=1)
    if any(text.get("type") != Kind.TEXT_DISPLAY for text in texts):
        yield Flaw(f"{path}.components", "a section holds text displays")
    accessory = section.get("accessory")
    if not accessory or accessory.get("type") not in (Kind.BUTTON, Kind.THUMBNAIL):
        yield Flaw(f"{path}.accessory", "a section needs a button or a thumbnail beside it")


def _gallery_flaws(path: str, gallery: Json) -> Iterator[Flaw]:
    items = gallery.get("items") or []
    yield from check_count(f"{path}.items", items, table.GALLERY_ITEMS, least=1)
    for index, item in enumerate(items):
        description = item.get("description")
        yield from check_length(f"{path}.items.{index}.description", description, table.GALLERY_DESCRIPTION, least=1)


_IN_CONTAINER = frozenset(
    {Kind.ACTION_ROW, Kind.TEXT_DISPLAY, Kind.SECTION, Kind.MEDIA_GALLERY, Kind.SEPARATOR, Kind.FILE}
)


def _container_flaws(path: str, container: Json) -> Iterator[Flaw]:
    inside = container.get("components") or []
    yield from check_count(f"{path}.components", inside, table.CONTAINER_CHILDREN, least=1)
    for index, child in enumerate(inside):
        if child.get("type") not in _IN_CONTAINER:
            yield Flaw(
                f"{path}.components.{index}", f"component type {child.get('type')} is not allowed in a container"
            )
