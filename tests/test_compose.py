"""Files that operators copy: the compose files and the unit of systemd."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from bot.config import SETTINGS
from bot.store.server_address import parse
from tests.server import Server, tools

ROOT = Path(__file__).parents[1]
USUAL, SCALING = (yaml.safe_load((ROOT / name).read_text("utf-8")) for name in ("compose.yaml", "compose.scaling.yaml"))
BOTS = {name: service for name, service in SCALING["services"].items() if service.get("image") == "caravanserai"}


def test_the_default_setup_is_one_bot_with_all_settings_and_a_data_volume() -> None:
    (bot,) = USUAL["services"].values()
    assert {*SETTINGS, "PGPASSWORD"} == bot["environment"].keys()
    assert "/data" == bot["environment"]["DATA_DIR"]
    ((volume, folder),) = (line.split(":") for line in bot["volumes"])
    assert "/data" == folder
    # as in the README, so that both commands find the same games
    assert f"-v {USUAL['volumes'][volume]['name']}:/data" in (ROOT / "README.md").read_text("utf-8")


def test_every_bot_uses_the_health_check_of_the_image_and_has_time_to_shut_down() -> None:
    command = (ROOT / "Dockerfile").read_text("utf-8").split("HEALTHCHECK")[1]
    for bot in (*USUAL["services"].values(), *BOTS.values()):
        assert bot["healthcheck"]["test"][-1] in command
        assert "unless-stopped" == bot["restart"]
        assert int(bot["stop_grace_period"].removesuffix("s")) >= 30


def test_processes_start_one_after_another_and_cover_all_shards() -> None:
    first, *rest = BOTS
    assert {"database"} == BOTS[first]["depends_on"].keys()
    for before, name in zip(BOTS, rest, strict=False):
        assert {before: {"condition": "service_healthy"}} == BOTS[name]["depends_on"]
    shares = [bot["environment"]["SHARDS"] for bot in BOTS.values()]
    assert [f"{number}/{len(BOTS)}" for number in range(len(BOTS))] == shares


def test_a_password_with_special_characters_reaches_the_driver() -> None:
    for bot in BOTS.values():
        parsed = parse(bot["environment"]["DATABASE_URL"], {"PGPASSWORD": "a@/?#%[]"})
        assert ("caravanserai", "a@/?#%[]") == (parsed.user, parsed.password)
        assert "POSTGRES_PASSWORD" in bot["environment"]["PGPASSWORD"]


def test_only_services_of_the_database_owner_have_its_password() -> None:
    services = {name for name, service in SCALING["services"].items() if "POSTGRES_PASSWORD" in str(service)}
    assert {*BOTS, "database", "monitoring-user"} == services
    exporter = SCALING["services"]["database-figures"]
    assert exporter["depends_on"] == {"monitoring-user": {"condition": "service_completed_successfully"}}


def psql(words: list[str], script: Path, **environment: str) -> None:
    programs = tools()
    assert programs is not None
    subprocess.run([programs / words[0], *words[1:-1], script], env=environment, check=True, capture_output=True)


async def test_the_monitoring_user_reads_metrics_but_no_matches(server: Server, tmp_path: Path) -> None:
    """The statements run at every start: the second time, they change the password."""
    (tmp_path / "user.sql").write_text(SCALING["configs"]["monitoring-user"]["content"])
    address = (await server.database()).split("/")[3].split("?")[0]
    await server.tell(address, "CREATE TABLE matches (seed TEXT)")
    words = SCALING["services"]["monitoring-user"]["command"].split()
    where = {"PGHOST": str(server.folder), "PGUSER": "postgres", "PGDATABASE": address}
    for password in ("first", 'it\'s "$odd" \\ @/'):
        psql(words, tmp_path / "user.sql", **where, MONITORING_PASSWORD=password)
    assert [(True,)] == await server.tell(address, "SELECT pg_has_role('monitoring', 'pg_monitor', 'member')")
    assert [(False,)] == await server.tell(address, "SELECT has_table_privilege('monitoring', 'matches', 'SELECT')")


UNIT = ROOT / "docs" / "caravanserai.service"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is missing")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    (program := tmp_path / "caravanserai").write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = re.sub(r"ExecStart=\S+", f"ExecStart={program}", UNIT.read_text("utf-8"))
    (tmp_path / UNIT.name).write_text(unit)
    done = subprocess.run(["systemd-analyze", "verify", tmp_path / UNIT.name], capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stdout + done.stderr)


def test_the_systemd_unit_and_its_docs_name_the_same_paths() -> None:
    unit, page = (path.read_text("utf-8") for path in (UNIT, ROOT / "docs" / "operating.md"))
    for setting in ("WorkingDirectory", "User"):
        (value,) = re.findall(rf"^{setting}=(.+)$", unit, re.MULTILINE)
        assert value in page, setting
    assert os.path.basename(UNIT) in page
