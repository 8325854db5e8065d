"""A server on one's own machine answers to the names of that machine only."""

from fastapi.testclient import TestClient

from plenipo.server.host import Host
from plenipo.server.web.app import create_app


def test_another_name_is_refused(host: Host) -> None:
    app = create_app(host, names=("127.0.0.1", "localhost", "::1"))
    for name, status in {
        "localhost:8021": 200,
        "127.0.0.1": 200,
        "[::1]:80": 200,
        "evil.example": 400,
        "": 400,
    }.items():
        with TestClient(app, base_url="http://127.0.0.1") as client:
            answer = client.get("/api/variants", headers={"host": name})
            assert answer.status_code == status, name
            assert answer.headers["x-frame-options"] == "DENY"
