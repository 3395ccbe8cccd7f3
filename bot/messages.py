"""What messages look like (Components V2). Nothing here knows a game or touches a database."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord.ui import ActionRow, Container, LayoutView, MediaGallery, TextDisplay

from bot.controls import Control, ControlId, Menu
from bot.facets import Choice, Step
from bot.files import OwnFile, OwnFiles
from bot.tables import Table
from engine import CHANCE, SEAT_COLORS, Event, OptionValue, Outcome, Seat, field_types, listed, say, word

Layout = LayoutView
History = Sequence[tuple[Seat, Sequence[Event]]]

SEAT_MARKS = dict(zip(SEAT_COLORS, ("🔴", "🟦", "🔶", "🟢", "🟣", "⚪"), strict=True))
"""The colors of the seats, as near as emoji come."""
NO_COLOR = "◽"

GOLD = discord.Color(0xE8B24A)
SILENT = discord.AllowedMentions.none()
STORY_LENGTH, LOG_LENGTH = 900, 3500
MEDALS = ("🥇", "🥈", "🥉")
MENU_ROWS = 25

_PRIMARY, _SUCCESS, _DANGER = discord.ButtonStyle.primary, discord.ButtonStyle.success, discord.ButtonStyle.danger


@dataclass(frozen=True, slots=True)
class Body:
    """What a board message says; kept with its row so that its controls can be taken away later.

    Without a `filename` it went out as text.
    """

    heading: str
    filename: str
    alt: str
    story: str
    due: tuple[int, ...]
    due_text: str

    def stored(self) -> dict[str, Any]:
        """As JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Body:
        """From JSON."""
        return cls(**stored | {"due": tuple(stored["due"])})


def _layout(*items: discord.ui.Item[Any]) -> Layout:
    layout = LayoutView(timeout=None)
    for item in items:
        layout.add_item(item)
    layout.stop()  # our controls find their handler by id; discord.py need not remember the message
    return layout


def _row(*controls: Control | Menu) -> ActionRow[Any]:
    return ActionRow(*controls)


def _picture(filename: str, alt: str) -> MediaGallery[Any]:
    return MediaGallery(discord.MediaGalleryItem(f"attachment://{filename}", description=alt[:1024]))


def text_layout(sentence: str) -> Layout:
    """A message of text only."""
    return _layout(TextDisplay(sentence[:4000]))


# --- the board in the channel ---

NO_PICTURE = "-# Discord did not take the picture. `/game board` shows it to you."


def board_layout(table: Table, body: Body, *, controls: bool) -> Layout:
    """The message of a finished turn: heading, picture, what happened, who is due, controls."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(f"### {body.heading}")]
    items.append(_picture(body.filename, body.alt) if body.filename else TextDisplay(NO_PICTURE))
    if body.story:
        items.append(TextDisplay(body.story))
    if controls:
        items.append(TextDisplay(body.due_text))
        items.append(_row(*_board_controls(table, over=not body.due)))
    return _layout(Container(*items, accent_color=GOLD))


def _board_controls(table: Table, *, over: bool) -> list[Control]:
    move = [] if over else [Control(ControlId("turn", table.id), "Your move", _PRIMARY)]
    hand = [Control(ControlId("hand", table.id), "My hand")] if table.spec.hands and not over else []
    return [
        *move,
        *hand,
        Control(ControlId("text", table.id), "As text"),
        Control(ControlId("rules", table.id), "Rules"),
    ]


def story(history: History, names: Sequence[str]) -> str:
    """What happened since the last board, a line per seat's doings; the oldest lines give way."""
    lines = _lines(history, names)
    kept: list[str] = []
    for line in reversed(lines):
        if sum(map(len, kept)) + len(line) > STORY_LENGTH and kept:
            kept.append(f"-# … and {len(lines) - len(kept)} turns before; see `/game log`")
            break
        kept.append(line[:STORY_LENGTH])
    return "\n".join(reversed(kept))


def log_pages(history: History, names: Sequence[str]) -> list[str]:
    """All that happened, oldest first, in pages that a message holds. At least one."""
    pages = [""]
    for line in _lines(history, names):
        if pages[-1] and len(pages[-1]) + len(line) >= LOG_LENGTH:
            pages.append("")
        pages[-1] += f"{line[:LOG_LENGTH]}\n"
    return pages


def _lines(history: History, names: Sequence[str]) -> list[str]:
    """A line per seat's doings; luck stands with whom it befell."""
    doings: list[tuple[Seat, list[str]]] = []
    for seat, events in history:
        if not doings or (seat != CHANCE and seat != doings[-1][0]):
            doings.append((seat, []))
        doings[-1][1].extend(say(event, names) for event in events)
    return [f"{seat_mark(seat, names)} {' '.join(sentences)}" for seat, sentences in doings if sentences]


def seat_mark(seat: Seat, names: Sequence[str]) -> str:
    """The emoji of the color that a seat is named after, such as `Red` or `Red 2`; dice for luck."""
    return "🎲" if seat == CHANCE else SEAT_MARKS.get(names[seat].partition(" ")[0], NO_COLOR)


def person(table: Table, seat: Seat) -> str:
    """A seat with its mark, its name and who plays it."""
    chair = table.row.chairs[seat]
    mark = seat_mark(seat, table.names)
    return f"{mark} **{table.names[seat]}** {f'<@{chair.user_id}>' if chair.user_id else '(computer)'}"


def due_text(table: Table) -> str:
    """Who has to decide what, or how the match ended."""
    match = table.playing()
    if (outcome := match.outcome) is None:
        return "\n".join(f"{person(table, d.seat)}: {d.prompt}" for d in match.state.decisions())
    winners = listed([f"{seat_mark(s, table.names)} **{table.names[s]}**" for s in outcome.winners])
    verb = "win" if len(outcome.winners) > 1 else "wins"
    return f"## {winners} {verb}!\n{_ranking(table, outcome)}\n-# {getattr(outcome.reason, 'label', outcome.reason)}"


def _ranking(table: Table, outcome: Outcome) -> str:
    """A line for everybody who played, the best first; who is equal shares a place."""
    merits = list(zip(outcome.returns, outcome.scores, strict=True))
    lines = []
    for seat in sorted(range(len(merits)), key=lambda seat: merits[seat], reverse=True):
        better = sum(other > merits[seat] for other in merits)
        medal = MEDALS[better] if better < len(MEDALS) else NO_COLOR
        lines.append(f"{medal} {person(table, Seat(seat))} · {outcome.scores[seat]}")
    return "\n".join(lines)


# --- a turn in private ---


def step_layout(
    table: Table,
    version: int,
    prompt: str,
    step: Step,
    back: tuple[str, ...] | None,
    picture: tuple[str, str] | None = None,
    note: str = "",
) -> Layout:
    """What to choose next, with Back and Cancel; `picture` is a filename and its alt text."""
    described = {cls.verb: (cls.__doc__ or "").splitlines()[0] for cls in table.spec.actions}
    heading = f"{note}\n### {prompt}" if note else f"### {prompt}"
    if step.prefix:
        heading += f"\n-# {' '.join(step.prefix)} …"
    elif not step.asks:
        heading += "".join(f"\n-# **{choice.words[0]}** – {described[choice.words[0]]}" for choice in step.choices)
    if not step.as_menu and (step.prefix or step.asks):
        heading += "".join(
            f"\n-# **{choice.label}** – {choice.gloss}" for choice in step.choices if choice.gloss and not step.as_menu
        )
    items: list[discord.ui.Item[Any]] = [_picture(*picture)] if picture else []
    items.append(TextDisplay(heading))  # below the picture, which fills a phone: the question stands by its answers
    items += _menus(table, version, step) if step.as_menu else _button_rows(table, version, step.choices)
    last = [Control(ControlId("step", table.id, version, " ".join(back)), "Back")] if back is not None else []
    items.append(_row(*last, Control(ControlId("close", table.id, version), "Cancel")))
    return _layout(*items)


def _button_rows(table: Table, version: int, choices: Sequence[Choice]) -> list[ActionRow[Any]]:
    buttons = [
        Control(
            ControlId("try" if choice.complete else "step", table.id, version, " ".join(choice.words)),
            choice.label,
            _PRIMARY,
        )
        for choice in choices
    ]
    return [_row(*buttons[i : i + 5]) for i in range(0, len(buttons), 5)]


def _menus(table: Table, version: int, step: Step) -> list[ActionRow[Any]]:
    rows = [(" ".join(choice.words), " – ".join(filter(None, (choice.label, choice.gloss)))) for choice in step.choices]
    pages = [rows[i : i + MENU_ROWS] for i in range(0, len(rows), MENU_ROWS)]
    asks = step.asks or "what to do"
    return [
        _row(
            Menu(
                ControlId("pick", table.id, version, str(number)),
                tuple(page),
                f"Choose {asks}" if len(pages) == 1 else f"Choose {asks}: {page[0][1]} to {page[-1][1]}",
            )
        )
        for number, page in enumerate(pages)
    ]


def preview_layout(
    table: Table,
    version: int,
    notation: str,
    told: str,
    back: tuple[str, ...],
    picture: tuple[str, str],
    question: str = "### Like this?",
) -> Layout:
    """The board as it would be, with Confirm, Change and Cancel."""
    return _layout(
        _picture(*picture),
        TextDisplay(f"{question}\n{told}"),
        _row(
            Control(ControlId("do", table.id, version, notation), "Confirm", _SUCCESS),
            Control(ControlId("step", table.id, version, " ".join(back)), "Change"),
            Control(ControlId("close", table.id, version), "Cancel"),
        ),
    )


def look_layout(table: Table, text: str, picture: tuple[str, str], *, due: bool) -> Layout:
    """A look at the board for one person."""
    move = [_row(Control(ControlId("turn", table.id), "Your move", _PRIMARY))] if due else []
    return _layout(TextDisplay(text), _picture(*picture), *move)


def log_layout(table: Table, pages: Sequence[str], number: int) -> Layout:
    """A page of what has happened, with ways to the others."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(f"### {table.title}\n{pages[number]}")]
    ways = [
        Control(ControlId("log", table.id, text=str(other)), label, disabled=other not in range(len(pages)))
        for label, other in (("Earlier", number - 1), ("Later", number + 1))
    ]
    if len(pages) > 1:
        items += [TextDisplay(f"-# Page {number + 1} of {len(pages)}"), _row(*ways)]
    return _layout(*items)


def confirm_layout(table: Table, question: str, kind: str, label: str) -> Layout:
    """A question before something that cannot be taken back."""
    return _layout(
        TextDisplay(question),
        _row(
            Control(ControlId(kind, table.id), label, _DANGER),
            Control(ControlId("close", table.id), "Cancel"),
        ),
    )


# --- the lobby ---


def lobby_layout(table: Table) -> Layout:
    """The table before the game: who sits where, what was chosen, and Start."""
    spec, chairs = table.spec, table.row.chairs
    names = table.names
    seated = [person(table, Seat(n)) for n in range(len(chairs))]
    empty = [f"{seat_mark(Seat(n), names)} {names[n]} …" for n in range(len(chairs), spec.seats[0])]
    chosen = [f"{name.replace('_', ' ')}: {_chosen(table, name, value)}" for name, value in table.row.options.items()]
    text = f"## {spec.title}\n{spec.summary}\n\n" + "\n".join(seated + empty)
    if chosen:
        text += f"\n-# {' · '.join(chosen)}"
    ready = len(chairs) in spec.seats
    text += f"\n-# {spec.seats[0]} to {spec.seats[-1]} players. " + (
        "Start when everybody is here." if ready else f"{spec.seats[0] - len(chairs)} more to go."
    )
    full = len(chairs) >= spec.seats[-1]
    return _layout(
        Container(
            TextDisplay(text),
            _row(
                Control(ControlId("join", table.id), "Join", _SUCCESS, disabled=full),
                Control(ControlId("leave", table.id), "Leave"),
                Control(ControlId("start", table.id), "Start", _PRIMARY, disabled=not ready),
            ),
            _row(
                Control(ControlId("add", table.id), "Add computer", disabled=full),
                Control(ControlId("remove", table.id), "Remove"),
            ),
            _row(
                Control(ControlId("options", table.id), "Options"),
                Control(ControlId("rules", table.id), "Rules"),
            ),
            accent_color=GOLD,
        )
    )


def closed_lobby_layout(table: Table, text: str) -> Layout:
    """What is left of a lobby once the game began or was called off."""
    seated = "\n".join(person(table, Seat(n)) for n in range(len(table.row.chairs)))
    return _layout(Container(TextDisplay(f"## {table.spec.title}\n{text}\n\n{seated}"), accent_color=GOLD))


OWN_FILE = "file "
"""How the value of a menu row begins that stands for a file of the host's own."""

KEPT = "kept"
"""The value of a menu row for a text that was chosen before and whose file is gone or has changed."""


def options_layout(table: Table, files: OwnFiles | None = None) -> Layout:
    """A menu per option of the game, with the host's own `files` where an option takes one."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(f"### Options of {table.spec.title}")]
    for number, field in enumerate(dataclasses.fields(table.spec.options)):
        own = (files or {}).get(field.name, ())
        name = field.name.replace("_", " ")
        lines = [f"**{name}** – {field.metadata['description']}"]
        lines += [f"-# {file.name} cannot be used: {file.problem}"[:400] for file in own if file.problem]
        items.append(TextDisplay("\n".join(lines)))
        values = _option_values(table, field, own)
        rows = tuple((value, f"{name}: {_chosen(table, field.name, choice)}") for value, choice in values)
        current = table.row.options.get(field.name, field.default)
        chosen = next(value for value, choice in values if (type(choice), choice) == (type(current), current))
        items.append(_row(Menu(ControlId("option", table.id, number, field.name), rows, chosen=chosen)))
    return _layout(*items)


def _option_values(
    table: Table, field: dataclasses.Field[Any], own: Sequence[OwnFile]
) -> list[tuple[str, OptionValue]]:
    """Value of a menu row -> value of the option: the fixed choices by number, then files, then what was chosen."""
    values: list[tuple[str, OptionValue]] = [(str(n), choice) for n, choice in enumerate(field.metadata["choices"])]
    values += [(OWN_FILE + file.name, file.text) for file in own if not file.problem]
    current = table.row.options.get(field.name, field.default)
    if isinstance(current, str) and current not in [choice for _, choice in values]:
        values.append((KEPT, current))
    return values


def _chosen(table: Table, name: str, value: OptionValue) -> str:
    """How the value of an option reads; seats go by their colors, texts by the name the game gives them."""
    field = next(field for field in dataclasses.fields(table.spec.options) if field.name == name)
    if value not in field.metadata["choices"] and field.metadata.get("file"):
        return str(field.metadata["file"](value))
    return word(value, field_types(table.spec.options)[name], SEAT_COLORS).replace("_", " ")


def remove_layout(table: Table) -> Layout:
    """Whom to remove from the lobby."""
    rows = [
        Control(
            ControlId("unseat", table.id, n, str(c.user_id)),
            f"{table.names[n]}: {'player' if c.user_id else 'computer'}",
        )
        for n, c in enumerate(table.row.chairs)
    ]
    return _layout(TextDisplay("### Who leaves the table?"), *(_row(*rows[i : i + 5]) for i in range(0, len(rows), 5)))
