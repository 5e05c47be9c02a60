#!/usr/bin/env python3
# Prints some of models/ with transformers, into trees/ID.txt and printed/ID.txt.
"""usage: printed.py

Writes trees/ID.txt for each of TREES and printed/ID.txt for each of MODELS: the module tree as transformers prints it
(print(model)). Of mixtures that hides experts, routers and sinks. Needs what from_transformers.py needs.
"""
import pathlib

import torch
import transformers

import from_transformers

TREES = ["llama-3-8b", "llama-65b", "llama-7b", "mistral-7b", "qwen2-7b", "qwen3-8b"]
MODELS = ["mixtral-8x7b", "qwen1.5-moe-a2.7b", "qwen3-30b-a3b", "deepseek-v2-lite", "deepseek-v3", "gpt-oss-20b",
          "llama-4-maverick-text",
          "qwen2.5-7b", "qwen3-0.6b", "gemma-2b", "gemma-2-2b", "gemma-3-1b", "olmo-1b", "olmo-2-13b",
          "olmo-3-7b", "command-r-plus-104b", "command-r7b", "stablelm-3b-4e1t", "stablelm-2-12b", "granite-3.0-2b",
          "minitron-4b", "glm-4-9b", "glm-4-9b-0414", "phi-4-mini", "smollm3-3b", "ministral-8b", "exaone-4-32b",
          "ernie-4.5-0.3b", "bert-base-uncased", "all-minilm-l6-v2", "mamba2-130m", "mamba-codestral-7b",
          "qwen3-next-80b-a3b", "t5-small", "roberta-base", "distilbert-base-uncased", "electra-small",
          "all-mpnet-base-v2", "xlm-roberta-base"]


def main():
    here = pathlib.Path(__file__).resolve().parent
    for model_id in TREES + MODELS:
        fields = from_transformers.read_json(here / "models" / f"{model_id}.json")["config"]
        kind = fields.pop("model_type")
        config = transformers.CONFIG_MAPPING[from_transformers.SAME_AS.get(kind, kind)](**fields)
        with torch.device("meta"):
            model = from_transformers.build(config)
        folder = here / ("trees" if model_id in TREES else "printed")
        folder.mkdir(exist_ok=True)
        (folder / f"{model_id}.txt").write_text(f"{model}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
