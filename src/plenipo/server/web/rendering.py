"""Templates filled with values: pages as bytes."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, select_autoescape
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from plenipo import __version__, languages
from plenipo.languages import mark
from plenipo.server.texts import (
    LESSONS,
    MONTHS,
    gettext,
    ngettext,
    pgettext,
    translate,
    translate_name,
    translate_phase,
    using_language,
)
from plenipo.server.web.assets import ASSETS
from plenipo.server.web.cache import Payload
from plenipo.server.web.context import THEMES, theme_of
from plenipo.server.web.library import translate_choice, translate_feature, translate_option
from plenipo.server.web.models import Model, Phase, SentenceModel, translate_summary
from plenipo.server.web.translation import direction_of, language_of

__all__ = ["MOST_FIELDS", "OPTION", "render_page"]

HTML = "text/html; charset=utf-8"

MOST_FIELDS = 100
"""The most fields of a form that opens a game."""

OPTION = "option."
"""The prefix of an option's name in that form; an empty field sets nothing."""


def _json(value: object) -> Markup:
    """Return a value as JSON that is safe in a page."""
    if isinstance(value, Model):
        return htmlsafe_json_dumps(value, dumps=lambda model: model.model_dump_json(exclude_defaults=model.lean))
    return htmlsafe_json_dumps(value)


def _date(at: date) -> str:
    """Return a day as pages show it.

    >>> _date(date(2026, 3, 2))
    '2 March 2026'
    """
    month = gettext(MONTHS[at.month - 1])
    return gettext("%(day)s %(month)s %(year)s") % {"day": at.day, "month": month, "year": at.year}


def _instant(at: datetime) -> str:
    """Return an instant as pages show it, until the browser shows it in its own zone.

    >>> _instant(datetime(2026, 3, 2, 19, tzinfo=UTC))
    '2 March, 19:00 UTC'
    """
    at = at.astimezone(UTC)
    month = gettext(MONTHS[at.month - 1])
    return gettext("%(day)s %(month)s, %(time)s UTC") % {"day": at.day, "month": month, "time": f"{at:%H:%M}"}


def _sentence(value: Any) -> str:
    """Return a sentence, a phase or a marked text, of the engine or of a model, in the language of the page."""
    if isinstance(value, SentenceModel | Phase):
        return value.words
    as_sentence = getattr(value, "as_sentence", None)
    return translate(value if as_sentence is None else as_sentence())


READERS = {"everyone": mark("everyone"), "unsigned": mark("unsigned")}
"""The readers of a thread that are no power."""


def _listing(names: Iterable[str]) -> str:
    """Return names as one text, such as `Austria, Italy and everyone`."""
    items = [gettext(READERS[name]) if name in READERS else name for name in names]
    if len(items) <= 1:
        return "".join(items)
    return gettext("%(others)s and %(last)s") % {"others": ", ".join(items[:-1]), "last": items[-1]}


def _level(computer: str) -> str:
    """Return the name of a computer player."""
    return pgettext("computer player", computer)


def _lesson_text(text: str, lesson: str) -> str:
    """Return a text of a lesson in the language of the page."""
    return pgettext(lesson, text, LESSONS)


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=select_autoescape(default=True),
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        auto_reload=False,
    )
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        gettext, ngettext, newstyle=True, pgettext=pgettext
    )
    environment.globals |= {"static": ASSETS.address, "modules": ASSETS.modules}
    environment.filters |= {
        "tojson": _json,
        "date": _date,
        "instant": _instant,
        "listing": _listing,
        "choice": translate_choice,
        "feature": translate_feature,
        "lesson": _lesson_text,
        "level": _level,
        "name": translate_name,
        "option": translate_option,
        "phase": translate_phase,
        "sentence": _sentence,
        "summary": translate_summary,
    }
    return environment


TEMPLATES = _environment()


def render_page(request: Request, template: str, theme: str | None = None, **context: Any) -> Payload:
    """Render a page in the language of the request."""
    language = language_of(request)
    shared = {
        "themes": list(THEMES),
        "theme": theme or theme_of(request),
        "chosen": bool(request.cookies.get("theme")),
        "version": __version__,
        "language": language,
        "direction": direction_of(language),
        "page_languages": [(tag, languages.native_name(tag)) for tag in languages.available()],
        "shown_path": request.url.path,
        "path": request.url.path if request.method == "GET" else "/",
        "picture_language": f"&language={language}" if language in languages.available()[1:] else "",
        "catalogue": language != languages.ENGLISH and language in languages.available(),
    }
    with using_language(language):
        return Payload(TEMPLATES.get_template(template).render(**shared, **context).encode(), HTML)
