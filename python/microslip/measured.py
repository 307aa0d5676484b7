"""Files of measured data, and what impact tests say without a model."""

from __future__ import annotations

import os
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np

from ._library import Context, bad, copy_numbers, encode, ffi, lib, number, numbers, pointer, text
from .identify import Record
from .response import fill_settings, records
from .results import Table

_UNITS = {"displacement": "m", "velocity": "m/s", "acceleration": "m/s^2"}


def read_channels(path: str | os.PathLike[str], *, rate: float = 0.0, table: str | os.PathLike[str] | None = None) -> dict[str, Record]:
    """Every evenly sampled history of a file whose unit is known, in SI, by its name: tables, universal files, MATLAB, NumPy
    (docs/guide/measured.md). rate, samples per second, is for files that say no times; table is a channel table (without one
    FILE.channels.csv, if it is there)."""
    context, request = Context(), ffi.new("ms_measurement_request *", {"rate_hz": number(rate, "rate")})
    words = ffi.NULL if table is None else ffi.new("char[]", encode(table, "table"))
    request.table = words
    made = context.make("ms_measurement", lib.ms_measurement_read, lib.ms_measurement_destroy, context.pointer, encode(path, "path"), request)
    out, names = {}, []
    for i in range(lib.ms_measurement_get_count(made)):
        c = lib.ms_measurement_get(made, i)
        names.append(text(c.name))
        dt, kind = c.step * c.x_factor, text(lib.ms_record_kind_text(c.kind))
        if c.type == 1 and not c.is_complex and c.uneven == 0 and c.n > 1 and dt > 0 and kind and c.factor > 0:
            out[names[-1]] = Record(c.factor * copy_numbers(c.y, (c.n,)), dt, c.first * c.x_factor, kind, names[-1])
    if not out:
        raise bad(f"{path}: no channel is an evenly sampled history whose unit is known; it has {', '.join(names)}, see microslip info")
    return out


class SurveyMode(NamedTuple):
    """A mode of a survey: frequency, Hz, and damping at the lowest amplitudes; the amplitudes, at the sensor, from which they
    differ (0: they do not); coherence; shape at the sensors; curve: both against the amplitude, of all impacts, where
    `coupled` is 1 where other modes ring too in every impact; notes: what makes the curve doubtful; coupled: other modes
    ring too at the lowest amplitudes, too, and raise the damping where joints slip."""

    frequency: float
    damping: float
    frequency_from: float
    damping_from: float
    coherence: float
    shape: np.ndarray
    curve: Table
    notes: list[str]
    coupled: bool


class SurveyImpact(NamedTuple):
    """An impact of a survey: whether it is used; largest force, N; blows of the hammer; channels that are overloaded."""

    used: bool
    peak: float
    blows: int
    overloaded: list[str]


class Survey(NamedTuple):
    """Modes with rising frequencies; impacts as given; the sensors, and the one at which amplitudes are; peaks that are hum of
    the mains and no modes, Hz."""

    modes: list[SurveyMode]
    impacts: list[SurveyImpact]
    sensors: list[str]
    sensor: str
    hum: list[float]


_MEANINGS = {
    "amplitude": "of the mode at the sensor",
    "freq_hz": "frequency",
    "freq_spread": "standard deviation over impacts, 0 of a single one",
    "zeta": "damping ratio",
    "zeta_spread": "standard deviation over impacts, 0 of a single one",
    "impacts": "that have rows about this amplitude",
    "coupled": "1: in every impact other modes ring too",
}


def survey(
    impacts: Sequence[str | os.PathLike[str] | Mapping[str, Record]], sensor: str | None = None, *, force: str | None = None, **settings: Any
) -> Survey:
    """Modes of impact tests, and frequency and damping of each against its amplitude, without a model, as `microslip survey`
    finds them. impacts: a file for each, or what read_channels gives; force: the channel of the hammer, if several are
    forces; sensor: the channel at which amplitudes are (found: the one that sees all modes best). Settings: low and high, Hz,
    between which modes are looked for, modes (at most), edge, points, doubtful (True uses records with faults), tol."""
    if isinstance(impacts, (str, os.PathLike, Mapping)):
        raise TypeError("impacts is a list: a file, or what read_channels gives, for each")
    tests = [_check(test, f"impact {i + 1}") if isinstance(test, Mapping) else read_channels(test) for i, test in enumerate(impacts)]
    if not tests:
        raise bad("impacts is empty; give a file for each impact")
    context, out = Context(), ffi.new("ms_survey **")
    setting, record = ffi.new("ms_survey_settings *"), ffi.new("ms_survey_record[]", len(tests))
    sensors = _choose(tests[0], sensor, force)
    lib.ms_survey_default(setting, ffi.sizeof("ms_survey_settings"))
    fill_settings(setting[0], settings, "a survey", ("sensor",))
    setting.sensor = -1 if sensor is None else sensors.index(sensor)
    keep = [_fill(record[i], test, force or _find_force(test, f"impact {i + 1}"), sensors, f"impact {i + 1}") for i, test in enumerate(tests)]
    kind = getattr(lib, f"MS_SIGNAL_{tests[0][sensors[0]].kind.upper()}")
    context.own(out, lib.ms_survey_destroy)
    context.run(lib.ms_survey_create, context.pointer, len(sensors), kind, len(tests), record, setting, out)
    del keep
    info = lib.ms_survey_get_info(out[0])
    units = {"amplitude": _UNITS[tests[0][sensors[0]].kind], "freq_hz": "Hz", "freq_spread": "Hz"}
    modes = [_take_mode(out[0], i, len(sensors), units) for i in range(info.n_mode)]
    found = [_take_impact(out[0], i, sensors) for i in range(info.n_record)]
    return Survey(modes, found, sensors, sensors[info.sensor], list(info.hum_hz)[: info.n_hum])


def _check(test: Mapping[str, Record], what: str) -> dict[str, Record]:
    """Channels as read_channels gives them, maybe changed by the caller."""
    out = {}
    for name, channel in test.items():
        if not isinstance(channel, Record):
            raise TypeError(f"{what}: {name} must be a Record, not {type(channel).__name__}")
        out[name] = channel._replace(x=numbers(channel.x, f"{what}: {name}", (None,)), dt=number(channel.dt, "dt"), time=number(channel.time, "time"))
    return out


def _find_force(test: Mapping[str, Record], what: str) -> str:
    forces = [name for name, channel in test.items() if channel.kind == "force"]
    if len(forces) != 1:
        raise bad(f"{what} has {len(forces)} channels of a force ({', '.join(forces) or ', '.join(test) or 'no channel at all'}); name it with force=")
    return forces[0]


def _choose(test: Mapping[str, Record], sensor: str | None, force: str | None) -> list[str]:
    """Of the first impact the sensors, which are of one kind."""
    hammer = force or _find_force(test, "impact 1")
    kinds = [channel.kind for name, channel in test.items() if name != hammer and channel.kind in _UNITS]
    if sensor is not None and (sensor not in test or test[sensor].kind not in _UNITS):
        raise bad(f"no sensor is called {sensor!r}; channels are {', '.join(test)}")
    if not kinds:
        raise bad(f"impact 1 has no sensor beside the force; channels are {', '.join(test)}")
    kind = test[sensor].kind if sensor is not None else "acceleration" if "acceleration" in kinds else kinds[0]
    return [name for name, channel in test.items() if name != hammer and channel.kind == kind]


def _fill(record: Any, test: Mapping[str, Record], hammer: str, sensors: list[str], what: str) -> list[Any]:
    """`ms_survey_record`, and what must live as long."""
    missing = [name for name in (hammer, *sensors) if name not in test]
    if missing:
        raise bad(f"{what} has no channel {missing[0]!r}; it has {', '.join(test)}")
    first = test[hammer]
    for name in sensors:
        if len(test[name].x) != len(first.x) or test[name].dt != first.dt or test[name].time != first.time:
            raise bad(f"{what}: {name} is not sampled at the times of {hammer}")
    keep = [ffi.new("char[]", what.encode()), pointer(first.x), pointer(np.array([test[name].x for name in sensors]).T)]
    record.name, record.n, record.dt, record.time = keep[0], len(first.x), first.dt, first.time
    record.force, record.x = keep[1], keep[2]
    return keep


def _take_mode(made: Any, i: int, n_sensor: int, units: Mapping[str, str]) -> SurveyMode:
    mode = lib.ms_survey_get_mode(made, i)
    rows, words, notes = records(mode.point, mode.n_point), ffi.new("char[600]"), []
    while lib.ms_survey_note(made, i, len(notes), words, 600):
        notes.append(text(words))
    columns = {name: np.ascontiguousarray(rows[name]) for name in _MEANINGS}
    curve = Table(f"mode {i + 1}", columns, {name: units.get(name, "") for name in columns}, _MEANINGS)
    shape = copy_numbers(mode.shape, (n_sensor,))
    return SurveyMode(mode.freq_hz, mode.zeta, mode.freq_from, mode.zeta_from, mode.coherence, shape, curve, notes, bool(mode.is_coupled))


def _take_impact(made: Any, i: int, sensors: list[str]) -> SurveyImpact:
    impact = lib.ms_survey_get_impact(made, i)
    judged = [lib.ms_survey_get_judgement(made, i, c) for c in range(len(sensors) + 1)]
    overloaded = [name for name, j in zip(["force", *sensors], judged) if j.overloads > 0]
    return SurveyImpact(bool(impact.used), impact.peak, judged[0].n_hit, overloaded)
