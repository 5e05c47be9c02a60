#!/usr/bin/env python3
# Makes the golden files of whole multimodal models: text, tower and connector.
"""usage: whole.py [TYPE...]

Writes whole/TYPE.json for each type of TYPES and each of JOINED (all of them, or those named): every tensor of a small
model as its checkpoint has it, from a configuration that says its text part's and its tower's sizes. Needs what wrappers.py needs;
the same input gives the same bytes.
"""
import math
import pathlib
import re
import sys

import transformers
from transformers.core_model_loading import revert_weight_conversion

import make
import wrappers

TYPES = [
    "aria", "audioflamingo3", "aya_vision", "blip-2", "clip", "cohere2_vision", "cosmos3_omni", "deepseek_vl",
    "exaone4_5", "florence2", "gemma3", "gemma4", "glm46v",
    "glm4v", "glm4v_moe", "glm_ocr", "glmasr", "glmga", "idefics2", "idefics3", "instructblip", "internvl",
    "kimi_k25", "minicpmv4_6", "qianfan_ocr", "lfm2_vl", "lighton_ocr", "llama4", "omniasr",
    "llava", "llava_next", "llava_next_video", "llava_onevision", "metaclip_2", "mistral3", "ovis2",
    "paddleocr_vl", "paligemma", "pix2struct", "pp_formulanet",
    "qwen2_5_vl", "qwen2_audio", "qwen2_vl", "qwen3_asr", "qwen3_5", "qwen3_5_moe", "qwen3_vl", "qwen3_vl_moe", "siglip", "siglip2", "smolvlm",
    "video_llama_3",
    "video_llava", "vipllava", "voxtral",
]
# What one type alone says: of its text part, and of its tower.
ALSO = {
    "florence2": ({}, {"embed_dim": [16, 24], "depths": [1, 2], "num_heads": [2, 3], "num_groups": [4, 4],
                       "patch_size": [7, 3], "patch_stride": [4, 2], "patch_padding": [3, 1],
                       "patch_prenorm": [False, True], "projection_dim": 64, "max_position_embeddings": 10}),
    "pix2struct": ({"num_layers": 3, "num_heads": 4, "d_kv": 16, "d_ff": 96}, {"d_kv": 10, "d_ff": 40, "seq_len": 20}),
    "pp_formulanet": ({}, {"mlp_dim": 40, "global_attn_indexes": [1], "window_size": 3, "output_channels": 12,
                           "post_conv_in_channels": 12, "post_conv_mid_channels": 14, "post_conv_out_channels": 18,
                           "decoder_hidden_size": 64}),
}
BART = {"d_model": 64, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4,
        "decoder_attention_heads": 4, "encoder_ffn_dim": 72, "decoder_ffn_dim": 96}
# What a small tower says, where its type has the field.
SIZES = {
    "d_model": 48, "encoder_layers": 3, "encoder_attention_heads": 4, "encoder_ffn_dim": 80, "num_mel_bins": 20,
    "max_source_positions": 30, "downsample_hidden_size": 24, "output_dim": 64, "conv_dim": [12, 20, 28],
    "conv_kernel": [5, 3, 2], "conv_stride": [2, 2, 1], "num_conv_pos_embeddings": 8, "num_conv_pos_embedding_groups": 4,
    "hidden_size": 48, "embed_dim": 48, "intermediate_size": 80, "num_hidden_layers": 3, "depth": 3,
    "num_attention_heads": 4, "num_heads": 4, "image_size": 56, "patch_size": 14, "num_channels": 3,
    "out_hidden_size": 40, "num_position_embeddings": 36, "num_patches": 36, "num_key_value_heads": 2,
}
# By the names of its modules, where what transformers writes is named as no published file is.
AS_MODULES = {"cosmos3_omni", "qianfan_ocr"}
# Files of an encoder and a decoder that have a configuration each, by the names of their files here.
VIT = {"model_type": "vit", "hidden_size": 48, "intermediate_size": 80, "num_hidden_layers": 3, "num_attention_heads": 4,
       "image_size": [56, 28], "patch_size": 14}
BEIT = VIT | {"model_type": "beit"}
SWIN = {"model_type": "donut-swin", "embed_dim": 16, "depths": [1, 2, 1], "num_heads": [2, 4, 4], "window_size": 4,
        "image_size": [64, 48], "patch_size": 4, "mlp_ratio": 3.3}
WAV2VEC2 = {"model_type": "wav2vec2", "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
            "intermediate_size": 40, "conv_dim": [16, 16, 24], "conv_stride": [5, 2, 2], "conv_kernel": [10, 3, 2],
            "num_conv_pos_embeddings": 8, "num_conv_pos_embedding_groups": 4}
READS = {"is_decoder": True, "add_cross_attention": True}
SMALL_BERT = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96,
              "vocab_size": 97, "max_position_embeddings": 40}
SMALL_BART = {"vocab_size": 97, "d_model": 64, "decoder_layers": 3, "decoder_attention_heads": 4, "decoder_ffn_dim": 96,
              "max_position_embeddings": 40}
JOINED = {
    "vision-encoder-decoder-trocr": (VIT, {"model_type": "trocr", "cross_attention_hidden_size": 48} | SMALL_BART),
    "vision-encoder-decoder-gpt2": (VIT | {"model_type": "deit", "qkv_bias": False},
                                    {"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 4, "n_positions": 40,
                                     "vocab_size": 97, "bos_token_id": 0, "eos_token_id": 0} | READS),
    "vision-encoder-decoder-mbart": (SWIN, {"model_type": "mbart"} | SMALL_BART | READS),
    "vision-encoder-decoder-swin": (SWIN | {"model_type": "swin", "use_absolute_embeddings": True},
                                    {"model_type": "bart"} | SMALL_BART),
    "vision-encoder-decoder-bert": (VIT | {"hidden_size": 64}, {"model_type": "bert"} | SMALL_BERT | READS),
    "vision-encoder-decoder-roberta": (SWIN | {"use_absolute_embeddings": True},
                                       {"model_type": "roberta", "tie_word_embeddings": False} | SMALL_BERT | READS),
}
JOINED["vision-encoder-decoder-beit"] = (BEIT, {"model_type": "trocr", "cross_attention_hidden_size": 48} | SMALL_BART)
JOINED["vision-encoder-decoder-beit_of_distances"] = (
    BEIT | {"use_mask_token": True, "use_absolute_position_embeddings": True, "use_relative_position_bias": True,
            "use_shared_relative_position_bias": True, "use_mean_pooling": False, "layer_scale_init_value": 0.0},
    {"model_type": "roberta", "tie_word_embeddings": False} | SMALL_BERT | READS)
JOINED["speech-encoder-decoder-mbart"] = (WAV2VEC2 | {"add_adapter": True, "output_hidden_size": 24},
                                          {"model_type": "mbart"} | SMALL_BART | READS)
JOINED["speech-encoder-decoder-bert"] = (WAV2VEC2 | {"feat_extract_norm": "layer", "conv_bias": True},
                                         {"model_type": "bert"} | SMALL_BERT | READS)
# Paths that count.
COUNTED = re.compile(r"\.(layers|layer|blocks|deepstack_merger_list)\.\d+\.")


def config_of(kind):
    if kind in JOINED:
        encoder, decoder = JOINED[kind]
        return {"model_type": kind.rpartition("-")[0], "encoder": encoder, "decoder": decoder}
    config = wrappers.config_of(kind)
    whole = transformers.CONFIG_MAPPING[kind]()
    part = "vision_config" if hasattr(whole, "vision_config") else "audio_config"
    default = getattr(whole, part) or transformers.CONFIG_MAPPING[kind + "_vision"]()
    fields = default.to_dict()
    tower = {key: value for key, value in SIZES.items() if key in fields}
    text, also = ALSO.get(kind, ({}, {}))
    config[part] = {"model_type": default.model_type} | tower | config.get(part, {}) | also
    if "decoder_ffn_dim" in whole.text_config.to_dict():
        text = {key: value for key, value in BART.items() if key in whole.text_config.to_dict()} | text
        config["text_config"].pop("hidden_size", None)
    config["text_config"] |= text
    return config


def golden(kind):
    config = config_of(kind)
    model = wrappers.built(config)
    parameters = dict(model.named_parameters())
    stored = parameters if kind in AS_MODULES else revert_weight_conversion(model, parameters)
    rows = {}
    for name, tensor in stored.items():
        name = re.sub(r"\.experts\.\d+\.", ".experts.{e}.", COUNTED.sub(r".\1.{i}.", name))
        row = (name, tuple(tensor.shape))
        rows[row] = rows.get(row, 0) + 1
    tensors = [{"name": name, "shape": list(shape), "count": count} for (name, shape), count in sorted(rows.items())]
    return {
        "id": kind,
        "source": f"transformers {transformers.__version__}, {type(model).__name__} on the meta device",
        "total": sum(math.prod(tensor.shape) for tensor in stored.values()),
        "config": config,
        "tensors": tensors,
    }


def main():
    folder = pathlib.Path(__file__).resolve().parent / "whole"
    folder.mkdir(exist_ok=True)
    transformers.logging.set_verbosity_error()
    for kind in sys.argv[1:] or [*TYPES, *JOINED]:
        try:
            model = golden(kind)
        except Exception as e:
            print(kind, type(e).__name__, str(e)[:300], file=sys.stderr)
            continue
        make.check(model)
        (folder / f"{kind}.json").write_text(make.text(model), encoding="utf-8")


if __name__ == "__main__":
    main()
