"""What holds for every test: no property fails because a machine is busy."""

from hypothesis import HealthCheck, settings

settings.register_profile("plenipo", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("plenipo")
