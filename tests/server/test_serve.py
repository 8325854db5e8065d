"""`plenipo serve` starts, tells its address, answers there and ends."""

import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo.cli import app
from plenipo.cli.serve import _outside, _reachable_host, _socket
from plenipo.server.warm_up import AT_ONCE, COMMAND, Warming


@dataclass
class Running:
    """A server in a process of its own: what it said, where it is, and what it wrote to the log, once it has ended.

    `said` is what it said after its first lines.
    """

    lines: list[str]
    port: int
    log: str = ""
    said: str = ""


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[Running]:
    command = [sys.executable, "-c", "from plenipo.cli import app; app()", "serve", "--no-open", "--port", "0"]
    command += ["--database", str(folder / "games.sqlite"), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:  # noqa: S603  # our own
        assert server.stdout
        lines = [
            server.stdout.readline()
            for _ in range(3 if "--host" in arguments else 2 if "--metrics" in arguments else 1)
        ]
        address = re.search(r"http://127\.0\.0\.1:(\d+)/", lines[0])
        assert address, lines
        running = Running(lines, int(address[1]))
        try:
            yield running
        finally:
            server.send_signal(signal.SIGINT)
            running.said, running.log = server.communicate(timeout=30)


def answer_of(port: int, name: str = "127.0.0.1") -> bytes:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"host": name})  # our own
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  # our own address
            return bytes(answer.read())
    except urllib.error.HTTPError as refusal:
        return bytes(refusal.read())


def test_the_server_tells_where_it_is_and_answers_there(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        assert b"Plenipo" in answer_of(server.port)
    assert "Traceback" not in server.log
    assert (tmp_path / "games.sqlite").is_file()


def test_a_server_for_others_says_where_they_reach_it_and_answers_to_the_names_it_was_given(tmp_path: Path) -> None:
    arguments = ("--host", "0.0.0.0", "--name", "diplomacy.example", "--name", "games.local")  # noqa: S104  # a case
    with served(tmp_path, *arguments) as server:
        assert f"http://diplomacy.example:{server.port}/ and http://games.local:{server.port}/" in server.lines[1]
        assert "plain HTTP" in server.lines[2]
        assert b"Play now" in answer_of(server.port, "games.local")
        assert b"answers to" in answer_of(server.port, "evil.example")


def test_a_server_for_others_names_an_address_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    address = _outside()
    assert address not in {"0.0.0.0", ""}  # noqa: S104  # a case

    def no_way_out(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("socket.socket.connect", no_way_out)
    assert _outside() == socket.gethostname()


REQUEST = b"GET /api/variants HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
POST = b"POST /play HTTP/1.1\r\nHost: 127.0.0.1\r\n"


GARBAGE = (
    (REQUEST + b"\x00\xff garbage\r\n\r\n",),
    (REQUEST * 3, b"\xff\xff\xff\xff", b"more"),
    (REQUEST + POST + b"Content-Length: 100\r\n\r\nhalf a body", b"garbage"),
    (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"5\r\nabc\r\n", b"zz\r\n"),
    (b"\x16\x03\x01\x02\x00",),
    (b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nHost: 127.0.0.1\r\n\r\n" + REQUEST,),
)


def test_garbage_after_a_request_leaves_no_traceback_in_the_log(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for pieces in GARBAGE:
            with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection, suppress(OSError):
                for piece in pieces:
                    connection.sendall(piece)
                    connection.settimeout(0.2)
                    with suppress(TimeoutError):
                        connection.recv(65536)
            assert b"Plenipo" in answer_of(server.port), pieces
    assert "Traceback" not in server.log


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--database", "nonsense://"), "The database 'nonsense://' cannot be used"),
        (("--database", "/no/such/folder/x.sqlite"), "cannot be used"),
        (("--host", "203.0.113.1", "--port", "0"), "cannot be used"),
    ],
)
def test_unusable_options_are_reported_in_a_sentence(arguments: tuple[str, ...], told: str) -> None:
    result = CliRunner().invoke(app, ["serve", "--no-open", *arguments])
    assert result.exit_code == 2
    assert told in result.output
    assert len(result.output.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "begun"),
    [
        (["--open"], AT_ONCE),
        (["--open", "--host", "0.0.0.0"], COMMAND),  # noqa: S104  # a case
        (["--no-open"], None),
    ],
    ids=str,
)
def test_the_computers_warm_up_while_the_person_at_this_machine_chooses(
    arguments: list[str], begun: tuple[str, ...] | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    needed: list[tuple[str, ...]] = []
    monkeypatch.setattr(Warming, "start_if_needed", lambda warming, _computers: needed.append(warming.command))
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    monkeypatch.setattr("webbrowser.open", lambda _: True)
    database = str(tmp_path / "games.sqlite")
    result = CliRunner().invoke(app, ["serve", "--port", "0", "--database", database, *arguments])
    assert result.exit_code == 0, result.output
    assert needed == ([begun] if begun else [])


def test_the_next_free_port_is_taken_where_none_is_named() -> None:
    with _socket("127.0.0.1", None) as first, _socket("127.0.0.1", None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_the_address_shown_can_be_typed() -> None:
    assert [_reachable_host(service) for service in ("127.0.0.1", "0.0.0.0", "::1", "fe80::1", "example.org")] == [  # noqa: S104  # a case
        "127.0.0.1",
        "127.0.0.1",
        "[::1]",
        "[fe80::1]",
        "example.org",
    ]
