"""A small bot that uses everything the playground offers. Tests run it in a separate process."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import re
import struct
import zlib
from typing import Any

import discord
from discord import app_commands, ui

log = logging.getLogger("trial.bot")
MARKETS = [f"{level}{letter}" for level in range(1, 5) for letter in "ABCDE"]


def png(width: int, height: int, shade: int) -> bytes:
    """A plain gray picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\x00" + bytes([shade]) * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def picture(shade: int = 90) -> discord.File:
    return discord.File(io.BytesIO(png(360, 480, shade)), "board.png", description="An empty board")


class Move(ui.DynamicItem[ui.Button[Any]], template=r"move:(?P<ply>\d+):(?P<verb>\w+)"):
    """A button that works after any restart, because its id contains all data."""

    def __init__(self, ply: int, verb: str) -> None:
        self.ply, self.verb = ply, verb
        style = discord.ButtonStyle.danger if verb == "fail" else discord.ButtonStyle.primary
        super().__init__(ui.Button(label=verb.title(), style=style, custom_id=f"move:{ply}:{verb}"))

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: re.Match[str], /) -> Move:
        return cls(int(match["ply"]), match["verb"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        match self.verb:
            case "next":
                layout = board(self.ply + 1)
                await interaction.response.edit_message(view=layout, attachments=[picture(self.ply * 20 % 255)])
            case "hand":
                await interaction.response.send_message(f"Your hand at ply {self.ply}", ephemeral=True)
            case "quiet":
                await interaction.response.defer()
            case "later":
                await interaction.response.defer()
                await interaction.edit_original_response(view=board(self.ply + 100))
            case "form":
                await interaction.response.send_modal(Form())
            case "fail":
                raise RuntimeError("the trial bot was told to fail")
            case _:
                await asyncio.sleep(0)


class Choice(ui.DynamicItem[ui.Select[Any]], template=r"choose:(?P<ply>\d+)"):
    """A menu of markets."""

    def __init__(self, ply: int) -> None:
        self.ply = ply
        options = [discord.SelectOption(label=m, value=f"m{m}", description=f"Market {m}") for m in MARKETS]
        super().__init__(ui.Select(custom_id=f"choose:{ply}", placeholder="Choose a market", options=options))

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: re.Match[str], /) -> Choice:
        return cls(int(match["ply"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"You chose {self.item.values[0]}", ephemeral=True)


class Form(ui.Modal, title="Give up three cards"):
    """Text, a menu and a paragraph."""

    note: ui.TextDisplay[Any] = ui.TextDisplay("Nobody sees this but you.")
    reason: ui.Label[Any] = ui.Label(
        text="Reason", description="A few words", component=ui.TextInput(custom_id="reason", max_length=60)
    )
    color: ui.Label[Any] = ui.Label(
        text="Color",
        component=ui.Select(
            custom_id="color",
            options=[discord.SelectOption(label="Red", value="r"), discord.SelectOption(label="Blue", value="b")],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        reason, color = self.reason.component, self.color.component
        assert isinstance(reason, ui.TextInput)
        assert isinstance(color, ui.Select)
        await interaction.response.send_message(f"Form: {reason.value} / {color.values[0]}")


def board(ply: int) -> ui.LayoutView:
    """A message with everything: heading, picture, section, menu, buttons."""
    layout = ui.LayoutView(timeout=None)
    box: ui.Container[Any] = ui.Container(accent_color=0xE8B24A)
    box.add_item(ui.TextDisplay(f"## Trial board\nPly **{ply}**"))
    box.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png", description="An empty board")))
    box.add_item(ui.Separator())
    section: ui.Section[Any] = ui.Section(
        "See your hand, or anything else that only you may see.", accessory=Move(ply, "hand")
    )
    box.add_item(section)
    menu: ui.ActionRow[Any] = ui.ActionRow(Choice(ply))
    box.add_item(menu)
    buttons: ui.ActionRow[Any] = ui.ActionRow(*(Move(ply, verb) for verb in ("next", "later", "quiet", "form", "fail")))
    box.add_item(buttons)
    layout.add_item(box)
    return layout


class Guests(ui.View):
    """Legacy menus: people, and multiple choice."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.select(cls=ui.UserSelect, custom_id="guest", placeholder="Choose a guest")
    async def guest(self, interaction: discord.Interaction[Any], menu: ui.UserSelect[Any]) -> None:
        await interaction.response.send_message(f"Guest: {menu.values[0].display_name}")

    @ui.select(
        custom_id="cards",
        placeholder="Give two cards",
        min_values=2,
        max_values=2,
        options=[discord.SelectOption(label=card, value=card[0]) for card in ("Camel", "Lamp", "Palm")],
    )
    async def cards(self, interaction: discord.Interaction[Any], menu: ui.Select[Any]) -> None:
        await interaction.response.send_message("Cards: " + " ".join(sorted(menu.values)))

    @ui.select(cls=ui.RoleSelect, custom_id="roles", placeholder="Anybody", min_values=0, max_values=5)
    async def roles(self, interaction: discord.Interaction[Any], menu: ui.RoleSelect[Any]) -> None:
        await interaction.response.send_message("Roles: " + " ".join(sorted(role.name for role in menu.values)))

    @ui.select(
        cls=ui.ChannelSelect,
        custom_id="place",
        placeholder="Choose a place",
        channel_types=[discord.ChannelType.text, discord.ChannelType.category],
    )
    async def place(self, interaction: discord.Interaction[Any], menu: ui.ChannelSelect[Any]) -> None:
        await interaction.response.send_message(f"Place: {menu.values[0].name}")


GROUP = app_commands.Group(name="trial", description="Everything a bot can do")


@GROUP.command(name="board", description="Show a board")
async def show_board(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.send_message(view=board(1), file=picture())


@GROUP.command(description="Show a table wider than a phone")
async def table(interaction: discord.Interaction[Any]) -> None:
    rows = "\n".join(" | ".join(f"{market:^9}" for market in MARKETS[:8]) for _ in range(3))
    layout = ui.LayoutView()
    box: ui.Container[Any] = ui.Container(ui.TextDisplay(f"### What it costs\n```\n{rows}\n```"))
    layout.add_item(box)
    await interaction.response.send_message(view=layout)


@GROUP.command(description="Place a traveler")
@app_commands.describe(
    market="Where to: a market where nobody stands yet, on any level of the street",
    level="Which level",
    guest="Who comes along",
)
async def place(
    interaction: discord.Interaction[Any],
    market: str,
    level: app_commands.Range[int, 1, 4] = 1,
    guest: discord.Member | None = None,
) -> None:
    who = f" with {guest.mention}" if guest else ""
    await interaction.response.send_message(f"Placed at {market} on level {level}{who}")


@place.autocomplete("market")
async def markets(interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
    level = str(getattr(interaction.namespace, "level", "") or "")
    fitting = [m for m in MARKETS if current.upper() in m and m.startswith(level)]
    return [app_commands.Choice(name=f"Market {market}", value=market) for market in fitting]


@GROUP.command(description="Choose from fixed words")
@app_commands.choices(color=[app_commands.Choice(name="Red", value="r"), app_commands.Choice(name="Blue", value="b")])
async def paint(interaction: discord.Interaction[Any], color: str) -> None:
    await interaction.response.send_message(f"Painted {color}", silent=True)


@GROUP.command(description="Menus of the old kind")
async def menus(interaction: discord.Interaction[Any]) -> None:
    embed = discord.Embed(title="Guests", description="Choose *well*", color=0xE8B24A).add_field(name="N", value="V")
    await interaction.response.send_message("Menus", embed=embed, view=Guests())


@GROUP.command(description="Whisper")
async def whisper(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.send_message("A **secret** for you", ephemeral=True)


@GROUP.command(description="Think first")
async def think(interaction: discord.Interaction[Any], private: bool = False) -> None:
    await interaction.response.defer(ephemeral=private, thinking=True)
    await interaction.followup.send("Thought about it", wait=True)
    await interaction.followup.send("And again", wait=True)


@GROUP.command(description="Open a form")
async def form(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.send_modal(Form())


@GROUP.command(description="Open a thread and talk there")
async def thread(interaction: discord.Interaction[Any], name: str) -> None:
    await interaction.response.send_message("Opening a thread")
    message = await interaction.original_response()
    assert isinstance(interaction.channel, discord.TextChannel)
    opened = await interaction.channel.get_partial_message(message.id).create_thread(name=name)
    await opened.add_user(interaction.user)
    await opened.send(f"Welcome, {interaction.user.mention}")


@GROUP.command(description="Write to me in private")
async def dm(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.defer(ephemeral=True)
    try:
        await interaction.user.send("Psst")
    except discord.Forbidden as error:
        await interaction.followup.send(f"Refused: {error.code}")
    else:
        await interaction.followup.send("Look at your messages")


@GROUP.command(description="Post in this channel with and without a file")
async def post(interaction: discord.Interaction[Any], text: str, file: bool = False) -> None:
    await interaction.response.defer(ephemeral=True)
    channel = interaction.client.get_partial_messageable(interaction.channel_id)
    try:
        await (channel.send(text, file=picture()) if file else channel.send(text))
    except discord.HTTPException as error:
        await interaction.followup.send(f"Refused: {error.status}/{error.code}")
    else:
        await interaction.followup.send("Posted")


@GROUP.command(description="Edit an old message")
async def edit(interaction: discord.Interaction[Any], message: str, text: str) -> None:
    await interaction.response.defer(ephemeral=True)
    channel = interaction.client.get_partial_messageable(interaction.channel_id)
    try:
        await channel.get_partial_message(int(message)).edit(content=text)
    except discord.HTTPException as error:
        await interaction.followup.send(f"Refused: {error.status}/{error.code}")
    else:
        await interaction.followup.send("Edited")


@GROUP.command(description="Break a limit of Discord's")
async def overstep(interaction: discord.Interaction[Any]) -> None:
    try:
        await interaction.response.send_message("x" * 2001)
    except discord.HTTPException as error:
        await interaction.response.send_message(f"Refused: {error.code}")


@GROUP.command(description="Never answer")
async def ignore(interaction: discord.Interaction[Any]) -> None:
    return


@GROUP.command(description="Ask for a route that nobody serves")
async def stray(interaction: discord.Interaction[Any]) -> None:
    try:
        await interaction.client.http.request(discord.http.Route("GET", "/nowhere"))
    except discord.NotFound:
        await interaction.response.send_message("Nowhere to be found")


@GROUP.command(description="Look at my own last messages")
async def history(interaction: discord.Interaction[Any]) -> None:
    channel = interaction.client.get_partial_messageable(interaction.channel_id)
    messages = [message async for message in channel.history(limit=5)]
    read = await messages[0].attachments[0].read() if messages and messages[0].attachments else b""
    await interaction.response.send_message(f"{len(messages)} messages, newest file has {len(read)} bytes")


class Trial(discord.Client):
    """The client with its command tree."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True, messages=True), guild_ready_timeout=0.1)
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Move, Choice)
        self.add_view(Guests())
        self.tree.add_command(GROUP)
        await self.tree.sync()

    async def on_ready(self) -> None:
        log.info("ready")

    async def on_resumed(self) -> None:
        log.info("resumed")

    async def on_message(self, message: discord.Message) -> None:
        if not message.author.bot:
            log.info("heard %r from %s", message.content, message.author.display_name)

    async def on_guild_channel_update(self, before: Any, after: discord.TextChannel) -> None:
        assert after.guild.me is not None
        log.info("may attach: %s", after.permissions_for(after.guild.me).attach_files)


def main() -> None:
    logging.basicConfig(
        level=os.environ.get("LOG_LEVEL", "INFO"),
        format="%(asctime)s %(levelname)s %(name)s %(message)s",
        datefmt="%Y-%m-%d %H:%M:%S",
    )
    Trial().run(os.environ["DISCORD_TOKEN"], log_handler=None)


if __name__ == "__main__":
    main()
