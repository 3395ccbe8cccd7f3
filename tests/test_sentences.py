"""Every sentence for people is a `Text`: a template in one piece and its fields, put into words at the very end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sentences import faulty_texts, loose_sentences

ROOT = Path(__file__).parent.parent
FOLDERS = ("bot", "engine")

ELSEWHERE = {
    "bot/__main__.py": "tells whoever runs the bot why it ends",
    "bot/config.py": "tells whoever runs the bot what is wrong with the settings",
    "bot/connection.py": "tells whoever runs the bot what Discord has against it",
    "bot/operating/web.py": "tells whoever runs the bot that a port is taken",
    "bot/store": "tells whoever runs the bot what is wrong with the database, and talks to it",
    "engine/arena": "tells whoever measures computer players how they do",
    "engine/training": "tells whoever trains them what came of it",
    "engine/texts.py": "puts texts into words",
}
"""File or folder -> why its sentences are none that players read, or no texts yet."""


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def sources(place: str) -> list[Path]:
    """The file of this name, or all in the folder."""
    return [path for path in (ROOT / place, *sorted((ROOT / place).rglob("*.py"))) if path.is_file()]


EXCUSED = {path for place in ELSEWHERE for path in sources(place)}
every_source = pytest.mark.parametrize(
    "path", [path for folder in FOLDERS for path in sources(folder) if path not in EXCUSED], ids=named
)


@every_source
def test_every_sentence_is_a_text(path: Path) -> None:
    assert [] == loose_sentences(path.read_text(encoding="utf-8"))


@every_source
def test_every_text_has_its_template_at_hand_and_just_its_fields(path: Path) -> None:
    assert [] == faulty_texts(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("place", ELSEWHERE)
def test_nothing_is_excused_that_needs_no_excuse(place: str) -> None:
    assert any(loose_sentences(path.read_text(encoding="utf-8")) for path in sources(place))


# --- what finds them ---

LOOSE = [
    'f"{who} is due."',
    'f"Choose {what}"',
    'f"{least} to {most}"',
    'who + " is due"',
    '"It is " + who',
    '"%s is due." % who',
    '"{} is due".format(who)',
    '" or ".join(names)',
    'raise UserError("There is no game.")',
    'raise UserError("No")',
    'raise UserError("Nothing" if nothing else "All of it.")',
    'answer("There is no game.")',
    'told = "There is no game."',
    'Control(ControlId("join", 1), "Join")',
    'TextDisplay("Join" if free else "Full")',
    'Text("{what}", what=f"{who} is due")',
    'Text("{what}", what="There is no game.")',
    'joined(texts, " and ")',
    'def ask(x):\n    text = "There is no game."\n    return x',
]
FINE = [
    'Text("There is no game.")',
    'raise UserError(Text("There is no game."))',
    'Control(ControlId("join", 1), say(Text("Join")))',
    'Text("{who} is due.", who=f"<@{user}>")',
    '"\\n".join(lines)',
    'f"{mark} **{name}**: {words}"',
    'f"cv:{kind}"',
    '"cv:" + kind',
    '_log.info("There is no game in %d.", channel)',
    '_log.info(f"There is no game in {channel}.")',
    'raise ValueError(f"no such word: {word}")',
    'assert row, "it was written a moment ago."',
    'describe("where to go.")',
    'option(3, "How many rounds.", 3, 1)',
    'Group(name="game", description="Start a game.")',
    'Rulebook.parse("## 1 Aim\\nArrive first.")',
    'class Go(Event):\n    """It goes on."""\n    template = "{seat} goes on."',
    'class Go:\n    def __repr__(self) -> str:\n        return f"Go to {self.place}"',
    'LIMIT = 3\n"""Most files of a game."""',
]
FAULTY = [
    "Text(template)",
    'Text(f"{who} is due.")',
    'Text("It is " + who)',
    'Text("{who} is due.")',
    'Text("Somebody is due.", who=who)',
    'Text("{who} is due." if one else "All are.", whom=who)',
    'Text("{who} is due.", **fields)',
    'Text("{who} is due.", *fields)',
    'Text("{seats:is} due.", seats=seats)',
    'TEXTS = {1: "{who} is due."}\nText(TEXTS[1])',
    'def due(who):\n    text = "{who} is due."\n    text = "{when} now."\n    return Text(text, how=1)',
    "DUE = due()\nText(DUE)",
    'def no(rule, template, **fields):\n    return Text(template, **fields)\nno(1, "{who} is due.")',
]
FITTING = [
    'Text("{who} is due.", who=who)',
    'Text("{who} is due." if one else "All are.", who=who)',
    'Text("{seats} {seats:is|are} due.", seats=seats)',
    'DUE = "{who} is due."\nText(DUE, who=who)',
    'def due(who):\n    text = "{who} is due."\n    return Text(text, who=who)',
    'def no(rule, template, **fields):\n    return Text(template, **fields)\nno(1, "{who} is due.", who=who)',
    'def due(who):\n    text = "All are."\n    one(Text(text))\n    text = "{who} is."\n    return Text(text, who=who)',
    'TEXTS = {1: "{who} is due.", 2: "{who} are due."}\nText(TEXTS[1], who=who)',
    'def due(template, who):\n    return Text(template, who=who, n=1)\ndue("{who} is due.", 2)',
    'def no(rule, template, **fields):\n    return Text(template, n=1, **fields)\nno("1", "Row {n}: {who}.", who=who)',
]


@pytest.mark.parametrize("source", LOOSE)
def test_a_sentence_without_a_text_is_found(source: str) -> None:
    assert loose_sentences(source)


@pytest.mark.parametrize("source", [*FINE, *FITTING])
def test_what_is_a_text_or_for_nobody_is_left_alone(source: str) -> None:
    assert [] == loose_sentences(source)


@pytest.mark.parametrize("source", FAULTY)
def test_a_text_that_does_not_fit_is_found(source: str) -> None:
    assert faulty_texts(source)


@pytest.mark.parametrize("source", FITTING)
def test_a_text_that_fits_is_left_alone(source: str) -> None:
    assert [] == faulty_texts(source)
