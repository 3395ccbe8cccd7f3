"""A recorder of priorities in the queue in front of the workers."""

from __future__ import annotations

import pytest

from bot.computers.queue import Priority, Queue


def noted_priorities(monkeypatch: pytest.MonkeyPatch) -> list[Priority]:
    """A list that gets the priority of each request for a worker."""
    priorities: list[Priority] = []
    acquire = Queue.acquire

    async def noted(queue: Queue, priority: Priority, since: int | None = None) -> None:
        priorities.append(priority)
        await acquire(queue, priority, since)

    monkeypatch.setattr(Queue, "acquire", noted)
    return priorities
