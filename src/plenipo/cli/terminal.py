"""The terminal: where text comes from and goes to; works the same without a person at the other end."""

import sys

from rich.console import Console, RenderableType
from rich.text import Text

__all__ = ["Ended", "Terminal"]


class Ended(Exception):  # noqa: N818  # the end of the input is no fault
    """There is no more input."""


class Terminal:
    """Says and reads lines; `interactive` if a person types and sees them."""

    def __init__(self, *, interactive: bool | None = None) -> None:
        self.console = Console(highlight=False, soft_wrap=False, emoji=False, markup=False)
        self.errors = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False, markup=False)
        self.interactive = (sys.stdin.isatty() and self.console.is_terminal) if interactive is None else interactive
        if self.interactive:
            import readline  # noqa: F401, PLC0415  # gives typed lines a history; not needed otherwise

    def say(self, what: RenderableType) -> None:
        """Show a line of text or anything Rich can draw."""
        self.console.print(what)

    def warn(self, sentence: str) -> None:
        """Tell of something that was left out, on the error stream."""
        self.errors.print(Text(sentence))

    def read(self, prompt: str) -> str:
        """The next line typed; raises `Ended` when there is none. Without a person the line is shown as if typed."""
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
        """Ask a question that is answered by yes or no; Enter alone means `default`."""
        answer = self.read(f"{question} [{'Y/n' if default else 'y/N'}] ").strip().casefold()
        return default if not answer else answer in {"y", "yes"}

    def clear(self) -> None:
        """Empty the screen, so that the next player does not see what was typed."""
        if self.interactive:
            self.console.clear()

    def hand_over(self, name: str) -> bool:
        """Empty the screen and wait until `name` sits at the keyboard; True if the screen was emptied."""
        if not self.interactive:
            return False
        self.read(f"Next: {name}. Press Enter when {name} alone sees the screen. ")
        self.clear()
        return True
