"""`plenipo serve` starts, tells its address, answers there and ends."""

import socket
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo.cli import app
from plenipo.cli.serve import _outside, _reachable_host, _socket
from plenipo.server.warm_up import AT_ONCE, COMMAND, Warming
from server.serving import Running, answer_of, served
from waiting import LIMIT


def test_the_server_tells_where_it_is_and_answers_there(usual_server: Running) -> None:
    assert b"Plenipo" in answer_of(usual_server.port)
    assert usual_server.database.is_file()


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


def test_garbage_after_a_request_leaves_no_traceback_in_the_log(usual_server: Running) -> None:
    for pieces in GARBAGE:
        with socket.create_connection(("127.0.0.1", usual_server.port), timeout=LIMIT) as connection, suppress(OSError):
            for piece in pieces:
                connection.sendall(piece)
                connection.settimeout(0.2)
                with suppress(TimeoutError):
                    connection.recv(65536)
        assert b"Plenipo" in answer_of(usual_server.port), pieces
    # the fixture looks at the log once the server has ended


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
