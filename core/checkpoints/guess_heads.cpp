// How many heads attention has: exactly where a norm, a sink or rotary frequencies tell it, by custom otherwise.
#include <algorithm>
#include <optional>

#include "core/checkpoints/guess.hpp"

namespace headcount {
namespace {

using Shape = TensorIndex::Shape;

std::int64_t side(const Shape* shape, bool first = true) {
    if (!shape || shape->empty()) return 0;
    return first ? shape->front() : shape->back();
}

bool divides(std::int64_t size, std::int64_t whole) {
    return size > 0 && whole > 0 && whole % size == 0;
}

// The rows of queries and of keys.
struct Rows {
    std::int64_t query = 0, key = 0;
};

Rows rows(const ModelFacts& facts, const TensorIndex& tensors) {
    const std::int64_t query = side(tensors.find({"*.self_attn.q_proj.weight", "*.attn.q_proj.weight"}));
    if (query > 0) return {query, side(tensors.find({"*.self_attn.k_proj.weight", "*.attn.k_proj.weight"}))};
    // Joined: what the output takes in are the queries' rows, the rest are keys and values.
    const Shape* joined =
        tensors.find({"*.self_attn.qkv_proj.weight", "*.attn.c_attn.weight", "*.attn.Wqkv.weight",
                      "*.self_attention.query_key_value.weight", "*.attention.query_key_value.weight"});
    const Shape* output = tensors.find({"*.self_attn.o_proj.weight", "*.self_attention.dense.weight",
                                        "*.attention.dense.weight", "*.attn.c_proj.weight", "*.attn.out_proj.weight"});
    if (!joined || !output) return {};
    const bool conv1d = facts.type == "gpt2";
    const std::int64_t all = side(joined, !conv1d), own = side(output, conv1d);
    return all > own ? Rows{own, (all - own) / 2} : Rows{};
}

// The size of a head where some tensor tells it.
Number told_size(const ModelFacts& facts, const TensorIndex& tensors, const Rows& have) {
    const Shape* norm = tensors.find({"*.self_attn.q_norm.weight"});
    if (norm && norm->size() == 2) return norm->back();                                 // Command R+: one a head
    if (norm && norm->size() == 1 && norm->front() < have.query) return norm->front();  // OLMo 2: one for all
    if (const Shape* norms = tensors.find({"*.self_attn.q_layernorm.norms.{e}.weight"})) return side(norms);
    if (const std::int64_t sinks = side(tensors.find({"*.self_attn.sinks"})); divides(sinks, have.query))
        return have.query / sinks;
    if (const std::int64_t half = side(tensors.find({"*.self_attn.rotary_emb.inv_freq"}));
        half > 0 && half < have.query)
        return half * 2;
    // One head of keys and values, and no other; Falcon's later decoder has several, which are wider together.
    constexpr std::int64_t widest_head = 256;
    const bool one = facts.type == "gpt_bigcode" || (facts.type == "falcon" && !facts.two_norms);
    if (one && have.key < have.query && have.key <= widest_head) return have.key;
    return std::nullopt;
}

struct Custom {
    std::int64_t size;
    const char* reason;
};

Custom custom(const ModelFacts& facts, const Rows& have) {
    const auto is = [&](std::initializer_list<std::string_view> types) {
        return std::find(types.begin(), types.end(), facts.type) != types.end();
    };
    if (is({"gemma2"}) && facts.width.value_or(0) > 4096) return {128, "Gemma 2 27B has it"};
    if (is({"gpt_neox"}) && facts.width == 6144) return {96, "GPT-NeoX 20B has it"};
    if (is({"falcon"}) && have.key > 512 && have.key < have.query) return {128, "Falcon 2 has it"};
    if (is({"gemma", "gemma2", "gptj"})) return {256, "most models of this type have it"};
    if (is({"gpt2", "falcon"})) return {64, "models of this type have it"};
    if (is({"phi"}) && divides(32, have.query)) return {have.query / 32, "models of this type have 32 heads"};
    if (is({"phi3"}) && have.query == 3072 && have.key == 3072) return {96, "Phi-3 mini has it"};
    if (is({"olmo", "olmo2", "olmoe", "starcoder2", "cohere", "glm", "glm4", "glm4_moe", "mixtral", "phi3", "phimoe",
            "nemotron", "llama4_text", "mpt"}))
        return {128, "most models of this type have it"};
    if (is({"qwen2", "qwen2_moe"}) && facts.width.value_or(0) > 1024) return {128, "most models of this type have it"};
    if (is({"stablelm"}) && divides(32, have.query)) return {have.query / 32, "models of this type have 32 heads"};
    if (facts.width.value_or(0) <= 2048) return {64, "models of this width mostly have it"};
    return {128, "models of this width mostly have it"};
}

void guess_latent(ModelFacts& facts, const TensorIndex& tensors) {
    const std::int64_t output = side(tensors.find({"*.self_attn.o_proj.weight"}), false);
    const std::int64_t query = side(tensors.find({"*.self_attn.q_b_proj.weight", "*.self_attn.q_proj.weight"}));
    const std::int64_t value = divides(128, output) ? 128 : output;
    if (!divides(value, output) || !divides(output / value, query)) return;
    facts.value_dim = value;
    facts.heads = facts.kv_heads = output / value;
    facts.head_dim = query / *facts.heads;
    facts.guesses.push_back("value size " + std::to_string(value) +
                            " is a guess: the tensors tell only heads times value size, and all published models of " +
                            "this type have it");
}

}  // namespace

void guess_heads(ModelFacts& facts, const TensorIndex& tensors) {
    if (facts.latent_rank) return guess_latent(facts, tensors);
    const Rows have = rows(facts, tensors);
    if (have.query < 1 || have.key < 1) return;
    Number size = told_size(facts, tensors, have);
    if (!size || !divides(*size, have.query) || !divides(*size, have.key)) {
        Custom by_custom = custom(facts, have);
        for (const std::int64_t other : {std::int64_t{128}, std::int64_t{64}, std::int64_t{80}, std::int64_t{96},
                                         std::int64_t{32}, std::int64_t{16}, std::int64_t{8}})
            if (!divides(by_custom.size, have.query) || !divides(by_custom.size, have.key))
                by_custom = {other, "it divides the projections"};
        if (!divides(by_custom.size, have.query) || !divides(by_custom.size, have.key))
            by_custom = {have.key, "no usual size divides the projections"};
        if (!divides(by_custom.size, have.query)) return;
        size = by_custom.size;
        facts.guesses.push_back("head size " + std::to_string(*size) + " is a guess: " + by_custom.reason +
                                ", and the tensors do not tell how many heads share a projection");
    }
    facts.head_dim = size;
    facts.heads = have.query / *size;
    facts.kv_heads = have.key / *size;
}

}  // namespace headcount
