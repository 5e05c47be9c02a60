#!/usr/bin/env python3
# Makes adapter_flops.json: how many operations PyTorch counts in passes of small models with PEFT's adapters.
"""usage: adapter_flops.py

Builds each of MODELS with random weights, puts PEFT's adapters on it, and writes adapter_flops.json beside itself: of
each way to adapt it the operations of all matrix products of a forward pass without gradients, `inference`, and of one
forwards and backwards, `training`, of every query against every key. Left out are convolutions, whose rows transformers
pads, and the angles of positions, which are no matrix of the model. With magnitudes PEFT multiplies both matrices with a
unit matrix first: of that the product of both alone is counted. Needs torch, transformers and peft; nothing is
downloaded, and the same versions always give the same bytes.
"""
import json
import pathlib
import warnings

import torch
import transformers
from peft import LoraConfig, get_peft_model
from torch.utils.flop_counter import FlopCounterMode

OUT = pathlib.Path(__file__).resolve().parent / "adapter_flops.json"
TOKENS, BATCH, SOURCE = 7, 2, 5
LLAMA = {
    "vocab_size": 97, "hidden_size": 64, "intermediate_size": 112, "num_hidden_layers": 3, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 64, "head_dim": 16, "tie_word_embeddings": False,
}
MODELS = {
    "llama": (LLAMA, [["q_proj", "v_proj"], ["down_proj"], ["k_proj"], "all"]),
    "gpt2": (
        {"vocab_size": 97, "n_embd": 48, "n_layer": 3, "n_head": 4, "n_positions": 64},
        [["c_attn"], ["c_fc"], "all"],
    ),
    "phi3": (LLAMA | {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}, [["qkv_proj"], ["o_proj"], "all"]),
    "t5": (
        {"vocab_size": 97, "d_model": 48, "d_kv": 12, "d_ff": 80, "num_layers": 3, "num_heads": 4,
         "num_decoder_layers": 2, "is_encoder_decoder": True, "tie_word_embeddings": True},
        [["q", "v"], ["wo"], "all"],
    ),
    "qwen3_moe": (
        LLAMA | {"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 40, "decoder_sparse_step": 1,
                 "mlp_only_layers": []},
        [["q_proj", "v_proj"]],
    ),
    "lfm2": (
        LLAMA | {"num_hidden_layers": 5, "layer_types": ["conv", "conv", "full_attention", "conv", "full_attention"],
                 "block_auto_adjust_ff_dim": False, "conv_L_cache": 3, "tie_word_embeddings": True},
        [["q_proj", "v_proj"], ["in_proj"], ["w2"]],
    ),
    "deepseek_v3": (
        LLAMA | {"num_key_value_heads": 4, "head_dim": 8, "q_lora_rank": 20, "kv_lora_rank": 24, "qk_rope_head_dim": 8,
                 "qk_nope_head_dim": 12, "v_head_dim": 16, "first_k_dense_replace": 1, "n_routed_experts": 4,
                 "num_experts_per_tok": 2, "moe_intermediate_size": 40, "n_shared_experts": 1, "n_group": 2,
                 "topk_group": 1},
        [["kv_b_proj"], ["q_a_proj", "o_proj"]],
    ),
}
RANK = 4


def built(kind, fields):
    config = transformers.AutoConfig.for_model(kind, **fields)
    config._attn_implementation = "eager"
    config._experts_implementation = "eager"
    seq = getattr(config, "is_encoder_decoder", False)
    auto = transformers.AutoModelForSeq2SeqLM if seq else transformers.AutoModelForCausalLM
    torch.manual_seed(0)
    return auto.from_config(config, attn_implementation="eager"), seq


def products(counter):
    """Of everything that was counted, convolutions apart."""
    return sum(n for op, n in counter.get_flop_counts().get("Global", {}).items() if "convolution" not in str(op))


def counted(model, given, trains):
    angles = [module for name, module in model.named_modules() if name.endswith("rotary_emb")]
    counter, turned = FlopCounterMode(display=False), FlopCounterMode(display=False)
    for module in angles:  # once a pass, of all positions
        with turned, torch.no_grad():
            module(torch.zeros(1, TOKENS, 1), torch.arange(TOKENS)[None])
    with counter, torch.set_grad_enabled(trains):
        logits = model(**given, use_cache=False).logits
        if trains:
            logits.sum().backward()
    return products(counter) - (products(turned) if angles else 0)


def way(kind, fields, targets, magnitudes):
    model, seq = built(kind, fields)
    config = LoraConfig(r=RANK, target_modules="all-linear" if targets == "all" else targets, use_dora=magnitudes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = get_peft_model(model, config)
    given = {"input_ids": torch.randint(0, 97, (BATCH, SOURCE if seq else TOKENS))}
    if seq:
        given["decoder_input_ids"] = torch.randint(0, 97, (BATCH, TOKENS))
    unit = 0
    for module in model.modules():
        if magnitudes and hasattr(module, "lora_A") and len(module.lora_A):
            unit += 2 * module.in_features**2 * RANK
    row = {"targets": targets, "rank": RANK, "magnitudes": magnitudes}
    if not magnitudes:
        row["inference"] = counted(model.eval(), given, False)
    row["training"] = counted(model.train(), given, True) - unit
    row["trained"] = sum(each.numel() for each in model.parameters() if each.requires_grad)
    return row


def main():
    found = {}
    for kind, (fields, targets) in MODELS.items():
        ways = [way(kind, fields, each, False) for each in targets]
        if kind in ("llama", "phi3"):
            ways.append(way(kind, fields, targets[0], True))
        found[kind] = {"config": {"model_type": kind} | fields, "ways": ways}
    text = {"tokens": TOKENS, "batch": BATCH, "source": SOURCE, "models": found}
    OUT.write_text(json.dumps(text, indent=1) + "\n")


main()
