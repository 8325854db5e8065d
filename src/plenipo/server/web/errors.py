"""Every refusal as one sentence with the right status: JSON for programs, a page for people; never a traceback."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from plenipo import errors
from plenipo.server import errors as refused

__all__ = ["Refusal", "install", "refusal_of"]

Json = dict[str, Any]
Page = Callable[[Request, "Refusal"], Response]

_LOG = logging.getLogger("plenipo.server")

_BY_HOST = {
    refused.UnknownGame: HTTPStatus.NOT_FOUND,
    refused.NoKey: HTTPStatus.UNAUTHORIZED,
    refused.NotYours: HTTPStatus.FORBIDDEN,
    refused.Stale: HTTPStatus.CONFLICT,
    refused.Over: HTTPStatus.CONFLICT,
    refused.Busy: HTTPStatus.CONFLICT,
    refused.TooMuch: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    refused.OrderRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
}
_BY_STATUS = {
    400: ("malformed", "The request cannot be understood."),
    404: ("not_found", "There is nothing at this address."),
    405: ("method", "This address cannot be used in that way."),
    413: ("too_large", "What was sent is too large."),
    415: ("wrong_type", "Send JSON, with the header 'Content-Type: application/json'."),
    501: ("unavailable", "This server cannot do that."),
}


@dataclass(frozen=True)
class Refusal:
    """What is told of an error."""

    status: int
    code: str
    message: str
    piece: str = ""
    suggestions: tuple[str, ...] = ()
    index: int | None = None

    def json(self) -> Json:
        """The one shape of errors."""
        return {
            "error": {
                "status": self.status,
                "code": self.code,
                "message": self.message,
                "piece": self.piece,
                "suggestions": list(self.suggestions),
                "index": self.index,
            }
        }

    @property
    def title(self) -> str:
        """The name of the status, `Not Found`."""
        return HTTPStatus(self.status).phrase


def refusal_of(fault: Exception) -> Refusal:
    """What is told of any exception."""
    if isinstance(fault, refused.OrderRefused):
        code = "illegal" if fault.illegal else "invalid"
        return Refusal(422, code, _sentence(str(fault)), fault.piece, fault.suggestions, fault.index)
    if isinstance(fault, refused.HostError):
        return Refusal(_BY_HOST.get(type(fault), HTTPStatus.BAD_REQUEST), fault.code, _sentence(str(fault)))
    if isinstance(fault, errors.InvalidOrder):
        return Refusal(422, "invalid", _sentence(str(fault)), fault.piece, fault.suggestions)
    if isinstance(fault, errors.IllegalOrder):
        return Refusal(422, "illegal", _sentence(str(fault)))
    if isinstance(fault, errors.PlenipoError):
        return Refusal(422, "invalid", _sentence(str(fault)))
    if isinstance(fault, RequestValidationError):
        return _validation(fault)
    if isinstance(fault, HTTPException):
        code, usual = _BY_STATUS.get(fault.status_code, ("refused", HTTPStatus(fault.status_code).phrase + "."))
        told = fault.detail if fault.detail and fault.detail != HTTPStatus(fault.status_code).phrase else usual
        return Refusal(fault.status_code, code, _sentence(str(told)))
    if isinstance(fault, SQLAlchemyError):
        return Refusal(503, "unavailable", "The games cannot be reached now; try again in a moment.")
    return Refusal(
        500, "internal", "Something went wrong on the server; it has been noted there, and nothing was lost."
    )


def _sentence(text: str) -> str:
    """One line that ends like a sentence and holds nothing that a terminal or page would take for more."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if line.endswith((".", "!", "?", "…")) else f"{line}."


def _validation(fault: RequestValidationError) -> Refusal:
    """The first thing that is wrong with what was sent."""
    first = fault.errors()[0]
    if first["type"] == "json_invalid":
        return Refusal(400, "malformed", f"The body is not JSON: {first['ctx'].get('error', 'it cannot be read')}.")
    place = [str(part) for part in first["loc"] if part not in ("body", "query", "path", "header", "cookie")]
    name = ".".join(part[:60] for part in place[:4]) or "the body"
    if first["type"] == "missing":
        return Refusal(422, "malformed", f"'{name}' is missing.", name)
    if first["type"] == "extra_forbidden":
        return Refusal(422, "malformed", f"'{name}' is not known here; leave it out.", name)
    told = first["msg"]
    return Refusal(422, "malformed", _sentence(f"'{name}' cannot be used: {told[:1].lower()}{told[1:]}"), name)


def for_programs(path: str) -> bool:
    """Whether an address is one of programs, or of pictures, whose refusals are JSON."""
    return path.startswith("/api/") or path.endswith((".svg", ".png", ".css"))


def install(app: FastAPI, page: Page) -> None:
    """Answer every exception of `app` with its refusal; `page` makes one of it for people."""

    def answered(request: Request, fault: Exception) -> Response:
        refusal = refusal_of(fault)
        if refusal.status >= HTTPStatus.INTERNAL_SERVER_ERROR and refusal.code != "unavailable":
            _LOG.error("%s %s failed", request.method, request.url.path, exc_info=fault)
        headers = dict(getattr(fault, "headers", None) or {})
        if for_programs(request.url.path):
            return JSONResponse(refusal.json(), refusal.status, headers)
        answer = page(request, refusal)
        answer.headers.update(headers)
        return answer

    for kind in (errors.PlenipoError, RequestValidationError, HTTPException, SQLAlchemyError, Exception):
        app.add_exception_handler(kind, answered)
