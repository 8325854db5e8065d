"""Two runs of a game that differ in one secret look the same to all who may not know it, in every kind of game."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from plenipo.errors import PlenipoError
from plenipo.server.gm_tools import RulingReason
from plenipo.server.press import Draft
from plenipo.server.store.persons import Persons
from proofs import share
from server.compared import KINDS, Game, Looker, compare, copies, person_of, played, routes


@dataclass(frozen=True)
class Secret:
    """An action that differs in runs 0 and 1, the kinds of game in which it is secret, and the people who know it."""

    act: Callable[[Game, int], None]
    kinds: tuple[str, ...] = tuple(KINDS)
    told: tuple[str, ...] = ()
    drawn: str = ""
    """A pattern of the public values derived from the secret."""
    later: bool = False
    """True if the answers are compared after the reminder of the deadline."""


LOBBIES = tuple(name for name, kind in KINDS.items() if kind.seating == "lobby")


def orders(game: Game, run: int) -> None:
    """Cleo hands in one order or another."""
    game.submit_orders("Cleo", -run, ready=False)


def orders_ahead(game: Game, run: int) -> None:
    """Cleo leaves orders for a phase to come, or none."""
    orders(game, 0)
    if run:
        hosted = game.service.games.load(game.id)
        with suppress(PlenipoError):
            game.service.orders.submit_conditional(
                game.id, game.who("Cleo"), game.seats["Cleo"], hosted.phase_number, ["WAIVE"]
            )


def message(game: Game, run: int) -> None:
    """Cleo writes to Emil, or does not."""
    if run:
        draft = Draft(game.seats["Cleo"], (game.seats["Emil"],), "Mordor at noon")
        game.service.press.write(game.id, game.who("Cleo"), draft)


def marks(game: Game, run: int) -> None:
    """Cleo saves nothing, or saves orders and is ready."""
    if run:
        game.submit_orders("Cleo", 0, ready=True)


def later_orders(game: Game, run: int) -> None:
    """Cleo saves orders once, or again and again."""
    for _ in range(1 + 2 * run):
        game.submit_orders("Cleo", 0, ready=False)


def absence(game: Game, run: int) -> None:
    """Cleo says that she will be away, or does not."""
    if run:
        game.store.of(Persons).set_absence(person_of("Cleo"), date(2026, 12, 24), date(2026, 12, 26))


def sealed_reason(game: Game, run: int) -> None:
    """The game master rules for a reason that is withheld, one or another."""
    why = RulingReason(("Mordor is near", "Mordor is far.")[run], withheld=True)
    game.gm_tools.go_back(game.id, game.who("host"), game.phase_number, 0, why)


def change_of_player(game: Game, run: int) -> None:
    """Let Emil offer a seat and one of two strangers take it."""
    offer = game.service.handover.act(game.id, game.who("Emil"), game.seats["Emil"], "offer")
    assert offer
    name = ("Fay", "Gus")[run]
    game.service.handover.accept(game.id, game.service.credentials(game.id, [offer], person_of(name)), name)


def secret_motion(game: Game, run: int) -> None:
    """Cleo moves something that is voted on in secret, or nothing."""
    if run:
        with suppress(PlenipoError):
            game.service.voting.move(game.id, game.who("Cleo"), "pause")


def question(game: Game, run: int) -> None:
    """Cleo asks the game master about an order, or does not."""
    game.submit_orders("Cleo", 0, ready=False)
    if run:
        power = game.seats["Cleo"]
        order = game.service.games.load(game.id).order_sets[power].texts[0]  # type: ignore[index]  # a power by its name
        game.asking.ask(game.id, game.who("Cleo"), power, game.phase_number, order, "Is Mordor near?")


def deal(game: Game, run: int) -> None:
    """Cleo and Emil make a deal, or do not."""
    if run:
        power, partner, number = game.seats["Cleo"], game.seats["Emil"], game.phase_number
        space = str(min(game.service.games.load(game.id).rules.board.spaces))
        clauses = [{"power": power, "keep_out": [space]}]
        game.service.deals.propose(game.id, game.who("Cleo"), power, number, partner, clauses)
        offer = game.service.games.load(game.id).deals[0].number
        game.service.deals.answer(game.id, game.who("Emil"), partner, number, offer, accepts=True)


def note(game: Game, run: int) -> None:
    """Cleo keeps a private note about a power, or none."""
    if run:
        game.notes.keep(game.id, game.who("Cleo"), (game.seats["Emil"],), "Mordor is a friend.")


SECRETS: Mapping[str, Secret] = {
    "orders": Secret(orders),
    "orders ahead": Secret(orders_ahead, tuple(name for name in KINDS if name != "hot seat")),
    "message": Secret(message, tuple(name for name in LOBBIES if name != "press off")),
    "deal": Secret(deal, ("anonymous", "delayed spectators", "game master", "live")),
    "marks": Secret(marks, ("anonymous",)),
    "marks, near the deadline": Secret(marks, ("anonymous",), later=True),
    "orders again": Secret(later_orders),
    "absence": Secret(absence, LOBBIES),
    "sealed reason": Secret(sealed_reason, ("game master",), drawn="[0-9a-f]{32,64}"),
    "change of player": Secret(change_of_player, ("anonymous",)),
    "secret motion": Secret(secret_motion, LOBBIES),
    "note": Secret(note, LOBBIES),
    "question": Secret(question, ("game master",), told=("the host", "the host with a seat")),
}

CASES = [(kind, secret) for kind in KINDS for secret in SECRETS if kind in SECRETS[secret].kinds]
TRIED = share(CASES, 10)
"""Which of them are tried whenever the tests run; `make proofs` tries all."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Game]:
    """A game of each kind as it stands before the runs part, made when it is first asked for."""
    made: dict[str, Game] = {}

    def game(kind: str) -> Game:
        if kind not in made:
            made[kind] = played(KINDS[kind], tmp_path_factory.mktemp("games") / "games.sqlite")
        return made[kind]

    return game


@pytest.mark.parametrize(("kind", "name"), TRIED)
def test_two_runs_that_differ_in_a_secret_look_the_same(
    games: Callable[[str], Game], tmp_path: Path, kind: str, name: str
) -> None:
    secret = SECRETS[name]
    with copies(games(kind), tmp_path) as runs:
        lookers = [one for one in runs[0].lookers if one not in secret.told]
        compared, found = compare(runs, secret.act, lookers, secret.drawn, later=secret.later)
    assert not found, "\n".join(found[:12])
    assert compared > 100


def test_what_is_compared_shows_what_a_player_does_to_the_player(games: Callable[[str], Game], tmp_path: Path) -> None:
    """The comparison finds what there is to find: the same orders, seen by who gave them."""
    with copies(games("anonymous"), tmp_path) as runs:
        for run in runs:
            run.lookers["the player"] = Looker("Cleo", run.keys["Cleo"])
        _, found = compare(runs, marks, ["the player"])
    places = " ".join(found)
    for place in ("/api/games/", "/games/", "/api/me:", "/me/data", "at server 0 hears", "at server 1 hears"):
        assert place in places, place


def test_every_kind_of_game_and_secret_is_in_what_is_compared() -> None:
    assert {kind for kind, _ in CASES} == set(KINDS)
    assert {secret for _, secret in CASES} == set(SECRETS)
    assert len(routes("GET")) > 40
