"""`caravanserai check GAME`: the contract, figures, pictures and translations of an installed game, and its grade.

Needs nothing but the installed packages, and pytest for the contract (extra `kit`).
"""

from __future__ import annotations

import dataclasses
import inspect
import io
import statistics
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from random import Random
from string import Formatter

import pytest
from PIL import Image

import renders
from engine.core import Event, GameSpec, Grade, State
from engine.games import discover, discover_all
from engine.languages import ENGLISH, reading
from engine.match import Match
from engine.notation import format_action
from engine.texts import CHANCE
from engine.values import Value
from engine.wording import label
from kit.contract import defined_by, is_own
from kit.interface import foreign_imports
from kit.playouts import Case, cases_of, playouts
from kit.plugin import CONTRACT
from locales import language_of, languages, own_name
from renders.plain import picture_module

MAX_ROWS = 25
"""Rows of the longest menu that Discord has; a longer list needs a second question."""

MAX_LABEL = 40
"""Characters of a label that a phone shows whole."""

MAX_POSITIONS = 20_000
MAX_COUNTED_PLIES = 8
"""Limits of counting positions: their number, and the number of plies."""

TRANSLATED = 0.9
"""Share of the texts of a game in a language that counts as a translation."""

PICTURES = 6
"""Positions on the contact sheet, from the start to the end of a match."""

THUMBNAIL = (360, 480)


@dataclass(slots=True)
class Contract:
    """A pytest plugin that prints one line for each promise, and collects the broken ones."""

    passed: int = 0
    broken: list[str] = field(default_factory=list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print the result of a promise."""
        if report.when == "call" or report.failed:
            promise = report.nodeid.rpartition("::test_")[2].partition("[")[0].replace("_", " ")
            self.passed += report.passed
            print(f"  {'kept  ' if report.passed else 'BROKEN'}  {promise}", flush=True)
            if report.failed:
                self.broken.append(promise)
                print(_indent(_reason(report)), flush=True)


def _reason(report: pytest.TestReport) -> str:
    """The last lines of a failure: the promise as the code states it, and the case with its seats and options."""
    lines = [line for line in report.longreprtext.splitlines() if line.startswith(("E ", ">"))]
    return "\n".join(line[1:].strip() for line in lines[:12])


def _indent(text: str) -> str:
    return "\n".join(f"          {line}" for line in text.splitlines())


def main(arguments: Sequence[str] | None = None, prog: str = "caravanserai check") -> int:
    """Print the report. Returns 1 if the contract is broken, or the game claims a grade that it does not have."""
    parser = ArgumentParser(prog=prog, description="Check an installed game: contract, figures, pictures, languages.")
    parser.add_argument("game", help="the slug of the game")
    parser.add_argument("--folder", type=Path, help="where to put a contact sheet of its pictures")
    chosen = parser.parse_args(arguments)
    spec = discover().get(chosen.game)
    if spec is None:
        problems = [problem for problem in discover_all().problems if problem.startswith(f"The game {chosen.game} ")]
        parser.error("\n".join(problems) or f"there is no game {chosen.game}: {', '.join(discover())} are installed")
    print(f"{spec.title}, from {discover_all().sources[spec.slug].package or 'this bot'}\n\nContract")
    contract = check_contract(spec)
    print("\nFigures")
    for line in figures(spec):
        print(f"  {line}")
    if discover_all().sources[spec.slug].package:
        print("\nInterface", *(f"  {line}" for line in imports_lines(spec)), sep="\n")
    if chosen.folder:
        print(f"\nPictures\n  {draw_contact_sheet(spec, chosen.folder)}")
    print("\nLanguages")
    for code in languages():
        if code != ENGLISH.code:
            print(f"  {own_name(code)}: {translated_share(spec, code):.0%} of the texts, {_rules_in(spec, code)}")
    print("\nGrade")
    grade, advice = grade_of(spec, broken=len(contract.broken))
    print(f"  {grade or 'none'}; {advice}")
    if is_overrated := not has_grade(spec, grade):
        print(f"  BROKEN  its GAME claims {spec.grade}")
    return int(bool(contract.broken) or is_overrated)


def check_contract(spec: GameSpec) -> Contract:
    """Check every promise in every case."""
    contract = Contract()
    quiet = ("-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:asyncio", "-c", "/dev/null")
    pytest.main([*quiet, *plugin_arguments(), str(CONTRACT), "--caravanserai", spec.slug], plugins=[contract])
    print(f"  {contract.passed} promises are kept, {len(contract.broken)} are broken.")
    return contract


def plugin_arguments() -> tuple[str, ...]:
    """The arguments with which pytest loads the plugin: none where its entry point is installed."""
    is_registered = any(point.value == "kit.plugin" for point in entry_points(group="pytest11"))
    return () if is_registered else ("-p", "kit.plugin")


def figures(spec: GameSpec) -> Iterator[str]:
    """Lengths, speed, rows, labels and counted positions, over the playouts of the contract."""
    matches = [playout for case in cases_of(spec) for playout in playouts(case)]
    lengths = sorted(len(playout.steps) for playout in matches)
    yield f"{len(matches)} matches: {lengths[0]} to {lengths[-1]} plies, {statistics.median(lengths):.0f} in the median"
    yield f"{playouts_per_second(spec):.0f} random matches a second on this machine"
    rows, longest = longest_list(spec)
    yield f"longest list: {rows} rows" + ("" if rows <= MAX_ROWS else ", so ask in two steps")
    yield f"longest label: {len(longest)} characters, “{longest}”"
    counts = ", ".join(map(str, count_positions(spec)))
    yield f"positions after 0, 1, 2, … plies, with the standard options: {counts}"


def imports_lines(spec: GameSpec) -> Iterator[str]:
    """A line for each import that a later version of the bot may break."""
    package = discover_all().sources[spec.slug].module.partition(".")[0]
    module = find_spec(package)
    assert module is not None, f"{package} contains the game"
    places = [Path(folder) for folder in module.submodule_search_locations or ()]
    files = [file for place in places for file in sorted(place.rglob("*.py"))] or [Path(str(module.origin))]
    names = {file: foreign_imports(file.read_text(encoding="utf-8")) for file in files}
    if not any(names.values()):
        yield "imports nothing that may change within a version of the interface"
    for file in files:
        yield from (f"{file.name}: {name} may change at any time; see docs/interface.md" for name in names[file])


def playouts_per_second(spec: GameSpec, seconds: float = 0.2) -> float:
    """Random matches a second, with the standard options and the fewest seats."""
    case, played, begin = cases_of(spec)[0], 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        _play_randomly(case, f"speed {played}")
        played += 1
    return played / (time.perf_counter() - begin)


def _play_randomly(case: Case, seed: str) -> Match:
    rng, match = Random(seed), Match.begin(case.spec, case.setup, seed)
    while decisions := match.state.decisions():
        decision = rng.choice(decisions)
        match.play(decision.seat, rng.choice(decision.options))
    return match


def longest_list(spec: GameSpec) -> tuple[int, str]:
    """The rows of the longest list, and the longest label of an option.

    Options are chosen word by word, as they are written: a list has the words that can come next.
    """
    rows, longest = 0, ""
    for case in cases_of(spec):
        names = spec.seat_names(case.setup)
        steps = (step for playout in playouts(case) for step in playout.steps)
        for options in (decision.options for step in steps for decision in step.decisions if decision.seat != CHANCE):
            rows = max(rows, _most_next_words([format_action(option).split(" ") for option in options]))
            longest = max([longest, *(label(option, names) for option in options)], key=len)
    return rows, longest


def _most_next_words(notations: Sequence[Sequence[str]]) -> int:
    following: dict[tuple[str, ...], set[str]] = {}
    for words in notations:
        for n, word in enumerate(words):
            following.setdefault(tuple(words[:n]), set()).add(word)
    return max(map(len, following.values()))


def count_positions(spec: GameSpec) -> list[int]:
    """The number of different positions after 0, 1, 2, … plies, luck included, to compare with another program."""
    reached: set[State] = {spec.start(spec.setup(spec.seats[0]))}
    counts = [len(reached)]
    while len(counts) <= MAX_COUNTED_PLIES:
        reached = set(islice((after for state in reached for after in _successors(state)), MAX_POSITIONS))
        if not 0 < len(reached) < MAX_POSITIONS:
            break
        counts.append(len(reached))
    return counts


def _successors(state: State) -> Iterator[State]:
    for decision in state.decisions():
        yield from (state.apply(decision.seat, action)[0] for action in decision.options)


def draw_contact_sheet(spec: GameSpec, folder: Path) -> str:
    """Draw positions of a match for the most seats, as their pictures look on a phone. Returns a line about them."""
    case = next(case for case in reversed(cases_of(spec)) if case.setup == spec.setup(spec.seats[-1]))
    playout, names = playouts(case)[0], spec.seat_names(case.setup)
    plies = [len(playout.steps) * n // (PICTURES - 1) for n in range(PICTURES)]
    width, height = THUMBNAIL
    sheet, sizes = Image.new("RGB", (width * 3, height * -(-PICTURES // 3))), []
    for n, ply in enumerate(plies):
        picture = renders.draw(playout.at(ply).view(None, since=0), names)
        sizes.append(len(picture.png))
        with Image.open(io.BytesIO(picture.png)) as image:
            sheet.paste(
                image.convert("RGB").resize(THUMBNAIL, Image.Resampling.LANCZOS), (n % 3 * width, n // 3 * height)
            )
    folder.mkdir(parents=True, exist_ok=True)
    sheet.save(path := folder / f"{spec.slug}.png")
    return f"{path}: {PICTURES} positions; files of up to {max(sizes) // 1000} kB, of 250 kB that are allowed"


def translated_share(spec: GameSpec, code: str) -> float:
    """The share of the texts of a game that a language has."""
    texts = texts_of(spec)
    translations = language_of(code)
    return sum(translations.translate(text) != text for text in texts) / len(texts)


def texts_of(spec: GameSpec) -> frozenset[str]:
    """The texts of a game that do not depend on a position: names, descriptions, and templates of its events."""
    texts = {spec.title, spec.summary, *(preset.title for preset in spec.presets)}
    texts |= {option.metadata["description"] for option in dataclasses.fields(spec.options)}
    texts |= {(inspect.getdoc(verb) or "").partition("\n")[0] for verb in spec.actions}
    texts |= {event.template for event in defined_by(spec, Event) if is_own(spec, event)}
    texts |= {verb.label for verb in spec.actions}
    # a template of nothing but fields, such as `{square}`, has nothing to translate
    return frozenset(text for text in texts if any(letter.isalpha() for letter in _without_fields(text)))


def _without_fields(template: str) -> str:
    return "".join(literal for literal, *_ in Formatter().parse(template))


def _rules_in(spec: GameSpec, code: str) -> str:
    return "with rules" if has_rules(spec, code) else "without rules"


def has_rules(spec: GameSpec, code: str) -> bool:
    """Whether a game has its rules in a language."""
    with reading(language_of(code)):
        return spec.rulebook.translated is not spec.rulebook


class Criterion(Value):
    """A condition of a grade, whether a game meets it, and what to do if not."""

    grade: Grade
    is_met: bool
    advice: str


def criteria(spec: GameSpec, *, broken: int) -> tuple[Criterion, ...]:
    """The conditions of all grades, from the lowest up."""
    rows, longest = longest_list(spec)
    others = [code for code in languages() if code != ENGLISH.code]
    complete = [code for code in others if has_rules(spec, code) and translated_share(spec, code) >= TRANSLATED]
    return (
        Criterion(Grade.BRONZE, not broken, "mend the broken promises above"),
        Criterion(Grade.SILVER, bool(picture_module(spec.slug)), "draw a picture of its own (GAME.picture)"),
        Criterion(Grade.SILVER, rows <= MAX_ROWS, f"ask in two steps where a list has over {MAX_ROWS} rows"),
        Criterion(Grade.SILVER, len(longest) <= MAX_LABEL, f"shorten the labels of options to {MAX_LABEL} characters"),
        Criterion(Grade.SILVER, spec.in_short is not None, "sum up a first game in three lines"),
        Criterion(Grade.GOLD, spec.evaluate is not None, "evaluate positions, so that computers think: GAME.evaluate"),
        Criterion(Grade.GOLD, bool(complete), "translate it: rules.<language>.md and locales/<language>/<game>.po"),
    )


def grade_of(spec: GameSpec, *, broken: int) -> tuple[Grade | None, str]:
    """The grade of a game, up to gold, and what it lacks for the next one. Only a reader can judge platinum."""
    conditions = criteria(spec, broken=broken)
    grade = None
    for name in (Grade.BRONZE, Grade.SILVER, Grade.GOLD):
        missing = [condition.advice for condition in conditions if condition.grade is name and not condition.is_met]
        if missing:
            return grade, f"for {name}: {'; '.join(missing)}"
        grade = name
    return grade, "for platinum: compare its positions with those of an independent program, and say where"


def has_grade(spec: GameSpec, grade: Grade | None) -> bool:
    """Whether a game with this grade has the one that it claims. With gold, it may claim platinum."""
    if spec.grade is None or (spec.grade, grade) == (Grade.PLATINUM, Grade.GOLD):
        return True
    order = [*Grade]
    return grade is not None and order.index(spec.grade) <= order.index(grade)
