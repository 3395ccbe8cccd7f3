"""Pages and searches of the rules work after a restart."""

from __future__ import annotations

import pytest

from playground.options import CannotDo
from playground.player import Seen
from tests.bot.app import App
from tests.rooms import GAME

HERE = "-# Rules of Muscat, played here with Cycles need an artist of your own: yes"


async def restart(app: App) -> None:
    await app.close()
    await app.open()


def headings(page: Seen) -> list[str]:
    return [line.removeprefix("### ") for line in page.text.splitlines() if line.startswith("### ")]


@pytest.mark.parametrize("here", [True, False])
async def test_pages_and_searches_survive_a_restart(app: App, here: bool) -> None:
    room = app.room()
    dan = room.person("Dan")
    if here:
        await room.lobby("Ana")
    page = await dan.slash("game rules", **({} if here else {"game": GAME}))
    assert page.text.startswith(HERE if here else "-# Rules of Muscat\n")
    await restart(app)
    page = await dan.choose("4 A turn", on=page)
    assert "Page 1 of " in page
    page = await dan.tap("Next", on=page)
    assert "Page 2 of " in page
    await dan.tap("Search", on=page)
    with pytest.raises(CannotDo):
        await dan.submit({"What are you looking for?": "more than the id of a control has room for"})
    await dan.tap("Search", on=page)
    await restart(app)
    answer = await dan.submit({"What are you looking for?": "palace"})
    assert page.id == answer.id
    section = await dan.choose("6.1 The palace", on=answer)
    assert ["6.1 The palace"] == headings(section)
    await restart(app)
    again = await dan.tap("Back to “palace”", on=section)
    assert (answer.text, answer.labels, answer.menus) == (again.text, again.labels, again.menus)
