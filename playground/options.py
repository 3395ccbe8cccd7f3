"""Turn a typed command into the `data` of its interaction: find the command and convert the values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from playground.payloads import Payloads
from playground.permissions import Permission
from playground.wire import ENTRY_POINT, Json
from playground.world import Channel, User, World


class CannotDo(Exception):
    """Discord's client would not allow this. The text is a sentence for the person."""


class OptionType(IntEnum):
    """Discord's numbers for option types."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    MENTIONABLE = 9
    NUMBER = 10
    ATTACHMENT = 11


@dataclass
class Typed:
    """A command as typed; `focused` is the option that needs suggestions."""

    path: str
    values: dict[str, Any]
    focused: str | None = None
    focused_type: int = OptionType.STRING
    resolved: Json = field(default_factory=dict)
    upload: Callable[[str, bytes], Json] | None = None
    """Uploads a file with this name and returns Discord's description of it."""


def command_data(payloads: Payloads, commands: list[Json], typed: Typed, *, channel: Channel, user: User) -> Json:
    """The `data` of the interaction. Raises CannotDo for an unknown command or option, or an invalid value."""
    names = typed.path.split()
    root = next((c for c in commands if c["type"] == 1 and names and is_called(c, names[0], user.locale)), None)
    if root is None:
        options_by_name = ", ".join(f"/{command['name']}" for command in commands) or "none yet"
        raise CannotDo(f"There is no command /{typed.path}. The commands are: {options_by_name}.")
    _check_context(root, channel, user)
    if not channel.is_dm and not is_offered(payloads.world, root, user):
        raise CannotDo(f"/{root['name']} is not for you.")
    data: Json = {"id": root["id"], "name": root["name"], "type": 1}
    # Only for a server's own commands: discord.py looks these up first.
    if "guild_id" in root:
        data["guild_id"] = root["guild_id"]
    node, holder = root, data
    for name in names[1:]:
        node = _subcommand(node, name, typed.path, user.locale)
        inner: Json = {"name": node["name"], "type": node["type"], "options": []}
        holder["options"] = [inner]
        holder = inner
    options = node.get("options") or []
    if any(option["type"] in (OptionType.SUBCOMMAND, OptionType.GROUP) for option in options):
        raise CannotDo(f"/{typed.path} needs one of: {', '.join(option['name'] for option in options)}.")
    holder["options"] = _option_values(payloads, options, typed, user.locale)
    if typed.resolved:
        data["resolved"] = typed.resolved
    return data


def is_called(node: Json, name: str, locale: str) -> bool:
    """Whether a command or an option has this name, in English or in a user's locale."""
    return name in (node["name"], (node.get("name_localizations") or {}).get(locale))


def localize(node: Json, locale: str) -> Json:
    """A command, option or choice, including its children, in a user's locale.

    `english` has its English name, which works in every locale.
    """
    read = {**node, "english": node.get("name")}
    for what in ("name", "description"):
        read[what] = (node.get(f"{what}_localizations") or {}).get(locale) or node.get(what)
    for within in ("options", "choices"):
        read[within] = [localize(option, locale) for option in node.get(within) or ()]
    return read


def _check_context(command: Json, channel: Channel, user: User) -> None:
    # Integration type 1 is for users who install the app, 0 for servers.
    is_user_command = user.installed and 1 in command.get("integration_types", ()) and "guild_id" not in command
    if channel.outside and not is_user_command:
        raise CannotDo(f"There is no command /{command['name']} in this server.")
    contexts = command.get("contexts")
    # 0 is a server, 1 a direct conversation with the bot.
    here = 1 if channel.is_dm else 0
    if contexts is not None and here not in contexts:
        raise CannotDo(f"/{command['name']} cannot be used here.")
    if channel.is_dm and (command.get("dm_permission") is False or "guild_id" in command):
        raise CannotDo(f"/{command['name']} cannot be used in a direct message.")


def is_offered(world: World, command: Json, user: User) -> bool:
    """Whether a user may use a command in the server, given the permissions that the command requires."""
    if command["type"] == ENTRY_POINT:
        return False
    required = command.get("default_member_permissions")
    granted = world.server_permissions(user)
    if required is None or granted & Permission.ADMINISTRATOR:
        return True
    # 0 means administrators only.
    return int(required) != 0 and granted & int(required) == int(required)


def _subcommand(node: Json, name: str, path: str, locale: str) -> Json:
    for option in node.get("options") or ():
        if is_called(option, name, locale) and option["type"] in (OptionType.SUBCOMMAND, OptionType.GROUP):
            subcommand: Json = option
            return subcommand
    raise CannotDo(f"There is no command /{path}.")


def _option_values(payloads: Payloads, options: list[Json], typed: Typed, locale: str) -> list[Json]:
    known_options = {option["name"]: option for option in options}
    english = {localize(option, locale)["name"]: name for name, option in known_options.items()}
    typed.values = {english.get(name, name): value for name, value in typed.values.items()}
    typed.focused = english.get(typed.focused or "", typed.focused)
    for name in typed.values:
        if name not in known_options:
            raise CannotDo(f"/{typed.path} has no option {name}; it has: {', '.join(known_options) or 'none'}.")
    missing = [
        name for name, option in known_options.items() if option.get("required") and typed.values.get(name) is None
    ]
    # Suggestions are requested while the command is incomplete.
    if missing and typed.focused is None:
        raise CannotDo(f"/{typed.path} still needs: {', '.join(missing)}.")
    return [
        _value(payloads, known_options[name], value, typed) for name, value in typed.values.items() if value is not None
    ]


def _value(payloads: Payloads, option: Json, value: Any, typed: Typed) -> Json:
    entry: Json = {"name": option["name"], "type": option["type"]}
    if typed.focused == option["name"]:
        typed.focused_type = option["type"]
        return {**entry, "value": value, "focused": True}
    entry["value"] = _convert(payloads, option, value, typed)
    return entry


def _convert(payloads: Payloads, option: Json, value: Any, typed: Typed) -> Any:
    choices = option.get("choices") or []
    if choices:
        return _choice(option, choices, value)
    match option["type"]:
        case OptionType.STRING:
            return _within(option, str(value), len(str(value)), "length", "characters")
        case OptionType.INTEGER | OptionType.NUMBER:
            number = _number(option, value)
            return _within(option, number, number, "value", "")
        case OptionType.BOOLEAN:
            return value if isinstance(value, bool) else str(value).casefold() in ("true", "yes", "1", "on")
        case OptionType.USER:
            return _resolve_user(payloads, value, typed)
        case OptionType.CHANNEL:
            return _resolve_channel(payloads, value, typed)
        case OptionType.ATTACHMENT:
            return _attach(value, typed)
        case other:
            raise CannotDo(f"{option['name']}: options of type {other} are not supported here.")


def _choice(option: Json, choices: list[Json], value: Any) -> Any:
    for choice in choices:
        if value in (choice["value"], choice["name"]) or str(value) == str(choice["value"]):
            return choice["value"]
    raise CannotDo(f"{option['name']}: choose one of {', '.join(choice['name'] for choice in choices)}.")


def _number(option: Json, value: Any) -> int | float:
    try:
        return int(value) if option["type"] == OptionType.INTEGER else float(value)
    except (TypeError, ValueError):
        raise CannotDo(f"{option['name']}: {value!r} is not a number.") from None


def _within(option: Json, value: Any, measure: float, what: str, unit: str) -> Any:
    least, most = option.get(f"min_{what}"), option.get(f"max_{what}")
    if (least is not None and measure < least) or (most is not None and measure > most):
        # Numbers have no unit.
        raise CannotDo(f"{option['name']}: {least} to {most} {unit}, please.".replace(" ,", ","))
    return value


def _resolve_user(payloads: Payloads, value: Any, typed: Typed) -> str:
    # By name, id, mention, or any object with a `name`.
    text = str(getattr(value, "name", value)).strip("<@!>")
    world = payloads.world
    user = world.users.get(int(text)) if text.isdigit() else world.user_named(text)
    if user is None:
        raise CannotDo(f"There is no user called {text}.")
    typed.resolved.setdefault("users", {})[str(user.id)] = payloads.user(user)
    member = {**payloads.member(user, with_user=False), "permissions": "0"}
    typed.resolved.setdefault("members", {})[str(user.id)] = member
    return str(user.id)


def _attach(value: Any, typed: Typed) -> str:
    """A file: a pair of name and bytes, or plain text where only a keyboard is available."""
    name, data = value if isinstance(value, tuple) else ("pasted.txt", str(value).encode())
    assert typed.upload is not None, "commands are sent with a way to upload"
    uploaded = typed.upload(name, data)
    typed.resolved.setdefault("attachments", {})[uploaded["id"]] = uploaded
    return str(uploaded["id"])


def _resolve_channel(payloads: Payloads, value: Any, typed: Typed) -> str:
    text, world = str(value).strip("<#>"), payloads.world
    channel = world.channels.get(int(text)) if text.isdigit() else world.channel_named(text)
    if channel is None or channel.is_dm:
        raise CannotDo(f"There is no channel {text}.")
    typed.resolved.setdefault("channels", {})[str(channel.id)] = {
        "id": str(channel.id),
        "type": int(channel.kind),
        "name": channel.name,
        "permissions": str(int(world.permissions(world.bot, channel))),
        "parent_id": str(channel.parent_id) if channel.parent_id else None,
    }
    return str(channel.id)
