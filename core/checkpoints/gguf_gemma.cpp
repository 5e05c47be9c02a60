// GGUF metadata as the config.json of Gemmas whose layers differ in more than a window (llama.cpp,
// conversion/gemma.py).
#include <cmath>
#include <numbers>

#include "core/checkpoints/gguf_hybrid.hpp"

namespace headcount {
namespace {

using nlohmann::json;

// What both have: which layers have a window, which borrow keys and values, what each has of a token by itself.
void read_common(Hybrid& made) {
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.number("attention.head_count", "num_attention_heads");
    made.number("context_length", "max_position_embeddings");
    made.epsilon("rms_norm_eps");
    made.number("attention.sliding_window", "sliding_window");
    made.number("attention.shared_kv_layers", "num_kv_shared_layers");
    made.number("embedding_length_per_layer_input", "hidden_size_per_layer_input");
    made.put("vocab_size_per_layer_input", made.side({"model.embed_tokens_per_layer.weight"}));
    made.real("final_logit_softcapping", "final_logit_softcapping");
    json kinds = json::array();
    for (const json& windowed : made.each("attention.sliding_window_pattern"))
        kinds.push_back(windowed == true ? "sliding_attention" : "full_attention");
    if (kinds.size() != static_cast<std::size_t>(made["num_hidden_layers"].get<std::int64_t>()))
        made.fail(not_said("which layers have a window"));
    made["layer_types"] = std::move(kinds);
}

// The number of layers that have a window, or of those that have none; what the file says of all where it does so.
Number number_of(Hybrid& made, const char* key, bool windowed) {
    const std::vector<json> all = made.each(key), kinds = made.each("attention.sliding_window_pattern");
    if (all.empty()) return made.key(key);
    Number found;
    for (std::size_t layer = 0; layer < std::min(all.size(), kinds.size()); ++layer) {
        if ((kinds[layer] == true) != windowed) continue;
        const Number own = all[layer].is_number_integer() ? Number(all[layer].get<std::int64_t>()) : std::nullopt;
        if (!own || (found && found != own))
            made.fail(not_said("one number for all layers of a kind (" + std::string(key) + ")"));
        found = own;
    }
    return found;
}

// The share of a normal distribution that is below so many standard deviations.
double share_below(double deviations) {
    const double share = (1 + std::erf(deviations / std::numbers::sqrt2)) / 2;
    return std::round(share * 1e6) / 1e6;  // the file has it in 32 bits
}

}  // namespace

void read_gemma3n(Hybrid& made) {
    made.type("gemma3n_text");
    read_common(made);
    made.number("attention.key_length", "head_dim");
    made.number("attention.head_count_kv", "num_key_value_heads");
    made.number("feed_forward_length", "intermediate_size");
    made.number("altup.num_inputs", "altup_num_inputs");
    made.number("altup.active_idx", "altup_active_idx");
    made.put("laurel_rank", made.side({"*.laurel.linear_left.weight"}));
    made.real("rope.freq_base", "rope_theta");
    made.real("rope.freq_base_swa", "rope_local_base_freq");
    json shares = json::array();
    for (const json& scale : made.each("activation_sparsity_scale"))  // where none, minus infinity
        shares.push_back(scale.is_number() && std::isfinite(scale.get<double>()) ? share_below(scale.get<double>())
                                                                                 : 0.0);
    made["activation_sparsity_pattern"] = std::move(shares);
}

void read_gemma4(Hybrid& made) {
    made.type("gemma4_text");
    read_common(made);
    made.number("attention.key_length_swa", "head_dim");
    made.number("attention.key_length", "global_head_dim");
    made.put("num_key_value_heads", number_of(made, "attention.head_count_kv", true));
    made.put("num_global_key_value_heads", number_of(made, "attention.head_count_kv", false));
    made["attention_k_eq_v"] =
        made.layers_with({"*.self_attn.k_proj.weight"}) != made.layers_with({"*.self_attn.v_proj.weight"});
    // One width, or one and twice that behind it, where layers borrow.
    const std::vector<json> widths = made.each("feed_forward_length");
    if (widths.empty())
        made.number("feed_forward_length", "intermediate_size");
    else
        made["intermediate_size"] = widths.front();
    const bool doubled = !widths.empty() && widths.back() != widths.front();
    for (std::size_t layer = 0; layer < widths.size(); ++layer) {
        const auto borrowing = static_cast<std::size_t>(made.key("attention.shared_kv_layers").value_or(0));
        const std::int64_t times = doubled && layer + borrowing >= widths.size() ? 2 : 1;
        const bool whole = widths[layer].is_number_integer() && widths.front().is_number_integer();
        if (!whole || widths[layer].get<std::int64_t>() != times * widths.front().get<std::int64_t>())
            made.fail(not_said("one width of feed-forwards, or twice that in layers that borrow"));
    }
    made["use_double_wide_mlp"] = doubled;
    made["enable_moe_block"] = made.key("expert_count").value_or(0) > 0;
    made.number("expert_count", "num_experts");
    made.number("expert_used_count", "top_k_experts");
    made.number("expert_feed_forward_length", "moe_intermediate_size");
    const auto rope = [&](const char* key, const char* kind, json more) {
        if (const std::optional<double> base = made.real(key)) more["rope_theta"] = *base;
        made["rope_parameters"][kind] = std::move(more);
    };
    rope("rope.freq_base_swa", "sliding_attention", {{"rope_type", "default"}});
    rope("rope.freq_base", "full_attention", {{"rope_type", "proportional"}, {"partial_rotary_factor", 0.25}});
    made["_headcount_guesses"] = {
        "Assumed, since only the file's numbers say: a quarter of each head's columns is "
        "turned in layers without a window."};
}

}  // namespace headcount
