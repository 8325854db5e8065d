"""Forms of pages, as browsers send them."""

from typing import Annotated
from urllib.parse import parse_qs

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from plenipo.server.web.rendering import MOST_FIELDS

__all__ = ["Fields", "Form", "field", "form_of"]

Form = dict[str, list[str]]
"""The fields that are not empty, each with all its values."""


def field(form: Form, name: str, most: int = 200) -> str:
    """Return the first value of a field, cut to a length in characters; empty if there is none."""
    return form.get(name, [""])[0][:most]


async def form_of(request: Request) -> Form:
    """Return the submitted form; one with too many fields is refused."""
    text = (await request.body()).decode("utf-8", "replace")
    try:
        return parse_qs(text, max_num_fields=MOST_FIELDS)
    except ValueError as fault:
        raise HTTPException(400, f"This form has more than {MOST_FIELDS} fields.") from fault


Fields = Annotated[Form, Depends(form_of)]
"""The submitted form of a request."""
