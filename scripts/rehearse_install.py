"""Set a server up in a new Debian by the commands of docs/running.md alone, use it, upgrade it, and check it.

    python scripts/rehearse_install.py [--work FOLDER] [--previous COMMIT]

Needs root, `debootstrap` and `openssl`, and free ports 80, 443 and 465. The commands and files are taken from the
fenced blocks of the page. What a real machine has is put in their place: a name server (`/etc/hosts`), an authority
that signs certificates, a mail server, a repository to clone, and a stand-in for systemd; packages of Python are
downloaded before, so that pip needs no registry. The first installation is of an earlier commit, which the commands of
the section on upgrades bring to the present one. The exit status is 1 if anything fails.
"""

import argparse
import email
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "running.md"

BLOCK = re.compile(r"^```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"# (/\S+)\n")

NAME, MAIL = "games.example.org", "mail.example.org"
SOURCE = "https://git.example.org/plenipo.git"

SMTPS = 465

INCLUDED = "ca-certificates,systemd"
"""Packages of every Debian server that the smallest one lacks."""

POST = "curl --silent --show-error --fail-with-body --output /dev/null --write-out '%{http_code} %{redirect_url}\\n'"


def sections(text: str) -> dict[str, list[str]]:
    """Return the fenced blocks of a page by the heading of their section."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return {title: BLOCK.findall(body) for title, body in zip(parts[1::2], parts[2::2], strict=True)}


def script_of(blocks: Sequence[str]) -> list[str]:
    """Return the lines of a shell script for blocks of root's commands and of files; other blocks are left out."""
    lines: list[str] = []
    for block in blocks:
        file = FILE.match(block)
        if file:
            lines += [f"cat > {file[1]} <<'END OF FILE'", *block.splitlines()[1:], "END OF FILE"]
        else:
            lines += [line[2:] for line in block.splitlines() if line.startswith("# ")]
    return lines


class RehearsalError(Exception):
    """A step that failed, a sentence."""


@dataclass
class Machine:
    """A new Debian in a folder."""

    folder: Path

    @property
    def root(self) -> Path:
        """The root of its files."""
        return self.folder / "root"

    def make(self) -> None:
        """Unpack the Debian that was made before, or make it."""
        base = self.folder / "base.tar"
        if not base.exists():
            run("debootstrap", "--variant=minbase", f"--include={INCLUDED}", "bookworm", str(self.root))
            run("tar", "--create", "--file", str(base), "--directory", str(self.root), ".")
        else:
            shutil.rmtree(self.root, ignore_errors=True)
            self.root.mkdir()
            run("tar", "--extract", "--file", str(base), "--directory", str(self.root))
        shutil.copy("/etc/resolv.conf", self.root / "etc" / "resolv.conf")
        hosts = f"127.0.0.1 localhost {NAME} {MAIL}\n"
        (self.root / "etc" / "hosts").write_text(hosts, encoding="utf-8")
        (self.root / "usr" / "sbin" / "policy-rc.d").unlink(missing_ok=True)
        shim = self.root / "usr" / "local" / "sbin" / "systemctl"
        text = (ROOT / "scripts" / "rehearsal_systemctl.py").read_text(encoding="utf-8")
        shim.write_text(f"#!/usr/bin/python3\n{text}", encoding="utf-8")
        shim.chmod(0o755)
        run("mount", "-t", "proc", "proc", str(self.root / "proc"))
        run("mount", "--rbind", "/dev", str(self.root / "dev"))

    def unmount(self) -> None:
        """Take the devices and processes of this machine out of its files; raise `RehearsalError` if one stays."""
        for place in (self.root / "dev", self.root / "proc"):
            if place.is_mount():
                run("umount", "--lazy", "--recursive", str(place))

    def logs(self) -> str:
        """Return the newest lines of its services."""
        found = sorted((self.root / "run" / "rehearsal").glob("*.log"))
        return "\n".join(f"{log.name}: {log.read_text(encoding='utf-8', errors='replace')[-2000:]}" for log in found)

    def bash(self, lines: Sequence[str], *, title: str) -> str:
        """Run a script as root, and print and return what it says; raise `RehearsalError` if a command fails."""
        print(f"== {title}", flush=True)
        text = "\n".join(["set -euo pipefail", "set -x", *lines, ""])
        environment = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LC_ALL": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive",
            "PIP_FIND_LINKS": "/srv/wheels",
            "PIP_NO_INDEX": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
        }
        command = ["chroot", str(self.root), "/bin/bash", "-c", text]
        with subprocess.Popen(command, env=environment, text=True, **PIPED) as shell:  # noqa: S603  # the page's own
            assert shell.stdout is not None  # noqa: S101  # asked for
            said = []
            for line in shell.stdout:
                said.append(line)
                print(line, end="", flush=True)
        if shell.returncode:
            raise RehearsalError(f"{title}: a command ended with status {shell.returncode}")
        return "".join(said)


PIPED: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}


def run(*command: str, folder: Path | None = None) -> str:
    """Run a command of this machine and return what it says; raise `RehearsalError` if it fails."""
    done = subprocess.run(command, text=True, check=False, cwd=folder, **PIPED)  # noqa: S603  # our own
    if done.returncode:
        raise RehearsalError(f"{' '.join(command[:3])} failed: {done.stdout.strip()[-2000:]}")
    return str(done.stdout)


def make_authority(folder: Path, machine: Machine) -> Path:
    """Make an authority that the machine trusts, and a certificate of it; return the folder with the certificate."""
    folder.mkdir(exist_ok=True)
    subject = f"subjectAltName=DNS:{NAME},DNS:{MAIL}"
    new = ("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-days", "30")
    run(*new, "-x509", "-subj", "/CN=Rehearsal", "-keyout", "ca.key", "-out", "ca.pem", folder=folder)
    run(*new[:-2], "-subj", f"/CN={NAME}", "-addext", subject, "-keyout", "key.pem", "-out", "asked.pem", folder=folder)
    sign = ("openssl", "x509", "-req", "-in", "asked.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial")
    run(*sign, "-days", "30", "-copy_extensions", "copy", "-out", "cert.pem", folder=folder)
    trusted = machine.root / "usr" / "local" / "share" / "ca-certificates" / "rehearsal.crt"
    trusted.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(folder / "ca.pem", trusted)
    for name in ("cert.pem", "key.pem"):
        shutil.copy(folder / name, machine.root / "srv" / name)
        (machine.root / "srv" / name).chmod(0o644)
    return folder


class MailServer:
    """A mail server that accepts and keeps mail of senders with the password."""

    def __init__(self) -> None:
        self.received: list[tuple[list[str], str]] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's name
        """Take a mail."""
        content = envelope.original_content or b""
        body = email.message_from_bytes(content).get_payload(decode=True)
        self.received.append((list(envelope.rcpt_tos), body.decode() if isinstance(body, bytes) else ""))
        return "250 OK"


@contextmanager
def mail_server(certificate: Path) -> Iterator[MailServer]:
    """Run a mail server for `smtps://games:password@mail.example.org` inside of this."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    handler = MailServer()

    def allow(_server: Any, _session: Any, _envelope: Any, mechanism: str, data: Any) -> AuthResult:
        known = (data.login, data.password) == (b"games", b"password")
        return AuthResult(success=known and mechanism in {"PLAIN", "LOGIN"})

    controller = Controller(
        handler,
        "127.0.0.1",
        SMTPS,
        ssl_context=context,
        authenticator=allow,
        auth_required=True,
        auth_require_tls=False,
    )
    controller.start()
    try:
        yield handler
    finally:
        controller.stop()


def make_repository(machine: Machine, previous: str) -> Path:
    """Put a repository with the earlier commit as its newest one on the machine; return it."""
    place = machine.root / "srv" / "plenipo.git"
    run("git", "clone", "--quiet", "--bare", "--no-local", str(ROOT), str(place))
    run("git", "-C", str(place), "symbolic-ref", "HEAD", "refs/heads/main")
    run("git", "-C", str(place), "update-ref", "refs/heads/main", previous)
    return place


def download_wheels(machine: Machine, folder: Path, previous: str) -> None:
    """Download the packages of both locks for the machine."""
    folder.mkdir(exist_ok=True)
    for commit in (previous, "HEAD"):
        lock = folder / "requirements.lock"
        lock.write_text(run("git", "-C", str(ROOT), "show", f"{commit}:requirements.lock"), encoding="utf-8")
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--require-hashes", "--no-deps")
        run(*pip, "--dest", str(folder), "-r", str(lock))
    shutil.copytree(folder, machine.root / "srv" / "wheels")


def with_machine_parts(lines: Sequence[str]) -> list[str]:
    """Return the commands of the setup, with substitutes for the services of a real machine."""
    found: list[str] = []
    for line in lines:
        found.append(line)
        if line.startswith("apt-get install"):  # systemd would have started it, and Git would reach a real address
            found += ["update-ca-certificates", "service postgresql start"]
            found.append(f"git config --global url./srv/plenipo.git.insteadOf {SOURCE}")
            found.append("git config --global --add safe.directory '*'")
        if line == f"{NAME} {{":  # a public name gets its certificate from a public authority
            found.append("\ttls /srv/cert.pem /srv/key.pem")
    return found


def check_doctor(said: str) -> None:
    """Raise `RehearsalError` unless every line of `plenipo doctor` is ok."""
    lines = re.findall(r"^(ok|warning|fault) +\w", said, re.MULTILINE)
    if len(lines) < 10 or set(lines) != {"ok"}:
        raise RehearsalError("plenipo doctor is not clean")


def play(machine: Machine, mail: MailServer) -> str:
    """Open a game and ask for a code over HTTPS; return the address of the game."""
    opened = machine.bash(
        [f"{POST} --data 'variant=standard&name=Anna&you=play' https://{NAME}/host"], title="Opening a game"
    )
    game = re.search(rf"^303 (https://{NAME}/games/\w+)$", opened, re.MULTILINE)
    if game is None:
        raise RehearsalError("no game was opened")
    wait = "for _ in $(seq 60); do sleep 1; done"
    machine.bash([f"{POST} --data mail=anna@example.org https://{NAME}/sign-in", wait], title="Asking for a code")
    if not any(to == ["anna@example.org"] and re.search(r"\b\d{6}\b", body) for to, body in mail.received):
        raise RehearsalError("no code came by mail")
    return game[1]


def find_oldest() -> str:
    """Return the earliest commit whose tables the present one reads: the one that added the first migration."""
    first = min((ROOT / "src/plenipo/server/store/migrations/versions").glob("v*.py"))
    return run("git", "-C", str(ROOT), "log", "--diff-filter=A", "--format=%H", "--", str(first)).split()[-1]


def rehearse(machine: Machine, previous: str) -> None:
    """Do all of it."""
    page, folder = sections(PAGE.read_text(encoding="utf-8")), machine.folder
    machine.make()
    certificate = make_authority(folder / "authority", machine)
    repository = make_repository(machine, previous)
    download_wheels(machine, folder / "wheels", previous)
    settings = ["set -a; . /etc/plenipo.env; set +a"]
    with mail_server(certificate) as mail:
        machine.bash(with_machine_parts(script_of(page["Without containers"])), title="Without containers")
        game = play(machine, mail)
        backup = script_of(page["Without containers"][-1:])
        again = [line.replace("$(date +%F)", "2") for line in backup]
        machine.bash(again, title="Backup with a game")
        elsewhere = [line.replace("$(date +%F)", "2") for line in script_of(page["Backups"])]
        if "1 game" not in machine.bash([*settings, *elsewhere], title="Restoring elsewhere"):
            raise RehearsalError("the game was not restored")
        run("git", "-C", str(repository), "update-ref", "refs/heads/main", run("git", "rev-parse", "HEAD").strip())
        machine.bash(script_of(page["Upgrades"]), title="Upgrade")
        machine.bash([f"curl --silent --show-error --fail --output /dev/null {game}"], title="The game is there")
        check_doctor(machine.bash([*settings, "runuser -u plenipo -- plenipo doctor"], title="Doctor"))
        parts = machine.bash([*settings, "set +x", "runuser -u plenipo -- plenipo sbom"], title="SBOM")
        if parts.count('"SHA-256"') < 40:
            raise RehearsalError("the bill of materials has hardly any hash")


def main() -> int:
    """Rehearse in a namespace of its own, so that mounts and programs are gone afterwards."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--work", type=Path, help="a folder that keeps the new Debian and the packages for next time")
    parser.add_argument("--previous", help="the commit that is installed first; by default the earliest one possible")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.inside:
        own = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable)
        return subprocess.run([*own, *sys.argv, "--inside"], check=False).returncode  # noqa: S603  # this program
    machine = Machine(options.work or Path(tempfile.mkdtemp()))
    machine.folder.mkdir(exist_ok=True)
    try:
        rehearse(machine, options.previous or find_oldest())
    except RehearsalError as fault:
        print(f"{machine.logs()}\nFAILED: {fault}.")
        return 1
    finally:
        machine.unmount()  # before anything is removed: the devices are those of the machine that rehearses
        if not options.work:
            shutil.rmtree(machine.folder)
    print("The server was set up, used, backed up, restored, upgraded and checked by the page alone.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
