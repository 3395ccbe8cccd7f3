"""The permission doctor: what the bot lacks for what it is going to do, where, and how that is mended.

Nothing here knows Discord: what a server says of the bot comes in as values, sentences go out. The order in which
roles and channels grant and take is that of https://docs.discord.com/developers/topics/permissions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from engine.texts import Text, joined

ADMINISTRATOR = 1 << 3


class Doing(Enum):
    """What the bot is going to do: hold a game, with its boards and mentions, or first open a thread for it; or write
    the moderators' log.
    """

    GAME = auto()
    THREAD = auto()
    LOG = auto()


@dataclass(frozen=True, slots=True)
class Need:
    """A permission: its bit, its name in Discord's settings, and what it is for."""

    bit: int
    name: Text
    purpose: Text


SEE = Need(1 << 10, Text("View Channel"), Text("to see it"))
WRITE = Need(1 << 11, Text("Send Messages"), Text("to post boards and mention people"))
WRITE_LOG = Need(WRITE.bit, WRITE.name, Text("to write the moderators’ log"))
WRITE_IN_THREADS = Need(1 << 38, Text("Send Messages in Threads"), Text("to post boards and mention people in threads"))
ATTACH = Need(1 << 15, Text("Attach Files"), Text("for the pictures of the boards"))
OPEN_THREADS = Need(1 << 35, Text("Create Public Threads"), Text("to open a thread for the game"))
CONNECT = Need(1 << 20, Text("Connect"), Text("to write in the chat of a voice channel"))
MANAGE_THREADS = Need(1 << 34, Text("Manage Threads"), Text("to write in threads that are locked"))


TIMED_OUT = (
    "A moderator has **timed me out** until {until}: until then I can read, but not write.\n"
    "  Anyone with **Timeout Members** can lift it: hold my name in the list of members › Remove Timeout."
)
LOCKED_FOR_PLAYERS = Text(
    "This thread is locked, so its buttons do not work for players. Anyone who may manage threads can unlock it."
)
LOCKED = Text("This thread is locked. Anyone who may manage threads can unlock it.")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a channel's permissions grant to somebody, and what they take from them, as bits."""

    whose: str
    allow: int = 0
    deny: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game is, or would be played, and what is said there of the bot.

    `here` is how a message names it, `channel` how it names the channel whose permissions count: a thread has none of
    its own. `role` is what the bot's own role is called. `granted` are the bits that its roles have together in the
    whole server. `everybody`, `roles` and `own` are the channel's entries for it. `thread`, `locked`, `outside`: it is
    a thread, one that is locked, a private one which the bot is not in. `voice`: it is the chat of a voice channel.
    `timed_out` is when a time-out of the bot ends, as a message shows it, or "".
    """

    here: str
    channel: str
    role: str
    granted: int
    everybody: Entry
    roles: tuple[Entry, ...]
    own: Entry
    thread: bool = False
    locked: bool = False
    outside: bool = False
    voice: bool = False
    timed_out: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the way, with the way out: a permission that is missing, or else how a thread is.

    `everywhere`: it is the same in all channels of the server.
    """

    text: Text
    need: Need | None = None
    everywhere: bool = False


def needs(doing: Doing, *, thread: bool, voice: bool = False) -> tuple[Need, ...]:
    """The permissions that the bot needs; in a thread it cannot open another one."""
    see = (SEE, CONNECT) if voice else (SEE,)
    if doing is Doing.LOG:
        return (*see, WRITE_LOG)
    if thread:
        return (*see, WRITE_IN_THREADS, ATTACH)
    return (*see, WRITE, ATTACH) if doing is Doing.GAME else (*see, OPEN_THREADS, WRITE_IN_THREADS, ATTACH)


def examine(place: Place, doing: Doing = Doing.GAME) -> tuple[Finding, ...]:
    """All that is in the way of what the bot is going to do somewhere."""
    required = needs(doing, thread=place.thread, voice=place.voice)
    findings = [Finding(_lacking(place, need), need) for need in required if not has(place, need)]
    # a time-out does not concern administrators
    if place.timed_out and not place.granted & ADMINISTRATOR:
        findings.insert(0, Finding(Text(TIMED_OUT, until=place.timed_out), everywhere=True))
    if place.locked and not has(place, MANAGE_THREADS):
        findings.append(Finding(LOCKED))
    if place.outside and not has(place, MANAGE_THREADS):
        findings.append(Finding(Text("I’m not in this private thread. Mention me in it and I’ll join.")))
    return tuple(findings)


def has(place: Place, need: Need) -> bool:
    """Whether the bot has a permission, whatever other ones it may lack."""
    # to Discord, nothing that a channel denies counts for administrators
    if place.granted & ADMINISTRATOR:
        return True
    return _deciding(place, need)[0]


def _deciding(place: Place, need: Need) -> tuple[bool, tuple[Entry, ...]]:
    """Whether a permission is granted, and the entries of the channel that decide so, if any does.

    What is said of the bot itself counts first, then what is said of its roles, where a grant counts more than what
    others take; then what is said of everybody, and at last what its roles have in the whole server.
    """
    for entries in ((place.own,), place.roles, (place.everybody,)):
        if granting := tuple(entry for entry in entries if entry.allow & need.bit):
            return True, granting
        if taking := tuple(entry for entry in entries if entry.deny & need.bit):
            return False, taking
    return bool(place.granted & need.bit), ()


def _lacking(place: Place, need: Need) -> Text:
    """A permission that is missing, where, and where it is granted."""
    _, takers = _deciding(place, need)
    if not takers:
        return Text(
            "{need}: none of my roles has it.\n  Grant it under Server Settings › Roles › {role} › Permissions.",
            need=_named(need),
            role=place.role,
        )
    return Text(
        "{need}: the permissions of {channel} deny it to {takers}.\n"
        "  Grant it under {channel} › Edit Channel › Permissions › {first}.",
        need=_named(need),
        channel=place.channel,
        takers=tuple(entry.whose for entry in takers),
        first=takers[0].whose,
    )


def unexplained(missing: Sequence[Need]) -> tuple[Finding, ...]:
    """The same where only that something is missing is known, and nothing of roles and channels."""
    ways = "{need}.\n  Grant it under Server Settings › Roles, or in the channel under Edit Channel › Permissions."
    return tuple(Finding(Text(ways, need=_named(need)), need) for need in missing)


def _named(need: Need) -> Text:
    return Text("**{name}**, {purpose}", name=need.name, purpose=need.purpose)


def listed(findings: Sequence[Finding]) -> Text:
    """All that is in the way, a line each."""
    return joined([Text("* {finding}", finding=finding.text) for finding in findings], "\n")


def advice(here: str, findings: Sequence[Finding], help_url: str, doing: Doing = Doing.GAME) -> Text:
    """All that is in the way somewhere, as an answer to a user who wants to play there."""
    heading = Text("**I can’t run a game in {here} yet.** What is missing:", here=here)
    if doing is Doing.THREAD:
        heading = Text("**I can’t open a thread for a game in {here} yet.** What is missing:", here=here)
    more = [Text("-# [More about my permissions]({url})", url=help_url)] if help_url else []
    return joined([heading, listed(findings), *more], "\n")
