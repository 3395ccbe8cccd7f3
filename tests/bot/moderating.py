"""Somebody who looks after the server, and what they look after."""

from __future__ import annotations

from bot.features.fields import page_with
from bot.features.moderation.server_settings import PAGES
from playground.player import Player, Seen
from playground.world import Channel, ChannelKind
from tests.bot.app import App
from tests.bot.habits import menu_of
from tests.robots import BOARD
from tests.rooms import Room, start_game

GAME = "sealed"
WHY = "Left three games *again* @everyone"


def moderator(room: Room) -> Player:
    """Somebody who looks after the server and plays nowhere."""
    world = room.local.discord.world
    role, eva = world.role_named("Moderators"), world.user_named("Eva")
    if role.id not in eva.roles:
        room.local.give_role("Eva", "Moderators")
    return room.person("Eva")


async def open_server_settings(eva: Player, field: str) -> Seen:
    """The page of the settings of a server that has a setting."""
    page, target = await eva.slash("server settings"), page_with(PAGES, field)
    if target is PAGES[0]:
        return page
    button = next(button for button in page.buttons if str(button.custom_id).endswith(f":{target.name}"))
    return await eva.tap_id(button.custom_id, on=page)


async def choose_setting(eva: Player, field: str, *rows: str) -> Seen:
    """Choose rows of the menu of a setting. Returns the page as it is then."""
    page = await open_server_settings(eva, field)
    return await eva.choose(*rows, on=page, menu=menu_of(page, field))


async def bar(room: Room, name: str, span: str = "For a week", why: str = WHY) -> Seen:
    """Let Eva bar a person. Returns the page of all bars."""
    eva = moderator(room)
    question = await eva.choose(name, on=await eva.slash("server players"))
    await eva.choose(span, on=question)
    return await eva.submit({"Why?": why})


async def begin(room: Room, *names: str, game: str = GAME) -> Seen:
    host, *others = room.people(*names)
    await host.slash("table new", game=game)
    for person in others:
        await person.tap("Join")
    await start_game(host, *others)
    return await room.onlooker.expect(BOARD)


def thread_of(app: App, room: Room) -> Room:
    """A new thread in a channel."""
    world, parent = app.local.discord.world, app.local.channel(room.channel)
    number = world.ids.next()
    members = [world.bot.id]
    thread = Channel(number, f"t{number}", ChannelKind.PUBLIC_THREAD, None, parent.id, world.bot.id, members)
    app.local.discord.open_channel(thread)
    return Room(app.local, thread.name)
