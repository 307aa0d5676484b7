"""Laws written in Python: the numbers of the same law in C, and what they raise."""

import numpy as np
import pytest

import microslip as ms

SLIDER = {"F_S": {"unit": "N", "lower": 0.0, "meaning": "slip force"}, "K_T": "N/m"}
VALUES = {"F_S": 3.7, "K_T": 2385.0}


def slider(x, state, p):
    trial = p.K_T * (x.u - state[0])
    if abs(trial) < p.F_S:
        return trial, p.K_T
    force = np.sign(trial) * p.F_S
    return force, 0.0, [x.u - force / p.K_T]


def fail(x, state, p):
    raise LookupError("mine")


@pytest.fixture
def law():
    return ms.register_law("test_slider", slider, SLIDER, states=1, title="slider in Python")


def one(law):
    structure = ms.Structure.chain({"u1": 1.2}, [("ground", "u1", 900.0)], modal_damping=0.01)
    return structure.add_joint("pad", ms.Joint(law, **VALUES), ("ground", "u1"))


def test_as_in_c(law):
    u = 5e-3 * np.sin(np.linspace(0, 20, 500))
    own, known = ms.Joint("test_slider", **VALUES), ms.Joint("jenkins", **VALUES)
    assert np.array_equal(own.path(u), known.path(u))
    load = ms.Load("half_sine", at="u1", amplitude=50, duration=0.05)
    histories = [ms.transient(one(name), step=1e-3, steps=400, loads=load)["u1"] for name in ("test_slider", "jenkins")]
    assert histories[0] == pytest.approx(histories[1], abs=1e-14)
    curves = [ms.qsma(one(name), 0, [1e-3, 1e-2])["omega"] for name in ("test_slider", "jenkins")]
    assert curves[0] == pytest.approx(curves[1], rel=1e-9)


def test_is_a_law(law):
    assert law.title == "slider in Python" and law.parameters["F_S"].unit == "N" and law.parameters["F_S"].required
    assert ms.laws()["test_slider"].axes == 1 and "slip force" in str(law)
    with pytest.raises(ValueError, match="F_S = -1 is out of bounds"):
        ms.Joint("test_slider", F_S=-1, K_T=1)
    with pytest.raises(ValueError, match="not set: K_T"):
        ms.Joint("test_slider", F_S=1)


def test_replaced(law):
    joint = ms.Joint("test_slider", **VALUES)
    ms.register_law("test_slider", lambda x, state, p: (2.0 * p.K_T * x.u, 2.0 * p.K_T), SLIDER, states=1)
    assert joint.path([1e-3, -2e-3]) == pytest.approx([4.77, -9.54])
    for other in ({"F_S": "N"}, {**SLIDER, "mu": ""}):
        with pytest.raises(ValueError, match="already, with other parameters"):
            ms.register_law("test_slider", slider, other, states=1)
    with pytest.raises(ValueError, match="'jenkins' already"):
        ms.register_law("jenkins", slider, SLIDER, states=1)


def test_what_it_raises(law):
    joint, structure = ms.Joint("test_slider", **VALUES), one("test_slider")
    structure.modes()
    study = {
        "microslip": 1,
        "structure": {"chain": {"masses": {"u1": 1.2}, "springs": [["ground", "u1", 900]]}},
        "joints": {"pad": {"law": "test_slider", "between": ["ground", "u1"], **VALUES}},
        "analyses": [{"backbone": {"modes": [1], "methods": ["qsma"], "amplitudes": [1e-3, 1e-2]}}],
    }
    expected = ms.Study(study).run().backbone["omega"]
    ms.register_law("test_slider", fail, SLIDER, states=1)
    for call in (
        lambda: joint.path([1e-3]),
        lambda: joint.step(1e-3),
        lambda: joint.cycle(1e-3),
        lambda: ms.transient(structure, step=1e-3, steps=9),
        lambda: ms.Study(study).run(),
    ):
        with pytest.raises(LookupError, match="mine"):
            call()
    with pytest.raises(ValueError, match="unknown law"):  # nothing is left of it
        ms.Joint("no_such_law")
    for answer, message in (
        ((np.nan, 1.0), "nan as force"),
        (([1.0, 2.0], 1.0), "2 numbers as force"),
        ((1.0, 1.0, [1.0, 2.0]), "2 numbers as state"),
        ({"force": 1.0, "slope": 2.0}, "not 'slope'"),
        ("much", "much"),
    ):
        ms.register_law("test_slider", lambda x, state, p, answer=answer: answer, SLIDER, states=1)
        with pytest.raises((ValueError, KeyError), match=message):
            joint.path([1e-3])
    ms.register_law("test_slider", slider, SLIDER, states=1)
    joint.start()
    assert joint.path([1e-3])[0] == pytest.approx(2.385)
    assert np.array_equal(ms.Study(study).run().backbone["omega"], expected)


def test_several_axes_and_start():
    def springs(x, state, p):
        force = p.k * np.array([x.u[0] + 0.5 * x.u[1] - state[0], x.u[1]]) + p.c * x.v
        return {"force": force, "du": p.k * np.array([[1.0, 0.5], [0.0, 1.0]]), "dv": p.c * np.eye(2)}

    ms.register_law("test_springs", springs, {"k": "N/m", "c": "N s/m"}, axes=2, states=1, depends_on_rate=True,
                    start=lambda u, p: [u[0]])
    joint = ms.Joint("test_springs", k=310.0, c=2.3)
    joint.start([0.1, 0.0])
    force, slope = joint.path([[0.2, 0.3], [0.4, 0.1]], v=[[1.0, 2.0], [0.5, 0.0]], t=[0.0, 1.0], slope=True)
    assert force == pytest.approx(np.array([[310.0 * 0.25 + 2.3, 93.0 + 4.6], [310.0 * 0.35 + 1.15, 31.0]]))
    assert slope[1] == pytest.approx(310.0 * np.array([[1.0, 0.5], [0.0, 1.0]]))


def test_without_history_in_harmonic_balance():
    ms.register_law("test_cubic", lambda x, state, p: (p.k3 * x.u**3, 3.0 * p.k3 * x.u**2), {"k3": "N/m^3"})
    structure = ms.Structure.chain({"u1": 1.2}, [("ground", "u1", 900.0)], modal_damping=0.01)
    structure.add_joint("cubic", ms.Joint("test_cubic", k3=4.1e5), ("ground", "u1"))
    a = 0.013
    curve = ms.epmc(structure, 0, [a * np.sqrt(1.2)], harmonics=5)
    omega = np.sqrt((900.0 + 0.75 * 4.1e5 * a**2) / 1.2)  # of the first harmonic
    assert curve["omega"][0] == pytest.approx(omega, rel=2e-3)


def test_in_threads(law):
    from concurrent.futures import ThreadPoolExecutor

    u = 5e-3 * np.sin(np.linspace(0, 20, 300))
    expected = ms.Joint("jenkins", **VALUES).path(u)
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: ms.Joint("test_slider", **VALUES).path(u), range(6)))
    assert all(np.array_equal(f, expected) for f in found)
