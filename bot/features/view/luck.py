"""The luck of a game: its commitment and, after the end, the proof that every draw follows from it."""

from __future__ import annotations

import asyncio
import io

import discord
from discord.ui import File, TextDisplay

from bot.features.handlers import Answer, TableRequest, at_table
from bot.features.view.export import record_of
from bot.interactions.parts import layout
from bot.posting import board_layouts
from bot.store.matches import Status
from bot.tables.table import Table
from engine.proof import commitment, public_commitment
from engine.texts import Text
from engine.verify import Check, check_record, report


# *Luck*, on a last board, a log, and at a table before the game, leaves all of these where they are
@at_table(board_layouts.luck, Answer.NEW)
async def show_luck(request: TableRequest) -> None:
    """*Luck*: the commitment; after the end, the check of all draws, also as a file."""
    table = request.table
    if not table.row.secret:
        await request.response.say(
            Text("This game began in the middle of another one, so there’s no proof of its luck.")
        )
    elif table.match is None or table.row.status not in (Status.OVER, Status.ENDED):
        await request.response.say(_sealed_text(table))
    else:
        # every draw is made once more, which takes too long for the event loop
        with request.services.limits.exports.one(request.user_id):
            await _show_check(request, await asyncio.to_thread(check_record, record_of(table)))


def _sealed_text(table: Table) -> Text:
    """The text before the secret is revealed."""
    return Text(
        "### Luck\n"
        "Every draw of this game comes from a secret that was chosen when the table was set up, mixed with IDs that "
        "Discord makes when players sit down and when the game starts. The SHA-256 of the secret is:\n"
        "`{commitment}`\n"
        "-# When the game is over, you can see the secret here and check every draw. Undo does not change the luck.",
        commitment=commitment(table.row.secret),
    )


async def _show_check(request: TableRequest, check: Check) -> None:
    table, name = request.table, f"luck-{request.table.spec.slug}-{request.table.id}.txt"
    text = Text(
        "### Luck\n"
        "{mark} {verdict}\n"
        "Its secret was announced as `{start}…` when the table was set up.\n"
        "-# The file has every draw, and says how to check all of it without me.",
        mark="❌" if check.fault else "✅",
        verdict=check.verdict,
        start=public_commitment(table.row.secret),
    )
    file = discord.File(io.BytesIO("\n".join(report(check)).encode()), name)
    page = layout(TextDisplay(table.say(text)), File[discord.ui.LayoutView](f"attachment://{name}"))
    await request.response.show(page, [file])
