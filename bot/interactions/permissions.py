"""The permission doctor: finds missing permissions, their causes, and the way to grant them.

Independent of discord.py: the permissions of a server come in as values, sentences go out. Roles and channels grant and
deny in the order of https://docs.discord.com/developers/topics/permissions.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from engine.texts import Text, joined
from engine.values import Value

ADMINISTRATOR = 1 << 3


class Doing(Enum):
    """An activity of the bot: a game with its boards and mentions, the same in a new thread, the moderators' log, or
    the overview of a server.
    """

    GAME = auto()
    THREAD = auto()
    LOG = auto()
    OVERVIEW = auto()


class Need(Value):
    """A permission: its bit, its name in Discord's settings, and its purpose."""

    bit: int
    name: Text
    purpose: Text


SEE = Need(1 << 10, Text("View Channel"), Text("to see it"))
WRITE = Need(1 << 11, Text("Send Messages"), Text("to post boards and mention people"))
WRITE_LOG = Need(WRITE.bit, WRITE.name, Text("to write to the moderators’ log"))
WRITE_OVERVIEW = Need(WRITE.bit, WRITE.name, Text("to post the overview"))
WRITE_IN_THREADS = Need(1 << 38, Text("Send Messages in Threads"), Text("to post boards and mention people in threads"))
ATTACH = Need(1 << 15, Text("Attach Files"), Text("for the pictures of the boards"))
OPEN_THREADS = Need(1 << 35, Text("Create Public Threads"), Text("to open a thread for the game"))
CONNECT = Need(1 << 20, Text("Connect"), Text("to write in the chat of a voice channel"))
MANAGE_THREADS = Need(1 << 34, Text("Manage Threads"), Text("to write in threads that are locked"))


TIMED_OUT_TEXT = (
    "A moderator has **timed me out** until {until}: until then I can read, but not write.\n  Anyone with **Timeout "
    "Members** can lift it: press and hold my name in the member list › Remove Timeout."
)
LOCKED_FOR_PLAYERS = Text(
    "This thread is locked, so its buttons don’t work for players. Anyone who may manage threads can unlock it."
)
LOCKED = Text("This thread is locked. Anyone who may manage threads can unlock it.")


class Entry(Value):
    """The permissions that a channel grants and denies to a role or member, as bits."""

    owner: str
    allow: int = 0
    deny: int = 0


class Place(Value):
    """A channel or thread for a game, with the bot's permissions there.

    `here` is its mention, `channel` the mention of the channel whose permissions count, since a thread has none. `role`
    is the name of the bot's own role. `granted` are the bits that its roles have together in the server. `everybody`,
    `roles` and `own` are the channel's entries for the bot. `thread`, `locked`, `outside`: it is a thread, a locked
    one, a private one without the bot. `voice`: it is the chat of a voice channel. `timed_out` is the end of the bot's
    time-out as a timestamp for messages, or "".
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


class Finding(Value):
    """A problem with its solution: a missing permission, or the state of a thread.

    `everywhere`: it concerns all channels of the server.
    """

    text: Text
    need: Need | None = None
    everywhere: bool = False


def needs(doing: Doing, *, thread: bool, voice: bool = False) -> tuple[Need, ...]:
    """The permissions that an activity needs; `thread`: it takes place in an existing thread."""
    see = (SEE, CONNECT) if voice else (SEE,)
    if doing is Doing.LOG:
        return (*see, WRITE_LOG)
    if doing is Doing.OVERVIEW:
        return (*see, WRITE_OVERVIEW)
    if thread:
        return (*see, WRITE_IN_THREADS, ATTACH)
    return (*see, WRITE, ATTACH) if doing is Doing.GAME else (*see, OPEN_THREADS, WRITE_IN_THREADS, ATTACH)


def examine(place: Place, doing: Doing = Doing.GAME) -> tuple[Finding, ...]:
    """All problems of an activity in a place."""
    required = needs(doing, thread=place.thread, voice=place.voice)
    findings = [Finding(_explanation(place, need), need) for need in required if not has(place, need)]
    # a time-out does not affect administrators
    if place.timed_out and not place.granted & ADMINISTRATOR:
        findings.insert(0, Finding(Text(TIMED_OUT_TEXT, until=place.timed_out), everywhere=True))
    if place.locked and not has(place, MANAGE_THREADS):
        findings.append(Finding(LOCKED))
    if place.outside and not has(place, MANAGE_THREADS):
        findings.append(Finding(Text("I’m not in this private thread. Mention me in it and I’ll join.")))
    return tuple(findings)


def has(place: Place, need: Need) -> bool:
    """Whether the bot has a permission in a place."""
    # Discord ignores what a channel denies to administrators
    if place.granted & ADMINISTRATOR:
        return True
    return _resolve(place, need)[0]


def _resolve(place: Place, need: Need) -> tuple[bool, tuple[Entry, ...]]:
    """Whether a permission is granted, and the entries of the channel that decide it, if any.

    The entry of the bot itself counts first, then those of its roles, where a grant overrides a denial, then that of
    everybody, and last the permissions of its roles in the server.
    """
    for entries in ((place.own,), place.roles, (place.everybody,)):
        if granting := tuple(entry for entry in entries if entry.allow & need.bit):
            return True, granting
        if denying := tuple(entry for entry in entries if entry.deny & need.bit):
            return False, denying
    return bool(place.granted & need.bit), ()


def _explanation(place: Place, need: Need) -> Text:
    """A missing permission, its cause, and the way to grant it."""
    _, denying = _resolve(place, need)
    if not denying:
        return Text(
            "{need}: none of my roles has it.\n  Grant it under Server Settings › Roles › {role} › Permissions.",
            need=_with_purpose(need),
            role=place.role,
        )
    return Text(
        "{need}: the permissions of {channel} deny it to {takers}.\n"
        "  Grant it under {channel} › Edit Channel › Permissions › {first}.",
        need=_with_purpose(need),
        channel=place.channel,
        takers=tuple(entry.owner for entry in denying),
        first=denying[0].owner,
    )


def findings_without_cause(missing: Sequence[Need]) -> tuple[Finding, ...]:
    """Findings for missing permissions without known causes."""
    ways = "{need}.\n  Grant it under Server Settings › Roles, or in the channel under Edit Channel › Permissions."
    return tuple(Finding(Text(ways, need=_with_purpose(need)), need) for need in missing)


def _with_purpose(need: Need) -> Text:
    return Text("**{name}**, {purpose}", name=need.name, purpose=need.purpose)


def list_findings(findings: Sequence[Finding]) -> Text:
    """A line for each finding."""
    return joined([Text("* {finding}", finding=finding.text) for finding in findings], "\n")


def advice(here: str, findings: Sequence[Finding], help_url: str, doing: Doing = Doing.GAME) -> Text:
    """The answer to a user who wants to play in a place with problems."""
    heading = Text("**I can’t run a game in {here} yet.** What is missing:", here=here)
    if doing is Doing.THREAD:
        heading = Text("**I can’t open a thread for a game in {here} yet.** What is missing:", here=here)
    more = [Text("-# [More about my permissions]({url})", url=help_url)] if help_url else []
    return joined([heading, list_findings(findings), *more], "\n")
