// What GPT-2 and its relatives share.
#include "core/families/gpt_like.hpp"

#include "core/base/checked.hpp"

namespace headcount {

Norm layer_norm(double epsilon) {
    return {.kind = NormKind::layer, .bias = true, .epsilon = epsilon};
}

std::int64_t four_times(ConfigReader& reader, std::string_view field, std::int64_t dim) {
    std::optional<std::int64_t> width = checked_multiply(4, dim);
    if (!width) reader.reject(field, "four times the width does not fit in 64 bits", "give a smaller width");
    return width.value_or(1);
}

void set_biases(Layer& layer, bool biases) {
    layer.attention.qkv_bias = layer.attention.output_bias = layer.feed_forward.bias = biases;
}

bool has_biases(const Layer& layer) {
    return layer.attention.qkv_bias && layer.attention.output_bias && layer.feed_forward.bias;
}

}  // namespace headcount
