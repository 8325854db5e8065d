"""The template of the pages: it has the texts of the templates, the scripts and the server."""

from pathlib import Path

from plenipo.languages import FOLDER, parse_po

TEMPLATE = FOLDER / "pages.pot"


def texts_of(file: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the translations of a file, by context and English text."""
    entries, _ = parse_po(file.read_text(encoding="utf-8"), file)
    return {(entry.context, entry.message): entry.translations for entry in entries}


def test_the_template_has_the_texts_of_templates_scripts_and_the_server() -> None:
    known = texts_of(TEMPLATE)
    assert {("", "Press"), ("", "Ready check"), ("server-game-over", "The game is over.")} <= known.keys()
