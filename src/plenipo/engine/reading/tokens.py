"""A written order cut into words and marks, as far as that needs no grammar.

Marks with the same meaning are unified, possessives and full stops inside words removed, and several words that mean
one (`falls back`) joined.
"""

import re

from plenipo.engine.reading.lexicon import DIRECTIONS, Lexicon, excerpt, key_of, plain
from plenipo.engine.reading.vocabulary import Vocabulary
from plenipo.engine.reading.words import (
    COURTESIES,
    DAIDE_UNITS,
    FILLERS,
    OUTCOMES,
    PHRASE_ENDS,
    PHRASE_STARTS,
    PHRASES,
    VERBS,
    Verb,
)
from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.errors import InvalidOrder

__all__ = ["TokenReader"]

_TOKEN = re.compile(r"\[[^\[\]]*\]|[-=]*>+|-+|[\w.']+|\S")
_LEFT_OUT_MARKS = frozenset('"\u201c\u201d\u201e\u201f\u2026*~`')
_GUILLEMETS = str.maketrans("\u00ab\u00bb", "  ")
_ENDINGS = frozenset((",", ";", "!"))
_KEPT_AT_END = frozenset("()[]{}/-:?>")
_SAME_MARK = {"{": "(", "}": ")"}
_VIA_IN_BRACKETS = re.compile(r"\[((?:via|by)\b[^\[\]]*|convoy)\]", re.IGNORECASE)
_OUTCOME_IN_BRACKETS = re.compile(rf"\[\s*({'|'.join(sorted(OUTCOMES))})\s*\]", re.IGNORECASE)
_SHORTEST_POSSESSIVE = 4


class TokenReader:
    """A text, cut into words and marks, and the place up to which it has been read.

    `words` are keys and marks, `spans` the place of each in the text. Every method that reads something moves `at`
    past it.
    """

    __slots__ = ("at", "lexicon", "spans", "text", "words")

    def __init__(self, lexicon: Lexicon, text: str) -> None:
        self.lexicon = lexicon
        self.text = text
        self.words: list[str] = []
        self.spans: list[tuple[int, int]] = []
        self.at = 0
        if lexicon.slashed:
            kinds = lexicon.slashed_kinds
            text = lexicon.slashed.sub(lambda m: kinds[m[0].casefold()].ljust(len(m[0])), text)
        if "\u00ab" in text:
            text = text.translate(_GUILLEMETS)  # else the closing one is an arrow
        if "[" in text:
            text = _OUTCOME_IN_BRACKETS.sub(r"(\1)", _VIA_IN_BRACKETS.sub(r" \1 ", text))
        for match in _TOKEN.finditer(plain(text)):
            raw = match.group()
            if raw[0].isalnum() or raw[0] in "_.'":
                word = key_of(raw)
                if not word:
                    continue
                if "." in raw[1:-1] and self._split_at_stop(raw, word, match.start()):
                    continue
                if raw[-2:] in {"'s", "'S"}:
                    word = self._strip_possessive(word)
                if lexicon.vocabulary and "'" in raw[1:-1] and self._split_elision(raw, word, match.start()):
                    continue
            elif raw[-1] == ">":
                word = ">"
            elif raw in _LEFT_OUT_MARKS:
                continue
            else:
                word = _SAME_MARK.get(raw, "-" if raw[0] == "-" else raw)
            self.words.append(word)
            self.spans.append(match.span())
        if self.words[-2:] == [":", ")"] and "(" not in self.words:
            self.drop(len(self.words) - 2, len(self.words) - 1)  # a smile
        while self.words and not (self.words[-1][0].isalnum() or self.words[-1][0] in _KEPT_AT_END):
            if len(self.words) == 1 and self.words[0] not in _ENDINGS:
                break  # it is all there is, and so it is what is wrong
            self.drop(len(self.words) - 1)
        if lexicon.vocabulary:
            self._translate(lexicon.vocabulary)
        while len(self.words) > 1 and self.words[-1] in COURTESIES and self.words[-1] not in lexicon.names:
            self.drop(*range(len(self.words) - 1 - (self.words[-2] == ","), len(self.words)))
        if lexicon.long_kinds:
            self._join_kinds()
        if not (PHRASE_STARTS.isdisjoint(self.words) or PHRASE_ENDS.isdisjoint(self.words)):
            self._join_phrases()
        if "(" in self.words and not DAIDE_UNITS.isdisjoint(self.words):
            marked = [(w, s) for w, s in zip(self.words, self.spans, strict=True) if w not in {"(", ")"}]
            self.words, self.spans = [w for w, _ in marked], [s for _, s in marked]

    def _translate(self, vocabulary: Vocabulary) -> None:
        """Replace the words of another language by English ones, except those in names."""
        last = vocabulary.last.get((self.words[-1],)) if len(self.words) > 1 else None
        if last and self.words[-1] not in self.lexicon.names:
            self.words[-1] = last
        index = 0
        while index < len(self.words):
            end, word = self._end_of_name(index), None
            if not end or self._is_article(index, vocabulary) or self._is_phrase(index, end, vocabulary):
                end = 0
                for length in range(min(vocabulary.longest, len(self.words) - index), 0, -1):
                    word = vocabulary.words.get(tuple(self.words[index : index + length]))
                    if word is not None:
                        self.spans[index : index + length] = [(self.spans[index][0], self.spans[index + length - 1][1])]
                        self.words[index : index + length] = [word]
                        break
            index = end or index + 1

    def _is_article(self, index: int, vocabulary: Vocabulary) -> bool:
        """Return whether a word that is also a code is an article here: `den Angriff` names no Denmark."""
        article = vocabulary.words.get((self.words[index],)) == "the" and self.text_between(index, index + 1).islower()
        unit = index > 0 and self.words[index - 1] in self.lexicon.kinds
        return article and not unit and (self.word(index + 1 - self.at),) in vocabulary.words

    def _is_phrase(self, index: int, end: int, vocabulary: Vocabulary) -> bool:
        """Return whether a word that is also a code begins a phrase: `par convoi` names no Paris."""
        after_unit = index > 0 and self.words[index - 1] in self.lexicon.kinds
        if after_unit or not self.text_between(index, end).islower():
            return False
        longer = range(end - index + 1, vocabulary.longest + 1)
        return any(tuple(self.words[index : index + length]) in vocabulary.words for length in longer)

    def _split_elision(self, raw: str, word: str, start: int) -> bool:
        """Append `l'armée` as two words, if its first part is a word of the vocabulary and no name has it."""
        vocabulary, names = self.lexicon.vocabulary, self.lexicon.names
        first, _, rest = raw.partition("'")
        before, key = f"{self.words[-1]} " if self.words else "", key_of(rest)
        if not vocabulary or (key_of(first),) not in vocabulary.words or word in names or before + word in names:
            return False
        if not (key in names or key in self.lexicon.kinds or (key,) in vocabulary.words):
            return False
        middle = start + len(first) + 1
        self.words += [key_of(first), key]
        self.spans += [(start, middle), (middle, start + len(raw))]
        return True

    def _end_of_name(self, index: int) -> int:
        """Return the place after the longest name at `index`; 0 if there is none."""
        names, openers, words = self.lexicon.names, self.lexicon.openers, self.words
        key, end = words[index], index + 1 if words[index] in names else 0
        while key in openers and index + 1 < len(words):
            index += 1
            key = f"{key} {words[index]}"
            end = index + 1 if key in names else end
        return end

    def _join_kinds(self) -> None:
        """Join the words of a unit type that has two, `double army`."""
        for index in range(len(self.words) - 2, -1, -1):
            if self.words[index] + self.words[index + 1] in self.lexicon.long_kinds:
                self.words[index] += self.words.pop(index + 1)
                self.spans[index] = (self.spans[index][0], self.spans.pop(index + 1)[1])

    def _join_phrases(self) -> None:
        """Join several words that mean one, `falls back`, and remove those that mean nothing."""
        for index in range(len(self.words) - 2, -1, -1):
            for length in (4, 3, 2) if self.words[index] in PHRASE_STARTS else ():
                end = index + length
                word = PHRASES.get(tuple(self.words[index:end])) if end <= len(self.words) else None
                if word is not None and " ".join(self.words[index:end]) not in self.lexicon.names:
                    span = (self.spans[index][0], self.spans[end - 1][1])
                    self.words[index:end] = [word] if word else []
                    self.spans[index:end] = [span] if word else []
                    break

    def _split_at_stop(self, raw: str, whole: str, start: int) -> bool:
        """Split a word with a full stop in it into two, if it is no name: `S.A`, `F.Nth`, `G.of`."""
        lexicon = self.lexicon
        head, _, tail = raw.rstrip(".").rpartition(".")
        first, second = key_of(head), key_of(tail)
        if not (first and second) or whole in lexicon.names or whole in lexicon.openers:
            return False
        ordered = first in lexicon.kinds or (first in VERBS and second in lexicon.kinds)
        coasted = first in DIRECTIONS and second in lexicon.names
        named = second in lexicon.names or second in lexicon.openers or second in lexicon.kinds
        on_coast = second in lexicon.coasts and (first in lexicon.names or first in lexicon.inner_words)
        if not (second in FILLERS or on_coast or ((ordered or coasted) and named)):
            return False
        if not ("." in head and self._split_at_stop(head, first, start)):
            self.words.append(first)
            self.spans.append((start, start + len(head)))
        self.words.append(second)
        self.spans.append((start + len(head) + 1, start + len(raw)))
        return True

    def _strip_possessive(self, word: str) -> str:
        """Return the name of a space without the ending of `Spain's`."""
        names, inner = self.lexicon.names, self.lexicon.inner_words
        if word[:-1] in inner and word not in inner and word not in names:
            return word[:-1]  # 'North Sea's'
        bare = len(word) >= _SHORTEST_POSSESSIVE and word not in names and word[:-1] not in self.lexicon.powers
        return word[:-1] if bare and word[:-1] in names else word

    # -- looking --------------------------------------------------------------------------------------------

    @property
    def is_at_end(self) -> bool:
        """True if everything has been read."""
        return self.at >= len(self.words)

    def word(self, ahead: int = 0) -> str:
        """Return the word or mark `ahead` of the current place, '' past the end."""
        index, words = self.at + ahead, self.words
        return words[index] if index < len(words) else ""

    def verb(self, ahead: int = 0) -> Verb | None:
        """Return the verb that a word is, if it is one."""
        return VERBS.get(self.word(ahead))

    def drop(self, *indexes: int) -> None:
        """Remove words or marks from the text, as if they had not been written."""
        for index in sorted(indexes, reverse=True):
            del self.words[index], self.spans[index]

    def text_between(self, start: int, end: int) -> str:
        """Return words `start` to before `end` as they are in the text."""
        end = min(end, len(self.spans))
        return self.text[self.spans[start][0] : self.spans[end - 1][1]] if start < end else ""

    def here(self) -> str:
        """Return the current word, as it is in the text."""
        return self.text_between(self.at, self.at + 1)

    def tight(self, index: int) -> bool:
        """Return whether the mark at `index` has no blank on either side."""
        spans = self.spans
        return (
            0 < index < len(spans) - 1
            and spans[index - 1][1] == spans[index][0]
            and spans[index][1] == spans[index + 1][0]
        )

    def fault(self, piece: str, kind: SentenceKind, suggestions: tuple[str, ...] = (), **parts: object) -> InvalidOrder:
        """Return the exception with a sentence that quotes `piece`."""
        piece = excerpt(piece)
        return InvalidOrder(kind(piece=Quoted(piece), **parts), piece=piece, suggestions=suggestions)
