// What model a checkpoint without configuration holds: its type by the names of its tensors; how many heads attention
// has, exactly where a norm, a sink or rotary frequencies tell it, by custom otherwise.
#include "core/checkpoints/infer.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/find.hpp"
#include "core/checkpoints/model_facts.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using Shape = TensorShapes::Shape;

// The families whose layers are "transformer.h" or have their own word for it.
std::string outside_llama(const TensorShapes& tensors) {
    if (const Shape* joined = tensors.find({"*.attn.c_attn.weight"}))  // Conv1D's is [in, out]
        return joined->size() == 2 && joined->front() * 3 == joined->back() ? "gpt2" : "gpt_bigcode";
    if (tensors.has({"*.attn.q_proj.weight"})) return "gptj";
    if (tensors.has({"*.self_attention.query_key_value.weight"})) {
        const bool normed =
            tensors.has({"transformer.word_embeddings_layernorm.weight", "word_embeddings_layernorm.weight"});
        return normed ? "bloom" : "falcon";
    }
    if (tensors.has({"*.attention.query_key_value.weight"})) return "gpt_neox";
    if (tensors.has({"*.attn.Wqkv.weight"})) return "mpt";
    if (tensors.has({"*.self_attn_layer_norm.weight"})) return "opt";
    return {};
}

std::string mixture(const TensorShapes& tensors) {
    if (tensors.has({"*.block_sparse_moe.experts.{e}.w1.weight"}))
        return tensors.has({"*.input_layernorm.bias"}) ? "phimoe" : "mixtral";
    if (tensors.has({"*.block_sparse_moe.input_linear.weight"})) return "granitemoe";
    if (tensors.has({"*.feed_forward.experts.gate_up_proj"})) return "llama4_text";
    if (tensors.has({"*.self_attn.sinks", "*.mlp.router.weight"})) return "gpt_oss";
    if (!tensors.has({"*.mlp.experts.{e}.gate_proj.weight"})) return {};
    if (tensors.has({"*.mlp.shared_expert_gate.weight"})) return "qwen2_moe";
    if (tensors.has({"*.mlp.gate.e_score_correction_bias"})) return "glm4_moe";
    if (const Shape* norm = tensors.find({"*.self_attn.q_norm.weight"})) {
        const Shape* query = tensors.find({"*.self_attn.q_proj.weight"});
        return query && !query->empty() && !norm->empty() && norm->front() == query->front() ? "olmoe" : "qwen3_moe";
    }
    return tensors.has({"*.mlp.shared_experts.gate_proj.weight"}) ? "deepseek" : std::string();
}

std::string unlike_llama(const TensorShapes& tensors) {
    if (tensors.has({"*.self_attn.dense.weight"}) && tensors.has({"*.mlp.fc1.weight"})) return "phi";
    if (tensors.has({"*.mlp.c_fc.weight"})) return "starcoder2";
    if (tensors.has({"*.self_attn.qkv_proj.weight"})) return "phi3";
    if (tensors.has({"*.post_self_attn_layernorm.weight"})) return "glm4";
    if (tensors.has({"*.mlp.gate_up_proj.weight"})) return "glm";
    if (tensors.has({"*.pre_feedforward_layernorm.weight"}))
        return tensors.has({"*.self_attn.q_norm.weight"}) ? "gemma3_text" : "gemma2";
    if (tensors.has({"*.post_feedforward_layernorm.weight"})) {
        // EXAONE 4 norms each head by itself, OLMo all of them together.
        const Shape* norm = tensors.find({"*.self_attn.q_norm.weight"});
        const Shape* query = tensors.find({"*.self_attn.q_proj.weight"});
        const bool each = norm && query && !norm->empty() && !query->empty() && norm->front() < query->front();
        return each ? "exaone4" : "olmo2";
    }
    if (tensors.has({"*.self_attn.q_layernorm.norms.{e}.weight"})) return "stablelm";
    if (tensors.has({"*.input_layernorm.bias"}))
        return tensors.has({"*.mlp.gate_proj.weight"}) ? "stablelm" : "nemotron";
    if (!tensors.has({"*.input_layernorm.weight"})) return "olmo";
    return {};
}

// Whose tensors tell that they are none of the known: no gate beside the up projection, experts chosen by statistics,
// keys chosen by an indexer, states with a gate, norms of queries in a mixture whose choice is corrected and whose
// queries have no bias.
bool is_of_other_kind(const TensorShapes& tensors) {
    if (tensors.has({"*.mlp.up_proj.weight"}) && !tensors.has({"*.mlp.gate_proj.weight", "*.input_layernorm.bias"}))
        return true;
    if (tensors.has({"*.mlp.fc1.weight"}) && !tensors.has({"*.self_attn.dense.weight"})) return true;
    if (tensors.has({"*.mlp.moe_statics.e_score_correction_bias", "*.self_attn.indexer.wk.weight",
                     "*.self_attn.output_gate.weight"}))
        return true;
    return tensors.has({"*.mlp.gate.e_score_correction_bias"}) && tensors.has({"*.self_attn.q_norm.weight"}) &&
           !tensors.has({"*.self_attn.q_proj.bias"});
}

// Hugging Face's model_type; empty where no known family has such names. May add to `guesses`, where families share all
// their names.
std::string guess_type(const TensorShapes& tensors, std::vector<std::string>& guesses) {
    // No tensor tells how many groups a state has.
    if (tensors.has({"*.linear_attn.conv1d.weight", "*.mamba.conv1d.weight", "*.mixer.conv1d.weight"})) return {};
    if (is_of_other_kind(tensors)) return {};
    if (std::string type = outside_llama(tensors); !type.empty()) return type;
    if (tensors.has({"*.self_attn.kv_a_proj_with_mqa.weight"}))
        return tensors.has({"*.mlp.gate.e_score_correction_bias"}) ? "deepseek_v3" : "deepseek_v2";
    if (!tensors.has({"*.self_attn.q_proj.weight", "*.self_attn.qkv_proj.weight"})) return {};
    if (std::string type = mixture(tensors); !type.empty()) return type;
    if (!tensors.has({"*.mlp.down_proj.weight", "*.mlp.fc2.weight", "*.mlp.c_proj.weight"})) return {};
    if (std::string type = unlike_llama(tensors); !type.empty()) {
        if (type == "olmo2") guesses.push_back("model_type olmo2 is a guess: OLMo 3's tensors have the same names");
        return type;
    }
    if (!tensors.has({"*.post_attention_layernorm.weight"})) {
        guesses.push_back("model_type cohere is a guess: Cohere 2's tensors have the same names");
        return "cohere";
    }
    if (tensors.has({"*.self_attn.q_norm.weight"})) return "qwen3";
    if (tensors.has({"*.self_attn.q_proj.bias"}) && !tensors.has({"*.self_attn.o_proj.bias"})) return "qwen2";
    const Shape* words = tensors.find({"model.embed_tokens.weight"});
    if (words && !words->empty() && words->front() == 256000 && !tensors.has({"lm_head.weight"})) {
        guesses.push_back("model_type gemma is a guess from the 256,000 words: LLaMA's tensors have the same names");
        return "gemma";
    }
    guesses.push_back("model_type llama is a guess: Mistral's, Granite's and others' tensors have the same names");
    return "llama";
}

std::int64_t side(const Shape* shape, bool first = true) {
    if (!shape || shape->empty()) return 0;
    return first ? shape->front() : shape->back();
}

bool divides(std::int64_t size, std::int64_t whole) { return size > 0 && whole > 0 && whole % size == 0; }

// The rows of queries and of keys.
struct Rows {
    std::int64_t query = 0, key = 0;
};

Rows rows(const ModelFacts& facts, const TensorShapes& tensors) {
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
Number told_size(const ModelFacts& facts, const TensorShapes& tensors, const Rows& have) {
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
    const auto is = [&](std::initializer_list<std::string_view> types) { return contains(types, facts.type); };
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

void guess_latent(ModelFacts& facts, const TensorShapes& tensors) {
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

// Fills heads, kv_heads, head_dim and what else attention needs; says what was guessed.
void guess_heads(ModelFacts& facts, const TensorShapes& tensors) {
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

// llama2.c's header says everything.
void add_llama2c_facts(ModelFacts& facts, const json& metadata) {
    const auto number = [&](const char* key) {
        const auto found = metadata.find(key);
        return found != metadata.end() && found->is_number_integer() ? Number(found->get<std::int64_t>())
                                                                     : std::nullopt;
    };
    facts.type = "llama";
    facts.width = number("dim");
    facts.ffn_dim = number("hidden_dim");
    facts.layers = number("n_layers");
    facts.heads = number("n_heads");
    facts.kv_heads = number("n_kv_heads");
    facts.vocab = number("vocab_size");
    facts.context = number("seq_len");
    if (facts.width && facts.heads.value_or(0) > 0) facts.head_dim = *facts.width / *facts.heads;
    facts.tied = metadata.value("shared_classifier", true);
    facts.epsilon = 1e-5;  // run.c, rmsnorm
}

// How many experts see a token is nowhere in the tensors.
void guess_mixture(ModelFacts& facts) {
    if (!facts.experts) return;
    constexpr std::pair<std::string_view, std::int64_t> usual[] = {
        {"mixtral", 2},   {"phimoe", 2},   {"llama4_text", 1}, {"gpt_oss", 4},
        {"qwen2_moe", 4}, {"deepseek", 6}, {"deepseek_v2", 6}};
    std::int64_t used = 8;
    for (const auto& [type, experts] : usual)
        if (type == facts.type) used = experts;
    if (facts.type == "deepseek_v3" && *facts.experts == 64) used = 6;  // Moonlight
    if (facts.type == "qwen2_moe" && *facts.experts == 64) used = 8;    // Qwen2 57B; Qwen1.5 has 60, of which 4
    facts.experts_used = std::min(used, *facts.experts);
    facts.guesses.push_back(std::to_string(*facts.experts_used) + (facts.experts_used == 1 ? " expert" : " experts") +
                            std::string(" a token is a guess: models of this type mostly have as many"));
}

// What is rotated of a head, where the type's models leave a part alone.
void guess_rotary(ModelFacts& facts) {
    if (facts.type != "gptj" || !facts.head_dim) return;
    facts.rope_dim = std::min<std::int64_t>(64, *facts.head_dim);
    facts.guesses.push_back("64 rotated dimensions are a guess: GPT-J has them");
}

}  // namespace

Result<json> config_of_tensors(const Checkpoint& checkpoint) {
    ModelFacts facts;
    if (checkpoint.format.starts_with("llama2.c")) {
        add_llama2c_facts(facts, checkpoint.metadata);
        return config_json(facts);
    }
    TensorShapes tensors;
    for (const CheckpointTensor& tensor : checkpoint.tensors) tensors.add(tensor.name, tensor.shape);
    facts.type = guess_type(tensors, facts.guesses);
    if (facts.type.empty())
        return Error{"no known architecture has tensors with these names", "", "put the model's config.json beside it"};
    add_tensor_facts(facts, tensors);
    guess_heads(facts, tensors);
    guess_mixture(facts);
    guess_rotary(facts);
    assume_tying(facts);
    say_assumed_experts(facts);
    return config_json(facts);
}

}  // namespace headcount
