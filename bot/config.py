"""Settings from the environment and from `.env`; `.env.example` documents each of them.

Errors never quote the file, since the token may be anywhere in it by mistake.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import StartError
from bot.store.opening import file_address
from bot.store.server_address import VARIABLES, complete, is_server
from bot.store.shard_range import WHOLE, ShardRange
from engine.players import discover as discover_players
from engine.players import offered_players
from engine.values import Value

if TYPE_CHECKING:
    from dotenv.parser import Binding

SETTINGS = (
    "DISCORD_TOKEN",
    "DATA_DIR",
    "DATABASE_URL",
    "SHARDS",
    "SEARCH",
    "COMPUTER",
    "STORIES",
    "HELP_URL",
    "METRICS",
    "LOG_LEVEL",
    "LOG_FORMAT",
)
SIMILARITY = 0.8
"""The ratio of `difflib` from which a name counts as a misspelled setting."""

FORMS = {
    "SEARCH": (
        r"processes:[1-9]\d?|dask://[^\s/]+:\d+",
        "SEARCH is processes:N, or dask://host:port of the scheduler of a Dask cluster.",
    ),
    "STORIES": ("yes|no", "STORIES is yes or no: whether the story of a game is told when it is over."),
    "HELP_URL": (
        r"|https?://[^\s()<>]+",
        "HELP_URL is not the address of a page. Write it as https://…, or leave it out.",
    ),
    "LOG_LEVEL": ("DEBUG|INFO|WARNING|ERROR", "LOG_LEVEL is one of DEBUG, INFO, WARNING, ERROR."),
    "LOG_FORMAT": ("text|json", "LOG_FORMAT is text or json."),
}
"""Setting -> a regular expression for its values, and the error message for any other."""


class Config(Value):
    """Checked settings. `token` is a secret: it must not get into a log or an error."""

    token: str
    data_dir: Path
    database_url: str
    search: str
    computer: str
    log_level: str
    stories: bool = True
    emojis: bool = True
    help_url: str = ""
    share: ShardRange = WHOLE
    metrics: str = ""
    log_format: str = "text"

    def __repr__(self) -> str:
        return f"Config(data_dir={str(self.data_dir)!r}, log_level={self.log_level!r})"


def load(environ: Mapping[str, str], dotenv: Path = Path(".env")) -> Config:
    """Read the settings; the environment takes precedence over the file.

    Raises:
        StartError: a missing token, an invalid file, or an invalid value.
    """
    values = _values(environ, dotenv)
    _require_no_token_outside(values)
    return Config(
        token=_token(values),
        data_dir=_data_dir(values),
        database_url=_database_url(values),
        search=_check("SEARCH", values.get("SEARCH", "processes:2")),
        computer=_computer(values.get("COMPUTER", "fair")),
        log_level=_check("LOG_LEVEL", values.get("LOG_LEVEL", "INFO").upper()),
        stories=_check("STORIES", values.get("STORIES", "yes").casefold()) == "yes",
        help_url=_check("HELP_URL", values.get("HELP_URL", "")),
        share=_share(values.get("SHARDS", "")),
        metrics=_metrics(values.get("METRICS", "")),
        log_format=_check("LOG_FORMAT", values.get("LOG_FORMAT", "text").lower()),
    )


def database_url(environ: Mapping[str, str], dotenv: Path = Path(".env")) -> str:
    """The address of the database, for programs without a token. Raises like `load`."""
    return _database_url(_values(environ, dotenv))


def _values(environ: Mapping[str, str], dotenv: Path) -> dict[str, str]:
    # an empty value counts as missing: `.env.example` has such settings
    pairs = [*_from_file(dotenv).items(), *environ.items()]
    return {name: _unquote(value) for name, value in pairs if name in (*SETTINGS, *VARIABLES) and value}


def _unquote(value: str) -> str:
    """The value without a pair of quotation marks around it, which `docker run --env-file` keeps."""
    pair = re.fullmatch(r"\s*([\"'])(.*)\1\s*", value, re.DOTALL)
    return pair[2] if pair else value


def _database_url(values: Mapping[str, str]) -> str:
    address = values.get("DATABASE_URL") or file_address(_data_dir(values) / "caravanserai.db")
    return complete(address, values) if is_server(address) else address


def _from_file(dotenv: Path) -> dict[str, str]:
    if not (text := _text(dotenv)):
        return {}
    from dotenv import dotenv_values  # here and below: imported only if needed, to start faster
    from dotenv.parser import parse_stream

    # `dotenv_values` only logs a line that it cannot parse, and drops the setting
    for binding in parse_stream(io.StringIO(text)):
        if problem := _problem(binding):
            # a binding includes the empty lines before it
            text = binding.original.string
            line = binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")
            raise StartError(f"{dotenv}, line {line} {problem}")
    return {name: value or "" for name, value in dotenv_values(stream=io.StringIO(text)).items()}


def _problem(binding: Binding) -> str:
    """The problem of a line; empty for a valid setting, also of another program, for a comment and an empty line."""
    name = binding.key
    is_incomplete = name is not None and (binding.value is None or not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII))
    if binding.error or is_incomplete:
        return "is not a setting. Write it as NAME=value, with both quotation marks or none."
    if name is None or name in (*SETTINGS, *VARIABLES):
        return ""
    import difflib

    # compose.yaml and other programs have settings in the same file: only a misspelled one is an error
    similar_names = difflib.get_close_matches(name.upper(), SETTINGS, 1, SIMILARITY)
    return f"is not a setting of this program. Did you mean {similar_names[0]}?" if similar_names else ""


def _text(dotenv: Path) -> str:
    """The text of the file; empty without a file."""
    try:
        raw = dotenv.read_bytes() if dotenv.is_file() else b""
    except OSError as error:
        raise StartError(f"{dotenv} cannot be read: {error.strerror}. Check who owns it.") from None
    try:
        # UTF-16 without a byte order mark is half zeros, and would be valid UTF-8
        return raw.replace(b"\0", b"\xff").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise StartError(f"{dotenv}, line {line} is not in UTF-8. Save the file in that encoding.") from None


PART_LENGTH = 12
"""Characters of a token that do not occur elsewhere by chance."""


def _require_no_token_outside(values: Mapping[str, str]) -> None:
    """Raise `StartError` if another setting contains a part of the token, since errors quote folders and addresses."""
    token = values.get("DISCORD_TOKEN", "").strip()
    parts = [token[start : start + PART_LENGTH] for start in range(len(token) - PART_LENGTH + 1)]
    for name, value in values.items():
        if name != "DISCORD_TOKEN" and any(part in value for part in parts):
            raise StartError(f"{name} contains a part of the DISCORD_TOKEN. Set it as DISCORD_TOKEN only.")


def _token(values: Mapping[str, str]) -> str:
    token = values.get("DISCORD_TOKEN", "").strip()
    if not token:
        raise StartError(
            "There is no DISCORD_TOKEN. Copy .env.example to .env and put your bot’s token there, "
            "or try the bot without any token: make play"
        )
    # printable ASCII: it becomes a header of each request
    if not re.fullmatch(r"[!-~]+", token):
        raise StartError(
            "DISCORD_TOKEN holds a space, a line break or a letter that no token has. "
            "Copy the token again, all of it and nothing else."
        )
    return token


def _data_dir(values: Mapping[str, str]) -> Path:
    path = values.get("DATA_DIR")
    if not path:
        import platformdirs

        path = platformdirs.user_data_dir("caravanserai")
    try:
        folder = Path(path).expanduser()
    except RuntimeError:
        raise StartError(
            "DATA_DIR begins with the home folder of somebody who is not known here. Write the whole path."
        ) from None
    # not `Path.exists`, which raises `PermissionError` in an unreadable folder
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise StartError(f"DATA_DIR, {folder}, is a file, not a folder. Name another place.")
    return folder


def _share(value: str) -> ShardRange:
    if not value:
        return WHOLE
    numbers = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?/(\d{1,4})", value)
    # one number is the first and the last
    share = ShardRange(*map(int, numbers.groups(default=numbers[1]))) if numbers else None
    if share is None or not share.first <= share.last < share.count:
        raise StartError("SHARDS is first-last/all: 0-3/16 has the first four of sixteen, 4/16 only the fifth.")
    return share


def _check(name: str, value: str) -> str:
    form, sentence = FORMS[name]
    if not re.fullmatch(form, value):
        raise StartError(sentence)
    return value


def _computer(name: str) -> str:
    if name not in discover_players():
        raise StartError(f"COMPUTER is one of {', '.join(offered_players())}.")
    return name


def _metrics(address: str) -> str:
    host, _, port = address.rpartition(":")
    if address and not (re.fullmatch(r"[\w.:-]+", host) and port.isdecimal() and 0 < int(port) < 65536):
        raise StartError("METRICS is host:port for /health and /metrics, such as 127.0.0.1:9464, or nothing.")
    return address
