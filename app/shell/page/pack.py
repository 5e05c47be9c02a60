#!/usr/bin/env python3
"""Puts what was linked into the folder that is served, the two large files packed: pack.py FROM TO."""
import pathlib
import shutil
import subprocess
import sys

if not shutil.which("zstd"):
    sys.exit("pack.py: zstd is not installed: install the package zstd")
source, site = map(pathlib.Path, sys.argv[1:])
site.mkdir(exist_ok=True)
shutil.copy(source / "headcount.js", site)
for name in ("headcount.wasm", "headcount.data"):
    # A fifth smaller than gzip makes it, from a window of 2^24 bytes, which fit into unpack.wasm's memory. The ending is
    # none that a server takes for an encoding of its own.
    packed = subprocess.run(["zstd", "--ultra", "-22", "--long=24", "-qc", source / name], stdout=subprocess.PIPE, check=True).stdout
    (site / (name + ".packed")).write_bytes(packed)
