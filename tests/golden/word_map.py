# Writes word_map.json: the first two principal components of the shipped model's embedding over the rows that a training
# has moved, how many that are, and which words lie nearest to some. Needs torch and safetensors; asks no network.
import json
import pathlib

import torch
from safetensors.torch import load_file

HERE = pathlib.Path(__file__).parent
FOLDER = HERE.parent.parent / "assets/models/tiny-stories"
WORDS = ["Ġball", "ĠLily", "Ġred", "."]


def letters():
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{byte: chr(byte) for byte in plain}, **{byte: chr(256 + i) for i, byte in enumerate(others)}}


def main():
    weights = load_file(FOLDER / "model.safetensors")
    table = next(tensor for name, tensor in weights.items() if "embed_tokens" in name).double()
    vocab = json.loads((FOLDER / "tokenizer.json").read_text())["model"]["vocab"]
    names = {id: text for text, id in vocab.items()}
    no_text = [vocab[letters()[byte]] for byte in [0xC0, 0xC1, *range(0xF5, 0x100)] if letters()[byte] in vocab]
    trained = table
    if len(no_text) >= 4:  # else there is no measure
        far = (table - table[no_text].mean(0)).norm(dim=1)
        trained = table[far > 1.5 * far[no_text].max()]
    variance = torch.linalg.svdvals(trained - trained.mean(0)) ** 2
    unit = table / table.norm(dim=1, keepdim=True)
    near = {}
    for word in WORDS:
        if word not in vocab:
            continue
        cosines = unit @ unit[vocab[word]]
        cosines[vocab[word]] = -2
        near[word] = [[int(i), round(float(cosines[i]), 6)] for i in cosines.topk(4).indices]
    facts = {"references": len(no_text), "trained": len(trained),
             "shares": [round(float(share), 6) for share in (variance / variance.sum())[:2]],
             "near": {str(vocab[word]): rows for word, rows in near.items()}}
    (HERE / "word_map.json").write_text(json.dumps(facts, indent=1) + "\n")


main()
