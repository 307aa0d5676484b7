"""Studies and results: the numbers of the command to the last bit, interruption, progress, threads."""

import csv
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import microslip as ms

MASSES = {
    "microslip": 1,
    "title": "Three masses",
    "structure": {
        "chain": {
            "masses": {"u1": 10, "u2": 11.3, "u3": 9.7},
            "springs": [["ground", "u1", 9], ["u1", "u2", 8.3], ["u2", "u3", 9]],
        },
        "damping": {"modal": 1e-4},
    },
    "joints": {"lap": {"law": "iwan4", "between": ["u2", "u3"], "F_S": 10, "K_T": 1.07, "chi": -0.43, "beta": 4.7}},
    "analyses": ["modes", {"backbone": {"modes": [1, 2], "methods": ["qsma", "epmc"]}}],
}


def read_tables(folder):
    """Tables of the command: {table: {column: texts}}, units cut off."""
    tables = {}
    for path in sorted((folder / "tables").glob("*.csv")):
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        names = [name.split(" [")[0].replace(" / ", " over ") for name in rows[0]]  # in HDF5 a slash is a place
        tables[path.stem] = {name: [row[i] for row in rows[1:]] for i, name in enumerate(names)}
    return tables


def compare_with_tables(results, folder):
    """Every cell of every table of the command is in the results: words as they are, numbers to the last bit."""
    n = 0
    tables = read_tables(folder)
    found = {name: table for analysis in results.values() for name, table in analysis.tables.items()}
    assert set(found) == set(tables)
    for name, columns in tables.items():
        assert list(found[name]) == list(columns)
        for column, cells in columns.items():
            values = found[name][column]
            if values.dtype.kind == "U":
                assert values.tolist() == cells
            else:
                assert np.array_equal(values, [float(cell) for cell in cells]), f"{name} {column}"
            n += len(cells)
    return n


@pytest.mark.parametrize("name", ["backbone", "ringdown-modal", "frequency-response", "loads"])
def test_as_the_command(name, root, command, tmp_path):
    study = root / "tests" / "data" / "studies" / f"{name}.yaml"
    command("run", study, "--out", tmp_path / "command")
    results = ms.Study(study).run(tmp_path / "python")
    assert compare_with_tables(results, tmp_path / "command") > 100
    again = ms.Results.read(tmp_path / "command")
    assert again.summary == results.summary


def test_finite_elements(root, command, tmp_path):
    """The plugin is found beside the library."""
    if not os.path.exists(os.path.join(os.path.dirname(ms.library_path), "libmicroslip_fem.so")):
        pytest.skip("built without finite elements")
    study = root / "tests" / "data" / "studies" / "fem" / "frame.yaml"
    command("run", study, "--out", tmp_path / "command")
    assert compare_with_tables(ms.Study(study).run(), tmp_path / "command") > 10


def test_dict_text_and_path(tmp_path):
    import json

    text = json.dumps(MASSES, indent=1)
    path = tmp_path / "study.yaml"
    path.write_text(text)
    omega = [ms.Study(source).run().backbone["omega"] for source in (MASSES, text, str(path), path)]
    assert len(omega[0]) > 100
    assert all(np.array_equal(omega[0], other) for other in omega[1:])


def test_set_goes_before_the_study():
    soft = ms.Study(MASSES, set={"joints.lap.K_T": 0.31, "analyses": ["modes"]})
    hard = {**MASSES, "joints": {"lap": {**MASSES["joints"]["lap"], "K_T": 0.31}}, "analyses": ["modes"]}
    assert np.array_equal(soft.run().modes["omega_0"], ms.Study(hard).run().modes["omega_0"])
    soft.set("joints.lap.K_T", np.float64(1.07))
    assert np.array_equal(soft.run().modes["omega_0"], ms.Study({**MASSES, "analyses": ["modes"]}).run().modes["omega_0"])


def test_check():
    assert ms.Study(MASSES).check() == ms.Facts(degrees_of_freedom=3, open=False, joints=1, analyses=2)
    with pytest.raises(ms.InputError, match="did you mean 'iwan4'") as caught:
        ms.Study(MASSES, set={"joints.lap.law": "iwan44"}).check()
    assert caught.value.status < 0
    with pytest.raises(ms.InputError, match=r"study:\d+:\d+: there is no analysis 'mode'"):
        ms.Study({**MASSES, "analyses": ["mode"]}).check()


def test_results(tmp_path):
    results = ms.Study(MASSES).run(tmp_path / "results")
    assert results.title == "Three masses" and results.status == "complete"
    assert list(results) == ["modes", "backbone"] and results["modes"] is results.modes
    table = results.backbone.table
    assert table.units["omega"] == "rad/s" and table.units["zeta"] == ""
    assert table.meanings["omega"] == "circular frequency of the oscillation"
    part = table.where(mode=2, method="epmc")
    assert 0 < part.rows < table.rows and set(part["method"]) == {"epmc"}
    assert np.all(np.diff(part["q"]) > 0)
    assert results.backbone.tables["backbone_curves"].rows == 4
    assert results.modes.answers[0]["value"] == results.modes["omega_0"][0]
    assert results.modes.values["modes"][2]["omega_0"] == results.modes["omega_0"][2]
    assert "Three masses: complete" in repr(results) and "omega [rad/s]" in repr(results)
    assert sorted(os.listdir(tmp_path / "results")) == ["columns.csv", "report.html", "results.h5", "summary.json", "tables"]
    for wrong in ("nothing", "modes "):
        with pytest.raises(KeyError, match="there are modes, backbone"):
            results[wrong]
    with pytest.raises(AttributeError, match="there are modes, backbone"):
        results.nothing
    with pytest.raises(KeyError, match="no column 'Omega'; it has mode, method, q, omega"):
        table["Omega"]


def test_values_have_units():
    analyses = [{"transient": {"time": {"step": 0.037, "steps": 200}, "initial": {"v": {"u1": 3.1}}}}]
    analysis = ms.Study({**MASSES, "analyses": analyses}).run().transient
    assert analysis.values["step"] == 0.037
    assert analysis.units["step"] == "s"
    assert "step" in analysis.meanings["step"]


def test_arrays_outlive_the_results():
    omega = ms.Study({**MASSES, "analyses": ["modes"]}).run().modes["omega_0"]
    copy = omega.copy()
    for _ in range(20):
        ms.Study({**MASSES, "analyses": ["modes"]}).run()
    assert np.array_equal(omega, copy)


def test_partial():
    """What could be had is there, and the exception says what could not."""
    backbone = {"modes": [2], "methods": ["epmc"], "amplitudes": {"from": 0.1, "to": 100, "points": 7}, "tolerance": 1e-30}
    study = ms.Study({**MASSES, "analyses": ["modes", {"backbone": backbone}]})
    with pytest.raises(ms.PartialError) as caught:
        study.run()
    assert caught.value.results.status == "partial"
    assert caught.value.results.backbone.status == "partial" and caught.value.results.backbone.reasons
    assert caught.value.results.modes["omega_0"].shape == (3,)
    assert str(caught.value)


def test_progress():
    seen = []
    ms.Study(MASSES).run(progress=lambda what, fraction: seen.append((what, fraction)))
    assert ("modes", 0.0) in seen and ("backbone", 1.0) in seen
    assert all(0.0 <= fraction <= 1.0 for _, fraction in seen)
    with pytest.raises(ms.Cancelled, match="cancelled at"):
        ms.Study(MASSES).run(progress=lambda what, fraction: what == "backbone")

    def fail(what, fraction):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        ms.Study(MASSES).run(progress=fail)


def test_several_studies_in_threads():
    expected = ms.Study(MASSES).run()["backbone"]["zeta"]
    found = [None] * 4

    def work(i):
        found[i] = ms.Study(MASSES).run(threads=1)["backbone"]["zeta"]

    threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(zeta, expected) for zeta in found)


LONG = """
import signal, sys
import microslip as ms
signal.signal(signal.SIGINT, signal.default_int_handler)  # who started the tests may have it ignored
study = ms.Study({study!r}, set={{"analyses": [{{"transient": {{"loads": [], "time": {{"step": 0.05, "steps": {steps}}},
    "initial": {{"v": {{"u1": 3.1}}}}, "record": {{"every": 500}}}}}}]}})
try:
    study.run(sys.argv[1], resume=len(sys.argv) > 2, checkpoint=0.02)
except KeyboardInterrupt:
    sys.exit(7)
"""


def test_interrupt_and_resume(tmp_path):
    """Ctrl-C is KeyboardInterrupt, soon; what was computed is kept, and the resumed run has the same numbers."""
    code = LONG.format(study=MASSES, steps=1_000_000)
    place = tmp_path / "results"
    run = subprocess.Popen([sys.executable, "-c", code, place])
    while not list(place.glob(".resume/run-*")) and run.poll() is None:  # the first checkpoint
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    sent = time.monotonic()
    run.wait(timeout=60)
    assert run.returncode == 7
    assert time.monotonic() - sent < 5.0
    assert (place / ".resume").is_dir() and not (place / "summary.json").exists()
    subprocess.run([sys.executable, "-c", code, place, "resume"], check=True)
    subprocess.run([sys.executable, "-c", code, tmp_path / "whole"], check=True)
    resumed, whole = (ms.Results.read(p).transient for p in (place, tmp_path / "whole"))
    assert whole.table.rows == 2001
    assert all(np.array_equal(resumed[column], whole[column]) for column in whole.table)
