"""No property fails because a machine is busy: nothing that Hypothesis looks at is a clock."""

from hypothesis import HealthCheck, settings


def test_no_property_has_a_deadline_or_must_be_drawn_in_time() -> None:
    assert settings().deadline is None
    assert HealthCheck.too_slow in settings().suppress_health_check
