"""Health checks of a process: whether it runs, and whether it can serve."""

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError

from plenipo.server.store.heartbeats import Heartbeats
from plenipo.server.web.context import Here
from plenipo.server.worker import BEAT, NAME

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

SILENT = 3 * BEAT
"""The time without a heartbeat after which the worker counts as stopped."""


@router.get("/health/live")
def live() -> JSONResponse:
    """Answer 200 as long as the process answers at all."""
    return JSONResponse({"live": True}, headers={"cache-control": "no-store"})


@router.get("/health/ready")
def ready(here: Here) -> JSONResponse:
    """Answer 200 if the database can be reached, its tables are current and a worker looks for due games; else 503."""
    found = {"database": False, "tables": False, "worker": False}
    try:
        found["tables"] = here.service.store.is_current()
        found["database"] = True
        beat = here.service.store.of(Heartbeats).last(NAME)
        found["worker"] = beat is not None and here.service.clock.now() - beat <= SILENT
    except SQLAlchemyError:
        pass
    return JSONResponse(found, 200 if all(found.values()) else 503, {"cache-control": "no-store"})
