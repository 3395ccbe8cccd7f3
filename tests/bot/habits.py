"""Preferences of a person, changed on their page of `/me settings`."""

from __future__ import annotations

from bot.features.settings.preference_page import PAGE_BY_NAME, PAGES
from playground.player import Player, Seen

PAGE_BY_FIELD = {field.name: page for page in PAGES for field in page.fields} | PAGE_BY_NAME


async def open_settings(person: Player, field: str) -> Seen:
    """The page of the settings that has a preference."""
    page, target = await person.slash("me settings"), PAGE_BY_FIELD[field]
    if target is PAGES[0]:
        return page
    button = next(button for button in page.buttons if str(button.custom_id).endswith(f":{target.name}"))
    return await person.tap_id(button.custom_id, on=page)


async def choose_preference(person: Player, field: str, row: str) -> Seen | None:
    """Choose a row of the menu of a preference. Returns the page, or `None` if a form opens."""
    page = await open_settings(person, field)
    return await person.choose(row, on=page, menu=menu_of(page, field))


def menu_of(page: Seen, field: str) -> int:
    """The number of the menu of a preference on its page."""
    return next(n for n, menu in enumerate(page.menus) if field in str(menu.custom_id).split(":"))


def chosen_preference(page: Seen, field: str) -> list[str]:
    """The rows that the menu of a preference shows as chosen; none for a value without a row."""
    return [option.label for option in page.menus[menu_of(page, field)].options if option.chosen]


def strong(seen: Seen) -> bool:
    """Whether the ink of its only picture, the first color of every palette, is black."""
    (image,) = seen.images
    return image.data.partition(b"PLTE")[2][:3] == b"\0\0\0"
