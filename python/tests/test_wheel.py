"""The wheel: built and installed by scripts/python.sh, it finds the library where that was built or installed."""

import os
import shutil
import subprocess
import sys
import zipfile

import microslip as ms


def look(site):
    """What an interpreter says that has the package in this folder only."""
    environment = {key: value for key, value in os.environ.items() if key != "MICROSLIP_LIBRARY"}
    code = "import microslip as ms; print(ms.library_path, ms.Joint('linear', K=2.5).path([2.0])[0], ms.__version__)"
    words = [sys.executable, "-c", code]
    return subprocess.run(words, capture_output=True, text=True, env={**environment, "PYTHONPATH": str(site)})


def test_wheel(root, tmp_path):
    build, prefix = tmp_path / "build", tmp_path / "prefix"
    build.mkdir()
    shutil.copy(ms.library_path, build)
    name = os.path.basename(ms.library_path)
    site = prefix / "lib" / "python3" / "dist-packages"
    words = [root / "scripts" / "python.sh", build, site]
    subprocess.run(words, check=True, env={**os.environ, "PYTHON": sys.executable})

    (wheel,) = build.glob("wheel/*.whl")
    assert wheel.name == f"microslip-{ms.__version__}-py3-none-any.whl"
    files = zipfile.ZipFile(wheel).namelist()
    assert "microslip/_declarations.py" in files and "microslip/py.typed" in files
    assert not any("tests" in file or "tools" in file for file in files)

    assert look(site).stdout.split() == [str(build / name), "5.0", ms.__version__]
    (build / name).rename(prefix / "lib" / name)
    assert look(site).stdout.split() == [str(prefix / "lib" / name), "5.0", ms.__version__]
    (prefix / "lib" / name).unlink()
    assert "MICROSLIP_LIBRARY" in look(site).stderr
    assert not list((root / "python").glob("*.egg-info")) and not (root / "python" / "build").exists()
