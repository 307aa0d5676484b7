"""A joint: a law, its parameters and its history."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np

from ._library import Context, bad, encode, ffi, lib, number, numbers, pointer, text, whole
from .errors import Error
from .laws import Law, make_law


class Step(NamedTuple):
    """Force at the end of a step and its derivatives with respect to displacement, velocity, normal-load ratio and
    stiffness ratio; of a joint with several axes arrays, d force[i] / d u[j] at [i, j]."""

    force: Any
    du: Any
    dv: Any
    dalpha: Any
    dk: Any


class Energy(NamedTuple):
    """J: in the springs now, and dissipated since the start."""

    stored: float
    dissipated: float


class Memory(NamedTuple):
    """Reversals remembered, bytes they take, and the bound on the force error of merging, N."""

    depth: int
    bytes: int
    merge_error: float


@dataclass(frozen=True)
class Cycle:
    """A steady cycle between +amplitude and -amplitude, m: force at the tip F0, N; secant stiffness, N/m; energy
    dissipated per cycle D, J, from stepping the law, and in closed form where it has one (else None); u and force are
    the loop, closed."""

    amplitude: float
    F0: float
    K_secant: float
    D: float
    D_closed_form: float | None
    u: np.ndarray
    force: np.ndarray


def _set(context: Context, joint: Any, name: str, value: Any) -> None:
    key = encode(name, "the name of a parameter")
    if isinstance(value, str):
        context.call(lib.ms_joint_set_text, joint, key, encode(value, name))
    elif np.ndim(value) == 0 and not isinstance(value, Mapping):
        context.call(lib.ms_joint_set, joint, key, number(value, name))
    else:
        info = lib.ms_joint_info(joint)
        found = next((info.param[i] for i in range(info.n_param) if text(info.param[i].name) == name), None)
        if found is not None and not found.table:
            raise bad(f"{name} must be one number, not an array or list (shape {np.shape(value)})")
        columns = list(value.values()) if isinstance(value, Mapping) else list(value)
        columns = [numbers(c, f"column {i + 1} of {name}", (None,)) for i, c in enumerate(columns)]
        if len({len(c) for c in columns}) != 1:
            raise bad(f"{name} is a table: a list of columns of one length")
        pointers = [pointer(c) for c in columns]
        context.call(
            lib.ms_joint_set_table, joint, key, len(columns[0]), len(columns), ffi.new("const double *[]", pointers)
        )


def _check_out(out: Any, shape: tuple[int, ...]) -> np.ndarray:
    if not isinstance(out, np.ndarray) or out.dtype != np.float64:
        raise TypeError("out must be an array of float64")
    if out.shape != shape or not out.flags.f_contiguous or not out.flags.writeable:
        raise bad(f"out must have the shape {shape}, be writeable and contiguous (column-major), and has {out.shape}")
    return out


class Joint:
    """A joint of a law, `Joint("iwan4", F_S=4000, K_T=1e8, chi=-0.5, beta=1)`.

    Parameters are SI; `microslip.law("iwan4")` lists them with meaning, range and default. A parameter is a number, the
    word of a choice, or a table as a list of columns. The joint begins virgin (never loaded), at zero displacement; `path` and `step`
    move it on from where it is, `start` begins anew.
    """

    def __init__(self, law: str, /, **parameters: Any) -> None:
        context = Context()
        name = encode(law, "the law")
        joint = context.make("ms_joint", lib.ms_joint_create, lib.ms_joint_destroy, context.pointer, name)
        for key, value in parameters.items():
            _set(context, joint, key, value)
        context.call(lib.ms_joint_setup, joint)
        self._take(context, joint)

    def _take(self, context: Context, joint: Any) -> None:
        self._context, self._joint = context, joint
        self._info = lib.ms_joint_info(joint)

    @classmethod
    def _of(cls, context: Context, joint: Any) -> Joint:
        self = cls.__new__(cls)
        self._take(context, joint)
        return self

    @classmethod
    def typical(cls, law: str, /, **parameters: Any) -> Joint:
        """A joint whose required parameters, where not given, have their typical values."""
        context = Context()
        name = encode(law, "the law")
        joint = context.make("ms_joint", lib.ms_joint_create, lib.ms_joint_destroy, context.pointer, name)
        for key, value in parameters.items():
            _set(context, joint, key, value)
        context.call(lib.ms_joint_set_typical, joint)
        context.call(lib.ms_joint_setup, joint)
        return cls._of(context, joint)

    @classmethod
    def parallel(cls, *joints: Joint, axes: Sequence[Sequence[int]] | None = None) -> Joint:
        """Joints side by side, whose forces add: copies of these, virgin. axes[i] are the axes of the whole, from 0, that
        those of joints[i] work on; without it the first ones in order."""
        for joint in joints:
            if not isinstance(joint, Joint):
                raise TypeError(f"a joint is wanted, not {type(joint).__name__}")
        if not joints or (axes is not None and len(axes) != len(joints)):
            raise bad("parallel: give at least one joint, and axes for each joint or none")
        places = [list(range(j.axes)) for j in joints] if axes is None else [list(a) for a in axes]
        for joint, place in zip(joints, places):
            if len(place) != joint.axes:
                raise bad(f"a joint of {joint.axes} axes has {len(place)} places")
            for axis in place:
                whole(axis, "an axis", 0, lib.MS_JOINT_MAX_AXIS - 1)
        context = Context()
        n = 1 + max(max(place) for place in places)
        out = context.make("ms_joint", lib.ms_joint_create_parallel, lib.ms_joint_destroy, context.pointer, n)
        for joint, place in zip(joints, places):
            member = joint._copy_into(context)
            try:
                context.call(lib.ms_joint_take_member, out, member, ffi.new("int[]", place))
            finally:
                lib.ms_joint_destroy(member)  # NULL unless it was refused
        context.call(lib.ms_joint_setup, out)
        return cls._of(context, out)

    @classmethod
    def loaded(
        cls, law: Joint, /, *, K_n: float, N_0: float, N_ref: float, coefficients: Any = (), table: Any = None
    ) -> Joint:
        """A law under the normal load of a spring: N = max(0, N_0 + K_n u_n), alpha = N/N_ref. The normal axis comes
        last. The tangential stiffness may follow the load, as a polynomial in N (`coefficients`, lowest first) or a
        table (N, stiffness)."""
        if not isinstance(law, Joint):
            raise TypeError(f"a joint is wanted, not {type(law).__name__}")
        context = Context()
        keep = [numbers(coefficients, "coefficients", (None,))]
        normal = ffi.new("ms_joint_normal *")
        normal.K_n, normal.N_0, normal.N_ref = number(K_n, "K_n"), number(N_0, "N_0"), number(N_ref, "N_ref")
        normal.n_coefficient = len(keep[0])
        normal.coefficient = pointer(keep[0]) if len(keep[0]) else ffi.NULL
        if table is not None:
            columns = numbers(table, "table", (2, None))
            keep += [numbers(columns[0], "N", (None,)), numbers(columns[1], "stiffness", (None,))]
            normal.rows, normal.N, normal.s = columns.shape[1], pointer(keep[1]), pointer(keep[2])
        member = law._copy_into(context)
        try:
            out = context.make(
                "ms_joint", lib.ms_joint_create_loaded, lib.ms_joint_destroy, context.pointer, member, normal
            )
        finally:
            lib.ms_joint_destroy(member)
        return cls._of(context, out)

    def _copy_into(self, context: Context) -> Any:
        """`ms_joint **` of a copy in another context, virgin: the caller's to destroy."""
        out = ffi.new("ms_joint **")
        self._context.ask(lambda: context.call(lib.ms_joint_copy, context.pointer, self._joint, out))
        return out

    def copy(self) -> Joint:
        """A joint of the same laws and parameters, virgin."""
        context = Context()
        return self._of(context, context.own(self._copy_into(context), lib.ms_joint_destroy)[0])

    # ---- what it is ----

    @property
    def law(self) -> Law:
        return make_law(self._info)

    @property
    def axes(self) -> int:
        return self._info.n_axis

    def __getitem__(self, parameter: str) -> float:
        """The value of a parameter, also of those that follow from the given ones."""
        out = ffi.new("double *")
        self._context.call(lib.ms_joint_get, self._joint, encode(parameter, "the name of a parameter"), out)
        return out[0]

    def __repr__(self) -> str:
        values = []
        for parameter in self.law.parameters:
            try:
                values.append(f"{parameter}={self[parameter]:.6g}")
            except Error:  # of a set that was not given and does not follow
                continue
        return f"<Joint {', '.join([self.law.name, *values])}>"

    @property
    def slip_scale(self) -> float:
        """m: amplitude by which it has left its elastic range altogether; 0 if it has none."""
        return self._context.ask(lib.ms_joint_slip_scale, self._joint)

    # ---- the history ----

    def start(self, u: Any = None) -> None:
        """Back to the virgin state, with displacement u (one number for each axis; zero without)."""
        at = ffi.NULL if u is None else pointer(numbers(np.atleast_1d(u), "u", (self.axes,)))
        self._context.call(lib.ms_joint_start, self._joint, at)

    @property
    def state(self) -> np.ndarray:
        """The history as numbers; assign them to a joint of the same law and parameters to restore it."""
        values = np.empty(self._context.ask(lib.ms_joint_save_size, self._joint))
        self._context.call(lib.ms_joint_save, self._joint, pointer(values))
        return values

    @state.setter
    def state(self, values: Any) -> None:
        array = numbers(values, "state", (None,))
        self._context.call(lib.ms_joint_load, self._joint, pointer(array), len(array))

    @property
    def energy(self) -> Energy:
        out = ffi.new("ms_joint_energy *")
        self._context.call(lib.ms_joint_get_energy, self._joint, out)
        return Energy(out.stored, out.dissipated)

    @property
    def memory(self) -> Memory:
        out = ffi.new("ms_joint_memory *")
        self._context.call(lib.ms_joint_get_memory, self._joint, out)
        return Memory(out.depth, out.bytes, out.merge_error)

    # ---- moving ----

    def step(
        self, u: Any, v: Any = 0.0, dt: float = 0.0, alpha: float = 1.0, k: float = 1.0, *, commit: bool = True
    ) -> Step:
        """One step to displacement u, m, where the velocity is v, m/s. dt is its length, s (0: quasi-static), alpha the
        normal load over its reference, k the stiffness over its own. With commit=False the history stays: a trial."""
        n = self.axes
        motion, out = ffi.new("ms_joint_input *"), ffi.new("ms_joint_output *")
        for name, target, value in (("u", motion.u, u), ("v", motion.v, v)):
            value = np.atleast_1d(value)
            if name == "v" and value.shape == (1,):
                value = np.repeat(value, n)
            target[0:n] = numbers(value, name, (n,)).tolist()
        motion.dt, motion.alpha, motion.k = number(dt, "dt"), number(alpha, "alpha"), number(k, "k")
        if commit:
            self._context.call(lib.ms_joint_step, self._joint, motion, out)
        else:
            self._context.call(lib.ms_joint_update, self._joint, motion, out, ffi.new("ms_joint_trial *"))
        if n == 1:
            return Step(out.force[0], out.du[0], out.dv[0], out.dalpha[0], out.dk[0])
        vectors = [np.array(list(x[0:n])) for x in (out.force, out.dalpha, out.dk)]
        matrices = [np.array(list(x[0 : n * n])).reshape(n, n, order="F") for x in (out.du, out.dv)]
        return Step(vectors[0], *matrices, *vectors[1:])

    def path(
        self,
        u: Any,
        *,
        t: Any = None,
        v: Any = None,
        alpha: Any = None,
        k: Any = None,
        slope: bool = False,
        out: np.ndarray | None = None,
    ) -> Any:
        """Forces, N, along displacements u, m, from the present state.

        u has n rows, and for a joint of several axes a column for each of them; forces have its shape. t is time, s, for
        laws that depend on rate; without velocities v these are its backward differences. alpha, n numbers, is the normal
        load over its reference, k the stiffness over its own; both 1 without. With slope=True the answer is (force,
        slope), slope = dF/du at the end of each step, (n, axes, axes) with several axes. out is an array for the forces, of
        the shape of u, float64 and column-major, in place of a new one.
        """
        n_axis = self.axes
        columns = (None,) if n_axis == 1 else (None, n_axis)
        u = numbers(u, "u", columns)
        n = len(u)
        path, row = ffi.new("ms_joint_path *"), ffi.new("ptrdiff_t *", -1)
        keep = []  # the path holds addresses only

        def give(array: np.ndarray) -> Any:
            keep.append(pointer(array))
            return keep[-1]

        path.n = n
        for name, value in (("t", t), ("alpha", alpha), ("k", k)):
            if value is not None:
                setattr(path, name, give(numbers(value, name, (n,))))
        if v is not None:
            v = numbers(v, "v", (n, *columns[1:])).reshape(n, n_axis, order="F")
        force = np.empty(u.shape, order="F") if out is None else _check_out(out, u.shape)
        tangent = np.empty((n, n_axis, n_axis), order="F") if slope else None
        for i in range(n_axis):
            path.u[i] = give(u.reshape(n, n_axis, order="F")[:, i])
            path.force[i] = give(force.reshape(n, n_axis, order="F")[:, i])
            if v is not None:
                path.v[i] = give(v[:, i])
            for j in range(n_axis if slope else 0):
                path.slope[i + n_axis * j] = give(tangent[:, i, j])
        try:
            self._context.call(lib.ms_joint_run_path, self._joint, path, row)
        except Error as error:
            if row[0] >= 0:
                error.args = (f"row {row[0]}: {error}",)
            raise
        if not slope:
            return force
        return force, tangent[:, 0, 0] if n_axis == 1 else tangent

    def path_derivatives(self, u: Any, parameters: Sequence[str], *, alpha: Any = None, k: Any = None) -> Any:
        """(force, derivatives) along displacements u of the first axis, from the virgin state: derivatives[i, p] is that
        of the force in row i by parameters[p] through the whole history. For the laws that ms_tangent_set_parameter
        names; one call of the library for each row, so some microseconds each."""
        if self.axes != 1:
            raise bad("path_derivatives is for joints of one axis")
        u = numbers(u, "u", (None,))
        loads = [None if x is None else numbers(x, what, (len(u),)) for x, what in ((alpha, "alpha"), (k, "k"))]
        context, n = self._context, len(parameters)
        tangent = context.make("ms_tangent", lib.ms_tangent_create, lib.ms_tangent_destroy, self._joint, n)
        try:
            for i, name in enumerate(parameters):
                key = encode(name, "the name of a parameter")
                context.call(lib.ms_tangent_set_parameter, tangent, i, key)
            context.call(lib.ms_tangent_start, tangent, ffi.NULL, ffi.NULL)
            return self._step_tangent(tangent, n, u, *loads)
        finally:
            context.release(tangent)

    def _step_tangent(self, tangent: Any, n: int, u: np.ndarray, alpha: Any, k: Any) -> Any:
        motion, none, out = ffi.new("ms_joint_input *"), ffi.new("ms_tangent_input *"), ffi.new("ms_joint_output *")
        motion.alpha = motion.k = 1.0
        force, derivatives = np.empty(len(u)), np.empty((len(u), n))
        rows = ffi.from_buffer("double[]", derivatives.reshape(-1))
        for i, displacement in enumerate(u.tolist()):
            motion.u[0] = displacement
            if alpha is not None:
                motion.alpha = alpha[i]
            if k is not None:
                motion.k = k[i]
            self._context.call(lib.ms_tangent_step, tangent, motion, none, out, rows + n * i)
            force[i] = out.force[0]
        return force, derivatives

    def cycle(self, amplitude: float, *, frequency: float = 1.0, n: int = 256) -> Cycle:
        """The steady cycle of an amplitude, m, on the first axis, from the virgin state, with n points. The frequency, Hz,
        matters to laws that depend on rate."""
        whole(n, "n", 4)
        u, force, out = np.empty(n + 1), np.empty(n + 1), ffi.new("ms_joint_cycle *")
        omega = 2.0 * math.pi * number(frequency, "frequency")
        self._context.call(
            lib.ms_joint_run_cycle, self._joint, number(amplitude, "amplitude"), omega, n, pointer(u), pointer(force), out
        )
        closed = out.D_closed_form if out.has_closed_form else None
        return Cycle(out.amplitude, out.F0, out.K_secant, out.D, closed, u, force)

    def virgin(self, u: Any) -> tuple[np.ndarray, np.ndarray]:
        """(force, slope) of the first loading to each of the displacements u along the first axis, N and N/m. Starts the
        joint anew."""
        u = numbers(np.atleast_1d(u), "u", (None,))
        force, slope = np.empty(len(u)), np.empty(len(u))
        f, s = pointer(force), pointer(slope)
        for i, displacement in enumerate(u.tolist()):
            self._context.call(lib.ms_joint_eval_virgin, self._joint, displacement, f + i, s + i)
        self.start()
        return force, slope
