"""A stand-in for `systemctl` in a rehearsal, where no systemd runs: it starts, restarts and ends programs of units.

It takes the command, the user, the environment, the capabilities and the umask of a unit; what confines a service is
not tried.
"""

import os
import pwd
import re
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

UNITS = (Path("/etc/systemd/system"), Path("/lib/systemd/system"))
RUNNING = Path("/run/rehearsal")

LATE = 200
"""After so many tenths of a second a program that does not end is killed."""


def settings_of(name: str) -> dict[str, list[str]]:
    """Return the settings of a unit, all values of each."""
    path = next(folder / f"{name}.service" for folder in UNITS if (folder / f"{name}.service").exists())
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        key, is_setting, value = line.partition("=")
        if is_setting and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def start(name: str) -> None:
    """Start the program of a unit."""
    unit = settings_of(name)
    environment = {"PATH": os.environ["PATH"]}
    for line in unit.get("Environment", []):
        environment |= dict(part.split("=", 1) for part in shlex.split(line))
    for file in unit.get("EnvironmentFile", []):
        text = Path(file.lstrip("-")).read_text(encoding="utf-8")
        environment |= dict(shlex.split(line)[0].split("=", 1) for line in text.splitlines() if re.match(r"\w+=", line))
    user = pwd.getpwnam(unit["User"][0])
    powers = [part.removeprefix("CAP_").lower() for part in unit.get("AmbientCapabilities", [""])[0].split()]
    command = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    if powers:
        listed = ",".join(f"+{power}" for power in powers)
        command += [f"--inh-caps={listed}", f"--ambient-caps={listed}"]
    command += shlex.split(unit["ExecStart"][0])
    environment |= {"HOME": user.pw_dir, "USER": user.pw_name}
    RUNNING.mkdir(exist_ok=True)
    with (RUNNING / f"{name}.log").open("ab") as log:
        program = subprocess.Popen(  # noqa: S603  # the command of the unit
            command,
            env=environment,
            cwd=unit.get("WorkingDirectory", ["/"])[0],
            umask=int(unit.get("UMask", ["0022"])[0], 8),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    (RUNNING / f"{name}.pid").write_text(str(program.pid), encoding="utf-8")


def stop(name: str) -> None:
    """End the program of a unit, if it runs."""
    file = RUNNING / f"{name}.pid"
    if not file.exists():
        return
    number = int(file.read_text(encoding="utf-8"))
    chosen = settings_of(name).get("KillSignal", ["SIGTERM"])[0]
    with suppress(ProcessLookupError):
        os.kill(number, signal.Signals[chosen])
        for _ in range(LATE):
            os.kill(number, 0)
            if Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(") ")[2].startswith("Z"):
                break
            time.sleep(0.1)
        else:
            os.killpg(number, signal.SIGKILL)
    file.unlink()


def main() -> None:
    """Do what `systemctl` was asked for; a unit that is reloaded is started again."""
    command, *names = [word for word in sys.argv[1:] if not word.startswith("--")]
    for name in (name.removesuffix(".service") for name in names):
        if command in {"stop", "restart", "reload"}:
            stop(name)
        if command in {"start", "restart", "reload"} or (command == "enable" and "--now" in sys.argv):
            start(name)


if __name__ == "__main__":
    main()
