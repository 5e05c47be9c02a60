// The JSON file of a configuration, or of a document that Headcount saved: what core/base/json_file.hpp reads, held to
// a size, and with the place of what is wrong.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/result.hpp"

namespace headcount {

// Of at most 8 MiB, which is seen before it is read; a document (.headcount) may be as large as read_text takes. Errors
// name the file, and where in it: a byte, or of a key that stands twice its JSON pointer. A zero byte is an error.
Result<nlohmann::json> read_config_file(const std::filesystem::path& path);

// Whether a file above that size is an index of shards: those of large models are, and have a reader of their own.
bool is_large_index(const std::filesystem::path& path);

}  // namespace headcount
