"""microslip: dynamics of structures with bolted and frictional joints.

A thin layer over the C library of the same name: it computes nothing itself. Numbers are SI.
docs/guide/python.md has recipes.
"""

from ._built import VERSION as __version__
from ._library import LIBRARY_PATH as library_path
from .errors import Cancelled, Error, FileError, InputError, NumericalError, PartialError, StateError
from .joint import Cycle, Energy, Joint, Memory, Step
from .laws import Law, Parameter, law, laws
from .loads import Load, load_kinds
from .response import (
    Curve,
    backbone,
    backbone_methods,
    frequency_response,
    linear_response,
    ringdown,
    stepped_sine,
    transient,
)
from .results import Analysis, Results, Table
from .structure import Modes, Structure
from .study import Facts, Study

__all__ = [
    "Analysis",
    "Cancelled",
    "Curve",
    "Cycle",
    "Energy",
    "Error",
    "Facts",
    "FileError",
    "InputError",
    "Joint",
    "Law",
    "Load",
    "Memory",
    "Modes",
    "NumericalError",
    "Parameter",
    "PartialError",
    "Results",
    "StateError",
    "Step",
    "Structure",
    "Study",
    "Table",
    "__version__",
    "backbone",
    "backbone_methods",
    "frequency_response",
    "law",
    "laws",
    "library_path",
    "linear_response",
    "load_kinds",
    "ringdown",
    "stepped_sine",
    "transient",
]
