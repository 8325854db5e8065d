"""Values that fit a schema of an OpenAPI document, at random: parameters and bodies of requests made from it."""

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

__all__ = ["Document"]

Json = dict[str, Any]

DEEPEST = 6
"""The greatest depth of nested values; below it optional parts are left out."""

INSTANTS = ("2026-11-24T12:00:00Z", "2026-11-24T12:00:00+01:00", "1901-01-01T00:00:00Z", "9999-12-31T23:59:59Z")


@dataclass(frozen=True)
class Document:
    """An OpenAPI document, and the values of which some are taken where a property or parameter has their name."""

    content: Json
    known: Mapping[str, Sequence[Any]]

    def operation(self, method: str, path: str) -> Json | None:
        """Return what the document says of a method of a path; None for a page, of which it says nothing."""
        found: Json | None = self.content["paths"].get(path, {}).get(method.lower())
        return found

    def parameters(self, operation: Json, place: str, chance: Random) -> dict[str, str]:
        """Return values of the parameters of an operation in the `path` or the `query`, some of those not required."""
        return {
            one["name"]: str(self.value(one["schema"], chance, one["name"]))
            for one in operation.get("parameters", ())
            if one["in"] == place and (one.get("required") or chance.random() < 0.4)
        }

    def body(self, operation: Json, chance: Random) -> Any:
        """Return a JSON body for an operation, None if it takes none."""
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        return None if content is None else self.value(content["schema"], chance)

    def value(self, schema: Json, chance: Random, name: str = "", depth: int = 0) -> Any:
        """Return a value that fits a schema; where a known one has its `name`, that is taken most of the time."""
        if name in self.known and chance.random() < 0.8:
            return chance.choice(self.known[name])
        if "$ref" in schema:
            return self.value(self._referred(schema["$ref"]), chance, name, depth)
        if "anyOf" in schema:
            return self.value(chance.choice(schema["anyOf"]), chance, name, depth)
        if "enum" in schema:
            return chance.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        match schema.get("type"):
            case "object":
                return self._object(schema, chance, depth)
            case "array":
                return self._array(schema, chance, name, depth)
            case "string":
                return _text(schema, chance)
            case "integer":
                low, high = int(schema.get("minimum", -5)), int(schema.get("maximum", 2**31))
                return chance.choice((low, high, chance.randint(low, min(low + 10, high))))
            case "number":
                return chance.choice((schema.get("minimum", 0), 0.5, schema.get("maximum", 1e9)))
            case "boolean":
                return chance.random() < 0.5
            case "null":
                return None
            case _:
                return chance.choice((None, 1, "x", [], {}))

    def _referred(self, reference: str) -> Json:
        found: Any = self.content
        for key in reference.removeprefix("#/").split("/"):
            found = found[key]
        return found  # type: ignore[no-any-return]  # it is part of a JSON document

    def _object(self, schema: Json, chance: Random, depth: int) -> Json:
        required = schema.get("required", ())
        made = {
            name: self.value(inner, chance, name, depth + 1)
            for name, inner in schema.get("properties", {}).items()
            if name in required or (depth < DEEPEST and chance.random() < 0.5)
        }
        further = schema.get("additionalProperties")
        if isinstance(further, dict) and depth < DEEPEST:
            names = schema.get("propertyNames", {"type": "string"})
            for _ in range(chance.randint(0, 3)):
                made[str(self.value(names, chance))] = self.value(further, chance, "", depth + 1)
        return made

    def _array(self, schema: Json, chance: Random, name: str, depth: int) -> list[Any]:
        fixed = [self.value(inner, chance, "", depth + 1) for inner in schema.get("prefixItems", ())]
        if fixed or depth >= DEEPEST:
            return fixed
        least = schema.get("minItems", 0)
        number = chance.randint(least, max(min(schema.get("maxItems", 3), 3), least))
        singular = name.removesuffix("s")
        return [self.value(schema.get("items", {}), chance, singular, depth + 1) for _ in range(number)]


def _text(schema: Json, chance: Random) -> str:
    if schema.get("format") == "date-time":
        return chance.choice(INSTANTS)
    longest = schema.get("maxLength", 200)
    length = chance.choice((schema.get("minLength", 0), 1, 8, longest))
    return "".join(chance.choices(string.ascii_letters + " -'ä", k=min(length, longest, 300)))
