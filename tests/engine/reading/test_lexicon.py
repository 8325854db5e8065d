"""Names: every spelling means one space, and what could mean several is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clockwise import standard_board
from plenipo.engine.board import Board, Coast, Code, Location, Space, Terrain
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.position import Power, PowerInfo
from plenipo.engine.reading.lexicon import Lexicon, excerpt, key_of
from plenipo.engine.reading.notation import Notation
from plenipo.errors import AmbiguousOrder, InvalidOrder
from table import corner

STANDARD = Notation(standard_board())
LEXICON = Lexicon(standard_board())

SPELLINGS = [
    (text, space.code)
    for space in standard_board().spaces.values()
    for text in (space.code, space.name, *space.aliases)
]

FIELD = """
NAT: NAO nat "North Atlantic" "North Atlantic Ocean" "N. Atl." northatl
MID: MAO Mid mat Mid-Atlantic "Mid-Atlantic Ocean" "mid atlantic" midatlantic "Middle Atlantic"
NRG: NWG nrg norg "Norwegian Sea" norwegian norweg
GOL: LYO GoL gulfofl "Gulf of Lyon" "Gulf of Lyons" "gulf of l" lyon
TYN: TYS tyn tyh tyrr Tyrrhenian "Tyrrhenian Sea" tyrrh
EAS: EMS EME emed "Eastern Mediterranean" "East Med" "E. Med." east
WES: WME WMS wmed "Western Mediterranean" "West Med" west
BOT: GOB both "Gulf of Bothnia" bothnia gulfofb
IRI: "Irish Sea" irish
TYO: TYR TRL tyl tyo Tyrolia Tyrol
LVP: LPL livp Liverpool liverp
LVN: LVA lvo Livonia livo
NWY: Norway norw norwa
RUM: ROU Rumania Romania
STP: StP "St Petersburg" "St. Petersburg" St.Petersburg "Saint Petersburg" "St Pete" st_petersburg
NAF: NAf "North Africa" "N. Africa"
RUH: RUR Ruhr
SWI: Switzerland switz
ENG: ech channel "English Channel" english
HEL: helg Helgoland Heligoland "Helgoland Bight"
NTH: nts "North Sea" norths
SKA: skag Skagerrak
BAR: bar "Barents Sea" barents
BUR: burg Burgundy Burgandy bürg
MAR: Marseille Marseilles mars
GAL: Galicia galic
CON: con const Constantinople
BLA: black "Black Sea"
"""
"""Names that players write, by their codes; a name of several words is in quotes."""


def field() -> list[tuple[str, str]]:
    """The table above as pairs."""
    pairs = []
    for line in FIELD.strip().splitlines():
        code, _, rest = line.partition(": ")
        for number, part in enumerate(rest.split('"')):
            pairs += [(part, code)] if number % 2 else [(word, code) for word in part.split()]
    return pairs


@pytest.mark.parametrize(("text", "code"), [*SPELLINGS, *field()])
def test_a_name_means_its_space_in_any_case(text: str, code: str) -> None:
    for spelt in (text, text.upper(), text.lower(), text.title(), f"  {text}. "):
        assert STANDARD.location(spelt) == Location(Code(code))


def test_no_two_spaces_of_the_standard_board_share_a_spelling() -> None:
    assert {key: found for key, found in LEXICON.names.items() if len(found) > 1} == {}
    owners: dict[str, str] = {}
    for text, code in SPELLINGS:
        assert owners.setdefault(key_of(text), code) == code


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("LIV", "LVN LVP"),
        ("NOR", "NAF NAT NRG NTH NWY"),
        ("North", "NAF NAT NTH"),
        ("north a", "NAF NAT NTH"),
        ("gulf of", "BOT GOL"),
        ("GULF", "BOT GOL"),
    ],
)
def test_a_name_that_fits_several_spaces_is_refused_with_all_of_them(text: str, codes: str) -> None:
    with pytest.raises(AmbiguousOrder) as caught:
        STANDARD.location(text)
    assert caught.value.suggestions == tuple(codes.split())
    assert all(code in str(caught.value) for code in codes.split())


def test_the_sentence_about_an_ambiguous_name_lists_its_meanings() -> None:
    with pytest.raises(AmbiguousOrder) as caught:
        STANDARD.location("LIV")
    assert str(caught.value) == "'LIV' may be LVN (Livonia) or LVP (Liverpool); write one of them."
    assert caught.value.piece == "LIV"


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("BURG0", "BUR"),
        ("PRA", "PAR"),
        ("Pariss", "PAR"),
        ("Munchen", "MUN"),
        ("Tyrolya", "TYO"),
        ("Wiena", "VIE"),
        ("Skaggerack", "SKA"),
    ],
)
def test_an_unknown_name_suggests_the_nearest(text: str, best: str) -> None:
    with pytest.raises(InvalidOrder) as caught:
        STANDARD.location(text)
    assert not isinstance(caught.value, AmbiguousOrder)
    assert best in caught.value.suggestions
    assert caught.value.piece == text


def test_the_sentence_about_an_unknown_name_gives_codes_and_names() -> None:
    with pytest.raises(InvalidOrder) as caught:
        STANDARD.location("BURG0")
    message = "'BURG0' is not a space of this board; the nearest is BUR (Burgundy)."
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["qqq", "#", "12", "Atlantis"])
def test_the_error_for_an_unrecognisable_name_shows_the_form_of_names(text: str) -> None:
    with pytest.raises(InvalidOrder, match="is not a space of this board; ") as caught:
        STANDARD.location(text)
    assert str(caught.value).count("(") >= 1


@pytest.mark.parametrize("text", ["pa", "bu", "s", "no"])
def test_a_beginning_of_two_letters_is_not_enough(text: str) -> None:
    with pytest.raises(InvalidOrder):
        STANDARD.location(text)
    assert LEXICON.beginning(text) == ()


@given(st.sampled_from(SPELLINGS), st.integers(3, 30))
def test_a_beginning_means_its_space_or_is_refused_or_is_a_spelling_itself(
    spelling: tuple[str, str], size: int
) -> None:
    text, code = spelling
    start = key_of(text)[:size]
    exact = LEXICON.names.get(start)
    found = {location.space for location in exact or LEXICON.beginning(start)}
    assert exact or code in found
    if len(found) == 1:
        assert STANDARD.location(start).space in found
    else:
        with pytest.raises(AmbiguousOrder):
            STANDARD.location(start)


@pytest.mark.parametrize(
    ("text", "coast"),
    [
        (f"{name}{suffix}", coast)
        for name in ("stp", "STP", "St. Petersburg")
        for coast, suffixes in {
            "NC": (
                "/nc",
                "/NC",
                "(nc)",
                "(NC)",
                "-nc",
                " nc",
                " NCS",
                "/ncs",
                " / nc",
                " (north coast)",
                " North Coast",
            ),
            "SC": ("/sc", "(SC)", " (sc)", "-SC", " sc", " SCS", "/s", "(south)", " south coast", " Southern Coast"),
        }.items()
        for suffix in suffixes
    ],
)
def test_a_coast_is_read_in_every_spelling(text: str, coast: str) -> None:
    assert STANDARD.location(text) == Location(Code("STP"), Coast(coast))


@pytest.mark.parametrize("text", ["PAR/NC", "spa(ec)", "BUL-WC", "ADR/SC", "stpnc"])
def test_a_coast_is_kept_whether_or_not_the_space_has_it(text: str) -> None:
    assert STANDARD.location(text).coast == text.strip(")")[-2:].upper()


@pytest.mark.parametrize(("text", "piece"), [("STP/XC", "XC"), ("STP/", "/"), ("STP(xc)", "(xc)"), ("SC", "SC")])
def test_what_is_no_coast_is_refused(text: str, piece: str) -> None:
    with pytest.raises(InvalidOrder) as caught:
        STANDARD.location(text)
    assert caught.value.piece == piece


# -- boards with spaces of other kinds ----------------------------------------------------------------------


def board(*codes: str, **aliases: str) -> Board:
    """A board of unconnected coastal spaces, each named as its code unless `code=name|alias` says otherwise."""
    spaces = []
    for code in codes:
        name, *others = aliases.get(code.replace(" ", "_"), code).split("|")
        spaces.append(Space(Code(code), name, Terrain.COAST, aliases=tuple(others), corner=corner(code)))
    return Board.from_contacts("test", spaces, (), ())


@pytest.mark.parametrize("text", ["NTH 1", "nth 1", "NTH1", "nth-1", "North Sea 1", "north sea west", "N. Sea 1"])
def test_codes_of_several_words_are_names_like_others(text: str) -> None:
    notation = Notation(board("NTH 1", "NTH 2", NTH_1="North Sea 1|North Sea West|N Sea 1"))
    assert notation.location(text) == Location(Code("NTH 1"))


def test_a_word_two_spaces_begin_with_is_ambiguous() -> None:
    with pytest.raises(AmbiguousOrder, match=r"NTH 1 or NTH 2"):
        Notation(board("NTH 1", "NTH 2")).location("NTH")


def test_a_code_outranks_the_name_of_another_space_and_a_name_its_alias() -> None:
    notation = Notation(board("AAA", "BBB", "CCC", BBB="AAA|CCC|ddd", AAA="first|ddd"))
    assert notation.location("aaa").space == "AAA"
    assert notation.location("ccc").space == "CCC"
    with pytest.raises(AmbiguousOrder, match=r"AAA \(first\) or BBB \(AAA\)"):
        notation.location("ddd")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Cote d'Ivoire", "CIV"),
        ("Côte d\N{RIGHT SINGLE QUOTATION MARK}Ivoire", "CIV"),
        ("W.Af", "WAF"),
        ("w af", "WAF"),
        ("waf", "WAF"),
    ],
)
def test_accents_apostrophes_and_dots_do_not_matter(text: str, code: str) -> None:
    assert Notation(board("CIV", "WAF", CIV="Côte d'Ivoire", WAF="West Africa|W.Af")).location(text).space == code


CORNERS = board(
    *"BEL BUR PIC AEG BUL CON MID POR SPA LVN LVP BAL PRU".split(),
    *(
        "[BEL/BUR/PIC]",
        "[AEG/BUL(sc)/CON]",
        "[MID/POR/SPA(nc)]",
        "[MID/POR/SPA(sc)]",
        "[BAL/LVN/PRU]",
        "[BEL/HOL/NTH 1]",
    ),
    MID="Mid-Atlantic Ocean|MAO",
    LVN="Livonia",
    LVP="Liverpool",
    BEL="Belgium",
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[BEL/BUR/PIC]", "[BEL/BUR/PIC]"),
        ("[pic/bel/bur]", "[BEL/BUR/PIC]"),
        ("[ Belgium / BUR / Pic ]", "[BEL/BUR/PIC]"),
        ("[PIC-BUR-BEL]", "[BEL/BUR/PIC]"),
        ("[pic, bur, belg]", "[BEL/BUR/PIC]"),
        ("BEL/BUR/PIC", "[BEL/BUR/PIC]"),
        ("[AEG/BUL(sc)/CON]", "[AEG/BUL(sc)/CON]"),
        ("[AEG/BUL/CON]", "[AEG/BUL(sc)/CON]"),
        ("[con/bul/sc/aeg]", "[AEG/BUL(sc)/CON]"),
        ("[con/bul south coast/aeg]", "[AEG/BUL(sc)/CON]"),
        ("[con/bul (south)/aeg]", "[AEG/BUL(sc)/CON]"),
        ("[Mid-Atlantic Ocean/POR/SPA(nc)]", "[MID/POR/SPA(nc)]"),
        ("[spa-sc/mao/por]", "[MID/POR/SPA(sc)]"),
        ("[LIV/BAL/PRU]", "[BAL/LVN/PRU]"),
        ("[HOL/BEL/NTH 1]", "[BEL/HOL/NTH 1]"),
        ("[hol/bel/nth1]", "[BEL/HOL/NTH 1]"),
    ],
)
def test_a_corner_is_its_areas_in_any_order_and_spelling(text: str, code: str) -> None:
    assert Notation(CORNERS).location(text) == Location(Code(code))


def test_a_corner_whose_coast_is_missing_is_ambiguous_where_two_fit() -> None:
    with pytest.raises(AmbiguousOrder) as caught:
        Notation(CORNERS).location("[POR/SPA/MID]")
    assert caught.value.suggestions == ("[MID/POR/SPA(nc)]", "[MID/POR/SPA(sc)]")


DOUBLES = board(
    *"BEL BUR PIC ICE NRG".split(), "NAT 1", "[BEL/BUR/PIC]", "[ICE>NAT 1>NRG]", "[ICE>NRG>NAT 1]", ICE="Iceland"
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[ICE>NAT 1>NRG]", "[ICE>NAT 1>NRG]"),
        ("[nat1 > nrg > iceland]", "[ICE>NAT 1>NRG]"),
        ("[NRG→ICE→NAT 1]", "[ICE>NAT 1>NRG]"),
        ("[nrg>nat 1>ice]", "[ICE>NRG>NAT 1]"),
        ("[BEL>BUR>PIC]", "[BEL/BUR/PIC]"),
        ("[PIC>BUR>BEL]", "[BEL/BUR/PIC]"),
    ],
)
def test_two_corners_of_the_same_areas_differ_by_their_clockwise_order(text: str, code: str) -> None:
    assert Notation(DOUBLES).location(text) == Location(Code(code))
    order = Notation(DOUBLES).read(f"F NRG - {text}", PhaseKind.MOVEMENT)
    assert str(order) == f"F NRG - {code}"


@pytest.mark.parametrize("text", ["[ICE/NAT 1/NRG]", "[ice/nrg/nat1]", "[NRG-NAT 1-ICE]"])
def test_without_their_order_neither_of_two_such_corners_is_guessed(text: str) -> None:
    with pytest.raises(AmbiguousOrder) as caught:
        Notation(DOUBLES).location(text)
    assert caught.value.suggestions == ("[ICE>NAT 1>NRG]", "[ICE>NRG>NAT 1]")


@pytest.mark.parametrize(
    ("text", "piece", "suggestions"),
    [
        ("[AEG/BUL(ec)/CON]", "[AEG/BUL(ec)/CON]", ("[AEG/BUL(sc)/CON]",)),
        ("[BEL/BUR/SPA]", "[BEL/BUR/SPA]", ("[BEL/BUR/PIC]",)),
        ("[BEL/BUR]", "[BEL/BUR]", ("[BEL/BUR/PIC]",)),
        ("[BEL/BEL/BUR]", "[BEL/BEL/BUR]", ("[BEL/BUR/PIC]",)),
        ("[AEG/POR/PRU]", "[AEG/POR/PRU]", ()),
        ("[BEL/BURX/PIC]", "BURX", ("BUR",)),
        ("[]", "[]", ()),
        ("[/]", "[/]", ()),
    ],
)
def test_a_set_of_areas_that_is_no_corner_is_refused(text: str, piece: str, suggestions: tuple[str, ...]) -> None:
    with pytest.raises(InvalidOrder) as caught:
        Notation(CORNERS).location(text)
    assert caught.value.piece == piece
    assert caught.value.suggestions == suggestions


def test_powers_are_known_by_name_adjective_and_alias() -> None:
    lexicon = Lexicon(
        CORNERS, (PowerInfo(Power("Turkish Empire"), "Turkish", ("Turkey",)), PowerInfo(Power("Austria-Hungary")))
    )
    assert {lexicon.powers[key] for key in ("turkish empire", "turkish", "turkey", "turkishempire")} == {
        "Turkish Empire"
    }
    assert lexicon.powers["austria hungary"] == "Austria-Hungary"
    assert lexicon.longest_power == 2


def test_an_excerpt_is_short_and_of_one_line() -> None:
    assert excerpt(" a\n\tb ") == "a b"
    assert len(excerpt("x" * 10**6)) == 41
    assert excerpt("a\x00b").isprintable()
