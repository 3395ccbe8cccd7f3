"""Whole messages as lines, to compare them: texts in order, and controls with their kinds and fields."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.interactions.parts import Layout
from bot.store.facts import Facts
from bot.store.matches import MatchRow, SeatHolder, Status
from bot.tables.table import Table
from engine.games import discover
from engine.match import Match
from playground.components import SELECTS, Kind, walk
from playground.wire import Json
from tests.engine.toys import TOYS

NOW = datetime.fromtimestamp(1_800_000_000, UTC)
HOUR = timedelta(hours=1)
ANA, BEN, CARO, DAN = 71, 72, 73, 74
NAMES = {ANA: "Ana", BEN: "Ben", CARO: "Caro", DAN: "Dan"}


def whole(message: Layout | list[Json]) -> list[str]:
    """The lines of a message. `[Label kind fields]` is a button, in parentheses if it is disabled; a row of a menu is
    its value and its words, after `*` if it is chosen.
    """
    components = message if isinstance(message, list) else message.to_components()
    return [line for _, part in walk(components) for line in _lines(part)]


def _lines(part: Any) -> Iterator[str]:
    if part["type"] == Kind.TEXT_DISPLAY:
        yield from part["content"].splitlines()
    elif part["type"] == Kind.BUTTON:
        words = f"{part['label']} {_purpose(part['custom_id'])}".strip()
        yield f"({words})" if part.get("disabled") else f"[{words}]"
    elif part["type"] in SELECTS:
        yield f"{part.get('placeholder') or ''}: {_purpose(part['custom_id'])}"
        for option in part.get("options") or ():
            words = " – ".join(filter(None, (option["label"], option.get("description"))))
            yield f"  {'*' if option.get('default') else ''}{option['value']} {words}"


def _purpose(custom_id: str) -> str:
    """The kind and the fields of a control, without its match."""
    _, kind, _, version, text = custom_id.split(":", 4)
    return " ".join(filter(None, (kind, version.strip("0"), text)))


def holder(user_id: int, **columns: Any) -> SeatHolder:
    """A person at the table, or with 0 a computer."""
    if user_id == 0:
        return SeatHolder(computer="uniform")
    return SeatHolder(user_id=user_id, **{"name": NAMES[user_id], "interaction_id": 1, **columns})


def table_of(*user_ids: int, game: str = "toll", runs: bool = False, facts: Any = None, **columns: Any) -> Table:
    """A table of Ana's in channel 9 of server 8, with these people."""
    spec = {**discover(), **TOYS}[game]
    match = Match.begin(spec, spec.setup(len(user_ids)), "seed") if runs else None
    row = MatchRow(
        **{
            "id": 1,
            "guild_id": 8,
            "channel_id": 9,
            "host_id": ANA,
            "game": game,
            "rules_version": spec.rules_version,
            "options": {},
            "seed": "seed" if runs else "",
            "status": Status.RUNNING if runs else Status.LOBBY,
            "lobby_message_id": 90,
            "holders": tuple(map(holder, user_ids)),
            "rated": True,
            "secret": "secret",
            **columns,
        }
    )
    return Table(Facts(row, **(facts or {})), spec, match)
