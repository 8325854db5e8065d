"""Sentences joined into one text, in any number: in lines, paragraphs, one after the other, or as clauses."""

from collections.abc import Iterable

from plenipo.engine.sentences import Quoted, Sentence, SentenceKind

__all__ = ["join_clauses", "join_lines", "join_paragraphs", "join_sentences"]

_LINES = SentenceKind("server-lines", "{first}\n{second}")
_PARAGRAPHS = SentenceKind("server-paragraphs", "{first}\n\n{second}")
_SENTENCES = SentenceKind("server-sentences", "{first} {second}", note="Two sentences, one after the other.")
_CLAUSES = SentenceKind("server-clauses", "{first}; {second}", note="Two clauses of a sentence.")


def join_lines(texts: Iterable[str]) -> str:
    """Return sentences and texts as one, each in a line of its own."""
    return _join(texts, _LINES)


def join_paragraphs(texts: Iterable[str]) -> str:
    """Return sentences and texts as one, with an empty line between them."""
    return _join(texts, _PARAGRAPHS)


def join_sentences(texts: Iterable[str]) -> str:
    """Return sentences as one text, one after the other; empty ones are left out."""
    return _join(texts, _SENTENCES)


def join_clauses(texts: Iterable[str]) -> str:
    """Return clauses as one, with a semicolon between them."""
    return _join(texts, _CLAUSES)


def _join(texts: Iterable[str], kind: SentenceKind) -> str:
    parts = [text if isinstance(text, Sentence) else Quoted(text) for text in texts if text]
    joined: str = parts[0] if parts else ""
    for part in parts[1:]:
        joined = kind(first=joined, second=part)
    return joined
