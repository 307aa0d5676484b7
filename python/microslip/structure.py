"""Structures: mass, stiffness, damping and joints over named degrees of freedom."""

from __future__ import annotations

import os
import warnings
from typing import Any, Iterable, Mapping, NamedTuple, Sequence

import numpy as np

from ._library import Context, bad, copy_numbers, encode, ffi, lib, number, numbers, pointer, text
from .joint import Joint
from .study import Study


class Modes(NamedTuple):
    """Modes by rising frequency, mass-normalised. shape[:, r] is mode r, from 0; zeta is of the structure's own damping
    (without joints), None for slipped modes."""

    omega: np.ndarray  # rad/s
    frequency: np.ndarray  # Hz
    shape: np.ndarray  # 1/sqrt(kg)
    zeta: np.ndarray | None


def _matrix(value: Any, what: str, n: int | None = None) -> np.ndarray:
    """A dense square matrix, also of a SciPy sparse one."""
    if hasattr(value, "toarray"):
        value = value.toarray()
    if np.ndim(value) == 1:
        raise bad(f"{what} has the shape {np.shape(value)}, and must be a square matrix; np.diag makes one of a vector")
    matrix = numbers(value, what, (n, n))
    if matrix.shape[0] != matrix.shape[1]:
        raise bad(f"{what} has the shape {matrix.shape}, and must be square")
    return matrix


class Structure:
    """M u" + C u' + K u + joints = forces, in SI units: `Structure(M, K, names=["left", "right"], modal_damping=5e-4)`.

    M and K are symmetric arrays or SciPy sparse matrices; they are kept dense, so this is for reduced models. names are
    those of the degrees of freedom, u1, u2, ... without. K has no stiffness of the joints: add_joint adds theirs to it.
    Damping, at most one of these: modal_damping, one ratio below 1 (0.001 is 0.1 %) or one for each stuck mode;
    rayleigh_damping = (a, b) for C = a M + b K with stuck joints; damping, the matrix C.

    Modes are counted from 0. Methods that move the joints begin with them virgin, as if never loaded.
    """

    def __init__(
        self,
        mass: Any,
        stiffness: Any,
        *,
        names: Sequence[str] | None = None,
        modal_damping: Any = None,
        rayleigh_damping: tuple[float, float] | None = None,
        damping: Any = None,
    ) -> None:
        M = _matrix(mass, "mass")
        n = len(M)
        K = _matrix(stiffness, "stiffness", n)
        self._create(n, names)
        self._context.call(lib.ms_structure_set_mass, self._structure, pointer(M))
        self._context.call(lib.ms_structure_set_stiffness, self._structure, pointer(K))
        self.set_damping(modal_damping, rayleigh_damping, damping)

    def _create(self, n: int, names: Sequence[str] | None) -> None:
        context = Context()
        words = ffi.NULL
        if names is not None:
            if isinstance(names, str) or len(names) != n:
                raise bad(f"names must be a list of {n} texts")
            keep = [ffi.new("char[]", encode(name, "a name")) for name in names]
            twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
            if twice is not None:
                raise bad(f"names: two degrees of freedom are called {twice!r}; each needs a name of its own")
            words = ffi.new("const char *[]", keep)
        made = context.make("ms_structure", lib.ms_structure_create, lib.ms_structure_destroy, context.pointer, n, words)
        self._take(context, made)

    def _take(self, context: Context, structure: Any) -> None:
        self._context, self._structure = context, structure
        self._ready = False

    @classmethod
    def chain(cls, masses: Mapping[str, float], springs: Iterable[tuple[str, str, float]], **damping: Any) -> Structure:
        """Masses, kg, by name, and springs (from, to, N/m) between them or to "ground"."""
        self = cls.__new__(cls)
        self._create(len(masses), list(masses))
        for i, (name, mass) in enumerate(masses.items()):
            self._context.call(lib.ms_structure_add_mass, self._structure, i, number(mass, name))
        for start, end, k in springs:
            pair = self.index(start), self.index(end)
            self._context.call(lib.ms_structure_add_spring, self._structure, *pair, number(k, f"spring {start}-{end}"))
        self.set_damping(**_damping(damping))
        return self

    @classmethod
    def read(cls, path: str | os.PathLike[str], **damping: Any) -> Structure:
        """A reduced model in HDF5, as runs with finite elements write it (reduced.h5)."""
        self, context = cls.__new__(cls), Context()
        name = encode(path, "path")
        reduced = context.make("ms_reduced", lib.ms_reduced_read, lib.ms_reduced_destroy, context.pointer, name)
        self._take(context, context.make("ms_structure", lib.ms_reduced_make_structure, lib.ms_structure_destroy, reduced))
        self.set_damping(**_damping(damping))
        return self

    @classmethod
    def from_study(cls, study: Study | str | os.PathLike[str] | Mapping[str, Any]) -> Structure:
        """The structure of a study, with its damping and joints."""
        study = study if isinstance(study, Study) else Study(study)
        self, context, source = cls.__new__(cls), Context(), Context()
        opened = study.open(source)
        original = lib.ms_study_get_structure(opened)
        if not original:
            raise bad("the study has no structure")
        self._take(
            context,
            context.make("ms_structure", lib.ms_structure_copy, lib.ms_structure_destroy, context.pointer, original),
        )
        context.before(source)  # modes are the study's until the copy is set up again
        self._ready = True
        return self

    @classmethod
    def _of(cls, context: Context, structure: Any) -> Structure:
        self = cls.__new__(cls)
        self._take(context, structure)
        return self

    def copy(self) -> Structure:
        """A structure of its own, joints virgin: for another thread, or to be changed."""
        source, context = self.set_up(), Context()
        out = ffi.new("ms_structure **")
        context.own(out, lib.ms_structure_destroy)
        self._context.ask(lambda: context.call(lib.ms_structure_copy, context.pointer, source, out))
        made = self._of(context, out[0])
        context.run(lib.ms_structure_setup, out[0])  # its modes are its own from now on
        made._ready = True
        return made

    # ---- what it is ----

    @property
    def size(self) -> int:
        """Number of degrees of freedom."""
        return lib.ms_structure_get_size(self._structure)

    @property
    def names(self) -> list[str]:
        return [text(lib.ms_structure_get_name(self._structure, i)) for i in range(self.size)]

    @property
    def joints(self) -> list[str]:
        count = lib.ms_structure_count_joints(self._structure)
        return [text(lib.ms_structure_get_joint_name(self._structure, i)) for i in range(count)]

    def index(self, name: str | int) -> int:
        """The number of a degree of freedom, from 0; -1 is the ground. Numbers stay."""
        if isinstance(name, (int, np.integer)) and not isinstance(name, bool):
            if not -1 <= name < self.size:
                raise bad(f"there is no degree of freedom {name}; they are from 0 to {self.size - 1}, and -1 for the ground")
            return int(name)
        out = ffi.new("ptrdiff_t *")
        self._context.call(lib.ms_structure_find, self._structure, encode(name, "a degree of freedom"), out)
        return out[0]

    @property
    def mass(self) -> np.ndarray:
        return copy_numbers(lib.ms_structure_get_mass(self._structure), (self.size, self.size))

    @property
    def stiffness(self) -> np.ndarray:
        """Without joints."""
        return copy_numbers(lib.ms_structure_get_stiffness(self._structure), (self.size, self.size))

    @property
    def stuck_stiffness(self) -> np.ndarray:
        """With every joint stuck."""
        out = np.empty((self.size, self.size), order="F")
        self._context.ask(lib.ms_structure_fill_stuck, self.set_up(), pointer(out))
        return out

    @property
    def damping(self) -> np.ndarray:
        """The matrix C."""
        out = np.empty((self.size, self.size), order="F")
        self._context.call(lib.ms_structure_fill_damping, self.set_up(), pointer(out))
        return out

    def __repr__(self) -> str:
        joints = ", ".join(self.joints) or "none"
        return f"<Structure of {self.size} degrees of freedom; joints: {joints}>"

    # ---- building it ----

    def set_damping(
        self, modal_damping: Any = None, rayleigh_damping: tuple[float, float] | None = None, damping: Any = None
    ) -> None:
        """Instead of what it has, as in the constructor; nothing changes without any."""
        given = [x for x in (modal_damping, rayleigh_damping, damping) if x is not None]
        if len(given) > 1:
            raise bad("give one of modal_damping, rayleigh_damping and damping")
        context, structure, n = self._context, self._structure, self.size
        if modal_damping is not None:
            zeta = np.full(n, number(modal_damping, "modal_damping")) if np.ndim(modal_damping) == 0 else modal_damping
            zeta = numbers(zeta, "modal_damping", (n,))
            if zeta.max() >= 1.0:
                raise bad(f"modal_damping = {zeta.max():g} must be below 1: it is a ratio, 0.001 is 0.1 %")
            if zeta.max() >= 0.1:
                warnings.warn(f"modal_damping = {zeta.max():g} is {100 * zeta.max():g} % of critical: it is a ratio, not in percent", stacklevel=3)
            context.call(lib.ms_structure_set_modal_damping, structure, pointer(zeta))
        if rayleigh_damping is not None:
            a, b = numbers(rayleigh_damping, "rayleigh_damping", (2,)).tolist()
            context.call(lib.ms_structure_set_rayleigh_damping, structure, a, b)
        if damping is not None:
            context.call(lib.ms_structure_set_damping, structure, pointer(_matrix(damping, "damping", n)))
        self._ready = False

    def add_joint(self, name: str, joint: Joint, between: Any) -> Structure:
        """A copy of the joint, between two degrees of freedom (from, to): its displacement is u[to] - u[from]. Of a joint
        of several axes a list of such pairs. "ground" is the ground. Returns the structure."""
        if not isinstance(joint, Joint):
            raise TypeError(f"a joint is wanted, not {type(joint).__name__}")
        pairs = [between] if joint.axes == 1 and len(between) == 2 else list(between)
        if len(pairs) != joint.axes or any(isinstance(p, str) or len(p) != 2 for p in pairs):
            raise bad(f"between: a pair (from, to) is wanted for each of {joint.axes} axes")
        if name in self.joints:
            raise bad(f"there is a joint called {name!r} already")
        start, end = ([self.index(pair[i]) for pair in pairs] for i in range(2))
        member = joint._copy_into(self._context)
        try:
            self._context.call(
                lib.ms_structure_take_joint,
                self._structure,
                encode(name, "the name of a joint"),
                member,
                ffi.new("ptrdiff_t[]", start),
                ffi.new("ptrdiff_t[]", end),
            )
        finally:
            lib.ms_joint_destroy(member)
        self._ready = False
        return self

    def set_up(self) -> Any:
        """The library's structure, with modes that are of its present joints and damping."""
        if not self._ready:
            self._context.run(lib.ms_structure_setup, self._structure)
            self._ready = True
        return self._structure

    # ---- modes ----

    def modes(self, joints: str = "stuck") -> Modes:
        """Modes with every joint stuck, or with the stiffness that slip leaves it ("slipped")."""
        if not isinstance(joints, str) or joints not in ("stuck", "slipped"):
            raise bad(f"joints = {joints!r} must be 'stuck' or 'slipped'")
        structure, n = self.set_up(), self.size
        get = lib.ms_structure_get_stuck if joints == "stuck" else lib.ms_structure_get_slipped
        modes = self._context.ask(get, structure)
        zeta = None
        if joints == "stuck":
            zeta = np.array([lib.ms_structure_get_damping_ratio(structure, r) for r in range(n)])
        omega = copy_numbers(modes.omega, (n,))
        return Modes(omega, omega / (2.0 * np.pi), copy_numbers(modes.shape, (n, n)), zeta)


def _damping(given: Mapping[str, Any]) -> Mapping[str, Any]:
    for key in given:
        if key not in ("modal_damping", "rayleigh_damping", "damping"):
            raise TypeError(f"unexpected keyword {key!r}; there are modal_damping, rayleigh_damping and damping")
    return given
