"""Tokens and messages: bytes, text and nested lists say the same."""

from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo import library
from plenipo.daide.frames import MOST, FrameFault, FrameKind, FrameReader, ProtocolError, frame, initial, language
from plenipo.daide.tokens import (
    NUMBERS,
    Token,
    Tokens,
    as_text,
    balance,
    build,
    decode,
    encode,
    integer,
    nest,
    number_of,
    parse,
    quote,
)
from plenipo.daide.vocabulary import vocabulary_of
from plenipo.errors import InvalidMessage

WORDS = vocabulary_of(library.load("standard"))
TOKENS = st.sampled_from([*Token, *WORDS.names]) | st.sampled_from(NUMBERS).map(integer)
TEXTS = st.text(st.characters(max_codepoint=255), min_size=1, max_size=8).map(lambda text: tuple(quote(text)))
PIECES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(TOKENS.filter(lambda token: token not in (Token.BRA, Token.KET)).map(lambda token: (int(token),)), TEXTS),
    lambda inner: st.lists(inner, max_size=4).map(lambda parts: (0x4000, *chain(*parts), 0x4001)),
    max_leaves=12,
)
MESSAGES: st.SearchStrategy[Tokens] = st.lists(PIECES, min_size=1, max_size=6).map(lambda parts: tuple(chain(*parts)))


@given(MESSAGES)
def test_a_message_survives_as_bytes_as_text_and_as_lists(message: Tokens) -> None:
    assert decode(encode(message)) == message
    assert parse(as_text(message, WORDS.names), WORDS.tokens) == message
    assert balance(message)
    assert build(*nest(message)) == message


@given(st.sampled_from(NUMBERS))
def test_each_number_has_a_token(number: int) -> None:
    assert number_of(integer(number)) == number


@pytest.mark.parametrize("number", [-8193, 8192, 10**9])
def test_a_number_without_a_token_is_refused(number: int) -> None:
    with pytest.raises(InvalidMessage, match=f"{number} is not a number that DAIDE can send"):
        integer(number)


@pytest.mark.parametrize("text", ["SUB (FOO)", "NME 'never ends", "HLO [AUS]", "TOOLONG"])
def test_a_word_that_is_no_token_is_quoted(text: str) -> None:
    with pytest.raises(InvalidMessage, match="is not a DAIDE token"):
        parse(text, WORDS.tokens)


def test_the_example_of_the_protocol_is_read_and_written() -> None:
    text = "SUB ((ENG FLT BAR) MTO (STP NCS)) ((ENG FLT NWY) SUP (ENG FLT BAR) MTO STP)"
    message = parse(text, WORDS.tokens)
    assert as_text(message, WORDS.names) == text
    assert encode(message[:4]).hex() == "481840004000" + "4101"


def feed(reader: FrameReader, content: bytes, size: int) -> list[tuple[FrameKind, bytes]]:
    pieces = (content[at : at + size] for at in range(0, len(content), size))
    return [(one.kind, one.content) for piece in pieces for one in reader.feed(piece)]


@given(st.lists(MESSAGES, max_size=5), st.integers(1, 50))
def test_frames_are_read_in_pieces_of_any_size(messages: list[Tokens], size: int) -> None:
    sent = initial() + b"".join(map(language, messages)) + frame(FrameKind.FINAL)
    kinds = feed(FrameReader(), sent, size)
    assert [decode(content) for kind, content in kinds if kind is FrameKind.LANGUAGE] == messages
    assert (kinds[0][0], kinds[-1][0]) == (FrameKind.INITIAL, FrameKind.FINAL)


BROKEN = {
    "a web browser": (b"GET / HTTP/1.1\r\n\r\n", FrameFault.NOT_FIRST),
    "language first": (language((Token.HLO,)), FrameFault.NOT_FIRST),
    "the other byte order": (bytes.fromhex("00000400010010da"), FrameFault.ENDIAN),
    "half of the bytes in the other order": (bytes.fromhex("00000004000110da"), FrameFault.ENDIAN),
    "another magic number": (bytes.fromhex("000000040001beef"), FrameFault.MAGIC),
    "another version": (initial(2), FrameFault.VERSION),
    "a second start": (initial() + initial(), FrameFault.TWICE),
    "a short start": (frame(FrameKind.INITIAL, b"\0\1"), FrameFault.SHORT),
    "a representation": (initial() + frame(FrameKind.REPRESENTATION), FrameFault.FROM_CLIENT),
    "an unknown type": (initial() + b"\x09\0\0\0", FrameFault.UNKNOWN),
    "an empty message": (initial() + frame(FrameKind.LANGUAGE), FrameFault.SHORT),
    "half a token": (initial() + frame(FrameKind.LANGUAGE, b"abc"), FrameFault.SHORT),
    "a message too long to be repeated": (initial() + b"\2\0" + (MOST + 2).to_bytes(2, "big"), FrameFault.UNKNOWN),
}


@pytest.mark.parametrize(("sent", "fault"), BROKEN.values(), ids=BROKEN)
def test_a_broken_frame_ends_the_connection_with_its_code(sent: bytes, fault: FrameFault) -> None:
    with pytest.raises(ProtocolError) as raised:
        feed(FrameReader(), sent, 7)
    assert raised.value.fault is fault


def test_a_private_token_is_a_protocol_error() -> None:
    reader = FrameReader()
    (_, one) = reader.feed(initial() + frame(FrameKind.LANGUAGE, b"\x58\x00"))
    with pytest.raises(ProtocolError):
        _ = one.message
