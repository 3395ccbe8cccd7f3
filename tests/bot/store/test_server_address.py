"""Addresses of PostgreSQL servers: what large hosts hand out works, and no part of a password is ever repeated."""

from __future__ import annotations

import itertools
import logging
import os
import traceback
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.config import Config
from bot.errors import StartError
from bot.store.opening import open_database
from bot.store.server_address import ServerAddress, complete, parse
from tests.sampling import every
from tests.server import Server

MARKS = ("zzq1", "wwx2", "vvk3")
"""The parts of a password: each is unlikely to appear by chance."""

DELIMITERS = ("@", "/", "?", "#", "%", "[", "]", ":", " ", "&", "=", "+", "\n", "\\", ";", ",", "é")

FORMS = (
    "postgresql://caravanserai:{}@127.0.0.1:1/caravanserai",
    "postgres://{}@127.0.0.1:1/caravanserai",
    "postgresql://caravanserai:{}@[::1]:1/caravanserai?sslmode=require",
    "postgresql://127.0.0.1:1/caravanserai?user=me&password={}",
    "postgresql://127.0.0.1:1/caravanserai?sslmode={}",
    "postgresql://127.0.0.1:1/caravanserai?{}=disable",
    "postgresql://127.0.0.1:1/caravanserai?connect_timeout={}",
    "postgresql://127.0.0.1:1/caravanserai?sslrootcert={}",
    "postgresql://caravanserai:{}@127.0.0.1:port/caravanserai",
    "postgresql://caravanserai:{}@127.0.0.1:1",
    "postgresql+psycopg://caravanserai:{}@127.0.0.1:1/caravanserai",
    "caravanserai:{}@127.0.0.1:1/caravanserai",
)
PASSWORDS = [
    f"{MARKS[0]}{first}{MARKS[1]}{second}{MARKS[2]}" for first, second in itertools.product(DELIMITERS, repeat=2)
]


@pytest.mark.parametrize("form", FORMS)
async def test_no_part_of_a_password_is_reported(
    form: str, caplog: pytest.LogCaptureFixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.DEBUG)
    for password, is_encoded in itertools.product(PASSWORDS[:: every(3)], (False, True)):
        address = form.format(quote(password, safe="") if is_encoded else password)
        with pytest.raises(StartError) as refused:
            async with open_database(address):
                pass
        traces = "".join(traceback.format_exception(refused.value))
        config = Config("token", tmp_path, address, "processes:1", "fair", "INFO")
        reported = f"{traces}{config!r}{caplog.text}{_repr_of(address)}"
        assert [] == [mark for mark in MARKS if mark in reported], form
        caplog.clear()
    assert [] == os.listdir(tmp_path), "no file is named after an address"


def _repr_of(address: str) -> str:
    try:
        return repr(parse(address))
    except StartError as error:
        return str(error)


ACCEPTED = {
    # Neon, Supabase, Heroku, Render, Railway, Aiven, Fly, DigitalOcean, and libpq's own forms
    "postgresql://u:p@ep-a-1.eu-central-1.aws.neon.tech/neondb?sslmode=require&channel_binding=require": ("neondb", ()),
    "postgres://u:p@ep-a-1.aws.neon.tech/neondb?options=endpoint%3Dep-a-1": ("neondb", ()),
    "postgresql://postgres:p@db.abcdef.supabase.co:5432/postgres": ("postgres", (5432,)),
    "postgresql://postgres.abc:p@aws-0-eu.pooler.supabase.com:5432/postgres?supa=base-pooler.x": ("postgres", (5432,)),
    "postgres://u:p@ec2-1-2-3-4.compute-1.amazonaws.com:5432/d1a2b3": ("d1a2b3", (5432,)),
    "postgresql://u:p@dpg-abc-a.oregon-postgres.render.com/games": ("games", ()),
    "postgresql://postgres:p@monorail.proxy.rlwy.net:12345/railway": ("railway", (12345,)),
    "postgres://avnadmin:p@pg-1.aivencloud.com:12691/defaultdb?sslmode=require": ("defaultdb", (12691,)),
    "postgres://u:p@games-db.flycast:5432/games?sslmode=disable": ("games", (5432,)),
    "postgresql://u:p@/games?host=/var/run/postgresql&port=5433": ("games", (5433,)),
    "postgresql://u:p@%2Fvar%2Frun/games": ("games", ()),
    "postgresql://u:p@[::1]:5433,other:5434/games?target_session_attrs=read-write": ("games", (5433, 5434)),
    "postgresql://u:p@h/games?connect_timeout=10&application_name=bot&keepalives=1": ("games", ()),
    "postgresql://u:p@h/games?sslmode=verify-full&sslrootcert=system": ("games", ()),
    "postgresql://u:p@h?database=games": ("games", ()),
}


@pytest.mark.parametrize("address", ACCEPTED)
def test_addresses_of_large_hosting_providers_are_accepted(address: str) -> None:
    parsed = parse(address, {})
    assert ACCEPTED[address] == (parsed.database, parsed.ports)
    assert "p" == parsed.password


REFUSED = {
    "postgresql://u:p@ep-a-1-pooler.aws.neon.tech/neondb?sslmode=require": "leads to a pooler",
    "postgres://u:p@aws-0-eu.pooler.supabase.com:6543/postgres": "leads to a pooler",
    "postgres://u:p@db.supabase.co:5432/postgres?pgbouncer=true": "leads to a pooler",
    "postgresql://postgres:[YOUR-PASSWORD]@db.supabase.co:5432/postgres": "is not an address",
    "postgresql://u:p@h/games?ssl=true": "has ssl=, which is not supported. Write sslmode=require",
    "postgresql://u:p@h/games?sslmode=no-verify": "sslmode is one of disable, allow, prefer, require",
    "postgresql://u:p@h/games?sslmode=require&sslmode=disable": "has the sslmode twice",
    "postgresql://u:p@h/games?user=me": "has the user twice",
    "postgresql://u:p@h/games?dbname=other": "has the dbname twice",
    "postgresql://u:p@h/games?host=other": "has the host twice",
    "postgresql://u:p@h/games?sslrootcert=/no/such/file": "sslrootcert does not name a file",
    "postgresql://u:p@h/games?connect_timeout=soon": "connect_timeout is a number of seconds",
    "postgresql://u:p@h/games?color=green": "unknown option after the question mark",
    "postgresql://u:p@h:65536/games": "port that is not a number",
    "postgresql://u:p@h:1,i:2,j/games?port=3": "has the port twice",
    "postgresql://u:p@h%2Ci/games": "not the name of a machine",
    "postgresql://u:p%FF@h/games": "does not begin an escape in UTF-8",
    "postgresql://u:p%0A@h/games": "control character",
    "postgresql://u:p\n@h/games": "control character",
    "postgresql://u:p@h:1\n/games": "port that is not a number",
    "postgresql://u:p@h\n/games": "control character",
    "postgresql://u:p@h/games?sslmode=require\n": "control character",
    "postgresql://u:p@h": "names no database",
    "postgresql://u:p@h,i%20j/games": "not the name of a machine",
    "postgresql://u:p@i%20j,h/games": "not the name of a machine",
    "postgresql://u:p@h/games?database=other": "has the dbname twice",
    "postgresql://u:p@h:1,i:2/games?pgbouncer=false": "leads to a pooler",
    "postgresql://u:p@h:1,i:2,j:x/games": "port that is not a number",
    "postgresql://u:p@h,i,j/games?port=1,2": "port that is not a number",
    "postgresql://u:p@h/games?sslcert=/no/such/file": "sslcert does not name a file",
}


@pytest.mark.parametrize("address", REFUSED)
def test_invalid_addresses_are_refused_with_an_explanation(address: str) -> None:
    with pytest.raises(StartError, match=REFUSED[address]):
        parse(address, {})


@pytest.mark.parametrize("delimiter", DELIMITERS[:-6])
def test_a_password_with_delimiters_is_passed_escaped_or_separately(delimiter: str) -> None:
    password = f"a{delimiter}b{delimiter}"
    if delimiter != "\n":
        assert password == parse(f"postgresql://u:{quote(password, safe='')}@h/games", {}).password
    assert password == parse("postgresql://u@h/games", {"PGPASSWORD": password}).password


def test_postgresql_environment_variables_fill_in_missing_parts() -> None:
    variables = {"PGHOST": "h", "PGPORT": "5433", "PGUSER": "u", "PGPASSWORD": "p/@", "PGDATABASE": "games"}
    expected = ServerAddress(("h",), (5433,), "games", "u", "p/@", {})
    assert expected == parse("postgresql://", variables)
    assert expected == parse(complete("postgresql://", variables), {})
    assert "me" == parse(complete("postgresql://me@h/games", variables), {}).user
    assert "postgresql://me:x@h:1/games" == complete("postgresql://me:x@h:1/games", variables)
    assert "postgresql://me@h:1/games?sslmode=require&password=p%2F%40" == complete(
        "postgresql://me@h:1/games?sslmode=require", variables
    )
    complete_address = "postgresql://u:p@h:1/games"
    assert complete_address == complete(complete_address, variables)
    assert (1, 2) == parse("postgresql://h:1,i:2/games", {}).ports
    with pytest.raises(StartError, match="names no database"):
        parse("postgresql://", {"PGDATABASE": ""})


def test_the_driver_gets_each_part_and_no_address_with_the_password() -> None:
    parsed = parse("postgresql://u:p%40@h:1/games?sslmode=require&connect_timeout=7&options=-c%20x%3D1", {})
    arguments = parsed.arguments(10.0)
    assert "postgresql://?sslmode=require" == arguments.pop("dsn")
    assert {
        "host": ["h"],
        "port": 1,
        "user": "u",
        "password": "p@",
        "database": "games",
        "timeout": 7.0,
        "target_session_attrs": None,
        "server_settings": {"options": "-c x=1"},
    } == arguments


@pytest.mark.parametrize(
    ("address", "place", "arguments"),
    [
        (
            "postgresql:///games",
            "The database games on this machine",
            {"host": None, "port": None, "user": None, "password": None},
        ),
        (
            "postgresql://u@a:1,b:2/games?application_name=bot&sslmode=",
            "The database games on a, b",
            {"host": ["a", "b"], "port": [1, 2], "user": "u", "password": None},
        ),
        (
            "postgresql://u@a,[::1]/games?port=7&search_path=mine+too",
            "The database games on a, ::1",
            {
                "host": ["a", "::1"],
                "port": 7,
                "user": "u",
                "password": None,
                "server_settings": {"search_path": "mine too"},
            },
        ),
    ],
)
def test_the_driver_gets_nothing_that_the_address_leaves_open(
    address: str, place: str, arguments: dict[str, object]
) -> None:
    parsed = parse(address, {})
    usual = {"dsn": "postgresql://", "database": "games", "timeout": 10.0, "target_session_attrs": None}
    assert (place, {**usual, "server_settings": {}, **arguments}) == (parsed.place, parsed.arguments(10.0))


@pytest.mark.parametrize("query", ["channel_binding=require", "sslmode=verify-full&sslrootcert=system"])
def test_unsupported_ssl_options_become_a_verified_certificate(query: str) -> None:
    context = parse(f"postgresql://u:p@h/games?{query}", {}).arguments(10.0)["ssl"]
    assert context.check_hostname


async def test_a_connection_accepts_a_password_with_delimiters_and_server_settings(server: Server) -> None:
    password = "a@/?#%[]b"
    address = await server.database()
    await server.tell("postgres", f"CREATE ROLE odd SUPERUSER LOGIN PASSWORD '{password}'")
    odd = address.replace("postgres:hush", f"odd:{quote(password, safe='')}") + "&statement_timeout=77s"
    async with open_database(odd) as database:
        assert ("odd", "77s") == tuple(
            (await database.fetch("SELECT current_user, current_setting('statement_timeout')"))[0]
        )


async def test_server_errors_about_users_and_options_are_not_repeated(server: Server) -> None:
    address = await server.database()
    for odd in (
        address.replace("postgres:hush", f"{MARKS[0]}:hush"),
        f"{address}&options=-c%20{MARKS[0]}%3D1",
        f"{address}&options=-c%20statement_timeout%3D{MARKS[0]}",
        f"{address}&search_path={MARKS[0]}",
    ):
        with pytest.raises(StartError) as refused:
            async with open_database(odd):
                pass
        assert MARKS[0] not in str(refused.value)
        assert str(refused.value).startswith(f"The database {address.split('/')[3].split('?')[0]} on ")
