"""The meaning of each refusal: one table of the statuses and codes in the API, with a verdict for each kind of work.

The codes are those of https://docs.discord.com/developers/topics/opcodes-and-status-codes#json-error-codes. Requests
refused with any other code are retried with growing pauses, since Discord adds codes without notice.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum, auto

import discord

from bot.errors import GameFault


class Code(IntEnum):
    """The codes that the bot can meet."""

    UNKNOWN_CHANNEL = 10003
    UNKNOWN_GUILD = 10004
    UNKNOWN_MEMBER = 10007
    UNKNOWN_MESSAGE = 10008
    UNKNOWN_USER = 10013
    UNKNOWN_WEBHOOK = 10015
    UNKNOWN_INTERACTION = 10062
    UNKNOWN_EVENT = 10070
    EXPLICIT_CONTENT = 20009
    SLOW_MODE = 20016
    EDIT_LIMIT_IN_ANNOUNCEMENTS = 20022
    CHANNEL_WRITE_LIMIT = 20028
    SERVER_WRITE_LIMIT = 20029
    TOO_MANY_THREAD_MEMBERS = 30033
    COMMAND_CREATION_LIMIT = 30034
    EVENT_LIMIT = 30038
    OLD_MESSAGE_EDIT_LIMIT = 30046
    DIRECT_MESSAGE_LIMIT = 40003
    SENDING_DISABLED = 40004
    REQUEST_TOO_LARGE = 40005
    FEATURE_DISABLED = 40006
    FORUM_CHANNEL = 40058
    ALREADY_ANSWERED = 40060
    RESOURCE_LIMIT = 40062
    TAG_RESTRICTED = 40066
    TAG_REQUIRED = 40067
    FOLLOW_UP_LIMIT = 40094
    NETWORK_ERROR = 40333
    MISSING_ACCESS = 50001
    DIRECT_MESSAGE_CHANNEL = 50003
    ANOTHER_AUTHOR = 50005
    EMPTY_MESSAGE = 50006
    USER_REFUSES_MESSAGES = 50007
    NO_TEXT_CHANNEL = 50008
    VERIFICATION_LEVEL = 50009
    MISSING_PERMISSIONS = 50013
    SYSTEM_MESSAGE = 50021
    WRONG_CHANNEL_TYPE = 50024
    TOKEN_EXPIRED = 50027
    INVALID_RECIPIENT = 50033
    INVALID_FORM = 50035
    FILE_TOO_LARGE = 50045
    INVALID_FILE = 50046
    THREAD_ARCHIVED = 50083
    SERVER_UNAVAILABLE_HERE = 50095
    INVALID_JSON = 50109
    INVALID_UPLOAD = 50110
    UPLOAD_MISSING = 50146
    NO_COMMON_SERVER = 50278
    TWO_FACTOR_REQUIRED = 60003
    INDEX_NOT_READY = 110000
    APPLICATION_NOT_READY = 110001
    OVERLOADED = 130000
    THREAD_EXISTS = 160004
    THREAD_LOCKED = 160005
    ACTIVE_THREAD_LIMIT = 160006
    ACTIVE_ANNOUNCEMENT_THREAD_LIMIT = 160007
    FINISHED_EVENT = 180000
    MESSAGE_MODERATED = 200000
    TITLE_MODERATED = 200001
    LINK_FILTERED = 240000
    UPLOADS_LIMITED = 400001


class Verdict(Enum):
    """The reaction to a refusal.

    `SOON`, for temporary errors: pauses of minutes at most, and an early attempt once another request succeeds.
    `LATER`: the same with longer pauses, since discord.py has repeated the request already. `PERMISSIONS`: long pauses,
    and an early attempt when the permissions of the server change. `SUSPICION`: like `PERMISSIONS`, and the channel may
    be deleted, which must be checked. `GIVE_UP`: the same request never succeeds. `UNKNOWN`: growing pauses, for days.
    """

    SOON = auto()
    LATER = auto()
    PERMISSIONS = auto()
    SUSPICION = auto()
    GIVE_UP = auto()
    UNKNOWN = auto()


class Purpose(Enum):
    """Kinds of work, which differ in their reaction to a refusal.

    `REQUIRED`: boards, the tables of a round, and other work that a game or league needs to go on. `OPTIONAL`:
    reminders, stories, votes, the moderators' log, and edits of older messages.
    """

    REQUIRED = auto()
    OPTIONAL = auto()


class _Meaning(Enum):
    OUTAGE = auto()
    LIMIT = auto()
    CLOSED = auto()
    GONE = auto()
    FINAL = auto()
    UNKNOWN = auto()


_CODES = {
    _Meaning.OUTAGE: (
        Code.SENDING_DISABLED,
        Code.FEATURE_DISABLED,
        Code.NETWORK_ERROR,
        Code.INDEX_NOT_READY,
        Code.APPLICATION_NOT_READY,
        Code.OVERLOADED,
    ),
    _Meaning.LIMIT: (
        Code.SLOW_MODE,
        Code.EDIT_LIMIT_IN_ANNOUNCEMENTS,
        Code.CHANNEL_WRITE_LIMIT,
        Code.SERVER_WRITE_LIMIT,
        Code.COMMAND_CREATION_LIMIT,
        Code.OLD_MESSAGE_EDIT_LIMIT,
        Code.DIRECT_MESSAGE_LIMIT,
        Code.RESOURCE_LIMIT,
    ),
    # a moderator can change each of these
    _Meaning.CLOSED: (
        Code.UNKNOWN_GUILD,
        Code.FORUM_CHANNEL,
        Code.TAG_RESTRICTED,
        Code.TAG_REQUIRED,
        Code.MISSING_ACCESS,
        Code.NO_TEXT_CHANNEL,
        Code.VERIFICATION_LEVEL,
        Code.MISSING_PERMISSIONS,
        Code.WRONG_CHANNEL_TYPE,
        Code.THREAD_ARCHIVED,
        Code.SERVER_UNAVAILABLE_HERE,
        Code.TWO_FACTOR_REQUIRED,
        Code.THREAD_LOCKED,
        Code.ACTIVE_THREAD_LIMIT,
        Code.ACTIVE_ANNOUNCEMENT_THREAD_LIMIT,
        Code.MESSAGE_MODERATED,
        Code.TITLE_MODERATED,
        Code.LINK_FILTERED,
    ),
    _Meaning.GONE: (Code.UNKNOWN_CHANNEL,),
    _Meaning.FINAL: (
        Code.UNKNOWN_MEMBER,
        Code.UNKNOWN_MESSAGE,
        Code.UNKNOWN_USER,
        Code.UNKNOWN_WEBHOOK,
        Code.UNKNOWN_INTERACTION,
        Code.UNKNOWN_EVENT,
        Code.FINISHED_EVENT,
        Code.EVENT_LIMIT,
        Code.EXPLICIT_CONTENT,
        Code.TOO_MANY_THREAD_MEMBERS,
        Code.REQUEST_TOO_LARGE,
        Code.ALREADY_ANSWERED,
        Code.FOLLOW_UP_LIMIT,
        Code.DIRECT_MESSAGE_CHANNEL,
        Code.ANOTHER_AUTHOR,
        Code.EMPTY_MESSAGE,
        Code.USER_REFUSES_MESSAGES,
        Code.SYSTEM_MESSAGE,
        Code.TOKEN_EXPIRED,
        Code.INVALID_RECIPIENT,
        Code.INVALID_FORM,
        Code.FILE_TOO_LARGE,
        Code.INVALID_FILE,
        Code.INVALID_JSON,
        Code.INVALID_UPLOAD,
        Code.UPLOAD_MISSING,
        Code.NO_COMMON_SERVER,
        Code.THREAD_EXISTS,
        Code.UPLOADS_LIMITED,
    ),
}

_MEANINGS: Mapping[int, _Meaning] = {code: meaning for meaning, codes in _CODES.items() for code in codes}

_REPEATED = frozenset({429, 500, 502, 504, 524})
"""Statuses after which discord.py repeats a request itself, up to five times."""

_VERDICTS: Mapping[_Meaning, Mapping[Purpose, Verdict]] = {
    _Meaning.OUTAGE: dict.fromkeys(Purpose, Verdict.SOON),
    _Meaning.LIMIT: dict.fromkeys(Purpose, Verdict.LATER),
    _Meaning.CLOSED: {Purpose.REQUIRED: Verdict.PERMISSIONS, Purpose.OPTIONAL: Verdict.GIVE_UP},
    _Meaning.GONE: {Purpose.REQUIRED: Verdict.SUSPICION, Purpose.OPTIONAL: Verdict.GIVE_UP},
    # an update on either side may still let a board through
    _Meaning.FINAL: {Purpose.REQUIRED: Verdict.UNKNOWN, Purpose.OPTIONAL: Verdict.GIVE_UP},
    _Meaning.UNKNOWN: dict.fromkeys(Purpose, Verdict.UNKNOWN),
}

MAX_ATTEMPTS = 80
"""Attempts at optional work after a code that the table does not list: three days, with pauses of an hour."""

_EXPIRED_CODES = frozenset({Code.UNKNOWN_WEBHOOK, Code.UNKNOWN_INTERACTION, Code.ALREADY_ANSWERED, Code.TOKEN_EXPIRED})
"""An interaction is unknown or already answered, or its token has expired (15 min)."""

_PICTURE_CODES = frozenset(
    {Code.FILE_TOO_LARGE, Code.INVALID_FILE, Code.INVALID_UPLOAD, Code.UPLOAD_MISSING, Code.UPLOADS_LIMITED}
)


def verdict(error: BaseException, purpose: Purpose = Purpose.REQUIRED) -> Verdict:
    """The reaction to an error of a request; errors that do not come from Discord are temporary, except for faults."""
    return _VERDICTS[_meaning(error)][purpose]


def is_final(error: BaseException, attempts: int = 0) -> bool:
    """Whether to give up optional work after a refusal, with this number of failed attempts before it."""
    advice = verdict(error, Purpose.OPTIONAL)
    return advice is Verdict.GIVE_UP or (advice is Verdict.UNKNOWN and attempts >= MAX_ATTEMPTS)


def code_of(error: BaseException) -> int:
    """The code of a refusal, also one that `Code` does not list; 0 without a code."""
    code = error.code if isinstance(error, discord.HTTPException) else 0
    # may have any type, since it comes from outside
    return code if isinstance(code, int) else 0


def is_closed(error: BaseException) -> bool:
    """Whether a channel or thread is closed to the bot, which a moderator can change."""
    return _meaning(error) is _Meaning.CLOSED


def is_gone(error: BaseException) -> bool:
    """Whether the channel is unknown to Discord: a single answer is a suspicion only."""
    return code_of(error) == Code.UNKNOWN_CHANNEL


def is_absent(error: BaseException) -> bool:
    """Whether the error says that a user is not a member of a server, or does not exist."""
    return code_of(error) in (Code.UNKNOWN_MEMBER, Code.UNKNOWN_USER)


def is_message_gone(error: BaseException) -> bool:
    """Whether the error says that a message or its channel was deleted, or that its reader has dismissed it."""
    return code_of(error) in (Code.UNKNOWN_MESSAGE, Code.UNKNOWN_CHANNEL)


def is_expired(error: BaseException) -> bool:
    """Whether an interaction can no longer be answered, or has its answer."""
    return code_of(error) in _EXPIRED_CODES


def may_concern_picture(error: BaseException) -> bool:
    """Whether Discord may accept the message without its file; a closed channel would refuse text, too."""
    if not isinstance(error, discord.HTTPException) or is_closed(error) or is_gone(error):
        return False
    return error.status in (400, 413) or code_of(error) in _PICTURE_CODES


def _meaning(error: BaseException) -> _Meaning:
    # the code of the game fails the next time, too, most probably
    if isinstance(error, GameFault):
        return _Meaning.UNKNOWN
    if not isinstance(error, discord.HTTPException):
        return _Meaning.OUTAGE
    if error.status in _REPEATED:
        return _Meaning.LIMIT
    code = code_of(error)
    # 0: the page of a proxy
    if error.status >= 500 or (code == 0 and error.status != 413):
        return _Meaning.OUTAGE
    return _MEANINGS.get(code, _Meaning.UNKNOWN)
