"""The commands for tables: to set one, gather there, begin, leave, and call a game off."""

from __future__ import annotations

from functools import partial

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.dispatcher import Interaction
from bot.groups import game, table
from bot.interactions.responses import Response
from bot.lobby import computer_seats, inviting, new_table, practice, starting, substitutes, table_buttons
from bot.lobby.lobby_layouts import ADMISSIONS
from bot.store.matches import Admission
from bot.view.named import game_named, suggest_games


@table.command(name="new", description="Set up a table for a board game in this channel")
@app_commands.rename(title="game")
@app_commands.describe(
    title="which game",
    where="where it is played; by default here",
    join="who may join; by default anyone",
    invite="somebody to invite",
    invite2="somebody to invite",
    invite3="somebody to invite",
    invite4="somebody to invite",
    invite5="somebody to invite",
)
@app_commands.choices(where=[Choice(name="here", value="here"), Choice(name="in its own thread", value="thread")])
@app_commands.choices(join=[Choice(name=str(text), value=admits.value) for admits, text in ADMISSIONS.items()])
@app_commands.autocomplete(title=suggest_games)
async def new(
    interaction: Interaction,
    title: str,
    where: str = "here",
    join: str = Admission.ANYONE.value,
    # an option of a command takes one user only, hence five of them
    invite: discord.User | None = None,
    invite2: discord.User | None = None,
    invite3: discord.User | None = None,
    invite4: discord.User | None = None,
    invite5: discord.User | None = None,
) -> None:
    answer, dispatcher = Response(interaction), interaction.client.dispatcher
    guests = [user.id for user in (invite, invite2, invite3, invite4, invite5) if user and not user.bot]
    wishes = new_table.Wishes(in_thread=where == "thread", admits=join, guests=frozenset(guests))
    work = partial(new_table.new, dispatcher.services, answer, title, wishes)
    await dispatcher.serve(answer, work)


@table.command(name="invite", description="Invite people to the table in this channel")
@app_commands.describe(
    who="somebody to invite; leave empty to choose from a menu",
    who2="somebody to invite",
    who3="somebody to invite",
    who4="somebody to invite",
    who5="somebody to invite",
)
async def invite(
    interaction: Interaction,
    who: discord.User | None = None,
    who2: discord.User | None = None,
    who3: discord.User | None = None,
    who4: discord.User | None = None,
    who5: discord.User | None = None,
) -> None:
    named = [user for user in (who, who2, who3, who4, who5) if user]
    people = [str(user.id) for user in named if not user.bot]
    work = partial(inviting.invite, people=people) if named else inviting.ask_whom
    await interaction.client.dispatcher.at_table(interaction, work)


@table.command(name="start", description="Start the game at the table in this channel")
async def start(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, starting.start)


@game.command(name="ready", description="Say that you’re ready to start")
@app_commands.describe(answer="by default yes; only the host can say not yet")
@app_commands.choices(answer=[Choice(name="yes", value="yes"), Choice(name="not yet: back to the table", value="back")])
async def ready(interaction: Interaction, answer: str = "yes") -> None:
    await interaction.client.dispatcher.at_table(interaction, starting.ready if answer == "yes" else starting.back)


@game.command(name="join", description="Take a seat at the table in this channel, or come back to yours")
async def join(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, substitutes.join)


@game.command(name="leave", description="Give up your seat; in a running game a computer takes it")
async def leave(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, table_buttons.leave)


@table.command(name="seats", description="Offer a computer’s seat to anyone who wants to play")
async def offer_seats(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, substitutes.offer)


@table.command(name="computers", description="Choose how well the computers at this table play (host)")
async def show_computers(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, computer_seats.show_computers)


@table.command(name="options", description="Choose the options of this table’s game (host)")
async def show_options(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, table_buttons.options)


@table.command(name="end", description="Call off the game in this channel (host or moderator)")
async def end(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, table_buttons.ask_end)


@game.command(name="learn", description="Learn a game by playing against computers, with advice at every step")
@app_commands.rename(title="game")
@app_commands.describe(
    title="which game; leave empty to choose by a button",
    from_file="a saved game to continue against computers, from Export under a log",
    at="the number of the move to continue after, as in the text; by default the last",
)
@app_commands.autocomplete(title=suggest_games)
async def learn(
    interaction: Interaction,
    title: str = "",
    from_file: discord.Attachment | None = None,
    at: app_commands.Range[int, 1] | None = None,
) -> None:
    answer, dispatcher = Response(interaction), interaction.client.dispatcher

    async def work() -> None:
        if from_file is not None:
            await practice.from_file(dispatcher.services, answer, from_file, at)
        elif title:
            await new_table.learn(dispatcher.services, answer, game_named(title))
        else:
            await new_table.ask_what_to_learn(answer)

    await dispatcher.serve(answer, work)
