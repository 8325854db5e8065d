"""Files of other programs, opened on the server: what is answered, what is shown, and what is refused."""

import json

import pytest
from fastapi.testclient import TestClient

from formats.sample_games import play
from plenipo.formats import FORMATS
from plenipo.server.opened_files import read_file

MODERN = '{"map": "modern", "phases": [{"name": "S1901M", "state": {"units": {}, "centers": {}}}]}'

WRITTEN = [name for name, form in FORMATS.items() if form.writes]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_of_any_format_is_opened_as_a_game_with_all_its_turns(client: TestClient, name: str) -> None:
    game = play(1, turns=4)
    answer = client.post("/api/games/open", json={"text": FORMATS[name].write(game)})
    assert answer.status_code == 201
    told = answer.json()
    assert (told["format"], told["phases"], told["differences"], told["several"]) == (name, 4, 0, False)
    view = client.get(f"/api/games/{told['game']['id']}").json()
    assert view["turn"] == 4
    assert client.get(told["game"]["url"]).status_code == 200


def test_the_answer_says_what_the_file_does_not_contain_and_how_many_positions_differ(client: TestClient) -> None:
    value = json.loads(FORMATS["diplomacy"].write(play(1, turns=2)))
    value["phases"][1]["state"]["units"]["FRANCE"] = ["A GAS"]
    told = client.post("/api/games/open", json={"text": json.dumps(value)}).json()
    assert told["differences"] >= 1
    assert "rulings" in told["loses"]


def test_one_game_of_a_file_with_several_is_chosen_by_its_number() -> None:
    text = FORMATS["text"].write(play(1, turns=2)) + FORMATS["text"].write(play(2, turns=3))
    assert [len(read_file(text, number).game.turns) for number in (1, 2)] == [2, 3]
    assert read_file(text).several


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "This is not a game in a format that is known here"),
        (MODERN, "'modern.map' is not a variant"),
        ('{"map": "../../etc/passwd", "phases": [{}]}', "The game was played on the map"),
        ('[Variant "/etc"]\n\n== Spring 1901 movement\n', "'/etc' is not a variant"),
        ('[Variant "standard"]\n[Option "x=y"]\n\n== Spring 1901 movement\n', ""),
        ('[Variant "standard"]\n' + "\n== Spring 1901 movement" * 3000, "The game has more than 2000 phases"),
    ],
)
def test_what_is_no_game_is_refused_in_one_sentence_without_a_path_of_the_machine(
    client: TestClient, text: str, message: str
) -> None:
    answer = client.post("/api/games/open", json={"text": text})
    assert answer.status_code == 422
    told = answer.json()["error"]["message"]
    assert message in told
    assert "\n" not in told
    assert "site-packages" not in told


def test_the_page_has_a_form_for_a_paste_and_a_file(client: TestClient) -> None:
    page = client.get("/open").text
    assert 'id="open-text"' in page
    assert 'type="file"' in page
