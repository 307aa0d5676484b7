"""Builds the package: what is written by hand, the declarations of the C library, and where that was built.

The headers are those of the source tree. MICROSLIP_BUILD names the folder of the built library, which the package then
looks into; without it, it finds an installed one.
"""

import os
import pathlib
import re
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / "tools"))
import declarations  # noqa: E402


def read_version():
    return re.search(r"project\(microslip VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class build_with_declarations(build_py):
    def run(self):
        super().run()
        folder = pathlib.Path(self.build_lib, "microslip")
        declarations.write(str(ROOT / "include"), str(folder / "_declarations.py"))
        built = os.environ.get("MICROSLIP_BUILD", "")
        (folder / "_built.py").write_text(
            "# Made by setup.py.\n"
            f"VERSION = {read_version()!r}\n"
            f"FOLDER = {os.path.abspath(built) if built else ''!r}  # of the library that was built with it\n"
        )


setup(version=read_version(), cmdclass={"build_py": build_with_declarations})
