"""The JSON interface under odd questions, made from its own OpenAPI document by schemathesis.

Hundreds of them here, a thousand in `make proofs`.
"""

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import CheckFunction, not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.web.app import create_app
from proofs import so_many
from waiting import LIMIT

Case = Any

EXAMPLES = so_many(12, 3)
"""The number of requests to each address in a run."""

CHECKS: list[CheckFunction] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

BOUNDED = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> GameService:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    return GameService(Store(str(folder / "games.sqlite")))


@pytest.fixture(scope="module")
def game(service: GameService) -> tuple[str, str]:
    """A game with a turn, and its key."""
    opened = service.open(NewGameRequest("standard", {}))
    service.phases.process(opened.id, service.credentials(opened.id, [opened.all_seats]), 1)
    return opened.id, opened.all_seats


@pytest.fixture(scope="module")
def interface(service: GameService) -> Any:
    return schemathesis.openapi.from_asgi("/api/openapi.json", create_app(service))


def addresses() -> list[tuple[str, str]]:
    """Every method and path of the document, but for the events, which have no end."""
    document = create_app(GameService(Store("sqlite://"))).openapi()
    return [
        (method, path)
        for path, methods in document["paths"].items()
        for method in methods
        if not path.endswith("/events")
    ]


@pytest.mark.parametrize(("method", "path"), addresses())
def test_no_question_breaks_the_server(interface: Any, game: tuple[str, str], method: str, path: str) -> None:
    game_id, key = game

    @BOUNDED
    @given(case=interface[path][method].as_strategy(), ours=st.booleans(), mode=st.sampled_from(("key", "none")))
    def ask(case: Case, mode: str, *, ours: bool) -> None:
        if ours and "game" in case.path_parameters:
            case.path_parameters["game"] = game_id
        # by itself schemathesis waits ten seconds, and a picture takes longer on a busy machine
        answer = case.call(headers={"authorization": f"Bearer {key}"} if mode == "key" else {}, timeout=LIMIT)
        assert b"Traceback" not in answer.content
        case.validate_response(answer, checks=CHECKS)

    ask()
