"""`make words`: update all catalogs from the code, and report the entries that lack a translation.

New entries are added, unused ones are marked (`#~`), and those with a changed English text become fuzzy: they count as
missing until a translator has checked them.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po

import locales
from locales import READER, catalogs, is_done, is_form, key_of, own_name
from locales.checking import entries, problems
from locales.extracting import SourceText, all_texts


def domain_of(path: str) -> str:
    """The catalog for the texts of a file: the game's or the package's."""
    match Path(path).with_suffix("").parts:
        case ("engine", "games", game, *_) if game != "__init__":
            return game
        case (package, *_):
            return package
    raise ValueError(f"no package: {path}")


def templates() -> dict[str, Catalog]:
    """All entries, untranslated, by catalog. A text used in several places is in the first of their catalogs."""
    catalogs_by_domain: dict[str, Catalog] = {"engine": Catalog()}
    catalogs_by_domain["engine"].add(
        READER, auto_comments=["What the reader is called at the beginning of a sentence, with spaces"]
    )
    domains: dict[tuple[str, str | None], str] = {}
    for text in sorted(all_texts(), key=_order):
        domain = domains.setdefault((text.words, text.context), domain_of(text.path))
        catalog, place = catalogs_by_domain.setdefault(domain, Catalog()), (text.path, text.line)
        catalog.add(text.words, locations=[place], auto_comments=text.notes, context=text.context)
    return catalogs_by_domain


def _order(text: SourceText) -> tuple[int, str, int]:
    packages, domain = ("engine", "renders", "bot"), domain_of(text.path)
    return packages.index(domain) if domain in packages else len(packages), text.path, text.line


def update(code: str, template_of: Mapping[str, Catalog]) -> str:
    """Update a language's catalogs with all entries. Returns a line about their completeness."""
    existing, all_entries, unused = catalogs(code), list[Message](), 0
    translations = {key_of(entry): entry for catalog in existing.values() for entry in catalog if is_done(entry)}
    used = {key_of(message) for template in template_of.values() for message in template}
    for domain, template in template_of.items():
        catalog = existing.get(domain) or Catalog(locale=code)
        forms = [message for message in catalog if is_form(message)]
        _set_header(catalog, f"{own_name(code)}: {domain}")
        _carry_over(catalog, template, translations)
        # A date or line numbers would change every catalog on every update.
        catalog.update(template, update_creation_date=False)
        catalog.obsolete = {
            key: entry for key, entry in catalog.obsolete.items() if not is_form(entry) and key_of(entry) not in used
        }
        # Templates do not have the forms of a language's words.
        for form in forms:
            catalog.add(form.id, form.string, context=form.context)
        path = locales.FOLDER / code / f"{domain}.po"
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalog, width=120, sort_by_file=True, include_lineno=False, omit_header=False)
        all_entries += entries(catalog)
        unused += len(catalog.obsolete)
    done, changed = sum(map(is_done, all_entries)), sum(entry.fuzzy for entry in all_entries)
    summary = f"{code}: {done} of {len(all_entries)} entries are translated"
    return f"{summary}, the English of {changed} has changed, {unused} are no longer used"


def _carry_over(catalog: Catalog, template: Catalog, translations: Mapping[str, Message]) -> None:
    """Copy translations of entries that moved here from another catalog."""
    for message in template:
        translated = translations.get(key_of(message))
        if translated and catalog.get(message.id, message.context) is None:
            catalog.add(message.id, translated.string, context=message.context)


def _set_header(catalog: Catalog, about: str) -> None:
    """Set the header of a catalog, without anything that would change on every update."""
    catalog.project, catalog.version, catalog.header_comment = "Caravanserai", "1", f"# {about}"
    catalog.last_translator = catalog.language_team = catalog.msgid_bugs_address = "Caravanserai"
    # Babel creates catalogs as fuzzy.
    catalog.fuzzy = False


def main() -> None:
    """Update the languages given on the command line, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m locales", description=__doc__)
    parser.add_argument("languages", nargs="*", help="such as `de`; one that is new gets its catalogs")
    codes = parser.parse_args().languages or sorted({path.parent.name for path in locales.FOLDER.glob("*/*.po")})
    every = templates()
    print("\n".join(update(code, every) for code in codes))
    print("\n".join(problem for code in codes for problem in problems(code) if "is not translated" not in problem))


if __name__ == "__main__":
    main()
