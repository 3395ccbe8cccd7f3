"""Hints for the person who must choose: the best options with their chances, computed in the workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter

from discord.ui import TextDisplay

from bot.computers.questions import MOVED_ON_MEANWHILE, Question
from bot.computers.queue import Priority
from bot.dispatcher import Answer, TableRequest, at_table
from bot.errors import UserError
from bot.interactions.controls import Control, ControlId
from bot.interactions.parts import DANGER, Layout, layout, row
from bot.play.drafting import TurnDraft
from bot.play.narrowing import words_of
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


async def hint(request: TableRequest) -> None:
    """Tell what is best now, by what this user may know."""
    table = request.table
    kept = TurnDraft.kept(table, request.user_id)
    turn = kept.at(request.control) if request.control.kind in TAPS else kept
    if not table.may_hint:
        raise UserError(BETWEEN_PEOPLE)
    if turn is None:
        raise Stale(MOVED_ON)
    turn.ahead.decision_of(turn.seat)  # says why there is nothing to choose
    standing = await request.services.seats.standing_of(table, request.user_id)
    rated = standing in (RatedStanding.OPEN, RatedStanding.BEHIND)
    if rated and request.control.kind != "unrate":
        await request.response.show(await _unrated_layout(request, turn, standing))
        return
    view = turn.ahead.view(turn.seat)
    # who asks again hears the same
    think = partial(request.services.thinkers.think, hints, view, f"{table.id} {view.ply}", priority=Priority.HINT)
    question = Question(table.id, turn.seat, turn.match.version, tuple(map(format_action, turn.chosen)))
    found = await request.services.questions.answer(request.user_id, question, think)
    # while a worker was thinking, the game has gone on
    if table.playing().version != turn.match.version:
        raise Stale(MOVED_ON_MEANWHILE)
    # before it is shown, and not before it is found
    if rated:
        await request.services.seats.stop_rating(table, request.user_id)
    await request.response.show(_hint_layout(turn, found))


async def _unrated_layout(request: TableRequest, turn: TurnDraft, standing: RatedStanding) -> Layout:
    """Asks before a hint that a rated game does not survive."""
    ways = (
        Control(turn.control("unrate"), turn.say(Text("Show the hint")), DANGER),
        Control(ControlId("close", turn.table.id), turn.say(Text("Cancel"))),
    )
    question = Text("If you take a hint, this game no longer counts in `/stats`. Continue?")
    if standing is RatedStanding.BEHIND:
        question = Text("With a hint, you give up this game for `/stats`. Go on?")
        warning = await forfeit_warning(request.services.store, turn.table, request.user_id)
        question = with_warning(question, warning)
    return layout(TextDisplay(turn.say(question)), row(*ways))


def _hint_layout(turn: TurnDraft, found: Sequence[Hint]) -> Layout:
    """A line for each of the best options, why they are, and a button to try each."""
    heading = turn.say(Text("### If I were you"))
    about = turn.say(Text("-# Your estimated chances of winning, based on what you can know."))
    lines = (heading, *_lines(turn, found), about)
    options = [one.option for one in found]
    tries = [Control(turn.control("try", " ".join(words_of(one))), turn.voice.label(one)) for one in options]
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


TAPS = {
    "hint": at_table(hint, Answer.NEW),
    "unrate": at_table(hint),
}
"""The question stays where it is."""
