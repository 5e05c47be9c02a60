#!/usr/bin/env python3
# Adds to gguf_recipes what llama-quantize makes of small models with an importance matrix, where it chooses otherwise.
"""usage: gguf_imatrix.py LIBLLAMA gguf_recipes [NAME...]

For each of MODELS (or those named) writes a GGUF file of zeros with the tensors that llama.cpp's converter makes of its
configuration, and asks LIBLLAMA (libllama.so, of 2026 or newer) for a dry run of every recipe. Where all recipes that
the model's file has take the bytes that it says, those of q5_0, q4_0, iq4_nl and iq4_xs with an importance matrix are
added to it; else what differs is printed. gguf_recipes.py makes all of them at once, and needs llama.cpp itself. Needs
numpy, cffi and gguf.
"""
import json
import pathlib
import re
import sys
import tempfile

import cffi
import gguf
import numpy

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
# Each model's architecture there, and what it has beside a norm and a matrix each for queries, keys, values, output,
# gate, up and down. `fused`: queries, keys and values are one matrix.
MODELS = {
    "llama": ("llama", ""), "llama-70b": ("llama", ""), "mistral": ("llama", ""), "mixtral": ("llama", ""),
    "qwen2": ("qwen2", "qkv_bias"), "qwen3": ("qwen3", "head_norms"), "gemma": ("gemma", "tied"),
    "gemma2": ("gemma2", "tied norms_behind"), "granite": ("granite", ""),
    "arcee": ("arcee", "ungated biases"), "phi3": ("phi3", "fused fused_gate"),
    "olmo2": ("olmo2", "norms_behind no_norms_before wide_norms"),
    "falcon-grouped": ("falcon", "fused ungated layer_norm two_norms"),
    "gpt2": ("gpt2", "fused ungated biases layer_norm tied positions"),
    "starcoder2": ("starcoder2", "ungated biases layer_norm tied"),
}
SCALES = ("logit_scale", "residual_scale", "embedding_scale", "attention.scale")  # Granite's
WHOLE = re.compile(r"norm|bias|ffn_gate_inp|position_embd")  # in 32 bits
TENSOR = re.compile(r"\] (\S+) +- \[ *(\d+), *(\d+), *(\d+), *(\d+)\], type = +(\w+), .*?(?:\((\w+)\))?$")
RECIPE = re.compile(r'\{"(\w+)", LLAMA_FTYPE_(\w+), (true|false)\}')
HEADER = """
typedef struct { const char * name; const float * data; size_t size; } llama_model_imatrix_data;
typedef struct {
    int32_t nthread; int ftype; int output_tensor_type; int token_embedding_type; bool allow_requantize;
    bool quantize_output_tensor; bool only_copy; bool pure; bool keep_split; bool dry_run;
    const llama_model_imatrix_data * imatrix; const void * kv; const void * types; const int32_t * prune; size_t most;
} llama_model_quantize_params;
llama_model_quantize_params llama_model_quantize_default_params(void);
uint32_t llama_model_quantize(const char * file, const char * out, const llama_model_quantize_params * params);
void llama_log_set(void (*log)(int level, const char * text, void * data), void * data);
"""


def sizes_of(config):
    say = lambda *names: next((config[name] for name in names if config.get(name) is not None), None)
    dim, heads = say("hidden_size", "n_embd"), say("num_attention_heads", "n_head")
    return {
        "dim": dim, "heads": heads, "layers": say("num_hidden_layers", "n_layer"), "vocab": config["vocab_size"],
        "keys": say("num_key_value_heads", "num_kv_heads") or heads, "head": say("head_dim") or dim // heads,
        "ffn": say("intermediate_size", "ffn_hidden_size") or 4 * dim, "experts": say("num_local_experts") or 0,
        "positions": say("n_positions") or 0, "tied": config.get("tie_word_embeddings"),
    }


def tensors(has, at):
    """Names and shapes, outputs first."""
    found, dim = {}, at["dim"]

    def put(name, *shape, bias=False):
        found[name + ".weight"] = list(shape)
        if bias:
            found[name + ".bias"] = list(shape[:1])

    def norm(name, width=dim):
        put(name, width, bias="layer_norm" in has)

    put("token_embd", at["vocab"], dim)
    if at["tied"] is False or (at["tied"] is None and "tied" not in has):
        put("output", at["vocab"], dim)
    if "positions" in has:
        put("position_embd", at["positions"], dim)
    queries, keys, biases = at["heads"] * at["head"], at["keys"] * at["head"], "biases" in has
    for layer in range(at["layers"]):
        block = f"blk.{layer}."
        if "no_norms_before" not in has:
            norm(block + "attn_norm")
            norm(block + ("attn_norm_2" if "two_norms" in has else "ffn_norm"))
        if "norms_behind" in has:
            norm(block + "post_attention_norm")
            norm(block + "post_ffw_norm")
        if "head_norms" in has or "wide_norms" in has:
            wide = "wide_norms" in has
            norm(block + "attn_q_norm", queries if wide else at["head"])
            norm(block + "attn_k_norm", keys if wide else at["head"])
        if "fused" in has:
            put(block + "attn_qkv", queries + 2 * keys, dim, bias=biases)
        else:
            for name, rows in (("attn_q", queries), ("attn_k", keys), ("attn_v", keys)):
                put(block + name, rows, dim, bias=biases or "qkv_bias" in has)
        put(block + "attn_output", dim, queries, bias=biases)
        ffn, experts = at["ffn"], at["experts"]
        if experts:
            put(block + "ffn_gate_inp", experts, dim)
        many, last = ([experts], "_exps") if experts else ([], "")
        if "ungated" not in has and "fused_gate" not in has:
            put(block + "ffn_gate" + last, *many, ffn, dim)
        put(block + "ffn_up" + last, *many, 2 * ffn if "fused_gate" in has else ffn, dim, bias=biases and not experts)
        put(block + "ffn_down" + last, *many, dim, ffn, bias=biases and not experts)
    norm("output_norm")
    return found


def write(file, arch, has, at):
    writer = gguf.GGUFWriter(file, arch)
    for key, number in (("block_count", at["layers"]), ("context_length", 64), ("embedding_length", at["dim"]),
                        ("feed_forward_length", at["ffn"]), ("attention.head_count", at["heads"]),
                        ("attention.head_count_kv", at["keys"]), ("attention.key_length", at["head"]),
                        ("attention.value_length", at["head"]), ("rope.dimension_count", at["head"]),
                        ("vocab_size", at["vocab"])):
        writer.add_uint32(f"{arch}.{key}", number)
    if at["experts"]:
        writer.add_uint32(f"{arch}.expert_count", at["experts"])
        writer.add_uint32(f"{arch}.expert_used_count", 2)
    for key in ("attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon", *(SCALES if arch == "granite" else ())):
        writer.add_float32(f"{arch}.{key}", 1.0)
    writer.add_array("tokenizer.ggml.tokens", [f"<{i}>" for i in range(at["vocab"])])
    for name, shape in tensors(has, at).items():
        if WHOLE.search(name):
            writer.add_tensor(name, numpy.zeros(shape, dtype=numpy.float32))
        else:
            half = numpy.zeros(shape[:-1] + [2 * shape[-1]], dtype=numpy.uint8)
            writer.add_tensor(name, half, raw_shape=half.shape, raw_dtype=gguf.GGMLQuantizationType.BF16)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Quantizer:
    """llama-quantize's dry runs."""

    def __init__(self, library):
        self.ffi = cffi.FFI()
        self.ffi.cdef(HEADER)
        self.llama = self.ffi.dlopen(library)
        self.said = []
        self.log = self.ffi.callback("void(int, const char *, void *)", lambda _, text, __: self.said.append(
            self.ffi.string(text).decode("utf-8", "replace")))
        self.llama.llama_log_set(self.log, self.ffi.NULL)
        self.one, self.name = self.ffi.new("float *", 1.0), self.ffi.new("char[]", b"none")
        self.matrix = self.ffi.new("llama_model_imatrix_data[2]", [[self.name, self.one, 1], [self.ffi.NULL] * 2 + [0]])

    def bytes_of(self, file, kind, importance):
        how = self.ffi.new("llama_model_quantize_params *", self.llama.llama_model_quantize_default_params())
        how.nthread, how.ftype, how.dry_run = 1, kind, True
        how.imatrix = self.matrix if importance else self.ffi.NULL
        self.said.clear()
        if self.llama.llama_model_quantize(str(file).encode(), b"", how) != 0:
            sys.exit("gguf_imatrix.py: it is not quantized: " + "".join(self.said)[-300:])
        total = 0
        for found in filter(None, map(TENSOR.search, "".join(self.said).splitlines())):
            numbers, size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[(found[7] or found[6]).upper()]]
            total += int(found[3]) * int(found[4]) * int(found[5]) * (int(found[2]) // numbers) * size
        return total


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.splitlines()[0])
    quantizer, folder = Quantizer(sys.argv[1]), pathlib.Path(sys.argv[2])
    recipes = RECIPE.findall((HERE / "llama_cpp.cpp").read_text(encoding="utf-8"))
    for name in sys.argv[3:] or MODELS:
        path, (arch, has) = folder / f"{name}.json", MODELS[name]
        text = path.read_text(encoding="utf-8")
        golden = json.loads(text)
        with tempfile.TemporaryDirectory() as scratch:
            file = pathlib.Path(scratch) / "model.gguf"
            write(file, arch, has.split(), sizes_of(golden["config"]))
            made = {key: quantizer.bytes_of(file, gguf.LlamaFileType[kind], need == "true") for key, kind, need in recipes}
        old = golden["recipes"]
        differ = [key for key, size in made.items() if not key.endswith("_imatrix") and size != old[key]]
        if not differ:
            path.write_text(text.replace(json.dumps(old), json.dumps(made)), encoding="utf-8")
        print(name, f"differs in {', '.join(differ)}" if differ else made["iq4_xs_imatrix"], flush=True)


if __name__ == "__main__":
    main()
