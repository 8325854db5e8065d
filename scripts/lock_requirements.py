"""Write `requirements.lock`: the pinned version and the SHA-256 of every package that a server installs.

pip chooses the files for this system and this Python, within constraints.txt; nothing is installed. The lock names no
registry. It is made for the system of the container images: Linux on x86-64 with CPython 3.11.

    python scripts/lock_requirements.py [--check]
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LOCK, CONSTRAINTS = ROOT / "requirements.lock", ROOT / "constraints.txt"

EXTRAS = ("fast", "png", "postgres", "server")
"""The extras of a server that offers everything."""

BUILD = ("hatchling",)
"""Packages that build Plenipo itself from its source."""

HEADER = (
    "# Made by scripts/lock_requirements.py for Linux on x86-64 with CPython 3.11; do not edit.\n"
    "# pip install --require-hashes -r requirements.lock, then pip install --no-deps of Plenipo's own wheel.\n"
)


def requirements(extras: Sequence[str] = EXTRAS) -> Iterator[str]:
    """Yield what Plenipo and these extras need, without the extras that an extra includes."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    yield from project["dependencies"]
    asked, seen = list(extras), set()
    while asked:
        extra = asked.pop()
        if extra in seen:
            continue
        seen.add(extra)
        for text in project["optional-dependencies"][extra]:
            own = re.fullmatch(r"plenipo\[(\w+)\]", text)
            if own:
                asked.append(own[1])
            else:
                yield text


def resolve(wanted: Sequence[str]) -> list[tuple[str, str, str]]:
    """Let pip choose files; return the name, the version and the SHA-256 of each."""
    with tempfile.TemporaryDirectory() as folder:
        report, needed = Path(folder) / "report.json", Path(folder) / "needed.txt"
        needed.write_text("\n".join(wanted), encoding="utf-8")
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--no-input"]
        command += ["--only-binary", ":all:", "--disable-pip-version-check", "-c", str(CONSTRAINTS)]
        command += ["--report", str(report), "-r", str(needed)]
        subprocess.run(command, check=True)  # noqa: S603  # our own command
        installs = json.loads(report.read_text(encoding="utf-8"))["install"]
    found = []
    for one in installs:
        digest = one["download_info"]["archive_info"]["hashes"]["sha256"]
        found.append((one["metadata"]["name"], one["metadata"]["version"], digest))
    return sorted(found, key=lambda row: row[0].casefold())


def lock_text(rows: Sequence[tuple[str, str, str]]) -> str:
    """Return the lock as text."""
    return HEADER + "".join(f"{name}=={version} \\\n    --hash=sha256:{digest}\n" for name, version, digest in rows)


def main() -> int:
    """Write the lock, or with `--check` compare it; the exit status is 1 if it differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="compare with the file instead of writing it")
    text = lock_text(resolve([*requirements(), *BUILD]))
    if parser.parse_args().check:
        return int(LOCK.read_text(encoding="utf-8") != text)
    LOCK.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
