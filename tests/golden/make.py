#!/usr/bin/env python3
# Makes the golden files from a folder of truth files; it selects and compacts, and changes no value.
"""usage: make.py FOLDER

FOLDER holds ID.json (every tensor of a published model) and trees/ID.txt (its printed module tree).
Writes models/ID.json and trees/ID.txt beside this script. The same input always gives the same bytes.
"""
import json
import math
import pathlib
import sys

MODELS = [
    "bloom-560m", "command-r-35b", "deepseek-v2-lite", "deepseek-v3", "falcon-7b", "gemma-2-2b", "gemma-2b",
    "gemma-3-1b", "gpt-j-6b", "gpt-oss-20b", "gpt2", "gpt2-xl", "llama-13b", "llama-2-13b", "llama-2-70b", "llama-2-7b",
    "llama-3-8b", "llama-3.1-405b", "llama-3.2-1b", "llama-4-scout-text", "llama-65b", "llama-7b", "mistral-7b",
    "mistral-nemo-12b", "mixtral-8x7b", "olmo-1b", "olmo-2-7b", "opt-125m", "phi-2", "phi-3-mini", "pythia-160m",
    "qwen2-0.5b", "qwen2-7b", "qwen3-0.6b", "qwen3-30b-a3b", "qwen3-8b", "smollm2-135m", "starcoder2-3b",
    "tinyllama-1.1b", "yi-34b",
]
TREES = ["llama-3-8b", "llama-65b", "llama-7b", "mistral-7b", "qwen2-7b", "qwen3-8b"]


def ranges(layers):
    """[0, 1, 2, 5] -> [[0, 2], [5, 5]]: first and last, both included."""
    runs = []
    for layer in layers:
        if runs and layer == runs[-1][1] + 1:
            runs[-1][1] = layer
        else:
            runs.append([layer, layer])
    return runs


def compact(row):
    row = dict(row)
    if "layers" in row:
        row["layers"] = ranges(row["layers"])
    return row


def check(model):
    """A truth file that contradicts itself must not become a golden file."""
    total = sum(math.prod(row["shape"]) * row["count"] for row in model["tensors"])
    if total != model["total"]:
        sys.exit(f"make.py: {model['id']}: its tensors sum to {total}, its total says {model['total']}")


def text(model):
    """JSON with one line a field and one line a tensor, so that a difference reads well."""
    lines = []
    for key, value in model.items():
        if key in ("tensors", "buffers") and value:
            rows = ",\n".join("  " + json.dumps(compact(row)) for row in value)
            lines.append(f' {json.dumps(key)}: [\n{rows}\n ]')
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    truth, here = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).resolve().parent
    for folder in ("models", "trees"):
        (here / folder).mkdir(exist_ok=True)
    for model_id in MODELS:
        model = json.loads((truth / f"{model_id}.json").read_text(encoding="utf-8"))
        check(model)
        (here / "models" / f"{model_id}.json").write_text(text(model), encoding="utf-8")
    for model_id in TREES:
        (here / "trees" / f"{model_id}.txt").write_bytes((truth / "trees" / f"{model_id}.txt").read_bytes())


if __name__ == "__main__":
    main()
