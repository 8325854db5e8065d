"""Clauses about refused values: the errors of pydantic as parts of Plenipo's own sentences.

Every place that shows such an error asks here, so that no message of the library reaches a reader.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from plenipo.engine.calendar import A_YEAR
from plenipo.engine.wording import count, listing

__all__ = ["NOT_THERE", "NO_SUCH_KEY", "clause", "requirement", "without_alternatives"]

Error = Mapping[str, Any]
"""An error of `ValidationError.errors()`: its `type`, and `loc`, `msg`, `input` and `ctx`."""

NO_SUCH_KEY = frozenset({"extra_forbidden", "unexpected_keyword_argument", "unexpected_positional_argument"})
"""The types of errors about a key that is not known."""

NOT_THERE = frozenset(
    {"missing", "missing_argument", "missing_keyword_only_argument", "missing_positional_only_argument"}
)
"""The types of errors about a key that is missing."""

_WHOLE = "a whole number"
_NUMBER = "a number"
_TEXT = "a text"
_LIST = "a list"
_TABLE = "a table"
_FLAG = "true or false"
_DATE = "a date such as 2026-01-31"
_TIME = "a time of day such as 18:30"
_MOMENT = "a date with a time, such as 2026-01-31T18:30"
_LENGTH = "a length of time"
_ADDRESS = "an address such as https://example.org"
_ID = "an identifier such as 123e4567-e89b-12d3-a456-426614174000"
_BYTES = "bytes"

_MUST: Mapping[str, str] = {
    "json_invalid": "JSON",
    "year": A_YEAR,  # our own
    "json_type": _TEXT,
    "none_required": "left out",
    "finite_number": "a number that is not infinite",
    "iterable_type": _LIST,
    "iteration_error": _LIST,
    "string_type": _TEXT,
    "string_sub_type": _TEXT,
    "string_unicode": "a text in UTF-8",
    "string_not_ascii": "a text without accents or other signs beyond ASCII",
    "invalid_key": "a table whose keys are texts",
    "model_type": _TABLE,
    "model_attributes_type": _TABLE,
    "dataclass_type": _TABLE,
    "dataclass_exact_type": _TABLE,
    "named_tuple_type": _LIST,
    "dict_type": _TABLE,
    "frozen_dict_type": _TABLE,
    "ordered_dict_type": _TABLE,
    "counter_type": _TABLE,
    "mapping_type": _TABLE,
    "list_type": _LIST,
    "deque_type": _LIST,
    "tuple_type": _LIST,
    "set_type": _LIST,
    "frozen_set_type": _LIST,
    "set_item_not_hashable": "a text or a number",
    "arguments_type": _TABLE,
    "bool_type": _FLAG,
    "bool_parsing": _FLAG,
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": "a whole number with fewer digits",
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "decimal_type": _NUMBER,
    "decimal_parsing": _NUMBER,
    "fraction_type": "a fraction such as 1/3",
    "fraction_parsing": "a fraction such as 1/3",
    "complex_type": _NUMBER,
    "complex_str_parsing": _NUMBER,
    "bytes_type": _BYTES,
    "bytes_invalid_encoding": _BYTES,
    "date_type": _DATE,
    "date_parsing": _DATE,
    "date_from_datetime_parsing": _DATE,
    "date_from_datetime_inexact": f"{_DATE}, without a time",
    "date_past": "a date in the past",
    "date_future": "a date in the future",
    "time_type": _TIME,
    "time_parsing": _TIME,
    "datetime_type": _MOMENT,
    "datetime_parsing": _MOMENT,
    "datetime_object_invalid": _MOMENT,
    "datetime_from_date_parsing": _MOMENT,
    "datetime_past": "in the past",
    "datetime_future": "in the future",
    "timezone_naive": f"{_MOMENT}, without a time zone",
    "timezone_aware": "a date and time with its zone, such as 2026-01-31T18:30+01:00",
    "timezone_offset": "a date and time with another zone",
    "time_delta_type": _LENGTH,
    "time_delta_parsing": _LENGTH,
    "url_type": _ADDRESS,
    "url_parsing": _ADDRESS,
    "url_syntax_violation": _ADDRESS,
    "uuid_type": _ID,
    "uuid_parsing": _ID,
    "uuid_version": _ID,
}
"""The requirement for a value, by the type of the error."""

_IS: Mapping[str, str] = {
    **dict.fromkeys(NOT_THERE, "it is missing"),
    **dict.fromkeys(NO_SUCH_KEY, "it is not known here"),
    "multiple_argument_values": "it is given twice",
    "union_tag_not_found": "it does not name its kind",
    "frozen_field": "it cannot be changed",
    "frozen_instance": "it cannot be changed",
    "recursion_loop": "it contains itself",
    "recursion_depth_exceeded": "it is nested too deeply",
}
"""The fault of a value that no other value would mend, by the type of the error."""

_PATTERNS: Mapping[str, str] = {"^[A-Z]$": "one capital letter, such as C"}  # english: ok
"""The requirement for a text, by the pattern that it must match."""


def requirement(error: Error) -> str:
    """Return what the value must be, as words that follow `must be`; empty if the error is of another kind.

    >>> requirement({"type": "int_parsing"}), requirement({"type": "less_than_equal", "ctx": {"le": 10}})
    ('a whole number', '10 or less')
    """
    kind, context = str(error["type"]), error.get("ctx") or {}
    if kind in _MUST:
        return _MUST[kind]
    counted = _describe_size(kind, context)
    if counted:
        return counted
    match kind:
        case "literal_error" | "enum":
            return str(context["expected"])
        case "union_tag_invalid":
            return f"of one of the kinds {context['expected_tags']}"
        case "greater_than":
            return f"above {context['gt']}"
        case "greater_than_equal":
            return f"{context['ge']} or more"
        case "less_than":
            return f"below {context['lt']}"
        case "less_than_equal":
            return f"{context['le']} or less"
        case "multiple_of":
            return f"a multiple of {context['multiple_of']}"
        case "string_pattern_mismatch":
            return _PATTERNS.get(str(context["pattern"]), f"a text of the form {context['pattern']}")
        case "url_scheme":
            return f"an address that begins with {context['expected_schemes']}"
    return ""


def _describe_size(kind: str, context: Mapping[str, Any]) -> str:
    """Return what a value must be that has too few or too many parts; empty for other errors."""
    match kind:
        case "too_short":
            return f"a list of {count(context['min_length'], 'entry').replace('entrys', 'entries')} or more"
        case "too_long":
            return f"a list of no more than {count(context['max_length'], 'entry').replace('entrys', 'entries')}"
        case "string_too_short":
            least = context["min_length"]
            return "a text that is not empty" if least == 1 else f"a text of {count(least, 'letter')} or more"
        case "string_too_long" | "url_too_long":
            return f"a text of no more than {count(context['max_length'], 'letter')}"  # english: ok
        case "bytes_too_short":
            return f"{count(context['min_length'], 'byte')} or more"
        case "bytes_too_long":
            return f"no more than {count(context['max_length'], 'byte')}"
        case "decimal_max_digits":
            return f"a number of no more than {count(context['max_digits'], 'digit')}"
        case "decimal_max_places":
            return f"a number of no more than {count(context['decimal_places'], 'decimal place')}"
        case "decimal_whole_digits":
            return f"a number of no more than {count(context['whole_digits'], 'digit')} before the point"
    return ""


def clause(errors: Iterable[Error]) -> str:
    """Return what is wrong with one value, without a full stop; `errors` has one for each kind it might have been.

    The words of our own validators are left as they are. What is of a type that only code can cause is said in
    general.

    >>> clause([{"type": "literal_error", "ctx": {"expected": "'none'"}}, {"type": "list_type"}])
    "it must be 'none' or a list"
    """
    first, musts = "", dict[str, None]()
    for error in errors:
        if error["type"] in ("value_error", "assertion_error"):
            return str((error.get("ctx") or {}).get("error") or "").rstrip(".") or "it cannot be used"
        if must := requirement(error):
            musts[must] = None
        else:
            first = first or _IS.get(str(error["type"]), "it cannot be used")
    return f"it must be {listing(musts, 'or')}" if musts else first or "it cannot be used"


def without_alternatives(errors: Collection[Error]) -> tuple[Sequence[str | int], list[Error]]:
    """Return the path of the first value that is wrong, and all errors about it.

    Where a value may be of several kinds there is an error for each, and the kind stands at the end of its path; that
    part is no key and is left out, and so is the mark of a key that is wrong itself.
    """
    first = next(iter(errors))
    path = tuple(first["loc"])
    alike = [error for error in errors if error["loc"][: len(path) - 1] == path[:-1] and _same(error, first)]
    if len(alike) > 1 and len({error["loc"] for error in alike}) > 1:
        path = path[:-1]
    return tuple(part for part in path if not _no_key(part)), alike


def _same(one: Error, other: Error) -> bool:
    """Compare what two errors are about."""
    return one.get("input") is other.get("input") or one.get("input") == other.get("input")


def _no_key(part: str | int) -> bool:
    """Tell whether a part of a path is a word of the library: `[key]`, `constrained-str`, `list[str]`."""
    if isinstance(part, int):
        return False
    return part.endswith("]") or part.split("[")[0] in _TYPES


_TYPES = frozenset(
    f"{first}-{second}"
    for first, seconds in {
        "constrained": ("str", "int", "float"),
        "function": ("after", "before", "wrap", "plain"),
        "lax": ("or-strict",),
        "json": ("or-python",),
        "tagged": ("union",),
        "is": ("instance", "subclass"),
        "none": ("required",),
        "named": ("tuple",),
    }.items()
    for second in seconds
)
"""Words with a hyphen by which the library calls types in paths."""
