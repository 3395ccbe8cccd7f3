"""A story with sentences about its marked plies, ready for display."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from engine.match import Match
from engine.story.telling import Lucky, OwnedPlies, Story, Turning
from engine.texts import CHANCE, Text
from engine.values import Value
from engine.wording import Voice, say

DRAW = "L"
"""The mark of the luckiest draw."""


class Remark(Value):
    """A marked ply and a sentence about it. The mark is a number, or `DRAW` for the luckiest draw."""

    ply: int
    mark: str
    words: str


class Chapter(Value):
    """A story with the company of each seat, the move number at each ply, and remarks on some plies."""

    story: Story
    companies: tuple[int, ...]
    moves: tuple[int, ...]
    remarks: tuple[Remark, ...]


def chapter_of(match: Match, story: Story, names: Sequence[str]) -> Chapter:
    """The chapter of a match, with these names for its seats."""
    voice = Voice(names)
    # Draws do not count as moves.
    moves = tuple(accumulate(int(seat != CHANCE) for seat, _ in match.history(None)))
    remarks = [
        Remark(turning.ply, str(number), voice.say(turning_text(match, turning, moves[turning.ply], names)))
        for number, turning in enumerate(story.turnings, 1)
    ]
    if lucky := story.lucky:
        remarks.append(Remark(lucky.ply, DRAW, voice.say(lucky_text(match, lucky, moves[lucky.ply], names))))
    return Chapter(story, match.spec.companies(match.setup), moves, tuple(remarks))


def luck_of(match: Match, story: Story, owned: OwnedPlies = ()) -> tuple[float, ...]:
    """The total share of the win that each seat gained by draws; negative for a loss.

    With `owned`, only the draws at the owned plies of each seat count.
    """
    draws = [draw.ply for draw in match.draws()]

    def luck(seat: int) -> float:
        mine = [ply for ply in draws if not owned or ply in owned[seat]]
        return sum((story.course[ply + 1][seat] - story.course[ply][seat] for ply in mine), 0.0)

    return tuple(map(luck, range(match.setup.seats)))


def turning_text(match: Match, turning: Turning, move: int, names: Sequence[str]) -> Text:
    """The sentence about a turning point: its cost, and a better choice."""
    state, action = match.choice_at(turning.ply)
    # Options are named as the seat knew them.
    voice = Voice(names, None, state.observe(turning.seat))
    return Text(
        "Move {move}, {seat}: “{chosen}” cost {points}% of the winning chances; “{better}” was better.",
        move=move,
        seat=turning.seat,
        chosen=voice.quote(action),
        points=round(100 * turning.loss),
        better=voice.quote(match.parse(turning.better)),
    )


def lesson_text(match: Match, mistake: Turning, names: Sequence[str]) -> Text:
    """The sentence about a mistake for the player who made it: a better choice, and the meaning of that one."""
    state, action = match.choice_at(mistake.ply)
    voice, better = Voice(names, mistake.seat, state.observe(mistake.seat)), match.parse(mistake.better)
    lesson = Text(
        "**One thing to do better:** on move {move}, “{better}” instead of “{chosen}” would have saved {points}% of "
        "your winning chances.",
        move=match.moves_before(match.versions[mistake.ply]) + 1,
        better=voice.quote(better),
        chosen=voice.quote(action),
        points=round(100 * mistake.loss),
    )
    if not (gloss := voice.gloss(better)):
        return lesson
    return Text("{lesson}\n-# {better} – {gloss}", lesson=lesson, better=voice.quote(better), gloss=gloss)


def lucky_text(match: Match, lucky: Lucky, move: int, names: Sequence[str]) -> Text:
    """The sentence about the luckiest draw: its gain, and its public events."""
    (_, events), *_ = match.events_from(lucky.ply, None)
    return Text(
        "Luck after move {move} brought {seat} {points}% of the winning chances. {happened}",
        move=move,
        seat=lucky.seat,
        points=round(100 * lucky.gain),
        happened=" ".join(say(event, names) for event in events),
    )
