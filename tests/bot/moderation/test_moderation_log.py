"""The moderators' log: what moderators have done, a line each, in a channel of their choice."""

from __future__ import annotations

from engine.proof import commitment
from playground.permissions import Permission
from playground.player import Player, Seen
from playground.world import Overwrite
from tests.bot.app import App
from tests.bot.habits import menu_of
from tests.bot.moderating import GAME, begin, choose_setting, moderator, open_server_settings
from tests.rooms import Room, tap_more

CHOSEN = "changed **Moderators’ log**"


async def log_of(app: App) -> tuple[Room, Player]:
    """A channel that a moderator chose for the log. Returns it with the moderator, in another channel."""
    log, eva = app.room(), moderator(app.room())
    await choose_setting(eva, "log", log.channel)
    await log.onlooker.expect(CHOSEN)
    return log, eva


async def change_pace(eva: Player, n: int) -> None:
    page = await open_server_settings(eva, "pace")
    await eva.choose(page.menus[0].options[n].label, on=page, menu=0)


async def game_page(eva: Player) -> Seen:
    """The only game of the server, as a moderator looks after it."""
    listed = await eva.slash("server games")
    return await eva.choose(listed.menus[0].options[0].label, on=listed)


def lines(log: Room) -> list[str]:
    """Lines of the log about acts of moderators and votes; beside those, it has the luck of new tables."""
    return [message.text for message in log.onlooker.messages if "luck sealed" not in message.text]


def jobs(app: App) -> list[tuple[object, ...]]:
    return app.query("SELECT * FROM jobs WHERE kind = 'moderation log'")


async def worked_off(app: App) -> None:
    """Wait until no line is to be written."""
    while jobs(app):
        await app.let_pass(1)


async def test_setting_changes_are_logged_with_their_moderator_without_a_ping(app: App) -> None:
    log, eva = await log_of(app)
    await change_pace(eva, 0)
    line = await log.onlooker.expect(f"{eva.mention} changed **Pace of new tables**")
    assert () == line.pinged
    games = await eva.tap("Default options", on=await open_server_settings(eva, "pace"))
    page = await eva.choose("Muscat", on=games)
    page = await eva.tap("Tournament", on=page)
    await log.onlooker.expect(f"{eva.mention} changed the default options of **Muscat**")
    page = await eva.tap("✓ Tournament", on=page)
    await eva.tap("Reset to standard", on=page)
    await worked_off(app)
    assert 4 == len(lines(log)), "what stays as it was is no change"


async def test_the_log_names_a_setting_in_the_language_of_the_server(app: App) -> None:
    log, eva = await log_of(app)
    await app.close()
    await app.prefer(eva.id, language="de")
    await app.open()
    await change_pace(eva, 0)
    await log.onlooker.expect(f"{eva.mention} changed **Pace of new tables**")


async def test_a_moved_or_disabled_log_posts_a_last_line_in_the_old_channel(app: App) -> None:
    log, eva = await log_of(app)
    other = app.room()
    await choose_setting(eva, "log", other.channel)
    await other.onlooker.expect(CHOSEN)
    await log.onlooker.until(lambda: 2 == len(lines(log)), what="the last line")
    await choose_setting(eva, "log")
    await other.onlooker.until(lambda: 2 == len(lines(other)), what="the last line")
    await change_pace(eva, 0)
    assert ([], 2, 2) == (jobs(app), len(lines(log)), len(lines(other)))


async def test_unsticking_a_game_and_ending_it_are_logged_with_the_reason(app: App) -> None:
    log, eva = await log_of(app)
    room = app.room()
    await begin(room, "Ana", "Ben", "Caro", game="muscat")
    page = await game_page(eva)
    here = f"**Muscat**, <#{app.local.channel(room.channel).id}>"
    await eva.tap("Unstick", on=page)
    await log.onlooker.expect(f"{here}: {eva.mention} unstuck it")
    question = await eva.choose("🔴 Ana", on=page)
    await eva.tap("Hand it over", on=question)
    ana = room.person("Ana").mention
    line = await log.onlooker.expect(f"{here}: {eva.mention} gave {ana}’s seat to a computer")
    assert () == line.pinged
    await eva.tap("End it…", on=page)
    await eva.submit({"Why?": "It is *late*."})
    await log.onlooker.expect(f"{here}: {eva.mention} ended it: “It is \\*late\\*.”")


async def moderated_lobby(app: App) -> tuple[Room, Player, Player]:
    """Ana is the host, Ben has joined, Eva may manage messages there."""
    room = app.room()
    ana, ben, eva = room.people("Ana", "Ben", "Eva")
    app.local.channel(room.channel).overwrites[eva.id] = Overwrite(allow=Permission.MANAGE_MESSAGES)
    await ana.slash("table new", game=GAME)
    await ben.tap("Join")
    return room, ana, eva


async def test_removals_by_a_moderator_are_logged_and_those_by_the_host_are_not(app: App) -> None:
    log, _ = await log_of(app)
    room, ana, eva = await moderated_lobby(app)
    ben = room.person("Ben")
    await eva.tap("🟦 Ben", on=await tap_more(eva, "Remove"))
    await log.onlooker.expect(f"{eva.mention} removed {ben.mention}")
    await ben.tap("Join")
    await ana.tap("🟦 Ben", on=await tap_more(ana, "Remove"))
    await eva.tap("Close the table", on=await eva.slash("table end"))
    await log.onlooker.expect(f"{eva.mention} ended it")
    assert 3 == len(lines(log))


async def test_actions_of_hosts_are_not_logged_and_a_server_without_a_log_gets_no_lines(app: App) -> None:
    log, eva = await log_of(app)
    _, ana, _ = await moderated_lobby(app)
    await ana.tap("Close the table", on=await ana.slash("table end"))
    await choose_setting(eva, "log")
    await log.onlooker.until(lambda: 2 == len(lines(log)), what="the last line")
    _, _, moderator = await moderated_lobby(app)
    await moderator.tap("Close the table", on=await moderator.slash("table end"))
    await worked_off(app)
    assert 2 == len(lines(log))


async def test_an_unwritable_log_blocks_no_action_and_settings_and_doctor_explain_it(app: App) -> None:
    log, eva = await log_of(app)
    app.local.forbid(log.channel, "SEND_MESSAGES", role="@everyone")
    await change_pace(eva, 0)
    await worked_off(app)
    needed = "* **Send Messages**, to write to the moderators’ log: the permissions of"
    why = f"⚠️ I can’t write to the moderators’ log:\n{needed}"
    page = await eva.slash("server settings")
    assert ("⚠️ Messages" in page.labels, why in await open_server_settings(eva, "log")) == (True, True)
    changed = await open_server_settings(eva, "pace")
    assert changed.menus[0].options[0].chosen, "it is changed all the same"
    assert why in await eva.slash("server doctor")
    app.local.permit(log.channel, "SEND_MESSAGES", role="@everyone")
    await eva.choose(eva.channel.name, on=page, menu=0)
    app.local.forbid(log.channel, "VIEW_CHANNEL", role="@everyone")
    answer = await eva.slash("server doctor")
    assert ("### The moderators’ log needs attention" in answer, "**View Channel**" in answer) == (True, True)
    app.local.permit(log.channel, "VIEW_CHANNEL", role="@everyone")
    assert "### Everything looks good" in await eva.slash("server doctor")
    app.local.delete_channel(log.channel)
    assert "* The channel is gone." in await eva.slash("server doctor")
    gone = await open_server_settings(eva, "log")
    assert ("* The channel is gone." in gone, ()) == (True, gone.menus[menu_of(gone, "log")].chosen)
    await change_pace(eva, 1)
    await worked_off(app)


async def test_log_lines_wait_for_discord_even_across_a_restart_and_appear_once_in_order(app: App) -> None:
    log, eva = await log_of(app)
    route = f"POST /channels/{app.local.channel(log.channel).id}/messages"
    fault = app.local.fault(route, 503, times=None, after=True)
    for n in range(2):
        await change_pace(eva, n)
    page = await eva.tap("Default options", on=await open_server_settings(eva, "pace"))
    await eva.tap("Tournament", on=await eva.choose("Muscat", on=page))
    await app.local.wait_for_fault(fault)
    assert 1 == len(jobs(app))
    await app.close()
    app.local.lift(route)
    await app.open()
    await log.onlooker.expect("default options of **Muscat**")
    pace = f"{eva.mention} changed **Pace of new tables**"
    assert [pace, pace, f"{eva.mention} changed the default options of **Muscat**"] == lines(log)[1:]


async def test_the_luck_commitment_of_every_new_table_is_logged_in_full(app: App) -> None:
    log, _ = await log_of(app)
    room = app.room()
    await room.person("Ana").slash("table new", game=GAME)
    ((secret,),) = app.query("SELECT secret FROM matches")
    line = await log.onlooker.expect("luck sealed")
    assert f"luck sealed: `{commitment(secret)}`" in line
    assert secret not in line.text
    assert () == line.pinged
