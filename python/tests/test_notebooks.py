"""The notebooks of examples/python: committed without outputs, and their cells run in order, in a folder of their own; the
last one checks the results."""

import json

import matplotlib
import matplotlib.pyplot
import pytest

matplotlib.use("Agg")
NAMES = ["ringdown-to-backbone", "calibration"]


def read(root, name):
    return json.loads((root / "examples" / "python" / f"{name}.ipynb").read_text())


def test_all_are_here(root):
    assert sorted(path.stem for path in (root / "examples" / "python").glob("*.ipynb")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_has_no_outputs(name, root):
    book = read(root, name)
    assert book["nbformat"] == 4 and len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    for cell in book["cells"]:
        assert cell["cell_type"] == "markdown" or (cell["outputs"] == [] and cell["execution_count"] is None)


@pytest.mark.parametrize("name", NAMES)
def test_runs(name, root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = ["".join(cell["source"]) for cell in read(root, name)["cells"] if cell["cell_type"] == "code"]
    assert "assert" in cells[-1]
    names = {"__name__": "__main__"}
    for i, code in enumerate(cells, 1):
        exec(compile(code, f"{name}.ipynb, cell {i}", "exec"), names)
    matplotlib.pyplot.close("all")
