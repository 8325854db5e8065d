"""Pseudo-languages, made from the catalogues' templates, to find faults of pages.

`write_catalogues` writes them into a folder for PLENIPO_CATALOGUES, beside the true ones. In `PSEUDO` every text is
English in brackets, with accents and a third longer: a word without accents is a text that is not translated. `RTL` is
written from right to left, and `WIDE` in wide letters. Each tag begins with that of a true language with letters of
its own, so that dates and numbers which the browser writes are not in Latin letters either.
"""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from plenipo.languages import FOLDER, available, parse_po

__all__ = ["PSEUDO", "RTL", "WIDE", "lengthen", "write_catalogues"]

PSEUDO, RTL, WIDE = "el-XA", "he-XB", "ja-XC"

VERBATIM = re.compile(r"(%\(\w+\)s|%%|\{\w*(?:![rs])?(?::[^{}]*)?\}|<[^>]*>|&#?\w+;|`[^`]*`|https?:\S+)")
"""The parts of a text that stay: placeholders, tags, entities, code and addresses."""

ACCENTED = str.maketrans("AEIOUYaceinouyz", "ÀÉÎÕÛÝàçéîñõûýž")  # english: ok
HEBREW = str.maketrans("abcdefghijklmnopqrstuvwxyz", "אבגדהוזחטיכלמנסעפצקרשתאבגד")  # english: ok
KANA = "漢字日本語表示確認文章訳国際化画面遊戯外交軍艦"
FILLING = "öñé twö thréé föûr fîvé sîx sévén éîght nîñé téñ "


def lengthen(text: str) -> str:
    """Write a text in brackets with accents and at least 35 % longer, with its placeholders and tags as they are.

    >>> lengthen("Join %(name)s")
    '[Jõîñ %(name)s]'
    """

    def change(part: str) -> str:
        return part.translate(ACCENTED)

    plain = VERBATIM.sub("", text)
    if not any(map(str.isalpha, plain)):
        return text
    size = len(plain)
    more = max(round(size * 0.35) - 2, 0)
    filling = (FILLING * (more // len(FILLING) + 1))[:more].rstrip()
    return f"[{_change(text, change)}{' ' if filling else ''}{filling}]"


def from_right(text: str) -> str:
    """Write a text in Hebrew letters."""
    return _change(text, lambda part: part.lower().translate(HEBREW))


def widen(text: str) -> str:
    """Write a text in letters that are as wide as high, one for two of its own and without spaces."""

    def change(part: str) -> str:
        return re.sub(r"[A-Za-z ]{1,2}", lambda pair: KANA[sum(map(ord, pair[0])) % len(KANA)], part)

    return _change(text, change)


def _change(text: str, change: Callable[[str], str]) -> str:
    parts = VERBATIM.split(text)
    return "".join(part if at % 2 else change(part) for at, part in enumerate(parts))


MADE: dict[str, Callable[[str], str]] = {PSEUDO: lengthen, RTL: from_right, WIDE: widen}


def write_catalogues(folder: Path) -> Path:
    """Write the made languages into a folder, with copies of the true ones; return the folder."""
    for tag in available()[1:]:
        shutil.copytree(FOLDER / tag, folder / tag)
    for tag, change in MADE.items():
        (folder / tag).mkdir(parents=True)
        for domain in ("pages", "rules", "names", "variants", "lessons"):
            template = FOLDER / f"{domain}.pot"
            entries, _ = parse_po(template.read_text(encoding="utf-8"), template)
            lines = ['msgid ""', 'msgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"', f'"X-Native-Name: {tag}\\n"']
            for entry in entries:
                if entry.context.startswith("words-"):
                    continue  # the words of orders stay English
                lines += ["", f"msgctxt {_quote(entry.context)}"] if entry.context else [""]
                lines.append(f"msgid {_quote(entry.message)}")
                if entry.plural is None:
                    lines.append(f"msgstr {_quote(change(entry.message))}")
                else:
                    lines.append(f"msgid_plural {_quote(entry.plural)}")
                    forms = enumerate((entry.message, entry.plural))
                    lines += [f"msgstr[{form}] {_quote(change(text))}" for form, text in forms]
            (folder / tag / f"{domain}.po").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return folder


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
