#!/usr/bin/env python3
# Makes the golden files of what models compute: logits, every layer's hidden states, and the next tokens.
"""usage: runtime.py OUT [NAME...]

For each of runtime_models.py (all, or those named) builds the model with transformers in float32, fills its weights by
the rule of core/runtime/fill_weights.hpp, and writes OUT/NAME.json (configuration, seed, prompt, continuation) and
OUT/NAME.safetensors ("logits" (T, V) and "hidden" (L + 1, T, d), before the final norm, copies of the stream side by
side; of an encoder beside the decoder "encoder" too, which reads the source; of a model that reads an image or sound
that, "numbers", in whose place the prompt holds zeros). A folder with a model as NAME (../../assets/models/tiny-stories)
is run with its own weights on a text of its prompts.json, and written by its last name. Needs torch, transformers and
safetensors; nothing is downloaded. As OUT give runtime.
"""
import json
import pathlib
import re
import sys
import tempfile

import numpy
import safetensors.torch
import torch
import transformers
from transformers.core_model_loading import revert_weight_conversion

sys.dont_write_bytecode = True  # no __pycache__ in the source tree
import from_transformers  # noqa: E402
from drawn import OUTPUTS_FIRST, STATE, shares, weights  # noqa: E402
from runtime_models import MODELS  # noqa: E402

TOKENS, MORE = 20, 8
SEEDS = range(1, 100)  # the first whose continuation is clear is used
# Text parts of larger models that have no class of their own with an output head, and that without.
TEXT_PARTS = {
    "emu3_text_model": "Emu3TextModel", "glm4v_moe_text": "Glm4vMoeTextModel", "glm4v_text": "Glm4vTextModel",
    "glm_ocr_text": "GlmOcrTextModel", "granite_docling_text": "GraniteDoclingTextModel",
    "hunyuan_vl_text": "HunYuanVLTextModel",
    "paddleocr_vl_text": "PaddleOCRTextModel", "qwen2_5_omni_text": "Qwen2_5OmniThinkerTextModel",
    "qwen3_omni_moe_text": "Qwen3OmniMoeThinkerTextModel", "qwen3_vl_moe_text": "Qwen3VLMoeTextModel",
}
AS_MODULES = ("esm", "olmo_hybrid", "vit_msn")  # of which transformers 5.23 makes names or cuts that no file has
# What a tied head shares with the embedding, and with a bias of another name.
HEAD = re.compile(r"^((lm_head\.out_proj|pred_layer\.proj|lm_head|head|generator_lm_head|vocab_projector|output_projection|decoder)\.weight"
                  r"|(lm_head|cls\.predictions|predictions)\.decoder\.\w+)$")
COMPUTED = re.compile(r"\.(slope_rate|(query|key|diagonal)_decay)$")  # stored, though a rule gives them


def as_published():
    """NLLB-MoE's experts as its paper has them: transformers 5.23 sends all tokens to the first two of them."""
    from transformers.models.nllb_moe.modeling_nllb_moe import NllbMoeExperts

    def forward(self, rows, _, shares):
        worked = torch.stack([self[f"expert_{each}"](rows) for each in range(self.num_experts)])  # (E, T, d)
        return (1 - self.moe_token_dropout) * torch.einsum("etd,te->td", worked, shares)

    NllbMoeExperts.forward = forward


class TextForCausalLM(torch.nn.Module):
    """The text part of a larger model, which transformers has no class for that ends in an output head."""

    main_input_name = "input_ids"

    def __init__(self, config):
        super().__init__()
        config._attn_implementation = config._experts_implementation = "eager"
        self.config, self.model = config, getattr(transformers, TEXT_PARTS[config.model_type])(config)
        self.lm_head = torch.nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        if getattr(config, "tie_word_embeddings", False):
            self.lm_head.weight = self.model.get_input_embeddings().weight
        self.base_model = self.model

    def forward(self, ids):
        scores = self.lm_head(self.model(ids).last_hidden_state)
        return transformers.modeling_outputs.CausalLMOutput(logits=scores / getattr(self.config, "logits_scaling", 1))

    def fill(self, seed, kind):
        """By the names of a checkpoint that has each expert's matrices by themselves, where the type's have."""
        apart = kind not in OUTPUTS_FIRST
        for name, tensor in dict(self.named_parameters()).items():
            draw = lambda name, shape: weights(seed, kind, name, tuple(shape))  # noqa: E731
            if name.endswith("experts.gate_up_proj") and apart:
                path, width = name.removesuffix("gate_up_proj"), tensor.shape[1] // 2
                own = [torch.cat([draw(f"{path}{expert}.{part}_proj.weight", (width, tensor.shape[2]))
                                  for part in ("gate", "up")]) for expert in range(len(tensor))]
                values = torch.stack(own)
            elif name.endswith("experts.down_proj") and apart:
                path = name.removesuffix("down_proj")
                values = torch.stack([draw(f"{path}{expert}.down_proj.weight", tensor.shape[1:])
                                      for expert in range(len(tensor))])
            else:
                values = draw(name, tensor.shape)
            tensor.data.copy_(values)
        for name, buffer in self.named_buffers():
            if name.endswith("correction_bias"):
                buffer.copy_(weights(seed, kind, name, tuple(buffer.shape)))
        return self.eval()


def build(seed, kind, fields):
    """The model with weights by the rule, loaded from a checkpoint in its published form."""
    config = transformers.CONFIG_MAPPING[from_transformers.SAME_AS.get(kind, kind)](**fields)
    if kind in TEXT_PARTS:
        return TextForCausalLM(config).fill(seed, kind)
    model = from_transformers.build(config)
    state = model.state_dict()
    stored = revert_weight_conversion(model, state) if kind not in AS_MODULES else dict(model.named_parameters())
    for name in ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight"):  # the shared table again
        stored.pop(name, None)
    ruled = [f"{name}.weight" for name, module in model.named_modules() if "Sinusoidal" in type(module).__name__]

    def shared(name):
        return (is_bart(model) or ".shared_transformer." in name) and name in model.all_tied_weights_keys

    for name in [name for name in stored if name in ruled or shared(name)]:
        stored.pop(name)
    # A T5 that says it is not tied is, until its checkpoint has both.
    # Some heads' biases, and LUKE's head, are their own all the same.
    tied = model.all_tied_weights_keys if kind in ("gte", "luke") else stored
    if fields.get("tie_word_embeddings", getattr(model.config, "tie_word_embeddings", False)):
        for name in [name for name in stored if HEAD.search(name) and name in tied]:
            stored.pop(name)
    if kind == "gpt_neox":  # transformers calls its output head so since version 5, checkpoints do not
        stored = {name.replace("lm_head.", "embed_out."): tensor for name, tensor in stored.items()}
    # A number without dimensions is a constant of the code (xIELU's bounds).
    fixed = lambda name, tensor: not tensor.dim() or COMPUTED.search(name)  # noqa: E731
    states = {STATE.sub("", name) for name in stored if STATE.search(name)}
    tensors = {name: tensor if fixed(name, tensor) else weights(seed, kind, name, tuple(tensor.shape), states)
               for name, tensor in stored.items()}
    tensors |= {name: tensor for name, tensor in state.items() if kind == "esm" and name.endswith("inv_freq")}
    with tempfile.TemporaryDirectory() as folder:
        config.save_pretrained(folder)
        safetensors.torch.save_file(tensors, pathlib.Path(folder, "model.safetensors"), {"format": "pt"})
        # Without SDPA, transformers 5.23 lowers Falcon's scores twice: in the mask and beside it.
        return load(type(model), folder, "sdpa" if fields.get("alibi") else "eager", ruled)


def is_bart(model):
    """Of the types whose tables are all tied, or none."""
    return model.config.is_encoder_decoder and hasattr(model.config, "encoder_ffn_dim")


def load(kind, folder, attention="eager", ruled=()):
    model, info = kind.from_pretrained(
        folder, dtype=torch.float32, attn_implementation=attention, experts_implementation="eager",
        output_loading_info=True)
    info["missing_keys"] = [name for name in info["missing_keys"] if name not in ruled]  # transformers computes them
    wrong = {key: value for key, value in info.items() if value}
    if wrong:
        sys.exit(f"runtime.py: {folder}: {wrong}")
    return model.eval()


def layers_of(model):
    found = [module for name, module in model.named_modules()
             if isinstance(module, torch.nn.ModuleList) and re.search(r"(^|\.)(layers|layer|albert_layers|h|blocks|block)$", name)]
    return found[0]


def encode(model, source):
    """What an encoder makes of its text, or its sound, layer by layer, (L + 1, S, d)."""
    encoder = model.get_encoder()
    given = source if torch.is_tensor(source) else torch.tensor([source])
    return watched(encoder, lambda: encoder(given), None if torch.is_tensor(source) else len(source))[1]


def numbers(seed, model):
    """An image, or sound, where the model reads that: one number after the other of a stream of their own."""
    config = getattr(model.config, "vision_config", None) or model.config
    if model.main_input_name == "pixel_values":
        sides = config.image_size if isinstance(config.image_size, (list, tuple)) else [config.image_size] * 2
        shape = [config.num_channels, *sides]
    elif model.main_input_name == "input_values":  # transformers has the moments first
        shape = [1, config.num_mel_bins, config.max_length]
    elif model.main_input_name == "input_features":
        shape = [config.num_mel_bins, 2 * config.max_source_positions]
    else:
        return None
    values = 2 * shares(seed, "numbers", int(numpy.prod(shape))) - 1
    return torch.from_numpy(values.astype(numpy.float32).reshape(shape))


@torch.no_grad()
def run_on_numbers(model, read):
    """The same as `run` of an image: scores of classes, (1, n_y), CLIP's row for all of it, (1, d), or the rows that
    leave the last layer."""
    given = read.transpose(1, 2) if model.main_input_name == "input_values" else read[None]
    made, hidden = watched(model, lambda: model(given))
    if model.config.model_type == "clip_vision_model":  # whose last norm is of that row alone
        return made.pooler_output, hidden
    return made.logits if "logits" in made else made.last_hidden_state[0], hidden


@torch.no_grad()
def run(model, ids, source=None):
    """Logits (T, V), or what a model without them makes of its input, (1, d) or (T, d); and hidden states
    (L + 1, T, d)."""
    if source is not None:
        given = {"decoder_input_ids": torch.tensor([ids])}
        given |= {"input_features": source} if torch.is_tensor(source) else {"input_ids": torch.tensor([source])}
        made, hidden = watched(model.get_decoder(), lambda: model(**given))
    else:
        types = {"token_type_ids": types_of(model, ids)} if has_types(model) else {}
        # XLM's layers are no modules, and DeBERTa 2's first is not all that its first layer is.
        beside = getattr(getattr(model.base_model, "encoder", None), "conv", None)
        if hasattr(model.base_model, "layer_norm_emb") or beside is not None:
            made = model(torch.tensor([ids]), output_hidden_states=True, **types)
            return made.logits[0], torch.cat(made.hidden_states)
        made, hidden = watched(model, lambda: model(torch.tensor([ids]), **types), len(ids))
    if "logits" in made:
        return made.logits[0], hidden
    return made.pooler_output if "pooler_output" in made else made.last_hidden_state[0], hidden


@torch.no_grad()
def watched(model, work, tokens=None):
    """What `work` makes, and meanwhile the hidden states around the model's layers, (L + 1, T, d)."""
    seen = []
    first = lambda value: value[0] if isinstance(value, (tuple, list)) else value  # noqa: E731
    layers = layers_of(model)

    def enter(_, given, named):  # once, though all layers may be one
        if not seen:
            seen.append(given[0] if given else named["hidden_states"])

    normed = getattr(layers[0], "pre_ln", getattr(layers[0], "pre_norm", None))
    if normed is not None:  # RWKV's first layer norms what was embedded
        hooks = [normed.register_forward_hook(lambda _, given, made: seen.append(made))]
    else:
        hooks = [layers[0].register_forward_pre_hook(enter, with_kwargs=True)]
    hooks += [layer.register_forward_hook(lambda _, given, made: seen.append(first(made))) for layer in layers]
    made = work()
    for hook in hooks:
        hook.remove()
    return made, torch.stack([rows_of(states)[:tokens] for states in seen])  # without padding


def rows_of(states):
    """A row a token: of several copies of the stream, (n, 1, T, d), all side by side."""
    return states[:, 0].transpose(0, 1).flatten(1) if states.dim() == 4 else states.reshape(-1, states.shape[-1])


def generates(model):
    if hasattr(model.base_model, "layer_norm_emb"):  # XLM's class is called so, and reads all at once
        return False
    return type(model).__name__.endswith(("ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "MTModel"))


def has_types(model):
    return (not generates(model) and getattr(model.config, "type_vocab_size", 0) > 0
            and model.config.model_type != "esm")


def holds_padding(model, ids):
    """Whether one of the tokens is padding to a model whose positions leave that out."""
    positions = getattr(getattr(model.base_model, "embeddings", None), "position_embeddings", None)
    if hasattr(model.base_model, "layer_norm_emb"):  # XLM takes it for the end
        return model.config.pad_token_id in ids
    if getattr(model.config, "mask_token_id", None) in ids:  # an ESM leaves those out
        return True
    if model.config.is_encoder_decoder:
        positions = getattr(model.get_encoder(), "embed_positions", None)
    return getattr(positions, "padding_idx", None) in ids


def types_of(model, ids):
    """The second half is of the last type."""
    last = model.config.type_vocab_size - 1
    return torch.tensor([[last * (place >= len(ids) // 2) for place in range(len(ids))]])


def continue_greedily(model, ids, source):
    """The likeliest next token again and again, each time from all tokens; nothing where two are nearly as likely."""
    ids, more = list(ids), []
    for _ in range(MORE):
        logits = run(model, ids, source)[0][-1]
        best, second = torch.topk(logits, 2).values.tolist()
        if best - second < 2e-3 * float(logits.abs().max()):
            return None
        more.append(int(logits.argmax()))
        ids.append(more[-1])
    return more


def prompt(seed, vocab):
    return [int(share * vocab) for share in shares(seed, "prompt", TOKENS)]


def write(out, name, model, ids, seed=None, fields=None):
    """Whether there was something to write: nothing where the continuation hangs on a rounding."""
    if holds_padding(model, ids):
        return False
    # A text of another length, for an encoder.
    source = list(reversed(ids))[: TOKENS - 3] if model.config.is_encoder_decoder else None
    read = numbers(seed, model)
    if read is not None and source:
        source = read[None]
    logits, hidden = run_on_numbers(model, read) if read is not None and source is None else run(model, ids, source)
    if not (torch.isfinite(logits).all() and torch.isfinite(hidden).all()):
        sys.exit(f"runtime.py: {name}: not finite")
    continuation = continue_greedily(model, ids, source) if generates(model) else []
    if continuation is None:
        return False
    about = {
        "made_by": f"{from_transformers.made_by(type(model))}, {type(model).__name__} in float32",
        "config": fields, "seed": seed, "prompt": ids, "continuation": continuation,
    }
    if read is not None and source is None:
        about["prompt"] = [0] * hidden.shape[1]
    if has_types(model):
        about["types"] = types_of(model, ids)[0].tolist()
    if source is not None:
        about["source"] = [0] * model.config.max_source_positions if torch.is_tensor(source) else source
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in about.items())
    (out / f"{name}.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    tensors = {"logits": logits.contiguous(), "hidden": hidden.contiguous()}
    if read is not None:
        tensors["numbers"] = read
    if source is not None:
        tensors["encoder"] = encode(model, source).contiguous()
    (out / f"{name}.safetensors").write_bytes(safetensors.torch.save(tensors))
    print(f"{name}: seed {seed}, hidden {float(hidden.abs().max()):.3g}, logits {float(logits.abs().max()):.3g}")
    return True


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.splitlines()[0])
    out = pathlib.Path(sys.argv[1])
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(1)
    as_published()
    for name in sys.argv[2:] or MODELS:
        folder = pathlib.Path(name)
        if (folder / "config.json").is_file():  # a model with weights of its own, and texts
            model = load(transformers.AutoModelForCausalLM, folder)
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
            texts = json.loads((folder / "prompts.json").read_text(encoding="utf-8"))["prompts"]
            written = any(write(out, folder.name, model, tokenizer(each["text"]).input_ids) for each in texts[1:])
        else:
            kind, fields = MODELS[name]
            config = {"model_type": kind} | fields
            words = fields.get("vocab_size", fields.get("src_vocab_size", 1))
            written = any(write(out, name, build(seed, kind, dict(fields)), prompt(seed, words), seed, config)
                          for seed in SEEDS)
        if not written:
            sys.exit(f"runtime.py: {name}: every continuation hangs on a rounding")


if __name__ == "__main__":
    main()
