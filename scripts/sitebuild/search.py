"""The check of the search of a built site: the index is there, pages load it from the site, and it finds a word."""

import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urlsplit

__all__ = ["find_search_faults"]

INDEX = "search.json"
"""The index of the words of a site, which its pages load from its folder."""

WORD = "convoy"
"""A word that the pages of the site explain."""

CONFIG = re.compile(r'<script id="__config" type="application/json">(?P<json>.*?)</script>', re.DOTALL)
"""The configuration of a page: `base` leads to the folder of the site, `search` to the script that searches."""


def find_search_faults(site: Path, word: str = WORD) -> Iterator[str]:
    """Yield a sentence for everything that keeps the search of a site from finding a word."""
    try:
        entries: list[dict[str, Any]] = json.loads((site / INDEX).read_text("utf-8"))["items"]
    except FileNotFoundError:
        yield f"'{INDEX}' is not there, so the search finds nothing."
        return
    except (ValueError, KeyError, TypeError):
        yield f"'{INDEX}' is no index of the search."
        return
    found = [one for one in entries if word in f"{one.get('title', '')} {one.get('text', '')}".casefold()]
    if not found:
        yield f"The search does not find '{word}'."
    for one in found:
        page = urldefrag(one["location"]).url
        page += "index.html" if page.endswith("/") or not page else ""
        if not (site / page).is_file():
            yield f"The search for '{word}' leads to '{page}', which is not there."
    configured = False
    for file in sorted(site.rglob("*.html")):
        if config := CONFIG.search(file.read_text("utf-8")):
            configured = True
            yield from _check_page(site, file, json.loads(config["json"]))
    if not configured:
        yield "No page loads the search."


def _check_page(site: Path, file: Path, config: dict[str, Any]) -> Iterator[str]:
    name = file.relative_to(site).as_posix()
    for link in (str(config.get("search", "")), posixpath.join(str(config.get("base", "")), INDEX)):
        parts = urlsplit(link)
        if parts.netloc:
            yield f"'{name}' loads the search from '{link}', which is elsewhere."
        elif not _place(site, file, parts.path).is_file():
            yield f"'{name}' loads the search from '{link}', which is not there."


def _place(site: Path, file: Path, path: str) -> Path:
    # the page of an unknown address is served anywhere, so its links begin at the root
    return site / path.lstrip("/") if path.startswith("/") else file.parent / path
