"""Compile what the tests need, before they begin: the kernel, the players, and the kernel with bounds checked.

    python scripts/compile_ahead.py

`make test` does it beside the checks, so that no worker waits for it. What is in the cache is not compiled again.
"""

import os
import subprocess
import sys
from pathlib import Path

import agree
from plenipo.warm import warm

CHECKED = {"NUMBA_BOUNDSCHECK": "1"}


def main() -> int:
    """Compile everything; return 1 if the build that checks bounds failed."""
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}; import agree; agree.warm()"]
    with subprocess.Popen(command, env={**os.environ, **CHECKED}, cwd=Path(__file__).parent) as checked:  # noqa: S603
        agree.warm()
        warm()
    return checked.returncode


if __name__ == "__main__":
    sys.exit(main())
