"""REST v10: read requests, dispatch them to handlers, format errors, and check everything against the rules."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson
from aiohttp import web

from playground.broken import BROKEN
from playground.faults import Cut, Fault, ProxyPage
from playground.local import LocalDiscord
from playground.oddities import Oddity
from playground.rest import account, channels, emojis, events, interactions, messages
from playground.rest.call import ROUTES, Answer, Call, Handler
from playground.wire import ApiError, Json, Upload

__all__ = ["mount"]

PREFIX = "/api/v10"
# Larger than Discord's limit of 25 MiB per request, so that our own rules reject larger ones (40005).
BODY_LIMIT = 30 * 1024 * 1024
_FILE_FIELD = re.compile(r"files\[(\d+)\]")
_DISPOSITION_FIELD = re.compile(r'; *(name|filename)="([^"]*)"')
_TOKEN_IN_PATH = ("/interactions/", "/webhooks/")
_MODULES = (account, channels, emojis, events, interactions, messages)  # imported for their routes


@dataclass(frozen=True, slots=True)
class OddBody:
    """A response body with an oddity."""

    oddity: Oddity
    body: Any


def mount(app: web.Application, local: LocalDiscord) -> None:
    """Serve every route of the table under /api/v10, and record unknown routes."""
    # Fixed segments (`@original`, `pins`) before ids: aiohttp uses the first route that matches.
    fixed_first = sorted(ROUTES, key=lambda key: [step.startswith("{") for step in key[1].split("/")])
    for method, template in fixed_first:
        app.router.add_route(method, PREFIX + template, _endpoint(local, method, template, ROUTES[method, template]))
    app.router.add_route("*", PREFIX + "/{tail:.*}", _unknown_route(local))


def _endpoint(
    local: LocalDiscord, method: str, template: str, handler: Handler
) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def serve(request: web.Request) -> web.Response:
        local.journal.requests[f"{method} {template}"] += 1
        path = request.path.removeprefix(PREFIX)
        problems: list[str] = []
        fault: Fault | None = None
        # Before the body is read, so that the connection breaks in the middle of an upload.
        if local.faults.strike(method, path, unread=True):
            local.journal.say(f"    {method} {_shorten(path)} -> torn apart")
            return _hang_up(request)
        try:
            body, uploads = await _read(request)
            problems = _request_problems(local, method, template, request, body)
            call = Call(local, request.match_info, request.query, body, uploads)
            try:
                status, answer = await _answer(local, call, handler, request, path)
            finally:
                fault = call.fault
            local.journal.answers[f"{method} {template}"] = answer
            problems += _answer_problems(local, method, template, status, answer)
        except Cut as cut:
            local.journal.say(f"    {method} {_shorten(path)} -> {cut.message}")
            return _hang_up(request)
        # The bot was killed or timed out while it sent its request.
        except ConnectionResetError:
            local.journal.say(f"    {method} {_shorten(path)} -> the bot is gone")
            return _hang_up(request)
        except ApiError as error:
            status, answer = error.status, error.page() if isinstance(error, ProxyPage) else error.body()
            _note_refusal(local, f"{method} {path}", error)
        # a bug of the playground must be visible as one, and not as a bot that retries forever
        except Exception:
            local.journal.blame(f"the playground failed in {method} {template}:\n{traceback.format_exc()}")
            status, answer = 501, {"message": "The playground failed", "code": 0}
        for problem in problems:
            local.journal.blame(f"{method} {template}: {problem}")
        local.journal.say(f"    {method} {_shorten(path)} -> {status}")
        _note_callback(local, template, request, status)
        if fault is not None and fault.broken:
            return _broken_reply(request, fault.broken, answer)
        reply = _reply(status, answer)
        reply.headers.update(fault.headers if fault is not None else {})
        return reply

    return serve


async def _answer(local: LocalDiscord, call: Call, handler: Handler, request: web.Request, path: str) -> Answer:
    # Responses to interactions have their token in the path, and keep working after the bot's own token is reset.
    if not path.startswith(_TOKEN_IN_PATH) and request.headers.get("Authorization") != f"Bot {local.token}":
        raise ApiError(401, 0, "401: Unauthorized")
    call.fault = fault = local.faults.strike(request.method, path)
    if fault is None:
        return handler(call)
    local.notifier.notify()
    # With `after`, the request takes effect, and only its response is lost.
    answer = handler(call) if fault.after else None
    await local.faults.hold(fault)
    fault.check()
    # If the bot gave up while the fault held its request, the request must not take effect.
    if request.transport is None:
        raise Cut(0, 0, "the bot had hung up")
    status, body = answer or handler(call)
    return status, OddBody(fault.oddity, body) if fault.oddity else body


def _hang_up(request: web.Request) -> web.Response:
    """Close the connection. The returned response is for aiohttp, and is never sent."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def _read(request: web.Request) -> tuple[Any, list[Upload]]:
    """The JSON body and the files, in order of their numbers."""
    raw = await request.read()
    # aiohttp's `content_type` reads each new boundary with the email package, which takes longer than the rest
    if (kind := request.headers.get("Content-Type", "")).startswith("multipart/form-data"):
        return _read_multipart(raw, kind)
    if not raw:
        return {}, []
    try:
        return json.loads(raw), []
    except ValueError:
        raise ApiError(400, 50109, "The request body contains invalid JSON.") from None


def _read_multipart(raw: bytes, content_type: str) -> tuple[Any, list[Upload]]:
    body: Any = {}
    files: dict[int, Upload] = {}
    for name, filename, content in _form_parts(raw, content_type):
        file_field = _FILE_FIELD.fullmatch(name)
        if name == "payload_json":
            body = json.loads(content)
        elif file_field:
            files[int(file_field[1])] = Upload(filename or "file", content)
        else:
            raise ApiError(400, 50035, f"Invalid Form Body: a form field called {name!r} is not expected")
    return body, [files[number] for number in sorted(files)]


def _form_parts(raw: bytes, content_type: str) -> Iterator[tuple[str, str, bytes]]:
    """The name, the file name and the content of each part of a form. aiohttp reads them much more slowly."""
    *_, boundary = content_type.partition("boundary=")
    for part in raw.split(b"--" + boundary.strip('"').encode())[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        fields = dict(_DISPOSITION_FIELD.findall(head.decode()))
        yield fields.get("name", ""), fields.get("filename", ""), content.removesuffix(b"\r\n")


def _request_problems(local: LocalDiscord, method: str, template: str, request: web.Request, body: Any) -> list[str]:
    if local.schema is None:
        return []
    problems = local.schema.query_problems(method, template, iter(request.query))
    if method in ("POST", "PUT", "PATCH"):
        problems += local.schema.body_problems(method, template, "request", body)
    return problems


def _answer_problems(local: LocalDiscord, method: str, template: str, status: int, answer: Any) -> list[str]:
    if local.schema is None or answer is None or isinstance(answer, OddBody):
        return []
    # Check our own responses too: tests with invalid responses prove nothing.
    problems = local.schema.body_problems(method, template, str(status), answer)
    return [f"the playground's own answer: {problem}" for problem in problems]


def _note_refusal(local: LocalDiscord, what: str, error: ApiError) -> None:
    local.journal.refusals[error.status] += 1
    local.journal.say(f"    refused: {error}")
    # An invalid form, an empty message, files that are too large, invalid JSON: these are mistakes of the bot. Other
    # refusals may be what a test wants.
    if error.code in (50035, 50006, 40005, 50109) and not error.is_ordered:
        local.journal.blame(f"{_shorten(what)}: {error}")


def _note_callback(local: LocalDiscord, template: str, request: web.Request, status: int) -> None:
    """Record the status of each attempt at an initial response, for tests that deliver an interaction twice."""
    if not template.endswith("/callback"):
        return
    interaction = local.interactions.by_id(int(request.match_info["interaction_id"]))
    if interaction is not None:
        interaction.callbacks_tried.append(status)
        local.notifier.notify()


def _shorten(path: str) -> str:
    """Shorten interaction tokens, which are long and meaningless."""
    return re.sub(r"[\w-]{40,}", "…", path)


def _odd_reply(status: int, odd: OddBody) -> web.Response:
    raw = odd.oddity.encode(odd.body)
    kind = "text/html" if odd.oddity.change == "page" else "application/json"
    body = raw.encode() if isinstance(raw, str) else raw
    return web.Response(status=status, body=body, headers={"Via": "1.1 playground"}, content_type=kind)


def _reply(status: int, answer: Any) -> web.Response:
    if isinstance(answer, OddBody):
        return _odd_reply(status, answer)
    if isinstance(answer, str):
        return web.Response(status=status, text=answer, content_type="text/html")
    # discord.py takes a 429 without `Via` for a Cloudflare ban and does not retry it.
    headers = {"Via": "1.1 playground"}
    if answer is None:
        return web.Response(status=status, headers=headers)
    if status == 429:
        headers["Retry-After"] = str(answer.get("retry_after", 0))
    # Bytes, so that no charset is added: discord.py compares the whole content type.
    return web.Response(status=status, body=orjson.dumps(answer), headers=headers, content_type="application/json")


def _broken_reply(request: web.Request, way: str, answer: Any) -> web.Response:
    """Send a response broken in some way and close the connection. The return value is as for `_hang_up`."""
    if request.transport is not None:
        body = answer.encode() if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False).encode()
        request.transport.write(BROKEN[way](body))
        request.transport.close()
    return web.Response()


def _unknown_route(local: LocalDiscord) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def refuse(request: web.Request) -> web.Response:
        path = request.path.removeprefix(PREFIX)
        # An unknown route is a gap in the playground, so it must not look like an ordinary 404.
        local.journal.blame(f"unknown route {request.method} {_shorten(path)}")
        body: Json = {"message": "404: Not Found", "code": 0}
        return _reply(404, body)

    return refuse
