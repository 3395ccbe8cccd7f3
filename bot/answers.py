"""Answering an interaction: once, in time, to the right people."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.errors import Sorry
from bot.messages import Layout, text_layout
from bot.tables import Repeated, Table
from engine import EngineError

if TYPE_CHECKING:
    from bot.client import Caravanserai
    from bot.controls import ControlId

_log = logging.getLogger(__name__)

LATE = 1.0
"""Seconds of work after which an answer is announced, so that Discord does not give up waiting (3 s)."""

TOO_LATE, ALREADY_ANSWERED = 10062, 40060
"""Discord's codes for an interaction that nobody waits for any more."""


class Answer:
    """The answer to one interaction; work that takes over a second is announced first.

    `updates`: the answer replaces the message that was tapped; otherwise it is a new message for this user only.
    """

    def __init__(self, interaction: discord.Interaction[Any], *, updates: bool = False) -> None:
        self.interaction = interaction
        self._updates = updates
        self._lock = asyncio.Lock()
        self._clock = asyncio.create_task(self._announce_when_late())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._clock.cancel()

    async def show(self, layout: Layout, files: Sequence[discord.File] = ()) -> None:
        """Show a private message, or replace the tapped one."""
        async with self._lock:
            response = self.interaction.response
            if response.is_done():
                await self.interaction.edit_original_response(view=layout, attachments=files)
            elif self._updates:
                await response.edit_message(view=layout, attachments=files)
            else:
                await response.send_message(view=layout, files=files, ephemeral=True)

    async def say(self, sentence: str) -> None:
        """A sentence for this user only, leaving the tapped message alone."""
        async with self._lock:
            response = self.interaction.response
            if not response.is_done():
                await response.send_message(view=text_layout(sentence), ephemeral=True)
            elif self._updates:
                await self.interaction.followup.send(view=text_layout(sentence), ephemeral=True)
            else:
                await self.interaction.edit_original_response(view=text_layout(sentence))

    async def publish(
        self, layout: Layout, files: Sequence[discord.File], mentions: discord.AllowedMentions
    ) -> int | None:
        """Answer in public, or return `None` if a private answer was announced already. Returns the message id."""
        async with self._lock:
            if self.interaction.response.is_done():
                return None
            sent = await self.interaction.response.send_message(view=layout, files=files, allowed_mentions=mentions)
            self._updates = True  # what everybody sees is not replaced by what only one shall read
            return sent.message_id

    async def _announce_when_late(self) -> None:
        await asyncio.sleep(LATE)
        async with self._lock:
            response = self.interaction.response
            if not response.is_done():
                with suppress(discord.HTTPException):
                    await (response.defer() if self._updates else response.defer(ephemeral=True, thinking=True))


@dataclass(frozen=True, slots=True)
class Tap:
    """A tap on a control of a table."""

    client: Caravanserai
    answer: Answer
    table: Table
    control: ControlId
    values: tuple[str, ...]

    @property
    def user_id(self) -> int:
        """Who tapped."""
        return self.answer.interaction.user.id


async def answered(answer: Answer, work: Callable[[], Awaitable[None]]) -> None:
    """Do the work of an interaction; whatever goes wrong is told to whoever caused it."""
    task = asyncio.current_task()
    assert task is not None, "an interaction has a task of its own"
    answer.interaction.client.at_work(task)
    try:
        async with answer:
            try:
                await work()
            except Sorry as sorry:
                await answer.say(str(sorry))
            except EngineError as error:
                await answer.say(refusal_text(error))
    except Repeated:
        pass
    except discord.HTTPException as error:
        if error.code not in (TOO_LATE, ALREADY_ANSWERED):
            await _apologize(answer)
        else:
            _log.info("interaction %d came too late to be answered", answer.interaction.id)
    except Exception:
        await _apologize(answer)


def refusal_text(error: EngineError) -> str:
    """What a refused player reads, with the section of the rules that says so."""
    rule = getattr(error, "rule", "")
    return f"{error.sentence}\n-# Rule {rule} · `/game rules section:{rule}`" if rule else error.sentence


async def _apologize(answer: Answer) -> None:
    _log.exception("interaction %d failed", answer.interaction.id)
    with suppress(discord.HTTPException):
        await answer.say(
            "Something went wrong on my side. Nothing of the game is lost; please try again.\n"
            f"-# Report this number if it happens again: {answer.interaction.id}"
        )
