"""Checks of an installation for its operator: what is well, what could be better, and what must be changed.

Nothing is changed by a check, not even a database of an older version. Modules of extras are imported within the
checks, so that an installation without them can be checked too.
"""

import os
import re
import shutil
import smtplib
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from plenipo import extras
from plenipo.engine.sentences import say
from plenipo.errors import PlenipoError
from plenipo.server.clock import Clock, SystemClock

__all__ = ["CheckState", "Finding", "Installation", "examine"]

OLDEST = (3, 11)
"""The first version of Python that is supported."""

LITTLE, TOO_LITTLE = 2_000_000_000, 200_000_000
"""Free bytes on a disk below which it is time to make room, and below which games may stop."""

SECONDS_OFF, TOO_FAR_OFF = 2.0, 30.0
"""The allowed and the largest clock differences between this machine and the database."""

BACKUP_OLD, BACKUP_TOO_OLD = timedelta(hours=36), timedelta(days=7)

FILES = 1024
"""The least number of open files for a process with its event streams."""

PATIENCE = 5.0
"""The seconds an external server has to answer."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class CheckState(StrEnum):
    """The result of a check."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True)
class Finding:
    """The finding of a check, as a sentence, and the remedy."""

    check: str
    state: CheckState
    text: str
    advice: str = ""


@dataclass(frozen=True)
class Installation:
    """The installation to check: the settings of the server, as its programs get them.

    `connect` enables connections to the public address and the mail server.
    """

    environment: Mapping[str, str]
    database: str | None = None
    names: tuple[str, ...] = ()
    address: str | None = None
    moderators: tuple[str, ...] = ()
    backups: Path | None = None
    settings: Path = Path("/etc/plenipo.env")
    connect: bool = True
    clock: Clock = field(default_factory=SystemClock)

    @property
    def postgresql(self) -> bool:
        """True if the database is PostgreSQL."""
        return (self.database or "").startswith("postgres")

    @property
    def file(self) -> Path | None:
        """The file of the database, None for PostgreSQL."""
        if self.postgresql:
            return None
        if not self.database:
            from plenipo.server.private_files import data_folder  # noqa: PLC0415  # an extra

            return data_folder() / "games.sqlite"
        if "://" not in self.database:
            return Path(self.database)
        return Path(re.sub(r"^sqlite[^:]*:///", "", self.database))


Check = Callable[[Installation], Iterator[Finding]]


def examine(installation: Installation) -> Iterator[Finding]:
    """Yield the findings of all checks."""
    for name in CHECKS:
        yield from run_check(name, installation)


def run_check(name: str, installation: Installation) -> Iterator[Finding]:
    """Yield the findings of one check; a check that fails itself is a fault."""
    try:
        for one in CHECKS[name](installation):
            yield Finding(name, one.state, one.text, one.advice)
    except ImportError as fault:
        yield Finding(name, CheckState.WARNING, say("This cannot be checked."), extras.explain(fault))
    except Exception as fault:  # noqa: BLE001  # the other checks go on
        text = say("The check failed: {type}: {why}.", type=type(fault).__name__, why=_line(fault))
        yield Finding(name, CheckState.FAULT, text, say("Report this, with the line above."))


def _ok(text: str) -> Finding:
    return Finding("", CheckState.OK, text)


def _warning(text: str, advice: str) -> Finding:
    return Finding("", CheckState.WARNING, text, advice)


def _fault(text: str, advice: str) -> Finding:
    return Finding("", CheckState.FAULT, text, advice)


def _line(fault: object) -> str:
    """Return the first line of an exception of a driver, without the address, which may have a password."""
    orig: Any = getattr(fault, "orig", None) or fault
    arguments = getattr(orig, "args", ())
    said = arguments[0].get("M") if arguments and isinstance(arguments[0], dict) else orig
    lines = str(said).strip().splitlines()
    return (lines[0] if lines else type(fault).__name__).rstrip(".")


def check_python(_: Installation) -> Iterator[Finding]:
    """Check the version of Python, and the user who runs it."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST:
        yield _fault(
            say("Python {version} is too old.", version=version),
            say("Install Python 3.11 or later and set Plenipo up anew."),
        )
    else:
        yield _ok(say("Python {version}.", version=version))
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield _warning(say("This runs as root."), say("Run the server as a user of its own, as deploy/ does."))


def check_extras(installation: Installation) -> Iterator[Finding]:
    """Check the extras that a server requires or can use."""
    wanted = {
        "server": (_fault, say("No pages can be served")),
        "png": (_warning, say("Webhooks and previews have no pictures")),
        "fast": (_warning, say("Computer players do not think ahead")),
    }
    if installation.postgresql:
        wanted["postgres"] = (_fault, say("PostgreSQL cannot be used"))
    found = [(name, *wanted[name]) for name in wanted if extras.missing(name)]
    for name, kind, text in found:
        yield kind(
            say("{text}: the extra '{name}' is missing.", text=text, name=name),
            say("Run: {command}.", command=extras.command(name)),
        )
    if not found:
        yield _ok(say("The extras {wanted} are installed.", wanted=", ".join(wanted)))


def check_database(installation: Installation) -> Iterator[Finding]:
    """Check that the database can be reached and is current, and report its games."""
    file = installation.file
    if file is not None and not file.is_file():
        yield _warning(say("There is no database yet."), say("Start the server once; it makes one."))
        return
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415  # an extra

    from plenipo.server.store.metrics import collect_metrics  # noqa: PLC0415
    from plenipo.server.store.migrate import is_current  # noqa: PLC0415

    try:
        with _reading(installation) as engine:
            with engine.connect() as connection:
                current = is_current(connection)
            if not current:
                advice = say("Make a backup, then start this version of the server; it brings the tables up to date.")
                yield _fault(say("The tables are not those of this version."), advice)
                return
            numbers = collect_metrics(engine, installation.clock.now())
    except (SQLAlchemyError, OSError, sqlite3.Error) as fault:
        yield _fault(
            say("The database cannot be used: {why}.", why=_line(fault)),
            say("Start it, or correct PLENIPO_DATABASE."),
        )
        return
    yield _ok(
        say(
            "{program}, with current tables and {games} games.",
            program="PostgreSQL" if file is None else "SQLite",
            games=sum(numbers.games.values()),
        )
    )
    if numbers.due_late > 60:
        yield _fault(
            say("A deadline has been due for {due_late:.0f} seconds.", due_late=numbers.due_late),
            say("See the line on the worker."),
        )
    if numbers.given_up:
        yield _warning(
            say("{given_up} posts were given up.", given_up=numbers.given_up),
            say("Look for the reason in the log, and check mail."),
        )
    if numbers.open_reports:
        yield _warning(
            say("{open_reports} reports are open.", open_reports=numbers.open_reports),
            say("Read them with 'plenipo reports list'."),
        )


def check_data(installation: Installation) -> Iterator[Finding]:
    """Check the folder of the database: owner, permissions, and free space."""
    from plenipo.server.private_files import OPEN_TO_OTHERS, data_folder  # noqa: PLC0415  # an extra

    folder = installation.file.parent.absolute() if installation.file else data_folder()
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(there, os.W_OK):
        yield _fault(
            say("'{folder}' cannot be written to.", folder=folder), say("Give it to the user of the server with chown.")
        )
        return
    free = shutil.disk_usage(there).free
    room = say("{free:.1f} GB are free", free=free / 1e9)
    if free < LITTLE:
        kind = _fault if free < TOO_LITTLE else _warning
        yield kind(
            say("Only {room} for '{folder}'.", room=room, folder=folder),
            say("Make room, or set PLENIPO_QUOTA below what the disk has."),
        )
    ours = folder == data_folder()
    open_ones = [] if not folder.exists() else [folder] if ours and folder.stat().st_mode & OPEN_TO_OTHERS else []
    if installation.file:
        beside = folder.glob(f"{installation.file.name}*")
        open_ones += [path for path in beside if path.stat().st_mode & OPEN_TO_OTHERS]
    if os.name == "posix" and open_ones:
        names = ", ".join(f"'{path}'" for path in open_ones[:3])
        yield _fault(
            say("Others on this machine can read {names}.", names=names),
            say("Run: chmod -R go= on it, and set the umask to 077."),
        )
    elif free >= LITTLE:
        yield _ok(say("'{folder}' is writable and private; {room}.", folder=folder, room=room))


def check_secrets(installation: Installation) -> Iterator[Finding]:
    """Check the server's own keys in the database, and the file with its settings."""
    settings = installation.settings
    if os.name == "posix" and settings.is_file():
        if settings.stat().st_mode & 0o077:
            yield _fault(
                say("Others can read '{settings}', which has passwords.", settings=settings),
                say("Run: chmod 600 {settings}.", settings=settings),
            )
        else:
            yield _ok(say("'{settings}' is private.", settings=settings))
    if installation.file is not None and not installation.file.is_file():
        return
    from sqlalchemy import select  # noqa: PLC0415  # an extra

    from plenipo.server.store import schema  # noqa: PLC0415

    try:
        with _reading(installation) as engine, engine.connect() as connection:
            names = connection.execute(select(schema.own_keys.c.name).order_by(schema.own_keys.c.name)).scalars().all()
    except Exception:  # noqa: BLE001  # which the check of the database says
        return
    if names:
        yield _ok(say("The server has its own keys: {names}.", names=", ".join(names)))
    else:
        yield _ok(say("The server has no keys yet; it makes each when it is first needed."))


def check_origin(installation: Installation) -> Iterator[Finding]:
    """Check the public address, the names, the proxy in front, and the answer of the address."""
    trusted = installation.environment.get("FORWARDED_ALLOW_IPS", "")
    if "*" in trusted:
        text = say("FORWARDED_ALLOW_IPS trusts every client, so each chooses the address that it is counted by.")
        yield _fault(text, say("Name your proxies there."))
    if not installation.address:
        text = say("No public address is set, so links in mail lead to this machine.")
        yield _warning(text, say("Set PLENIPO_ADDRESS, such as https://games.example.org."))
        return
    parts = urlsplit(installation.address)
    host = parts.hostname or ""
    if parts.scheme not in {"http", "https"} or not host:
        yield _fault(
            say("'{address}' is not an address.", address=installation.address), say("Write https://games.example.org.")
        )
        return
    if parts.scheme == "http" and host not in LOOPBACK:
        yield _fault(
            say(
                "'{address}' is plain HTTP, so sessions can be stolen and devices cannot sign in.",
                address=installation.address,
            ),
            say("Put a proxy with HTTPS in front, and set PLENIPO_ADDRESS to its https:// address."),
        )
    if installation.names and host not in installation.names:
        yield _fault(
            say("The server refuses requests for '{host}'.", host=host),
            say("Add --name {host}, or PLENIPO_NAME={host}.", host=host),
        )
    if installation.connect:
        yield from _ask_origin(installation.address)
    else:
        yield _ok(say("The public address is {address}; it was not asked.", address=installation.address))


def _ask_origin(address: str) -> Iterator[Finding]:
    request = Request(f"{address.rstrip('/')}/health/ready", headers={"accept": "application/json"})  # noqa: S310  # checked
    try:
        with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  # the scheme was checked
            status, headers = answer.status, answer.headers
    except HTTPError as fault:
        status, headers = fault.code, fault.headers
    except (URLError, OSError) as fault:
        why = _line(getattr(fault, "reason", fault))
        advice = say("Start the server and its proxy; check the name, the certificate and ports 80 and 443.")
        yield _fault(say("{address} does not answer: {why}.", address=address, why=why), advice)
        return
    if status == 503:
        yield _fault(
            say("{address} answers that it is not ready.", address=address),
            say("See the lines on the database and the worker."),
        )
    elif status != 200:
        yield _fault(
            say("{address} answers {status}.", address=address, status=status),
            say("Let the proxy pass all requests and the Host header on."),
        )
    elif address.startswith("https:") and "strict-transport-security" not in headers:
        advice = say("Let the proxy send X-Forwarded-Proto, and name the proxy in FORWARDED_ALLOW_IPS.")
        yield _fault(say("The server does not learn that requests come by HTTPS."), advice)
    else:
        yield _ok(say("{address} answers and is ready.", address=address))


def check_mail(installation: Installation) -> Iterator[Finding]:
    """Check the mail server and the sender address."""
    from plenipo.server.people.mail import SENDER, Smtp, mailer_of  # noqa: PLC0415  # an extra
    from plenipo.server.store import mail_folder  # noqa: PLC0415

    mailer = mailer_of(installation.environment, mail_folder())
    if not isinstance(mailer, Smtp):
        text = say("There is no mail server, so mail is written to files and no person gets a code.")
        yield _warning(text, say("Set PLENIPO_SMTP, such as smtps://user:password@mail.example.org."))
        return
    sender = installation.environment.get("PLENIPO_SENDER") or SENDER
    domain = parseaddr(sender)[1].rpartition("@")[2]
    if domain in {"", "localhost"}:
        text = say("Mail is from '{sender}', which most mail servers refuse.", sender=sender)
        yield _fault(text, say("Set PLENIPO_SENDER, such as 'Games <games@example.org>'."))
    if not installation.connect:
        yield _ok(say("Mail goes to {host}; it was not asked.", host=mailer.host))
        return
    try:
        kind = smtplib.SMTP_SSL if mailer.secured else smtplib.SMTP
        with kind(mailer.host, mailer.port, timeout=PATIENCE) as server:
            server.noop()
    except (OSError, smtplib.SMTPException) as fault:
        yield _fault(
            say("The mail server {host} does not answer: {why}.", host=mailer.host, why=_line(fault)),
            say("Correct PLENIPO_SMTP."),
        )
    else:
        yield _ok(say("The mail server {host} answers.", host=mailer.host))


def check_sign_in(installation: Installation) -> Iterator[Finding]:
    """Check the identity providers."""
    from plenipo.server.people.provider_settings import providers_of  # noqa: PLC0415  # an extra

    names = [one.title for one in providers_of(installation.environment)]
    yield _ok(say("Accounts elsewhere: {names}.", names=", ".join(names) or say("none")))


def check_moderators(installation: Installation) -> Iterator[Finding]:
    """Check the list of moderators."""
    from plenipo.server.moderation import moderators_of  # noqa: PLC0415  # an extra

    found = moderators_of(installation.environment, installation.moderators)
    if found:
        yield _ok(say("{number} moderators are named.", number=len(found)))
    else:
        advice = say("Set PLENIPO_MODERATORS to their mail addresses, or read reports with 'plenipo reports list'.")
        yield _warning(say("There are no moderators."), advice)


def changed_at(seconds: float) -> datetime:
    """Return the instant of a file's time stamp, in seconds since 1970."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)


def check_clock(installation: Installation) -> Iterator[Finding]:
    """Check this machine's clock, against that of PostgreSQL and the installed programs."""
    now = installation.clock.now()
    installed = changed_at(Path(__file__).stat().st_mtime)
    if now < installed - timedelta(days=1):
        yield _fault(
            say("The clock says {now:%Y-%m-%d}, before Plenipo was installed.", now=now),
            say("Set the clock; start NTP."),
        )
        return
    if not installation.postgresql:
        yield _ok(say("The clock says {now:%Y-%m-%d %H:%M} UTC.", now=now))
        return
    from sqlalchemy import text  # noqa: PLC0415  # an extra

    try:
        with _reading(installation) as engine, engine.connect() as connection:
            before = installation.clock.now()
            there = connection.execute(text("SELECT clock_timestamp()")).scalar_one().astimezone(UTC)
            apart = abs((there - before).total_seconds())
    except Exception:  # noqa: BLE001  # which the check of the database says
        return
    if apart <= SECONDS_OFF:
        yield _ok(say("The clocks of this machine and of the database are {apart:.1f} seconds apart.", apart=apart))
    else:
        kind = _fault if apart > TOO_FAR_OFF else _warning
        yield kind(
            say("The clocks of this machine and of the database are {apart:.0f} seconds apart.", apart=apart),
            say("Start NTP on both."),
        )


def check_worker(installation: Installation) -> Iterator[Finding]:
    """Check the worker that processes due games."""
    file = installation.file
    if file is not None and not file.is_file():
        return
    from sqlalchemy import select  # noqa: PLC0415  # an extra

    from plenipo.server.store import schema  # noqa: PLC0415
    from plenipo.server.web.health import SILENT  # noqa: PLC0415
    from plenipo.server.worker import NAME  # noqa: PLC0415

    try:
        with _reading(installation) as engine, engine.connect() as connection:
            beats = select(schema.heartbeats.c.at).where(schema.heartbeats.c.name == NAME)
            beat = connection.execute(beats).scalar_one_or_none()
    except Exception:  # noqa: BLE001  # which the check of the database says
        return
    advice = say("Start 'plenipo serve' without '--loops none', or 'plenipo work'.")
    if beat is None:
        yield _fault(say("No worker has ever looked for due games."), advice)
        return
    ago = installation.clock.now() - beat
    if ago > SILENT:
        yield _fault(say("No worker has looked for due games since {beat:%Y-%m-%d %H:%M} UTC.", beat=beat), advice)
    elif ago < -timedelta(minutes=1):
        yield _fault(
            say("A worker looked for due games at {beat:%Y-%m-%d %H:%M} UTC, in the future.", beat=beat),
            say("Set the clock."),
        )
    else:
        yield _ok(
            say(
                "A worker looked for due games {total_seconds:.0f} seconds ago.",
                total_seconds=max(ago.total_seconds(), 0),
            )
        )


def check_renderer(_: Installation) -> Iterator[Finding]:
    """Check the renderer of pictures, and the limits of a process."""
    from plenipo.server.renderer import Renderer  # noqa: PLC0415  # an extra

    if not extras.missing("png"):
        renderer = Renderer(patience=20)
        try:
            renderer.png(
                '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><path d="M0 0h9v9z"/></svg>', 64
            )
        except PlenipoError as fault:
            yield _fault(
                say("No picture can be rendered: {why}.", why=_line(fault)), say("Install the extra 'png' again.")
            )
        else:
            yield _ok(say("Pictures are rendered."))
        finally:
            renderer.close()
    if os.name == "posix":
        import resource  # noqa: PLC0415  # not on every system

        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if 0 <= files < FILES:
            advice = say("Set LimitNOFILE=65536, or 'ulimit -n'.")
            yield _warning(
                say("A process has {files} open files, too few for many event streams.", files=files), advice
            )


def check_backups(installation: Installation) -> Iterator[Finding]:
    """Check the age of the newest backup."""
    folder = installation.backups
    if folder is None:
        advice = say("Name their folder with --backups or PLENIPO_BACKUPS.")
        yield _warning(say("It is not known where backups are."), advice)
        return
    advice = say("Run every night: plenipo backup {folder}/$(date +%F).sqlite.", folder=folder)
    files = [path for path in folder.glob("*") if path.is_file() and path.suffix != ".part"] if folder.is_dir() else []
    if not files:
        yield _fault(say("There is no backup in '{folder}'.", folder=folder), advice)
        return
    newest = max(files, key=lambda path: path.stat().st_mtime)
    age = installation.clock.now() - changed_at(newest.stat().st_mtime)
    text = say("The newest backup, '{name}', is {age:.0f} hours old", name=newest.name, age=age / timedelta(hours=1))
    if age > BACKUP_OLD:
        kind = _fault if age > BACKUP_TOO_OLD else _warning
        yield kind(say("{text}.", text=text), advice)
        return
    with newest.open("rb") as file:
        whole = file.read(16) == b"SQLite format 3\0"
    if whole:
        yield _ok(say("{text}; 'plenipo restore --check' verifies it.", text=text))
    else:
        yield _fault(say("{text}, and is not a backup of Plenipo.", text=text), say("Keep nothing else in the folder."))


class _ReadOnlyEngine:
    """An engine for the database of an installation that changes nothing; SQLite is opened for reading alone."""

    def __init__(self, installation: Installation) -> None:
        from sqlalchemy import create_engine  # noqa: PLC0415  # an extra

        from plenipo.server.store.engines import engine_of  # noqa: PLC0415

        file = installation.file
        if file is None:
            self.engine = engine_of(installation.database or "")
        else:
            address = f"{file.absolute().as_uri()}?mode=ro"
            self.engine = create_engine(
                "sqlite://", creator=lambda: sqlite3.connect(address, uri=True, timeout=PATIENCE)
            )

    def __enter__(self) -> Any:
        return self.engine

    def __exit__(self, *_: object) -> None:
        self.engine.dispose()


_reading = _ReadOnlyEngine

CHECKS: Mapping[str, Check] = {
    "python": check_python,
    "extras": check_extras,
    "database": check_database,
    "data": check_data,
    "secrets": check_secrets,
    "origin": check_origin,
    "mail": check_mail,
    "sign-in": check_sign_in,
    "moderators": check_moderators,
    "clock": check_clock,
    "worker": check_worker,
    "renderer": check_renderer,
    "backups": check_backups,
}
"""Every check by its name, in the order of the report."""
