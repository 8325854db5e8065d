"""The sentences in the titles of a picture, which a browser shows as tooltips and reads out."""

from collections.abc import Mapping

from plenipo.engine.board import Terrain
from plenipo.engine.outcome import Result
from plenipo.engine.sentences import Sentence, SentenceKind

__all__ = [
    "CENTRE_FREE",
    "CENTRE_OF",
    "COAST",
    "DISLODGED",
    "DISLODGED_BY",
    "HOME_OF",
    "IMPASSABLE",
    "MARKS",
    "NO_ORDER",
    "RESULT",
    "RESULTS",
    "SPACE",
    "TERRAINS",
    "UNIT_IN",
    "UNIT_OF",
    "WALKER_IN",
]

IMPASSABLE = SentenceKind("map-impassable", "{name} ({code}), nobody may enter", note="A space of the map.")
SPACE = SentenceKind("map-space", "{name} ({code}), {terrain}", note="A space of the map: 'Paris (PAR), inland'.")
TERRAINS: Mapping[Terrain, Sentence] = {
    terrain: SentenceKind(f"terrain-{terrain}", str(terrain))() for terrain in Terrain
}
CENTRE_OF = SentenceKind("map-centre-of", "{space}, supply centre of {owner}")
CENTRE_FREE = SentenceKind("map-centre-free", "{space}, supply centre nobody owns")
HOME_OF = SentenceKind("map-home-of", "{centre}, home of {power}")
UNIT_OF = SentenceKind("map-unit-of", "{type} of {power}", note="A unit: 'Army of France'.")
UNIT_IN = SentenceKind("map-unit-in", "{type} in {place}, {power}", note="A unit: 'Army in Paris, France'.")
COAST = SentenceKind("map-coast", "{space} ({coast})", note="A space with one of its coasts: 'Spain (sc)'.")
NO_ORDER = SentenceKind("map-no-order", "No order")
RESULT = SentenceKind("map-result", "{order}: {result}", note="An order and its result: 'A PAR - BUR: moves'.")
RESULTS: Mapping[Result, Sentence] = {
    result: SentenceKind(f"result-{result.name.lower().replace('_', '-')}", str(result))() for result in Result
}
DISLODGED_BY = SentenceKind("map-dislodged-by", "{unit}, dislodged by {other} of {power}")
DISLODGED = SentenceKind("map-dislodged", "{unit}, dislodged")
WALKER_IN = SentenceKind(
    "map-walker-in", "{walker} {letter}, in {place}", note="A piece that belongs to no power, with its letter."
)
MARKS: Mapping[str, Sentence] = {
    name: SentenceKind(f"map-mark-{name}", words)()
    for name, words in (
        ("hole", "a hole: nothing may enter"),
        ("split", "split in two"),
        ("anarchy", "its unit is in anarchy"),
        ("closed", "closed: nothing may enter"),
        ("walker", "a white walker, with its letter"),  # english: ok
        ("shade", "a dark walker, with its letter"),  # english: ok
    )
}
