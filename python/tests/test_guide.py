"""Every example of docs/guide/python.md runs, in its order, as one session."""

import re

import numpy as np
import pytest


def test_examples(root, tmp_path, monkeypatch, capsys):
    page = (root / "docs" / "guide" / "python.md").read_text()
    names = {}
    blocks = [(page[: m.start()].count("\n") + 1, m[1]) for m in re.finditer(r"^```python\n(.*?)^```$", page, re.M | re.S)]
    assert len(blocks) >= 20
    monkeypatch.chdir(tmp_path)
    for line, code in blocks:
        exec(compile("\n" * line + code, "docs/guide/python.md", "exec"), names)
    output = capsys.readouterr().out
    assert "force at the onset of macroslip" in output and "F_S = -1 is out of bounds" in output
    slopes = np.diff(np.log(names["D"])) / np.diff(np.log(names["amplitudes"]))
    assert slopes[0] == pytest.approx(2.5, abs=0.01)
    assert names["curve"].complete and names["decay"].rows > 5 and len(names["zeta"]) == 3
