// The phrases that the ask bar understands in any model. The graph's own labels and symbols come on top.
#include "core/ask/phrases.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "core/ask/notions.hpp"

namespace headcount {

std::span<const Notion> notions() {
    return ask_notions::table;
}

const Notion& notion(std::string_view name) {
    const std::span<const Notion> all = notions();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Notion& each) { return each.name == name; });
    assert(found != all.end());
    return *found;
}

std::span<const AskPhrase> ask_phrases() {
    static const std::vector<AskPhrase> all = [] {
        std::vector<AskPhrase> joined;
        for (const std::span<const AskPhrase> list :
             {ask_lists::parts(), ask_lists::quantities(), ask_lists::scopes(), ask_lists::wides(), ask_lists::inputs(),
              ask_lists::symbols(), ask_lists::fillers()})
            joined.insert(joined.end(), list.begin(), list.end());
        return joined;
    }();
    return all;
}

std::string_view ask_name(AskQuantity quantity) {
    constexpr std::array<std::string_view, 9> names{
        "parameters", "weights", "active parameters", "shape", "rows", "columns", "numbers", "bytes", "copies"};
    return names[static_cast<std::size_t>(quantity)];
}

std::string_view ask_name(AskScope scope) {
    constexpr std::array<std::string_view, 8> names{"one head", "all heads", "one layer",  "all layers",
                                                    "in total", "one token", "one expert", "all experts"};
    return names[static_cast<std::size_t>(scope)];
}

std::string_view ask_name(AskWide wide) {
    constexpr std::array<std::string_view, 9> names{
        "the largest matrix", "the largest activation", "the largest part", "arithmetic",   "two models compared",
        "which is larger",    "which is smaller",       "what fits",        "memory of all"};
    return names[static_cast<std::size_t>(wide)];
}

}  // namespace headcount
