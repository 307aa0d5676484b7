"""Results of a study: its analyses with their values, key numbers and tables, by name, with units and meanings."""

from __future__ import annotations

import json
import os
from typing import Any, Iterator, Mapping

import numpy as np

from ._library import Context, encode, ffi, lib, take_numbers, take_text, text
from .errors import InputError


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

    def get_place(self, path: str) -> float:
        """The number of a column in its table."""
        out = ffi.new("double *")
        self._context.call(lib.ms_results_get_number, self._file, path.encode(), b"place", out)
        return out[0]


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
        import pandas

        return pandas.DataFrame(self._columns)

    def _heading(self, column: str) -> str:
        return f"{column} [{self.units[column]}]" if self.units[column] else column

    def __repr__(self) -> str:
        return f"<Table {self.name}: {self.rows} rows of {', '.join(self._heading(c) for c in self)}>"


class Analysis:
    """What one analysis ended in. analysis["omega"] is a column of its main table.

    status is "complete", "suspect", "partial", "skipped" or "failed"; reasons and notes are sentences. values are single
    numbers, texts and lists by name, units and meanings of the numbers by the same names; answers are the key numbers
    of the report, each a dict with label, unit, value and perhaps error."""

    def __init__(self, summary: dict[str, Any], tables: dict[str, Table], units: dict[str, str], meanings: dict[str, str]) -> None:
        own = ("name", "kind", "status", "reasons", "notes", "answers")
        self.name: str = summary["name"]
        self.kind: str = summary["kind"]
        self.status: str = summary["status"]
        self.reasons: list[str] = summary.get("reasons", [])
        self.notes: list[str] = summary.get("notes", [])
        self.answers: list[dict[str, Any]] = summary.get("answers", [])
        self.values: dict[str, Any] = {key: value for key, value in summary.items() if key not in own}
        self.tables, self.units, self.meanings = tables, units, meanings

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

    def __repr__(self) -> str:
        return "\n".join([f"{self.title}: {self.status}", *(repr(a) for a in self._analyses.values())])


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
    return Analysis(summary, tables, units, meanings)
