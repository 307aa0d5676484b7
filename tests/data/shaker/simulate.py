"""Stepped sine of two masses and an Iwan joint, simulated without microslip.

    python3 simulate.py > three_levels.csv

A four-parameter Iwan element as sliders side by side (Segalman 2005), each of unit stiffness; central differences in
time; every frequency and level from rest until the motion is steady; the first harmonic of its last cycles; 1 % noise on
amplitude and phase from a seed that was fixed before the first fit. The truth is in PARAMETERS.
"""
import sys

import numpy as np

MASS = np.array([1.2, 0.8])  # left, right
GROUND, BETWEEN = 4.0e5, 2.5e5  # N/m
PARAMETERS = {"F_S": 20.0, "K_T": 2.0e4, "chi": -0.4, "beta": 1.5}
ZETA = 0.01  # of the modes with the joint stuck
LEVELS = [2.0, 12.0, 45.0]  # N, on the right mass
SPREAD, LINES = 0.035, 15  # of the frequency, about that of the stuck mode
SLIDERS, STEPS, CYCLES, READ = 300, 400, 160, 10
NOISE, SEED = 0.01, 20261119


def make_sliders(F_S, K_T, chi, beta):
    """Stiffness and slip displacement of sliders whose density is R phi^chi, and S at phi_max."""
    part = beta + (chi + 1) / (chi + 2)
    phi_max = F_S * (1 + beta) / (K_T * part)
    R = F_S * (chi + 1) / (phi_max ** (chi + 2) * part)
    S = F_S * beta / (phi_max * part)
    edge = np.concatenate([[0.0], phi_max * np.geomspace(1e-4, 1.0, SLIDERS)])
    k = R * np.diff(edge ** (chi + 1)) / (chi + 1)
    slip = R * np.diff(edge ** (chi + 2)) / (chi + 2) / k
    return np.append(k, S), np.append(slip, phi_max)


def make_matrices():
    K = np.array([[GROUND + BETWEEN, -BETWEEN], [-BETWEEN, BETWEEN]])
    stuck = K + PARAMETERS["K_T"] * np.array([[1, -1], [-1, 1]])
    root = np.sqrt(MASS)
    w2, shape = np.linalg.eigh(stuck / np.outer(root, root))
    C = np.outer(root, root) * (shape @ np.diag(2 * ZETA * np.sqrt(w2)) @ shape.T)
    return K, C, np.sqrt(w2[0])


def simulate(omega, force):
    """Complex displacement of the left mass, a cos + b sin as a - ib, for all points at once."""
    K, C, _ = make_matrices()
    k, slip = make_sliders(**PARAMETERS)
    h = 2 * np.pi / omega / STEPS
    x, before = np.zeros((2, omega.size)), np.zeros((2, omega.size))
    anchor = np.zeros((k.size, omega.size))
    sum_ = np.zeros(omega.size, complex)
    inverse = np.linalg.inv(np.diag(MASS) + 0.5 * h[:, None, None] * C)
    for n in range(STEPS * CYCLES):
        u = x[1] - x[0]
        anchor = np.clip(anchor, u - slip[:, None], u + slip[:, None])
        joint = k @ (u - anchor)
        load = -K @ x
        load[0] += joint
        load[1] += force * np.cos(omega * n * h) - joint
        right = h**2 * load + MASS[:, None] * (2 * x - before) + 0.5 * h * (C @ before)
        x, before = np.einsum("nij,jn->in", inverse, right), x
        if n >= STEPS * (CYCLES - READ):
            sum_ += before[0] * np.exp(-1j * omega * n * h)
    return 2 * sum_ / (STEPS * READ)


def main():
    random = np.random.default_rng(SEED)
    line = make_matrices()[2] * np.linspace(1 - SPREAD, 1 + SPREAD / 2, LINES)
    omega, force = np.tile(line, len(LEVELS)), np.repeat(LEVELS, LINES)
    acceleration = -(omega**2) * simulate(omega, force)
    acceleration *= np.exp(NOISE * (random.standard_normal(omega.size) + 1j * random.standard_normal(omega.size)))
    print("# stepped sine, force on the right mass, acceleration of the left; simulated by simulate.py")
    print("frequency [Hz],force [N],amplitude [m/s^2],phase [deg]")
    for w, F, a in zip(omega, force, acceleration):
        print(f"{w / 2 / np.pi:.6f},{F:g},{abs(a):.6g},{np.degrees(np.angle(a)):.4f}")


if __name__ == "__main__":
    sys.exit(main())
