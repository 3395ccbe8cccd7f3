"""Inputs from outside: now anything at all, now something that is nearly right, which goes deeper."""

from __future__ import annotations

import os
import string
from collections.abc import Sequence

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

TRIES = int(os.environ.get("FUZZ", "25"))
"""Inputs a test: few among the tests, very many with `make fuzz`, which finds others every time."""

tried = settings(
    max_examples=TRIES,
    deadline=None,
    derandomize="FUZZ" not in os.environ,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
"""Number of examples, without a limit of time: machines are busy."""

SIGNS = string.ascii_letters + string.digits + " ,-:~_/=#'\"\\\n\t\0é字🧞\u202e"


@st.composite
def nearly(draw: st.DrawFn, right: Sequence[str]) -> str:
    """A right word with a few signs changed, added, dropped or doubled."""
    words = draw(st.sampled_from(right))
    for _ in range(draw(st.integers(0, 3))):
        start, end = sorted((draw(st.integers(0, len(words))), draw(st.integers(0, len(words)))))
        put = draw(st.sampled_from(["", words[start:end] * 2]) | st.text(SIGNS, max_size=3))
        words = words[:start] + put + words[end:]
    return words


def words_like(right: Sequence[str]) -> st.SearchStrategy[str]:
    """Nearly right words, and any others."""
    return nearly(right) | st.text(SIGNS, max_size=120) | st.text(max_size=40)


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
"""Values as they stand in a message."""
