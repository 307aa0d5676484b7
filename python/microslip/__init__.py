"""microslip: dynamics of structures with bolted and frictional joints.

A thin layer over the C library of the same name: it computes nothing itself. Numbers are SI.
docs/guide/python.md has recipes.
"""

from ._built import VERSION as __version__
from ._library import LIBRARY_PATH as library_path
from .custom import Motion, register_law
from .errors import Cancelled, Error, FileError, InputError, NumericalError, PartialError, StateError
from .fits import Fit, fit
from .identify import Calibration, ModalFit, Record, Target, calibrate, fit_modal, read_record, read_ringdown, read_table
from .joint import Cycle, Energy, Joint, Memory, Step
from .laws import Law, Parameter, law, laws
from .loads import Load, load_kinds
from .measured import Survey, SurveyImpact, SurveyMode, read_channels, survey
from .response import (
    Curve,
    backbone,
    backbone_methods,
    epmc,
    frequency_response,
    linear_response,
    qsma,
    ringdown,
    rqnm,
    stepped_sine,
    sweep,
    transient,
)
from .plot import Figure
from .results import Analysis, Results, Table
from .structure import Modes, Structure
from .study import Facts, Study

__all__ = [
    "Analysis",
    "Calibration",
    "Cancelled",
    "Curve",
    "Cycle",
    "Energy",
    "Error",
    "Facts",
    "Figure",
    "FileError",
    "Fit",
    "InputError",
    "Joint",
    "Law",
    "Load",
    "Memory",
    "ModalFit",
    "Modes",
    "Motion",
    "NumericalError",
    "Parameter",
    "PartialError",
    "Record",
    "Results",
    "StateError",
    "Step",
    "Structure",
    "Study",
    "Survey",
    "SurveyImpact",
    "SurveyMode",
    "Table",
    "Target",
    "__version__",
    "backbone",
    "backbone_methods",
    "calibrate",
    "epmc",
    "fit",
    "fit_modal",
    "frequency_response",
    "law",
    "laws",
    "library_path",
    "linear_response",
    "load_kinds",
    "qsma",
    "read_channels",
    "read_record",
    "read_ringdown",
    "read_table",
    "register_law",
    "ringdown",
    "rqnm",
    "stepped_sine",
    "survey",
    "sweep",
    "transient",
]
