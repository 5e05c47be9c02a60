// How a model_type's configurations speak of experts.
#include "core/families/mixture_type.hpp"

#include "core/base/checked.hpp"

namespace headcount {
namespace {

using Spellings = MixtureType::Spellings;

std::int64_t read_number(ConfigReader& reader, const Spellings& field, std::int64_t otherwise, std::int64_t least = 1) {
    return reader.number({field.own, field.other, field.third}, otherwise, least);
}

// All but the first, or those that mlp_layer_types calls sparse.
LayerSet read_sparse_layers(ConfigReader& reader, const Architecture& arch, const MixtureType& type) {
    LayerSet rule = LayerSet::all_but_first(type.dense_first);
    if (!type.dense_first_field.own.empty())
        rule = read_all_but_first(reader, {type.dense_first_field.own}, type.dense_first, arch.layers);
    if (!type.has_types) return rule;
    return reader.layers_with({"mlp_layer_types"}, "sparse", arch.layers, "dense").value_or(std::move(rule));
}

}  // namespace

void set_shared_width(Mixture& mixture, std::int64_t width) {
    const bool whole = width % mixture.expert_dim == 0;
    mixture.shared_experts = whole ? width / mixture.expert_dim : 1;
    if (!whole) mixture.shared_dim = width;
}

std::int64_t shared_width(const Mixture& mixture) {
    return checked_multiply(mixture.shared_experts, mixture.shared_dim.value_or(mixture.expert_dim)).value_or(0);
}

void read_mixture(ConfigReader& reader, Architecture& arch, const MixtureType& type) {
    Mixture mixture;
    mixture.experts = read_number(reader, type.experts_field, type.experts);
    const Spellings& per_token = type.per_token_field;
    mixture.experts_per_token =
        type.per_token_by_layer
            ? reader.number_of_all({per_token.own, per_token.other, per_token.third}, type.experts_per_token)
            : read_number(reader, per_token, type.experts_per_token);
    mixture.expert_dim = type.width_field.own.empty() ? std::get<std::int64_t>(arch.layer.feed_forward.width)
                                                      : read_number(reader, type.width_field, type.width);
    const std::int64_t least = type.may_share_none ? 0 : 1;
    mixture.shared_experts = read_number(reader, type.shared_field, type.shared, least);
    if (!type.shared_width_field.own.empty())
        set_shared_width(mixture, read_number(reader, type.shared_width_field, type.shared, least));
    mixture.shared_gate = type.shared_gate;
    mixture.correction_bias = type.correction_bias;
    mixture.expert_bias = type.expert_bias;
    mixture.layers = read_sparse_layers(reader, arch, type);
    arch.layer.mixture = std::move(mixture);
}

void write_mixture(nlohmann::ordered_json& config, const Architecture& arch, const MixtureType& type) {
    const auto write = [&](const Spellings& field, std::int64_t value) {
        if (!field.own.empty()) config[field.own] = value;
    };
    const std::optional<Mixture>& mixture = arch.layer.mixture;
    const LayerSet layers = mixture ? mixture->layers : LayerSet::none();
    const std::int64_t dense = arch.layers - layers.count(arch.layers);
    if (!type.dense_first_field.own.empty() && layers.same_in(LayerSet::all_but_first(dense), arch.layers))
        write(type.dense_first_field, dense);
    else if (type.has_types)
        config["mlp_layer_types"] = worded(layers, arch.layers, "sparse", "dense");
    if (!mixture) return;
    write(type.experts_field, mixture->experts);
    write(type.per_token_field, mixture->experts_per_token);
    write(type.width_field.own.empty() ? Spellings{"intermediate_size"} : type.width_field, mixture->expert_dim);
    write(type.shared_field, mixture->shared_experts);
    write(type.shared_width_field, shared_width(*mixture));
}

}  // namespace headcount
