"""Decorators of handlers and commands: the options of a command, its table, and questions before a request."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.errors import QuestionAsked, UserError
from bot.features import groups, handlers
from bot.features.groups import CommandGroup
from bot.features.handlers import TAPS, Answer, FreeTap, Request, TableRequest, TableTap, anywhere, at_table
from bot.interactions import kinds
from bot.interactions.controls import ControlId
from bot.interactions.kinds import KINDS
from bot.interactions.responses import Response
from engine.texts import Text
from tests.bot.desk import COMMAND, PRIVATE, PUBLIC, TAP, Desk
from tests.bot.refusing import HOST


class Dispatcher:
    """Records where a command runs; the handler gets the place as its request."""

    def __init__(self) -> None:
        self.places: list[Any] = []

    async def anywhere(self, _: object, work: Any) -> None:
        self.places.append("anywhere")
        await work("a request")

    async def at_table(self, _: object, work: Any, *, also_over: bool) -> None:
        self.places.append(("at a table", also_over))
        await work("a request at a table")


@pytest.mark.parametrize(
    ("at_table", "also_over", "place"),
    [(False, False, "anywhere"), (True, False, ("at a table", False)), (True, True, ("at a table", True))],
)
async def test_the_options_of_a_command_are_the_parameters_of_its_handler(
    at_table: bool, also_over: bool, place: Any
) -> None:
    calls: list[Any] = []

    async def free(request: Request, game: str, page: int = 1) -> None:
        calls.append((request, game, page))

    async def seated(request: TableRequest, game: str, page: int = 1) -> None:
        calls.append((request, game, page))

    group, handler = CommandGroup("test", "A group for tests"), seated if at_table else free
    assert handler is group.command("look", "Look at a game", also_over=also_over)(handler)
    (command,) = group.group.commands
    assert isinstance(command, discord.app_commands.Command)
    assert ("look", "Look at a game") == (command.name, command.description)
    options = [(option.name, option.required, option.type.name) for option in command.parameters]
    assert [("game", True, "string"), ("page", False, "integer")] == options
    dispatcher = Dispatcher()
    interaction: Any = SimpleNamespace(client=SimpleNamespace(dispatcher=dispatcher))
    await command.callback(interaction, game="muscat", page=2)  # type: ignore[call-arg, arg-type]
    request = "a request at a table" if at_table else "a request"
    assert ([place], [(request, "muscat", 2)]) == (dispatcher.places, calls)


async def test_the_fields_of_a_control_are_not_options_of_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    async def free(request: Any, page: int = 0) -> None:
        calls.append((request, page))

    for tap, place in ((FreeTap, "anywhere"), (TableTap, ("at a table", False))):
        handler: Any = tap.__new__(tap)
        handler.handler = free

        async def call(_: object, request: Any) -> None:
            await free(request)

        monkeypatch.setattr(tap, "__call__", call)
        group = CommandGroup("test", "A group for tests")
        group.command("look", "Look at a page")(handler)
        (command,) = group.group.commands
        assert isinstance(command, discord.app_commands.Command)
        assert [] == command.parameters
        dispatcher = Dispatcher()
        interaction: Any = SimpleNamespace(client=SimpleNamespace(dispatcher=dispatcher))
        await command.callback(interaction)  # type: ignore[call-arg, arg-type]
        assert [place] == dispatcher.places
    assert [("a request", 0), ("a request at a table", 0)] == calls


def test_groups_are_for_the_places_where_their_commands_work() -> None:
    def about(group: CommandGroup) -> tuple[Any, ...]:
        of = group.group
        users = of.allowed_installs is not None and of.allowed_installs.user
        return of.name, of.guild_only, users, of.default_permissions

    managers, administrators = discord.Permissions(manage_guild=True), discord.Permissions(administrator=True)
    assert [
        *((name, False, True, None) for name in ("game", "table", "me", "stats")),
        ("league", True, False, None),
        ("server", True, False, managers),
        ("admin", True, False, administrators),
    ] == [
        about(group)
        for group in (
            groups.game,
            groups.table,
            groups.me,
            groups.stats,
            groups.league,
            groups.server,
            groups.admin,
        )
    ]


# --- questions before a request ---

ASKED, SURE = ControlId("leave", 1, 2, "x"), ControlId("leaveyes", 1, 2, "x")
YES, MAYBE = Text("Yes"), ControlId("leave", 1, 2, "y")


@pytest.mark.parametrize(
    ("answer", "is_private", "question", "control", "lines"),
    [
        (Answer.USUAL, True, Text("Sure?"), None, ["edit", "Sure?", "[Yes leaveyes 2 x]"]),
        (Answer.USUAL, True, "Sure?", None, ["edit", "Sure?", "[Yes leaveyes 2 x]"]),
        (Answer.NEW, False, Text("Sure?"), MAYBE, ["new private", "Sure?", "[Yes leaveyes 2 y]"]),
        (Answer.IN_PLACE, False, Text("Sure?"), None, ["new private", "Sure?", "[Yes leaveyes 2 x]"]),
    ],
)
async def test_a_question_comes_where_its_user_looks_and_its_button_confirms(
    desk: Desk, answer: Answer, is_private: bool, question: Any, control: ControlId | None, lines: list[str]
) -> None:
    interaction = desk._interaction(HOST, TAP, message=PRIVATE if is_private else PUBLIC)
    updates = answer is Answer.IN_PLACE or is_private
    async with Response(interaction, updates=updates) as response:
        request = Request(desk.home.services, response, (), answer, confirmation=SURE)

        async def ask() -> Any:
            return question

        with pytest.raises(QuestionAsked):
            await request.confirm(ask if isinstance(question, str) else question, YES, control=control)
        confirmed = Request(desk.home.services, response, (), answer, confirmation=SURE, is_confirmed=True)
        await confirmed.confirm(question, YES)
    assert [lines] == interaction.response.lines


async def test_a_request_has_one_chosen_row_and_knows_who_is_in_charge(desk: Desk) -> None:
    table = await desk.home.lobby()
    in_charge = []
    for user_id, manages in ((HOST, False), (71, False), (71, True)):
        permissions = discord.Permissions(manage_messages=manages)
        interaction = desk._interaction(user_id, TAP, message=PRIVATE, permissions=permissions)
        async with Response(interaction) as response:
            request = TableRequest(desk.home.services, response, ("a row",), table=table)
            in_charge.append(request.is_in_charge)
            assert (user_id, "a row", False) == (request.user_id, request.value, request.is_command)
            assert "close:1:0:" in str(request.cancel.item.custom_id)
    assert [True, False, True] == in_charge
    command = desk._interaction(HOST, COMMAND, message=None)
    for values in ((), ("a", "b")):
        async with Response(command) as response:
            wrong = Request(desk.home.services, response, values)
            assert wrong.is_command
            with pytest.raises(UserError, match="choose an item"):
                _ = wrong.value


async def test_only_the_control_below_its_question_confirms_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.interactions.kinds.KINDS", dict(KINDS))
    monkeypatch.setattr("bot.features.handlers.TAPS", dict(TAPS))
    taps, calls = handlers.TAPS, list[Any]()

    @anywhere("wipe", Answer.NEW, confirmed="wipeyes")
    async def wipe(request: Request, page: int = 0) -> None:
        calls.append((request.confirmation, request.is_confirmed, page))

    @at_table("sweep", Answer.IN_PLACE)
    async def sweep(request: TableRequest, page: int = 0) -> None:
        calls.append((request.confirmation, request.is_confirmed, page))

    @at_table("mop", confirmed="mop")
    async def mop(request: TableRequest, page: int = 0) -> None:
        calls.append((request.confirmation, request.is_confirmed, page))

    places = {name: taps[name].answer for name in ("wipe", "wipeyes", "sweep", "mop")}
    assert {"wipe": Answer.NEW, "wipeyes": Answer.USUAL, "sweep": Answer.IN_PLACE, "mop": Answer.USUAL} == places
    assert [False, True] == [taps[name].is_at_table for name in ("wipe", "sweep")]
    request: Any = Request(None, None)  # type: ignore[arg-type]  # neither is used
    seated: Any = TableRequest(None, None, table=1)  # type: ignore[arg-type]  # its id is enough
    await wipe.run(request, ControlId("wipe", 0, 0, "3"))
    await wipe.run(request, ControlId("wipeyes", 0, 0, "3"))
    await wipe(request, page=4)
    await sweep.run(seated, ControlId("sweep", 1, 0, "3"))
    await sweep(seated, 4)
    await mop.run(seated, ControlId("mop", 1, 0, "3"))
    await mop(seated, 4)
    assert calls == [
        (ControlId("wipeyes", 0, 0, "3"), False, 3),
        (ControlId("wipeyes", 0, 0, "3"), True, 3),
        (ControlId("wipeyes", 0, 0, "4"), False, 4),
        (None, False, 3),
        (None, False, 4),
        (ControlId("mop", 1, 0, "3"), True, 3),
        (ControlId("mop", 1, 0, "4"), False, 4),
    ]
    names = {"wipe", "wipeyes", "sweep", "mop"}
    assert (names, names) == (taps.keys() - TAPS.keys(), kinds.KINDS.keys() - KINDS.keys())
