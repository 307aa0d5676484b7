"""Least squares with bounds, by the library: parameters, how well they are known, what the data do not determine."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence

import numpy as np

from ._library import Context, bad, copy_numbers, encode, ffi, forget_failure, keep_failure, lib, make_error, number, numbers, text, whole
from .results import Table, html_of

_WIDE = 10.0  # bounds this far apart, as a ratio, are searched on a logarithmic scale, as in studies
_MEANINGS = {
    "parameter": "name of the parameter",
    "value": "what the fit has found",
    "standard_error": "standard error of the value",
    "unit": "of value and standard error",
    "determined": "whether the data determine it",
    "at_bound": "-1 or 1: it ended at its lower or upper bound; 0: inside",
}
_ENDS = {lib.MS_FIT_CONVERGED: "converged", lib.MS_FIT_UNFINISHED: "unfinished", lib.MS_FIT_FAILED: "no answer"}


class Fit:
    """What a fit has found, by the names of the parameters: values, standard_error, determined (False: the data do not
    determine it), at_bound (-1: it ended at its lower bound, 1: at the upper one, 0: inside), units. covariance and
    correlation are matrices in that order. rms is that of the residuals, scatter the standard deviation of one of them by
    which errors are judged; agree of the starts came to the same point. remarks are sentences about what is not known.
    starts is the table of all starts."""

    def __init__(self, names: Sequence[str], units: Sequence[str], p: np.ndarray, judgement: Any, scatter: float) -> None:
        n = len(names)
        self.values: dict[str, float] = dict(zip(names, p.tolist()))
        self.standard_error: dict[str, float] = dict(zip(names, judgement.standard_error[0:n]))
        self.determined: dict[str, bool] = {name: bool(judgement.determined[i]) for i, name in enumerate(names)}
        self.at_bound: dict[str, int] = {name: judgement.at_bound[i] for i, name in enumerate(names)}
        self.units: dict[str, str] = dict(zip(names, units))
        self.covariance = copy_numbers(judgement.covariance, (n, n))
        self.correlation = copy_numbers(judgement.correlation, (n, n))
        self.rms: float = judgement.rms
        self.scatter = scatter
        self.condition: float = judgement.condition
        self.remarks: list[str] = text(judgement.remarks).splitlines()
        self.sum_of_squares = 0.0
        self.converged = False
        self.agree = 0
        self.starts: Table | None = None

    def __getitem__(self, name: str) -> float:
        """The value of a parameter."""
        try:
            return self.values[name]
        except KeyError:
            raise KeyError(f"there is no parameter {name!r}; there are {', '.join(self.values)}") from None

    @property
    def table(self) -> Table:
        """A row for each parameter."""
        names = list(self.values)
        return Table(
            "fit",
            {
                "parameter": np.array(names, dtype=str),
                "value": np.array(list(self.values.values())),
                "standard_error": np.array([self.standard_error[name] for name in names]),
                "unit": np.array([self.units[name] for name in names], dtype=str),
                "determined": np.array([self.determined[name] for name in names]),
                "at_bound": np.array([self.at_bound[name] for name in names]),
            },
            dict.fromkeys(_MEANINGS, ""),
            _MEANINGS,
        )

    def _lines(self) -> list[str]:
        lines = []
        for name, value in self.values.items():
            bound = ", at its bound" if self.at_bound[name] else ""
            known = f"{value:.6g} +- {self.standard_error[name]:.2g} {self.units[name]}".rstrip()
            lines.append(f"{name} = {known if self.determined[name] else 'not determined'}{bound}")
        return [*lines, f"rms of the residuals {self.rms:.3g}", *self.remarks]

    def __repr__(self) -> str:
        return "\n  ".join([f"<{type(self).__name__}", *self._lines()]) + ">"

    def _repr_html_(self) -> str:
        return html_of(self.table, None, [f"rms of the residuals {self.rms:.3g}", *self.remarks])


def make_bounds(bounds: Mapping[str, Any], names: Sequence[str]) -> tuple[Any, list[Any]]:
    """`ms_fit_parameter[]` of {name: (lowest, highest)}; what is returned with it must live as long."""
    if not isinstance(bounds, Mapping):
        raise TypeError(f"parameters are a mapping of names to (lowest, highest), not {type(bounds).__name__}")
    if not bounds:
        raise bad("at least one parameter must be free")
    keep = [ffi.new("char[]", encode(name, "the name of a parameter")) for name in names]
    out = ffi.new("ms_fit_parameter[]", len(bounds))
    for one, (name, pair), word in zip(out, bounds.items(), keep):
        if isinstance(pair, (str, Mapping)) or np.shape(pair) != (2,):
            raise bad(f"{name}: the bounds are a pair (lowest, highest)")
        one.name = word
        one.lower, one.upper = numbers(pair, f"the bounds of {name}", (2,)).tolist()
        if not one.lower < one.upper:
            raise bad(f"{name}: the lower bound, {one.lower:g}, must be below the upper one, {one.upper:g}")
        one.logarithmic = one.lower > 0.0 and one.upper >= _WIDE * one.lower
    return out, keep


def run_starts(context: Context, problem: Any, setting: Any, starts: Any) -> None:
    """Each start of `ms_starts`, from its point of the Latin hypercube."""
    for k in range(starts.count):
        p = starts.found + starts.n * k
        context.call(lib.ms_fit_get_start, context.pointer, problem, setting, starts.count, k, p)
        context.run(lib.ms_fit_from, context.pointer, problem, setting, p, starts.local + k)


def tabulate_starts(starts: Any, names: Sequence[str], units: Sequence[str]) -> Table:
    local = [starts.local[k] for k in range(starts.count)]
    found = copy_numbers(starts.found, (starts.n, starts.count))
    columns = {
        "sum_of_squares": np.array([x.sum for x in local]),
        "end": np.array([_ENDS[x.end] for x in local], dtype=str),
        "evaluations": np.array([x.evaluations for x in local]),
        **{name: found[i].copy() for i, name in enumerate(names)},
    }
    return Table("starts", columns, {**dict.fromkeys(columns, ""), **dict(zip(names, units))}, {})


def fit(
    residuals: Callable[[dict[str, float]], Any],
    parameters: Mapping[str, tuple[float, float]],
    *,
    jacobian: Callable[[dict[str, float]], Any] | None = None,
    starts: int = 20,
    seed: int = 1,
    noise_is_known: bool = False,
    tolerance: float = 1e-12,
    max_evaluations: int = 400,
) -> Fit:
    """Parameters with which a function of yours, written in Python, has the least sum of squares: for trying ideas. It is
    called some hundred times from each start, a million times slower than residuals in C.

    residuals(p) has p["name"] and returns the residuals, model minus data, always as many; None, or a number that is not
    finite, says that there is no answer at p, and the search turns back. parameters are {"name": (lowest, highest)},
    searched on a logarithmic scale where both are positive and ten times apart. jacobian(p), if given, returns the
    derivatives, a row for each residual and a column for each parameter; else central differences. noise_is_known: residuals
    are in units of their standard deviation; else one standard deviation is estimated from the rest. What residuals raises
    is raised."""
    names = list(parameters) if isinstance(parameters, Mapping) else []
    bounds, keep = make_bounds(parameters, names)
    n, count = len(names), whole(starts, "starts", 1, 1_000_000)
    if not callable(residuals) or not (jacobian is None or callable(jacobian)):
        raise TypeError("residuals and jacobian are functions")
    setting = ffi.new("ms_fit_setting *")
    lib.ms_fit_default(setting, ffi.sizeof("ms_fit_setting"))
    setting.seed, setting.known_noise = whole(seed, "seed", 0, 2**62), bool(noise_is_known)
    setting.tolerance, setting.max_evaluations = number(tolerance, "tolerance"), whole(max_evaluations, "max_evaluations", 1)
    size = [0]

    def evaluate(p: Any) -> tuple[np.ndarray | None, dict[str, float]]:
        values = dict(zip(names, p[0:n]))
        r = residuals(values)
        if r is None:
            return None, values
        r = np.atleast_1d(np.asarray(r, dtype=np.float64)).reshape(-1)
        return (r if np.isfinite(r).all() else None), values

    def call(user: Any, p: Any, r: Any, jac: Any) -> int:
        found, values = evaluate(p)
        forget_failure()
        if found is None:
            return lib.MS_NOT_CONVERGED
        if len(found) != size[0]:
            raise bad(f"residuals has returned {len(found)} numbers, and {size[0]} before")
        ffi.memmove(r, np.ascontiguousarray(found), 8 * size[0])
        if jac:
            matrix = numbers(jacobian(values), "jacobian", (size[0], n))
            ffi.memmove(jac, np.ascontiguousarray(matrix.T), 8 * size[0] * n)
        return lib.MS_SUCCESS

    function = ffi.callback(
        "ms_status(void *, const double *, double *, double *)", call, error=lib.MS_ERR_ARGUMENT, onerror=keep_failure
    )
    context, problem = Context(), ffi.new("ms_fit_problem *")
    problem.n, problem.parameter, problem.eval, problem.has_jacobian = n, bounds, function, jacobian is not None
    tries, judgement = ffi.new("ms_starts *"), ffi.new("ms_fit_judgement *")
    context.call(lib.ms_starts_open, context.pointer, n, count, bounds, tries)
    try:
        problem.m = n  # until it is known
        for k in range(count):  # how many residuals there are
            context.call(lib.ms_fit_get_start, context.pointer, problem, setting, count, k, tries.found)
            first, _ = evaluate(tries.found)
            if first is not None:
                break
        else:
            raise _no_answer(count)
        size[0] = problem.m = len(first)
        if problem.m < n:
            raise bad(f"{problem.m} residuals do not determine {n} parameters")
        run_starts(context, problem, setting, tries)
        best = lib.ms_starts_find_best(tries, 0.0)
        if best < 0:
            raise _no_answer(count)
        p = tries.found + n * best
        context.run(lib.ms_fit_judge, context.pointer, problem, setting, p, judgement)
        context.call(lib.ms_starts_weigh_rivals, context.pointer, tries, best, judgement.scatter, judgement)
        out = Fit(names, [""] * n, copy_numbers(p, (n,)), judgement, judgement.scatter)
        return finish(out, tries, best, lib.ms_starts_count_agreeing(tries, best))
    finally:
        context.ask(lib.ms_fit_judgement_destroy, context.pointer, judgement)
        context.ask(lib.ms_starts_close, context.pointer, tries)
        del keep


def _no_answer(count: int) -> Exception:
    return make_error(lib.MS_NOT_CONVERGED, f"none of {count} starts could be evaluated: the residuals have no answer there")


def finish(out: Any, starts: Any, best: int, agree: int) -> Any:
    out.sum_of_squares, out.agree = starts.local[best].sum, agree
    out.converged = starts.local[best].end == lib.MS_FIT_CONVERGED
    out.starts = tabulate_starts(starts, list(out.values), list(out.units.values()))
    return out

