"""Measures with PyTorch what the heads of the shipped model look at in texts, and writes heads.json: of each text and
each way of looking the head that does so most, its mean share of attention, and the share if it were spread evenly.

    python heads.py ../../assets/models/tiny-stories OUT.json      needs torch and transformers
"""
import json
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

TEXTS = [
    "One day, Tom was in the park. Tom had a red ball. Then Lily came. Tom gave the ball to Lily. Who has the ball?",
    "Once upon a time there was a little girl named Lily. She liked to play. One day, Lily saw a big dog. Lily was happy.",
]
PLACES = {
    "previous": lambda ids, stop, looks, at: at + 1 == looks,
    "same": lambda ids, stop, looks, at: at < looks and ids[at] == ids[looks],
    "behind_same": lambda ids, stop, looks, at: 0 < at < looks and ids[at - 1] == ids[looks],
    "stop": lambda ids, stop, looks, at: at < looks and ids[at] in stop,
    "first": lambda ids, stop, looks, at: at == 0 and looks > 1,
}


def main(folder, out):
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    stop = {i for i in range(len(tokenizer)) if tokenizer.decode([i]).strip() == "."}
    written = []
    for text in TEXTS:
        ids = tokenizer(text)["input_ids"]
        with torch.no_grad():
            attention = torch.cat(model(torch.tensor([ids]), output_attentions=True).attentions)
        heads = {}
        for role, is_place in PLACES.items():
            seen = {looks: [at for at in range(looks + 1) if is_place(ids, stop, looks, at)]
                    for looks in range(len(ids))}
            seen = {looks: at for looks, at in seen.items() if at}
            share = sum(attention[:, :, looks, at].sum(-1) for looks, at in seen.items()) / len(seen)
            layer, head = divmod(int(share.argmax()), share.shape[1])
            even = sum(len(at) / (looks + 1) for looks, at in seen.items()) / len(seen)
            heads[role] = {"layer": layer, "head": head, "share": round(float(share[layer, head]), 5),
                           "even": round(even, 5), "tokens": len(seen)}
        written.append({"text": text, "heads": heads})
    with open(out, "w") as file:
        json.dump(written, file, indent=1)
        file.write("\n")


main(*sys.argv[1:])
