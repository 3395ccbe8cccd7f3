"""Settings: errors are sentences, and none has the token."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path

import pytest

from bot import config
from bot.errors import StartError
from bot.store.opening import file_address, place_of
from bot.store.server_address import parse
from bot.store.shard_range import ShardRange

ROOT = Path(__file__).parents[2]


def test_env_example_names_exactly_the_existing_settings():
    lines = (ROOT / ".env.example").read_text().splitlines()
    named = [line.split("=")[0] for line in lines if line and not line.startswith("#")]
    assert list(config.SETTINGS) == named


def test_the_readme_explains_every_setting():
    readme = (ROOT / "README.md").read_text()
    assert [] == [name for name in config.SETTINGS if f"`{name}`" not in readme]


def test_the_pictures_of_the_readme_exist():
    pictures = re.findall(r'src="([^"]+)"', (ROOT / "README.md").read_text())
    assert 6 == len(pictures)
    assert [] == [path for path in pictures if not (ROOT / path).is_file()]


def test_a_missing_token_is_explained_with_two_alternatives(tmp_path):
    with pytest.raises(StartError, match=r"\.env\.example.*make play"):
        config.load({}, tmp_path / ".env")


def test_the_environment_overrides_the_file(tmp_path):
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN=from-file\nDATA_DIR={tmp_path}\n")
    settings = config.load({"DISCORD_TOKEN": "from-environment"}, tmp_path / ".env")
    assert ("from-environment", tmp_path) == (settings.token, settings.data_dir)


def refusal(dotenv, environ=None):
    with pytest.raises(StartError) as caught:
        config.load(environ or {}, dotenv)
    return str(caught.value)


def write_env(folder, content):
    """A `.env` with these bytes, or this text in UTF-8."""
    (folder / ".env").write_bytes(content.encode() if isinstance(content, str) else content)
    return folder / ".env"


SECRET = "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"

UNREADABLE = {
    "only the token": (SECRET, "line 1 is not a setting"),
    "only the token, after a comment": (f"# mine\r\n\r\n{SECRET}\r\n", "line 3 is not a setting"),
    "the token before an equals sign": (f"{SECRET}=\n", "line 1 is not a setting"),
    "a setting without a value": ("LOG_LEVEL=INFO\nDISCORD_TOKEN\n", "line 2 is not a setting"),
    "an open quotation mark": (f'LOG_LEVEL=INFO\nDISCORD_TOKEN="{SECRET}\n', "line 2 is not a setting"),
    "UTF-16 with a mark": (f"DISCORD_TOKEN={SECRET}".encode("utf-16"), "is not in UTF-8"),
    "UTF-16 without a mark": (f"DISCORD_TOKEN={SECRET}".encode("utf-16-le"), "is not in UTF-8"),
    "Latin-1": (f"DISCORD_TOKEN={SECRET}\n# für mich\n".encode("latin-1"), "line 2 is not in UTF-8"),
}
"""The kind of error -> the contents of the file, and the message."""


@pytest.mark.parametrize("wrong", UNREADABLE)
def test_an_unreadable_file_is_explained_by_line_without_quoting_it(wrong, tmp_path):
    content, reason = UNREADABLE[wrong]
    sentence = refusal(write_env(tmp_path, content))
    assert reason in sentence
    assert "Cl2FMQ" not in sentence


def test_a_file_may_start_with_a_byte_order_mark(tmp_path):
    dotenv = write_env(tmp_path, "\ufeffDISCORD_TOKEN=from-file\r\nLOG_LEVEL=ERROR\r\n")
    settings = config.load({}, dotenv)
    assert ("from-file", "ERROR") == (settings.token, settings.log_level)


@pytest.mark.parametrize("name", ["DISCORD_TOKN", "DISCORD_TOKEM", "discord_token", "DISCORD_BOT_TOKEN"])
def test_a_misspelled_setting_suggests_the_nearest_name(name, tmp_path):
    error = refusal(write_env(tmp_path, f"LOG_LEVEL=INFO\n\n{name}={SECRET}\n"))
    assert "line 3 is not a setting of this program. Did you mean DISCORD_TOKEN?" in error
    assert "Cl2FMQ" not in error


FOREIGN = ("POSTGRES_PASSWORD", "COLOR", "COMPOSE_PROJECT_NAME", "TZ", "LOG_FILE", "DATA_PATH", "PGADMIN_PASSWORD")


@pytest.mark.parametrize("name", FOREIGN)
def test_settings_of_other_programs_in_the_file_are_ignored(name, tmp_path):
    dotenv = write_env(tmp_path, f"DISCORD_TOKEN=x\nexport {name}='a \"b\"'\nDATA_DIR={tmp_path}\n")
    assert tmp_path == config.load({}, dotenv).data_dir
    assert f"sqlite:///{tmp_path}/caravanserai.db" == config.database_url({}, dotenv)


def test_the_settings_of_the_compose_files_are_accepted_in_env(tmp_path):
    files = [ROOT / name for name in ("compose.yaml", "compose.scaling.yaml")]
    names = {name for file in files for name in re.findall(r"\$\{(\w+)", file.read_text())}
    assert {"DISCORD_TOKEN", "POSTGRES_PASSWORD"} <= names
    config.load({}, write_env(tmp_path, "".join(f"{name}=\n" for name in names) + "DISCORD_TOKEN=x\n"))


QUOTED = ('"{}"', "'{}'", " '{}'\n")


@pytest.mark.parametrize("form", QUOTED)
def test_a_pair_of_quotation_marks_around_any_setting_is_removed(form, tmp_path):
    plain = {
        "DISCORD_TOKEN": SECRET,
        "DATA_DIR": str(tmp_path / "data"),
        "DATABASE_URL": "postgresql://u@h/games",
        "SHARDS": "0-3/16",
        "SEARCH": "processes:3",
        "COMPUTER": "easy",
        "STORIES": "no",
        "HELP_URL": "https://example.org",
        "METRICS": "127.0.0.1:9464",
        "LOG_LEVEL": "ERROR",
        "LOG_FORMAT": "json",
    }
    assert list(config.SETTINGS) == list(plain)
    settings = config.load(plain | {"PGPASSWORD": "p"}, tmp_path / ".env")
    defaults = config.load({"DISCORD_TOKEN": "x"}, tmp_path / ".env")
    fixed = ["emojis"]
    assert fixed == [name for name, value in asdict(settings).items() if value == asdict(defaults)[name]]
    assert settings == config.load({name: form.format(value) for name, value in (plain | {"PGPASSWORD": "p"}).items()})
    twice = "".join(f"{name}='\"{value}\"'\n" for name, value in plain.items())
    assert config.load(plain, tmp_path / ".env") == config.load({}, write_env(tmp_path, twice))


def test_an_unpaired_quotation_mark_belongs_to_the_value():
    assert '"x' == config.load({"DISCORD_TOKEN": '"x'}, Path("nowhere")).token


def test_the_file_may_contain_postgresql_variables(tmp_path):
    lines = "DISCORD_TOKEN=x\nDATABASE_URL=postgresql://u@h/games\nPGPASSWORD=from@file\nPGSSLMODE=require\n"
    dotenv = write_env(tmp_path, lines)
    parsed = parse(config.load({}, dotenv).database_url, {})
    assert ("from@file", {"sslmode": "require"}) == (parsed.password, parsed.options)
    assert "environment" == parse(config.load({"PGPASSWORD": "environment"}, dotenv).database_url, {}).password


def test_a_file_without_read_permission_is_named(tmp_path, monkeypatch):
    def forbid(self):
        raise PermissionError(13, "Permission denied")

    dotenv = write_env(tmp_path, "DISCORD_TOKEN=x")
    monkeypatch.setattr(Path, "read_bytes", forbid)
    assert f"{dotenv} cannot be read: Permission denied" in refusal(dotenv)


@pytest.mark.parametrize("token", ["abc\ndef", "abc def", "Bot abc", "abc\u00e4", "abc\udce4", "abc\x07"])
def test_a_token_with_invalid_characters_is_refused_without_quoting_it(token, tmp_path):
    sentence = refusal(tmp_path / ".env", {"DISCORD_TOKEN": token})
    assert "DISCORD_TOKEN holds a space" in sentence
    assert "abc" not in sentence


@pytest.mark.parametrize("start", [0, 30, len(SECRET) - 12])
@pytest.mark.parametrize("name", ["DATA_DIR", "DATABASE_URL", "COMPUTER"])
def test_a_part_of_the_token_in_another_setting_is_refused_without_quoting_it(name, start, tmp_path):
    part = SECRET[start : start + 12]
    sentence = refusal(tmp_path / ".env", {"DISCORD_TOKEN": f" {SECRET}\n", name: f"/a/{part}/b"})
    assert f"{name} contains a part of the DISCORD_TOKEN" in sentence
    assert part not in sentence


def test_a_short_part_of_the_token_may_appear_in_other_settings(tmp_path):
    folder = tmp_path / SECRET[:11]
    assert folder == config.load({"DISCORD_TOKEN": SECRET, "DATA_DIR": str(folder)}, tmp_path / ".env").data_dir


def test_whitespace_around_a_token_is_ignored():
    assert "abc" == config.load({"DISCORD_TOKEN": " abc\r\n"}, Path("nowhere")).token


def test_an_unknown_log_level_is_refused_without_quoting_it():
    sentence = refusal(Path("nowhere"), {"DISCORD_TOKEN": "x", "LOG_LEVEL": SECRET})
    assert "LOG_LEVEL is one of DEBUG, INFO, WARNING, ERROR" in sentence
    assert "Cl2FMQ" not in sentence


def test_an_empty_setting_counts_as_missing(tmp_path):
    dotenv = write_env(tmp_path, "DISCORD_TOKEN=x\nDATA_DIR=\nDATABASE_URL=\nLOG_LEVEL=\n")
    assert "INFO" == config.load({}, dotenv).log_level
    assert "INFO" == config.load({"LOG_LEVEL": ""}, dotenv).log_level


def test_an_unknown_home_folder_is_named():
    sentence = refusal(Path("nowhere"), {"DISCORD_TOKEN": "x", "DATA_DIR": "~no-such-user/games"})
    assert "DATA_DIR begins with the home folder of somebody who is not known here" in sentence


def test_a_data_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "data").write_text("in the way")
    sentence = refusal(Path("nowhere"), {"DISCORD_TOKEN": "x", "DATA_DIR": str(tmp_path / "data")})
    assert f"DATA_DIR, {tmp_path / 'data'}, is a file, not a folder" in sentence


def test_the_token_is_not_in_the_repr():
    assert "hush" not in repr(config.load({"DISCORD_TOKEN": "hush"}, Path("nowhere")))


def test_the_database_is_in_the_data_folder_by_default(tmp_path):
    inside = config.load({"DISCORD_TOKEN": "x", "DATA_DIR": str(tmp_path)}, Path("nowhere"))
    assert f"sqlite:///{tmp_path}/caravanserai.db" == inside.database_url
    elsewhere = config.load({"DISCORD_TOKEN": "x", "DATABASE_URL": "sqlite:///a.db"}, Path("nowhere"))
    assert "sqlite:///a.db" == elsewhere.database_url


def test_a_data_folder_may_contain_characters_that_urls_must_escape(tmp_path):
    folder = tmp_path / "50% café?"
    settings = config.load({"DISCORD_TOKEN": "x", "DATA_DIR": str(folder)}, Path("nowhere"))
    assert folder / "caravanserai.db" == place_of(settings.database_url)


SHARES = {"": ShardRange(0, 0, 1), "0-3/16": ShardRange(0, 3, 16), "4/16": ShardRange(4, 4, 16)}


@pytest.mark.parametrize("said", SHARES)
def test_a_process_may_have_a_share_of_the_shards(said):
    assert SHARES[said] == config.load({"DISCORD_TOKEN": "x", "SHARDS": said}, Path("nowhere")).share


@pytest.mark.parametrize("said", ["3-0/16", "0-16/16", "16/16", "0-3", "all", "-1/2", "0/0"])
def test_impossible_shards_are_refused(said):
    with pytest.raises(StartError, match="0-3/16 has the first four of sixteen"):
        config.load({"DISCORD_TOKEN": "x", "SHARDS": said}, Path("nowhere"))


def test_each_setting_has_its_field_and_a_default(tmp_path):
    required = {"DISCORD_TOKEN": "token", "DATA_DIR": str(tmp_path)}
    database = file_address(tmp_path / "caravanserai.db")
    default = config.Config("token", tmp_path, database, "processes:2", "fair", "INFO")
    assert default == config.load(required, tmp_path / ".env")
    (tmp_path / ".env").write_text("HELP_URL=\nPATH=5\nOTHER=\n")
    assert default == config.load(required, tmp_path / ".env")
    all_settings = required | {
        "DATABASE_URL": "sqlite:///other.db",
        "SHARDS": "1-2/4",
        "SEARCH": "dask://host:8786",
        "COMPUTER": "uniform",
        "STORIES": "NO",
        "HELP_URL": "https://example.org",
        "METRICS": "127.0.0.1:9464",
        "LOG_LEVEL": "warning",
        "LOG_FORMAT": "JSON",
    }
    assert config.Config(
        "token",
        tmp_path,
        "sqlite:///other.db",
        "dask://host:8786",
        "uniform",
        "WARNING",
        stories=False,
        help_url="https://example.org",
        share=ShardRange(1, 2, 4),
        metrics="127.0.0.1:9464",
        log_format="json",
    ) == config.load(all_settings, tmp_path / ".env")
    assert config.load(required | {"STORIES": "Yes"}, tmp_path / ".env").stories
    token = "a token of this bot"
    others = {"DISCORD_TOKEN": token.replace(" ", "-"), "OTHER_BOT": token.replace(" ", "-"), "DATA_DIR": str(tmp_path)}
    assert others["OTHER_BOT"] == config.load(others, tmp_path / ".env").token, "settings of other programs are free"


@pytest.mark.parametrize("address", ["localhost:1", "::1:65535", "0.0.0.0:80", ""])
def test_the_pages_for_monitoring_have_a_host_and_a_port(address: str) -> None:
    assert address == config._metrics(address)


@pytest.mark.parametrize("address", ["localhost", ":80", "localhost:0", "localhost:65536", "localhost:http", "a b:80"])
def test_an_impossible_address_of_the_pages_for_monitoring_is_refused(address: str) -> None:
    with pytest.raises(StartError, match=r"^METRICS is host:port"):
        config._metrics(address)
