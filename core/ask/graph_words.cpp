// What a graph itself calls its tensors, as words of a question.
#include "core/ask/graph_words.hpp"

#include <algorithm>

namespace headcount {
namespace {

// "model.layers.{i}.mlp.up_proj.weight" of "model.layers.3.mlp.up_proj.weight".
bool is_stored_as(std::string_view typed, std::string_view name) {
    while (!typed.empty() && !name.empty()) {
        if (name.front() == '{') {
            name.remove_prefix(std::min(name.find('}') + 1, name.size()));
            if (typed.front() < '0' || typed.front() > '9') return false;
            typed.remove_prefix(std::min(typed.find_first_not_of("0123456789"), typed.size()));
        } else {
            if (typed.front() != name.front()) return false;
            typed.remove_prefix(1);
            name.remove_prefix(1);
        }
    }
    return typed.empty() && name.empty();
}

}  // namespace

std::string joined(std::span<const Atom> atoms) {
    std::string text;
    for (const Atom& atom : atoms) text += (text.empty() ? "" : " ") + atom.text;
    return text;
}

std::vector<GraphPhrase> phrases_of(const ModelGraph& graph) {
    std::vector<GraphPhrase> phrases;
    auto add = [&](std::string_view words, TensorIndex tensor) {
        std::string spelled = joined(atoms_of(words));
        if (spelled.empty()) return;
        const auto found = std::find_if(phrases.begin(), phrases.end(),
                                        [&](const GraphPhrase& phrase) { return phrase.words == spelled; });
        if (found == phrases.end())
            phrases.push_back({std::move(spelled), {tensor}});
        else
            found->tensors.push_back(tensor);
    };
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        add(graph.tensors[i].label, static_cast<TensorIndex>(i));
        add(graph.tensors[i].symbol, static_cast<TensorIndex>(i));
    }
    for (const StoredTensor& stored : graph.stored) {
        if (stored.parts.size() != 1) continue;
        std::string_view name = stored.name;
        if (name.ends_with(".weight")) name.remove_suffix(7);
        name = name.substr(name.rfind('.') == std::string_view::npos ? 0 : name.rfind('.') + 1);
        add(name, stored.parts.front());
    }
    return phrases;
}

std::vector<TensorIndex> tensors_called(const ModelGraph& graph, std::string_view path) {
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
        if (graph.tensors[i].id == path) return {static_cast<TensorIndex>(i)};
    for (const StoredTensor& stored : graph.stored)
        if (is_stored_as(path, stored.name)) return stored.parts;
    return {};
}

}  // namespace headcount
