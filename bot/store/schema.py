"""The tables. `entries` only ever grows: it is the game; everything else can be computed or posted again."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Integer,
    Interval,
    MetaData,
    String,
    Table,
    false,
)

from bot.store.rows import WORDS

REVISION = "0013"
"""The newest migration this program knows."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Snowflake = BigInteger().with_variant(Integer, "sqlite")

matches = Table(
    "matches",
    metadata,
    Column("id", Snowflake, primary_key=True),
    Column("guild_id", Snowflake, nullable=False),
    Column("channel_id", Snowflake, nullable=False),
    Column("occupies", Snowflake, unique=True),  # the channel while the match is open: one open match a channel
    Column("host_id", Snowflake, nullable=False),
    Column("game", String(32), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("status", String(8), nullable=False),
    Column("lobby_message_id", Snowflake),
    Column("reason", String(32)),  # why it ended, once it is over
    Column("parent_id", Snowflake, index=True),  # of a thread: the channel that it belongs to
    Column("own_thread", Boolean, nullable=False, server_default="0"),  # it was opened for the game
    Column("when_full", Boolean, nullable=False, server_default="0"),  # begins when the last seat is taken
    Column("ready_check", Boolean, nullable=False, server_default="0"),  # everybody is asked before it begins
    Column("ready", JSON),  # the users who are, once everybody was asked
    Column("pace", String(16), nullable=False, server_default=""),  # how much time it gives for a turn
    Column("firm", Boolean, nullable=False, server_default=false()),  # whether it waits for no vote then
)

sittings = Table(  # who played a seat, from entry `since` of the log up to `until`, or to this day
    "sittings",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("since", Integer, primary_key=True, autoincrement=False),
    Column("until", Integer),
    Column("user_id", Snowflake),
    Column("computer", String(32)),
    Column("name", String(64), nullable=False, server_default=""),  # of the user, as that server calls him
    Column("seen", Integer, nullable=False, server_default="0"),  # the version up to which he has seen the match
)

entries = Table(
    "entries",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("notation", String, nullable=False),
    Column("at", DateTime(timezone=True)),  # in UTC; those of before the second revision have none
    Column("interaction_id", Snowflake, unique=True),
)

results = Table(  # what each seat had in the end: points, and its share of the win
    "results",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("score", Integer, nullable=False),
    Column("share", Float, nullable=False),
)

drafts = Table(  # what a player has chosen and not confirmed, for a decision that stands since `version`
    "drafts",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("notations", JSON, nullable=False),
)

wishes = Table(  # to take something back: it was asked of others at `version`, and these have agreed
    "wishes",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("agreed", JSON, nullable=False),
    Column("message_id", Snowflake),
)

timers = Table(  # what falls due at a time for somebody at a table, about a decision that stands since `version`
    "timers",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("kind", String(16), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False, index=True),  # in UTC, as are all times here
    Column("since", DateTime(timezone=True), nullable=False),  # since when the decision waits
    Column("reminded", DateTime(timezone=True)),  # when he was last told of it
)

reminded = Table(  # what somebody was last sent in all his matches, and until when he wants to hear nothing
    "reminded",
    metadata,
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False, default=0),
    Column("at", DateTime(timezone=True)),
    Column("until", DateTime(timezone=True)),
)

followers = Table(  # who wants to hear how a match ends without playing in it
    "followers",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
)

offers = Table(  # seats that computers play and anybody may take, and the message that says so
    "offers",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("message_id", Snowflake),
)

known_seats = Table(  # who was shown the secrets of a seat of a running match: a salted hash, no user
    "known_seats",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("knower", String(64), primary_key=True),
)

invitations = Table(  # who was called to a table, and when last
    "invitations",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("at", DateTime(timezone=True), nullable=False),
)

notes = Table(  # what happened around a match, when its log had `version` entries
    "notes",
    metadata,
    Column("id", Snowflake, primary_key=True),
    Column("match_id", ForeignKey("matches.id"), nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("seat", Integer),  # whom it is about
    Column("user_id", Snowflake),  # who did it
    Column("words", String(WORDS), nullable=False, server_default=""),  # in his own words
)

standing = Table(  # how questions outside its own turn are answered for a seat, by what the game calls them
    "standing",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("aside", String(16), primary_key=True),
    Column("way", String(16), nullable=False),
)

answered = Table(  # which entries came of that
    "answered",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at_once", Boolean, nullable=False),  # for all to see; else like the answer of a person, after a while
)

mornings = Table(  # when somebody who wants one direct message a day is written to
    "mornings",
    metadata,
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("since", DateTime(timezone=True), nullable=False),  # games that have ended before are told
    Column("number", Integer, nullable=False),  # how many he was sent
)

clocks = Table(  # the time that whoever sits on a seat has for his turn; `bot.store.rows.SeatClock` says what is what
    "clocks",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user_id", Snowflake, nullable=False),
    Column("version", Integer, nullable=False),
    Column("period", Interval, nullable=False),
    Column("bank", Interval, nullable=False),
    Column("since", DateTime(timezone=True), nullable=False),
    Column("spent", Interval, nullable=False),
    Column("stopped", Interval, nullable=False),
    Column("until", DateTime(timezone=True), nullable=False),
    Column("at", DateTime(timezone=True), index=True),
    Column("warned", DateTime(timezone=True)),
    Column("out", DateTime(timezone=True)),
    Column("barred", Boolean, nullable=False),
    Column("strikes", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("message_id", Snowflake),
    Column("votes", JSON, nullable=False),
    Column("verdict", String(8), nullable=False),
    Column("stand_in", String(32), nullable=False),
    Column("habits", JSON, nullable=False),
    Column("vote_ends", DateTime(timezone=True)),
    Column("reminds_at", DateTime(timezone=True)),
)

posts = Table(  # the newest board that was posted, and those after it
    "posts",
    metadata,
    Column("id", Snowflake, primary_key=True),
    Column("match_id", ForeignKey("matches.id"), nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("status", String(8), nullable=False),
    Column("message_id", Snowflake),
    Column("body", JSON),
)

settings = Table(
    "settings",
    metadata,
    Column("scope", String(16), primary_key=True),
    Column("scope_id", Snowflake, primary_key=True, autoincrement=False),
    Column("name", String(32), primary_key=True),
    Column("value", JSON, nullable=False),
)
