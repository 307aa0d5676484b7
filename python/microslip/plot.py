"""Figures of results through matplotlib, in the style of the report: its colours, markers, dashes and panels. matplotlib is
imported when a figure is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

import numpy as np

# As in src/report/colour.c and svg_series.c; python.plot compares them.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#C0609A", "#B87A00", "#3A97D0", "#8A7F00", "#6B7583")
TEXT, MUTED, AXIS, GRID = "#1B2330", "#566173", "#7B8594", "#E6EAEF"
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "d", "o")  # the last one open, for the neutral colour
DASHES = (None, (6, 4.5), (2, 3), (9, 3, 2, 3), (13, 4), (9, 3, 2, 3, 2, 3), (4, 2.5), (14, 3, 5, 3))
_WIDTH = 1.3  # points: 1.8 px


@dataclass(frozen=True)
class Line:
    """A curve: style is line, dashed, points, line_points, area or cloud; colour is a place in the palette, -1 neutral."""

    label: str
    x: np.ndarray
    y: np.ndarray
    style: str = "line"
    colour: int = 0
    pattern: int = 0
    y_low: np.ndarray | None = None
    y_high: np.ndarray | None = None

    @property
    def has_line(self) -> bool:
        return self.style in ("line", "dashed", "line_points")


@dataclass(frozen=True)
class Panel:
    title: str
    x_label: str
    x_unit: str
    y_label: str
    y_unit: str
    x_log: bool = False
    y_log: bool = False
    empty: bool = False
    part: bool = False
    height: float = 1.0
    lines: list[Line] = field(default_factory=list)
    notes: list[tuple[float, float, str]] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Figure:
    """A figure of the report as data: title, caption and panels with their lines, in SI units."""

    title: str
    subtitle: str
    caption: str
    columns: int
    panels: list[Panel]

    def plot(self) -> Any:
        """A matplotlib Figure."""
        return draw(self)

    def __repr__(self) -> str:
        return f"<Figure {self.title!r}: {len(self.panels)} panels, {sum(len(p.lines) for p in self.panels)} lines>"


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot
    except ImportError:
        raise ImportError(
            "plots need matplotlib, which is not installed: python3-matplotlib of Debian, or `pip install matplotlib`"
        ) from None
    return matplotlib.pyplot


def _oscillates(line: Line) -> bool:
    """Lines that go up and down all the time cannot be told by dashes."""
    return len(line.y) > 1 and float(np.abs(np.diff(line.y)).sum()) > 12.0 * float(np.ptp(line.y))


def dash_of(panel: Panel, line: Line) -> int:
    """Which of DASHES, by the rules of the report."""
    if not line.has_line:
        return 0
    if line.pattern > 0:
        return line.pattern - 1
    if line.style == "dashed":
        return 1
    if line.style == "line_points" or line.colour < 1 or not line.label:
        return 0
    if any(other.style == "dashed" or other.pattern > 0 for other in panel.lines):
        return 0
    several = sum(other.style == "line" and bool(other.label) for other in panel.lines) > 1
    return line.colour if several and (panel.part or not _oscillates(line)) else 0


def marker_of(line: Line) -> int:
    if line.pattern > 0:
        return line.pattern - 1
    return len(COLOURS) if line.colour < 0 else line.colour


def _draw_line(axes: Any, panel: Panel, line: Line) -> None:
    colour = TEXT if line.colour < 0 else COLOURS[line.colour % len(COLOURS)]
    label = line.label or "_nolegend_"
    if line.style == "area":
        axes.fill(line.x, line.y, color=colour, alpha=0.24, linewidth=0, label=label, zorder=1)
        return
    if line.style == "cloud":
        axes.plot(line.x, line.y, ".", color=colour, alpha=0.45, markersize=2.5, label=label, zorder=2)
        return
    style: dict[str, Any] = {"color": colour, "label": label, "linewidth": _WIDTH, "linestyle": "none", "zorder": 3}
    if line.has_line:
        dash = DASHES[dash_of(panel, line)]
        style["linestyle"] = "-" if dash is None else (0, tuple(x * 0.75 / _WIDTH for x in dash))
    if line.style in ("points", "line_points"):
        place = marker_of(line)
        style.update(marker=MARKERS[place % len(MARKERS)], markersize=4.2, markeredgecolor=colour)
        style["markerfacecolor"] = "white" if place == len(COLOURS) else colour
    axes.plot(line.x, line.y, **style)
    if line.y_low is not None and line.y_high is not None:
        axes.vlines(line.x, line.y_low, line.y_high, color=colour, linewidth=0.9, zorder=3)


def _label(words: str, unit: str) -> str:
    return f"{words} [{unit}]" if unit else words


def draw_panel(axes: Any, panel: Panel) -> None:
    """A panel onto axes of matplotlib."""
    if panel.empty:
        axes.set_axis_off()
        return
    for line in panel.lines:
        _draw_line(axes, panel, line)
    if panel.x_log:
        axes.set_xscale("log")
    if panel.y_log:
        axes.set_yscale("log")
    for x, y, words in panel.notes:
        axes.annotate(words, (x, y), color=TEXT, fontsize=8)
    if panel.rows:
        axes.set_yticks(range(len(panel.rows)), panel.rows)
    axes.set_title(panel.title, fontsize=10, color=TEXT, loc="left", fontweight="semibold")
    axes.set_xlabel(_label(panel.x_label, panel.x_unit), fontsize=9, color=MUTED)
    axes.set_ylabel(_label(panel.y_label, panel.y_unit), fontsize=9, color=MUTED)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(which="both", labelsize=8, labelcolor=MUTED, color=AXIS)
    for name, spine in axes.spines.items():
        spine.set_visible(name in ("left", "bottom"))
        spine.set_color(AXIS)
    if len(axes.get_legend_handles_labels()[1]) > 1:
        axes.legend(fontsize=8, frameon=False, labelcolor=TEXT)


def draw(figure: Figure) -> Any:
    """A figure of matplotlib with its panels, up to three beside each other unless the figure says otherwise."""
    plt = _pyplot()
    n = max(len(figure.panels), 1)
    columns = min(figure.columns or min(n, 3), n)
    rows = -(-n // columns)
    heights = [max((p.height or 1.0 for p in figure.panels[r * columns : (r + 1) * columns]), default=1.0) for r in range(rows)]
    size = (max(4.2 * columns, 5.0), 0.6 + 3.0 * sum(heights))
    out, grid = plt.subplots(
        rows, columns, squeeze=False, figsize=size, layout="constrained", gridspec_kw={"height_ratios": heights}
    )
    for axes, panel in zip(grid.flat, figure.panels):
        draw_panel(axes, panel)
    for axes in grid.flat[len(figure.panels) :]:
        axes.set_axis_off()
    out.suptitle(figure.title, fontsize=13, color=TEXT, fontweight="semibold")
    return out


def draw_columns(
    axes: Any, title: str, x: tuple[str, str], y: tuple[str, str], log: tuple[bool, bool], style: str, groups: Mapping[str, Any]
) -> Any:
    """Columns (name, unit) of a table, a line for each group: {label: (x, y)}, in colours that follow those on the axes."""
    if axes is None:
        axes = _pyplot().figure(figsize=(5.6, 3.8), layout="constrained").subplots()
    first = len(axes.get_lines())
    title = title if first == 0 else axes.get_title(loc="left")
    lines = [Line(label, *xy, style, (first + i) % len(COLOURS)) for i, (label, xy) in enumerate(groups.items())]
    draw_panel(axes, Panel(title, x[0], x[1], y[0], y[1], *log, lines=lines))
    return axes
