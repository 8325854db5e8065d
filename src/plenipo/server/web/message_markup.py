"""The text of a message on a page: Markdown without HTML, pictures or hidden addresses."""

import html
from functools import cache

import nh3
from markdown_it import MarkdownIt

__all__ = ["as_html", "excerpt"]

_TAGS = frozenset("p br em strong s ul ol li blockquote code pre hr a".split())
"""The HTML tags that a message may contain."""

_PLAIN = ("image", "link", "reference", "html_inline", "html_block", "heading", "lheading", "entity")
"""The Markdown that stays plain: pictures reveal when they are viewed, links may hide their address."""

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
    """Return a message as HTML; link addresses are shown in full, and links send no referrer."""
    made: str = _reader().render(text)
    return nh3.clean(
        made,
        tags=set(_TAGS),
        attributes={"a": {"href"}},
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    ).strip()


def excerpt(text: str) -> str:
    """Return the beginning of a message in one line, without Markdown."""
    plain = html.unescape(nh3.clean(as_html(text).replace("</", " </").replace("<br", " <br"), tags=set()))
    line = " ".join(plain.split())
    return line if len(line) <= EXCERPT else f"{line[: EXCERPT - 1].rstrip()}…"
