"""Write the parts of docs/ that are made from the code; `make docs` runs it, `tests/test_docs.py` checks them.

A generated part stands in a page between `<!-- generated: NAME -->` and `<!-- end -->`.
"""

import ast
import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NewType

import typer

import plenipo
from plenipo.cli import app
from plenipo.cli.hotseat import COMMANDS
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.reading.notation import Notation
from plenipo.engine.rulebook import EDITIONS, POLICIES
from plenipo.errors import InvalidOrder
from plenipo.jsonlines import KEYS
from plenipo.library import load, schema
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.web.app import create_app

SOURCE = Path(__file__).parents[1] / "src" / "plenipo"
DOCS = Path(__file__).parents[1] / "docs"

PART = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n)(?P<text>.*?)(<!-- end -->)", re.DOTALL)

SCHEMA = DOCS / "variant.schema.json"
"""The schema of a `variant.toml`, for editors."""

EXAMPLES = (
    "A PAR H",
    "A PAR - BUR",
    "A PAR S A MAR - BUR",
    "F NTH C A YOR - NWY",
    "A BRE T F BRE",
    "A VIE R BOH",
    "A PAR D",
    "A PAR B",
    "WAIVE",
    "CHOOSE LON",
)
"""An order of each kind, as it is written."""


def table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Return a table in Markdown."""
    lines = (header, tuple("---" for _ in header), *rows)
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def policies() -> str:
    """Return every policy with its choices and the choice of each edition."""
    rows = []
    for policy in POLICIES.values():
        choices = "<br>".join(f"`{choice}`: {meaning}" for choice, meaning in policy.choices.items())
        chosen = [f"`{choice}`" for choice in policy.editions]
        rows.append(
            (f"`{policy.key}`", policy.title, choices, *(chosen if len(policy.choices) > 1 else [""] * len(chosen)))
        )
    return table(("key", "point", "choices", *EDITIONS), rows)


def order_kinds() -> str:
    """Return a table of the orders by kind of phase, tested by reading an example of each."""
    rules = load("standard")
    notation = Notation(rules.board, rules.powers)
    kinds = [kind for kind in PhaseKind if kind.asks_orders]

    def reading(text: str, kind: PhaseKind) -> str:
        try:
            return type(notation.read(text, kind)).__name__.lower()
        except InvalidOrder:
            return ""

    return table(("written", *kinds), [(f"`{text}`", *(reading(text, kind) for kind in kinds)) for text in EXAMPLES])


def json_keys() -> str:
    """Return the keys of a line for `plenipo adjudicate`."""
    return table(("key", "meaning"), [(f"`{key}`", meaning) for key, meaning in KEYS.items()])


def python_names() -> str:
    """Return every public name of the package, with the first sentence of its documentation."""
    rows: list[tuple[str, ...]] = []
    for name in plenipo.__all__:
        value = getattr(plenipo, name)
        if isinstance(value, NewType):
            rows.append((f"`{name}`", "a text, as a type of its own"))
            continue
        documented = isinstance(value, type) or (callable(value) and value.__module__.startswith("plenipo"))
        summary = (inspect.getdoc(value) or "").partition("\n")[0] if documented else ""
        rows.append((f"`{name}`", summary or "the version" if name == "__version__" else summary))
    return table(("name", "meaning"), rows)


def hotseat() -> str:
    """Return the commands of a player in `plenipo play`."""
    return table(("typed", "meaning"), [(f"`{command}`", meaning) for command, meaning in COMMANDS.items()])


def commands() -> str:
    """Return every command with its arguments and options, from the help of the program itself."""
    group = typer.main.get_command(app)
    parts = []
    for name, command in group.commands.items():  # type: ignore[attr-defined]  # a Typer app is a group of commands
        context = typer.Context(command, info_name=f"plenipo {name}", max_content_width=100, terminal_width=100)
        parts.append(f"### {name}\n\n```text\n{command.get_help(context).strip()}\n```\n")
    return "\n".join(parts)


def rooms() -> str:
    """Return every room of the house with the rooms it imports from, read off the code."""
    files = {file: room_of(file.relative_to(SOURCE).as_posix()) for file in sorted(SOURCE.rglob("*.py"))}
    known = set(files.values())
    arrows: dict[str, set[str]] = {room: set() for room in known}
    purposes: dict[str, str] = {}
    for file, room in files.items():
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if file in (SOURCE / room / "__init__.py", SOURCE / f"{room}.py", SOURCE / "__init__.py"):
            purposes[room] = (ast.get_docstring(tree) or "").partition("\n")[0].rstrip(".")
        for node in ast.walk(tree):
            names = (
                [f"{node.module}.{alias.name}" for alias in getattr(node, "names", ())]
                if isinstance(node, ast.ImportFrom)
                else [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else []
            )
            arrows[room] |= {
                room_of(name.removeprefix("plenipo.").replace(".", "/"))
                for name in names
                if name.startswith("plenipo.")
            } & known
    everything = {room: arrows[room] - {room} for room in known}
    return table(
        ("room", "what is in it", "imports from"),
        [
            (f"`{room}`", purposes[room], ", ".join(f"`{other}`" for other in sorted(everything[room])))
            for room in sorted(known, key=lambda room: (depth(room, everything), room))
        ],
    )


def room_of(path: str) -> str:
    """Return the room of a module, given its path below the package or its dotted name with slashes."""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    inner = "/".join(parts[:2])
    return inner if len(parts) > 1 and (SOURCE / inner).is_dir() else parts[0]


def depth(room: str, arrows: Mapping[str, set[str]], above: frozenset[str] = frozenset()) -> int:
    """Return the number of rooms between a room and one that imports from none; rooms of a circle count once."""
    return 1 + max((depth(other, arrows, above | {room}) for other in arrows[room] - above - {room}), default=0)


def http_routes() -> str:
    """Return the routes of the HTTP interface by subject, read off the OpenAPI document."""
    with TemporaryDirectory() as folder:
        store = Store(str(Path(folder) / "games.sqlite"))
        made: dict[str, Any] = create_app(GameService(store), loops="none").openapi()
        store.close()
    schemas = made["components"]["schemas"]
    subjects: dict[str, list[tuple[str, ...]]] = {}
    for path, operations in made["paths"].items():
        for method, operation in operations.items():
            query = [part["name"] for part in operation.get("parameters", ()) if part["in"] == "query"]
            address = f"`{method.upper()} {path}{'?' + '&'.join(query) if query else ''}`"
            summary = operation.get("description", operation["summary"]).partition("\n\n")[0].replace("\n", " ")
            sent = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            status, answer = next((one, all_of) for one, all_of in operation["responses"].items() if one[0] == "2")
            shape = ""
            for media_type, content in answer.get("content", {}).items():
                shape = content.get("schema", {}).get("$ref", "").rpartition("/")[2] or media_type
            row = (address, summary, _fields(schemas, sent), f"{status} {f'`{shape}`' if shape else ''}".strip())
            subjects.setdefault(operation["tags"][0], []).append(row)
    header = ("address", "action", "body", "answer")
    return "\n".join(f"### {name.capitalize()}\n\n{table(header, rows)}" for name, rows in sorted(subjects.items()))


def _fields(schemas: Mapping[str, Any], sent: Mapping[str, Any]) -> str:
    """Return the fields of a body: the required ones, and then the optional ones."""
    body = schemas.get(sent.get("$ref", "").rpartition("/")[2], sent)
    required = body.get("required", [])
    optional = [name for name in body.get("properties", {}) if name not in required]
    named = [", ".join(f"`{name}`" for name in names) for names in (required, optional)]
    return "; ".join(filter(None, (named[0], f"optional: {named[1]}" if optional else "")))


GENERATED: Mapping[str, Callable[[], str]] = {
    "policies": policies,
    "order-kinds": order_kinds,
    "json-keys": json_keys,
    "python-names": python_names,
    "hotseat": hotseat,
    "commands": commands,
    "rooms": rooms,
    "http-routes": http_routes,
}


def renewed(page: str) -> str:
    """Return the text of a page with its generated parts made anew."""
    return PART.sub(lambda part: f"{part[1]}{GENERATED[part['name']]()}{part[4]}", page)


def schema_text() -> str:
    """Return the schema as the file holds it."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write every page anew."""
    for file in sorted(DOCS.glob("*.md")):
        old = file.read_text(encoding="utf-8")
        new = renewed(old)
        if new != old:
            file.write_text(new, encoding="utf-8")
            print(f"{file.relative_to(DOCS.parent)} is written anew.")
    SCHEMA.write_text(schema_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
