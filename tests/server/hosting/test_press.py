"""Messages as values: who may write to whom and when, who can read them, and the view of each reader."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.position import Power
from plenipo.server.errors import SeatRefused
from plenipo.server.hosting.press import (
    EVERYONE,
    OFFICE,
    PRESETS,
    UNSIGNED,
    PressFacts,
    PressMessage,
    PressPolicy,
    clean_text,
    closing,
    in_words,
    may_read,
    readers,
    show_message,
    thread_of,
    unread,
    why_not,
)
from plenipo.server.hosting.settings import settings_of

NOW = datetime(2026, 11, 22, 18, 47, tzinfo=UTC)
FRANCE, GERMANY, ITALY, TURKEY = map(Power, ("France", "Germany", "Italy", "Turkey"))
TABLE = PressFacts(
    policy=PressPolicy(),
    seats=(FRANCE, GERMANY, ITALY, TURKEY),
    tenures={FRANCE: (1,), GERMANY: (2, 6), ITALY: (3,), OFFICE: (9,)},
    kind=PhaseKind.MOVEMENT,
    due=NOW + timedelta(hours=3),
    computers=frozenset({TURKEY}),
)


def table(**policy: object) -> PressFacts:
    return replace(TABLE, policy=PressPolicy.model_validate(policy))


def message(
    seat: str, *to: str, sender: int = 1, grey: bool = False, at: PressFacts = TABLE, number: int = 1
) -> PressMessage:
    key = thread_of(at, seat, to, grey=grey)
    return PressMessage(number, "x", key, sender, seat, 1, "Spring 1901", NOW, "Hello", grey, (), readers(at, seat, to))


@pytest.mark.parametrize(
    ("who", "alone", "several", "all_of_them"),
    [("none", 0, 0, 0), ("everyone", 0, 0, 1), ("two", 1, 0, 1), ("groups", 1, 1, 1)],
)
def test_a_policy_says_to_how_many_one_writes(who: str, alone: int, several: int, all_of_them: int) -> None:
    at = table(who=who)
    assert (why_not(at, FRANCE, [GERMANY], NOW) == "") == bool(alone)
    assert (why_not(at, FRANCE, [GERMANY, ITALY], NOW) == "") == bool(several)
    assert (why_not(at, FRANCE, [EVERYONE], NOW) == "") == bool(all_of_them)
    assert why_not(at, FRANCE, [OFFICE], NOW) == ""  # the host can always be written to
    assert why_not(at, OFFICE, [FRANCE], NOW) == ""
    assert why_not(at, OFFICE, [EVERYONE], NOW) == ""


@pytest.mark.parametrize(
    ("to", "why"),
    [
        (["Narnia"], "'Narnia' has no seat in this game"),
        ([FRANCE], "needs a reader other than its sender"),
        ([], "needs a reader other than its sender"),
        ([FRANCE, GERMANY], "other than its sender"),
        ([TURKEY], "A computer plays Turkey; it reads no messages"),
        ([EVERYONE, GERMANY], "has no other recipients"),
    ],
)
def test_readers_there_are_not_are_refused_in_a_sentence(to: list[str], why: str) -> None:
    assert why in why_not(TABLE, FRANCE, to, NOW)


def test_a_vacant_seat_receives_no_messages() -> None:
    vacant = replace(TABLE, computers=frozenset())
    assert why_not(vacant, FRANCE, [TURKEY], NOW) == "The seat of Turkey is vacant."
    assert "vacant" in why_not(vacant, FRANCE, [GERMANY, TURKEY], NOW)
    assert why_not(vacant, FRANCE, [EVERYONE], NOW) == ""
    nobody = replace(TABLE, tenures={FRANCE: (1,)})
    assert why_not(nobody, FRANCE, [OFFICE], NOW) == "This game has no host to write to."


def test_messages_close_before_the_deadline_and_rest_in_other_phases() -> None:
    at = table(closing=180, phases=["movement"], grace=False, dead=False)
    assert closing(at) == NOW
    assert why_not(at, FRANCE, [GERMANY], NOW - timedelta(minutes=1)) == ""
    assert why_not(at, FRANCE, [GERMANY], NOW) == "Press closed 3 h before the deadline."
    early = NOW - timedelta(hours=1)
    assert "it is open during moves" in why_not(replace(at, kind=PhaseKind.RETREATS), FRANCE, [GERMANY], early)
    late = replace(at, in_grace=True)
    assert "only public messages" in why_not(late, FRANCE, [GERMANY], early)
    assert why_not(late, FRANCE, [EVERYONE], early) == ""
    assert "France is eliminated" in why_not(replace(at, dead=frozenset({FRANCE})), FRANCE, [GERMANY], early)
    over = replace(at, over=True, kind=PhaseKind.RETREATS, dead=frozenset({FRANCE}))
    assert why_not(over, FRANCE, [GERMANY], NOW) == ""  # after the end one may talk
    assert closing(over) is None


def test_unsigned_messages_are_as_the_policy_has_them() -> None:
    assert "no anonymous messages" in why_not(table(), FRANCE, [GERMANY], NOW, grey=True)
    assert why_not(table(grey="allowed"), FRANCE, [GERMANY], NOW, grey=True) == ""
    assert "messages to players are anonymous" in why_not(table(grey="only"), FRANCE, [GERMANY], NOW)
    assert "are signed" in why_not(table(grey="only"), FRANCE, [OFFICE], NOW, grey=True)


def test_a_message_is_read_by_the_holders_of_the_seats_when_it_was_written() -> None:
    written = message(FRANCE, GERMANY)
    assert written.readers == {1, 2, 6}  # also by who looks after a seat that is lent
    later = replace(TABLE, tenures={**TABLE.tenures, GERMANY: (7,)})
    for tenure, reads in ((1, True), (2, True), (6, True), (7, False), (3, False), (9, False)):
        assert may_read(later, written, [tenure]) is reads
    to_all = message(FRANCE, EVERYONE)
    assert may_read(later, to_all, [7])  # open threads stay open
    assert not may_read(later, to_all, [])
    assert not may_read(later, to_all, [2])  # a player who left reads nothing more
    assert may_read(replace(later, policy=PressPolicy(observers=True)), to_all, [])


@pytest.mark.parametrize(
    ("opened", "a_player", "the_host", "a_stranger"), [("never", 0, 0, 0), ("players", 1, 0, 0), ("all", 1, 1, 1)]
)
def test_all_messages_are_opened_as_was_agreed(opened: str, a_player: int, the_host: int, a_stranger: int) -> None:
    written = message(FRANCE, GERMANY)
    at = replace(table(opened=opened), over=True)
    assert [may_read(at, written, one) for one in ([3], [9], [])] == [*map(bool, (a_player, the_host, a_stranger))]
    assert not may_read(table(opened=opened), written, [3])  # and not before


def test_after_the_game_players_read_what_all_its_readers_agreed_to_open() -> None:
    written = message(FRANCE, GERMANY)
    agreed = frozenset({written.sender, *written.readers, 3})
    at = replace(table(), over=True, agreed=agreed)
    assert [may_read(at, written, one) for one in ([3], [9], [])] == [True, False, False]
    assert not may_read(replace(at, over=False), written, [3])
    assert not any(may_read(replace(at, agreed=agreed - {one}), written, [3]) for one in written.readers)


def test_of_an_unsigned_message_neither_the_sender_nor_the_minute_is_shown() -> None:
    at = table(grey="allowed", opened="players")
    written = message(FRANCE, GERMANY, grey=True, at=at)
    assert written.thread == (UNSIGNED, GERMANY)
    seen = show_message(at, written, [2])
    assert (seen.seat, seen.sender, seen.mine, seen.written) == ("", None, False, NOW.replace(minute=0))
    assert show_message(at, written, [1]).mine
    assert show_message(replace(at, over=True), written, [2]).seat == FRANCE  # opened with all others
    assert show_message(replace(table(grey="allowed"), over=True), written, [2]).seat == ""
    assert message(FRANCE, EVERYONE, grey=True, at=at).thread == (EVERYONE,)


def test_only_messages_of_others_are_unread() -> None:
    mine, others = message(FRANCE, GERMANY, number=1), message(GERMANY, FRANCE, sender=2, number=2)
    assert mine.thread == others.thread
    assert unread([mine, others], [1], {}) == 1
    assert unread([mine, others], [1], {mine.thread: 2}) == 0


POLICIES = st.builds(
    PressPolicy,
    who=st.sampled_from(["none", "everyone", "two", "groups"]),
    grey=st.sampled_from(["no", "allowed", "only"]),
    opened=st.sampled_from(["never", "players", "all"]),
    observers=st.booleans(),
)


@given(POLICIES, st.booleans(), st.data())
def test_no_player_reads_more_than_the_own_seats_and_the_agreed_press(
    policy: PressPolicy,
    over: bool,  # noqa: FBT001  # given by Hypothesis
    data: st.DataObject,
) -> None:
    at = replace(TABLE, policy=policy)
    seat = data.draw(st.sampled_from([FRANCE, GERMANY, ITALY]))
    others = [one for one in (FRANCE, GERMANY, ITALY, OFFICE) if one != seat]
    sets = [[*some] for n in (1, 2, 3) for some in combinations(others, n)]
    to: list[str] = data.draw(st.sampled_from([*sets, [EVERYONE]]))
    grey = data.draw(st.booleans())
    if why_not(at, seat, to, NOW, grey=grey):
        return
    written = message(seat, *to, sender=TABLE.tenures[seat][0], grey=grey, at=at)
    now = replace(at, over=over)
    for tenure in (1, 2, 3, 6, 9, 12):
        seats = [one for one, held in TABLE.tenures.items() if tenure in held]
        addressed = bool({seat, *to} & set(seats))
        if not may_read(now, written, [tenure]):
            assert not addressed
            continue
        opened = (over and policy.opened == "all") or (
            over and policy.opened == "players" and seats and seats != [OFFICE]
        )
        assert addressed or opened or (EVERYONE in to and (seats or policy.observers))
        seen = show_message(now, written, [tenure])
        hidden = grey and tenure != written.sender and not (over and policy.opened != "never")
        assert (seen.seat == "") is hidden
        assert (seen.sender is None) is hidden


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_named_in_settings_and_means_something(name: str) -> None:
    policy = settings_of({"press": name}).press
    assert policy == PRESETS[name][0]
    assert all(sentence.endswith(".") for sentence in in_words(policy))
    other = settings_of({"press": {"preset": name, "opened": "all"}}).press
    assert other == policy.model_copy(update={"opened": "all"})


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("Whispers", "there is no such preset"),
        ({"who": "cats"}, "press.who"),
        ({"closing": -1}, "press.closing"),
        ({"colour": "red"}, "press.colour"),
    ],
)
def test_a_policy_there_is_not_is_refused_in_a_sentence(value: object, why: str) -> None:
    with pytest.raises(SeatRefused, match=why):
        settings_of({"press": value})


def test_what_turns_writing_round_or_is_not_seen_is_left_out() -> None:
    assert clean_text("a\u202eb\u2067c\r\nd\x00\x1b[31me\u200f\ud800") == "abc\nd[31me"
    assert clean_text("  \n ") == ""
    assert clean_text("Ω 'über' 🕊\tis kept") == "Ω 'über' 🕊\tis kept"


def test_every_policy_says_what_it_means() -> None:
    for who, grey, opened in product(("none", "everyone", "groups"), ("no", "allowed", "only"), ("never", "all")):
        words = " ".join(
            in_words(PressPolicy.model_validate({"who": who, "grey": grey, "opened": opened, "closing": 15}))
        )
        assert ("anonymous" in words) == (grey != "no" and who != "none")
        assert ("15 min before" in words) == (who != "none")
