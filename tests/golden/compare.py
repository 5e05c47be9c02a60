#!/usr/bin/env python3
# Compares what Headcount counts with what transformers builds: random small configurations, and one field changed at a time.
"""usage: compare.py HEADCOUNT WHAT [TYPE...]

WHAT is a mapping of transformers (causal, masked, seq2seq, image, ctc) or `fields`. Of each type in the mapping (or those
named) the default configuration and small random ones are built on PyTorch's meta device; of `fields` small causal models
are built anew with one field after the other changed. Each is asked of HEADCOUNT with every field in its file, and with
those alone that are not the default. Prints a line for each type, and those that differ whole.
Environment: SEED (1) draws others, DRAWS (2) says how many. Needs torch and transformers; nothing is downloaded.
"""
import collections
import json
import logging
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import torch
import transformers
from transformers.core_model_loading import revert_weight_conversion
from transformers.models.auto import modeling_auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

MAPPINGS = {
    "causal": ("AutoModelForCausalLM", modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES),
    "masked": ("AutoModelForMaskedLM", modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES),
    "seq2seq": ("AutoModelForSeq2SeqLM", modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES),
    "image": ("AutoModelForImageClassification", modeling_auto.MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES),
    "ctc": ("AutoModelForCTC", modeling_auto.MODEL_FOR_CTC_MAPPING_NAMES),
}
# Whatever a type calls them. Sizes are distinct, so that one in another's place shows.
HEADS = {"num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads", "decoder_attention_heads"}
WIDTHS = {"hidden_size", "d_model", "n_embd", "dim"}
LAYERS = {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers", "decoder_layers",
          "num_decoder_layers"}
FEED_FORWARDS = {"intermediate_size", "n_inner", "d_ff", "ffn_dim", "encoder_ffn_dim", "decoder_ffn_dim", "hidden_dim",
                 "moe_intermediate_size", "shared_expert_intermediate_size"}
KEPT = {"model_type", "transformers_version", "architectures", "torch_dtype", "dtype"}


def small(fields, draw):
    """The type's own fields with small sizes, as far as it has them."""
    heads, head_dim = draw.choice([2, 4]), draw.choice([8, 16])
    groups = draw.choice([each for each in (1, 2, 4) if heads % each == 0])
    sizes = {"num_key_value_heads": groups, "head_dim": head_dim, "d_kv": head_dim, "vocab_size": draw.randrange(90, 120)}
    for names, value in ((HEADS, heads), (WIDTHS, heads * head_dim), (LAYERS, draw.choice([2, 3]))):
        sizes |= {name: value for name in names}
    for name in sorted(FEED_FORWARDS):
        sizes[name] = draw.choice([40, 48, 56])
    changed = {name: value for name, value in sizes.items() if isinstance(fields.get(name), int)}
    changed |= {name: not value for name, value in fields.items()
                if isinstance(value, bool) and "bias" in name and draw.random() < 0.3}
    changed |= {name: draw.random() < 0.5 for name in fields if name == "tie_word_embeddings"}
    return changed


def stored(config, auto):
    """What it stores, by name and shape, as save_pretrained names it and as its modules do, and the class that was built."""
    with torch.device("meta"):
        model = getattr(transformers, auto).from_config(config)
    parameters = dict(model.named_parameters())
    forms = [parameters]
    try:
        forms.append(revert_weight_conversion(model, parameters))
    except Exception:  # no form of its own
        pass
    return [{name: tuple(tensor.shape) for name, tensor in form.items()} for form in forms], type(model).__name__


def counted(headcount, config):
    """The same of HEADCOUNT, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "config.json").write_text(json.dumps(config, default=str), encoding="utf-8")
        ran = subprocess.run([headcount, "tensors", folder, "--json"], capture_output=True, text=True)
    if ran.returncode:
        return None, ran.stderr.strip().replace(folder, ".")
    told = "not verified" in ran.stderr or "assumed" in ran.stderr
    return {row["name"]: tuple(row["shape"]) for row in json.loads(ran.stdout)}, "said to be about" if told else ""


def verdict(headcount, config, forms, built):
    """Of both files: "exact", "refused" or "wrong", and what is said."""
    whole = config.to_dict() | {"architectures": [built]}
    sparse = config.to_diff_dict() | {"architectures": [built], "model_type": config.model_type}
    answers = []
    for file in (whole, sparse):
        found, says = counted(headcount, file)
        if found is None:
            answers.append(("refused", says))
        elif any(found == form for form in forms):
            answers.append(("exact", says))
        else:
            near = min(forms, key=lambda form: len(set(form.items()) ^ set(found.items())))
            apart = sorted(set(near.items()) ^ set(found.items()))[:4]
            answers.append(("about" if says else "wrong", f"{sum_of(found):,} for {sum_of(near):,}: {apart}"))
    order = ["wrong", "about", "refused", "exact"]
    return min(answers, key=lambda answer: order.index(answer[0]))


def sum_of(form):
    return sum(torch.Size(shape).numel() for shape in form.values())


def drawn(kind, draws, seed):
    """What is changed of the default configuration: nothing, and then sizes."""
    yield {}
    for number in range(draws):
        yield small(CONFIG_MAPPING[kind]().to_dict(), random.Random(f"{kind} {seed} {number}"))


def with_one_changed(kind, seed):
    """What makes a small model, and the same with one field after the other as it is not."""
    base = small(CONFIG_MAPPING[kind]().to_dict(), random.Random(f"{kind} {seed}"))
    try:
        fields = CONFIG_MAPPING[kind](**base).to_dict()
    except Exception:  # its sizes hang together: as it is by itself
        base, fields = {}, CONFIG_MAPPING[kind]().to_dict()
    yield base
    for name, value in fields.items():
        if name in KEPT or not isinstance(value, (bool, int, float)):
            continue
        other = (not value) if isinstance(value, bool) else value * 2 if value else 1
        yield base | {name: other}


def main():
    if len(sys.argv) < 3 or sys.argv[2] not in [*MAPPINGS, "fields"]:
        sys.exit(__doc__.splitlines()[0])
    headcount, what = sys.argv[1:3]
    seed, draws = os.environ.get("SEED", "1"), int(os.environ.get("DRAWS", "2"))
    transformers.logging.set_verbosity_error()
    logging.disable(logging.WARNING)
    auto, mapping = MAPPINGS["causal" if what == "fields" else what]
    sums = collections.Counter()
    for kind in sys.argv[3:] or sorted(mapping):
        answers, said = collections.Counter(), []
        try:
            CONFIG_MAPPING[kind]()
        except Exception:  # asks for fields
            print(f"{kind}: not drawn")
            continue
        for changed in with_one_changed(kind, seed) if what == "fields" else drawn(kind, draws, seed):
            try:
                config = CONFIG_MAPPING[kind](**changed)
                forms, built = stored(config, auto)
            except Exception:
                answers["not built"] += 1
                continue
            answer, says = verdict(headcount, config, forms, built)
            answers[answer] += 1
            if answer in ("wrong", "about"):
                said.append(f"    {answer} with {changed}: {says}")
        sums.update(answers)
        counts = ", ".join(f"{count} {answer}" for answer, count in sorted(answers.items()))
        print(f"{kind}: {counts}", *said, sep="\n", flush=True)
    print("all:", dict(sums))
    sys.exit(sums["wrong"] > 0)


if __name__ == "__main__":
    main()
