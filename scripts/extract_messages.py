"""Write the sentences of the rules for translators: `python scripts/extract_messages.py` renews `rules.pot`."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import plenipo.engine
import plenipo.rulekit
from plenipo.engine.sentences import SentenceKind, known_kinds

TEMPLATE = Path(__file__).parents[1] / "src" / "plenipo" / "languages" / "rules.pot"


def find_kinds() -> Iterator[SentenceKind]:
    """Yield every kind of sentence that has words or a note for translators, by identifier."""
    for package in (plenipo.engine, plenipo.rulekit):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    for kind in known_kinds():
        words = kind.template
        while "{" in words:
            words = words[: words.index("{")] + words[words.index("}") + 1 :]
        if (kind.note or any(map(str.isalpha, words))) and not kind.id.startswith(("test-", "server-")):
            yield kind


def write_template() -> str:
    """Return the template of the catalogues as text."""
    parts = ['msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n']
    for kind in find_kinds():
        lines = [f"#. {kind.note}"] if kind.note else []
        lines += ["#, python-brace-format", f'msgctxt "{kind.id}"', f"msgid {_quote(kind.template)}"]
        if kind.plural:
            lines += [f"msgid_plural {_quote(kind.plural)}", 'msgstr[0] ""', 'msgstr[1] ""']
        else:
            lines.append('msgstr ""')
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


if __name__ == "__main__":
    TEMPLATE.write_text(write_template(), encoding="utf-8")
