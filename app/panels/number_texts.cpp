// How counts, bytes and shapes are written; see the header.
#include "app/panels/number_texts.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include "core/analysis/activations.hpp"
#include "core/base/text.hpp"

namespace headcount {

void add_bytes_texts(std::vector<std::string>& texts, std::int64_t bytes) {
    texts.push_back(grouped(bytes));
    texts.push_back(std::to_string(bytes));
    texts.push_back(bytes_text(bytes));
}

void add_count_texts(std::vector<std::string>& texts, std::int64_t count, Precision precision) {
    texts.push_back(grouped(count));
    texts.push_back(std::to_string(count));
    texts.push_back(short_count(count));
    if (const std::optional<std::int64_t> bytes = bytes_of(count, precision)) add_bytes_texts(texts, *bytes);
}

void add_shape_texts(std::vector<std::string>& texts, std::span<const std::int64_t> sides) {
    if (sides.size() < 2) return;
    for (const std::string_view between : {" × ", "·", " · ", ", "}) {
        std::string there, back;
        for (std::size_t axis = 0; axis < sides.size(); ++axis) {
            const std::string one = std::to_string(sides[axis]);
            there += (axis > 0 ? std::string(between) : "") + one;
            back.insert(0, one + (axis > 0 ? std::string(between) : ""));
        }
        texts.push_back(std::move(there));
        texts.push_back(std::move(back));
    }
}

}  // namespace headcount
