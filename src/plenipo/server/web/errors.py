"""Every refusal as one sentence with the right status: JSON for programs, a page for people; never a traceback."""

import logging
from collections.abc import Callable, Sequence
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from plenipo import errors
from plenipo.library.mistakes import FaultyFile
from plenipo.server import errors as refused
from plenipo.server.observer import KIND
from plenipo.server.store.faults import TEMPORARY, Trouble, trouble_of
from plenipo.server.web.models import Failure, Fault
from plenipo.validation import NO_SUCH_KEY, NOT_THERE, clause, without_alternatives

__all__ = ["fault_of", "install", "refuse"]

Page = Callable[[Request, Fault], Response]

_LOG = logging.getLogger("plenipo.server")

_BY_STATUS = {
    400: ("malformed", "The request cannot be understood."),
    404: ("not_found", "There is nothing at this address."),
    405: ("method", "This address cannot be used in that way."),
    413: ("too_large", "What was sent is too large."),
    415: ("wrong_type", "Send JSON, with the header 'Content-Type: application/json'."),
    501: ("unavailable", "This server cannot do that."),
}


def fault_of(error: Exception) -> Fault:
    """Return the refusal for any exception."""
    if isinstance(error, refused.OrderRefused):
        code = "illegal" if error.illegal else "invalid"
        return _fault(422, code, _sentence(str(error)), error.piece, error.suggestions, error.index)
    if isinstance(error, refused.GameServiceError):
        return _fault(error.status, error.code, _sentence(str(error)))
    if isinstance(error, errors.InvalidOrder):
        return _fault(422, "invalid", _sentence(str(error)), error.piece, error.suggestions)
    if isinstance(error, errors.IllegalOrder | errors.PhaseNotOver):
        return _fault(422, "illegal", _sentence(str(error)))
    if isinstance(error, FaultyFile):
        return _fault(422, "invalid", _sentence(error.mistake.without_path))
    if isinstance(error, errors.PlenipoError):
        return _fault(422, "invalid", _sentence(str(error)))
    if isinstance(error, RequestValidationError):
        return _validation(error)
    if isinstance(error, HTTPException):
        code, usual = _BY_STATUS.get(error.status_code, ("refused", HTTPStatus(error.status_code).phrase + "."))
        message = error.detail if error.detail and error.detail != HTTPStatus(error.status_code).phrase else usual
        return _fault(error.status_code, code, _sentence(str(message)))
    if isinstance(error, SQLAlchemyError):
        trouble = trouble_of(error)
        if trouble in TEMPORARY:
            return _fault(503, "unavailable", "The games cannot be reached now; try again in a moment.")
        if trouble is Trouble.CONFLICT:
            return _fault(409, "busy", "Something else changed this at the same moment; try again.")
    return _fault(500, "internal", "Something went wrong on the server; it has been noted in its log.")


def _fault(
    status: int, code: str, message: str, piece: str = "", suggestions: tuple[str, ...] = (), index: int | None = None
) -> Fault:
    return Fault(status=status, code=code, message=message, piece=piece, suggestions=suggestions, index=index)


def _sentence(text: str) -> str:
    """Return a text as one printable line that ends like a sentence."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if line.endswith((".", "!", "?", "…")) else f"{line}."


def _validation(error: RequestValidationError) -> Fault:
    """Return the first fault of a request."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return _fault(400, "malformed", f"The body is not JSON: {first['ctx'].get('error', 'it cannot be read')}.")
    place, errors = without_alternatives(error.errors())
    name = _named(place)
    if first["type"] in NOT_THERE:
        return _fault(422, "malformed", f"'{name}' is missing.", name)
    if first["type"] in NO_SUCH_KEY:
        return _fault(422, "malformed", f"'{name}' is not known here; leave it out.", name)
    return _fault(422, "malformed", _sentence(f"'{name}' cannot be used: {clause(errors)}"), name)


def _named(place: Sequence[str | int]) -> str:
    """Return which part of what was sent is meant."""
    sent = [str(part) for part in place if part not in ("body", "query", "path", "header", "cookie")]
    return ".".join(part[:60] for part in sent[:4]) or "the body"


def for_programs(path: str) -> bool:
    """Return whether an address is one of programs, or of pictures, whose refusals are JSON."""
    return path.startswith("/api/") or path.endswith((".svg", ".png", ".css"))


def refuse(fault: Fault) -> Response:
    """Return a refusal as JSON for programs."""
    return Response(Failure(error=fault).model_dump_json(), fault.status, media_type="application/json")


def _log_trouble(error: SQLAlchemyError) -> None:
    """Log a fault of the database by its kind, with its traceback where it is not known to pass."""
    trouble = trouble_of(error)
    reason = None if trouble in TEMPORARY else error
    _LOG.error("fault of the database: %s", trouble, exc_info=reason, extra={KIND: f"database {trouble}"})


def install(app: FastAPI, page: Page) -> None:
    """Answer every exception of `app` with its refusal; `page` makes it one for people."""

    def answer(request: Request, error: Exception) -> Response:
        fault = fault_of(error)
        if isinstance(error, SQLAlchemyError):
            _log_trouble(error)
        elif fault.status >= HTTPStatus.INTERNAL_SERVER_ERROR and fault.code != "unavailable":
            _LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
        response = refuse(fault) if for_programs(request.url.path) else page(request, fault)
        response.headers.update(getattr(error, "headers", None) or {})
        return response

    for kind in (errors.PlenipoError, RequestValidationError, HTTPException, SQLAlchemyError, Exception):
        app.add_exception_handler(kind, answer)
