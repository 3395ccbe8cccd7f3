"""Every change of the list can still be made, and the test that is to notice it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.places import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_each_mutant_matches_one_place_in_its_file_and_has_an_existing_test(mutant: Mutant) -> None:
    source = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert 1 == source.count(mutant.old)
    compile(source.replace(mutant.old, mutant.new), mutant.file, "exec", dont_inherit=True)
    file, _, test = mutant.test.partition("::")
    assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8") if test else (ROOT / file).exists()
