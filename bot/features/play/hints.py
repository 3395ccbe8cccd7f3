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
NO_OTHER_MOVE = Text("You have only one possible move, so there is no hint.")


# the question stays where it is
@game.command("hint", "Your best moves now, with their chances of winning")
@at_table(your_move_layouts.show_hint, Answer.NEW, confirmed="unrate")
async def show_hint(request: TableRequest, stamp: Stamp | None = None) -> None:
    """Show the best options, computed from the knowledge of this user's seat."""
    table = request.table
    draft = TurnDraft.saved(table, request.user_id)
    turn = draft.at(stamp) if stamp else draft
    if not table.may_hint:
        raise UserError(BETWEEN_PEOPLE)
    if turn is None:
        raise Stale(MOVED_ON)
    turn.match.decision_of(turn.seat)  # raises `MatchOver`
    # a complete turn can still be changed
    turn = turn if turn.decision else turn.first_question
    if turn is None:
        raise UserError(NO_OTHER_MOVE)
    standing = await request.services.seats.standing_of(table, request.user_id)
    rated = standing in (RatedStanding.OPEN, RatedStanding.BEHIND)
    if rated:
        ask = partial(_question, request, turn, standing)
        await request.confirm(ask, Text("Show the hint"), request.cancel, control=show_hint.id(table, turn.stamp))
    view = turn.ahead.view(turn.seat)
    # the same seed each time, so a repeated request gets the same hints
    think = partial(request.services.thinkers.think, hints, view, f"{table.id} {view.ply}", priority=Priority.HINT)
    question = Question(table.id, turn.seat, turn.match.version, tuple(map(format_action, turn.chosen)))
    best = await request.services.questions.answer(request.user_id, question, think)
    # the game can move on while a worker thinks
    if table.require_match().version != turn.match.version:
        raise Stale(MOVED_ON_MEANWHILE)
    # before the hint is shown, but not before there is one
    if rated:
        await request.services.seats.stop_rating(table, request.user_id)
    await request.response.show(hint_layout(turn, best))


async def _question(request: TableRequest, turn: TurnDraft, standing: RatedStanding) -> Text:
    """The question before a hint that ends the rating of the game."""
    if standing is not RatedStanding.BEHIND:
        return Text("If you take a hint, this game no longer counts in `/stats`. Continue?")
    question = Text("If you take a hint, this game counts as a loss for you in `/stats`. Continue?")
    return with_warning(question, await forfeit_warning(request.services.store, turn.table, request.user_id))


def hint_layout(turn: TurnDraft, best: Sequence[Hint]) -> Layout:
    """A line for each of the best options with its reason, and a button to try it."""
    heading = turn.say(Text("### If I were you"))
    about = turn.say(Text("-# Your estimated chances of winning, based on what you can know."))
    lines = (heading, *_lines(turn, best), about)
    options = [hint.option for hint in best]
    tries = [
        choose_option.button(turn.table, turn.voice.label(option), PLAIN, turn.stamp, words_of(option))
        for option in options
    ]
    return layout(TextDisplay("\n".join(lines)), row(*tries))


def _lines(turn: TurnDraft, best: Sequence[Hint]) -> Iterator[str]:
    """A line for each hint; consecutive hints with the same reason share one line for it below the last of them."""
    for why, some in groupby(best, attrgetter("why")):
        yield from (_line(turn, hint) for hint in some)
        if why:
            yield f"-# {turn.say(why)}"


def _line(turn: TurnDraft, hint: Hint) -> str:
    """`about 45 %` **Move G4 on 21 onto B4 on 30** – tower of four …"""
    label, gloss = (turn.table.in_message(put(hint.option)) for put in (turn.voice.quote, turn.voice.gloss))
    advice = Text("**{label}** – {gloss}", label=label, gloss=gloss) if gloss else Text("**{label}**", label=label)
    return turn.say(Text("`{chance}` {told}", chance=hint.rounded, told=advice))
