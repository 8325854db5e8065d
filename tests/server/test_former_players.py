"""A former player sees nothing new: two runs of a game that differ only in later events look the same.

A player who lends a seat keeps it: during the loan they read its orders and messages, and nothing else of the sitter's.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from plenipo.errors import PlenipoError
from plenipo.server.press import Draft
from proofs import share
from server.compared import KINDS, WAYS, Game, compare, copies, played


def orders(game: Game, run: int) -> None:
    """They hand in one order or another."""
    game.submit_orders(game.successor, -run, ready=False)


def marks(game: Game, run: int) -> None:
    """They save nothing, or save orders and are ready."""
    if run:
        game.submit_orders(game.successor, 0, ready=True)


def orders_ahead(game: Game, run: int) -> None:
    """They leave orders for a phase to come, or none."""
    if run:
        power = game.seats[game.successor]
        with suppress(PlenipoError):
            game.service.orders.submit_conditional(
                game.id, game.who(game.successor), power, game.phase_number, ["WAIVE"]
            )


def messages(game: Game, run: int) -> None:
    """They write and are written to, or not."""
    if run:
        for name, other in ((game.successor, "Ben"), ("Ben", game.successor)):
            draft = Draft(game.seats[name], (game.seats[other],), "Mordor at noon")
            game.service.press.write(game.id, game.who(name), draft)


def vote(game: Game, run: int) -> None:
    """They vote for or against what is voted on in secret."""
    game.service.voting.move(game.id, game.who("Cleo"), "pause")
    number = game.service.voting.poll(game.id, game.who("Cleo")).motions[-1].number
    with suppress(PlenipoError):  # a secret motion is shown to none but those who are for it
        game.service.voting.vote(game.id, game.who(game.successor), number, bool(run))


def motion(game: Game, run: int) -> None:
    """They move something in secret, or nothing."""
    if run:
        game.service.voting.move(game.id, game.who(game.successor), "pause")


def question(game: Game, run: int) -> None:
    """They ask the game master about an order and are answered, or not."""
    game.submit_orders(game.successor, 0, ready=False)
    if run:
        power = game.seats[game.successor]
        order = game.service.games.load(game.id).order_sets[power].texts[0]  # type: ignore[index]  # a power by its name
        who = game.who(game.successor)
        asked = game.asking.ask(game.id, who, power, game.phase_number, order, "Is Mordor near?")
        game.asking.answer(game.id, game.who("host"), asked.number, "Mordor is far.")


ACTS: Mapping[str, Callable[[Game, int], None]] = {
    "orders": orders,
    "marks": marks,
    "orders ahead": orders_ahead,
    "messages": messages,
    "vote": vote,
    "motion": motion,
    "question": question,
}

OF_THE_SEAT = ("orders", "marks", "orders ahead", "messages")
"""The parts that a player who lends a seat reads of it."""

CASES = [
    (way, kind, act)
    for way in WAYS
    for kind in ("game master", "anonymous")
    for act in ACTS
    if (way != "lends" or act not in OF_THE_SEAT)
    and (act != "marks" or kind == "anonymous")
    and (act != "question" or kind == "game master")
    and (way != "replaced" or kind == "game master")
]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Game]:
    """Return a maker of games of each kind with a seat that a player left in each way, made on first use."""
    made: dict[tuple[str, str], Game] = {}

    def game(way: str, kind: str) -> Game:
        if (way, kind) not in made:
            made[way, kind] = played(KINDS[kind], tmp_path_factory.mktemp("games") / "games.sqlite", way)
        return made[way, kind]

    return game


@pytest.mark.parametrize(("way", "kind", "act"), share(CASES, 10))
def test_what_came_after_a_former_player_changes_no_byte_for_them(
    games: Callable[[str, str], Game], tmp_path: Path, way: str, kind: str, act: str
) -> None:
    with copies(games(way, kind), tmp_path) as runs:
        compared, found = compare(runs, ACTS[act], ["a former player"])
    assert not found, "\n".join(found[:12])
    assert compared > 40


def test_a_player_who_lent_a_seat_exports_no_orders_of_the_sitter(
    games: Callable[[str, str], Game], tmp_path: Path
) -> None:
    with copies(games("lends", "game master"), tmp_path) as runs:
        _, found = compare(runs, orders, ["a former player"])
    assert found
    assert not [place for place in found if "/me/" in place or "/people/" in place]
