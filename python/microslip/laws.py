"""Joint laws and their parameters, as the library describes them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ._library import Context, encode, ffi, lib, text


@dataclass(frozen=True)
class Parameter:
    """A parameter of a law or a load. Units are SI, "" for none."""

    name: str
    unit: str
    meaning: str
    kind: str  # "number", "whole number", "one of rate, time", ...
    range: str  # "> 0 and <= 1"; "" for none
    default: str  # "required", or the value
    lower: float
    upper: float
    typical: float
    required: bool
    set: int = 0  # of a law that takes one of several sets: the one it belongs to, from 1; 0: each of them


@dataclass(frozen=True)
class Law:
    """A joint law. str(law), and law in a notebook or shell, lists its parameters."""

    name: str
    title: str
    reference: str
    axes: int
    parameters: dict[str, Parameter]
    depends_on_rate: bool  # the force depends on velocity or time
    depends_on_load: bool  # and on the normal-load ratio alpha

    @property
    def sets(self) -> list[list[str]]:
        """Names of the parameters that must be given: one of these lists."""
        required = [p for p in self.parameters.values() if p.required]
        places = sorted({p.set for p in required if p.set}) or [0]
        return [[p.name for p in required if p.set in (0, place)] for place in places]

    def __str__(self) -> str:
        several = len(self.sets) > 1

        def default(p: Parameter) -> str:
            return f"set {p.set}" if several and p.required and p.set else p.default

        rows = [(p.name, p.unit or "-", default(p), p.range, p.meaning) for p in self.parameters.values()]
        width = [max((len(row[i]) for row in rows), default=0) for i in range(4)]
        lines = ["  ".join([*(cell.ljust(w) for cell, w in zip(row, width)), row[4]]) for row in rows]
        if several:
            lines.append("give one set: " + "; or ".join(", ".join(names) for names in self.sets))
        return "\n".join([f"{self.name}: {self.title} ({self.reference})", *("  " + line for line in lines)])

    __repr__ = __str__


def _describe(function: Any, param: Any) -> str:
    words = ffi.new("char[512]")
    function(param, words, 512)
    return text(words)


def make_parameter(param: Any) -> Parameter:
    """Of `const ms_param *`."""
    unit = text(param.unit)
    return Parameter(
        name=text(param.name),
        unit="" if unit == "-" else unit,
        meaning=text(param.meaning),
        kind=_describe(lib.ms_param_describe_kind, param),
        range=_describe(lib.ms_param_describe_range, param),
        default=_describe(lib.ms_param_describe_default, param),
        lower=param.lower if abs(param.lower) < math.inf else -math.inf,
        upper=param.upper if abs(param.upper) < math.inf else math.inf,
        typical=param.typical,
        required=bool(param.required),
        set=param.set,
    )


def make_law(info: Any) -> Law:
    """Of `const ms_law_info *`."""
    parameters = [make_parameter(info.param + i) for i in range(info.n_param)]
    return Law(
        name=text(info.name),
        title=text(info.title),
        reference=text(info.reference),
        axes=info.n_axis,
        parameters={p.name: p for p in parameters},
        depends_on_rate=bool(info.flags & lib.MS_LAW_RATE),
        depends_on_load=bool(info.flags & lib.MS_LAW_NORMAL),
    )


def laws() -> dict[str, Law]:
    """All laws by name."""
    every = [make_law(lib.ms_joint_get_law(i)) for i in range(lib.ms_joint_count_laws())]
    return {law.name: law for law in every}


def law(name: str) -> Law:
    """A law by its name; an unknown one fails with the nearest name."""
    context, out = Context(), ffi.new("const ms_law_info **")
    context.call(lib.ms_joint_find_law, context.pointer, encode(name, "the law"), out)
    return make_law(out[0])
