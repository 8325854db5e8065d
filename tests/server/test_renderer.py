"""Pictures are rendered by a program of their own: the server goes on meanwhile, and waits for none for ever."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import PIPE

import psutil
import pytest

from plenipo.errors import PlenipoError
from plenipo.server.errors import TooBusy
from plenipo.server.programs import send_task
from plenipo.server.renderer import Renderer
from waiting import run_in_background, run_together, wait_until

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"><rect width="{}" height="1"/></svg>'
HANGS = [sys.executable, "-c", "import time; time.sleep(600)"]


@contextmanager
def renderer(**options: object) -> Iterator[Renderer]:
    made = Renderer(**options)  # type: ignore[arg-type]  # as each test says
    try:
        yield made
    finally:
        made.close()


def programs(of: Renderer) -> list[psutil.Process]:
    return [psutil.Process(program.pid) for program in of.programs.idle]


def test_a_picture_is_rendered_and_comes_from_the_cache_when_it_is_asked_for_again() -> None:
    pytest.importorskip("resvg_py")
    with renderer() as pixels:
        first = pixels.png(SVG.format(1), 40)
        assert first.startswith(b"\x89PNG")
        assert int.from_bytes(first[16:20]) == 40
        (program,) = programs(pixels)
        program.suspend()  # it could not answer now
        assert pixels.png(SVG.format(1), 40) is first
        program.resume()
        assert pixels.png(SVG.format(1), 80) != first
        assert programs(pixels) == [program], "one program renders one picture after another"


def test_what_cannot_be_rendered_is_refused_in_a_sentence_and_the_next_picture_is_made() -> None:
    pytest.importorskip("resvg_py")
    with renderer() as pixels:
        with pytest.raises(PlenipoError, match="not a picture"):
            pixels.png("<svg", 40)
        assert pixels.png(SVG.format(1), 40)


def test_a_program_that_was_killed_is_started_again() -> None:
    pytest.importorskip("resvg_py")
    with renderer() as pixels:
        pixels.png(SVG.format(1), 40)
        (program,) = programs(pixels)
        program.kill()
        wait_until(lambda: not program.is_running() or program.status() == psutil.STATUS_ZOMBIE)
        assert pixels.png(SVG.format(2), 40)


def test_a_picture_that_takes_too_long_is_given_up() -> None:
    with renderer(command=HANGS, patience=0.2) as pixels:
        with pytest.raises(PlenipoError, match="took too long"):
            pixels.png(SVG.format(1), 40)
        assert programs(pixels) == []


def test_of_more_pictures_than_can_wait_the_last_are_refused_at_once() -> None:
    with renderer(command=HANGS, most_waiting=1, patience=2) as pixels:
        answers = run_together(*(lambda n=n: pixels.png(SVG.format(n), 40) for n in range(5)))
    assert [type(answer) for answer in answers].count(TooBusy) >= 3
    assert all(isinstance(answer, PlenipoError) for answer in answers)


def test_the_server_goes_on_while_a_picture_is_rendered() -> None:
    pytest.importorskip("resvg_py")
    ended, counted = threading.Event(), [0]

    def go_on() -> None:
        while not ended.wait(0.001):
            counted[0] += 1

    circles = "".join(f'<circle cx="{n % 90}" cy="{n % 80}" r="9" opacity=".5"/>' for n in range(200))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 80">{circles}</svg>'
    with renderer() as pixels:
        pixels.png(SVG.format(1), 40)
        with run_in_background(go_on, end=ended.set):
            before = counted[0]
            pixels.png(svg, 900)
            assert counted[0] - before > 20, "another thread ran meanwhile"


def test_the_program_ends_with_the_server() -> None:
    pytest.importorskip("resvg_py")
    with renderer() as pixels:
        pixels.png(SVG.format(1), 40)
        (program,) = programs(pixels)
        (running,) = pixels.programs.idle
        assert running.stdin
        running.stdin.close()  # as the system does when a server is killed
        assert program.wait(60) == 0


def test_a_program_whose_server_reads_no_picture_ends_without_a_word() -> None:
    pytest.importorskip("resvg_py")
    with renderer() as pixels:
        program = subprocess.Popen(pixels.programs.command, stdin=PIPE, stdout=PIPE, stderr=PIPE)  # noqa: S603  # ours
        assert program.stdin
        assert program.stdout
        assert program.stderr
        program.stdout.close()  # as the system does when a server is killed
        send_task(program.stdin, SVG.format(1).encode(), {"width": 40})
        program.stdin.close()
        assert program.stderr.read() == b""
        assert program.wait(60) == 0
        program.stderr.close()
