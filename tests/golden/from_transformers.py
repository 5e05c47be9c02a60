#!/usr/bin/env python3
# Makes the golden files of published models, by building presets with transformers.
"""usage: from_transformers.py PRESETS OUT [ID...]

Builds each model (all of MODELS, or those named) from the configuration in PRESETS/ID.json on PyTorch's meta device,
undoes what transformers fuses on loading, and writes OUT/ID.json in the form of models/. Needs torch 2.13 and
transformers 5.23; nothing is downloaded, and the same input always gives the same bytes. As PRESETS give
assets/presets, as OUT give models.
"""
import json
import pathlib
import re
import sys

import torch
import transformers
from transformers.core_model_loading import revert_weight_conversion

sys.dont_write_bytecode = True  # no __pycache__ in the source tree
import make  # noqa: E402
import rwkv_models  # noqa: E402

MODELS = [
    "bloom-560m", "command-r-35b", "deepseek-v3", "falcon-7b", "gemma-2-2b", "gemma-2b", "gemma-3-1b", "gpt-j-6b",
    "gpt-oss-20b", "gpt2", "gpt2-xl", "gpt-3-175b", "llama-13b", "llama-2-13b", "llama-2-70b", "llama-2-7b",
    "llama-3-8b",
    "llama-3.1-405b", "llama-3.2-1b", "llama-4-scout-text", "llama-65b", "llama-7b", "mistral-7b", "mistral-nemo-12b",
    "mixtral-8x7b", "olmo-1b", "olmo-2-7b", "opt-125m", "phi-2", "phi-3-mini", "pythia-160m", "qwen2-0.5b",
    "qwen2-7b", "qwen3-0.6b", "qwen3-30b-a3b", "qwen3-8b", "smollm2-135m", "starcoder2-3b", "tinyllama-1.1b",
    "yi-34b",
    "llama-33b", "llama-3-70b", "llama-3.2-3b", "codellama-34b", "smollm2-1.7b", "smollm3-3b", "llama-4-maverick-text",
    "ministral-8b", "mistral-small-24b", "mistral-large-123b", "mixtral-8x22b",
    "qwen2.5-0.5b", "qwen2.5-1.5b", "qwen2.5-3b", "qwen2.5-7b", "qwen2.5-14b", "qwen2.5-32b", "qwen2.5-72b",
    "qwen3-1.7b", "qwen3-4b", "qwen3-14b", "qwen3-32b", "qwen3-235b-a22b", "qwen3-coder-480b-a35b",
    "gemma-7b", "gemma-2-9b", "gemma-2-27b", "gemma-3-270m", "gemma-3-4b", "gemma-3-12b", "gemma-3-27b",
    "gpt-neox-20b", "pythia-6.9b", "pythia-12b", "opt-350m", "opt-6.7b", "opt-66b", "opt-175b",
    "bloom-7b1", "bloom-176b", "falcon-40b", "falcon-180b", "falcon-rw-1b", "falcon2-11b", "mpt-7b", "mpt-30b",
    "phi-1.5", "phi-3-medium", "phi-4", "phi-4-mini", "olmo-7b", "olmo-2-13b", "olmo-2-32b", "olmo-3-7b", "olmo-3-32b",
    "stablelm-3b-4e1t", "stablelm-2-1.6b", "stablelm-2-12b", "starcoder2-7b", "starcoder2-15b",
    "glm-4-9b", "glm-4-9b-0414", "glm-4-32b-0414", "command-r-32b-0824", "command-r-plus-104b", "command-r7b",
    "granite-3.0-2b", "granite-3.0-8b", "minitron-4b", "minitron-8b", "nemotron-4-340b",
    "ernie-4.5-0.3b", "exaone-4-1.2b", "exaone-4-32b", "granite-3.1-1b-a400m", "granite-3.1-3b-a800m",
    "qwen1.5-moe-a2.7b", "qwen2-57b-a14b", "santacoder-1.1b", "starcoder-15b", "deepseek-v2", "deepseek-v2-lite", "kimi-k2", "moonlight-16b-a3b", "gpt-oss-120b",
    "bert-base-uncased", "bert-large-uncased", "all-minilm-l6-v2",
    "mamba2-130m", "mamba2-2.7b", "mamba-codestral-7b", "qwen3-next-80b-a3b",
    "t5-small", "t5-base", "t5-11b",
    "roberta-base", "distilbert-base-uncased", "all-mpnet-base-v2", "electra-small", "bge-m3", "xlm-roberta-base",
    "seed-oss-36b",
    "codegen-350m", "codegen-2b", "codegen-6b", "codegen-16b",
    "glm-4.5-air", "glm-4.5",
    "granite-4.0-h-small", "granite-4.0-h-tiny", "granite-4.0-h-micro", "bamba-9b",
    "lfm2-350m", "lfm2-1.2b", "lfm2-8b-a1b", "falcon-h1-0.5b",
    "falcon-h1-7b", "mamba-130m", "mamba-370m", "mamba-1.4b", "mamba-2.8b", "falcon-mamba-7b", "jamba-v0.1",
    "switch-base-8", "long-t5-local-base", "xlm-mlm-en-2048", "rembert", "bigbird-base", "nllb-moe-54b",
    "deberta-base", "deberta-v2-xxlarge", "deberta-v3-base",
    "nemotron-h-8b", "nemotron-nano-9b-v2", "nemotron-3-nano-30b-a3b", "afm-4.5b", "dots-llm1", "recurrentgemma-2b",
    "recurrentgemma-9b", "nanochat-d20", "ernie-4.5-21b-a3b", "ernie-4.5-300b-a47b", "phi-3.5-moe", "esm2-650m",
    "unispeech-large", "unispeech-sat-base", "nllb-200-3.3b", "switch-base-128", "apertus-8b", "deepseek-v3.2",
    "minimax-text-01", "moonshine-tiny", "moonshine-base", "wavlm-base", "wavlm-base-plus", "wavlm-large",
    "wav2vec2-base-960h", "wav2vec2-large-lv60", "hubert-base-ls960", "hubert-large-ls960-ft", "hubert-xlarge-ls960-ft",
]
# Types that transformers does not have, with the type whose fields and tensors they share.
SAME_AS = {"kimi_k2": "deepseek_v3", "sarvam_mla": "deepseek_v3", "exaone": "llama", "apertus1p5_text": "apertus"}
LAYER = re.compile(
    r"(?:^|(?<!adapter)(?<!pos_conv_embed)(?<!subsampling)\.)"
    r"(?:layers|layer|h|blocks|block|attentions|self_attends|layer_norm[12]|ffns)\.(\d+)\.(?!\d+\.)"
)

OF_STACK = ("relative_attention_bias.weight", "rel_attn_embed.weight")


def pattern(name):
    """A tensor's name with its layer's and its expert's index as placeholders, and the layer's index (or None)."""
    layer = LAYER.search(name)
    if layer:
        name = name[: layer.start(1)] + "{i}" + name[layer.end(1) :]
    return re.sub(r"\.experts\.(expert_)?\d+\.", r".experts.\1{e}.", name), int(layer[1]) if layer else None


def rows(tensors):
    """One row for all tensors that differ only in layer and expert, in the order of the first of each."""
    found = {}
    by_layer = any(re.search(r"(?<!biases)\.1\..*relative_attention_bias", name) for name in tensors)
    for name, tensor in tensors.items():
        of_stack = name.endswith(OF_STACK) and not by_layer  # though in its first layer
        name, layer = (name, None) if of_stack else pattern(name)
        row = found.setdefault((name, tuple(tensor.shape)), {"count": 0, "layers": set()})
        row["count"] += 1
        row["layers"] |= set() if layer is None else {layer}
    return [
        {"name": name, "shape": list(shape), "count": row["count"]}
        | ({"layers": sorted(row["layers"])} if row["layers"] else {})
        for (name, shape), row in found.items()
    ]


def published(config):
    """Every field. A null is left out, unless leaving it out would mean something else."""
    fields, defaults = config.to_dict(), type(config)().to_dict()
    fields = {k: v for k, v in fields.items() if v is not None or defaults.get(k) is not None}
    fields.pop("transformers_version", None)
    return {k: finite(v) for k, v in fields.items()}


def finite(value):
    """JSON has no infinity: as transformers writes it, and `read_json` reads it."""
    if isinstance(value, (list, tuple)):
        return [finite(each) for each in value]
    return {"__float__": "Infinity"} if value == float("inf") else value


def read_json(path):
    return json.loads(
        path.read_text(encoding="utf-8"), object_hook=lambda o: float(o["__float__"]) if "__float__" in o else o
    )


def build(config):
    """The model that the configuration names, a causal one where it names none."""
    named = config.architectures
    if named:
        return getattr(rwkv_models if hasattr(rwkv_models, named[0]) else transformers, named[0])(config)
    auto = transformers.AutoModelForSeq2SeqLM if config.is_encoder_decoder else transformers.AutoModelForCausalLM
    return auto.from_config(config)


def as_saved(model):
    """Parameters by name; of the two names of a tied tensor the one that save_pretrained writes."""
    parameters, tied = dict(model.named_parameters()), model._tied_weights_keys or {}
    return {tied[name] if name in tied and tied[name] not in parameters else name: parameter
            for name, parameter in parameters.items()}


def scores_by_table(fields):
    """Whether its code makes the scores of the table itself, without a head that is tied to it."""
    return fields["model_type"] == "perceiver" or fields.get("legacy") is False


def made_by(kind):
    """Whose class it is."""
    own = kind.__module__ == rwkv_models.__name__
    return "rwkv_models.py" if own else f"transformers {transformers.__version__}"


def golden(model_id, fields):
    kind = fields["model_type"]
    config = transformers.CONFIG_MAPPING[SAME_AS.get(kind, kind)](
        **{key: value for key, value in fields.items() if key != "model_type"}
    )
    with torch.device("meta"):
        model = build(config)
    # BLIP's is said by the model inside.
    head = model.get_output_embeddings() or getattr(model, "text_decoder", model).get_output_embeddings()
    parameters, state = as_saved(model), model.state_dict()
    # A number without dimensions is a constant of the code (xIELU's bounds).
    buffers = {name: state[name] for name, buffer in model.named_buffers() if name in state and buffer.dim() > 0}
    # ESM's would get the names of BERT's oldest files, which its own never had, and angles that a rule gives; OLMo
    # Hybrid's convolutions would be cut in equal parts, and no file has these.
    if kind in ("esm", "olmo_hybrid"):
        stored, kept = parameters, {}
    else:
        stored = revert_weight_conversion(model, parameters | buffers)
        kept = revert_weight_conversion(model, buffers)
    architectures = {"architectures": [type(model).__name__], "model_type": kind}
    return {
        "id": model_id,
        "source": f"{made_by(type(model))}, {type(model).__name__} on the meta device",
        "total": sum(parameter.numel() for parameter in parameters.values()),
        "tied": scores_by_table(fields) or head is not None and any(
            module.weight is head.weight for module in model.modules() if isinstance(module, torch.nn.Embedding)),
        "tensors": rows({name: tensor for name, tensor in stored.items() if name not in kept}),
        "buffers": rows({name: stored[name] for name in kept}),
        "config": architectures | published(config) | architectures,
        "config_sparse": architectures | fields,
    }


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.splitlines()[0])
    presets, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    transformers.logging.set_verbosity_error()
    for model_id in sys.argv[3:] or MODELS:
        preset = json.loads((presets / f"{model_id}.json").read_text(encoding="utf-8"))
        model = golden(model_id, preset["config"])
        make.check(model)
        (out / f"{model_id}.json").write_text(make.text(model), encoding="utf-8")


if __name__ == "__main__":
    main()
