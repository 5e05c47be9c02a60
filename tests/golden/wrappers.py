#!/usr/bin/env python3
# Makes the golden files of models that wrap a language model, to read pictures or sound besides.
"""usage: wrappers.py [TYPE...]

Writes wrappers/TYPE.json for each type of WRAPPERS (all of them, or those named): the tensors of the language model
inside, as its checkpoint has them and without an output head, and whether the wrapper that transformers builds has a
head of its own, for every pair of words on tie_word_embeddings: the whole's and its text part's, each true, false or
absent. Needs what from_transformers.py needs, and pillow and timm for some; the same input gives the same bytes.
"""
import itertools
import json
import pathlib
import re
import sys

import torch
import transformers
from transformers import initialization
from transformers.core_model_loading import revert_weight_conversion
from transformers.models.auto import modeling_auto

import from_transformers
import make

WRAPPERS = [
    "aria", "audioflamingo3", "aya_vision", "blip-2", "cohere2_vision", "cosmos3_omni", "deepseek_vl",
    "deepseek_vl_hybrid", "exaone4_5", "fast_vlm", "fun_asr_nano", "gemma3", "glm46v",
    "glm4v", "glm_ocr", "glmasr", "got_ocr2", "granite_speech", "granite_speech_plus", "hunyuan_vl",
    "idefics2", "idefics3", "instructblip", "instructblipvideo", "internvl", "janus", "kimi_k25", "lighton_ocr",
    "llama4", "llava", "llava_next", "llava_next_video", "llava_onevision", "mistral3", "moss_transcribe_diarize",
    "musicflamingo", "omniasr", "ovis2", "paligemma", "pp_chart2table", "qianfan_ocr", "qwen2_5_vl", "qwen2_audio", "qwen2_vl",
    "qwen3_asr", "qwen3_vl", "qwen3_vl_moe", "shieldgemma2", "smolvlm", "vibevoice", "vibevoice_asr", "video_llama_3",
    "video_llava", "vipllava", "voxtral",
]
# What a small text part says, where its type has the field.
SIZES = {
    "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 131, "max_position_embeddings": 128,
    "ffn_dim": 96, "word_embed_proj_dim": 64, "intermediate_size_mlp": 112, "num_local_experts": 4,
    "n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "moe_intermediate_size": 40,
    "first_k_dense_replace": 1, "q_lora_rank": 24, "kv_lora_rank": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8,
    "v_head_dim": 8,
}
# What else these need to be small, or to be built at all.
ALSO = {
    "aya_vision": {"vision_config": {"hidden_size": 64, "num_attention_heads": 4}},
    "ovis2": {"hidden_size": 64, "vocab_size": 131},  # by which it sizes its head
    "fun_asr_nano": {"adaptor_config": {"hidden_size": 64, "intermediate_size": 16}},
}
WORDS = [None, True, False]
MAPPINGS = ["IMAGE_TEXT_TO_TEXT", "SEQ_TO_SEQ_CAUSAL_LM", "SPEECH_SEQ_2_SEQ", "MULTIMODAL_LM"]


def class_of(kind):
    for mapping in MAPPINGS:
        found = getattr(modeling_auto, f"MODEL_FOR_{mapping}_MAPPING_NAMES").get(kind)
        if found:
            return getattr(transformers, found)
    raise KeyError(kind)


def config_of(kind):
    """The smallest configuration that says its text part's type and sizes."""
    default = transformers.CONFIG_MAPPING[kind]().text_config
    fields = default.to_dict()
    text = {key: value for key, value in SIZES.items() if key in fields}
    if text.get("intermediate_size") and kind == "llama4":
        text["interleave_moe_layer_step"] = 2
    return {"model_type": kind} | ALSO.get(kind, {}) | {"text_config": {"model_type": default.model_type} | text}


def with_words(config, whole, text):
    config = json.loads(json.dumps(config))
    for fields, word in ((config, whole), (config["text_config"], text)):
        if word is not None:
            fields["tie_word_embeddings"] = word
    return config


def built(config):
    fields = {key: value for key, value in config.items() if key != "model_type"}
    made = transformers.CONFIG_MAPPING[config["model_type"]](**fields)
    with torch.device("meta"), initialization.no_init_weights():
        model = class_of(config["model_type"])(made)
    model.tie_weights()
    return model


def text_alone(config):
    """The language model as a model of its own, in the names of its checkpoint and without an output head."""
    text = config["text_config"]
    made = transformers.CONFIG_MAPPING[text["model_type"]](
        **{key: value for key, value in text.items() if key != "model_type"}
    )
    try:
        with torch.device("meta"):
            model = transformers.AutoModelForCausalLM.from_config(made)
        prefix = ""
    except ValueError:  # no head of its own
        with torch.device("meta"):
            model = transformers.AutoModel.from_config(made)
        prefix = "model."
    parameters, state = dict(model.named_parameters()), model.state_dict()
    buffers = {name: state[name] for name, _ in model.named_buffers() if name in state}
    stored = revert_weight_conversion(model, parameters | buffers)
    kept = revert_weight_conversion(model, buffers)
    inner = {name: tuple(tensor.shape) for name, tensor in parameters.items() if not name.startswith("lm_head.")}
    return {prefix + name: tensor for name, tensor in stored.items()
            if name not in kept and not name.startswith("lm_head.")}, inner


def head_of(model, inner):
    """The shape of an output head of its own, or None. The text part must be the whole's, tensor for tensor."""
    held = {name: tuple(tensor.shape) for name, tensor in model.named_parameters()}
    words = next(name for name in inner if re.search(r"embed_tokens\.weight$", name))
    ends = [name for name in held if name.endswith("." + words.removeprefix("model."))
            and not re.search("vision|visual|audio|talker|codec", name)]
    start = min(ends, key=len).removesuffix(words.removeprefix("model."))
    for name, shape in inner.items():
        if held.get(start + name.removeprefix("model.")) != shape:
            sys.exit(f"wrappers.py: {type(model).__name__} has no {start + name} {shape}")
    heads = [shape for name, shape in held.items() if re.search(r"(^|\.)lm_head\.weight$", name)]
    return list(heads[0]) if heads else None


def golden(kind):
    config = config_of(kind)
    stored, inner = text_alone(config)
    heads = []
    for whole, text in itertools.product(WORDS, WORDS):
        head = head_of(built(with_words(config, whole, text)), inner)
        heads.append({"whole": whole, "text": text, "head": head})
    rows = from_transformers.rows(stored)
    return {
        "id": kind,
        "source": f"transformers {transformers.__version__}, {class_of(kind).__name__} on the meta device",
        "total": sum(tensor.numel() for tensor in stored.values()),
        "config": config,
        "heads": heads,
        "tensors": rows,
    }


def main():
    folder = pathlib.Path(__file__).resolve().parent / "wrappers"
    folder.mkdir(exist_ok=True)
    transformers.logging.set_verbosity_error()
    for kind in sys.argv[1:] or WRAPPERS:
        model = golden(kind)
        make.check(model)
        (folder / f"{kind}.json").write_text(make.text(model), encoding="utf-8")


if __name__ == "__main__":
    main()
