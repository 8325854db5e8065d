"""What the kernel says no to, in one sentence each."""

from plenipo.errors import PlenipoError

__all__ = ["InvalidArray", "UnsupportedRules"]


class UnsupportedRules(PlenipoError):  # noqa: N818  # an exception is named after what is wrong
    """A rule of a variant cannot be made a table; the message names the rule module or policy, and what it does."""


class InvalidArray(PlenipoError):  # noqa: N818  # an exception is named after what is wrong
    """An array given to the kernel has the wrong type, shape or content; the message names it and the first fault."""
