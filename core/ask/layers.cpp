// Which layers a question is about, one by its number, those of one kind or all, and what all of them have of a matrix.
#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/difference.hpp"
#include "core/analysis/factored.hpp"
#include "core/ask/answer.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::int64_t highest_index = 100'000;  // of what is asked about by its number: what is more is a count

std::string none_such(std::string_view what, std::int64_t index, std::int64_t count) {
    return "There is no " + std::string(what) + " " + grouped(index) + ": the " + std::string(what) + "s are 0 to " +
           grouped(count - 1) + ".";
}

// Layers that are told apart: "dense layers"; "layers" where all are alike.
std::string layers_called(std::string_view label) { return (label.empty() ? "" : std::string(label) + " ") + "layers"; }

}  // namespace

std::optional<std::int64_t> QuestionReader::index_at(AskScope scope, std::size_t at) {
    const bool one = scope == AskScope::one_head || scope == AskScope::one_layer || scope == AskScope::one_expert;
    const ReadNumber index = one ? number_at(atoms_, at) : ReadNumber{};
    const bool alone =
        index.atoms == 1 && index.value < highest_index && atoms_[at].text.find('.') == std::string::npos;
    return alone && input(at).atoms == 0 && sides(at).atoms == 0 ? std::optional(index.value) : std::nullopt;
}

void QuestionReader::take_index(AskScope scope, std::int64_t index) {
    heard_.indices.emplace_back(scope, index);
    std::string& meaning = heard_.readings.back().meaning;
    if (meaning.starts_with("one ")) meaning.erase(0, std::string_view("one ").size());
    meaning += " " + grouped(index);
}

QuestionReader::Found QuestionReader::layer_kind(std::size_t at) {
    for (const LayerBlock& layer : graph_.layers) {
        const std::size_t label = layer.group.label.empty() ? 0 : spelled_at(atoms_, at, layer.group.label);
        if (label == 0) continue;
        const bool one = spelled_at(atoms_, at + label, "layer") > 0;
        if (!one && spelled_at(atoms_, at + label, "layers") == 0) continue;
        const auto index = one ? index_at(AskScope::one_layer, at + label + 1) : std::nullopt;
        const std::size_t atoms = label + 1 + (index ? 1 : 0);
        return {atoms, [=, this, &layer] {
                    heard_.layer = graph_.blocks[layer.block].id;
                    heard_.layer_named = true;
                    heard_.scopes.push_back(one ? AskScope::one_layer : AskScope::all_layers);
                    understood(at, atoms, layer.group.label + (one ? " layer" : " layers"));
                    if (index) take_index(AskScope::one_layer, *index);
                }};
    }
    return {};
}

std::string choose_layer(Heard& heard, const CountedModel& model) {
    std::optional<std::int64_t> layer;
    for (const auto& [scope, index] : heard.indices) {
        if (scope == AskScope::one_layer) {
            if (layer && *layer != index) return "Ask for one layer at a time, or for all of them.";
            layer = index;
            continue;
        }
        const bool head = scope == AskScope::one_head;
        const std::optional<std::int64_t> there = model.bindings[head ? Symbol::heads : Symbol::experts];
        if (there && index >= *there) return none_such(head ? "head" : "expert", index, *there);
    }
    const std::vector<LayerBlock>& layers = model.graph.layers;
    const auto id = [&](const LayerBlock& each) { return model.graph.blocks[each.block].id; };
    const auto named = std::ranges::find(layers, heard.layer, id);
    if (!layer || named == layers.end()) return "";
    const LayerKind& kind = named->group.kind;
    if (const std::int64_t count = stack_layers(model.architecture, kind); *layer >= count)
        return none_such("layer", *layer, count);
    const auto has_it = std::ranges::find_if(layers, [&](const LayerBlock& each) {
        return each.group.kind.encoder == kind.encoder && is_of_kind(model.architecture, *layer, each.group.kind);
    });
    if (has_it == layers.end()) return "";
    if (heard.layer_named && has_it != named)
        return "Layer " + grouped(*layer) + " of " + model.architecture.name + " is none of the " +
               layers_called(named->group.label) + ": it is one of the " + layers_called(has_it->group.label) + ".";
    heard.layer = id(*has_it);
    heard.layer_named = layers.size() > 1;
    return "";
}

std::vector<TensorIndex> same_in_all_layers(const ModelGraph& graph, TensorIndex index) {
    const Tensor& named = graph.tensors[index];
    const bool by_part = named.role == Role::parameter && !is_extra(named.part);
    const bool layered = graph.layer_of(named.block).has_value();
    std::vector<TensorIndex> all;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& each = graph.tensors[i];
        const auto same = [&] {
            if (!layered || each.role != named.role || each.part != named.part || !graph.layer_of(each.block))
                return false;
            if (by_part) return each.bias == named.bias && each.label == named.label;
            return graph.stack_of(each.block) == graph.stack_of(named.block) &&
                   place_in_layer(graph, each) == place_in_layer(graph, named);
        };
        if (i == index || same()) all.push_back(static_cast<TensorIndex>(i));
    }
    return all;
}

std::vector<TensorIndex> AskAnswerer::copies_asked_about(TensorIndex index) const {
    std::vector<TensorIndex> all{index};
    if (!all_layers() && !has(AskScope::one_layer)) return all;
    all = same_in_all_layers(graph_, index);
    const std::optional<std::size_t> layer = graph_.layer_of(graph_.tensors[index].block);
    std::erase_if(all, [&](TensorIndex each) {
        const Tensor& one = graph_.tensors[each];
        return each != index && (all_layers() ? !in_asked_kind(one) : graph_.layer_of(one.block) != layer);
    });
    return all;
}

void AskAnswerer::add_copies(AskAnswer& answer, TensorIndex index) const {
    const auto number = [&](const Expr& formula) { return evaluate(formula, model_.bindings); };
    const auto shape_of = [&](const Tensor& each) { return shape_in_numbers(each.shape, model_.bindings); };
    const Tensor& tensor = graph_.tensors[index];
    std::map<std::size_t, std::int64_t> in_each;  // of the kinds of layers
    std::int64_t all = 0, layers = 0;
    std::vector<std::string> others;
    for (const TensorIndex each : same_in_all_layers(graph_, index)) {
        const Tensor& one = graph_.tensors[each];
        const std::optional<std::size_t> layer = graph_.layer_of(one.block);
        if (each != index && !in_asked_kind(one)) continue;
        if (shape_of(one) != shape_of(tensor)) {
            others.push_back("It is " + shape_of(one) + " in " + layers_called(graph_.layers[*layer].group.label) +
                             ".");
            continue;
        }
        const Result<std::int64_t> copies = number(graph_.copies(one.block));
        const Result<std::int64_t> in_layer = number(graph_.copies_in_layer(one.block));
        const Result<std::int64_t> with = number(graph_.layers_with(one.block));
        if (!copies || !in_layer || !with) return;
        all += *copies;
        if (layer && !in_each.contains(*layer)) layers += *with;
        if (layer) in_each[*layer] += *in_layer;
    }
    const bool batched = model_.input.batch > 1 && tensor.role != Role::parameter;
    if (all == 1 && others.empty()) {
        if (batched) answer.notes.push_back("There is one for each of " + grouped(model_.input.batch) + " sequences.");
        return;
    }
    const bool even = std::ranges::adjacent_find(in_each, std::ranges::not_equal_to(),
                                                 &std::pair<const std::size_t, std::int64_t>::second) == in_each.end();
    const std::string called = others.empty() ? layers_called(heard_.layer_named ? layer_label() : "")
                                              : layers_called(graph_.layers[in_each.begin()->first].group.label);
    if (in_each.empty())
        answer.notes.push_back("There is one in each of " + grouped(all) + " layers.");
    else if (!even)
        answer.notes.push_back("There are " + grouped(all) + " in all, in " + grouped(layers) + " " + called + ".");
    else if (in_each.begin()->second > 1)
        answer.notes.push_back("There are " + grouped(in_each.begin()->second) + " in each layer, " + grouped(all) +
                               " in all.");
    else
        answer.notes.push_back("There is one in each of " + grouped(all) + " " + called + ".");
    answer.notes.insert(answer.notes.end(), others.begin(), others.end());
    if (batched) answer.notes.push_back("The batch has " + grouped(model_.input.batch) + " times as many.");
}

Expr AskAnswerer::copies_of(TensorIndex index) const {
    const bool one_layer = has(AskScope::one_layer);
    std::vector<Expr> terms;
    for (const TensorIndex each : one_layer ? copies_asked_about(index) : same_in_all_layers(graph_, index)) {
        const Tensor& tensor = graph_.tensors[each];
        if (each != index && !in_asked_kind(tensor)) continue;
        terms.push_back(one_layer ? graph_.copies_in_layer(tensor.block) : graph_.copies(tensor.block));
    }
    return terms.size() == 1 ? terms.front() : factored(sum_of(terms));
}

std::vector<std::string> AskAnswerer::blocks_asked_about(std::string_view sum) const {
    const std::string place(sum.substr(std::string_view("layer").size()));
    std::vector<std::string> blocks;
    const bool one_kind = heard_.layer_named || has(AskScope::one_layer) || has(AskScope::one_expert);
    if (graph_.find_block(heard_.layer + place)) blocks.push_back(heard_.layer + place);
    for (const LayerBlock& layer : graph_.layers) {
        const std::string& id = graph_.blocks[layer.block].id;
        const bool wanted = !heard_.layer_named && (!one_kind || blocks.empty()) && id != heard_.layer;
        if (wanted && graph_.find_block(id + place)) blocks.push_back(id + place);
    }
    return blocks;
}

std::optional<std::int64_t> AskAnswerer::layer_index() const {
    const auto of_layer =
        std::ranges::find(heard_.indices, AskScope::one_layer, &std::pair<AskScope, std::int64_t>::first);
    return of_layer == heard_.indices.end() ? std::nullopt : std::optional(of_layer->second);
}

std::string_view AskAnswerer::layer_label() const {
    for (const LayerBlock& layer : graph_.layers)
        if (graph_.blocks[layer.block].id == heard_.layer) return layer.group.label;
    return "";
}

std::string AskAnswerer::one_layer_words() const {
    const std::string label(layer_label());
    if (const std::optional<std::int64_t> index = layer_index())
        return "layer " + grouped(*index) + (label.empty() ? "" : " (" + label + ")");
    if (!label.empty()) return "one " + label + " layer";
    return graph_.layers.size() > 1 ? "one layer of the kind there are most of" : "one layer";
}

std::string AskAnswerer::all_layers_words() const {
    return "all " + layers_called(heard_.layer_named ? layer_label() : "");
}

bool AskAnswerer::in_asked_kind(const Tensor& tensor) const {
    return !heard_.layer_named || tensor.id.starts_with(heard_.layer + ".");
}

}  // namespace headcount
