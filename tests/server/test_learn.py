"""Lessons over HTTP: pages, exercises, orders that are drawn or played, and refusals in a sentence."""

from fastapi.testclient import TestClient

from plenipo.learning import load_lessons


def test_the_list_has_every_lesson(client: TestClient) -> None:
    page = client.get("/learn").text
    assert [name for name in load_lessons() if f'href="/learn/{name}"' not in page] == []


def test_every_lesson_has_a_page(client: TestClient) -> None:
    for name, lesson in load_lessons().items():
        page = client.get(f"/learn/{name}").text
        assert lesson.title in page
        assert ('id="the-exercise"' in page) == bool(lesson.exercises)
    assert 'action="/play"' in client.get("/learn/first-year").text


def test_the_solution_is_not_on_the_page_and_the_goal_neither(client: TestClient) -> None:
    answer = client.get("/api/lessons/support-move/1").json()
    assert (answer["power"], answer["needed"], answer["count"]) == ("France", 2, 2)
    assert "solution" not in answer
    assert "One army moves" not in client.get("/learn/support-move").text, "the hint comes after a wrong answer"


def test_orders_are_read_and_drawn_before_they_are_played(client: TestClient) -> None:
    answer = client.post("/api/lessons/support-move/1/orders", json={"orders": ["par-bur", "mar s par-bur"]}).json()
    assert answer["orders"] == ["A PAR - BUR", "A MAR S A PAR - BUR"]
    assert "<path" in answer["arrows"]["orders"]


def test_a_wrong_answer_gets_a_hint_and_the_right_one_an_explanation(client: TestClient) -> None:
    address = "/api/lessons/support-move/1"
    wrong = client.post(address, json={"orders": ["A PAR - BUR"]}).json()
    assert (wrong["solved"], wrong["stars"]) == (False, 0)
    assert wrong["words"].startswith("One army moves to Burgundy.")
    right = client.post(address, json={"orders": ["A PAR - BUR", "A MAR S A PAR - BUR"]}).json()
    assert (right["solved"], right["stars"]) == (True, 3)
    assert "attack 2 (with A MAR) against hold 1" in str(right["outcomes"])
    assert right["picture"].startswith("<svg")


def test_a_lesson_is_read_and_ordered_in_german(client: TestClient) -> None:
    german = {"Accept-Language": "de"}
    assert "Einen Zug unterstützen" in client.get("/learn/support-move", headers=german).text
    answer = client.post("/api/lessons/move/1", json={"orders": ["A Paris nach Burgund"]}, headers=german).json()
    assert answer["words"] == "Nichts stand der Armee im Weg, also zog sie nach Burgund."


def test_refusals_say_what_would_be_right(client: TestClient) -> None:
    def message(answer: object) -> str:
        return str(answer.json()["error"]["message"])  # type: ignore[attr-defined]  # an answer of the client

    assert client.get("/learn/chess").status_code == 404
    assert "the list of lessons is at /learn" in message(client.get("/api/lessons/chess/1"))
    assert message(client.get("/api/lessons/move/9")) == "There is no exercise 9 in the lesson 'move'; the last is 2."
    assert message(client.get("/api/lessons/cut/2")) == "There is no exercise 2 in the lesson 'cut'; the last is 1."
    refused = client.post("/api/lessons/move/1", json={"orders": ["A PAR - LON"]})
    assert refused.status_code == 422
    assert "LON" in message(refused)
    assert client.post("/api/lessons/move/1", json={"orders": ["H"] * 21}).status_code == 422
