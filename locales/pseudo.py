"""Pseudo-language `xx`: English with accented vowels. Text without them has bypassed the catalogs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.languages import CONTEXT, Language

_ACCENTED = str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ")
# Fields keep their names; commands, links, mentions and times are not translated.
_FIELD = re.compile(r"\{\w+(?::([^}]*))?\}|`[^`]*`|<[^>]*>|https?://\S+|\{\{|\}\}")


class Pseudo(Language):
    """English with an accent on every vowel."""

    code = "xx"
    reader = ("yóú ", "yóúr ")

    def translate(self, template: str) -> str:
        """Put an accent on every vowel of the template."""
        template = template.rpartition(CONTEXT)[2]
        parts, end = [], 0
        for match in _FIELD.finditer(template):
            forms = match[1]
            parts.append(template[end : match.start()].translate(_ACCENTED))
            accented = "|".join(form.translate(_ACCENTED) for form in forms.split("|")) if forms else ""
            parts.append(match[0].replace(f":{forms}}}", f":{accented}}}") if forms else match[0])
            end = match.end()
        return "".join((*parts, template[end:].translate(_ACCENTED)))

    def join_words(self, words: Sequence[str]) -> str:
        """Join words with an accented *and*."""
        return f"{', '.join(words[:-1])} ánd {words[-1]}" if len(words) > 1 else "".join(words)
