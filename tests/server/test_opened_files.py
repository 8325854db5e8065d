"""Files of other programs, opened on the server: what is answered, what is shown, and what is refused."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import NoReturn

import psutil
import pytest
from fastapi.testclient import TestClient

from formats.sample_games import play
from plenipo import library
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import digest, encode_game
from plenipo.errors import PlenipoError
from plenipo.formats import FORMATS
from plenipo.library import plugins
from plenipo.server import uploads
from plenipo.server.file_reader import FileReader
from plenipo.server.opened_files import read_file
from server.test_renderer import HANGS
from waiting import LIMIT, join_all, wait_until

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


@pytest.fixture
def reader(client: TestClient) -> Iterator[FileReader]:
    """The reader of files of a server, which waits for its program for as long as a test may take."""
    made = FileReader(patience=LIMIT)
    client.app.state.services.files = made  # type: ignore[attr-defined]  # an app of Starlette
    yield made
    made.close()


def test_other_requests_are_answered_while_a_game_record_is_read(client: TestClient, reader: FileReader) -> None:
    record = encode_game(play(1, turns=4))
    assert client.post("/api/games/upload", json=record).status_code == 201
    (running,) = reader.programs.idle
    program = psutil.Process(running.pid)
    program.suspend()
    answers: list[int] = []
    try:
        upload = Thread(target=lambda: answers.append(client.post("/api/games/upload", json=record).status_code))
        upload.start()
        wait_until(lambda: not reader.programs.idle)
        assert client.get("/api/variants").status_code == 200
        assert answers == []
    finally:
        program.resume()
    join_all([upload])
    assert answers == [201]


def test_a_game_record_is_decoded_in_the_program_of_the_reader_alone(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> NoReturn:
        raise AssertionError("the thread of a server would hold Python's lock")

    monkeypatch.setattr(uploads, "game_of", never)
    monkeypatch.setattr("plenipo.engine.history.record.decode_game", never)
    game = play(1, turns=4)
    opened = client.post("/api/games/upload", json=encode_game(game))
    assert opened.status_code == 201
    again = client.get(f"/api/games/{opened.json()['id']}/record").json()
    assert again["entries"] == encode_game(game)["entries"]


RECORD = encode_game(play(1, turns=2))
DEEP = '{"turns":' + "[" * 100_000 + "]" * 100_000 + "}"


HOSTILE = [
    (DEEP, 400),
    ("[1]", 422),
    ('{"variant": "standard", "a": "\\ud800"}', 400),
    (json.dumps({**RECORD, "version": 10**4000}), 422),
    (json.dumps({**RECORD, "entries": [{}] * 2001}), 422),
    (json.dumps({**RECORD, "entries": [{}] * 2000}), 422),
    (json.dumps({**RECORD, "seed": "zz"}), 422),
    (json.dumps({**RECORD, "messages": [{"from": 1}]}), 422),
    (json.dumps({**RECORD, "variant": "+".join(["standard"] * 5000)}), 422),
]


def test_a_hostile_record_is_refused_in_one_sentence(client: TestClient) -> None:
    for body, status in HOSTILE:
        answer = client.post("/api/games/upload", content=body, headers={"content-type": "application/json"})
        assert answer.status_code == status, body[:60]
        told = answer.json()["error"]["message"]
        assert told.endswith("."), body[:60]
        assert "\n" not in told, body[:60]
        assert len(told) < 400, body[:60]


def test_a_number_that_json_does_not_have_is_refused(client: TestClient) -> None:
    game = json.loads(json.dumps(encode_game(play(1, turns=1))))
    turn = game["entries"][0]
    turn["outcomes"][0]["cause"]["strength"] = float("nan")
    turn["hash"] = digest({key: part for key, part in turn.items() if key != "hash"})
    game["hash"] = digest({"last": turn["hash"], "drawn": []})
    body = {"content": json.dumps(game), "headers": {"content-type": "application/json"}}
    answer = client.post("/api/games/upload", **body)  # type: ignore[arg-type]  # a body and its kind
    assert answer.status_code == 422
    assert answer.json()["error"]["message"] == "The record cannot be read: a part of it has the wrong form."


def test_a_record_of_a_variant_in_an_added_folder_is_opened(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "_ADDED", [])
    folder = tmp_path / "mine" / "isle"
    folder.mkdir(parents=True)
    (folder / "variant.toml").write_text('title = "Isle"\nparent = "standard"\n')
    plugins.add_folders([tmp_path / "mine"])
    record = encode_game(Game.new(library.load("isle")))
    assert client.post("/api/games/upload", json=record).status_code == 201


def test_too_many_uploads_are_refused_before_they_are_read(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    async def note(*_: object) -> bytes:
        read.append(1)
        return b"{}"

    monkeypatch.setattr("starlette.requests.Request.body", note)
    refused = [client.post(f"/api/games/{what}", json={}).status_code for what in ("open", "upload") for _ in range(40)]
    assert refused.count(429) > 10
    assert len(read) == len(refused) - refused.count(429)
