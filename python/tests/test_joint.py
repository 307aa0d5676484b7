"""Joints: the same numbers as the command to the last bit, closed forms, loads, several axes."""

import csv
import threading

import numpy as np
import pytest

import microslip as ms

LAP = {"F_S": 3871.0, "K_T": 1.13e8, "chi": -0.43, "beta": 0.87}


def turning(n=300, size=5.3e-5):
    """A path that turns back again and again."""
    x = np.linspace(0.0, 1.0, n)
    return size * x * np.sin(37.0 * x + 2.1 * x**2)


@pytest.mark.parametrize("law", sorted(ms.laws()))
def test_path_of_every_law_as_the_command(law, command, tmp_path):
    joint = ms.Joint.typical(law)
    names = ["u"] if joint.axes == 1 else ["ux", "uy", "un"][: joint.axes]
    u = turning() if joint.axes == 1 else np.column_stack([turning(), 0.7 * turning()[::-1], 0.1 * turning()][: joint.axes])
    u = u * (joint.slip_scale or 1e-5) / 5.3e-5
    t, alpha = np.arange(len(u)) * 1.7e-3, 1.0 + 0.3 * np.cos(np.arange(len(u)) / 19.0)
    rows = np.column_stack([t, u, alpha])
    with open(tmp_path / "path.csv", "w") as file:
        file.write(",".join(["t", *names, "alpha"]) + "\n")
        file.writelines(",".join(repr(float(x)) for x in row) + "\n" for row in rows)
    command("joint", law, "--path", tmp_path / "path.csv", "--csv", tmp_path / "out.csv")
    with open(tmp_path / "out.csv") as file:
        table = list(csv.reader(file))
    forces = [i for i, name in enumerate(table[0]) if name.split(" ")[0] in ("force", "Fx", "Fy", "Fn", "F")]
    assert len(forces) == joint.axes, table[0]
    expected = np.array([[float(row[i]) for i in forces] for row in table[1:]])
    force = joint.path(u, t=t, alpha=alpha)
    assert np.array_equal(force.reshape(expected.shape), expected)
    assert law == "gap" or np.any(force != 0.0)  # the path stays within the gap


def test_steps_are_the_path():
    u = turning()
    force, slope = ms.Joint("iwan4", **LAP).path(u, slope=True)
    joint = ms.Joint("iwan4", **LAP)
    steps = [joint.step(x) for x in u.tolist()]
    assert np.array_equal([s.force for s in steps], force)
    assert np.array_equal([s.du for s in steps], slope)


def test_path_goes_on():
    u = turning()
    whole = ms.Joint("iwan4", **LAP)
    parts = ms.Joint("iwan4", **LAP)
    assert np.array_equal(whole.path(u), np.concatenate([parts.path(u[:97]), parts.path(u[97:])]))
    parts.start()
    assert np.array_equal(parts.path(u), parts.copy().path(u))


def test_state():
    u = turning()
    joint, other = ms.Joint("iwan4", **LAP), ms.Joint("iwan4", **LAP)
    joint.path(u[:150])
    other.state = joint.state
    assert np.array_equal(joint.path(u[150:]), other.path(u[150:]))


def test_trial_changes_nothing():
    joint = ms.Joint("iwan4", **LAP)
    joint.path(turning())
    before = joint.state
    trial = joint.step(1.3e-5, commit=False)
    assert np.array_equal(joint.state, before)
    assert joint.step(1.3e-5) == trial


def test_cycle_and_energy():
    """The loop's area, the closed form, and what the law dissipates are one number."""
    joint = ms.Joint("iwan4", **LAP)
    cycle = joint.cycle(3.1e-5, n=4000)
    assert cycle.D == pytest.approx(cycle.D_closed_form, rel=1e-12)
    area = -np.trapz(cycle.force, cycle.u)
    assert abs(area) == pytest.approx(cycle.D, rel=1e-5)
    assert cycle.F0 == pytest.approx(cycle.K_secant * 3.1e-5)
    before = joint.energy
    joint.path(cycle.u[1:])
    assert joint.energy.dissipated - before.dissipated == pytest.approx(cycle.D, rel=1e-10)
    assert joint.energy.stored == pytest.approx(before.stored, rel=1e-10)


def test_virgin():
    joint = ms.Joint("jenkins", F_S=3.7, K_T=2385.0)
    force, slope = joint.virgin([1e-3, 3e-3])
    assert force == pytest.approx([2.385, 3.7], rel=1e-14)
    assert slope == pytest.approx([2385.0, 0.0], rel=1e-14)


def test_parameters_that_follow():
    joint = ms.Joint("iwan4", **LAP)
    again = ms.Joint("iwan4", **{name: joint[name] for name in ("R", "S", "chi", "phi_max")})
    assert again["F_S"] == pytest.approx(LAP["F_S"], rel=1e-12)
    assert again["beta"] == pytest.approx(LAP["beta"], rel=1e-11)
    assert "F_S=3871" in repr(joint)


def test_words_and_tables():
    few = ms.Joint("iwan4", **LAP, sliders=40, spacing="uniform")
    assert few["spacing"] != ms.Joint("iwan4", **LAP, sliders=40)["spacing"]
    name = next(iter(p.name for p in ms.law("iwan_table").parameters.values() if "table" in p.kind))
    phi, density = np.linspace(0.0, 2.7e-5, 7), np.linspace(3.1e12, 1.3e12, 7)
    listed = ms.Joint("iwan_table", **{name: [phi, density]})
    named = ms.Joint("iwan_table", **{name: {"phi": phi, "density": density}})
    assert np.array_equal(listed.path(turning()), named.path(turning()))


def test_parallel():
    u = turning()
    lap, spring = ms.Joint("iwan4", **LAP), ms.Joint("linear", K=1.9e6)
    both = ms.Joint.parallel(lap, spring)
    assert both.path(u) == pytest.approx(lap.path(u) + 1.9e6 * u, rel=1e-12)
    cross = ms.Joint.parallel(lap, spring, axes=[[1], [0]])
    lap.start()
    force = cross.path(np.column_stack([u, u]))
    assert np.array_equal(force, np.column_stack([1.9e6 * u, lap.path(u)]))


def test_loaded():
    """A slider under a normal spring slips at mu N, here F_S N/N_ref."""
    joint = ms.Joint.loaded(ms.Joint("jenkins", F_S=3.7, K_T=2385.0), K_n=1.3e5, N_0=11.0, N_ref=11.0)
    force = joint.path([[0.1, 0.0], [0.2, 4e-5], [0.3, -2e-5], [0.4, -9e-5]])
    normal = 1.3e5 * np.array([0.0, 4e-5, -2e-5, -9e-5])
    normal[-1] = -11.0
    assert force[:, 1] == pytest.approx(normal, rel=1e-14)
    assert force[:, 0] == pytest.approx(3.7 * (11.0 + normal) / 11.0, rel=1e-13, abs=1e-13)


def test_several_axes():
    joint = ms.Joint("contact3d", mu=0.31, K_n=2.9e7, K_t=1.7e7, N_0=410.0)
    u = np.column_stack([turning(), 0.6 * turning()[::-1], 1e-6 + 0 * turning()])
    force, slope = joint.path(np.ascontiguousarray(u), slope=True)
    joint.start()
    steps = [joint.step(x) for x in u]
    assert np.array_equal(force, [s.force for s in steps])
    assert np.array_equal(slope, [s.du for s in steps])
    assert np.hypot(force[:, 0], force[:, 1]).max() == pytest.approx(0.31 * (410.0 + 29.0), rel=1e-12)


def test_derivatives_through_a_history():
    u = turning()
    names = ["F_S", "K_T", "chi", "beta"]
    force, derivatives = ms.Joint("iwan4", **LAP, merge_tolerance=0).path_derivatives(u, names)
    assert np.array_equal(force, ms.Joint("iwan4", **LAP, merge_tolerance=0).path(u))
    for i, name in enumerate(names):
        h = 1e-5 * abs(LAP[name])
        ends = [ms.Joint("iwan4", **{**LAP, name: LAP[name] + s * h}, merge_tolerance=0).path(u) for s in (1, -1)]
        slope = (ends[0] - ends[1]) / (2 * h)
        assert derivatives[:, i] == pytest.approx(slope, abs=2e-5 * np.abs(slope).max())


def test_arrays_without_copies():
    """Contiguous doubles are read where they are, others are converted; the caller's stay as they were."""
    u = turning()
    expected = ms.Joint("iwan4", **LAP).path(u)
    wide = np.column_stack([u, u])
    assert np.array_equal(ms.Joint("iwan4", **LAP).path(wide[:, 1]), expected)
    assert np.array_equal(ms.Joint("iwan4", **LAP).path(list(u)), expected)
    u.flags.writeable = False
    assert np.array_equal(ms.Joint("iwan4", **LAP).path(u), expected)
    assert ms.Joint("iwan4", **LAP).path(np.empty(0)).shape == (0,)


def test_laws_describe_themselves():
    law = ms.law("iwan4")
    assert law.axes == 1 and law.depends_on_load and not law.depends_on_rate
    assert law.parameters["F_S"].unit == "N" and law.parameters["F_S"].required
    assert law.parameters["merge_tolerance"].default == "1e-12"
    assert "force at the onset of macroslip" in str(law)
    assert len(ms.laws()) > 20


def test_threads():
    """Each thread has its joint: the same numbers as one after the other. One joint in two threads is refused."""
    u = turning(100_000)
    joints = [ms.Joint("iwan4", **LAP) for _ in range(4)]
    expected = joints[0].path(u)
    joints[0].start()
    found = [None] * 4

    def work(i):
        found[i] = joints[i].path(u)

    threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(f, expected) for f in found)

    joints[0]._context._lock.acquire()
    try:
        with pytest.raises(RuntimeError, match="in use by another thread"):
            joints[0].path(u)
    finally:
        joints[0]._context._lock.release()


def test_alternative_sets_of_parameters():
    """A law that takes one of several sets says which; the others have one list."""
    law = ms.law("iwan4")
    assert law.sets == [["F_S", "K_T", "chi", "beta"], ["chi", "R", "S", "phi_max"]]
    assert "give one set: F_S, K_T, chi, beta; or chi, R, S, phi_max" in str(law)
    assert law.parameters["R"].set == 2 and law.parameters["chi"].set == 0
    assert ms.law("jenkins").sets == [["F_S", "K_T"]] and "set" not in str(ms.law("jenkins"))
