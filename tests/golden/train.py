#!/usr/bin/env python3
# Makes the golden files of what models learn: losses, and what each parameter changes the loss by, by PyTorch.
"""usage: train.py OUT [NAME...]

For each of OUT/../runtime (all that read a text and have scores for tokens, or those named) builds the model as
runtime.py does, with its seed, and works out the loss of two lines, the prompt and the prompt backwards, of each token
the next, and behind the last the first. Writes OUT/NAME.json: the loss, and of each tensor of the checkpoint the length
of its gradient, and its first, middle and last number; and for FEW models the losses of
20 steps of AdamW. Needs torch, transformers and safetensors; nothing is downloaded. As OUT give train.
"""
import contextlib
import json
import math
import pathlib
import sys
import unittest.mock

import safetensors.torch
import torch
import transformers
from transformers.core_model_loading import revert_weight_conversion

sys.dont_write_bytecode = True
import runtime  # noqa: E402
from runtime_models import MODELS  # noqa: E402

STEPS, RATE, DECAY = 20, 1e-3, 0.1
FEW = ("llama", "gpt2", "qwen3", "mixtral", "bert", "bart", "gemma2", "mamba2")
SAMPLES = 3


# Of these the rounding of float32 is more than the test's room: their gradients are made in double precision.
DOUBLE = ("zamba2",)


@contextlib.contextmanager
def in_double():
    """What asks for float32 gets float64, as transformers' code does within its blocks."""
    def wide(kind):
        return torch.float64 if kind is torch.float32 else kind

    to, softmax = torch.Tensor.to, torch.nn.functional.softmax
    with unittest.mock.patch.multiple(
            torch.Tensor, float=torch.Tensor.double,
            to=lambda own, *kinds, **more: to(own, *map(wide, kinds), **{key: wide(each) for key, each in more.items()})), \
        unittest.mock.patch.object(
            torch.nn.functional, "softmax",
            lambda own, *dims, **more: softmax(own, *dims, **{key: wide(each) for key, each in more.items()})):
        yield


def logits_of(model, about, ids, source):
    if source is not None:
        return model(input_ids=source, decoder_input_ids=ids, use_cache=False).logits
    types = about.get("types")
    given = {"token_type_ids": torch.tensor([types, types[::-1]])} if types else {}
    try:
        return model(ids, use_cache=False, **given).logits
    except TypeError:
        return model(ids, **given).logits


def loss_of(model, about):
    prompt = about["prompt"]
    ids = torch.tensor([prompt, prompt[::-1]])
    source = torch.tensor([about["source"], about["source"][::-1]]) if "source" in about else None
    logits = logits_of(model, about, ids, source)
    return torch.nn.functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), ids.roll(-1, 1).reshape(-1))


def runs_as_before(model, about, file):
    """Whether the logits are those of the golden run."""
    ids = torch.tensor([about["prompt"], about["prompt"][::-1]])
    source = torch.tensor([about["source"], about["source"][::-1]]) if "source" in about else None
    expected = safetensors.torch.load_file(file)["logits"]
    with torch.no_grad():
        logits = logits_of(model, about, ids, source)
    return logits.dim() == 3 and logits.shape[1:] == expected.shape and \
        float((logits[0] - expected).abs().max()) < 1e-3 * float(expected.abs().max())


def places(count):
    return [share * (count - 1) // (SAMPLES - 1) for share in range(SAMPLES)]


def gradients(model, kind):
    """By the names of the checkpoint."""
    named = {name: tensor.grad if tensor.grad is not None else torch.zeros_like(tensor)
             for name, tensor in model.named_parameters()}
    if hasattr(model, "fill"):
        return named
    if kind not in runtime.AS_MODULES:
        named = revert_weight_conversion(model, named)
    if kind == "gpt_neox":
        named = {name.replace("lm_head.", "embed_out."): tensor for name, tensor in named.items()}
    return named


def learn(model, about):
    """Losses before each of the steps, and behind the last."""
    groups = [{"params": [each for each in model.parameters() if each.dim() > 1], "weight_decay": DECAY},
              {"params": [each for each in model.parameters() if each.dim() < 2], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=RATE)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = loss_of(model, about)
        losses.append(float(loss.detach()))
        loss.backward()
        optimizer.step()
    return losses + [float(loss_of(model, about).detach())]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.splitlines()[0])
    out = pathlib.Path(sys.argv[1])
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(1)
    runtime.as_published()
    for name in sys.argv[2:] or MODELS:
        source = out.parent / "runtime" / f"{name}.json"
        if not source.is_file():
            continue
        about = json.loads(source.read_text(encoding="utf-8"))
        if about["config"] is None:
            continue
        kind, fields = MODELS[name]
        try:
            model = runtime.build(about["seed"], kind, dict(fields)).float()
            for parameter in model.parameters():
                parameter.requires_grad_(True)
            for module in model.modules():  # of which the row of padding is trained like the others here
                if isinstance(module, torch.nn.Embedding) and "Sinusoidal" not in type(module).__name__:
                    module.padding_idx = None
            if not runs_as_before(model, about, out.parent / "runtime" / f"{name}.safetensors"):
                print(f"{name}: left out: this version of transformers builds another model of it")
                continue
            with in_double() if name in DOUBLE else contextlib.nullcontext():
                model = model.double() if name in DOUBLE else model
                loss = loss_of(model, about)
                loss.backward()
            found = {each: tensor for each, tensor in gradients(model, kind).items() if tensor.dim()}
            if not math.isfinite(float(loss.detach())) or not all(torch.isfinite(each).all() for each in found.values()):
                print(f"{name}: not finite")
                continue
            made = {"made_by": f"torch {torch.__version__}, transformers {transformers.__version__}", "loss": float(loss.detach()),
                    "gradients": {each: {"length": float(tensor.double().norm()),
                                         "numbers": [float(tensor.reshape(-1)[place]) for place in places(tensor.numel())]}
                                  for each, tensor in sorted(found.items())}}
            if name in FEW:
                made["losses"] = learn(model, about)
        except Exception as error:  # a class that has no scores for tokens, or reads no text
            print(f"{name}: left out: {type(error).__name__}: {str(error)[:100]}")
            continue
        rounded = json.loads(json.dumps(made), parse_float=lambda text: float(f"{float(text):.6g}"))
        (out / f"{name}.json").write_text(json.dumps(rounded, separators=(",", ":")) + "\n", encoding="utf-8")
        print(f"{name}: loss {float(loss.detach()):.6f}, {len(found)} tensors")


if __name__ == "__main__":
    main()
