"""Motions as values: who votes, when a motion passes, and what is known; a vote counts by who holds the seat."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from plenipo.engine.position import Power
from plenipo.server.hosting.motions import (
    KINDS,
    Motion,
    MotionVote,
    Rule,
    VotingFacts,
    VotingRules,
    count_votes,
    describe_motion,
    find_sharing_powers,
    find_voting_end,
    in_words,
    outcome,
    shown_to,
    voters,
    why_not,
)

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
A, B, C, D, E = SEATS = tuple(map(Power, ("Austria", "Britain", "China", "Denmark", "Egypt")))
TABLE = VotingFacts(
    rules=VotingRules(),
    seats=SEATS,
    acting={A: 1, B: 2, C: 3},
    computers=frozenset({D}),
    alive=frozenset(SEATS),
    leader=A,
    phase_number=4,
    turns=3,
    due=NOW + timedelta(hours=10),
)


def moved(kind: str, *about: Power, **more: object) -> Motion:
    return replace(Motion(1, kind, about, A, 4, NOW), **more)  # type: ignore[arg-type]  # from tests


def voted(motion: Motion, **votes: bool) -> Motion:
    names = {str(seat): seat for seat in SEATS}
    for name, yes in votes.items():
        seat = names[name]
        motion = motion.with_ballot(seat, MotionVote(TABLE.acting.get(seat, 0), yes))
    return motion


def test_a_draw_is_shared_by_all_survivors_and_vacant_seats_neither_block_nor_share() -> None:
    draw = voted(moved("draw"), Austria=True, Britain=True, China=True)
    assert find_sharing_powers(TABLE, draw) == (A, B, C, D)  # Egypt is vacant
    assert voters(TABLE, draw) == (A, B, C, D)
    assert outcome(TABLE, draw, NOW) == "open"  # the computer has not been asked
    assert outcome(TABLE, draw, NOW, {D: True}) == "passed"
    assert outcome(TABLE, draw, NOW, {D: False}) == "open"
    vacant = replace(TABLE, computers=frozenset())
    assert outcome(vacant, draw, NOW) == "passed"
    assert find_sharing_powers(vacant, draw) == (A, B, C)
    out = replace(TABLE, alive=frozenset({A, B}))
    assert outcome(out, draw, NOW) == "passed"
    assert find_sharing_powers(out, draw) == (A, B)


def test_a_concession_is_to_the_leader_by_all_others() -> None:
    assert why_not(TABLE, "concede", [A], B) == ""
    assert "conceded to its leader, and that is Austria" in why_not(TABLE, "concede", [C], B)
    assert "no power leads alone" in why_not(replace(TABLE, leader=None), "concede", [A], B)
    assert "conceded to another" in why_not(TABLE, "concede", [A], A)
    motion = voted(moved("concede", A), Britain=True, China=True)
    assert voters(TABLE, motion) == (B, C, D)
    assert outcome(TABLE, motion, NOW, {D: True}) == "passed"
    assert outcome(replace(TABLE, leader=B), motion, NOW, {D: True}) == "failed"  # they meant the leader


@pytest.mark.parametrize(
    ("votes", "early", "at_its_time"),
    [
        ({"Austria": True}, "open", "failed"),  # at least three must have voted
        ({"Austria": True, "Britain": True}, "passed", "passed"),
        ({"Austria": True, "Britain": False}, "open", "failed"),
        ({"Austria": False, "Britain": False, "China": True}, "open", "failed"),
        ({}, "open", "failed"),
    ],
)
def test_motions_about_time_are_decided_by_the_majority_of_votes(
    votes: dict[str, bool], early: str, at_its_time: str
) -> None:
    until = find_voting_end(TABLE, "pause", NOW)
    assert until == NOW + timedelta(hours=5)  # half the time left
    motion = voted(moved("pause", until=until), **votes)
    assert outcome(TABLE, motion, NOW) == early
    assert outcome(TABLE, motion, until) == at_its_time


def test_two_thirds_and_the_end_of_a_phase() -> None:
    motion = voted(moved("abandon"), Austria=True, Britain=True)
    assert outcome(TABLE, motion, NOW) == "passed"
    assert outcome(TABLE, voted(moved("abandon"), Austria=False, Britain=False), NOW) in {"open", "failed"}
    later = replace(TABLE, phase_number=5)
    assert outcome(later, voted(moved("abandon"), Austria=True), NOW) == "failed"
    assert outcome(later, voted(moved("draw"), Austria=True), NOW) == "open"  # it stands


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_moved_is_refused_in_a_sentence(kind: str) -> None:
    for table in (
        replace(TABLE, over=True),
        replace(TABLE, forming=True),
        replace(TABLE, rules=VotingRules(open=False)),
        replace(TABLE, rules=VotingRules(**{"draws": "none", kind: Rule(allowed=False)})),  # type: ignore[arg-type]  # by name
        replace(TABLE, alive=frozenset({A})),
    ):
        assert why_not(table, kind, [A] if kind in {"concede", "replace"} else [], B).endswith(".")  # type: ignore[arg-type]
    assert why_not(TABLE, kind, [Power("Narnia")], B) != ""  # type: ignore[arg-type]
    assert describe_motion(moved(kind, A))


def test_private_messages_are_opened_after_the_game_by_all_who_have_a_seat() -> None:
    after = replace(TABLE, over=True, sealed=True, alive=frozenset({A}))
    assert why_not(after, "reveal", [], B) == ""
    assert why_not(replace(after, sealed=False), "reveal", [], B) == why_not(TABLE, "reveal", [], B) != ""
    assert voters(after, moved("reveal")) == (A, B, C)
    motion = voted(moved("reveal"), Austria=True, Britain=True)
    assert outcome(after, motion, NOW) == "open"
    assert outcome(after, voted(motion, China=False), NOW) == "open"
    assert outcome(after, voted(motion, China=True), NOW) == "passed"
    assert outcome(TABLE, voted(motion, China=True), NOW) == "failed"


def test_a_named_draw_needs_a_game_that_has_them() -> None:
    assert "all surviving powers share a draw" in why_not(TABLE, "draw", [A, B], A)
    named = replace(TABLE, rules=VotingRules(draws="named"))
    assert why_not(named, "draw", [A, B], A) == ""
    assert "Egypt cannot share a draw" in why_not(named, "draw", [A, E], A)
    assert find_sharing_powers(named, moved("draw", A, B)) == (A, B)


def test_only_its_voters_know_of_a_secret_motion_until_it_passes() -> None:
    secret = replace(TABLE, rules=VotingRules(draw=Rule(secrecy="secret", standing=True)))
    motion = voted(moved("draw"), Austria=True)
    assert shown_to(secret, motion, [A])
    assert not shown_to(secret, motion, [B])
    assert not shown_to(secret, motion, [])
    assert not shown_to(replace(secret, acting={**TABLE.acting, A: 9}), motion, [A])  # the successor does not know
    assert shown_to(secret, replace(motion, state="passed"), [])
    assert shown_to(TABLE, motion, [])


@given(st.sampled_from(["none", "survivors", "named"]), st.sampled_from(["open", "numbers", "secret"]))
def test_every_rule_says_what_it_means(draws: str, secrecy: str) -> None:
    words = in_words(VotingRules.model_validate({"draws": draws, "draw": {"secrecy": secrecy}}))
    assert all(sentence.endswith(".") for sentence in words)


class Seats(RuleBasedStateMachine):
    """People vote, leave, lend and return; only what stands by who holds a seat counts, once a seat."""

    def __init__(self) -> None:
        super().__init__()
        self.table = replace(TABLE, computers=frozenset(), acting=dict(zip(SEATS, range(1, 6), strict=True)))
        self.motion = moved("draw")
        self.next = 10
        self.said: dict[tuple[Power, int], bool] = {}
        self.last: dict[Power, int] = {}

    @rule(seat=st.sampled_from(SEATS), yes=st.booleans())
    def vote(self, seat: Power, yes: bool) -> None:  # noqa: FBT001
        tenure = self.table.acting.get(seat)
        if tenure is None or seat not in self.table.alive:
            return
        self.motion = self.motion.with_ballot(seat, MotionVote(tenure, yes))
        self.said[seat, tenure], self.last[seat] = yes, tenure

    @rule(seat=st.sampled_from(SEATS))
    def take_back(self, seat: Power) -> None:
        self.motion = self.motion.with_ballot(seat, None)
        self.said.pop((seat, self.last.get(seat, 0)), None)

    @rule(seat=st.sampled_from(SEATS))
    def leave(self, seat: Power) -> None:
        self.table = replace(self.table, acting={s: t for s, t in self.table.acting.items() if s != seat})

    @rule(seat=st.sampled_from(SEATS))
    def take_over(self, seat: Power) -> None:
        self.next += 1
        self.table = replace(self.table, acting={**self.table.acting, seat: self.next})

    @rule(seat=st.sampled_from(SEATS))
    def lose(self, seat: Power) -> None:
        if len(self.table.alive) > 2:
            self.table = replace(self.table, alive=self.table.alive - {seat})

    @invariant()
    def a_vote_counts_once_a_seat_by_who_holds_it(self) -> None:
        votes = count_votes(self.table, self.motion)
        seats = [*votes.yes, *votes.no, *votes.waiting]
        assert len(seats) == len(set(seats))
        assert set(seats) == {seat for seat in self.table.acting if seat in self.table.alive}
        for seat in seats:
            now = self.table.acting[seat]
            said = self.said.get((seat, now)) if self.last.get(seat) == now else None
            assert (seat in votes.yes, seat in votes.no) == (said is True, said is False)

    @invariant()
    def it_passes_only_with_the_vote_of_every_seat_that_is_held(self) -> None:
        votes = count_votes(self.table, self.motion)
        passed = outcome(self.table, self.motion, NOW) == "passed"
        assert passed == (bool(votes.yes) and not votes.no and not votes.waiting)


TestSeats = Seats.TestCase
