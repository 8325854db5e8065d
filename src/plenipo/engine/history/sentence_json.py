"""Sentences as JSON: their kinds and parts, free of language.

A text without a kind is a JSON text. A sentence is an object with its `kind` and, if it has any, its `parts`: numbers,
texts, units (`{"unit": ["France", "A PAR"]}`), lists (`{"or": […]}` with 'or' before the last, `{"series": […]}` with
commas alone), texts of players (`{"quoted": "…"}`) and further sentences.
"""

from typing import Any

from plenipo.engine.position import Unit
from plenipo.engine.sentences import AS_WRITTEN, Either, Quoted, Sentence, Series, find_kind, say, unknown_kind
from plenipo.errors import InvalidRecord

__all__ = ["decode_sentence", "encode_sentence"]

_DEEPEST = 20
"""The depth of parts in parts that a record may have."""


def encode_sentence(sentence: str) -> Any:
    """Return a sentence as JSON."""
    if not isinstance(sentence, Sentence):
        return str(sentence)
    if sentence.kind is AS_WRITTEN:
        return str(sentence)
    parts = {key: _encode_part(part) for key, part in sentence.parts.items()}
    return {"kind": sentence.kind.id, **({"parts": parts} if parts else {})}


def _encode_part(part: Any) -> Any:
    if part is None or isinstance(part, int):
        return part
    if isinstance(part, Quoted):
        return {"quoted": str(part)}
    if isinstance(part, Unit):
        return {"unit": [part.power, str(part)]}
    if part.__class__ is tuple:
        return [_encode_part(one) for one in part]
    if isinstance(part, Either):
        return {"or": [_encode_part(one) for one in part]}
    if isinstance(part, Series):
        return {"series": [_encode_part(one) for one in part]}
    as_sentence = getattr(part, "as_sentence", None)
    if as_sentence is not None:
        return encode_sentence(as_sentence())
    return encode_sentence(part if isinstance(part, str) else str(part))


def decode_sentence(value: Any, depth: int = 0) -> str:
    """Return the sentence that `encode_sentence` wrote; raises `InvalidRecord` if it cannot be read.

    A sentence of an unknown kind, such as one of a rule module that is no longer installed, shows its kind and parts.
    """
    if isinstance(value, str):
        return AS_WRITTEN(text=value) if depth == 0 else value
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str) or value.keys() - {"kind", "parts"}:
        raise InvalidRecord(
            say("{value!r} is not a sentence; it must be a text, or have a 'kind' and 'parts'.", value=str(value)[:60])
        )
    if depth > _DEEPEST:
        raise InvalidRecord(say("A sentence has parts in parts that are more than {most} deep.", most=_DEEPEST))
    parts = value.get("parts", {})
    if not isinstance(parts, dict):
        raise InvalidRecord(say("The parts of the sentence '{kind}' are no object.", kind=value["kind"][:40]))
    kind = find_kind(value["kind"]) or unknown_kind(value["kind"], parts)
    try:
        return kind(**{key: _decode_part(part, depth + 1) for key, part in parts.items()})
    except KeyError as missing:
        raise InvalidRecord(
            say("The sentence '{id}' lacks the part {missing}.", id=kind.id[:40], missing=missing)
        ) from missing


def _decode_part(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, list):
        return tuple(_decode_part(one, depth + 1) for one in value)
    if isinstance(value, dict) and len(value) == 1:
        if "quoted" in value:
            return Quoted(value["quoted"])
        if "unit" in value:
            power, text = value["unit"]
            return Unit.from_text(power, text)
        if "or" in value:
            return Either(_decode_part(one, depth + 1) for one in value["or"])
        if "series" in value:
            return Series(_decode_part(one, depth + 1) for one in value["series"])
    return decode_sentence(value, depth)
