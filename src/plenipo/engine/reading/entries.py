"""Splitting a text into orders: lines, lists, comments, and the marks before an order.

This module does not interpret orders. Text is left out for its mark (`#`, `//`, a `;` at the beginning of a line, a
bullet, a number, the `>` of a quoted mail), or as a remark after `;` in which no word is one of an order.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from plenipo.engine.reading.lexicon import Lexicon, key_of, plain
from plenipo.engine.reading.words import DAIDE_UNITS, GREETINGS, OUTCOMES, VERB_WORDS, VERBS, Verb

__all__ = [
    "OrderText",
    "bare",
    "entries",
    "greets",
    "heads_letter",
    "is_remark",
    "is_signed",
    "strip_comment",
    "without_marks",
]

_COMMENT = re.compile(r"(?:^|(?<=\s))(?:#(?!\d)|//).*")
_NO_BULLETS = r"\w\s()\[\]{}:;#/.'\"\u00ab\u2018-\u201f,!?"
_MARK = (
    r"(?:\u2116\s*\d{1,3}\s|\d{1,3}\s+[-\u2013]\s+|#?\d{1,3}[.):]+(?![\d.)])|\(\d{1,3}\)|\[\d{1,3}\]|#\d{1,3}(?=\s)"
    rf"|[a-z]{{1,4}}\)(?=\s)|\[[ xX]?\]|[^{_NO_BULLETS}])"
)
_MARKS = re.compile(rf"\s*{_MARK}(?:\s*{_MARK})*\s*")
"""Bullets, dashes, arrows and numbers at the beginning of a line."""

_ENTRY = re.compile(r"(?:\[[^\[\]]*\]|\([^()]*\)|[^;,|])+")
_AND = re.compile(r"\s+(?:and|then|[&+\u2022\u00b7]|/(?=\s+[AF]\s))\s+", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][a-z0-9]{0,9}\s*/?>|\[/?[biu]\]", re.IGNORECASE)
_RULE = re.compile(r"[-=_*~+.\s\u2010-\u2015\u2500-\u257f]*")
_DATED = re.compile(r"(?:date|sent):.*|sign(?:on|off)\b.*", re.IGNORECASE)
_ADDRESSED = re.compile(r"(?:from|to|cc|subject|reply-to):(.*)", re.IGNORECASE)
_MORE_OF_A_LIST = re.compile(r"\s+\(?\d{1,2}[.)]\s+(?=([^\W\d_]+))")
_CONTINUES = re.compile(r"(?:via|by)\s", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[\w)\]]{3})\.\s+(?=(?:[AF]|Army|Fleet|The)\s)")
_VIA = re.compile(r"\b(?:via|through)\b", re.IGNORECASE)
_TIGHT_BAR = re.compile(r"(?<=\w)\|(?=\w)")
_LAST_WORD = re.compile(r"\w+$")
_WORD = re.compile(r"[\w.']+")
_DAIDE = re.compile(rf"\b(?:{'|'.join(sorted(DAIDE_UNITS))})\b", re.IGNORECASE)
_LONGEST_SHORTENED = 20
_SUBMITTED = re.compile(r"\s*SUB\b", re.IGNORECASE)
_ARTICLES = frozenset(("a", "the", "of", "to", "in", "at", "s", "t", "i", "h", "m", "d", "c", "on", "for"))


class OrderText(NamedTuple):
    """One order of a line as it is written, and whether `and` joins it to the one before."""

    text: str
    joined: bool = False


def strip_comment(row: str) -> str:
    """Return a line without a comment after `#` or `//`; empty if it begins with `;` or only underlines."""
    if _RULE.fullmatch(row):
        return ""
    if "#" in row or "//" in row:
        row = _COMMENT.sub("", row)
    row = _TAG.sub("", row).strip() if "<" in row or "[" in row else row.strip()
    if row[:2] in {'["', "['"} and row.endswith("]"):
        row = row[1:-1]
    return "" if row.startswith(";") else row


def without_marks(row: str) -> str:
    """Return a line without the bullet, the number or the quotation mark before it."""
    if not row or (row[0].isalpha() and ")" not in row[1:5]) or is_signed(row):
        return row
    marks = _MARKS.match(row)
    return row[marks.end() :] if marks and marks.end() < len(row) else row


def is_signed(text: str) -> bool:
    """Return whether a plus or minus is right before a word, as before a unit that is built or removed."""
    return (text[:1] in {"+", "-"} and text[1:2].isalpha()) or (text[:2] == "+ " and text[2:3].isalpha())


def bare(text: str) -> str:
    """Return one order without comments and marks round it, and without the `SUB` of a DAIDE message."""
    if is_signed(text):
        text = text[1:].lstrip()
    if "#" in text or "//" in text:
        text = _COMMENT.sub("", text) or text
    text = without_marks(text.strip())
    if text[:3].casefold() == "sub" and _DAIDE.search(text):
        text = _SUBMITTED.sub("", text)
    return text


def entries(row: str, lexicon: Lexicon) -> Iterator[OrderText]:
    """Yield the orders of a line, one after the other."""
    if "(" in row and _DAIDE.search(row):
        yield from map(OrderText, _daide(_SUBMITTED.sub("", row)))
        return
    first, last = True, ""
    if lexicon.corners and "|" in row:
        row = _TIGHT_BAR.sub("/", row)
    joins = "and" not in lexicon.inner_words
    for start, end in _spans(row):
        text = row[start:end].strip()
        after = row[start - 1] if start else ""
        if not text or (not first and (_is_outcome(text) or (after == ";" and is_remark(text, lexicon)))):
            continue
        for sentence in (one for item in _items(text, lexicon) for one in _sentences(item, lexicon)):
            if greets(sentence, lexicon):
                continue
            for number, part in enumerate(_split_joined(sentence, lexicon) if joins else [sentence]):
                if not part.strip() or (_VIA.search(last) and _is_carrier(part, lexicon)):
                    continue  # the spaces of a convoy mean no more than that one is wanted (DATC 4.A.6)
                last = part.strip()
                yield OrderText(last, number > 0)
                first = False


def _split_joined(sentence: str, lexicon: Lexicon) -> list[str]:
    """Return the parts of a sentence between `and` and the words for it in the vocabulary."""
    parts = _AND.split(sentence)
    if lexicon.vocabulary and lexicon.vocabulary.joins:
        joins = re.compile(rf"\s+(?:{'|'.join(map(re.escape, lexicon.vocabulary.joins))})\s+", re.IGNORECASE)
        parts = [one for part in parts for one in joins.split(part)]
    return parts


def _spans(row: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each entry; `via convoy` after a comma is part of the one before."""
    last: tuple[int, int] | None = None
    for match in _ENTRY.finditer(row):
        if last and row[match.start() - 1] == "," and _CONTINUES.match(match.group().lstrip()):
            last = (last[0], match.end())
            continue
        if last:
            yield last
        last = match.span()
    if last:
        yield last


def _items(text: str, lexicon: Lexicon) -> Iterator[str]:
    """Yield the parts of a numbered list on one line, `build A PAR 2) build F BRE`, each beginning as an order."""
    start = 0
    for mark in _MORE_OF_A_LIST.finditer(text) if ". " in text or ") " in text else ():
        word = key_of(mark[1])
        begins = word in lexicon.kinds or word in lexicon.powers or word in lexicon.short_powers
        if begins or (word in VERB_WORDS and word not in _ARTICLES):
            yield text[start : mark.start()]
            start = mark.end()
    yield text[start:]


def _sentences(text: str, lexicon: Lexicon) -> Iterator[str]:
    """Yield the parts that end in a full stop, except one that abbreviates a word: `S Ger. A MUN`, `sup. A MUN`."""
    start = 0
    for stop in _SENTENCE.finditer(text) if ". " in text else ():
        last = _LAST_WORD.search(text, max(start, stop.start() - _LONGEST_SHORTENED), stop.start())
        word = key_of(last.group()) if last else ""
        shortens = VERBS.get(word) in {Verb.SUPPORT, Verb.CONVOY, Verb.BUILD, Verb.DISBAND, Verb.RETREAT, Verb.MOVE}
        if not (shortens or word in lexicon.powers or word in lexicon.short_powers):
            yield text[start : stop.start()]
            start = stop.end()
    yield text[start:]


def _daide(row: str) -> list[str]:
    """Return the groups in parentheses of a line that has nothing else; otherwise the line."""
    groups, depth, start = [], 0, 0
    for index, char in enumerate(row):
        if depth == 0 and char not in "( \t,;":
            return [row]
        if char == "(":
            start = start if depth else index
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                groups.append(row[start : index + 1])
    return groups if depth == 0 and groups and any(_DAIDE.search(group) for group in groups) else [row]


def _is_carrier(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text is only a space in which a fleet may convoy, with the fleet or without."""
    words = [key_of(word) for word in _WORD.findall(plain(text))]
    found = lexicon.names.get(" ".join(words[words[0] in lexicon.kinds :])) if words else None
    return bool(found) and all(lexicon.board.spaces[place.space].carries for place in found or ())


def heads_letter(row: str, lexicon: Lexicon) -> bool:
    """Return whether a line is a header or frame of a mail to an adjudicator and has no word of an order in it."""
    addressed = _ADDRESSED.fullmatch(row)
    return bool(_DATED.fullmatch(row)) or bool(addressed and is_remark(addressed[1], lexicon))


def greets(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text begins as a greeting does and no word of it is one of an order: `Hello GM`."""
    first = _WORD.match(text.lstrip())
    return bool(first and key_of(first.group()) in GREETINGS) and is_remark(text, lexicon)


def _is_outcome(text: str) -> bool:
    """Return whether a text contains only the result of an order: `bounced`."""
    return all(word in OUTCOMES for word in map(key_of, text.split()))


def is_remark(text: str, lexicon: Lexicon) -> bool:
    """Return whether no word of a text is a space, a unit or a verb, so that it is no order with a mistake in it."""
    words = [key_of(word) for word in _WORD.findall(plain(text))]
    return (
        bool(words)
        and not any(
            word in lexicon.names or (word not in _ARTICLES and (word in VERB_WORDS or word in lexicon.kinds))
            for word in words
        )
        and words[0] not in lexicon.kinds
    )
