// What a graph itself calls its tensors, as words of a question.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ask/words.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// A label, a symbol or the end of a checkpoint's name, cut into words.
struct GraphPhrase {
    std::string words;
    std::vector<TensorIndex> tensors;
};
std::vector<GraphPhrase> phrases_of(const ModelGraph& graph);

// An id, or a name as the checkpoint has it, typed in full; empty where there is none.
std::vector<TensorIndex> tensors_called(const ModelGraph& graph, std::string_view path);

// The atoms with single spaces.
std::string joined(std::span<const Atom> atoms);

}  // namespace headcount
