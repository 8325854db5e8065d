"""Players as the referee asks them: each gives orders or raises `Misplayed`, whatever happens inside."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from importlib.util import module_from_spec, spec_from_file_location
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import NamedTuple, Protocol, runtime_checkable

from plenipo import user_files
from plenipo.bots import BOTS, Bot
from plenipo.bots.deals.dealers import Dealer, find_dealer
from plenipo.bots.deals.talks import Reply, Talks
from plenipo.engine.budgets import affordable
from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import LegalOrders
from plenipo.engine.sentences import say
from plenipo.errors import PlenipoError, UnknownName
from plenipo.library import plugins
from plenipo.matches.lineup import random_of

__all__ = [
    "BEST",
    "PATIENCE",
    "SUBSTITUTE",
    "CannotPlay",
    "DealingFunction",
    "Function",
    "Misplayed",
    "Negotiator",
    "OrderRequest",
    "Player",
    "from_file",
]

BEST = next(name for name in ("strong", "middling", "quick", "sensible") if name in BOTS)
"""The default player where good play is wanted."""

SUBSTITUTE = next(name for name in ("quick", "sensible") if name in BOTS)
"""The player that orders in place of one that gave no orders."""

PATIENCE = 10
"""The wall time limit of a player, as a multiple of its processor time limit."""

AGAIN = 1.0
"""Seconds after which the time limit is raised again in a player that has swallowed it."""

COMPILERS = frozenset({"llvmlite", "numba"})
"""Packages during whose work nothing is raised."""

_LONGEST = 80
"""The length of quoted output of a player."""


class Misplayed(Exception):  # noqa: N818  # an exception is named after what is wrong
    """Unusable orders of a player; the message is a sentence with its name and fault."""


class CannotPlay(PlenipoError):  # noqa: N818  # the same
    """The refusal of a player to play this variant; the message names both."""


class OrderRequest(NamedTuple):
    """The question to a player in a phase: its view, its legal orders, the number of the game, its chance.

    `talks` are the deals that it has made, if it negotiates.
    """

    view: View
    legal: LegalOrders
    game: int
    seed: bytes
    talks: Talks | None = None


class Player(Protocol):
    """A player at the table. `clock` measures its thinking time: seconds of processor time where available."""

    @property
    def name(self) -> str:
        """The player's name in the match."""
        ...

    @property
    def clock(self) -> Callable[[], float]:
        """The clock that measures its time."""
        ...

    def orders(self, asked: OrderRequest) -> list[Order] | list[str]:
        """Return the orders of a phase, as orders or as texts; raise `Misplayed`, or `CannotPlay` for a variant."""
        ...

    def warm_up(self, asked: OrderRequest, limit: float) -> None:
        """Ask for orders that are not used, within a limit of its own; raise as `orders` does."""
        ...


@runtime_checkable
class Negotiator(Protocol):
    """A player that makes deals."""

    def negotiate(self, asked: OrderRequest, talks: Talks) -> tuple[Reply, tuple[str, ...]]:
        """Return what it says in a round, and what of it was not understood; raise `Misplayed`."""
        ...


@dataclass(frozen=True)
class Function:
    """A player that is a function. An external one has `limit` seconds and may not print.

    Seconds are of processor time. Built-in players leave out orders they cannot pay for; for external ones this is
    reported as a fault.
    """

    name: str
    function: Bot
    limit: float | None = None
    clock: Callable[[], float] = time.process_time

    def orders(self, asked: OrderRequest) -> list[Order] | list[str]:
        """Call it; see `Player.orders`."""
        printed = StringIO()
        try:
            if self.limit is None:
                orders = self.function(asked.view, asked.legal, random_of(asked.seed))
            else:
                with redirect_stdout(printed), at_most(self.limit):
                    orders = self.function(asked.view, asked.legal, random_of(asked.seed))
        except _TooLong:
            raise Misplayed(
                say("'{name}' gave no orders within {limit:g} s.", name=self.name, limit=self.limit)
            ) from None
        except PlenipoError as fault:
            if not asked.view.turns:
                raise CannotPlay(
                    say(
                        "'{name}' cannot play {title}: {fault}",
                        name=self.name,
                        title=asked.view.rules.title,
                        fault=fault,
                    )
                ) from fault
            raise Misplayed(
                say("'{name}' raised {type}: {fault}", name=self.name, type=type(fault).__name__, fault=fault)
            ) from fault
        except (Exception, SystemExit) as fault:  # whatever a player does, the match goes on
            raise Misplayed(
                say("'{name}' raised {type}: {fault}.", name=self.name, type=type(fault).__name__, fault=fault)
            ) from fault
        if printed.getvalue().strip():
            raise Misplayed(
                say("'{name}' printed '{printed}'.", name=self.name, printed=printed.getvalue().strip()[:_LONGEST])
            )
        if not isinstance(orders, list | tuple) or not all(isinstance(order, Order) for order in orders):
            raise Misplayed(
                say(
                    "'{name}' returned {orders}, which is not a list of orders.",
                    name=self.name,
                    orders=repr(orders)[:_LONGEST],
                )
            )
        if self.limit is None:
            return affordable(asked.view.rules, asked.view.position, asked.legal.power, orders)
        return list(orders)

    def warm_up(self, asked: OrderRequest, limit: float) -> None:
        """Call it once, so that it compiles or loads everything; see `Player.warm_up`."""
        replace(self, limit=None if self.limit is None else limit).orders(asked)


@dataclass(frozen=True)
class DealingFunction:
    """A built-in player that makes deals."""

    name: str
    dealer: Dealer
    clock: Callable[[], float] = time.process_time

    def orders(self, asked: OrderRequest) -> list[Order] | list[str]:
        """Call it; see `Player.orders`."""
        talks = asked.talks or Talks(0)
        orders = self.dealer.orders(asked.view, asked.legal, random_of(asked.seed), talks)
        return affordable(asked.view.rules, asked.view.position, asked.legal.power, orders)

    def negotiate(self, asked: OrderRequest, talks: Talks) -> tuple[Reply, tuple[str, ...]]:
        """Call it; see `Negotiator.negotiate`."""
        return self.dealer.negotiate(asked.view, asked.legal, random_of(asked.seed), talks), ()

    def warm_up(self, asked: OrderRequest, limit: float) -> None:  # noqa: ARG002  # built-in players have no limit
        """Call it once; see `Player.warm_up`."""
        self.orders(asked)


def from_file(name: str, path: Path, function: str) -> Bot:
    """Return the function of a Python file; raise `UnknownName` if there is none, and `OSError`."""
    spec = spec_from_file_location(f"plenipo_player_{name}", path)
    if spec is None or spec.loader is None or not path.exists():
        raise UnknownName(
            say("The player '{name}' cannot be had: there is no Python file '{path}'.", name=name, path=path)
        )
    user_files.check(path)
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as fault:
        raise UnknownName(
            say(
                "The player '{name}' cannot be had: '{path}' raised {type}: {fault}.",
                name=name,
                path=path,
                type=type(fault).__name__,
                fault=fault,
            )
        ) from fault
    player: Bot | None = getattr(module, function, None)
    if not callable(player):
        raise UnknownName(
            say(
                "The player '{name}' cannot be had: '{path}' has no function '{function}'.",
                name=name,
                path=path,
                function=function,
            )
        )
    return player


def find_installed_player(name: str, limit: float) -> Function | DealingFunction:
    """Return an installed computer player, built in or from a package; raise `UnknownName`."""
    dealer = find_dealer(name)
    if dealer is not None:
        return DealingFunction(name, dealer)
    return Function(name, plugins.players()[name], None if name in BOTS else limit)


class _TooLong(BaseException):
    """The end of a player's time; not stopped by its own `except Exception`."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `_TooLong` in code that takes more processor time, or `PATIENCE` times as long by the wall.

    Do nothing on systems without such signals. Nothing is raised in a compiler, which would be left in an
    inconsistent state: it finishes first.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_: int, frame: FrameType | None) -> None:
        if not _is_compiling(frame):
            raise _TooLong

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, PATIENCE * seconds))
    before = [signal.signal(number, end) for number, _, _ in timers]
    for _, timer, first in timers:
        signal.setitimer(timer, first, AGAIN)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def _is_compiling(frame: FrameType | None) -> bool:
    """Tell whether the code of `frame` was called by a compiler of Python code."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in COMPILERS:
            return True
        frame = frame.f_back
    return False
