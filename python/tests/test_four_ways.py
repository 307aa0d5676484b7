"""Three examples give the same numbers to the last bit through C, the command, Python and Octave: a ring-down, backbones and
a calibration of two masses with a lap joint. C and Python call functions of the library, and both they and Octave run the study."""

import csv
import json
import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import microslip as ms

BUILD = pathlib.Path(os.environ.get("BUILD_DIR", pathlib.Path(__file__).resolve().parents[2] / "build")).resolve()
Q = [1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 5e-3, 8e-3, 1e-2, 2e-2, 3e-2]
BOUNDS = {"lap.F_S": [5, 80], "lap.chi": [-0.9, 0.5]}
TIME = {"step": 1e-4, "steps": 20000}


@pytest.fixture(scope="module")
def in_c():
    """What the program prints: name -> rows of numbers."""
    out = {}
    text = subprocess.run([BUILD / "tests" / "four_ways"], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        name, *values = line.split()
        out.setdefault(name, []).append([float.fromhex(value) for value in values])
    return {name: np.array(rows) for name, rows in out.items()}


@pytest.fixture(scope="module")
def study(in_c, tmp_path_factory):
    """The three examples as a file."""
    # times: the default of the library
    backbone = {"modes": [1], "methods": ["qsma", "epmc"], "amplitudes": Q, "times": 1024}
    ringdown = {"modes": [1], "levels": {"1": {"stuck": [float(in_c["height"][0, 0])]}}, "time": TIME}
    calibrate = {"parameters": BOUNDS, "targets": [{"mode": 1, "from": "backbone", "curve": "qsma"}], "starts": 4}
    lap = {"law": "iwan4", "between": ["left", "right"], "F_S": 20, "K_T": 2e4, "chi": -0.4, "beta": 1.5}
    springs = [["ground", "left", 4e5], ["left", "right", 2.5e5]]
    whole = {
        "microslip": 1,
        "structure": {"chain": {"masses": {"left": 1.2, "right": 0.8}, "springs": springs}, "damping": {"modal": 0.01}},
        "joints": {"lap": lap},
        "analyses": [{"modal_ringdown": ringdown}, {"backbone": backbone}, {"calibrate": calibrate}],
    }
    path = tmp_path_factory.mktemp("study") / "study.yaml"
    path.write_text(json.dumps(whole, indent=1))
    return path


COLUMNS = {
    "ringdown": ("modal_ringdown", {}, ("time", "q", "omega", "zeta")),
    "qsma": ("backbone", {"method": "qsma"}, ("q", "omega", "zeta", "zeta_joint")),
    "epmc": ("backbone", {"method": "epmc"}, ("q", "omega", "zeta", "zeta_joint")),
    "calibrate": ("calibrate", {}, ("value", "standard_error")),
}


def compare(in_c, get):
    """get(table) -> columns by name."""
    for name, (table, where, columns) in COLUMNS.items():
        found = get(table)
        rows = [i for i in range(len(found[columns[0]])) if all(found[key][i] == value for key, value in where.items())]
        values = np.array([[float(found[column][i]) for column in columns] for i in rows])
        assert len(values) >= 2
        assert np.array_equal(values, in_c[name]), name


def test_python(in_c):
    beam = ms.Structure.chain({"left": 1.2, "right": 0.8}, [("ground", "left", 4e5), ("left", "right", 2.5e5)], modal_damping=0.01)
    beam.add_joint("lap", ms.Joint("iwan4", F_S=20, K_T=2e4, chi=-0.4, beta=1.5), ("left", "right"))
    decay = ms.ringdown(beam, 0, amplitude=7.3e-3, **TIME)
    curves = {method: ms.backbone(beam, 0, method, Q) for method in ("qsma", "epmc")}
    fit = ms.calibrate(beam, BOUNDS, ms.Target.curve(curves["qsma"]), starts=4)
    tables = {"modal_ringdown": decay, "calibrate": fit.table}
    tables["backbone"] = {
        "method": ["qsma"] * len(Q) + ["epmc"] * len(Q),
        **{c: np.concatenate([curves[m][c] for m in ("qsma", "epmc")]) for c in COLUMNS["qsma"][2]},
    }
    compare(in_c, tables.__getitem__)


def test_python_study(in_c, study):
    results = ms.Study(study).run()
    compare(in_c, lambda name: results[name].table)


def test_command(in_c, study, command, tmp_path):
    command("run", study, "--out", tmp_path / "out")

    def read(name):
        with open(tmp_path / "out" / "tables" / f"{name}.csv") as file:
            rows = list(csv.reader(file))
        return {head.split(" [")[0]: [row[i] for row in rows[1:]] for i, head in enumerate(rows[0])}

    compare(in_c, read)


OCTAVE = """
r = microslip('run', '%s', 'folder', '%s');
names = {'modal_ringdown', 'backbone', 'calibrate'};
for i = 1:3
  t = r.analyses.(names{i}).tables.(names{i});
  columns = fieldnames(t);
  for j = 1:numel(columns)
    x = t.(columns{j});
    if iscell(x)
      words = x;
    else
      words = cellstr(num2hex(x(:)));
    end
    printf('%%s\\t%%s\\t%%d', names{i}, columns{j}, iscell(x));
    printf('\\t%%s', words{:});
    printf('\\n');
  end
end
"""


def test_octave(in_c, study, tmp_path):
    octave = shutil.which("octave-cli")
    assert octave, "octave-cli is missing (scripts/setup.sh octave)"
    assert (BUILD / "octave" / "microslip.mex").is_file(), "the MEX function is not built: mkoctfile was missing"
    script = tmp_path / "run.m"
    script.write_text(OCTAVE % (study, tmp_path / "out"))
    words = [octave, "--norc", "--no-history", "--quiet", "--path", str(BUILD / "octave"), str(script)]
    answer = subprocess.run(words, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    tables = {}
    for line in answer.stdout.splitlines():
        table, column, texts, *cells = line.split("\t")
        values = cells if texts == "1" else [np.frombuffer(bytes.fromhex(c)[::-1])[0] for c in cells]
        tables.setdefault(table, {})[column] = values
    compare(in_c, tables.__getitem__)
