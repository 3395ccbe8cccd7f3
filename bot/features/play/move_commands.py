"""The commands that play moves: `/game move`, and for each game a group of commands derived from its actions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from discord import app_commands
from discord.app_commands import Group

from bot.errors import UserError
from bot.features.dispatcher import Candidates, Interaction, Suggest, suggesting
from bot.features.groups import game
from bot.features.handlers import TableRequest
from bot.features.play.drafting import TurnDraft
from bot.features.play.narrowing import notation_word, suggestions
from bot.features.play.steps import summary_of
from bot.features.play.typed_notation import option_written
from bot.features.play.typed_words import move_said, moves_like, reader_of
from bot.features.play.your_move import ask_again, carry_out, propose
from bot.interactions.typed import suggestion
from bot.tables.preferences import preferences_of
from bot.tables.table import Table
from engine.core import Action, GameSpec, field_types, required_fields
from engine.texts import Text


def moves_group(spec: GameSpec) -> Group:
    """The commands of a game: one per verb, an option per field."""
    # Discord: a description has at most 100 characters, and so have the name and value of a suggestion
    group = Group(name=spec.slug, description=spec.summary[:100])
    for cls in spec.actions:
        group.add_command(_move_command(spec, cls))
    return group


def _move_command(spec: GameSpec, cls: type[Action]) -> app_commands.Command[Any, ..., None]:
    """A command whose options are the fields of an action class."""
    hints = field_types(cls)

    async def callback(interaction: Interaction, **typed: str | None) -> None:
        async def work(request: TableRequest) -> None:
            _require_game(request.table, spec)
            words = {name: notation_word(text, hints[name]) for name, text in typed.items() if text}
            # a user whose answer got lost types the command again
            act = request.table.unanswered
            if act and request.table.done_unanswered(
                request.table.require_seat(request.user_id), _notation(cls, words), interaction.id
            ):
                await ask_again(request, act)
            else:
                await _handle_typed(request, lambda turns: _turn(turns, cls, words))

        await interaction.client.dispatcher.at_table(interaction, work)

    parameters = [inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Interaction)]
    parameters += [_parameter(name, required=n < required_fields(cls)) for n, name in enumerate(hints)]
    callback.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # read by discord.py
    if hints:
        described = {field.name: field.metadata["description"] for field in fields(cls)}
        app_commands.describe(**described)(callback)
        app_commands.autocomplete(**{name: _suggester(cls, name) for name in hints})(callback)
    return app_commands.Command(name=cls.verb, description=summary_of(cls)[:100], callback=callback)


def _parameter(name: str, *, required: bool) -> inspect.Parameter:
    """An option of a command: always text, so that suggestions can say more than the value."""
    annotation = str if required else str | None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation)


def _suggester(cls: type[Action], field: str) -> Suggest[str]:
    """Suggestions for a field: the values of the legal actions that match the other fields typed so far."""

    @suggesting
    async def suggest(interaction: Interaction, current: str) -> Candidates[str]:
        table = await interaction.client.services.tables.at(interaction.channel_id or 0)
        # after the choices of the draft if this verb can come next, otherwise at the beginning of the turn
        draft = TurnDraft.saved(table, interaction.user.id)
        turn = draft if _options(draft, cls) else TurnDraft.of(table, interaction.user.id)
        typed = {name: str(text) for name, text in interaction.namespace}
        labels = suggestions(_options(turn, cls), typed, field, turn.voice)
        needle = current.casefold()
        return (
            suggestion(label, value) if needle in f"{label}\n{value}".casefold() else None
            for value, label in labels.items()
        )

    return suggest


def _options(turn: TurnDraft, cls: type[Action]) -> list[Action]:
    return [option for option in (turn.decision.options if turn.decision else ()) if type(option) is cls]


@suggesting
async def _suggest_moves(interaction: Interaction, current: str) -> Candidates[str]:
    table = await interaction.client.services.tables.at(interaction.channel_id or 0)
    reader = reader_of(TurnDraft.saved(table, interaction.user.id))
    rows = moves_like(reader.options, reader.voice, current)
    return (row and suggestion(*row) for row in rows)


@game.command("move", "Type your move in words")
@app_commands.describe(what="use the words on the buttons, or in the board as text")
@app_commands.autocomplete(what=_suggest_moves)
async def move(request: TableRequest, what: str) -> None:
    """Play a move typed in words."""
    await _handle_typed(request, lambda turns: move_said(turns, what))


async def _handle_typed(request: TableRequest, parse: Callable[[Sequence[TurnDraft]], TurnDraft]) -> None:
    """Preview a typed move, or play it at once if the user has set that preference.

    A previewed move continues the draft if it fits there, otherwise it begins the turn. A move played at once is tried
    in the reverse order, as a turn of its own first.
    """
    fresh, draft = TurnDraft.of(request.table, request.user_id), TurnDraft.saved(request.table, request.user_id)
    if (await preferences_of(request.services.store.settings, request.user_id)).at_once:
        await carry_out(request, parse((fresh, draft)), version=None)
    else:
        await propose(request, parse((draft, fresh)))


def _turn(turns: Sequence[TurnDraft], cls: type[Action], words: dict[str, str]) -> TurnDraft:
    """The first turn that allows this move, with the move added. Raises `EngineError` if no turn allows it."""
    notation = _notation(cls, words)
    for turn in turns:
        if (action := option_written(_options(turn, cls), notation)) is not None:
            return turn.with_chosen((*turn.chosen, action))
    # no turn allows the move: on the fresh turn, the parser or the match raises an error with the reason
    fresh = next(turn for turn in turns if not turn.chosen)
    return fresh.with_chosen([fresh.match.parse(notation)])


def _notation(cls: type[Action], words: dict[str, str]) -> str:
    """The typed move in the notation of the log."""
    return " ".join((cls.verb, *(words[name] for name in field_types(cls) if name in words)))


def _require_game(table: Table, spec: GameSpec) -> None:
    if table.spec.slug != spec.slug:
        here = table.spec
        raise UserError(Text("The game in this channel is {title}; use `/{slug} …`.", title=here.name, slug=here.slug))
