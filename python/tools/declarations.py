"""Declarations of the C library for cffi, made from its public headers when the package is built.

    declarations.py HEADERS OUT.py

The headers are preprocessed by the C compiler ($CC, or cc). What comes from other headers than the library's is left out,
and so are attributes, which cffi cannot read; constants that are macros are declared one by one. OUT.py needs no compiler
and no parser when it is imported (cffi: out of line, ABI mode).
"""

import os
import re
import shlex
import subprocess
import sys

import cffi

# The finite elements are reached through their plugin, so only that header of theirs is read.
SOURCE = "#include <microslip/microslip.h>\n#include <microslip/fem_plugin.h>\n"


def preprocess(headers, *options):
    command = [*shlex.split(os.environ.get("CC", "cc")), "-E", *options, "-I", headers, "-x", "c", "-"]
    return subprocess.run(command, input=SOURCE, capture_output=True, text=True, check=True).stdout


def own_lines(text, headers):
    """The lines of preprocessed text that come from the library's headers."""
    folder = os.path.realpath(os.path.join(headers, "microslip"))
    own = False
    for line in text.splitlines():
        place = re.match(r'# \d+ "([^"]*)"', line)
        if place:
            own = os.path.realpath(os.path.dirname(place[1])) == folder
        elif own and line.strip():
            yield line


def find_constants(headers):
    """Macros that are whole numbers: "#define MS_NAME 3" and "#define MS_NAME ((ptrdiff_t)-1)"."""
    for line in own_lines(preprocess(headers, "-dD"), headers):
        macro = re.fullmatch(r"#define (MS_\w+) (?:\(\(ptrdiff_t\)(-?\d+)\)|(-?\d+))", line)
        if macro:
            yield macro[1], macro[2] or macro[3]


def declare(headers):
    """What the headers declare, as cffi reads it."""
    text = "\n".join(own_lines(preprocess(headers), headers))
    text = re.sub(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    constants = "".join(f"#define {name} {value}\n" for name, value in find_constants(headers))
    return "typedef struct _IO_FILE FILE;\n" + constants + text


def write(headers, path):
    ffi = cffi.FFI()
    ffi.cdef(declare(headers), override=True)  # C allows a typedef twice
    ffi.set_source(os.path.splitext(os.path.basename(path))[0], None)
    ffi.emit_python_code(path)


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2])
