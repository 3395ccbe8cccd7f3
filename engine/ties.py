"""Sentences on equal scores at the end of a game, for `Outcome.tie_break`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.texts import Text, joined

STILL_TIED = Text("Those still tied share the win.")
LOWER_PLACES = Text("Equal scores below first place share a place.")


def explain_ties(
    returns: Sequence[float],
    scores: Sequence[int],
    equal: Text,
    deciding: Sequence[Text] = (),
    companies: Sequence[int] = (),
) -> Text | None:
    """Explain equal scores, at every place; `None` if no two companies have the same score.

    `deciding` has a sentence for each tie-breaker that separates seats with the best score, and `equal` is the sentence
    if none does. `companies` numbers the company of each seat; by default each seat is on its own.

    >>> shared = Text("Tied on points: the win is shared.")
    >>> str(explain_ties((0.5, 0.5, 0.0, 0.0), (7, 7, 2, 2), shared))
    'Tied on points: the win is shared. Equal scores below first place share a place.'
    """
    # The usual end, in a hot path of the search.
    if len(set(scores)) == len(scores):
        return None
    results = dict(zip(companies or range(len(scores)), zip(returns, scores, strict=True), strict=True))
    best = max(returns)
    behind = [score for value, score in results.values() if value < best]
    sentences = [*deciding]
    if len(results) - len(behind) > 1:
        sentences.append(STILL_TIED if deciding else equal)
    if len(set(behind)) < len(behind):
        sentences.append(LOWER_PLACES)
    return joined(sentences) if sentences else None
