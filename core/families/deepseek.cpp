// What DeepSeek's families share (transformers, configuration_deepseek_v2.py and configuration_deepseek_v3.py).
#include "core/families/deepseek.hpp"

#include "core/base/text.hpp"
#include "core/families/layer_lists.hpp"

namespace headcount {

Latent read_latent(ConfigReader& reader, const nlohmann::json& config, std::optional<std::int64_t> query_rank) {
    Latent latent;
    latent.query_rank = reader.optional_number({"q_lora_rank"});
    if (!config.contains("q_lora_rank")) latent.query_rank = query_rank;
    latent.kv_rank = reader.number({"kv_lora_rank"}, 512);
    latent.rope_dim = reader.number({"qk_rope_head_dim"}, 64);
    latent.nope_dim = reader.number({"qk_nope_head_dim"}, 128);
    latent.value_dim = reader.number({"v_head_dim"}, 128);
    return latent;
}

void write_latent(nlohmann::ordered_json& config, const Latent& latent) {
    config["q_lora_rank"] = latent.query_rank ? nlohmann::ordered_json(*latent.query_rank) : nullptr;
    config["kv_lora_rank"] = latent.kv_rank;
    config["qk_rope_head_dim"] = latent.rope_dim;
    config["qk_nope_head_dim"] = latent.nope_dim;
    config["v_head_dim"] = latent.value_dim;
}

namespace {

Mixture read_mixture(ConfigReader& reader, const Architecture& arch, const DeepseekType& type) {
    Mixture mixture;
    mixture.experts = reader.number({"n_routed_experts", "num_local_experts", "num_experts"}, type.experts);
    mixture.experts_per_token = reader.number({"num_experts_per_tok"}, type.experts_per_token);
    mixture.expert_dim = reader.number({"moe_intermediate_size"}, type.expert_dim);
    mixture.shared_experts = reader.number({"n_shared_experts"}, type.shared_experts, 0);
    mixture.correction_bias = type.correction_bias;
    mixture.layers = read_all_but_first(reader, {"first_k_dense_replace"}, type.first_dense, arch.layers);
    return mixture;
}

}  // namespace

Result<Architecture> read_deepseek(const nlohmann::json& config, const Family& family, const DeepseekType& type) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, family, type.decoder);
    Attention& attention = arch.layer.attention;
    attention.kv_heads.reset();  // the file says it, and latent attention has one key and value a head
    attention.latent = read_latent(reader, config, type.query_rank);
    arch.layer.mixture = read_mixture(reader, arch, type);
    // V2's mlp_bias.
    if (arch.layer.feed_forward.bias && arch.layer.mixture->layers.count(arch.layers) > 0)
        reader.reject(type.decoder.mlp_bias_field,
                      "biases in dense layers and shared experts, and none in the other experts, are not supported",
                      "set it to false");
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write_deepseek(const Architecture& arch, const DeepseekType& type) {
    nlohmann::ordered_json config = write_llama_like(arch, type.decoder);
    if (arch.layer.attention.latent) write_latent(config, *arch.layer.attention.latent);
    if (!arch.layer.mixture) return config;
    const Mixture& mixture = *arch.layer.mixture;
    config["n_routed_experts"] = mixture.experts;
    config["num_experts_per_tok"] = mixture.experts_per_token;
    config["moe_intermediate_size"] = mixture.expert_dim;
    config["n_shared_experts"] = mixture.shared_experts;
    config["first_k_dense_replace"] = arch.layers - mixture.layers.count(arch.layers);
    return config;
}

DeepseekGroups read_groups(ComputationReader& reader, std::int64_t all, std::int64_t used) {
    const DeepseekGroups groups{reader.number("n_group", all), reader.number("topk_group", used)};
    if (!reader.arch().layer.mixture) return {};
    const std::int64_t experts = reader.arch().layer.mixture->experts;
    if (experts % groups.all != 0)
        reader.reject("n_group", grouped(groups.all) + " groups do not divide " + grouped(experts) + " experts",
                      "give a number that does, or as many experts as it divides, such as " +
                          grouped((experts / groups.all + 1) * groups.all));
    if (groups.used > groups.all)
        reader.reject("topk_group", "there are not " + grouped(groups.used) + " groups of experts",
                      "give at most " + grouped(groups.all));
    return groups;
}

Result<Computation> compute_deepseek_v3(const Architecture& arch) {
    ComputationReader reader(arch);
    Computation computation = reader.read(deepseek_computation(RouterScores::sigmoid));
    computation.latent_norm_epsilon = 1e-6;
    if (!reader.flag("rope_interleave", true)) computation.rope.pairs = RopePairs::halves;
    Routing& routing = computation.routing;
    routing.normalized = reader.flag("norm_topk_prob", true);
    routing.scaling = reader.positive("routed_scaling_factor", 2.5);
    const DeepseekGroups groups = read_groups(reader, 8, 4);
    routing.groups = groups.all;
    routing.groups_used = groups.used;
    routing.group_by_best_two = true;
    // transformers computes so whatever these fields say.
    if (reader.text("scoring_func", "sigmoid") != "sigmoid")
        reader.reject("scoring_func", "a function of the router's scores that is not computed here", "use sigmoid");
    if (reader.text("topk_method", "noaux_tc") != "noaux_tc")
        reader.reject("topk_method", "a way to choose experts that is not computed here", "use noaux_tc");
    return reader.finish(std::move(computation));
}

}  // namespace headcount
