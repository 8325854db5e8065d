"""The kernel is compiled once for all processes of a test run."""

import pytest

from agree import warm


@pytest.fixture(scope="session", autouse=True)
def compiled_kernel() -> None:
    warm()
