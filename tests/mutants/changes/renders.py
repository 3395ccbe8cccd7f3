"""Changes to `renders`."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        "options that name a bandit have no drawing",
        "renders/town/symbols.py",
        "if (thief := thief_of(action)) is not None:",
        'if (thief := getattr(action, "thief", None)) is not None:',
        "tests/renders/test_every_picture.py::test_an_option_that_names_a_piece_has_a_drawing_beside_it",
    ),
    Mutant(
        "a changed drawing keeps its emoji",
        "renders/symbols.py",
        '        return f"{self.name}_{sha256(self.drawing.encode()).hexdigest()[:6]}"\n',
        '        return f"{self.name}_{sha256(self.name.encode()).hexdigest()[:6]}"\n',
        "tests/bot/interactions/test_emojis.py::test_a_changed_drawing_has_a_new_name",
    ),
    Mutant(
        "partners add up towers only",
        "renders/games/jinns/description.py",
        "    both = state.score(seat) + state.score(partner)\n",
        "    both = state.taken_points(seat) + state.taken_points(partner)\n",
        "tests/renders/test_jinns.py::test_the_descriptions_add_up_the_points_of_partners",
    ),
    Mutant(
        "spaces beyond the end of the walk",
        "renders/town/description.py",
        "min(MAX_STEPS_AHEAD, state.steps_left) + 1",
        "MAX_STEPS_AHEAD + 1",
        "tests/renders/test_town.py::test_the_long_description_lists_the_spaces_ahead_up_to_the_end_of_the_game",
    ),
)
