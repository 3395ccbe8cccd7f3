"""A watch over secrets: texts and pictures are marked with their viewer, and noted on each screen."""

from __future__ import annotations

import base64
import dataclasses
import json
import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, ClassVar

import pytest

import renders
from bot.tables.table import Table
from engine.core import Action, Event, State, View
from engine.match import Match
from engine.players import Player
from engine.players import discover as discover_players
from engine.texts import Seat, Text
from engine.values import Value
from engine.wording import Voice
from playground.interactions import Interaction
from playground.local import LocalDiscord, Notice
from playground.player import Seen
from renders import animation

MARK = re.compile(r"⟦for (\w+)⟧")
NOBODY = "nobody"
SMALLEST_PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)


def marks(text: str) -> set[str]:
    """The viewers of the parts of a text: numbers of seats, or the mark of onlookers."""
    return set(MARK.findall(text))


def marks_of(seen: Seen) -> set[str]:
    """The viewers of a message: of its words, its menus, its pictures and their alt texts."""
    pictures = [f"{image.alt} {image.data.decode(errors='replace')}" for image in seen.images]
    return marks(" ".join((json.dumps(seen.components, ensure_ascii=False), *pictures)))


def _mark(viewer: Seat | None) -> str:
    return f"⟦for {NOBODY if viewer is None else viewer}⟧"


class _ToldTo(Event):
    """Stands at the end of what a viewer is told."""

    template: ClassVar[str] = "{mark}"

    mark: str


class _Telling(Value):
    """A position as far as a voice needs it: what it says of options is marked."""

    state: State
    mark: str

    def named(self, action: Action, field: str = "") -> Text | None:
        return self._marked(self.state.named(action, field))

    def spelled_out(self, action: Action) -> Text | None:
        return self._marked(self.state.spelled_out(action))

    def gloss(self, action: Action) -> Text | None:
        return self._marked(self.state.gloss(action))

    def suggested(self) -> tuple[Action, ...]:
        return self.state.suggested()

    def _marked(self, told: Text | None) -> Text | None:
        return told and Text("{told} {mark}", told=told, mark=self.mark)


class Sight(Value):
    """A message or picture on the screens of a channel: who saw it, and for whom its parts were made."""

    channel: str
    seen_by: frozenset[int]
    made_for: frozenset[str]
    text: str


class Thought(Value):
    """A question to a computer player: the view it was given, and the state of its luck."""

    view: View
    luck: object


class Watch:
    """Marks pictures (tiny ones), alt texts, descriptions, stories, names and meanings of options; looks over all
    shoulders.

    `overtold` are the views and voices that know more than their viewer may.
    """

    def __init__(self, local: LocalDiscord, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sights: list[Sight] = []
        self.thoughts: list[Thought] = []
        self.overtold: list[View | Voice] = []
        self._local = local
        self._listen()
        self._mark_matches(monkeypatch)
        self._mark_pictures(monkeypatch)
        for name, player in discover_players().items():
            monkeypatch.setitem(discover_players(), name, self._overheard(player))

    # texts and pictures

    def _mark_matches(self, monkeypatch: pytest.MonkeyPatch) -> None:
        events_from, view, voice = Match.events_from, Match.view, Table.voice

        def marked_telling(match: Match, ply: int, viewer: Seat | None) -> Any:
            history = events_from(match, ply, viewer)
            return tuple((seat, (*events, _ToldTo(_mark(viewer)))) for seat, events in history)

        def marked_voice(table: Table, match: Match, you: Seat) -> Voice:
            return self._marked_voice(voice(table, match, you))

        monkeypatch.setattr(Match, "events_from", marked_telling)
        monkeypatch.setattr(Match, "view", lambda *asked, **more: _with_mark(view(*asked, **more)))
        monkeypatch.setattr(Table, "voice", marked_voice)

    def _marked_voice(self, voice: Voice) -> Voice:
        if voice.state != voice.state.observe(voice.you):
            self.overtold.append(voice)
        return dataclasses.replace(voice, state=_Telling(voice.state, _mark(voice.you)))

    def _mark_pictures(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tell = renders.tell

        def draw(view: View, _labels: Sequence[str], _persons: Sequence[str] = ()) -> renders.Picture:
            mark = _mark(self._checked(view).viewer)
            return renders.Picture(SMALLEST_PNG + mark.encode(), mark)

        def marked_tell(view: View, labels: Sequence[str]) -> str:
            return f"{tell(view, labels)} {_mark(self._checked(view).viewer)}"

        def animated(views: Sequence[View], *_names: Sequence[str], **_how: int) -> Iterator[tuple[bytes, int]]:
            made_for = "".join(_mark(self._checked(view).viewer) for view in views)
            yield SMALLEST_PNG + made_for.encode(), len(views)

        monkeypatch.setattr(renders, "draw", draw)
        monkeypatch.setattr(animation, "animate", animated)
        monkeypatch.setattr(renders, "tell", marked_tell)

    def _overheard(self, player: Player) -> Player:
        def choose(view: View, rng: Random) -> Action:
            self.thoughts.append(Thought(self._checked(view), rng.getstate()))
            return player.choose(view, rng)

        return dataclasses.replace(player, choose=choose)

    def _checked(self, view: View) -> View:
        if view.state != view.state.observe(view.viewer):
            self.overtold.append(view)
        return view

    # screens

    def _listen(self) -> None:
        self._local.watchers.add(self._see)
        settle = self._local.settle

        def settle_and_see(interaction: Interaction, *answer: Any) -> None:
            settle(interaction, *answer)
            if interaction.choices is not None:
                self._note(interaction.channel.id, {interaction.user.id}, _json(interaction.choices))

        self._local.settle = settle_and_see

    def _see(self, notice: Notice) -> None:
        if notice.kind != "message":
            return
        channel = self._local.world.channels[int(notice.data["channel_id"])]
        message = channel.message(int(notice.data["id"]))
        assert message is not None, "it is shown at this moment"
        pictures = "".join(attachment.data.decode(errors="replace") for attachment in message.attachments)
        seen_by = {user.id for user in self._local.world.people if notice.sees(user)}
        self._note(channel.id, seen_by, _json(notice.data) + pictures)

    def _note(self, channel: int, seen_by: set[int], text: str) -> None:
        name = self._local.world.channels[channel].name
        self.sights.append(Sight(name, frozenset(seen_by), frozenset(marks(text)), text))


def _with_mark(view: View) -> View:
    return dataclasses.replace(view, events=(*view.events, _ToldTo(_mark(view.viewer))))


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
