"""The page at phone size with the real bot: two people and a computer, from `/table new` to played turns.

Screenshots of the way are kept under `artifacts/`, which git ignores.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Locator, Page, async_playwright, expect

from bot.interactions.phone import CARD_WIDTH, LINE_WIDTH, width_of
from playground.harness import Playground
from playground.notifier import HANG
from tests.rooms import FIRST_MOVE

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARTIFACTS = Path(__file__).parents[2] / "artifacts" / "page"
FINGER = 44
expect.set_options(timeout=HANG * 1000)

# hidden words stand within a line of text, as links do
SMALL = """minimum => [...document.querySelectorAll('button, select, input, textarea, [role=option]')]
  .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.matches('[type=checkbox], [type=radio], .spoiler'))
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([e, box]) => box.width && (box.height < minimum || box.width < minimum))
  .map(([e, box]) => `${e.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)"""
OVERFLOW = """() => [document.documentElement, document.querySelector('#log')]
  .reduce((sum, box) => sum + box.scrollWidth - box.clientWidth, 0)"""
LABELS = """() => [...document.querySelectorAll('.message .row .button')]
  .filter(button => !button.querySelector('img'))
  .map(button => [button.textContent, button.getBoundingClientRect().width])"""
WORDS = """() => [...document.querySelectorAll('.message .words')]
  .map(words => [words.closest('.container') !== null, words.clientWidth])"""
NARROW_PHONE = 390
TOPS = "buttons => [...new Set(buttons.map(button => button.getBoundingClientRect().top))]"
AROUND, TOLERANCE = 24, 4

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


class Phone:
    """Somebody's phone: taps by label, types commands, is photographed."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.set_default_timeout(HANG * 1000)
        page.on("console", lambda said: self.complaints.append(said.text) if said.type != "log" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    @property
    def newest(self) -> Locator:
        return self.page.locator(".message").last

    def button(self, label: str) -> Locator:
        """The newest button of that name that can be pressed."""
        return self.page.get_by_role("button", name=label, exact=True).and_(self.page.locator(":enabled")).last

    async def tap(self, label: str) -> None:
        await self.button(label).tap()

    async def pick(self, command: str) -> None:
        """Type the beginning of a command and tap its suggestion."""
        await self.page.locator("#entry").tap()
        await self.page.keyboard.type(f"/{command}")
        await self.suggestion(f"/{command}").first.tap()

    def suggestion(self, words: str) -> Locator:
        return self.page.locator("#suggestions").get_by_role("option", name=words)

    async def photograph(self, name: str) -> None:
        """Keep a screenshot; everything on it fits and is large enough for a finger."""
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        await self.page.evaluate("() => Promise.all([...document.images].map(image => image.decode()))")
        await self.page.screenshot(path=ARTIFACTS / f"{name}.png", scale="css")
        assert 0 == await self.page.evaluate(OVERFLOW), f"{name} scrolls sideways"
        assert [] == await self.page.evaluate(SMALL, FINGER), name
        widths = {label: width for label, width in await self.page.evaluate(LABELS) if width > FINGER}
        too_wide = {label for label, width in widths.items() if width > AROUND + width_of(label) + TOLERANCE}
        assert not too_wide, f"the bot takes them for narrower: {too_wide}"
        spare = (self.page.viewport_size or {"width": 0})["width"] - NARROW_PHONE
        for is_in_card, width in await self.page.evaluate(WORDS):
            assert width - spare > (CARD_WIDTH if is_in_card else LINE_WIDTH), "the bot takes a line for wider"


@pytest_asyncio.fixture
async def local(tmp_path: Path) -> AsyncIterator[Playground]:
    async with Playground(strict=True) as playground:
        await playground.start_bot("tests.e2e.steady_bot", env={"DATA_DIR": str(tmp_path)})
        yield playground


@pytest_asyncio.fixture
async def phones(local: Playground) -> AsyncIterator[tuple[Phone, Phone]]:
    """Ana's and Ben's."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        contexts: list[BrowserContext] = []
        owned: list[Phone] = []
        for name in ("Ana", "Ben"):
            contexts.append(await chromium.new_context(**playwright.devices["Pixel 7"]))
            phone = Phone(await contexts[-1].new_page())
            await phone.page.goto(f"{local.base_url}/?user={name}&channel=caravanserai")
            await phone.page.wait_for_selector("html[data-ready]")
            owned.append(phone)
        yield owned[0], owned[1]
        for context in contexts:
            await context.close()
        await chromium.close()
        assert [] == [complaint for phone in owned for complaint in phone.complaints]


async def play_by_tapping(phone: Phone, option: str, photo: str) -> None:
    """*Your move*, an option from the menu, *Confirm*."""
    await phone.tap("Your move")
    await phone.newest.locator("select").select_option(option)
    await expect(phone.button("Confirm")).to_be_visible()
    await phone.photograph(photo)
    await phone.tap("Confirm")


async def test_two_people_and_a_computer_play_on_their_phones(phones: tuple[Phone, Phone], local: Playground) -> None:
    ana, ben = phones
    await ana.photograph("01-empty")
    await _make_table(ana, ben)
    await _start(ana)
    await _place_artists(ana, ben)
    await _play_on(ana, ben)
    await _read_rules(ana)
    await _ask_for_a_game_that_does_not_exist(ana)
    assert [] == local.violations


async def _make_table(ana: Phone, ben: Phone) -> None:
    await ana.pick("table new")
    await ana.page.keyboard.type("game:musc")  # as in a pasted command, though the option is open already
    await ana.suggestion("Muscat").first.tap()
    await ana.page.get_by_role("button", name="Send").tap()
    await expect(ana.newest).to_contain_text("2 more needed")
    await ben.tap("Join")
    await ana.tap("Add computer")
    await expect(ben.newest).to_contain_text("Tumbleweed")
    await ben.photograph("02-lobby")

    await ana.tap("More")
    await ana.tap("Options")
    await expect(ana.newest).to_contain_text("Only you can see this")
    await ana.photograph("03-options")
    await expect(ben.page.locator(".message")).to_have_count(1)
    await ana.page.get_by_role("button", name="Dismiss").last.tap()


async def _start(ana: Phone) -> None:
    await ana.tap("Start")
    board = ana.page.locator(".message img").last
    await expect(board).to_be_visible()
    assert [1080, 1440] == await board.evaluate(
        "image => image.decode().then(() => [image.naturalWidth, image.naturalHeight])"
    )
    box = await board.bounding_box()
    assert box["height"] == pytest.approx(box["width"] * 1440 / 1080, rel=0.01)
    buttons = ana.newest.locator(".row .button")
    await expect(buttons).to_have_text(["Your move", "More"])
    assert 1 == len(await buttons.evaluate_all(TOPS)), "the buttons of a board are in one line"
    await ana.photograph("04-first-board")


async def _place_artists(ana: Phone, ben: Phone) -> None:
    await ana.tap("Your move")
    await expect(ana.newest).to_contain_text("Only you can see this")
    await ana.photograph("05-step")
    assert 0 == await ben.page.get_by_text("Only you can see this").count()
    await ana.tap(FIRST_MOVE)
    await expect(ana.button("Confirm")).to_be_visible()
    await ana.photograph("06-preview")
    await ana.tap("Confirm")
    await expect(ana.page.locator("#log")).to_contain_text("starts on 1A")
    await ana.photograph("07-confirmed")

    await expect(ben.newest).to_contain_text("starts on 1A")  # Ana's own answer says it before the board does
    await ben.tap("More")
    await ben.tap("As text")
    await expect(ben.newest).to_contain_text("Only you can see this")
    await ben.photograph("08-as-text")
    await ben.pick("muscat place")
    await expect(ben.suggestion("B").first).to_be_visible()
    await ben.photograph("09-suggestions")
    await ben.suggestion("B").first.tap()
    await ben.page.get_by_role("button", name="Send").tap()
    await expect(ben.page.locator("#log")).to_contain_text("starts on 1B")


async def _play_on(ana: Phone, ben: Phone) -> None:
    await expect(ana.page.locator(".message", has_text="@Ana: Choose one action")).to_be_visible()
    await play_by_tapping(ana, "place A", photo="10-second-preview")
    await expect(ben.page.locator(".message", has_text="@Ben: Choose one action")).to_be_visible()
    await play_by_tapping(ben, "draw", photo="11-draw")
    await expect(ben.newest).to_contain_text("@Ana")
    await ben.photograph("12-after-draw")


async def _read_rules(ana: Phone) -> None:
    await ana.pick("game rules")
    await ana.page.get_by_role("button", name="Send").tap()
    await expect(ana.newest).to_contain_text("In short")
    await ana.photograph("13-rules")
    await ana.tap("Search")
    await expect(ana.page.get_by_label("What are you looking for?")).to_be_focused()
    await ana.photograph("14-search")
    await ana.page.keyboard.type("palace")
    await ana.tap("Submit")
    await expect(ana.newest).to_contain_text("“palace” in 8 sections")
    await ana.photograph("15-found")
    await expect(ana.newest).to_contain_text("Nobody leaves it.")
    await ana.newest.get_by_label("More results").select_option(label="6.1 The palace")
    await expect(ana.newest).not_to_contain_text("Nobody leaves it.")
    await ana.photograph("16-section")
    await ana.tap("Back to “palace”")
    await expect(ana.newest).to_contain_text("in 8 sections")


async def _ask_for_a_game_that_does_not_exist(ana: Phone) -> None:
    for typed in ("game:chess", "game: chess", "section:1 game:chess"):
        await ana.pick("game rules")
        await ana.page.keyboard.type(typed)
        await ana.page.keyboard.press("Enter")
        await expect(ana.newest).to_contain_text("I have no game called “chess”")
        await ana.page.get_by_role("button", name="Dismiss").last.tap()
    await ana.pick("game rules")
    await ana.page.keyboard.type("chess")
    await ana.page.keyboard.press("Enter")
    await expect(ana.page.get_by_text("“chess” belongs to no option of /game rules.")).to_be_visible()
    await ana.photograph("17-no-option")
