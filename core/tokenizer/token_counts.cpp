// Reads the file of counts.
#include "core/tokenizer/token_counts.hpp"

#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/json_file.hpp"
#include "core/base/text.hpp"

namespace headcount {

Result<std::optional<TokenCounts>> read_token_counts(const std::filesystem::path& folder, std::int64_t tokens) {
    const std::filesystem::path path = folder / "token_counts.json";
    std::error_code none;
    if (!std::filesystem::exists(path, none)) return std::optional<TokenCounts>();
    const Result<nlohmann::json> json = read_json(path);
    if (!json) return json.error();
    const auto counts = json->is_object() ? json->find("counts") : json->end();
    // Few enough that their sum is one, too.
    const auto is_count = [](const nlohmann::json& each) {
        constexpr std::uint64_t most = std::uint64_t{1} << 40;
        return each.is_number_unsigned() && each.get<std::uint64_t>() <= most;
    };
    const bool right = json->is_object() && counts != json->end() && counts->is_array() &&
                       std::ssize(*counts) == tokens && std::ranges::all_of(*counts, is_count);
    if (!right)
        return Error{"these are no counts of tokens", path.string(),
                     "give \"counts\", a list of " + grouped(tokens) + " whole numbers, or take the file away"};
    TokenCounts read{.read = counts->get<std::vector<std::int64_t>>()};
    read.all = std::accumulate(read.read.begin(), read.read.end(), std::int64_t{0});
    return std::optional(std::move(read));
}

}  // namespace headcount
