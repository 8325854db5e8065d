"""The answers of webDiplomacy: an answer as it is, with messages and coasts, and what is none."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from plenipo import library
from plenipo.engine.history.messages import Message
from plenipo.engine.position import Power
from plenipo.errors import PlenipoError
from plenipo.formats import FORMATS

WEBDIPLOMACY = FORMATS["webdiplomacy"]


def unit(kind: str, place: int, country: int, retreating: str = "No") -> dict[str, Any]:
    """A unit as webDiplomacy has it."""
    return {"unitType": kind, "retreating": retreating, "terrID": place, "countryID": country}


def order(kind: str, place: int, country: int, to: int = 0, start: int = 0, unit_type: str = "Fleet") -> dict[str, Any]:
    """An order as webDiplomacy has it."""
    parts = {"terrID": place, "toTerrID": to, "fromTerrID": start, "countryID": country}
    return {"type": kind, "unitType": unit_type, "viaConvoy": "No", "success": "Yes", "dislodged": "No", **parts}


ANSWER = {
    "gameID": 7,
    "variantID": 1,
    "gameOver": "No",
    "phases": [
        {
            "turn": 0,
            "phase": "Diplomacy",
            "units": [unit("Fleet", 79, 7), unit("Army", 48, 2), unit("Fleet", 7, 2)],
            "centers": [{"terrID": 32, "countryID": 7}, {"terrID": 8, "countryID": 0}],
            "orders": [
                order("Move", 79, 7, 57),
                order("Move", 48, 2, 49, unit_type="Army"),
                order("Move", 7, 2, 77),
            ],
            "messages": [{"message": "Peace?", "fromCountryID": 2, "toCountryID": 0, "timeSent": 1649391269}],
        },
        {
            "turn": 1,
            "phase": "Diplomacy",
            "units": [unit("Fleet", 57, 7), unit("Army", 49, 2), unit("Fleet", 77, 2)],
            "centers": [{"terrID": 32, "countryID": 7}],
            "orders": [],
        },
    ],
}
"""A fleet leaves St Petersburg by its south coast, one reaches Spain's south coast, an army goes from Burgundy."""


def test_an_answer_is_read_with_its_places_countries_and_messages() -> None:
    text = json.dumps(ANSWER)
    assert [name for name, form in FORMATS.items() if form.sniff(text)] == ["webdiplomacy"]
    game = WEBDIPLOMACY.read(text, library.load)
    assert game.turns[0].orders[Power("France")] == ("A BUR - MAR", "F POR - SPA/SC")
    assert {f"{one.power} {one}" for one in game.position.units} == {"Russia F BOT", "France A MAR", "France F SPA/SC"}
    assert game.messages == (Message("France", "GLOBAL", "S1901M", "Peace?", 1649391269),)


def changed(edit: Callable[[Any], object]) -> str:
    """The answer with a change."""
    value = json.loads(json.dumps(ANSWER))
    edit(value)
    return json.dumps(value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]", "This is not an answer of game/status"),
        (changed(lambda value: value.update(variantID=15)), "The game is of variant number 15 of webDiplomacy"),
        (changed(lambda value: value["phases"][0].pop("turn")), "Phase 1 has no 'turn'"),
        (changed(lambda value: value["phases"][0].update(turn=10**9)), "Phase 1 has no 'turn'"),
        (changed(lambda value: value["phases"][0].update(units=[1])), "S1901M: the phase cannot be read"),
        (changed(lambda value: value["phases"][0]["units"][0].update(terrID=99)), "S1901M: the phase cannot be read"),
        (changed(lambda value: value["phases"][0]["units"][0].update(countryID=-1)), "S1901M: the phase cannot be"),
        (changed(lambda value: value["phases"][0]["orders"][0].update(type="Fly")), "S1901M: the phase cannot be"),
        (changed(lambda value: value["phases"][0].update(messages=[{}])), "S1901M: the phase cannot be read"),
        (changed(lambda value: value["phases"][1].update(turn=9)), "F1905M: this phase does not follow"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(PlenipoError) as caught:
        WEBDIPLOMACY.read(text, library.load)
    assert str(caught.value).startswith(sentence)
