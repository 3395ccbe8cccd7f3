"""The page's own API: its files, a websocket of updates per window, and a POST endpoint per action.

Every request names its user: loopback needs no login. Requests from other web sites are rejected by their Host
and Origin headers.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from pathlib import Path

from aiohttp import web

from playground.acts import Acts
from playground.interactions import Interaction
from playground.local import LocalDiscord, Notice
from playground.options import CannotDo
from playground.permissions import Permission
from playground.time_travel import MAX_STEP
from playground.wire import ApiError, Json, is_loopback
from playground.world import Channel, ChannelKind, Message, User

PAGE = Path(__file__).with_name("page")
MAX_HISTORY = 80
MAX_HOURS = 24
MAX_NAME_LENGTH = 32  # as on Discord
NO_ANSWER = "The application did not respond. Try once more in a moment."
BOT_AWAY = "The bot is not here at the moment. It is usually back within a few seconds."

STEP_PAUSE = 0.2
"""Seconds between two steps of a moving clock, in which the bot looks for due work."""

LOCALES = ("en-US", "en-GB", "de", "fr", "it", "es-ES", "es-419", "xx")
"""Some client locales that Discord supports, and the pseudo-language of `locales`."""

Act = Callable[[User, Json], Awaitable[Json]]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def mount(app: web.Application, local: LocalDiscord) -> None:
    """Serve the page and its API."""
    app.middlewares.append(_only_from_here)
    handlers = _Handlers(local)
    app.router.add_get("/", _index)
    app.router.add_static("/page/", PAGE)
    app.router.add_get("/live", handlers.live)
    for name, act in handlers.acts.items():
        app.router.add_post(f"/act/{name}", handlers.endpoint(act))


def locale_of(language_tag: str) -> str:
    """Discord's locale for a browser's language tag such as `de-AT`, by default American English."""
    primary = language_tag.partition("-")[0]
    usual = next((locale for locale in LOCALES if locale.partition("-")[0] == primary), LOCALES[0])
    return language_tag if language_tag in LOCALES else usual


@web.middleware
async def _only_from_here(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Reject other web sites and names that merely resolve to loopback."""
    # Prevents DNS rebinding: a foreign site's name may resolve to 127.0.0.1.
    if not is_loopback(request.url.host):
        raise web.HTTPForbidden(text="This address is for this machine only.")
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.host}":
        raise web.HTTPForbidden(text="Requests from other pages are refused.")
    return await handler(request)


async def _index(request: web.Request) -> web.FileResponse:
    # Never cached, so that a browser does not run the page of an older version.
    return web.FileResponse(PAGE / "index.html", headers={"Cache-Control": "no-cache"})


class _Handlers:
    """The handlers. Each action is a method that takes the user and the request's JSON."""

    def __init__(self, local: LocalDiscord) -> None:
        self._local = local
        self._acts = Acts(local)
        self.acts: dict[str, Act] = {
            "say": self._say,
            "slash": self._slash,
            "suggest": self._suggest,
            "tap": self._tap,
            "choose": self._choose,
            "submit": self._submit,
            "dismiss": self._dismiss,
            "wait": self._wait,
        }
        self._clock_moves = asyncio.Lock()

    def endpoint(self, act: Act) -> Callable[[web.Request], Awaitable[web.Response]]:
        """The handler for one action. Refusals become error sentences."""

        async def serve(request: web.Request) -> web.Response:
            # A refusal has status 200 with a sentence, since browsers log other statuses as errors.
            try:
                body = await request.json()
                answer = await act(self._person(body.get("user")), body)
            except CannotDo as refusal:
                answer = {"error": str(refusal)}
            except ApiError as refusal:
                answer = {"error": f"{refusal.message}."}
            except (KeyError, ValueError, TypeError) as fault:
                answer = {"error": f"The page sent something odd: {fault!r}."}
            return web.json_response(answer)

        return serve

    def _join(self, name: str) -> User:
        """The user who opens the page. The first one becomes a moderator, as every Discord server has one."""
        world = self._local.world
        person, role = world.user_named(name) or self._local.add_member(name), world.role_named("Moderators")
        if role is not None and not any(role.id in user.roles for user in world.users.values()):
            self._local.give_role(person, role)
        return person

    async def live(self, request: web.Request) -> web.WebSocketResponse:
        """Updates for one window: the whole state first, then every change that its user may see.

        A user with a new name joins the server.
        """
        name = request.query.get("user", "").strip()
        if not 1 <= len(name) <= MAX_NAME_LENGTH:
            raise web.HTTPBadRequest(text="Who are you?")
        person = self._join(name)
        person.locale = locale_of(request.query.get("locale", ""))
        socket = web.WebSocketResponse(heartbeat=30)
        await socket.prepare(request)
        updates: asyncio.Queue[Json] = asyncio.Queue()

        def on_notice(notice: Notice) -> None:
            if notice.sees(person):
                updates.put_nowait({"kind": notice.kind, "data": self._data_for(notice, person)})

        updates.put_nowait({"kind": "state", "data": self._state(person)})
        # No await between these two lines, so no change is lost between the state and the updates.
        self._local.watchers.add(on_notice)
        sender = asyncio.create_task(_send_updates(socket, updates))
        try:
            async for _ in socket:
                pass  # a window only listens here; it acts by POST
        finally:
            self._local.watchers.discard(on_notice)
            sender.cancel()
        return socket

    def _data_for(self, notice: Notice, person: User) -> Json:
        """The data of a notice for this user. Some notices differ by user."""
        match notice.kind:
            case "places":
                # A new role may make commands available.
                return {**self._places(person), "commands": self._local.commands_for(person)}
            case "commands":
                return {"commands": self._local.commands_for(person)}
            case _:
                return notice.data

    # acts

    async def _say(self, person: User, body: Json) -> Json:
        self._acts.say(person, self._place(body), str(body["text"]))
        return {"outcome": "done"}

    async def _slash(self, person: User, body: Json) -> Json:
        self._check_bot()
        place, names = self._place(body), body.get("names")
        return await self._outcome(self._acts.slash(person, place, body["path"], body["options"], names))

    async def _suggest(self, person: User, body: Json) -> Json:
        self._check_bot()
        interaction = self._acts.suggest(
            person,
            self._place(body),
            body["path"],
            body["focused"],
            str(body["text"]),
            body["options"],
        )
        return await self._outcome(interaction)

    async def _tap(self, person: User, body: Json) -> Json:
        self._check_bot()
        return await self._outcome(self._acts.tap(person, self._message(body), body["custom_id"]))

    async def _choose(self, person: User, body: Json) -> Json:
        self._check_bot()
        values = [str(value) for value in body["values"]]
        return await self._outcome(self._acts.choose(person, self._message(body), body["custom_id"], values))

    async def _submit(self, person: User, body: Json) -> Json:
        self._check_bot()
        form = self._local.interactions.by_id(int(body["interaction"]))
        # Ids increase and can be guessed, but no user may submit another user's form.
        if form is None or form.user is not person:
            raise CannotDo("That form is no longer open.")
        return await self._outcome(self._acts.submit(person, form, body["values"]))

    async def _dismiss(self, person: User, body: Json) -> Json:
        self._acts.dismiss(person, self._message(body))
        return {"outcome": "done"}

    async def _wait(self, person: User, body: Json) -> Json:
        """Advance the clock by up to a day, in steps that the bot can follow."""
        hours = float(body["hours"])
        if not 0 < hours <= MAX_HOURS or self._clock_moves.locked():
            raise CannotDo("The clock is already moving.")
        async with self._clock_moves:
            steps = math.ceil(hours * 3600 / MAX_STEP)
            for _ in range(steps):
                self._local.advance(hours * 3600 / steps)
                await asyncio.sleep(STEP_PAUSE)
        return {"outcome": "done"}

    async def _outcome(self, interaction: Interaction) -> Json:
        """The kind of initial response. Messages come through the websocket."""
        # No timeout here: the deadline of the interaction ends the wait.
        await self._local.notifier.until(lambda: interaction.callback or interaction.failed, patience=None)
        if interaction.failed:
            raise CannotDo(NO_ANSWER)
        if interaction.choices is not None:
            return {"outcome": "choices", "choices": interaction.choices}
        if interaction.modal is not None:
            return {"outcome": "form", "interaction": str(interaction.id), "form": interaction.modal}
        return {"outcome": "done"}

    # finding

    def _check_bot(self) -> None:
        if not self._local.gateway.is_connected:
            raise CannotDo(self._local.problem or BOT_AWAY)

    def _person(self, name: str | None) -> User:
        user = self._local.world.user_named(name or "")
        if user is None or user.bot:
            raise CannotDo(f"There is no user called {name}.")
        return user

    def _place(self, body: Json) -> Channel:
        channel = self._local.world.channels.get(int(body["channel"]))
        if channel is None:
            raise CannotDo("That channel is gone.")
        return channel

    def _message(self, body: Json) -> Message:
        message = self._place(body).message(int(body["message"]))
        if message is None:
            raise CannotDo("That message is gone.")
        return message

    def _state(self, person: User) -> Json:
        return {
            "me": str(person.id),
            **self._places(person),
            "commands": self._local.commands_for(person),
            "ahead": self._local.clock.ahead,
            "events": self._local.screen_events(),
            **self._local.bot_state(),
        }

    def _places(self, person: User) -> Json:
        """All users, and the channels in this user's list."""
        world = self._local.world
        # Everyone has a conversation with the bot in their list, even before the first message.
        world.dm_with(person)
        return {
            "users": [
                {
                    "id": str(user.id),
                    "name": user.name,
                    "bot": user.bot,
                    "left": user.has_left,
                    "moderates": bool(world.server_permissions(user) & Permission.MANAGE_GUILD),
                }
                for user in world.users.values()
            ],
            "roles": [{"id": str(role.id), "name": role.name.removeprefix("@")} for role in world.roles.values()],
            "categories": [
                {"id": str(channel.id), "name": channel.name}
                for channel in world.channels.values()
                if channel.kind is ChannelKind.CATEGORY
            ],
            "channels": [self._channel(c, person) for c in world.channels.values() if c.open_to(person)],
        }

    def _channel(self, channel: Channel, person: User) -> Json:
        visible = [message for message in channel.messages if message.visible_to(person)]
        return {
            "id": str(channel.id),
            "name": self._local.world.bot.name if channel.is_dm else channel.name,
            "kind": channel.kind.name.lower(),
            "topic": channel.topic,
            "parent": str(channel.parent_id) if channel.parent_id else None,
            "archived": channel.archived,
            "locked": channel.locked,
            "members": len(channel.members) if channel.is_thread else None,
            "messages": [self._local.screen_message(message) for message in visible[-MAX_HISTORY:]],
        }


async def _send_updates(socket: web.WebSocketResponse, updates: asyncio.Queue[Json]) -> None:
    while True:
        try:
            await socket.send_json(await updates.get())
        except ConnectionError:
            return  # the window closed; the reader cleans up
