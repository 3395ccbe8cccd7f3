"""Settings from the environment and from `.env`; `.env.example` documents every one of them."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs
from dotenv import dotenv_values

from bot.errors import StartError

KNOWN = ("DISCORD_TOKEN", "DATA_DIR", "DATABASE_URL", "LOG_LEVEL")


@dataclass(frozen=True, slots=True)
class Config:
    """Checked settings. `token` is a secret: it stands in no log and no error."""

    token: str
    data_dir: Path
    database_url: str
    log_level: str

    def __repr__(self) -> str:
        return f"Config(data_dir={str(self.data_dir)!r}, log_level={self.log_level!r})"


def load(environ: Mapping[str, str], dotenv: Path = Path(".env")) -> Config:
    """Read the settings; the environment goes before the file.

    Raises:
        StartError: no token, an unknown setting in the file, or a value that cannot be.
    """
    values = {name: value for name, value in _from_file(dotenv).items() if value}
    values.update({name: environ[name] for name in KNOWN if environ.get(name)})
    data_dir = Path(values.get("DATA_DIR") or platformdirs.user_data_dir("caravanserai")).expanduser()
    return Config(
        token=_token(values),
        data_dir=data_dir,
        database_url=values.get("DATABASE_URL") or f"sqlite+aiosqlite:///{data_dir / 'caravanserai.db'}",
        log_level=_log_level(values.get("LOG_LEVEL", "INFO")),
    )


def _from_file(dotenv: Path) -> dict[str, str]:
    if not dotenv.is_file():
        return {}
    values = dotenv_values(dotenv)
    for name in values:
        if name not in KNOWN:
            near = difflib.get_close_matches(name, KNOWN, 1)
            hint = f"Did you mean {near[0]}?" if near else f"The settings are {', '.join(KNOWN)}."
            raise StartError(f"{dotenv} has an unknown setting, {name}. {hint}")
    return {name: value or "" for name, value in values.items()}


def _token(values: Mapping[str, str]) -> str:
    token = values.get("DISCORD_TOKEN", "").strip()
    if not token:
        raise StartError(
            "There is no DISCORD_TOKEN. Copy .env.example to .env and put your bot’s token there, "
            "or try the bot without any token: make play"
        )
    return token


def _log_level(name: str) -> str:
    if name.upper() not in logging.getLevelNamesMapping():
        raise StartError(f"LOG_LEVEL cannot be {name}; it is DEBUG, INFO, WARNING or ERROR.")
    return name.upper()
