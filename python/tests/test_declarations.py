"""The declarations are those of the headers, structs have the layout that the compiler gives them, the library is found."""

import os
import re
import subprocess
import sys

import pytest

from microslip import __version__, library_path
from microslip._library import ffi, lib


def headers(root):
    folder = root / "include" / "microslip"
    return [p for p in sorted(folder.glob("*.h")) if p.name == "fem_plugin.h" or not p.name.startswith("fem")]


def test_every_public_function(root):
    names = set()
    for header in headers(root):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        for declaration in re.findall(r"\bMS_API\b([^;]*);", text):
            names.add(re.search(r"\b(ms_\w+)\s*\(", declaration)[1])
    assert len(names) > 800
    missing = [name for name in sorted(names) if not hasattr(lib, name)]
    assert missing == []
    nm = subprocess.run(["nm", "-D", "--defined-only", library_path], capture_output=True, text=True, check=True)
    exported = {line.split()[-1] for line in nm.stdout.splitlines()}
    assert exported == names


def list_fields():
    """(struct, field) of all that the headers declare; field "" is the whole."""
    typedefs, structs, _ = ffi.list_types()
    pointers = [ffi.typeof(name + " *") for name in (*typedefs, *("struct " + name for name in structs))]
    for kind in {pointer.item for pointer in pointers if pointer.kind == "pointer"}:
        if kind.kind == "struct" and kind.fields is not None and "ms_" in kind.cname:
            yield kind, ""
            for name, _field in kind.fields:
                yield kind, name


def test_layout(root, tmp_path):
    """cffi lays structs out by its own rules: each size and offset is compared with the compiler's."""
    places = list(list_fields())
    assert len(places) > 1000
    lines = ["#include <stddef.h>", "#include <stdio.h>", "#include <microslip/microslip.h>"]
    lines += ["#include <microslip/fem_plugin.h>", "int main(void) {"]
    for kind, field in places:
        what = f"offsetof({kind.cname}, {field})" if field else f"sizeof({kind.cname})"
        lines.append(f'  printf("%zu\\n", {what});')
    source = tmp_path / "layout.c"
    source.write_text("\n".join([*lines, "}", ""]))
    program = tmp_path / "layout"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O0", "-I", root / "include", source, "-o", program], check=True)
    found = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    for (kind, field), value in zip(places, found, strict=True):
        here = ffi.offsetof(kind, field) if field else ffi.sizeof(kind)
        assert here == int(value), f"{kind.cname} {field}"


def test_constants():
    assert lib.MS_GROUND == -1
    assert lib.MS_JOINT_MAX_AXIS == 3
    assert lib.MS_ERR_MEMORY == -2


def test_version(root):
    text = (root / "CMakeLists.txt").read_text()
    assert f"VERSION {__version__} " in text
    assert ffi.string(lib.ms_version()).decode() == __version__


def import_with(place, version=None):
    """What Python says when the package is imported with $MICROSLIP_LIBRARY set, and perhaps as another version."""
    before = f"import microslip._built as b; b.VERSION = {version!r}" if version else "pass"
    code = f"import sys\nsys.modules.pop('microslip', None)\n{before}\nimport microslip; print(microslip.library_path)"
    if version:  # the package's __init__ imports the library, so its part is set up by hand
        code = (
            "import importlib.util, pathlib, sys, types\n"
            "folder = importlib.util.find_spec('microslip').submodule_search_locations[0]\n"
            "package = types.ModuleType('microslip'); package.__path__ = [folder]; sys.modules['microslip'] = package\n"
            f"import microslip._built as built; built.VERSION = {version!r}\n"
            "import microslip._library\n"
        )
    environment = {**os.environ, "MICROSLIP_LIBRARY": str(place)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)


def test_named_library(tmp_path):
    """By its file, or by its folder."""
    folder = os.path.dirname(library_path)
    assert import_with(library_path).stdout.strip() == library_path
    assert import_with(folder).stdout.strip() == library_path


@pytest.mark.parametrize(
    "place, version, message",
    [
        ("/nowhere/libmicroslip.so", None, "the microslip library was not found"),
        ("libm.so.6", None, "is not the microslip library"),
        (library_path, "9.8.7", f"is of version {__version__}, the Python package of 9.8.7"),
    ],
)
def test_refused_library(place, version, message):
    answer = import_with(place, version)
    assert answer.returncode != 0
    assert "ImportError" in answer.stderr and message in answer.stderr
