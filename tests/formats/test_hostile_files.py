"""Files made to take for ever: each is read or refused in a time that grows as the file does.

Before each was mended, it took minutes or hours; a test that hangs ends by the limit of all tests.
"""

from contextlib import suppress
from io import BytesIO

import pytest

from plenipo.errors import PlenipoError
from plenipo.formats import FORMATS
from plenipo.formats.streaming import games_in
from plenipo.library import load

CASE = "VARIANT_ALL Standard\nCASE x\n"
PHASE = f"{CASE}PRESTATE_SETPHASE S1901"
FALLEN = '[Variant "standard"]\n\n== Spring 1901 movement\n@ France: '

HOSTILE = {
    "spaces in the phase of a case": f"{PHASE}{' ' * 60_000}x\n",
    "stars in a position": f"{FALLEN}{'*' * 60_000} | \n",
    "units without an end": f"{FALLEN}{'*A PAR (' * 20_000} | \n",
    "many lines of stars": FALLEN + f"{'*' * 60_000} | \n@ France: " * 100,
    "failed moves beside dislodged units": (
        f"{CASE}PRESTATE_SETPHASE Spring 1901, Retreat\nPRESTATE_DISLODGED\n"
        + "France: A PAR\n" * 4_000
        + "PRESTATE_RESULTS\n"
        + "FAILURE: France: A PAR - BUR\n" * 4_000
        + "END\n"
    ),
    "lines without anything": "x" + "\n" * 200_000,
}
"""Texts of up to some megabytes, by what is wrong with them."""


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_file_takes_longer_than_its_length_allows(text: str) -> None:
    with suppress(PlenipoError):
        for found in games_in(BytesIO(text.encode()), FORMATS):
            found.form.read(found.text, load)
