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
from plenipo.engine.sentences import SentenceKind
from plenipo.languages import mark
from plenipo.library.mistakes import FaultyFile
from plenipo.server import errors as refused
from plenipo.server.observer import KIND
from plenipo.server.store.faults import TEMPORARY, DatabaseFault, trouble_of
from plenipo.server.web.models import Failure, Fault
from plenipo.validation import NO_SUCH_KEY, NOT_THERE, clause, without_alternatives

__all__ = ["fault_of", "install", "refuse"]

Page = Callable[[Request, Fault], Response]

_LOG = logging.getLogger("plenipo.server")

_BY_STATUS = {
    400: ("malformed", mark("The request cannot be understood.")),
    404: ("not_found", mark("There is nothing at this address.")),
    405: ("method", mark("This address cannot be used in that way.")),
    413: ("too_large", mark("The request is too large.")),
    415: ("wrong_type", mark("Send JSON, with the header 'Content-Type: application/json'.")),
    501: ("unavailable", mark("This server cannot do that.")),
}

_MISSING = SentenceKind("server-field-missing", "'{name}' is missing.")
_UNKNOWN = SentenceKind("server-field-unknown", "There is no field '{name}'; leave it out.")
_UNUSABLE = SentenceKind("server-field-unusable", "'{name}' cannot be used: {fault}")
_NO_JSON = SentenceKind("server-body-unreadable", "The body is not JSON: {fault}.")


def fault_of(error: Exception) -> Fault:
    """Return the refusal for any exception."""
    if isinstance(error, refused.OrderRefused):
        code = "illegal" if error.illegal else "invalid"
        return Fault.of(422, code, error.sentence, piece=error.piece, suggestions=error.suggestions, index=error.index)
    if isinstance(error, refused.GameServiceError):
        return Fault.of(error.status, error.code, error.sentence)
    if isinstance(error, errors.InvalidOrder):
        return Fault.of(422, "invalid", error.sentence, piece=error.piece, suggestions=error.suggestions)
    if isinstance(error, errors.IllegalOrder | errors.PhaseNotOver):
        return Fault.of(422, "illegal", error.sentence)
    if isinstance(error, FaultyFile):
        return Fault.of(422, "invalid", error.mistake.without_path)
    if isinstance(error, errors.PlenipoError):
        return Fault.of(422, "invalid", error.sentence)
    if isinstance(error, RequestValidationError):
        return _validation(error)
    if isinstance(error, HTTPException):
        code, usual = _BY_STATUS.get(error.status_code, ("refused", HTTPStatus(error.status_code).phrase + "."))
        message = error.detail if error.detail and error.detail != HTTPStatus(error.status_code).phrase else usual
        return Fault.of(error.status_code, code, str(message))
    if isinstance(error, SQLAlchemyError):
        trouble = trouble_of(error)
        if trouble in TEMPORARY:
            return Fault.of(503, "unavailable", mark("The games cannot be reached now; try again in a moment."))
        if trouble is DatabaseFault.CONFLICT:
            return Fault.of(409, "busy", mark("Something else changed this at the same moment; try again."))
    return Fault.of(500, "internal", mark("Something went wrong on the server; it has been noted in its log."))


def _validation(error: RequestValidationError) -> Fault:
    """Return the first fault of a request."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return Fault.of(400, "malformed", _NO_JSON(fault=first["ctx"].get("error", "it cannot be read")))
    place, errors = without_alternatives(error.errors())
    name = _name_place(place)
    if first["type"] in NOT_THERE:
        return Fault.of(422, "malformed", _MISSING(name=name), piece=name)
    if first["type"] in NO_SUCH_KEY:
        return Fault.of(422, "malformed", _UNKNOWN(name=name), piece=name)
    return Fault.of(422, "malformed", _UNUSABLE(name=name, fault=clause(errors)), piece=name)


def _name_place(place: Sequence[str | int]) -> str:
    """Return the path of the faulty part of the request."""
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
