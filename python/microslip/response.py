"""Response of structures: in time, frequency and damping against amplitude, periodic motions. Each is one call of the
library; settings have its names and defaults."""

from __future__ import annotations

import functools
from typing import Any, Mapping, Sequence

import numpy as np

from ._library import Context, bad, copy_numbers, encode, ffi, lib, number, numbers, pointer, text, whole
from .errors import InputError
from .loads import Load, weights
from .results import Table
from .structure import Structure

_TYPES = {"double": "f8", "int": "i4", "ptrdiff_t": "i8", "long": "i8"}


def _format(kind: Any) -> str | None:
    """Of a field, as NumPy has it; None for what is no number."""
    if kind.kind == "array" and kind.item.cname == "double":
        return f"({kind.length},)f8"
    return "i4" if kind.kind == "enum" else _TYPES.get(kind.cname)


@functools.lru_cache(maxsize=None)
def _layout(kind: Any) -> np.dtype:
    fields = [(name, field.type, field.offset) for name, field in kind.fields]
    fields = [(name, _format(t), at) for name, t, at in fields if _format(t)]
    names, formats, offsets = zip(*fields)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(kind)})


def records(first: Any, n: int) -> np.ndarray:
    """A copy of an array of structs: their numbers, lists of numbers and enums by name."""
    layout = _layout(ffi.typeof(first).item)
    if n == 0:
        return np.empty(0, dtype=layout)
    return np.frombuffer(ffi.buffer(first, n * layout.itemsize), dtype=layout).copy()


def records_of(kind: str, n: int) -> np.ndarray:
    """n of them, zeros, to be filled by the names of their numbers."""
    return np.zeros(n, dtype=_layout(ffi.typeof(kind)))


def _numbers_of(struct: Any) -> dict[str, float]:
    """The numbers of a plain struct by name."""
    return {name: getattr(struct, name) for name, field in ffi.typeof(struct).fields if field.type.cname in _TYPES}


def make_meanings(kind: str, units: Mapping[str, str]) -> dict[str, str]:
    """What columns of a kind of analysis mean, by the library's list."""
    return dict(_find_meanings(kind, tuple(units.items())))


@functools.lru_cache(maxsize=None)
def _find_meanings(kind: str, units: tuple[tuple[str, str], ...]) -> dict[str, str]:
    context, table = Context(), ffi.new("ms_result_table **")
    keep = ffi.new("char[]", kind.encode())  # the result borrows its name
    result = context.make("ms_result", lib.ms_result_create, lib.ms_result_destroy, context.pointer, keep, keep)
    columns = ",".join(f"{name} [{unit}]" if unit else name for name, unit in units)
    context.call(lib.ms_result_add_table, result, b"", columns.encode(), table)
    return {name: text(lib.ms_result_table_describe(table[0], i).meaning) for i, (name, _) in enumerate(units)}


def fill_settings(struct: Any, settings: Mapping[str, Any], what: str, hidden: Sequence[str] = ()) -> None:
    """Settings by their names in the library; tolerances as a mapping `tol`."""
    if not settings:
        return
    fields = {name: f.type for name, f in ffi.typeof(struct).fields if name not in ("size", *hidden)}
    for name, value in settings.items():
        kind = fields.get(name)
        if name == "tol" and kind is not None:
            if not isinstance(value, Mapping):
                raise TypeError("tol is a mapping of tolerances by name")
            fill_settings(struct.tol, value, f"tolerances of {what}")
        elif kind is not None and kind.cname == "double":
            setattr(struct, name, number(value, name))
        elif kind is not None and (kind.cname in _TYPES or kind.kind == "enum"):
            setattr(struct, name, whole(int(value) if isinstance(value, bool) else value, name, -(2**31)))
        else:
            known = [key for key, t in fields.items() if t.cname in _TYPES or t.kind == "enum" or key == "tol"]
            raise bad(f"{what} has no setting {name!r}; there are {', '.join(known)}")


def _vector(structure: Structure, where: Any, what: str, keep: list[Any]) -> Any:
    """double * over the degrees of freedom, NULL for None."""
    if where is None:
        return ffi.NULL
    keep.append(pointer(weights(structure, where, what)))
    return keep[-1]


def _check(structure: Any, mode: int | None = None) -> Any:
    if not isinstance(structure, Structure):
        raise TypeError(f"a Structure is wanted, not {type(structure).__name__}")
    if mode is not None:
        whole(mode, "mode", 0, structure.size - 1)
    return structure.set_up()


def _time(setting: Any, step: float, steps: int, method: str, beta: float, gamma: float, tolerance: float) -> list[Any]:
    """Fills ms_time_setting; what is returned must live as long."""
    word = ffi.new("char[]", encode(method, "method"))
    setting.step, setting.steps, setting.method = number(step, "step"), whole(steps, "steps", 1, 2**62), word
    setting.beta, setting.gamma, setting.tolerance = number(beta, "beta"), number(gamma, "gamma"), number(tolerance, "tolerance")
    return [word]


class Curve(Table):
    """A table of a response. complete: it came to its end; if not, `remark` says why. warnings are sentences about numbers
    that should not be relied on."""

    def __init__(self, name: str, units: Mapping[str, str], columns: Mapping[str, np.ndarray], meanings: Mapping[str, str]) -> None:
        super().__init__(name, dict(columns), dict(units), dict(meanings))
        self.complete = True
        self.remark = ""
        self.warnings: list[str] = []
        self.energy: dict[str, float] | None = None

    def __repr__(self) -> str:
        return "\n  ".join([super().__repr__(), *([self.remark] if self.remark else []), *self.warnings])


# ---- frequency and damping against amplitude ----

_BACKBONE = {
    "q": "m sqrt(kg)",
    "omega": "rad/s",
    "zeta": "",
    "zeta_joint": "",
    "zeta_viscous": "",
    "sensor_displacement": "m",
    "sensor_velocity": "m/s",
    "sensor_acceleration": "m/s^2",
    "residual": "",
    "quality": "",
}


def backbone_methods() -> dict[str, str]:
    """Methods that `backbone` runs, with their meanings."""
    methods, i = {}, 0
    while method := lib.ms_backbone_get_method(i):
        if method.run:
            methods[text(method.name)] = text(method.meaning)
        i += 1
    return methods


def backbone(
    structure: Structure,
    mode: int = 0,
    method: str = "qsma",
    amplitudes: Any = None,
    *,
    points: int = 40,
    sensor: str | int | None = None,
    preload: Any = None,
    force: Any = None,
    **settings: Any,
) -> Curve:
    """Frequency and damping of a mode (from 0) against its amplitude, by "qsma", "rqnm", "epmc" or "stepped_sine".

    amplitudes, m sqrt(kg), rise, or are one number; without them `points` of them, evenly in logarithm, from 1/1000 to 10 times the one at
    which the first joint slips altogether. sensor is the degree of freedom whose motion is given as well (the one that
    moves most); preload is a static force, force that of stepped_sine (M phi of the mode), each as `at` of a Load. Other
    settings are those of ms_quasistatic_setting for qsma and rqnm, of ms_harmonic_setting for the others (harmonics=9).
    """
    handle, context, keep = _check(structure, mode), structure._context, []
    setting, curve = ffi.new("ms_backbone_setting *"), ffi.new("ms_backbone_curve *")
    lib.ms_backbone_default(setting, ffi.sizeof("ms_backbone_setting"))
    own_range = amplitudes is None
    if own_range:
        amplitudes = _range(structure, mode, points)
    q = numbers(np.atleast_1d(amplitudes), "amplitudes", (None,))
    try:
        context.call(lib.ms_backbone_request, context.pointer, encode(method, "method"), mode, len(q), pointer(q), curve)
    except InputError as error:
        error.args = (f"{str(error).split('; the first')[0]}; methods are {', '.join(backbone_methods())}",)
        raise
    if not curve.method.run:
        raise bad(f"{method} is read from a test; methods here are {', '.join(backbone_methods())}")
    if curve.method.harmonic:
        fill_settings(setting.harmonic, settings, method)
    else:
        fill_settings(setting.quasistatic, settings, method, ("kind", "mode", "level", "preload"))
    setting.sensor = lib.MS_GROUND if sensor is None else structure.index(sensor)
    setting.preload = _vector(structure, preload, "preload", keep)
    setting.force = _vector(structure, force, "force", keep)
    try:
        context.run(lib.ms_backbone_run, context.pointer, handle, setting, curve)
        if own_range:
            lib.ms_backbone_trim(curve)
        return _make_backbone(handle, curve)
    finally:
        context.ask(lib.ms_backbone_free, context.pointer, curve)


def qsma(structure: Structure, mode: int = 0, amplitudes: Any = None, **other: Any) -> Curve:
    """`backbone` by quasi-static modal analysis."""
    return backbone(structure, mode, "qsma", amplitudes, **other)


def rqnm(structure: Structure, mode: int = 0, amplitudes: Any = None, **other: Any) -> Curve:
    """`backbone` by the Rayleigh quotient of the nonlinear mode."""
    return backbone(structure, mode, "rqnm", amplitudes, **other)


def epmc(structure: Structure, mode: int = 0, amplitudes: Any = None, **other: Any) -> Curve:
    """`backbone` by the extended periodic motion concept: the nonlinear mode by harmonic balance."""
    return backbone(structure, mode, "epmc", amplitudes, **other)


def _range(structure: Structure, mode: int, points: int) -> np.ndarray:
    ends = ffi.new("double[2]")
    found = structure._context.ask(lib.ms_backbone_find_range, structure.set_up(), mode, ends, ends + 1)
    if not found:
        raise bad("no joint slips in this mode: give its amplitudes")
    return np.geomspace(ends[0], ends[1], whole(points, "points", 2, 100_000))


@functools.lru_cache(maxsize=None)
def _places() -> dict[str, int]:
    """Where a point of a backbone has its columns, counted in doubles."""
    layout = _layout(ffi.typeof("ms_backbone_point"))
    sensor = {f"sensor_{name}": layout.fields["sensor"][1] // 8 + i for i, name in enumerate(("displacement", "velocity", "acceleration"))}
    return {name: sensor[name] if name in sensor else layout.fields[name][1] // 8 for name in _BACKBONE}


def _make_backbone(structure: Any, curve: Any) -> Curve:
    size = ffi.sizeof("ms_backbone_point")
    points = np.frombuffer(ffi.buffer(curve.point, curve.n * size)).reshape(-1, size // 8).T.copy() if curve.n else np.empty((size // 8, 0))
    columns = {name: points[place] for name, place in _places().items()}  # one copy, of which the columns are parts
    out = Curve("backbone", _BACKBONE, columns, make_meanings("backbone", _BACKBONE))
    out.complete, out.remark = not curve.partial, text(curve.remark)
    doubt, words, i = ffi.new("ms_doubt *"), ffi.new("char[600]"), 0
    while lib.ms_backbone_warning(structure, curve, i, doubt, words, 600):
        if doubt[0] != lib.MS_DOUBT_NOTE:
            out.warnings.append(text(words))
        i += 1
    return out


# ---- time ----


def _doubts(quality: Any) -> list[str]:
    words, doubts = ffi.new("char[600]"), []
    for kind in range(lib.MS_N_DOUBT):
        if lib.ms_transient_quality_doubt(quality, kind, words, 600):
            doubts.append(text(words))
    return doubts


DECAY = {
    "time": "s",
    "q": "m sqrt(kg)",
    "velocity": "m/s sqrt(kg)",
    "acceleration": "m/s^2 sqrt(kg)",
    "omega": "rad/s",
    "zeta": "",
    "quality": "",
}


def ringdown(
    structure: Structure,
    mode: int = 0,
    *,
    step: float,
    steps: int,
    amplitude: float | None = None,
    impact: float | None = None,
    at: str | int | None = None,
    reading: str = "hilbert",
    method: str = "newmark",
    beta: float = 0.25,
    gamma: float = 0.5,
    tolerance: float = 0.0,
) -> Curve:
    """Excites the structure by a half sine of half a period of the mode, integrates `steps` steps of `step` s, and reads
    the free decay of the mode: frequency and damping against amplitude.

    The force is spread as M phi, so that the mode rings from about `amplitude`, m sqrt(kg), on; or it is an impact of
    `impact` N at one degree of freedom. reading: "hilbert" or "stft". method: "newmark" (beta, gamma) or "exponential";
    tolerance > 0 lets steps be divided. A mode that cannot be read leaves an empty table and a remark.
    """
    handle, context = _check(structure, mode), structure._context
    readings = {"hilbert": lib.MS_RING_HILBERT, "stft": lib.MS_RING_STFT}
    if reading not in readings:
        raise bad(f"reading = {reading!r} must be one of {', '.join(readings)}")
    if (amplitude is None) == (impact is None) or (impact is None) != (at is None):
        raise bad("give amplitude, or impact and at")
    run = lib.ms_pulse_default()
    keep = _time(run.time, step, steps, method, beta, gamma, tolerance)
    run.mode = modes = ffi.new("int[]", [mode])
    run.n_mode, run.method = 1, readings[reading]
    if amplitude is not None:
        run.p = lib.ms_pulse_height(lib.ms_structure_get_stuck(handle).omega[mode], number(amplitude, "amplitude"))
    else:
        place = ffi.new("ptrdiff_t *", structure.index(at))
        if place[0] < 0:
            raise bad("at: an impact on the ground does nothing")
        run.p, run.at = number(impact, "impact"), place
        keep.append(place)
    keep.append(modes)
    address = ffi.addressof(run)
    try:
        context.run(lib.ms_pulse_simulate, context.pointer, handle, address)
        decay = records(run.decay[0].point, run.decay[0].n)
        columns = {name: np.ascontiguousarray(decay[name]) for name in DECAY}
        out = Curve("ringdown", DECAY, columns, make_meanings("ringdown", DECAY))
        out.complete, out.remark = len(decay) > 0, text(ffi.addressof(run.remark[0], 0))
        out.energy = _numbers_of(run.energy) if run.has_energy else None
        out.warnings = _doubts(ffi.addressof(run, "quality"))
        return out
    finally:
        context.ask(lib.ms_pulse_free, context.pointer, address)


def transient(
    structure: Structure,
    *,
    step: float,
    steps: int,
    loads: Sequence[Load] | Load = (),
    record: Sequence[str] | None = None,
    every: int = 1,
    u: Any = None,
    v: Any = None,
    preload: Any = None,
    release: bool = False,
    method: str = "newmark",
    beta: float = 0.25,
    gamma: float = 0.5,
    tolerance: float = 0.0,
) -> Curve:
    """Integrates the structure in time, `steps` steps of `step` s, and records channels: columns `time` and theirs.

    Channels: "u2", "u2.velocity", "u2.acceleration", "u2.absolute" of a degree of freedom; "lap.z", "lap.f", "lap.N"
    of a joint; "q1", "q1.velocity" of a mode, from 1; the name of a load. Without `record`, every degree of freedom and
    every axis of every joint. `every` steps make a row, behind an anti-alias filter. u and v are displacements and velocities
    at the start (as `at` of a Load); with a preload, N, it starts in its static equilibrium, and release lets it go.
    method: "newmark" (beta, gamma) or "exponential"; tolerance > 0 lets steps be divided.
    """
    handle, context, keep = _check(structure), structure._context, []
    loads = [loads] if isinstance(loads, Load) else list(loads)
    recording, channels = lib.ms_recording_default(), ffi.new("ms_channels *")
    keep += _time(recording.time, step, steps, method, beta, gamma, tolerance)
    acting = ffi.new("ms_acting_load[]", max(len(loads), 1))
    for one, load in zip(acting, loads):
        _act(structure, one, load, keep)
    recording.load, recording.n_load = acting, len(loads)
    recording.every = whole(every, "every", 1, 2**62)
    for name, value in (("u", u), ("v", v), ("preload", preload)):
        setattr(recording, name, _vector(structure, value, name, keep))
    recording.release = bool(release)
    try:
        if record is None:
            context.call(lib.ms_channels_add_all, context.pointer, handle, channels)
        for name in [record] if isinstance(record, str) else record or ():
            word = encode(name, "a channel")
            context.call(lib.ms_channels_add, context.pointer, handle, len(loads), acting, word, channels)
        recording.channels = channels
        out = _record(context, handle, recording, channels)
        out.warnings += _load_warnings(handle, recording)
        return out
    finally:
        context.ask(lib.ms_channels_free, context.pointer, channels)


def _load_warnings(structure: Any, recording: Any) -> list[str]:
    """Loads that the steps do not resolve, which a study refuses, and noise."""
    found, words, doubtful = [], ffi.new("char[600]"), ffi.new("int *")
    steps, step = lib.ms_time_count_steps(ffi.addressof(recording, "time")), recording.time.step
    for load in recording.load[0 : recording.n_load]:
        name, scale, i = text(load.name), lib.ms_load_get_scale(load.load), 0
        if scale.pulse < steps.enough * step:
            found.append(
                f"load {name} lasts {scale.pulse:.3g} s, {scale.pulse / step:.3g} steps: its impulse may be off by more than "
                f"1 %, or it is missed; at least {steps.enough:g} steps are required, a step of {scale.pulse / steps.enough:.2g} s"
            )
        elif scale.period < 2.0 * step:
            found.append(f"load {name} has a period of {scale.period:.3g} s, {scale.period / step:.3g} steps: at least 2 are required")
        while lib.ms_load_warning(load.load, structure, load.shape, step * recording.time.steps, i, doubtful, words, 600):
            found.append(f"load {name}: {text(words)}")
            i += 1
    return found


def _act(structure: Structure, one: Any, load: Load, keep: list[Any]) -> None:
    """Fills ms_acting_load."""
    if not isinstance(load, Load):
        raise TypeError(f"a Load is wanted, not {type(load).__name__}")
    one.name, one.load = load._name, load._load
    _set_shape(structure, one, load.at, load.base, keep)


def _set_shape(structure: Structure, one: Any, at: Any, base: Any, keep: list[Any]) -> None:
    """Where ms_acting_load acts."""
    if at is not None:
        one.shape = _vector(structure, at, "at", keep)
        return
    one.base = _vector(structure, base, "base", keep)
    shape = np.zeros(structure.size)
    keep.append(pointer(shape))
    lib.ms_structure_apply_mass(structure.set_up(), -1.0, one.base, keep[-1])
    one.shape = keep[-1]


def _record(context: Context, structure: Any, recording: Any, channels: Any) -> Curve:
    """Runs it, with rows into one array, a column behind the other."""
    n_row = lib.ms_signal_decimated_length(recording.time.steps + 1, recording.every)
    values = np.empty((n_row, 1 + channels.n), order="F")
    rows = ffi.new("ms_rows *", {"value": pointer(values), "n_column": 1 + channels.n, "capacity": n_row})
    recording.row, recording.user = lib.ms_rows_add, rows
    context.run(lib.ms_recording_run, context.pointer, structure, ffi.addressof(recording))
    units, meanings = {"time": "s"}, make_meanings("transient", {"time": "s"})
    for i in range(channels.n):
        channel = channels.channel[i]
        units[text(channel.name)] = text(lib.ms_quantity_unit(channel.quantity, channel.turns))
        meanings[text(channel.name)] = text(lib.ms_quantity_meaning(channel.quantity))
    out = Curve("transient", units, {name: values[: rows.n, i] for i, name in enumerate(units)}, meanings)
    out.energy = _numbers_of(recording.last) if recording.has_energy else None
    out.warnings = _doubts(ffi.addressof(recording, "quality"))
    return out


# ---- swept sine ----

_SWEEP = {
    "level": "",
    "direction": "",
    "time": "s",
    "q": "m sqrt(kg)",
    "omega": "rad/s",
    "zeta": "",
    "zeta_joint": "",
    "zeta_half": "",
    "zeta_phase": "",
    "omega_half": "rad/s",
    "omega_peak": "rad/s",
    "height": "",
    "response": "",
    "rate": "Hz/s",
    "severity": "",
    "quality": "",
}


def sweep(
    structure: Structure,
    mode: int = 0,
    *,
    levels: Any,
    start: float,
    stop: float,
    duration: float,
    step: float,
    at: Any = None,
    base: Any = None,
    sensor: str | int | None = None,
    tail: float | None = None,
    law: str = "linear",
    directions: Sequence[str] = ("up", "down"),
    method: str = "newmark",
    smooth: float = 0.0,
) -> Curve:
    """A swept sine through the resonance of a mode (from 0), in time, from start to stop, Hz, in `duration` s, for each level
    and direction; frequency and total damping are read from the transfer function.

    at and base are as of a Load, levels N or m/s^2; sensor is the degree of freedom that is read, without it the modal
    coordinate; tail is the time for ringing after the sweep. law: "linear" or "logarithmic"; smooth: Hz over which spectra
    are averaged. A row for each resonance that could be read; `transfer` and `envelope` of the answer are tables of all runs,
    `remarks` say why a resonance could not be read."""
    handle, context, keep = _check(structure, mode), structure._context, []
    if (at is None) == (base is None):
        raise bad("a sweep has one of `at` and `base`")
    heights = numbers(np.atleast_1d(levels), "levels", (None,))
    if len(heights) == 0 or heights.min() <= 0.0:
        raise bad("levels must be > 0, and at least one")
    ways = [directions] if isinstance(directions, str) else list(directions)
    for word, value, known in (("law", law, ("linear", "logarithmic")), *(("directions", way, ("up", "down")) for way in ways)):
        if value not in known:
            raise bad(f"{word} = {value!r} must be one of {', '.join(known)}")
    plan = ffi.new("ms_sweep_plan *")
    words = [ffi.new("char[]", encode(law, "law")), ffi.new("char[]", encode(method, "method"))]
    plan.law, plan.method = words
    setattr(plan, "from", number(start, "start"))
    plan.to, plan.duration, plan.step = number(stop, "stop"), number(duration, "duration"), number(step, "step")
    if not 0.0 < getattr(plan, "from") < plan.to < np.inf:
        raise bad("start must be > 0 and below stop; the direction is said by directions")
    if not (0.0 < plan.duration < np.inf and 0.0 < plan.step * plan.to <= 0.1):
        raise bad("duration must be > 0, and step so short that a period at stop has at least 10 of them")
    lib.ms_sweep_default(ffi.addressof(plan.settings), ffi.sizeof("ms_sweep_settings"))
    plan.settings.start, plan.settings.end, plan.settings.smooth = 0.0, plan.duration, number(smooth, "smooth")
    plan.settings.input = lib.MS_SWEEP_BASE if at is None else lib.MS_SWEEP_FORCE
    one = ffi.new("ms_acting_load *")
    _set_shape(structure, one, at, base, keep)
    weights_of = np.zeros(structure.size)
    keep.append(pointer(weights_of))
    plan.shape, plan.sensor = ffi.cast("double *", one.shape), keep[-1]
    if not lib.ms_structure_get_stuck(handle).omega[mode] > 0.0:
        raise bad(f"mode {mode} is rigid and does not resonate")
    place = lib.MS_GROUND if sensor is None else structure.index(sensor)
    context.call(lib.ms_sweep_set_sensor, context.pointer, handle, mode, place, plan)
    context.call(lib.ms_sweep_set_participation, context.pointer, handle, mode, plan)
    rest = number(tail, "tail") if tail is not None else lib.ms_sweep_default_tail(handle, mode, plan.duration)
    steps = (plan.duration + rest) / plan.step
    if not 1.0 <= steps <= 1e8:
        raise bad(f"{steps:g} steps; 1 to 1e8 can be kept")
    plan.steps = int(np.ceil(steps))
    return _sweep(context, handle, mode, plan, [(level, way) for level in heights.tolist() for way in ways], place < 0)


def _sweep(context: Context, handle: Any, mode: int, plan: Any, runs: Sequence[tuple[float, str]], modal: bool) -> Curve:
    rows, lines, envelopes = [], [], []
    remarks, warnings = [], []
    for level, way in runs:
        run = ffi.new("ms_sweep_run *", {"plan": plan, "level": level, "down": way == "down"})
        try:
            context.run(lib.ms_sweep_simulate, context.pointer, handle, run)
            lines.append((level, way, copy_numbers(run.line, (3, run.n_line))))
            envelopes.append((level, way, copy_numbers(run.row, (2, run.n_row))))
            warnings += [f"level {level:g}, {way}: {words}" for words in _doubts(ffi.addressof(run, "quality"))]
            if run.sweep.n == 0:
                remarks.append(f"level {level:g}, {way}: {text(run.remark)}")
                continue
            point, w = lib.ms_sweep_get_resonance(run), run.sweep
            joint = lib.ms_structure_get_excess_damping(handle, mode, point.omega, point.zeta)
            rows.append(
                (level, way, point.time, point.q, point.omega, point.zeta, joint, w.zeta_half, w.zeta_phase, w.omega_half)
                + (w.omega_peak, w.height, w.point.q, w.rate, w.severity, w.point.quality)
            )
            if w.severity > 3.6 and lib.ms_structure_count_joints(handle):
                warnings.append(f"level {level:g}, {way}: the sweep is too fast (severity {w.severity:.3g}, above 3.6)")
        finally:
            context.ask(lib.ms_sweep_run_free, context.pointer, run)
    columns = {name: np.array([row[i] for row in rows], dtype=str if i == 1 else float) for i, name in enumerate(_SWEEP)}
    units = {**_SWEEP, "response": "m sqrt(kg)" if modal else "m"}
    out = Curve("sweep", units, columns, make_meanings("sweep", units))
    out.complete, out.remark, out.remarks, out.warnings = not remarks, "; ".join(remarks), remarks, warnings
    out.transfer = _join("transfer", {"f": "Hz", "magnitude": "", "phase": "deg"}, lines)
    out.envelope = _join("envelope", {"f": "Hz", "response": units["response"]}, envelopes)
    return out


def _join(name: str, units: Mapping[str, str], parts: Sequence[tuple[float, str, np.ndarray]]) -> Table:
    """Tables of several runs, one after the other."""
    count = [part.shape[1] for _, _, part in parts]
    columns = {"level": np.repeat([p[0] for p in parts], count), "direction": np.repeat([p[1] for p in parts], count)}
    for i, column in enumerate(units):
        columns[column] = np.concatenate([part[i] for _, _, part in parts])
    units = {"level": "", "direction": "", **units}
    return Table(name, columns, units, make_meanings("sweep", units))


# ---- periodic motions ----


def _sensors(structure: Structure, sensors: Any) -> tuple[list[str], Any]:
    names = [sensors] if isinstance(sensors, (str, int)) else list(sensors)
    places = [structure.index(name) for name in names]
    if not places or min(places) < 0:
        raise bad("sensor: at least one degree of freedom is wanted, and not the ground")
    known = structure.names
    return [known[i] for i in places], ffi.new("ptrdiff_t[]", places)


_PERIODIC = {"omega": "rad/s", "level": "", "q": "m sqrt(kg)", "D": "J", "zeta": "", "zeta_joint": "", "residual": ""}
_PERIODIC_MEANINGS = {"level": "factor on the force", "D": "energy dissipated per cycle by all joints"}


def _make_periodic(name: str, periodic: Any, sensors: Sequence[str]) -> Curve:
    """Points of a curve, with amplitude, phase and peaks at sensors."""
    points, n = records(periodic.point, periodic.n), periodic.n_sensor
    motions = records(periodic.sensor, periodic.n * n).reshape(periodic.n, n)
    units, columns = dict(_PERIODIC), {key: np.ascontiguousarray(points[key]) for key in _PERIODIC}
    meanings = {**make_meanings("frequency_response", _PERIODIC), **_PERIODIC_MEANINGS}
    columns["stable"] = np.where(points["stability"] == lib.MS_STABILITY_UNKNOWN, -1, points["stability"] == lib.MS_STABLE)
    units["stable"], meanings["stable"] = "", "1: stable, 0: not, -1: not known"
    for k, sensor in enumerate(sensors):
        motion = motions[:, k]
        for key, unit, meaning, values in (
            ("amplitude", "m", "amplitude of the displacement, first harmonic", motion["amplitude"]),
            ("phase", "rad", "phase p of amplitude cos(omega t + p)", motion["phase"]),
            ("peak", "m", "largest displacement over a period", motion["peak"][:, 0]),
            ("peak_acceleration", "m/s^2", "largest acceleration over a period", motion["peak"][:, 2]),
        ):
            column = f"{sensor}.{key}"
            columns[column], units[column], meanings[column] = np.ascontiguousarray(values), unit, meaning
    out = Curve(name, units, columns, meanings)
    out.complete, out.remark = bool(periodic.complete), text(periodic.remark)
    return out


def frequency_response(
    structure: Structure,
    force: Any,
    *,
    sensor: Any,
    start: float,
    stop: float,
    level: float = 1.0,
    frequencies: Any = (),
    preload: Any = None,
    **settings: Any,
) -> Curve:
    """Periodic response to force level cos(omega t) along omega from start to stop, rad/s, through folds, by harmonic
    balance. force is as `at` of a Load, N for a level of 1; sensor one or several degrees of freedom; frequencies between
    that are solved for exactly. Other settings are those of ms_harmonic_setting (harmonics=9). `peak` of the answer is
    the row where the first sensor moves most, `folds` how often the curve turns back."""
    handle, context, keep = _check(structure), structure._context, []
    names, places = _sensors(structure, sensor)
    plan = lib.ms_frequency_default()
    fill_settings(plan.harmonic, settings, "frequency_response")
    plan.force = _vector(structure, force, "force", keep)
    plan.preload = _vector(structure, preload, "preload", keep)
    plan.sensor, plan.n_sensor = places, len(names)
    plan.to = number(stop, "stop")
    setattr(plan, "from", number(start, "start"))
    exact = numbers(frequencies, "frequencies", (None,))
    if len(exact):
        keep.append(pointer(exact))
        plan.list, plan.n_list = keep[-1], len(exact)
    run = ffi.new("ms_frequency_run *", {"plan": ffi.addressof(plan), "level": number(level, "level")})
    try:
        context.run(lib.ms_frequency_simulate, context.pointer, handle, run)
        out = _make_periodic("frequency_response", run.curve, names)
        out.peak, out.folds = run.peak, run.folds
        return out
    finally:
        context.ask(lib.ms_frequency_free, context.pointer, run)


def stepped_sine(
    structure: Structure, mode: int, force: Any, levels: Any, *, sensor: Any, preload: Any = None, **settings: Any
) -> Curve:
    """Phase resonance of a mode (from 0) held at each of several levels of a force, by harmonic balance. levels rise, and
    multiply force, which is as `at` of a Load; the rest as of frequency_response."""
    handle, context, keep = _check(structure, mode), structure._context, []
    names, places = _sensors(structure, sensor)
    plan = lib.ms_stepped_default()
    fill_settings(plan.harmonic, settings, "stepped_sine")
    heights = numbers(levels, "levels", (None,))
    keep.append(pointer(heights))
    plan.level, plan.n_level = keep[-1], len(heights)
    plan.force = _vector(structure, force, "force", keep)
    plan.preload = _vector(structure, preload, "preload", keep)
    plan.sensor, plan.n_sensor = places, len(names)
    run = ffi.new("ms_stepped_run *", {"plan": ffi.addressof(plan), "mode": mode})
    try:
        context.run(lib.ms_stepped_simulate, context.pointer, handle, run)
        return _make_periodic("stepped_sine", run.curve, names)
    finally:
        context.ask(lib.ms_stepped_free, context.pointer, run)


def linear_response(
    structure: Structure, omega: Any, *, force: Any, sensor: Any, kind: str = "receptance", joints: str = "stuck"
) -> np.ndarray:
    """Complex frequency response at omega, rad/s, of a sensor to a force (each as `at` of a Load), from the modes. kind:
    "receptance", "mobility" or "accelerance"; joints: "stuck" or "slipped"."""
    handle, context, keep = _check(structure), structure._context, []
    states = {"stuck": lib.MS_JOINTS_STUCK, "slipped": lib.MS_JOINTS_SLIPPED}
    if joints not in states:
        raise bad(f"joints = {joints!r} must be one of {', '.join(states)}")
    found, request = ffi.new("ms_response_kind *"), ffi.new("ms_response_request *")
    context.call(lib.ms_response_parse_kind, context.pointer, encode(kind, "kind"), found)
    if found[0] == lib.MS_TRANSMISSIBILITY:
        raise bad("transmissibility is the response to a base; kind must be receptance, mobility or accelerance")
    request.kind, request.joints = found[0], states[joints]
    request.force = _vector(structure, force, "force", keep)
    request.sensor = _vector(structure, sensor, "sensor", keep)
    at = numbers(np.atleast_1d(omega), "omega", (None,))
    out = np.empty(len(at), dtype=complex)
    pairs = ffi.from_buffer("double[]", out)
    context.run(lib.ms_response_synthesise, handle, request, len(at), pointer(at), pairs)
    return out
