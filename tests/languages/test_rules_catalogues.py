"""The catalogues of the rules: the template is current, and every translation is complete and usable."""

from pathlib import Path

import pytest

from extract_messages import (
    ABOUT,
    LESSONS,
    NAMES,
    TEMPLATE,
    find_about,
    find_kinds,
    find_lessons,
    find_messages,
    find_names,
    write_names,
    write_template,
)
from plenipo.engine.sentences import find_kind, render
from plenipo.languages import FOLDER, catalogue
from plenipo.languages.completeness import compare_catalogue
from plenipo.languages.names import names_in


def test_the_template_is_current() -> None:
    assert TEMPLATE.read_text(encoding="utf-8") == write_template(find_messages()), (
        "run python scripts/extract_messages.py"
    )
    assert ABOUT.read_text(encoding="utf-8") == write_template(find_about()), "run python scripts/extract_messages.py"
    assert LESSONS.read_text(encoding="utf-8") == write_template(find_lessons()), "run scripts/extract_messages.py"
    assert NAMES.read_text(encoding="utf-8") == write_names(), "run python scripts/extract_messages.py"


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*/*.po")), ids=lambda file: f"{file.parent.name}/{file.name}")
def test_a_catalogue_has_every_entry_that_it_covers_without_a_fault(file: Path) -> None:
    assert "\n".join(compare_catalogue(file, FOLDER / f"{file.stem}.pot")) == ""


def test_every_sentence_and_name_is_in_german() -> None:
    known = catalogue("de", "rules").messages
    assert [kind.id for kind in find_kinds() if (kind.id, kind.template) not in known] == []
    assert [name for name in find_names() if name not in names_in("de")] == []


def test_a_name_that_a_variant_has_of_its_own_counts_there_alone(tmp_path: Path) -> None:
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "names.po").write_text(
        'msgid "Georgia"\nmsgstr "Georgien"\n\nmsgctxt "america"\nmsgid "Georgia"\nmsgstr "Georgia|Peachtree"\n'
    )
    assert names_in("de", "", tmp_path) == {"Georgia": "Georgien"}
    assert names_in("de", "america", tmp_path) == {"Georgia": "Georgia"}


def test_a_reason_appears_in_german_with_the_names_of_the_powers() -> None:
    list(find_kinds())
    taken = find_kind("centre-taken-from")
    assert taken
    sentence = taken(power="France", centre="Munich", loser="Germany")
    assert str(sentence) == "France took Munich from Germany."
    names = {"France": "Frankreich", "Germany": "Deutschland", "Munich": "München"}
    assert render(sentence, catalogue("de", "rules"), names) == "Frankreich erobert München (bisher Deutschland)."
