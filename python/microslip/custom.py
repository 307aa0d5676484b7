"""Laws written in Python, for trying ideas: a step takes microseconds instead of tens of nanoseconds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable, Mapping, NamedTuple, Sequence

import numpy as np

from ._library import Context, bad, encode, ffi, forget_failure, keep_failure, lib, number, whole
from .laws import Law, law


class Motion(NamedTuple):
    """A step, as a law sees it: displacement u, m, and velocity v, m/s, at its end (arrays for several axes), its length dt,
    s (0: quasi-static), normal load over its reference alpha, stiffness over its own k."""

    u: Any
    v: Any
    dt: float
    alpha: float
    k: float


class _PythonLaw:
    """What the library calls. It stays, as the library's law does; `force` and `start` may be replaced."""

    def __init__(self, names: Sequence[str], axes: int, states: int, signature: Any) -> None:
        self.names, self.axes, self.states, self.signature = names, axes, states, signature
        self.force: Callable[..., Any] = lambda *_: 0.0
        self.start: Callable[..., Any] | None = None
        self.keep: list[Any] = []
        self._parameters: dict[Any, SimpleNamespace] = {}
        kind = "ms_status(double *, double *, ms_joint_input *, ms_joint_output *, double *, void *)"
        self.update = ffi.callback(kind, self._update, error=lib.MS_ERR_ARGUMENT, onerror=keep_failure)
        self.begin = ffi.callback("void(double *, double *, double *, void *)", self._start, onerror=keep_failure)

    def _values(self, value: Any) -> SimpleNamespace:
        key = tuple(value[0 : len(self.names)]) if self.names else ()
        found = self._parameters.get(key)
        if found is None:
            if len(self._parameters) > 1000:
                self._parameters.clear()
            found = self._parameters[key] = SimpleNamespace(**dict(zip(self.names, key)))
        return found

    def _vector(self, values: Any) -> Any:
        return values[0] if self.axes == 1 else np.array(list(values[0 : self.axes]))

    def _start(self, value: Any, u: Any, state: Any, user: Any) -> None:
        if self.start is not None:
            self._store("start", self.start(self._vector(u), self._values(value)), state, self.states)

    def _update(self, value: Any, state: Any, motion: Any, out: Any, after: Any, user: Any) -> int:
        given = Motion(self._vector(motion.u), self._vector(motion.v), motion.dt, motion.alpha, motion.k)
        history = np.array(list(state[0 : self.states])) if self.states else np.empty(0)
        answer = self.force(given, history, self._values(value))
        if not isinstance(answer, Mapping):
            answer = dict(zip(("force", "du", "state"), answer if isinstance(answer, tuple) else (answer,)))
        n = self.axes
        for name, item in answer.items():
            if name == "state":
                self._store(name, item, after, self.states)
            elif name in ("force", "dalpha", "dk"):
                self._store(name, item, getattr(out, name), n)
            elif name in ("du", "dv"):
                self._store(name, np.transpose(item), getattr(out, name), n * n)
            else:
                raise KeyError(f"a law returns force, du, dv, dalpha, dk and state, not {name!r}")
        forget_failure()
        return lib.MS_SUCCESS

    @staticmethod
    def _store(name: str, item: Any, to: Any, n: int) -> None:
        values = np.asarray(item, dtype=np.float64).reshape(-1)
        if len(values) != n:
            raise bad(f"the law has returned {len(values)} numbers as {name}, and must return {n}")
        if not np.isfinite(values).all():
            raise bad(f"the law has returned {values[~np.isfinite(values)][0]} as {name}; numbers must be finite")
        to[0:n] = values.tolist()


_registered: dict[str, _PythonLaw] = {}


def register_law(
    name: str,
    force: Callable[..., Any],
    parameters: Mapping[str, Any],
    *,
    states: int = 0,
    start: Callable[..., Any] | None = None,
    axes: int = 1,
    title: str = "",
    depends_on_rate: bool = False,
    depends_on_load: bool = False,
) -> Law:
    """A law written in Python, for trying ideas. From then on Joint, Structure and studies know its name. A step takes
    microseconds, a hundred times as long as in C, and holds the interpreter lock.

    force(x, state, p) has the step x (x.u, x.v, x.dt, x.alpha, x.k: see Motion), the history before it, an array of
    `states` numbers (at most 24), and parameters p.F_S. It returns (force, dF/du), (force, dF/du, state after the step), or a
    dict with force, du, dv, dalpha, dk and state; without derivatives they are 0, without a state it stays. Of several axes
    force is an array and du a matrix. It must depend on its arguments only: a step may be tried several times.

    parameters are {"F_S": "N"}, or {"F_S": {"unit": "N", "lower": 0, "upper": 1e9, "typical": 10, "meaning": "..."}}: bounds
    themselves are allowed, and all parameters are required. start(u, p) returns the virgin history at displacement u; zeros
    without. Harmonic balance takes laws without history only. What the functions raise is raised. A law of the same name and
    parameters is replaced, for joints that are there as well."""
    if not callable(force) or not (start is None or callable(start)):
        raise TypeError("force and start are functions")
    if not isinstance(parameters, Mapping):
        raise TypeError(f"parameters are a mapping of names to units, not {type(parameters).__name__}")
    word = encode(name, "the name of a law")
    count, n = whole(states, "states", 0, lib.MS_CUSTOM_MAX_STATE), whole(axes, "axes", 1, lib.MS_JOINT_MAX_AXIS)
    rows = [_read_parameter(key, given) for key, given in parameters.items()]
    signature = (tuple(map(str, rows)), count, n, bool(depends_on_rate), bool(depends_on_load))
    known = _registered.get(name)
    if known is None:
        known = _add(name, word, rows, _PythonLaw([row["name"] for row in rows], n, count, signature), title)
    elif known.signature != signature:
        raise bad(f"there is a law {name!r} already, with other parameters or states; take another name")
    known.force, known.start = force, start
    return law(name)


def _read_parameter(name: Any, given: Any) -> dict[str, Any]:
    encode(name, "the name of a parameter")
    row = {"name": name, "unit": "", "meaning": "of a law in Python", "lower": -np.inf, "upper": np.inf, "typical": 1.0}
    if isinstance(given, str):
        given = {"unit": given}
    if not isinstance(given, Mapping) or not name.isidentifier():
        raise bad(f"{name}: a parameter is a name, with its unit or a mapping of unit, lower, upper, typical and meaning")
    for key, value in given.items():
        if key not in row or key == "name":
            raise bad(f"{name}: a parameter has unit, lower, upper, typical and meaning, not {key!r}")
        row[key] = value if isinstance(row[key], str) else number(value, f"{key} of {name}")
        if isinstance(row[key], str):
            encode(value, f"{key} of {name}")
    return row


def _add(name: str, word: bytes, rows: Sequence[Mapping[str, Any]], made: _PythonLaw, title: str) -> _PythonLaw:
    def keep(words: str) -> Any:
        made.keep.append(ffi.new("char[]", words.encode()))
        return made.keep[-1]

    params = ffi.new("ms_param[]", max(len(rows), 1))
    for one, row in zip(params, rows):
        one.name, one.unit, one.meaning = keep(row["name"]), keep(row["unit"] or "-"), keep(row["meaning"])
        one.lower, one.upper, one.typical = row["lower"], row["upper"], row["typical"]
        one.kind, one.required = lib.MS_PARAM_NUMBER, 1
    custom = ffi.new("ms_custom_law *")
    info = custom.info
    info.name, info.title = keep(word.decode()), keep(encode(title, "title").decode() or "law written in Python")
    info.reference, info.param, info.n_param, info.n_axis = keep("written in Python"), params, len(rows), made.axes
    flags = made.signature[3:]
    info.flags = (lib.MS_LAW_RATE if flags[0] else 0) | (lib.MS_LAW_NORMAL if flags[1] else 0)
    custom.n_state, custom.start, custom.update = made.states, made.begin, made.update
    made.keep += [params, custom]
    context = Context()
    context.call(lib.ms_joint_add_law, context.pointer, custom)
    _registered[name] = made  # for good, as in the library
    return made
