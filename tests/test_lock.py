"""The lock of requirements: it agrees with the constraints, has every package of a server, and names no registry."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from lock_requirements import BUILD, LOCK, lock_text, requirements

ROOT = Path(__file__).parents[1]
ENTRY = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>\S+) \\\n((?: {4}--hash=sha256:[0-9a-f]{64})(?: \\)?\n)+", re.MULTILINE
)


def pinned() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return {canonicalize_name(line.split("==")[0]): line.split("==")[1] for line in lines if "==" in line}


def locked() -> dict[str, str]:
    text = LOCK.read_text(encoding="utf-8")
    assert ENTRY.sub("", text).strip().splitlines() == [line for line in text.splitlines() if line.startswith("#")]
    return {canonicalize_name(match["name"]): match["version"] for match in ENTRY.finditer(text)}


def test_the_lock_agrees_with_the_constraints() -> None:
    versions = pinned()
    assert locked()
    assert {name: versions.get(name) for name in locked()} == locked()


def test_the_lock_has_everything_that_a_server_and_its_build_need() -> None:
    asked = [Requirement(text) for text in (*requirements(), *BUILD)]
    linux: dict[str, Any] = {**default_environment(), "sys_platform": "linux", "python_version": "3.11"}
    needed: set[str] = set()
    while asked:
        one = asked.pop()
        if one.marker is not None and not any(one.marker.evaluate({**linux, "extra": e}) for e in ("", *one.extras)):
            continue
        name = canonicalize_name(one.name)
        if name in needed:
            continue
        needed.add(name)
        try:
            asked += [
                part
                for part in map(Requirement, distribution(name).requires or [])
                if part.marker is None or any(part.marker.evaluate({**linux, "extra": e}) for e in ("", *one.extras))
            ]
        except PackageNotFoundError:  # build backends are not installed here
            continue
    assert needed <= locked().keys()


def test_the_lock_names_no_registry() -> None:
    text = LOCK.read_text(encoding="utf-8")
    assert not re.search(r"://|--(extra-)?index-url|--find-links| @ ", text)


def test_every_entry_has_its_version_and_its_hash() -> None:
    assert "click==8.5.1 \\\n    --hash=sha256:abab" in lock_text([("click", "8.5.1", "ab" * 32)])
    assert tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"] == list(
        BUILD
    )
