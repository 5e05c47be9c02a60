// What `run --tree` is told and says: how a text may go on.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/table.hpp"
#include "core/runtime/branches.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {

// "5x3": five ways, three tokens ahead.
struct TreeSize {
    std::int64_t width = 0, depth = 0;
};
Result<TreeSize> read_tree(const std::string& text, std::string_view flag);

// A row a branch, each indented by how far ahead it is: its share behind the token before, and of the whole way.
Table tree_table(const std::vector<Branch>& branches, const std::optional<Tokenizer>& tokenizer);

// [{"parent", "depth", "id", "text", "probability", "way", "over"}]; `parent` is a place in the list, or null.
nlohmann::ordered_json tree_json(const std::vector<Branch>& branches, const std::optional<Tokenizer>& tokenizer);

}  // namespace headcount
