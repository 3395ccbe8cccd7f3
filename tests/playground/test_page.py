"""The page in a real browser, at phone size unless a test says otherwise."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta

import pytest
import pytest_asyncio
from playwright.async_api import (
    Browser,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    ViewportSize,
    WebSocketRoute,
    async_playwright,
    expect,
)

from playground.harness import Playground
from playground.notifier import HANG
from playground.player import Player

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FINGER = 44
PHONE = ViewportSize(width=412, height=839)
expect.set_options(timeout=HANG * 1000)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
Open = Callable[..., Awaitable[Page]]


@pytest_asyncio.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        chromium.phone = playwright.devices["Pixel 7"]  # type: ignore[attr-defined]
        yield chromium
        await chromium.close()


@pytest_asyncio.fixture(scope="module")
async def pages(browser: Browser) -> AsyncIterator[list[Page]]:
    """Pages that are free for reuse. A new page takes a second of the browser's time."""
    idle: list[Page] = []
    yield idle
    for page in idle:
        await page.context.close()


async def new_page(browser: Browser) -> Page:
    """A page with its own session, as on a separate phone."""
    context = await browser.new_context(**browser.phone)  # type: ignore[attr-defined]
    return await context.new_page()


async def leave(page: Page) -> None:
    """Clear the page's user and channel."""
    await page.evaluate("sessionStorage.clear(); localStorage.clear()")
    await page.goto("about:blank")


@pytest_asyncio.fixture
async def window(browser: Browser, pages: list[Page], timed_app: Playground, table: str) -> AsyncIterator[Open]:
    """Open windows, and fail on any console message."""
    complaints: list[str] = []
    opened: list[Page] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type != "log":
            complaints.append(message.text)

    def hear_error(error: Error) -> None:
        complaints.append(str(error))

    async def open_window(name: str = "Ana", viewport: ViewportSize = PHONE, locale: str = "en-US") -> Page:
        page = pages.pop() if pages else await new_page(browser)
        opened.append(page)
        page.on("console", hear)
        page.on("pageerror", hear_error)
        page.set_default_timeout(HANG * 1000)
        await page.set_viewport_size(viewport)
        await page.goto(f"{timed_app.base_url}/?user={name}&channel={table}&locale={locale}")
        await page.wait_for_selector("html[data-ready]")
        return page

    yield open_window
    for page in opened:
        await leave(page)
        page.remove_listener("console", hear)
        page.remove_listener("pageerror", hear_error)
        pages.append(page)
    assert complaints == []


def suggestion(page: Page, words: str) -> Locator:
    return page.locator("#suggestions").get_by_role("option", name=words)


async def pick(page: Page, path: str) -> None:
    """Type a slash and tap the command."""
    await page.locator("#entry").tap()
    await page.keyboard.type("/" + path[:5])
    await suggestion(page, f"/{path}").first.tap()


async def test_command_can_be_entered_by_tapping_suggestions(window: Open, ana: Player) -> None:
    page = await window()
    await pick(page, "trial place")
    await page.keyboard.type("2")
    await expect(page.locator("#suggestions [role=option]")).to_have_count(5)
    await suggestion(page, "Market 2B").tap()
    await suggestion(page, "+ level").tap()
    await page.keyboard.type("2")
    await page.get_by_role("button", name="Send").tap()
    await expect(page.locator(".message")).to_contain_text("Placed at 2B on level 2")
    assert ana.last is not None
    assert ana.last.text == "Placed at 2B on level 2"


async def test_command_can_be_entered_by_keyboard_alone(window: Open) -> None:
    page = await window()
    await page.locator("#entry").focus()
    await page.keyboard.type("/trial pl")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("option", name="Market 1A")).to_have_attribute("aria-selected", "true")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.locator(".pill.value")).to_have_text("market: Market 1B")
    await page.keyboard.press("Enter")
    await expect(page.locator(".message")).to_contain_text("Placed at 1B")


async def test_typing_an_exact_command_and_a_space_shows_its_options(window: Open) -> None:
    page = await window()
    await page.locator("#entry").focus()
    await page.keyboard.type("/trial paint ")
    await expect(page.get_by_role("option")).to_have_text(["Red", "Blue"])


async def test_escape_goes_back_step_by_step(window: Open) -> None:
    page = await window()
    await pick(page, "trial place")
    await suggestion(page, "Market 1A").tap()
    await expect(page.locator(".pill")).to_have_count(2)
    await page.keyboard.press("Escape")
    await expect(page.locator(".pill.active")).to_have_text("market:")
    await page.keyboard.press("Escape")
    await expect(page.locator(".pill")).to_have_count(0)
    await expect(page.locator("#suggestions")).to_be_hidden()


async def test_button_updates_the_message(window: Open, ana: Player) -> None:
    page = await window()
    await ana.slash("trial board")
    await page.get_by_role("button", name="Next").tap()
    await expect(page.locator(".message")).to_contain_text("Ply 2")
    await expect(page.locator(".message")).to_have_count(1)


async def test_picture_fills_the_column_and_opens_in_the_viewer(window: Open, ana: Player) -> None:
    page = await window()
    await ana.slash("trial board")
    picture = page.get_by_role("img", name="An empty board")
    await expect(picture).to_be_visible()
    assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 360
    bounds = await picture.bounding_box()
    assert bounds is not None
    assert bounds["width"] > 0.88 * 412
    assert bounds["height"] == pytest.approx(bounds["width"] * 480 / 360, rel=0.01)
    await picture.tap()
    await expect(page.locator("#viewer .alt")).to_have_text("An empty board")
    await page.get_by_role("button", name="Close").tap()
    await expect(page.locator("#viewer")).to_be_hidden()


async def test_menu_choice_gets_an_ephemeral_answer(window: Open, ana: Player) -> None:
    page = await window()
    await ana.slash("trial board")
    await page.get_by_label("Choose a market").select_option(value="m2B")
    await expect(page.locator(".message.private")).to_contain_text("You chose m2B")
    await expect(page.get_by_label("Choose a market")).to_have_value("")


async def test_menus_of_users_and_with_several_entries_work(window: Open, ana: Player) -> None:
    page = await window()
    await ana.slash("trial menus")
    await page.get_by_label("Choose a guest").select_option(label="Ben")
    await expect(page.locator(".message").last).to_contain_text("Guest: Ben")
    give = page.locator("[data-id=cards]").get_by_role("button", name="Choose", exact=True)
    await page.locator("[data-id=cards] summary").tap()
    await page.get_by_label("Palm").check()
    await expect(give).to_be_disabled()
    await page.get_by_label("Camel").check()
    await give.tap()
    await expect(page.locator(".message").last).to_contain_text("Cards: C P")


async def test_menus_of_roles_and_channels_work(window: Open, ana: Player) -> None:
    page = await window()
    await ana.slash("trial menus")
    await page.locator("[data-id=roles] summary").tap()
    await page.get_by_label("@Moderators").check()
    await page.locator("[data-id=roles]").get_by_role("button", name="Choose").tap()
    await expect(page.locator(".message").last).to_contain_text("Roles: Moderators")
    await page.get_by_label("Choose a place").select_option(label="# second-table")
    await expect(page.locator(".message").last).to_contain_text("Place: second-table")


async def test_form_can_be_filled_in_and_submitted(window: Open, ana: Player) -> None:
    page = await window()
    await ana.slash("trial board")
    await page.get_by_role("button", name="Form").tap()
    form = page.get_by_role("dialog", name="Give up three cards")
    await expect(form).to_contain_text("Nobody sees this but you.")
    await form.get_by_label("Reason").fill("too many")
    await form.get_by_label("Color").select_option(label="Blue")
    await form.get_by_role("button", name="Submit").tap()
    await expect(form).to_be_hidden()
    await expect(page.locator(".message").last).to_contain_text("Form: too many / b")


async def test_ephemeral_message_appears_only_to_its_user(window: Open, ana: Player) -> None:
    hers, his = await window("Ana"), await window("Ben")
    await ana.slash("trial whisper")
    await ana.say("after the whisper")
    await expect(hers.locator(".message.private")).to_contain_text("Only you can see this")
    await expect(his.locator(".message")).to_have_count(1)
    await hers.get_by_role("button", name="Dismiss").tap()
    await expect(hers.locator(".message.private")).to_have_count(0)
    assert [seen.text for seen in ana.messages] == ["after the whisper"]


async def test_deferred_answer_shows_that_the_bot_is_thinking(window: Open, ana: Player, timed_app: Playground) -> None:
    page = await window()
    silence = timed_app.fault("POST /webhooks/*", hang=True)
    await pick(page, "trial think")
    await page.get_by_role("button", name="Send").tap()
    await expect(page.locator(".thinking")).to_contain_text("The bot is thinking")
    await timed_app.wait_for_fault(silence)
    timed_app.release()
    await expect(page.locator(".message").first).to_contain_text("Thought about it")


async def test_missing_answer_is_reported_in_a_sentence(window: Open, timed_app: Playground) -> None:
    timed_app.allow("did /trial ignore")
    page = await window()
    await pick(page, "trial ignore")
    await page.get_by_role("button", name="Send").tap()
    await timed_app.discord.notifier.until(lambda: timed_app.discord.interactions.latest)
    timed_app.clock.advance(HANG + 1)
    await expect(page.get_by_role("alert")).to_contain_text("The application did not respond")
    await expect(page.locator(".pill.command")).to_have_text("/trial ignore")


async def test_html_in_a_message_is_never_rendered(window: Open, ana: Player) -> None:
    page = await window()
    await ana.say("<img src=x onerror=alert(1)> **bold** `code` <b>no</b>")
    message = page.locator(".message")
    await expect(message).to_contain_text("<img src=x onerror=alert(1)> bold code <b>no</b>")
    await expect(message.locator("strong")).to_have_text("bold")
    await expect(message.locator("img, b")).to_have_count(0)


async def test_markdown_is_rendered(window: Open, ana: Player) -> None:
    page = await window()
    lines = ["# Head", "- one", "- two", "> said", "-# small", "```", "a < b", "```", "*it* ~~no~~ <t:0:R>"]
    await ana.say("\n".join(lines))
    words = page.locator(".message .words")
    for selector, text in {
        ".heading-1": "Head",
        "li >> nth=1": "two",
        "blockquote": "said",
        ".small": "small",
        "pre": "a < b",
        "em": "it",
        "s": "no",
        "time": "years ago",
    }.items():
        await expect(words.locator(selector)).to_contain_text(text)


async def test_wide_code_is_scrolled_not_cut(window: Open, ana: Player) -> None:
    page = await window()
    await ana.slash("trial table")
    code = page.locator(".container pre")
    await expect(code).to_be_visible()
    box, container = await code.bounding_box(), await page.locator(".container").bounding_box()
    assert box is not None
    assert container is not None
    assert box["x"] + box["width"] < container["x"] + container["width"] <= 412
    assert await code.evaluate("code => code.scrollWidth > code.clientWidth"), "the table is wider than the phone"
    await look_over(page)


async def test_the_description_of_an_option_is_shown_in_full(window: Open) -> None:
    page = await window(viewport={"width": 320, "height": 700})
    await pick(page, "trial place")
    hint = page.locator("#wanted")
    await expect(hint).to_have_text("Where to: a market where nobody stands yet, on any level of the street")
    assert not await hint.evaluate("line => line.scrollWidth > line.clientWidth")
    await look_over(page)
    await suggestion(page, "Market 1A").tap()
    await expect(hint).to_be_hidden()


async def test_mention_of_the_user_is_highlighted_and_counted_in_other_channels(
    window: Open, ana: Player, timed_app: Playground
) -> None:
    page = await window("Caro")
    await ana.slash("trial place", market="1A", guest="Caro")
    await expect(page.locator(".message.for-me .mention.mine")).to_have_text("@Caro")
    await ana.in_channel("second-table").slash("trial place", market="1A", guest="Caro")
    await expect(page.locator("#elsewhere")).to_have_text("1")
    await expect(page).to_have_title("(1) Caro · #" + ana.channel.name)
    await page.locator("#show-places").tap()
    await page.get_by_role("button", name="#second-table").tap()
    await expect(page.locator("#elsewhere")).to_be_hidden()


async def test_a_mention_in_a_new_thread_counts_as_unread_even_after_a_reload(
    window: Open, ana: Player, timed_app: Playground
) -> None:
    page = await window("Eva")
    await ana.slash("trial thread", name="the-well")
    await ana.in_channel("the-well").expect("Welcome")
    await ana.in_channel("the-well").say("just talking")
    await ana.in_channel("the-well").slash("trial place", market="1A", guest="Eva")
    await expect(page.locator("#elsewhere")).to_have_text("1")
    await page.reload()
    await expect(page.locator("#elsewhere")).to_have_text("1")
    await page.locator("#show-places").tap()
    await page.get_by_role("button", name="#the-well").tap()
    await expect(page.locator("#elsewhere")).to_be_hidden()
    await page.reload()
    await expect(page.locator("#elsewhere")).to_be_hidden()


SCROLL_UP = """log => new Promise(done => {
  log.addEventListener("scroll", done, {once: true});
  log.scrollTop = 0;
})"""


async def test_new_messages_never_cover_suggestions(window: Open, ana: Player) -> None:
    page = await window("Ben")
    for number in range(12):
        await ana.say(f"word {number} " * 20)
    await expect(page.locator(".message")).to_have_count(12)
    # Wait until the page has noticed: a message before that would scroll to the end again.
    await page.locator("#log").evaluate(SCROLL_UP)
    await ana.say("something new")
    await expect(page.locator("#newest")).to_be_visible()
    await page.locator("#entry").tap()
    await page.keyboard.type("/trial")
    await expect(page.locator("#suggestions")).to_be_visible()
    await expect(page.locator("#newest")).to_be_hidden()


async def test_the_sender_of_a_command_sees_its_answer(window: Open, ana: Player) -> None:
    page = await window("Ben")
    for number in range(12):
        await ana.say(f"word {number} " * 20)
    await expect(page.locator(".message")).to_have_count(12)
    await page.locator("#log").evaluate(SCROLL_UP)
    await pick(page, "trial think")
    await page.get_by_role("button", name="Send").tap()
    await expect(page.locator(".message").last).to_contain_text("And again")
    await expect(page.locator(".message").last).to_be_in_viewport()


async def test_times_are_in_the_language_of_the_client(window: Open, ana: Player, timed_app: Playground) -> None:
    words = {
        "fr": ("novembre", "il y a ", "08:"),
        "de": ("November", "vor ", "08:"),
        "it": ("novembre", "anni fa", "08:"),
        "es": ("noviembre", "hace ", "8:"),
    }
    # only some languages write a morning's hour with two digits
    now = datetime.fromtimestamp(timed_app.clock.now()).astimezone()
    timed_app.clock.advance(((now + timedelta(days=1)).replace(hour=8, minute=1) - now).total_seconds())
    for locale, (day, ago, hour) in words.items():
        page = await window(locale=locale)
        await ana.say("<t:1668000000:D>, <t:1668000000:R>")
        times = page.locator(".message .words").last.locator("time")
        await expect(times.first).to_contain_text(day)
        await expect(times.last).to_contain_text(ago)
        await expect(page.locator(".message header time").last).to_have_text(re.compile(rf"(^|\s){hour}\d\d$"))


async def test_commands_can_be_typed_by_their_english_names_in_every_language(
    window: Open, timed_app: Playground
) -> None:
    commands, discord = timed_app.discord.world.commands, timed_app.discord
    game = {"type": 3, "name": "game", "description": "Which one", "name_localizations": {"fr": "jeu"}}
    new = {"type": 1, "name": "new", "description": "Start", "name_localizations": {"fr": "ouvrir"}, "options": [game]}
    discord.set_commands([*commands, {**commands[0], "name": "table", "options": [new]}], guild=False)
    page = await window(locale="fr-FR")
    await expect(page.get_by_role("button", name="/table ouvrir")).to_be_visible()
    await page.locator("#entry").fill("/table new ")
    await expect(page.locator(".pill.command")).to_have_text("/table ouvrir")
    await page.locator("#entry").fill("game: x")
    await expect(page.locator(".pill.active")).to_have_text("jeu:")
    discord.set_commands(commands, guild=False)


async def test_a_user_in_a_command_is_shown_by_name(window: Open, timed_app: Playground) -> None:
    page = await window("Ana")
    await page.locator("#entry").fill("/trial place ")
    await suggestion(page, "Market 1A").tap()
    await suggestion(page, "+ guest").tap()
    await suggestion(page, "Ben").tap()
    await expect(page.locator(".pill.value").last).to_contain_text("Ben")
    await page.get_by_role("button", name="Send").tap()
    await expect(page.locator(".message .reason")).to_have_text("Ana used /trial place")


async def test_the_window_can_switch_to_another_user(window: Open) -> None:
    page = await window("Ana")
    await page.locator("#show-people").tap()
    await page.get_by_role("link", name="Dan").tap()
    await expect(page.locator("#show-people")).to_contain_text("Dan")
    assert "user=Dan" in page.url


async def test_a_new_name_becomes_a_new_user(window: Open, timed_app: Playground) -> None:
    his = await window("Ben")
    page = await window("Zoe")
    await expect(page.locator("#show-people")).to_contain_text("Zoe")
    await his.locator("#show-people").tap()
    await expect(his.get_by_role("link", name="Zoe")).to_be_visible()


async def test_new_thread_is_listed_and_a_message_unarchives_it(
    window: Open, ana: Player, timed_app: Playground
) -> None:
    page = await window()
    await ana.slash("trial thread", name="the-gate")
    await ana.in_channel("the-gate").expect("Welcome")
    await page.get_by_role("button", name="Go to the-gate").tap()
    await expect(page.locator("#place-name")).to_have_text("#the-gate")
    await expect(page.locator(".message")).to_contain_text("Welcome")
    await expect(page.locator("#place-topic")).to_contain_text("2 members · thread of #")
    timed_app.set_thread("the-gate", archived=True)
    await expect(page.locator("#place-topic")).to_contain_text("Archived · thread of #")
    await page.locator("#show-places").tap()
    await expect(page.get_by_role("button", name="#the-gate archived", exact=True)).to_be_visible()
    await page.get_by_role("button", name="#the-gate archived", exact=True).tap()
    await page.locator("#entry").fill("Wake up")
    await page.keyboard.press("Enter")
    await expect(page.locator("#place-topic")).to_contain_text("2 members · thread of #")


async def test_lost_connection_is_restored(window: Open, ana: Player, browser: Browser, timed_app: Playground) -> None:
    lines: list[WebSocketRoute] = []

    def through(line: WebSocketRoute) -> None:
        lines.append(line)
        line.connect_to_server()

    page = await window()
    await page.route_web_socket("**/live*", through)
    await page.reload()
    await page.wait_for_selector("html[data-ready]")
    await lines[0].close()
    await expect(page.locator("#weather")).to_contain_text("Waiting for it to come back")
    await ana.say("while you were away")
    await expect(page.locator(".message")).to_contain_text("while you were away")
    await expect(page.locator("#weather")).to_be_hidden()
    assert len(lines) == 2


async def test_empty_channel_suggests_a_first_command(window: Open, timed_app: Playground) -> None:
    commands = timed_app.discord.world.commands
    option = {"type": 1, "name": "new", "description": "Start a game"}
    table = {**commands[0], "name": "table", "options": [option]}
    timed_app.discord.set_commands([*commands, table], guild=False)
    page = await window()
    await page.get_by_role("button", name="/table new").tap()
    await expect(page.locator(".pill.command")).to_have_text("/table new")
    timed_app.discord.set_commands(commands, guild=False)


CONTROLS = "button, select, input, textarea, a.person, a.button, [role=option]"
# Hidden text is inline, like links.
SMALL = f"""minimum => [...document.querySelectorAll('{CONTROLS}')]
  .filter(e => e.checkVisibility({{visibilityProperty: true}}) && !e.matches('[type=checkbox], [type=radio], .spoiler'))
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([e, box]) => box.width && (box.height < minimum || box.width < minimum))
  .map(([e, box]) => `${{e.outerHTML.slice(0, 90)}} ${{box.width}}x${{box.height}}`)"""
NAMELESS = """() => [...document.querySelectorAll('button, select, input, textarea')]
  .filter(e => e.checkVisibility())
  .filter(e => !(e.textContent.trim() || e.ariaLabel || e.labels?.length || e.querySelector('img[alt]')))
  .map(e => e.outerHTML.slice(0, 90))"""
OVERFLOW = """() => [document.documentElement, document.querySelector('#log')]
  .reduce((sum, box) => sum + box.scrollWidth - box.clientWidth, 0)"""


async def look_over(page: Page) -> None:
    assert await page.evaluate(OVERFLOW) == 0
    assert await page.evaluate(SMALL, FINGER) == []
    assert await page.evaluate(NAMELESS) == []


@pytest.mark.parametrize("width", [320, 1280])
async def test_all_controls_fit_the_screen_and_are_large_enough_to_tap(window: Open, ana: Player, width: int) -> None:
    page = await window(viewport={"width": width, "height": 780})
    await look_over(page)
    await ana.say("a_very_long_word_" * 20 + " https://example.org/" + "path/" * 40)
    await ana.slash("trial board")
    await ana.slash("trial whisper")
    await expect(page.locator(".message.private")).to_be_visible()
    await look_over(page)
    await pick(page, "trial place")
    await suggestion(page, "Market 1A").tap()
    await look_over(page)
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Form").tap()
    await look_over(page)
    await page.get_by_role("button", name="Cancel").tap()
    if width < 900:
        await page.locator("#show-places").tap()
        await look_over(page)
