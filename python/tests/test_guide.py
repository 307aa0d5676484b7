"""Every example of docs/guide/python.md runs, in its order, as one session."""

import re

import numpy as np
import pytest


def test_examples(root, tmp_path, monkeypatch, capsys):
    page = (root / "docs" / "guide" / "python.md").read_text()
    names = {}
    blocks = [(page[: m.start()].count("\n") + 1, m[1]) for m in re.finditer(r"^```python\n(.*?)^```$", page, re.M | re.S)]
    headings = [int(n) for n in re.findall(r"^### (\d+) ", page, re.M)]
    assert headings == list(range(1, 21)) and len(blocks) == 20  # an example for each recipe
    monkeypatch.chdir(tmp_path)
    for line, code in blocks:
        exec(compile("\n" * line + code, "docs/guide/python.md", "exec"), names)
    output = capsys.readouterr().out
    assert "force at the onset of macroslip" in output and "F_S = -1 is out of bounds" in output
    slopes = np.diff(np.log(names["D"])) / np.diff(np.log(names["amplitudes"]))
    assert slopes[0] == pytest.approx(2.5, abs=0.01)
    assert names["curve"].complete and names["decay"].rows > 5 and len(names["zeta"]) == 3
    assert names["fit"]["chi"] == pytest.approx(-0.4, abs=0.1) and names["measured"].rows > 8
    assert names["found"]["lap.F_S"] == pytest.approx(20.0, rel=1e-6)
    assert names["power"]["m"] == pytest.approx(2.5, abs=0.02) and names["swept"].rows == 4
    assert (tmp_path / "backbone.png").stat().st_size > 5000
