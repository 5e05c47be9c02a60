// Which layers of a model have something: the first ones spelled out, then a cycle that repeats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace headcount {

// "1" is every layer, "0" none, "000|1" all but the first three, "111110" five of six.
class LayerSet {
  public:
    LayerSet() = default;  // every layer
    static LayerSet none() { return LayerSet("", "0"); }
    static LayerSet all_but_first(std::int64_t layers);  // at most `longest`
    static LayerSet every(std::int64_t step);            // the last of each `step` layers: "0001"; at most `longest`

    // The shortest way to say a list of one flag a layer, at most `longest` of them; what follows the list is not told
    // apart.
    static LayerSet of(std::span<const bool> layers);

    // Reads what `text` writes: zeros and ones, with one "|" between the first layers and the cycle.
    static Result<LayerSet> parse(std::string_view text, std::string_view what);
    std::string text() const;

    bool contains(std::int64_t layer) const;
    std::int64_t count(std::int64_t layers) const;  // how many of the layers 0 ... layers - 1

    std::int64_t first() const { return static_cast<std::int64_t>(first_.size()); }  // layers before the cycle
    std::int64_t cycle() const { return static_cast<std::int64_t>(cycle_.size()); }  // its length, at least 1

    // Whether a model of that many layers can tell them apart: as far as they can be spelled out.
    bool same_in(const LayerSet& other, std::int64_t layers) const;

    bool operator==(const LayerSet&) const = default;

    static constexpr std::int64_t longest = 4096;

  private:
    LayerSet(std::string first, std::string cycle) : first_(std::move(first)), cycle_(std::move(cycle)) {}

    std::string first_, cycle_ = "1";  // a 0 or 1 for each layer
};

}  // namespace headcount
