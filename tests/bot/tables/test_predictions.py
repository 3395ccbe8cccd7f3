"""Predictions of winners: the conditions, and the stored predictions."""

from __future__ import annotations

import pytest

from bot.errors import UserError
from bot.store.predictions import Prediction
from bot.tables.predictions import FOLLOW_FIRST_TEXT, PLAYERS_TEXT, UNKNOWN_SEAT_TEXT
from bot.tables.table import Table
from engine.texts import Seat
from tests.bot.refusing import GUEST, GUILD, HOST, HOUR, NOON, House
from tests.engine.toys.sealed import Bid

CARO, DAN = 72, 73
ONE, TWO = Seat(0), Seat(1)


async def followed(home: House) -> Table:
    """A match that Caro and Dan follow."""
    table = await home.posted()
    for user_id in (CARO, DAN):
        await home.services.seats.follow(table, user_id, follows=True)
    return table


async def test_a_prediction_counts_from_its_first_time_until_it_changes(home: House) -> None:
    table, predictions = await followed(home), home.services.predictions
    await predictions.predict(table, CARO, "Caro", TWO)
    first = Prediction(TWO, 0, NOON, "Caro")
    assert {CARO: first} == table.predictions
    await home.services.moves.play(table, HOST, Bid(1), interaction_id=1, version=None)
    home.time.now += HOUR
    await predictions.predict(table, CARO, "Carolina", TWO)
    await predictions.predict(table, DAN, "Dan", ONE)
    dans = Prediction(ONE, 1, NOON + HOUR, "Dan")
    assert {CARO: Prediction(TWO, 0, NOON, "Carolina"), DAN: dans} == table.predictions
    await predictions.predict(table, CARO, "Caro", ONE)
    assert {CARO: Prediction(ONE, 1, NOON + HOUR, "Caro"), DAN: dans} == table.predictions
    for seat in (2, -1):
        with pytest.raises(UserError, match=str(UNKNOWN_SEAT_TEXT)):
            await predictions.predict(table, CARO, "Caro", Seat(seat))
    await predictions.predict(table, CARO, "Caro", None)
    assert {DAN: dans} == table.predictions


async def test_only_followers_without_a_seat_a_bar_or_a_block_predict(home: House) -> None:
    table, predictions = await followed(home), home.services.predictions
    await home.services.moves.play(table, GUEST, Bid(1), interaction_id=1, version=None)
    for user_id, refusal in ((HOST, PLAYERS_TEXT), (GUEST, PLAYERS_TEXT), (99, FOLLOW_FIRST_TEXT)):
        with pytest.raises(UserError) as refused:
            await predictions.require_allowed(table, user_id)
        assert str(refusal) == str(refused.value.text)
    await home.services.seats.resign(table, GUEST)
    with pytest.raises(UserError, match="have played"):
        await predictions.require_allowed(table, GUEST)
    for user_id in (CARO, DAN):
        await predictions.predict(table, user_id, "x", ONE)
    await home.store.bars.put(GUILD, CARO, "Caro", "", NOON, None)
    await home.store.blocks.add(HOST, DAN, "Dan", NOON)
    for user_id, words in ((CARO, "barred you"), (DAN, "not possible here")):
        with pytest.raises(UserError, match=words):
            await predictions.predict(table, user_id, "x", TWO)
    await home.services.seats.end(table, by=HOST, at=NOON)
    with pytest.raises(UserError, match="called off"):
        await predictions.require_allowed(table, 99)


async def test_predictions_of_users_who_must_not_be_named_are_deleted_alone(home: House) -> None:
    table, predictions = await followed(home), home.services.predictions
    await predictions.delete_unwelcome(table)
    for user_id in (CARO, DAN):
        await predictions.predict(table, user_id, "x", ONE)
    facts = table.facts
    await predictions.delete_unwelcome(table)
    assert facts is table.facts
    await home.store.bars.put(GUILD, CARO, "Caro", "", NOON, NOON + HOUR)
    await predictions.delete_unwelcome(table)
    assert {DAN} == table.predictions.keys()
    assert {CARO, DAN} <= table.followers, "before the last board, none stops following"
    await home.store.blocks.add(DAN, GUEST, "Ben", NOON)
    await predictions.delete_unwelcome(table)
    assert {} == table.predictions
    stored = await home.store.facts.find(table.id)
    assert stored is not None
    assert {} == stored.predictions
