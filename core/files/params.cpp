// Meta's params.json: said again as a Hugging Face configuration, which the families read.
#include "core/files/params.hpp"

#include <algorithm>
#include <array>

#include "core/arch/fields.hpp"
#include "core/arch/validate.hpp"
#include "core/families/config_reader.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace {

using nlohmann::json;

// Whether the field is there; null reads as absent.
bool says(const json& params, const char* key) {
    const auto found = params.find(key);
    return found != params.end() && !found->is_null();
}

// The type that a family reads: Mistral's files give the feed-forward's width, Meta's its rule.
std::string_view type_of(const json& params) {
    if (says(params, "moe")) return "mixtral";
    return says(params, "hidden_dim") ? "mistral" : "llama";
}

bool is_translated(std::string_view key) {
    constexpr std::array<std::string_view, 13> translated{
        "dim",         "n_layers", "n_heads",    "n_kv_heads",  "head_dim",           "hidden_dim", "sliding_window",
        "max_seq_len", "norm_eps", "vocab_size", "multiple_of", "ffn_dim_multiplier", "moe"};
    return std::find(translated.begin(), translated.end(), key) != translated.end();
}

// What only Meta's or Mistral's files call so.
void translate(ConfigReader& reader, const json& params, json& config) {
    auto number = [&](std::string_view from, std::string_view to, std::optional<std::int64_t> otherwise) {
        std::optional<std::int64_t> value = reader.optional_number({from});
        if (!value) value = otherwise;
        if (value) config[std::string(to)] = *value;
    };
    number("dim", "hidden_size", {});
    number("n_layers", "num_hidden_layers", {});
    number("n_heads", "num_attention_heads", {});
    number("n_kv_heads", "num_key_value_heads", reader.optional_number({"n_heads"}));
    number("head_dim", "head_dim", {});
    number("hidden_dim", "intermediate_size", {});
    number("sliding_window", "sliding_window", {});
    number("max_seq_len", "max_position_embeddings", {});
    config["rms_norm_eps"] = reader.real({"norm_eps"}, 1e-5);
    if (const json* moe = reader.object({"moe"})) {
        ConfigReader inner(*moe);
        config["num_local_experts"] = inner.number({"num_experts"}, 8);
        config["num_experts_per_tok"] = inner.number({"num_experts_per_tok"}, 2);
        if (inner.error()) reader.reject("moe." + inner.error()->where, inner.error()->what, inner.error()->fix);
    }
    // All else goes on under its own name: what no family knows is named as not read.
    for (const auto& [key, value] : params.items())
        if (!is_translated(key) && !config.contains(key)) config[key] = value;
}

Result<Architecture> with_metas_rule(Architecture arch, const json& params) {
    arch.layer.feed_forward.width = MetaRule{};
    for (const auto& [key, field] :
         {std::pair("multiple_of", Field::ffn_multiple_of), std::pair("ffn_dim_multiplier", Field::ffn_multiplier)}) {
        auto found = params.find(key);
        if (found == params.end() || found->is_null()) continue;
        Result<Architecture> changed = with_field(std::move(arch), field, found->dump());
        if (!changed) return within(key, changed.error());
        arch = std::move(*changed);
    }
    return arch;
}

}  // namespace

bool is_params(const json& params) {
    return params.contains("dim") && params.contains("n_layers") && !params.contains("model_type");
}

Result<Architecture> read_params(const json& params, std::optional<std::int64_t> vocab, std::string_view where) {
    const std::string place(where);
    ConfigReader reader(params);
    json config;
    translate(reader, params, config);
    const std::optional<std::int64_t> written = reader.optional_number({"vocab_size"}, -1);
    if (reader.error()) return within(place, *reader.error());

    const Family* family = find_family(type_of(params));
    Result<Architecture> arch = family->read(config);
    if (arch && !says(params, "hidden_dim")) arch = with_metas_rule(std::move(*arch), params);
    if (!arch) return within(place, arch.error());
    const bool open = written.value_or(-1) == -1;
    arch->vocab = open ? 1 : *written;
    if (std::vector<Problem> problems = validate(*arch); !problems.empty())
        return within(place, problems.front().error);
    if (open) arch->vocab = vocab.value_or(0);
    return arch;
}

}  // namespace headcount
