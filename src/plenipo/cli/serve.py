"""`plenipo serve`: games in the browser; `plenipo work`: deadline processing in a process of its own."""

import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

if TYPE_CHECKING:
    from fastapi import FastAPI

    from plenipo.server.observer import Watcher
    from plenipo.server.people.mail import Mailer
    from plenipo.server.people.provider_settings import Provider
    from plenipo.server.service import GameService
    from plenipo.server.store import Store

from plenipo.cli.options import Database, Trust, refuse
from plenipo.errors import PlenipoError
from plenipo.languages.current import _, in_list, in_words

__all__ = ["needs_server", "serve", "work"]

LOOPBACK = {"127.0.0.1": "127.0.0.1", "::1": "[::1]", "localhost": "localhost"}
"""Addresses of this machine alone, as written in a URL."""

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104  # asked for by name
"""The notations for all addresses of this machine."""

ELSEWHERE = ("192.0.2.1", 9)
"""An unassigned address outside."""

HERE = ("127.0.0.1", "::1", "localhost")
"""The host names of a server on your own machine."""

PORTS = 20
"""Number of ports to try, from the default one on, if none is given."""

USUAL_PORT = 8021

SWITCH = 0.0005
"""The longest time a computing thread may delay the answering one, in seconds; Python's default is ten times that."""

NICER = 5
"""The niceness of the process that looks for due games, compared with the one that answers."""


class Loops(StrEnum):
    """The loops of a server that look for due games."""

    THREAD = "thread"
    PROCESS = "process"
    NONE = "none"


class LogForm(StrEnum):
    """The format of the log."""

    TEXT = "text"
    JSON = "json"


Metrics = Annotated[
    str | None,
    typer.Option(
        metavar="[HOST:]PORT",
        help="Serve figures for operators at this port, in the form of Prometheus; to this machine alone, "
        "unless an address is named.",
    ),
]
Log = Annotated[LogForm, typer.Option(help="The format of the log: text, or JSON with a line for each request.")]


Quota = Annotated[
    int,
    typer.Option(
        min=0,
        envvar="PLENIPO_QUOTA",
        help="The most megabytes that the database may take; beyond them no game is opened and no message taken. "
        "0 for any number.",
    ),
]
GameQuota = Annotated[
    int,
    typer.Option(
        min=0,
        envvar="PLENIPO_GAME_QUOTA",
        help="The most megabytes of orders, messages and journal of a game; beyond them it takes no messages. "
        "0 for any number.",
    ),
]

VariantFolders = Annotated[
    list[Path] | None,
    typer.Option(
        "--variants",
        help="A folder of variants for the library, or a folder with several; may be given again.",
        show_default="variants, in your data folder",
    ),
]

HostOption = Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 lets others in.")]
PortOption = Annotated[
    int | None, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.", show_default=str(USUAL_PORT))
]
NamesOption = Annotated[
    list[str] | None,
    typer.Option(help="Another host name of the server; may be given several times.", envvar="PLENIPO_NAME"),
]
LoopsOption = Annotated[
    Loops,
    typer.Option(
        help="Where due phases are processed: in a thread, in a separate process, or not here, "
        "where 'plenipo work' does it."
    ),
]
AddressOption = Annotated[
    str | None,
    typer.Option(
        "--address",
        envvar="PLENIPO_ADDRESS",
        help="The public address, such as https://games.example.org, for the links in mails.",
    ),
]
ModeratorsOption = Annotated[
    list[str] | None,
    typer.Option(
        help="The mail address of a moderator, who deals with reports; may be given again. PLENIPO_MODERATORS "
        "names several, with commas between. Without any, read reports with 'plenipo reports'."
    ),
]
ShowMailOption = Annotated[
    bool,
    typer.Option("--show-mail", help="Show mail, with codes and links, on the console; without a mail server."),
]
OpenOption = Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")]

MEGABYTE = 10**6


def serve(
    host: HostOption = "127.0.0.1",
    port: PortOption = None,
    database: Database = None,
    name: NamesOption = None,
    loops: LoopsOption = Loops.THREAD,
    address: AddressOption = None,
    moderator: ModeratorsOption = None,
    metrics: Metrics = None,
    log: Log = LogForm.TEXT,
    quota: Quota = 10_000,
    game_quota: GameQuota = 20,
    variants: VariantFolders = None,
    *,
    show_mail: ShowMailOption = False,
    open_browser: OpenOption = True,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Play in the browser: serve the pages, print their address and open it."""
    with needs_server():
        from plenipo.server.moderation import moderators_of  # noqa: PLC0415
        from plenipo.server.people.mail import mailer_of  # noqa: PLC0415
        from plenipo.server.people.provider_settings import providers_of  # noqa: PLC0415
        from plenipo.server.private_files import keep_private  # noqa: PLC0415
        from plenipo.server.store import mail_folder  # noqa: PLC0415
        from plenipo.server.store.waiting import open_store  # noqa: PLC0415
    folders = add_variants(variants)
    child = ("--log", log.value, *(text for folder in folders for text in ("--variants", str(folder))))
    try:
        keep_private(database)
        mailer = mailer_of(os.environ, mail_folder(), shown=show_mail)
        roles = _Roles(moderators_of(os.environ, tuple(moderator or ())), providers_of(os.environ))
        store = open_store(
            database,
            partial(typer.echo, err=True),
            quota=quota * MEGABYTE or None,
            game_quota=game_quota * MEGABYTE or None,
        )
        place = _ServerPlace(host, _socket(host, port), tuple(name or ()), address)
        counted = _endpoint(metrics)
    except PlenipoError as fault:
        refuse(in_words(fault))
    except OSError as fault:
        reason = (fault.strerror or str(fault)).lower()
        refuse(_("'{file}' cannot be used: {reason}.", file=fault.filename or host, reason=reason))
    _print_addresses(place)
    hosting = _open_service(store, place, compiled=open_browser)
    watchers = _watchers(hosting, counted, log)
    _print_setup(place, mailer, moderated=bool(roles.moderators))
    app = _app_of(hosting, place, mailer, roles, watchers, loops, child)
    if open_browser:
        threading.Timer(0.8, lambda: webbrowser.open(place.here)).start()
    _run(app, place.listening, log)
    store.close()


def _open_service(store: "Store", place: "_ServerPlace", *, compiled: bool) -> "GameService":
    """Return the service of the games in a store.

    With `compiled`, computer players are compiled at once, while the person chooses what to play.
    """
    from plenipo import bots  # noqa: PLC0415  # an extra; the other commands work without it
    from plenipo.server.boards import keep_boards_in  # noqa: PLC0415
    from plenipo.server.service import GameService  # noqa: PLC0415
    from plenipo.server.warm_up import AT_ONCE, COMMAND, Warming  # noqa: PLC0415

    keep_boards_in(store)
    warming = Warming(COMMAND if place.is_open else AT_ONCE)
    if compiled:
        warming.start_if_needed(bots.LEVELS)
    return GameService(store, warming=warming)


def _app_of(
    hosting: "GameService",
    place: "_ServerPlace",
    mailer: "Mailer",
    roles: "_Roles",
    watchers: "tuple[Watcher, ...]",
    loops: Loops,
    child: tuple[str, ...],
) -> "FastAPI":
    """Return the app that answers requests; `child` are arguments of the worker if that is a process of its own."""
    from plenipo.server.people.mail import SENDER, Outgoing  # noqa: PLC0415  # an extra
    from plenipo.server.renderer import Renderer  # noqa: PLC0415
    from plenipo.server.web.app import create_app  # noqa: PLC0415
    from plenipo.server.web.images import picture_of_turn  # noqa: PLC0415

    renderer, sender = Renderer(), os.environ.get("PLENIPO_SENDER", SENDER)
    return create_app(
        hosting,
        names=place.answered_names,
        loops=loops.value,
        mail=Outgoing(mailer, place.public_url, sender, picture=partial(picture_of_turn, hosting, renderer)),
        alone=True,
        watchers=watchers,
        child=child,
        moderators=roles.moderators,
        provided_by=roles.providers,
        renderer=renderer,
        for_others=place.is_for_others,
    )


class _Roles(NamedTuple):
    """The moderators of a server, by their mail addresses, and its identity providers."""

    moderators: "frozenset[str]"
    providers: "tuple[Provider, ...]"


@dataclass(frozen=True)
class _ServerPlace:
    """The place of a server: its host, its socket, the other `names` it was given, and the address people use."""

    host: str
    listening: socket.socket
    names: tuple[str, ...] = ()
    address: str | None = None

    @property
    def is_open(self) -> bool:
        """True if other machines can reach it."""
        return self.host not in LOOPBACK

    @property
    def is_for_others(self) -> bool:
        """True if it serves other people: directly, or behind a proxy."""
        return self.is_open or bool(self.names) or self.address is not None

    @cached_property
    def port(self) -> int:
        """The port it listens at."""
        return int(self.listening.getsockname()[1])

    @cached_property
    def here(self) -> str:
        """Its URL on this machine."""
        return f"http://{_reachable_host(self.host)}:{self.port}/"

    @cached_property
    def urls(self) -> tuple[str, ...]:
        """Its URLs on other machines."""
        hosts = self.names or ([_outside()] if self.host in EVERYWHERE else [_reachable_host(self.host)])
        return tuple(f"http://{host}:{self.port}/" for host in hosts)

    @property
    def public_url(self) -> str:
        """Its URL in mails."""
        return self.address or (self.urls[0] if self.is_open else self.here)

    @property
    def answered_names(self) -> tuple[str, ...] | None:
        """The host names it answers to; None for any, if it is open and no names are given."""
        return (*HERE, *self.names) if self.names or not self.is_open else None


def _print_addresses(place: _ServerPlace) -> None:
    """Print where the pages are."""
    typer.echo(_("The table is at {address} (Ctrl-C ends it).", address=place.here))
    if place.is_open:
        typer.echo(_("Others reach it at {addresses}.", addresses=in_list(place.urls)))
        typer.echo(_("It speaks plain HTTP: on an open network, put a proxy that speaks HTTPS in front of it."))
    sys.stdout.flush()


def _print_setup(place: _ServerPlace, mailer: "Mailer | None", *, moderated: bool) -> None:
    """Print where mail goes, and how reports are read if there are no moderators."""
    from plenipo.server.people.mail import MailFolder  # noqa: PLC0415  # an extra

    if isinstance(mailer, MailFolder):
        typer.echo(_("Mail is written to files in {folder}; PLENIPO_SMTP names a mail server.", folder=mailer.path))
    if place.is_open and not moderated:
        typer.echo(_("Without moderators (PLENIPO_MODERATORS) you read reports: 'plenipo reports list'."))
    sys.stdout.flush()


def _run(app: "FastAPI", listening: socket.socket, log: LogForm) -> None:
    """Answer requests at a socket until the server ends."""
    import uvicorn  # noqa: PLC0415  # an extra

    from plenipo.server.web.slow import protocol  # noqa: PLC0415

    config = uvicorn.Config(
        app,
        log_level="warning",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        server_header=False,
        http=protocol(),
        log_config=None if log is LogForm.JSON else uvicorn.config.LOGGING_CONFIG,
    )
    sys.setswitchinterval(SWITCH)
    with listening, suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


def work(
    database: Database = None,
    metrics: Metrics = None,
    log: Log = LogForm.TEXT,
    variants: VariantFolders = None,
    *,
    child: Annotated[bool, typer.Option("--child", hidden=True)] = False,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Process due phases without serving pages; for servers started with '--loops none'."""
    with needs_server():
        from plenipo.server.boards import keep_boards_in  # noqa: PLC0415  # an extra
        from plenipo.server.broker import Broker  # noqa: PLC0415
        from plenipo.server.private_files import keep_private  # noqa: PLC0415
        from plenipo.server.service import GameService  # noqa: PLC0415
        from plenipo.server.store.waiting import open_store  # noqa: PLC0415
        from plenipo.server.warm_up import Warming  # noqa: PLC0415
        from plenipo.server.worker import Worker  # noqa: PLC0415
    add_variants(variants)
    if not child:
        keep_private(database)
    try:
        store = open_store(sys.stdin.readline().strip() if child else database, partial(typer.echo, err=True))
        counted = _endpoint(metrics)
    except (PlenipoError, OSError) as fault:
        refuse(in_words(fault))
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
        typer.echo(_("Looking for due games (Ctrl-C ends it)."))
        sys.stdout.flush()
    if child:
        with suppress(OSError, AttributeError):  # requests for pages do not wait for it
            os.nice(NICER)
    hosting = GameService(store, broker, warming=Warming())
    Worker(hosting, _watchers(hosting, counted, log)).run(ended)
    store.close()


def add_variants(folders: Sequence[Path] | None) -> list[Path]:
    """Add folders to the variant library, the one in the data folder if none is named; refuse one that is not there."""
    from plenipo.library import plugins  # noqa: PLC0415  # a command imports what it needs
    from plenipo.server.private_files import data_folder  # noqa: PLC0415  # an extra

    for folder in folders or ():
        if not folder.is_dir():
            refuse(_("'{name}' is not a folder with variants.", name=folder))
    chosen = list(folders) if folders else [data_folder() / "variants"]
    plugins.add_folders(chosen)
    return chosen


def _endpoint(metrics: str | None) -> tuple[str, int] | None:
    """Return the address and the port of `--metrics`; a port alone is on this machine only."""
    if metrics is None:
        return None
    host, _colon, port = metrics.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        text = _("'{text}' is no port for figures; write a number, or an address before it as in 10.0.0.5:9100.")
        refuse(text.format(text=metrics))
    return host.strip("[]") or "127.0.0.1", int(port)


def _watchers(hosting: "GameService", counted: tuple[str, int] | None, log: LogForm) -> "tuple[Watcher, ...]":
    """Return the requested monitors of the process; print where the metrics are."""
    found: list[Watcher] = []
    if log is LogForm.JSON:
        from plenipo.server.observer import JsonLog, log_as_json  # noqa: PLC0415  # an extra

        log_as_json()
        found.append(JsonLog())
    if counted is not None:
        with needs_server():
            from plenipo.server.metrics import Figures  # noqa: PLC0415  # an extra
        figures = Figures(hosting.store, hosting.clock, hosting.broker.listeners)
        try:
            port = figures.serve(*counted)
        except OSError as fault:
            reason = (fault.strerror or str(fault)).lower()
            refuse(
                _(
                    "Figures cannot be served at '{address}': {reason}.",
                    address=":".join(map(str, counted)),
                    reason=reason,
                )
            )
        typer.echo(_("The figures are at {address}.", address=f"http://{_reachable_host(counted[0])}:{port}/metrics"))
        sys.stdout.flush()
        found.append(figures)
    return tuple(found)


@contextmanager
def needs_server(what: str = "") -> Iterator[None]:
    """Report a missing `server` extra in one sentence for imports in this context."""
    from plenipo import extras  # noqa: PLC0415  # a command imports what it needs
    from plenipo.errors import MissingExtra  # noqa: PLC0415

    try:
        with extras.require("server", what or _("The table in the browser")):
            yield
    except MissingExtra as fault:
        refuse(in_words(fault))


def _outside() -> str:
    """Return the address of this machine as others on its network see it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)  # sends nothing: it only chooses the way out
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def _reachable_host(host: str) -> str:
    """Return the address to type; a server that listens on all addresses is reached at this machine."""
    if host in EVERYWHERE:
        return "127.0.0.1"
    return LOOPBACK.get(host, f"[{host}]" if ":" in host else host)


def _socket(host: str, port: int | None) -> socket.socket:
    """Return a socket at the port, or at the first free one from the default on; raise `OSError` if there is none."""
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
