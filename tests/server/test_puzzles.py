"""Puzzles over HTTP: pages, answers of both kinds, reasons, and refusals in a sentence."""

from dataclasses import replace
from urllib.parse import unquote

import pytest
from fastapi.testclient import TestClient

from plenipo.engine.outcome import Reason
from plenipo.learning.lessons_about import PLAIN, RULE_ABOUT, SAFE_CONVOY, find_rules_about
from plenipo.puzzles import load_case_puzzles, load_order_puzzles
from plenipo.puzzles.case_puzzles import fate_of, list_questions
from plenipo.puzzles.glicko import NEW_SOLVER
from plenipo.server.service import GameService
from plenipo.server.web import puzzles
from plenipo.server.web.app import create_app
from plenipo.server.web.worked_cases import worked_cases

ORDERS = next(one for one in load_order_puzzles().values() if len(one.solution) == 2)
CASE = next(one for one in load_case_puzzles().values() if one.case == "6.D.3")
LEVELS = {
    **{one.number: one.difficulty for one in load_case_puzzles().values()},
    **{one.number: one.difficulty for one in load_order_puzzles().values()},
}
FATES = {str(one.unit): str(fate_of(one)) for one in list_questions(CASE.movement.resolution)}


def message(answer: object) -> str:
    return str(answer.json()["error"]["message"])  # type: ignore[attr-defined]  # an answer of the client


def test_the_list_has_a_chapter_for_every_variant_with_puzzles(client: TestClient) -> None:
    page = client.get("/puzzles").text
    assert 'data-chapter="order"' in page
    for variant in {one.variant for one in load_case_puzzles().values()}:
        assert f'data-chapter="{variant}"' in page
    assert 'href="/puzzles"' in client.get("/learn").text


@pytest.mark.parametrize("number", [ORDERS.number, CASE.number])
def test_a_puzzle_has_a_page_without_its_solution(client: TestClient, number: int) -> None:
    page = client.get(f"/puzzles/{number}").text
    assert f"Puzzle {number}" in page
    assert '"solution"' not in page
    assert "dislodged_by" not in page


def test_one_puzzle_of_every_chapter_is_shown(client: TestClient) -> None:
    for chapter in puzzles.chapters().values():
        number = chapter.numbers[-1]
        assert client.get(f"/puzzles/{number}").status_code == 200, number
        assert client.get(f"/api/puzzles/{number}").json()["questions"], number


def test_the_easiest_puzzle_of_a_chapter_comes_first() -> None:
    for chapter in (*puzzles.chapters().values(), puzzles.order_chapter()):
        levels = [LEVELS[number] for number in chapter.numbers]
        assert levels == sorted(levels)


def test_orders_are_drawn_and_the_solution_is_right(client: TestClient) -> None:
    address = f"/api/puzzles/{ORDERS.number}"
    shown = client.get(address).json()
    assert (shown["kind"], shown["power"], shown["needed"]) == ("order", ORDERS.power, 2)
    drawn = client.post(f"{address}/orders", json={"orders": [ORDERS.solution[0].lower()]}).json()
    assert drawn["orders"] == [ORDERS.solution[0]]
    assert "<path" in drawn["arrows"]["orders"]
    answer = client.post(address, json={"orders": list(ORDERS.solution)}).json()
    assert answer["solved"]
    assert answer["words"]["text"] == "Solved: no other set of at most three orders does it."
    assert answer["picture"].startswith("<svg")


def test_a_wrong_answer_is_refuted_and_gives_nothing_away(client: TestClient) -> None:
    answer = client.post(f"/api/puzzles/{ORDERS.number}", json={"orders": [ORDERS.solution[0]]}).json()
    assert not answer["solved"]
    assert answer["words"]["text"].startswith("Not yet: the others have a reply")
    assert answer["solution"] == []
    shown = client.post(f"/api/puzzles/{ORDERS.number}", json={"solution": True}).json()
    assert (shown["solved"], shown["solution"]) == (False, list(ORDERS.solution))


def test_fates_are_judged_one_by_one_with_lessons_and_the_source(client: TestClient) -> None:
    address = f"/api/puzzles/{CASE.number}"
    assert {one["unit"] for one in client.get(address).json()["questions"]} == set(FATES)
    right = client.post(address, json={"fates": FATES}).json()
    assert (right["solved"], right["source"]) == (True, "DATC 6.D.3")
    assert "cut" in {lesson["id"] for lesson in right["lessons"]}
    assert right["rules"] == "/variants/standard/rules"
    assert "/variants/standard/rules#rule-cut" in {rule["address"] for rule in right["paragraphs"]}
    wrong = client.post(address, json={"fates": {**FATES, "F ADR": "dislodged"}}).json()
    assert wrong["words"]["text"] == "1 answer is wrong."
    assert [one["unit"] for one in wrong["fates"] if one["given"] != one["right"]] == ["F ADR"]


def test_each_rule_about_a_puzzle_is_on_the_page_of_the_rules(client: TestClient) -> None:
    page = client.get("/variants/standard/rules").text
    rules = {*RULE_ABOUT.values(), *PLAIN, SAFE_CONVOY}
    assert [rule for rule in sorted(rules) if f'id="rule-{rule}"' not in page] == []


def test_every_puzzle_about_what_happens_links_the_paragraph_of_the_rule_it_turns_on(client: TestClient) -> None:
    pages = {variant: client.get(f"/variants/{variant}/rules").text for variant in puzzles.chapters()}
    for puzzle in load_case_puzzles().values():
        outcomes = puzzle.movement.resolution.outcomes
        rules = {rule.id for rule in find_rules_about(outcomes)}
        anchor = unquote(puzzles._find_example(puzzle)).removeprefix("#")
        reasons = {outcome.cause.reason for outcome in outcomes}
        assert rules or anchor, puzzle
        assert "illegal" in rules or Reason.ILLEGAL not in reasons, puzzle
        assert not anchor or f'id="{anchor}"' in pages[puzzle.variant], puzzle


def test_every_puzzle_with_an_order_to_find_links_the_paragraph_of_a_rule() -> None:
    for puzzle in load_order_puzzles().values():
        resolution = puzzle.judge(puzzle.read(puzzle.solution)).resolution
        assert find_rules_about(resolution.outcomes), puzzle.number


def test_an_illegal_order_links_its_paragraph_in_the_language_of_the_reader(client: TestClient) -> None:
    number = next(one.number for one in load_case_puzzles().values() if one.case == "6.A.1")
    answer = client.post(f"/api/puzzles/{number}", json={}, headers={"Accept-Language": "de"}).json()
    address = "/variants/standard/rules#rule-illegal"
    assert answer["paragraphs"] == [{"title": "Unzulässige Befehle", "address": address}]


def test_a_fleet_that_convoys_under_attack_links_the_rule_about_that() -> None:
    case = next(one for one in load_case_puzzles().values() if one.case == "6.F.2")
    assert "disrupt" not in {rule.id for rule in find_rules_about(case.movement.resolution.outcomes)}
    attacked = next(one for one in load_case_puzzles().values() if one.case == "6.F.5")
    assert "disrupt" in {rule.id for rule in find_rules_about(attacked.movement.resolution.outcomes)}


def test_the_case_of_a_puzzle_is_linked_where_the_rules_show_it(client: TestClient) -> None:
    variant = "corner"
    chapter = [one for one in load_case_puzzles().values() if one.variant == variant]
    shown = next(one for one in chapter if one.case in worked_cases(variant))
    address = client.post(f"/api/puzzles/{shown.number}", json={}).json()["rules"]
    page, _, anchor = address.partition("#")
    assert page == f"/variants/{variant}/rules"
    assert f'id="{unquote(anchor)}"' in client.get(page).text
    hidden = next(one for one in chapter if one.case not in worked_cases(variant))
    assert client.post(f"/api/puzzles/{hidden.number}", json={}).json()["rules"] == f"{page}#rules-{variant}"


def test_what_would_have_changed_a_result_is_said_on_request(client: TestClient) -> None:
    reason = client.post(f"/api/puzzles/{CASE.number}/reason", json={"unit": "A TRI"}).json()
    assert "the support of F ADR was cut" in reason["why"]["text"]
    orders = client.post(f"/api/puzzles/{ORDERS.number}/reason", json={"unit": ORDERS.solution[0][:5], "orders": []})
    assert orders.status_code == 200


def test_a_first_answer_is_rated_if_it_comes_with_the_rating_of_the_solver(client: TestClient) -> None:
    address = f"/api/puzzles/{CASE.number}"
    assert client.post(address, json={"fates": FATES}).json()["solver"] is None
    won = client.post(address, json={"fates": FATES, "solver": {}}).json()["solver"]
    lost = client.post(address, json={"solver": {}}).json()["solver"]
    assert lost["rating"] < NEW_SOLVER.rating < won["rating"]
    assert lost["change"] < 0 < won["change"]
    again = client.post(address, json={"fates": FATES, "solver": {k: won[k] for k in ("rating", "deviation")}}).json()
    assert again["solver"]["deviation"] < won["deviation"]
    given_away = client.post(f"/api/puzzles/{ORDERS.number}", json={"solution": True, "solver": {}}).json()
    assert given_away["solver"]["change"] < 0
    assert client.post(address, json={"solver": {"rating": -5}}).status_code == 422


def test_a_first_answer_changes_the_rating_of_the_puzzle_and_its_place(service: GameService) -> None:
    client = TestClient(create_app(service, for_others=False), client=("127.0.0.1", 50000))  # which is not limited
    hardest = puzzles.order_chapter().numbers[-1]
    address = f"/api/puzzles/{hardest}"
    before = client.get(address).json()["difficulty"]
    assert before == LEVELS[hardest]
    solution = list(load_order_puzzles()[hardest].solution)
    for _ in range(40):
        client.post(address, json={"orders": solution, "solver": {"rating": 600, "deviation": 60}})
    after = client.get(address).json()["difficulty"]
    assert after < LEVELS[puzzles.order_chapter().numbers[0]] < before
    listed = client.get("/puzzles").text
    assert f'href="/puzzles/{hardest}" data-chapter="order"' in listed
    assert f'"difficulty":{after}' in client.get(f"/puzzles/{hardest}").text


def test_an_answer_without_a_rating_changes_no_puzzle(client: TestClient) -> None:
    address = f"/api/puzzles/{CASE.number}"
    client.post(address, json={"fates": FATES})
    assert client.get(address).json()["difficulty"] == CASE.difficulty


def test_one_network_changes_a_puzzle_once_a_day(service: GameService) -> None:
    client = TestClient(create_app(service), client=("203.0.113.9", 50000))
    other = TestClient(create_app(service), client=("198.51.100.9", 50000))
    address = f"/api/puzzles/{CASE.number}"
    failed = {"solver": {"rating": 3000, "deviation": 60}}

    def level() -> int:
        return int(client.get(address).json()["difficulty"])

    client.post(address, json=failed)
    once = level()
    assert once > CASE.difficulty
    answer = client.post(address, json=failed)
    assert answer.status_code == 200
    assert answer.json()["solver"]["change"] < 0  # the solver is rated all the same
    assert level() == once
    other.post(address, json=failed)
    assert level() > once


def test_a_puzzle_is_read_in_german(client: TestClient) -> None:
    german = {"Accept-Language": "de"}
    assert "Was geschieht?" in client.get(f"/puzzles/{CASE.number}", headers=german).text
    assert "Finde den Befehl" in client.get("/puzzles", headers=german).text
    task = client.get(f"/api/puzzles/{ORDERS.number}", headers=german).json()["task"]["text"]
    assert "was die anderen auch befehlen" in task


def test_refusals_say_what_would_be_right(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/puzzles/9999").status_code == 404
    assert message(client.get("/api/puzzles/9999")) == "There is no puzzle 9999; the list of puzzles is at /puzzles."
    assert client.get("/api/puzzles/chess").status_code == 422
    refused = client.post(f"/api/puzzles/{CASE.number}/orders", json={"orders": []})
    assert message(refused) == f"Puzzle {CASE.number} asks for no orders."
    assert client.post(f"/api/puzzles/{CASE.number}", json={"fates": {"A PAR": "flies"}}).status_code == 422
    assert client.post(f"/api/puzzles/{ORDERS.number}", json={"orders": ["A PAR - MOO"]}).status_code == 422
    gone = replace(CASE, number=9000, variant="chess", source="rules.yaml")
    monkeypatch.setitem(load_case_puzzles(), 9000, gone)
    answer = client.get("/api/puzzles/9000")
    assert answer.status_code == 404
    assert message(answer) == "Puzzle 9000 is about '6.D.3' of the variant 'chess', which is not here."
