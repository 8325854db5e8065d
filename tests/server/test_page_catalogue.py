"""The texts of the pages: all are marked, and the catalogue template has them."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "src" / "plenipo" / "server" / "web" / "templates"

NAMES = frozenset({"Plenipo"})
ATTRIBUTES = "body_class|main_class|skip_to"
"""Blocks that hold a class or the name of an element, and no text for readers."""


class Texts(HTMLParser):
    """Collect the texts of a template that stand outside expressions."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        readable = {"title", "placeholder", "aria-label", "alt"}
        self.found += [value for name, value in attrs if name in readable and value]

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def unmarked(source: str) -> list[str]:
    parser = Texts()
    source = re.sub(rf"{{% block ({ATTRIBUTES}) %}}.*?{{% endblock %}}", "", source)
    parser.feed(re.sub(r"\{[{%#].*?[}%#]\}", " ", source, flags=re.DOTALL))
    words = (" ".join(re.sub(r"[·,]", " ", text).split()) for text in parser.found)
    return [text for text in words if re.search(r"[^\W\d_]", text) and text not in NAMES]


@pytest.mark.parametrize("template", sorted(path.stem for path in TEMPLATES.glob("*.html")))
def test_every_text_of_a_template_is_marked(template: str) -> None:
    found = unmarked((TEMPLATES / f"{template}.html").read_text(encoding="utf-8"))
    assert not found


def test_a_text_outside_a_mark_is_found() -> None:
    assert unmarked("<p title='Here'>{{ _('Join') }} now</p>") == ["Here", "now"]


def test_the_catalogue_template_is_current() -> None:
    pytest.importorskip("babel")
    command = [sys.executable, str(ROOT / "scripts" / "page_catalogue.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)  # noqa: S603
    assert done.returncode == 0, done.stderr
