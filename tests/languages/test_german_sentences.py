"""Every sentence about a phase of a random game is German throughout."""

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from plenipo.bots import BOTS
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game, Turn
from plenipo.engine.history.summary import Summary
from plenipo.engine.history.view import view
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.plan_check import doubts
from plenipo.engine.rules import Rules
from plenipo.languages import FOLDER, catalogue, parse_po
from plenipo.languages.names import language_in
from plenipo.library import load

VARIANTS = ("standard", "corner", "1897", "napoleonic", "cline", "irish")

PHASES = 14

MISTAKEN = 0.3
"""The share of order sets with a mistake."""

_WORD = re.compile(r"[^\W\d_]+")
_PLACEHOLDER = re.compile(r"\{\w*\}|%\(\w+\)s")


def words_of(text: str) -> set[str]:
    """Return the words of a text in small letters, without placeholders and codes in capitals."""
    found = _WORD.findall(_PLACEHOLDER.sub(" ", text))
    return {word.lower() for word in found if not word.isupper()}


@cache
def english_words() -> frozenset[str]:
    """Return the words of the English sentences that are in no German one, nor in a German name."""
    entries, _ = parse_po((FOLDER / "rules.pot").read_text(encoding="utf-8"), FOLDER / "rules.pot")
    english = {word for entry in entries for word in words_of(f"{entry.message} {entry.plural}")}
    german = {
        word
        for domain in ("rules", "names")
        for _, _, texts in catalogue("de", domain)
        for text in texts
        for word in words_of(text)
    }
    return frozenset(english - german)


def sentences_of(rules: Rules, turn: Turn) -> Iterator[str]:
    """Yield every sentence about a turn: reasons, events, refusals, the summary, and the results for each power."""
    resolution = turn.resolution
    yield from (outcome.why for outcome in resolution.outcomes)
    yield from (event.sentence for event in resolution.events)
    yield from (refusal.sentence for refusal in resolution.refusals)
    summary = Summary(rules, resolution)
    yield from summary.sentences()
    yield from (concern.sentence for power in rules.names for concern in summary.concerns(power))
    yield resolution.before.phase.as_sentence()


def random_orders(game: Game, power: Power, chance: Random) -> list[Order | str]:
    """Return random legal orders of a power, and texts that are illegal or that cannot be read."""
    seen = view(game, power, {})
    orders: list[Order | str] = [*BOTS["careless"](seen, Legality(game.rules, game.position).orders_of(power), chance)]
    units, spaces = game.position.units, sorted(game.rules.board_at(game.position).spaces)
    if units and chance.random() < MISTAKEN:
        unit, other, to = chance.choice(units), chance.choice(units), chance.choice(spaces)
        forms = ["{unit} - {to}", "{unit} S {other}", "{unit} S {other} - {to}", "{unit} C {other} - {to}"]
        forms += ["{unit} R {to}", "{unit} D", "A {to} B", "{unit} - Xanadu", "WAIVE", "{unit} hops"]
        orders.append(chance.choice(forms).format(unit=unit, other=other, to=to))
    return orders


def test_the_oracle_knows_english_words() -> None:
    assert {"attack", "bounced", "supported", "dislodged"} & english_words()
    assert words_of("A PAR hielt; der Angriff auf {place}") & english_words() == set()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_sentence_about_a_random_game_has_an_english_rest(variant: str, seed: int) -> None:
    rules, german = load(variant), language_in("de", variant)
    chance = Random(f"{variant} {seed}")  # the same game each time
    game, wrong, read = Game.new(rules, Dice(bytes([seed]) * 32)), [], 0
    for _ in range(PHASES):
        if game.over:
            break
        orders = {power: random_orders(game, power, chance) for power in rules.names}
        planned = [
            doubts(rules, game.position, power, [one for one in orders[power] if not isinstance(one, str)])
            for power in rules.names
        ]
        before = len(game.turns)
        game = game.process(orders)
        said = [doubt.sentence for plan in planned for doubt in plan]
        said += [sentence for turn in game.turns[before:] for sentence in sentences_of(rules, turn)]
        for sentence in said:
            shown = german.render(sentence)
            rest = words_of(shown) & english_words()
            read += 1
            wrong += [(sorted(rest), shown)] if rest else []
    assert read > 100
    assert wrong == []
