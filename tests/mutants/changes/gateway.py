"""Changes to `bot.gateway`."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        "an event that cannot be read ends the bot",
        "bot/gateway/websocket.py",
        '            report(self._event_name(frame), error, "it is skipped")',
        "            raise error",
        "tests/bot/gateway/test_events.py::test_an_unreadable_event_is_skipped",
    ),
    Mutant(
        "an interaction that cannot be read is not answered",
        "bot/gateway/client.py",
        '        self.dispatch("unreadable_interaction", interaction)',
        "        del interaction",
        "tests/bot/gateway/test_events.py::test_an_unreadable_command_is_answered",
    ),
    Mutant(
        "a part of READY that cannot be read leaves the bot waiting",
        "bot/gateway/websocket.py",
        'elif frame.get("t") == "READY":',
        'elif frame.get("t") == "ready":',
        "tests/bot/gateway/test_events.py::test_games_continue_on_a_partly_readable_server",
    ),
    Mutant(
        "a part of a server that cannot be read hides the others",
        "bot/gateway/client.py",
        "parse(readable_guild(data, self._connection))",
        "raise",
        "tests/bot/gateway/test_events.py::test_a_partly_readable_server_keeps_its_channels",
    ),
    Mutant(
        "a broken frame ends the bot",
        "bot/gateway/websocket.py",
        '        raise UnreadableData(f"unreadable frame of the gateway: {place_of(error)}") from error\n\n\nasync def',
        "        raise error\n\n\nasync def",
        "tests/bot/gateway/test_connections.py::test_a_broken_frame_during_a_session_is_an_outage",
    ),
    Mutant(
        "a connection that is given up stays open",
        "bot/gateway/websocket.py",
        "                await self.close()\n            raise\n",
        "                pass\n            raise\n",
        "tests/bot/gateway/test_connections.py::test_a_connection_abandoned_before_identifying_is_closed",
    ),
    Mutant(
        "sessions that are invalid at once are begun again and again",
        "bot/gateway/client.py",
        "SESSION_PAUSE * (2.0 **",
        "SESSION_PAUSE * (1.0 **",
        "tests/bot/gateway/test_connections.py::test_sessions_that_are_invalidated_at_once_use_few_identifies",
    ),
    Mutant(
        "no shards at all leave the bot idle",
        "bot/gateway/client.py",
        "not 0 < shards <= MAX_SHARDS",
        "shards > MAX_SHARDS",
        "tests/bot/test_connection.py::test_an_invalid_number_of_shards_counts_as_an_outage",
    ),
    Mutant(
        "a server whose change cannot be read goes on with half of it",
        "bot/gateway/client.py",
        "guild.unavailable = True",
        "guild.unavailable = False",
        "tests/bot/gateway/test_salvage.py::test_a_server_that_cannot_be_read_counts_as_unavailable_and_its_readable_part_is_read",
    ),
    Mutant(
        "a session id of a wrong type is sent with RESUME",
        "bot/gateway/websocket.py",
        '            self.session_id = ""',
        "            pass",
        "tests/bot/gateway/test_websocket.py::test_the_numbers_that_resume_a_session_keep_their_types",
    ),
)
