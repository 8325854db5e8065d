"""The text of a letter as a page shows it: Markdown without HTML, pictures or hidden addresses."""

import html
from functools import cache

import nh3
from markdown_it import MarkdownIt

__all__ = ["as_html", "excerpt"]

_TAGS = frozenset("p br em strong s ul ol li blockquote code pre hr a".split())
"""What of HTML a letter may come to."""

_PLAIN = ("image", "link", "reference", "html_inline", "html_block", "heading", "lheading", "entity")
"""What of Markdown stays as it was typed: pictures tell when they are looked at, links may lead elsewhere."""

EXCERPT = 90
"""The most characters of an excerpt."""


@cache
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "breaks": True, "linkify": True})
    reader.disable(list(_PLAIN)).enable(["linkify", "strikethrough"])
    assert reader.linkify is not None  # noqa: S101  # asked for above
    reader.linkify.set({"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})
    return reader


def as_html(text: str) -> str:
    """A letter as HTML; every address of a link is shown whole, and whoever follows it says not from where."""
    made: str = _reader().render(text)
    return nh3.clean(
        made,
        tags=set(_TAGS),
        attributes={"a": {"href"}},
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    ).strip()


def excerpt(text: str) -> str:
    """The beginning of a letter in one line, without the marks of Markdown."""
    plain = html.unescape(nh3.clean(as_html(text).replace("</", " </").replace("<br", " <br"), tags=set()))
    line = " ".join(plain.split())
    return line if len(line) <= EXCERPT else f"{line[: EXCERPT - 1].rstrip()}…"
