"""`make words`: brings all catalogs up to date with the code, and says what is missing in each language.

New entries are added, those that are no longer used are marked (`#~`), and those whose English has changed are fuzzy:
they count as missing until somebody has looked at them.
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
from locales.extracting import Found, words_of_everything


def domain_of(path: str) -> str:
    """The catalog to which the words of a file belong: a game's, or that of a package."""
    match Path(path).with_suffix("").parts:
        case ("engine", "games", game, *_) if game != "__init__":
            return game
        case (package, *_):
            return package
    raise ValueError(f"no package: {path}")


def templates() -> dict[str, Catalog]:
    """All entries, untranslated, by catalog; what is said in several places is in the first one of these."""
    made: dict[str, Catalog] = {"engine": Catalog()}
    made["engine"].add(READER, auto_comments=["What the reader is called at the beginning of a sentence, with spaces"])
    domains: dict[tuple[str, str | None], str] = {}
    for found in sorted(words_of_everything(), key=_order):
        domain = domains.setdefault((found.words, found.context), domain_of(found.path))
        catalog, place = made.setdefault(domain, Catalog()), (found.path, found.line)
        catalog.add(found.words, locations=[place], auto_comments=found.notes, context=found.context)
    return made


def _order(found: Found) -> tuple[int, str, int]:
    packages, domain = ("engine", "renders", "bot"), domain_of(found.path)
    return packages.index(domain) if domain in packages else len(packages), found.path, found.line


def update(code: str, template_of: Mapping[str, Catalog]) -> str:
    """Bring the catalogs of a language up to date with all entries. Returns a line that says how complete they are."""
    existing, found, unused = catalogs(code), list[Message](), 0
    translations = {key_of(one): one for catalog in existing.values() for one in catalog if is_done(one)}
    used = {key_of(one) for template in template_of.values() for one in template}
    for domain, template in template_of.items():
        catalog = existing.get(domain) or Catalog(locale=code)
        forms = [message for message in catalog if is_form(message)]
        _head(catalog, f"{own_name(code)}: {domain}")
        _carry_over(catalog, template, translations)
        # The date of an update would be a change in every catalog, and so would line numbers.
        catalog.update(template, update_creation_date=False)
        catalog.obsolete = {
            key: one for key, one in catalog.obsolete.items() if not is_form(one) and key_of(one) not in used
        }
        # No template knows the forms of a language.
        for form in forms:
            catalog.add(form.id, form.string, context=form.context)
        path = locales.FOLDER / code / f"{domain}.po"
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalog, width=120, sort_by_file=True, include_lineno=False, omit_header=False)
        found += entries(catalog)
        unused += len(catalog.obsolete)
    done, changed = sum(map(is_done, found)), sum(one.fuzzy for one in found)
    told = f"{code}: {done} of {len(found)} entries are translated"
    return f"{told}, the English of {changed} has changed, {unused} are no longer used"


def _carry_over(catalog: Catalog, template: Catalog, translations: Mapping[str, Message]) -> None:
    """Add the entries that another catalog of the language has translated."""
    for message in template:
        translated = translations.get(key_of(message))
        if translated and catalog.get(message.id, message.context) is None:
            catalog.add(message.id, translated.string, context=message.context)


def _head(catalog: Catalog, about: str) -> None:
    """What tools read of a catalog before its entries; nothing that would change with every update."""
    catalog.project, catalog.version, catalog.header_comment = "Caravanserai", "1", f"# {about}"
    catalog.last_translator = catalog.language_team = catalog.msgid_bugs_address = "Caravanserai"
    # Babel begins a catalog as fuzzy, until somebody has looked at its head.
    catalog.fuzzy = False


def main() -> None:
    """Update the languages that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m locales", description=__doc__)
    parser.add_argument("languages", nargs="*", help="such as `de`; one that is new gets its catalogs")
    chosen = parser.parse_args().languages or sorted({path.parent.name for path in locales.FOLDER.glob("*/*.po")})
    every = templates()
    print("\n".join(update(code, every) for code in chosen))
    print("\n".join(problem for code in chosen for problem in problems(code) if "is not translated" not in problem))


if __name__ == "__main__":
    main()
