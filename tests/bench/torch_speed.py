# How fast PyTorch runs the models of other kinds of tests/bench/runtime.cpp, with random weights in float32: prints
# {"prefill": tokens a second, "decode": ..} of the first argument's with so many threads. For a Python that has torch
# and transformers.
import json
import pathlib
import sys
import time

import torch
import transformers

from peers import NEW, PROMPT

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden/runtime"
TRIES = 20


def seconds(work):
    best = float("inf")
    for _ in range(TRIES):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def bert_speed():
    model = transformers.BertForMaskedLM(transformers.BertConfig()).eval()
    ids = torch.arange(PROMPT)[None] * 37 % 500
    return {"prefill": PROMPT / seconds(lambda: model(ids))}


def qwen3_next_speed():
    config = json.loads((GOLDEN / "qwen3_next.json").read_text())["config"]
    model = transformers.Qwen3NextForCausalLM(transformers.Qwen3NextConfig(**config)).eval()
    best = float("inf")
    for _ in range(TRIES):
        cache = model(torch.arange(PROMPT)[None] * 37 % config["vocab_size"], use_cache=True).past_key_values
        start = time.perf_counter()
        for i in range(NEW):
            cache = model(torch.tensor([[i]]), past_key_values=cache, use_cache=True).past_key_values
        best = min(best, (time.perf_counter() - start) / NEW)
    return {"decode": 1 / best}


def main():
    torch.set_num_threads(int(sys.argv[2]))
    torch.manual_seed(1)
    with torch.inference_mode():
        print(json.dumps({"bert": bert_speed, "qwen3_next": qwen3_next_speed}[sys.argv[1]]()))


if __name__ == "__main__":
    main()
