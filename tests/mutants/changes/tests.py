"""Changes to `tests`."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        "nothing looks at second byes",
        "tests/crowd/league_promises.py",
        "    byes_go_around,\n",
        "",
        "tests/bot/leagues/test_seasons.py::test_the_judge_detects_an_unfair_second_bye",
    ),
    Mutant(
        "nothing looks at seats of strangers",
        "tests/crowd/league_promises.py",
        "    free_seats_go_to_players_of_the_group_without_a_seat,\n",
        "",
        "tests/bot/leagues/test_seasons.py::test_the_judge_detects_seats_for_outsiders_and_double_seats",
    ),
    Mutant(
        "nothing looks at winners",
        "tests/crowd/league_promises.py",
        '    if last.words.count("👑") != crowns:',
        "    if False:",
        "tests/bot/leagues/test_seasons.py::test_the_judge_detects_winners_without_points",
    ),
    Mutant(
        "nothing looks at ratings",
        "tests/crowd/rows.py",
        "if wrong := wrong_ratings(look):",
        "if wrong := []:",
        "tests/bot/leagues/test_seasons.py::test_the_judge_detects_wrong_ratings",
    ),
    Mutant(
        "nothing looks at jobs that are left undone",
        "tests/crowd/world.py",
        "        if undone:",
        "        if False:",
        "tests/bot/leagues/test_seasons.py::test_the_judge_detects_an_undone_job",
    ),
    Mutant(
        "the second reading of a league forgets games that were given up",
        "tests/crowd/league_promises.py",
        "tuple(companies), people, lost)",
        "tuple(companies), people)",
        "tests/bot/leagues/test_seasons.py::test_leagues_keep_their_promises_through_kills_leavers_and_late_players",
    ),
    Mutant(
        "a command is not judged by its work",
        "bot/features/deadlines/pace_and_votes.py",
        '@groups.table.command("pace",',
        '@groups.table.command("tempo",',
        "tests/bot/test_worst_user.py::test_every_command_is_among_the_expensive_acts_or_known_as_cheap",
    ),
)
