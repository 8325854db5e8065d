"""Compare the public interface with that of the last release; `make interface` runs it.

The interface is every name that `plenipo` offers, with the public members and signatures of each, as griffe reads them
off the source. It is compared with the last tag `v…` and, while there is none, with `scripts/interface.txt`. What is
gone or has another signature is a break; what is new is none.

    python scripts/interface.py [--write]

`--write` stores the present interface: do it after an intended change, with a line in the changelog.
"""

import argparse
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

__all__ = ["STORED", "find_breaks", "read_interface"]

ROOT = Path(__file__).parents[1]

STORED = Path(__file__).with_name("interface.txt")
"""The interface that is compared with while there is no release."""

LONGEST = 80
"""Characters of the longest value that is part of the interface."""


def read_interface(package: Any) -> list[str]:
    """Return the interface of a package that griffe has loaded, a sorted line for each name."""
    exported = [str(getattr(name, "name", name)) for name in package.exports or ()]
    public = [name for name in exported if not name.startswith("__")]
    return sorted(line for name in public for line in _describe(package.members[name], name))


def _describe(thing: Any, path: str) -> Iterator[str]:
    thing = thing.final_target if thing.is_alias else thing
    if thing.is_class:
        yield f"class {path}({', '.join(map(str, thing.bases))}){thing.signature().removeprefix(thing.name)}"
        for name, member in thing.members.items():
            if not name.startswith("_"):
                yield from _describe(member, f"{path}.{name}")
    elif thing.is_function:
        yield f"def {path}{thing.signature().removeprefix(thing.name)}"
    elif thing.is_attribute:
        value = "" if thing.value is None else str(thing.value)
        shown = f" = {value}" if value and len(value) <= LONGEST else ""
        yield f"{path}: {thing.annotation or ''}{shown}".rstrip(": ")


def find_breaks(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return a sentence for everything of an interface that another one lacks or has otherwise."""
    now = {_name(line): line for line in new}
    return [
        f"'{_name(line)}' is gone." if _name(line) not in now else f"'{line}' has become '{now[_name(line)]}'."
        for line in old
        if now.get(_name(line)) != line
    ]


def _name(line: str) -> str:
    """Return the name that a line describes."""
    return line.removeprefix("class ").removeprefix("def ").partition("(")[0].partition(":")[0].partition(" ")[0]


def last_tag() -> str:
    """Return the tag of the last release before this version, empty if there is none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = f"v{project['version']}"
    command = ["git", "describe", "--tags", "--abbrev=0", "--match", "v*", "--exclude", own]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603  # a fixed command
    return done.stdout.strip()


def main() -> int:
    """Compare, or store; the exit status is 1 if something is broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--write", action="store_true", help="store the present interface")
    try:
        import griffe  # noqa: PLC0415  # of the group `publish`
    except ModuleNotFoundError:
        print("The comparison needs the package 'griffe' of the group 'publish'; use: make interface.", file=sys.stderr)
        return 1
    how: dict[str, Any] = {"search_paths": [ROOT / "src"], "resolve_aliases": True, "allow_inspection": False}
    now = read_interface(griffe.load("plenipo", **how))
    if parser.parse_args().write:
        STORED.write_text("".join(f"{line}\n" for line in now), encoding="utf-8")
        return 0
    tag = last_tag()
    if tag:
        how["search_paths"] = ["src"]
        old = read_interface(griffe.load_git("plenipo", ref=tag, repo=ROOT, **how))
    else:
        old = STORED.read_text(encoding="utf-8").splitlines()
    breaks = find_breaks(old, now)
    for sentence in breaks:
        print(sentence, file=sys.stderr)
    print(f"{len(now)} names; {len(breaks)} breaks against {tag or STORED.name}.")
    return int(bool(breaks))


if __name__ == "__main__":
    sys.exit(main())
