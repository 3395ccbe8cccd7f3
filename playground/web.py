"""The page's own interface: its files, a websocket of news for each window, one POST for each act.

Every request names the person it comes from; there are no accounts on loopback. Other web sites are kept out by
checking Host and Origin.
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
from playground.time_travel import STEP
from playground.wire import ApiError, Json, is_loopback
from playground.world import Channel, ChannelKind, Message, User

PAGE = Path(__file__).with_name("page")
HISTORY = 80
MAX_HOURS = 24
LONGEST_NAME = 32  # as on Discord
NO_ANSWER = "The application did not respond. Try once more in a moment."
BOT_AWAY = "The bot is not here at the moment. It is usually back within a few seconds."

BETWEEN_STEPS = 0.2
"""Seconds between two steps of a clock that is moved ahead: the bot looks meanwhile for work that is due."""

LOCALES = ("en-US", "en-GB", "de", "fr", "it", "es-ES", "es-419", "xx")
"""Some of those that clients of Discord have, and that of the pseudo-language of `locales`."""

Act = Callable[[User, Json], Awaitable[Json]]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def mount(app: web.Application, local: LocalDiscord) -> None:
    """Serve the page and its interface."""
    app.middlewares.append(_only_from_here)
    handlers = _Handlers(local)
    app.router.add_get("/", _index)
    app.router.add_static("/page/", PAGE)
    app.router.add_get("/live", handlers.live)
    for name, act in handlers.acts.items():
        app.router.add_post(f"/act/{name}", handlers.endpoint(act))


def locale_of(wanted: str) -> str:
    """The locale of Discord for a language tag of a browser, such as `de-AT`; as a rule American English."""
    primary = wanted.partition("-")[0]
    usual = next((known for known in LOCALES if known.partition("-")[0] == primary), LOCALES[0])
    return wanted if wanted in LOCALES else usual


@web.middleware
async def _only_from_here(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse other web sites and names that merely resolve to loopback."""
    # DNS rebinding: a foreign site may let its own name resolve to 127.0.0.1
    if not is_loopback(request.url.host):
        raise web.HTTPForbidden(text="This address is for this machine only.")
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.host}":
        raise web.HTTPForbidden(text="Requests from other pages are not taken.")
    return await handler(request)


async def _index(request: web.Request) -> web.FileResponse:
    # asked for anew each time, or a browser would go on with the page of an older version
    return web.FileResponse(PAGE / "index.html", headers={"Cache-Control": "no-cache"})


class _Handlers:
    """The handlers; each act is a method taking the person and the request's JSON."""

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
        """The handler for one act, with refusals turned into sentences."""

        async def serve(request: web.Request) -> web.Response:
            # a refusal is an ordinary answer with a sentence: browsers log other statuses as errors
            try:
                asked = await request.json()
                answer = await act(self._person(asked.get("user")), asked)
            except CannotDo as refusal:
                answer = {"error": str(refusal)}
            except ApiError as refusal:
                answer = {"error": f"{refusal.message}."}
            except (KeyError, ValueError, TypeError) as fault:
                answer = {"error": f"The page sent something odd: {fault!r}."}
            return web.json_response(answer)

        return serve

    def _known(self, name: str) -> User:
        """Who opens the page. The first one looks after the server, as somebody always does on Discord."""
        world = self._local.world
        person, role = world.user_named(name) or self._local.add_member(name), world.role_named("Moderators")
        if role is not None and not any(role.id in user.roles for user in world.users.values()):
            self._local.give_role(person, role)
        return person

    async def live(self, request: web.Request) -> web.WebSocketResponse:
        """News for one window: the whole state first, then every change its person may see.

        A name that nobody has yet moves in.
        """
        name = request.query.get("user", "").strip()
        if not 1 <= len(name) <= LONGEST_NAME:
            raise web.HTTPBadRequest(text="Who are you?")
        person = self._known(name)
        person.locale = locale_of(request.query.get("locale", ""))
        socket = web.WebSocketResponse(heartbeat=30)
        await socket.prepare(request)
        news: asyncio.Queue[Json] = asyncio.Queue()

        def hear(notice: Notice) -> None:
            if notice.sees(person):
                news.put_nowait({"kind": notice.kind, "data": self._news_for(notice, person)})

        news.put_nowait({"kind": "state", "data": self._state(person)})
        # nothing is awaited between these two lines, so no change gets lost between the state and the news
        self._local.watchers.add(hear)
        teller = asyncio.create_task(_tell(socket, news))
        try:
            async for _ in socket:
                pass  # a window only listens here; it acts by POST
        finally:
            self._local.watchers.discard(hear)
            teller.cancel()
        return socket

    def _news_for(self, notice: Notice, person: User) -> Json:
        """What a notice tells this person: some are put together for everybody apart."""
        match notice.kind:
            case "places":
                # with a role, a command may come
                return {**self._places(person), "commands": self._local.commands_for(person)}
            case "commands":
                return {"commands": self._local.commands_for(person)}
            case _:
                return notice.data

    # acts

    async def _say(self, person: User, asked: Json) -> Json:
        self._acts.say(person, self._place(asked), str(asked["text"]))
        return {"outcome": "done"}

    async def _slash(self, person: User, asked: Json) -> Json:
        self._check_bot()
        place, names = self._place(asked), asked.get("names")
        return await self._outcome(self._acts.slash(person, place, asked["path"], asked["options"], names))

    async def _suggest(self, person: User, asked: Json) -> Json:
        self._check_bot()
        interaction = self._acts.suggest(
            person, self._place(asked), asked["path"], asked["focused"], str(asked["text"]), asked["options"]
        )
        return await self._outcome(interaction)

    async def _tap(self, person: User, asked: Json) -> Json:
        self._check_bot()
        return await self._outcome(self._acts.tap(person, self._message(asked), asked["custom_id"]))

    async def _choose(self, person: User, asked: Json) -> Json:
        self._check_bot()
        values = [str(value) for value in asked["values"]]
        return await self._outcome(self._acts.choose(person, self._message(asked), asked["custom_id"], values))

    async def _submit(self, person: User, asked: Json) -> Json:
        self._check_bot()
        opened = self._local.interactions.by_id(int(asked["interaction"]))
        # ids rise and can be guessed: nobody may send somebody else's form
        if opened is None or opened.user is not person:
            raise CannotDo("That form is no longer open.")
        return await self._outcome(self._acts.submit(person, opened, asked["values"]))

    async def _dismiss(self, person: User, asked: Json) -> Json:
        self._acts.dismiss(person, self._message(asked))
        return {"outcome": "done"}

    async def _wait(self, person: User, asked: Json) -> Json:
        """Let up to a day pass, in steps in which the bot can keep up."""
        hours = float(asked["hours"])
        if not 0 < hours <= MAX_HOURS or self._clock_moves.locked():
            raise CannotDo("The clock is already moving.")
        async with self._clock_moves:
            steps = math.ceil(hours * 3600 / STEP)
            for _ in range(steps):
                self._local.advance(hours * 3600 / steps)
                await asyncio.sleep(BETWEEN_STEPS)
        return {"outcome": "done"}

    async def _outcome(self, interaction: Interaction) -> Json:
        """What the first answer was; messages come by the websocket."""
        # no time limit of its own: the three seconds of the interaction end it
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
        if not self._local.gateway.connected:
            raise CannotDo(self._local.trouble or BOT_AWAY)

    def _person(self, name: str | None) -> User:
        user = self._local.world.user_named(name or "")
        if user is None or user.bot:
            raise CannotDo(f"Nobody of the name {name} lives here.")
        return user

    def _place(self, asked: Json) -> Channel:
        channel = self._local.world.channels.get(int(asked["channel"]))
        if channel is None:
            raise CannotDo("That channel is gone.")
        return channel

    def _message(self, asked: Json) -> Message:
        message = self._place(asked).message(int(asked["message"]))
        if message is None:
            raise CannotDo("That message is gone.")
        return message

    def _state(self, person: User) -> Json:
        return {
            "me": str(person.id),
            **self._places(person),
            "commands": self._local.commands_for(person),
            "ahead": self._local.clock.ahead,
            **self._local.bot_state(),
        }

    def _places(self, person: User) -> Json:
        """Who lives here, and the channels this person finds in the list."""
        world = self._local.world
        # everybody has a conversation with the bot in their list, even before the first message
        world.dm_with(person)
        return {
            "users": [
                {
                    "id": str(user.id),
                    "name": user.name,
                    "bot": user.bot,
                    "left": user.left,
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
            "messages": [self._local.screen_message(message) for message in visible[-HISTORY:]],
        }


async def _tell(socket: web.WebSocketResponse, news: asyncio.Queue[Json]) -> None:
    while True:
        try:
            await socket.send_json(await news.get())
        except ConnectionError:
            return  # the window closed; the reading side tidies up
