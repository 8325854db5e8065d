"""No test waits without an end, and what many do at once is done at once."""

import ast
import os
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from waiting import join_all, read_line, run_in_background, run_together, wait_until

TESTS = Path(__file__).parent
WAITS = {"acquire", "communicate", "join", "result", "wait"}
"""Methods that wait for ever unless they are told how long."""
RUNS = {"call", "check_call", "check_output", "run"}
"""Functions of `subprocess` that wait for the end of a program."""


LISTENS = {"accept", "readline", "recv"}
"""Methods that wait for ever for another program, unless the socket has a limit."""
LOOPS = {"run_forever", "run_until_complete"}
"""Methods that run coroutines, whose waits only `loops.alone` limits; so does `asyncio.run`."""


def listens_without_end(source: str) -> Iterator[str]:
    """Find what waits for another program without a limit, or runs a coroutine without one: its line and its text.

    A socket is limited in the function that reads from it, a handler of connections by its `timeout`.
    """
    for top in ast.parse(source).body:
        calls = [node for node in ast.walk(top) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
        in_class = isinstance(top, ast.ClassDef) and any(
            isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "timeout" for line in top.body
        )
        of_socket = in_class or any(ast.unparse(call.func).endswith(".settimeout") for call in calls)
        for call in calls:
            method = ast.unparse(call.func)
            name = method.rpartition(".")[2]
            listens = name in LISTENS and (name == "recv" or not call.args)
            if (listens and not (in_class if name == "readline" else of_socket)) or (
                name in LOOPS or method in ("asyncio.run", "anyio.run")
            ):
                yield f"{call.lineno}: {ast.unparse(call)}"


def waits_without_end(source: str) -> Iterator[str]:
    """Find the calls and loops of a file of tests that may never end: each as its line and its text."""
    tree = ast.parse(source)
    awaited = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Await)}  # `loops.alone` limits these
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and id(node) not in awaited:
            name, named = node.func.attr, {keyword.arg for keyword in node.keywords}
            bare = not node.args and "timeout" not in named
            waits = (name in WAITS and bare) or (name == "get" and bare and not named)
            of_subprocess = isinstance(node.func.value, ast.Name) and node.func.value.id == "subprocess"
            if waits or (of_subprocess and name in RUNS and "timeout" not in named):
                yield f"{node.lineno}: {ast.unparse(node)}"
        waiting = isinstance(node, ast.While) and not any(isinstance(part, ast.Await) for part in ast.walk(node))
        if (
            isinstance(node, ast.While)
            and waiting
            and ("sleep(" in ast.unparse(node) or all(isinstance(line, ast.Pass) for line in node.body))
        ):
            yield f"{node.lineno}: while {ast.unparse(node.test)}"


HASTY = 60
"""Seconds; a wait for a program or a server that is shorter fails on a busy machine."""

PAUSE = 1
"""Seconds; what waits less than this is meant to go on while nothing has happened."""


def waits_hastily(source: str) -> Iterator[str]:
    """Find the calls of a file of tests that give up too soon: each as its line and its text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            limits = [keyword.value for keyword in node.keywords if keyword.arg == "timeout"]
            if isinstance(node.func, ast.Attribute) and node.func.attr in WAITS - {"join"} and len(node.args) == 1:
                limits += node.args
            seconds = [limit.value for limit in limits if isinstance(limit, ast.Constant)]
            if any(isinstance(number, int | float) and PAUSE <= number < HASTY for number in seconds):
                yield f"{node.lineno}: {ast.unparse(node)}"


ALLOWED = {
    "browser/conftest.py": "while not _answers(url)",  # ends with the server or after PATIENCE
    "leftovers.py": "while any(marked(run)) and time.monotonic() < end",  # ends after GRACE
    "matches/test_referee.py": "while True",  # the player that hangs, which the referee ends
    "server/test_killed.py": "while True",  # goes on until the server is killed
    "waiting.py": "while not is_done()",
}

PROMPT = {"leftovers.py", "test_waiting.py"}
"""Files in which a short wait is meant: what ends the rest of a run, and the examples of this file."""


def test_nothing_waits_without_an_end() -> None:
    found = [
        f"{name}:{wait}"
        for path in sorted(TESTS.rglob("*.py"))
        for name in [path.relative_to(TESTS).as_posix()]
        for wait in waits_without_end(path.read_text(encoding="utf-8"))
        if wait.partition(": ")[2] != ALLOWED.get(name)
    ]
    assert not found, "give these a timeout, or use `waiting`"


def test_nothing_listens_without_an_end() -> None:
    found = [
        f"{path.relative_to(TESTS).as_posix()}:{wait}"
        for path in sorted(TESTS.rglob("*.py"))
        if path.name != "loops.py"  # it gives every coroutine its limit
        for wait in listens_without_end(path.read_text(encoding="utf-8"))
    ]
    assert not found, "use `waiting.read_line` or `loops.alone`, or give the socket a limit"


@pytest.mark.parametrize(
    "code",
    [
        "line = process.stdout.readline()",
        "def heard(connection):\n    connection.settimeout(5)\n    return process.stdout.readline()",
        "def heard(connection):\n    return connection.recv(4096)",
        "def take(server):\n    return server.accept()",
        "asyncio.run(play())",
        "loop.run_until_complete(play())",
        "class Session(StreamRequestHandler):\n    def handle(self):\n        self.rfile.readline()",
    ],
)
def test_listening_without_an_end_is_found(code: str) -> None:
    assert list(listens_without_end(code))


@pytest.mark.parametrize(
    "code",
    [
        "line = read_line(process.stdout)",
        "def heard(connection):\n    connection.settimeout(LIMIT)\n    return connection.recv(4096)",
        "game.accept(offer, 'Fritz')",
        "alone(play())",
        "class Session(Handler):\n    timeout = LIMIT\n    def handle(self):\n        self.rfile.readline()",
    ],
)
def test_listening_with_a_limit_is_not_taken_for_listening_without_an_end(code: str) -> None:
    assert not list(listens_without_end(code))


def test_a_program_that_writes_no_line_is_not_waited_for_without_end() -> None:
    reading, writing = os.pipe()
    stream = os.fdopen(reading)
    with closing(stream), closing(os.fdopen(writing, "w")), pytest.raises(AssertionError, match="did not end within"):
        read_line(stream, within=0.02)


def test_no_wait_gives_up_before_a_busy_machine_can_answer() -> None:
    found = [
        f"{path.relative_to(TESTS).as_posix()}:{wait}"
        for path in sorted(TESTS.rglob("*.py"))
        for wait in waits_hastily(path.read_text(encoding="utf-8"))
        if path.name not in PROMPT
    ]
    assert not found, "give these `waiting.LIMIT`"


def test_no_window_gives_up_before_a_busy_machine_can_answer() -> None:
    """Playwright waits 30 s unless told otherwise, as `open_context` does."""
    pages = [path for path in (TESTS / "browser").glob("*.py") if ".new_context(" in path.read_text(encoding="utf-8")]
    assert [path.name for path in pages] == ["hands.py"]


def test_a_wait_that_gives_up_too_soon_is_found() -> None:
    assert list(waits_hastily("urlopen(address, timeout=10)"))
    assert list(waits_hastily("process.wait(20)"))
    assert not list(waits_hastily("urlopen(address, timeout=LIMIT)"))


@pytest.mark.parametrize(
    "code",
    [
        "thread.join()",
        "barrier.wait()",
        "future.result()",
        "queue.get()",
        "process.communicate()",
        "subprocess.run(['true'], check=True)",
        "while not done():\n    pass",
        "while not done():\n    time.sleep(1)",
    ],
)
def test_a_wait_without_an_end_is_found(code: str) -> None:
    assert list(waits_without_end(code))


@pytest.mark.parametrize("code", ["', '.join(names)", "thread.join(5)", "queue.get(timeout=5)", "kept.get('key')"])
def test_what_ends_is_not_taken_for_a_wait_without_an_end(code: str) -> None:
    assert not list(waits_without_end(code))


def test_a_wait_for_what_never_happens_ends() -> None:
    with pytest.raises(AssertionError, match=r"nothing happened within 0\.02 seconds"):
        wait_until(lambda: False, within=0.02)


def test_a_thread_that_does_not_end_is_named() -> None:
    never = threading.Event()
    thread = threading.Thread(target=never.wait, name="sleeper", daemon=True)
    thread.start()
    with pytest.raises(AssertionError, match="'sleeper' did not end"):
        join_all([thread], within=0.02)
    never.set()


def test_what_is_run_together_gives_results_and_faults_in_order() -> None:
    def fail() -> int:
        raise ValueError("no")

    first, second = run_together(lambda: 1, fail)
    assert first == 1
    assert isinstance(second, ValueError)


def test_a_background_thread_gets_the_signal_to_end() -> None:
    ended = threading.Event()
    with run_in_background(ended.wait, 60, end=ended.set):
        assert not ended.is_set()
    assert ended.is_set()
