#!/usr/bin/env python3
# Makes the headers of GGUF files as llama.cpp's converters write them: metadata, and each tensor's name and shape.
"""usage: gguf_headers.py LLAMA_CPP OUT [NAME...]

LLAMA_CPP is a checkout of llama.cpp (its folders conversion and gguf-py). For each of NAMES below (or those named)
builds the small model of runtime_models.py with transformers, converts it, and writes OUT/NAME.json: its configuration
as saved ("config"), the GGUF's "metadata", without what a tokenizer says but how many tokens there are, and in
"tensors" the name and the shape of each, outermost first. Needs torch, transformers and safetensors; nothing is
downloaded. As OUT give gguf_headers.
"""
import contextlib
import json
import math
import pathlib
import re
import sys
import tempfile

import numpy
import safetensors.torch
import torch
import transformers

sys.dont_write_bytecode = True
import runtime  # noqa: E402
from runtime_models import MODELS  # noqa: E402

# Of each the model that it is like, and what its file says besides.
NAMES = {
    "mamba": ("mamba", {"vocab_size": 40, "time_step_rank": 7}),
    "mamba-biases": ("mamba-biases", {"use_conv_bias": True}),
    "falcon_mamba": ("falcon_mamba", {}),
    "mamba2": ("mamba2", {"vocab_size": 48, "expand": 2}),
    "jamba": ("jamba", {}),
    "jamba-dense": ("jamba-biases", {"mamba_conv_bias": True, "mamba_proj_bias": False}),
    "granitemoehybrid": ("granitemoehybrid", {}),
    "granitemoehybrid-dense": ("granitemoehybrid-dense", {"mamba_proj_bias": False, "position_embedding_type": "nope"}),
    "falcon_h1": ("falcon_h1", {"head_dim": 8}),
    "falcon_h1-normed": ("falcon_h1-normed", {"head_dim": 8}),
    "nemotron_h": ("nemotron_h", {"d_head": 6}),
    "nemotron_h-experts": ("nemotron_h-experts", {"use_bias": False, "d_head": 6}),
    "lfm2": ("lfm2", {}),
    "lfm2_moe": ("lfm2_moe", {}),
    "qwen3_next": ("qwen3_next", {}),
    "qwen3_5_text": ("qwen3_5_text", {}),
    "qwen3_5_moe_text": ("qwen3_5_moe_text", {}),
    "kimi_linear": ("kimi_linear", {}),
    "rwkv6": ("rwkv6", {}),
    "rwkv7": ("rwkv7", {}),
    "bert": ("bert-pooler", {}),
    "distilbert": ("distilbert", {"architectures": ["DistilBertModel"]}),
    "t5": ("t5", {}),
    "t5-gated": ("t5-gated", {"tie_word_embeddings": True}),
    "t5-encoder": ("t5-encoder", {}),
    "umt5": ("umt5", {"num_layers": 3}),
    "nomic_bert": ("nomic_bert", {
        "architectures": ["NomicBertModel"], "n_positions": 8192, "activation_function": "swiglu", "causal": False,
        "qkv_proj_bias": False, "mlp_fc1_bias": False, "mlp_fc2_bias": False, "prenorm": False,
        "rotary_emb_fraction": 1.0, "rotary_emb_interleaved": False, "rotary_emb_scale_base": None}),
    "glm4_moe": ("glm4_moe", {}),
    "gemma3n_text": ("gemma3n_text", {"altup_num_inputs": 4, "vocab_size_per_layer_input": 40}),
    "gemma4_text": ("gemma4_text", {}),
    "gemma4_text-mixture": ("gemma4_text-mixture", {}),
    "gemma3_text-embedding": ("gemma3_text", {
        "architectures": ["Gemma3TextModel"], "use_bidirectional_attention": True,
        "layer_types": ["sliding_attention"] * 4}),
    "modernbert": ("modernbert", {"architectures": ["ModernBertModel"]}),
    "modernbert-biases": ("modernbert-biases", {
        "architectures": ["ModernBertModel"],
        "layer_types": ["full_attention", "sliding_attention", "sliding_attention"]}),
    "hunyuan_v1_dense": ("hunyuan_v1_dense", {}),
    "hunyuan_v1_moe": ("hunyuan_v1_moe", {}),
    "ernie4_5": ("ernie4_5", {}),
    "ernie4_5_moe": ("ernie4_5_moe", {}),
    "exaone_moe": ("exaone_moe", {}),
    "minimax_m2": ("minimax_m2", {"rotary_dim": 6}),
    "dots1": ("dots1", {}),
    "afmoe": ("afmoe", {}),
    "afmoe-biases": ("afmoe-biases", {}),
    "apertus": ("apertus", {}),
    "minicpm3": ("minicpm3", {}),
    "youtu": ("youtu", {}),
    "hy_v3": ("hy_v3", {}),
    "granitemoeshared": ("granitemoeshared", {}),
    "granitemoe_swa": ("granitemoe_swa", {}),
    "eurobert": ("eurobert", {"architectures": ["EuroBertModel"], "classifier_pooling": "mean"}),
    "seed_oss": ("seed_oss", {}),
    "arcee": ("arcee", {}),
    "phi3-longrope": ("phi3-longrope", {}),
    "gpt_bigcode-all-heads": ("gpt_bigcode-all-heads", {}),
    "deepseek_v3-raw": ("deepseek_v3-raw", {}),
}


def say_as_published(file):
    """What Kimi Linear's published configuration says in an object of its own, and transformers beside it."""
    config = json.loads(file.read_text(encoding="utf-8"))
    full = [at + 1 for at, word in enumerate(config["layer_types"]) if word == "full_attention"]
    config["linear_attn_config"] = {
        "full_attn_layers": full, "kda_layers": [at + 1 for at in range(len(config["layer_types"])) if at + 1 not in full],
        "head_dim": config["linear_head_dim"], "num_heads": config["linear_num_heads"],
        "short_conv_kernel_size": config["linear_conv_kernel_dim"]}
    config["first_k_dense_replace"] = config["mlp_layer_types"].index("sparse")
    file.write_text(json.dumps(config), encoding="utf-8")


def save(folder, kind, fields):
    """A model of these fields, as its published files are."""
    model = runtime.build(1, kind, dict(fields))
    model.config.architectures = [type(model).__name__]
    if "architectures" in fields:
        model.config.architectures = fields["architectures"]
    model.save_pretrained(folder)
    words = {f"<{i}>": i for i in range(model.config.vocab_size)}  # some converters count them
    tokenizer = {"model": {"type": "WordPiece", "vocab": words}, "added_tokens": []}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    if kind == "kimi_linear":  # dense layers as published: transformers 5.23 writes them under the mixture's name
        file = folder / "model.safetensors"
        tensors = {re.sub(r"block_sparse_moe\.((gate|up|down)_proj)", r"mlp.\1", key): tensor
                   for key, tensor in safetensors.torch.load_file(file).items()}
        safetensors.torch.save_file(tensors, file, {"format": "pt"})
        say_as_published(folder / "config.json")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if kind == "hunyuan_v1_moe":  # whose converter reads what published files say layer by layer
        listed = {"moe_intermediate_size": config["intermediate_size"], "moe_topk": config["moe_topk"],
                  "num_shared_expert": 1}
        listed = {key: [value] * config["num_hidden_layers"] for key, value in listed.items()}
        (folder / "config.json").write_text(json.dumps(config | listed), encoding="utf-8")
    return config


def finite(value):
    """JSON has no infinity."""
    if isinstance(value, list):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def header(llama, folder, config, out):
    """Metadata and tensors of the file that the converter makes of the folder."""
    sys.path[:0] = [str(llama), str(llama / "gguf-py")]
    import conversion
    import gguf

    made = conversion.get_model_class(config["architectures"][0])
    made.no_mtp = True
    made.set_vocab = lambda self: self.gguf_writer.add_token_list([f"<{i}>" for i in range(config["vocab_size"])])
    instance = made(folder, gguf.LlamaFileType.ALL_F32, out)
    instance.write()
    reader = gguf.GGUFReader(out)
    metadata = {}
    for key, field in reader.fields.items():
        if key.startswith(("GGUF.", "general.")) and key != "general.architecture":
            continue
        metadata[key] = finite(field.contents())
    tokens = metadata.pop("tokenizer.ggml.tokens", [])
    metadata["tokenizer.ggml.tokens"] = {"array": "string", "length": len(tokens)}
    tensors = {tensor.name: [int(side) for side in reversed(tensor.shape)] for tensor in reader.tensors}
    return metadata, tensors


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.splitlines()[0])
    llama, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(1)
    for name in sys.argv[3:] or NAMES:
        like, more = NAMES[name]
        kind, fields = MODELS[like]
        by = runtime.from_transformers.made_by(transformers.CONFIG_MAPPING[kind])
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
            folder = pathlib.Path(folder)
            config = save(folder / "model", kind, fields | more)
            metadata, tensors = header(llama, folder / "model", config, folder / "model.gguf")
        rows = ",\n  ".join(f"{json.dumps(each)}: {json.dumps(shape)}" for each, shape in tensors.items())
        plain = lambda value: value.item() if isinstance(value, numpy.generic) else value  # noqa: E731
        text = (f'{{\n "made_by": "{by} and llama.cpp\'s converter",\n'
                f' "config": {json.dumps(config)},\n "metadata": {json.dumps(metadata, default=plain)},\n'
                f' "tensors": {{\n  {rows}\n }}\n}}\n')
        (out / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}: {len(tensors)} tensors")


if __name__ == "__main__":
    main()
