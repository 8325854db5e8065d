"""The grammar: what a client may say at each level, and where it goes wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo import library
from plenipo.daide.grammar import LEVELS, check_from_client, mark_error
from plenipo.daide.tokens import Token, as_text, parse
from plenipo.daide.vocabulary import vocabulary_of

WORDS = vocabulary_of(library.load("standard"))
KNOWN = frozenset(WORDS.names)

FINE = {
    0: """
NME ('Albert') ('v6.0.1')
OBS
OBS ('Mapper') ('1')
IAM (FRA) (1234)
YES (MAP ('standard'))
REJ (MAP ('standard'))
HST (SPR 1901)
SUB ((ENG AMY LVP) HLD) ((ENG FLT LON) MTO NTH) ((ENG FLT EDI) SUP (ENG FLT LON) MTO NTH)
SUB ((ITA AMY TUN) CTO SYR VIA (ION EAS)) ((ITA FLT ION) CVY (ITA AMY TUN) CTO SYR)
SUB ((RUS FLT (STP SCS)) RTO GOB) ((ITA FLT NAP) BLD) ((RUS FLT GOB) REM) (RUS WVE) ((FRA AMY PAR) DSB)
NOT (SUB ((ENG AMY LVP) HLD))
NOT (SUB)
NOT (GOF)
NOT (TME (60))
TME (60)
ADM ('me') ('hello')
HUH (ERR NOW)
PRN (SUB)""".strip().splitlines(),
    10: """
SND (FRA) (PRP (PCE (ENG FRA)))
SND (FRA GER) (PRP (ALY (ENG FRA GER) VSS (AUS ITA)))
SND (FRA) (PRP (NOT (DRW)))
SND (FRA) (PRP (SLO (FRA)))
SND (FRA) (YES (PRP (PCE (ENG FRA))))
SND (FRA) (HUH (PRP (ERR PCE (ENG FRA))))
SND (FRA) (TRY (PRP PCE XDO))""".strip().splitlines(),
    20: """
SND (FRA) (PRP (XDO ((FRA AMY PAR) MTO PIC)))
SND (FRA) (PRP (NOT (XDO ((FRA AMY PAR) MTO PIC))))
SND (FRA) (BWX (PRP (DMZ (ENG FRA) (ECH PIC))))""".strip().splitlines(),
    30: """
SND (FRA) (PRP (AND (PCE (ENG FRA)) (XDO ((FRA AMY PAR) MTO PIC))))
SND (FRA) (REJ (PRP (ORR (PCE (ENG FRA)) (NOT (DRW)) (DRW))))""".strip().splitlines(),
}


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_has_its_messages_and_those_below(level: int) -> None:
    for needs, texts in FINE.items():
        for text in texts:
            place = check_from_client(parse(text, WORDS.tokens), level, KNOWN)
            assert (place is None) == (needs <= level), text


WRONG = """
ERR SND (FRA) (PRP (PCE (ENG FRA)))
ERR FRM
SUB ERR
SUB ((ENG AMY LVP) ERR BNC)
SUB ((ENG AMY LVP) MTO ERR)
SUB ((ENG AMY LVP) HLD ERR HLD)
SUB ((ENG AMY ERR FRA) HLD)
SUB ((ENG AMY LVP) CTO NWY ERR)
SUB ((ENG AMY LVP) CTO NWY VIA (ERR))
NME ('Albert') ERR
HST (SPR ERR)
NOT (ERR NOW)
HLO ERR (ENG)
TME (ERR ENG)""".strip().splitlines()


@pytest.mark.parametrize("text", WRONG)
def test_the_first_offending_token_is_marked(text: str) -> None:
    sent = tuple(token for token in parse(text, WORDS.tokens) if token != Token.ERR)
    place = check_from_client(sent, 0, KNOWN)
    assert place is not None
    assert as_text(mark_error(sent, place), WORDS.names) == f"HUH ({text})"


def test_a_province_that_is_not_on_the_map_is_no_province() -> None:
    sent = parse("SUB ((ENG AMY LVP) MTO YOR)", WORDS.tokens)
    assert check_from_client(sent, 0, KNOWN - {WORDS.tokens["YOR"]}) == sent.index(WORDS.tokens["YOR"])


@given(st.lists(st.sampled_from([*Token, *WORDS.names, 7]), min_size=1, max_size=200))
def test_no_tokens_break_the_check(tokens: list[int]) -> None:
    place = check_from_client(tuple(tokens), 30, KNOWN)
    assert place is None or 0 <= place <= len(tokens)


def test_the_deepest_brackets_are_checked() -> None:
    depth = 16_000
    deep = (Token.SND, Token.BRA, WORDS.tokens["FRA"], Token.KET, *[Token.BRA, Token.NOT] * depth, *[Token.KET] * depth)
    assert check_from_client(deep, 30, KNOWN) is not None


def test_a_coast_is_one_of_the_eight() -> None:
    sent = (*parse("SUB ((RUS FLT BAR) MTO (STP", WORDS.tokens), 0x4601, *parse(")))", {}))
    assert check_from_client(sent, 0, KNOWN) == sent.index(0x4601)
