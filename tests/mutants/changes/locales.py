"""Changes to `locales`."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        "commands have names that Discord refuses",
        "locales/__init__.py",
        "if _NAME.fullmatch(name) and name == name.lower() else",
        "if _NAME.fullmatch(name) else",
        "tests/test_locales.py::test_a_command_keeps_its_english_name_if_the_translation_is_invalid_for_discord",
    ),
    Mutant(
        "a language has a small letter at the beginning of its name",
        "locales/__init__.py",
        "name[:1].upper() + name[1:]",
        "name",
        "tests/test_locales.py::test_each_language_has_its_own_plurals_numbers_dates_and_name",
    ),
    Mutant(
        "every language has the plurals of English",
        "locales/__init__.py",
        "self._categories.index(self.locale.plural_form(count))",
        "int(count != 1)",
        "tests/test_locales.py::test_each_language_has_its_own_plurals_numbers_dates_and_name",
    ),
    Mutant(
        "a negative number has a hyphen",
        "locales/__init__.py",
        '.replace("-", "−")',
        "",
        "tests/test_locales.py::test_each_language_has_its_own_plurals_numbers_dates_and_name",
    ),
    Mutant(
        "sentences translate the commands of games",
        "locales/__init__.py",
        '        if f"{NAME}{CONTEXT}{group}" not in self._names:\n            return match[0]\n',
        "",
        "tests/test_locales.py::test_a_translated_sentence_localizes_command_names_except_those_of_games",
    ),
    Mutant(
        "what is not translated is shown with its context",
        "locales/__init__.py",
        "template.rpartition(CONTEXT)[2]",
        "template",
        "tests/test_locales.py::test_untranslated_and_outdated_entries_stay_english",
    ),
    Mutant(
        "decimals have an English point",
        "locales/__init__.py",
        'self.locale.number_symbols["latn"]["decimal"]',
        '"."',
        "tests/test_locales.py::test_each_language_has_its_own_plurals_numbers_dates_and_name",
    ),
    Mutant(
        "a package changes translations of ours",
        "locales/__init__.py",
        "sources = [*(_read_catalog(path, code) for path in package_files(code)), *catalogs(code).values()]",
        "sources = [*catalogs(code).values(), *(_read_catalog(path, code) for path in package_files(code))]",
        "tests/test_locales.py::test_an_external_package_adds_translations_but_cannot_override_ours",
    ),
)
