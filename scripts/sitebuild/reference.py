"""Pages of reference made from the code, the schema of variants, the library and the cases of the DATC."""

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NewType

import yaml

import plenipo
from generated_docs import table
from plenipo import library
from plenipo.charts import Theme, chart
from plenipo.maps.draw.face import with_face

__all__ = ["api_page", "datc_page", "draw_openings", "library_page", "schema_page"]

LONGEST = 40
"""Characters of the longest default that is shown."""

WIDTH = 88
"""Characters of the longest signature on one line."""


def api_page() -> str:
    """Return the page of the Python interface: each public name with its signature and its documentation."""
    parts = [
        "# The Python interface, name by name",
        "",
        "Made from the code: every name that `plenipo` offers, with its signature and its documentation.",
        "[The Python interface](python.md) introduces them.",
        "",
    ]
    for name in plenipo.__all__:
        value = getattr(plenipo, name)
        if name.startswith("_"):
            continue
        parts += [f"## {name}", ""]
        if isinstance(value, NewType):
            parts += ["A text, as a type of its own.", ""]
        elif isinstance(value, type) or inspect.isfunction(value):
            parts += [*_signature(name, value), *_document(value)]
            for member, thing in _members(value) if isinstance(value, type) else ():
                parts += [f"### {name}.{member}", "", *_signature(member, thing), *_document(thing)]
        else:
            parts += [f"```python\n{name} = {_plain(str(value))}\n```", ""]
    return "\n".join(parts)


def _members(owner: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties that a class itself defines."""
    for name, value in vars(owner).items():
        thing = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if not name.startswith("_") and (inspect.isfunction(thing) or isinstance(thing, property)):
            yield name, thing


def _signature(name: str, thing: Any) -> Iterator[str]:
    if isinstance(thing, property):
        result = inspect.signature(thing.fget).return_annotation if thing.fget else inspect.Signature.empty
        yield f"```python\n{name}: {_plain(inspect.formatannotation(result))}\n```"
    else:
        try:
            signature = str(_shorten(inspect.signature(thing)))
        except ValueError:  # an enumeration without a constructor of its own
            signature = ""
        yield f"```python\n{_wrap(name + _plain(signature))}\n```"
    yield ""


def _shorten(signature: inspect.Signature) -> inspect.Signature:
    """Return a signature with `...` in place of the long defaults and of those that are made anew for each value."""
    parameters = []
    for one in signature.parameters.values():
        shown = repr(one.default)
        long = one.default is not one.empty and (len(shown) > LONGEST or shown.startswith("<"))
        parameters.append(one.replace(default=...) if long else one)
    return signature.replace(parameters=parameters)


def _wrap(signature: str) -> str:
    """Return a long signature with a line for each parameter."""
    if len(signature) <= WIDTH:
        return signature
    depth, lines, line = 0, [], ""
    for letter in signature:
        ends = depth == 1 and letter in ",)"
        depth += (letter in "([{") - (letter in ")]}")
        if ends and letter == ")":
            lines.append(f"    {line.strip()},")
            line = ")"
        elif ends or (depth == 1 and letter == "(" and not lines):
            lines.append(f"    {line.strip()}," if lines else f"{line}(")
            line = ""
        else:
            line += letter
    return "\n".join((*lines, line))


def _plain(signature: str) -> str:
    """Return a signature without the modules of its types."""
    modules = r"\b(?:plenipo|collections|typing|pathlib|enum)(?:\.[a-z_]\w*)*\.(?=\w)"
    return re.sub(modules, "", signature).replace("Ellipsis", "...")


def _document(thing: Any) -> Iterator[str]:
    """Yield the documentation of a thing, with its examples as blocks of code."""
    text = inspect.getdoc(thing) or ""
    if re.match(rf"{getattr(thing, '__name__', ' ')}\(", text):  # written by a dataclass without a docstring
        return
    in_code = False
    for line in text.splitlines():
        if line.startswith(">>>") and not in_code:
            yield "```python"
            in_code = True
        if in_code and not line.strip():
            yield "```"
            in_code = False
        yield line
    if in_code:
        yield "```"
    yield ""


def schema_page() -> str:
    """Return the page of the keys of a `variant.toml`, from their schema."""
    made: Mapping[str, Any] = library.schema()
    parts = [
        "# The keys of a variant",
        "",
        "Made from the [schema](variant.schema.json) of `variant.toml`, which editors read as well.",
        "[Variants](variants.md) describes the file, and [Hooks and rule modules](hooks.md) what modules add to it.",
        "",
        "## The file",
        "",
        _keys(made),
    ]
    for name, definition in sorted(made["$defs"].items()):
        parts += [f"## {_spoken(name)}", "", definition.get("description", ""), "", _keys(definition)]
    return "\n".join(parts)


def _keys(definition: Mapping[str, Any]) -> str:
    required = definition.get("required", ())
    rows = []
    for key, one in definition.get("properties", {}).items():
        meaning = one.get("description", "").replace("\n", " ")
        default = one.get("default")
        given = "required" if key in required else "" if default in (None, [], {}, "") else f"`{json.dumps(default)}`"
        rows.append((f"`{key}`", _kind(one), given, meaning))
    if not rows:
        return f"{_kind(definition).capitalize()}.\n"
    return table(("key", "value", "default", "meaning"), rows)


def _kind(one: Mapping[str, Any]) -> str:
    """Return the type of a value, in words."""
    if "$ref" in one:
        name = _spoken(one["$ref"].rpartition("/")[2])
        return f"[{name}](#{name.casefold().replace(' ', '-')})"
    if "anyOf" in one:
        kinds = [_kind(part) for part in one["anyOf"] if part.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in one or "const" in one:
        return ", ".join(f"`{choice}`" for choice in one.get("enum", [one.get("const")]))
    if one.get("type") == "array":
        return f"list of {_kind(one.get('items', {}))}"
    if one.get("type") == "object":
        inner = one.get("additionalProperties")
        return f"table of {_kind(inner)}" if isinstance(inner, dict) and inner else "table"
    words = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
    return words.get(one.get("type", ""), "any value")


def _spoken(name: str) -> str:
    """Return the name of a class in words: `BuildSite` as Build site."""
    return re.sub(r"(?<=[a-z])([A-Z])", lambda found: f" {found[1].lower()}", name.removesuffix("Section"))


def library_page(names: Mapping[str, str]) -> str:
    """Return the page that lists the variant library, given the title of each variant's page by its name."""
    full, bank = library.names(), library.bank()
    rows = []
    for name in (*full, *bank):
        about = library.read(name).about
        players = str(about.players or len(library.load(name).names))
        link = f"[{names[name]}](variants/{name}.md)"
        rows.append((link, f"`{name}`", players, about.length or "", ", ".join(about.special)))
    head = ("variant", "name", "players", "length", "what is special")
    return "\n".join(
        (
            "# Variant library",
            "",
            "Every variant has a page with its rules, rulings and options.",
            "",
            "## Variants in full",
            "",
            table(head, rows[: len(full)]),
            "## Further variants",
            "",
            table(head, rows[len(full) :]),
        )
    )


def draw_openings(folder: Path) -> None:
    """Draw the opening of every variant into a folder, an SVG with its letters each."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*library.names(), *library.bank()):
        on = chart(name)
        (folder / f"{name}.svg").write_text(with_face(on.draw(on.scene(), Theme.from_name("light"))), encoding="utf-8")


def datc_page(folder: Path) -> str:
    """Return the page that lists the cases of the DATC, section by section."""
    parts = [
        "# Cases of the DATC",
        "",
        "The Diplomacy Adjudicator Test Cases, version 3.0, by Lucas B. Kruijswijk, as [worked cases](cases.md).",
        "The tests run every one of them.",
        "",
    ]
    for file in sorted(folder.glob("*.yaml")):
        section = yaml.safe_load(file.read_text(encoding="utf-8"))
        title = re.sub(r"^Section (\S+) of .*?\(DATC\), ", r"\1: ", section["about"]).rstrip(".")
        rows = [
            (case["id"], case["title"], "<br>".join(f"{p}: {', '.join(o)}" for p, o in case.get("orders", {}).items()))
            for case in section["cases"]
        ]
        parts += [f"## {title}", "", table(("case", "about", "orders"), rows)]
    return "\n".join(parts)
