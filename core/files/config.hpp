// Hugging Face configurations: reading one as an architecture, and writing an architecture as one.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/base/result.hpp"

namespace headcount {

// The JSON file of a configuration, of at most 8 MiB, which is seen before it is read; a document that Headcount saved
// (.headcount) may be as large as read_text takes. Errors name the file, and where in it: a byte, or of a key that
// stands twice its JSON pointer. A zero byte is an error.
Result<nlohmann::json> read_config_file(const std::filesystem::path& path);

// Whether a file above that size is an index of shards: those of large models are, and have a reader of their own.
bool is_large_index(const std::filesystem::path& path);

// The architecture that a config.json describes; `where` names it in errors. Of a multimodal configuration it is the
// language model (text_config). A model_type that is not known is read as LLaMA's skeleton, marked as not verified
// (core/families/unknown.hpp), where the file says its sizes, and refused by its name where it does not. Models with
// an encoder are refused, and those that wrap a language model of which the file says nothing. The architecture is
// checked: what comes back is valid.
Result<Architecture> read_config(const nlohmann::json& config, std::string_view where);

// Of a configuration that was read as not verified: that it is so, with the nearest types that are known, and what was
// taken for granted. A sentence each.
std::vector<std::string> notes_on_unknown(const nlohmann::json& config);

// A config.json that transformers would load as this architecture. Where the family's configuration has no word for
// what was chosen (rotary positions in GPT-2), the error names those fields.
Result<nlohmann::ordered_json> write_config(const Architecture& arch);

}  // namespace headcount
