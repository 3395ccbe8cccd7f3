"""A story with the words for what is marked in it, ready to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from engine.match import Match
from engine.story.telling import Lucky, OwnedPlies, Story, Turning
from engine.texts import CHANCE, Text
from engine.wording import Voice, say

DRAW = "L"
"""The mark of the luckiest draw."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A marked ply, by a number or as the luckiest draw, and a sentence about it."""

    ply: int
    mark: str
    words: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A story with the company of each seat, the number of the move at each ply, and sentences about some plies."""

    story: Story
    companies: tuple[int, ...]
    moves: tuple[int, ...]
    told: tuple[Remark, ...]


def chapter_of(match: Match, story: Story, names: Sequence[str]) -> Chapter:
    """The story of a match, with these names for its seats."""
    voice = Voice(names)
    # As people count moves: without luck.
    moves = tuple(accumulate(int(seat != CHANCE) for seat, _ in match.history(None)))
    told = [
        Remark(turning.ply, str(number), voice.say(turning_text(match, turning, moves[turning.ply], names)))
        for number, turning in enumerate(story.turnings, 1)
    ]
    if lucky := story.lucky:
        told.append(Remark(lucky.ply, DRAW, voice.say(lucky_text(match, lucky, moves[lucky.ply], names))))
    return Chapter(story, match.spec.companies(match.setup), moves, tuple(told))


def luck_of(match: Match, story: Story, owned: OwnedPlies = ()) -> tuple[float, ...]:
    """How much of the win all draws together have brought to each seat, or cost it (below 0).

    With the `owned` plies of each seat, only draws at these.
    """
    draws = [draw.ply for draw in match.draws()]

    def luck(seat: int) -> float:
        mine = [ply for ply in draws if not owned or ply in owned[seat]]
        return sum((story.course[ply + 1][seat] - story.course[ply][seat] for ply in mine), 0.0)

    return tuple(map(luck, range(match.setup.seats)))


def turning_text(match: Match, turning: Turning, move: int, names: Sequence[str]) -> Text:
    """What a choice has cost, and what was better."""
    state, action = match.choice_at(turning.ply)
    # In the position as that seat saw it, which names options as it knew them.
    voice = Voice(names, None, state.observe(turning.seat))
    return Text(
        "Move {move}, {seat}: “{chosen}” cost {points}% of the winning chances; “{better}” was better.",
        move=move,
        seat=turning.seat,
        chosen=voice.label(action),
        points=round(100 * turning.loss),
        better=voice.label(match.parse(turning.better)),
    )


def lucky_text(match: Match, lucky: Lucky, move: int, names: Sequence[str]) -> Text:
    """What a draw was, and what it has brought."""
    # As the public saw it.
    (_, events), *_ = match.told_from(lucky.ply, None)
    return Text(
        "Luck after move {move} brought {seat} {points}% of the winning chances. {happened}",
        move=move,
        seat=lucky.seat,
        points=round(100 * lucky.gain),
        happened=" ".join(say(event, names) for event in events),
    )
