// What a JSON file is for, by the keys that only its kind has.
#include "core/files/json_kind.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/json_file.hpp"

namespace headcount {
namespace {

struct KindInfo {
    std::array<std::string_view, 5> keys;  // one of them is enough; the first of a lesson's is telling
    std::string_view is, none, reader;
};

// In the order of the enumeration.
constexpr std::array<KindInfo, 4> kinds{{{{"questions"}, "a worksheet", "no worksheet", "headcount worksheet show"},
                                         {{"claims"}, "a file of claims", "no file of claims", "headcount claims"},
                                         {{"steps"}, "a tour", "no tour", "headcount --tour"},
                                         {{"model_type", "architectures", "hidden_size", "dim", "weight_map"},
                                          "a model's configuration",
                                          "no model's configuration",
                                          "headcount count"}}};

bool is_of(const nlohmann::json& json, const KindInfo& kind) {
    return std::ranges::any_of(kind.keys, [&](std::string_view key) { return !key.empty() && json.contains(key); });
}

}  // namespace

bool meant_as(const std::filesystem::path& path, JsonKind kind) {
    return meant_as(path, kinds[static_cast<std::size_t>(kind)].keys.front());
}

std::optional<Error> other_kind(const nlohmann::json& json, JsonKind wanted, std::string_view where) {
    const KindInfo& asked = kinds[static_cast<std::size_t>(wanted)];
    const auto found = std::ranges::find_if(kinds, [&](const KindInfo& kind) { return is_of(json, kind); });
    if (is_of(json, asked) || found == kinds.end()) return std::nullopt;
    return Error{"this is " + std::string(found->is) + ", " + std::string(asked.none), std::string(where),
                 "\"" + std::string(found->reader) + "\" reads it"};
}

}  // namespace headcount
