// What GGUF's tensors are called in the checkpoints that Hugging Face publishes, and how the two are cut differently.
// llama.cpp's converters decide the former (gguf-py/gguf/tensor_mapping.py), each model's authors the latter.
#pragma once

#include <string>
#include <string_view>

namespace headcount {

// How a tensor of GGUF is the published one's.
enum class Fit {
    same,
    bare,         // the published name has no ".weight"
    conv1d,       // published [in, out]; GGUF has [out, in]
    each_expert,  // GGUF stacks what is published expert by expert
    stacked,  // published stacked too, [experts, in, out], and bare; GGUF has [experts, out, in], cut in two by name
    stacked_rows,   // published stacked too, [experts, out, in]; GGUF cuts it in two
    each_head,      // GGUF stacks what is published head by head
    one_row,        // published [1, in], in GGUF [in]
    qkv,            // published as three tensors, in GGUF one below the other
    latent_keys,    // [heads, rank, nope]: the keys' rows of the published [heads * (nope + value), rank]
    latent_values,  // [heads, value, rank]: the values' rows of it
};

struct PublishedName {
    std::string name;  // with {e} for every expert, {h} for every head, {qkv} for q, k and v; empty: not known
    Fit fit = Fit::same;
};

// For one of GGUF's architectures ("llama", "qwen3moe"): "blk.3.attn_q.weight" is
// "model.layers.3.self_attn.q_proj.weight". `two_norms`: Falcon's later decoder, whose attention and feed-forward have
// a norm each, under names of their own.
PublishedName find_published_name(std::string_view architecture, std::string_view gguf_name, bool two_norms = false);

// Whether llama.cpp writes the tensor though no checkpoint has it: the rotary embedding's factors.
bool added_by_gguf(std::string_view gguf_name);

}  // namespace headcount
