"""Try the first command of the README: run `make play`, ask for the first page, and stop.

Standard library only: it runs before anything is installed. Prints the address and exits with 0 when the page answers;
otherwise prints what the command printed and exits with 1. The browser is not opened: BROWSER names a program that
does nothing.
"""

import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue

ROOT = Path(__file__).parents[1]

LIMIT = 1200.0
"""Seconds until the page must answer; the first run installs everything."""

ADDRESS = re.compile(r"http://[\w.:\[\]-]+/?")


def main() -> int:
    """Run the command until its page answers; return the exit status."""
    environment = {**os.environ, "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    command = subprocess.Popen(  # a fixed command
        ["make", "play"],  # noqa: S607  # whichever make the system has
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    lines: Queue[str] = Queue()
    threading.Thread(target=_read, args=(command, lines), daemon=True).start()
    printed: list[str] = []
    try:
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and (command.poll() is None or not lines.empty()):
            try:
                printed.append(lines.get(timeout=1))
            except Empty:
                continue
            address = ADDRESS.search(printed[-1])
            if address and _answers(address[0]):
                print(f"{address[0]} answers.")
                return 0
    finally:
        _end(command)
    print("'make play' served no page:", *printed, sep="\n")
    return 1


def _end(command: "subprocess.Popen[str]") -> None:
    """End a command with the server that it started; where there are no groups of processes, the command alone."""
    if not hasattr(os, "killpg"):
        command.terminate()
        return
    with suppress(ProcessLookupError):  # all of it has ended already
        os.killpg(command.pid, signal.SIGTERM)


def _read(command: "subprocess.Popen[str]", lines: "Queue[str]") -> None:
    """Put what a command prints into a queue, line by line."""
    for line in command.stdout or ():
        lines.put(line.rstrip())


def _answers(address: str) -> bool:
    """Tell whether a page answers with its title."""
    with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310  # an address of this machine
        return b"Plenipo" in answer.read()


if __name__ == "__main__":
    sys.exit(main())
