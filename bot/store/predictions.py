"""Predictions: followers of a match say which seat will win it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from bot.store.columns import Personal
from engine.texts import Seat
from engine.values import Value


class Prediction(Value):
    """A user predicted the win of a seat at a version of the log and a time; `name` is the user's name for the end."""

    seat: Seat
    version: int
    at: datetime
    name: Annotated[str, Personal("")]
