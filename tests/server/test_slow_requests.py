"""Requests that arrive too slowly are cut off; those that are whole are answered, however long the answer takes."""

import asyncio
import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from plenipo.server.web.slow import protocol
from waiting import LIMIT, join_all, wait_until

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n"


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the body, take longer than any request may, and answer."""
    while (message := await receive())["type"] == "http.request" and message.get("more_body"):
        pass
    if scope["path"] == "/long":
        await asyncio.sleep(1.5)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
def port() -> Iterator[int]:
    with serving(protocol(0.5, 0.5)) as port:
        yield port


@contextmanager
def serving(limited: type[asyncio.Protocol]) -> Iterator[int]:
    """Serve `answer` by a protocol, at the port that is yielded."""
    config = uvicorn.Config(answer, port=0, log_level="error", lifespan="off", http=limited)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        wait_until(lambda: server.started)
        yield listening.getsockname()[1]
        server.should_exit = True
        join_all([thread])


def heard(connection: socket.socket) -> bytes:
    """Everything the server says until it closes the connection."""
    said = b""
    connection.settimeout(LIMIT)
    with suppress(ConnectionResetError):
        while part := connection.recv(4096):
            said += part
    return said


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"P",
        HEAD,
        HEAD + b"\r\n",
        HEAD + b"\r\n123",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HT",
    ],
)
def test_a_request_that_does_not_arrive_is_cut_off(port: int, begun: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(begun)
        assert heard(connection).count(b"ok") == begun.count(b"GET / HTTP/1.1")


@pytest.mark.parametrize("address", [b"/", b"/long"])
def test_a_head_without_an_end_is_cut_off(address: bytes) -> None:
    before = b"GET " + address + b" HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n"
    with serving(protocol(10 * LIMIT, 10 * LIMIT)) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(LIMIT)
        with pytest.raises((ConnectionError, TimeoutError)):
            send_in_parts(connection, [before, *[b"X: " + b"y" * 8_000 + b"\r\n"] * 4_000])


def send_in_parts(connection: socket.socket, parts: Iterable[bytes]) -> None:
    for part in parts:
        connection.sendall(part)


def test_a_large_body_is_no_large_head() -> None:
    post = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n" + b"b" * 500_000
    with serving(protocol(LIMIT, LIMIT)) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(post + post + HEAD.replace(b"Host", b"Connection: close\r\nHost") + b"\r\n0123456789")
        assert heard(connection).count(b"ok") == 3


@pytest.mark.parametrize("begun", [b"GET / HTTP/1.1\r\nX: ", HEAD[:-3] + b"00000\r\n\r\n"])
def test_a_request_that_comes_byte_by_byte_is_cut_off(port: int, begun: bytes) -> None:
    cut = threading.Event()

    def drip() -> None:
        with suppress(OSError):
            while not cut.wait(0.05):
                connection.sendall(b"a")

    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(begun)
        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        assert b"ok" not in heard(connection)
        cut.set()
        join_all([thread])


def test_a_whole_request_is_answered_however_long_that_takes(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(LIMIT)
        for _ in range(2):
            connection.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
            said = b""
            while not said.endswith(b"ok"):
                part = connection.recv(4096)
                assert part
                said += part
