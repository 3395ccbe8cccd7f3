"""`xx`: English with accents, 40 % longer. What is not in it when it should be has bypassed the catalogs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.languages import CONTEXT, Language

_ACCENTED = str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ")
# fields are never letters of their own; commands, links, mentions and times are no words
_FIELD = re.compile(r"\{\w+(?::([^}]*))?\}|`[^`]*`|<[^>]*>|https?://\S+|\{\{|\}\}")


class Pseudo(Language):
    """English as no English reader would miss it."""

    code = "xx"
    reader = ("yóú ", "yóúr ")

    def translated(self, template: str) -> str:
        """The template with an accent on every vowel, and filled up at its end."""
        template = template.rpartition(CONTEXT)[2]
        parts, end = [], 0
        for found in _FIELD.finditer(template):
            forms = found[1]
            parts.append(template[end : found.start()].translate(_ACCENTED))
            accented = "|".join(form.translate(_ACCENTED) for form in forms.split("|")) if forms else ""
            parts.append(found[0].replace(f":{forms}}}", f":{accented}}}") if forms else found[0])
            end = found.end()
        return "".join((*parts, template[end:].translate(_ACCENTED)))

    def listed(self, words: Sequence[str]) -> str:
        """With an *and* of its own."""
        return f"{', '.join(words[:-1])} ánd {words[-1]}" if len(words) > 1 else "".join(words)
