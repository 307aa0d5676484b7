"""Structures and their responses: as studies and as C to the last bit, and closed forms."""

import os
import subprocess

import numpy as np
import pytest
import scipy.sparse

import microslip as ms

M = np.array([[1.2, 0.0], [0.0, 0.8]])
K = np.array([[6.5e5, -2.5e5], [-2.5e5, 2.5e5]])
LAP = {"F_S": 20, "K_T": 2e4, "chi": -0.4, "beta": 1.5}


def make():
    """That of examples/c/backbone.c."""
    structure = ms.Structure(M, K, names=["left", "right"], modal_damping=5e-4)
    return structure.add_joint("lap", ms.Joint("iwan4", **LAP), ("left", "right"))


def make_linear(zeta=0.013):
    return ms.Structure(scipy.sparse.csr_matrix(M), scipy.sparse.coo_matrix(K), modal_damping=zeta)


def test_c_example(root, tmp_path):
    """The lines that examples/c/backbone.c prints, with the same calls from here."""
    folder = os.path.dirname(ms.library_path)
    program = tmp_path / "backbone"
    words = [os.environ.get("CC", "cc"), root / "examples" / "c" / "backbone.c", "-I", root / "include", "-o", program]
    subprocess.run([*words, ms.library_path, f"-Wl,-rpath,{folder}"], check=True)
    expected = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()

    structure, q = make(), [1e-4, 1e-3, 3e-3, 8e-3]
    curves = {"ring-down": ms.ringdown(structure, 0, amplitude=q[3], step=1e-4, steps=20000)}
    curves |= {method: ms.backbone(structure, 0, method, q) for method in ("qsma", "epmc")}
    lines = [
        "%-16s %10.3e m sqrt(kg) %9.3f Hz %8.4f %%" % (name, *values)
        for name, curve in curves.items()
        for values in zip(curve["q"], curve["omega"] / 6.2831853, 100 * curve["zeta"])
    ]
    assert len(lines) > 20
    assert lines == expected


STUDY = {
    "microslip": 1,
    "structure": {
        "chain": {"masses": {"a": 1.3, "b": 0.9}, "springs": [["ground", "a", 4.1e5], ["a", "b", 2.3e5]]},
        "damping": {"modal": [7e-4, 9e-4]},
    },
    "joints": {"lap": {"law": "iwan4", "between": ["a", "b"], "F_S": 31, "K_T": 2.7e4, "chi": -0.37, "beta": 1.9}},
    "loads": {"hit": {"half_sine": {"amplitude": 470, "duration": 0.0047}, "at": "b"}},
    "analyses": [
        {"backbone": {"modes": [2], "methods": ["qsma", "rqnm", "epmc", "stepped_sine"], "amplitudes": [2e-4, 1e-3, 7e-3]}},
        {"transient": {"time": {"step": 1.3e-4, "steps": 3000}, "record": {"every": 4, "channels": ["a", "lap.f", "hit"]}}},
    ],
}


@pytest.fixture(scope="module")
def study():
    return ms.Study(STUDY).run()


def make_chain():
    structure = ms.Structure.chain(
        {"a": 1.3, "b": 0.9}, [("ground", "a", 4.1e5), ("a", "b", 2.3e5)], modal_damping=[7e-4, 9e-4]
    )
    return structure.add_joint("lap", ms.Joint("iwan4", F_S=31, K_T=2.7e4, chi=-0.37, beta=1.9), ("a", "b"))


@pytest.mark.parametrize("method", list(ms.backbone_methods()))
def test_backbone_as_the_study(method, study):
    expected = study.backbone.table.where(method=method)
    harmonics, times = int(expected["harmonics"][0]), int(expected["time_points"][0])
    settings = {"harmonics": harmonics, "times": times} if harmonics else {}
    for structure in (make_chain(), ms.Structure.from_study(ms.Study(STUDY, set={"analyses": ["modes"]}))):
        curve = ms.backbone(structure, 1, method, [2e-4, 1e-3, 7e-3], **settings)
        assert curve.complete and curve.rows == 3
        for column in ("q", "omega", "zeta", "zeta_joint", "zeta_viscous", "sensor_acceleration", "residual"):
            assert np.array_equal(curve[column], expected[column]), column
            assert curve.units[column] == expected.units[column] and curve.meanings[column] == expected.meanings[column]


def test_transient_as_the_study(study):
    load = ms.Load("half_sine", at="b", amplitude=470, duration=0.0047, name="hit")
    run = ms.transient(make_chain(), step=1.3e-4, steps=3000, every=4, loads=load, record=["a", "lap.f", "hit"])
    expected = study.transient.table
    assert list(run) == list(expected) == ["time", "a", "lap.f", "hit"]
    for column in run:
        assert np.array_equal(run[column], expected[column]), column
        assert run.units[column] == expected.units[column]
    assert run.energy["dissipated"] > 0.0 and abs(run.energy["balance"]) < 1e-3 * run.energy["input"]


def test_default_amplitudes():
    curve = ms.backbone(make(), 0, points=25)
    assert curve.rows == 25 and curve["q"][0] * 1e4 == pytest.approx(curve["q"][-1])
    assert curve["omega"][0] > curve["omega"][-1]


def test_modes():
    modes = make_linear().modes()
    expected, _ = np.linalg.eig(np.linalg.solve(M, K))
    assert modes.omega == pytest.approx(np.sqrt(np.sort(expected)), rel=1e-12)
    assert modes.shape.T @ M @ modes.shape == pytest.approx(np.eye(2), abs=1e-12)
    assert modes.frequency == pytest.approx(modes.omega / (2 * np.pi))
    assert modes.zeta == pytest.approx([0.013, 0.013])
    stuck, slipped = make().modes("stuck").omega, make().modes("slipped").omega
    assert np.all(slipped < stuck) and make().modes("slipped").zeta is None
    assert slipped == pytest.approx(modes.omega, rel=1e-12)


def test_damping_in_percent():
    with pytest.warns(UserWarning, match="modal_damping = 0.5 is 50 % of critical"):
        ms.Structure(M, K, modal_damping=0.5)


def test_matrices():
    structure = make()
    spring = 2e4 * np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert np.array_equal(structure.mass, M) and np.array_equal(structure.stiffness, K)
    assert structure.stuck_stiffness == pytest.approx(K + spring, rel=1e-14)
    structure.set_damping(rayleigh_damping=(0.31, 2e-6))
    assert structure.damping == pytest.approx(0.31 * M + 2e-6 * (K + spring), rel=1e-12)
    C = np.array([[3.1, -0.7], [-0.7, 1.9]])
    structure.set_damping(damping=scipy.sparse.csc_matrix(C))
    assert structure.damping == pytest.approx(C)
    assert structure.names == ["left", "right"] and structure.joints == ["lap"] and structure.size == 2


def test_linear_response():
    """Against the matrices, and against harmonic balance without joints."""
    structure = make_linear()
    omega = np.array([210.0, 391.3, 777.0])
    H = ms.linear_response(structure, omega, force="u1", sensor="u2")
    C = structure.damping
    direct = [np.linalg.solve(K + 1j * w * C - w**2 * M, [1.0, 0.0])[1] for w in omega]
    assert H == pytest.approx(np.array(direct), rel=1e-10)
    assert ms.linear_response(structure, omega, force="u1", sensor="u2", kind="mobility") == pytest.approx(1j * omega * H)

    lap = make()
    lap.set_damping(modal_damping=0.013)
    curve = ms.frequency_response(lap, "left", sensor=["right", "left"], start=300.0, stop=450.0, level=1e-9)
    H = ms.linear_response(lap, curve["omega"], force="left", sensor="right")
    assert curve.complete and curve["right.amplitude"] == pytest.approx(1e-9 * np.abs(H), rel=2e-4)
    assert np.argmax(curve["right.amplitude"]) == curve.peak


def test_stepped_sine_is_on_the_resonance():
    structure = make()
    held = ms.stepped_sine(structure, 0, "left", [0.3, 1.7], sensor="right")
    assert np.array_equal(held["level"], [0.3, 1.7])
    curve = ms.backbone(structure, 0, "stepped_sine", held["q"], force="left")
    assert curve["zeta"] == pytest.approx(held["zeta"], rel=1e-6)


def test_ringdown_by_impact():
    decay = ms.ringdown(make(), 0, impact=300.0, at="right", step=1e-4, steps=20000, reading="stft")
    curve = ms.backbone(make(), 0, "epmc", np.sort(decay["q"]))
    zeta = np.interp(decay["q"], curve["q"], curve["zeta"])
    by_hilbert = ms.ringdown(make(), 0, impact=300.0, at="right", step=1e-4, steps=20000)
    assert by_hilbert.rows != decay.rows
    assert decay.rows > 5 and np.median(np.abs(decay["zeta"] / zeta - 1.0)) < 0.1


def test_start_and_release():
    """Let go from a static force, a linear mode rings at its frequency from where it was."""
    structure = ms.Structure([[2.385]], [[9310.0]], modal_damping=0.0)
    omega = np.sqrt(9310.0 / 2.385)
    run = ms.transient(structure, step=1e-3 / omega, steps=7000, preload=[1.7], release=True, record=["u1"])
    assert run["u1"] == pytest.approx(1.7 / 9310.0 * np.cos(omega * run["time"]), abs=1e-6 * 1.7 / 9310.0)
    run = ms.transient(structure, step=1e-3 / omega, steps=7000, v={"u1": 0.31}, record=["u1.velocity"])
    assert run["u1.velocity"] == pytest.approx(0.31 * np.cos(omega * run["time"]), abs=1e-6)


def test_base():
    """A constant acceleration of the ground is a constant force -M a."""
    shaken = ms.transient(
        make(), step=1e-4, steps=500, loads=[ms.Load("constant", base=True, amplitude=3.7)], record=["left"]
    )
    pushed = ms.transient(
        make(), step=1e-4, steps=500, loads=[ms.Load("constant", at={"left": -1.2, "right": -0.8}, amplitude=3.7)], record=["left"]
    )
    assert np.array_equal(shaken["left"], pushed["left"]) and np.any(shaken["left"] != 0.0)


def test_table_load():
    load = ms.Load("table", at="u1", table=[[0.0, 0.5, 1.0], [0.0, 3.1, 0.0]])
    assert load([0.25, 0.5, 0.75]) == pytest.approx([1.55, 3.1, 1.55])
    assert load(0.25) == pytest.approx(1.55)


def test_reduced_model(root):
    structure = ms.Structure.read(root / "tests" / "data" / "studies" / "fem" / "arm.h5", modal_damping=1e-3)
    modes = structure.modes()
    assert structure.size == len(structure.names) > 6
    assert modes.shape.T @ structure.mass @ modes.shape == pytest.approx(np.eye(structure.size), abs=1e-9)


def test_settings():
    """Names of the library's settings; other harmonics give other digits, and unknown names a list."""
    few, many = (ms.backbone(make(), 0, "epmc", [5e-3], harmonics=h)["omega"][0] for h in (1, 9))
    assert few != many and few == pytest.approx(many, rel=1e-3)
    loose = ms.backbone(make(), 0, "qsma", [5e-3], newton_tolerance=1e-4, tol={"settled": 1e-7})
    assert loose.complete
    with pytest.raises(ms.InputError, match="epmc has no setting 'harmonic'; there are harmonics, times"):
        ms.backbone(make(), 0, "epmc", [5e-3], harmonic=3)
    with pytest.raises(ms.InputError, match="tolerances of qsma has no setting 'settle'"):
        ms.backbone(make(), 0, "qsma", [5e-3], tol={"settle": 1e-7})


def test_partial_curve():
    curve = ms.backbone(make(), 0, "epmc", [1e-4, 5e-3], tolerance=1e-30)
    assert not curve.complete and curve.remark and curve.warnings


def test_loads_that_steps_miss():
    """A pulse of one step is not seen at all; one of ten is."""
    hit = ms.Load("half_sine", at="left", amplitude=500, duration=0.01, name="hit")
    missed = ms.transient(make(), step=0.01, steps=50, loads=hit)
    assert missed.energy["input"] == 0.0
    assert any("load hit lasts 0.01 s, 1 steps" in w and "at least 10 steps" in w for w in missed.warnings)
    seen = ms.transient(make(), step=1e-4, steps=500, loads=hit)
    assert seen.energy["input"] > 0.1 and seen.warnings == []
    fast = ms.Load("sine", at="left", amplitude=1.0, frequency=700.0, name="fast")
    assert any("load fast has a period" in w for w in ms.transient(make(), step=1e-3, steps=50, loads=fast).warnings)


def test_one_amplitude():
    assert np.array_equal(ms.qsma(make(), 0, 1e-3)["zeta"], ms.qsma(make(), 0, [1e-3])["zeta"])
