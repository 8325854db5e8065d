"""`plenipo serve` starts, tells its address, answers there and ends."""

import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo.cli import app
from plenipo.cli.serve import _shown, _socket


def test_the_server_tells_where_it_is_and_answers_there(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from plenipo.cli import app; app()", "serve", "--no-open", "--port", "0"]
    command += ["--database", str(tmp_path / "games.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:  # noqa: S603  # our own
        assert server.stdout
        try:
            line = server.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+/", line)
            assert found, line
            with urllib.request.urlopen(found[0], timeout=30) as answer:  # noqa: S310  # our own address
                assert b"Plenipo" in answer.read()
        finally:
            server.send_signal(signal.SIGINT)
            _, errors = server.communicate(timeout=30)
    assert "Traceback" not in errors
    assert (tmp_path / "games.sqlite").is_file()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--database", "nonsense://"), "The database 'nonsense://' cannot be used"),
        (("--database", "/no/such/folder/x.sqlite"), "cannot be used"),
        (("--host", "203.0.113.1", "--port", "0"), "cannot be used"),
    ],
)
def test_what_cannot_be_used_is_told_in_a_sentence(arguments: tuple[str, ...], told: str) -> None:
    result = CliRunner().invoke(app, ["serve", "--no-open", *arguments])
    assert result.exit_code == 2
    assert told in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_the_next_free_port_is_taken_where_none_is_named() -> None:
    with _socket("127.0.0.1", None) as first, _socket("127.0.0.1", None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_the_address_shown_can_be_typed() -> None:
    assert [_shown(host) for host in ("127.0.0.1", "0.0.0.0", "::1", "fe80::1", "example.org")] == [  # noqa: S104  # a case
        "127.0.0.1",
        "127.0.0.1",
        "[::1]",
        "[fe80::1]",
        "example.org",
    ]
