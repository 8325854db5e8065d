"""The words before orders: the power that gives them, a season, the verb of a list.

`FRANCE (Smith):`, `Spring 1901`, `Builds:`, and a power's name right before its order.
"""

import re

from plenipo.engine.position import Power
from plenipo.engine.reading import reading_sentences as say
from plenipo.engine.reading.names import NameReader
from plenipo.engine.reading.words import HEADINGS, Verb
from plenipo.errors import InvalidOrder

__all__ = ["HeadingReader"]

_PHASE = re.compile(r"[sfw]\d{2,4}[mrab]?")
_SHORTEST_VERB = 5
"""The smallest number of letters of a verb that is a heading without a colon, `Builds`."""


class HeadingReader(NameReader):
    """A reader of the words before an order, and of lines that have nothing else."""

    __slots__ = ()

    def speaker(self) -> Power | None:
        """Return the power whose order this is, if the text begins with one; with or without a colon."""
        if ":" in self.words:
            return self._heading(self.words.index(":"))
        power = self._nationality(leading=True)
        if power and self.word() in {"-", ">"} and self.word(1) in self.lexicon.kinds:
            self.at += 1  # 'France - A PAR H'
        return power

    def heading(self) -> tuple[Power | None, Verb | None] | None:
        """Return the power and the verb of a text that has nothing else, `France`, `Builds:`.

        `None` if it has more or less.

        The name of a space alone is no heading without a colon, and neither is a verb.
        """
        if ":" in self.words and self.words.index(":") != len(self.words) - 1:
            return None
        try:
            power = self.speaker()
        except InvalidOrder:
            return None  # it is read as an order, which says what is wrong
        verb = self.verb() if self.at == len(self.words) - 1 else None
        if verb in {Verb.BUILD, Verb.DISBAND} and len(self.words) == 1 and len(self.words[0]) >= _SHORTEST_VERB:
            return None, verb
        if power is None and self.at == 0 and verb is None:
            power = self._only_power()
        if self._is_dated():
            return power, None
        marked = self.text.rstrip().endswith(":")
        if self.is_at_end and (power or marked):
            return power, None
        return (power, verb) if verb and marked else None

    def _is_dated(self) -> bool:
        """Return whether the rest is only a season or phase, perhaps with a power: `S1901M`, `Spring 1901 France`."""
        dated = False
        while not self.is_at_end:
            word = self.word()
            named = None if word in HEADINGS else self._power()
            if named and not self.exact(self.at):
                self.at = named[1]
            elif word in HEADINGS or word.isdecimal() or _PHASE.fullmatch(word) or not word[0].isalnum():
                dated = dated or word[0].isalnum()
                self.at += 1
            else:
                return False
        return dated

    def _only_power(self) -> Power | None:
        """Return the power whose abbreviated name is all of the text, if that is no space."""
        if len(self.words) != 1 or self.exact(0) or self.lexicon.beginning(self.words[0]):
            return None
        power = self.lexicon.short_powers.get(self.words[0])
        self.at += power is not None
        return power

    def _heading(self, colon: int) -> Power | None:
        """Return the power before a colon, `FRANCE (Smith):`; other words there may be `Orders` or a verb, `Builds:`.

        A verb is left to be read, and so is a unit: `A PAR: holds`.
        """
        start, power = self.at, self._heading_power(colon)
        if power is None:
            self._skip_heading_words(colon)  # 'Orders for France:'
            power = self._heading_power(colon)
        if power and self.word() == "(" and ")" in self.words[self.at : colon]:  # a player or a number
            self.at = self.words.index(")", self.at) + 1
        after = self.at
        self._skip_heading_words(colon)
        if self.at < colon and self.verb():
            verb = self.at
            self.at += 1
            self._skip_heading_words(colon)
            if self.at == colon:
                self.drop(*range(verb + 1, colon + 1))
                self.at = verb
                return power
        if start < self.at == colon:
            self.at += 1
            return power
        unit = start if power is None else after
        if self._is_unit(unit):  # or a unit and its verb: `A VIE retreats: BOH`
            self.drop(colon)
            self.at = unit
            return power
        written, known = self.text_between(start, max(colon, start + 1)), self.lexicon.power_names
        raise self.fault(written, say.NO_POWER_ONE_OF, powers=known) if known else self.fault(written, say.NO_POWER)

    def _heading_power(self, colon: int) -> Power | None:
        """Return the power named before a colon, by its name, the beginning of it or its initial."""
        named, word = self._power(), self.word()
        if named and named[1] <= colon:
            self.at = named[1]
            return named[0]
        only = colon == self.at + 1
        power = self.lexicon.short_powers.get(word) or (self.lexicon.initials.get(word) if only else None)
        if power:
            self.at += 1
        return power

    def _skip_heading_words(self, colon: int) -> None:
        """Skip common words of headings: `Spring 1901`, `orders`, a number of builds."""
        while self.at < colon:
            word = self.word()
            if not (word in HEADINGS or word == "," or word.isdecimal() or _PHASE.fullmatch(word)):
                break
            self.at += 1

    def _is_unit(self, start: int) -> bool:
        """Return whether only a unit, perhaps with its verb, is between `start` and a colon."""
        words, spans = self.words[:], self.spans[:]  # reading a unit may part its words
        self.at = start
        try:
            self.unit()
            self.at += self.verb() is not None and self.word(1) == ":"
            return self.word() == ":"
        except InvalidOrder:
            return False
        finally:
            self.words, self.spans = words, spans
