"""Nothing leaks, objects outlive their makers, and want of memory is MemoryError."""

import gc
import os
import pathlib
import resource

import numpy as np
import pytest

import microslip as ms
from microslip import _library
from microslip._library import Context, ffi, lib

RECORD = str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "measured-ringdown" / "record.csv")
STUDY = {
    "microslip": 1,
    "structure": {"chain": {"masses": {"u1": 1.3, "u2": 2.1}, "springs": [["ground", "u1", 9.7], ["u1", "u2", 3.1]]}},
    "joints": {"lap": {"law": "iwan4", "between": ["u1", "u2"], "F_S": 10, "K_T": 1.07, "chi": -0.43, "beta": 4.7}},
    "analyses": ["modes"],
}


class Counting:
    """An allocator for contexts that counts what is alive, and fails from the n-th request on."""

    def __init__(self):
        self._types = _declare()
        self.live, self.requests, self.fail_at = 0, 0, None
        libc = self._types.dlopen(None)
        self._realloc, self._free, self._size = libc.realloc, libc.free, libc.malloc_usable_size
        self._call = ffi.callback("void *(void *, void *, size_t)", self.resize)
        self.table = ffi.new("ms_allocator *", {"resize": self._call})

    def resize(self, user, pointer, size):
        if size == 0:
            self.live -= pointer != ffi.NULL
            memory = self._types.cast("char *", int(ffi.cast("intptr_t", pointer)))
            for i in range(0, self._size(memory), 8):  # whoever reads it later shall notice
                self._types.memmove(memory + i, b"\xee" * 8, 8)
            self._free(memory)
            return ffi.NULL
        self.requests += 1
        if self.fail_at is not None and self.requests > self.fail_at:
            return ffi.NULL
        got = self._realloc(self._types.cast("void *", int(ffi.cast("intptr_t", pointer))), size)
        self.live += pointer == ffi.NULL
        return ffi.cast("void *", int(self._types.cast("intptr_t", got)))


def _declare():
    import cffi

    types = cffi.FFI()
    types.cdef("void *realloc(void *, size_t); void free(void *); size_t malloc_usable_size(void *);")
    return types


@pytest.fixture
def counting(monkeypatch):
    allocator = Counting()
    monkeypatch.setattr(Context, "allocator", allocator.table)
    yield allocator
    gc.collect()


def use_joint():
    joint = ms.Joint("iwan4", F_S=3871.0, K_T=1.13e8, chi=-0.43, beta=0.87)
    joint.path(3e-5 * np.sin(np.arange(200.0)))
    joint.cycle(1e-5, n=32)
    return joint.state, joint.energy, joint.copy().path_derivatives([1e-5, 2e-5], ["F_S"])


def use_parallel():
    slider = ms.Joint("jenkins", F_S=3.0, K_T=2.0)
    return ms.Joint.parallel(slider, slider).path([1.0]), ms.Joint.loaded(slider, K_n=1.0, N_0=2.0, N_ref=2.0).axes


def make_structure():
    structure = ms.Structure(np.diag([1.2, 0.8]), [[6.5, -2.5], [-2.5, 2.5]], modal_damping=1e-3)
    return structure.add_joint("lap", ms.Joint("jenkins", F_S=3, K_T=2), ("u1", "u2"))


def use_structure():
    structure = make_structure()
    ms.backbone(structure, 0, "qsma", [1e-2, 1.0])
    load = ms.Load("half_sine", at="u1", amplitude=1.0, duration=0.3)
    return structure.modes(), ms.transient(structure, step=0.1, steps=20, loads=load)["u1"]


def use_study():
    return ms.Study(STUDY).run().modes["omega_0"]


def use_study_structure():
    return ms.Structure.from_study(STUDY).modes()


def use_fits():
    q = np.geomspace(1e-3, 30.0, 12)
    structure = make_structure()
    curve = ms.qsma(structure, 0, q)
    model = ms.fit_modal(curve)
    model.curve(low=1e-3, high=1.0, points=5)
    found = ms.calibrate(structure, {"lap.F_S": (1.0, 9.0)}, ms.Target.curve(curve), starts=1)
    line = ms.fit(lambda p: p["a"] * q - 3.0 * q, {"a": (1.0, 9.0)}, starts=1)
    return model.structure().modes(), found.structure.modes(), structure.copy().modes(), line


def use_sweep():
    times = {"duration": 40.0, "step": 0.05}
    return ms.sweep(make_structure(), 0, at="u1", levels=0.01, start=0.15, stop=0.6, directions="up", **times)


def use_records():
    t = np.arange(0.0, 8.0, 0.01)
    decay = ms.read_ringdown(t, np.exp(-0.2 * t) * np.cos(30.0 * t), shape=0.7)
    return decay, ms.read_table(RECORD), ms.read_record(RECORD, "tip")


def use_survey():
    t = np.arange(4000) / 1600.0 - 0.05
    ring = 8.0 * np.exp(-3.0 * t) * np.sin(400.0 * t) * (t > 0.0) + 1e-3 * np.sin(np.arange(4000.0) ** 2)
    blow = np.where((t > 0.0) & (t < 0.005), 90.0 * np.sin(np.pi * t / 0.005), 0.0)
    channels = {"hammer": ms.Record(blow, 1 / 1600.0, 0.0, "force", "hammer"), "tip": ms.Record(ring, 1 / 1600.0, 0.0, "acceleration", "tip")}
    return ms.survey([channels, channels]), ms.read_channels(RECORD)


def use_law():
    ms.register_law("memory_spring", lambda x, state, p: (p.K * x.u, p.K), {"K": "N/m"})
    return ms.Joint("memory_spring", K=2.0).path([1.0, 2.0])


USES = [use_joint, use_parallel, use_structure, use_study, use_study_structure, use_fits, use_sweep, use_records, use_survey, use_law]


@pytest.mark.parametrize("use", USES)
def test_all_is_freed(use, counting):
    kept = use()
    del kept
    gc.collect()
    assert counting.requests > 3
    assert counting.live == 0


@pytest.mark.parametrize("use", USES)
def test_freed_after_a_failure(use, counting):
    """Each of the first requests for memory fails once: MemoryError, and nothing is left."""
    use()
    most = counting.requests
    for fail_at in [*range(min(most, 12)), *range(12, most, max(1, most // 12))]:
        counting.requests, counting.fail_at = 0, fail_at
        with pytest.raises(MemoryError):
            use()
        counting.fail_at = None
        if counting.live:  # in a circle with the exception
            gc.collect()
        assert counting.live == 0, fail_at


def test_a_study_outlives_its_structure(counting):
    structure = ms.Structure.from_study(STUDY)
    omega = ms.Structure.from_study(STUDY).modes().omega
    gc.collect()
    assert np.array_equal(structure.modes().omega, omega) and 0.1 < omega[0] < 10.0


def test_tangents_are_freed(counting):
    joint = ms.Joint("iwan4", F_S=3871.0, K_T=1.13e8, chi=-0.43, beta=0.87)
    before = counting.live
    joint.path_derivatives([1e-5, 2e-5], ["F_S"])
    with pytest.raises(ValueError):
        joint.path_derivatives([1e-5], ["F_X"])
    assert counting.live == before


def test_arrays_keep_their_memory(counting):
    """Columns are the library's own memory until the last array of it is gone."""
    omega = use_study()
    gc.collect()
    assert counting.live > 0
    part = omega[1:]
    del omega
    gc.collect()
    assert counting.live > 0 and part[0] > 0.0
    del part
    gc.collect()
    assert counting.live == 0


def test_cycles_of_references(counting):
    """Objects in a circle are collected in any order; the library's end before their context."""
    for _ in range(50):
        joint, structure = ms.Joint("jenkins", F_S=3, K_T=2), make_structure()
        joint.other, structure.other = structure, joint
        structure.modes()
    del joint, structure
    gc.collect()
    assert counting.live == 0


def make_load():
    return ms.Load("half_sine", at="u1", amplitude=1.0, duration=0.3)


def make_curve(structure=make_structure()):
    return ms.qsma(structure, 0, [1e-2, 1.0])


CURVE = make_curve()


def make_target():
    return ms.Target.curve(CURVE)


def make_modal_fit(curve=ms.qsma(make_structure(), 0, np.geomspace(1e-3, 30.0, 8))):
    return ms.fit_modal(curve, max_evaluations=5)


def make_record():
    return ms.read_record(RECORD_SHORT, "tip")


def make_fit():
    return ms.fit(lambda p: [p["a"] - 3.0, 1.0], {"a": (1.0, 9.0)}, starts=1)


def make_calibration(structure=make_structure(), curve=ms.qsma(make_structure(), 0, np.geomspace(1e-2, 3.0, 4))):
    return ms.calibrate(structure, {"lap.F_S": (1.0, 9.0)}, ms.Target.curve(curve), starts=1)


def open_study():
    return ms.Study(STUDY).check()


def make_law_joint():
    return use_law()


def make_results():
    return ms.Results.read(RESULTS)


def make_joint():
    return ms.Joint("jenkins", F_S=3.0, K_T=2.0)


def copy_structure(structure=make_structure()):
    return structure.copy()


EVERY = [make_joint, use_parallel, make_structure, copy_structure, make_load, make_curve, make_target, make_modal_fit]
EVERY += [make_record, make_fit, make_calibration, open_study, make_law_joint, make_results]
CYCLES = int(os.environ.get("MICROSLIP_LEAK_CYCLES", "1000"))
RECORD_SHORT = RESULTS = ""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    global RECORD_SHORT, RESULTS
    folder = tmp_path_factory.mktemp("files")
    RECORD_SHORT, RESULTS = str(folder / "record.csv"), str(folder / "results")
    with open(RECORD) as source, open(RECORD_SHORT, "w") as file:
        file.writelines(source.readlines()[:30])
    ms.Study(STUDY).run(RESULTS)


def resident():
    """kB of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


@pytest.mark.parametrize("make", EVERY, ids=lambda make: make.__name__)
def test_many(make, files):
    """The process does not grow over CYCLES create-and-destroy cycles ($MICROSLIP_LEAK_CYCLES), after some to warm up: less
    than 100 bytes each, and 400 kB for what allocators keep."""
    slow = make in (make_results, make_calibration, open_study)
    cycles = CYCLES if not slow or "MICROSLIP_LEAK_CYCLES" in os.environ else CYCLES // 5
    for _ in range(max(cycles // 10, 50)):
        make()
    gc.collect()
    before = resident()
    for _ in range(cycles):
        make()
    gc.collect()
    assert resident() - before < 400 + 0.1 * cycles


def test_status_of_memory():
    assert isinstance(_library.make_error(lib.MS_ERR_MEMORY, "x"), MemoryError)
