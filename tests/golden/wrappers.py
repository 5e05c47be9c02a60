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
    "aria", "audioflamingo3", "aya_vision", "blip-2", "cohere2_vision", "cosmos3_edge", "cosmos3_omni",
    "deepseek_ocr2", "deepseek_vl", "deepseek_vl_hybrid", "dots3_note", "ernie4_5_vl_moe", "exaone4_5", "fast_vlm",
    "fun_asr_nano", "gemma3", "glm46v", "glm4v", "glm5_next", "glm_ocr", "glmasr", "got_ocr2", "granite_speech",
    "granite_speech_plus", "hunyuan_vl", "idefics2", "idefics3", "inkling2", "instructblip", "instructblipvideo",
    "internvl", "janus", "kimi_k25", "kosmos-2", "kosmos-2.5", "lighton_ocr", "llama4", "llava", "llava_next",
    "llava_next_video", "llava_onevision", "mistral3", "mistral_large4", "molmo2", "moss_transcribe_diarize",
    "muse_glimmer", "muse_spark", "musicflamingo", "omniasr", "ovis2", "paligemma", "pp_chart2table", "qianfan_ocr",
    "qwen2_5_vl", "qwen2_audio", "qwen2_vl", "qwen3_asr", "qwen3_vl", "qwen3_vl_moe", "shieldgemma2", "smolvlm",
    "step3p7", "unlimited_ocr", "vibevoice", "vibevoice_asr", "video_llama_3", "video_llava", "vipllava", "voxtral",
]
# What a small text part says, where its type has the field.
SIZES = {
    "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 131, "max_position_embeddings": 128,
    "ffn_dim": 96, "word_embed_proj_dim": 64, "intermediate_size_mlp": 112, "num_local_experts": 4,
    "n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "moe_intermediate_size": 40,
    "first_k_dense_replace": 1, "q_lora_rank": 24, "kv_lora_rank": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8,
    "v_head_dim": 8, "embed_dim": 64, "layers": 2, "attention_heads": 4, "additional_vocab_size": 5,
    "moe_num_experts": 4, "moe_k": 2, "moe_hidden_size": 48, "share_expert_dim": 56, "index_n_heads": 2,
    "index_head_dim": 16, "linear_num_heads": 2, "linear_head_dim": 16, "index_kpool": 4, "hc_mult": 2,
    "swa_num_attention_heads": 2, "swa_num_key_value_heads": 1, "swa_head_dim": 24, "d_rel": 8, "rel_extent": 20,
    "sliding_window_size": 12,
}
# What else these need to be small, or to be built at all.
ALSO = {
    "aya_vision": {"vision_config": {"hidden_size": 64, "num_attention_heads": 4}},
    "ovis2": {"hidden_size": 64, "vocab_size": 131},  # by which it sizes its head
    "fun_asr_nano": {"adaptor_config": {"hidden_size": 64, "intermediate_size": 16}},
    "dots3_note": {"vision_config": {"adapter_out_dim": 64}, "audio_config": {"adapter_out_dim": 64}},
    "inkling2": {"vision_config": {"text_hidden_size": 64}},
    "muse_spark": {"audio_config": {"out_hidden_size": 64}},
}
# What the text part of these says besides, or in another way.
TEXT_ALSO = {
    "cosmos3_edge": {"rope_parameters": {"rope_type": "default", "rope_theta": 1e8, "mrope_section": [4, 2, 2]}},
    "deepseek_ocr2": {"mlp_layer_types": ["dense", "sparse"], "num_key_value_heads": 4},
    "dots3_note": {"num_hidden_layers": 3, "pad_token_id": None, "num_key_value_heads": 4, "shared_experts_intermediate_size": 24,
                   "layer_types": ["indexed_attention", "sliding_attention", "full_attention"], "use_dsa": True,
                   "swa_num_attention_heads": 2, "swa_num_key_value_heads": 2, "swa_q_lora_rank": 12,
                   "swa_kv_lora_rank": 20, "swa_head_dim": 24, "swa_qk_nope_head_dim": 14, "swa_v_head_dim": 6},
    "ernie4_5_vl_moe": {"moe_intermediate_size": [40, 24], "rope_parameters": {
        "rope_type": "default", "rope_theta": 500000.0, "mrope_section": [3, 3, 2]}},
    "glm5_next": {"num_hidden_layers": 4, "num_key_value_heads": 4, "qk_rope_head_dim": 0, "pad_token_id": None},
    "inkling2": {"num_hidden_layers": 3, "layer_types": ["hybrid_sliding", "hybrid", "hybrid_sliding"]},
    "mistral_large4": {"num_hidden_layers": 4, "num_key_value_heads": 4, "no_rope_layers": [1, 0, 1, 1],
                       "kv_source_layers": [0, 1, 0, 3], "indexer_types": ["full", "full", "shared", "full"]},
    "muse_spark": {"mlp_layer_types": ["dense", "sparse"]},
    "step3p7": {"layer_types": ["full_attention", "sliding_attention"], "mlp_layer_types": ["dense", "sparse"],
                "sliding_window": 16, "num_sliding_attention_heads": 6},
}
# Those whose tensors are named as transformers' modules have them: files of the whole name towers as they do the text.
BY_MODULES = {"deepseek_ocr2", "ernie4_5_vl_moe", "inkling2", "mistral_large4", "molmo2", "unlimited_ocr"}
# And those named as the whole's file has them, where transformers knows no names of the text part alone.
BY_WHOLE = {"step3p7"}
WORDS = [None, True, False]
MAPPINGS = ["IMAGE_TEXT_TO_TEXT", "SEQ_TO_SEQ_CAUSAL_LM", "SPEECH_SEQ_2_SEQ", "MULTIMODAL_LM"]


def class_of(kind):
    for mapping in MAPPINGS:
        found = getattr(modeling_auto, f"MODEL_FOR_{mapping}_MAPPING_NAMES").get(kind)
        if found:
            return getattr(transformers, found)
    return getattr(transformers, modeling_auto.MODEL_MAPPING_NAMES[kind])  # of two encoders beside each other


def config_of(kind):
    """The smallest configuration that says its text part's type and sizes."""
    default = transformers.CONFIG_MAPPING[kind]().text_config
    fields = default.to_dict()
    text = {key: value for key, value in SIZES.items() if key in fields}
    if text.get("intermediate_size") and kind == "llama4":
        text["interleave_moe_layer_step"] = 2
    text = {"model_type": default.model_type} | text | TEXT_ALSO.get(kind, {})
    return {"model_type": kind} | ALSO.get(kind, {}) | {"text_config": text}


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


def text_inside(config):
    """The module of the whole that looks words up."""
    whole = built(config)
    words = whole.get_input_embeddings()
    return next(module for module in whole.modules() if any(child is words for child in module.children()))


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
        prefix = "model."
        try:
            with torch.device("meta"):
                model = transformers.AutoModel.from_config(made)
        except ValueError:  # nor a model of its own
            model = text_inside(config)
    parameters, state = dict(model.named_parameters()), model.state_dict()
    buffers = {name: state[name] for name, _ in model.named_buffers() if name in state}
    if config["model_type"] in BY_WHOLE:
        whole = built(config)
        named = revert_weight_conversion(whole, dict(whole.named_parameters()))
        stored, kept = {name.removeprefix(prefix): tensor for name, tensor in named.items()
                        if name.startswith(prefix)}, {}
    elif config["model_type"] in BY_MODULES or not hasattr(model, "config"):
        stored, kept = parameters, {}
    else:
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
