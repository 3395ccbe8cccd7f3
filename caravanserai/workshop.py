"""A game under development in the local Discord: opens a table of it, and reloads it when its files change.

To reload, the bot starts again in a new process and replays its matches from their logs. No module, cache or thinking
process of the old version stays behind. First, another process tries to load the game. If that fails, the old version
keeps running.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from caravanserai.game_source import GameSource
from playground.local import LocalDiscord
from playground.notifier import HANG
from playground.options import CannotDo
from playground.player import ExpectationFailed, Player
from playground.supervisor import BotSupervisor

POLL_INTERVAL = 0.3
"""Seconds between two looks at the files."""

SLOW_START = f"The bot has not connected within {HANG:g} seconds; its log says why."


def print_aside(sentence: str) -> None:
    """Print a sentence for the author of the game."""
    print(sentence, file=sys.stderr, flush=True)


class Workshop:
    """Runs beside the bot of a local Discord. `environment` is for the processes that load the game."""

    def __init__(
        self,
        source: GameSource,
        environment: Mapping[str, str],
        report: Callable[[str], None] = print_aside,
    ) -> None:
        self.environment = environment
        self._source = source
        self._report = report

    async def run(self, local: LocalDiscord, supervisor: BotSupervisor) -> None:
        """Open a table as soon as the game can be loaded, and reload it after every change. Never returns."""
        state, is_open = self._source.state(), False
        if min_seats := await self._min_seats():
            is_open = await self._open_table(local, min_seats)
        while True:
            state = await self._next_change(state)
            if not (min_seats := await self._min_seats()) or not await self._restart(local, supervisor):
                continue
            self._report(f"{self._source.slug} is reloaded.")
            if is_open:
                await self._show_board(local)
            else:
                is_open = await self._open_table(local, min_seats)

    async def _restart(self, local: LocalDiscord, supervisor: BotSupervisor) -> bool:
        """Start the bot again. Returns whether it has connected."""
        await supervisor.restart()
        try:
            # the local Discord notices the end of the old connection a moment later
            await local.notifier.until(lambda: not local.gateway.is_connected)
            await local.notifier.until(lambda: local.gateway.is_connected)
        except TimeoutError:
            self._report(SLOW_START)
            return False
        return True

    async def _next_change(self, state: dict[Path, int]) -> dict[Path, int]:
        """Wait until the files differ from `state` and are no longer being written. Returns their new state."""
        changed = state
        while True:
            await asyncio.sleep(POLL_INTERVAL)
            current = await asyncio.to_thread(self._source.state)
            if current == changed != state:
                return current
            changed = current

    async def _min_seats(self) -> int:
        """Let a new process load the game. Returns its smallest number of seats, or 0 after reporting an error."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "caravanserai.trial_load", self._source.slug),
            env={**os.environ, **self.environment},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        *_, line = output.decode(errors="replace").strip().splitlines() or ["The game cannot be loaded."]
        if process.returncode:
            self._report(f"{line} This version is not played.")
            return 0
        return int(line)

    async def _open_table(self, local: LocalDiscord, min_seats: int) -> bool:
        """Open a table with computers in the other seats, and start the game. Reports why if that is impossible."""
        player = _first_player(local)
        try:
            await local.notifier.until(lambda: self._has_command(local))
            lobby = await player.slash("table new", game=self._source.slug)
            # Otherwise, a game from an earlier session is still there.
            if lobby is not None and lobby.button("Add computer"):
                for _ in range(min_seats - 1):
                    await player.tap("Add computer")
                await player.tap("Start")
        except TimeoutError:
            self._report(SLOW_START)
            return False
        except (ExpectationFailed, CannotDo) as error:
            self._report(f"No table of {self._source.slug} could be opened: {_first_line(error)}")
            return False
        self._report(f"{self._source.slug} is open in {local.place(player.channel)}.")
        return True

    def _has_command(self, local: LocalDiscord) -> bool:
        """Whether the bot is there and has registered the command of the game."""
        return local.gateway.is_connected and any(
            command["name"] == self._source.slug for command in local.all_commands()
        )

    async def _show_board(self, local: LocalDiscord) -> None:
        """Show the first player the board as the new version draws it, or why it no longer fits the log."""
        try:
            await _first_player(local).slash("game board")
        except (ExpectationFailed, CannotDo) as error:
            self._report(f"The board cannot be shown: {_first_line(error)}")


def _first_player(local: LocalDiscord) -> Player:
    person, channel = local.world.people[0], local.world.channels_of(local.world.guild_id)[0]
    return Player(local, person, lambda: channel)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
