"""Settings: what is missing or wrong is said in a sentence, and the token stands nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot import config
from bot.errors import StartError
from engine.games import discover

ROOT = Path(__file__).parents[2]


def test_env_example_names_exactly_the_settings_there_are():
    lines = (ROOT / ".env.example").read_text().splitlines()
    named = [line.split("=")[0] for line in lines if line and not line.startswith("#")]
    assert list(config.KNOWN) == named


def test_the_readme_explains_every_setting():
    readme = (ROOT / "README.md").read_text()
    assert [] == [name for name in config.KNOWN if f"`{name}`" not in readme]


def test_the_readme_names_every_command():
    readme = (ROOT / "README.md").read_text()
    rows = {line.split("`")[1]: line for line in readme.splitlines() if line.startswith("| `/")}
    for slug, spec in discover().items():
        assert [] == [cls.verb for cls in spec.actions if f"`{cls.verb}`" not in rows[f"/{slug}"]]


def test_the_pictures_of_the_readme_are_there():
    shown = re.findall(r'src="([^"]+)"', (ROOT / "README.md").read_text())
    assert 5 == len(shown)
    assert [] == [path for path in shown if not (ROOT / path).is_file()]


def test_without_a_token_the_two_ways_on_are_named(tmp_path):
    with pytest.raises(StartError, match=r"\.env\.example.*make play"):
        config.load({}, tmp_path / ".env")


def test_the_environment_goes_before_the_file(tmp_path):
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN=from-file\nDATA_DIR={tmp_path}\n")
    settings = config.load({"DISCORD_TOKEN": "from-environment"}, tmp_path / ".env")
    assert ("from-environment", tmp_path) == (settings.token, settings.data_dir)


def test_an_unknown_setting_in_the_file_is_named_with_the_nearest_known_one(tmp_path):
    (tmp_path / ".env").write_text("DISCORD_TOKN=abc\n")
    with pytest.raises(StartError, match=r"DISCORD_TOKN.*Did you mean DISCORD_TOKEN"):
        config.load({}, tmp_path / ".env")


def test_a_log_level_that_does_not_exist_is_refused():
    with pytest.raises(StartError, match="loud"):
        config.load({"DISCORD_TOKEN": "x", "LOG_LEVEL": "loud"}, Path("nowhere"))


def test_the_token_is_not_in_the_repr():
    assert "hush" not in repr(config.load({"DISCORD_TOKEN": "hush"}, Path("nowhere")))


def test_the_database_lies_in_the_data_folder_unless_said_otherwise(tmp_path):
    inside = config.load({"DISCORD_TOKEN": "x", "DATA_DIR": str(tmp_path)}, Path("nowhere"))
    assert f"sqlite+aiosqlite:///{tmp_path}/caravanserai.db" == inside.database_url
    elsewhere = config.load({"DISCORD_TOKEN": "x", "DATABASE_URL": "sqlite+aiosqlite:///a.db"}, Path("nowhere"))
    assert "sqlite+aiosqlite:///a.db" == elsewhere.database_url
