"""The message catalogue of a language for the page scripts, as JSON."""

import json
from functools import cache

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from plenipo.languages import ENGLISH, available, catalogue
from plenipo.languages.catalogues import Catalogue
from plenipo.server.web.cache import Payload, respond

__all__ = ["export_catalogue", "router"]

NUMBERS = 200
"""The number of values the exported plural rule covers; a larger value follows the rule of its last two digits."""

router = APIRouter(include_in_schema=False)


def export_catalogue(texts: Catalogue) -> dict[str, object]:
    """Return the messages without a context by their English text, and the plural form of 0 to 199 as digits.

    A message that depends on a number has the list of its forms.
    """
    messages = {
        message: list(forms) if len(forms) > 1 else forms[0] for context, message, forms in texts if not context
    }
    return {"plurals": "".join(str(texts.plural(number)) for number in range(NUMBERS)), "messages": messages}


@cache
def _payload(language: str) -> Payload:
    body = json.dumps(export_catalogue(catalogue(language)), ensure_ascii=False, separators=(",", ":"))
    return Payload(body.encode(), "application/json")


@router.get("/languages/{language}.json")
def script_texts(request: Request, language: str) -> Response:
    """Serve the catalogue of a language to the page scripts; English has none."""
    if language == ENGLISH or language not in available():
        raise HTTPException(404)
    return respond(request, _payload(language), cache="public, max-age=3600")
