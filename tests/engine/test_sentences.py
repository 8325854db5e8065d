"""Sentences as data: their English, their parts, and their rendering in another language."""

import pickle

import pytest

from plenipo.engine.board import Location, UnitKind
from plenipo.engine.position import Power, Unit
from plenipo.engine.sentences import Either, Quoted, Sentence, SentenceKind, join_sentences, render, say
from plenipo.errors import PlenipoError
from plenipo.languages import Catalogue, PoEntry

TOOK = SentenceKind("test-took", "{power} took {places}.")
COUNTED = SentenceKind("test-counted", "{power} has {number} centre.", "{power} has {number} centres.")
MAY = SentenceKind("test-may", "{unit} may go to {places}{end}")
END = SentenceKind("test-end", ", said {text}.")

GERMAN = Catalogue(
    "de",
    [
        PoEntry(1, "test-took", TOOK.template, None, {0: "{places}: erobert ({power})."}),
        PoEntry(
            2,
            "test-counted",
            COUNTED.template,
            COUNTED.plural,
            {0: "{power}: {number} VZ", 1: "{power}: {number} VZen"},
        ),
        PoEntry(3, "test-end", END.template, None, {0: ", sagte {text}."}),
        PoEntry(4, "list", "{others} and {last}", None, {0: "{others} und {last}"}),
    ],
)
NAMES = {"France": "Frankreich", "Paris": "Paris", "Brest": "Brest", "Holland": "Niederlande"}


def test_a_sentence_is_english_and_keeps_its_kind_and_parts() -> None:
    sentence = TOOK(power="France", places=("Paris", "Brest", "Holland"))
    assert str(sentence) == "France took Paris, Brest and Holland."
    assert (sentence.kind, sentence.parts["power"]) == (TOOK, "France")
    assert [str(COUNTED(power="France", number=n)) for n in (1, 2)] == ["France has 1 centre.", "France has 2 centres."]


def test_a_sentence_is_rendered_with_lists_plurals_and_names() -> None:
    sentence = TOOK(power="France", places=("Paris", "Brest", "Holland"))
    assert render(sentence, GERMAN, NAMES) == "Paris, Brest und Niederlande: erobert (Frankreich)."
    assert render(COUNTED(power="France", number=1), GERMAN, NAMES) == "Frankreich: 1 VZ"
    assert render(join_sentences(sentence, sentence), GERMAN).count("erobert") == 2


def test_what_a_player_wrote_is_never_translated_and_a_part_may_be_a_sentence() -> None:
    unit = Unit(Power("France"), UnitKind.ARMY, Location.from_text("PAR"))
    sentence = MAY(unit=unit, places=Either(("Holland", "Brest")), end=END(text=Quoted("Holland")))
    assert str(sentence) == "A PAR may go to Holland or Brest, said Holland."
    assert render(sentence, GERMAN, NAMES) == "A PAR may go to Niederlande or Brest, sagte Holland."


def test_sentences_can_be_pickled_and_two_kinds_never_share_an_identifier() -> None:
    sentence = TOOK(power="France", places=("Paris",))
    again = pickle.loads(pickle.dumps(sentence))  # noqa: S301  # our own
    assert isinstance(again, Sentence)
    assert (again, again.kind, again.parts) == (sentence, TOOK, sentence.parts)
    with pytest.raises(ValueError, match="two kinds"):
        SentenceKind("test-took", "another")


def test_a_sentence_without_an_identifier_is_translated_by_its_template() -> None:
    german = Catalogue("de", [PoEntry(1, "", "'{key}' is not known: {why}", None, {0: "„{key}“ ist unbekannt: {why}"})])
    sentence = say("'{key}' is not known: {why}", key="army", why=PlenipoError(say("no {noun}.", noun="army")))
    assert sentence == "'army' is not known: no army."
    names = {"army": "Armee"}
    assert render(sentence, german, names) == "„army“ ist unbekannt: no army."
    assert render(pickle.loads(pickle.dumps(sentence)), german, names) == "„army“ ist unbekannt: no army."  # noqa: S301
