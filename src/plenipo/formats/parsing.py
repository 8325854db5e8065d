"""Helpers of several formats: parsers for texts that cannot be trusted."""

import json
from typing import Any

__all__ = ["json_object"]


def json_object(text: str) -> dict[str, Any] | None:
    """Return `text` as a JSON object; None if it is anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
