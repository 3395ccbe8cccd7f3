"""What all tests share."""

from __future__ import annotations

import os

import pytest

os.environ["COMPUTER"] = "uniform"  # the bots of the tests need not play well, but at once


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--bless` accepts new recorded output: pictures and playthroughs. A human looks at the difference."""
    parser.addoption("--bless", action="store_true", help="rewrite recorded pictures and playthroughs")


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    """Whether recorded output is to be rewritten."""
    return bool(request.config.getoption("--bless"))
