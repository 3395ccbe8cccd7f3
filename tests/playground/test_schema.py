"""Validation against Discord's OpenAPI file, if it is available."""

from __future__ import annotations

from typing import Any

import pytest

from playground import schema
from playground.schema import Schema

MESSAGES = "/channels/{channel_id}/messages"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"


@pytest.fixture
def spec() -> Schema:
    checker, sentence = schema.load()
    if checker is None:
        pytest.skip(sentence)
    return checker


def test_missing_schema_file_is_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_OPENAPI", "/nowhere/openapi.json")
    checker, sentence = schema.load()
    assert checker is None
    assert "is not here" in sentence


def test_valid_message_passes(spec: Schema) -> None:
    body = {"content": "x", "flags": 4096, "nonce": "1", "enforce_nonce": True, "tts": False}
    assert spec.body_problems("POST", MESSAGES, "request", body) == []


def test_schema_errors_name_the_field(spec: Schema) -> None:
    long_label = {"type": 2, "style": 1, "label": "x" * 81, "custom_id": "c"}
    faults: list[tuple[Any, str]] = [
        ({"content": 5}, "/content"),
        ({"contents": "x"}, "'contents'"),
        ({"components": [{"type": 1, "components": [long_label]}]}, "/components/0/components/0/label"),
    ]
    for body, complaint in faults:
        assert complaint in spec.body_problems("POST", MESSAGES, "request", body)[0]


def test_integers_pass_as_ids(spec: Schema) -> None:
    assert spec.body_problems("POST", "/users/@me/channels", "request", {"recipient_id": 5}) == []


def test_unknown_query_parameter_is_reported(spec: Schema) -> None:
    assert spec.query_problems("GET", MESSAGES, iter(["limit"])) == []
    assert spec.query_problems("GET", MESSAGES, iter(["limits"])) == ["unknown query parameter limits"]


def test_wrong_callback_type_is_reported(spec: Schema) -> None:
    assert spec.body_problems("POST", CALLBACK, "request", {"type": 4, "data": {"content": "x"}}) == []
    assert spec.body_problems("POST", CALLBACK, "request", {"type": 99})
