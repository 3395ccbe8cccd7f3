"""Every change of the list can still be made, and the test that is to notice it is there."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from tests.mutants.mutant import Mutant, all_mutants

ROOT = Path(__file__).parents[2]


def test_each_mutant_matches_one_place_in_its_file_and_has_an_existing_test() -> None:
    assert [] == [mutant.name for mutant in all_mutants() if not (_has_one_place(mutant) and _has_a_test(mutant))]


def test_no_two_mutants_make_the_same_change() -> None:
    changes = Counter((mutant.file, _changed(mutant)) for mutant in all_mutants())
    assert [] == [file for (file, _), number in changes.items() if number > 1]


def _changed(mutant: Mutant) -> str:
    return (ROOT / mutant.file).read_text(encoding="utf-8").replace(mutant.old, mutant.new)


def _has_one_place(mutant: Mutant) -> bool:
    source = (ROOT / mutant.file).read_text(encoding="utf-8")
    ast.parse(_changed(mutant))
    return source.count(mutant.old) == 1


def _has_a_test(mutant: Mutant) -> bool:
    file, _, test = mutant.test.partition("::")
    return f"def {test}(" in (ROOT / file).read_text(encoding="utf-8") if test else (ROOT / file).exists()
