"""Players that think ahead: their orders are legal, the same for the same seed, and better the longer they think."""

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import takewhile
from random import Random
from typing import Any

import numpy as np
import pytest

from plenipo import bots, library
from plenipo.batch import Arena
from plenipo.batch.bits import Array
from plenipo.batch.kinds import owner_of
from plenipo.batch.play import MOVEMENT, advance, memory
from plenipo.batch.tables import NOBODY, compile_tables
from plenipo.bots import BOTS, orders_of, search, think, thinking, why_slow
from plenipo.bots import search_tables as thinker_module
from plenipo.bots.compiling import compile_kernel, inner
from plenipo.bots.evaluation import SHARE_ONE
from plenipo.bots.levels import LEVELS, OTHERS
from plenipo.bots.search_tables import Thinker
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import View, view
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.position import Power
from proofs import share
from table import SPRING, place, standard
from waiting import LIMIT

FRANCE = Power("France")


def opening(variant: str = "standard", power: Power = FRANCE) -> tuple[Game, LegalOrders]:
    game = Game.new(library.load(variant), Dice(bytes(32)))
    return game, Legality(game.rules, game.position).orders_of(power)


class Table:
    """Whole games of levels against each other, on the kernel alone."""

    def __init__(self, variant: str) -> None:
        self.arena = Arena(library.load(variant), 1, seed=bytes(32), room=64)
        self.thinker = Thinker(self.arena.tables)

    def play(self, levels: dict[int, str], others: str, movements: int, seed: int) -> list[int]:
        """The centres of each power after so many movements."""
        arena, state, tables = self.arena, self.arena.state, self.arena.tables
        scratch, work = memory(tables)
        arena.reset()
        while state.winner[0] == NOBODY and state.played[0] < movements:
            joint = np.zeros((1, 64), np.uint32)
            used = 0
            units = owner_of(state.kinds[0, : int(state.units[0])])
            for power in range(tables.players):
                level = LEVELS[levels.get(power, others)]
                seed += 1
                orders = self.thinker.think(state, 0, power, seed, level).orders
                if arena.phases[0] <= MOVEMENT + 1:
                    joint[0, : len(units)][units == power] = orders[: len(units)][units == power]
                else:
                    count = int(np.argmin(orders != 0))
                    joint[0, used : used + count] = orders[:count]
                    used += count
            advance(0, state, 0, joint, tables.arrays, scratch, work)
        return [int((state.owner[0] == power).sum()) for power in range(tables.players)]


@pytest.mark.parametrize("level", bots.LEVELS)
def test_each_level_orders_every_unit_and_nothing_illegal(level: str) -> None:
    game, legal = opening()
    orders = BOTS[level](view(game, FRANCE, {}), legal, Random(3))
    assert len(orders) == len(legal.units)
    assert all(order in legal for order in orders)


@pytest.mark.parametrize("budget", [0.0, 1.0])
def test_thinking_that_is_interrupted_gives_the_best_so_far(budget: float) -> None:
    game, legal = opening()
    orders = think(view(game, FRANCE, {}), legal, 5, "strongest", budget)
    assert len(orders) == len(legal.units)
    assert all(order in legal for order in orders)


def test_a_budget_leaves_games_unplayed() -> None:
    arena = Arena(standard(), 1, seed=bytes(32))
    thinker = Thinker(arena.tables)
    whole, cut = (thinker.think(arena.state, 0, 2, 5, LEVELS["strongest"], budget=budget) for budget in (None, 1.0))
    assert cut.played_out < whole.played_out


def wait() -> None:
    time.sleep(0.5)


def compute() -> None:
    end = time.thread_time() + 0.5
    for _ in takewhile(lambda _: time.thread_time() < end, range(10**9)):
        pass


@pytest.mark.parametrize(("work", "interrupted"), [(wait, False), (compute, True)])
def test_a_budget_is_of_processor_time(
    work: Callable[[], None],
    interrupted: bool,  # noqa: FBT001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arena = Arena(standard(), 1, seed=bytes(32))
    thinker = Thinker(arena.tables)
    thought = thinker._search_once
    stopped: list[bool] = []

    def slow(*given: Any) -> Any:
        work()
        stopped.append(bool(thinker._trial.stop[0]))
        return thought(*given)

    monkeypatch.setattr(thinker, "_search_once", slow)
    thinker.think(arena.state, 0, 2, 5, LEVELS["quick"], budget=200.0)
    assert stopped == [interrupted]


def test_rivals_are_given_no_more_than_half_of_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        """Half of the budget is over at once, the whole never."""

        def __init__(self, calls: Sequence[tuple[float, Callable[[], None]]]) -> None:
            calls[0][1]()

        def skip(self) -> None:
            """Too late."""

        end = skip

    arena = Arena(standard(), 1, seed=bytes(32))
    thinker = Thinker(arena.tables)
    plans: list[Array] = []
    searched = thinker._search_repeatedly

    def noted(*given: Any) -> Array:
        plans.append(searched(*given))
        return plans[-1]

    monkeypatch.setattr(thinker, "_search_repeatedly", noted)
    whole = thinker.think(arena.state, 0, 2, 5, LEVELS["strong"])
    monkeypatch.setattr("plenipo.bots.search_tables._Watch", Clock)
    cut = thinker.think(arena.state, 0, 2, 5, LEVELS["strong"], budget=1000.0)
    assert not np.array_equal(plans[0], plans[-1])  # those of the rivals were not searched for
    assert cut.played_out > whole.played_out // 2  # one's own were


def test_the_same_seed_gives_the_same_orders_in_another_process() -> None:
    game, legal = opening()
    orders = think(view(game, FRANCE, {}), legal, 11, "middling")
    assert orders == think(view(game, FRANCE, {}), legal, 11, "middling")
    program = (
        "from plenipo import bots, library\n"
        "from plenipo.engine.dice import Dice\n"
        "from plenipo.engine.history.game import Game\n"
        "from plenipo.engine.history.view import view\n"
        "from plenipo.engine.phases.legality import Legality\n"
        "game = Game.new(library.load('standard'), Dice(bytes(32)))\n"
        "legal = Legality(game.rules, game.position).orders_of('France')\n"
        "print(*bots.think(view(game, 'France', {}), legal, 11, 'middling'), sep=';')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=LIMIT)  # noqa: S603
    assert done.stdout.strip() == ";".join(map(str, orders))


def test_powers_thought_about_at_once_order_as_one_after_another() -> None:
    """Over some phases, so that what is remembered of the others is looked up at once as well."""
    game = Game.new(standard())
    for phase in range(4):
        legality = Legality(game.rules, game.position)
        asked = [(view(game, power, {}), legality.orders_of(power)) for power in view(game, None, {}).may_order]

        def of(number: int, asked: list[tuple[View, LegalOrders]] = asked, phase: int = phase) -> list[Order]:
            return think(*asked[number], seed=100 * phase + number, level="middling")

        numbers = range(len(asked))
        with ThreadPoolExecutor(4) as pool:
            at_once = list(pool.map(of, numbers))
        assert at_once == [of(number) for number in numbers]
        game = game.process({legal.power: orders for (_, legal), orders in zip(asked, at_once, strict=True)})


def test_another_seed_may_give_other_orders() -> None:
    game, legal = opening()
    assert len({str(think(view(game, FRANCE, {}), legal, seed, "quick")) for seed in range(8)}) > 1


def test_a_player_that_thinks_longer_takes_more_centres() -> None:
    table = Table("standard")
    centres = [table.play({power: "middling"}, "quick", 14, seed=100 + power)[power] for power in (0, 2, 4, 5, 6)]
    assert sum(centres) / len(centres) >= 6


def test_a_position_seen_before_tells_the_styles_of_the_others() -> None:
    """Orders given by a style are better foretold by it, on the whole, than by the one farthest from it."""
    arena = Arena(standard(), 1, seed=bytes(32), room=64)
    tables = arena.tables
    names = list(OTHERS)
    for name in ("raider", "guard"):
        thinker = Thinker(tables, [OTHERS[name]] * 20)
        judge = Thinker(tables)
        arena.reset()
        scratch, work = memory(tables)
        likely = np.zeros((len(tables.powers), len(names)), np.int64)
        for seed in range(12):
            joint = np.zeros((1, 64), np.uint32)
            units = state_units(arena)
            for power in range(tables.players):
                orders = thinker.think(arena.state, 0, power, seed, LEVELS["quick"]._replace(pool=1, changes=0)).orders
                if arena.phases[0] <= MOVEMENT + 1:
                    joint[0, : len(units)][units == power] = orders[: len(units)][units == power]
            if arena.phases[0] == MOVEMENT:
                likely += judge.foretold(arena.state, 0, joint[0], 0, LEVELS["middling"])
            advance(0, arena.state, 0, joint, tables.arrays, scratch, work)
        totals = dict(zip(names, likely.sum(axis=0).tolist(), strict=True))
        assert max(("raider", "guard"), key=totals.__getitem__) == name


def state_units(arena: Arena) -> Array:
    """The power of the unit in each column."""
    units: Array = owner_of(arena.state.kinds[0, : int(arena.state.units[0])])
    return units


def test_what_a_plan_promises_is_a_share_of_the_board() -> None:
    arena = Arena(standard(), 1, seed=bytes(32))
    thinker = Thinker(arena.tables)
    values = [thinker.think(arena.state, 0, power, 1, LEVELS["quick"]).value for power in range(7)]
    assert all(0.05 < value < 0.3 for value in values)
    assert 0.9 * SHARE_ONE < sum(thinker.estimate_shares(arena.state, 0, 1, 2)) <= SHARE_ONE


def play_simply(game: Game) -> dict[Power, list[Order]]:
    """Orders of every power in an opening phase, so that all have units."""
    chance = Random(0)
    return {
        power: orders_of(BOTS["sensible"], view(game, power, {}), power, chance)
        for power in view(game, None, {}).may_order
    }


@pytest.mark.parametrize("name", share(library.bank(), 4))
def test_rules_are_thought_about_without_that_of_which_there_is_no_table(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = library.load(name)
    assert why_slow(rules) == ""
    game = Game.new(rules, Dice(bytes(32)))
    while game.position.phase.kind is not PhaseKind.MOVEMENT:
        game = game.process(play_simply(game))
    power = view(game, None, {}).may_order[0]
    legal = Legality(rules, game.position).orders_of(power)
    by_thumb: list[Order] = []
    monkeypatch.setattr("plenipo.bots.thinking.sensible", lambda *_: by_thumb)
    orders = think(view(game, power, {}), legal, 3, "quick")
    assert orders
    assert all(order in legal for order in orders)


def test_orders_that_count_later_are_thought_about_where_units_will_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = opening("slow-couriers")
    game = game.process({FRANCE: ["A PAR - PIC", "F BRE - MID"]})
    legal = Legality(game.rules, game.position).orders_of(FRANCE)
    assert {str(unit) for unit in legal.units} == {"A PIC", "A MAR", "F MID"}
    by_thumb: list[Order] = []
    monkeypatch.setattr("plenipo.bots.thinking.sensible", lambda *_: by_thumb)
    assert len(think(view(game, FRANCE, {}), legal, 3, "quick")) == len(legal.units)


def test_what_the_tables_do_not_know_is_ordered_by_rules_of_thumb() -> None:
    """A power that may order units of other powers does so."""
    game, legal = opening("double-diplomacy")
    orders = think(view(game, FRANCE, {}), legal, 3, "quick")
    assert {unit.power for unit in legal.units} != {FRANCE}
    assert len(orders) == len(legal.units)


def test_cavalry_is_thought_about_where_it_stands() -> None:
    rules = library.load("hussars")
    units = "Austria: C VIE, A BUD, F TRI\nGermany: C MUN, A BER\nItaly: A VEN"
    position = place(units, SPRING, rules)
    game = Game(rules, position, dice=Dice(bytes(32)))
    legal = Legality(rules, position).orders_of(Power("Austria"))
    orders = think(view(game, Power("Austria"), {}), legal, 3, "middling")
    assert len(orders) == 3
    assert all(order in legal for order in orders)
    far = {str(order) for order in legal if str(order).startswith("C VIE - ")}
    assert "C VIE - VEN" in far


def test_without_numba_the_levels_play_by_rules_of_thumb_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert why_slow(standard()) == ""
    for module in [name for name in sys.modules if name.startswith("plenipo.batch")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(bots, "why_simple", bots.why_simple.__wrapped__)
    game, legal = opening()
    assert think(view(game, FRANCE, {}), legal, 3, "strong") == BOTS["sensible"](
        view(game, FRANCE, {}), legal, Random(3)
    )
    assert why_slow(standard()).startswith("Numba is not installed")
    assert not bots.is_compiled()


@pytest.mark.parametrize("movements", [0, 1, 2, 5])
def test_a_glance_finds_what_the_search_without_changes_finds(movements: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a shorter function of its own, so that it compiles sooner; more samples make it go through rounds."""
    arena = Arena(standard(), 1, seed=bytes(32))
    thinker = Thinker(arena.tables)
    scratch, work = memory(arena.tables)
    joint = np.zeros((1, 64), np.uint32)
    while arena.state.played[0] < movements:
        advance(0, arena.state, 0, joint, arena.tables.arrays, scratch, work)
    for level in (LEVELS["quick"], LEVELS["quick"]._replace(pool=24, samples=24, margin=5)):
        for seed in range(5):
            short = thinker.think(arena.state, 0, 2, seed, level)
            with monkeypatch.context() as patched:
                patched.setattr(thinker_module, "glance", search.think)
                whole = thinker.think(arena.state, 0, 2, seed, level)
            assert short.played_out > 1
            assert np.array_equal(short.orders, whole.orders)
            assert short[1:] == whole[1:]


def test_what_only_compiled_code_calls_refuses_python_with_a_sentence() -> None:
    with pytest.raises(TypeError, match="'eight' can only be called from compiled code"):
        eight(3)
    assert sixteen(3) == 16
    with pytest.raises(TypeError, match="'eight' can only be called from compiled code"):
        eight(4)


@inner
def eight(index: int) -> Any:
    """Eight, from any number."""
    return index - index + 8


@compile_kernel
def sixteen(index: int) -> Any:
    """Sixteen."""
    return 2 * eight(index)


def test_the_answer_whether_rules_can_be_searched_costs_tables_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    rules = library.load("short-orders")

    def count(*given: Any) -> object:
        made.append("tables")
        return compile_tables(*given)

    monkeypatch.setattr(thinking, "compile_tables", count)
    thinking.why_not.cache_clear()
    assert {why_slow(rules) for _ in range(3)} == {""}
    assert len(made) == 1
