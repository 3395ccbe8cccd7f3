"""The page of barred people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.interactions.controls import MENU_ROWS, NO_TABLE, Control, ControlId, Menu, UserMenu
from bot.interactions.forms import Form
from bot.interactions.parts import Layout, layout, row
from bot.moderation.server_games_layouts import ROOM
from bot.store.bars import MAX_REASON, Bar
from bot.tables.company import span_of
from bot.tables.people import escaped, mention
from bot.view.my_games import that_fit
from engine.texts import Text, joined

ABOUT = Text(
    "### Who may not play here\nA bar keeps a person from setting up, joining and taking over games in this server, "
    "and leagues do not pair them. If they try, they read until when, and why. Games that they already play go on; "
    "with `/server games` you can give their seats to computers."
)
SPANS = {
    "1": Text("For a day"),
    "3": Text("For 3 days"),
    "7": Text("For a week"),
    "30": Text("For 30 days"),
    "90": Text("For 90 days"),
    "0": Text("Until further notice"),
}
"""Days -> how they are called; 0 for no end."""


def bars_layout(bars: Sequence[Bar], note: Text | None) -> Layout:
    """The bars of a server, with menus to bar a person and to let one play again."""
    lines = [*([note] if note else []), ABOUT, *([] if bars else [Text("-# Nobody is barred.")])]
    # the newest ones: a menu has no more rows
    listed = [str(joined([Text("* "), _bar_line(one)], "")) for one in bars[:MENU_ROWS]]
    if len(bars) > MENU_ROWS:
        listed.append(str(Text("-# … and {more} more", more=len(bars) - MENU_ROWS)))
    items: list[discord.ui.Item[Any]] = [TextDisplay("\n".join([*map(str, lines), *that_fit(listed, ROOM)]))]
    items.append(row(UserMenu(ControlId("barwhom", NO_TABLE), str(Text("Bar a person")))))
    if bars:
        rows = tuple((one.digest, one.name or str(Text("somebody"))) for one in bars[:MENU_ROWS])
        items.append(row(Menu(ControlId("liftbar", NO_TABLE), rows, str(Text("Let a person play again")))))
    return layout(*items)


def _bar_line(bar: Bar) -> Text:
    line = Text("{user}, {until}", user=mention(bar.user_id), until=span_of(bar))
    return Text("{line}: {reason}", line=line, reason=escaped(bar.reason)) if bar.reason else line


def span_layout(user_id: int, name: str, bar: Bar | None) -> Layout:
    """For how long a person is barred; `bar` is the one that they have."""
    lines = [Text("### For how long may {user} not play here?", user=mention(user_id))]
    if bar is not None:
        lines.append(Text("They are barred {until}; what you choose now counts instead.", until=span_of(bar)))
    rows = tuple((days, str(text)) for days, text in SPANS.items())
    menu = Menu(ControlId("barspan", NO_TABLE, text=f"{user_id} {name}"), rows, str(Text("Choose how long")))
    back = Control(ControlId("bars", NO_TABLE), str(Text("Back")))
    return layout(TextDisplay(str(joined(lines, "\n"))), row(menu), row(back))


def reason_form(control: ControlId) -> Form:
    """Asks why a person is barred."""
    return Form(
        control,
        str(Text("Bar a person")),
        str(Text("Why?")),
        most=MAX_REASON,
        said=str(Text("The person reads it when they try to play, and the moderators’ log shows it.")),
        optional=True,
    )
