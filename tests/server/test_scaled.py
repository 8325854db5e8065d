"""Scaled out: two servers of pages and two workers, as programs of their own, on one PostgreSQL."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from deadlines import due_at, filled
from plenipo.server.store import Store
from scaled import begun, messages, scaled
from waiting import wait_until

GAMES = 4


def is_processed(store: Store, game: str) -> bool:
    return store.stands([game])[game].phase_number == 2


def test_what_one_process_does_the_others_know_and_a_phase_is_processed_by_one(postgres: str, tmp_path: Path) -> None:
    games = filled(postgres, GAMES)
    with scaled(postgres, tmp_path) as (first, second):
        game = begun(first)
        _, there = second.ask("GET", f"/api/games/{game.id}", key=game.germany)
        assert there["phase_number"] == 1
        body = {"phase_number": 1, "seat": "France", "orders": ["A PAR - BUR"]}
        assert first.ask("PUT", f"/api/games/{game.id}/orders", body, game.france)[0] == 200
        _, order_sets = second.ask("GET", f"/api/games/{game.id}?seat=France", key=game.france)
        assert [order["text"] for order in order_sets["order_sets"]["France"]["orders"]] == ["A PAR - BUR"]
        assert "PAR - BUR" not in str(
            second.ask("GET", f"/api/games/{game.id}?seat=Germany", key=game.germany)[1]["order_sets"]
        )
        messages(first, second, game, 2)  # their reader listens at the other server
        _, threads = second.ask("GET", f"/api/games/{game.id}/press", key=game.germany)
        assert [thread["unread"] for thread in threads["threads"]] == [2]
        heard = second.events(games[0], "observer", "")
        now = datetime.now(UTC)
        due_at(postgres, dict.fromkeys(games, now))
        wait_until(lambda: heard.get(timeout=60)[0] == "phase", pause=0)
        store = Store(postgres)
        for one in games:
            wait_until(partial(is_processed, store, one))
            found = store.read(one)
            assert found is not None
            assert found.phase_number == 2
            assert len(found.record["entries"]) == 1, "it was processed once"
        store.close()
        for log in tmp_path.glob("*.log"):
            assert "Traceback" not in log.read_text(encoding="utf-8"), log.name
