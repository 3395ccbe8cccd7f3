"""Every change of the list can still be made, and the test that is to notice it is there."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

from tests.mutants.mutant import Mutant, all_mutants

ROOT = Path(__file__).parents[2]
BLOCK = r"\n(?=[@\w])"
"""The end of a line before a statement that is not indented."""


def test_each_mutant_matches_one_place_in_its_file_and_has_an_existing_test() -> None:
    assert [] == [mutant.name for mutant in all_mutants() if not (_has_one_place(mutant) and _has_a_test(mutant))]


def test_each_mutant_can_be_compiled() -> None:
    """A file that cannot would fail any test."""
    assert [] == [mutant.name for mutant in all_mutants() if not _is_python(mutant)]


def test_no_two_mutants_make_the_same_change() -> None:
    changes = Counter((mutant.file, _changed(mutant)) for mutant in all_mutants())
    assert [] == [file for (file, _), number in changes.items() if number > 1]


@cache
def _source(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def _changed(mutant: Mutant) -> str:
    return _source(mutant.file).replace(mutant.old, mutant.new)


def _has_one_place(mutant: Mutant) -> bool:
    return _source(mutant.file).count(mutant.old) == 1


def _is_python(mutant: Mutant) -> bool:
    return _compiles(_changed_block(mutant)) or _compiles(_changed(mutant))


def _changed_block(mutant: Mutant) -> str:
    """The function, class or assignment with the change: to compile whole files takes five times as long."""
    before, _, after = _source(mutant.file).partition(mutant.old)
    return f"{re.split(BLOCK, before)[-1]}{mutant.new}{re.split(BLOCK, after, maxsplit=1)[0]}"


def _compiles(source: str) -> bool:
    try:
        compile(source, "<change>", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def _has_a_test(mutant: Mutant) -> bool:
    file, _, test = mutant.test.partition("::")
    return f"def {test}(" in _source(file) if test else (ROOT / file).exists()
