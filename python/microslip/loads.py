"""Loads: functions of time, and where they act."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from ._library import Context, bad, encode, ffi, lib, number, numbers, pointer, text
from .laws import Parameter, make_parameter


def load_kinds() -> dict[str, dict[str, Parameter]]:
    """All kinds of load by name, each with its parameters. A unit "load" is N, or m/s^2 for a base."""
    kinds = [lib.ms_load_get_kind(i) for i in range(lib.ms_load_count_kinds())]
    return {
        text(kind.name): {p.name: p for p in (make_parameter(kind.param + i) for i in range(kind.n_param))}
        for kind in kinds
    }


class Load:
    """A load on a structure: `Load("half_sine", at="u2", amplitude=500, duration=0.01)`.

    at is the degree of freedom on which the force acts, a mapping of degrees of freedom to weights, or an array over all
    of them. base=True (or the same as for at) is an acceleration of the ground, m/s^2, instead; motions are then relative
    to it. table is for kinds that take one, a list of columns (time, value). `microslip.load_kinds()` has all parameters.
    """

    def __init__(
        self, kind: str, /, *, at: Any = None, base: Any = None, table: Any = None, name: str = "load", **parameters: Any
    ) -> None:
        if (at is None) == (base is None):
            raise bad("a load has one of `at` and `base`")
        self.at, self.base, self.name = at, base, name
        self._name = ffi.new("char[]", encode(name, "name"))
        self._context = context = Context()
        word = encode(kind, "the kind of load")
        self._load = context.make("ms_load", lib.ms_load_create, lib.ms_load_destroy, context.pointer, word)
        for key, value in parameters.items():
            if isinstance(value, str):
                context.call(lib.ms_load_set_text, self._load, encode(key, "a parameter"), encode(value, key))
            else:
                context.call(lib.ms_load_set, self._load, encode(key, "a parameter"), number(value, key))
        if table is not None:
            columns = [numbers(column, f"column {i + 1} of the table", (None,)) for i, column in enumerate(table)]
            if len({len(c) for c in columns}) != 1:
                raise bad("table is a list of columns of one length")
            list_of = ffi.new("const double *[]", [pointer(c) for c in columns])
            context.call(lib.ms_load_set_table, self._load, len(columns[0]), len(columns), list_of)
        context.call(lib.ms_load_setup, self._load)

    def __call__(self, t: Any) -> Any:
        """Its value at time t, s."""
        times = numbers(np.atleast_1d(t), "t", (None,))
        values = np.array([lib.ms_load_eval(self._load, x) for x in times.tolist()])
        return values if np.ndim(t) else float(values[0])


def weights(structure: Any, where: Any, what: str) -> np.ndarray:
    """An array over the degrees of freedom: of a name (1 there), of names with weights, or as given."""
    n = structure.size
    if where is True:
        return np.ones(n)
    if isinstance(where, str):
        where = {where: 1.0}
    if not isinstance(where, Mapping):
        return numbers(where, what, (n,))
    out = np.zeros(n)
    for name, value in where.items():
        i = structure.index(name)
        if i < 0:
            raise bad(f"{what}: the ground takes no load")
        out[i] += number(value, name)
    return numbers(out, what, (n,))
