"""Studies: structure, joints and analyses in one description, as in a study file."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Callable, Mapping, NamedTuple

import numpy as np

from ._library import Context, bad, encode, ffi, lib, number, take_failure, text, whole
from .errors import PartialError
from .results import Results


class Facts(NamedTuple):
    """What check has found: degrees of freedom of the structure with its joints (where `open`, and modes below a cut-off,
    which are not counted yet), joints, analyses."""

    degrees_of_freedom: int
    open: bool
    joints: int
    analyses: int


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a study has numbers, texts, lists and mappings, not {type(value).__name__}")


def _write(value: Any, indent: int | None = None) -> str:
    """JSON, which is YAML."""
    try:
        return json.dumps(value, default=_plain, allow_nan=False, indent=indent)
    except ValueError as error:
        raise bad(f"a number of the study is not finite, or a list is in itself ({error})") from None


class Study:
    """A study: the path of a file, its text (YAML, several lines), or the same as a dict.

    Paths in a text or dict begin in the current folder. `set` are values that override the study:
    {"joints.lap.beta": 3}. Nothing is read before `check` or `run`.
    """

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any], *, set: Mapping[str, Any] | None = None) -> None:
        if isinstance(source, Mapping):
            source = _write(dict(source), 1) + "\n"
        elif not isinstance(source, (str, os.PathLike)):
            raise TypeError(f"a study is a path, a text or a dict, not {type(source).__name__}")
        self._source = encode(source, "the study")
        self._set: dict[str, Any] = {}
        for key, value in (set or {}).items():
            self.set(key, value)

    def set(self, key: str, value: Any) -> Study:
        """A value that overrides the study: study.set("joints.lap.beta", 3)."""
        encode(key, "a key")
        self._set[key] = encode(value, key).decode() if isinstance(value, str) else _write(value)
        return self

    def _arguments(self) -> tuple[Any, ...]:
        texts = [ffi.new("char[]", f"{key}={value}".encode()) for key, value in self._set.items()]
        self._texts = texts  # a list of addresses keeps nothing alive
        return (self._source, len(texts), ffi.new("const char *[]", texts))

    def open(self, context: Context) -> Any:
        """`ms_study *` in a context, which destroys it; for who needs more of the library than this module has."""
        out = context.own(ffi.new("ms_study **"), lib.ms_study_close)
        context.run(lib.ms_study_open, context.pointer, *self._arguments(), out)
        return out[0]

    def check(self) -> Facts:
        """Reads and checks the whole study and computes nothing. What is wrong is raised, with line and column."""
        context, out = Context(), ffi.new("ms_study_facts *")
        context.run(lib.ms_study_check, context.pointer, *self._arguments(), out)
        return Facts(out.n_coordinate, bool(out.is_open), out.n_joint, out.n_analysis)

    def run(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        threads: int = 0,
        resume: bool = False,
        progress: Callable[[str, float], Any] | None = None,
        display: str | None = None,
        checkpoint: float = 0.0,
    ) -> Results:
        """Runs every analysis. The folder receives report.html, summary.json, results.h5 and tables/, as of the command;
        without one they are not kept.

        progress(what, fraction) is called now and then; if it returns something true the run stops (Cancelled). Ctrl-C
        stops it as well: with a folder what was finished is kept there, and resume=True goes on with it. threads: 0 is
        as many as there are processors. display: units of tables/*.csv and of the report, such as "hz,percent".
        checkpoint: s between checkpoints of a long run; 0 is the library's choice, 1 s.

        If a part of the study failed, PartialError is raised, whose `results` has the rest.
        """
        if folder is None:
            with tempfile.TemporaryDirectory(prefix="microslip-") as temporary:
                return self._run(os.path.join(temporary, "results"), threads, False, progress, display, checkpoint)
        return self._run(os.fspath(folder), threads, resume, progress, display, checkpoint)

    def _run(self, folder: str, threads: int, resume: bool, progress: Any, display: Any, checkpoint: float) -> Results:
        context = Context()
        words = [ffi.new("char[]", encode(folder, "folder"))]
        setting = ffi.new("ms_study_setting *", {"folder": words[0], "resume": bool(resume)})
        setting.threads = whole(threads, "threads", 0, 256)
        setting.checkpoint = number(checkpoint, "checkpoint")
        if display is not None:
            words.append(ffi.new("char[]", encode(display, "display")))
            setting.display = words[1]
        failure: list[BaseException] = []
        tell = _make_progress(progress, failure)
        lib.ms_context_set_progress(context.pointer, tell, ffi.NULL)
        try:
            context.run(_run_study, context, self.open(context), setting)
        except PartialError as error:
            error.results = Results.read(folder)
            raised = take_failure(anywhere=True)
            if raised:
                raise raised from error
            raise
        except Exception:
            raised = failure[0] if failure else take_failure(anywhere=True)
            if raised:
                raise raised from None
            raise
        finally:
            lib.ms_context_set_progress(context.pointer, ffi.NULL, ffi.NULL)
        return Results.read(folder)


def _run_study(context: Context, study: Any, setting: Any) -> int:
    """ms_study_run, in the thread that has the context."""
    status = lib.ms_study_run(study, setting)
    if status and lib.ms_study_is_partial(study):
        error = PartialError(text(lib.ms_context_message(context.pointer)))
        error.status = status
        raise error
    return status


def _make_progress(progress: Callable[[str, float], Any] | None, failure: list[BaseException]) -> Any:
    if progress is None:
        return ffi.NULL

    def keep(kind: Any, value: BaseException, trace: Any) -> None:
        failure.append(value)

    def call(user: Any, what: Any, fraction: float) -> int:
        return bool(progress(text(what), fraction))

    return ffi.callback("int(void *, const char *, double)", call, error=1, onerror=keep)
