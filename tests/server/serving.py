"""A server in a process of its own, as `plenipo serve` starts it."""

import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from waiting import LIMIT, read_line

__all__ = ["Running", "answer_of", "served"]


@dataclass
class Running:
    """A server in a process of its own: what it said, where it is, and what it wrote to the log, once it has ended.

    `said` is what it said after its first lines.
    """

    lines: list[str]
    port: int
    database: Path
    log: str = ""
    said: str = ""


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[Running]:
    command = [sys.executable, "-c", "from plenipo.cli import app; app()", "serve", "--no-open", "--port", "0"]
    command += ["--database", str(folder / "games.sqlite"), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:  # noqa: S603  # our own
        assert server.stdout
        lines = [
            read_line(server.stdout)
            for _ in range(3 if "--host" in arguments else 2 if "--metrics" in arguments else 1)
        ]
        address = re.search(r"http://127\.0\.0\.1:(\d+)/", lines[0])
        assert address, lines
        running = Running(lines, int(address[1]), folder / "games.sqlite")
        try:
            yield running
        finally:
            server.send_signal(signal.SIGINT)
            running.said, running.log = server.communicate(timeout=LIMIT)


def answer_of(port: int, name: str = "127.0.0.1") -> bytes:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"host": name})  # our own
    try:
        with urllib.request.urlopen(request, timeout=LIMIT) as answer:  # noqa: S310  # our own address
            return bytes(answer.read())
    except urllib.error.HTTPError as refusal:
        return bytes(refusal.read())
