"""microslip: dynamics of structures with bolted and frictional joints.

A thin layer over the C library of the same name: it computes nothing itself. Numbers are SI.
docs/guide/python.md has recipes.
"""

from ._built import VERSION as __version__
from ._library import LIBRARY_PATH as library_path
from .errors import Cancelled, Error, FileError, InputError, NumericalError, PartialError, StateError
from .joint import Cycle, Energy, Joint, Memory, Step
from .laws import Law, Parameter, law, laws
from .results import Analysis, Results, Table
from .study import Facts, Study

__all__ = [
    "Analysis",
    "Cancelled",
    "Cycle",
    "Energy",
    "Error",
    "Facts",
    "FileError",
    "InputError",
    "Joint",
    "Law",
    "Memory",
    "NumericalError",
    "Parameter",
    "PartialError",
    "Results",
    "StateError",
    "Step",
    "Study",
    "Table",
    "__version__",
    "law",
    "laws",
    "library_path",
]
