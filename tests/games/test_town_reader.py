"""Events of the town in the second person, as their seat reads them."""

from __future__ import annotations

import pytest

from engine.core import Event, field_types
from engine.games.alibaba import events as cave
from engine.games.gangs import events as gangs
from engine.languages import reading
from engine.texts import Seat
from engine.town import events as town
from engine.town.data import Gang, Thief
from engine.town.events import Money
from engine.town.track import Space
from engine.wording import say
from locales import language_of
from tests.games.town_positions import at_cave, at_gangs

YOU, BLUE = Seat(0), Seat(1)
R1, R2, G3 = Thief.R1, Thief.R2, Thief.G3
M = Money

TOLD: list[tuple[Event, str]] = [
    (town.Walked(YOU, 3, Space.parse("6"), Space.parse("9b")), "You play a 3: the camel walks to 9b (red)."),
    (town.Rubbed(YOU, M(100)), "The lamp gives you 100."),
    (town.alms(YOU, 100), "You give 100 in alms."),
    (town.alms(YOU, 0), "You have nothing to give in alms."),
    (town.TookNone(YOU), "You take nobody."),
    (cave.Stole(YOU, M(28_000), 7), "You steal 28,000 for 7 more turns."),
    (cave.Extended(YOU, M(3_000), M(31_000), 42), "You add 3,000: 31,000 for 42 more turns."),
    (cave.StayedOut(YOU), "You steal nothing."),
    (cave.LetLie(YOU), "You leave the stake as it is."),
    (cave.Announced(YOU, (cave.Draws(2, Gang.GREEN), cave.Draws(1, Gang.RED))), "You call for 2 green and 1 red."),
    (cave.Spared(YOU, (G3, R2)), "You are safe from green 3 and red 2."),
    (cave.Caught(YOU, M(3_000), M(1_000)), "You are caught, lose 3,000 and pay 1,000."),
    (cave.CaughtPenniless(YOU, M(0)), "You are caught and lose nothing."),
    (cave.Claimed(YOU, R2), "You claim the card red 2."),
    (cave.ClaimedNone(YOU), "You claim no thief."),
    (cave.CameHome(YOU, M(28_000)), "You bring 28,000 home."),
    (cave.TollTaken(YOU, M(1_000)), "The toll takes 1,000 from your stake."),
    (cave.Recruited(YOU, R2), "You recruit red 2."),
    (cave.SentAway(YOU, R2), "You send red 2 away: that type was already claimed."),
    (cave.LeftBehind(YOU, M(6_000)), "You leave 6,000 in the cave."),
    (gangs.Hired(YOU, gangs.group_cards((R1,)), M(40)), "You hire red 1 for 40."),
    (gangs.HiredFree(YOU, gangs.group_cards((R1,))), "You hire red 1 for free."),
    (gangs.TookNoMore(YOU), "You take no more."),
    (gangs.Called(YOU, Gang.RED), "You call for a red bandit."),
    (gangs.Sold(YOU, R1, M(120)), "You sell red 1 for 120."),
    (gangs.BroughtBack(YOU, gangs.group_cards((R1,)), M(20)), "You return red 1 for 20."),
    (gangs.Risked(YOU), "You risk it."),
    (gangs.Offered(YOU, R1), "You put the bandit red 1 up for trade."),
    (gangs.OfferedTo(YOU, BLUE), "You turn to Blue."),
    (gangs.OfferedTo(BLUE, YOU), "Blue turns to you."),
    (gangs.Priced(YOU, BLUE, R1, gangs.Terms(200)), "You offer Blue red 1 for 200."),
    (gangs.Priced(BLUE, YOU, R1, gangs.Terms(-1_000)), "Blue offers you red 1 and 1,000 with it."),
    (gangs.Traded(YOU, BLUE, R1, gangs.Terms(0)), "You hand Blue red 1 for nothing."),
    (gangs.Traded(BLUE, YOU, R1, gangs.Terms(0)), "Blue hands you red 1 for nothing."),
    (gangs.TurnedDown(YOU, R1), "You do not want red 1."),
    (gangs.AskedForLess(YOU), "You ask for a lower price."),
    (gangs.Countered(YOU, R1, gangs.Terms(-100)), "You decline, but would take red 1 and 100 with it."),
    (gangs.Raided(YOU, M(320)), "Your raid brings 320."),
    (
        gangs.Arrested(YOU, gangs.group_cards((R1, R1, R2)), M(0)),
        "You lose 2 × red 1 and red 2 and pay nothing.",
    ),
    (gangs.TollPaid(YOU, M(30)), "You pay 30 at the toll."),
    (gangs.LapPaid(YOU, M(2_580)), "You get 2,580 for the lap."),
]
"""An event of each type that names a seat, and its sentence for Red."""


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("en", "You hand Blue red 1 for nothing."),
        ("de", "Du gibst Blue Rot 1 gratis."),
        ("es", "Trato hecho: el rojo 1 pasa de tus manos a Blue gratis."),
        ("fr", "Tu cèdes le rouge 1 à Blue gratuitement."),
        ("it", "Cedi il rosso 1 a Blue gratis."),
    ],
)
def test_a_price_of_nothing_is_no_number_in_any_language(code: str, sentence: str) -> None:
    with reading(language_of(code)):
        assert sentence == say(gangs.Traded(YOU, BLUE, R1, gangs.Terms(0)), you=YOU)


@pytest.mark.parametrize(("event", "sentence"), TOLD, ids=[sentence for _, sentence in TOLD])
def test_an_event_addresses_its_own_seat_as_you(event: Event, sentence: str) -> None:
    assert sentence == say(event, you=YOU)


def test_consecutive_hires_or_returns_of_a_seat_merge_into_one_sentence() -> None:
    small_group, large_group = gangs.group_cards((R1,)), gangs.group_cards((R1, R2))
    returned = gangs.BroughtBack(YOU, small_group, M(20)).and_then(gangs.BroughtBack(YOU, large_group, M(40)))
    assert "You return 2 × red 1 and red 2 for 60." == say(returned, you=YOU)
    hired = gangs.Hired(YOU, small_group, M(40)).and_then(gangs.Hired(YOU, small_group, M(50)))
    assert "You hire 2 × red 1 for 90." == say(hired, you=YOU)
    free = gangs.HiredFree(YOU, small_group).and_then(gangs.HiredFree(YOU, large_group))
    assert "You hire 2 × red 1 and red 2 for free." == say(free, you=YOU)
    assert gangs.Hired(YOU, small_group, M(40)).and_then(gangs.Hired(BLUE, small_group, M(40))) is None
    assert gangs.Hired(YOU, small_group, M(40)).and_then(gangs.HiredFree(YOU, small_group)) is None


def test_every_event_has_an_example_for_each_seat_it_names() -> None:
    kinds = (kind for module in (town, cave, gangs) for kind in vars(module).values())
    events = {kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event}
    named = {(kind, field) for kind in events for field, hint in field_types(kind).items() if hint is Seat}
    addressed = {
        (type(event), field) for event, _ in TOLD for field in field_types(type(event)) if _is_you(event, field)
    }
    assert named == addressed


def _is_you(event: Event, field: str) -> bool:
    return field_types(type(event))[field] is Seat and getattr(event, field) == YOU


def test_an_offer_names_the_offerer_as_they_are_called_at_the_table() -> None:
    t = at_gangs(walked=29, hand=(1,), owned={0: "R1"}, trading=True).play("play 1", "offer R1", "to blue", "price 0")
    assert "Ana offers you the bandit red 1 for nothing. Do you agree?" == say(
        t.decision.prompt, ("Ana", "Ben", "Cleo", "Dan"), BLUE
    )


def test_a_gloss_calls_the_reader_you_as_the_guard_of_a_stake() -> None:
    t = at_cave(seats=2)
    glosses = [say(t.state.gloss(t.match.parse(f"steal {turns}")), ("Ana", "Ben"), YOU) for turns in (1, 2)]
    assert "safe after Ben’s next turn" == glosses[0]
    assert "safe after your next turn" == glosses[1]
