"""Every change of the list can still be made, and the test that is to notice it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.places import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_what_is_changed_stands_once_in_its_file_and_its_test_is_there(mutant: Mutant) -> None:
    source = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert 1 == source.count(mutant.old)
    compile(source.replace(mutant.old, mutant.new), mutant.file, "exec", dont_inherit=True)
    file, _, test = mutant.test.partition("::")
    assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8") if test else (ROOT / file).exists()
