#!/usr/bin/env python3
"""Puts what was linked into the folder that is served, the two large files packed: pack.py FROM TO."""
import pathlib
import shutil
import subprocess
import sys

if not shutil.which("zopfli"):
    sys.exit("pack.py: zopfli is not installed: install the package zopfli")
source, site = map(pathlib.Path, sys.argv[1:])
site.mkdir(exist_ok=True)
shutil.copy(source / "headcount.js", site)
for name in ("headcount.wasm", "headcount.data"):
    # As gzip, a twentieth smaller than gzip makes it, and without the time, so that one page is one file. The ending is
    # none that a server takes for an encoding of its own.
    packed = subprocess.run(["zopfli", "-c", source / name], stdout=subprocess.PIPE, check=True).stdout
    (site / (name + ".packed")).write_bytes(packed)
