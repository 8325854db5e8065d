"""The check of a built site: every link leads to a page and heading that are there, and no page asks another host."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["Page", "find_faults", "read_page"]

LOADS = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src", "srcset"),
    "input": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
"""The attributes that make a browser ask for a file, by element."""

ADDRESSED = {"canonical", "alternate", "license", "prev", "next"}
"""Relations of a `<link>` that a browser does not follow by itself."""

STYLE = re.compile(r"url\(\s*['\"]?(?P<url>[^'\")]+)|@import\s+['\"](?P<sheet>[^'\"]+)")

OUTER = ("http:", "https:", "//", "ws:", "wss:")

NO_FILE = ("data:", "mailto:", "javascript:", "blob:", "about:")


@dataclass
class Page:
    """The links of a page, the files it loads, and the names of its places."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self.in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        self.page.names |= {given[key] for key in ("id", "name") if given.get(key)}
        self.page.loads += _style_urls(given.get("style", ""))
        self.in_style = tag == "style"
        if tag in {"a", "area"} and "href" in given:
            self.page.links.append(given["href"])
        for key in LOADS.get(tag, ()):
            if key in given and not (tag == "link" and set(given.get("rel", "").split()) & ADDRESSED):
                urls = [part.split()[0] for part in given[key].split(",")] if key == "srcset" else [given[key]]
                self.page.loads += urls

    def handle_data(self, data: str) -> None:
        if self.in_style:
            self.page.loads += _style_urls(data)

    def handle_endtag(self, tag: str) -> None:
        self.in_style = self.in_style and tag != "style"


def _style_urls(text: str) -> list[str]:
    return [found["url"] or found["sheet"] for found in STYLE.finditer(text)]


def read_page(text: str) -> Page:
    """Return what a page of HTML links to and loads."""
    reader = _Reader()
    reader.feed(text)
    return reader.page


def find_faults(site: Path) -> Iterator[str]:
    """Yield a sentence for every dead link, and for everything that a page or style sheet loads from elsewhere."""
    pages = {file.relative_to(site).as_posix(): read_page(file.read_text("utf-8")) for file in site.rglob("*.html")}
    files = {file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()}
    for name, page in sorted(pages.items()):
        for link in page.loads:
            if link.startswith(OUTER):
                yield f"'{name}' loads '{link}' from elsewhere."
        for link in dict.fromkeys((*page.links, *page.loads)):
            if not link.startswith((*OUTER, *NO_FILE)):
                yield from _follow(name, link, pages, files)
    for sheet in sorted(files):
        if sheet.endswith((".css", ".svg")):
            for link in _style_urls((site / sheet).read_text("utf-8")):
                if link.startswith(OUTER):
                    yield f"'{sheet}' loads '{link}' from elsewhere."
                elif not link.startswith((*NO_FILE, "#")):
                    yield from _follow(sheet, link, pages, files)


def _follow(name: str, link: str, pages: dict[str, Page], files: set[str]) -> Iterator[str]:
    parts = urlsplit(link)
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
    if parts.path.startswith("/"):  # the page of an unknown address, which is served anywhere
        target = parts.path.lstrip("/") or "index.html"
    if (target not in files and posixpath.join(target, "index.html") in files) or target == ".":
        target = posixpath.normpath(posixpath.join(target, "index.html"))
    if target not in files:
        yield f"'{name}' links to '{link}', which is not there."
    elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
        yield f"'{name}' links to '{link}', and that page has no such heading."
