// The text of a link: "https://.../#v=1&m=llama-2-7b&kv_heads=8&at=layer.attention.head:3". What stands behind the # is
// a list of keys and values; what they mean is for others.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

struct LinkEntry {
    std::string key, value;  // UTF-8

    bool operator==(const LinkEntry&) const = default;
};
using LinkEntries = std::vector<LinkEntry>;

inline constexpr std::size_t longest_link = 2000;  // bytes from its # on
inline constexpr std::string_view link_version = "1";

// Whether the text is meant as a link: it has "#v=" in it, or begins with "v=" and goes on behind "&".
bool is_link(std::string_view text);

// Its entries in their order, without the version. Errors: too long, an escape that is none, what is no UTF-8, an entry
// without "=". An entry `v` of another version stays among them.
Result<LinkEntries> parse_link(std::string_view text);

// "#v=1&m=llama-2-7b": spaces as "+", what a browser or a shell might take amiss as %XX.
std::string link_text(const LinkEntries& entries);

}  // namespace headcount
