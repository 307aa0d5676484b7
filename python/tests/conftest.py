"""The package under test is the one in the build folder ($PYTHONPATH); the command beside it is $MICROSLIP."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def command():
    """Runs the command and gives what it prints."""
    program = os.environ.get("MICROSLIP", str(ROOT / "build" / "microslip"))

    def run(*arguments):
        words = [program, *map(str, arguments)]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    return run
