#!/usr/bin/env python3
# Makes adapters.json: how many parameters PEFT trains with low-rank adapters on published models.
"""usage: adapters.py [ID...]

Builds each model (all of models/, or those named) from its configuration on PyTorch's meta device, puts PEFT's adapters
on it, and writes adapters.json: `default` with the modules that PEFT chooses for the type, `all` with every linear one
but the head ("all-linear"), `dora` with magnitudes besides; each with its rank, the last names of its modules and what
is trained. Of a mixture `all` is left out: PEFT 0.21 gives the experts' gate and up, which transformers 5 keeps as one
tensor, one adapter of twice the rank, and passes over some that all tokens share. Needs torch, transformers 5.24 and peft 0.21; nothing is downloaded.
"""
import json
import pathlib
import sys

import torch
import transformers
from peft import LoraConfig, get_peft_model

sys.dont_write_bytecode = True  # no __pycache__ in the source tree
from from_transformers import build, read_json  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
OF_MIXTURES = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts")
WAYS = {
    "default": {"r": 8},
    "all": {"r": 16, "target_modules": "all-linear"},
    "dora": {"r": 4, "use_dora": True},
}


def trained(model_id, settings):
    golden = read_json(HERE / "models" / (model_id + ".json"))
    fields = golden["config"]
    config = transformers.CONFIG_MAPPING[fields["model_type"]](
        **{key: value for key, value in fields.items() if key != "model_type"}
    )
    if "target_modules" in settings and any(fields.get(key) for key in OF_MIXTURES):
        raise ValueError("it is a mixture")
    with torch.device("meta"):
        model = get_peft_model(build(config), LoraConfig(**settings))
    names = {
        name.removesuffix(".lora_A.default").rsplit(".", 1)[-1]
        for name, _ in model.named_modules()
        if name.endswith(".lora_A.default")
    }
    count = sum(each.numel() for each in model.parameters() if each.requires_grad)
    return {"rank": settings["r"], "modules": sorted(names), "trained": count}


def main(ids):
    found = {}
    for model_id in ids or sorted(file.stem for file in (HERE / "models").glob("*.json")):
        ways = {}
        for way, settings in WAYS.items():
            try:
                ways[way] = trained(model_id, settings)
            except (KeyError, ValueError) as error:  # a type of neither; or PEFT chooses no modules for it
                print(f"{model_id}: {way}: {error}", file=sys.stderr)
        if ways:
            found[model_id] = ways
    (HERE / "adapters.json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
