"""Orders written with the names and words of another language, and the names shown in it."""

import pytest

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.sentences import Sentence, render
from plenipo.errors import InvalidOrder, PlenipoError
from plenipo.languages import catalogue
from plenipo.languages.names import names_in, vocabulary_in
from plenipo.library import load

GERMAN = [
    ("A Wien - Böhmen", "A VIE - BOH"),
    ("A Wien - Boehmen", "A VIE - BOH"),
    ("F Nordsee - Norwegen", "F NTH - NWY"),
    ("Armee Wien nach Tirol", "A VIE - TYO"),
    ("Flotte Schwarzes Meer zieht nach Rumänien", "F BLA - RUM"),
    ("A München hält", "A MUN H"),
    ("A Muenchen haelt", "A MUN H"),
    ("Armee in München bleibt", "A MUN H"),
    ("A Paris unterstützt A Marseille nach Burgund", "A PAR S A MAR - BUR"),
    ("A Paris unterstützt Armee Marseille", "A PAR S A MAR"),
    ("A Paris U A Marseille - Burgund", "A PAR S A MAR - BUR"),
    ("A Paris unterstützt den Angriff von A Marseille auf Burgund", "A PAR S A MAR - BUR"),
    ("F Nordsee befördert A London nach Norwegen", "F NTH C A LON - NWY"),
    ("F Ärmelkanal Konvoi A London - Belgien", "F ENG C A LON - BEL"),
    ("A London per Konvoi nach Norwegen", "A LON - NWY VIA"),
    ("F St. Petersburg (Südküste) nach Bottnischer Meerbusen", "F STP/SC - BOT"),
    ("F Petersburg Nordküste - Barentssee", "F STP/NC - BAR"),
    ("F Golf von Lyon - Westliches Mittelmeer", "F GOL - WES"),
    ("Österreich-Ungarn: A Wien - Galizien", "A VIE - GAL"),
    ("F NTH - NWY", "F NTH - NWY"),
    ("Fleet North Sea to Norway", "F NTH - NWY"),
    ("A Paris holds", "A PAR H"),
]

FRENCH = [
    ("A Vienne - Bohême", "A VIE - BOH"),
    ("A Vienne - Boheme", "A VIE - BOH"),
    ("Armée de Vienne vers le Tyrol", "A VIE - TYO"),
    ("L'armée de Vienne va vers l'Adriatique", "A VIE - ADR"),
    ("La flotte de la Mer Noire attaque la Roumanie", "F BLA - RUM"),
    ("F Mer d'Irlande - Pays de Galles", "F IRI - WAL"),
    ("F Londres - mer d\u2019Irlande", "F LON - IRI"),
    ("A Munich tient", "A MUN H"),
    ("A Munich T", "A MUN H"),
    ("Armée Munich reste sur place", "A MUN H"),
    ("A Paris soutient l'armée de Marseille", "A PAR S A MAR"),
    ("A Paris soutient A Marseille vers Bourgogne", "A PAR S A MAR - BUR"),
    ("A Paris soutient l'attaque de A Marseille sur Bourgogne", "A PAR S A MAR - BUR"),
    ("F Mer du Nord convoie A Londres vers Norvège", "F NTH C A LON - NWY"),
    ("A Londres - Norvège par convoi", "A LON - NWY VIA"),
    ("A MAR S A PAR - BUR", "A MAR S A PAR - BUR"),
    ("F Saint-Pétersbourg (côte sud) - Golfe de Botnie", "F STP/SC - BOT"),
    ("Autriche: A Vienne - Galicie", "A VIE - GAL"),
    ("Fleet North Sea to Norway", "F NTH - NWY"),
]


@pytest.mark.parametrize(
    ("language", "text", "order"),
    [(language, *case) for language, cases in (("de", GERMAN), ("fr", FRENCH)) for case in cases],
)
def test_an_order_is_understood_in_the_language_of_the_player(language: str, text: str, order: str) -> None:
    notation = notation_of(load("standard"), None, vocabulary_in(language, "standard"))
    assert str(notation.read(text, PhaseKind.MOVEMENT)) == order


@pytest.mark.parametrize(
    ("text", "kind", "order"),
    [
        ("A München zieht sich nach Böhmen zurück", PhaseKind.RETREATS, "A MUN R BOH"),
        ("A München - Böhmen", PhaseKind.RETREATS, "A MUN R BOH"),
        ("A München wird aufgelöst", PhaseKind.RETREATS, "A MUN D"),
        ("Aufbau A Wien", PhaseKind.ADJUSTMENTS, "A VIE B"),
        ("baut A Wien auf", PhaseKind.ADJUSTMENTS, "A VIE B"),
        ("Flotte Triest Aufbau", PhaseKind.ADJUSTMENTS, "F TRI B"),
        ("Abbau A Wien", PhaseKind.ADJUSTMENTS, "A VIE D"),
        ("verzichtet", PhaseKind.ADJUSTMENTS, "WAIVE"),
    ],
)
def test_retreats_and_builds_are_understood_in_german(text: str, kind: PhaseKind, order: str) -> None:
    notation = notation_of(load("standard"), None, vocabulary_in("de", "standard"))
    assert str(notation.read(text, kind)) == order


@pytest.mark.parametrize(
    ("text", "kind", "order"),
    [
        ("A Munich se replie vers Bohême", PhaseKind.RETREATS, "A MUN R BOH"),
        ("A Munich est dissoute", PhaseKind.RETREATS, "A MUN D"),
        ("Construire A Vienne", PhaseKind.ADJUSTMENTS, "A VIE B"),
        ("Flotte Trieste construction", PhaseKind.ADJUSTMENTS, "F TRI B"),
        ("Retirer A Vienne", PhaseKind.ADJUSTMENTS, "A VIE D"),
        ("renonce", PhaseKind.ADJUSTMENTS, "WAIVE"),
    ],
)
def test_retreats_and_builds_are_understood_in_french(text: str, kind: PhaseKind, order: str) -> None:
    notation = notation_of(load("standard"), None, vocabulary_in("fr", "standard"))
    assert str(notation.read(text, kind)) == order


def test_several_orders_are_read_from_one_text() -> None:
    notation = notation_of(load("standard"), None, vocabulary_in("de", "standard"))
    text = "Frankreich:\nA Paris hält und A Marseille hält; F Brest - Ärmelkanal"
    read = notation.order_set(text, PhaseKind.MOVEMENT)
    assert [str(line.order) for line in read.lines] == ["A PAR H", "A MAR H", "F BRE - ENG"]
    assert {line.power for line in read.lines} == {"France"}


@pytest.mark.parametrize("variant", ["standard", "1897", "cline", "corner", "irish", "napoleonic"])
@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_name_is_translated_and_understood(language: str, variant: str) -> None:
    rules, names = load(variant), names_in(language, variant)
    notation = notation_of(rules, None, vocabulary_in(language, variant))
    for space in rules.board.spaces.values():
        if not space.corner:
            assert notation.location(names[space.name]).space == space.code
            assert notation.location(space.name).space == space.code
    assert [power.name for power in rules.powers if power.name not in names] == []


def test_a_fault_names_places_in_the_language_of_the_player() -> None:
    rules = load("standard")
    entry = OrderEntry(rules, Game.new(rules).position, Power("Austria"), vocabulary=vocabulary_in("de", "standard"))
    german, names = catalogue("de", "rules"), names_in("de", "standard")

    def refusal(text: str) -> str:
        with pytest.raises(PlenipoError) as refused:
            entry.read(text)
        assert isinstance(refused.value.sentence, Sentence)
        return render(refused.value.sentence, german, names)

    assert refusal("A Wien - Münchn") == ("„Münchn“ ist kein Feld dieses Bretts; am ähnlichsten ist MUN (München).")
    assert refusal("A Wien - München") == "„A VIE - MUN“ ist nicht erlaubt: A VIE erreicht München nicht."
    assert refusal("F Triest - Wien") == "„F TRI - VIE“ ist nicht erlaubt: eine Flotte kann Wien nicht betreten."


def test_english_is_not_changed_by_another_language() -> None:
    notation = notation_of(load("standard"))
    with pytest.raises(InvalidOrder):
        notation.read("A Wien - Böhmen", PhaseKind.MOVEMENT)
    assert vocabulary_in("en", "standard") is None
