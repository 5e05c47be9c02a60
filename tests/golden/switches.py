#!/usr/bin/env python3
# Makes the tensors of the small models in switches/ with transformers, from the configuration that each file has.
"""usage: switches.py [TYPE-NAME...]

Rewrites switches/TYPE-NAME.json (all of them, or those named): of each only "config" is read, and the rest is what
transformers builds of it. To add one, write a file with nothing but a "config" that has a model_type, and run this.
Needs what from_transformers.py needs.
"""
import json
import pathlib
import sys

import transformers

import from_transformers
import make


def main():
    folder = pathlib.Path(__file__).resolve().parent / "switches"
    transformers.logging.set_verbosity_error()
    for path in sorted(folder.glob("*.json")):
        if sys.argv[1:] and path.stem not in sys.argv[1:]:
            continue
        config = json.loads(path.read_text(encoding="utf-8"))["config"]
        model = from_transformers.golden(path.stem, config)
        make.check(model)
        kept = {key: model[key] for key in ("id", "source", "total", "tied", "tensors", "buffers")}
        path.write_text(make.text(kept | {"config": config}), encoding="utf-8")


if __name__ == "__main__":
    main()
