"""Wrong arguments: each raises what Python calls such a mistake, with words that name it."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

import microslip as ms

LAP = {"F_S": 3871.0, "K_T": 1.13e8, "chi": -0.43, "beta": 0.87}
NAN, INF = float("nan"), float("inf")


def lap(**other):
    return ms.Joint("iwan4", **{**LAP, **other})


def plate():
    return ms.Joint.typical("contact3d")


def two(**other):
    return ms.Structure(np.diag([1.2, 0.8]), [[6.5, -2.5], [-2.5, 2.5]], names=["a", "b"], **other)


def jointed():
    return two(modal_damping=1e-3).add_joint("lap", ms.Joint("jenkins", F_S=3, K_T=2), ("a", "b"))


HIT = {
    "hammer": ms.Record(np.sin(np.arange(100.0)), 0.01, 0.0, "force", "hammer"),
    "tip": ms.Record(np.cos(np.arange(100.0)), 0.01, 0.0, "acceleration", "tip"),
}


def pulse(**other):
    return ms.Load("half_sine", **{"at": "a", "amplitude": 3.0, "duration": 0.1, **other})


CHAIN = {
    "microslip": 1,
    "structure": {"chain": {"masses": {"u1": 1.3}, "springs": [["ground", "u1", 9.7]]}},
    "analyses": ["modes"],
}

CURVE = ms.Curve(
    "few",
    {"q": "", "omega": "", "zeta": ""},
    {"q": np.array([0.1, 1.0, 3.0]), "omega": np.array([1.6, 1.55, 1.5]), "zeta": np.array([0.01, 0.02, 0.03])},
    {},
)
T = np.arange(0.0, 9.0, 0.01)
SWEEP = {"levels": 0.01, "start": 0.2, "stop": 0.5, "duration": 20.0, "step": 0.05}

WRONG = [
    # names
    (lambda: ms.Joint("iwan44", **LAP), ValueError, "unknown law 'iwan44'; did you mean 'iwan4'"),
    (lambda: ms.law("jenkin"), ValueError, "did you mean 'jenkins'"),
    (lambda: lap(F_X=3.0), ValueError, "has no parameter 'F_X'"),
    (lambda: lap()["K_X"], ValueError, "has no parameter 'K_X'"),
    (lambda: lap(spacing="linear"), ValueError, "none of geometric|uniform"),
    (lambda: lap().path_derivatives([1e-5], ["F_X"]), ValueError, "F_X"),
    (lambda: two().index("c"), ValueError, "c"),
    (lambda: jointed().add_joint("lap", lap(), ("a", "b")), ValueError, "a joint called 'lap' already"),
    (lambda: jointed().modes("free"), ValueError, "must be 'stuck' or 'slipped'"),
    (lambda: ms.Load("half_sin", at="a"), ValueError, "half_sine"),
    (lambda: pulse(height=3.0), ValueError, "height"),
    (lambda: ms.backbone(jointed(), 0, "qsam"), ValueError, "did you mean 'qsma'; methods are qsma, rqnm, epmc, stepped_sine"),
    (lambda: ms.backbone(jointed(), 0, "newton"), ValueError, "unknown method 'newton'; methods are qsma, rqnm, epmc"),
    (lambda: ms.Structure(np.eye(3), np.eye(3), names=["a", "b", "b"]), ValueError, "two degrees of freedom are called 'b'"),
    (lambda: CURVE.zeta, AttributeError, r"table\['zeta'\], not table.zeta"),
    (lambda: CURVE.beta, AttributeError, "Curve has no attribute 'beta'"),
    (lambda: ms.backbone(jointed(), 0, "ringdown_hilbert"), ValueError, "is read from a test"),
    (lambda: ms.backbone(jointed(), 0, "epmc", harmonic=3), ValueError, "there are harmonics"),
    (lambda: ms.transient(jointed(), step=0.01, steps=9, record=["c"]), ValueError, "there is no channel"),
    (lambda: ms.transient(jointed(), step=0.01, steps=9, method="euler"), ValueError, "euler"),
    (lambda: ms.ringdown(jointed(), amplitude=1.0, step=0.1, steps=900, reading="eye"), ValueError, "hilbert, stft"),
    (lambda: ms.linear_response(jointed(), [1.0], force="a", sensor="b", kind="compliance"), ValueError, "compliance"),
    (lambda: ms.Study({**CHAIN, "analyses": ["mode"]}).check(), ValueError, "did you mean 'modes'"),
    (lambda: ms.Study({**CHAIN, "joint": {}}).check(), ValueError, "joint"),
    (lambda: ms.Study(CHAIN).run(display="miles"), ValueError, "miles"),
    (lambda: ms.Study("no such file.yaml").check(), OSError, "No such file"),
    (lambda: ms.Structure.read("no such file.h5"), OSError, "no such file.h5"),
    (lambda: ms.Results.read("no such folder"), OSError, "no such folder"),
    (lambda: two(modal_dampin=0.1), TypeError, "modal_dampin"),
    (lambda: ms.Structure.chain({"a": 1}, [("ground", "a", 3)], modal_dampin=0.1), TypeError, "there are modal_damping"),
    # missing
    (lambda: ms.Joint("iwan4", F_S=3871.0), ValueError, "not set: K_T, chi, beta"),
    (lambda: ms.Joint.parallel(), ValueError, "at least one joint"),
    (lambda: ms.Load("half_sine", amplitude=3.0, duration=0.1), ValueError, "one of `at` and `base`"),
    (lambda: ms.ringdown(jointed(), step=0.1, steps=900), ValueError, "give amplitude, or impact and at"),
    (lambda: ms.backbone(two(modal_damping=0.1), 0), ValueError, "give its amplitudes"),
    # shapes
    (lambda: lap().path([[1e-5, 2e-5]]), ValueError, r"u has the shape \(1, 2\), and must have \(any\)"),
    (lambda: plate().path([1e-6, 2e-6]), ValueError, r"must have \(any, 3\)"),
    (lambda: plate().step([1e-6, 0.0]), ValueError, r"u has the shape \(2,\)"),
    (lambda: lap().path([1e-5, 2e-5], alpha=[1.0]), ValueError, r"alpha has the shape \(1,\)"),
    (lambda: lap().path([1e-5, 2e-5], t=[0.0, 1.0, 2.0]), ValueError, "t has the shape"),
    (lambda: setattr(lap(), "state", [1.0]), ValueError, "state"),
    (lambda: ms.Joint.parallel(lap(), axes=[[0, 1]]), ValueError, "a joint of 1 axes has 2 places"),
    (lambda: ms.Joint.loaded(plate(), K_n=1.0, N_0=1.0, N_ref=1.0), ValueError, ""),
    (lambda: ms.Structure(np.eye(2), np.eye(3)), ValueError, "stiffness has the shape"),
    (lambda: ms.Structure([1.2, 0.8], np.eye(2)), ValueError, "square matrix; np.diag makes one of a vector"),
    (lambda: lap(F_S=np.array([45.0, 50.0])), ValueError, r"F_S must be one number, not an array or list \(shape \(2,\)\)"),
    (lambda: ms.Structure(np.ones((2, 3)), np.eye(2)), ValueError, "mass has the shape"),
    (lambda: ms.Structure(np.eye(2), [[1.0, 0.5], [0.4, 1.0]]), ValueError, "symmetric"),
    (lambda: ms.Structure(np.eye(2), np.eye(2), names=["a"]), ValueError, "2 texts"),
    (lambda: two(modal_damping=[0.1, 0.1, 0.1]), ValueError, "modal_damping has the shape"),
    (lambda: two(modal_damping=0.1, rayleigh_damping=(1, 1)), ValueError, "give one of"),
    (lambda: jointed().add_joint("pad", plate(), ("a", "b")), ValueError, "for each of 3 axes"),
    (lambda: ms.transient(jointed(), step=0.01, steps=9, u=[1.0]), ValueError, "u has the shape"),
    (lambda: ms.Load("table", at="a", table=[[0.0, 1.0], [2.0]]), ValueError, "columns of one length"),
    # kinds
    (lambda: ms.Joint(4), TypeError, "the law must be a text, not int"),
    (lambda: lap(F_S=None), TypeError, "F_S must be a number, not NoneType"),
    (lambda: lap(F_S=True), TypeError, "F_S must be a number, not bool"),
    (lambda: lap(F_S=1 + 2j), TypeError, "F_S must be a number, not complex"),
    (lambda: lap().path(["a", "b"]), TypeError, "u must be real numbers"),
    (lambda: lap().path(np.array([1e-5 + 1j])), TypeError, "u must be real numbers, not complex128"),
    (lambda: lap().path([None]), TypeError, "u must be real numbers, not object"),
    (lambda: lap().path(np.array([True])), TypeError, "u must be real numbers, not bool"),
    (lambda: lap().cycle("1e-5"), TypeError, "amplitude must be a number"),
    (lambda: lap().cycle(1e-5, n=8.0), TypeError, "n must be a whole number"),
    (lambda: ms.Joint.parallel("iwan4"), TypeError, "a joint is wanted, not str"),
    (lambda: two().add_joint("lap", "iwan4", ("a", "b")), TypeError, "a joint is wanted, not str"),
    (lambda: ms.backbone(lap()), TypeError, "a Structure is wanted, not Joint"),
    (lambda: ms.transient(jointed(), step=0.01, steps=9, loads=["push"]), TypeError, "a Load is wanted, not str"),
    (lambda: ms.transient(jointed(), step=0.01, steps=9.0), TypeError, "steps must be a whole number"),
    (lambda: ms.Study(3), TypeError, "a study is a path, a text or a dict, not int"),
    (lambda: ms.Study({**CHAIN, "title": object()}), TypeError, "not object"),
    (lambda: ms.Joint("iwan4\0"), ValueError, "NUL"),
    # not finite
    (lambda: lap(F_S=NAN), ValueError, "F_S = nan is out of bounds"),
    (lambda: lap(K_T=INF), ValueError, "K_T = inf"),
    (lambda: lap().path([1e-5, NAN]), ValueError, r"u\[1\] is nan; numbers must be finite"),
    (lambda: plate().path([[0, 0, 0], [0, INF, 0]]), ValueError, r"u\[1, 1\] is inf"),
    (lambda: lap().step(NAN), ValueError, r"u\[0\] is nan"),
    (lambda: lap().step(1e-5, alpha=NAN), ValueError, "alpha"),
    (lambda: lap().cycle(NAN), ValueError, "amplitude nan"),
    (lambda: ms.Structure([[NAN]], [[1.0]]), ValueError, r"mass\[0, 0\] is nan"),
    (lambda: two(modal_damping=NAN), ValueError, "nan"),
    (lambda: ms.backbone(jointed(), 0, "qsma", [1e-3, NAN]), ValueError, r"amplitudes\[1\] is nan"),
    (lambda: ms.Study({**CHAIN, "memory": NAN}), ValueError, "not finite"),
    # out of bounds
    (lambda: lap(F_S=-1.0), ValueError, "F_S = -1 is out of bounds: it must be > 0"),
    (lambda: lap(chi=-1.0), ValueError, "chi = -1"),
    (lambda: lap(sliders=-3), ValueError, "sliders = -3"),
    (lambda: lap().path([1e-5], alpha=[-0.1]), ValueError, "row 0: normal-load ratio alpha = -0.1 must be >= 0"),
    (lambda: lap().path([1e-5], k=[0.0]), ValueError, "k"),
    (lambda: lap().path([1e-5, 2e-5], t=[1.0, 0.5]), ValueError, "row 1"),
    (lambda: lap().cycle(-1e-5), ValueError, "must be > 0"),
    (lambda: lap().cycle(1e-5, n=7), ValueError, "even number"),
    (lambda: ms.Joint.parallel(lap(), axes=[[3]]), ValueError, "an axis = 3 must be from 0 to 2"),
    (lambda: two().index(2), ValueError, "they are from 0 to 1"),
    (lambda: two(modal_damping=-0.1), ValueError, "damping"),
    (lambda: two(modal_damping=[0.1, 1.0]), ValueError, "modal_damping = 1 must be below 1: it is a ratio, 0.001 is 0.1 %"),
    (lambda: ms.Structure([[-1.0]], [[1.0]]).modes(), ValueError, "mass"),
    (lambda: ms.backbone(jointed(), 2), ValueError, "mode = 2 must be from 0 to 1"),
    (lambda: ms.backbone(jointed(), 0, "qsma", [1e-3, 1e-4]), ValueError, "ris"),
    (lambda: ms.backbone(jointed(), 0, "epmc", [1e-3], harmonics=0), ValueError, "harmonics"),
    (lambda: ms.transient(jointed(), step=-0.01, steps=9), ValueError, "step"),
    (lambda: ms.transient(jointed(), step=0.01, steps=0), ValueError, "steps = 0 must be from 1"),
    (lambda: ms.transient(jointed(), step=0.01, steps=9, every=0), ValueError, "every = 0"),
    (lambda: ms.transient(jointed(), step=0.01, steps=9, loads=pulse(at={"ground": 1})), ValueError, "ground"),
    (lambda: pulse(duration=0.0), ValueError, "duration"),
    (lambda: ms.frequency_response(jointed(), "a", sensor="ground", start=1, stop=2), ValueError, "not the ground"),
    (lambda: ms.stepped_sine(jointed(), 0, "a", [1.0, 0.5], sensor="a"), ValueError, "ris"),
    (lambda: ms.Study(CHAIN).run(threads=-1), ValueError, "threads = -1 must be from 0 to 256"),
    (lambda: ms.Study({**CHAIN, "memory": -3}).check(), ValueError, "memory"),
    # identification
    (lambda: ms.fit_modal(), ValueError, "give a table with columns q, omega and zeta"),
    (lambda: ms.fit_modal(CURVE, q=[1.0]), ValueError, "give a table"),
    (lambda: ms.fit_modal([1.0, 2.0]), TypeError, "a table with columns q, omega and zeta is wanted, not list"),
    (lambda: ms.fit_modal({"q": [1.0]}), KeyError, "omega"),
    (lambda: ms.fit_modal(CURVE, form="smooth"), ValueError, "continuous, printed"),
    (lambda: ms.fit_modal(q=[1.0, 2.0], omega=[1.0], zeta=[0.1, 0.1]), ValueError, "omega has the shape"),
    (lambda: ms.fit_modal(q=[1.0, NAN], omega=[1.0, 1.0], zeta=[0.1, 0.1]), ValueError, r"q\[1\] is nan"),
    (lambda: ms.fit_modal(q=[1.0, -1.0], omega=[1.0, 1.0], zeta=[0.1, 0.1]), ValueError, ""),
    (lambda: ms.fit_modal(CURVE), ValueError, "points"),
    (lambda: ms.fit_modal(CURVE, bins=3), ValueError, "no setting 'bins'; there are bins_per_decade"),
    (lambda: ms.read_ringdown([0.0, 0.1], [1.0]), ValueError, "t has 2 numbers and x has 1"),
    (lambda: ms.read_ringdown([0.0, 0.1]), ValueError, "give a record, or times and values"),
    (lambda: ms.read_ringdown(T, np.sin(T), kind="force"), ValueError, "displacement, velocity, acceleration"),
    (lambda: ms.read_ringdown(T, np.sin(T), method="fft"), ValueError, "fft"),
    (lambda: ms.read_ringdown(T, np.sin(T), shape=0.0), ValueError, "shape = 0"),
    (lambda: ms.read_ringdown(T, np.sin(T), band=(3.0,)), ValueError, "band has the shape"),
    (lambda: ms.read_ringdown(T, np.sin(T), band=(3.0, 1.0)), ValueError, "band from 3 to 1 Hz"),
    (lambda: ms.read_ringdown(T, np.sin(T), band=(3.0, 51.0)), ValueError, "ends at 51 Hz, beyond what the sampling reaches, 50 Hz"),
    (lambda: ms.read_ringdown("tip.csv"), TypeError, "'tip.csv' is a path: read the file first"),
    (lambda: ms.read_ringdown(T**2, np.sin(T)), ValueError, "sampling is not even"),
    (lambda: ms.read_ringdown(T, 0.0 * T), ValueError, "zero"),
    (lambda: ms.read_record("no such file.csv"), OSError, "no such file.csv"),
    (lambda: ms.read_table("no such file.csv"), OSError, "no such file.csv"),
    (lambda: ms.read_channels("no such file.csv"), OSError, "no such file.csv"),
    (lambda: ms.read_channels("study.yaml"), ValueError, "no format of measured data"),
    (lambda: ms.survey([]), ValueError, "impacts is empty"),
    (lambda: ms.survey("hit.csv"), TypeError, "impacts is a list"),
    (lambda: ms.survey(["no such file.csv"]), OSError, "no such file.csv"),
    (lambda: ms.survey([HIT], "tap"), ValueError, "no sensor is called 'tap'; channels are hammer, tip"),
    (lambda: ms.survey([HIT], force="tap"), ValueError, "impact 1 has no channel 'tap'"),
    (lambda: ms.survey([{"tip": HIT["tip"]}]), ValueError, "0 channels of a force"),
    (lambda: ms.survey([{"hammer": HIT["hammer"]}]), ValueError, "no sensor beside the force"),
    (lambda: ms.survey([HIT, {"hammer": HIT["hammer"]}]), ValueError, "impact 2 has no channel 'tip'"),
    (lambda: ms.survey([{**HIT, "tip": HIT["tip"]._replace(x=np.ones(3))}]), ValueError, "tip is not sampled at the times of hammer"),
    (lambda: ms.survey([{**HIT, "tip": HIT["tip"]._replace(x=np.full(100, NAN))}]), ValueError, "numbers must be finite"),
    (lambda: ms.survey([{**HIT, "tip": np.ones(100)}]), TypeError, "tip must be a Record, not ndarray"),
    (lambda: ms.survey([HIT], lowest=3.0), ValueError, "there are low, high, edge"),
    (lambda: ms.survey([HIT], sampling=0.0), ValueError, "no setting 'sampling'"),
    (lambda: ms.survey([{k: c._replace(dt=-0.01) for k, c in HIT.items()}]), ValueError, "at -100 Hz"),
    (lambda: ms.survey([HIT]), ValueError, "impact 1"),
    (lambda: ms.read_record(3), TypeError, "path must be a text"),
    (lambda: ms.calibrate(lap(), {"lap.F_S": (1, 2)}, ms.Target.curve(CURVE)), TypeError, "a Structure is wanted"),
    (lambda: ms.calibrate(jointed(), {"lap.F_S": (1, 9)}, []), ValueError, "at least one target"),
    (lambda: ms.calibrate(jointed(), {"lap.F_S": (1, 9)}, [CURVE]), TypeError, "a Target is wanted, not"),
    (lambda: ms.calibrate(jointed(), {"lap.F_S": (1, 9)}, CURVE), TypeError, "not Curve: Target.curve makes one"),
    (lambda: ms.calibrate(jointed(), {}, ms.Target.curve(CURVE)), ValueError, "at least one parameter"),
    (lambda: ms.calibrate(jointed(), ["lap.F_S"], ms.Target.curve(CURVE)), TypeError, "mapping of names"),
    (lambda: ms.calibrate(jointed(), {"lap.F_X": (1, 9)}, ms.Target.curve(CURVE)), ValueError, "no parameter of a joint"),
    (lambda: ms.calibrate(jointed(), {"pad.F_S": (1, 9)}, ms.Target.curve(CURVE)), ValueError, "joints are lap"),
    (lambda: ms.calibrate(jointed(), {"lap.F_S": (9, 1)}, ms.Target.curve(CURVE)), ValueError, "must be below the upper"),
    (lambda: ms.calibrate(jointed(), {"lap.F_S": 3}, ms.Target.curve(CURVE)), ValueError, "pair"),
    (lambda: ms.calibrate(jointed(), {"lap.F_S": (-2, 9)}, ms.Target.curve(CURVE)), ValueError, "F_S = -2 is out of bounds"),
    (lambda: ms.calibrate(jointed(), {"lap.F_S": (1, 9)}, ms.Target.curve(CURVE, mode=7)), ValueError, "mode"),
    (lambda: ms.calibrate(jointed(), {"lap.F_S": (1, 9)}, ms.Target.loop("pad", [1, 2], [1, 2])), ValueError, "no joint 'pad'"),
    (lambda: ms.calibrate(jointed(), {"lap.F_S": (1, 9)}, ms.Target.curve(CURVE), starts=0), ValueError, "starts = 0"),
    (lambda: ms.calibrate(jointed(), {"lap.F_S": (1, 9)}, ms.Target.curve(CURVE), noise=NAN), ValueError, "noise"),
    (lambda: ms.Target.curve(CURVE, damping="half"), ValueError, "'total' or 'joint'"),
    (lambda: ms.Target.curve(CURVE, weight=-1.0), ValueError, "weight must not be negative"),
    (lambda: ms.Target.loop("lap", [1.0, 2.0], [1.0]), ValueError, "must be of one length"),
    (lambda: ms.fit(3, {"a": (1, 2)}), TypeError, "are functions"),
    (lambda: ms.fit(lambda p: [1.0], {"a": (1, 2), "b": (1, 2)}), ValueError, "1 residuals do not determine 2"),
    (lambda: ms.fit(lambda p: [1.0, 2.0], {"a": (1, INF)}), ValueError, "the bounds of a"),
    (lambda: ms.fit(lambda p: ["x", "y"], {"a": (1, 2)}), ValueError, "could not convert"),
    # swept sine
    (lambda: ms.sweep(jointed(), **SWEEP), ValueError, "one of `at` and `base`"),
    (lambda: ms.sweep(jointed(), at="a", **{**SWEEP, "levels": [0.0]}), ValueError, "levels must be > 0"),
    (lambda: ms.sweep(jointed(), at="a", **{**SWEEP, "stop": 0.1}), ValueError, "below stop"),
    (lambda: ms.sweep(jointed(), at="a", **{**SWEEP, "step": 1.0}), ValueError, "at least 10"),
    (lambda: ms.sweep(jointed(), at="a", law="cubic", **SWEEP), ValueError, "linear, logarithmic"),
    (lambda: ms.sweep(jointed(), at="a", directions=["left"], **SWEEP), ValueError, "up, down"),
    (lambda: ms.sweep(jointed(), at="c", **SWEEP), ValueError, "c"),
    (lambda: ms.sweep(jointed(), 2, at="a", **SWEEP), ValueError, "mode = 2"),
    (lambda: ms.sweep(jointed(), at="a", method="euler", **SWEEP), ValueError, "euler"),
    # laws in Python, and into an array
    (lambda: ms.register_law("new", 3, {}), TypeError, "are functions"),
    (lambda: ms.register_law("new", print, ["K"]), TypeError, "mapping of names to units"),
    (lambda: ms.register_law("new", print, {"K": 3}), ValueError, "a parameter is a name"),
    (lambda: ms.register_law("new", print, {"K T": "N"}), ValueError, "a parameter is a name"),
    (lambda: ms.register_law("new", print, {"K": {"least": 3}}), ValueError, "not 'least'"),
    (lambda: ms.register_law("new", print, {}, states=25), ValueError, "states = 25"),
    (lambda: ms.register_law("new", print, {}, axes=4), ValueError, "axes = 4"),
    (lambda: ms.register_law("iwan4", print, {}), ValueError, "'iwan4' already"),
    (lambda: lap().path([1e-5], out=[0.0]), TypeError, "out must be an array of float64"),
    (lambda: lap().path([1e-5], out=np.empty(2)), ValueError, r"out must have the shape \(1,\)"),
    (lambda: lap().path([1e-5], out=np.empty(1, dtype=int)), TypeError, "float64"),
    (lambda: CURVE.plot("zeta", "x"), KeyError, "no column 'x'"),
]


@pytest.mark.parametrize("call, kind, message", WRONG, ids=range(len(WRONG)))
def test_refused(call, kind, message):
    with pytest.raises(kind, match=message) as caught:
        call()
    assert str(caught.value)
    if isinstance(caught.value, ms.Error):
        assert caught.value.status != 0


def test_a_joint_stays_usable():
    joint, u = lap(), np.linspace(0, 3e-5, 40)
    expected = lap().path(u)
    with pytest.raises(ValueError):
        joint.path([NAN])
    with pytest.raises(ValueError):
        joint.step(1e-5, alpha=-1.0)
    assert np.array_equal(joint.path(u), expected)


def test_classes():
    for error in (ms.InputError, ms.StateError, ms.FileError, ms.NumericalError, ms.Cancelled, ms.PartialError):
        assert issubclass(error, ms.Error)
    assert issubclass(ms.InputError, ValueError) and issubclass(ms.FileError, OSError)
    held = ms.Structure([[1.2]], [[0.0]]).add_joint("slider", ms.Joint("jenkins", F_S=3, K_T=2), ("ground", "u1"))
    with pytest.raises(ms.NumericalError):
        ms.transient(held, step=0.01, steps=9, preload=[5.0])


RANDOM = """
import random, sys
sys.path.insert(0, sys.argv[1])
import test_errors
test_errors.call_at_random(int(sys.argv[2]), int(sys.argv[3]))
"""

VALUES = [None, True, -1, 0, 1, 2, 3, 7, 1e-5, -2e-5, 1e300, NAN, INF, "", "a", "u1", "iwan4", "ground", [], [1e-5], [NAN]]
VALUES += [[1e-5, 2e-5], [[1e-5, 0.0, 0.0]], np.zeros(3), np.zeros((3, 3)), np.eye(2), {}, {"a": 1.0}, object(), ("a", "b")]


def call_at_random(seed, n):
    """Methods with values that mostly make no sense: whatever they raise, the interpreter goes on."""
    choose = random.Random(seed)
    makers = [lap, plate, jointed, pulse, lambda: ms.Joint.parallel(lap(), lap())]
    functions = [ms.Joint, ms.Joint.typical, ms.Joint.parallel, ms.Structure, ms.Load, ms.law, ms.backbone]
    functions += [ms.linear_response, ms.fit, ms.fit_modal, ms.calibrate, ms.sweep, ms.read_ringdown, ms.read_table, ms.read_channels, ms.survey]
    functions += [ms.Target.curve, ms.Target.loop, ms.Target.joint_test, ms.register_law, ms.read_record, ms.transient]
    makers += [lambda: ms.Target.curve(CURVE), lambda: CURVE]
    names = ["F_S", "u", "v", "t", "alpha", "k", "n", "slope", "commit", "force", "sensor", "names", "axes", "at", "table", "preload", "out", "q", "omega", "zeta", "levels", "start", "stop", "duration", "step", "steps", "mode", "band", "x"]
    n_good = 0
    for i in range(n):
        if i % 50 == 0:
            objects = [maker() for maker in makers]
        thing = choose.choice(objects)
        names_of = [name for name in dir(type(thing)) if name in ("__call__", "__getitem__") or not name.startswith("_")]
        methods = [getattr(thing, name) for name in names_of if callable(getattr(type(thing), name))]
        function = choose.choice(functions if choose.random() < 0.2 else methods)
        arguments = [choose.choice([*VALUES, *objects]) for _ in range(choose.choice([0, 1, 1, 1, 2, 3]))]
        keywords = {choose.choice(names): choose.choice(VALUES) for _ in range(choose.choice([0, 0, 0, 1, 2]))}
        try:
            function(*arguments, **keywords)
            n_good += 1
        except Exception as error:
            assert not isinstance(error, (SystemError, MemoryError)), error
    print(n_good)


@pytest.mark.parametrize("seed", [3, 17])
def test_random_calls(seed):
    count = os.environ.get("MICROSLIP_RANDOM_CALLS", "10000")  # for each seed
    words = [sys.executable, "-c", RANDOM, __file__.rsplit("/", 1)[0], str(seed), count]
    answer = subprocess.run(words, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr[-2000:]
    assert int(answer.stdout) > 100
