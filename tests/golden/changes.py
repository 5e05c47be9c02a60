#!/usr/bin/env python3
# Makes the golden files of experiments on a run: what a model says with parts of it off, scaled, or another run's.
"""usage: changes.py OUT [NAME...]

For each of MODELS below (all, or those named) builds the model of runtime/NAME.json with transformers as runtime.py
does, changes what its modules take or return by PyTorch's hooks, and writes OUT/NAME.json: `other`, the ids of the run
that patches are taken from; `changes`, each with its places by kind and the logits of the last token; `rank`, the
change of the log probability of the likeliest next token with each part off (`heads`, `attention`, `feed_forward`).
Needs what runtime.py needs; nothing is downloaded. As OUT give changes.
"""
import json
import pathlib
import re
import sys

import torch
import transformers

sys.dont_write_bytecode = True  # no __pycache__ in the source tree
import runtime  # noqa: E402

HERE = pathlib.Path(__file__).parent
LAYERS = "model.layers"


def parts(attention, feed_forward="mlp", heads=None, layers=LAYERS, **more):
    """The modules of a layer: whose output each sub-block adds to the stream, and whose input the joined heads are;
    where they are tried, whose input a feed-forward's neurons are, and whose output keys and values."""
    return {"attention": attention, "feed_forward": feed_forward, "heads": heads or attention, "layers": layers} | more


PROJECTED = {"keys": "self_attn.k_proj", "values": "self_attn.v_proj"}
OWN = {"neurons": "mlp.down_proj"} | PROJECTED
LLAMA = parts("self_attn.o_proj", **OWN)
NORMED = parts("post_attention_layernorm", "post_feedforward_layernorm", "self_attn.o_proj", **OWN)
MIXTURE = parts("self_attn.o_proj", experts="mlp.experts")
MODELS = {
    "llama": LLAMA, "qwen3": LLAMA, "granite": LLAMA, "cohere": LLAMA, "smollm3": LLAMA, "seed_oss": LLAMA,
    "qwen3_5_text": parts("self_attn.o_proj", neurons="mlp.down_proj", linear_attention="linear_attn.out_proj"),
    "mixtral": MIXTURE, "qwen2_moe": MIXTURE, "deepseek_v3": MIXTURE, "gpt_oss": MIXTURE,
    "gemma2": NORMED, "gemma3_text": NORMED, "olmo2": NORMED, "olmo3": NORMED,
    "gpt2": parts("attn.c_proj", layers="transformer.h", neurons="mlp.c_proj"),
    "gptj": parts("attn.out_proj", layers="transformer.h", neurons="mlp.fc_out"),
    "gpt_neox": parts("attention.dense", layers="gpt_neox.layers", neurons="mlp.dense_4h_to_h"),
    "falcon": parts("self_attention.dense", layers="transformer.h"),
    "falcon-grouped": parts("self_attention.dense", layers="transformer.h"),
    "bloom": parts("self_attention.dense", "mlp.dense_4h_to_h", layers="transformer.h"),
    "opt": parts("self_attn.out_proj", "fc2", layers="model.decoder.layers", neurons="fc2", **PROJECTED),
    "bert": parts("attention.output.dense", "output.dense", layers="bert.encoder.layer", neurons="output.dense",
                  keys="attention.self.key", values="attention.self.value"),
    "qwen3_next": MIXTURE | {"linear_attention": "linear_attn.out_proj"},
    "t5": parts("layer.0.SelfAttention.o", "layer.2.DenseReluDense", layers="decoder.block",
                cross_attention="layer.1.EncDecAttention.o",
                encoder=parts("layer.0.SelfAttention.o", "layer.1.DenseReluDense", layers="encoder.block")),
}
PLACE = re.compile(r"(encoder\.)?(?:layer\.(\d+)\.(\w+)(?:\.(head|expert|neuron):(\d+))?|stream\.(\d+)@(\d+))$")
PROJECTION = re.compile(r"layer\.(\d+)\.attention\.(keys|values)(?:\.column:(\d+))?@(\d+)$")


class Changed:
    """A model whose modules' inputs and outputs are changed while it runs."""

    def __init__(self, model, names, about):
        self.model, self.names, self.about = model, names, about
        self.heads = next(getattr(model.config, key) for key in ("num_attention_heads", "num_heads", "n_head")
                          if hasattr(model.config, key))

    def logits(self, ids, source, hooks):
        """(T, V) with these hooks, each (module, whether of its input, what to make of it)."""
        handles = [self.hook(*each) for each in hooks]
        try:
            return runtime.run(self.model, ids, source)[0]
        finally:
            for handle in handles:
                handle.remove()

    @staticmethod
    def hook(module, of_input, work):
        if of_input:
            return module.register_forward_pre_hook(lambda _, given: work(given))

        def changed(_, given, made):
            if isinstance(made, tuple):
                return (work(made[0]), *made[1:])
            return work(made)
        return module.register_forward_hook(changed)

    def module(self, place):
        """The module that a place is at, whether what it takes is meant, and what of it."""
        if projected := PROJECTION.match(place):
            layer, name, column, token = projected.groups()
            module = self.model.get_submodule(f"{self.names['layers']}.{layer}.{self.names[name]}")
            return module, False, (slice(None), int(token), slice(None) if column is None else int(column))
        encoder, layer, block, part, index, stream, token = PLACE.match(place).groups()
        names = self.names["encoder"] if encoder else self.names
        block_of_layer = self.model.get_submodule(f"{names['layers']}.{layer or stream}")
        if stream:
            return block_of_layer, False, (slice(None), int(token))
        if part == "expert":
            return block_of_layer.get_submodule(names["experts"]), True, int(index)
        if part == "neuron":
            return block_of_layer.get_submodule(names["neurons"]), True, (..., int(index))
        if part == "head":
            module = block_of_layer.get_submodule(names["heads"] if block == "attention" else names[block])
            inputs = module.weight.shape[0] if type(module).__name__ == "Conv1D" else module.weight.shape[1]
            heads = self.model.config.linear_num_value_heads if block == "linear_attention" else self.heads
            width = inputs // heads
            return module, True, (..., slice(int(index) * width, (int(index) + 1) * width))
        return block_of_layer.get_submodule(names[block]), False, (...,)

    def change(self, place, make):
        """The hook by which `make` makes other numbers of those at the place."""
        module, of_input, where = self.module(place)
        if isinstance(where, int):  # an expert: what it made counts as much as its weight
            def weigh(given):
                states, chosen, weights = given
                return states, chosen, torch.where(chosen == where, make(weights), weights)
            return module, True, weigh

        def replace(value):
            value = value.clone()
            value[where] = make(value[where])
            return value
        return module, of_input, (lambda given: (replace(given[0]), *given[1:])) if of_input else replace

    def at(self, place, ids, source):
        """The numbers at a place of a run on these ids."""
        seen = []
        self.logits(ids, source, [self.change(place, lambda value: (seen.append(value.clone()), value)[1])])
        return seen[0]

    def hooks(self, changes):
        made = []
        for place in changes.get("off", []):
            made.append(self.change(place, torch.zeros_like))
        for place, factor in changes.get("scale", {}).items():
            made.append(self.change(place, lambda value, factor=factor: factor * value))
        for place, number in changes.get("put", {}).items():
            made.append(self.change(place, lambda value, number=number: torch.full_like(value, number)))
        for place in changes.get("mean", []):
            tokens = -1 if ".neuron:" in place else -2  # a neuron's numbers have no side of columns
            mean = self.at(place, *self.about["texts"]).mean(tokens, keepdim=True)
            made.append(self.change(place, lambda value, mean=mean: mean.expand_as(value)))
        for place in changes.get("patch", []):
            other = self.at(place, self.about["other"], self.about["other_source"] or None)
            made.append(self.change(place, lambda value, other=other: other))
        return made


def numbers(row):
    return [float(f"{value:.7g}") for value in row.tolist()]


def experiments(changed, golden):
    layers = len(changed.model.get_submodule(changed.names["layers"]))
    last = layers - 1
    softmax = last if "linear_attention" in changed.names else 1
    plain = changed.logits(golden["prompt"], golden.get("source"), [])[-1]

    def effect(place):
        """Of another run's numbers there: not every token is looked at."""
        made = changed.logits(golden["prompt"], golden.get("source"), changed.hooks({"patch": [place]}))[-1]
        return float((made - plain).abs().max())

    made = [
        {"off": [f"layer.{softmax}.attention.head:2"]},
        {"off": [f"layer.{softmax}.attention"]},
        {"off": ["layer.1.feed_forward"]},
        {"scale": {"layer.0.feed_forward": -0.5}},
        {"off": [f"layer.{softmax}.attention.head:0"], "scale": {f"layer.{last}.attention.head:1": 1.75}},
        {"patch": [max((f"stream.1@{token}" for token in (3, 7, 15, 17)), key=effect)]},
        {"patch": ["layer.1.feed_forward"]},
        {"patch": [f"layer.{softmax}.attention.head:1"]},
    ]
    if "experts" in changed.names:
        made += [{"off": [f"layer.1.feed_forward.expert:{k}" for k in (0, 1, 2)]},
                 {"scale": {"layer.1.feed_forward.expert:1": 3.0, "layer.1.feed_forward.expert:4": -2.0}}]
    if "linear_attention" in changed.names:
        made += [{"off": ["layer.1.linear_attention"]}, {"patch": ["layer.0.linear_attention"]},
                 {"scale": {"layer.1.linear_attention.head:4": -1.5}}]
    if "encoder" in changed.names:
        made += [{"off": ["encoder.layer.1.attention.head:3"]}, {"off": ["layer.2.cross_attention"]},
                 {"scale": {"encoder.layer.0.attention": 2.5}}, {"patch": ["encoder.stream.0@3"]},
                 {"off": ["layer.0.cross_attention.head:1"]}, {"off": ["encoder.layer.2.feed_forward"]}]
    if "neurons" in changed.names:
        made += [{"off": [f"layer.1.feed_forward.neuron:{n}" for n in range(1, 12)]},
                 {"put": {"layer.0.feed_forward.neuron:3": 4.0}}, {"mean": ["layer.1.feed_forward.neuron:5"]}]
    if "keys" in changed.names:
        token = max(range(len(golden["prompt"]) - 1), key=lambda at: effect(f"layer.0.attention.values@{at}"))
        made += [{"off": [f"layer.0.attention.keys@{token}"]},
                 {"put": {f"layer.1.attention.values.column:1@{token}": 40.0}}]
    if "experts" not in changed.names and "encoder" not in changed.names:
        made += [{"mean": [f"layer.{softmax}.attention.head:1"]}, {"mean": ["layer.0.feed_forward"]}]
    for each in made:
        logits = changed.logits(golden["prompt"], golden.get("source"), changed.hooks(each))[-1]
        if float((logits - plain).abs().max()) < 1e-3 * float(plain.abs().max()):
            sys.exit(f"changes.py: {each} changes nothing")
        each["logits"] = numbers(logits)
    return made


def rank(changed, golden):
    """Off minus on, by layer; of a layer with another mixer no heads, and null."""
    def log_probabilities(hooks):
        return torch.log_softmax(changed.logits(golden["prompt"], golden.get("source"), hooks)[-1].double(), -1)

    on = log_probabilities([])
    token = int(on.argmax())

    def without(place):
        return float(f"{float((log_probabilities(changed.hooks({'off': [place]})) - on)[token]):.7g}")

    made = {"token": token, "heads": [], "attention": [], "feed_forward": []}
    for index, layer in enumerate(changed.model.get_submodule(changed.names["layers"])):
        attends = not hasattr(layer, "linear_attn")
        heads = range(changed.heads) if attends else []
        made["heads"].append([without(f"layer.{index}.attention.head:{head}") for head in heads])
        made["attention"].append(without(f"layer.{index}.attention") if attends else None)
        made["feed_forward"].append(without(f"layer.{index}.feed_forward"))
    return made


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.splitlines()[0])
    out = pathlib.Path(sys.argv[1])
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(1)
    for name in sys.argv[2:] or MODELS:
        golden = json.loads((HERE / "runtime" / f"{name}.json").read_text(encoding="utf-8"))
        kind, fields = runtime.MODELS[name]
        model = runtime.build(golden["seed"], kind, dict(fields))
        # Other texts of the same length.
        about = {"other": golden["prompt"][::-1], "other_source": golden.get("source", [])[::-1]}
        changed = Changed(model, MODELS[name], about | {"texts": (golden["prompt"], golden.get("source"))})
        with torch.no_grad():
            about["changes"] = experiments(changed, golden)
            about["rank"] = rank(changed, golden) if runtime.generates(model) else None
        lines = ",\n".join(f' "{key}": ' + ("[\n  " + ",\n  ".join(json.dumps(each) for each in value) + "]"
                                            if key == "changes" else json.dumps(value))
                           for key, value in about.items())
        (out / f"{name}.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")
        print(f"{name}: {len(about['changes'])} changes")


if __name__ == "__main__":
    main()
