"""The language of answers: sentences in that of the reader, with their kinds and parts for programs."""

from typing import Any

from fastapi.testclient import TestClient

GERMAN = {"accept-language": "de"}


def opened(client: TestClient, variant: str = "standard") -> str:
    """Open a game for all seats, and return its address."""
    made = client.post("/api/games", json={"variant": variant}).json()
    return f"/api/games/{made['id']}"


def ask(client: TestClient, address: str, **params: str) -> tuple[Any, Any]:
    """Return an answer in English and in German."""
    english = client.get(address, params=params)
    german = client.get(address, params=params, headers=GERMAN)
    assert (english.status_code, german.status_code) == (200, 200), german.text
    return english.json(), german.json()


def test_an_answer_has_its_sentences_in_the_language_of_the_reader_and_the_same_parts(client: TestClient) -> None:
    game = opened(client)
    body = {"phase_number": 1, "seat": "France", "give": ["A PAR - BUR", "A MAR S F BRE - GAS"]}
    given = client.post(f"{game}/orders", json=body, headers=GERMAN).json()["order_set"]
    assert given["left"]["text"] == "F BRE hat keinen Befehl und hält."
    assert (given["left"]["kind"], given["left"]["parts"]) == ("will-hold", {"units": {"and": ["F BRE"]}})
    (doubt,) = given["doubts"]
    assert (doubt["kind"], doubt["sentence"]["kind"]) == ("other_support", "supports-other")
    assert doubt["sentence"]["text"].startswith("A MAR S F BRE - GAS unterstützt etwas, das F BRE nicht tut")
    english, german = ask(client, game)
    assert german["phase"]["text"] != english["phase"]["text"] == "Spring 1901 movement"
    assert (english["phase"]["code"], german["phase"]["code"]) == ("S1901M", "S1901M")
    assert (english["victory"]["text"], german["victory"]["text"]) == ("18 centres", "18 Zentren")
    assert english["victory"]["parts"] == german["victory"]["parts"] == {"number": 18}
    doubts = [view["order_sets"]["France"]["doubts"][0]["sentence"] for view in (english, german)]
    assert doubts[0]["text"].startswith("A MAR S F BRE - GAS does not match the order of F BRE")
    assert doubts[0]["parts"]["order"] == doubts[1]["parts"]["order"] == "A MAR S F BRE - GAS"
    assert client.get(game).json() == english, "no answer in one language is stored for another"


def test_results_and_their_reasons_are_in_the_language_of_the_reader(client: TestClient) -> None:
    game = opened(client)
    for seat, orders in (("France", ["A PAR - BUR"]), ("Germany", ["A MUN - BUR"])):
        client.post(f"{game}/orders", json={"phase_number": 1, "seat": seat, "give": orders})
    played = client.post(f"{game}/process", json={"phase_number": 1}, headers=GERMAN).json()["result"]
    english, german = ask(client, f"{game}/turns/0")
    assert played["summary"] == german["summary"] != english["summary"]

    def reason(turn: Any) -> Any:
        return next(outcome["why"] for outcome in turn["outcomes"] if outcome["order"] == "A MUN - BUR")

    assert reason(english)["kind"] == reason(german)["kind"]
    assert reason(english)["parts"] == reason(german)["parts"]
    assert reason(english)["text"] != reason(german)["text"]
    assert [line["kind"] for line in english["summary"]] == [line["kind"] for line in german["summary"]]
    why, warum = ask(client, f"{game}/turns/0/why", unit="A PAR")
    assert why["sentence"]["text"].startswith("It would have entered BUR if ")
    assert warum["sentence"]["text"].startswith("Die Einheit hätte BUR erreicht, wenn ")
    assert why["changes"][0][0]["kind"] == warum["changes"][0][0]["kind"]
    page = client.get(game.removeprefix("/api"), headers=GERMAN).text
    assert reason(german)["text"] in page


def test_help_with_orders_is_in_the_language_of_the_reader(client: TestClient) -> None:
    game = opened(client)
    english, german = ask(client, f"{game}/complete", seat="France", text="A PAR - B")
    assert [one["order"] for one in english["completions"]] == [one["order"] for one in german["completions"]]
    assert "Army Paris to Burgundy" in [one["words"] for one in english["completions"]]
    assert "Armee Paris nach Burgund" in [one["words"] for one in german["completions"]]
    english, german = ask(client, f"{game}/complete", seat="France", text="A PAR - BRU")
    assert english["error"]["sentence"]["kind"] == german["error"]["sentence"]["kind"] == "no-space-nearest"
    assert english["error"]["sentence"]["text"] != german["error"]["sentence"]["text"]
    again = {"phase_number": 1, "seat": "France", "give": ["A PAR - BUR"]}
    client.post(f"{game}/orders", json=again)
    message = client.post(f"{game}/orders", json={**again, "give": ["A PAR H"]}, headers=GERMAN).json()["messages"][0]
    assert (message["kind"], message["parts"]) == ("server-order-replaced", {"order": "A PAR - BUR"})
    assert message["text"] == "„A PAR - BUR“ wurde ersetzt."


def test_hints_are_in_the_language_of_the_reader(client: TestClient) -> None:
    game = opened(client)
    english, german = ask(client, f"{game}/hint", seat="France")
    lines = [
        [line for plan in found["plans"] for line in (*plan["expects"], *plan["fears"])] for found in (english, german)
    ]
    assert lines[0]
    assert [line["kind"] for line in lines[0]] == [line["kind"] for line in lines[1]]
    assert all(" von " in line["text"] for line in lines[1])


def test_pictures_have_names_in_the_language_of_the_reader_or_in_the_one_asked_for(client: TestClient) -> None:
    game = opened(client).removeprefix("/api")
    picture = f"{game}/picture.svg?bare=1"
    for _ in range(2):  # the second time from what is stored
        assert ">Vienna<" in client.get(picture).text
        assert ">Wien<" in client.get(picture, headers=GERMAN).text
    assert ">Wien<" in client.get(f"{picture}&language=de").text
    assert ">Vienna<" in client.get(f"{picture}&language=en", headers=GERMAN).text
    assert ">Wien<" in client.get(game, headers=GERMAN).text
    opening = "/variants/standard/picture.svg?legend=0"
    assert ">Vienna<" in client.get(opening, headers=GERMAN).text, "a shared cache may store it"
    assert ">Wien<" in client.get(f"{opening}&language=de").text
    assert f"{opening}&amp;language=de" in client.get("/variants/standard", headers=GERMAN).text
    refused = client.get(f"{picture}&language=xx")
    assert (refused.status_code, refused.json()["error"]["kind"]) == (422, "server-language-unknown")
