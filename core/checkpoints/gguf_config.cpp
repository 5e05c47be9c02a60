// A GGUF file's metadata as the config.json of the model that it was made from.
// The keys: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, and llama.cpp's gguf-py/gguf/constants.py.
#include <algorithm>

#include "core/base/checked.hpp"
#include "core/checkpoints/gguf_keys.hpp"
#include "core/checkpoints/gguf_published.hpp"
#include "core/checkpoints/infer.hpp"
#include "core/checkpoints/model_facts.hpp"

namespace headcount {
namespace {

using nlohmann::json;

// llama.cpp's architectures whose model_type has another name.
constexpr std::pair<std::string_view, std::string_view> types[] = {
    {"llama4", "llama4_text"},
    {"qwen2moe", "qwen2_moe"},
    {"qwen3moe", "qwen3_moe"},
    {"gemma3", "gemma3_text"},
    {"gptneox", "gpt_neox"},
    {"phi2", "phi"},
    {"starcoder", "gpt_bigcode"},
    {"chatglm", "glm"},
    {"glm4moe", "glm4_moe"},
    {"command-r", "cohere"},
    {"gpt-oss", "gpt_oss"},
    {"mistral3", "mistral"},
    {"qwen2vl", "qwen2"},
    {"qwen3vl", "qwen3"},
    {"qwen3vlmoe", "qwen3_moe"},
    {"gemma-embedding", "gemma3_text"},
    {"hunyuan-dense", "hunyuan_v1_dense"},
    {"hunyuan_vl", "hunyuan_v1_dense"},
    {"hunyuan-moe", "hunyuan_v1_moe"},
    {"ernie4_5-moe", "ernie4_5_moe"},
    {"exaone-moe", "exaone_moe"},
    {"minimax-m2", "minimax_m2"},
    {"paddleocr", "ernie4_5"},
};

TensorShapes index_of(const Checkpoint& gguf) {
    TensorShapes index;
    for (const PublishedTensor& tensor : published_tensors(gguf).tensors) index.add(tensor.name, tensor.shape);
    return index;
}

std::string model_type(const std::string& architecture, const TensorShapes& tensors, GgufKeys& keys) {
    if (architecture == "llama") {
        if (keys.number("expert_count").value_or(0) > 0) return "mixtral";
        // Biases of the queries but not of the output: LLaMA has both or none, Qwen 2 is LLaMA with these.
        const bool query = tensors.has({"*.self_attn.q_proj.bias"}), output = tensors.has({"*.self_attn.o_proj.bias"});
        return query && !output ? "qwen2" : "llama";
    }
    // OLMo 3 is OLMo 2 with windows.
    if (architecture == "olmo2" && keys.number("attention.sliding_window").value_or(0) > 0) return "olmo3";
    if (architecture == "granitemoe" && tensors.has({"*.shared_mlp.output_linear.weight"})) return "granitemoeshared";
    if (architecture == "granite_swa" && keys.number("expert_count").value_or(0) > 0) return "granitemoe_swa";
    if (architecture == "deepseek2") {
        if (keys.number("expert_count").value_or(0) == 0) return "youtu";  // V3's attention, dense throughout
        constexpr std::int64_t sigmoid = 2;
        const bool third =
            tensors.has({"*.mlp.gate.e_score_correction_bias"}) || keys.number("expert_gating_func") == sigmoid;
        return third ? "deepseek_v3" : "deepseek_v2";
    }
    for (const auto& [name, type] : types)
        if (name == architecture) return std::string(type);
    return architecture;
}

void add_attention(ModelFacts& facts, GgufKeys& keys, const TensorShapes& tensors) {
    facts.heads = keys.number("attention.head_count");
    facts.kv_heads = keys.number("attention.head_count_kv");
    facts.head_dim = keys.number("attention.key_length");
    if (!facts.latent_rank) {
        // Where no length is given, the queries' rows tell it.
        const TensorShapes::Shape* query = tensors.find({"*.self_attn.q_proj.weight", "*.attn.q_proj.weight"});
        const std::int64_t heads = facts.heads.value_or(0);
        if (query && query->size() == 2 && heads > 0 && query->front() % heads == 0)
            facts.head_dim = query->front() / heads;
        fill_in(facts.head_dim, heads > 0 && facts.width ? Number(*facts.width / heads) : std::nullopt);
        // StarCoder's converter says one key/value head of all models.
        const TensorShapes::Shape* joined = tensors.find({"*.attn.c_attn.bias"});
        const Number width = facts.head_dim ? checked_multiply(heads, *facts.head_dim) : std::nullopt;
        if (joined && !joined->empty() && width && *facts.head_dim > 0 && joined->front() > *width)
            facts.kv_heads = (joined->front() - *width) / 2 / *facts.head_dim;
        facts.rope_dim = keys.number("rope.dimension_count");
        return;
    }
    // Newer files give the lengths in the latent space too, under the old names; where no length is given, what leads
    // out of attention reads all heads' values.
    fill_in(facts.rope_dim, keys.number("rope.dimension_count"));
    if (const Number length = keys.number("attention.key_length_mla")) facts.head_dim = length;
    facts.value_dim = keys.number("attention.value_length_mla");
    fill_in(facts.value_dim, keys.number("attention.value_length"));
    const TensorShapes::Shape* output = tensors.find({"*.self_attn.o_proj.weight"});
    if (output && output->size() == 2 && facts.heads.value_or(0) > 0 && output->back() % *facts.heads == 0)
        fill_in(facts.value_dim, output->back() / *facts.heads);
    facts.kv_heads = facts.heads;
}

void add_mixture(ModelFacts& facts, GgufKeys& keys) {
    fill_in(facts.experts, keys.number("expert_count"));
    facts.experts_used = keys.number("expert_used_count");
    facts.shared_experts = keys.number("expert_shared_count");
    facts.expert_groups = keys.number("expert_group_count");
    facts.expert_groups_used = keys.number("expert_group_used_count");
    fill_in(facts.expert_dim, keys.number("expert_feed_forward_length"));
    fill_in(facts.shared_dim, keys.number("expert_shared_feed_forward_length"));
    facts.routed_scale = keys.real("expert_weights_scale");
    facts.normalized_routing = keys.flag("expert_weights_norm");
    constexpr std::string_view no_other_size[] = {"mixtral",          "olmoe",         "phimoe", "granitemoe",
                                                  "granitemoeshared", "granitemoe_swa"};
    if (std::ranges::count(no_other_size, facts.type) > 0) fill_in(facts.expert_dim, facts.ffn_dim);
    const std::int64_t dense = keys.layers("leading_dense_block_count").value_or(0);
    if (facts.layers && facts.dense_layers.empty())
        for (std::int64_t i = 0; i < std::min(dense, *facts.layers); ++i) facts.dense_layers.insert(i);
}

// Of a text that is too long or no UTF-8 the reader leaves a description.
std::string what_is_no_name(const json& value) {
    if (!value.is_object() || !value.contains("text")) return "is " + in_quotes(value.dump());
    return value["text"] == "long" ? "is longer than 65,536 bytes" : "is not UTF-8";
}

Result<std::string> architecture_of(const Checkpoint& gguf) {
    const auto found = gguf.metadata.find("general.architecture");
    const bool absent = found == gguf.metadata.end() || *found == "";
    if (absent || !found->is_string())
        return Error{"general.architecture " + (absent ? "is missing" : what_is_no_name(*found)) +
                         ", the name of an architecture was expected",
                     "", "open a file that holds a model"};
    const auto kind = gguf.metadata.find("general.type");
    const bool other = kind != gguf.metadata.end() && *kind != "model";
    if (other || *found == "clip")
        return Error{
            "this GGUF file holds no language model: its type is " + in_quotes(other ? kind->dump() : found->dump()),
            "", "open the language model's file"};
    return found->get<std::string>();
}

bool has_encoder(const Checkpoint& gguf) {
    return std::ranges::any_of(gguf.tensors,
                               [](const CheckpointTensor& tensor) { return tensor.name.starts_with("enc."); });
}

}  // namespace

Result<json> config_of_gguf(const Checkpoint& gguf) {
    const Result<std::string> architecture = architecture_of(gguf);
    if (!architecture) return architecture.error();
    GgufKeys keys(gguf, *architecture);
    const TensorShapes tensors = index_of(gguf);
    if (std::optional<Result<json>> other = config_unlike_llama(*architecture, keys, tensors)) return *std::move(other);
    if (has_encoder(gguf))
        return Error{"encoders of the kind " + in_quotes(*architecture) + " are not read from a GGUF file", "",
                     "open the model's config.json instead"};
    if (has_states(gguf))
        return Error{
            "layers of " + in_quotes(*architecture) + " have a state of a kind that is not read from a GGUF file", "",
            "open the model's config.json instead"};
    ModelFacts facts;
    facts.type = model_type(*architecture, tensors, keys);
    add_tensor_facts(facts, tensors);
    // Layers that only predict further tokens are none of the model's.
    if (const Number blocks = keys.layers("block_count")) {
        const std::int64_t ahead = keys.number("nextn_predict_layers").value_or(0);
        const bool counted = std::ranges::any_of(gguf.tensors, [](const CheckpointTensor& tensor) {
            return tensor.name.find(".nextn.") != std::string::npos;
        });
        facts.layers = counted ? std::max<std::int64_t>(*blocks - ahead, 0) : *blocks;
    }
    fill_in(facts.width, keys.number("embedding_length"));
    fill_in(facts.vocab, keys.number("vocab_size"));
    fill_in(facts.vocab, keys.tokens());
    fill_in(facts.context, keys.number("context_length"));
    fill_in(facts.ffn_dim, keys.number("feed_forward_length"));
    fill_in(facts.latent_rank, keys.number("attention.kv_lora_rank"));
    const Number query_rank = keys.number("attention.q_lora_rank");
    if (query_rank != 0) fill_in(facts.query_rank, query_rank);
    add_attention(facts, keys, tensors);
    add_mixture(facts, keys);
    facts.window = keys.number("attention.sliding_window");
    if (facts.window == 0) facts.window.reset();  // none
    facts.epsilon = keys.real("attention.layer_norm_rms_epsilon");
    if (!facts.epsilon) facts.epsilon = keys.real("attention.layer_norm_epsilon");
    facts.theta = keys.real("rope.freq_base");
    facts.parallel = keys.flag("use_parallel_residual").value_or(true);
    assume_tying(facts);
    say_assumed_experts(facts);
    // Of embedding models llama.cpp masks nothing, whether their file says so or not.
    facts.sees_all = keys.flag("attention.causal") == false || *architecture == "gemma-embedding";
    if (keys.error()) return *keys.error();
    return config_json(facts);
}

}  // namespace headcount
