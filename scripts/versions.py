"""Test the core on every supported version of Python that this machine has; `make test-versions` runs it.

Each gets its own environment below `.venvs`, with the core, the extra `maps` and the dependency group `test`.
Interpreters are looked for on the PATH and among those of pyenv. Standard library only: it runs before anything is
installed.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]

TESTS = ("tests/engine", "tests/rulekit", "tests/formats", "tests/library", "tests/test_packages.py")
"""The tests that run on every version: the rules, and everything that must work without further extras."""


def versions() -> list[str]:
    """Return the versions the package says it supports: `3.11` and later."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [line.rpartition(" ")[2] for line in project["classifiers"] if "Python :: 3." in line]
    return sorted(names, key=lambda name: int(name.partition(".")[2]))


def interpreter(version: str) -> Path | None:
    """Return the interpreter of a version, if this machine has one."""
    found = shutil.which(f"python{version}")
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [*([Path(found)] if found else []), *sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True)]
    return next((path for path in candidates if _is(path, version)), None)


def _is(path: Path, version: str) -> bool:
    ask: list[str | Path] = [path, "-c", f"import sys, venv; sys.exit('%d.%d' % sys.version_info[:2] != '{version}')"]
    return subprocess.run(ask, check=False, capture_output=True).returncode == 0  # noqa: S603  # a fixed command


def tested(version: str, python: Path) -> bool:
    """Tell whether the tests pass on `python`, in an environment made for it."""
    folder = ROOT / ".venvs" / version
    own = folder / "bin" / "python"
    environment = {**os.environ, "PIP_CONSTRAINT": str(ROOT / "constraints.txt")}
    pip: list[str | Path] = [own, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    steps: list[list[str | Path]] = [
        [python, "-m", "venv", folder],
        [*pip, "pip"],
        [*pip, "-e", f"{ROOT}[maps]", "--group", "test"],
        [own, "-m", "pytest", "-q", "-n", "2", *TESTS],
    ]
    return all(subprocess.run(step, check=False, cwd=ROOT, env=environment).returncode == 0 for step in steps)  # noqa: S603  # as above


def main() -> int:
    """Test every version; return 1 if one fails, and print those that are missing."""
    results = {}
    for version in versions():
        python = interpreter(version)
        print(f"Python {version}: {python or 'not on this machine'}", flush=True)
        results[version] = "missing" if python is None else "passed" if tested(version, python) else "failed"
    print(", ".join(f"{version} {result}" for version, result in results.items()))
    return int("failed" in results.values())


if __name__ == "__main__":
    sys.exit(main())
