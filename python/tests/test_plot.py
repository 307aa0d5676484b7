"""Figures through matplotlib in the report's style, and what notebooks show."""

import builtins
import re

import matplotlib
import matplotlib.pyplot
import numpy as np
import pytest

import microslip as ms
from microslip import plot

matplotlib.use("Agg")

STUDY = {
    "microslip": 1,
    "structure": {"chain": {"masses": {"u1": 1.3, "u2": 2.1}, "springs": [["ground", "u1", 9.7], ["u1", "u2", 3.1]]}},
    "joints": {"lap": {"law": "iwan4", "between": ["u1", "u2"], "F_S": 10, "K_T": 1.07, "chi": -0.43, "beta": 4.7}},
    "analyses": ["modes", {"backbone": {"modes": [1, 2], "methods": ["qsma", "epmc"]}}],
}


@pytest.fixture(scope="module")
def results():
    return ms.Study(STUDY).run()


def test_style_of_the_report(root):
    source = (root / "src" / "report" / "colour.c").read_text()
    light = source[source.index("light = {") : source.index("dark = {")]
    series = re.search(r"\.series = \{([^}]*)\}", light)[1]
    assert [c.upper() for c in plot.COLOURS] == [f"#{c[2:]}" for c in series.replace(" ", "").strip(",").split(",")]
    for name, value in (("text", plot.TEXT), ("muted", plot.MUTED), ("axis", plot.AXIS), ("grid", plot.GRID)):
        assert f".{name} = 0x{value[1:]}" in light
    rules = (root / "src" / "report" / "svg.c").read_text()
    dashes = dict(re.findall(r'"\.(dashed|d\d)\{stroke-dasharray:([\d. ]+);', rules))
    for i, dash in enumerate(plot.DASHES[1:], 1):
        assert tuple(map(float, dashes["dashed" if i == 1 else f"d{i}"].split())) == dash


def test_figures_are_the_report_s(results):
    assert [f.title for f in results.backbone.figures] == ["Frequency and damping against amplitude"]
    figure = results.backbone.figures[0]
    assert len(figure.panels) == 4 and [line.label for line in figure.panels[0].lines] == ["qsma", "epmc"]
    table = results.backbone.table.where(mode=1, method="epmc")
    line = figure.panels[0].lines[1]
    assert np.array_equal(line.x, table["q"]) and np.array_equal(line.y, table["omega"])
    assert figure.panels[0].x_log and figure.panels[0].y_unit == "rad/s"


def test_drawn(results, tmp_path):
    figures = results.plot()
    assert len(figures) == sum(len(a.figures) for a in results.values()) >= 1
    drawn = results.backbone.plot()[0]
    axes = drawn.axes[0]
    assert axes.get_xscale() == "log" and axes.get_ylabel().endswith("[rad/s]")
    lines = axes.get_lines()
    assert [line.get_label() for line in lines] == ["qsma", "epmc"]
    for line, source in zip(lines, results.backbone.figures[0].panels[0].lines):
        assert matplotlib.colors.to_hex(line.get_color()) == plot.COLOURS[source.colour].lower()
        assert np.array_equal(line.get_xdata(), source.x)
    drawn.savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 5000
    table = results.backbone.table.where(mode=1)
    axes = table.plot("zeta", "q", by="method", log="xy")
    assert [line.get_label() for line in axes.get_lines()] == ["qsma", "epmc"]
    assert table.plot("zeta", "q", axes=axes, label="all", style="points") is axes
    assert [line.get_color() for line in axes.get_lines()] == list(plot.COLOURS[:3])
    assert [word.get_text() for word in axes.get_legend().get_texts()] == ["qsma", "epmc", "all"]
    with pytest.raises(ValueError, match="line_points"):
        table.plot("zeta", style="dots")
    matplotlib.pyplot.close("all")


def test_dashes_and_markers():
    x = np.linspace(0.0, 1.0, 9)
    lines = [plot.Line("a", x, x), plot.Line("b", x, x**2, colour=1), plot.Line("", x, x**3, colour=2)]
    panel = plot.Panel("", "", "", "", "", lines=lines)
    assert [plot.dash_of(panel, line) for line in lines] == [0, 1, 0]
    swinging = plot.Line("c", x, np.cos(np.pi * 40 * np.arange(9)), colour=3, style="points")
    assert plot.dash_of(panel, swinging) == 0 and plot.marker_of(swinging) == 3
    assert plot.dash_of(panel, plot.Line("d", x, x, pattern=4)) == 3
    assert plot.marker_of(plot.Line("e", x, x, colour=-1, style="points")) == 8
    every = [plot.Line(s, x, x + 1, style=s, colour=i) for i, s in enumerate(("line", "dashed", "points", "line_points", "area", "cloud"))]
    bars = plot.Line("bars", x, x + 1, "points", -1, 0, x, x + 2)
    figure = plot.Figure("title", "", "", 0, [plot.Panel("p", "x", "m", "y", "", lines=[*every, bars], notes=[(0.5, 0.5, "here")])] * 4)
    drawn = figure.plot()
    assert len(drawn.axes) == 6 and not drawn.axes[5].axison
    matplotlib.pyplot.close("all")


def test_notebooks(results):
    page = results._repr_html_()
    assert "<h4>" in page and "Frequency of mode 1" in page and "backbone" in page
    table = results.backbone.table._repr_html_()
    assert table.count("<tr>") == 12 and "q [m sqrt(kg)]" in table and 'title="amplitude of the modal coordinate"' in table
    words = ms.Table("<b>", {"a": np.array(["<i>"])}, {"a": ""}, {})._repr_html_()
    assert "<i>" not in words and "&lt;i&gt;" in words


def test_without_matplotlib(results, monkeypatch):
    real = builtins.__import__

    def refuse(name, *arguments, **keywords):
        if name.split(".")[0] in ("matplotlib", "pandas"):
            raise ImportError(name)
        return real(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match="plots need matplotlib"):
        results.plot()
    with pytest.raises(ImportError, match="needs pandas"):
        results.backbone.table.to_pandas()
