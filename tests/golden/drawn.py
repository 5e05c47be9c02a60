# The rule that draws a small model's weights, of core/runtime/fill_weights.hpp, by the names of a checkpoint.
import re

import numpy
import torch

# What published files of a type call the tensors of the type that it is built as.
PUBLISHED = {"exaone": {
    "model.embed_tokens": "transformer.wte", "model.layers": "transformer.h", "model.norm": "transformer.ln_f",
    "self_attn.o_proj": "attn.attention.out_proj", "self_attn": "attn.attention", "input_layernorm": "ln_1",
    "post_attention_layernorm": "ln_2", "gate_proj": "c_fc_0", "up_proj": "c_fc_1", "down_proj": "c_proj",
}}
WORD = (1 << 64) - 1
GOLDEN_RATIO = 0x9E3779B97F4A7C15

# What kinds of tensors there are, by their names in checkpoints.
NORM = re.compile(r"[nN]orm|(^|[._])ln\d?[_.]")
TABLE = re.compile(
    r"(embed_tokens|embed_tokens_per_layer|embed_positions|transformer\.w|tokens_embed|positions_embed|wte|wpe|word_embeddings|position_embeddings"
    r"|token_type_embeddings|embed_in|position_embedding"
    r"|tok_embeddings|(backbone|transformer|rwkv|model)\.embeddings|(^|\.)shared|relative_attention_bias|rel_embeddings)\.weight$"
    r"|(^|\.)(cls_token|class_embedding|distillation_token|mask_token|register_tokens|position_embeddings|lambda_?[12]|correct_output_scale)$")
CHOOSES = re.compile(  # queries, keys (and what is fused with them), routers
    r"(?<!linear_attn)\.(q_proj|k_proj|[qk]_proj\.linear|W[qk]|query_proj|key_proj|longformer_self_attn\.query|longformer_self_attn\.key|self\.query|self\.key|attention\.query|attention\.key|[qk]_lin|\w+Attention\.[qk]|attn\.[qk]|q_b_proj|query_key_value"
    r"|c_attn|qkv_proj|Wqkv|self\.in_proj|router"
    r"|router\.layer|router\.proj|router\.classifier|router\.gate|gate\.wg|mlp\.gate|mixer\.gate|feed_forward\.gate"
    r"|block_sparse_moe\.gate)\.weight$")
INPUTS_FIRST = re.compile(r"\.h\.\d+\.(attn|mlp)\.c_(attn|proj|fc)\.weight$")  # of GPT and GPT-2
STACKED = re.compile(r"\.experts\.((gate_up|down)_proj|fc[12]\.weight)$")  # [experts, in, out]
EXPERTS = re.compile(STACKED.pattern + r"|\.(input|output)_linear\.weight$")  # and where they are [experts, out, in]
LOW_RANK = re.compile(r"\.time_(maa|decay)_w[12]$")  # [in, out], or of each of five
BY_HEAD = re.compile(r"\.rg_lru\.\w+_gate_weight$")  # the same of a matrix for each block of columns
OUTPUTS_FIRST = ("gemma4_text", "granitemoe_swa", "mistral4", "qwen3_vl_moe_text")  # types that store them [experts, out, in]
ADDS_ONE = ("gemma", "t5gemma", "vaultgemma", "recurrent_gemma", "nemotron", "qwen3_next", "qwen3_5")  # families whose norms add 1 to their weights
OWN_NORMS = ("nemotron_h", "gemma3n", "gemma4")  # and types of these that do not
DECAY = re.compile(r"\.(A_log|recurrent_param|time_decay)$")
STATE = re.compile(r"\.(A_log|time_decay|r_k|output_gate\.weight)$")  # beside which nothing chooses
STATE_NORM = re.compile(r"\.(mixer|linear_attn)\.norm\.weight$")  # to which none does


def mix(x):
    """SplitMix64's last steps, on arrays of uint64."""
    x = (x ^ (x >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return x ^ (x >> numpy.uint64(31))


def shares(seed, name, count):
    """u(i) of core/runtime/fill_weights.hpp."""
    key = 0xCBF29CE484222325
    for byte in name.encode():
        key = (key ^ byte) * 0x100000001B3 & WORD
    with numpy.errstate(over="ignore"):
        stream = mix(numpy.array([key + seed * GOLDEN_RATIO & WORD], dtype=numpy.uint64))
        steps = numpy.arange(1, count + 1, dtype=numpy.uint64) * numpy.uint64(GOLDEN_RATIO)
        return (mix(stream + steps) >> numpy.uint64(40)).astype(numpy.float64) / 2**24


def center_and_spread(kind, name, shape, states):
    if name.endswith(("bias", "sinks", "softmax_offset")) or (kind == "rwkv6" and name.endswith("time_decay")):
        return 0.0, 0.5
    if STATE_NORM.search(name) or name.endswith((".D", ".layer_scalar", "router.scale", "per_expert_scale")):
        return 1.0, 0.5
    if NORM.search(".".join([part for part in name.split(".") if not part.isdigit()][-2:])):
        return (0.0 if kind.startswith(ADDS_ONE) and not kind.startswith(OWN_NORMS) else 1.0), 0.5
    if DECAY.search(name):
        return 0.0, 1.0
    if TABLE.search(name):
        return 0.0, 1.0
    first = STACKED if kind not in ("gpt2", "openai-gpt") else INPUTS_FIRST
    inputs_first = first.search(name) and kind not in OUTPUTS_FIRST
    # All that a filter multiplies are its inputs.
    inputs = shape[-2] if inputs_first or BY_HEAD.search(name) or LOW_RANK.search(name) else numpy.prod(shape[1:]) if len(shape) > 2 and ".conv1d." not in name \
        and not EXPERTS.search(name) else shape[-1]
    gain = 2.0 if CHOOSES.search(name) and name.rsplit(".", 2)[0] not in states else 1.0
    return 0.0, 1.7320508075688772 * gain / numpy.sqrt(float(inputs))


def weights(seed, kind, name, shape, states=()):
    """`states`: what mixers with a state are called."""
    for usual, published in PUBLISHED.get(kind, {}).items():
        name = name.replace(usual, published)
    center, spread = center_and_spread(kind, name, shape, states)
    values = center + spread * (2 * shares(seed, name, int(numpy.prod(shape))) - 1)
    return torch.from_numpy(values.astype(numpy.float32).reshape(shape))
