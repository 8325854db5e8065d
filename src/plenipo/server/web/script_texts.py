"""The message catalogue of a language for the page scripts, as JSON."""

import json
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from plenipo.engine.sentences import find_kind
from plenipo.languages import ENGLISH, available, catalogue
from plenipo.languages.catalogues import Catalogue
from plenipo.languages.names import names_in
from plenipo.server.texts import SERVER
from plenipo.server.web.cache import Payload, respond

__all__ = ["export_catalogue", "router"]

NUMBERS = 200
"""The number of values the exported plural rule covers; a larger value follows the rule of its last two digits."""

IN_CONTEXT = "\x04"
"""The mark between the context and the text of a message, as in compiled catalogues of gettext."""

router = APIRouter(include_in_schema=False)


def export_catalogue(
    texts: Catalogue, rules: Catalogue | None = None, names: Mapping[str, str] = MappingProxyType({})
) -> dict[str, object]:
    """Return the messages of the pages by their English text, and the plural form of 0 to 199 as digits.

    A message with a context has it before the text, with `IN_CONTEXT` between them; one that depends on a number has
    the list of its forms. `sentences` are those whose context is a kind of sentence, by the kind; one that counts also
    names the part that decides. `names` are those of powers and spaces.
    """
    messages = {
        f"{context}{IN_CONTEXT if context else ''}{message}": _forms(forms)
        for context, message, forms in texts
        if not context.startswith(SERVER)
    }
    kinds = [(context, forms) for context, _, forms in texts if context.startswith(SERVER)]
    kinds += [(context, forms) for context, _, forms in rules or () if context]
    sentences = {kind: {"text": _forms(forms), **_count(kind)} for kind, forms in kinds}
    plurals = "".join(str(texts.plural(number)) for number in range(NUMBERS))
    return {"plurals": plurals, "messages": messages, "sentences": sentences, "names": dict(names)}


def _forms(forms: tuple[str, ...]) -> str | list[str]:
    return list(forms) if len(forms) > 1 else forms[0]


def _count(kind: str) -> dict[str, str]:
    found = find_kind(kind)
    return {"count": found.count} if found is not None and found.plural else {}


@cache
def _payload(language: str) -> Payload:
    pages, rules = (catalogue(language, domain) for domain in ("pages", "rules"))
    texts = export_catalogue(pages, rules, names_in(language))
    body = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    return Payload(body.encode(), "application/json")


@router.get("/languages/{language}.json")
def script_texts(request: Request, language: str) -> Response:
    """Serve the catalogue of a language to the page scripts; English has none."""
    if language == ENGLISH or language not in available():
        raise HTTPException(404)
    return respond(request, _payload(language), cache="public, max-age=3600")
