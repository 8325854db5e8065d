"""What holds for every test: no property fails because a machine is busy, and garbage is seldom looked for.

A run keeps the boards of many variants, and going through all of them as often as Python does by itself takes two
fifths of the time of the tests of the engine.
"""

import gc

from hypothesis import HealthCheck, settings

settings.register_profile("plenipo", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("plenipo")

gc.set_threshold(100_000, 50, 100)
