// Which layers of a model have something.
#include "core/arch/layer_set.hpp"

#include <algorithm>
#include <vector>

#include "core/base/utf8.hpp"

namespace headcount {
namespace {

std::int64_t ones(std::string_view flags) { return std::ranges::count(flags, '1'); }

std::int64_t bounded(std::int64_t layers) { return std::clamp<std::int64_t>(layers, 0, LayerSet::longest); }

// Of the last so many flags the length of the shortest cycle that they repeat, for each number of them.
std::vector<std::size_t> periods(std::string_view flags) {
    // The longest border of a text (Knuth, Morris and Pratt 1977) gives its shortest period; read from its end, those
    // of all that it ends with come in one go.
    const std::string back(flags.rbegin(), flags.rend());
    std::vector<std::size_t> border(back.size() + 1, 0), period(back.size() + 1, 0);
    for (std::size_t i = 1, matched = 0; i < back.size(); ++i) {
        while (matched > 0 && back[i] != back[matched]) matched = border[matched];
        if (back[i] == back[matched]) ++matched;
        border[i + 1] = matched;
    }
    for (std::size_t i = 0; i <= back.size(); ++i) period[i] = i - border[i];
    return period;
}

}  // namespace

LayerSet LayerSet::all_but_first(std::int64_t layers) {
    return {std::string(static_cast<std::size_t>(bounded(layers)), '0'), "1"};
}

LayerSet LayerSet::every(std::int64_t step) {
    std::string cycle(static_cast<std::size_t>(std::max<std::int64_t>(1, bounded(step))), '0');
    cycle.back() = '1';
    return {"", cycle};
}

LayerSet LayerSet::of(std::span<const bool> layers) {
    std::string flags;
    for (bool layer : layers) flags += layer ? '1' : '0';
    if (flags.empty()) return {};
    const std::vector<std::size_t> period = periods(flags);
    std::size_t start = 0, length = period[flags.size()];
    // A few odd layers at the front, then the same again and again: a cycle must be seen at least twice.
    constexpr std::size_t most_odd = 64;
    for (std::size_t skip = 1; skip <= most_odd && skip + 1 < start + length; ++skip) {
        const std::size_t rest = flags.size() - skip, repeats = period[rest];
        if (2 * repeats > rest || skip + repeats >= start + length) continue;
        start = skip;
        length = repeats;
    }
    return {flags.substr(0, start), flags.substr(start, length)};
}

Result<LayerSet> LayerSet::parse(std::string_view text, std::string_view what) {
    Error error{
        quote(text) + " names no layers", std::string(what),
        "give a 0 or 1 for each layer of a cycle, such as 111110, or the first layers before a |, such as 000|1"};
    std::size_t bar = text.find('|');
    std::string first(bar == std::string_view::npos ? "" : text.substr(0, bar));
    std::string cycle(bar == std::string_view::npos ? text : text.substr(bar + 1));
    if (cycle.empty() || (first + cycle).find_first_not_of("01") != std::string::npos) return error;
    if (static_cast<std::int64_t>(std::max(first.size(), cycle.size())) > longest)
        return Error{"more than " + std::to_string(longest) + " layers are spelled out", std::string(what),
                     "give a shorter cycle"};
    return LayerSet(std::move(first), std::move(cycle));
}

std::string LayerSet::text() const { return first_.empty() ? cycle_ : first_ + "|" + cycle_; }

bool LayerSet::contains(std::int64_t layer) const {
    if (layer < first()) return first_[static_cast<std::size_t>(layer)] == '1';
    return cycle_[static_cast<std::size_t>((layer - first()) % cycle())] == '1';
}

bool LayerSet::same_in(const LayerSet& other, std::int64_t layers) const {
    for (std::int64_t layer = 0; layer < std::min(layers, longest); ++layer)
        if (contains(layer) != other.contains(layer)) return false;
    return true;
}

std::int64_t LayerSet::count(std::int64_t layers) const {
    if (layers <= first()) return ones(std::string_view(first_).substr(0, static_cast<std::size_t>(layers)));
    std::int64_t rest = layers - first();
    return ones(first_) + rest / cycle() * ones(cycle_) +
           ones(std::string_view(cycle_).substr(0, static_cast<std::size_t>(rest % cycle())));
}

}  // namespace headcount
