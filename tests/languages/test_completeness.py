"""Catalogues compared with their templates: each difference is one sentence with file and line."""

from pathlib import Path

import pytest

from plenipo.languages import FOLDER, catalogue
from plenipo.languages.completeness import compare_catalogue

TEMPLATE = """\
msgid ""
msgstr ""

#: cli/main.py
msgid "Ready."
msgstr ""

#: engine/reasons.py
#, python-brace-format
msgctxt "held"
msgid "{unit} held."
msgstr ""

#: engine/reasons.py
#, python-brace-format
msgctxt "units"
msgid "{number} unit"
msgid_plural "{number} units"
msgstr[0] ""
msgstr[1] ""
"""

HEAD = 'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n'
READY = '\nmsgid "Ready."\nmsgstr "Prêt."\n'
HELD = '\nmsgctxt "held"\nmsgid "{unit} held."\nmsgstr "{unit} a tenu."\n'
UNITS = '\nmsgctxt "units"\nmsgid "{number} unit"\nmsgid_plural "{number} units"\n'
UNITS += 'msgstr[0] "{number} unité"\nmsgstr[1] "{number} unités"\n'
COVERS = '"X-Covers: engine/reasons.py\\n"\n'


def compare(folder: Path, text: str, language: str = "fr", template: str = "rules") -> tuple[str, ...]:
    """Return the differences of a catalogue with a text, with paths from the folder of languages."""
    file, pot = folder / language / f"{template}.po", folder / f"{template}.pot"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    pot.write_text(TEMPLATE, encoding="utf-8")
    return tuple(one.replace(f"{folder}/", "") for one in compare_catalogue(file, pot))


def test_a_complete_catalogue_has_no_differences(tmp_path: Path) -> None:
    assert compare(tmp_path, HEAD + READY + HELD + UNITS) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + READY + UNITS, "fr/rules.po: the entry '{unit} held.' (held) of rules.pot:10 is missing."),
        (
            HEAD + READY + HELD + UNITS + '\nmsgid "Go."\nmsgstr "Allez."\n',
            "fr/rules.po:19: 'Go.' is not in rules.pot; remove or renew the entry.",
        ),
        (
            HEAD + READY + HELD.replace("{unit} a tenu.", "") + UNITS,
            "fr/rules.po:9: '{unit} held.' (held) has no translation, or one that is marked as fuzzy.",
        ),
        (
            HEAD + READY + HELD.replace("{unit} a tenu.", "{unite} a tenu.") + UNITS,
            "fr/rules.po:9: the translation of '{unit} held.' lacks the placeholder unit.",
        ),
        (
            HEAD + READY + HELD + UNITS.replace("{number} unités", "{number:d} unités"),
            "fr/rules.po:13: the translation of '{number} unit' formats a placeholder in another way, {number:d}.",
        ),
        (
            HEAD.replace("fr", "de") + READY + HELD + UNITS,
            "fr/rules.po:1: the language 'de' is not that of the folder, 'fr'.",
        ),
        (
            HEAD.replace("(n > 1)", "(n >") + READY + HELD + UNITS,
            "fr/rules.po:1: Plural-Forms 'nplurals=2; plural=(n >;' cannot be read: unexpected end of plural form.",
        ),
        (
            HEAD + '"X-Covers: engine enginee\\n"\n' + HELD + UNITS,
            "fr/rules.po:1: X-Covers names 'enginee', from which rules.pot has no entry.",
        ),
        (HEAD + READY + HELD + 'msgstr "x"\n' + UNITS, "fr/rules.po:12: 'msgstr' stands there twice."),
    ],
)
def test_each_difference_is_one_sentence_with_file_and_line(tmp_path: Path, text: str, said: str) -> None:
    assert compare(tmp_path, text)[0] == said


def test_a_folder_must_be_named_by_the_tag_of_a_language(tmp_path: Path) -> None:
    (said,) = compare(tmp_path, READY + HELD + UNITS, "French")
    assert said == "French/rules.po:1: the folder 'French' is not named by the tag of a language, such as 'de'."


def test_a_catalogue_may_cover_a_part_of_the_program(tmp_path: Path) -> None:
    assert compare(tmp_path, HEAD + COVERS + HELD + UNITS) == ()
    (said,) = compare(tmp_path, HEAD + COVERS + READY + HELD)
    assert said == "fr/rules.po: the entry '{number} unit' (units) of rules.pot:16 is missing."


def test_a_name_of_one_variant_need_not_be_in_the_template(tmp_path: Path) -> None:
    own = '\nmsgctxt "irish"\nmsgid "Clyde"\nmsgstr "Clyde"\n'
    assert compare(tmp_path, HEAD + READY + HELD + UNITS + own, template="names") == ()


def test_english_is_shown_where_a_catalogue_has_a_fault(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    compare(tmp_path, HEAD + READY + HELD.replace("{unit} a", "{other} a") + UNITS)
    found = catalogue("fr", "rules", tmp_path)
    assert (found.pgettext("held", "{unit} held."), found.gettext("Ready.")) == ("{unit} held.", "Prêt.")
    said = [record.getMessage().replace(f"{tmp_path}/", "") for record in caplog.records]
    assert said[0] == (
        "fr/rules.po:9: the translation of '{unit} held.' lacks the placeholder unit. The text appears in English."
    )


def test_french_covers_the_engine_and_the_entry_of_orders() -> None:
    found = catalogue("fr", "rules")
    assert found.pgettext("held", "{unit} held.") == "{unit} a tenu."
    assert found.gettext("To do") == "À faire"
    assert compare_catalogue(FOLDER / "fr" / "rules.po", FOLDER / "rules.pot") == ()
