"""Messages about refused values, in our own words, whatever pydantic says."""

import re
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from pydantic_core._pydantic_core import list_all_errors

from plenipo.validation import clause, requirement, without_alternatives

ERRORS: list[dict[str, Any]] = [dict(error) for error in list_all_errors()]

ITS_OWN = re.compile(
    r"\b(input|should|valid|invalid|string|integer|boolean|dictionary|tuple|instance|argument|pattern|object|"
    r"timedelta|datetime|literal|field|attribute|None|frozen|null)\b",
    re.IGNORECASE,
)
"""Words of the library's messages."""

OF_CODE = {
    "no_such_attribute", "needs_python_object", "get_attribute_error", "default_factory_not_called",
    "is_instance_of", "is_subclass_of", "callable_type", "missing_sentinel_error", "ellipsis_error",
}  # fmt: skip
"""Errors that no file and no request can cause, only a type that asks for something of Python."""


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error["type"])
def test_every_type_of_error_is_a_clause_of_ours(error: dict[str, Any]) -> None:
    kind = error["type"]
    context = {
        key: "this" if value in ("", None) else value for key, value in (error.get("example_context") or {}).items()
    }
    if kind in ("value_error", "assertion_error"):
        context["error"] = "write it otherwise"
    if "max_length" in context:
        context["max_length"] = 3
    said = clause([{"type": kind, "ctx": context, "msg": error["message_template_python"]}])
    assert not ITS_OWN.search(said)
    if kind in OF_CODE:
        assert said == "it cannot be used"
    elif kind in ("value_error", "assertion_error"):
        assert said == "write it otherwise"
    else:
        assert said.startswith(("it must be ", "it is ", "it does ", "it cannot be changed", "it contains "))
        assert requirement({"type": kind, "ctx": context}) or not said.startswith("it must be")


def said(kind: Any, value: object) -> tuple[tuple[str | int, ...], str]:
    with pytest.raises(ValidationError) as fault:
        TypeAdapter(kind).validate_python(value)
    path, errors = without_alternatives(fault.value.errors())
    return tuple(path), clause(errors)


class Absent(BaseModel):
    """Values that may be of several kinds."""

    days: Annotated[str, Field(max_length=3)] | Annotated[int, Field(le=9)]
    of: dict[Annotated[str, Field(pattern="^[A-Z]$")], int] = {}
    who: Literal["none", "others"] | list[str] = "none"


@pytest.mark.parametrize(
    ("value", "path", "words"),
    [
        ({"days": [1]}, ("days",), "it must be a text or a whole number"),
        ({"days": "much"}, ("days",), "it must be a text of no more than 3 letters or a whole number"),
        ({"days": 3, "of": {"L1": 1}}, ("of", "L1"), "it must be one capital letter, such as C"),
        ({"days": 3, "who": "some"}, ("who",), "it must be 'none' or 'others' or a list"),
        ({"days": 3, "who": [3]}, ("who",), "it must be 'none' or 'others'"),
        ({}, ("days",), "it is missing"),
        (3, (), "it must be a table"),
    ],
)
def test_a_value_is_named_without_the_kinds_it_might_have_been(value: object, path: Any, words: str) -> None:
    assert said(Absent, value) == (path, words)
