"""Logs of DAIDE: as a server's messages to several clients, and what is no such log."""

import pytest

from formats.sample_games import play
from plenipo import library
from plenipo.engine.history.messages import Message
from plenipo.engine.position import Power
from plenipo.errors import PlenipoError
from plenipo.formats import FORMATS

DAIDE = FORMATS["daide"]

LOG = """17,NME ( 'Robot' ) ( '1.0' )
17,,MAP ( 'standard' )
17,,SCO ( AUS BUD ) ( FRA MAR ) ( UNO SPA )
17,,NOW ( SPR #1901 ) ( AUS AMY BUD ) ( FRA FLT MAR ) ( FRA AMY GAS ) ( RUS FLT ( STP SCS ) )
17,SUB ( SPR #1901 ) ( ( FRA FLT MAR ) MTO ( SPA SCS ) )
17,,ORD ( SPR #1901 ) ( ( FRA FLT MAR ) MTO ( SPA SCS ) ) ( SUC )
18,,ORD ( SPR #1901 ) ( ( FRA FLT MAR ) MTO ( SPA SCS ) ) ( SUC )
17,,ORD ( SPR #1901 ) ( ( FRA AMY GAS ) SUP ( FRA FLT MAR ) MTO SPA ) ( SUC )
17,,ORD ( SPR #1901 ) ( ( RUS FLT ( STP SCS ) ) MTO GOB ) ( SUC )
18,,FRM ( FRA ) ( AUS RUS ) ( PRP ( PCE ( AUS FRA ) ) )
17,,NOW ( FAL #1901 ) ( AUS AMY BUD ) ( FRA FLT ( SPA SCS ) ) ( FRA AMY GAS ) ( RUS FLT GOB )
17,,DRW
"""
"""A server's log, with what two clients received."""


def test_the_log_of_a_server_is_read_once_however_many_clients_received_it() -> None:
    assert [name for name, form in FORMATS.items() if form.sniff(LOG)] == ["daide"]
    game = DAIDE.read(LOG, library.load)
    (turn,) = game.turns
    assert turn.orders[Power("France")] == ("F MAR - SPA/SC", "A GAS S F MAR - SPA")
    assert {str(unit) for unit in game.position.units} == {"A BUD", "F SPA/SC", "A GAS", "F BOT"}
    assert game.position.owners["MAR"] == "France"  # type: ignore[index]  # a code is a text
    assert game.over
    assert game.messages == tuple(
        Message("France", power, "S1901M", "( PRP ( PCE ( AUS FRA ) ) )") for power in ("Austria", "Russia")
    )


def test_the_log_of_a_game_has_an_order_and_a_result_for_every_unit_that_was_ordered() -> None:
    game = play(2, turns=6)
    lines = DAIDE.write(game).splitlines()
    ordered = [one for turn in game.turns for one in turn.resolution.outcomes if one.order is not None]
    assert sum(line.startswith("ORD ( ") for line in lines) <= len(ordered)
    assert all(line.count("(") == line.count(")") for line in lines)
    assert lines[0] == "MAP ( 'standard' )"


def test_the_coast_of_a_supported_move_is_kept_though_the_protocol_needs_none() -> None:
    log = LOG.replace("SUP ( FRA FLT MAR ) MTO SPA )", "SUP ( FRA FLT MAR ) MTO ( SPA SCS ) )")
    game = DAIDE.read(DAIDE.write(DAIDE.read(log, library.load)), library.load)
    assert "A GAS S F MAR - SPA/SC" in game.turns[0].orders[Power("France")]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("NOW ( SPR #1901 ) ( AUS AMY", "Line 13: "),
        ("NOW ( SPR #1901 ) )", "Line 13: "),
        ("NOW ( XXX #1901 )", "Line 13: "),
        ("ORD ( SPR #1901 ) ( ( FRA FLT MAR ) FLY ) ( SUC )", "Line 13: "),
        ("SCO ( XXX BUD )", "Line 13: "),
        ("NOW " + "( " * 5000, "Line 13: "),
    ],
)
def test_a_broken_message_is_named_by_its_line(line: str, sentence: str) -> None:
    with pytest.raises(PlenipoError) as caught:
        DAIDE.read(LOG + line + "\n", library.load)
    assert str(caught.value).startswith(sentence)
    assert "is not a message of a DAIDE server" in str(caught.value)
