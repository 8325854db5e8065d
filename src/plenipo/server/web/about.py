"""A variant's description for players: its theme, the next phases, its signs, rules and choices."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from html import escape
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import quote

from markdown_it import MarkdownIt
from pydantic import PrivateAttr, field_serializer

from plenipo import bots, library
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.position import Position
from plenipo.engine.rulebook import EDITIONS
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from plenipo.languages import ENGLISH
from plenipo.library import plugins
from plenipo.server.computers import COMPUTER
from plenipo.server.texts import current_language, pgettext
from plenipo.server.warm_up import SIMPLE
from plenipo.server.web.library import translate_sign
from plenipo.server.web.models import Model, Option, Phase, parts_of, summary_of, translate_summary

__all__ = ["About", "Computer", "NewGameChoices", "VariantText", "rules_of"]

AHEAD = 4
"""The number of future phases that are named."""


class BoardSign(Model):
    """A sign on the board of some variants, and its meaning."""

    kind: str
    words: str
    _template: str = PrivateAttr("")
    _options: Mapping[str, Any] = PrivateAttr(default_factory=dict)

    @classmethod
    def of(cls, kind: str, template: str, options: Mapping[str, Any]) -> "BoardSign":
        """Return the sign with words of a rule module, in which the module's options have their places."""
        made = cls(kind=kind, words=template.format(**options))
        made._template, made._options = template, options
        return made

    @property
    def text(self) -> str:
        """The words in the current language."""
        return translate_sign(self._template).format(**self._options) if self._template else self.words

    @field_serializer("words")
    def _render(self, _words: str) -> str:
        return self.text


class About(Model):
    """A variant for its players: two sentences, the next phases, its signs, and the page of its rules."""

    summary: str
    next: tuple[Phase, ...]
    signs: tuple[BoardSign, ...]
    rules: str
    _variant: str = PrivateAttr("")

    @classmethod
    def of(cls, rules: Rules, position: Position) -> "About":
        """Return the description of a game's rules at a position."""
        # no retreats, which may not be needed
        sure = (PhaseKind.CHOICE, PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS)
        ahead = (phase for phase in rules.calendar.after(position.phase) if phase.kind in sure)
        made = cls(
            summary=summary_of(rules.variant),
            next=tuple(map(Phase.of, islice(ahead, AHEAD))),
            signs=tuple(_signs(rules)),
            rules=f"/variants/{quote(rules.variant, safe='+')}/rules",
        )
        made._variant = rules.variant
        return made

    @field_serializer("summary")
    def _render(self, summary: str) -> str:
        return translate_summary(self._variant) if self._variant else summary


class Computer(Model):
    """A computer player: its name, its play in plain words, and whether it is the default."""

    name: str
    words: str
    usual: bool

    @classmethod
    def all(cls) -> tuple["Computer", ...]:
        """Return the computer players to choose from, the weakest first.

        Those that need a search only where it works.
        """
        players = plugins.players().plugins.values()
        idle = (*bots.LEVELS, *bots.PERSONS) if bots.why_simple() else ()
        usual = SIMPLE if COMPUTER in idle else COMPUTER
        return tuple(
            cls(name=one.name, words=one.summary.rstrip("."), usual=one.name == usual)
            for one in players
            if one.name not in idle
        )


def _signs(rules: Rules) -> Iterator[BoardSign]:
    for module in rules.modules:
        options = {field.name: getattr(module, field.name) for field in fields(module)}
        for kind, words in module.signs.items():
            yield BoardSign.of(kind, words, options)


class NewGameChoices(Model):
    """The choices for a new game: rulebook editions, variants to combine, and options."""

    editions: tuple[str, ...]
    partners: tuple[str, ...]
    options: tuple[Option, ...]

    @classmethod
    def of(cls, variant: str) -> "NewGameChoices":
        """Return the choices of a variant, as its files are now; raise as `library.load` does."""
        return cls._of(variant, plugins.version_of(variant))

    @classmethod
    @lru_cache(maxsize=64)
    def _of(cls, variant: str, _version: tuple[int, ...]) -> "NewGameChoices":
        return cls(
            editions=EDITIONS,
            partners=tuple(name for name in library.names() if _go_together(variant, name)),
            options=tuple(map(Option.model_validate, library.options_of(variant))),
        )


def _go_together(variant: str, name: str) -> bool:
    """Return whether two variants can be combined."""
    if name in parts_of(variant):
        return False
    together = f"{variant}{library.AND}{name}"
    try:
        modules = library.load(together).modules
    except PlenipoError:
        return False
    return modules not in (library.load(variant).modules, library.load(name).modules)


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")

_COMMENT = re.compile(r"[ \t]*<!--.*?-->", re.DOTALL)
"""A comment in a page, which is for its authors."""


class VariantText(NamedTuple):
    """The text of a variant for players, as HTML: its rules, then the rulings on doubts and the options.

    `language` is that of the text: English if there is no page in the reader's.
    """

    variant: str
    language: str
    rules: str
    details: str


def rules_of(variant: str) -> tuple[VariantText, ...]:
    """Return the rules of a variant as pages for players, one for each part of a combined variant.

    The summary, which stands above them, and instructions for the command line are left out. Raise the errors of
    `library.load`.
    """
    return _rules_of(variant, current_language(), plugins.version_of(variant))


@lru_cache(maxsize=32)
def _rules_of(variant: str, language: str, _version: tuple[int, ...]) -> tuple[VariantText, ...]:
    library.load(variant)
    pages = []
    for part in parts_of(variant):
        own = None if language == ENGLISH else library.read_page(part, language)
        # the rulings come after the rules
        end = "Rulings" if own is None else pgettext("page of a variant", "Rulings")
        text = library.read_page(part) or "" if own is None else own
        summary = summary_of(part) if own is None else translate_summary(part)
        rules, heading, details = _page(_leave_out_summary(text, summary)).partition(f"<h2>{escape(end)}</h2>")
        pages.append(VariantText(part, ENGLISH if own is None else language, rules, heading + details))
    return tuple(pages)


def _leave_out_summary(text: str, summary: str) -> str:
    """Return a page without the lines of its summary, which stands above the rules already."""
    before, heading, after = text.partition("\n## ")
    return "\n".join(line for line in before.split("\n") if not line or line.strip() not in summary) + heading + after


def _page(text: str) -> str:
    """Return Markdown as HTML, without its title, comments and blocks of commands."""
    tokens = _MARKDOWN.parse(_COMMENT.sub("", text))
    kept = [token for token in tokens if not (token.type == "fence" and token.info.strip() == "console")]
    if [token.type for token in kept[:3]] == ["heading_open", "inline", "heading_close"]:
        kept = kept[3:]
    headings = [token for token in kept if token.type in ("heading_open", "heading_close")]
    # the page has its title already, so that the first headings of the text are those below it
    highest = min((int(token.tag[1]) for token in headings), default=2)
    for token in headings:
        token.tag = f"h{min(int(token.tag[1]) - highest + 2, 6)}"
    html = str(_MARKDOWN.renderer.render(kept, _MARKDOWN.options, {}))
    # wide tables can be scrolled with keys, and the empty corner of a table is no heading
    return html.replace("<pre>", '<pre tabindex="0">').replace("<th></th>", "<td></td>")
