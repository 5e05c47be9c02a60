#!/usr/bin/env python3
# Makes adapters.json: how many parameters PEFT trains with low-rank adapters on the models of all presets.
"""usage: adapters.py PRESETS [ID...]

Builds each model (all in PRESETS, or those named) from its configuration on PyTorch's meta device, puts PEFT's adapters
on it, and writes adapters.json, or of those named anew: `all` of every linear layer but the head ("all-linear"), `dora`
the same with magnitudes, `default` of the modules that PEFT chooses for the type, and `queries` of those that make
queries and values; each with its rank, what is trained, and of the last two the modules, a list of last names or a
pattern. Where PEFT refuses, `refused` is what it says. `as` is the type that stands in for one that transformers does
not have. Needs torch, transformers 5.24 and peft 0.21; nothing is downloaded. As PRESETS give ../../assets/presets.
"""
import json
import pathlib
import re
import sys
import warnings

import torch
import transformers
from peft import LoraConfig, get_peft_model

sys.dont_write_bytecode = True  # no __pycache__ in the source tree
from from_transformers import SAME_AS, build, read_json  # noqa: E402

OUT = pathlib.Path(__file__).resolve().parent / "adapters.json"
# What types call the layers that make queries and values, of which a model has all of one line.
QUERIES = [
    ["q_proj", "v_proj"], ["query", "value"], ["q", "v"], ["query_proj", "value_proj"], ["q_lin", "v_lin"],
    ["Wq", "Wv"], ["query_key_value"], ["qkv_proj"], ["Wqkv"], ["c_attn"],
]
# What a type that transformers does not have says otherwise than that which stands in for it.
OWN = {"sarvam_mla": {"q_lora_rank": None}}
# Where towers have layers of these names, too.
TEXT = r".*\.(language_model|text_model)\..*\.(q_proj|v_proj)"


def queries_of(base):
    names = {name for name, module in base.named_modules() if isinstance(module, (torch.nn.Linear, transformers.Conv1D))}
    if any(re.fullmatch(TEXT, name) for name in names):
        return TEXT
    last = {name.rsplit(".", 1)[-1] for name in names}
    return next((each for each in QUERIES if last.issuperset(each)), None)


def ways_of(base):
    ways = {
        "default": {"r": 8},
        "all": {"r": 16, "target_modules": "all-linear"},
        "dora": {"r": 8, "target_modules": "all-linear", "use_dora": True},
    }
    if queries := queries_of(base):
        ways = {"queries": {"r": 4, "target_modules": queries}} | ways
    return ways


class Bare:
    """The model without adapters, built anew where these could not be taken off again."""

    def __init__(self, config):
        self.config, self.built = config, None

    def model(self):
        with torch.device("meta"):
            self.built = self.built or build(self.config)
        return self.built

    def adapted(self, way, settings):
        """Nothing where PEFT chooses no modules for the type."""
        base, self.built = self.model(), None
        try:
            with torch.device("meta"):
                model = get_peft_model(base, LoraConfig(**settings))
        except ValueError as error:
            said = str(error).split(". ")[0]
            return None if way == "default" else {"rank": settings["r"], "refused": said}
        row = {"rank": settings["r"], "trained": sum(each.numel() for each in model.parameters() if each.requires_grad)}
        if way in ("default", "queries"):
            chosen = model.peft_config["default"].target_modules
            row["modules"] = chosen if isinstance(chosen, str) else sorted(chosen)
        self.built = model.unload()
        return row


def ways(fields):
    kind = fields["model_type"]
    config = transformers.CONFIG_MAPPING[SAME_AS.get(kind, kind)](
        **OWN.get(kind, {}) | {key: value for key, value in fields.items() if key != "model_type"}
    )
    bare = Bare(config)
    rows = {way: bare.adapted(way, settings) for way, settings in ways_of(bare.model()).items()}
    return {way: row for way, row in rows.items() if row} | ({"as": SAME_AS[kind]} if kind in SAME_AS else {})


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.splitlines()[0])
    presets = pathlib.Path(sys.argv[1])
    transformers.logging.set_verbosity_error()
    warnings.simplefilter("ignore")
    found = read_json(OUT) if sys.argv[2:] else {}
    for model_id in sys.argv[2:] or sorted(file.stem for file in presets.glob("*.json")):
        fields = read_json(presets / f"{model_id}.json").get("config")
        if fields:  # else it is the model that ships with weights of its own
            found[model_id] = ways(fields)
            print(model_id, found[model_id], flush=True)
    rows = (f"{json.dumps(model_id)}: {json.dumps(row, sort_keys=True)}" for model_id, row in sorted(found.items()))
    OUT.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
