"""What holds for every test: no property fails because a machine is busy."""

from hypothesis import settings

settings.register_profile("plenipo", deadline=None)
settings.load_profile("plenipo")
