"""Large bodies of requests: read and checked only once the request was counted, and in a thread.

FastAPI reads a body that a route declares before anything else, in the thread that answers all requests: a request that
is refused because there were too many would cost as much as one that is answered.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError
from starlette.concurrency import run_in_threadpool

__all__ = ["describe_large", "name_body", "read_large"]

T = TypeVar("T")


def describe_large(kind: TypeAdapter[Any]) -> dict[str, Any]:
    """Return what the OpenAPI document says of a body that a route reads itself."""
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": kind.json_schema()}}}}


async def read_large(request: Request, kind: TypeAdapter[T]) -> T:
    """Read the body of a request as JSON of a kind; raise `RequestValidationError` if it is none."""
    data = await request.body()
    try:
        return await run_in_threadpool(kind.validate_json, data)
    except ValidationError as fault:
        raise name_body(fault.errors(include_url=False)) from fault


def name_body(errors: Iterable[Mapping[str, Any]]) -> RequestValidationError:
    """Return the refusal of a body with these errors of its form."""
    return RequestValidationError([{**error, "loc": ("body", *error["loc"])} for error in errors])
