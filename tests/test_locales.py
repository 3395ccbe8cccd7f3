"""Catalogs: every text that players read is extracted from the code and has a translation in each language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import date, time
from itertools import product
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

import locales
from bot.commands import all_commands
from engine.errors import NotationError
from engine.games import discover
from engine.languages import CONTEXT, ENGLISH, reading
from engine.notation import parse_action
from engine.texts import FIELD, VALUE_WORDS, Seat, Text, Word, term
from kit.playouts import setups_near_the_default
from locales.__main__ import domain_of, templates, update
from locales.checking import problems
from locales.extracting import extract_templates
from locales.typography import fill_by_sound, pronouncing

TAKES_NOBODY = ("{seat} {seat:takes|take} nobody.", "{seat} {seat:nimmt|nimmst} niemanden.")


@pytest.fixture(scope="module")
def catalogs_by_domain() -> dict[str, Catalog]:
    """All entries, untranslated."""
    return templates()


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a small German catalog."""
    catalog = Catalog(locale="de")
    catalog.add(locales.READER, "du |dein")
    catalog.add("you", "du")
    catalog.add(*TAKES_NOBODY)
    catalog.add("{n} {n:card|cards} of {color} people", "{n} {n:Karte|Karten} von {color:dat^} Leuten, {color:der|die}")
    catalog.add("red", "rot")
    catalog.add("red", "roten", context="dat")
    catalog.add("red", "1", context="form")
    catalog.add("{people} play", "{people} spielen", flags=["fuzzy"])
    (tmp_path / "de").mkdir()
    with (tmp_path / "de" / "engine.po").open("wb") as file:
        write_po(file, catalog)
    monkeypatch.setattr(locales, "FOLDER", tmp_path)
    clear_caches()
    yield tmp_path
    clear_caches()


def clear_caches() -> None:
    """Clear the caches after a change of the folder."""
    for cached in (locales.languages, locales.language_of, locales._load):
        cached.cache_clear()


def in_german(text: Text) -> str:
    with reading(locales.language_of("de")):
        return str(text)


def test_all_text_templates_are_found_in_the_code() -> None:
    texts, unknown = extract_templates("engine", "renders", "bot")
    assert [] == unknown
    assert len({text.words for text in texts}) > 1500


def test_every_entry_is_in_one_catalog_with_its_locations(catalogs_by_domain: dict[str, Catalog]) -> None:
    entries = [(domain, message) for domain, catalog in catalogs_by_domain.items() for message in catalog if message.id]
    assert len(entries) == len({locales.key_of(message) for _, message in entries}) > 1900
    assert {"engine", "renders", "bot", "muscat"} <= catalogs_by_domain.keys()
    assert all(message.locations for _, message in entries if message.id != locales.READER)


@pytest.mark.usefixtures("german")
def test_a_language_formats_numbers_plurals_and_lists_in_its_own_way() -> None:
    assert ("en", "de") == locales.languages()
    assert in_german(Text("{n} {n:card|cards} of {color} people", n=1200, color=Text("red"))) == (
        "1.200 Karten von Roten Leuten, die"
    )
    text = Text(TAKES_NOBODY[0], seat=Seat(0))
    with reading(locales.language_of("de-AT")):
        assert "Red nimmt niemanden." == str(text)
    assert "a, b und c" == locales.language_of("de").join_words(["a", "b", "c"])


def test_each_language_has_its_own_plurals_numbers_dates_and_name() -> None:
    french, spanish = map(locales.language_of, ("fr", "es"))
    assert [0, 0, 2] == [french.form(count) for count in (0, 1, 2)], "zero is singular; millions have a form"
    assert [2, 0, 2, 1] == [spanish.form(count) for count in (0, 1, 2, 1_000_000)]
    german = locales.language_of("de")
    assert ["−1.200", "1,5"] == [german.number(-1200), german.decimals("1.5")]
    assert ["+1.800,0", "−0,25", "12"] == [german.decimals(digits) for digits in ("+1800.0", "-0.25", "12")]
    assert ["+1,800.0", "−0.25", "12"] == [ENGLISH.decimals(digits) for digits in ("+1800.0", "-0.25", "12")]
    assert ["November 5, 2026", "5. November 2026"] == [
        language.day(date(2026, 11, 5)) for language in (ENGLISH, german)
    ]
    times = time(0), time(9, 5), time(12), time(22), time(22, 30)
    assert ["12 AM", "9:05 AM", "12 PM", "10 PM", "10:30 PM"] == list(map(ENGLISH.time_of_day, times))
    assert ["00:00", "09:05", "12:00", "22:00", "22:30"] == list(map(german.time_of_day, times))
    assert ["Deutsch", "Español", "Français", "Italiano"] == list(map(locales.own_name, ("de", "es", "fr", "it")))


def test_spanish_conjunctions_follow_the_sound_of_the_next_word() -> None:
    spanish = locales.Translation("es", {"{a} and {b}": "{a} y **{b}**", "{a} or {b}": "{a} o {b}"}, {})

    def both(template: str, value: str) -> str:
        with reading(spanish):
            return str(Text(template, a="Ana", b=value))

    ends = {"Inés": "e", "Hilda": "e", "🔵 Iris": "e", "Hielo": "y", "Yago": "y", "Ben": "y"}
    assert ends == {value: both("{a} and {b}", value).split()[1] for value in ends}
    ends = {"Olga": "u", "hojas": "u", "8": "u", "80": "u", "11": "u", "110": "o", "−8": "o", "18": "o"}
    assert ends == {value: both("{a} or {b}", value).split()[1] for value in ends}
    assert "Inés, Ana e Iris" == spanish.join_words(["Inés", "Ana", "Iris"])
    with pronouncing({"<@1>": "Inés", "<@2>": "Ben"}):
        ends = {"<@1>": "e", "🔵 <@1>": "e", "<@2>": "y", "<@3>": "y"}
        assert ends == {value: both("{a} and {b}", value).split()[1] for value in ends}
        assert "Ana e <@1>" == spanish.join_words(["Ana", "<@1>"])
    assert ["", "Ana"] == [spanish.join_words(words) for words in ([], ["Ana"])]


def test_a_conjunction_at_the_beginning_keeps_its_capital() -> None:
    assert "E Inés, y Ana" == fill_by_sound("es", "Y {a}, y {b}", {"a": "Inés", "b": "Ana"})
    assert "E Y2, y Yago" == fill_by_sound("es", "Y {a}, y {b}", {"a": "Y2", "b": "Yago"})


def test_french_words_lose_their_vowel_before_another() -> None:
    ends = {
        "Anna": "d’Anna",
        "**Élise**": "d’**Élise**",
        "Ben": "de Ben",
        "🔵 Anna": "d’🔵 Anna",
        "Yves": "de Yves",
        "8": "de 8",
    }
    assert ends == {value: fill_by_sound("fr", "de {a}", {"a": value}) for value in ends}
    assert "Qu’Anna" == fill_by_sound("fr", "Que {a}", {"a": "Anna"})


def test_italian_prepositions_and_conjunctions_follow_the_sound_of_the_next_word() -> None:
    entries = {"To {a}": "A {a}", "{a} and {b}": "{a} e **{b}**", "It leaves {b}.": "{b:lascia a @|ti lascia}."}
    italian = locales.Translation("it", entries, {})

    def both(template: str, value: str) -> str:
        with reading(italian):
            return str(Text(template, **{name: value for name in "ab" if f"{{{name}}}" in template}))

    ends = {"Anna": "Ad", "Àgata": "Ad", "<:red:1> Anna": "Ad", "Elena": "A", "<:a:1> Ugo": "A", "<@1>": "A", "8": "A"}
    assert ends == {value: both("To {a}", value).split()[0] for value in ends}
    ends = {"Elena": "ed", "Èva": "ed", "Anna": "e", "🔵 Ester": "ed", "11": "e"}
    assert ends == {value: both("{a} and {b}", value).split(" **")[0].split()[-1] for value in ends}
    assert ["lascia ad Anna.", "lascia a Ugo."] == [both("It leaves {b}.", name) for name in ("Anna", "Ugo")]
    assert "Anna, Ugo ed Elena" == italian.join_words(["Anna", "Ugo", "Elena"])


def test_italian_articles_follow_the_sound_of_a_number() -> None:
    ends = {"8º": "l’8º", "80": "l’80", "11º": "l’11º", "11.000": "l’11.000", "110": "il 110", "ottavo": "l’ottavo"}
    assert ends == {value: fill_by_sound("it", "il {n}", {"n": value}) for value in ends}
    assert "Dell’8º" == fill_by_sound("it", "Del {n}", {"n": "8º"})
    # A form of another word between them may be empty.
    template = "Dopo il {seat:|tuo }{n}."
    turns = [fill_by_sound("it", template, {"seat": form, "n": "8º"}) for form in (worded_as(0), worded_as(1))]
    assert ["Dopo l’8º.", "Dopo il tuo 8º."] == turns


def worded_as(form: int) -> Word:
    word = Word("Ana")
    word.form = form
    return word


def test_each_word_of_a_list_has_its_named_form() -> None:
    entries = {"Without {things}.": "Ohne {things:dat}."}
    german_words = locales.Translation("de", entries, {("rot", "dat"): "roten", ("blau", "dat"): "blauen"})
    with reading(german_words):
        assert "Ohne roten und blauen." == str(Text("Without {things}.", things=("rot", "blau")))


def test_french_punctuation_never_begins_a_line() -> None:
    french = locales.Translation("fr", {"Who?": "« {name} » : qui ? Tape `a : b` !"}, {})
    assert "«\u202f{name}\u202f»\u202f: qui\u202f? Tape `a : b`\u202f!" == french.translate("Who?")


def test_a_command_keeps_its_english_name_if_the_translation_is_invalid_for_discord() -> None:
    key, names = f"{locales.NAME}{CONTEXT}move", ("zug", "zug-um", "Zug", "ein zug", "z" * 33, "")
    languages = [locales.Translation("de", {key: name}, {}) for name in names]
    assert ["zug", "zug-um", *["move"] * 4] == [language.translate_name(locales.NAME, "move") for language in languages]


def test_a_translated_sentence_localizes_command_names_except_those_of_games() -> None:
    names = {f"{locales.NAME}{CONTEXT}{english}": german for english, german in (("game", "spiel"), ("move", "zug"))}
    german = locales.Translation("de", {**names, "Try": "`/game move`, `/game`, `/jinns move`, `move`"}, {})
    assert "`/spiel zug`, `/spiel`, `/jinns move`, `move`" == german.translate("Try")


def test_a_sentence_names_options_in_its_language_and_has_the_signs_of_that() -> None:
    entries = {
        f"{locales.NAME}{CONTEXT}table": "tisch",
        f"{locales.OPTION}{CONTEXT}at": "ab",
        "With `at` and `/table at`?": "Mit `at` und `/table at` ?",
    }
    german, french = (locales.Translation(code, entries, {}) for code in ("de", "fr"))
    assert "Mit `ab` und `/tisch at` ?" == german.translate("With `at` and `/table at`?")
    assert "Mit `ab` und `/tisch at`\u202f?" == french.translate("With `at` and `/table at`?")


def test_languages_come_in_one_order_english_first_and_have_their_own_commands() -> None:
    assert ("en", "de", "es", "fr", "it") == locales.languages()
    assert ["liga", "wiederherstellen"] == [
        locales.language_of("de").translate_name(locales.NAME, "league"),
        locales.language_of("de").translate_name(locales.OPTION, "redo"),
    ]


def test_a_locale_folder_may_be_for_one_country(german: Path) -> None:
    (german / "de").rename(german / "pt_BR")
    clear_caches()
    assert "pt_BR" == locales.language_of("pt-BR").code
    assert locales.language_of("pt-PT") is ENGLISH
    assert "Português (Brasil)" == locales.own_name("pt_BR")


@pytest.mark.usefixtures("german")
def test_untranslated_and_outdated_entries_stay_english() -> None:
    assert "Nobody knows this." == in_german(Text("Nobody knows this."))
    assert "4 play" == in_german(Text("{people} play", people=4))
    assert "luck" == in_german(Text(f"a column{CONTEXT}luck")), "what an entry is says nothing to readers"
    assert locales.language_of("tlh") is ENGLISH


def test_an_external_package_adds_translations_but_cannot_override_ours(
    german: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = Catalog(locale="de")
    for english, translation in ((TAKES_NOBODY[0], "Alles gehört mir."), ("camel", "Kamel")):
        theirs.add(english, translation)
    theirs.add("red", "0", context="form")
    with (path := german / "package.po").open("wb") as file:
        write_po(file, theirs)
    monkeypatch.setattr(locales, "package_files", lambda code="*": [path] if code == "de" else [])
    clear_caches()
    assert "Kamel" == in_german(Text("camel"))
    assert "Red nimmt niemanden." == in_german(Text(TAKES_NOBODY[0], seat=Seat(0)))
    assert 1 == locales.language_of("de").agreement("rot")


@pytest.mark.usefixtures("german")
def test_a_sentence_about_the_reader_begins_with_a_capital() -> None:
    from engine.texts import SEAT_COLORS, format_text

    with reading(locales.language_of("de")):
        assert "Du nimmst niemanden." == format_text(Text(TAKES_NOBODY[0], seat=Seat(0)), SEAT_COLORS, Seat(0))


def test_updating_catalogs_keeps_translations(german: Path) -> None:
    catalog = Catalog()
    catalog.add(TAKES_NOBODY[0])
    catalog.add("A new one.")
    catalog.add("red")
    summary = "de: 2 of 3 entries are translated, the English of 0 has changed, 4 are no longer used"
    assert summary == update("de", {"engine": catalog})
    assert TAKES_NOBODY[1] in (german / "de" / "engine.po").read_text("utf-8")
    (catalog_after,) = locales.catalogs("de").values()
    form = catalog_after.get("red", "dat")
    assert form is not None
    assert "roten" == form.string


def test_an_entry_that_moves_to_another_catalog_keeps_its_translation(german: Path) -> None:
    engine, race = Catalog(), Catalog()
    engine.add("red")
    race.add(TAKES_NOBODY[0])
    update("de", {"engine": engine, "race": race})
    german_catalogs = locales.catalogs("de")
    moved = german_catalogs["race"].get(TAKES_NOBODY[0])
    assert moved is not None
    assert TAKES_NOBODY[1] == moved.string
    assert [] == [entry for entry in german_catalogs["engine"].obsolete.values() if entry.id == TAKES_NOBODY[0]]


@pytest.mark.parametrize(
    ("path", "domain"),
    [
        ("engine/games/race.py", "race"),
        ("engine/games/race/board.py", "race"),
        ("engine/games/race", "race"),
        ("engine/games/__init__.py", "engine"),
        ("engine/texts.py", "engine"),
        ("bot/commands.py", "bot"),
    ],
)
def test_the_texts_of_each_game_have_their_own_catalog(path: str, domain: str) -> None:
    assert domain == domain_of(path)


# --- the languages that there are ---

TRANSLATED = [code for code in locales.languages() if code != "en"]


@pytest.mark.parametrize("code", TRANSLATED)
def test_all_entries_are_translated_without_problems(code: str) -> None:
    assert [] == list(problems(code))


def test_in_german_a_sentence_after_a_colon_begins_with_a_capital_for_the_reader_too() -> None:
    german = locales.language_of("de")
    assert isinstance(german, locales.Translation)
    # A seat with a verb that agrees with it, or the form for the reader.
    lowercase = re.compile(r": (?:\{seat\} \{seat:|\{seat:[^}]*\|du )")
    assert [] == [words for words in german._entries.values() if lowercase.search(words)]


@pytest.mark.parametrize(
    ("prompt", "lowered"),
    [
        ("Pick a card.", "Ana: ¿qué carta?"),
        ("{seat} asks.", "Ana: Ben pregunta."),
        ("{you:Asks|You ask}.", "Ana: tú preguntas."),
        ("{seat:@ wins|You win}!", "Ana: ¡gana Ben!"),
        ("{seat} will win!", "Ana: ¡Ben ganará!"),
        ("Not translated.", "Ana: Not translated."),
    ],
)
def test_a_sentence_after_a_colon_may_begin_in_lower_case_unless_it_begins_with_a_name(
    prompt: str, lowered: str
) -> None:
    entries = {
        "{who}: {prompt}": "{who}: {prompt:_}",
        "Pick a card.": "¿Qué carta?",
        "{seat} asks.": "{seat} pregunta.",
        "{you:Asks|You ask}.": "{you:Pregunta|Tú preguntas}.",
        "{seat:@ wins|You win}!": "¡{seat:Gana @|Ganas}!",
        "{seat} will win!": "¡{seat} ganará!",
        "you |your ": "tú |tu ",
    }
    with reading(locales.Translation("es", entries, {})):
        named = Text(prompt, seat="Ben", you=False)
        assert lowered == str(Text("{who}: {prompt}", who="Ana", prompt=named))
        assert lowered == str(Text("{who}: {prompt}", who="Ana", prompt=Text("{first} ", first=named))).strip()


@pytest.mark.parametrize("code", TRANSLATED)
def test_catalogs_are_up_to_date_with_the_code(code: str, catalogs_by_domain: dict[str, Catalog]) -> None:
    """A new game may have no catalog yet: it stays English until its first translation."""
    existing = locales.catalogs(code)
    for domain, template in catalogs_by_domain.items():
        if domain in existing:
            keys = {locales.key_of(entry) for entry in existing[domain]}
            assert set() == {locales.key_of(message) for message in template if message.id} - keys


@pytest.mark.parametrize("code", TRANSLATED)
def test_translated_command_and_option_names_are_unique(code: str) -> None:
    """Discord rejects all commands if two commands of a group, or two options of a command, share a name."""
    read = locales.language_of(code)
    assert isinstance(read, locales.Translation)
    groups = all_commands()
    for siblings in (groups, *(group.commands for group in groups)):
        names = [read.translate_name(locales.NAME, sibling.name) for sibling in siblings]
        assert len(names) == len(set(names))
    for command in (command for group in groups for command in group.walk_commands()):
        kind = FIELD if (command.root_parent or command).name in discover() else locales.OPTION
        options = [read.translate_name(kind, str(parameter.display_name)) for parameter in command.parameters]
        assert len(options) == len(set(options))


@pytest.mark.parametrize("code", TRANSLATED)
def test_an_error_about_a_typed_move_describes_the_field_in_the_readers_language(code: str) -> None:
    muscat = discover()["muscat"]
    description = fields(next(action for action in muscat.actions if action.verb == "place"))[0].metadata["description"]
    with reading(locales.language_of(code)), pytest.raises(NotationError) as caught:
        parse_action("place 9Z", muscat.actions)
    with reading(locales.language_of(code)):
        described = str(Text(description))
        assert description != described
        assert described in str(caught.value.text)


RULES = [(code, slug) for code in TRANSLATED for slug in discover() if (locales.FOLDER / code / f"{slug}.po").exists()]
"""A game with a catalog in a language also has its rules in that language."""
_ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
_NUMBER = re.compile(r"\d+")
_CONDITION = re.compile(r"\w+=\w+")


@pytest.mark.parametrize(("code", "slug"), RULES)
def test_translated_rules_have_the_same_structure_and_numbers(code: str, slug: str) -> None:
    spec = discover()[slug]
    english = spec.rulebook
    with reading(locales.language_of(code)):
        book = english.translated
    assert book is not english
    assert list(english.sections) == list(book.sections)
    setups = setups_near_the_default(spec)
    for number, section in english.sections.items():
        localized = book.sections[number]
        assert section.only_with == localized.only_with, number
        columns = [[row.count("|") for row in _ROW.findall(version.text)] for version in (section, localized)]
        assert columns[0] == columns[1], f"the tables of {number}"
        for setup in setups if section.template or localized.template else setups[:1]:
            texts = [spec.rule_text(version, setup) for version in (section, localized)]
            digits = [Counter(_NUMBER.findall(_plain_numbers(text))) for text in texts]
            assert digits[0] == digits[1], f"the numbers of {number} with {setup.options}"
            assert "{" not in texts[1], f"{number} with {setup.options}"
        conditions = [Counter(_CONDITION.findall(version.template)) for version in (section, localized)]
        assert conditions[0] == conditions[1], f"what {number} depends on"


_QUOTED = re.compile(r"\*\*([^*{}]+)\*\*|[„«“][ \u202f]?([^”“»„«{}]+?)[ \u202f]?[”“»]")
"""Words in bold or in quotation marks."""


def quoted_words(text: str) -> list[str]:
    """The words that a text quotes, without the full stop within the bold and the French space before a colon."""
    return [re.sub(r"\s+", " ", "".join(words)).replace(" :", ":").rstrip(".") for words in _QUOTED.findall(text)]


def names_in(catalogs: Iterable[Catalog]) -> dict[str, set[str]]:
    """The translations of each entry, in all its contexts."""
    names: dict[str, set[str]] = {}
    for entry in (entry for catalog in catalogs for entry in catalog if entry.id and not locales.is_form(entry)):
        names.setdefault(str(entry.id), set()).add(str(entry.string))
    return names


@pytest.mark.parametrize(("code", "slug"), [("en", slug) for slug in discover()] + RULES)
def test_the_options_in_the_rules_have_their_names_on_the_screens(code: str, slug: str) -> None:
    spec = discover()[slug]
    options = fields(spec.options)
    choices = {str(choice).replace("_", " ") for option in options for choice in option.metadata["choices"]}
    with reading(locales.language_of(code)):
        titles = {str(term(option.metadata["title"] or option.name)) for option in options}
        names = titles | set(map(str, map(term, (*choices, *VALUE_WORDS))))
        last = spec.rulebook.translated.chapters[-1].text
    bold = {" ".join(words.split()) for words in re.findall(r"^\* \*\*([^*]+)\*\*", last, re.MULTILINE)}
    assert bold <= titles
    parts = {part for phrase in quoted_words(last) for part in phrase.split(": ")}
    assert parts <= names


@pytest.mark.parametrize(("code", "slug"), RULES)
def test_translated_rules_name_moves_and_options_as_the_screens_do(code: str, slug: str) -> None:
    book, names = discover()[slug].rulebook, names_in([locales.catalogs(code)[slug]])
    with reading(locales.language_of(code)):
        localized = book.translated
    for number, section in book.sections.items():
        written = quoted_words(localized.sections[number].template or localized.sections[number].text)
        for phrase in quoted_words(section.template or section.text):
            if all(part in names for part in phrase.split(": ")):
                translations = product(*(names[part] for part in phrase.split(": ")))
                assert set(map(": ".join, translations)) & set(written), (number, phrase)


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_text_names_buttons_and_options_as_the_screens_do(code: str) -> None:
    """A phrase at the beginning of an entry is a heading, which may have a name of its own."""
    names = names_in(locales.catalogs(code).values())
    for english, translations in names.items():
        for phrase in (phrase for phrase in quoted_words(english) if not english.startswith(f"**{phrase}**")):
            for translation in translations if phrase in names else ():
                assert names[phrase] & set(quoted_words(translation)), english


def _plain_numbers(text: str) -> str:
    """The text with 1,000, 1.000 and 1 000 written as 1000."""
    return re.sub(r"(?<=\d)[,.\u00a0\u202f](?=\d{3}\b)", "", text)
