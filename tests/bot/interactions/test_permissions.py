"""The permission doctor: it names the missing permissions, and its advice helps, however roles and channels play
together. How Discord adds them up, the local Discord knows by itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.errors import UserError
from bot.interactions import places
from bot.interactions.parts import stamp
from bot.interactions.permissions import (
    ADMINISTRATOR,
    ATTACH,
    LOCKED,
    LOCKED_FOR_PLAYERS,
    MANAGE_THREADS,
    OPEN_THREADS,
    SEE,
    WRITE,
    WRITE_IN_THREADS,
    Doing,
    Entry,
    Need,
    Place,
    advice,
    examine,
    findings_without_cause,
    needs,
)
from bot.interactions.places import findings_at, findings_of_game, require_league_role, require_place, require_role
from bot.interactions.presence import SERVER_AWAY
from bot.tables.guild_settings import GuildSettings
from playground.clock import Clock
from playground.permissions import NOTHING, Permission
from playground.world import Channel, ChannelKind, Overwrite, Role, World

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
ALL = (SEE, WRITE, WRITE_IN_THREADS, ATTACH, OPEN_THREADS)
EVERYTHING = sum(need.bit for need in ALL)
SAYS = (None, "allow", "deny")
WHOSE = ("@everyone", "Guests", "Players", "Caravanserai")
FINE = Place(
    "<#1>", "<#1>", "Caravanserai", EVERYTHING, Entry(WHOSE[0]), (Entry(WHOSE[1]), Entry(WHOSE[2])), Entry("me")
)


def entry(whose: str, says: str | None, bit: int) -> Entry:
    return Entry(whose, **({says: bit} if says else {}))


def place(need: Need, *, granted: bool, says: tuple[str | None, ...]) -> Place:
    """A place where all is well but for what roles and channel say of one permission."""
    everybody, guests, players, own = (
        entry(whose, setting, need.bit) for whose, setting in zip(WHOSE, says, strict=True)
    )
    bits = EVERYTHING if granted else EVERYTHING & ~need.bit
    return Place("<#1>", "<#1>", "Caravanserai", bits, everybody, (guests, players), own)


def may(place: Place, need: Need) -> bool:
    """Whether the bot may do something in such a place, as the local Discord adds it up."""
    world = World(Clock())
    roles = [Role(world.ids.next(), entry.owner, NOTHING) for entry in place.roles]
    world.roles = {world.guild_id: Role(world.guild_id, "@everyone", Permission(place.granted))}
    world.roles |= {role.id: role for role in roles}
    world.bot.roles = [role.id for role in roles]
    holders = (world.guild_id, *world.bot.roles, world.bot.id)
    entries = (place.everybody, *place.roles, place.own)
    overwrites = {
        holder: Overwrite(Permission(entry.allow), Permission(entry.deny))
        for holder, entry in zip(holders, entries, strict=True)
    }
    channel = Channel(world.ids.next(), "games", kind=ChannelKind.TEXT, overwrites=overwrites)
    return bool(world.permissions(world.bot, channel) & need.bit)


def granted_as_advised(place: Place, need: Need, text: str) -> Place:
    """The place after the doctor's advice was followed."""
    if "none of my roles" in text:
        return replace(place, granted=place.granted | need.bit)
    whose = text.rpartition("Permissions › ")[2].removesuffix(".")

    def mended(entry: Entry) -> Entry:
        return Entry(entry.owner, need.bit, 0) if entry.owner == whose else entry

    return replace(
        place,
        everybody=mended(place.everybody),
        roles=tuple(map(mended, place.roles)),
        own=mended(place.own),
    )


@pytest.mark.parametrize("need", ALL, ids=lambda need: need.name)
def test_missing_permissions_are_named_and_granting_them_as_advised_helps(need: Need) -> None:
    doing = Doing.THREAD if need in (OPEN_THREADS, WRITE_IN_THREADS) else Doing.GAME
    advised = set()
    for granted, says in product((True, False), product(SAYS, repeat=len(WHOSE))):
        here = place(need, granted=granted, says=says)
        findings = examine(here, doing)
        assert ([] if may(here, need) else [need]) == [finding.need for finding in findings], (granted, says)
        for finding in findings:
            text = str(finding.text)
            advised.add(text)
            assert () == examine(granted_as_advised(here, need, text), doing), (granted, says, text)
    assert 6 == len(advised), "no role has it; it is taken from everybody, one role, the other, both, or the bot itself"


def test_all_missing_permissions_are_named_at_once_without_implied_ones() -> None:
    hidden = replace(FINE, everybody=Entry("@everyone", deny=SEE.bit | WRITE.bit), granted=EVERYTHING & ~ATTACH.bit)
    assert [SEE, WRITE, ATTACH] == [finding.need for finding in examine(hidden)]
    mute = replace(FINE, own=Entry("me", deny=WRITE.bit))
    assert [WRITE] == [finding.need for finding in examine(mute)], "without it files cannot be attached either"


@pytest.mark.parametrize("thread", [False, True])
@pytest.mark.parametrize("doing", Doing)
def test_a_permission_is_required_only_where_it_is_used(doing: Doing, thread: bool) -> None:
    required = {
        need.bit for need in ALL if examine(replace(FINE, granted=EVERYTHING & ~need.bit, thread=thread), doing)
    }
    in_a_thread = {SEE, WRITE_IN_THREADS, ATTACH}
    outside = {SEE, WRITE, ATTACH} if doing is Doing.GAME else in_a_thread | {OPEN_THREADS}
    expected = {SEE, WRITE} if doing in (Doing.LOG, Doing.OVERVIEW) else in_a_thread if thread else outside
    assert {need.bit for need in expected} == required == {need.bit for need in needs(doing, thread=thread)}


def test_an_administrator_lacks_no_permission() -> None:
    here = replace(
        FINE, granted=ADMINISTRATOR, own=Entry("me", deny=EVERYTHING), thread=True, locked=True, outside=True
    )
    assert () == examine(here) == examine(here, Doing.THREAD)


@pytest.mark.parametrize(("state", "said"), [("locked", "This thread is locked."), ("outside", "Mention me in it")])
def test_a_closed_thread_is_distinguished_from_missing_permissions(state: str, said: str) -> None:
    thread = replace(FINE, thread=True, **{state: True})
    (finding,) = examine(thread)
    assert said in str(finding.text)
    assert finding.need is None
    assert () == examine(replace(thread, granted=EVERYTHING | MANAGE_THREADS.bit))


def test_the_advice_names_the_place_to_grant_a_permission_and_links_to_help() -> None:
    here = replace(
        FINE, here="<#2>", everybody=Entry("**@everyone**", deny=WRITE.bit), granted=EVERYTHING & ~ATTACH.bit
    )
    lines = str(advice(here.here, examine(here), "https://example.org/help")).splitlines()
    assert [
        "**I can’t run a game in <#2> yet.** What is missing:",
        "* **Send Messages**, to post boards and mention people: the permissions of <#1> deny it to **@everyone**.",
        "  Grant it under <#1> › Edit Channel › Permissions › **@everyone**.",
        "* **Attach Files**, for the pictures of the boards: none of my roles has it.",
        "  Grant it under Server Settings › Roles › Caravanserai › Permissions.",
        "-# [More about my permissions](https://example.org/help)",
    ] == lines
    assert "http" not in str(advice(here.here, findings_without_cause([SEE]), ""))
    assert "**View Channel**, to see it." in str(advice(here.here, findings_without_cause([SEE]), ""))


def test_a_permission_that_several_roles_take_is_granted_to_the_first_of_them() -> None:
    takers = tuple(Entry(name, deny=WRITE.bit) for name in ("Guests", "Players"))
    (finding,) = examine(replace(FINE, roles=takers))
    deny, grant = str(finding.text).splitlines()
    assert deny.endswith("deny it to Guests and Players.")
    assert "  Grant it under <#1> › Edit Channel › Permissions › Guests." == grant


@pytest.mark.parametrize("granted", [0, MANAGE_THREADS.bit])
def test_a_locked_thread_is_one_problem_for_the_bot_or_else_for_the_players(granted: int) -> None:
    thread = replace(FINE, thread=True, locked=True, granted=EVERYTHING | granted)
    (finding,) = findings_of_game(thread)
    assert (LOCKED_FOR_PLAYERS if granted else LOCKED) == finding.text
    both = findings_of_game(replace(thread, granted=thread.granted & ~ATTACH.bit))
    assert (2, True) == (len(both), finding in both), "a missing permission is named, too"


def test_a_time_out_is_named_before_what_is_missing() -> None:
    first, second = examine(replace(FINE, granted=EVERYTHING & ~ATTACH.bit, timed_out="<t:1:f>"))
    assert (True, ATTACH) == (first.everywhere, second.need)


@pytest.mark.parametrize(("until", "others"), [("<t:1:f>", 0), ("", 2)])
def test_a_time_out_explains_what_is_missing_although_roles_and_channel_allow_it(
    monkeypatch: pytest.MonkeyPatch, until: str, others: int
) -> None:
    monkeypatch.setattr(places, "place_of", lambda _: replace(FINE, timed_out=until))
    permissions = discord.Permissions.all()
    permissions.update(send_messages=False, attach_files=False)
    interaction: Any = SimpleNamespace(channel=Mock(spec=discord.TextChannel), guild_id=8, app_permissions=permissions)
    findings = findings_at(interaction)
    assert bool(until) == any(finding.everywhere for finding in findings)
    assert others == len([finding for finding in findings if not finding.everywhere])


def test_what_is_missing_in_a_locked_thread_comes_before_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    here = replace(FINE, thread=True, locked=True, granted=EVERYTHING & ~ATTACH.bit)
    monkeypatch.setattr(places, "place_of", lambda _: here)
    permissions = discord.Permissions.all()
    permissions.update(attach_files=False)
    interaction: Any = SimpleNamespace(channel=Mock(spec=discord.Thread), guild_id=8, app_permissions=permissions)
    findings = findings_at(interaction)
    assert [ATTACH, None] == [finding.need for finding in findings]
    assert "none of my roles has it" in str(findings[0].text), "with its cause"


@pytest.mark.parametrize(("private", "inside"), [(True, False), (True, True), (False, False)])
def test_the_bot_is_outside_only_of_a_private_thread_that_discord_does_not_send(private: bool, inside: bool) -> None:
    everybody = Mock(spec=discord.Role, permissions=discord.Permissions.all())
    me = Mock(spec=discord.Member, roles=[everybody], timed_out_until=None)
    parent = Mock(spec=discord.TextChannel)
    parent.overwrites_for.return_value = discord.PermissionOverwrite()
    for role in (everybody, me):
        role.name = role.display_name = "Caravanserai"
    guild = SimpleNamespace(unavailable=False, me=me, owner_id=1, self_role=None, get_thread=lambda _: inside or None)
    thread = Mock(spec=discord.Thread, guild=guild, locked=False)
    # not as an argument, which is another thing to `Mock`
    thread.parent = parent
    thread.is_private.return_value = private
    here = places.place_of(thread)
    assert here is not None
    assert (True, private and not inside) == (here.thread, here.outside)


def at_start(
    *roles: int,
    manages: bool = False,
    administers: bool = False,
    direct: bool = False,
    away: bool = False,
    thread: bool = False,
) -> Any:
    """An interaction of a member in channel 2 of category 7, in a server with channel 9 and role 5; or in thread 3 of
    that channel, whose category is unknown.
    """
    member = object.__new__(discord.Member)
    member._roles = discord.utils.SnowflakeList(roles)
    channel: Any = SimpleNamespace(id=2, category_id=7, mention="<#2>")
    if thread:
        channel = Mock(spec=discord.Thread, id=3, parent_id=2, parent=None)
    channels, roles_by_id = {9: SimpleNamespace(id=9, mention="<#9>")}, {5: SimpleNamespace(mention="<@&5>")}
    guild = SimpleNamespace(unavailable=away, get_channel=channels.get, get_role=roles_by_id.get)
    return SimpleNamespace(
        guild=None if direct else guild,
        guild_id=None if direct else 8,
        channel=channel,
        user=member,
        permissions=SimpleNamespace(manage_guild=manages, administrator=administers),
    )


PLACES_GONE = "The channels where games were played are gone. A moderator can choose others with `/server settings`."
ROLES_GONE = (
    "None of the roles that could start games exists anymore. A moderator can choose others with `/server settings`."
)
LEAGUES = "Leagues are set up by moderators. They can let others do it, too, with `/server settings`."
ONLY = "Only <@&5> can start games here. Anyone may join."
MAY_START: list[tuple[Any, dict[str, Any], Any, str]] = [
    (require_place, {}, at_start(), ""),
    (require_place, {"channels": (2,)}, at_start(), ""),
    (require_place, {"channels": (7,)}, at_start(), ""),
    (require_place, {"channels": (9,)}, at_start(), "Here, games are played in <#9>."),
    (require_place, {"channels": (9, 99)}, at_start(), "Here, games are played in <#9>."),
    (require_place, {"channels": (9, 99)}, at_start(away=True), "Here, games are played in <#9> and <#99>."),
    (require_place, {"channels": (7,)}, at_start(away=True, thread=True), str(SERVER_AWAY)),
    (require_place, {"channels": (2,)}, at_start(away=True, thread=True), ""),
    (require_place, {"channels": (9,)}, at_start(thread=True), "Here, games are played in <#9>."),
    (require_place, {"channels": (99,)}, at_start(), PLACES_GONE),
    (require_place, {"channels": (9,)}, at_start(manages=True), ""),
    (require_place, {"channels": (9,)}, at_start(administers=True), ""),
    (require_place, {"channels": (9,)}, at_start(direct=True), ""),
    (require_role, {}, at_start(), ""),
    (require_role, {"roles": (5,)}, at_start(5), ""),
    (require_role, {"roles": (5, 6)}, at_start(6), ""),
    (require_role, {"roles": (5,)}, at_start(6), ONLY),
    (require_role, {"roles": (5, 6)}, at_start(), ONLY),
    (require_role, {"roles": (5, 6)}, at_start(away=True), ONLY.replace("<@&5>", "<@&5> and <@&6>")),
    (require_role, {"roles": (6,)}, at_start(), ROLES_GONE),
    (require_role, {"roles": (5,)}, at_start(manages=True), ""),
    (require_role, {"roles": (5,)}, at_start(direct=True), ""),
    (require_league_role, {"roles": (5,)}, at_start(5), LEAGUES),
    (require_league_role, {"league_roles": (5,)}, at_start(5), ""),
    (require_league_role, {"league_roles": (5,)}, at_start(6), LEAGUES),
    (require_league_role, {}, at_start(manages=True), ""),
    (require_league_role, {}, at_start(manages=True, direct=True), LEAGUES),
]
"""A check, the settings of the server that differ, an interaction, and the refusal, if there is one."""


@pytest.mark.parametrize(("check", "settings", "interaction", "refusal"), MAY_START)
def test_games_and_leagues_begin_where_and_by_whom_moderators_allow(
    check: Any, settings: dict[str, Any], interaction: Any, refusal: str
) -> None:
    text = ""
    try:
        check(interaction, GuildSettings(**settings))
    except UserError as error:
        text = str(error.text)
    assert refusal == text


@pytest.mark.parametrize(
    ("locked", "manages", "said"), [(True, False, ["This thread is locked."]), (True, True, []), (False, False, [])]
)
def test_in_a_server_that_is_away_a_locked_thread_is_known_by_the_tap_in_it(
    locked: bool, manages: bool, said: list[str]
) -> None:
    thread = Mock(spec=discord.Thread, locked=locked, guild=SimpleNamespace(unavailable=True, me=None), parent=None)
    permissions = discord.Permissions.all()
    permissions.manage_threads = manages
    interaction: Any = SimpleNamespace(channel=thread, guild_id=8, app_permissions=permissions)
    assert said == [str(finding.text).split(" Anyone")[0] for finding in findings_at(interaction)]


def test_an_activity_needs_to_see_its_place_first() -> None:
    names = {
        (doing, thread, voice): [str(need.name) for need in needs(doing, thread=thread, voice=voice)]
        for doing, thread, voice in product(Doing, (False, True), (False, True))
    }
    see, write, attach, in_threads = "View Channel", "Send Messages", "Attach Files", "Send Messages in Threads"
    for voice in (False, True):
        seen = [see, "Connect"] if voice else [see]
        assert [[*seen, write, attach], [*seen, in_threads, attach]] == [
            names[Doing.GAME, thread, voice] for thread in (False, True)
        ]
        assert [[*seen, "Create Public Threads", in_threads, attach], [*seen, in_threads, attach]] == [
            names[Doing.THREAD, thread, voice] for thread in (False, True)
        ]
        for doing in (Doing.LOG, Doing.OVERVIEW):
            assert [[*seen, write]] * 2 == [names[doing, thread, voice] for thread in (False, True)]
    purposes = [str(needs(doing, thread=False)[-1].purpose) for doing in (Doing.LOG, Doing.OVERVIEW)]
    assert ["to write to the moderators’ log", "to post the overview"] == purposes
    assert () == examine(replace(FINE, granted=ADMINISTRATOR, timed_out=stamp(NOON))), (
        "no time-out stops administrators"
    )


def in_server(kind: type[Any], *, owner_id: int = 1, timed_out: bool = False, away: bool = False) -> Any:
    """A channel of some kind, or a locked thread in a forum, in a server with the bot (id 3) and its roles."""
    everybody = Mock(spec=discord.Role, permissions=discord.Permissions(view_channel=True))
    own = Mock(spec=discord.Role, permissions=discord.Permissions(send_messages=True))
    until = NOON if timed_out else None
    me = Mock(spec=discord.Member, id=3, roles=[everybody, own], timed_out_until=until, display_name="Cara*")
    me.is_timed_out.return_value = timed_out
    everybody.name, own.name = "Everyone", "Caravan"
    guild = SimpleNamespace(unavailable=away, me=me, owner_id=owner_id, self_role=own, get_thread=lambda _: None)
    me.guild = guild
    rules = {
        everybody: discord.PermissionOverwrite(view_channel=False),
        own: discord.PermissionOverwrite(attach_files=True, connect=False),
        me: discord.PermissionOverwrite(view_channel=True),
    }
    parent = Mock(spec=discord.ForumChannel if kind is discord.Thread else kind, mention="<#1>", guild=guild)
    parent.overwrites_for.side_effect = rules.__getitem__
    if kind is not discord.Thread:
        return parent
    place = Mock(spec=discord.Thread, mention="<#2>", guild=guild, locked=True)
    place.parent = parent
    place.is_private.return_value = False
    return place


@pytest.mark.parametrize(
    ("channel", "changes"),
    [
        (in_server(discord.TextChannel), {}),
        (in_server(discord.VoiceChannel), {"voice": True}),
        (in_server(discord.StageChannel), {"voice": True}),
        (in_server(discord.ForumChannel), {"thread": True}),
        (in_server(discord.Thread), {"here": "<#2>", "thread": True, "locked": True}),
        (in_server(discord.TextChannel, owner_id=3), {"granted": 1 << 10 | 1 << 11 | ADMINISTRATOR}),
        (in_server(discord.TextChannel, timed_out=True), {"timed_out": stamp(NOON)}),
    ],
)
def test_a_place_has_the_permissions_that_its_roles_and_channel_give_to_the_bot(
    channel: Any, changes: dict[str, Any]
) -> None:
    plain = Place(
        here="<#1>",
        channel="<#1>",
        role="**Caravan**",
        granted=1 << 10 | 1 << 11,
        everybody=Entry("**Everyone**", 0, 1 << 10),
        roles=(Entry("**Caravan**", 1 << 15, 1 << 20),),
        own=Entry("**Cara\\***", 1 << 10, 0),
    )
    assert replace(plain, **changes) == places.place_of(channel)


def test_a_place_is_unknown_while_its_server_is_away_and_direct_messages_need_no_permissions() -> None:
    assert places.place_of(in_server(discord.TextChannel, away=True)) is None
    direct: Any = SimpleNamespace(channel=None, guild_id=None, app_permissions=discord.Permissions.none())
    assert () == findings_at(direct)


def test_a_category_where_games_are_played_is_named_and_not_mentioned() -> None:
    category = Mock(spec=discord.CategoryChannel)
    category.name = "Games_"
    interaction = at_start()
    interaction.guild.get_channel = {8: category}.get
    with pytest.raises(UserError) as refused:
        require_place(interaction, GuildSettings(channels=(8,)))
    assert "Here, games are played in **Games\\_**." == str(refused.value.text)
