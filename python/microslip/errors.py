"""What goes wrong, as exceptions. The text is the library's own: what was wrong, where, what would be right."""

from __future__ import annotations


class Error(Exception):
    """A call of the library failed. `status` is its number in microslip/status.h."""

    status: int = 0


class InputError(Error, ValueError):
    """An argument, a name, a value out of bounds, or the content of a file."""


class StateError(Error, RuntimeError):
    """A call out of order."""


class FileError(Error, OSError):
    """A file cannot be read or written, or the disk is full."""


class NumericalError(Error, ArithmeticError):
    """No convergence, a step that was rejected, or a result that is not finite."""


class Cancelled(Error):
    """The caller asked for a stop."""


class PartialError(Error):
    """A study of which a part failed. `results` has all that was computed."""

    results = None
