"""Write the texts of the rules and of the command line, and the names, for translators.

`python scripts/extract_messages.py` renews `rules.pot`, `names.pot` with the names of powers, spaces and units,
`variants.pot` with the summaries and special features of the variants of the library, and `lessons.pot`.
"""

import ast
import pkgutil
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import plenipo.bots.deals.bargaining
import plenipo.bots.deals.clauses
import plenipo.bots.deals.dealers
import plenipo.bots.hints
import plenipo.cli
import plenipo.engine
import plenipo.maps.draw.titles
import plenipo.puzzles
import plenipo.rulekit
from plenipo.engine.sentences import SentenceKind, known_kinds
from plenipo.engine.wording import with_article
from plenipo.learning import load_lessons, load_rules_screens
from plenipo.library import bank, load, names, options_of, read
from plenipo.rulekit import MODULES
from plenipo.server.web.library import label_of
from plenipo.server.web.models import summary_of

SOURCE = Path(__file__).parents[1] / "src" / "plenipo"
TEMPLATE = SOURCE / "languages" / "rules.pot"
ABOUT = SOURCE / "languages" / "variants.pot"
NAMES = SOURCE / "languages" / "names.pot"
LESSONS = SOURCE / "languages" / "lessons.pot"

THINGS = (
    "centres",
    "centres and units",
    "points",
    "spaces",
    "units",
    "build",
    "coin",
    "move",
    "order",
    "point",
    "vote",
)
"""Nouns of sentences that a variant may replace by its own."""

_TRANSLATING = re.compile(r"plenipo\.languages\.current import|import [^\n]*\bsay\b|^    say,$", re.MULTILINE)

HELP = "help"
"""The source of the help of commands and options."""

FUNCTIONS = {"_": 1, "mark": 1, "plural": 2, "say": 1}
"""The functions that translate a text or mark it for translation, with the number of their texts."""


class MessageEntry(NamedTuple):
    """A text to translate: its context, the English text, the plural if it counts something, a note, and its file."""

    context: str
    text: str
    plural: str = ""
    note: str = ""
    source: str = ""


def find_kinds() -> Iterator[SentenceKind]:
    """Yield every kind of sentence that has words or a note for translators, by identifier."""
    for package in (plenipo.engine, plenipo.rulekit, plenipo.puzzles, plenipo.cli):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    for kind in known_kinds():
        words = kind.template
        while "{" in words:
            words = words[: words.index("{")] + words[words.index("}") + 1 :]
        if (kind.note or any(map(str.isalpha, words))) and not kind.id.startswith(("test-", "server-")):
            yield kind


def find_texts() -> Iterator[MessageEntry]:
    """Yield every text of the command line in alphabetical order: the texts in its code, and its help."""
    found: dict[str, str] = {}
    sources: dict[str, str] = {}
    for file in sorted(SOURCE.rglob("*.py")):
        code = file.read_text(encoding="utf-8")
        if _TRANSLATING.search(code) and file.name not in ("current.py", "sentences.py"):
            for node in ast.walk(ast.parse(code)):
                texts = _texts_of(node)
                if texts:
                    found[texts[0]] = texts[1] if len(texts) > 1 else found.get(texts[0], "")
                    sources.setdefault(texts[0], file.relative_to(SOURCE).as_posix())
    found |= {text: found.get(text, "") for text in _help_texts()}
    for text, plural in sorted(found.items()):
        yield MessageEntry("", text, plural, source=sources.get(text, HELP))


def _texts_of(node: ast.AST) -> list[str]:
    """Return the texts of a call of one of `FUNCTIONS`."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS):
        return []
    texts = [one.value for one in node.args[: FUNCTIONS[node.func.id]] if isinstance(one, ast.Constant)]
    return [text for text in texts if isinstance(text, str)]


def _help_texts() -> list[str]:
    from typer.main import get_command  # noqa: PLC0415  # only for the help

    from plenipo.cli.language import help_texts  # noqa: PLC0415

    return help_texts(get_command(plenipo.cli.app))


def find_messages() -> Iterator[MessageEntry]:
    """Yield every text of the catalogue: those without a context first, then the kinds of sentences."""
    yield from find_texts()
    declared = find_declarations()
    for kind in find_kinds():
        source = next((file for pattern, file in declared if pattern.fullmatch(kind.id)), "")
        yield MessageEntry(kind.id, kind.template, kind.plural, kind.note, source)


def find_declarations() -> list[tuple[re.Pattern[str], str]]:
    """Return the identifiers of kinds, as patterns, with the files that declare them; those written in full first."""
    found: list[tuple[bool, str, re.Pattern[str]]] = []
    for file in sorted(SOURCE.rglob("*.py")):
        code = file.read_text(encoding="utf-8")
        name = file.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(code)) if "SentenceKind" in code else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    found.append((node.func.id != "SentenceKind", name, re.compile(re.escape(first.value))))
                elif isinstance(first, ast.JoinedStr) and node.func.id == "SentenceKind":
                    parts = (
                        re.escape(str(one.value)) if isinstance(one, ast.Constant) else ".+" for one in first.values
                    )
                    found.append((True, name, re.compile("".join(parts))))
    return [(pattern, name) for _, name, pattern in sorted(found, key=lambda one: one[:2])]


def find_about() -> Iterator[MessageEntry]:
    """Yield the summary of each variant of the library, and the special features, options and signs of all of them."""
    variants = (*names(), *bank())
    for variant in variants:
        yield MessageEntry(variant, summary_of(variant))
    for words in sorted({words for variant in variants for words in read(variant).about.special}):
        yield MessageEntry("feature", words)
    options = [option for variant in variants for option in options_of(variant)]
    for words in sorted({label_of(option.name) for option in options}):
        yield MessageEntry("option", words)
    choices = {choice for option in options if "|" in option.choices for choice in option.choices.split(" | ")}
    for words in sorted({choice.replace("_", " ") for choice in choices - {"true", "false"}}):
        yield MessageEntry("choice", words)
    for words in sorted({words for module in MODULES.values() for words in module.signs.values()}):
        yield MessageEntry("sign", words)


def find_lessons() -> Iterator[MessageEntry]:
    """Yield every text of the lessons and of the rules on screens, each under the id of its lesson or screen."""
    texts = [(lesson.id, lesson.texts) for lesson in load_lessons().values()]
    texts += [(screen.id, screen.texts) for screen in load_rules_screens()]
    yield from (MessageEntry(name, text) for name, some in texts for text in some)


def write_template(entries: Iterable[MessageEntry]) -> str:
    """Return texts as the template of catalogues."""
    parts = ['msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n']
    for entry in entries:
        lines = [f"#. {entry.note}"] if entry.note else []
        lines += [f"#: {entry.source}"] if entry.source else []
        lines += ["#, python-brace-format"] if "{" in entry.text else []
        lines += [f'msgctxt "{entry.context}"'] if entry.context else []
        lines.append(f"msgid {_quote(entry.text)}")
        if entry.plural:
            lines += [f"msgid_plural {_quote(entry.plural)}", 'msgstr[0] ""', 'msgstr[1] ""']
        else:
            lines.append('msgstr ""')
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def find_names() -> Iterator[str]:
    """Yield every name that is translated: of powers, spaces, types of units and things that are counted."""
    found: dict[str, None] = {}
    for variant in names():
        rules = load(variant)
        for traits in rules.board.units:
            found |= dict.fromkeys((traits.name, with_article(traits.name), traits.plural))
        found |= dict.fromkeys(power.name for power in rules.powers)
        found |= dict.fromkeys(space.name for space in rules.board.spaces.values() if not space.corner)
    yield from dict.fromkeys((*THINGS, *sorted(found)))


def write_names() -> str:
    """Return the template of the catalogues of names as text."""
    head = """msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"""
    return "\n".join([head, *(f'msgid {_quote(name)}\nmsgstr ""\n' for name in find_names())])


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


if __name__ == "__main__":
    TEMPLATE.write_text(write_template(find_messages()), encoding="utf-8")
    ABOUT.write_text(write_template(find_about()), encoding="utf-8")
    NAMES.write_text(write_names(), encoding="utf-8")
    LESSONS.write_text(write_template(find_lessons()), encoding="utf-8")
