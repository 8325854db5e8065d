"""`plenipo daide`: games for programs that speak DAIDE."""

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plenipo.cli.options import VARIANT, SettingsOption, Trust, options_from, refuse, report_faults
from plenipo.languages.current import _, in_list, in_words

if TYPE_CHECKING:
    from plenipo.daide.reports import SeatSummary
    from plenipo.daide.server import ComputerSeat, DealtGame
    from plenipo.engine.history.game import Game
    from plenipo.engine.orders import Order
    from plenipo.engine.position import Power
    from plenipo.engine.rules import Rules

__all__ = ["daide"]

PORT = 16713
"""The usual port of DAIDE servers."""

PASSCODES = 8192
"""The number of passcodes: those that DAIDE has numbers for, without a sign."""


ComputersArgument = Annotated[
    list[str] | None,
    typer.Argument(
        help="Computer players of your own: a name takes a seat, '3 quick' takes three. "
        "Clients play in all other seats."
    ),
]
DeadlineOption = Annotated[
    int | None, typer.Option(help="Seconds for a movement phase; half as many for others.", min=1, max=8191)
]
GameCountOption = Annotated[int, typer.Option(help="The number of games, one after another; 0 for no end.", min=0)]
YearLimitOption = Annotated[
    int | None, typer.Option(help="Years after which an undecided game is a draw.", min=1, show_default="no limit")
]
SaveOption = Annotated[Path | None, typer.Option(help="Write each game to this folder, as game-1.json and so on.")]
DrawnSeedOption = Annotated[
    str | None, typer.Option(help="Any text; it decides seats and all chance.", show_default="drawn")
]


def daide(
    computers: ComputersArgument = None,
    variant: Annotated[str, typer.Option(help=VARIANT)] = "standard",
    port: Annotated[int, typer.Option(help="The port; 0 takes any free one.", min=0, max=65535)] = PORT,
    host: Annotated[str, typer.Option(help="The address: 0.0.0.0 for clients on other machines.")] = "127.0.0.1",
    press: Annotated[int, typer.Option(help="The level of press: 0, 10, 20 or 30.")] = 0,
    deadline: DeadlineOption = None,
    games: GameCountOption = 1,
    years: YearLimitOption = None,
    save: SaveOption = None,
    seed: DrawnSeedOption = None,
    settings: SettingsOption = None,
    *,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Serve games to programs that speak DAIDE, the language of Diplomacy programs."""
    import asyncio  # noqa: PLC0415  # a command imports what it needs

    from plenipo import library  # noqa: PLC0415
    from plenipo.cli import saved  # noqa: PLC0415
    from plenipo.daide.grammar import LEVELS  # noqa: PLC0415
    from plenipo.daide.room import Terms  # noqa: PLC0415
    from plenipo.daide.server import DaideServer, ServerPlan  # noqa: PLC0415
    from plenipo.daide.vocabulary import map_name, vocabulary_of  # noqa: PLC0415

    if press not in LEVELS:
        levels = ", ".join(map(str, LEVELS))
        refuse(_("'{level}' is not a level of press; it is one of {levels}.", level=press, levels=levels))
    with report_faults():
        rules = library.load(variant, options_from(settings))
        library.check_installed(rules)
        names = _computers(computers or [], len(rules.names))
        if save is not None:
            save.mkdir(parents=True, exist_ok=True)
        half = None if deadline is None else max(1, deadline // 2)
        plan = ServerPlan(vocabulary_of(rules), map_name(rules), Terms(press, deadline, half, half), years)
        chance = hashlib.sha256((seed if seed is not None else secrets.token_hex(16)).encode()).digest()
        played = 0

        def tell(game: "Game", seats: "Mapping[Power, SeatSummary]") -> None:
            nonlocal played
            played += 1
            typer.echo(_describe_end(played, game, seats))
            if save is not None:
                saved.save(game, _find_free_path(save))

        server = DaideServer(plan, _dealer(rules, names, chance), tell, games)

        def listening(number: int) -> None:
            place = {"title": in_words(rules.title), "host": host, "port": number}
            seats = len(rules.names) - len(names)
            text = _(
                "DAIDE server for {title} on {host}, port {port}. Seats for clients: {seats}.", seats=seats, **place
            )
            typer.echo(text, err=True)

        try:
            asyncio.run(server.serve(host, port, listening))
        except KeyboardInterrupt:
            raise typer.Exit(0) from None


def _computers(texts: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return the name of a computer player for each seat that one takes."""
    from plenipo.errors import UnknownName  # noqa: PLC0415  # a command imports what it needs
    from plenipo.library import plugins  # noqa: PLC0415

    names: list[str] = []
    for text in texts:
        number, _space, name = text.strip().partition(" ")
        count, name = (int(number), name.strip()) if number.isdecimal() and len(number) < 4 else (1, text.strip())
        plugins.players()[name]  # refuse an unknown one before anything is served
        names += [name] * count
    if len(names) > seats:
        raise UnknownName(
            _(
                "There are {number} computer players, and this variant has {seats} seats.",
                number=len(names),
                seats=seats,
            )
        )
    return tuple(names)


def _dealer(rules: "Rules", names: Sequence[str], chance: bytes) -> "Callable[[int], DealtGame]":
    """Return the function that makes each game: seats are shuffled, and so are the passcodes."""
    from plenipo.daide.server import DealtGame  # noqa: PLC0415  # a command imports what it needs
    from plenipo.engine.dice import Dice  # noqa: PLC0415
    from plenipo.engine.history.game import Game  # noqa: PLC0415
    from plenipo.engine.position import Power  # noqa: PLC0415

    def deal(number: int) -> DealtGame:
        powers = [Power(name) for name in Dice(chance).shuffle(f"seats {number}", rules.names)]
        computers = {power: _computer(name, chance, number) for power, name in zip(powers, names, strict=False)}
        codes = {power: secrets.randbelow(PASSCODES) for power in powers[len(names) :]}
        return DealtGame(Game.new(rules, Dice(hashlib.sha256(chance + b"%d" % number).digest())), codes, computers)

    return deal


def _computer(name: str, chance: bytes, number: int) -> "ComputerSeat":
    from plenipo import bots  # noqa: PLC0415  # a command imports what it needs
    from plenipo.bots import votes  # noqa: PLC0415
    from plenipo.daide.server import ComputerSeat  # noqa: PLC0415
    from plenipo.engine.history.view import View  # noqa: PLC0415
    from plenipo.library import plugins  # noqa: PLC0415
    from plenipo.matches.lineup import chance_of, random_of  # noqa: PLC0415

    player = plugins.players()[name]

    def orders(view: View, power: "Power") -> "list[Order]":
        drawn = random_of(chance_of(chance, f"{number} {view.position.phase}", power))
        return bots.orders_of(player, view, power, drawn)

    def agrees(view: View, power: "Power") -> bool:
        return votes.agrees(view, power, [one for one in view.rules.names if view.position.survives(one)])

    return ComputerSeat(name, orders, agrees)


def _describe_end(number: int, game: "Game", seats: "Mapping[Power, SeatSummary]") -> str:
    """Return a line about a game that is over: how it ended, and who played what."""
    position = game.position
    rows = [
        f"{in_words(power)} ({seats[power].name}) {len(position.centres_of(power))}"
        for power in game.rules.names
        if power in seats
    ]
    phase, players = in_words(position.phase.when_as_sentence()), ", ".join(rows)
    if len(position.winners) == 1:
        return _(
            "Game {number}: {power} has won in {phase}. {players}",
            number=number,
            power=in_words(position.winners[0]),
            phase=phase,
            players=players,
        )
    if position.winners:
        return _(
            "Game {number}: a draw of {powers} in {phase}. {players}",
            number=number,
            powers=in_list([in_words(power) for power in position.winners]),
            phase=phase,
            players=players,
        )
    return _("Game {number}: broken off in {phase}. {players}", number=number, phase=phase, players=players)


def _find_free_path(folder: Path) -> Path:
    """Return the first of game-1.json, game-2.json and so on that is not there yet."""
    return next(path for number in count(1) if not (path := folder / f"game-{number}.json").exists())
