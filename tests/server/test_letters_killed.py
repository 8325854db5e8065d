"""Killed at any moment under messages and proposals, the server comes back with every acknowledged one, each once."""

import os
import random
import threading
import time
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from proofs import so_many
from server.test_killed import Caller, ServerGoneError, free_port, killed, nursery, started
from waiting import join_all, wait_until

KILLS = int(os.environ.get("PLENIPO_KILLS") or so_many(6, 2))
"""The number of times the server is killed: 6 in `make proofs`, or the value of `PLENIPO_KILLS`."""

ANSWERS = 10
"""The most messages a server takes before it is killed."""

PROPOSALS = ("A PAR - BUR", "A MUN S A PAR - BUR", "F KIE - DEN")
SETTINGS = {"press": {"preset": "Full press"}}


@dataclass
class Post:
    """The messages of a seat: the text and the proposal of each, and the acknowledged ones."""

    sent: dict[str, list[str]] = field(default_factory=dict)
    acknowledged: set[str] = field(default_factory=set)


def write_on(port: int, game: str, key: str, seats: tuple[str, str], post: Post, seed: int) -> None:
    """Write messages until the server is gone; first repeat those without an acknowledgement."""
    caller, chance = Caller(port, key), random.Random(seed)
    mine, other = seats
    unknown = [text for text in post.sent if text not in post.acknowledged]
    with closing(caller), suppress(ServerGoneError):
        while True:
            text = unknown.pop() if unknown else f"{mine} {len(post.sent)}"
            proposal = post.sent.setdefault(text, chance.sample(PROPOSALS, chance.randrange(3)))
            body = {"seat": mine, "to": [other], "text": text, "proposal": proposal, "once": text}
            status, answer = caller.ask("POST", f"/api/games/{game}/press", body)
            assert status == 201, answer
            post.acknowledged.add(text)


def count_acknowledged(posts: Iterable[Post]) -> int:
    return sum(len(post.acknowledged) for post in posts)


def wait_for_acknowledged(posts: Iterable[Post], wanted: int) -> None:
    wait_until(lambda: count_acknowledged(posts) >= wanted)


def check(caller: Caller, game: str, key: str, seats: tuple[str, str], post: Post) -> int:
    """Every acknowledged message is read by whom it was to, once and whole, and none that was not sent; how many."""
    mine, other = seats
    caller.token = key
    status, found = caller.ask("GET", f"/api/games/{game}/press/thread?seat={mine}&seat={other}")
    assert status == 200
    came = [message for message in found["messages"] if message["seat"] == mine]
    texts = [message["text"] for message in came]
    assert len(texts) == len(set(texts)), "no message comes twice"
    assert post.acknowledged <= set(texts) <= post.sent.keys()
    for message in came:
        assert sorted(one["order"] for one in message["proposal"]) == sorted(post.sent[message["text"]])
    return len(texts)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork a server; the store is tested elsewhere")
def test_no_acknowledged_message_or_proposal_is_lost_or_doubled_by_kills(tmp_path: Path) -> None:
    url, port, chance = str(tmp_path / "games.sqlite"), free_port(), random.Random(7)
    sides = (("France", "Germany"), ("Germany", "France"))
    posts = (Post(), Post())
    keys: dict[str, str] = {}
    game = ""
    with nursery(url, port) as parent:
        caller = Caller(port)
        for number in range(KILLS):
            child = started(parent, caller)
            if not game:
                _, opened = caller.ask(
                    "POST", "/api/games", {"variant": "standard", "lobby": True, "settings": SETTINGS}
                )
                game = opened["id"]
                caller.token = opened["invitation"].rpartition("/")[2]
                for name, power in (("Anna", "France"), ("Ben", "Germany")):
                    body = {"name": name, "power": power}
                    keys[power] = caller.ask("POST", f"/api/games/{game}/join", body)[1]["key"]
                caller.token = opened["keys"]["all"]
                caller.ask("POST", f"/api/games/{game}/start", {})
            for seats, post in zip(sides, posts, strict=True):
                check(caller, game, keys[seats[1]], seats, post)
            before = count_acknowledged(posts)
            writers = [
                threading.Thread(target=write_on, args=(port, game, keys[seats[0]], seats, post, 10 * number + place))
                for place, (seats, post) in enumerate(zip(sides, posts, strict=True))
            ]
            for writer in writers:
                writer.start()
            wanted = chance.randrange(ANSWERS)
            wait_for_acknowledged(posts, before + wanted)
            time.sleep(chance.random() * 0.02)
            killed(child)
            join_all(writers)
        child = started(parent, caller)
        there = [check(caller, game, keys[seats[1]], seats, post) for seats, post in zip(sides, posts, strict=True)]
        caller.close()
        killed(child)
    assert sum(there) > 2 * KILLS, "hardly anything was written"
