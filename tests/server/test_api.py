"""The JSON interface: what is asked and answered, and that every answer is what the document says."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import BaseModel

from plenipo import library
from plenipo.server.service import GameService
from plenipo.server.web import models, views
from plenipo.server.web.boards import Board
from plenipo.server.web.completion import Completions
from plenipo.server.web.reasons import UnitReason
from proofs import share

Json = dict[str, Any]


def told(answer: Any, model: type[BaseModel] | None = None, status: int = 200) -> Json:
    assert answer.status_code == status, answer.text
    value: Json = answer.json()
    if model is not None:
        model.model_validate(value)
    return value


def opened(client: TestClient, variant: str = "standard", **preferences: Any) -> str:
    game = told(client.post("/api/games", json={"variant": variant, **preferences}), views.NewGame, 201)
    return f"/api/games/{game['id']}"


def leaf(node: Json) -> str:
    while "order" not in node:
        node = node["then"][-1]
    return str(node["order"])


def fault(answer: Any) -> tuple[int, str, str]:
    models.Failure.model_validate(answer.json())
    error = answer.json()["error"]
    assert error["status"] == answer.status_code
    assert error["message"].endswith((".", "!", "?", "…"))
    assert "\n" not in error["message"]
    assert "Traceback" not in answer.text
    return error["status"], error["code"], error["message"]


@pytest.mark.parametrize("variant", share(library.names(), 3))
def test_a_game_of_any_variant_is_played_by_the_options_alone(client: TestClient, variant: str) -> None:
    told(client.get(f"/api/variants/{variant}"), models.Variant)
    game = opened(client, variant, computers="others")
    for _ in range(8):
        view = told(client.get(game), views.View)
        told(client.get(f"{game}/board"), Board)
        everything = told(client.get(f"{game}/options"), views.LegalOrdersAnswer)
        for options in everything["all"]:
            several = view["phase"]["kind"] in ("movement", "retreats")
            nodes = options["choices"] if several else options["choices"][:1]
            body = {
                "phase_number": view["phase_number"],
                "seat": options["power"],
                "give": [leaf(node) for node in nodes],
            }
            order_set = told(client.post(f"{game}/orders", json=body), views.OrderSetAnswer)["order_set"]
            assert {order["text"] for order in order_set["orders"]} <= {leaf(node) for node in nodes}
        done = told(client.post(f"{game}/process", json={"phase_number": view["phase_number"]}), views.ProcessedPhases)
        assert not [error for error in done["result"]["errors"] if view["viewer"]["seats"][0] in error]
        if done["view"]["over"]:
            break
    history = told(client.get(f"{game}/history"), views.History)
    assert len(history["turns"]) == history["now"]["turn"] == done["view"]["turn"]
    for turn in range(len(history["turns"])):
        told(client.get(f"{game}/turns/{turn}"), models.Turn)
        assert client.get(f"{game}/board?turn={turn}").status_code == 200
        picture = client.get(f"{game.removeprefix('/api')}/picture.svg?turn={turn}&results=1&bare=1")
        assert picture.status_code == 200
        assert "<style>" not in picture.text


@pytest.mark.parametrize(
    "settings",
    [
        {"absence": 5, "anonymous": True, "deal": "drawn"},
        {"absence": "5", "anonymous": "true", "deal": "drawn"},
    ],
)
def test_settings_of_a_game_are_numbers_and_booleans_as_well_as_texts(
    client: TestClient, service: GameService, settings: dict[str, Any]
) -> None:
    answer = client.post("/api/games", json={"variant": "standard", "lobby": True, "settings": settings})
    assert answer.status_code == 201, answer.text
    kept = service.games.load(answer.json()["id"]).settings
    assert (kept.absence, kept.anonymous) == (5, True)


def test_the_variants_are_listed(client: TestClient) -> None:
    found = told(client.get("/api/variants"), models.Variants)["variants"]
    assert [variant["name"] for variant in found] == list(library.names())
    told_of = {variant["name"] for variant in found if variant["summary"]}
    assert told_of == {name for name in library.names() if (library.folder_of(name) / "README.md").is_file()}


def test_the_options_are_a_tree_with_places_and_units(client: TestClient) -> None:
    game = opened(client)
    options = told(client.get(f"{game}/options?seat=France"), views.LegalOrdersAnswer)
    paris = next(node for node in options["choices"] if node["label"] == "A PAR")
    assert (paris["role"], paris["at"]) == ("unit", "PAR")
    move = next(node for node in paris["then"] if node["label"] == "move")
    assert move["role"] == "kind"
    assert [(node["at"], node["order"]) for node in move["then"] if node["at"] == "BUR"] == [("BUR", "A PAR - BUR")]


def test_a_coast_is_distinguished_from_its_space(client: TestClient) -> None:
    game = opened(client)
    options = told(client.get(f"{game}/options?seat=Russia"), views.LegalOrdersAnswer)
    fleet = next(node for node in options["choices"] if node["label"] == "F STP/SC")
    assert (fleet["at"], fleet["coast"]) == ("STP", "SC")


def test_a_order_set_tells_what_is_missing_and_how_it_is_drawn(client: TestClient) -> None:
    game = opened(client)
    body = {"phase_number": 1, "seat": "France", "give": ["A PAR - BUR"], "client": "one"}
    answer = told(client.post(f"{game}/orders", json=body), views.OrderSetAnswer)
    order_set = answer["order_set"]
    assert (order_set["missing"], order_set["left"]["text"]) == (
        ["F BRE", "A MAR"],
        "F BRE and A MAR have no order and will hold.",
    )
    assert order_set["arrows"]["orders"].startswith('<g id="m-layer-orders">')
    assert order_set["arrows"]["orders"].endswith("</g>")
    assert order_set["orders"] == [{"text": "A PAR - BUR", "unit": "A PAR", "space": "PAR"}]


def test_why_tells_what_would_have_changed_it(client: TestClient) -> None:
    game = opened(client)
    orders = {"France": ["A PAR - BUR"], "Germany": ["A MUN - BUR"]}
    for seat, give in orders.items():
        told(client.post(f"{game}/orders", json={"phase_number": 1, "seat": seat, "give": give}))
    told(client.post(f"{game}/process", json={"phase_number": 1}))
    why = told(client.get(f"{game}/turns/0/why?unit=par"), UnitReason)
    assert why["sentence"]["text"].startswith("It would have entered BUR if A MAR had supported A PAR to BUR")
    assert "A MUN" in why["why"]["text"]


@pytest.mark.parametrize(
    ("text", "reading", "offered"),
    [
        ("a par - bur", "A PAR - BUR", ["A PAR - BUR"]),
        ("army paris to bur", "A PAR - BUR", ["A PAR - BUR"]),
        ("mar s a par - b", None, ["A MAR S A PAR - BUR"]),
        ("A MAR S A PAR - BUR", "A MAR S A PAR - BUR", ["A MAR S A PAR - BUR"]),
        ("fleet br", None, ["F BRE H", "F BRE - ENG"]),
        ("", None, []),
        ("A LON", None, []),
    ],
)
def test_a_text_is_completed(client: TestClient, text: str, reading: str | None, offered: list[str]) -> None:
    game = opened(client)
    answer = told(client.get(f"{game}/complete", params={"seat": "France", "text": text}), Completions)
    assert (answer["reading"] or {}).get("order") == reading
    assert [found["order"] for found in answer["completions"]][: len(offered)] == offered
    assert bool(answer["completions"]) == bool(offered)


def test_a_misspelt_place_is_marked_and_corrected(client: TestClient) -> None:
    game = opened(client)
    answer = told(client.get(f"{game}/complete", params={"seat": "France", "text": "A PAR - BRU"}))
    error = answer["error"]
    assert (error["piece"], error["start"], error["end"]) == ("BRU", 8, 11)
    assert "BUR" in error["suggestions"]


def test_promises_are_given_beside_the_orders(client: TestClient) -> None:
    promising = [name for name in library.names() if "promises" in library.read(name).modules]
    assert promising, "no variant has promises"
    game = opened(client, promising[0])
    for _ in range(4):
        view = told(client.get(game), views.View)
        if view["asks"]["promises"]:
            break
        told(client.post(f"{game}/process", json={"phase_number": view["phase_number"]}))
    seat = view["viewer"]["seats"][0]
    promise = "If France doesn't enter (PIE), give him 2 points."
    body = {"phase_number": view["phase_number"], "seat": seat, "promises": [promise, "Something quite else."]}
    order_set = told(client.post(f"{game}/orders", json=body), views.OrderSetAnswer)["order_set"]
    assert order_set["promises"] == [promise, "Something quite else."]
    body["promises"] = [promise]
    assert told(client.post(f"{game}/orders", json=body))["order_set"]["promises"] == [promise]


def test_a_position_is_adjudicated_and_nothing_is_stored(client: TestClient) -> None:
    line = {
        "variant": "standard",
        "phase": "S1901M",
        "units": {"France": ["A PAR"]},
        "orders": {"France": ["A PAR - BUR"]},
    }
    answer = told(client.post("/api/adjudicate", json=line))
    assert answer["results"]["A PAR"]["result"] == "moves"
    assert answer["units"] == {"France": ["A BUR"]}


def test_a_game_goes_through_a_file(client: TestClient) -> None:
    game = opened(client)
    told(client.post(f"{game}/process", json={"phase_number": 1}))
    record = client.get(f"{game}/record")
    assert record.headers["content-disposition"].startswith("attachment")
    again = told(client.post("/api/games/upload", json=record.json()), views.NewGame, 201)
    assert client.get(f"/api/games/{again['id']}/record").json() == record.json()


def test_computer_players_keep_their_seats_through_a_file(client: TestClient) -> None:
    game = opened(client, computers=["Italy", "Turkey"])
    told(client.post(f"{game}/process", json={"phase_number": 1}))
    record = client.get(f"{game}/record").json()
    again = told(client.post("/api/games/upload", json=record), views.NewGame, 201)
    view = told(client.get(f"/api/games/{again['id']}"), views.View)
    assert [power["name"] for power in view["powers"] if power["by"] == "computer"] == ["Italy", "Turkey"]
    told(client.post(f"/api/games/{again['id']}/process", json={"phase_number": view["phase_number"]}))


@pytest.mark.parametrize(
    ("computers", "message"),
    [
        ({"Narnia": "sensible"}, "'computers' names 'Narnia', which is not a power of the game."),
        ({"Italy": "x" * 61}, "is not the name of a computer player."),
        ({"Italy": ["sensible"]}, "is not the name of a computer player."),
        (["Italy"], "'computers' must be an object"),
    ],
)
def test_computer_players_that_do_not_exist_are_refused(client: TestClient, computers: object, message: str) -> None:
    record = client.get(f"{opened(client)}/record").json()
    assert message in fault(client.post("/api/games/upload", json={**record, "computers": computers}))[2]


def test_what_may_be_of_several_kinds_is_refused_by_its_name_with_all_of_them(client: TestClient) -> None:
    refused = fault(client.post("/api/games", json={"variant": "standard", "computers": "strong"}))[2]
    assert refused == "'computers' cannot be used: it must be 'none' or 'others', a list or a table."


def test_a_setting_that_is_refused_is_named_without_words_of_the_library(client: TestClient) -> None:
    refused = fault(client.post("/api/games", json={"variant": "standard", "settings": {"absence": [1]}}))[2]
    assert refused == "'settings.absence' cannot be used: it must be true or false, a whole number, a text or a table."
    wrong = {"variant": "standard", "lobby": True, "settings": {"absence": 5.5}}
    assert "'settings.absence' cannot be used" in fault(client.post("/api/games", json=wrong))[2]


def test_a_computer_player_that_is_not_installed_here_keeps_its_seat_and_another_plays_for_it(
    client: TestClient,
) -> None:
    record = client.get(f"{opened(client)}/record").json()
    again = told(
        client.post("/api/games/upload", json={**record, "computers": {"Italy": "genius"}}), views.NewGame, 201
    )
    turn = told(client.post(f"/api/games/{again['id']}/process", json={"phase_number": 1}))["result"]
    assert turn["orders"]["Italy"]


def test_a_record_of_before_has_persons_in_all_seats(client: TestClient) -> None:
    record = client.get(f"{opened(client, computers='others', power='France')}/record").json()
    del record["computers"]
    again = told(client.post("/api/games/upload", json=record), views.NewGame, 201)
    view = told(client.get(f"/api/games/{again['id']}"), views.View)
    assert {power["by"] for power in view["powers"]} == {"person"}


def test_a_what_if_is_opened_and_thrown_away(client: TestClient) -> None:
    game = opened(client)
    told(client.post(f"{game}/process", json={"phase_number": 1}))
    apart = told(client.post(f"{game}/fork", json={"turn": 0}), views.NewGame, 201)
    view = told(client.get(f"/api/games/{apart['id']}"), views.View)
    assert view["fork_of"] == {"id": game.rpartition("/")[2], "turn": 0}
    assert client.delete(f"/api/games/{apart['id']}").status_code == 204
    assert client.get(f"/api/games/{apart['id']}").status_code == 404


def test_the_document_describes_every_address(client: TestClient) -> None:
    document = told(client.get("/api/openapi.json"))
    assert document["openapi"].startswith("3.1")
    for words in ("variants", "adjudicate", "games", "orders", "options", "history"):
        assert any(words in path for path in document["paths"]), words
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation.get("description"), f"{method} {path} is not described"


# Refusals


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/api/games/nope", None, 404, "not_found"),
        ("GET", "/api/nope", None, 404, "not_found"),
        ("GET", "/api/variants/narnia", None, 422, "invalid"),
        ("DELETE", "/api/variants", None, 405, "method"),
        ("POST", "/api/games", {"variant": "narnia"}, 422, "invalid"),
        ("POST", "/api/games", {}, 422, "malformed"),
        ("POST", "/api/games", {"variant": "standard", "colour": "red"}, 422, "malformed"),
        ("POST", "/api/games", {"variant": 5}, 422, "malformed"),
        ("POST", "/api/games", [1], 422, "malformed"),
        ("POST", "/api/games/upload", {"format": "x"}, 422, "invalid"),
        ("POST", "/api/games/open", {"text": "x"}, 422, "invalid"),
        ("POST", "/api/games/open", {"text": "x", "number": 0}, 422, "malformed"),
        ("POST", "/api/games/open", {}, 422, "malformed"),
        ("POST", "/api/adjudicate", {"variant": "standard"}, 422, "malformed"),
        ("POST", "/api/adjudicate", {"variant": "standard", "phase": "x", "units": {}}, 422, "invalid"),
        ("POST", "/api/adjudicate", {"variant": "x", "phase": "x", "units": {}, "what_if": True}, 422, "invalid"),
        ("POST", "GAME/orders", {"phase_number": 1, "seat": "France", "give": ["A LON H"]}, 422, "illegal"),
        ("POST", "GAME/orders", {"phase_number": 1, "seat": "France", "give": ["A PAR - BRU"]}, 422, "invalid"),
        ("POST", "GAME/orders", {"phase_number": 0, "seat": "France", "give": ["A PAR H"]}, 409, "stale"),
        ("POST", "GAME/orders", {"phase_number": 10**30, "seat": "France"}, 422, "malformed"),
        ("POST", "GAME/orders", {"phase_number": 1, "seat": "Narnia"}, 422, "invalid"),
        ("POST", "GAME/orders", {"phase_number": 1, "seat": "France", "give": ["x" * 2000]}, 422, "malformed"),
        ("POST", "GAME/process", {"phase_number": 7}, 409, "stale"),
        ("POST", "GAME/undo", {"phase_number": 1}, 409, "over"),
        ("POST", "GAME/draw", {"phase_number": 1, "powers": ["Narnia"]}, 422, "invalid"),
        ("POST", "GAME/fork", {"turn": 3}, 404, "not_found"),
        ("POST", "GAME/share", {"turn": 3}, 404, "not_found"),
        ("DELETE", "GAME", None, 403, "not_yours"),
        ("GET", "GAME/turns/0", None, 404, "not_found"),
        ("GET", "GAME/turns/minus", None, 422, "malformed"),
        ("GET", "GAME?seat=Narnia", None, 422, "invalid"),
        ("GET", "GAME/options?seat=observer", None, 401, "no_key"),
        ("GET", "GAME/complete?text=a", None, 422, "invalid"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_one_sentence(  # a case
    client: TestClient, method: str, path: str, body: Any, status: int, code: str
) -> None:
    game = opened(client)
    answer = client.request(method, path.replace("GAME", game), json=body)
    assert fault(answer)[:2] == (status, code)


@pytest.mark.parametrize(
    ("content", "kind", "status", "code"),
    [
        (b"{", "application/json", 400, "malformed"),
        (b"\xff\xfe", "application/json", 400, "malformed"),
        (b"[" * 5000, "application/json", 400, "malformed"),
        (b"9" * 5000, "application/json", 400, "malformed"),
        (b"{}", "text/plain", 415, "wrong_type"),
        (b"variant=standard", "application/x-www-form-urlencoded", 415, "wrong_type"),
        (b'{"variant": "' + b"x" * 70_000 + b'"}', "application/json", 413, "too_large"),
    ],
)
def test_a_body_that_is_none_is_refused(client: TestClient, content: bytes, kind: str, status: int, code: str) -> None:
    answer = client.post("/api/games", content=content, headers={"content-type": kind})
    assert fault(answer)[:2] == (status, code)


def test_a_body_of_undeclared_length_is_cut_off_when_it_is_too_long(client: TestClient) -> None:
    pieces = (b" " * 10_000 for _ in range(10))
    answer = client.post("/api/games", content=pieces, headers={"content-type": "application/json"})
    assert fault(answer)[:2] == (413, "too_large")


def test_a_wrong_key_is_refused_and_an_old_cookie_is_as_good_as_none(client: TestClient) -> None:
    game = opened(client)
    assert fault(client.get(game, headers={"authorization": "Bearer wrong"}))[:2] == (401, "no_key")
    assert fault(client.get(game, headers={"authorization": "Basic x"}))[:2] == (401, "no_key")
    client.cookies.clear()
    client.cookies.set("seat", "wrong")
    assert told(client.get(game), views.View)["viewer"] == {
        "seat": None,
        "seats": [],
        "all_seats": False,
        "former": None,
    }


def test_a_key_is_shown_in_a_header(client: TestClient) -> None:
    answer = told(client.post("/api/games", json={"variant": "standard", "seating": "links"}), None, 201)
    client.cookies.clear()
    keys = answer["keys"]["seats"]
    shown = {"authorization": f"Bearer {keys['France']}~{keys['Italy']}"}
    view = told(client.get(f"/api/games/{answer['id']}", headers=shown), views.View)
    assert view["viewer"] == {"seat": "France", "seats": ["France", "Italy"], "all_seats": False, "former": None}


def test_a_turn_says_in_data_what_happened_and_what_was_refused(client: TestClient) -> None:
    position = library.load("standard").opening
    game = opened(client)
    for number in (1, 2):
        body = {"phase_number": number, "seat": "Russia", "give": ["F SEV - RUM"] if number == 1 else []}
        told(client.post(f"{game}/orders", json=body))
        turn = told(client.post(f"{game}/process", json={"phase_number": number}), views.ProcessedPhases)["results"][-1]
    assert "RUM" not in position.owners
    assert [event["sentence"] for event in turn["events"]] == turn["notes"]
    taken = next(event for event in turn["events"] if event["kind"] == "centre_taken")
    assert (taken["powers"], taken["spaces"]) == (["Russia"], ["RUM"])
    assert turn["refusals"] == turn["errors"] == []


def test_a_script_in_a_name_is_text(client: TestClient) -> None:
    name = "<script>alert(1)</script>"
    game = opened(client, name=name)
    page = client.get(game.removeprefix("/api"))
    assert page.status_code == 200
    assert name not in page.text
    assert told(client.get(game))["name"] == name


def test_an_error_of_the_server_is_reported_in_a_sentence(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret words of the machine")

    game = opened(client)
    monkeypatch.setattr("plenipo.server.service.GameService.view", broken)
    answer = client.get(f"{game}/turns/0")
    assert fault(answer)[:2] == (500, "internal")
    page = client.get(game.removeprefix("/api"))
    assert page.status_code == 500
    for text in (answer.text, page.text):
        assert "secret words" not in text
        assert "Traceback" not in text


def test_json_answers_are_utf_8_and_may_not_be_sniffed(client: TestClient) -> None:
    answer = client.get("/api/variants")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    json.loads(answer.content.decode("utf-8"))


@pytest.mark.parametrize(
    ("variant", "options", "counted", "to_win"),
    [
        ("standard", {}, "centre", 18),
        ("irish", {"majors": "France", "minors": "Belgium"}, "point", 200),
        ("napoleonic", {"victory_measure": "pieces", "victory": "30"}, "piece", 30),
    ],
)
def test_the_score_is_of_what_wins(
    client: TestClient, variant: str, options: dict[str, str], counted: str, to_win: int
) -> None:
    game = opened(client, variant, options=options)
    while True:
        view = told(client.get(game), views.View)
        if view["phase"]["season"] == "Fall":
            break
        told(client.post(f"{game}/process", json={"phase_number": view["phase_number"]}))
    assert (view["counted"], view["to_win"]) == (counted, to_win)
    fields = {"centre": "centres", "piece": "units"}
    for power in view["powers"]:
        if power["played"]:
            assert power["score"] == (power[fields[counted]] if counted in fields else 0)
    scores = {power["name"]: power["score"] for power in view["powers"] if power["played"]}
    assert view["last"]["score"] == scores
    assert client.get(f"{game}/history").json()["now"]["score"] == scores


def test_the_gallery_says_what_wins(client: TestClient) -> None:
    variants = {variant["name"]: variant for variant in client.get("/api/variants").json()["variants"]}
    assert (variants["standard"]["counted"], variants["standard"]["to_win"]) == ("centre", 18)
    assert (variants["irish"]["counted"], variants["irish"]["to_win"]) == ("point", 200)
    page = client.get("/").text
    assert "34 centres, 18 to win" in page
    assert "centres, 200 points to win" in page


def test_a_order_set_says_what_is_doubtful_in_it(client: TestClient) -> None:
    game = opened(client)
    body = {"phase_number": 1, "seat": "France", "give": ["A PAR - BUR", "A MAR - BUR"]}
    order_set = told(client.post(f"{game}/orders", json=body), views.OrderSetAnswer)["order_set"]
    (doubt,) = order_set["doubts"]
    assert (doubt["kind"], doubt["orders"]) == ("same_place", ["A PAR - BUR", "A MAR - BUR"])
    assert doubt["sentence"] == {
        "text": "A PAR - BUR and A MAR - BUR move to the same space and will bounce.",
        "kind": "both-bounce",
        "parts": {"order": "A PAR - BUR", "other": "A MAR - BUR"},
    }


def test_a_game_that_first_waits_for_no_person_goes_on_automatically(client: TestClient) -> None:
    view = told(client.get(opened(client, "irish", computers="others", power="Austria")), views.View)
    assert (view["turn"], view["phase"]["kind"]) == (1, "movement")


@pytest.mark.parametrize(
    "part",
    [
        b'"id": "\\ud800"',
        b'"phase": "\\ud800"',
        b'"variant": "\\ud800"',
        b'"units": {"\\ud800": ["A PAR"]}',
        b'"id": ' + b"[" * 400 + b"]" * 400,
        b'"id": ' + b"[" * 960 + b"]" * 960,
        b'"slots": {"points": {"France": 1e999}}',
        b'"changes": [{}]',
        b'"changes": [{"split": "PAR", "from": ["BUR", 0], "to": ["PIC", 0], "halves": ["PAR 1", "PAR 2"]}]',
        b'"orders": {"France": ["A PAR 1 B"]}',
        b'"options": {"minors": "\\ud800"}',
    ],
)
def test_no_line_breaks_the_server(client: TestClient, part: bytes) -> None:
    head = b'{"variant": "irish", "phase": "Winter 1974 adjustments", "units": {}, "centres": {"France": ["PAR"]}, '
    answer = client.post("/api/adjudicate", content=head + part + b"}", headers={"content-type": "application/json"})
    assert answer.status_code in {200, 400, 422}, answer.text
    assert "results" in answer.json() or fault(answer)


def test_a_player_who_resigns_by_a_key_is_answered_as_a_spectator(client: TestClient) -> None:
    new = told(client.post("/api/games", json={"variant": "standard", "lobby": True}), views.NewGame, 201)
    game = f"/api/games/{new['id']}"
    invited = {"authorization": f"Bearer {new['invitation'].rpartition('/')[2]}"}
    key = told(client.post(f"{game}/join", json={"name": "Anna", "power": "France"}, headers=invited), status=201)[
        "key"
    ]
    told(client.post(f"{game}/start", json={}, headers={"authorization": f"Bearer {new['keys']['all']}"}))
    client.cookies.clear()
    anna = {"authorization": f"Bearer {key}"}
    left = told(client.post(f"{game}/seats", json={"power": "France", "act": "resign"}, headers=anna), views.SeatAnswer)
    assert left["view"]["viewer"]["seats"] == []
    assert fault(client.get(game, headers=anna))[0] == 401


def test_results_name_the_powers_without_an_order_set_and_no_others(client: TestClient) -> None:
    game = opened(client)
    for power, give in (("France", ["A PAR - BUR"]), ("Germany", [])):  # one order for three units, and none saved
        told(client.post(f"{game}/orders", json={"phase_number": 1, "seat": power, "give": give}))
    told(client.post(f"{game}/ready", json={"phase_number": 1, "seat": "Italy", "ready": True}))
    answer = told(client.post(f"{game}/process", json={"phase_number": 1}))
    with_orders = set(answer["result"]["orders"])
    assert {"France", "Italy"} <= with_orders
    everyone = {"Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"}
    assert set(answer["result"]["nmr"]) == everyone - with_orders
