"""`plenipo serve`: games in the browser; `plenipo work`: what time does to them, in a process of its own."""

import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from plenipo.cli.options import Database, Trust, refuse
from plenipo.engine.wording import listing
from plenipo.errors import PlenipoError

__all__ = ["needs_server", "serve", "work"]

LOOPBACK = {"127.0.0.1": "127.0.0.1", "::1": "[::1]", "localhost": "localhost"}
"""Addresses of this machine alone, as they stand in an address of the web."""

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104  # asked for by name
"""What is written for all addresses of this machine."""

ELSEWHERE = ("192.0.2.1", 9)
"""An address that is nobody's, somewhere outside."""

HERE = ("127.0.0.1", "::1", "localhost")
"""The host names a server on one's own machine answers to."""

PORTS = 20
"""How many ports are tried, from the usual one on, where none is named."""

USUAL_PORT = 8021

SWITCH = 0.0005
"""How long a thread that computes may keep the one that answers waiting, in seconds; Python's own is ten times that."""

NICER = 5
"""How much the process that looks for due games yields to the one that answers."""

MISSING = "The table in the browser needs the extra 'server'; install it with: pip install 'plenipo[server]'."


class Loops(StrEnum):
    """Where a server looks for due games."""

    THREAD = "thread"
    PROCESS = "process"
    NONE = "none"


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 lets others in.")] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.", show_default=str(USUAL_PORT))
    ] = None,
    database: Database = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A name the server answers to besides this machine's own; may be given again."),
    ] = None,
    loops: Annotated[
        Loops,
        typer.Option(
            help="Where due games are looked for: in a thread, in a process of its own, or not at all, "
            "where 'plenipo work' does it."
        ),
    ] = Loops.THREAD,
    address: Annotated[
        str | None,
        typer.Option(
            "--address", help="Where people reach it, such as https://games.example.org; stands in links of mails."
        ),
    ] = None,
    moderator: Annotated[
        list[str] | None,
        typer.Option(help="The mail address of somebody who deals with reports; may be given again."),
    ] = None,
    *,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Play in the browser: serve the pages, print their address and open it."""
    with needs_server():
        import uvicorn  # noqa: PLC0415  # an extra; the other commands work without it

        from plenipo.server.boards import keep_boards_in  # noqa: PLC0415
        from plenipo.server.host import Host  # noqa: PLC0415
        from plenipo.server.people.mail import SENDER, Outgoing, mailer_of  # noqa: PLC0415
        from plenipo.server.store import Store, mail_folder  # noqa: PLC0415
        from plenipo.server.warming import Warming  # noqa: PLC0415
        from plenipo.server.web.app import create_app  # noqa: PLC0415
        from plenipo.server.web.images import picture_of_turn  # noqa: PLC0415
    try:
        mailer = mailer_of(os.environ, mail_folder())
        store = Store(database)
        listening = _socket(host, port)
    except PlenipoError as fault:
        refuse(str(fault))
    except OSError as fault:
        refuse(f"'{fault.filename or host}' cannot be used: {(fault.strerror or str(fault)).lower()}.")
    port = listening.getsockname()[1]
    here = f"http://{_shown(host)}:{port}/"
    places = name or ([_outside()] if host in EVERYWHERE else [_shown(host)])
    typer.echo(f"The table is at {here} (Ctrl-C ends it).")
    if host not in LOOPBACK:
        typer.echo(f"Others reach it at {listing(f'http://{place}:{port}/' for place in places)}.")
        typer.echo("It speaks plain HTTP: on an open network, put a proxy that speaks HTTPS in front of it.")
    sys.stdout.flush()
    keep_boards_in(store)
    reached = address or (here if host in LOOPBACK else f"http://{places[0]}:{port}/")
    hosting = Host(store, warming=Warming())
    sender = os.environ.get("PLENIPO_SENDER", SENDER)
    mail = Outgoing(mailer, reached, sender, picture=partial(picture_of_turn, hosting))
    app = create_app(
        hosting, names=_names(host, name or []), loops=loops.value, mail=mail, alone=True, moderators=moderator or []
    )
    config = uvicorn.Config(
        app, log_level="warning", timeout_keep_alive=30, timeout_graceful_shutdown=1, server_header=False
    )
    if open_browser:
        threading.Timer(0.8, lambda: webbrowser.open(here)).start()
    sys.setswitchinterval(SWITCH)
    with listening, suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
    store.close()


def work(
    database: Database = None,
    *,
    child: Annotated[bool, typer.Option("--child", hidden=True)] = False,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Process the phases that are due, and serve no pages; for servers that were started with '--loops none'."""
    with needs_server():
        from plenipo.server.boards import keep_boards_in  # noqa: PLC0415  # an extra
        from plenipo.server.broker import Broker  # noqa: PLC0415
        from plenipo.server.host import Host  # noqa: PLC0415
        from plenipo.server.store import Store  # noqa: PLC0415
        from plenipo.server.warming import Warming  # noqa: PLC0415
        from plenipo.server.worker import Worker  # noqa: PLC0415
    try:
        store = Store(sys.stdin.readline().strip() if child else database)
    except (PlenipoError, OSError) as fault:
        refuse(str(fault))
    keep_boards_in(store)
    ended = threading.Event()

    def tell() -> None:
        with suppress(OSError, ValueError):
            sys.stdout.write("\n")
            sys.stdout.flush()

    def end_with_parent() -> None:
        sys.stdin.read()
        ended.set()

    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN if child else lambda *_: ended.set())
    broker = Broker()
    if child:
        broker.notify = tell
        threading.Thread(target=end_with_parent, daemon=True).start()
    else:
        typer.echo("Looking for due games (Ctrl-C ends it).")
        sys.stdout.flush()
    if child:
        with suppress(OSError, AttributeError):  # whoever looks at a page does not wait for it
            os.nice(NICER)
    Worker(Host(store, broker, warming=Warming())).run(ended)
    store.close()


@contextmanager
def needs_server() -> Iterator[None]:
    """What is imported here comes with the extra `server`; refused in one sentence where that is not installed."""
    try:
        yield
    except ImportError as fault:
        if (fault.name or "").partition(".")[0] == "plenipo":
            raise
        refuse(MISSING)


def _names(host: str, names: Sequence[str]) -> tuple[str, ...] | None:
    """The host names the server answers to; None for any, where it lets others in and no names are given."""
    return (*HERE, *names) if names or host in LOOPBACK else None


def _outside() -> str:
    """The address of this machine as others on its network see it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)  # sends nothing: it only chooses the way out
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def _shown(host: str) -> str:
    """The address one types; a server that listens everywhere is reached at this machine."""
    if host in EVERYWHERE:
        return "127.0.0.1"
    return LOOPBACK.get(host, f"[{host}]" if ":" in host else host)


def _socket(host: str, port: int | None) -> socket.socket:
    """A socket at the port, or at the first free one from the usual port on; raises `OSError` if there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = [port] if port is not None else [*range(USUAL_PORT, USUAL_PORT + PORTS), 0]
    for number in ports:
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, number))
        except OSError as fault:
            made.close()
            if number == ports[-1]:
                raise OSError(fault.errno, fault.strerror, f"{host}:{number}") from fault
            continue
        made.listen(2048)
        return made
    raise AssertionError("the last port raises or is taken")
