"""Actions of a person in the client: write, use a command, tap, choose, fill in a form.

Both the page and the Python players act through this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playground.components import ENTITY_SELECTS, SELECTS, Kind, find, walk
from playground.interactions import Cause, Interaction
from playground.local import LocalDiscord
from playground.options import CannotDo, Typed, command_data
from playground.wire import Json
from playground.world import Channel, Message, Role, User, World

# Discord allows 4,000 with Nitro.
MAX_MESSAGE_CHARS = 2000


class Acts:
    """Turns a person's actions into messages and interactions.

    Raises CannotDo for actions that Discord's client would not allow.
    """

    def __init__(self, local: LocalDiscord) -> None:
        self._local = local

    def say(self, user: User, channel: Channel, text: str) -> Message:
        """Write a plain message."""
        if not 1 <= len(text.strip()) <= MAX_MESSAGE_CHARS:
            raise CannotDo(f"A message has 1 to {MAX_MESSAGE_CHARS} characters.")
        self._check_place(user, channel)
        message = self._local.writer.write(channel, user, {"content": text.strip()}, [])
        self._local.post(message)
        return message

    def slash(
        self, user: User, channel: Channel, path: str, typed: Mapping[str, Any], names: Mapping[str, str] | None = None
    ) -> Interaction:
        """Send a command, given its full name without the slash and the values of its options.

        `names` has the client's display text for values, such as a person's name.
        """
        self._check_place(user, channel)
        self._check_bot(channel)
        request = Typed(path, dict(typed), upload=lambda name, data: self._local.upload(channel, name, data))
        data = command_data(self._local.payloads, self._local.all_commands(), request, channel=channel, user=user)
        words = " ".join(f"{name}:{(names or {}).get(name) or _display(value)}" for name, value in typed.items())
        return self._local.begin(Cause.COMMAND, user, channel, data, label=f"/{path} {words}".rstrip())

    def suggest(
        self, user: User, channel: Channel, path: str, focused: str, text: str, typed: Mapping[str, Any]
    ) -> Interaction:
        """Request suggestions for one option, given the current values of the others."""
        self._check_place(user, channel)
        request = Typed(path, {**typed, focused: text}, focused=focused)
        data = command_data(self._local.payloads, self._local.all_commands(), request, channel=channel, user=user)
        interaction = self._local.begin(Cause.AUTOCOMPLETE, user, channel, data, label=f"/{path} {focused}:{text}…")
        interaction.option_type = request.focused_type
        return interaction

    def tap(
        self, user: User, message: Message, custom_id: str, *, shown: list[Json] | None = None, forced: bool = False
    ) -> Interaction:
        """Press the button with this custom id.

        `shown` has the components on the person's screen if they are older than the message's: the tap then crosses an
        edit. With `forced`, the tap is sent even without such a button.
        """
        screen = message.components if shown is None else shown
        part = find(screen, custom_id) or {}
        label = part.get("label") or (part.get("emoji") or {}).get("name") or custom_id
        if not part and not forced:
            raise CannotDo("That button is gone.")
        if part.get("disabled") and not forced:
            raise CannotDo(f"The button {label} is disabled.")
        data = {"custom_id": custom_id, "component_type": int(Kind.BUTTON), "id": part.get("id", 1)}
        return self._use_component(user, message, data, f"taps [{label}]", screen)

    def choose(
        self, user: User, message: Message, custom_id: str, values: list[str], *, shown: list[Json] | None = None
    ) -> Interaction:
        """Choose options of a menu by their values; `shown` as for `tap`."""
        screen = message.components if shown is None else shown
        part = find(screen, custom_id)
        if part is None or part.get("type") not in SELECTS:
            raise CannotDo("That menu is gone.")
        if part.get("disabled"):
            raise CannotDo("That menu is disabled.")
        least, most = part.get("min_values", 1), part.get("max_values", 1)
        if not least <= len(values) <= most:
            raise CannotDo(f"Choose {least} to {most} entries.")
        labels = {option["value"]: option["label"] for option in part.get("options") or ()}
        if part["type"] == Kind.USER_SELECT and not {int(value) for value in values} <= set(self._local.world.users):
            raise CannotDo("The menu has no such person.")
        if part["type"] == Kind.STRING_SELECT and not set(values) <= set(labels):
            raise CannotDo(f"The menu has no entry {', '.join(set(values) - set(labels))}.")
        data = {
            "custom_id": custom_id,
            "component_type": int(part["type"]),
            "id": part.get("id", 1),
            "values": values,
        }
        if part["type"] in ENTITY_SELECTS:
            data["resolved"] = self._resolve_entities(
                user, part, values, self._local.world.channels[message.channel_id]
            )
            labels = {key: entity.name for key, entity in _menu_entities(self._local.world, part).items()}
        picked = ", ".join(labels.get(value, value) for value in values) or "nothing"
        return self._use_component(user, message, data, f"chooses {picked}", screen)

    def submit(self, user: User, opened_by: Interaction, values: Mapping[str, Any]) -> Interaction:
        """Submit the form that `opened_by` opened; values by custom id or by label."""
        if opened_by.modal is None:
            raise CannotDo("No form is open.")
        fields = [self._answer_component(part, values) for part in opened_by.modal["components"]]
        data = {"custom_id": opened_by.modal["custom_id"], "components": [field for field in fields if field]}
        answers = ", ".join(f"{name}: {_display(value)}" for name, value in values.items())
        label = f"submits {opened_by.modal['title']} ({answers})"
        # On Discord, a form opened by a button refers to the message of that button.
        return self._local.begin(Cause.MODAL, user, opened_by.channel, data, label=label, source=opened_by.source)

    def dismiss(self, user: User, message: Message) -> None:
        """Remove an ephemeral message from the person's screen."""
        if message.only_for != user.id:
            raise CannotDo("Only a private message can be dismissed.")
        self._local.remove(message)

    def _use_component(self, user: User, message: Message, data: Json, label: str, screen: list[Json]) -> Interaction:
        channel = self._local.world.channels.get(message.channel_id)
        if channel is None or message not in channel.messages:
            raise CannotDo("That message is gone.")
        self._check_place(user, channel)
        self._check_bot(channel)
        if not message.visible_to(user):
            raise CannotDo("You cannot see that message.")
        return self._local.begin(Cause.COMPONENT, user, channel, data, label=label, source=message, screen=screen)

    def _check_bot(self, channel: Channel) -> None:
        if not channel.is_dm and self._local.world.guild_of(channel) in self._local.world.without_bot:
            raise CannotDo("The bot is not in this server.")

    def _check_place(self, user: User, channel: Channel) -> None:
        if user.has_left:
            raise CannotDo("You are not in this server any more.")
        if not channel.open_to(user):
            raise CannotDo("You cannot see that channel.")
        world = self._local.world
        if world.has_outage(channel):
            raise CannotDo("This server is unavailable.")
        if not channel.is_dm and world.is_timed_out(user):
            raise CannotDo("A moderator has timed you out.")
        if channel.archived and not world.may_reopen(user, channel):
            raise CannotDo("This thread is closed.")
        if channel.archived:
            channel.archived = False  # on Discord, any action of a person reopens the thread
            self._local.restart_archiving(channel)
            self._local.change_channel(channel)

    def _resolve_entities(self, chooser: User, menu: Json, values: list[str], channel: Channel) -> Json:
        """The resolved users, members, roles and channels of a selection, by id."""
        world, payloads = self._local.world, self._local.payloads
        offered = _menu_entities(world, menu)
        if missing := set(values) - set(offered):
            raise CannotDo(f"The menu has no entry {', '.join(sorted(missing))}.")
        chosen = [offered[value] for value in values]
        users = [entity for entity in chosen if isinstance(entity, User)]
        resolved: Json = {
            "users": {str(user.id): payloads.user(user) for user in users},
            "members": {str(user.id): self._resolve_member(user, channel) for user in users},
            "roles": {
                str(role.id): payloads.role(role, world.guild_of(channel)) for role in chosen if isinstance(role, Role)
            },
            "channels": {str(c.id): payloads.interaction_channel(c, chooser) for c in chosen if isinstance(c, Channel)},
        }
        return {kind: entities for kind, entities in resolved.items() if entities}

    def _resolve_member(self, user: User, channel: Channel) -> Json:
        permissions = self._local.world.permissions(user, channel)
        return {**self._local.payloads.member(user, with_user=False), "permissions": str(int(permissions))}

    def _answer_component(self, part: Json, values: Mapping[str, Any]) -> Json | None:
        """A form's component with the person's answers, as in MODAL_SUBMIT."""
        match part.get("type"):
            case Kind.TEXT_DISPLAY:
                return {"type": int(Kind.TEXT_DISPLAY), "id": part.get("id", 1)}
            case Kind.LABEL:
                field = self._answer_field(part["component"], part["label"], values)
                return {"type": int(Kind.LABEL), "id": part.get("id", 1), "component": field}
            case _:
                fields = [
                    self._answer_field(f, f.get("label") or "", values) for _, f in walk(part.get("components") or [])
                ]
                return {"type": int(Kind.ACTION_ROW), "id": part.get("id", 1), "components": fields}

    def _answer_field(self, field: Json, label: str, values: Mapping[str, Any]) -> Json:
        value = values.get(field["custom_id"], values.get(label))
        answer: Json = {"type": int(field["type"]), "custom_id": field["custom_id"], "id": field.get("id", 1)}
        match field["type"]:
            case Kind.TEXT_INPUT:
                answer["value"] = _text_answer(field, label, value)
            case Kind.CHECKBOX:
                answer["value"] = bool(value)
            case Kind.RADIO_GROUP:
                answer["value"] = next(iter(_chosen_values(field, label, value)), None)
            case _:
                answer["values"] = _chosen_values(field, label, value)
        return answer


def _menu_entities(world: World, menu: Json) -> dict[str, User | Role | Channel]:
    """The entries of a menu that the client fills in, by id."""
    types = menu.get("channel_types")
    channels = [c for c in world.channels.values() if not c.is_dm and (not types or int(c.kind) in types)]
    offered: dict[int, list[User | Role | Channel]] = {
        Kind.USER_SELECT: [user for user in world.users.values() if not user.has_left],
        Kind.ROLE_SELECT: [*world.roles.values()],
        Kind.CHANNEL_SELECT: [*channels],
    }
    offered[Kind.MENTIONABLE_SELECT] = offered[Kind.USER_SELECT] + offered[Kind.ROLE_SELECT]
    return {str(entity.id): entity for entity in offered[menu["type"]]}


def _text_answer(field: Json, label: str, value: Any) -> str:
    text = str(field.get("value") or "" if value is None else value)
    least, most = field.get("min_length") or 0, field.get("max_length") or 4000
    if not text and field.get("required", True):
        raise CannotDo(f"{label}: please fill this in.")
    if text and not least <= len(text) <= most:
        raise CannotDo(f"{label}: {least} to {most} characters, please.")
    return text


def _chosen_values(field: Json, label: str, value: Any) -> list[str]:
    """The chosen values, given by value or label."""
    entries = [value] if isinstance(value, str) else [str(entry) for entry in value or ()]
    if value is None:
        entries = [option["value"] for option in field.get("options") or () if option.get("default")]
    by_label = {option["label"]: option["value"] for option in field.get("options") or ()}
    values = [by_label.get(entry, entry) for entry in entries]
    offered = {option["value"] for option in field.get("options") or ()}
    if offered and not set(values) <= offered:
        raise CannotDo(f"{label}: there is no entry {', '.join(sorted(set(values) - offered))}.")
    if not values and field.get("required", True):
        raise CannotDo(f"{label}: please choose.")
    return values


def _display(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
