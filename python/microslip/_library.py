"""The C library: where it is, contexts, and failures as exceptions."""

from __future__ import annotations

import _thread
import os
import pathlib
import sysconfig
import threading
import weakref
from typing import Any, Callable, Iterator

import numpy as np

from . import errors
from ._built import FOLDER, VERSION
from ._declarations import ffi

FILE_NAME = "libmicroslip.so.0"


def _candidates() -> Iterator[str]:
    """Where it was built, then beside the package: PREFIX/lib/python3/dist-packages/microslip is below PREFIX/lib."""
    if FOLDER:
        yield os.path.join(FOLDER, FILE_NAME)
    for folder in pathlib.Path(__file__).resolve().parents[1:]:
        for place in (".", "lib", f"lib/{sysconfig.get_config_var('MULTIARCH')}", "build"):
            yield str(folder / place / FILE_NAME)


def find_library() -> str:
    """$MICROSLIP_LIBRARY if that is set, a file or its folder; else the first that is there; else the loader's to find."""
    named = os.environ.get("MICROSLIP_LIBRARY")
    if named:
        return os.path.join(named, FILE_NAME) if os.path.isdir(named) else named
    return next((path for path in _candidates() if os.path.exists(path)), FILE_NAME)


def _load(path: str) -> Any:
    try:
        # It stays when the interpreter ends, where the last objects may be destroyed after the modules.
        library = ffi.dlopen(path, ffi.RTLD_NOW | ffi.RTLD_NODELETE)
    except OSError as error:
        raise ImportError(
            f"the microslip library was not found ({error}); build or install it, "
            "or name the file in the environment variable MICROSLIP_LIBRARY"
        ) from None
    try:
        version = ffi.string(library.ms_version()).decode()
    except ffi.error:
        raise ImportError(f"{path} is not the microslip library") from None
    if version != VERSION:
        raise ImportError(f"{path} is of version {version}, the Python package of {VERSION}; both must be of one build")
    return library


LIBRARY_PATH = find_library()
lib = _load(LIBRARY_PATH)


def text(pointer: Any) -> str:
    """A text of the library; "" for NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


_CLASSES = {
    lib.MS_NOT_CONVERGED: errors.NumericalError,
    lib.MS_STEP_REJECTED: errors.NumericalError,
    lib.MS_ERR_NUMERIC: errors.NumericalError,
    lib.MS_CANCELLED: errors.Cancelled,
    lib.MS_ERR_STATE: errors.StateError,
    lib.MS_ERR_FILE: errors.FileError,
    lib.MS_ERR_DISK: errors.FileError,
}


def make_error(status: int, message: str) -> Exception:
    if status == lib.MS_ERR_MEMORY:
        return MemoryError(message)
    error = _CLASSES.get(status, errors.InputError)(message or text(lib.ms_status_text(status)))
    error.status = status
    return error


def bad(message: str) -> errors.InputError:
    """An argument that is refused before the library sees it."""
    error = errors.InputError(message)
    error.status = lib.MS_ERR_ARGUMENT
    return error


def encode(value: Any, what: str) -> bytes:
    """A text for the library."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a text, not {type(value).__name__}")
    if "\0" in value:
        raise bad(f"{what} has a NUL character")
    return value.encode()


_failed: dict[int, BaseException] = {}  # what functions written in Python have raised, by thread


def keep_failure(kind: Any, value: BaseException, trace: Any) -> None:
    """onerror of functions that the library calls: what was raised is raised again once the library has returned."""
    _failed[_thread.get_ident()] = value


def forget_failure() -> None:
    """The function was called again, and succeeded: the library went on."""
    if _failed:
        _failed.pop(_thread.get_ident(), None)


def take_failure(anywhere: bool = False) -> BaseException | None:
    """What this thread's functions have raised, or with `anywhere` those of any, as of the threads of a study."""
    if not _failed:
        return None
    own = _failed.pop(_thread.get_ident(), None)
    return _failed.popitem()[1] if own is None and anywhere and _failed else own


def _end(objects: list[tuple[Any, Callable[[Any], Any]]], context: Any, destroy: Callable[[Any], None], keep: Any) -> None:
    """Objects, then their context; `keep` is what must live until then."""
    for address, end in reversed(objects):
        end(address)
    destroy(context)


class Context:
    """A context of the library, and whatever belongs to it. One thread at a time: the interpreter lock is released during
    calls, so a second thread is refused here."""

    allocator = ffi.NULL  # `const ms_allocator *` of the contexts that are made

    def __init__(self) -> None:
        out = ffi.new("ms_context **")
        status = lib.ms_context_create(self.allocator, out)
        if status:
            raise make_error(status, "out of memory for a context")
        self.pointer = out[0]
        self._objects: list[tuple[Any, Callable[[Any], Any]]] = []
        self._others: list[Context] = []
        self._stop = ffi.new("int *")
        self._lock = threading.Lock()
        lib.ms_context_set_stop(self.pointer, lib.ms_stop_if_set, self._stop)
        # The order in which Python's collector clears a cycle is not ours: objects and context end here, in one call.
        weakref.finalize(self, _end, self._objects, out, lib.ms_context_destroy, self._others)

    def own(self, address: Any, destroy: Callable[[Any], Any]) -> Any:
        """The object at an address, which a create function has filled or will fill: destroyed with the context."""
        self._objects.append((address, destroy))
        return address

    def make(self, kind: str, create: Callable[..., int], destroy: Callable[[Any], None], *arguments: Any) -> Any:
        """create(*arguments, out) of the library, the object of that kind that it gives."""
        out = self.own(ffi.new(f"{kind} **"), destroy)
        self.call(create, *arguments, out)
        return out[0]

    def before(self, other: Context) -> None:
        """What belongs to this context ends before the other does."""
        self._others.append(other)

    def release(self, pointer: Any) -> None:
        """Destroys an object before the context ends."""
        place = next(i for i, (address, _) in enumerate(self._objects) if address[0] == pointer)
        address, destroy = self._objects.pop(place)
        self.ask(destroy, address)

    def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """A call that cannot fail, and its value."""
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("this object is in use by another thread; give each thread its own")
        try:
            return function(*arguments)
        finally:
            self._lock.release()

    def call(self, function: Callable[..., int], *arguments: Any) -> None:
        """A call that returns ms_status."""
        status = self.ask(function, *arguments)
        if status:
            raise take_failure() or make_error(status, text(lib.ms_context_message(self.pointer)))

    def run(self, function: Callable[..., int], *arguments: Any) -> None:
        """A long call. Python handles signals in its main thread and between its own instructions only, so the call runs
        in another thread meanwhile: Ctrl-C asks the library to stop, which it does with everything consistent."""
        if _thread.get_ident() != _main:
            return self.call(function, *arguments)
        failure = _Worker.idle().do(self.call, (function, *arguments), self._stop)
        if failure is not None:
            raise failure


class _Worker:
    """A thread that waits for calls: to start one for each call would take as long as a short call."""

    _free: list[_Worker] = []

    def __init__(self) -> None:
        self._go, self._done = _thread.allocate_lock(), _thread.allocate_lock()
        self._go.acquire()
        self._done.acquire()
        self._call: tuple[Callable[..., Any], tuple[Any, ...]] | None = None
        self._failure: BaseException | None = None
        _thread.start_new_thread(self._work, ())

    @classmethod
    def idle(cls) -> _Worker:
        """One that is free; a handler of signals may make calls while another waits."""
        return cls._free.pop() if cls._free else cls()

    def _work(self) -> None:
        while True:
            self._go.acquire()
            function, arguments = self._call
            try:
                function(*arguments)
            except BaseException as error:
                self._failure = error
            self._call = function = arguments = None  # nothing is kept alive by a thread that waits
            self._done.release()

    def do(self, function: Callable[..., Any], arguments: tuple[Any, ...], stop: Any) -> BaseException | None:
        """What the call has raised, or what a handler of signals has: then the library was asked to stop."""
        self._call, interrupt, waiting = (function, arguments), None, True
        self._go.release()
        while waiting:
            try:
                waiting = not self._done.acquire()
            except BaseException as error:
                interrupt = interrupt or error
                stop[0] = 1
        stop[0] = 0
        failure, self._failure = self._failure, None
        _Worker._free.append(self)
        return interrupt or failure


_main = threading.main_thread().ident


def _after_fork() -> None:
    """Of threads only the one that forked is left."""
    global _main
    _main = _thread.get_ident()
    _Worker._free.clear()


os.register_at_fork(after_in_child=_after_fork)


def numbers(value: Any, what: str, shape: tuple[int | None, ...]) -> np.ndarray:
    """Numbers as the library takes them, without a copy where they are such already: double, contiguous (a matrix column
    after column). None in the shape stands for any length."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{what} must be real numbers, not {array.dtype}")
    if array.ndim != len(shape) or any(n is not None and n != m for n, m in zip(shape, array.shape)):
        wanted = ", ".join("any" if n is None else str(n) for n in shape)
        raise bad(f"{what} has the shape {array.shape}, and must have ({wanted})")
    array = np.asarray(array, dtype=np.float64, order="F")
    if not _are_finite(array):
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise bad(f"{what}[{', '.join(map(str, place))}] is {array[place]}; numbers must be finite")
    return array


def _are_finite(array: np.ndarray) -> bool:
    if array.size > 10_000:
        with np.errstate(all="ignore"):
            if np.isfinite(array.sum()):  # which needs no second array
                return True
    return bool(np.isfinite(array).all())


def pointer(array: np.ndarray) -> Any:
    """double * of such numbers, which keeps them alive."""
    return ffi.from_buffer("double[]", array.reshape(-1, order="F"))


def number(value: Any, what: str) -> float:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{what} must be a number, not {type(value).__name__}")
    return float(value)


def whole(value: Any, what: str, least: int, most: int = 2**31 - 1) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{what} must be a whole number, not {type(value).__name__}")
    if not least <= value <= most:
        raise bad(f"{what} = {value} must be from {least} to {most}")
    return int(value)


def take_text(context: Context, out: Any) -> str:
    """A text that the library has allocated, which is freed."""
    words = text(out[0])
    lib.ms_free(context.pointer, out)
    return words


class _Memory:
    """Memory of the library as NumPy sees it, to be read, column after column."""

    def __init__(self, address: Any, shape: tuple[int, ...]) -> None:
        strides = tuple(8 * int(np.prod(shape[:i])) for i in range(len(shape)))
        place = (int(ffi.cast("intptr_t", address)), True)
        self.__array_interface__ = {"version": 3, "typestr": "<f8", "shape": shape, "strides": strides, "data": place}


def _free(context: Context, out: Any, free: Callable[..., None]) -> None:
    free(context.pointer, out)


def take_numbers(context: Context, out: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers that the library has allocated at out[0], without a copy: freed with the array."""
    if not out[0] or 0 in shape:
        lib.ms_free(context.pointer, out)
        return np.empty(shape)
    memory = _Memory(out[0], shape)
    weakref.finalize(memory, _free, context, out, lib.ms_free)
    return np.asarray(memory)


def copy_numbers(address: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers of an object of the library, copied."""
    return np.array(np.asarray(_Memory(address, shape)), order="F") if address and 0 not in shape else np.empty(shape)
