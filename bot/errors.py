"""What the bot tells people when something cannot be done."""

from __future__ import annotations


class Sorry(Exception):
    """Something a person asked for that is not possible; the message is the answer, shown to that person only."""


class StartError(Exception):
    """A reason not to start at all: a sentence for whoever runs the bot."""


class StopError(Exception):
    """A reason not to go on: a sentence for whoever runs the bot."""
