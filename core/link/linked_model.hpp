// Which model a link is of: a preset, and the fields in which it differs from that.
#pragma once

#include <span>
#include <string_view>

#include "core/files/document.hpp"
#include "core/files/presets.hpp"
#include "core/link/link_text.hpp"

namespace headcount {

inline constexpr std::string_view link_model = "m";

// {m, llama-2-7b}, {kv_heads, 8}: the changes as few as do, in the order in which they are to be made. `preset` is
// tried first, and where it is not there or does not do, the preset with the fewest changes is taken. What of a file
// changes no field (names, token ids, constants) plays no part. Errors: there is no preset of which fields make this
// model.
Result<LinkEntries> model_entries(const Architecture& arch, std::string_view preset, std::span<const Preset> presets);

// The preset, of the last entry `m` or the first that ships, with what else of the entries is a field; what is none is
// passed over. Its input is the usual one. Errors name the entry: no such preset, a value that a field refuses; or say
// which fields do not fit together.
Result<Document> model_of(const LinkEntries& entries, std::span<const Preset> presets);

// Whether the key is that of a field.
bool is_field(std::string_view key);

}  // namespace headcount
