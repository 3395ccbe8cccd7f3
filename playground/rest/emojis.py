"""The emojis of the application: listed, uploaded and deleted."""

from __future__ import annotations

import base64
import binascii
import re

from playground.rest.call import Answer, Call, route
from playground.wire import ApiError, Flaw, Json, invalid_form, unknown
from playground.world import Emoji

MAX_EMOJIS, MAX_BYTES = 2000, 256 * 1024
"""Discord's limits for the emojis of an application and for the size of each."""

TOO_MANY_EMOJIS = 30008
_DATA_URI = re.compile(r"data:image/(png|jpeg|gif|webp|avif);base64,(.*)", re.DOTALL)


@route("GET", "/applications/{application_id}/emojis")
def get_emojis(call: Call) -> Answer:
    return 200, {"items": [_payload(call, emoji) for emoji in call.local.world.emojis.values()]}


@route("POST", "/applications/{application_id}/emojis")
def create_emoji(call: Call) -> Answer:
    world = call.local.world
    if len(world.emojis) >= MAX_EMOJIS:
        raise ApiError(400, TOO_MANY_EMOJIS, f"Maximum number of emojis reached ({MAX_EMOJIS})")
    emoji = Emoji(world.ids.next(), _name(call.json), _image(call.json))
    call.local.set_emojis({**world.emojis, emoji.id: emoji})
    return 201, _payload(call, emoji)


@route("DELETE", "/applications/{application_id}/emojis/{emoji_id}")
def delete_emoji(call: Call) -> Answer:
    emojis, emoji_id = call.local.world.emojis, int(call.ids["emoji_id"])
    if emoji_id not in emojis:
        raise unknown("Emoji", 10014)
    call.local.set_emojis({key: emoji for key, emoji in emojis.items() if key != emoji_id})
    return 204, None


def _name(body: Json) -> str:
    name = str(body.get("name") or "")
    if not re.fullmatch(r"\w{2,32}", name, re.ASCII):
        raise invalid_form([Flaw("name", "2 to 32 letters, digits and underscores are expected")])
    return name


def _image(body: Json) -> bytes:
    match = _DATA_URI.fullmatch(str(body.get("image") or ""))
    try:
        image = base64.b64decode(match[2], validate=True) if match else b""
    except binascii.Error:
        image = b""
    if not 0 < len(image) <= MAX_BYTES:
        raise invalid_form([Flaw("image", f"an image of at most {MAX_BYTES} bytes is expected")])
    return image


def _payload(call: Call, emoji: Emoji) -> Json:
    return {
        "id": str(emoji.id),
        "name": emoji.name,
        "roles": [],
        "user": call.local.payloads.user(call.bot),
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }
