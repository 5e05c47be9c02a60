#!/usr/bin/env python3
# Makes what llama.cpp makes of small models: the bytes of each recipe of llama-quantize, and those that it allocates.
"""usage: gguf_recipes.py LLAMA_CPP BUILD OUT [NAME...]

LLAMA_CPP is a checkout of llama.cpp, BUILD the folder that it was built in. For each of NAMES below (or those named)
builds the model of runtime_models.py, eight times as wide and six times as deep, converts it to GGUF in bfloat16, and
writes OUT/NAME.json: its configuration ("config"); in "recipes" the bytes that its tensors take by each recipe; in
"memory" rows of [tokens, sequences, type of keys and values, bytes of the caches and states], for which "windows" says
whether llama.cpp keeps less where a layer looks at no more than a window; and in "placed", of the file in q4_k_m and
1,024 tokens, rows of [layers that are to lie on another device, its buffers of weights, what of these fills them up
behind tensors or is a table of rotary frequencies, its caches and states, and the same three of the host's memory]. In
"recipes" tables of rotary frequencies are left out. A recipe that wants an importance matrix has one. Needs torch, transformers, safetensors and g++, and a free port of this machine; nothing is
downloaded. As OUT give gguf_recipes.
"""
import contextlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import torch
import transformers

sys.dont_write_bytecode = True
import gguf_headers  # noqa: E402
from runtime_models import MODELS  # noqa: E402

WIDER, DEEPER = 8, 6
ENDPOINT = "127.0.0.1:50552"
WIDTH = re.compile(
    r"^(hidden_size|n_embd|d_model|intermediate_size|intermediate_size_mlp|ffn_dim|n_inner|d_ff|d_kv|head_dim|"
    r"ffn_hidden_size|kv_lora_rank|q_lora_rank|qk_rope_head_dim|qk_nope_head_dim|v_head_dim|moe_intermediate_size|"
    r"shared_expert_intermediate_size|shared_intermediate_size|linear_key_head_dim|linear_value_head_dim|"
    r"linear_head_dim|mamba_d_head|mamba_head_dim|mamba_d_state|state_size|ssm_state_size|time_step_rank)$")
DEPTH = re.compile(r"^(num_hidden_layers|n_layer|num_layers|num_decoder_layers)$")
# Of each the model that it is like, and what else is said of it; what is None there is not said.
NAMES = {name: (name, {}) for name in (
    "llama", "llama-llama3", "mistral", "mixtral", "qwen2", "qwen3", "qwen3_moe", "gemma", "gemma2", "phi3",
    "falcon-grouped", "bloom", "starcoder2", "stablelm", "olmo2", "olmoe", "granite", "granitemoe", "deepseek_v2",
    "deepseek_v3", "glm4", "glm4_moe", "gpt_oss", "ernie4_5", "exaone4", "nemotron", "mamba", "mamba2",
    "falcon_mamba", "jamba", "lfm2", "lfm2_moe", "qwen3_next", "granitemoehybrid", "minicpm3", "t5",
    "phi", "olmo", "cohere", "arcee", "smollm3", "seed_oss", "dots1",
    "olmo3", "cohere2_moe", "granite_swa", "granitemoe_swa")} | {
    "gpt2": ("gpt2", {"n_ctx": 16384, "n_positions": 16384}),
    "gpt_bigcode": ("gpt_bigcode", {"n_positions": 16384}),
    "afmoe": ("afmoe", {"global_attn_every_n_layers": 4}),
    "qwen2_moe": ("qwen2_moe", {"decoder_sparse_step": 1}),
    "cohere2": ("cohere2", {"rotary_pct": 1.0}),
    "gpt_neox": ("gpt_neox", {"rotary_pct": 0.5}),
    "qwen3_5_text": ("qwen3_5_text", {"num_experts": None, "num_experts_per_tok": None}),
    "t5-gated": ("t5-gated", {"tie_word_embeddings": True}),
    "kimi_linear": ("kimi_linear", {"moe_router_activation_func": "sigmoid"}),
    "bert": ("bert-pooler", {}),
    "llama-70b": ("llama-one-key-head", {"num_hidden_layers": 80}),
    "gemma3_text": ("gemma3_text", {"sliding_window_pattern": 6}),
    "mellum": ("mellum", {"mlp_layer_types": ["sparse"] * 3}),
    "exaone4-32b": ("exaone4", {"num_hidden_layers": 64, "sliding_window_pattern": 4}),
    "llama4_text": ("llama4_text", {"attention_chunk_size": 8192}),
    "deepseek_v2-lite": ("deepseek_v2-lite", {"num_hidden_layers": 27}),
}
# Of these llama.cpp keeps all tokens, though they look at no more than a window of them.
WHOLE = ("exaone4", "mistral", "mixtral", "phi3", "qwen2", "starcoder2")
UNCOUNTED = re.compile(r"rope_freqs|rope_factors")
TENSOR = re.compile(r"\] (\S+) +- \[ *(\d+), *(\d+), *(\d+), *(\d+)\], type = +(\w+), .*?(?:\((\w+)\))?$")


def grown(fields):
    """Wider and deeper; lists with an entry a layer repeat."""
    depth = next((value for key, value in fields.items() if DEPTH.match(key)), None)
    deeper = DEEPER if depth and depth < 10 else 1

    def grow(key, value):
        if WIDTH.match(key) and isinstance(value, int):
            return value * WIDER
        if DEPTH.match(key) or (isinstance(value, list) and len(value) == depth):
            return value * deeper
        return grown(value) if isinstance(value, dict) else value

    return {key: grow(key, value) for key, value in fields.items()}


def convert(llama, folder, config, out):
    """The GGUF file that llama.cpp's converter makes of the folder."""
    sys.path[:0] = [str(llama), str(llama / "gguf-py")]
    import conversion
    import gguf

    def set_vocab(self):
        self.gguf_writer.add_token_list(list(words))
        self.gguf_writer.add_vocab_size(config["vocab_size"])
        self.gguf_writer.add_vocab_size = lambda size: None  # some converters say it as well

    words = {f"<{i}>": i for i in range(config["vocab_size"])}  # which Gemma 3's converter counts
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": words}, "added_tokens": []}))
    made = conversion.get_model_class(config["architectures"][0])
    made.no_mtp = True
    made.set_vocab = set_vocab
    made(folder, gguf.LlamaFileType.MOSTLY_BF16, out).write()
    return {key.name: size for key, size in gguf.GGML_QUANT_SIZES.items()}


def facts(text, sizes):
    """Bytes by recipe, rows of memory, and rows of where it is."""
    recipes, memory, placed = {}, [], []
    for line in text.splitlines():
        if line.startswith("recipe "):
            recipes[line.split()[1]] = 0
        elif line.startswith("memory "):
            _, tokens, sequences, kind, kept = line.split()
            memory.append([int(tokens), int(sequences), kind, int(kept)])
        elif line.startswith("placed "):
            placed.append([int(word) for word in line.split()[1:]])
        elif line.startswith("failed"):
            sys.exit("gguf_recipes.py: llama.cpp quantizes it not: " + text[:text.find("failed")].splitlines()[-1])
        elif (found := TENSOR.search(line)) and not UNCOUNTED.search(found[1]):
            numbers, size = sizes[(found[7] or found[6]).upper()]
            row, rows = int(found[2]), int(found[3]) * int(found[4]) * int(found[5])
            recipes[next(reversed(recipes))] += rows * (row // numbers) * size
    return recipes, memory, placed


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__.splitlines()[0])
    llama, build, out = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        program, libraries = folder / "llama_cpp", build / "bin"
        remote = llama / "ggml/src/ggml-rpc"
        subprocess.run(["g++", "-std=c++17", "-O1",
                        *(f"-I{llama / each}" for each in ("include", "ggml/include", "ggml/src", "src")),
                        pathlib.Path(__file__).parent / "llama_cpp.cpp", remote / "ggml-rpc.cpp",
                        remote / "transport.cpp", "-o", program, f"-L{libraries}", "-lllama", "-lggml", "-lggml-base",
                        "-lggml-cpu", "-lpthread", f"-Wl,-rpath,{libraries}"], check=True)
        for name in sys.argv[4:] or NAMES:
            like, more = NAMES[name]
            kind, fields = MODELS[like]
            said = {key: value for key, value in (fields | more).items() if value is not None}
            with contextlib.redirect_stdout(sys.stderr):
                model, file = folder / name, folder / f"{name}.gguf"
                config = gguf_headers.save(model, kind, grown(said))
                sizes = convert(llama, model, config, file)
            # Of what llama.cpp converts and does not run there are no rows of memory.
            said = subprocess.run([program, file, ENDPOINT], capture_output=True, text=True).stdout
            recipes, memory, placed = facts(said, sizes)
            if config.get("is_encoder_decoder"):  # llama.cpp takes room for a decoder with as many layers as the encoder
                memory, placed = [], []
            file.unlink()
            rows, places = (",\n  ".join(json.dumps(row) for row in all) for all in (memory, placed))
            (out / f"{name}.json").write_text(
                f'{{\n "made_by": "transformers {transformers.__version__} and llama.cpp",\n "config": {json.dumps(config)},\n'
                f' "recipes": {json.dumps(recipes)},\n "windows": {json.dumps(name not in WHOLE)},\n "memory": [\n  {rows}\n ],\n'
                f' "placed": [\n  {places}\n ]\n}}\n', encoding="utf-8")
            print(f"{name}: {recipes['q4_k_m']} bytes as q4_k_m", flush=True)


if __name__ == "__main__":
    main()
