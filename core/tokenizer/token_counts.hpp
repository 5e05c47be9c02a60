// How often a training has read each token, where a file beside the tokenizer says so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

struct TokenCounts {
    std::vector<std::int64_t> read;  // by id
    std::int64_t all = 0;            // their sum

    // Less than a twentieth of what a token of this vocabulary is read on average; not of an id that is not there.
    static constexpr std::int64_t seldom = 20;
    std::int64_t least() const { return all / (seldom * std::max<std::int64_t>(1, std::ssize(read))); }
    bool hardly_read(std::int32_t id) const {
        return id >= 0 && id < std::ssize(read) && read[static_cast<std::size_t>(id)] < least();
    }
};

// token_counts.json in the folder of a model, {"counts": [...]} with so many whole numbers; nothing where it is not
// there. Errors: it is something else.
Result<std::optional<TokenCounts>> read_token_counts(const std::filesystem::path& folder, std::int64_t tokens);

}  // namespace headcount
