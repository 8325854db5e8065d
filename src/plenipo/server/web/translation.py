"""The language of a request."""

import re
from collections.abc import Awaitable

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from plenipo import languages
from plenipo.server.texts import use_language

__all__ = ["COOKIE", "InReadersLanguage", "direction_of", "language_of", "language_of_orders", "match_tag"]

COOKIE = "language"
"""The cookie with the language that a person has chosen."""

RIGHT_TO_LEFT = frozenset("ar ckb dv fa he ps sd ug ur yi".split())  # english: ok


def language_of(request: Request) -> str:
    """Return the language for a request: the one its cookie names, else the best of its header, else English."""
    chosen = request.cookies.get(COOKIE, "")
    return match_tag(chosen) or _match_header(request.headers.get("accept-language", "")) or languages.ENGLISH


LONGEST = 40
"""The characters of a language tag that are looked at; BCP 47 recommends room for 35."""


def match_tag(tag: str, domain: str = "*") -> str | None:
    """Find the catalogue for a BCP 47 tag: its own, or that of a shorter one, such as `de` for `de-AT`."""
    known = {one.casefold(): one for one in languages.available(domain=domain)}
    parts = tag.strip()[:LONGEST].casefold().split("-")
    candidates = ("-".join(parts[:size]) for size in range(len(parts), 0, -1))
    return next((known[candidate] for candidate in candidates if candidate in known), None)


def _match_header(header: str) -> str | None:
    """Find the catalogue of the pages that suits an `Accept-Language` header best.

    A language with other catalogues alone is used only if it is chosen: most of its pages would be in English.
    """
    wanted = []
    for item in header[:400].split(","):
        tag, _, weight = item.partition(";")
        matched = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", weight)
        quality = float(matched[1]) if matched else float(not weight)
        if quality:
            wanted.append((-quality, tag))
    ranked = sorted(wanted, key=lambda one: one[0])
    return next((found for _, tag in ranked if (found := match_tag(tag, "pages")) is not None), None)


class InReadersLanguage:
    """The layer that answers each request in the language of its reader."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer a request; the sentences of the answer are in its language.

        Each request has a task of its own, in which the language is set until the task ends.
        """
        if scope["type"] == "http":
            use_language(language_of(Request(scope)))
        return self.app(scope, receive, send)


def language_of_orders(request: Request) -> str:
    """Return the language in which a request may write orders, in addition to English."""
    return language_of(request)


def direction_of(language: str) -> str:
    """Return the direction in which a language is written, as HTML has it: `ltr` or `rtl`."""
    return "rtl" if language.partition("-")[0] in RIGHT_TO_LEFT else "ltr"
