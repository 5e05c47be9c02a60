# How fast PyTorch trains the models of TRAININGS in peers.py, written as transformers has them and run eagerly, in
# float32 with AdamW: prints {"train": steps a second} with so many threads. For a Python that has torch and
# transformers.
import json
import sys
import time

import torch
import transformers

from peers import TRAININGS

STEPS, TRIES, FIRST = 20, 5, 5


def main():
    training = TRAININGS[sys.argv[1]]
    torch.set_num_threads(int(sys.argv[2]))
    torch.manual_seed(1)
    dim, layers, heads, ffn_dim = (training["set"][key] for key in ("dim", "layers", "heads", "ffn_dim"))
    batch, tokens, vocab = training["batch"], training["tokens"], training["vocab"]
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(
        n_embd=dim, n_layer=layers, n_head=heads, n_inner=ffn_dim, vocab_size=vocab, n_positions=tokens,
        resid_pdrop=0, embd_pdrop=0, attn_pdrop=0, attn_implementation="eager", bos_token_id=0, eos_token_id=0)).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.1)
    lines = torch.randint(vocab, (batch, tokens + 1))

    def step():
        logits = model(lines[:, :-1], use_cache=False).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), lines[:, 1:].flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()

    for _ in range(FIRST):
        step()
    best = float("inf")
    for _ in range(TRIES):
        start = time.perf_counter()
        for _ in range(STEPS):
            step()
        best = min(best, (time.perf_counter() - start) / STEPS)
    print(json.dumps({"train": 1 / best}))


if __name__ == "__main__":
    main()
