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
)
