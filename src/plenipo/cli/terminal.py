"""The terminal: the source and destination of text; works the same without a person at the other end."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, RenderableType
from rich.progress import Progress
from rich.text import Text

from plenipo.languages.current import _, name_of

__all__ = ["Ended", "Terminal", "plain_console", "progress"]


_SCROLLED_AWAY = "\x1b[3J"
"""The sequence that clears a terminal's scrollback."""


EVERY = 15.0
"""Seconds between two lines about a long task, without a terminal that shows a progress bar."""


class Ended(Exception):  # noqa: N818  # the end of the input is no fault
    """The end of the input."""


class Terminal:
    """A source and destination of lines; `interactive` if a person types, `secret` if players hide their orders."""

    def __init__(self, *, interactive: bool | None = None, secret: bool = True) -> None:
        self.secret = secret
        self.console = plain_console()
        self.errors = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False, markup=False)
        self.interactive = (sys.stdin.isatty() and self.console.is_terminal) if interactive is None else interactive
        self._forget = _history() if self.interactive else lambda: None

    def say(self, what: RenderableType) -> None:
        """Show a line of text, which the terminal may wrap, or anything Rich can draw."""
        self.console.print(what, soft_wrap=isinstance(what, str | Text))

    def warn(self, sentence: str) -> None:
        """Report an omission on the error stream."""
        self.errors.print(Text(sentence))

    def read(self, prompt: str) -> str:
        """Return the next line typed; raise `Ended` when there is none. Without a person, echo the line."""
        if self.interactive:
            try:
                return input(prompt)
            except (EOFError, KeyboardInterrupt) as fault:
                raise Ended from fault
        line = sys.stdin.readline()
        if not line:
            raise Ended
        self.console.print(Text(prompt + line.rstrip("\n")))
        return line

    def agrees(self, question: str, *, default: bool = False) -> bool:
        """Ask a yes-or-no question; Enter alone means `default`."""
        answer = self.read(f"{question} [{_('Y/n') if default else _('y/N')}] ").strip().casefold()
        return default if not answer else answer in {"y", "yes", *_("y yes").split()}

    def hide(self) -> None:
        """Clear the screen and the history, so that the next player does not see them."""
        if self.interactive and self.secret:
            self._forget()
            self.console.clear()
            self.console.file.write(_SCROLLED_AWAY)

    def hand_over(self, name: str) -> bool:
        """Wait until the player `name` is at the keyboard; return True if the screen was cleared."""
        if not (self.interactive and self.secret):
            return False
        self.read(_("Next: {power}. Press Enter when {power} alone sees the screen.", power=name_of(name)) + " ")
        self.hide()
        return True


def plain_console() -> Console:
    """Return a console that prints text unchanged, without colour, markup or emoji."""
    return Console(highlight=False, markup=False, emoji=False)


@contextmanager
def progress(what: str, every: float = EVERY) -> Iterator[Callable[[int, int], None]]:
    """Show the progress of a long task on the error stream; call the result with the amount done and the total.

    A terminal gets a bar; anything else gets a line of text at most every `every` seconds, and none in the first ones.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(what, every)
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(what)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _lines(what: str, every: float) -> Callable[[int, int], None]:
    told = began = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= every and 0 < done < total:
            left = (now - began) / done * (total - done)
            text = _("{task}: {done} of {total} done, about {time} left.")
            print(text.format(task=what, done=done, total=total, time=_duration(left)), file=sys.stderr, flush=True)  # noqa: T201  # the progress for terminals without a bar
            told = now

    return tell


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{seconds:.0f} s" if minutes < 2 else f"{minutes} min" if minutes < 120 else f"{minutes / 60:.0f} h"


def _history() -> Callable[[], None]:
    """Give typed lines a history, where the system can; return a function that clears it."""
    try:
        import readline  # noqa: PLC0415  # not on every system, and changes how input works
    except ImportError:
        return lambda: None
    return readline.clear_history
