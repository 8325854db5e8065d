"""Values out of a case, with the type they must have; every error names the key."""

from collections.abc import Collection, Mapping

from plenipo.errors import InvalidCase

__all__ = ["PROSE", "flag", "integer", "known_keys", "mapping", "sequence", "text", "texts"]

PROSE = frozenset(
    "title note given also rules source cross_checked depends_on differs setup_filled_in why".split(),
)
"""Keys that tell a reader something and are not run; `also` only where it holds text."""


def mapping(value: object, key: str) -> dict[str, object]:
    """`value` as a mapping with text keys; nothing at all counts as an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidCase(f"key '{key}': {value!r} must be a mapping.")
    return {text(name, key): item for name, item in value.items()}


def sequence(value: object, key: str) -> list[object]:
    """`value` as a list; nothing at all counts as an empty one."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise InvalidCase(f"key '{key}': {value!r} must be a list.")
    return value


def text(value: object, key: str) -> str:
    """`value` as text; a whole number is taken as written."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise InvalidCase(f"key '{key}': {value!r} must be text.")


def texts(value: object, key: str) -> list[str]:
    """`value` as a list of texts."""
    return [text(item, key) for item in sequence(value, key)]


def integer(value: object, key: str) -> int:
    """`value` as a whole number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise InvalidCase(f"key '{key}': {value!r} must be a whole number.")


def flag(value: object, key: str) -> bool:
    """`value` as `true` or `false`."""
    if isinstance(value, bool):
        return value
    raise InvalidCase(f"key '{key}': {value!r} must be true or false.")


def known_keys(found: Mapping[str, object], allowed: Collection[str], where: str) -> None:
    """Raise `InvalidCase` if `found` has a key that is neither allowed nor prose; `where` names the place."""
    for key, value in found.items():
        if key in allowed or (key in PROSE and (key != "also" or isinstance(value, str))):
            continue
        raise InvalidCase(f"key '{key}' is not known in {where}; it may have {', '.join(sorted(allowed)) or 'none'}.")
