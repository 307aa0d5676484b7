"""Identification: the numbers of the command and of studies to the last bit, and known parameters found again."""

import json

import numpy as np
import pytest

import microslip as ms

LAP = {"F_S": 20.0, "K_T": 2.0e4, "chi": -0.4, "beta": 1.5}
CHAIN = {"masses": {"left": 1.2, "right": 0.8}, "springs": [["ground", "left", 4.0e5], ["left", "right", 2.5e5]]}
SWEEP = {"levels": [1.3, 5.7], "duration": 20.0, "step": 2.0e-4}


def beam(**other):
    structure = ms.Structure.chain(CHAIN["masses"], CHAIN["springs"], modal_damping=0.01)
    return structure.add_joint("lap", ms.Joint("iwan4", **{**LAP, **other}), ("left", "right"))


def study(*analyses, **joint):
    lap = {"law": "iwan4", "between": ["left", "right"], **LAP, **joint}
    structure = {"chain": CHAIN, "damping": {"modal": 0.01}}
    return ms.Study({"microslip": 1, "structure": structure, "joints": {"lap": lap}, "analyses": list(analyses)})


def test_measured_ringdown_as_the_command(root, command):
    path = root / "examples" / "measured-ringdown" / "record.csv"
    words = "--channel tip --band 85,150 --edge 0.3 --start 0.05 --end 1.95 --segments 25 --fit continuous --json"
    expected = json.loads(command("ringdown", path, *words.split()))
    record = ms.read_record(path, "tip")
    assert (record.kind, record.channel, len(record.x)) == ("acceleration", "tip", 4096)
    decay = ms.read_ringdown(record, band=(85, 150), edge=0.3, start=0.05, end=1.95, segments=25)
    assert decay.rows == 25
    for column, key in (("time", "time"), ("q", "displacement"), ("omega", "omega"), ("zeta", "zeta"), ("quality", "quality")):
        assert decay[column].tolist() == [row[key] for row in expected["points"]], key
    table = ms.read_table(path)
    assert table.units["tip"] == "g" and list(table) == ["t", "base", "tip"]
    again = ms.read_ringdown(table["t"], 9.80665 * table["tip"], band=(85, 150), edge=0.3, start=0.05, end=1.95, segments=25)
    assert again["omega"] == pytest.approx(decay["omega"], rel=1e-12)

    fit = ms.fit_modal(decay)
    assert fit["chi"] == pytest.approx(-0.4, abs=0.02) and fit.determined["chi"] and not fit.determined["F_S"]
    assert any("macroslip" in remark for remark in fit.remarks)
    for name, value in fit.values.items():  # the command takes the points in their order, which studies sort by amplitude
        assert value == pytest.approx(expected["fit"][0][name], rel=1e-9)


def test_start_before_the_filter_settles():
    """1.5/(edge low) s after the beginning of the ringing: a start before that is not kept, which is said."""
    t = np.arange(0.0, 4.0, 1e-3)
    x = np.exp(-1.3 * t) * np.sin(2.0 * np.pi * 41.0 * t)
    late = ms.read_ringdown(t, x, band=(25, 60), start=0.05)
    begins = "the ringing begins at 2.5 times the amplitude of the first row or more"  # exp(1.3 0.7) = 2.48
    assert late["time"][0] > 0.6 and late.warnings[1].startswith(begins) and late.warnings[:1] == [
        "start is 0.6 s, not 0.05 s: the band-pass settles until then; widen its edges (edge is 0.1 now, at most 1) to begin earlier"
    ]
    assert ms.read_ringdown(t, x, band=(25, 60), start=0.9).warnings == []
    assert [words.startswith("the ringing begins") for words in ms.read_ringdown(t, x, band=(25, 60)).warnings] == [True]
    assert "raise its low limit (25 Hz)" in ms.read_ringdown(t, x, band=(25, 39.9), edge=1, start=0.01).warnings[-1]


def test_amplitudes_of_a_sensor(root):
    """Without a mode shape q is a displacement, and forces are per mass; a shape of 1 is one."""
    record = ms.read_record(root / "examples" / "measured-ringdown" / "record.csv", "tip")
    how = {"band": (85, 150), "edge": 0.3, "end": 1.95, "segments": 25}
    sensor, modal = ms.read_ringdown(record, **how), ms.read_ringdown(record, shape=1.0, **how)
    assert (sensor.units["q"], modal.units["q"]) == ("m", "m sqrt(kg)")
    of_sensor, of_mode = ms.fit_modal(sensor), ms.fit_modal(modal)
    assert (of_sensor.units["F_S"], of_mode.units["F_S"]) == ("m/s^2", "N/sqrt(kg)")
    assert of_sensor.units["K_T"] == of_mode.units["K_T"] == "1/s^2" and of_sensor["F_S"] == of_mode["F_S"]
    assert of_sensor.curve([1e-5]).units["q"] == "m" and of_mode.curve([1e-5]).units["q"] == "m sqrt(kg)"


@pytest.mark.parametrize("heading, comment", [("Time (s),tip (m/s^2)", ""), ("time_s,tip (m/s^2)", ""), ("t [s],tip [m/s^2]", "# ")])
def test_headings_of_other_programs(tmp_path, heading, comment):
    rows = np.column_stack([0.25 * np.arange(5), [1.5, -2.25, 3.125, 4.5, 7.0]])
    np.savetxt(tmp_path / "tip.csv", rows, delimiter=",", header=heading, comments=comment)
    record = ms.read_record(tmp_path / "tip.csv", "tip")
    assert record.dt == 0.25 and record.kind == "acceleration" and np.array_equal(record.x, rows[:, 1])


def test_fit_modal_as_a_study():
    """Every number of the analysis fit_modal, from the curve of the ring-down that it reads."""
    time = {"step": 1.0e-4, "steps": 50000}
    results = study(
        {"modal_ringdown": {"modes": [1], "levels": {1: {"slipped": [3000, 900], "stuck": [60, 12]}}, "time": time}},
        {"fit_modal": {"form": "both"}},
    ).run()
    rows = results["modal_ringdown"].table
    for form in ("continuous", "printed"):
        expected = results["fit_modal"].table.where(form=form)
        fit = ms.fit_modal(q=rows["q"], omega=rows["omega"], zeta=rows["zeta"], form=form)
        for name, value in fit.values.items():
            assert value == expected[name][0], name
        assert fit.rms_omega == expected["rms_omega"][0] and fit.condition == expected["condition"][0]
        errors = results["fit_modal"].tables["fit_modal_correlation"].where(form=form)
        assert list(fit.standard_error.values()) == errors["standard_error"].tolist()
    assert "K_inf" in repr(fit) and "<table>" in fit._repr_html_()


def test_modal_model():
    """A fit of the model's own curve gives the model back; as a structure it has that curve."""
    q = np.geomspace(1e-5, 3e-2, 60)
    first = ms.fit_modal(ms.backbone(beam(), 0, "qsma", q))
    curve = first.curve(low=1e-5, high=3e-2, points=60)
    again = ms.fit_modal(curve)
    for name, value in again.values.items():
        assert value == pytest.approx(first[name], rel=1e-5), name
    assert again.remarks == [] and all(again.determined.values()) and again.converged
    assert first.curve(curve["q"][17])["zeta"][0] == curve["zeta"][17]
    single = first.structure()
    assert single.size == 1 and single.modes().omega[0] == pytest.approx(first.omega_0, rel=1e-12)
    assert ms.qsma(single, 0, curve["q"])["omega"] == pytest.approx(curve["omega"], rel=1e-8)
    assert first.used <= first.points == 60 and first.phi_max > 0.0


def test_calibrate_as_a_study():
    """Every number of the analysis calibrate: parameters, errors, correlation, starts and curves."""
    bounds = {"lap.F_S": [5, 80], "lap.chi": [-0.9, 0.5]}
    target = study({"backbone": {"modes": [1], "methods": ["qsma"]}}).run().backbone.table
    expected = study(
        {"backbone": {"modes": [1], "methods": ["qsma"]}},
        {"calibrate": {"parameters": bounds, "targets": [{"mode": 1, "from": "backbone", "curve": "qsma"}], "starts": 4}},
    ).run()["calibrate"]
    found = ms.calibrate(beam(), bounds, ms.Target.curve(target), starts=4)
    assert list(found.values.values()) == expected["value"].tolist()
    assert list(found.standard_error.values()) == expected["standard_error"].tolist()
    assert list(found.units.values()) == ["N", ""]
    starts = expected.tables["calibrate_starts"]
    assert np.array_equal(found.starts["sum_of_squares"], starts["sum_of_squares"])
    assert np.array_equal(found.starts["lap.F_S"], starts["lap.F_S"])
    curves = expected.tables["calibrate_curves"]
    for column in ("q", "omega_target", "omega", "zeta_target", "zeta"):
        assert np.array_equal(found.targets[0][column], curves[column]), column
    assert found.agree == expected.values["starts_that_agree"] and found.scatter == expected.values["scatter"]
    assert found.converged and found["lap.F_S"] == pytest.approx(20.0, rel=1e-9)


def test_calibrate_finds_a_joint():
    """From a structure with other parameters: the truth, in a structure that has its curve; the given one stays."""
    truth, guess = beam(), beam(F_S=37.0, K_T=1.3e4, chi=-0.7, beta=0.4)
    curve = ms.qsma(truth, 0, np.geomspace(1e-5, 3e-2, 40))
    free = {"lap.F_S": (2, 200), "lap.K_T": (2e3, 2e5), "lap.chi": (-0.95, 0.5), "lap.beta": (0.1, 10)}
    before = ms.qsma(guess, 0, [1e-3])["omega"]
    found = ms.calibrate(guess, free, ms.Target.curve(curve), starts=6)
    assert np.array_equal(ms.qsma(guess, 0, [1e-3])["omega"], before)
    for name, value in LAP.items():
        assert found[f"lap.{name}"] == pytest.approx(value, rel=1e-5), name
    assert ms.qsma(found.structure, 0, curve["q"])["zeta"] == pytest.approx(curve["zeta"], rel=1e-5)
    assert found.covariance.shape == found.correlation.shape == (4, 4)


def test_calibrate_finds_damping_springs_and_masses():
    truth, guess = beam(), beam()
    curves = [ms.Target.curve(ms.qsma(truth, r, np.geomspace(1e-5, 3e-2, 12)), mode=r) for r in (0, 1)]
    free = {"lap.F_S": (5, 80), "spring.2": (1e5, 5e5), "mass.left": (0.6, 2.4), "mode.1.damping": (1e-3, 5e-2)}
    found = ms.calibrate(guess, free, curves, starts=3)
    for name, value in {"lap.F_S": 20.0, "spring.2": 2.5e5, "mass.left": 1.2, "mode.1.damping": 0.01}.items():
        assert found[name] == pytest.approx(value, rel=1e-5), name
    assert list(found.units.values()) == ["N", "N/m", "kg", ""]
    with pytest.raises(ms.Error, match="'spring.3' is no parameter"):
        ms.calibrate(guess, {"spring.3": (1e5, 5e5)}, curves)


def test_calibrate_loops_and_joint_tests():
    joint = ms.Joint("iwan4", **LAP)
    u = 1.7e-3 * np.sin(np.linspace(0, 9, 300))
    force = joint.path(u)
    cycles = [joint.cycle(a) for a in np.geomspace(5e-5, 1.2e-3, 12)]
    targets = [
        ms.Target.loop("lap", u, force),
        ms.Target.joint_test("lap", [c.F0 for c in cycles], [c.K_secant for c in cycles], [c.D for c in cycles]),
    ]
    found = ms.calibrate(beam(F_S=33.0, chi=-0.1), {"l*p.F_S": (5, 80), "lap.chi": (-0.9, 0.5)}, targets, starts=3)
    assert found["l*p.F_S"] == pytest.approx(20.0, rel=1e-6) and found["lap.chi"] == pytest.approx(-0.4, rel=1e-6)
    assert list(found.targets[0]) == ["u", "force_target", "force"]
    assert found.targets[1]["dissipation"] == pytest.approx(found.targets[1]["dissipation_target"], rel=1e-6)


@pytest.mark.parametrize("place", [{"at": "right"}, {"base": True}])
def test_sweep_as_a_study(place):
    expected = study({"sweep": {**place, "mode": 1, "from": 55, "to": 70, **SWEEP}}).run()["sweep"]
    found = ms.sweep(beam(), 0, **place, start=55, stop=70, **SWEEP)
    assert found.complete and found["direction"].tolist() == ["up", "down", "up", "down"]
    for column in found:
        assert np.array_equal(found[column], expected[column]), column
    for name in ("transfer", "envelope"):
        table = expected.tables[f"sweep_{name}"]
        for column in getattr(found, name):
            assert np.array_equal(getattr(found, name)[column], table[column]), column


def test_sweep_that_cannot_be_read():
    found = ms.sweep(beam(), 0, at="left", levels=1.0, start=20, stop=30, duration=1.0, step=1e-3, directions="up")
    assert found.rows == 0 and not found.complete and "level 1, up" in found.remark


def test_fit():
    """A function of two parameters, by differences and by its Jacobian; one that the residuals do not see."""
    x = np.linspace(0.0, 2.3, 31)
    noise = 0.01 * np.sin(97.0 * x)

    def residuals(p):
        return p["a"] * np.exp(-p["b"] * x) - 2.7 * np.exp(-1.3 * x) - noise

    def jacobian(p):
        e = np.exp(-p["b"] * x)
        return np.column_stack([e, -p["a"] * x * e])

    free = {"a": (0.1, 10.0), "b": (0.0, 5.0)}
    found, exact = ms.fit(residuals, free), ms.fit(residuals, free, jacobian=jacobian)
    J = jacobian(found.values)
    expected = np.linalg.inv(J.T @ J) * np.sum(residuals(found.values) ** 2) / (len(x) - 2)
    assert found["a"] == pytest.approx(2.7, abs=0.02) and found.agree == 20 and found.converged
    assert found["b"] == pytest.approx(exact["b"], rel=1e-8)
    assert np.sqrt(np.diag(expected)) == pytest.approx(list(found.standard_error.values()), rel=1e-4)
    idle = ms.fit(residuals, {**free, "c": (0.0, 1.0)}, starts=3)
    assert idle.determined == {"a": True, "b": True, "c": False} and idle.remarks
    assert "not determined" in repr(idle)


def test_fit_where_there_is_no_answer():
    x = np.linspace(0.0, 1.0, 9)
    found = ms.fit(lambda p: None if p["a"] < 1.0 else p["a"] * x - 3.3 * x, {"a": (0.1, 10.0)})
    assert found["a"] == pytest.approx(3.3, rel=1e-9)
    with pytest.raises(ms.NumericalError, match="none of 20 starts"):
        ms.fit(lambda p: [np.nan, 1.0], {"a": (0.1, 10.0)})
    with pytest.raises(ZeroDivisionError):
        ms.fit(lambda p: 1 / 0, {"a": (0.1, 10.0)})
    calls = []

    def later(p):
        calls.append(p)
        if len(calls) > 7:
            raise LookupError("mine")
        return p["a"] * x - 1.0

    with pytest.raises(LookupError, match="mine"):
        ms.fit(later, {"a": (0.1, 10.0)})
    with pytest.raises(ValueError, match="residuals has returned"):
        ms.fit(lambda p: np.ones(3 + (len(calls) if calls.append(p) else len(calls) % 2)), {"a": (0.1, 10.0)})


def ring(speed, n=8192, dt=1.0 / 6400.0):
    """Acceleration of a mode of 171.3 Hz with an Iwan element, hit 0.05 s after the beginning."""
    omega = 2.0 * np.pi * 171.3
    mode = ms.Structure(np.eye(1), [[omega**2 - 2.1e5]], modal_damping=6e-4)
    mode.add_joint("joint", ms.Joint("iwan4", F_S=61, K_T=2.1e5, chi=-0.35, beta=1.3), ("u1", "ground"))
    hit = ms.Load("half_sine", at="u1", amplitude=speed / 1e-3, duration=0.5e-3 * np.pi, start=0.05)
    run = ms.transient(mode, step=dt / 4, steps=4 * n, loads=hit, record=["u1.acceleration"], every=4)
    noise = 0.6 * np.random.default_rng(3).standard_normal(len(run["time"]))
    return run["time"], run["u1.acceleration"] + noise


def test_no_slip_force_without_macroslip():
    """Rows of microslip, the first of them biased, once gave F_S = 7.2 +- 0.4 where it is 61."""
    t, x = ring(1.6)
    for how in ({}, {"edge": 0.3}, {"method": "stft"}, {"segments": 30}):
        fit = ms.fit_modal(ms.read_ringdown(t, x, shape=1.0, **{"band": (140, 195), "edge": 1, "end": 1.1, **how}))
        assert not fit.determined["F_S"] and not fit.determined["beta"] and "F_S = not determined" in repr(fit)
        assert fit.remarks and fit.rounds > 1
    short = dict(band=(140, 195), edge=1, start=0.053, end=0.6, method="crossings", segments=1000)
    rows = ms.read_ringdown(t, x, shape=1.0, **short)
    fit = ms.fit_modal(rows)
    assert [f"reading: {words}" for words in rows.warnings] == [words for words in fit.remarks if words.startswith("reading")]
    assert fit.determined["F_S"] and abs(fit["F_S"] - 61) < 3 * fit.standard_error["F_S"] < 0.3 * 61
    assert any("rows, not 1000" in words and "2 cycles" in words for words in rows.warnings)


def test_force_of_a_hammer(tmp_path):
    (tmp_path / "hit.csv").write_text("t [ms],hammer [kN],tip [g]\n" + "".join(f"{k},{0.1 * k},{k}\n" for k in range(9)))
    force = ms.read_record(tmp_path / "hit.csv", "hammer", kind="force")
    assert force.kind == "force" and force.x == pytest.approx(100.0 * np.arange(9)) and force.t[-1] == pytest.approx(8e-3)
    with pytest.raises(ValueError, match="a record of force"):
        ms.read_ringdown(force)
