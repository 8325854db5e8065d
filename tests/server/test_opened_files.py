"""Files of other programs, opened on the server: what is answered, what is shown, and what is refused."""

import json
import sys

import pytest
from fastapi.testclient import TestClient

from formats.sample_games import play
from plenipo.errors import PlenipoError
from plenipo.formats import FORMATS
from plenipo.server.file_reader import FileReader
from plenipo.server.opened_files import read_file
from server.test_renderer import HANGS

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


@pytest.mark.parametrize(
    "text",
    [
        '{"gameID": 1, "phases": [{"phase": []}]}',
        '{"phases": [{"name": "S1901M", "state": {"units": {"FRANCE": ["A PAR"]}, "centers": {}, "retreats": [1]}}]}',
    ],
)
def test_a_value_of_another_type_than_a_reader_expects_is_refused_in_a_sentence(client: TestClient, text: str) -> None:
    answer = client.post("/api/games/open", json={"text": text})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].endswith(".")


def test_a_file_that_takes_too_long_or_too_much_memory_stops_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    greedy = "import sys; from plenipo.server import file_reader as r; r.MOST_MEMORY = 1 << 24; r.main()"
    hangs, dies = FileReader(command=HANGS, patience=0.2), FileReader(command=[sys.executable, "-c", greedy])
    for reader in (hangs, dies):
        with pytest.raises(PlenipoError, match="takes too long to read"):
            reader.read(FORMATS["text"].write(play(1, turns=2)), 1)
        assert reader.programs.idle == []
        reader.close()
    assert capfd.readouterr().err == "", "the log of a server tells of faults"


def test_a_refusal_of_the_reader_keeps_its_kind_and_parts(client: TestClient) -> None:
    file = {"text": FORMATS["text"].write(play(1, turns=2)), "number": 7}
    told = client.post("/api/games/open", json=file).json()["error"]
    assert (told["kind"], told["parts"]) == ("server-file-game-missing", {"number": 7})


def test_too_many_uploads_are_refused_before_they_are_read(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    async def note(*_: object) -> bytes:
        read.append(1)
        return b"{}"

    monkeypatch.setattr("starlette.requests.Request.body", note)
    refused = [client.post(f"/api/games/{what}", json={}).status_code for what in ("open", "upload") for _ in range(40)]
    assert refused.count(429) > 10
    assert len(read) == len(refused) - refused.count(429)
