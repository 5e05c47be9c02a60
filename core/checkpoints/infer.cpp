// What model a checkpoint without configuration holds, from its tensors' names and shapes.
#include "core/checkpoints/infer.hpp"

#include <algorithm>
#include <utility>

#include "core/checkpoints/guess.hpp"
#include "core/checkpoints/model_facts.hpp"

namespace headcount {
namespace {

using nlohmann::json;

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
    TensorIndex tensors;
    for (const CheckpointTensor& tensor : checkpoint.tensors) tensors.add(tensor.name, tensor.shape);
    facts.type = guess_type(tensors, facts.guesses);
    if (facts.type.empty())
        return Error{"no known architecture has tensors with these names",
                     checkpoint.files.empty() ? std::string() : checkpoint.files.front().string(),
                     "put the model's config.json beside it"};
    add_tensor_facts(facts, tensors);
    guess_heads(facts, tensors);
    guess_mixture(facts);
    guess_rotary(facts);
    assume_tying(facts);
    say_assumed_experts(facts);
    return config_json(facts);
}

}  // namespace headcount
