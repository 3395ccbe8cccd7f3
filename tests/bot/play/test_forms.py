"""A value out of very many is typed into a form: as people write it, long after, and never for another position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pytest

from bot.features.play import steps
from engine.games.gangs.actions import Counteroffer, Price
from engine.match import Match
from playground.player import Player, Seen
from tests.bot.ahead import play_ahead
from tests.bot.app import App
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room, start_game

EVERY_PRICE = 201
ASKS_FOR_A_PRICE = "### Set a price"
ALWAYS = "Always answer…"
OTHER = "Other…"


@dataclass(frozen=True)
class Sale:
    """A seller names the price of a bandit while the buyer waits; outside their turn by default."""

    app: App
    seller: Player
    buyer: Player
    step: Seen

    async def type(self, said: str) -> Seen:
        """Open the form and send it. Returns the answer."""
        assert await self.seller.tap(OTHER, on=self.step) is None
        return await self.seller.submit({"line": said})

    @property
    def suggested(self) -> list[str]:
        """The prices that have a button."""
        return self.step.labels[: self.step.labels.index(OTHER)]

    @property
    def others(self) -> list[str]:
        """The other buttons of the step."""
        return self.step.labels[self.step.labels.index(OTHER) :]

    @property
    def written(self) -> list[str]:
        """Notations of the moves of people so far."""
        rows = self.app.query("SELECT notation FROM entries WHERE interaction_id IS NOT NULL ORDER BY n")
        return [notation for (notation,) in rows]


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


async def begin(room: Room, game: str, preset: str = "") -> Seen:
    """Ana begins a game with Ben. Returns the board."""
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=game)
    await ben.tap("Join")
    if preset:
        await ana.tap(preset, on=await ana.slash("table options"))
    await start_game(ana, ben)
    return await room.onlooker.expect(BOARD)


def any_price(match: Match) -> bool:
    """Whether a question accepts every price."""
    return any(len(decision.options) == EVERY_PRICE for decision in match.state.decisions())


def open_to_counteroffers(match: Match, *, on_turn: bool) -> bool:
    """Whether a seat, on its turn or not, is asked for such a price, and the buyer may answer with a lower one."""
    if not any_price(match) or (match.state.turn_of() == (seller := match.state.decisions()[0].seat)) != on_turn:
        return False
    (answer,) = match.ahead(seller, [Price(200)]).state.decisions()
    return Counteroffer() in answer.options


@pytest.fixture
async def sale(app: App, room: Room, request: pytest.FixtureRequest) -> Sale:
    board = await begin(room, "gangs", preset="As printed")
    match = await play_ahead(app, partial(open_to_counteroffers, on_turn=getattr(request, "param", False)))
    people = room.people("Ana", "Ben")
    seller = people.pop(match.state.decisions()[0].seat)
    return Sale(app, seller, people[0], await seller.tap("Your move", on=board))


async def test_the_price_step_has_six_buttons_and_a_form_that_says_what_it_asks(sale: Sale) -> None:
    assert ([], 6, [OTHER, "Cancel", "Log", ALWAYS]) == (list(sale.step.menus), len(sale.suggested), sale.others)
    assert all(label == "For nothing" or label.endswith(" piastres") for label in sale.suggested)
    assert ASKS_FOR_A_PRICE in sale.step
    await sale.seller.tap(OTHER, on=sale.step)
    (line,) = sale.seller.modal["components"]
    assert "Ali Baba’s Gangs" == sale.seller.modal["title"]
    assert "negative means the owner of the bandit pays" in line["description"]


@pytest.mark.parametrize(
    ("said", "price"),
    [
        ("150", 150),
        (" 1,000 ", 1000),
        ("1 000", 1000),
        ("-150", -150),
        ("−150", -150),
        ("–1’000", -1000),
        ("0", 0),
        ("150 piastres", 150),
        ("you pay 150 piastres", -150),
    ],
)
async def test_a_number_is_understood_in_any_common_notation(sale: Sale, said: str, price: int) -> None:
    preview = await sale.type(said)
    assert "### Play this?" in preview
    assert [] == sale.written
    await sale.seller.tap("Confirm", on=preview)
    assert [f"price {price}"] == sale.written


async def test_one_tap_chooses_a_suggested_price(sale: Sale) -> None:
    await sale.seller.tap("Confirm", on=await sale.seller.tap("For nothing", on=sale.step))
    assert ["price 0"] == sale.written


async def test_suggested_prices_come_first_in_the_command(sale: Sale) -> None:
    names = [name.partition(" – ")[0] for name, _ in await sale.seller.suggest("gangs price", "piastres")]
    assert sale.suggested == names[:6]


async def test_a_refused_price_gives_the_reason_and_names_the_rule(sale: Sale) -> None:
    reply = (await sale.type("1,010")).text.splitlines()[0]
    assert "“1,010” isn’t possible. The price must be a multiple of ten from −1,000 to 1,000. (Rule 3.8)" == reply


@pytest.mark.parametrize("sale", [True, False], ids=["on turn", "off turn"], indirect=True)
async def test_a_counteroffer_reaches_the_seller_and_comes_first_in_the_next_offer(sale: Sale) -> None:
    seller, buyer = sale.seller, sale.buyer
    await seller.tap("Confirm", on=await sale.type("200"))
    lower = await buyer.tap("Confirm", on=await buyer.slash("gangs counteroffer"))
    assert "### Name a lower price" in lower
    assert "pays" in lower.labels[0], "below zero it is the seller who pays"
    preview = await buyer.tap("For nothing", on=lower)
    assert "You decline, but would take" in preview
    await buyer.tap("Confirm", on=preview)
    assert f"{buyer.name} declines, but would take" in await seller.tap("Your move")
    ((offer,),) = sale.app.query("SELECT notation FROM entries WHERE notation LIKE 'offer %' ORDER BY n DESC LIMIT 1")
    bandit = offer.removeprefix("offer ")
    page = await seller.tap("Confirm", on=await seller.slash("gangs offer", bandit=bandit))
    assert ["price 200", "counteroffer", "price 0", f"offer {bandit}"] == sale.written
    assert "For nothing" == page.labels[0]


async def test_nonsense_is_reported_and_the_step_stays(sale: Sale) -> None:
    for typed in ("nonsense", "7", "1001", "-", "@everyone **x**"):
        answer = await sale.type(typed)
        assert (sale.step.id, [*sale.suggested, OTHER, "Cancel", ALWAYS]) == (answer.id, answer.labels)
        first_line, _, rest = answer.text.partition("\n")
        assert sale.step.text == rest
        assert "isn’t possible" in first_line
    assert "“@\u200beveryone \\*\\*x\\*\\*” isn’t possible." == first_line
    assert "Confirm" in (await sale.type("150")).labels


async def test_the_preview_leads_back_to_the_form(sale: Sale) -> None:
    back = await sale.seller.tap("Back", on=await sale.type("150"))
    assert sale.step.text.endswith(back.text)
    assert [*sale.suggested, OTHER, "Cancel", ALWAYS] == back.labels


async def test_the_preview_names_its_reader_in_sentences_to_the_other_player(sale: Sale) -> None:
    name = sale.seller.name
    then = (await sale.type("150")).text.splitlines()[-1]
    assert then.endswith("Do you agree?")
    assert f"{name} offers you" in then


async def test_a_form_opened_before_a_restart_still_works(sale: Sale) -> None:
    await sale.seller.tap(OTHER, on=sale.step)
    await sale.app.close()
    await sale.app.open()
    preview = await sale.seller.submit({"line": "150"})
    await sale.seller.tap("Confirm", on=preview)
    assert ["price 150"] == sale.written


async def test_a_form_from_an_earlier_position_has_no_effect(sale: Sale) -> None:
    seller, buyer = sale.seller, sale.buyer
    at_home, on_the_way = (seller.in_channel(seller.channel.name) for _ in range(2))
    for device in (at_home, on_the_way):
        await device.tap(OTHER, on=sale.step)
    await seller.tap("Confirm", on=await sale.type("0"))
    assert "Not your turn" in await at_home.submit({"line": "150"})
    await buyer.tap("Confirm", on=await buyer.slash("gangs decline"))
    (_, bandit), *_ = await seller.suggest("gangs offer", "bandit")
    await seller.tap("Confirm", on=await seller.slash("gangs offer", bandit=bandit))
    stale = await on_the_way.submit({"line": "150"})
    assert stale.text.startswith("-# The game has moved on")
    assert ASKS_FOR_A_PRICE in stale, "a price is asked for again, but another one"
    assert "Confirm" not in stale.labels
    assert ["price 0", "decline", f"offer {bandit}"] == sale.written


async def test_other_choices_can_follow_a_typed_value(app: App, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MAX_LISTED", 80)
    ana, board = room.person("Ana"), await begin(room, "garden")
    form = await ana.tap("Your move", on=board)
    assert {"Type it", "Cancel"} <= set(form.labels), "there are 81 beds"
    await ana.tap("Type it", on=form)
    step = await ana.submit({"line": " B4"})
    assert {"Type it", "Confirm"}.isdisjoint(step.labels)
    assert form.text == (await ana.tap("Back", on=step)).text
    preview = await ana.choose("Plant b4 nothing", on=step)
    await ana.tap("Confirm", on=preview)
    assert [("plant b4 fallow",)] == app.query("SELECT notation FROM entries")
