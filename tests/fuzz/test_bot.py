"""The bot: forged taps, forms, settings and damaged rows end in a sentence, and the game stays what it was."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from bot import commands, config
from bot.errors import StartError
from bot.features.handlers import TAPS
from bot.interactions.controls import FIELDS, ControlId
from bot.interactions.forms import read_form
from tests.bot.app import App
from tests.bot.forging import forge_tap
from tests.bot.moderating import begin
from tests.fuzz.likely import json_like, tried, words_like
from tests.rooms import Room

IDS = ["play:1:3:b4 13 9", "play:1:0~a0b1c2:rise 2C", "log:1:0:", "custom:0:0:calls", "undo:1:4:", "option:1:0:powers"]
SECRET = "MTA1.GsecretX.tokenTOKENtoken"
DOTENV = [f"DISCORD_TOKEN={SECRET}\nDATA_DIR=/tmp\n", "LOG_LEVEL=DEBUG\nSEARCH=processes:2\n", "# nothing\n\n"]


@tried
@given(words_like(IDS))
def test_a_parsed_control_id_is_written_back_unchanged(words: str) -> None:
    if hit := re.fullmatch(FIELDS, words):
        control = ControlId.of(hit)
        assert control == ControlId.of(re.fullmatch(FIELDS, str(control)))


@tried
@given(words_like([f"cf:{words}" for words in IDS]), st.lists(st.dictionaries(st.text(max_size=9), json_like)))
@example("cf:say:1:0:", [{"component": {"value": None}}, {"component": None}])
def test_a_submitted_form_is_parsed_or_rejected(custom_id: str, parts: list[dict[str, Any]]) -> None:
    form = read_form({"custom_id": custom_id, "components": parts})
    assert form is None or all(isinstance(line, str) for line in form[1])


@tried
@given(words_like(DOTENV))
@example(f"DISCORD_TOKEN={SECRET}\nDATA_DIR={SECRET[4:18]}\n")
def test_settings_are_read_or_explained_and_the_token_is_never_repeated(tmp_path: Path, text: str) -> None:
    dotenv = tmp_path / ".env"
    dotenv.write_text(text, encoding="utf-8", errors="replace")
    try:
        read = config.load({}, dotenv)
    except StartError as error:
        output = str(error)
        assert output
    else:
        output = repr(read)
    assert SECRET[5:18] not in output


commands.import_features()
KINDS = sorted(TAPS)
KIND = st.sampled_from(KINDS) | st.text("abcxyz", min_size=1, max_size=8)
NUMBER = st.integers(0, 6) | st.integers(0, 10**18 - 1)
WORDS = words_like(["place B", "rise 2C", "1", "6.2", "calls", "powers=none", "0", "8", "strong", "-", ""])


@tried
@given(data=st.data())
async def test_a_forged_tap_is_answered(app: App, data: st.DataObject) -> None:
    """The answer is a sentence or a form; nothing goes wrong, and the table can still be shown."""
    room = Room(app.local, "caravanserai")
    ana, dan = room.people("Ana", "Dan")
    if not app.seeds():
        await begin(room, "Ana", "Ben", game="jinns")
    board = await ana.slash("game board")
    kind, words = data.draw(KIND), data.draw(WORDS)
    ending = f"{kind}:{data.draw(NUMBER)}:{data.draw(NUMBER)}:{words}"[:90]
    who = data.draw(st.sampled_from([ana, dan]))
    if data.draw(st.booleans()):
        await forge_tap(app, who, board, {"type": 2, "style": 1, "label": "x", "custom_id": f"cv:{ending}"})
    else:
        rows = data.draw(st.lists(WORDS, max_size=3))
        await forge_tap(app, who, board, {"type": 3, "custom_id": f"cm:{ending}", "options": []}, values=rows)
    assert not app.local.journal.violations
