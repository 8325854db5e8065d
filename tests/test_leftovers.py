"""A run of the tests leaves no process behind, also when it is interrupted or killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from waiting import LIMIT, read_line, wait_until

HERE = Path(__file__).parent
RUN = """\
import signal, subprocess, sys, leftovers
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell runs in the background
end = leftovers.watch_over()
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
print(child.pid, flush=True)
sys.stdin.readline()
end()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.parametrize("ending", ["end", "SIGINT", "SIGKILL"])
def test_what_a_run_started_ends_with_it(ending: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    command = [sys.executable, "-c", RUN]
    with subprocess.Popen(  # noqa: S603  # our own
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as run:
        assert run.stdout
        child = psutil.Process(int(read_line(run.stdout)))
        if ending == "end":
            run.communicate(b"\n", timeout=LIMIT)
        else:
            run.send_signal(getattr(signal, ending))
            run.wait(LIMIT)
        wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)


def test_a_process_that_does_not_end_shows_its_threads_and_is_ended() -> None:
    code = "import leftovers, threading; leftovers.end_later(0.2); threading.Event().wait()"
    done = subprocess.run(  # noqa: S603  # our own
        [sys.executable, "-c", code], cwd=HERE, capture_output=True, text=True, check=False, timeout=LIMIT
    )
    assert done.returncode == 1
    assert "most recent call first" in done.stderr
    assert "threading.py" in done.stderr


HANGS = """\
import threading
def wait_elsewhere():
    threading.Event().wait()
def test_that_hangs():
    threading.Thread(target=wait_elsewhere, name="the other thread", daemon=True).start()
    threading.Event().wait()
"""


def test_a_test_that_hangs_fails_and_shows_where_every_thread_is(tmp_path: Path) -> None:
    (tmp_path / "test_hangs.py").write_text(HANGS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout=1", "test_hangs.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=LIMIT)  # noqa: S603
    assert done.returncode == 1
    assert "Timeout (>1.0s)" in done.stdout
    shown = done.stdout + done.stderr
    assert "threading.Event().wait()" in shown
    assert "wait_elsewhere" in shown
    assert "the other thread" in shown
