"""The Python of the tutorial examples/hammer-to-joint: the numbers of its page."""

import re
import shutil

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")


def test_tutorial(root, tmp_path, monkeypatch):
    shutil.copytree(root / "examples" / "hammer-to-joint", tmp_path / "try")
    monkeypatch.chdir(tmp_path / "try")
    page = (tmp_path / "try" / "README.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    assert len(blocks) == 3
    names = {}
    for code in blocks:
        exec(compile(code, "hammer-to-joint/README.md", "exec"), names)
    matplotlib.pyplot.close("all")
    assert (tmp_path / "try" / "held-out.png").stat().st_size > 5000
    table = re.findall(r"^\|[^|]*\| ([-0-9. ]+) \| ([-0-9. ]+) ± ([0-9.]+) \| ([-0-9. ]+) to ([-0-9. ]+) \|$", page, re.M)
    rows = [[float(cell.replace(" ", "")) for cell in row] for row in table]
    assert len(rows) == 9
    fit, samples = names["fit"], names["samples"]
    for i, (truth, value, error, low, high) in enumerate(rows):
        scale = 100.0 if "damping" in fit["parameter"][i] else 1.0  # percent
        assert scale * fit["value"][i] == pytest.approx(value, rel=1e-3)
        assert scale * fit["standard_error"][i] == pytest.approx(error, rel=0.1)
        assert abs(scale * fit["value"][i] - truth) < 3.0 * scale * fit["standard_error"][i]
        assert scale * samples["q05"][i] == pytest.approx(low, rel=1e-3)
        assert scale * samples["q95"][i] == pytest.approx(high, rel=1e-3)
    assert samples["r_hat"].max() < 1.05
    assert names["errors"]["zeta_rms"].max() < 0.02


def test_survey_is_that_of_the_command(root, command):
    """Numbers to the last digit that the command prints."""
    import json

    import microslip as ms

    paths = sorted((root / "examples" / "hammer-to-joint").glob("top_*.uff"))
    answer = json.loads(command("survey", *paths, "--sensor", "acc3:3+Z", "--json"))["groups"][0]
    found = ms.survey(paths, "acc3:3+Z")
    assert found.sensor == answer["sensor"] and len(found.modes) == len(answer["modes"]) == 3
    assert [impact.used for impact in found.impacts] == [impact["used"] for impact in answer["impacts"]]
    assert [impact.blows for impact in found.impacts] == [2, 1, 1, 1]
    for mode, other in zip(found.modes, answer["modes"]):
        assert mode.notes == other["notes"]
        assert mode.curve.rows == len(other["points"])
        assert mode.curve["zeta"] == pytest.approx([point["zeta"] for point in other["points"]], rel=1e-12)
        amplitude = [point["amplitude"] * 9.80665 for point in other["points"]]
        assert mode.curve["amplitude"] == pytest.approx(amplitude, rel=1e-12)


def test_channels(root, tmp_path):
    import microslip as ms

    path = root / "examples" / "hammer-to-joint" / "held_out.csv"
    channels = ms.read_channels(path)
    assert list(channels) == ["hammer", "acc1", "acc2", "acc3"]
    assert [channel.kind for channel in channels.values()] == ["force"] + 3 * ["acceleration"]
    one = ms.read_record(path, "acc2")
    assert np.array_equal(channels["acc2"].x, one.x) and channels["acc2"].dt == one.dt
    table = tmp_path / "names.csv"
    table.write_text("channel,name,unit\nacc2,tip,m/s^2\n")
    renamed = ms.read_channels(path, table=table)
    assert renamed["tip"].x == pytest.approx(one.x / 9.80665)
    bare = tmp_path / "bare.csv"
    bare.write_text("t,tip\n0,1\n1,2\n2,1\n")
    with pytest.raises(ValueError, match="whose unit is known; it has tip"):
        ms.read_channels(bare)
