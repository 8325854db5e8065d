"""Extract the texts of the pages for translators: `python scripts/page_catalogue.py [--check]`.

Writes `src/plenipo/languages/pages.pot` from the texts that templates and modules of the server mark with `_`,
`gettext`, `ngettext`, `pgettext` or `mark`, those that scripts mark with `t`, `tc`, `tx`, `n` or `nx`, and the kinds of
sentences that the server declares. With `--check` it only tells whether the file is current.
"""

import argparse
import pkgutil
import sys
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

import plenipo.server
from plenipo.bots import BOTS
from plenipo.engine.sentences import SentenceKind, known_kinds
from plenipo.library import plugins
from plenipo.server.texts import SERVER

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "plenipo" / "server"
TEMPLATE = ROOT / "src" / "plenipo" / "languages" / "pages.pot"

METHODS = [
    ("web/templates/**.html", "jinja2.ext:babel_extract"),
    ("web/static/**.js", "javascript"),
    ("**.py", "python"),
]
IN_CONTEXT = ((1, "c"), 2)
SCRIPT_KEYWORDS = {"t": None, "tc": IN_CONTEXT, "tx": None, "n": (1, 2), "nx": (1, 2), "plural": (1, 2)}
KEYWORDS = {"_": None, "gettext": None, "mark": None, "ngettext": (1, 2), "pgettext": IN_CONTEXT, **SCRIPT_KEYWORDS}

COMPUTER = "computer player"
"""The context of the names and descriptions of computer players."""


def find_kinds() -> Iterator[SentenceKind]:
    """Yield the kinds of sentence that the server declares, by identifier."""
    for module in pkgutil.walk_packages(plenipo.server.__path__, "plenipo.server."):
        if ".migrations" not in module.name:
            import_module(module.name)
    return (kind for kind in known_kinds() if kind.id.startswith(SERVER))


def extract() -> bytes:
    """Return the catalogue template: each text once, in the order of its first use, with the files that use it."""
    catalog = Catalog(project="plenipo")
    found = extract_from_dir(
        PACKAGE,
        METHODS,
        {
            "web/templates/**.html": {"newstyle_gettext": "true", "trim_blocks": "true"},
            "web/static/**.js": {"parse_template_string": "true"},
        },
        keywords=KEYWORDS,
    )
    for name, _, message, _, context in found:
        catalog.add(message, locations=[(f"server/{name}", 0)], context=context)
    for player in plugins.players().plugins.values():
        if player.name in BOTS:
            words = player.summary.rstrip(".")
            catalog.add(player.name, context=COMPUTER)
            catalog.add(words[0].lower() + words[1:], context=COMPUTER)
    for kind in find_kinds():
        texts = (kind.template, kind.plural) if kind.plural else kind.template
        catalog.add(texts, flags=["python-brace-format"], auto_comments=filter(None, [kind.note]), context=kind.id)
    written = BytesIO()
    write_po(written, catalog, omit_header=True, include_lineno=False, width=0)
    header = b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    return header + written.getvalue()


def main() -> None:
    """Write the catalogue template, or exit with 1 if it is not current."""
    parser = argparse.ArgumentParser(description="Extract the texts of the pages for translators.")
    parser.add_argument("--check", action="store_true", help="only tell whether the file is current")
    options = parser.parse_args()
    extracted = extract()
    if not options.check:
        TEMPLATE.write_bytes(extracted)
    elif not TEMPLATE.is_file() or TEMPLATE.read_bytes() != extracted:
        sys.exit("pages.pot is not current; run python scripts/page_catalogue.py.")


if __name__ == "__main__":
    main()
