"""A value out of very many is typed into a form: as people write it, long after, and never for another position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pytest

from bot.features.play import steps
from bot.features.play.move_commands import _suggester, move
from bot.tables.table import Table
from engine.games import discover
from engine.games.gangs.actions import Counteroffer, Price
from engine.match import Match
from engine.notation import format_action
from tests.bot.ahead import go_ahead
from tests.bot.desk import NAMES, Desk, Screen
from tests.bot.refusing import GUEST, HOST

EVERY_PRICE = 201
ASKS_FOR_A_PRICE = "### Set a price"
ALWAYS = "Always answer…"
OTHER = "Other…"


@dataclass(frozen=True)
class Sale:
    """A seller names the price of a bandit while the buyer waits; outside their turn by default."""

    desk: Desk
    table: Table
    seller: int
    step: Screen

    @property
    def buyer(self) -> int:
        return HOST + GUEST - self.seller

    async def form(self) -> Screen:
        return await self.desk.press(self.seller, OTHER, self.step)

    async def type(self, said: str) -> Screen:
        """Open the form and send it. Returns the answer."""
        return await self.desk.submit(self.seller, await self.form(), said)

    async def play(self, user_id: int, what: str) -> Screen:
        """Type a move in words, and confirm it. Returns the answer."""
        (preview,) = await self.desk.command(user_id, move, what=what)
        return await self.desk.press(user_id, "Confirm", preview)

    @property
    def suggested(self) -> list[str]:
        """The prices that have a button."""
        return self.step.labels[: self.step.labels.index(OTHER)]

    @property
    def others(self) -> list[str]:
        """The other buttons of the step."""
        return self.step.labels[self.step.labels.index(OTHER) :]

    @property
    def drafted(self) -> list[str]:
        """The choices of the seller that are not confirmed."""
        return [notation for draft in self.table.drafts.values() for notation in draft.notations]

    async def written(self) -> list[str]:
        """Notations of the moves of people since."""
        sql = "SELECT notation FROM entries WHERE interaction_id IS NOT NULL ORDER BY n"
        return [row["notation"] for row in await self.desk.home.store.log._database.fetch(sql)]


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
async def sale(desk: Desk, request: pytest.FixtureRequest) -> Sale:
    as_printed = next(preset for preset in discover()["gangs"].presets if preset.title == "As printed")
    table = await desk.home.posted(game="gangs", options=dict(as_printed.options))
    await go_ahead(desk.home, table, partial(open_to_counteroffers, on_turn=getattr(request, "param", False)))
    seller = table.users[table.require_match().state.decisions()[0].seat]
    return Sale(desk, table, seller, await your_move(desk, seller))


async def your_move(desk: Desk, user_id: int) -> Screen:
    (screen,) = await desk.tap(user_id, "turn:1:0:")
    return screen


async def test_the_price_step_has_six_buttons_and_a_form_that_says_what_it_asks(sale: Sale) -> None:
    assert ([], 6, [OTHER, "Cancel", "Log", ALWAYS]) == (sale.step.menus, len(sale.suggested), sale.others)
    assert all(label == "For nothing" or label.endswith(" piastres") for label in sale.suggested)
    assert ASKS_FOR_A_PRICE in sale.step.text
    how, title, _, _, about = await sale.form()
    assert ("form", "Ali Baba’s Gangs") == (how, title)
    assert "negative means the owner of the bandit pays" in about


async def test_a_number_is_understood_in_any_common_notation(sale: Sale) -> None:
    for typed_price, price in (
        ("150", 150),
        (" 1,000 ", 1000),
        ("1 000", 1000),
        ("-150", -150),
        ("−150", -150),
        ("–1’000", -1000),
        ("0", 0),
        ("150 piastres", 150),
        ("you pay 150 piastres", -150),
    ):
        preview = await sale.type(typed_price)
        assert ("### Play this?", [f"price {price}"]) == (preview[1], sale.drafted), typed_price
    assert [] == await sale.written()
    await sale.desk.press(sale.seller, "Confirm", preview)
    assert ["price -150"] == await sale.written()


async def test_one_tap_chooses_a_suggested_price(sale: Sale) -> None:
    preview = await sale.desk.press(sale.seller, "For nothing", sale.step)
    await sale.desk.press(sale.seller, "Confirm", preview)
    assert ["price 0"] == await sale.written()


async def test_suggested_prices_come_first_in_the_command(sale: Sale) -> None:
    rows = await sale.desk.suggest(sale.seller, _suggester(Price, "piastres"))
    assert sale.suggested == [name.partition(" – ")[0] for name, _ in rows[:6]]


async def test_a_refused_price_gives_the_reason_and_names_the_rule(sale: Sale) -> None:
    _, reply, *_ = await sale.type("1,010")
    assert "“1,010” isn’t possible. The price must be a multiple of ten from −1,000 to 1,000. (Rule 3.8)" == reply


@pytest.mark.parametrize("sale", [True, False], ids=["on turn", "off turn"], indirect=True)
async def test_a_counteroffer_reaches_the_seller_and_comes_first_in_the_next_offer(sale: Sale) -> None:
    desk, seller, buyer = sale.desk, sale.seller, sale.buyer
    await desk.press(seller, "Confirm", await sale.type("200"))
    lower = await sale.play(buyer, "counteroffer")
    assert "### Name a lower price" in lower.text
    assert "pays" in lower.labels[0], "below zero it is the seller who pays"
    preview = await desk.press(buyer, "For nothing", lower)
    assert "You decline, but would take" in preview.text
    await desk.press(buyer, "Confirm", preview)
    assert f"{NAMES[buyer]} declines, but would take" in (await your_move(desk, seller)).text
    entries = [entry.notation for entry in sale.table.require_match().entries]
    offer = next(notation for notation in reversed(entries) if notation.startswith("offer "))
    page = await sale.play(seller, offer)
    assert ["price 200", "counteroffer", "price 0", offer] == await sale.written()
    assert "For nothing" == page.labels[0]


async def test_nonsense_is_reported_and_the_step_stays(sale: Sale) -> None:
    for typed in ("nonsense", "7", "1001", "-", "@everyone **x**"):
        answer = await sale.type(typed)
        assert ("edit", [*sale.suggested, OTHER, "Cancel", ALWAYS]) == (answer[0], answer.labels)
        first_line, _, rest = answer.text.partition("\n")
        assert sale.step.text == rest
        assert "isn’t possible" in first_line
    assert "“@\u200beveryone \\*\\*x\\*\\*” isn’t possible." == first_line
    assert "Confirm" in (await sale.type("150")).labels


async def test_the_preview_leads_back_to_the_form(sale: Sale) -> None:
    back = await sale.desk.press(sale.seller, "Back", await sale.type("150"))
    assert sale.step.text.endswith(back.text)
    assert [*sale.suggested, OTHER, "Cancel", ALWAYS] == back.labels


async def test_the_preview_names_its_reader_in_sentences_to_the_other_player(sale: Sale) -> None:
    then = (await sale.type("150")).text.splitlines()[-1]
    assert then.endswith("Do you agree?")
    assert f"{NAMES[sale.seller]} offers you" in then


async def test_a_form_opened_before_a_restart_still_works(sale: Sale) -> None:
    form, successor = await sale.form(), Desk(sale.desk.home.successor())
    preview = await successor.submit(sale.seller, form, "150")
    await successor.press(sale.seller, "Confirm", preview)
    assert ["price 150"] == await sale.written()


async def test_a_form_from_an_earlier_position_has_no_effect(sale: Sale) -> None:
    desk, seller, buyer = sale.desk, sale.seller, sale.buyer
    at_home, on_the_way = await sale.form(), await sale.form()
    await desk.press(seller, "Confirm", await sale.type("0"))
    assert "Not your turn" in (await desk.submit(seller, at_home, "150"))[1]
    await sale.play(buyer, "decline")
    options = sale.table.require_match().decision_of(sale.table.require_seat(seller)).options
    offer = next(notation for notation in map(format_action, options) if notation.startswith("offer "))
    await sale.play(seller, offer)
    stale = await desk.submit(seller, on_the_way, "150")
    assert stale.text.startswith("-# The game has moved on")
    assert ASKS_FOR_A_PRICE in stale.text, "a price is asked for again, but another one"
    assert "Confirm" not in stale.labels
    assert ["price 0", "decline", offer] == await sale.written()


async def test_other_choices_can_follow_a_typed_value(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MAX_LISTED", 80)
    table = await desk.home.posted(game="garden")
    page = await your_move(desk, HOST)
    assert {"Type it", "Cancel"} <= set(page.labels), "there are 81 beds"
    step = await desk.submit(HOST, await desk.press(HOST, "Type it", page), " B4")
    assert {"Type it", "Confirm"}.isdisjoint(step.labels)
    assert page.text == (await desk.press(HOST, "Back", step)).text
    row = next(value for value, label in step.menus[0][1].items() if label == "Plant b4 nothing")
    await desk.press(HOST, "Confirm", await desk.choose(HOST, row, step))
    assert ["plant b4 fallow"] == [entry.notation for entry in table.require_match().entries]
