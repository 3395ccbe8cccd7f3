"""Stories: chances at every ply, the costliest choices, and the accuracy of each seat."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from random import Random
from types import MappingProxyType

import pytest

from engine.core import Action
from engine.games import discover
from engine.match import Match
from engine.notation import format_action
from engine.story.chapter import chapter_of, lesson_text, luck_of, turning_text
from engine.story.looking import Look, LookResult, analyze, chances_after
from engine.story.telling import (
    MAX_SECOND_LOOKS,
    MIN_CHOICES,
    MIN_STAKE,
    Lucky,
    OwnedPlies,
    Play,
    Story,
    Telling,
    Turning,
    first_looks,
    has_story,
    look_at,
    tell_story,
)
from engine.texts import CHANCE, Seat
from engine.wording import Voice, say
from tests.engine.toys import garden, toll

BLUNDER = 3
"""The ply at which Blue leaves their last bed fallow, and loses a game that they could have shared."""


def play_garden() -> Match:
    match = Match.begin(garden.GAME, garden.GAME.setup(2, {"size": 5}), "story")
    date, fallow = garden.Crop.DATE, garden.Crop.FALLOW
    for row, (crop, neighbor) in enumerate([(date, Seat(1)), (date, Seat(0)), (date, Seat(1)), (fallow, None)], 1):
        match.play(match.state.decisions()[0].seat, garden.Plant(garden.Bed("a", row), crop, neighbor))
    return match


looked_at = cache(analyze)


def story_of(
    match: Match, min_stake: float = MIN_STAKE, owned: OwnedPlies = (), max_second_looks: int = MAX_SECOND_LOOKS
) -> Story:
    teller = tell_story(
        match, 0.2, second_look_seconds=0.2, max_second_looks=max_second_looks, min_stake=min_stake, owned=owned
    )
    return end_of(teller, lambda looks: looked_at(match.spec.slug, match.setup.seats, looks, "story"))


def end_of(teller: Telling, look: Callable[[tuple[Look, ...]], tuple[LookResult, ...]]) -> Story:
    """The story of a teller whose looks give these results."""
    results: tuple[LookResult, ...] | None = None
    while True:
        try:
            looks = teller.send(results)  # type: ignore[arg-type]
        except StopIteration as end:
            story: Story = end.value
            return story
        results = look(looks)


def test_a_blunder_is_the_turning_point() -> None:
    match = play_garden()
    story = story_of(match)
    worst = max(story.turnings, key=lambda turning: turning.loss)
    assert (BLUNDER, Seat(1)) == (worst.ply, worst.seat)
    assert 0.5 == pytest.approx(worst.loss, abs=0.05)
    assert garden.Crop.DATE == crop_of(match.parse(worst.better))
    assert 2 == story.plays[1].choices
    assert story.plays[1].good < 2
    names = match.names
    (words,) = [remark.words for remark in chapter_of(match, story, names).remarks if remark.ply == BLUNDER]
    assert words.startswith("Move 4, Blue: “Plant a4 nothing” cost 50% of the winning chances; “Plant ")


def test_a_story_quotes_moves_in_words() -> None:
    spec = discover()["jinns"]
    match = Match.begin(spec, spec.setup(2), "quotes")
    while (decision := match.state.decisions()[0]).options[0].verb != "move":
        match.play(decision.seat, decision.options[0])
    ply, better = match.ply, format_action(decision.options[1])
    match.play(decision.seat, decision.options[0])
    mistake = Turning(ply, decision.seat, 0.2, better)
    for text in (turning_text(match, mistake, 1, match.names), lesson_text(match, mistake, match.names)):
        words = say(text)
        assert (2, False) == (words.count("“Move "), "→" in words), words


def test_own_plays_cover_only_choices_by_the_owner_of_a_seat() -> None:
    match = play_garden()
    own = [{*range(match.ply)}, {*range(BLUNDER)}]
    story = story_of(match, owned=own)
    first, second = story.own_plays
    assert story.plays[0] == first
    assert story.plays[1].choices - 1 == second.choices
    assert second.lost < story.plays[1].lost, "the blunder was not theirs"
    assert BLUNDER not in [mistake.ply for mistake in story.mistakes]
    assert story == Story.of(json.loads(json.dumps(story.stored())))


def test_a_mistake_can_be_compared_with_the_better_option() -> None:
    match = play_garden()
    (blunder, *_) = story_of(match).mistakes_of(Seat(1))
    assert BLUNDER == blunder.ply
    look = look_at(match, blunder.ply)
    options = (match.parse(blunder.better), match.choice_at(blunder.ply)[1])
    better, played = chances_after(match.spec.slug, match.setup.seats, look, options, "again")
    assert blunder.loss == pytest.approx(better - played, abs=0.05)


def test_the_costliest_choices_of_an_owner_get_a_second_look() -> None:
    match = play_garden()
    assert BLUNDER in [mistake.ply for mistake in story_of(match, max_second_looks=0).mistakes_of(Seat(1))]
    assert not story_of(match, max_second_looks=0, owned=[set(), {0}]).mistakes, "nobody owns the choices"


def crop_of(action: Action) -> garden.Crop:
    assert isinstance(action, garden.Plant)
    return action.crop


def test_accuracy_is_zero_for_random_choices_and_full_for_the_best() -> None:
    assert [0, 75, 100, 0] == [Play(8, 2, lost, 0.4).accuracy for lost in (0.4, 0.1, 0.0, 0.6)]
    assert Play(0, 0, 0.0, 0.0).accuracy is None


@pytest.mark.parametrize(("least", "choices"), [(0.01, [2, 2]), (0.3, [0, 2]), (1.0, [0, 0])])
def test_choices_that_do_not_matter_do_not_count(least: float, choices: list[int]) -> None:
    plays = story_of(play_garden(), least).plays
    assert choices == [play.choices for play in plays]
    assert (least == 1.0) == all(play.accuracy is None for play in plays)


def test_the_usual_loss_is_the_mean_loss_of_a_random_option() -> None:
    """The usual loss of any look is the mean of the losses over all options."""
    match = play_garden()
    (look,) = [look for look in first_looks(match) if look.ply == BLUNDER]
    options = match.choice_at(BLUNDER)[0].decisions()[0].options
    results = [analyze("garden", 2, [replace(look, action=option)], "story")[0] for option in options]
    assert max(result.lost for result in results) == pytest.approx(0.5, abs=0.05)
    assert results[0].usually == pytest.approx(sum(result.lost for result in results) / len(results), abs=0.02)


def test_the_course_has_every_ply_and_ends_with_the_result() -> None:
    match = play_garden()
    story = story_of(match)
    assert match.ply + 1 == len(story.course)
    assert match.outcome is not None
    assert match.outcome.returns == story.course[-1]
    assert all(1 == pytest.approx(sum(shares), abs=0.001) for shares in story.course)
    assert story == Story.of(json.loads(json.dumps(story.stored())))


def test_the_luckiest_draw_has_the_largest_gain() -> None:
    match = Match.begin(toll.GAME, toll.GAME.setup(2), "lucky")
    while match.outcome is None:
        decision = match.state.decisions()[0]
        match.play(decision.seat, decision.options[-1])
    story = story_of(match)
    draws = [ply for ply, (seat, _) in enumerate(match.history(None)) if seat < 0]
    gains = {ply: max(b - a for a, b in zip(story.course[ply], story.course[ply + 1], strict=True)) for ply in draws}
    assert story.lucky is not None
    assert max(gains.values()) == pytest.approx(story.lucky.gain, abs=0.001)
    assert all(0 == play.choices or play.accuracy is not None for play in story.plays)


def test_a_short_or_unfinished_match_has_no_story() -> None:
    assert MIN_CHOICES > 4
    assert not has_story(play_garden())
    match = Match.begin(garden.GAME, garden.GAME.setup(2), "story")
    assert not has_story(match)


def test_a_choice_that_only_starts_a_conversation_is_not_judged() -> None:
    spec = discover()["gangs"]
    match, rng = Match.begin(spec, spec.setup(2, {"trading": True}), "talk"), Random("talk")
    while "counteroffer" != match.entries[-1].notation:
        decision = match.state.decisions()[0]
        talk = [option for option in decision.options if option.talk]
        match.play(decision.seat, *talk or [rng.choice(decision.options)])
    (look,) = [look for look in first_looks(match) if look.ply == match.ply - 1]
    assert look.action is None
    (answer,) = analyze("gangs", 2, [look], "story")
    assert (0.0, None) == (answer.loss, answer.better)


def test_luck_is_the_sum_of_the_gains_by_draws() -> None:
    spec = discover()["alibaba"]
    match = Match.begin(spec, spec.setup(2), "luck")
    while len(match.draws()) < 2:
        decision = match.state.decisions()[0]
        match.play(decision.seat, decision.options[0])
    first, second = (draw.ply for draw in match.draws()[:2])
    course = [(0.5, 0.5)] * (first + 1) + [(0.7, 0.3)] * (second - first) + [(0.6, 0.4)] * (match.ply - second)
    assert second > first + 1, "a choice in between changes the chances, too, and is no luck"
    course[second] = (0.9, 0.1)
    story = Story(tuple(course), (), (), None)
    assert pytest.approx((0.2 - 0.3, 0.3 - 0.2)) == luck_of(match, story)
    assert pytest.approx((0.2, 0.3)) == luck_of(match, story, [{*range(second)}, {second}])


# --- Stories with given looks ---


@cache
def long_match() -> Match:
    """A finished match that did not end by a draw, and whose turns have several choices."""
    spec, rng = discover()["alibaba"], Random("long")
    while True:
        match = Match.begin(spec, spec.setup(2), f"long{rng.random()}")
        while match.outcome is None:
            decision = match.state.decisions()[0]
            match.play(decision.seat, rng.choice(decision.options))
        if match.effective[-1].seat != CHANCE and 1.0 in match.outcome.returns:
            return match


def told_story(losses: Mapping[int, float], shares: Mapping[int, tuple[float, float]] = MappingProxyType({})) -> Story:
    """The story if looks find these losses by plies, and these chances from a ply on."""

    def result(look: Look) -> LookResult:
        chances = shares[max((ply for ply in shares if ply <= look.ply), default=0)] if shares else (0.5, 0.5)
        loss = losses.get(look.ply, 0.0)
        return LookResult(look.ply, chances, loss, look.action if look.ply in losses else None, loss, 0.5)

    return end_of(tell_story(long_match(), 1.0), lambda looks: tuple(map(result, looks)))


def choices_by_turn() -> list[list[int]]:
    """The plies at which seats had a choice, turn by turn."""
    turns: dict[int, list[int]] = {}
    for look in first_looks(long_match()):
        if look.action is not None:
            turns.setdefault(look.state.turn, []).append(look.ply)  # type: ignore[attr-defined]
    return list(turns.values())


def test_the_turning_points_are_the_costliest_choices_of_different_turns_in_order() -> None:
    first, second, third, fourth, last = [plies for plies in choices_by_turn() if len(plies) > 1][:5]
    losses = {first[0]: 0.1, second[0]: 0.3, second[1]: 0.25, third[0]: 0.05, fourth[0]: 0.2, last[0]: 0.02}
    story = told_story(losses)
    assert [first[0], second[0], fourth[0]] == [turning.ply for turning in story.turnings]
    assert [] == [*told_story({first[0]: 0.02, second[0]: 0.029}).turnings], "too little to be told"
    for seat in (Seat(0), Seat(1)):
        mistakes = [mistake.loss for mistake in story.mistakes_of(seat)]
        assert mistakes == sorted(mistakes, reverse=True)


def test_the_luckiest_draw_comes_after_the_first_choice_and_matters() -> None:
    match = long_match()
    won = match.outcome.winners[0] if match.outcome else 0
    draw = [draw.ply for draw in match.draws()][3]

    def chances(share: float) -> tuple[float, float]:
        return (share, 1 - share) if won == 0 else (1 - share, share)

    lucky = told_story({}, {0: chances(0.0), 1: chances(0.5), draw + 1: chances(0.9)}).lucky
    assert lucky is not None
    assert (draw, won, 0.4) == (lucky.ply, lucky.seat, lucky.gain), "the deal before the first choice does not count"
    assert told_story({}, {0: chances(0.5), draw + 1: chances(0.52)}).lucky is None


def test_remarks_and_lessons_count_moves_and_percent() -> None:
    match = long_match()
    ply = choices_by_turn()[6][0]
    state, chosen = match.choice_at(ply)
    seat = match.effective[ply].seat
    better = next(option for option in state.decisions()[0].options if state.gloss(option) != state.gloss(chosen))
    draw = next(draw for draw in match.draws() if draw.ply > ply)
    mistake = Turning(ply, seat, 0.2, format_action(better))
    story = Story(((0.5, 0.5),) * (match.ply + 1), (mistake,), (), Lucky(draw.ply, Seat(1), 0.25))
    chapter = chapter_of(match, story, ("Ann", "Ben"))
    move = sum(entry.seat != CHANCE for entry in match.effective[: ply + 1])
    after = sum(entry.seat != CHANCE for entry in match.effective[: draw.ply])
    assert ["1", "L"] == [remark.mark for remark in chapter.remarks]
    turning, lucky = (remark.words for remark in chapter.remarks)
    assert turning.startswith(f"Move {move}, {('Ann', 'Ben')[seat]}: ")
    assert "cost 20% of" in turning
    happened = " ".join(say(event, ("Ann", "Ben")) for event in draw.events if event.visible_to(None))
    assert lucky == f"Luck after move {after} brought Ben 25% of the winning chances. {happened}"
    lesson = say(lesson_text(match, mistake, ("Ann", "Ben")), ("Ann", "Ben"))
    assert f"on move {move}, " in lesson
    assert "saved 20% of" in lesson
    voice = Voice(("Ann", "Ben"), seat, state.observe(seat))
    assert lesson.endswith(f"{voice.quote(better)} – {voice.gloss(better)}")


@pytest.mark.parametrize("choices", [MIN_CHOICES - 1, MIN_CHOICES])
def test_a_match_with_enough_choices_has_a_story(monkeypatch: pytest.MonkeyPatch, choices: int) -> None:
    enough = len([look for look in first_looks(long_match()) if look.action is not None])
    monkeypatch.setattr("engine.story.telling.MIN_CHOICES", enough + MIN_CHOICES - choices)
    assert (choices == MIN_CHOICES) == has_story(long_match())
