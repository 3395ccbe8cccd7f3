"""One answer to one interaction: what is public stays, what goes wrong is told in private."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.interactions.answers import Answer
from bot.interactions.parts import words_layout
from engine.texts import Text


class Response:
    """The first answer, as discord.py keeps track of it."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def is_done(self) -> bool:
        return bool(self.sent)

    async def send_message(self, **what: Any) -> SimpleNamespace:
        self.sent.append(what)
        return SimpleNamespace(message_id=7)


class Interaction:
    """Remembers what is sent after the first answer."""

    def __init__(self) -> None:
        self.response = Response()
        self.followup = SimpleNamespace(send=self._follow_up)
        self.later: list[dict[str, Any]] = []
        self.edits: list[dict[str, Any]] = []

    async def _follow_up(self, **what: Any) -> None:
        self.later.append(what)

    async def edit_original_response(self, **what: Any) -> None:
        self.edits.append(what)


@pytest.fixture
def interaction() -> Interaction:
    return Interaction()


async def test_a_sentence_after_a_public_answer_leaves_that_alone(interaction):
    async with Answer(interaction) as answer:
        assert 7 == await answer.publish(words_layout("a lobby"))
        await answer.say(Text("Something went wrong."))
    assert [] == interaction.edits
    assert [True] == [what["ephemeral"] for what in interaction.later]


async def test_a_sentence_after_a_private_answer_replaces_it(interaction):
    async with Answer(interaction) as answer:
        await answer.show(words_layout("Thinking"))
        await answer.say(Text("Not possible."))
    assert 1 == len(interaction.edits)
    assert [] == interaction.later


@pytest.mark.parametrize("first", ["nothing", "shown", "public"])
async def test_whatever_is_answered_calls_nobody(interaction, first):
    async with Answer(interaction) as answer:
        if first == "shown":
            await answer.show(words_layout("Thinking"))
        elif first == "public":
            await answer.publish(words_layout("a lobby"))
        await answer.say(Text("{who}, it is your turn.", who="<@1>"))
        await answer.show(words_layout("<@1>"))
    sent = [*interaction.response.sent, *interaction.later, *interaction.edits]
    assert len(sent) >= 2
    assert all(what["allowed_mentions"].to_dict() == {"parse": []} for what in sent)
