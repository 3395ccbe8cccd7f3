"""Hints for the person who must choose: the best options with their chances, computed in the workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter

from discord.ui import TextDisplay

from bot.computers.questions import MOVED_ON_MEANWHILE, Question
from bot.computers.queue import Priority
from bot.errors import UserError
from bot.features.groups import game
from bot.features.handlers import Answer, TableRequest, at_table
from bot.features.play import your_move_layouts
from bot.features.play.drafting import TurnDraft
from bot.features.play.steps import words_of
from bot.features.play.your_move_layouts import choose_option
from bot.interactions.kinds import Stamp
from bot.interactions.parts import PLAIN, Layout, layout, row
from bot.tables.rated import RatedStanding
from bot.tables.rating_cost import forfeit_warning, with_warning
from bot.tables.table import MOVED_ON, Stale
from engine.notation import format_action
from engine.players.hints import Hint, hints
from engine.texts import Text

BETWEEN_PEOPLE = Text(
    "There are no hints at this table because people play against each other. The host can allow them under "
    "**Options** before a game begins."
)


# the question stays where it is
@game.command("hint", "Your best moves now, with their chances of winning")
@at_table(your_move_layouts.show_hint, Answer.NEW, confirmed="unrate")
async def show_hint(request: TableRequest, stamp: Stamp | None = None) -> None:
    """The best options now, by what this user may know."""
    table = request.table
    draft = TurnDraft.saved(table, request.user_id)
    turn = draft.at(stamp) if stamp else draft
    if not table.may_hint:
        raise UserError(BETWEEN_PEOPLE)
    if turn is None:
        raise Stale(MOVED_ON)
    turn.ahead.decision_of(turn.seat)  # says why there is nothing to choose
    standing = await request.services.seats.standing_of(table, request.user_id)
    rated = standing in (RatedStanding.OPEN, RatedStanding.BEHIND)
    if rated:
        ask = partial(_question, request, turn, standing)
        await request.confirm(ask, Text("Show the hint"), request.cancel, control=show_hint.id(table, turn.stamp))
    view = turn.ahead.view(turn.seat)
    # who asks again hears the same
    think = partial(request.services.thinkers.think, hints, view, f"{table.id} {view.ply}", priority=Priority.HINT)
    question = Question(table.id, turn.seat, turn.match.version, tuple(map(format_action, turn.chosen)))
    hint = await request.services.questions.answer(request.user_id, question, think)
    # while a worker was thinking, the game has gone on
    if table.playing().version != turn.match.version:
        raise Stale(MOVED_ON_MEANWHILE)
    # before it is shown, and not before it is found
    if rated:
        await request.services.seats.stop_rating(table, request.user_id)
    await request.response.show(_hint_layout(turn, hint))


async def _question(request: TableRequest, turn: TurnDraft, standing: RatedStanding) -> Text:
    """The question before a hint that a rated game does not survive."""
    if standing is not RatedStanding.BEHIND:
        return Text("If you take a hint, this game no longer counts in `/stats`. Continue?")
    question = Text("With a hint, you give up this game for `/stats`. Go on?")
    return with_warning(question, await forfeit_warning(request.services.store, turn.table, request.user_id))


def _hint_layout(turn: TurnDraft, found: Sequence[Hint]) -> Layout:
    """A line for each of the best options, why they are, and a button to try each."""
    heading = turn.say(Text("### If I were you"))
    about = turn.say(Text("-# Your estimated chances of winning, based on what you can know."))
    lines = (heading, *_lines(turn, found), about)
    options = [one.option for one in found]
    tries = [
        choose_option.button(turn.table, turn.voice.label(one), PLAIN, turn.stamp, words_of(one)) for one in options
    ]
    return layout(TextDisplay("\n".join(lines)), row(*tries))


def _lines(turn: TurnDraft, found: Sequence[Hint]) -> Iterator[str]:
    """A line for each; a reason that is the same for some in a row is given once, below the last of them."""
    for why, some in groupby(found, attrgetter("why")):
        yield from (_line(turn, one) for one in some)
        if why:
            yield f"-# {turn.say(why)}"


def _line(turn: TurnDraft, one: Hint) -> str:
    """`about 45 %` **G4 on 21 → B4 on 30**: tower of four …"""
    label, gloss = (turn.table.in_message(put(one.option)) for put in (turn.voice.label, turn.voice.gloss))
    advice = Text("**{label}**: {gloss}", label=label, gloss=gloss) if gloss else Text("**{label}**", label=label)
    return turn.say(Text("`{chance}` {told}", chance=one.told, told=advice))
