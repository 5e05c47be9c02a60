#!/usr/bin/env python3
"""Puts what was linked into the folder that is served, the two large files packed: pack.py FROM TO."""
import gzip
import pathlib
import shutil
import sys

source, site = map(pathlib.Path, sys.argv[1:])
site.mkdir(exist_ok=True)
shutil.copy(source / "headcount.js", site)
for name in ("headcount.wasm", "headcount.data"):
    # Without the time, so that one page is one file. The ending is none that a server takes for an encoding of its own.
    (site / (name + ".packed")).write_bytes(gzip.compress((source / name).read_bytes(), 9, mtime=0))
