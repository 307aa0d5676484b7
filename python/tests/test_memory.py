"""Nothing leaks, objects outlive their makers, and want of memory is MemoryError."""

import gc
import resource

import numpy as np
import pytest

import microslip as ms
from microslip import _library
from microslip._library import Context, ffi, lib

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


USES = [use_joint, use_parallel, use_structure, use_study, use_study_structure]


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


@pytest.mark.parametrize("make", [use_parallel, make_structure])
def test_many(make):
    """The process does not grow: 1000 of them, after 300 to warm up."""
    for _ in range(300):
        make()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1000):
        make()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1000  # kB: 1 kB each


def test_status_of_memory():
    assert isinstance(_library.make_error(lib.MS_ERR_MEMORY, "x"), MemoryError)
