// What is done between the matrices of a page, in words and signs that read as a line: "SiLU(", ") ⊙", "/ √16 =".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/runtime/model.hpp"

namespace headcount {

struct LinkWords {
    struct Input {
        std::size_t index = 0;  // of the node's inputs
        std::string before;
    };
    std::vector<Input> inputs;            // in the order in which they are drawn
    std::vector<std::string> parameters;  // before each
    std::string output;                   // before what is made
    std::string title, remark;            // where there is more to say than fits between
};

// Of a node that takes each token by itself and is no product.
LinkWords link_words(const Model& model, const Node& node);

// Before the scores, which keys of so many columns make in this layer.
std::string score_words(const Model& model, std::int64_t layer, std::int64_t columns);

// What is done to a product besides: "within ± 8"; empty where nothing is.
std::string product_note(const Model& model, const Node& node);

}  // namespace headcount
