"""Changes to the code that nobody may make unnoticed: mostly of what keeps secrets and rights, one line each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """In a file `old`, which stands there once, becomes `new`; the `test` fails by that."""

    name: str
    file: str
    old: str
    new: str
    test: str


FULL = '__import__("dataclasses").replace(match.view(seat), state=match.state)'
"""A view that knows everything."""

MUTANTS = (
    Mutant(
        "a computer that thinks sees everything",
        "bot/computers/computers.py",
        "match.view(seat)",
        FULL,
        "tests/bot/computers/test_thinking.py::test_a_computer_that_thinks_sees_no_more_than_its_seat",
    ),
    Mutant(
        "a quick computer sees everything",
        "bot/tables/moves.py",
        "match.view(seat)",
        FULL,
        "tests/bot/test_viewers.py",
    ),
    Mutant(
        "My data holds the moves of everybody",
        "bot/store/user_data.py",
        "AND seat_history.seat = entries.seat AND entries.n >= seat_history.since",
        "AND entries.n >= seat_history.since",
        "tests/bot/settings/test_my_data.py::test_somebody_gets_all_that_is_kept_of_him_and_nobody_else",
    ),
    Mutant(
        "tables name people who want to be left out",
        "bot/store/ratings.py",
        '%"unlisted":true%',
        '%"unlisted":perhaps%',
        "tests/bot/stats/test_stats.py::test_who_wants_to_be_left_out_is_left_out_at_once",
    ),
    Mutant(
        "a page for everyone tells of other servers",
        "bot/stats/showing.py",
        "own=private and user_id == request.user_id",
        "own=user_id == request.user_id",
        "tests/bot/stats/test_stats.py::test_who_shows_it_to_everyone_shows_nothing_of_other_servers",
    ),
    Mutant(
        "the page of somebody who has left is shown",
        "bot/stats/showing.py",
        "if unlisted or not here.keys() >= set(others):",
        "if unlisted:",
        "tests/bot/stats/test_stats.py::test_who_has_left_the_server_is_not_named",
    ),
    Mutant(
        "who leaves a lost game loses nothing by it",
        "bot/tables/rated.py",
        "left = {seat: sat for seat in seats if (sat := _left(table, seat, events))}",
        "left = dict[Seat, PastHolder]()",
        "tests/bot/stats/test_ratings.py::test_who_resigns_for_good_is_last",
    ),
    Mutant(
        "anybody hands a seat over",
        "bot/moderation/server_games.py",
        "guild, services = server_of(request), request.services\n    table, user_id",
        "guild, services = request.response.interaction.guild, request.services\n    table, user_id",
        "tests/bot/moderation/test_server_games.py::test_nobody_but_a_moderator_hands_a_seat_over",
    ),
    Mutant(
        "the list of games shows one of another channel",
        "bot/view/games.py",
        "if table is None or table.row.channel_id != request.table.row.channel_id:",
        "if table is None:",
        "tests/bot/posting/test_aftermath.py::test_a_game_of_another_channel_is_not_shown_from_the_list",
    ),
    Mutant(
        "anybody chooses the computers",
        "bot/lobby/computer_seats.py",
        "require_host(request)\n    seat, player",
        "seat, player",
        "tests/bot/computers/test_computers.py::test_nobody_else_chooses",
    ),
    Mutant(
        "a discreet answer comes at once",
        "bot/tables/asides.py",
        "(aside.discreet or not match.is_open(seat))",
        "not match.is_open(seat)",
        "tests/bot/play/test_auto_answers.py::test_a_discreet_answer_takes_a_while_also_where_everybody_sees_all_of_it",
    ),
    Mutant(
        "an answer always takes two minutes",
        "bot/tables/asides.py",
        "return SHORTEST + timedelta(seconds=secrets.randbelow(int((LONGEST - SHORTEST).total_seconds())))",
        "return SHORTEST",
        "tests/bot/play/test_auto_answers.py::test_how_long_an_answer_takes_can_not_be_foretold",
    ),
    Mutant(
        "a typed secret is shown",
        "bot/play/your_move.py",
        "first and alone and own == others",
        "first and alone",
        "tests/bot/posting/test_board_answers.py::test_what_was_typed_is_for_its_player_alone_where_others_are_not_told_the_same",
    ),
    Mutant(
        "what seat 0 does not see is unseen",
        "bot/tables/moves.py",
        "after.history(None, since=before.version)",
        "after.history(Seat(0), since=before.version)",
        "tests/bot/play/test_at_once.py::test_what_only_its_player_is_told_brings_no_board",
    ),
    Mutant(
        "advice knows everything",
        "bot/play/your_move_layouts.py",
        "turn.ahead.state.observe(turn.seat).advice()",
        "turn.ahead.state.advice()",
        "tests/bot/settings/test_settings.py::test_advice_is_made_from_what_its_player_may_see",
    ),
    Mutant(
        "everybody may be called",
        "bot/interactions/parts.py",
        "everyone=False",
        "everyone=True",
        "tests/bot/posting/test_aftermath.py::test_whatever_the_bot_says_calls_nobody_it_did_not_mean_to",
    ),
    Mutant(
        "roles may be called",
        "bot/interactions/parts.py",
        "roles=False",
        "roles=True",
        "tests/bot/posting/test_aftermath.py::test_whatever_the_bot_says_calls_nobody_it_did_not_mean_to",
    ),
    Mutant(
        "a clock stops when somebody else acts",
        "bot/deadlines/board_clocks.py",
        "entries[n].seat == clock.seat",
        "entries[n].seat != clock.seat",
        "tests/bot/deadlines/test_pace.py::test_who_takes_longer_than_the_others_pays_from_the_own_bank",
    ),
    Mutant(
        "the morning message comes in quiet hours",
        "bot/jobs/digest.py",
        "(free := when_free(preferences, now)) > now",
        "(free := now) > now",
        "tests/bot/deadlines/test_mornings.py::test_a_message_that_is_late_waits_for_the_end_of_the_quiet_hours",
    ),
    Mutant(
        "what is due at once wakes nobody",
        "bot/store/jobs.py",
        "if self.asleep_until is None or due_at < self.asleep_until:",
        "if False:",
        "tests/bot/test_weeks.py",
    ),
    Mutant(
        "a job that waits for another one is forgotten",
        "bot/worker.py",
        "self._blocked.add(lane)",
        "pass",
        "tests/bot/test_weeks.py",
    ),
    Mutant(
        "a look at a vote that was hurried is noted nowhere",
        "bot/deadlines/timeouts.py",
        "else:  # noted in any case: the look at it may have been hurried",
        "elif planned(clock, now) != clock:",
        "tests/bot/test_weeks.py",
    ),
    Mutant(
        "what failed before is tried early for ever",
        "bot/worker.py",
        "self._failures.pop(job.key, None)  # it may have done its part, and written when it is due again",
        "pass",
        "tests/bot/test_worker_looks.py::test_what_has_done_its_part_is_not_tried_early_once_more",
    ),
    Mutant(
        "a snooze does not hold for a game that comes due",
        "bot/deadlines/reminder_times.py",
        "last.at + GAP, last.until))",
        "last.at + GAP))",
        "tests/bot/deadlines/test_reminder_times.py::test_a_snooze_holds_for_a_game_that_comes_due_meanwhile",
    ),
    Mutant(
        "why: nobody is told that a move is possible",
        "bot/play/why.py",
        "### You can do that now\\n{move}",
        "{move}",
        "tests/bot/play/test_why.py::test_what_is_told_is_what_playing_it_would_tell",
    ),
    Mutant(
        "why: nobody is told what a possible move is",
        "bot/play/why.py",
        "### You can do that now\\n{move}",
        "### You can do that now",
        "tests/bot/play/test_why.py::test_what_is_told_is_what_playing_it_would_tell",
    ),
    Mutant(
        "the alarm of a search stays on",
        "engine/players/thinking.py",
        "signal.alarm(0)",
        "pass",
        "tests/bot/computers/test_thinking.py::test_the_alarm_of_a_decision_is_switched_off",
    ),
    Mutant(
        "of several actions some are played",
        "engine/match.py",
        "self.ahead(seat, actions)  # all of them, or none",
        "pass",
        "tests/engine/test_match.py::test_of_several_actions_all_are_played_or_none",
    ),
    Mutant(
        "the board shows what seat 0 sees",
        "bot/posting/poster.py",
        "return match.view(None, since=since)",
        "return match.view(Seat(0), since=since)",
        "tests/bot/test_viewers.py",
    ),
    Mutant(
        "the board tells what seat 0 is told",
        "bot/posting/poster.py",
        "match.history(None, since=since)",
        "match.history(Seat(0), since=since)",
        "tests/bot/test_viewers.py",
    ),
    Mutant(
        "the log is that of seat 0",
        "bot/view/games.py",
        "match.history(seat), seat, around",
        "match.history(0), seat, around",
        "tests/bot/test_viewers.py",
    ),
    Mutant(
        "the text is that of seat 0",
        "bot/view/games.py",
        "match.view(request.table.seat_of(request.user_id))",
        "match.view(0)",
        "tests/bot/test_viewers.py",
    ),
    Mutant(
        "options are named by all that there is",
        "bot/tables/naming.py",
        "match.state.observe(you)",
        "match.state",
        "tests/bot/test_viewers.py",
    ),
    Mutant(
        "a hint knows everything",
        "bot/play/hints.py",
        "turn.ahead.view(turn.seat)",
        '__import__("dataclasses").replace(turn.ahead.view(turn.seat), state=turn.ahead.state)',
        "tests/bot/computers/test_hints.py::test_a_hint_is_made_from_what_its_player_may_see",
    ),
    Mutant(
        "what was written by a clock that was ahead stays in the future",
        "bot/deadlines/heartbeat.py",
        "if latest - now > TOLERANCE:",
        "if latest > now + timedelta.max / 100:",
        "tests/bot/deadlines/test_clock_set_back.py::test_reminders_go_on",
    ),
    Mutant(
        "plans stay where the records of their row move back",
        "bot/store/clock_steps.py",
        "(is_written_ahead or at - self.now > reach)",
        "at - self.now > reach",
        "tests/bot/store/test_clock_steps.py::"
        "test_a_record_in_the_future_takes_the_plans_of_its_row_along_however_small_the_step",
    ),
    Mutant(
        "a clock that is behind moves all that the right one has stored",
        "bot/deadlines/heartbeat.py",
        "offset is None or offset >= -MAX_OFFSET",
        "True",
        "tests/bot/deadlines/test_clock_set_back.py::"
        "test_what_the_right_clock_has_stored_stays_while_the_clock_is_behind",
    ),
    Mutant(
        "a process looks its servers up before it has the database",
        "bot/client.py",
        "await self.dispatcher.opened.wait()\n        await deleted_channels",
        "await deleted_channels",
        "tests/e2e/test_handover.py::test_a_process_that_comes_early_waits_for_the_database_and_for_nothing_else",
    ),
    Mutant(
        "a start that fails does not end the process",
        "bot/__main__.py",
        "asyncio.wait({connection, start_failed}, return_when=asyncio.FIRST_COMPLETED)",
        "asyncio.wait({connection})",
        "tests/e2e/test_handover.py::test_a_process_whose_shards_do_not_fit_ends_with_a_sentence",
    ),
    Mutant(
        "without semaphores computers have no workers",
        "bot/computers/thinkers.py",
        "if not (problem := semaphore_problem()):",
        "if not (problem := semaphore_problem()) or True:",
        "tests/bot/computers/test_without_semaphores.py::test_a_computer_decides_as_it_would_with_semaphores",
    ),
    Mutant(
        "where no worker can be had computers play at random",
        "bot/computers/thinkers.py",
        "asyncio.to_thread(chosen, player, view, seed, LEAST_EFFORT)",
        "asyncio.to_thread(chosen, IN_TROUBLE, view, seed, LEAST_EFFORT)",
        "tests/bot/computers/test_without_semaphores.py::"
        "test_where_no_worker_can_be_had_a_computer_thinks_for_a_moment_and_never_plays_at_random",
    ),
)
