#include "core/checkpoints/quantized_names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace headcount {

std::optional<std::string> packed_matrix(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> endings{
        {{".qweight", ".weight"}, {".weight_packed", ".weight"}, {"_blocks", ""}}};
    for (const auto& [packed, matrix] : endings)
        if (name.ends_with(packed))
            return std::string(name.substr(0, name.size() - packed.size())) + std::string(matrix);
    return std::nullopt;
}

bool restores_numbers(std::string_view name) {
    constexpr std::array<std::string_view, 17> endings{
        "_scale_inv",    "_scales",        "_scale",           "_scale_2", ".scales",        ".qzeros", ".g_idx",
        ".weight_g_idx", ".weight_shape",  "_zero_point",      ".SCB",     ".weight_format", ".absmax", ".quant_map",
        ".quant_state",  ".nested_absmax", ".nested_quant_map"};
    return name.find(".quant_state.") != std::string_view::npos ||
           std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace headcount
