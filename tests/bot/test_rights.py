"""Rights as tables: every command and every control, before, in and after a game.

`+` it is done: something changes, or a page is shown. `-` it is refused: told in private, nothing changes.
`.` is not laid down here.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from bot.tables import guild_settings
from playground.permissions import Permission
from playground.player import Player, Seen
from playground.world import Overwrite
from tests.bot.app import App
from tests.bot.watch import Watch, marks_of
from tests.robots import BOARD
from tests.rooms import Room, play_move, start_game, tap_more

GAME = "sealed"
PEOPLE = {"host": "Ana", "player": "Ben", "onlooker": "Dan", "moderator": "Eva"}
TABLES = """
in the lobby               host  player  onlooker  moderator
  /table new                 -      -        -         -
  /game join                -      -        +         +
  /game leave               +      +        -         -
  /table start               +      +        -         -
  /game board               -      -        -         -
  /game replay              -      -        -         -
  /game log                 -      -        -         -
  /game why                 -      -        -         -
  /game hand                -      -        -         -
  /table seats          -      -        -         -
  /table end                 +      -        -         +
  /sealed bid               -      -        -         -
  Join                      -      -        +         +
  More                      +      +        +         +
  Leave                     +      +        -         -
  Add computer              +      +        -         -
  Start                     +      +        -         -
  Remove                    +      -        -         +
  Remove: the player        +      -        -         +
  Remove: the host          -      -        -         -
  Options                   +      -        -         +
  Options: 1 round          +      -        -         +
  Pace: no limit            +      -        -         +
  Start time                .      -        -         .
  Close the table           +      -        -         +

at a table on request      host  player  onlooker  moderator
  Ask to join               -      -        +         +
  /game join                -      -        +         +
  Let in                    +      -        -         +
  Decline                   +      -        -         +
  Block a player            +      +        +         +
  Invite                    +      -        -         +
  Invite: who may join      +      -        -         +
  /table invite             +      -        -         +

while the host is due      host  player  onlooker  moderator
  /table new                 -      -        -         -
  /game join                -      -        -         -
  /game leave               +      +        -         -
  /table start               -      -        -         -
  /game board               +      +        +         +
  /game replay              +      +        +         +
  /game log                 +      +        +         +
  /game why                 +      -        -         -
  /game hand                +      +        -         -
  /table seats          -      -        -         -
  /table options            -      -        -         -
  /table end                 +      -        -         +
  /sealed bid               +      -        -         -
  Join                      -      -        -         -
  More                      +      +        +         +
  Leave                     -      -        -         -
  Add computer              -      -        -         -
  Start                     -      -        -         -
  Remove                    .      -        -         .
  Remove: the player        -      -        -         -
  Remove: the host          -      -        -         -
  Options                   -      -        -         -
  Options: 1 round          -      -        -         -
  Pace: no limit            +      -        -         +
  Start time                -      -        -         -
  Your move                 +      +        -         -
  My hand                   +      +        -         -
  As text                   +      +        +         +
  Bid 2                     +      -        -         -
  Confirm                   +      -        -         -
  Resign                    +      +        -         -
  Close the table           +      -        -         +

after the game             host  player  onlooker  moderator
  /table new                 +      +        +         +
  /game board               +      +        +         +
  /game replay              +      +        +         +
  /game log                 +      +        +         +
  /game why                 -      -        -         -
  /game hand                -      -        -         -
  /game join                -      -        -         -
  /game leave               -      -        -         -
  /table start               -      -        -         -
  /table seats          -      -        -         -
  /table options            -      -        -         -
  /table end                 -      -        -         -
  /sealed bid               -      -        -         -
  Join                      -      -        -         -
  More                      +      +        +         +
  Leave                     -      -        -         -
  Add computer              -      -        -         -
  Start                     -      -        -         -
  Remove                    .      -        -         .
  Remove: the player        -      -        -         -
  Options                   -      -        -         -
  Options: 1 round          -      -        -         -
  Pace: no limit            -      -        -         -
  Your move                 +      +        +         +
  My hand                   .      .        -         -
  As text                   +      +        +         +
  Bid 2                     -      -        -         -
  Confirm                   -      -        -         -
  Resign                    -      -        -         -
  Close the table           -      -        -         -

when it was called off     host  player  onlooker  moderator
  /table new                 +      +        +         +
  /game board               +      +        +         +
  /game replay              +      +        +         +
  /game log                 +      +        +         +
  /game why                 -      -        -         -
  /game hand                -      -        -         -
  /game join                -      -        -         -
  /game leave               -      -        -         -
  /table start               -      -        -         -
  /table seats          -      -        -         -
  /table options            -      -        -         -
  /table end                 -      -        -         -
  /sealed bid               -      -        -         -
  Join                      -      -        -         -
  More                      +      +        +         +
  Leave                     -      -        -         -
  Add computer              -      -        -         -
  Start                     -      -        -         -
  Remove                    .      -        -         .
  Remove: the player        -      -        -         -
  Options                   -      -        -         -
  Options: 1 round          -      -        -         -
  Your move                 -      -        -         -
  My hand                   .      .        -         -
  Bid 2                     -      -        -         -
  Confirm                   -      -        -         -
  Resign                    -      -        -         -
  Close the table           -      -        -         -
"""


def _rights() -> dict[str, dict[str, dict[str, str]]]:
    """Stage -> act -> role -> sign."""
    rights = {}
    for table in TABLES.strip().split("\n\n"):
        (stage, *roles), *rows = (re.split(r"\s{2,}", line.strip()) for line in table.splitlines())
        rights[stage] = {act: dict(zip(roles, signs, strict=True)) for act, *signs in rows}
    return rights


RIGHTS = _rights()
TYPED = {
    "/table invite": {"who": "Finn"},
    "/table new": {"game": GAME},
    "/game why": {"move": "bid 2"},
    "/sealed bid": {"coins": "2"},
}
HOSTS_ONLY = {"host": "+", "player": "-", "onlooker": "-", "moderator": "+"}


@dataclass(frozen=True)
class Scene:
    """A table at some stage. `seen` has the messages with the controls that were there up to now, by act."""

    app: App
    room: Room
    match: int
    seen: dict[str, Seen]

    def shown_and_stored(self) -> object:
        """All that can be changed: what everybody sees, and what the database knows of match, seats and moves."""
        tables = {"matches": "id", "seat_history": "match_id", "entries": "match_id"}
        rows = [self.app.query(f"SELECT * FROM {name} WHERE {key} = ?", self.match) for name, key in tables.items()]
        return self.room.public, rows

    def act(self, name: str, person: Player) -> Awaitable[Seen | None]:
        """Let a user act: a command, or a control of an older state of a message."""
        if name.startswith("/"):
            return person.slash(name[1:], **TYPED.get(name, {}))
        where = self.seen[name]
        if name == "Options: 1 round":
            return person.choose("rounds: 1", on=where)
        if name == "Pace: no limit":
            return person.choose("No time limit", on=where)
        if name == "Invite: who may join":
            return person.choose("By invitation", on=where, menu=1)
        label = {"Remove: the player": "🟦 Ben", "Remove: the host": "🔴 Ana"}.get(name, name)
        return person.tap(label, on=where)


def in_public(private: Seen, public: Seen) -> Seen:
    """A public message with the controls of a private one: anyone who knows their ids can forge a tap on them."""
    return dataclasses.replace(private, record=public.record, ephemeral=False)


async def lobby(app: App) -> Scene:
    """Ana is the host, Ben has joined, Eva is a moderator."""
    room = app.room()
    ana, ben, eva = room.people("Ana", "Ben", "Eva")
    app.local.channel(room.channel).overwrites[eva.id] = Overwrite(allow=Permission.MANAGE_MESSAGES)
    await ana.slash("table new", game=GAME)
    lobby_message = await ben.tap("Join")
    more, options, end = await ana.tap("More"), await ana.slash("table options"), await ana.slash("table end")
    removal, pace = await tap_more(ana, "Remove"), await ana.slash("table pace")
    private = {
        "Remove: the player": removal,
        "Remove: the host": removal,
        "Options: 1 round": options,
        "Close the table": end,
    }
    private |= {"Pace: no limit": pace} | dict.fromkeys(("Leave", "Remove", "Options", "Start time"), more)
    forged = {act: in_public(seen, lobby_message) for act, seen in private.items()}
    return Scene(app, room, len(app.seeds()), dict.fromkeys(lobby_message.labels, lobby_message) | forged)


async def on_request(app: App) -> Scene:
    """Ana has let Ben in, and Caro has asked; Eva is a moderator."""
    room = app.room()
    ana, ben, caro, eva = room.people("Ana", "Ben", "Caro", "Eva")
    app.local.channel(room.channel).overwrites[eva.id] = Overwrite(allow=Permission.MANAGE_MESSAGES)
    table = await ana.slash("table new", game=GAME, join="On request")
    for person in (ben, caro):
        await person.tap("Ask to join")
        question = await room.onlooker.expect("is asking to join")
        if person is ben:
            await ana.tap("Let in", on=question)
            await room.onlooker.until(lambda on=question: not room.onlooker.look(on).labels, what="an answer")
    more = await ana.tap("More")
    invite = await ana.slash("table invite")
    seen = dict.fromkeys(table.labels, table) | dict.fromkeys(question.labels, question)
    private = {"Block a player": more, "Invite": more, "Invite: who may join": invite}
    published = {act: in_public(message, table) for act, message in private.items()}
    return Scene(app, room, len(app.seeds()), seen | published)


async def running_game(app: App, rounds: int = 3) -> Scene:
    """A game in which Ben has sealed a bid and Ana has not."""
    scene = await lobby(app)
    room, (ana, ben) = scene.room, scene.room.people("Ana", "Ben")
    await ana.choose(f"rounds: {rounds}", on=await ana.slash("table options"))
    await start_game(ana, ben)
    board = await room.onlooker.expect(BOARD)
    resign = await ben.slash("game leave")
    await play_move(ben, "sealed bid", coins="1")
    await room.board(after=board)
    step = await ana.tap("Your move", on=board)
    preview = await ana.tap("Bid 2", on=step)
    more = in_public(await ana.tap("More", on=board), board)
    forged = dict.fromkeys(more.labels, more)
    forged |= {
        "Bid 2": in_public(step, board),
        "Confirm": in_public(preview, board),
        "Resign": in_public(resign, board),
    }
    return dataclasses.replace(scene, seen=scene.seen | dict.fromkeys(board.labels, board) | forged)


async def ended_game(app: App) -> Scene:
    """A game that has ended: both have sealed the only bid that there is."""
    scene = await running_game(app, rounds=1)
    await play_move(scene.room.person("Ana"), "sealed bid", coins="3")
    await scene.room.onlooker.expect("wins!")
    return scene


async def called_off(app: App) -> Scene:
    """The host has ended it while they were due."""
    scene = await running_game(app)
    ana, seen, newest = scene.room.person("Ana"), scene.room.onlooker, await scene.room.board()
    await ana.tap("End it", on=await ana.slash("table end"))
    await seen.expect("called off by")
    await seen.until(lambda: not seen.look(newest).labels, what="the newest board to lose its controls")
    return scene


STAGES: dict[str, Callable[[App], Awaitable[Scene]]] = {
    "in the lobby": lobby,
    "at a table on request": on_request,
    "while the host is due": running_game,
    "after the game": ended_game,
    "when it was called off": called_off,
}


async def is_done(scene: Scene, act: str, person: Player) -> bool:
    """Let a user act. Whether that changed or showed anything; if not, it was refused with a private sentence."""
    before = scene.shown_and_stored()
    answer = await scene.act(act, person)
    assert answer is not None, act
    if scene.shown_and_stored() != before or answer.menus or answer.labels or marks_of(answer):
        return True
    assert answer.ephemeral, f"{act} is refused in public: {answer.text}"
    assert answer.text.strip()
    assert "wrong on my end" not in answer
    assert () == answer.pinged
    return False


@pytest.mark.parametrize("stage", STAGES)
async def test_each_role_has_exactly_the_listed_permissions(
    app: App, watch: Watch, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    monkeypatch.setattr(
        guild_settings, "USUAL", guild_settings.DIRECT
    )  # actions with an effect are tried at a table of their own
    rights = RIGHTS[stage].items()
    laid_down = {(act, role): sign for act, signs in rights for role, sign in signs.items() if sign != "."}
    scene, results = await STAGES[stage](app), {}
    for act, role in laid_down:
        before = scene.shown_and_stored()
        results[act, role] = "+" if await is_done(scene, act, scene.room.person(PEOPLE[role])) else "-"
        if before != scene.shown_and_stored():
            scene = await STAGES[stage](app)
    assert laid_down == results


@pytest.mark.parametrize("stage", [*STAGES][:3])
async def test_users_cannot_act_from_another_channel(app: App, watch: Watch, stage: str) -> None:
    """Caro is the host of a table there; she and those of this table try every control and every command."""
    scene, elsewhere = await STAGES[stage](app), app.room()
    hers = await elsewhere.person("Caro").slash("table new", game="lay")
    there = dataclasses.replace(scene, seen={act: in_public(seen, hers) for act, seen in scene.seen.items()})
    before = scene.shown_and_stored()
    for act in RIGHTS[stage]:
        for person in elsewhere.people("Ana", "Ben", "Caro"):
            answer = await there.act(act, person)
            assert set() == marks_of(answer), f"{person.name}: {act}"
            assert before == scene.shown_and_stored(), f"{person.name}: {act}"
            assert act.startswith("/") or not answer.labels, f"{person.name}: {act}"


async def test_a_former_host_is_refused_host_only_actions(app: App, watch: Watch) -> None:
    """They have handed the table on; the private messages they got as the host are still on their screen."""
    scene = await lobby(app)
    ana, ben = scene.room.people("Ana", "Ben")
    await ana.tap("Leave", on=scene.seen["Leave"])
    for act in RIGHTS["in the lobby"]:
        if RIGHTS["in the lobby"][act] == HOSTS_ONLY:
            assert not await is_done(scene, act, ana), act
    assert await is_done(scene, "Options: 1 round", ben)
