"""The address of a PostgreSQL server, with one strict parser, so that no part of a password is taken for a host.

This module parses the whole address and passes its parts to the driver. Messages name only hosts, ports and the
database, never the user, the password or options.
"""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any
from urllib.parse import unquote, urlencode

from bot.errors import StartError
from engine.values import Value

INSTEAD = "Write it as sqlite:///folder/games.db, or postgresql://user:password@host/database, or leave it out."
"""A hint for error messages, which never quote an address: it may contain a password."""

ESCAPES = (
    "In a user or password, write @ as %40, / as %2F, ? as %3F, # as %23, % as %25, [ as %5B and ] as %5D, "
    "or leave the password out and set PGPASSWORD."
)

_ADDRESS = re.compile(
    r"(?i:postgresql|postgres)://"
    r"(?:(?P<user>[^:@/?#\[\]]*)(?::(?P<password>[^@/?#\[\]]*))?@)?"
    r"(?P<host>[^@/?#]*)"
    r"(?:/(?P<dbname>[^@/?#\[\]]*))?"
    r"(?:\?(?P<query>[^@?#\[\]]*))?"
)
"""The only `@` ends user and password, which contain no delimiters, so that all parsers agree about them."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_HOST = re.compile(r"/[^,]+|[\w.-]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(?:%\w+)?")
"""A folder of sockets, a name, or an address of either kind."""

DEFAULT_PORT = 5432

VARIABLES = {
    "PGHOST": "host",
    "PGPORT": "port",
    "PGUSER": "user",
    "PGPASSWORD": "password",
    "PGDATABASE": "dbname",
    "PGSSLMODE": "sslmode",
    "PGSSLROOTCERT": "sslrootcert",
    "PGSSLCERT": "sslcert",
    "PGSSLKEY": "sslkey",
    "PGCHANNELBINDING": "channel_binding",
    "PGCONNECT_TIMEOUT": "connect_timeout",
    "PGOPTIONS": "options",
    "PGTARGETSESSIONATTRS": "target_session_attrs",
}
"""The environment variables of PostgreSQL's own tools -> the parameter that they set where the address does not."""

FILES = ("sslrootcert", "sslcert", "sslkey", "sslcrl")
SESSION = ("search_path", "statement_timeout", "options")
"""Parameters that the bot passes to the server unchanged."""

TLS_VERSIONS = ("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3")

CHOICES = {
    "sslmode": ("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
    "sslnegotiation": ("postgres", "direct"),
    "ssl_min_protocol_version": TLS_VERSIONS,
    "ssl_max_protocol_version": TLS_VERSIONS,
    "channel_binding": ("disable", "prefer", "require"),
    "target_session_attrs": ("any", "read-write", "read-only", "primary", "standby", "prefer-standby"),
}
"""Parameter -> its allowed values."""

TLS = (*FILES, "sslmode", "sslpassword", "sslnegotiation", "ssl_min_protocol_version", "ssl_max_protocol_version")
"""Parameters that the driver accepts only as parts of an address."""

FIELDS = ("host", "port", "user", "password", "dbname")
OPTIONS = sorted({*CHOICES, *TLS, *SESSION, "connect_timeout"})

IGNORED = {
    "application_name": "the bot sets its own",
    "fallback_application_name": "the bot sets its own",
    "client_encoding": "always UTF-8",
    "connection_limit": "there is one connection",
    "pool_timeout": "there is one connection",
    "keepalives": "the bot sets its own",
    "keepalives_idle": "the bot sets its own",
    "keepalives_interval": "the bot sets its own",
    "keepalives_count": "the bot sets its own",
    "gssencmode": "the driver does not use it",
    "sslcompression": "the driver does not use it",
    "sslsni": "the driver always does",
    "uselibpqcompat": "of another driver",
    "supa": "of another driver",
}
"""Parameters of other programs that have no effect here -> why."""

REFUSED = {
    "service": "Write the host, the user and the database into the address instead.",
    "passfile": "Set the environment variable PGPASSFILE instead.",
    "hostaddr": "Write it as the host instead.",
    "ssl": "Write sslmode=require or sslmode=disable instead.",
    "schema": "Write search_path= instead.",
    "require_auth": "Leave it out.",
}
"""Unsupported parameters that would change the connection -> what to do instead."""

POOLER = (
    "DATABASE_URL leads to a pooler of connections, and the bot needs a connection of its own, since it holds locks. "
    "Use the address for direct connections."
)


class ServerAddress(Value):
    """A parsed address. `options` are the parameters besides the fields; neither they nor the password are reported."""

    hosts: tuple[str, ...]
    ports: tuple[int, ...]
    database: str
    user: str = field(repr=False)
    password: str = field(repr=False)
    options: Mapping[str, str] = field(repr=False)

    @property
    def place(self) -> str:
        """The database and its hosts, for messages to the operator."""
        return f"The database {self.database} on {', '.join(self.hosts) or 'this machine'}"

    def arguments(self, default_timeout: float) -> dict[str, Any]:
        """The keyword arguments of `asyncpg.connect`, without an address that contains the password."""
        tls = {name: self.options[name] for name in TLS if name in self.options}
        arguments: dict[str, Any] = {
            "dsn": "postgresql://" + (f"?{urlencode(tls)}" if tls else ""),
            "host": list(self.hosts) or None,
            # a single port is for all hosts
            "port": self.ports[0] if len(self.ports) == 1 else list(self.ports) or None,
            "user": self.user or None,
            "password": self.password or None,
            "database": self.database,
            "timeout": float(self.options.get("connect_timeout", 0)) or default_timeout,
            "target_session_attrs": self.options.get("target_session_attrs"),
            "server_settings": {name: self.options[name] for name in SESSION if name in self.options},
        }
        return arguments | self._certificates()

    def _certificates(self) -> dict[str, Any]:
        """The driver supports neither `channel_binding` nor `sslrootcert=system`: a verified certificate replaces both,
        since it also proves that the server is the right one.
        """
        is_bound = self.options.get("channel_binding") == "require" and "sslrootcert" not in self.options
        if not is_bound and self.options.get("sslrootcert") != "system":
            return {}
        context = ssl.create_default_context()
        if certificate := self.options.get("sslcert"):
            context.load_cert_chain(certificate, self.options.get("sslkey"), self.options.get("sslpassword", ""))
        return {"dsn": None, "ssl": context}


def is_server(address: str) -> bool:
    """Whether an address is for PostgreSQL."""
    return re.match(r"(?i:postgresql|postgres):", address) is not None


def parse(address: str, environ: Mapping[str, str] = os.environ) -> ServerAddress:
    """Parse an address; PostgreSQL's own variables of the environment stand in for missing parts.

    Raises:
        StartError: it is malformed, ambiguous or asks for something unsupported; the message quotes none of it.
    """
    return _checked_address(_from_environment(environ) | _parts(address))


def complete(address: str, variables: Mapping[str, str]) -> str:
    """The address with the parts that it lacks and the variables have. Raises `StartError` as `parse` does."""
    parts = _parts(address)
    missing = {name: value for name, value in _from_environment(variables).items() if name not in parts}
    if not missing:
        return address
    return f"{address}{'&' if '?' in address else '?'}{urlencode(missing)}"


def _from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: environ[variable] for variable, name in VARIABLES.items() if environ.get(variable)}


def _parts(address: str) -> dict[str, str]:
    """The parameters of an address by libpq's names (https://www.postgresql.org/docs/current/libpq-connect.html)."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise StartError(f"DATABASE_URL is not an address of a database. {INSTEAD} {ESCAPES}")
    parts: dict[str, str] = {}
    for name, value in [*_authority(match), *_query(match["query"] or "")]:
        # libpq and other drivers disagree on which of two values counts
        if name in parts:
            raise StartError(f"DATABASE_URL has the {name} twice. Leave one out.")
        parts[name] = value
    return parts


def _authority(match: re.Match[str]) -> Iterator[tuple[str, str]]:
    for name in ("user", "password", "dbname"):
        if match[name]:
            yield name, _decode(match[name])
    hosts, ports = [], []
    for part in filter(None, match["host"].split(",")):
        host, port = _split(part)
        # a comma that was escaped would become another host
        hosts.append(_decode(host).replace(",", "\0"))
        ports.append(port)
    if hosts:
        yield "host", ",".join(hosts)
    if any(ports):
        yield "port", ",".join(ports)


def _split(part: str) -> tuple[str, str]:
    """Host and port; an IPv6 address is in brackets."""
    if bracketed := re.fullmatch(r"\[([^\[\]]*)\](?::(.*))?", part):
        return bracketed[1], bracketed[2] or ""
    host, _, port = part.partition(":")
    return host, port


def _query(query: str) -> Iterator[tuple[str, str]]:
    for pair in filter(None, query.split("&")):
        name, _, value = pair.partition("=")
        # asyncpg and SQLAlchemy call it `database`
        name = "dbname" if name == "database" else name
        if name == "pgbouncer":
            raise StartError(POOLER)
        if name in REFUSED:
            raise StartError(f"DATABASE_URL has {name}=, which is not supported. {REFUSED[name]}")
        if name not in (*FIELDS, *OPTIONS, *IGNORED):
            # the message does not quote the name: it may be a part of a password
            raise StartError(
                f"DATABASE_URL has an unknown option after the question mark. The options are {', '.join(OPTIONS)}. "
                f"{ESCAPES}"
            )
        if value and name not in IGNORED:
            yield name, _decode(value.replace("+", " "))


def _decode(part: str) -> str:
    try:
        decoded = unquote(part, errors="strict")
    except UnicodeDecodeError:
        raise StartError(f"DATABASE_URL has a % that does not begin an escape in UTF-8. {ESCAPES}") from None
    if _CONTROLS.search(decoded):
        raise StartError("DATABASE_URL contains a line break or another control character. Leave it out.")
    return decoded


def _checked_address(parts: Mapping[str, str]) -> ServerAddress:
    if not parts.get("dbname"):
        raise StartError(f"DATABASE_URL names no database. {INSTEAD}")
    hosts = tuple(filter(None, parts.get("host", "").split(",")))
    if not all(_HOST.fullmatch(host) for host in hosts):
        raise StartError(f"The host in DATABASE_URL or PGHOST is not the name of a machine. {INSTEAD} {ESCAPES}")
    ports = _ports(parts.get("port", ""), hosts)
    options = {name: value for name, value in parts.items() if name in OPTIONS}
    _require_valid(options)
    return ServerAddress(hosts, ports, parts["dbname"], parts.get("user", ""), parts.get("password", ""), options)


def _ports(listed: str, hosts: tuple[str, ...]) -> tuple[int, ...]:
    """One port for all hosts, or one for each. Raises `StartError`, also for a pooler, which its port or name shows."""
    numbers = listed.split(",") if listed else []
    is_valid = all(re.fullmatch(r"[1-9]\d{0,4}|", number) and int(number or 1) < 65536 for number in numbers)
    if not is_valid or len(numbers) not in (0, 1, len(hosts)):
        raise StartError(f"DATABASE_URL or PGPORT has a port that is not a number up to 65535. {INSTEAD} {ESCAPES}")
    # of Neon and of Supabase
    if any("-pooler." in host or (host.endswith(".pooler.supabase.com") and "6543" in numbers) for host in hosts):
        raise StartError(POOLER)
    return tuple(int(number or DEFAULT_PORT) for number in numbers)


def _require_valid(options: Mapping[str, str]) -> None:
    where = "In DATABASE_URL or the environment,"
    for name, values in CHOICES.items():
        if options.get(name, values[0]) not in values:
            raise StartError(f"{where} {name} is one of {', '.join(values)}.")
    if not re.fullmatch(r"\d{1,3}", options.get("connect_timeout", "0")):
        raise StartError(f"{where} connect_timeout is a number of seconds.")
    for name in FILES:
        path = options.get(name, "system")
        if path != "system" and not os.access(path, os.R_OK):
            raise StartError(f"{where} {name} does not name a file that can be read.")
