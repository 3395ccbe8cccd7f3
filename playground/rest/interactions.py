"""Routes for initial responses, and for follow-ups and edits through an interaction's token."""

from __future__ import annotations

from typing import Any

from playground import events, limits
from playground.interactions import Callback, Interaction
from playground.rest.call import Answer, Call, route
from playground.wire import EPHEMERAL, ApiError, Json, invalid_form, unknown
from playground.world import Message

MAX_OUTSIDE_FOLLOW_UPS = 5
"""Maximum number of follow-ups to an interaction in a server without the bot."""


@route("POST", "/interactions/{interaction_id}/{interaction_token}/callback")
def callback(call: Call) -> Answer:
    kind = _kind(call.json)
    interaction = call.local.interactions.for_callback(
        call.number("interaction_id"), call.ids["interaction_token"], kind
    )
    _check_channel(call, interaction)
    data = call.json.get("data") or {}
    # Before the acknowledgment: a response that breaks a rule does not count and may be repeated.
    message = _initial_response(call, interaction, kind, data)
    call.local.interactions.acknowledge(interaction, kind)
    call.local.settle(interaction, message if kind in (Callback.MESSAGE, Callback.UPDATE) else None)
    # discord.py always requests it; by default, Discord responds with 204.
    if call.query.get("with_response", "").lower() not in ("1", "true"):
        return 204, None
    return 200, _callback_answer(call, interaction, kind, message)


@route("GET", "/webhooks/{webhook_id}/{webhook_token}/messages/@original")
def get_original(call: Call) -> Answer:
    return 200, call.local.payloads.message(_original(_interaction(call)))


@route("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original")
def edit_original(call: Call) -> Answer:
    interaction = _interaction(call)
    return _edit(call, interaction, _original(interaction))


@route("DELETE", "/webhooks/{webhook_id}/{webhook_token}/messages/@original")
def delete_original(call: Call) -> Answer:
    interaction = _interaction(call)
    return _delete(call, interaction, _original(interaction))


@route("POST", "/webhooks/{webhook_id}/{webhook_token}")
def follow_up(call: Call) -> Answer:
    """Send a follow-up. Right after a deferral, it fills the placeholder and keeps its privacy."""
    interaction = _interaction(call)
    placeholder = interaction.original
    # Documented, though deprecated: the follow-up inherits the privacy of the deferral.
    if placeholder is not None and placeholder.thinking:
        call.local.writer.rewrite(placeholder, call.json, call.uploads)
        call.local.revise(placeholder)
        message = placeholder
    else:
        # Discord limits follow-ups of an app that only a user has installed.
        if interaction.channel.outside and interaction.follow_ups == MAX_OUTSIDE_FOLLOW_UPS:
            raise ApiError(400, 40094, "This interaction has reached the maximum number of follow-up messages")
        interaction.follow_ups += 1
        message = _write(call, interaction, call.json)
    call.local.settle(interaction, message)
    if call.query.get("wait", "").lower() not in ("1", "true"):
        return 204, None
    return 200, call.local.payloads.message(message)


@route("GET", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}")
def get_follow_up(call: Call) -> Answer:
    return 200, call.local.payloads.message(_message(call, _interaction(call)))


@route("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}")
def edit_follow_up(call: Call) -> Answer:
    interaction = _interaction(call)
    return _edit(call, interaction, _message(call, interaction))


@route("DELETE", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}")
def delete_follow_up(call: Call) -> Answer:
    interaction = _interaction(call)
    return _delete(call, interaction, _message(call, interaction))


def _kind(body: Json) -> Callback:
    try:
        return Callback(int(body.get("type") or 0))
    except ValueError:
        raise ApiError(400, 50035, f"Invalid Form Body: unknown callback type {body.get('type')}") from None


def _initial_response(call: Call, interaction: Interaction, kind: Callback, data: Json) -> Message | None:
    match kind:
        case Callback.MESSAGE:
            interaction.original = _write(call, interaction, data)
        case Callback.DEFERRED_MESSAGE:
            interaction.original = _placeholder(call, interaction, data)
        case Callback.UPDATE:
            interaction.original = _update_source(call, interaction, data)
        case Callback.DEFERRED_UPDATE:
            interaction.original = interaction.source
        case Callback.CHOICES:
            choices = list(data.get("choices") or [])
            if flaws := limits.autocomplete_flaws(choices, interaction.option_type):
                raise invalid_form(flaws)
            interaction.choices = choices
        case Callback.MODAL:
            if flaws := limits.modal_flaws(data):
                raise invalid_form(flaws)
            interaction.modal = data
    return interaction.original


def _write(call: Call, interaction: Interaction, body: Json) -> Message:
    private = bool(int(body.get("flags") or 0) & EPHEMERAL)
    message = call.local.writer.write(
        interaction.channel,
        call.bot,
        body,
        call.uploads,
        only_for=interaction.user if private else None,
        cause=events.interaction_metadata(call.local.payloads, interaction),
    )
    call.local.post(message)
    return message


def _placeholder(call: Call, interaction: Interaction, data: Json) -> Message:
    flags = int(data.get("flags") or 0)
    # The edit sets the Components V2 layout.
    if flags & ~EPHEMERAL:
        raise ApiError(400, 50035, "Invalid Form Body: a deferral takes no flag but EPHEMERAL")
    private = bool(flags & EPHEMERAL)
    message = Message(
        call.local.world.ids.next(),
        interaction.channel.id,
        call.bot.id,
        kind=20,
        flags=flags,
        thinking=True,
        only_for=interaction.user.id if private else None,
        cause=events.interaction_metadata(call.local.payloads, interaction),
    )
    interaction.channel.messages.append(message)
    call.local.post(message)
    return message


def _update_source(call: Call, interaction: Interaction, data: Json) -> Message:
    source = interaction.source
    if source is None or source not in interaction.channel.messages:
        raise unknown("Message", 10008)
    call.local.writer.rewrite(source, data, call.uploads)
    call.local.revise(source)
    return source


def _callback_answer(call: Call, interaction: Interaction, kind: Callback, message: Message | None) -> Json:
    """The callback object. `resource` is present only if the response created or changed a message at once."""
    facts: dict[str, Any] = {
        "id": str(interaction.id),
        "type": int(interaction.cause),
        "channel_id": str(interaction.channel.id),
    }
    if not interaction.channel.is_dm:
        facts["guild_id"] = str(call.local.world.guild_of(interaction.channel))
    if message is not None:
        facts["response_message_id"] = str(message.id)
        facts["response_message_loading"] = message.thinking
        facts["response_message_ephemeral"] = message.only_for is not None
    answer: Json = {"interaction": facts}
    if message is not None and kind in (Callback.MESSAGE, Callback.UPDATE):
        answer["resource"] = {"type": int(kind), "message": call.local.payloads.message(message)}
    return answer


def _interaction(call: Call) -> Interaction:
    if call.ids["webhook_id"] != str(call.bot.id):
        raise unknown("Webhook", 10015)
    interaction = call.local.interactions.for_webhook(call.ids["webhook_token"])
    _check_channel(call, interaction)
    return interaction


def _check_channel(call: Call, interaction: Interaction) -> None:
    """Check that the channel still exists."""
    if interaction.channel.id not in call.local.world.channels:
        raise unknown("Channel", 10003)


def _original(interaction: Interaction) -> Message:
    if interaction.original is None or interaction.original not in interaction.channel.messages:
        raise unknown("Message", 10008)
    return interaction.original


def _message(call: Call, interaction: Interaction) -> Message:
    """A message that this token may change: the interaction's own responses, and the message of the control."""
    message = interaction.channel.message(call.number("message_id"))
    own = message is not None and (message.cause or {}).get("id") == str(interaction.id)
    if message is None or not (own or message is interaction.source):
        raise unknown("Message", 10008)
    return message


def _edit(call: Call, interaction: Interaction, message: Message) -> Answer:
    call.local.writer.rewrite(message, call.json, call.uploads)
    call.local.revise(message)
    call.local.settle(interaction, message)
    return 200, call.local.payloads.message(message)


def _delete(call: Call, interaction: Interaction, message: Message) -> Answer:
    call.local.remove(message)
    if message is interaction.original:
        interaction.gone = True
    call.local.settle(interaction)
    return 204, None
