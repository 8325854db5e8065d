"""Names of people and games: none resembles the server, the game or another player."""

import pytest

from plenipo.server.errors import SeatRefused
from plenipo.server.hosting.names import name_of, require_title

OFFICES = [
    "Admin",
    "administrator",
    "MODERATOR",
    "Mod",
    "GM",
    "Game Master",
    "GameMaster",
    "System",
    "Server",
    "Support",
    "Plenipo",
    "Adm1n",
    "@dmin",
    "AdmIn",
    "adrnin",
    "P1en1p0",
    "5y5tem",
    "A d m i n",
    "a.d.m.i.n",
    "-Mod-",
    "Ádmin",
    "Adm\u0131n",  # a dotless i
    "\u0410dmin",  # Cyrillic A
    "\u043c\u043e\u0501",  # all Cyrillic
    "\u0405\u0443\u0455\u0442\u0435\u043c",  # all Cyrillic
    "\u1d00\u1d05\u1d0d\u026a\u0274",  # small capitals
    "\U0001d400\U0001d41d\U0001d426\U0001d422\U0001d427",  # bold letters of mathematics
    "\u24b6\u24d3\u24dc\u24d8\u24dd",  # letters in circles
    "Admin 2",
    "The Moderator",
    "Official Support",
    "a player who left",
]
ADDRESSES = ["everyone", "Everybody", "ALL", "al1", "nobody", "N0body", "observer", "Observer"]


@pytest.mark.parametrize("name", [*OFFICES, *ADDRESSES])
def test_a_name_that_looks_like_an_office_or_an_address_is_reserved(name: str) -> None:
    with pytest.raises(SeatRefused, match=r"' is reserved; choose another name\."):
        name_of(name)


@pytest.mark.parametrize("name", ["Germany", "germany", "Gerrnany", "6ermany", "G\u0435rmany", "\uff27ermany"])
def test_a_name_that_looks_like_a_power_is_reserved_where_the_power_is_known(name: str) -> None:
    with pytest.raises(SeatRefused, match="is reserved"):
        name_of(name, ["France", "Germany"])


@pytest.mark.parametrize("name", ["Ad\u200bmin", "Anna\u200d", "\u3164", "An\u2800na", "\u202eanna", "Ann\ufe0fa"])
def test_invisible_characters_are_refused(name: str) -> None:
    with pytest.raises(SeatRefused, match="has invisible characters"):
        name_of(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ali",
        "ALI",
        "Al",
        "Alan",
        "Modesty",
        "Gmail",
        "Gary M",
        "Systema",
        "Theodor",
        "Émile",
        "Анна",
        "Ольга",
        "明",
        "☺",
    ],
)
def test_a_name_of_a_person_is_taken_as_it_is(name: str) -> None:
    assert name_of(name, ["Germany", "Austria"], ["☹", "Ben"]) == name


@pytest.mark.parametrize("name", ["Anna", "ANNA", "Ann4", "A n n a", "\u0410nn\u0430", "Ánna"])
def test_a_name_that_looks_like_that_of_another_player_is_taken(name: str) -> None:
    with pytest.raises(SeatRefused, match=r"is taken here|several scripts"):
        name_of(name, (), ["Anna"])


@pytest.mark.parametrize("title", ["Admin", "Moderat0r", " Plenipo ", "System", "Official Support"])
def test_a_game_does_not_pretend_an_office(title: str) -> None:
    with pytest.raises(SeatRefused, match="is reserved"):
        require_title(title)


def test_a_game_may_be_called_like_a_power_or_for_everyone() -> None:
    assert [require_title(title) for title in ("Germany", " Everyone ", "")] == ["Germany", "Everyone", ""]
