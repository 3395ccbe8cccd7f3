"""Changes to `bot.computers`."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

FULL = '__import__("dataclasses").replace(match.view(seat), state=match.state)'
"""A view that knows everything."""

MUTANTS = (
    Mutant(
        "a computer that thinks sees everything",
        "bot/computers/computers.py",
        "match.view(seat)",
        FULL,
        "tests/bot/computers/test_thinking.py::test_a_thinking_computer_sees_only_what_its_seat_sees",
    ),
    Mutant(
        "without semaphores computers have no workers",
        "bot/computers/thinkers.py",
        "if not (problem := semaphore_problem()):",
        "if not (problem := semaphore_problem()) or True:",
        "tests/bot/computers/test_without_semaphores.py::test_decisions_without_semaphores_equal_those_with_them",
    ),
    Mutant(
        "where no worker is available computers play at random",
        "bot/computers/thinkers.py",
        "asyncio.to_thread(choose_action, player, view, seed, LEAST_EFFORT)",
        "asyncio.to_thread(choose_action, FALLBACK, view, seed, LEAST_EFFORT)",
        "tests/bot/computers/test_without_semaphores.py::test_without_workers_a_computer_thinks_briefly_and_never_plays_at_random",
    ),
    Mutant(
        "workers inherit the token",
        "bot/computers/processes.py",
        "        with without_secrets():\n            super().start()",
        "        super().start()",
        "tests/bot/computers/test_thinking.py::test_no_process_that_the_bot_starts_inherits_its_secrets",
    ),
    Mutant(
        "the hints of a user are forgotten although they asked last",
        "bot/computers/questions.py",
        "        self._answers.move_to_end(user_id)\n",
        "",
        "tests/bot/computers/test_questions.py::test_the_answer_of_the_user_who_asked_last_is_kept_the_longest",
    ),
)
