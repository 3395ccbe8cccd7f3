"""The table before the game, message by message."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

import discord
from discord.ui import ActionRow, Container, TextDisplay

from bot.interactions.controls import NO_TABLE, Control, ControlId, Menu, UserMenu
from bot.interactions.parts import (
    DANGER,
    GOLD,
    PLAIN,
    PRIMARY,
    SUCCESS,
    Layout,
    Wording,
    layout,
    row,
    rows,
    sealed_digits,
    stamp,
)
from bot.lobby.option_files import OwnFile, OwnFiles, in_message
from bot.store.matches import Admission
from bot.store.shard_range import NO_SERVER
from bot.tables.lobbies import EXPIRES
from bot.tables.options import option_about, option_title, option_words, plain_option_words
from bot.tables.paces import PACES, all_paces, pace_words
from bot.tables.people import escaped, mention
from bot.tables.rated import ALONE, why_not_rated
from bot.tables.table import Table
from engine.core import GameSpec, OptionValue
from engine.texts import Seat, Text, joined, option_text, shortened

INVITED = 12
"""Most people who are named as invited, the newest of them."""


def lobby_layout(table: Table, note: Text | None = None) -> Layout:
    """The table before the game: who sits where, what was chosen, and Start; or who is ready, once all were asked."""
    if table.row.ready is None:
        full, enough = table.is_full, len(table.row.holders) in table.spec.seats
        asks = table.row.admits is Admission.REQUEST
        controls = [
            _control(table, "join", Text("Ask to join") if asks else Text("Join"), SUCCESS, disabled=full),
            _control(table, "start", Text("a button\4Start"), PRIMARY, disabled=not enough),
            _control(table, "add", Text("Add computer"), disabled=full),
        ]
    else:
        controls = [_control(table, "ready", Text("Ready"), SUCCESS)]
    # Discord: a row has five buttons; what is needed rarely is behind *More*
    buttons = row(*controls, _control(table, "more", Text("More")))
    return layout(Container(TextDisplay(_lobby_words(table, note)), buttons, accent_color=GOLD))


def more_layout(table: Table, *, seated: bool, in_charge: bool) -> Layout:
    """What else one person may do at a table: those who sit there, and the host."""
    own = [_control(table, "rules", Text("Rules")), _control(table, "luck", Text("Luck"))]
    if seated and len(table.row.holders) > 1:
        own.append(_control(table, "shuffle", Text("Shuffle seats")))
    if seated:
        own.append(_control(table, "leave", Text("Leave")))
    if len(table.people) > seated:
        own.append(_control(table, "blockhere", Text("Block a player")))
    of_host = rows(_of_host(table)) if in_charge else []
    return layout(TextDisplay(table.say(Text("### More at this table"))), row(*own), *of_host)


def _of_host(table: Table) -> list[Control]:
    # in a direct message there is nobody to invite, and nobody else whom a late player would hold up
    alone, asks = table.row.guild_id == NO_SERVER, table.row.ready is not None
    return [
        *([_control(table, "notyet", Text("Not yet"))] if asks else []),
        *([] if alone else [_control(table, "invite", Text("Invite")), _control(table, "paces", Text("Pace"))]),
        _control(table, "options", Text("Options")),
        *([_control(table, "computers", Text("Computers"))] if table.computers else []),
        _control(table, "remove", Text("a button\4Remove")),
        _control(table, "askend", Text("Close the table"), DANGER),
    ]


def _control(table: Table, kind: str, label: Text, style: discord.ButtonStyle = PLAIN, **more: bool) -> Control:
    return Control(ControlId(kind, table.id), table.say(label), style, **more)


def _lobby_words(table: Table, note: Text | None) -> str:
    spec, stored, taken = table.spec, table.row, len(table.row.holders)
    lines = [_seated(table, Seat(n)) for n in range(taken)]
    # only the seats that are needed: one that may stay empty keeps nobody waiting
    lines += [Text("{seat} …", seat=Seat(n)) for n in range(taken, spec.seats[0])]
    lines += _how(table)
    if stored.pace in PACES:
        lines.append(Text("-# ⏳ {pace}", pace=pace_words(stored.pace, firm=stored.firm)))
    if stored.admits in ADMITS:
        lines.append(ADMITS[stored.admits])
    lines.append(_luck(table))
    expected = [Text("{user}", user=mention(user_id)) for user_id in table.invited if user_id not in table.people]
    # once all are asked whether they are ready, nobody else is expected
    if expected and stored.ready is None:
        lines.append(Text("-# Invited: {people}", people=joined(expected[-INVITED:], ", ")))
    lines.append(_state(table))
    if note:
        lines.append(note)
    return "\n".join((f"## {spec.name}", str(spec.about), "", *map(table.say, lines)))


ADMITS = {
    Admission.REQUEST: Text("-# 🔑 On request: the host lets people in."),
    Admission.INVITATION: Text("-# 🔑 By invitation: the host invites people."),
}
"""What the lobby says of tables that not everyone may join."""


def _seated(table: Table, seat: Seat) -> Text:
    host = table.row.holders[seat].user_id == table.row.host_id
    told = Text("{person} · host" if host else "{person}", person=table.person(seat))
    if table.row.ready is None:
        return told
    return Text("{mark} {told}", mark="⏳" if table.row.holders[seat].user_id in table.unready else "✅", told=told)


def _how(table: Table) -> list[Text]:
    """Which options are chosen: by the name they have together, else one by one."""
    spec, options = table.spec, table.row.options
    # not stored: a set that was chosen option by option has its name as well
    named = next((preset.name for preset in spec.presets if dict(preset.options) == options), None)
    each = [option_words(spec, name, value) for name, value in options.items()]
    chosen = [
        *(each if named is None else [Text("{preset}", preset=named)]),
        *([HINTS] if table.hints else []),
    ]
    return [Text("-# {chosen}", chosen=joined(chosen, " · "))] if chosen else []


def _luck(table: Table) -> Text:
    """The beginning of the hash from which nobody can change the luck any more, and whether the result counts."""
    # docs/luck.md: shown before anybody can know how it will matter
    sealed = Text("-# 🎲 Luck sealed: {start}", start=sealed_digits(table.row.secret))
    if table.row.guild_id == NO_SERVER:
        return sealed
    why = why_not_rated(table)
    rated = Text("Rated") if why is None else Text("Rated once two people play") if why is ALONE else Text("Not rated")
    return Text("{sealed} · {rated}", sealed=sealed, rated=rated)


def pace_items(table: Table) -> list[discord.ui.Item[Any]]:
    """A menu of all paces, and what it is about."""
    about = Text(
        "**Pace** – how long a turn may take. Players who take longer are warned before anything happens, and can "
        "get the seat back at any time with `/game join`."
    )
    rows = tuple((value, table.say(pace_words(pace, firm=firm))) for value, (pace, firm) in all_paces().items())
    now = (table.row.pace, table.row.firm)
    chosen = next((value for value, choice in all_paces().items() if choice == now), None)
    return [TextDisplay(table.say(about)), row(Menu(ControlId("pace", table.id), rows, chosen=chosen))]


def _state(table: Table) -> Text:
    """Whether the game can begin, and what it waits for."""
    if table.row.ready is None:
        return _how_many(table.spec, len(table.row.holders), when_full=table.row.when_full)
    people = tuple(map(mention, table.unready))
    asked = Text("**Ready?** The game begins when everyone is. Waiting for {people}.", people=people)
    if table.touched is None:
        return asked
    # said, since it looked as if everyone had to be there at the same time
    until = stamp(table.touched + EXPIRES)
    return Text("{asked}\n-# You have until {until}; then the table closes.", asked=asked, until=until)


def _how_many(spec: GameSpec, taken: int, *, when_full: bool) -> Text:
    """For how many players the game is, and whether they are there."""
    players = Text("{range} {most:player|players}.", range=spec.seat_range, most=spec.seats[-1])
    ready = Text("Start when everyone is here.")
    missing = min((seats - taken for seats in spec.seats if seats > taken), default=0)
    waiting = Text("{missing} more needed.", missing=missing)
    state = ready if taken in spec.seats else waiting
    if when_full and taken < spec.seats[-1]:
        full = Text("It starts as soon as {most} players are here.", most=spec.seats[-1])
        return Text("-# {players} {state} {full}", players=players, state=state, full=full)
    return Text("-# {players} {state}", players=players, state=state)


def learnable_layout(specs: Iterable[GameSpec], say: Wording) -> Layout:
    """A button for each game that somebody may learn."""
    known = list(specs)
    lines = [Text("**{title}** – {summary}", title=spec.name, summary=spec.about) for spec in known]
    buttons = [Control(ControlId("learn", NO_TABLE, text=spec.slug), say(spec.name), PRIMARY) for spec in known]
    words = "\n".join(map(say, (Text("### Which game do you want to learn?"), *lines)))
    return layout(TextDisplay(words), *rows(buttons))


def in_own_thread(table: Table) -> Text:
    """Where a game is, after a word; nothing where it is in the channel itself."""
    return Text(" in <#{thread}>", thread=str(table.row.channel_id)) if table.row.own_thread else Text("")


def first_game(table: Table) -> Text:
    """That a game has begun in which somebody learns it."""
    begins = Text("Your first game of {title} begins{where}", title=table.spec.name, where=in_own_thread(table))
    return Text("{begins}; every question comes with advice.", begins=begins)


def first_game_layout(table: Table) -> Layout:
    """The same, with what the game is about, in three lines: the goal, a turn, the end.

    A game in its own thread has its buttons there: a tap belongs to the channel in which it is made.
    """
    short, lines = table.spec.in_short, list[Text]()
    if short is not None:
        lines += [
            Text("**Goal** – {goal}", goal=short.goal),
            Text("**Turn** – {turn}", turn=short.turn),
            Text("**End** – {end}", end=short.end),
        ]
    lines.append(Text("-# {begins}", begins=first_game(table)))
    controls = [_control(table, "turn", Text("Your move"), PRIMARY), _control(table, "rules", Text("Rules"))]
    # a control finds its table only in that table's channel
    ways = [] if table.row.own_thread else [row(*controls)]
    return layout(TextDisplay("\n".join(map(table.say, lines))), *ways)


def closed_lobby_layout(table: Table, text: Text) -> Layout:
    """What is left of a lobby once the game began or was called off."""
    seated = list(table.persons_on(Seat(n) for n in range(len(table.row.holders))))
    words = "\n".join((f"## {table.spec.name}", table.say(text), "", *map(table.say, seated)))
    return layout(Container(TextDisplay(words), accent_color=GOLD))


OWN_FILE = "file "
"""How the value of a menu row begins if the row is a file of the host's own."""

KEPT = "kept"
"""The value of a menu row for a text that was chosen before and whose file is gone or has changed."""

SHOWN_PROBLEM = 160
"""Most characters of what is wrong with a file; so many of them fit into one message."""


def options_layout(table: Table, files: OwnFiles | None = None) -> Layout:
    """A menu per option of the game, with the host's own `files` where an option takes one."""
    heading = Text("### Options of {title}", title=table.spec.name)
    hints = Text("**Hints** – whether players can ask for their best moves; alone against computers they always can.")
    rows = ((option_text(False), table.say(Text("Hints: no"))), (option_text(True), table.say(HINTS)))
    return layout(
        TextDisplay(table.say(heading)),
        *presets(table.spec, partial(ControlId, "preset", table.id)),
        *option_menus(table.spec, table.row.options, partial(ControlId, "option", table.id), table.say, files),
        *_beginning(table),
        TextDisplay(table.say(hints)),
        row(Menu(ControlId("hints", table.id), rows, chosen=option_text(table.hints))),
    )


def option_menus(
    spec: GameSpec,
    chosen: Mapping[str, Any],
    control: Callable[[int, str], ControlId],
    say: Wording,
    files: OwnFiles | None = None,
) -> list[discord.ui.Item[Any]]:
    """A menu per option of a game and what it is about; `control` makes its id of the option's number and name."""
    items: list[discord.ui.Item[Any]] = []
    # text, row and menu: each takes three of the 40 components that Discord allows in a message
    for number, field in enumerate(dataclasses.fields(spec.options)):
        own = (files or {}).get(field.name, ())
        about = Text("**{option}** – {about}", option=option_title(field), about=option_about(field))
        bad = [unusable(file.name, file.problem, say) for file in own if file.problem]
        items.append(TextDisplay("\n".join((say(about), *(f"-# {say(text)}" for text in bad)))))
        current = chosen.get(field.name, field.default)
        items.append(row(_option_menu(spec, field, current, own, control(number, field.name), say)))
    return items


def _beginning(table: Table) -> list[discord.ui.Item[Any]]:
    """How the game begins; where secrets are dealt, everybody is always asked first."""
    if table.row.guild_id == NO_SERVER:
        return []
    full, asks = table.row.when_full, table.row.ready_check
    told = Text("**Start** – automatically when the last seat is taken, or only when somebody taps Start.")
    toggles = [_toggle(table, "full", Text("Start when full"), on=full, disabled=table.is_full and not full)]
    if not table.spec.hands:
        more = Text(" With a ready check, everyone has to tap Ready first.")
        told, toggles = joined([told, more], ""), [*toggles, _toggle(table, "check", Text("Ready check"), on=asks)]
    counts = Text("**Rated** – {why}", why=why_not_rated(table) or Text("the result counts in `/stats`."))
    toggles.append(_toggle(table, "rated", Text("Rated"), on=table.row.rated))
    return [TextDisplay(table.say(joined([told, counts], "\n"))), row(*toggles)]


def _toggle(table: Table, kind: str, label: Text, *, on: bool, disabled: bool = False) -> Control:
    return _control(table, kind, Text("✓ {label}", label=label) if on else label, disabled=disabled)


HINTS = Text("Hints: yes")

INVITATIONS = 10
"""Most people who are invited at once."""


def guests_layout(table: Table) -> Layout:
    """Whom to invite to a lobby."""
    question = Text("### Who should be invited to {title}?", title=table.title)
    hint = Text("-# They’re mentioned here once; up to {most} at a time.", most=INVITATIONS)
    menu = UserMenu(ControlId("guests", table.id), table.say(Text("Choose people")), INVITATIONS)
    return layout(TextDisplay(table.say(joined([question, hint], "\n"))), row(menu), *_admission_items(table))


def _admission_items(table: Table) -> list[discord.ui.Item[Any]]:
    """A menu for the admission to a table, and an explanation of its choices."""
    about = Text(
        "**Who may join** – on request, people ask and you let them in or decline; by invitation, only those whom you "
        "invite can join. They need not ask."
    )
    rows = tuple((admission.value, table.say(text)) for admission, text in ADMISSIONS.items())
    menu = Menu(ControlId("admits", table.id), rows, chosen=table.row.admits.value)
    return [TextDisplay(table.say(about)), row(menu)]


ADMISSIONS = {
    Admission.ANYONE: Text("Anyone may join"),
    Admission.REQUEST: Text("On request"),
    Admission.INVITATION: Text("By invitation"),
}


def invitation_layout(table: Table, host_id: int, user_ids: Iterable[int]) -> Layout:
    """Calls people to a lobby; anyone who wants to can sit down."""
    asked = Text(
        "{people}: {host} invites you to a game of **{title}**.",
        people=tuple(map(mention, user_ids)),
        host=mention(host_id),
        title=table.title,
    )
    join = Control(ControlId("accept", table.id), table.say(Text("Join")), SUCCESS)
    rules = Control(ControlId("rules", table.id), table.say(Text("Rules")))
    words = "\n".join((table.say(asked), f"-# {table.spec.about}"))
    return layout(Container(TextDisplay(words), row(join, rules), accent_color=GOLD))


def warning_layout(table: Table, since: datetime, closes: datetime) -> Layout:
    """Tells the host that their table is closed if nobody touches it."""
    told = Text(
        "{host}, nothing has happened at your **{title}** table since {since}. It closes {closes}.\n"
        "-# Any change keeps it open, too.",
        host=mention(table.row.host_id),
        title=table.title,
        since=stamp(since, "R"),
        closes=stamp(closes, "R"),
    )
    keep = Control(ControlId("keep", table.id), table.say(Text("Keep it open")), PRIMARY)
    return layout(TextDisplay(table.say(told)), row(keep))


def presets(spec: GameSpec, control: Callable[[int], ControlId]) -> list[ActionRow[Any]]:
    """A button for every set of options that go well together; `control` makes its id of the number of the set."""
    buttons = [Control(control(number), str(preset.name), PRIMARY) for number, preset in enumerate(spec.presets)]
    return [row(*buttons)] if buttons else []


def unusable(name: str | Text, problem: Text, say: Wording) -> Text:
    """That a file of the host's own cannot be used, and why, in one line that is not too long."""
    line = " ".join(say(in_message(problem)).split())
    return Text("{file} can’t be used: {problem}", file=name, problem=shortened(line, SHOWN_PROBLEM))


def _option_menu(
    spec: GameSpec,
    field: dataclasses.Field[Any],
    current: OptionValue,
    own: Sequence[OwnFile],
    control: ControlId,
    say: Wording,
) -> Menu:
    """The fixed choices by number, then the files that can be used, then what was chosen if it is none of these."""
    values: list[tuple[str, OptionValue]] = [(str(n), choice) for n, choice in enumerate(field.metadata["choices"])]
    values += [(f"{OWN_FILE}{file.name}", file.text) for file in own if not file.problem]
    if isinstance(current, str) and current not in [choice for _, choice in values]:
        values.append((KEPT, current))
    rows = tuple((value, say(plain_option_words(spec, field.name, choice))) for value, choice in values)
    # with their types, since to Python `True == 1`
    chosen = next(value for value, choice in values if (type(choice), choice) == (type(current), current))
    return Menu(control, rows, chosen=chosen)


def offer_layout(table: Table, *notes: Text) -> Layout:
    """The seats on offer, each with a button, and `notes` on who may take them."""
    seats, buttons = sorted(table.offer.seats), list[Control]()
    lines = [Text("**Who takes over in {title}?**", title=table.title), *(_offered(table, seat) for seat in seats)]
    lines += notes
    for seat in seats:
        named = Text("Take {seat}’s seat", seat=table.plain_names[seat])
        label = table.say(named if len(seats) > 1 else Text("Take this seat"))
        buttons.append(Control(ControlId("take", table.id, text=str(int(seat))), label, SUCCESS))
    return layout(Container(TextDisplay("\n".join(map(table.say, lines))), row(*buttons), accent_color=GOLD))


def _offered(table: Table, seat: Seat) -> Text:
    """Whose seat it is, and who had it."""
    people = [sat.holder.name for sat in table.row.before if sat.seat == seat and sat.holder.name]
    if not people:
        return Text("{seat} is a computer.", seat=seat)
    return Text("{seat}, a computer, plays in place of {name}.", seat=seat, name=escaped(people[-1]))


def remove_layout(table: Table) -> Layout:
    """Whom to remove from the lobby."""
    # seat and user: others may have moved up before the host taps
    holders = [
        Control(ControlId("unseat", table.id, n, str(holder.user_id)), table.plain_names[n])
        for n, holder in enumerate(table.row.holders)
    ]
    question = table.say(Text("### Who should leave the table?"))
    return layout(TextDisplay(question), *rows(holders))
