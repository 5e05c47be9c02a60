// Llama models as llama.cpp writes them: its names for tensors, and the keys of a small one.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "tests/core/runtime/weight_file.hpp"

namespace headcount::testing_data {

// llama.cpp's words for those of published checkpoints.
inline constexpr std::pair<const char*, const char*> llama_cpp_names[] = {{"model.embed_tokens", "token_embd"},
                                                                          {"model.norm", "output_norm"},
                                                                          {"lm_head", "output"},
                                                                          {"model.layers.", "blk."},
                                                                          {"self_attn.q_proj", "attn_q"},
                                                                          {"self_attn.k_proj", "attn_k"},
                                                                          {"self_attn.v_proj", "attn_v"},
                                                                          {"self_attn.o_proj", "attn_output"},
                                                                          {"self_attn.q_norm", "attn_q_norm"},
                                                                          {"self_attn.k_norm", "attn_k_norm"},
                                                                          {"mlp.gate_proj", "ffn_gate"},
                                                                          {"mlp.up_proj", "ffn_up"},
                                                                          {"mlp.down_proj", "ffn_down"},
                                                                          {"mlp.gate.", "ffn_gate_inp."},
                                                                          {"mlp.experts.gate_proj", "ffn_gate_exps"},
                                                                          {"mlp.experts.up_proj", "ffn_up_exps"},
                                                                          {"mlp.experts.down_proj", "ffn_down_exps"},
                                                                          {"input_layernorm", "attn_norm"},
                                                                          {"post_attention_layernorm", "ffn_norm"}};

inline void rename(NamedNumbers& tensor, std::span<const std::pair<const char*, const char*>> names = llama_cpp_names) {
    for (const auto& [published, own] : names)
        if (const std::size_t at = tensor.name.find(published); at != std::string::npos)
            tensor.name.replace(at, std::string(published).size(), own);
}

// Of a model of two layers, 32 wide, with 4 heads and 2 of keys and values.
inline GgufFile llama_keys() {
    GgufFile keys;
    keys.text("general.architecture", "llama").number("llama.block_count", 2).number("llama.embedding_length", 32);
    keys.number("llama.attention.head_count", 4).number("llama.attention.head_count_kv", 2);
    keys.number("llama.feed_forward_length", 64).number("llama.context_length", 64).number("llama.vocab_size", 50);
    return keys;
}

}  // namespace headcount::testing_data
