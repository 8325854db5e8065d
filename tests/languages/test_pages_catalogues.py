"""The catalogues of the pages: every translation is complete and usable."""

from pathlib import Path

import pytest

from plenipo.languages import FOLDER, check_catalogue, parse_po

FILES = sorted(FOLDER.glob("*/pages.po"))
TEMPLATE = FOLDER / "pages.pot"


def texts_of(file: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the translations of a file, by context and English text."""
    entries, _ = parse_po(file.read_text(encoding="utf-8"), file)
    return {(entry.context, entry.message): entry.translations for entry in entries}


def test_the_template_has_the_texts_of_templates_scripts_and_the_server() -> None:
    known = texts_of(TEMPLATE)
    assert {("", "Press"), ("", "Ready check"), ("server-game-over", "The game is over.")} <= known.keys()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_a_catalogue_has_every_text_without_a_fault(file: Path) -> None:
    assert check_catalogue(file) == ()
    found = texts_of(file)
    assert [key for key in texts_of(TEMPLATE) if not all(found.get(key, ("",)))] == []
