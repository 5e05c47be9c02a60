#!/usr/bin/env python3
# Makes adapters.json: how many parameters PEFT trains with low-rank adapters on published models.
"""usage: adapters.py [ID...]

Builds each model (all of MODELS, or those named) from the configuration in models/ID.json on PyTorch's meta device,
puts PEFT's adapters on it, and writes adapters.json: `default` with the modules that PEFT chooses for the type, `all`
with every linear one but the head ("all-linear"), `dora` with magnitudes besides; each with its rank, the last names
of its modules and what is trained. Needs torch, transformers 5.24 and peft 0.21; nothing is downloaded.
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
MODELS = [
    "llama-7b", "llama-2-70b", "llama-3-8b", "llama-3.2-1b", "llama-65b", "mistral-7b", "gpt2", "gpt2-xl",
    "pythia-160m", "gpt-neox-20b", "gpt-j-6b", "opt-125m", "opt-350m", "bloom-560m", "falcon-7b", "falcon-40b",
    "gemma-2b", "gemma-2-2b", "gemma-3-1b", "qwen2-0.5b", "qwen2-7b", "qwen3-0.6b", "qwen3-8b", "phi-2", "phi-3-mini",
    "olmo-2-7b", "starcoder2-3b", "smollm2-135m", "mpt-7b", "stablelm-2-1.6b", "command-r-35b", "bert-base-uncased",
    "roberta-base", "distilbert-base-uncased", "t5-small", "electra-small", "codegen-350m", "glm-4-9b-0414",
]
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
    for model_id in ids or MODELS:
        found[model_id] = {}
        for way, settings in WAYS.items():
            try:
                found[model_id][way] = trained(model_id, settings)
            except ValueError as error:  # PEFT chooses no modules for the type
                print(f"{model_id}: {way}: {error}", file=sys.stderr)
    (HERE / "adapters.json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
