"""Identification: decays of measured records, modal Iwan models, parameters of joints. One call of the library for each
fit; a calibration has the numbers of the analysis of that name in a study."""

from __future__ import annotations

import os
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np

from ._library import Context, bad, copy_numbers, encode, ffi, lib, number, numbers, pointer, text, whole
from .fits import Fit, finish, make_bounds, run_starts
from .response import DECAY, Curve, fill_settings, make_meanings, records, records_of
from .results import Table
from .structure import Structure

# ---- records ----


def read_table(path: str | os.PathLike[str]) -> Table:
    """A table of a file (.csv, .tsv, .txt, .dat): the first line names the columns, `t [s]`; lines with # are
    skipped, unless the names stand in one. Values are as they stand there, `units` says in which unit."""
    context = Context()
    name = encode(path, "path")
    made = context.make("ms_table", lib.ms_table_read_words, lib.ms_table_destroy, context.pointer, name)
    n = lib.ms_table_get_rows(made)
    columns, units = {}, {}
    for i in range(lib.ms_table_get_columns(made)):
        address = lib.ms_table_get_name(made, i)
        values, key = lib.ms_table_get_column(made, address), text(address)
        if values:
            columns[key] = copy_numbers(values, (n,))
        else:
            columns[key] = np.array([text(lib.ms_table_get_word(made, address, row)) for row in range(n)], dtype=str)
        units[key] = text(lib.ms_table_get_unit(made, i))
    return Table(os.path.basename(os.fspath(path)), columns, units, {})


_SLACK = 0.05  # MS_RECORD_SLACK: how far a time may stray from an even grid, in steps
_KINDS = {
    "displacement": lib.MS_SIGNAL_DISPLACEMENT,
    "velocity": lib.MS_SIGNAL_VELOCITY,
    "acceleration": lib.MS_SIGNAL_ACCELERATION,
}


class Record(NamedTuple):
    """One channel of a measurement, x in m, m/s, m/s^2 or N as `kind` says, at times t = time + k*dt, s."""

    x: np.ndarray
    dt: float
    time: float
    kind: str
    channel: str

    @property
    def t(self) -> np.ndarray:
        return self.time + self.dt * np.arange(len(self.x))


def read_record(
    path: str | os.PathLike[str],
    channel: str | None = None,
    *,
    kind: str | None = None,
    unit: str | None = None,
    rate: float = 0.0,
) -> Record:
    """A channel of a file, in SI: a table (.csv, .tsv, .txt, .dat) with a column of times and the unit of the channel in its
    heading, or a universal file (.uff, .unv). Times are called "t", "time" or "time_s", in capitals or small letters; a unit
    stands in brackets or parentheses, "tip [g]", "Time (ms)". The line of names may be a comment, as numpy.savetxt writes
    it. kind ("acceleration"; "force" for the channel of a hammer, in N), unit ("g") and rate, samples per second, override the file, and are asked for where it does
    not say them."""
    context, out, request = Context(), ffi.new("ms_record *"), ffi.new("ms_record_request *")
    request.kind, request.rate_hz = lib.MS_RECORD_UNKNOWN, number(rate, "rate")
    if kind is not None:
        found, word = ffi.new("ms_record_kind *"), encode(kind, "kind")
        if kind == text(lib.ms_record_kind_text(lib.MS_RECORD_FORCE)):
            found[0] = lib.MS_RECORD_FORCE
        else:
            context.call(lib.ms_record_parse_kind, context.pointer, word, found)
        request.kind = found[0]
    words = [ffi.NULL if word is None else ffi.new("char[]", encode(word, what)) for word, what in ((channel, "channel"), (unit, "unit"))]
    request.channel, request.unit = words
    context.call(lib.ms_record_read, context.pointer, encode(path, "path"), request, out)
    try:
        x = copy_numbers(out.x, (out.n,))
        return Record(x, out.dt, out.time, text(lib.ms_record_kind_text(out.kind)), text(out.channel))
    finally:
        lib.ms_record_free(context.pointer, out)


def read_ringdown(
    record: Record | Any,
    x: Any = None,
    *,
    kind: str = "acceleration",
    method: str = "hilbert",
    band: tuple[float, float] | None = None,
    edge: float = 0.1,
    start: float | None = None,
    end: float | None = None,
    segments: int = 0,
    shape: float | None = None,
    keep_offset: bool = False,
) -> Curve:
    """Frequency and damping against amplitude from a measured ring-down: a record of read_record, or read_ringdown(t, x) with
    times, s, evenly spaced, and x in m, m/s or m/s^2 as `kind` says ("displacement", "velocity", "acceleration").

    band = (low, high), Hz, is that of a band-pass before, for one mode of several. edge, in (0, 1], is the width of the
    filter's transition relative to the band: its gain falls from 1 at low to 0 at (1 - edge) low, and from 1 at high to 0
    at (1 + edge) high. The filter settles for 1.5/(edge low) s at each end of the ringing, which are left out: a wider
    edge begins earlier, a narrower one stops modes that are nearer. start and end, s, are those between which it rings
    freely (found: the beginning, or one period after the largest sample); end cuts off what is only noise. method:
    "hilbert", "stft" or "crossings"; segments: rows, about, of which fewer average over more noise, and more are shorter.

    shape is the mass-normalised mode shape at the sensor, 1/sqrt(kg), of any sign: amplitudes q are then the mode's, m
    sqrt(kg), and rows that do not decay are left out. Without it q is the amplitude of the sensor's displacement, m."""
    context, setting = Context(), ffi.new("ms_ring_settings *")
    signal, keep = _borrow(context, record, x, kind)
    if shape is not None and not 0.0 < abs(number(shape, "shape")) < np.inf:
        raise bad(f"shape = {shape:g} must be finite and not 0: a sensor there does not see the mode")
    lib.ms_ring_default(setting, ffi.sizeof("ms_ring_settings"))
    found = ffi.new("ms_ring_method *")
    context.call(lib.ms_signal_parse_method, context.pointer, encode(method, "method"), found)
    setting.method, setting.segments = found[0], whole(segments, "segments", 0, 1_000_000)
    setting.edge, setting.keep_offset = number(edge, "edge"), bool(keep_offset)
    if band is not None:
        low, high = numbers(band, "band", (2,)).tolist()
        setting.low, setting.high = 2.0 * np.pi * low, 2.0 * np.pi * high
    if start is not None:
        setting.start = number(start, "start")
    if end is not None:
        setting.end = number(end, "end")
    decay, info = ffi.new("ms_decay *"), ffi.new("ms_ring_info *")
    try:
        context.run(lib.ms_signal_ringdown, context.pointer, signal, setting, ffi.NULL, decay, info)
        warnings = _warnings(lib.ms_ring_warning, info, setting) + _warnings(lib.ms_ring_note, info, setting)
        if shape is not None:
            lib.ms_decay_to_modal(decay, abs(shape))
        rows = records(decay.point, decay.n)
    finally:
        context.ask(lib.ms_decay_free, context.pointer, decay)
        del keep
    units = DECAY if shape is not None else {name: unit.replace(" sqrt(kg)", "") for name, unit in DECAY.items()}
    out = Curve("ringdown", units, {name: np.ascontiguousarray(rows[name]) for name in DECAY}, make_meanings("ringdown", DECAY))
    out.warnings = warnings
    out._reading = ffi.new("ms_modal_reading *", [signal.n, signal.dt, signal.time, signal.kind, setting[0], info[0]])
    return out


def _borrow(context: Context, record: Any, x: Any, kind: Any) -> tuple[Any, list[Any]]:
    """`ms_signal *`, and what must live as long."""
    signal = ffi.new("ms_signal *")
    if isinstance(record, Record):
        if x is not None or record.kind not in _KINDS:
            raise bad(f"a record of {record.kind} is given alone, and must be one of {', '.join(_KINDS)}")
        keep = [pointer(numbers(record.x, "x", (None,)))]
        signal.x, signal.n, signal.dt, signal.time, signal.kind = keep[0], len(record.x), record.dt, record.time, _KINDS[record.kind]
        return signal, keep
    if isinstance(record, (str, os.PathLike)):
        raise TypeError(f"{os.fspath(record)!r} is a path: read the file first, read_ringdown(read_record(path, channel))")
    if x is None:
        raise bad("give a record, or times and values")
    times, values = numbers(record, "t", (None,)), numbers(x, "x", (None,))
    if len(times) != len(values):
        raise bad(f"t has {len(times)} numbers and x has {len(values)}")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise bad(f"kind = {kind!r} must be one of {', '.join(_KINDS)}")
    keep = [pointer(times), pointer(values)]
    context.call(lib.ms_signal_borrow, context.pointer, len(times), *keep, _KINDS[kind], _SLACK, signal)
    return signal, keep


def _warnings(function: Any, *arguments: Any) -> list[str]:
    words, found = ffi.new("char[600]"), []
    while function(*arguments, len(found), words, 600):
        found.append(text(words))
    return found


# ---- a mode ----

MODAL = tuple(text(lib.ms_identify_modal_name(i)) for i in range(lib.MS_MODAL_N))
_MODAL_UNITS = tuple(text(lib.ms_identify_modal_unit(i)) for i in range(lib.MS_MODAL_N))
_FORMS = {"continuous": lib.MS_MODAL_CONTINUOUS, "printed": lib.MS_MODAL_PRINTED}


class ModalFit(Fit):
    """A modal Iwan model, q" + 2 zeta_0 omega_0 q' + K_inf q + F_I(q) = f, and how well its six parameters are known:
    see Fit. Of a modal amplitude, m sqrt(kg), F_S is in N/sqrt(kg); of a sensor's displacement, m, it is force per mass,
    m/s^2 (`units`). omega_0 = sqrt(K_inf + K_T) is rad/s at small amplitudes, phi_max the amplitude q at which macroslip
    begins; rms_ln_zeta (0.02: damping is off by 2 %) and rms_omega, rad/s, are residuals; points were given and used of them
    fitted. What read_ringdown warned about is among the remarks."""

    def __init__(self, model: Any, report: Any, form: str, of_sensor: bool) -> None:
        values = ffi.new("double[]", lib.MS_MODAL_N)
        lib.ms_identify_modal_values(model, values)
        units = [unit.replace("N/sqrt(kg)", "m/s^2") if of_sensor else unit for unit in _MODAL_UNITS]
        super().__init__(MODAL, units, np.array(list(values)), _Judged(report), report.residual)
        self.form, self._amplitude = form, "m" if of_sensor else "m sqrt(kg)"
        self.omega_0: float = model.omega_0
        self.phi_max: float = report.phi_max
        self.rms_ln_zeta: float = report.rms_ln_zeta
        self.rms_omega: float = report.rms_omega
        self.points: int = report.n_points
        self.used: int = report.n_used
        self.rounds: int = report.rounds
        self.bias: float = report.bias_ln_zeta
        self.converged = not report.warnings & lib.MS_MODAL_UNFINISHED
        self.sum_of_squares = report.residual**2
        self._model = model

    def _lines(self) -> list[str]:
        start = [f"omega_0 = {self.omega_0:.6g} rad/s ({self.omega_0 / (2 * np.pi):.6g} Hz)", f"phi_max = {self.phi_max:.4g} {self._amplitude}"]
        return [*start, *super()._lines()]

    def curve(self, q: Any = None, *, low: float | None = None, high: float | None = None, points: int = 200) -> Curve:
        """Frequency and damping of the model at amplitudes q; without them `points` from low to high, evenly in logarithm."""
        context = Context()
        if q is None:
            ends = [number(x, name) for x, name in ((low, "low"), (high, "high"))]
            at = np.empty(whole(points, "points", 2, 10_000_000))
            omega, zeta = np.empty(len(at)), np.empty(len(at))
            out = [pointer(x) for x in (at, omega, zeta)]
            context.call(lib.ms_identify_modal_curve, context.pointer, self._model, _FORMS[self.form], *ends, len(at), *out)
        else:
            at = numbers(np.atleast_1d(q), "q", (None,))
            omega, zeta = np.empty(len(at)), np.empty(len(at))
            o, z = pointer(omega), pointer(zeta)
            for i, value in enumerate(at.tolist()):
                arguments = (self._model, _FORMS[self.form], value, o + i, z + i, ffi.NULL)
                context.call(lib.ms_identify_eval_modal, context.pointer, *arguments)
        units = {"q": self._amplitude, "omega": "rad/s", "zeta": ""}
        return Curve("modal Iwan model", units, {"q": at, "omega": omega, "zeta": zeta}, make_meanings("backbone", units))

    def structure(self) -> Structure:
        """The model as a Structure of one degree of freedom of unit mass."""
        context = Context()
        make = lib.ms_identify_modal_structure
        made = context.make("ms_structure", make, lib.ms_structure_destroy, context.pointer, self._model)
        out = Structure._of(context, made)
        out._ready = True
        return out


class _Judged:
    """A report of a modal fit, as a judgement."""

    def __init__(self, report: Any) -> None:
        self.standard_error, self.covariance, self.correlation = report.standard_error, report.covariance, report.correlation
        self.determined, self.at_bound, self.condition = report.determined, report.at_bound, report.condition
        self.remarks = report.remarks
        self.rms = report.rms_ln_zeta


def fit_modal(
    curve: Mapping[str, np.ndarray] | None = None,
    *,
    q: Any = None,
    omega: Any = None,
    zeta: Any = None,
    form: str = "continuous",
    leave_out: tuple[float, float] = (0.9, 30.0),
    **settings: Any,
) -> ModalFit:
    """The modal Iwan model that fits frequency and damping against amplitude: of a table with columns q, omega and zeta, as
    read_ringdown, ringdown and backbone return it, or of the three as arrays (m sqrt(kg), rad/s, -), in any order. Points
    that do not decay are left out. Where q is the displacement of a sensor, m, parameters are those of unit mass there.

    form: "continuous", or "printed", the closed forms of the literature, which jump at macroslip; there points from
    leave_out[0] to leave_out[1] times phi_max are left out. settings:
    omega_weight (1) of the frequency's residual beside that of damping, bins_per_decade (12; 0: each row counts for itself),
    weak and vague, from which on a parameter is not determined, and others of ms_modal_fit_setting.

    A table of read_ringdown knows how it was read: the fitted model rings down by itself and is read in the same way, and what
    reading adds to its rows is taken away from those given (`rounds`, `bias`: the largest change of ln zeta)."""
    if (curve is None) == (q is None) or (q is None) != (omega is None) or (q is None) != (zeta is None):
        raise bad("give a table with columns q, omega and zeta, or the three as arrays")
    if curve is not None:
        if not isinstance(curve, Mapping):
            raise TypeError(f"a table with columns q, omega and zeta is wanted, not {type(curve).__name__}")
        q, omega, zeta = curve["q"], curve["omega"], curve["zeta"]
    if not isinstance(form, str) or form not in _FORMS:
        raise bad(f"form = {form!r} must be one of {', '.join(_FORMS)}")
    at = numbers(q, "q", (None,))
    context, setting = Context(), ffi.new("ms_modal_fit_setting *")
    lib.ms_modal_fit_default(setting, ffi.sizeof("ms_modal_fit_setting"))
    setting.lo, setting.hi = numbers(leave_out, "leave_out", (2,)).tolist()
    fill_settings(setting[0], settings, "fit_modal", ("form", "lo", "hi"))
    setting.form = _FORMS[form]
    rows = records_of("ms_decay_point", len(at))
    rows["q"], rows["omega"] = at, numbers(omega, "omega", (len(at),))
    rows["zeta"] = numbers(zeta, "zeta", (len(at),))
    decay = ffi.new("ms_decay *", {"n": len(at), "point": ffi.from_buffer("ms_decay_point[]", rows) if len(at) else ffi.NULL})
    points = ffi.new("ms_points *")
    model, report = ffi.new("ms_modal_iwan *"), ffi.new("ms_modal_fit_report *")
    context.call(lib.ms_points_gather, context.pointer, 1, ffi.new("const ms_decay *[]", [decay]), points)
    try:
        lib.ms_points_drop_undamped(points)
        arguments = (points.n, points.q, points.omega, points.zeta, setting, model, report)
        reading = getattr(curve, "_reading", None)
        if reading is None:
            context.run(lib.ms_identify_fit_modal, context.pointer, *arguments)
        else:
            context.run(lib.ms_identify_fit_ringdown, context.pointer, reading, *arguments)
    finally:
        lib.ms_free(context.pointer, ffi.addressof(points, "q"))
    fit = ModalFit(model, report, form, isinstance(curve, Table) and curve.units["q"] == "m")
    if reading is not None:
        fit.remarks += [f"reading: {warning}" for warning in curve.warnings]
    return fit


# ---- joints ----


class Target:
    """What a calibration is to match: `Target.curve`, `Target.loop` or `Target.joint_test`. weight is of the squares of its
    residuals, or of its two quantities each, (of frequency, of damping); where it is 0 a quantity is ignored."""

    def __init__(self, kind: int, name: str, joint: str | None, columns: Sequence[np.ndarray], weight: Any, window: Any) -> None:
        pair = numbers(np.broadcast_to(np.asarray(weight), (2,)) if np.ndim(weight) == 0 else weight, "weight", (2,))
        if pair.min() < 0.0:
            raise bad("weight must not be negative")
        self.kind, self.name, self.joint, self.weight = kind, name, joint, pair.tolist()
        self.columns = columns
        self.window = [0.0, 0.0] if window is None else numbers(window, "window", (2,)).tolist()
        self.option: dict[str, Any] = {}

    @classmethod
    def curve(
        cls,
        curve: Mapping[str, np.ndarray],
        mode: int = 0,
        *,
        damping: str = "total",
        window: tuple[float, float] | None = None,
        weight: Any = 1.0,
    ) -> Target:
        """Frequency and damping of a mode (from 0) of the structure as it is: a table or dict with q, omega and zeta, or
        with damping="joint", zeta_joint. window: modal amplitudes that count."""
        if damping not in ("total", "joint"):
            raise bad(f"damping = {damping!r} must be 'total' or 'joint'")
        if not isinstance(curve, Mapping):
            raise TypeError(f"a table with columns q, omega and zeta is wanted, not {type(curve).__name__}")
        names = ("q", "omega", "zeta" if damping == "total" else "zeta_joint")
        self = cls(lib.MS_TARGET_CURVE, f"mode {mode}", None, _columns(names, [curve[name] for name in names]), weight, window)
        self.option = {"mode": whole(mode, "mode", 0), "joint_part": damping == "joint"}
        return self

    @classmethod
    def loop(cls, joint: str, u: Any, force: Any, *, t: Any = None, cycles: int = 1, weight: float = 1.0) -> Target:
        """Force, N, of a joint of the structure along displacements u, m, at times t where its law depends on rate. The
        record is run through `cycles` times from the virgin state, of which the last is compared."""
        given = [u, force] if t is None else [u, force, t]
        self = cls(lib.MS_TARGET_LOOP, f"loop of {joint}", joint, _columns(("u", "force", "t"), given), weight, None)
        self.option = {"cycles": whole(cycles, "cycles", 1, 1000)}
        return self

    @classmethod
    def joint_test(
        cls,
        joint: str,
        force: Any,
        stiffness: Any,
        dissipation: Any,
        *,
        frequency: float = 0.0,
        window: tuple[float, float] | None = None,
        weight: Any = 1.0,
    ) -> Target:
        """Secant stiffness, N/m, and energy dissipated per cycle, J, of a joint against the amplitude of its force, N.
        frequency, Hz, is for laws that depend on rate."""
        columns = _columns(("force", "stiffness", "dissipation"), [force, stiffness, dissipation])
        self = cls(lib.MS_TARGET_JOINT_TEST, f"test of {joint}", joint, columns, weight, window)
        self.option = {"omega": 2.0 * np.pi * number(frequency, "frequency")}
        return self

    def fill(self, structure: Structure, out: Any, keep: list[Any]) -> None:
        """`ms_target *`"""
        keep += [ffi.new("char[]", encode(self.name, "a name")), *(pointer(column) for column in self.columns)]
        word, x, first, *rest = keep[-1 - len(self.columns) :]
        out.kind, out.name, out.n, out.x, out.y[0] = self.kind, word, len(self.columns[0]), x, first
        out.weight[0:2] = self.weight
        out.low, out.high = self.window
        if rest:
            out.y[1] = rest[0]
        at = {lib.MS_TARGET_CURVE: "curve", lib.MS_TARGET_LOOP: "loop", lib.MS_TARGET_JOINT_TEST: "test"}[self.kind]
        option = getattr(getattr(out, "is"), at)
        for name, value in self.option.items():
            setattr(option, name, value)
        if self.joint is not None:
            option.joint = _find_joint(structure, self.joint)


def _columns(names: Sequence[str], given: Sequence[Any]) -> list[np.ndarray]:
    columns = [numbers(values, name, (None,)) for name, values in zip(names, given)]
    if len({len(c) for c in columns}) != 1:
        raise bad(f"{', '.join(names[: len(columns)])} must be of one length")
    return [column.copy() for column in columns]


def _find_joint(structure: Structure, name: str) -> int:
    encode(name, "the name of a joint")
    if name not in structure.joints:
        raise bad(f"there is no joint {name!r}; there are {', '.join(structure.joints) or 'none'}")
    return structure.joints.index(name)


def _places(context: Context, handle: Any, joints: Sequence[str], key: str, keep: list[Any]) -> tuple[Any, int, str]:
    """`ms_parameter_place[]` of "lap.F_S", "bolt*.F_S" or "mode.1.damping", how many, and the unit."""
    pattern, _, param = key.rpartition(".")
    count, found = ffi.new("ptrdiff_t *"), ffi.new("ms_parameter_place **")
    try:
        context.call(lib.ms_parameter_find_places, handle, encode(pattern, "a parameter"), encode(param, "a parameter"), count, found)
        n = count[0]
        places = ffi.new("ms_parameter_place[]", n)
        ffi.memmove(places, found[0], n * ffi.sizeof("ms_parameter_place"))
    finally:
        lib.ms_free(context.pointer, found)
    if not n:
        names = ", ".join(joints) or "none"
        raise bad(f"{key!r} is no parameter of a joint; write joint.parameter, where the joints are {names}, mode.1.damping, spring.1 or mass.NAME")
    keep.append(places)
    unit = text(lib.ms_parameter_place_param(handle, places).unit)
    return places, n, "" if unit == "-" else unit


class Calibration(Fit):
    """What a calibration has found: see Fit. targets has a table for each target: x, what was given and what the model makes
    of it; structure is a copy of the one that was given, with the parameters found."""

    targets: list[Table]
    structure: Structure


_VIEWS = {
    lib.MS_TARGET_CURVE: (("q", "m sqrt(kg)"), ("omega", "rad/s"), ("zeta", "")),
    lib.MS_TARGET_LOOP: (("u", "m"), ("force", "N"), None),
    lib.MS_TARGET_JOINT_TEST: (("force", "N"), ("stiffness", "N/m"), ("dissipation", "J")),
}


def _make_view(target: Target, view: Any) -> Table:
    (x, unit), *quantities = _VIEWS[target.kind]
    columns, units = {x: copy_numbers(view.x, (view.n,))}, {x: unit}
    for i, quantity in enumerate(quantities):
        if quantity is None or not view.target[i]:
            continue
        name, unit = quantity
        for column, values in ((f"{name}_target", view.target[i]), (name, view.model[i])):
            columns[column], units[column] = copy_numbers(values, (view.n,)), unit
    return Table(target.name, columns, units, {})


def calibrate(
    structure: Structure,
    parameters: Mapping[str, tuple[float, float]],
    targets: Target | Sequence[Target],
    *,
    starts: int = 20,
    noise: float | None = None,
    seed: int = 1,
) -> Calibration:
    """Parameters of joints with which the structure matches the targets: least squares from many starts, as the analysis
    `calibrate` of a study by its method "local", and with its numbers.

    parameters are {"lap.F_S": (lowest, highest)}, searched on a logarithmic scale where both are positive and ten times
    apart; the joint may be a pattern, all joints of "bolt*.F_S" have one value. "mode.1.damping" is the structure's own
    damping ratio of a mode, here counted from 1; "spring.1" the first spring of a chain, "mass.left" one of its masses.
    noise: standard deviation of the damping, relative, and of the frequency over its shift, that errors suppose; the
    residual of the fit, at least 0.01, without. The structure stays as it is. Curves are matched by the quasi-static model (qsma)."""
    targets = [targets] if isinstance(targets, (Target, Mapping)) else list(targets)
    for target in targets:
        if not isinstance(target, Target):
            raise TypeError(f"a Target is wanted, not {type(target).__name__}: Target.curve makes one of a curve or table")
    if not isinstance(structure, Structure):
        raise TypeError(f"a Structure is wanted, not {type(structure).__name__}")
    if not targets:
        raise bad("at least one target is wanted")
    count, supposed = whole(starts, "starts", 1, 1_000_000), 0.0 if noise is None else number(noise, "noise")
    if not supposed >= 0.0:
        raise bad(f"noise = {supposed:g} must not be negative")
    whole(seed, "seed", 0, 2**62)
    keys = list(parameters) if isinstance(parameters, Mapping) else []
    for key in keys:
        encode(key, "a parameter")
    bounds, keep = make_bounds(parameters, [f"{k.rpartition('.')[2]} of {k.rpartition('.')[0]}" for k in keys])
    own = structure.copy()  # the library sets parameters in its joints
    handle, context, n = own.set_up(), own._context, len(keys)
    free, units = ffi.new("ms_free_parameter[]", n), []
    for one, bound, key in zip(free, bounds, keys):
        one.place, one.n_place, unit = _places(context, handle, own.joints, key, keep)
        one.name = bound.name
        units.append(unit)
        _check_bounds(context, handle, one, bound)
    wanted = ffi.new("ms_target[]", len(targets))
    for one, target in zip(wanted, targets):
        target.fill(own, one, keep)
    made = context.make(
        "ms_calibration", lib.ms_calibration_create, lib.ms_calibration_destroy, handle, n, free, len(targets), wanted
    )
    try:
        out = _run(context, made, keys, units, bounds, count, supposed, seed, targets)
        values = ffi.new("double[]", list(out.values.values()))
        out.structure = _copy_with(handle, context, n, free, values)
        return out
    finally:
        context.release(made)


def _check_bounds(context: Context, handle: Any, free: Any, bound: Any) -> None:
    """Both bounds must be values that the parameter may take."""
    for i in range(free.n_place):
        context.call(lib.ms_parameter_place_check, context.pointer, handle, free.place + i, bound.lower, bound.upper)


def _run(
    context: Context, made: Any, keys: Any, units: Any, bounds: Any, count: int, noise: float, seed: int, targets: Any
) -> Calibration:
    n, setting = len(keys), ffi.new("ms_fit_setting *")
    problem, tries = ffi.new("ms_fit_problem *"), ffi.new("ms_starts *")
    best, solution = ffi.new("ms_best_fit *"), ffi.new("ms_solution *")
    lib.ms_fit_default(setting, ffi.sizeof("ms_fit_setting"))
    setting.seed = seed
    problem[0] = lib.ms_calibration_problem(made, bounds)
    context.call(lib.ms_starts_open, context.pointer, n, count, bounds, tries)
    try:
        run_starts(context, problem, setting, tries)
        context.run(lib.ms_calibration_judge, made, tries, noise, seed, best)
        p = tries.found + n * best.best
        context.run(lib.ms_calibration_solve, made, b"fit", p, solution)
        out = Calibration(keys, units, copy_numbers(p, (n,)), best.judgement, best.scatter)
        out.rms = best.judgement.rms * best.scatter
        out.targets = [_make_view(target, solution.view[k]) for k, target in enumerate(targets)]
        return finish(out, tries, best.best, best.agree)
    finally:
        context.ask(lib.ms_solution_free, context.pointer, solution)
        context.ask(lib.ms_fit_judgement_destroy, context.pointer, ffi.addressof(best, "judgement"))
        context.ask(lib.ms_starts_close, context.pointer, tries)


def _copy_with(handle: Any, source: Context, n: int, free: Any, values: Any) -> Structure:
    context = Context()
    arguments = (context.pointer, handle, n, free, values, 0)
    made = context.make("ms_structure", lib.ms_calibrated_copy, lib.ms_structure_destroy, *arguments)
    context.before(source)
    out = Structure._of(context, made)
    out._ready = True
    return out
