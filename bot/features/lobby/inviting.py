"""Invitations: the host picks users; each is mentioned once and can join with one tap."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

import discord
from discord import app_commands
from discord.ui import TextDisplay

from bot.errors import DISCORD_ERRORS, UnreadableAnswer, UserError
from bot.features import groups
from bot.features.fields import Choice, Pick, field_items
from bot.features.handlers import TableRequest, at_table
from bot.features.lobby.table_buttons import accept
from bot.features.lobby.table_message import require_host, update_lobby
from bot.interactions.controls import UserMenu, id_in
from bot.interactions.parts import SUCCESS, Layout, calling, card, layout, row
from bot.interactions.responses import together
from bot.posting.board_layouts import rules
from bot.store.matches import Admission
from bot.store.shard_range import NO_SERVER
from bot.tables.company import reachable
from bot.tables.joining import admission_of
from bot.tables.people import mention
from bot.tables.table import Table, require_lobby
from engine.texts import Text, joined

NOBODY_ELSE = Text("Nobody else can see this channel, so there’s nobody to invite.")
NO_PEOPLE = Text("Bots can’t play. **Add computer** adds a computer player.")
UNCONFIRMED = Text("Discord hasn’t confirmed the invitation. If it doesn’t appear here, please tell them yourself.")
KNOWN = Text("They’re already at the table or were invited within the last hour, so nobody was mentioned again.")


@at_table("invite")
async def ask_whom(request: TableRequest) -> None:
    """*Invite*: show a private menu of the server's members."""
    _require_inviting(request)
    await request.response.show(_guests_layout(request.table))


@at_table("guests")
async def invite_chosen(request: TableRequest) -> None:
    """Invite the people that the host chose from the menu."""
    # forged values are possible: `id_in` drops invalid ids
    await invite(request, request.values)


@at_table("admits")
async def set_admission(request: TableRequest) -> None:
    """Set the admission that the host chose: anyone, on request, or by invitation."""
    _require_inviting(request)
    table, services = request.table, request.services
    await services.lobbies.keep(table, admits=admission_of(request.value))
    await together(request.response.show(_guests_layout(table)), update_lobby(services, table))


@groups.table.command("invite", "Invite people to the table in this channel")
@app_commands.describe(
    who="somebody to invite; leave empty to choose from a menu",
    who2="somebody to invite",
    who3="somebody to invite",
    who4="somebody to invite",
    who5="somebody to invite",
)
async def invite_named(
    request: TableRequest,
    # an option of a command takes one user only, hence five of them
    who: discord.User | None = None,
    who2: discord.User | None = None,
    who3: discord.User | None = None,
    who4: discord.User | None = None,
    who5: discord.User | None = None,
) -> None:
    """Invite the users of the command; without any, show the menu."""
    named = [user for user in (who, who2, who3, who4, who5) if user]
    if named:
        await invite(request, [str(user.id) for user in named if not user.bot])
    else:
        await ask_whom(request)


async def invite(request: TableRequest, people: Collection[str]) -> None:
    """Invite users to the table by their ids, except those at the table or invited within the last hour."""
    _require_inviting(request)
    if not people:
        raise UserError(NO_PEOPLE)
    table, services = request.table, request.services
    # stored before the mention, so that a second tap does not mention them again
    new = await services.lobbies.invite(table, filter(None, map(id_in, people)))
    if not new:
        raise UserError(KNOWN)
    called = [user_id for user_id in table.invited if user_id in new]
    pinged = await reachable(services.store, table, called, services.clock.now(), by=request.user_id)
    try:
        compose = partial(_invitation_layout, table, request.user_id, called)
        await services.channels.send(table.row.channel_id, compose, mentions=calling(pinged))
    except UnreadableAnswer as error:
        raise UserError(UNCONFIRMED) from error
    except DISCORD_ERRORS as error:
        await services.lobbies.take_back_invitation(table, called)
        raise UserError(Text("Discord is not accepting the invitation at the moment. Nobody was mentioned.")) from error
    request.response.already_done = Text("Invited: {people}.", people=tuple(map(mention, called)))
    await together(request.response.show_text(request.response.already_done), update_lobby(services, table))


def _require_inviting(request: TableRequest) -> None:
    require_host(request)
    require_lobby(request.table)
    if request.table.row.guild_id == NO_SERVER:
        raise UserError(NOBODY_ELSE)


# --- layouts ---


MAX_INVITATIONS = 10
"""Maximum number of users in one invitation."""

ADMISSIONS = {
    Admission.ANYONE: Text("Anyone may join"),
    Admission.REQUEST: Text("On request"),
    Admission.INVITATION: Text("By invitation"),
}

ADMISSION = Pick(
    "admits",
    Text(
        "**Who may join** – on request, people ask and you let them in or decline; by invitation, only people you "
        "invite can join, and they don’t have to ask."
    ),
    tuple(Choice(admission.value, admission, label) for admission, label in ADMISSIONS.items()),
)


def _guests_layout(table: Table) -> Layout:
    """A private menu of people to invite, with the admission of the table."""
    question = Text("### Who do you want to invite to {title}?", title=table.title)
    hint = Text("-# They’re mentioned here once; up to {most} at a time.", most=MAX_INVITATIONS)
    menu = UserMenu(invite_chosen.id(table), Text("Choose people"), MAX_INVITATIONS)
    admission = field_items((ADMISSION,), lambda _: set_admission.id(table), {"admits": table.row.admits})
    return layout(TextDisplay(table.say(joined([question, hint], "\n"))), row(menu), *admission)


def _invitation_layout(table: Table, host_id: int, user_ids: Iterable[int]) -> Layout:
    """The public invitation, with *Join* for anyone."""
    headline = Text(
        "{people}: {host} invites you to a game of **{title}**.",
        people=tuple(map(mention, user_ids)),
        host=mention(host_id),
        title=table.title,
    )
    join = accept.button(table, Text("Join"), SUCCESS)
    words = "\n".join((table.say(headline), f"-# {table.spec.about}"))
    return layout(card(TextDisplay(words), row(join, rules.button(Text("Rules"), match_id=table.id))))
