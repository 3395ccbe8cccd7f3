"""Validation against Discord's OpenAPI file, if that file and a validator are available.

The file is not part of the repository: `$DISCORD_OPENAPI`, or `../shared/discord/openapi.json` next to it. Requests are
validated strictly (every object is closed, so misspelled keys are errors), our own responses less so.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from playground.wire import Json

# Fields that Discord accepts although the file does not list them.
_ALSO_ALLOWED = {
    "ApplicationCommandUpdateRequest": {"nsfw": {"type": ["boolean", "null"]}},
    "ApplicationCommandCreateRequest": {"nsfw": {"type": ["boolean", "null"]}},
    "MessageEditRequestPartial": {"tts": {"type": ["boolean", "null"]}},
    "IncomingWebhookUpdateRequestPartial": {"tts": {"type": ["boolean", "null"]}},
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": {"tts": {"type": ["boolean", "null"]}},
    "RichEmbed": {"flags": {"type": ["integer", "null"]}},
}
_REFERENCE = re.compile(r'"#/components/schemas/(\w+)"')
# discord.py sends some ids as numbers (attachments, `recipient_id`), which Discord accepts.
_SNOWFLAKES_IN_REQUESTS = {"anyOf": [{"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}, {"type": "integer"}]}


def load() -> tuple[Schema | None, str]:
    """The validator or None, with a sentence that explains the result."""
    configured = os.environ.get("DISCORD_OPENAPI")
    path = Path(configured) if configured else Path(__file__).parents[2] / "shared" / "discord" / "openapi.json"
    if not path.is_file():
        return None, "Discord's OpenAPI file is not here, so payloads are checked only against the hand-written limits."
    try:
        import jsonschema_rs  # noqa: F401
    except ImportError:
        return None, "jsonschema-rs is not installed, so payloads are checked only against the hand-written limits."
    return _read(path), f"Payloads are checked against {path.name}."


@lru_cache(maxsize=1)  # more than a megabyte
def _read(path: Path) -> Schema:
    return Schema(json.loads(path.read_text(encoding="utf-8")))


class Schema:
    """Validators per operation, compiled on first use."""

    def __init__(self, document: Json) -> None:
        self._document = document
        self._compiled: dict[tuple[str, str, str], Any] = {}

    def body_problems(self, method: str, template: str, side: str, body: Any) -> list[str]:
        """Problems of a body for `POST`, `/channels/{channel_id}/messages`.

        `side` is `request`, or the status of our response.
        """
        key = (method, template, side)
        if key not in self._compiled:
            self._compiled[key] = self._compile(*key)
        validator = self._compiled[key]
        return [] if validator is None else [problem for e in validator.iter_errors(body) for problem in _explain(e)]

    def query_problems(self, method: str, template: str, names: Iterator[str]) -> list[str]:
        """Query parameters that the operation does not define."""
        operation = self._operation(method, template)
        if operation is None:
            return []
        parameters = [*operation.get("parameters", []), *self._document["paths"][template].get("parameters", [])]
        defined = {parameter["name"] for parameter in parameters if parameter.get("in") == "query"}
        return [f"unknown query parameter {name}" for name in names if name not in defined]

    def _compile(self, method: str, template: str, side: str) -> Any:
        operation = self._operation(method, template)
        if operation is None:
            return None
        holder = operation.get("requestBody") if side == "request" else operation.get("responses", {}).get(side)
        content = (holder or {}).get("content", {}).get("application/json")
        if content is None:
            return None
        import jsonschema_rs

        # Responses may have additional fields.
        schemas = self._strict if side == "request" else self._document["components"]["schemas"]
        needed = _reachable(content["schema"], schemas)
        return jsonschema_rs.validator_for({**content["schema"], "components": {"schemas": needed}})

    def _operation(self, method: str, template: str) -> Json | None:
        operation: Json | None = self._document["paths"].get(template, {}).get(method.lower())
        return operation

    @cached_property
    def _strict(self) -> Json:
        """All schemas with closed objects, and the relaxations that discord.py's requests need."""
        schemas: Json = {name: _close(schema) for name, schema in self._document["components"]["schemas"].items()}
        schemas["SnowflakeType"] = _SNOWFLAKES_IN_REQUESTS
        for name, extra in _ALSO_ALLOWED.items():
            if name in schemas:
                schemas[name]["properties"] = {**schemas[name].get("properties", {}), **extra}
        return schemas


def _reachable(schema: Json, schemas: Json) -> Json:
    """The schemas that a schema refers to, directly or through others: all of them take seven times as long."""
    needed: Json = {}
    names = _REFERENCE.findall(json.dumps(schema))
    while names:
        if (name := names.pop()) not in needed:
            needed[name] = schemas[name]
            names += _REFERENCE.findall(json.dumps(schemas[name]))
    return needed


def _close(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_close(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: _close(value) for key, value in schema.items()}
    # `unevaluatedProperties`, since `additionalProperties` would not see the fields of an `allOf`.
    if isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema:
        result["unevaluatedProperties"] = False
    return result


def _explain(error: Any) -> list[str]:
    """The innermost errors; of a failed union, those of the branch that came closest."""
    branches = getattr(error.kind, "context", None)
    if branches:
        closest = min(branches, key=_distance)
        return [problem for inner in closest for problem in _explain(inner)][:3]
    text = error.message
    # The value comes first and may be long; the problem is at the end.
    if len(text) >= 300:
        text = f"{text[:100]} … {text[-160:]}"
    return [f"/{'/'.join(map(str, error.instance_path))} {text}"]


def _distance(branch: list[Any]) -> tuple[int, int, int]:
    """Sort key: fewest wrong type tags, then deepest error, then fewest errors."""
    tags = 0
    for error in branch:
        path = list(error.instance_path)
        # The tag says that it is a different component type.
        tags += type(error.kind).__name__.endswith(("Enum", "Constant")) and path[-1:] == ["type"]
    return tags, -max(_depth(error) for error in branch), len(branch)


def _depth(error: Any) -> int:
    branches = getattr(error.kind, "context", None) or ()
    return max([len(error.instance_path), *(_depth(inner) for branch in branches for inner in branch)])
