"""The command line in another language: the option, the texts, and that none of them is missing from the catalogue."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from extract_messages import find_messages
from plenipo import library
from plenipo.cli import app
from plenipo.languages import Catalogue, available
from plenipo.languages import current as now

SCRIPT = library.VARIANTS / "irish" / "games" / "four-years.txt"


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    now.set_language("en")


def run(*args: str | Path, typed: str | None = None, language: str = "") -> Result:
    """Call `plenipo` with `args`; `language` is that of the environment."""
    return CliRunner(env={"PLENIPO_LANGUAGE": language, "COLUMNS": "400"}).invoke(app, [*map(str, args)], input=typed)


@pytest.mark.parametrize(
    ("args", "language"),
    [
        (("--language", "de", "play", "standard"), ""),
        (("play", "--language", "de", "standard"), "en"),
        (("play", "standard", "--language=DE"), ""),
        (("play", "standard"), "de"),
    ],
)
def test_the_language_stands_before_or_after_the_command_or_in_the_environment(
    args: tuple[str, ...], language: str
) -> None:
    told = run(*args, typed="?\n", language=language)
    assert told.exit_code == 0
    assert "Gib Befehle ein wie A PAR - BUR" in told.stdout
    assert run("play", typed="?\n").stdout.count("Type orders such as") == 1


@pytest.mark.parametrize(
    "args", [("--language", "xx", "play"), ("play", "--language", "xx"), ("variants", "--language")]
)
def test_an_unknown_language_is_refused_with_those_there_are(args: tuple[str, ...]) -> None:
    told = run(*args)
    assert told.exit_code == 2
    assert told.stderr == f"Unknown language '{'xx' if 'xx' in args else ''}'; there are {', '.join(available())}.\n"


def test_help_and_errors_are_in_the_language() -> None:
    assert "Ein Spiel im Terminal spielen" in run("play", "--help", "--language", "de").stdout
    assert "Findet die Fehler in Varianten" in run("map", "--help", "--language", "de").stdout
    assert "Findet die Fehler in Varianten" in run("map", "check", "--help", language="de").stdout
    assert "Play a game in the terminal" in run("play", "--help").stdout
    refused = run("play", "--set", "nothing", "--language", "de")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "„nothing“ ist keine Einstellung; schreibe --set SCHLÜSSEL=WERT, zum Beispiel --set rulebook=1971.\n",
    )


ENGLISH = re.compile(
    r"\b(?:the|and|is|was|were|not|have|has|had|with|by|to|it|its|from|for|order|orders|moved|held|because|none|which|"
    r"nobody|took|built|there|this|power|phase|movement|Spring|Fall)\b"
)
"""Words of English sentences that are neither German nor a name."""


PROMISE = r"PROMISE .*?points\.|„[^“]*“"
"""A promise as a player wrote it, and a quotation from one."""


def in_german(text: str) -> list[str]:
    """Return the lines with an English word; names of powers and spaces and texts of players are left out."""
    rules = library.load("irish")
    names = [*rules.names, *(space.name for space in rules.board.spaces.values()), rules.title]
    pattern = "|".join([*map(re.escape, sorted(names, key=len, reverse=True)), PROMISE])
    return [line for line in text.splitlines() if ENGLISH.search(re.sub(pattern, "", line))]


def test_four_years_of_irish_are_played_in_german() -> None:
    told = run("play", "irish", "--orders", SCRIPT, "--language", "de")
    assert told.exit_code == 0
    assert in_german(told.stdout + told.stderr) == []
    assert "ohne Widerstand" in told.stdout


TYPED = """\
?
A BEL
nonsense
A BEL - PIC
show
undo
undo
list
back
done
"""


def test_a_year_of_irish_is_typed_in_german() -> None:
    told = run("play", "irish", "--language", "de", typed=TYPED + "done\n" * 16 + TYPED + "done\n" * 60)
    assert told.exit_code == 0
    typed = re.sub(r"^.*> .*$", "", told.stdout, flags=re.MULTILINE)
    assert "Herbst 1974" in typed
    assert in_german(typed) == []


REFUSALS = [
    (("variants", "standrd"), "„standrd“ ist weder eine Variante noch ein Ordner mit einer; meinst du standard?"),
    (("play", "--set", "rulebook=1900"), "„1900“ ist kein Regelwerk; es gibt die Ausgaben "),
    (("play", "--set", "fgo=1"), "„fgo“ ist keine Option von "),
    (("match", "nobody", "hold"), "„nobody“ ist nicht bekannt als Computerspieler; es gibt "),
    (("verify", str(SCRIPT)), "Das ist kein JSON und daher keine Aufzeichnung"),
]


@pytest.mark.parametrize(("args", "said"), REFUSALS)
def test_errors_are_in_german(args: tuple[str, ...], said: str) -> None:
    refused = run(*args, "--language", "de")
    assert refused.exit_code == 2
    assert said in refused.stderr


def test_mistakes_of_a_variant_are_in_german(tmp_path: Path) -> None:
    file = tmp_path / "mine" / "variant.toml"
    file.parent.mkdir()
    file.write_text('title = "Mine"\nparent = "standrd"\n', encoding="utf-8")
    told = run("check", str(file.parent), "--language", "de")
    assert told.stdout.splitlines() == [
        f"{file}, Zeile 2: „parent“: „standrd“ ist weder eine Variante noch ein Ordner mit einer; meinst du standard?",
        "1 Fehler gefunden.",
    ]


def test_the_checks_of_an_installation_are_in_german(tmp_path: Path) -> None:
    args = ("doctor", "--no-connect", "--database", str(tmp_path / "games.sqlite"), "--language", "de")
    told = run(*args, "--settings", str(tmp_path / "none.env"))
    assert re.search(
        r"^Warnung +database +Es gibt noch keine Datenbank\. Starte den Server einmal", told.stdout, re.MULTILINE
    )
    assert [line for line in told.stdout.splitlines() if ENGLISH.search(line)] == []


def test_cases_are_counted_in_german(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("cases:\n  - id: one\n    expect: {}\n", encoding="utf-8")
    told = run("cases", str(file), "--language", "de")
    assert "gescheitert: Schlüssel „expect“ sagt nichts" in told.stdout
    assert told.stdout.endswith("0 bestanden, 1 gescheitert\n")


def test_a_language_that_covers_a_part_answers_in_it_and_in_english_elsewhere() -> None:
    told = run("play", "standard", "--language", "fr", typed="?\nA Vienne - Bohême\nA VIE - MUN\nquit\n")
    said = told.stdout.replace("\u00a0", " ")
    assert told.exit_code == 0
    assert "Tapez des ordres comme" in said
    assert "  A VIE - BOH\n" in said
    assert "« A VIE - MUN » n'est pas permis : A VIE n'atteint pas Munich." in said
    assert "Autriche> " in said
    refused = run("match", "--language", "fr", "nobody", "hold")
    assert "'nobody' is not a computer player" in refused.stderr


class Pseudo(Catalogue):
    """A catalogue in which every text stands in brackets, and that collects the texts it was asked for."""

    def __init__(self) -> None:
        super().__init__("x-pseudo")
        self.asked: set[tuple[str, str]] = set()

    def pgettext(self, context: str, message: str) -> str:
        """Return the text in brackets."""
        self.asked.add((context, message))
        return f"⟦{message}⟧"

    def npgettext(self, context: str, singular: str, plural: str, number: int) -> str:
        """Return the form for the number in brackets."""
        self.asked.add((context, singular))
        return f"⟦{singular if number == 1 else plural}⟧"


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Pseudo:
    found = Pseudo()
    monkeypatch.setattr(now, "_current", [found])
    monkeypatch.setattr("plenipo.cli.language.set_language", lambda _: None)
    return found


def outside(text: str) -> str:
    """Return the text outside of all brackets."""
    before = ""
    while before != text:
        before, text = text, re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
    return text


def test_no_text_of_a_game_is_missing_from_the_catalogue(pseudo: Pseudo) -> None:
    rules = library.load("irish")
    told = run("play", "irish", "--orders", SCRIPT)
    typed = run("play", "irish", typed=TYPED + "done\n" * 60)
    known = {(entry.context, entry.text) for entry in find_messages()}
    wordless = {pair for pair in pseudo.asked - known if re.search("[A-Za-z]", re.sub(r"{\w+}", "", pair[1]))}
    assert wordless == set()
    commands = "list|show|undo|done|back|draw|quit"
    names = "|".join(map(re.escape, sorted([*rules.names, rules.title], key=len, reverse=True)))
    for text in (told.stdout, told.stderr, typed.stdout):
        # a line that was typed is shown as it was, and a cell of a table may be cut between lines
        shown = re.sub(r"^.*> .*$", "", text, flags=re.MULTILINE)
        rest = re.sub(rf"\b(?:{names}|{commands})\b|CHOOSE|{PROMISE}|{re.escape(str(SCRIPT))}", " ", outside(shown))
        assert re.findall(r"[a-z]{3,}", rest) == []


def test_a_picture_has_the_names_of_the_language(tmp_path: Path) -> None:
    assert run("show", "--svg", tmp_path / "en.svg").exit_code == 0
    assert run("--language", "de", "show", "--svg", tmp_path / "de.svg").exit_code == 0
    english, german = ((tmp_path / name).read_text(encoding="utf-8") for name in ("en.svg", "de.svg"))
    assert ">Vienna<" in english
    assert ">Wien<" in german
    assert "Bewegungsphase Frühjahr 1901" in german
    assert ">Vienna<" not in german
