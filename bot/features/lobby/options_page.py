"""*Options* of a lobby: the options of the game, its start, hints and rating."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields
from functools import partial
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features import groups
from bot.features.fields import Choice, Pick, field_items
from bot.features.handlers import TableRequest, at_table
from bot.features.lobby.option_files import OwnFile, OwnFiles, in_message, own_files
from bot.features.lobby.option_pages import Page, game_pages, page_of, page_row, shares_page
from bot.features.lobby.table_message import require_host, update_lobby
from bot.interactions.controls import Control, ControlId
from bot.interactions.kinds import InVersion, TableKind
from bot.interactions.parts import PRIMARY, Layout, layout, row
from bot.interactions.phone import MENU_LINE
from bot.interactions.responses import together
from bot.store.shard_range import NO_SERVER
from bot.tables.options import option_about, option_title, plain_option_words, preset_of, value_words
from bot.tables.rated import why_not_rated
from bot.tables.table import Table, require_lobby
from engine.core import GameSpec, OptionValue
from engine.texts import Text, joined, shortened

OWN_FILE = "file "
"""Prefix of the value of a menu row that stands for a file of the operator."""

CURRENT_TEXT = "kept"
"""The value of a menu row for a text chosen earlier, whose file is gone or has changed."""

HINTS = Pick.of(
    "hints",
    Text("**Hints** – whether players can ask for their best moves; alone against computers they always can."),
    {False: Text("Hints: no"), True: Text("Hints: yes")},
)

TABLE_PAGE = 99
"""A page number past the pages of every game: the last page, with the options of the table."""

NO_CHOICE = Text("This option has no such choice.")

MAX_SHOWN_PROBLEM = 160
"""Maximum characters of the problem of an invalid file, so that a message has room for several."""


@groups.table.command("options", "Choose the options of this table’s game (host)")
@at_table("options")
async def options(request: TableRequest) -> None:
    """Show a private message with a menu for each option, in short pages."""
    await _show_page(request, 0)


@at_table("optionpage")
async def show_page(request: TableRequest, page: int) -> None:
    """A button to another page of the options."""
    await _show_page(request, page)


async def _show_page(request: TableRequest, page: int) -> None:
    require_host(request)
    require_lobby(request.table)
    files = await own_files(request.services.data_dir, request.table.spec)
    await request.response.show(options_layout(request.table, files, page))


@at_table("preset")
async def choose_preset(request: TableRequest, number: InVersion[int]) -> None:
    """Set the options of the chosen preset."""
    require_host(request)
    preset = preset_numbered(request.table.spec, number)
    await request.services.lobbies.set_options(request.table, preset)
    await _show_changed(request, 0)


def preset_numbered(spec: GameSpec, number: int) -> Mapping[str, OptionValue]:
    """The options of a preset. Raises `UserError` for an unknown number, since ids can be forged."""
    if number >= len(spec.presets):
        raise UserError(Text("This game no longer has these options."))
    return spec.presets[number].options


async def _show_changed(request: TableRequest, page: int) -> None:
    """Show a page of the options as they are now, and the lobby."""
    services, table = request.services, request.table
    files = await own_files(services.data_dir, table.spec)
    await together(request.response.show(options_layout(table, files, page)), update_lobby(services, table))


@at_table("full")
async def toggle_full(request: TableRequest) -> None:
    """*Start when full*: toggle whether the game starts with its last seat."""
    require_host(request)
    table = request.table
    # without a free seat, no player could trigger it
    if table.is_full and not table.row.when_full:
        raise UserError(Text("The table is already full: tap **Start**."))
    await request.services.lobbies.keep(table, when_full=not table.row.when_full)
    await _show_changed(request, TABLE_PAGE)


@at_table("check")
async def toggle_check(request: TableRequest) -> None:
    """*Ready check*: toggle whether the game starts only after everyone is ready."""
    require_host(request)
    table = request.table
    await request.services.lobbies.keep(table, ready_check=not table.row.ready_check, ready=None)
    await _show_changed(request, TABLE_PAGE)


@at_table("rated")
async def toggle_rated(request: TableRequest) -> None:
    """*Rated*: toggle whether the result counts. This resets the ready check."""
    require_host(request)
    if request.table.row.guild_id == NO_SERVER:
        raise UserError(Text("Games in direct messages aren’t rated."))
    await request.services.lobbies.keep(request.table, rated=not request.table.row.rated, ready=None)
    await _show_changed(request, TABLE_PAGE)


@at_table("option")
async def choose_option(request: TableRequest, name: str, number: InVersion[int]) -> None:
    """Set an option to the choice of a menu row. `number` only makes the ids of the menus unique."""
    require_host(request)
    option = option_named(request.table.spec, name)
    row = request.value
    if row.startswith(OWN_FILE):
        # read again: the menu has only the name, and the file may have changed
        files = await own_files(request.services.data_dir, request.table.spec)
        text = _text_of(request.table, files, option.name, row)
        await request.services.lobbies.set_option(request.table, option.name, text)
    elif row != CURRENT_TEXT:
        await request.services.lobbies.set_option(request.table, option.name, fixed_choice(option, row))
    await _show_changed(request, page_of(request.table.spec, name))


@at_table("hints")
async def allow_hints(request: TableRequest) -> None:
    """Allow or forbid hints at the table."""
    require_host(request)
    choice = HINTS.choice_of(request.value)
    if choice is None:
        raise UserError(NO_CHOICE)
    await request.services.lobbies.allow_hints(request.table, allowed=choice.value)
    await _show_changed(request, TABLE_PAGE)


def option_named(spec: GameSpec, name: str) -> Field[Any]:
    """An option of a game. Raises `UserError` for an unknown name, since ids can be forged."""
    option_field = next((option for option in fields(spec.options) if option.name == name), None)
    if option_field is None:
        raise UserError(Text("This game no longer has this option."))
    return option_field


def fixed_choice(option: Field[Any], row: str) -> OptionValue:
    """The fixed choice of a menu row. Raises `UserError` for an unknown number."""
    choices: Sequence[OptionValue] = option.metadata["choices"]
    if not row.isdecimal() or int(row) >= len(choices):
        raise UserError(NO_CHOICE)
    return choices[int(row)]


def _text_of(table: Table, files: OwnFiles, option: str, row: str) -> str:
    """The text of the file of a menu row. Raises `UserError` if the file is gone or invalid by now."""
    name = row.removeprefix(OWN_FILE)
    file = next((file for file in files.get(option, ()) if file.name == name), None)
    if file is None or file.problem:
        problem = file.problem if file else None
        raise UserError(unusable(name, problem or Text("it’s gone.")))
    return file.text


# --- layouts ---


def options_layout(table: Table, files: OwnFiles | None = None, page: int = 0) -> Layout:
    """A page of the options, or the last one, with the operator's `files` for options that accept one."""
    spec, pages = table.spec, game_pages(table.spec)
    page = min(page, len(pages) - shares_page(spec))
    heading = TextDisplay[Any](str(Text("### Options for {title}", title=spec.name)))
    items: list[discord.ui.Item[Any]] = []
    if page < len(pages):
        items += _game_items(table, files, page)
    if page == len(pages) or shares_page(spec):
        items += _table_items(table)
    return layout(heading, *items, *page_row(spec, partial(show_page.id, table), page, table=True))


def _game_items(table: Table, files: OwnFiles | None, page: int) -> list[discord.ui.Item[Any]]:
    """The options of the game on a page."""
    sets = presets(table.spec, table.row.options, partial(choose_preset.id, table)) if page == 0 else []
    options, control = table.row.options, partial(_option_id, table)
    return [*sets, *option_items(table.spec, options, control, files, game_pages(table.spec)[page])]


def _table_items(table: Table) -> list[discord.ui.Item[Any]]:
    """The items for the start of the game, its rating and hints."""
    return [*_beginning(table), *field_items((HINTS,), lambda _: allow_hints.id(table), {"hints": table.hints})]


def _option_id(table: Table, number: int, name: str) -> ControlId:
    return choose_option.id(table, name, number)


def option_items(
    spec: GameSpec,
    chosen: Mapping[str, Any],
    control: Callable[[int, str], ControlId],
    files: OwnFiles | None,
    page: Page,
) -> list[discord.ui.Item[Any]]:
    """A menu for each option on a page; `control` makes its id from the option's number in the game and its name."""
    numbers = {option.name: number for number, option in enumerate(dataclasses.fields(spec.options))}
    options = [option for option in dataclasses.fields(spec.options) if option.name in page]
    values = {option.name: chosen.get(option.name, option.default) for option in options}
    own = {option.name: (files or {}).get(option.name, ()) for option in options}
    fields = [_option_field(spec, option, values[option.name], own[option.name]) for option in options]
    notes = {
        name: [Text("-# {problem}", problem=unusable(file.name, file.problem)) for file in some if file.problem]
        for name, some in own.items()
    }
    return [*field_items(fields, lambda name: control(numbers[name], name), values, notes)]


def _beginning(table: Table) -> list[discord.ui.Item[Any]]:
    """The controls for the start of the game. A game with secrets always begins with a ready check."""
    if table.row.guild_id == NO_SERVER:
        return []
    full, asks = table.row.when_full, table.row.ready_check
    about = Text("**Start** – automatically when the last seat is taken, or only when somebody taps Start.")
    toggles = [_toggle(toggle_full, table, Text("Start when full"), on=full, disabled=table.is_full and not full)]
    if not table.spec.hands:
        more = Text(" With a ready check, everyone has to tap Ready first.")
        about, toggles = (
            joined([about, more], ""),
            [*toggles, _toggle(toggle_check, table, Text("Ready check"), on=asks)],
        )
    counts = Text("**Rated** – {why}", why=why_not_rated(table) or Text("the result counts in `/stats`."))
    toggles.append(_toggle(toggle_rated, table, Text("Rated"), on=table.row.rated))
    return [TextDisplay(table.say(joined([about, counts], "\n"))), row(*toggles)]


def _toggle(kind: TableKind[[]], table: Table, label: Text, *, on: bool, disabled: bool = False) -> Control:
    return Control(kind.id(table), _with_mark(label, on=on), disabled=disabled)


def _with_mark(label: Text, *, on: bool) -> Text:
    return Text("✓ {label}", label=label) if on else label


def presets(
    spec: GameSpec, chosen: Mapping[str, OptionValue], control: Callable[[int], ControlId]
) -> list[discord.ui.Item[Any]]:
    """A button for each preset of a game below their descriptions, with a mark on that of the chosen options.

    `control` makes its id from the preset's number.
    """
    if not spec.presets:
        return []
    active = preset_of(spec, chosen)
    buttons = [
        Control(control(number), _with_mark(Text("{preset}", preset=preset.name), on=preset == active), PRIMARY)
        for number, preset in enumerate(spec.presets)
    ]
    about = "\n".join(str(Text("-# {preset}", preset=preset.about)) for preset in spec.presets)
    return [TextDisplay(about), row(*buttons)]


def unusable(name: str | Text, problem: Text) -> Text:
    """A line for an invalid file of the operator, with a shortened reason."""
    line = " ".join(str(in_message(problem)).split())
    return Text("{file} can’t be used: {problem}", file=name, problem=shortened(line, MAX_SHOWN_PROBLEM))


def _option_field(spec: GameSpec, option: Field[Any], value: OptionValue, own: Sequence[OwnFile]) -> Pick:
    """The fixed choices by number, then the valid files, then the current value if it is none of these."""
    rows: list[tuple[str, OptionValue]] = [(str(n), choice) for n, choice in enumerate(option.metadata["choices"])]
    rows += [(f"{OWN_FILE}{file.name}", file.text) for file in own if not file.problem]
    if isinstance(value, str) and value not in [choice for _, choice in rows]:
        rows.append((CURRENT_TEXT, value))
    about = Text("**{option}** – {about}", option=option_title(option), about=option_about(option))
    labels = [plain_option_words(spec, option.name, choice) for _, choice in rows]
    if max(len(str(label)) for label in labels) > MENU_LINE:
        # a phone would cut the value, and the title is above the menu
        labels = [Text("{answer:^}", answer=value_words(spec, option, choice)) for _, choice in rows]
    choices = (Choice(row, choice, label) for (row, choice), label in zip(rows, labels, strict=True))
    return Pick(option.name, about, tuple(choices))
