"""What Python adds to a call of the library: bench_python.py libbench_python.so, with the package on PYTHONPATH.

Python and C take turns in one process, with the same library, so that a busy machine disturbs both; each counts as its best.
"""

import os
import sys
import threading
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import cffi
import numpy as np

import microslip as ms

ffi = cffi.FFI()
ffi.cdef(
    "double bench_path(ptrdiff_t, const double *, double *); double bench_backbone(ptrdiff_t, const double *, int);"
    "double bench_threads(int, ptrdiff_t, const double *);"
)
LAP = {"chi": -0.43, "beta": 0.87}
failed = False


def pointer(array):
    return ffi.from_buffer("double[]", array)


def verdict(what, value, relation, target):
    global failed
    good = value <= target if relation == "<=" else value >= target
    failed |= not good
    print(f"  {what}: {value:.4g} {relation} {target:g} {'' if good else ' MISSED'}")


def timed(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def compare_paths(c, repeats=25, n=1_000_000):
    x = np.linspace(0.0, 1.0, n)
    u = 5e-5 * np.sin(4000.0 * x) * (0.6 + 0.4 * np.sin(31.0 * x))
    joint, out = ms.Joint("iwan4", F_S=3871.0, K_T=1.13e8, **LAP), np.empty(n)
    best = dict.fromkeys(("C", "Python", "C, into an array", "Python, out="), 1e9)
    for _ in range(repeats):
        joint.start()
        runs = {
            "C": lambda: c.bench_path(n, pointer(u), ffi.NULL),
            "Python": lambda: timed(lambda: joint.path(u)),
            "C, into an array": lambda: c.bench_path(n, pointer(u), pointer(out)),
            "Python, out=": lambda: (joint.start(), timed(lambda: joint.path(u, out=out)))[1],
        }
        for name, run in runs.items():
            best[name] = min(best[name], run())
    print(f"joint, {n} steps in one call: " + ", ".join(f"{name} {1e3 * t:.2f} ms" for name, t in best.items()))
    verdict("Python over C, both with a new array", best["Python"] / best["C"], "<=", 1.1)
    verdict("Python over C, both into an array that is there", best["Python, out="] / best["C, into an array"], "<=", 1.1)


def structure():
    made = ms.Structure([[1.2, 0.0], [0.0, 0.8]], [[6.5e5, -2.5e5], [-2.5e5, 2.5e5]], modal_damping=5e-4)
    return made.add_joint("lap", ms.Joint("iwan4", F_S=20.0, K_T=2e4, **LAP), ("u1", "u2"))


def compare_backbones(c, repeats=2000):
    q, beam = np.geomspace(1e-5, 1e-2, 100), structure()
    beam.modes()
    best = {"C": 1e9, "Python": 1e9, "Python, another thread": 1e9}

    def from_thread():
        for _ in range(20):
            best["Python, another thread"] = min(best["Python, another thread"], timed(lambda: ms.backbone(beam, 0, "qsma", q)))

    for _ in range(repeats // 20):
        best["C"] = min(best["C"], c.bench_backbone(len(q), pointer(q), 20))
        best["Python"] = min(best["Python"], *(timed(lambda: ms.backbone(beam, 0, "qsma", q)) for _ in range(20)))
        thread = threading.Thread(target=from_thread)
        thread.start()
        thread.join()
    print("backbone of 100 amplitudes: " + ", ".join(f"{name} {1e6 * t:.1f} us" for name, t in best.items()))
    verdict("us that Python adds", 1e6 * (best["Python"] - best["C"]), "<=", 100.0)


def run_threads(count, q):
    beams = [structure() for _ in range(count)]
    for beam in beams:
        beam.modes()
    threads = [threading.Thread(target=ms.backbone, args=(beam, 0, "epmc", q)) for beam in beams]

    def run():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return timed(run)


def compare_threads(c, repeats=15):
    q = np.geomspace(1e-5, 1e-2, 300)
    c_time, python_time = {1: 1e9, 2: 1e9}, {1: 1e9, 2: 1e9}
    for _ in range(repeats):
        for count in (1, 2):
            c_time[count] = min(c_time[count], c.bench_threads(count, len(q), pointer(q)))
            python_time[count] = min(python_time[count], run_threads(count, q))
    gain = [2.0 * times[1] / times[2] for times in (c_time, python_time)]
    print(f"two structures in two threads, {1e3 * c_time[1]:.0f} ms each: {gain[0]:.3f} times as fast in C, {gain[1]:.3f} in Python")
    verdict("speed-up of Python over that of C", gain[1] / gain[0], ">=", 0.95)


def main():
    c = ffi.dlopen(sys.argv[1])
    print(f"Python {sys.version.split()[0]}, {ms.library_path}")
    compare_paths(c)
    compare_backbones(c)
    compare_threads(c)
    sys.exit(failed)


main()
