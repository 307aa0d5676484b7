"""Results of a study: its analyses with their values, key numbers and tables, by name, with units and meanings."""

from __future__ import annotations

import html
import json
import os
from typing import Any, Iterator, Mapping, Sequence

import numpy as np

from ._library import Context, bad, encode, ffi, lib, take_numbers, take_text, text
from .errors import InputError
from .plot import Figure, Line, Panel, draw_columns

_ROWS = 10  # of a table that a notebook shows


class _File:
    """results.h5, through the library's reader."""

    def __init__(self, path: str) -> None:
        self._context = Context()
        name = encode(path, "the file")
        self._file = self._context.make("ms_results", lib.ms_results_open, lib.ms_results_close, self._context.pointer, name)

    def list(self, group: str) -> list[str]:
        count, name = ffi.new("ptrdiff_t *"), ffi.new("char **")
        names = []
        self._context.call(lib.ms_results_get_count, self._file, group.encode(), count)
        for i in range(count[0]):
            self._context.call(lib.ms_results_get_name, self._file, group.encode(), i, name)
            names.append(take_text(self._context, name))
        return names

    def kind(self, path: str) -> int:
        out = ffi.new("ms_results_kind *")
        self._context.call(lib.ms_results_get_kind, self._file, path.encode(), out)
        return out[0]

    def read(self, path: str) -> np.ndarray:
        """A dataset: numbers, or words."""
        rows, columns = ffi.new("ptrdiff_t *"), ffi.new("ptrdiff_t *")
        if self.kind(path) == lib.MS_RESULTS_TEXTS:
            words = ffi.new("char ***")
            self._context.call(lib.ms_results_read_texts, self._file, path.encode(), rows, words)
            column = np.array([text(words[0][i]) for i in range(rows[0])], dtype=str)
            lib.ms_free(self._context.pointer, words)
            return column
        values = ffi.new("double **")
        self._context.call(lib.ms_results_read_matrix, self._file, path.encode(), rows, columns, values)
        shape = (rows[0],) if columns[0] == 1 else (rows[0], columns[0])
        return take_numbers(self._context, values, shape)

    def get_text(self, path: str, attribute: str) -> str:
        """An attribute; "" where there is none."""
        out = ffi.new("char **")
        try:
            self._context.call(lib.ms_results_get_text, self._file, path.encode(), attribute.encode(), out)
        except InputError as error:
            if error.status == lib.MS_ERR_NAME:
                return ""
            raise
        return take_text(self._context, out)

    def get_number(self, path: str, attribute: str) -> float:
        out = ffi.new("double *")
        self._context.call(lib.ms_results_get_number, self._file, path.encode(), attribute.encode(), out)
        return out[0]

    def get_place(self, path: str) -> float:
        """The number of a column in its table."""
        return self.get_number(path, "place")


class Table(Mapping[str, np.ndarray]):
    """Columns by name, as arrays of numbers or words. `units` and `meanings` have theirs by the same names."""

    def __init__(self, name: str, columns: dict[str, np.ndarray], units: dict[str, str], meanings: dict[str, str]) -> None:
        self.name = name
        self._columns, self.units, self.meanings = columns, units, meanings

    def __getitem__(self, column: str) -> np.ndarray:
        try:
            return self._columns[column]
        except KeyError:
            raise KeyError(f"table {self.name} has no column {column!r}; it has {', '.join(self)}") from None

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__.get("_columns", ()):
            raise AttributeError(f"columns are taken by brackets: table[{name!r}], not table.{name}")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def where(self, **values: Any) -> Table:
        """The rows in which columns have these values: table.where(mode=1, method="qsma")."""
        chosen = np.ones(self.rows, dtype=bool)
        for column, value in values.items():
            chosen &= self[column] == value
        columns = {name: column[chosen] for name, column in self._columns.items()}
        return Table(self.name, columns, self.units, self.meanings)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame; pandas must be there."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas needs pandas, which is not installed: python3-pandas of Debian") from None
        return pandas.DataFrame(self._columns)

    def plot(
        self,
        y: str,
        x: str | None = None,
        *,
        by: str | None = None,
        label: str = "",
        style: str = "line",
        log: str = "",
        axes: Any = None,
    ) -> Any:
        """Draws column y against x (the first column without) in the style of the report, with matplotlib, onto `axes` or
        new ones, which are returned. by: a column whose values part rows into lines; label: in the legend; style: "line",
        "dashed", "points" or "line_points"; log: "x", "y" or "xy"."""
        styles = ("line", "dashed", "points", "line_points")
        if style not in styles:
            raise bad(f"style = {style!r} must be one of {', '.join(styles)}")
        x = next(iter(self)) if x is None else x
        values = [] if by is None else dict.fromkeys(self[by].tolist())
        parts = {label: self} if by is None else {str(value): self.where(**{by: value}) for value in values}
        lines = {name: (part[x], part[y]) for name, part in parts.items()}
        return draw_columns(axes, self.name, (x, self.units[x]), (y, self.units[y]), ("x" in log, "y" in log), style, lines)

    def _heading(self, column: str) -> str:
        return f"{column} [{self.units[column]}]" if self.units[column] else column

    def __repr__(self) -> str:
        return f"<Table {self.name}: {self.rows} rows of {', '.join(self._heading(c) for c in self)}>"

    def _repr_html_(self) -> str:
        return html_of(self, self.name, [])


def _cell(value: Any) -> str:
    return html.escape(f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value))


def html_of(table: Table, title: str | None, lines: Sequence[str]) -> str:
    """A table for notebooks: its first rows, with units in the heading and meanings where the pointer rests."""
    out = [f"<p><b>{html.escape(title)}</b>: {table.rows} rows</p>"] if title else []
    meanings = [html.escape(table.meanings.get(c, ""), quote=True) for c in table]
    head = "".join(f'<th title="{m}">{html.escape(table._heading(c))}</th>' for c, m in zip(table, meanings))
    rows = ["".join(f"<td>{_cell(table[c][i])}</td>" for c in table) for i in range(min(table.rows, _ROWS))]
    if table.rows > _ROWS:
        rows.append(f'<td colspan="{len(table)}">...</td>')
    out.append(f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")
    return "".join([*out, *(f"<p>{html.escape(line)}</p>" for line in lines)])


class Analysis:
    """What one analysis ended in. analysis["omega"] is a column of its main table.

    status is "complete", "suspect", "partial", "skipped" or "failed"; reasons and notes are sentences. values are single
    numbers, texts and lists by name, units and meanings of the numbers by the same names; answers are the key numbers
    of the report, each a dict with label, unit, value and perhaps error. figures are those of the report as data."""

    def __init__(
        self,
        summary: dict[str, Any],
        tables: dict[str, Table],
        units: dict[str, str],
        meanings: dict[str, str],
        figures: Sequence[Figure] = (),
    ) -> None:
        own = ("name", "kind", "status", "reasons", "notes", "answers")
        self.name: str = summary["name"]
        self.kind: str = summary["kind"]
        self.status: str = summary["status"]
        self.reasons: list[str] = summary.get("reasons", [])
        self.notes: list[str] = summary.get("notes", [])
        self.answers: list[dict[str, Any]] = summary.get("answers", [])
        self.values: dict[str, Any] = {key: value for key, value in summary.items() if key not in own}
        self.tables, self.units, self.meanings = tables, units, meanings
        self.figures = list(figures)

    def plot(self) -> list[Any]:
        """The figures of the report, in SI units, as figures of matplotlib."""
        return [figure.plot() for figure in self.figures]

    @property
    def table(self) -> Table:
        """The main table, which has the name of the analysis."""
        if self.name not in self.tables:
            raise KeyError(f"analysis {self.name} has no main table; its tables: {', '.join(self.tables) or 'none'}")
        return self.tables[self.name]

    def __getitem__(self, column: str) -> np.ndarray:
        return self.table[column]

    def __repr__(self) -> str:
        lines = [f"{self.name}: {self.status}", *self.reasons, *self.notes]
        for answer in self.answers:
            error = f" +- {answer['error']:.2g}" if "error" in answer else ""
            lines.append(f"{answer['label']}: {answer['value']:.6g}{error} {answer.get('unit', '')}".rstrip())
        return "\n  ".join([*lines, *(repr(table) for table in self.tables.values())])

    def _repr_html_(self) -> str:
        rows = [(html.escape(a["label"]), _cell(a["value"]), _cell(a.get("error", "")), html.escape(a.get("unit", ""))) for a in self.answers]
        cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        head = "<tr><th>key number</th><th>value</th><th>+-</th><th>unit</th></tr>"
        words = "".join(f"<p>{html.escape(line)}</p>" for line in [*self.reasons, *self.notes])
        names = ", ".join(html.escape(f"{t.name} ({t.rows} rows)") for t in self.tables.values())
        title = f"<p><b>{html.escape(self.name)}</b>: {html.escape(self.status)}</p>"
        return f"{title}{words}{f'<table>{head}{cells}</table>' if rows else ''}<p>tables: {names or 'none'}</p>"


class Results(Mapping[str, Analysis]):
    """Analyses by name, in their order: results["backbone"], or results.backbone. All numbers are SI."""

    def __init__(self, summary: dict[str, Any], analyses: dict[str, Analysis]) -> None:
        self.summary = summary  # summary.json as it is
        self.title: str = summary["title"]
        self.status: str = summary["status"]
        self._analyses = analyses

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Results:
        """The results that a run has left in a folder, of the command or of Study.run."""
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        path = os.path.join(folder, "results.h5")
        file = _File(path) if os.path.exists(path) else None
        return cls(summary, {a["name"]: _read_analysis(file, a) for a in summary["analyses"]})

    def __getitem__(self, name: str) -> Analysis:
        try:
            return self._analyses[name]
        except KeyError:
            raise KeyError(f"there is no analysis {name!r}; there are {', '.join(self)}") from None

    def __getattr__(self, name: str) -> Analysis:
        analyses = self.__dict__.get("_analyses", {})
        if name in analyses:
            return analyses[name]
        raise AttributeError(f"there is no analysis {name!r}; there are {', '.join(analyses)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._analyses]

    def __iter__(self) -> Iterator[str]:
        return iter(self._analyses)

    def __len__(self) -> int:
        return len(self._analyses)

    def plot(self) -> list[Any]:
        """All figures of the report, in SI units, as figures of matplotlib."""
        return [figure for analysis in self._analyses.values() for figure in analysis.plot()]

    def __repr__(self) -> str:
        return "\n".join([f"{self.title}: {self.status}", *(repr(a) for a in self._analyses.values())])

    def _repr_html_(self) -> str:
        head = f"<h4>{html.escape(self.title)}: {html.escape(self.status)}</h4>"
        return head + "".join(analysis._repr_html_() for analysis in self._analyses.values())


def _read_table(file: _File, name: str, group: str) -> Table:
    columns = sorted(file.list(group), key=lambda column: file.get_place(f"{group}/{column}"))
    return Table(
        name,
        {c: file.read(f"{group}/{c}") for c in columns},
        {c: file.get_text(f"{group}/{c}", "unit") for c in columns},
        {c: file.get_text(f"{group}/{c}", "description") for c in columns},
    )


def _read_analysis(file: _File | None, summary: dict[str, Any]) -> Analysis:
    name = summary["name"]
    group = f"analyses/{name}"
    if file is None or file.kind(group) != lib.MS_RESULTS_GROUP:  # it has no tables
        return Analysis(summary, {}, {}, {})
    inside = file.list(group)
    tables = {t: _read_table(file, t, f"{group}/{t}") for t in inside if t not in ("answers", "figures", "values")}
    values = file.list(f"{group}/values") if "values" in inside else []
    units = {v: file.get_text(f"{group}/values/{v}", "unit") for v in values}
    meanings = {v: file.get_text(f"{group}/values/{v}", "description") for v in values}
    figures = []
    if "figures" in inside:
        figures = [_read_figure(file, f"{group}/figures/{n}") for n in sorted(file.list(f"{group}/figures"), key=int)]
    return Analysis(summary, tables, units, meanings, figures)


def _read_figure(file: _File, group: str) -> Figure:
    def columns(part: str) -> dict[str, np.ndarray]:
        known = file.kind(f"{group}/{part}") == lib.MS_RESULTS_GROUP
        return {name: np.atleast_1d(file.read(f"{group}/{part}/{name}")) for name in file.list(f"{group}/{part}")} if known else {}

    panels, curves, points = columns("panels"), columns("curves"), columns("points")
    notes, rows = columns("notes"), columns("rows")
    out = []
    for i in range(len(panels.get("title", ()))):
        texts = [str(panels[name][i]) for name in ("title", "x_label", "x_unit", "y_label", "y_unit")]
        flags = [bool(panels[name][i]) for name in ("x_log", "y_log", "empty", "part")]
        out.append(Panel(*texts, *flags, height=float(panels["height"][i]) or 1.0))
    at = 0
    for i, count in enumerate(curves.get("points", np.zeros(0)).astype(int).tolist()):
        part = {name: values[at : at + count] for name, values in points.items()}
        at += count
        ends = [part[name] if int(curves["more"][i]) & 1 else None for name in ("y_low", "y_high") if name in part]
        style = (str(curves["style"][i]), int(curves["colour"][i]), int(curves["pattern"][i]))
        out[int(curves["panel"][i]) - 1].lines.append(Line(str(curves["label"][i]), part["x"], part["y"], *style, *ends))
    for i, panel in enumerate(notes.get("panel", np.zeros(0)).astype(int).tolist()):
        out[panel - 1].notes.append((float(notes["x"][i]), float(notes["y"][i]), str(notes["text"][i])))
    for i, panel in enumerate(rows.get("panel", np.zeros(0)).astype(int).tolist()):
        out[panel - 1].rows.append(str(rows["name"][i]))
    words = [file.get_text(group, name) for name in ("title", "subtitle", "caption")]
    return Figure(*words, int(file.get_number(group, "columns")), out)
