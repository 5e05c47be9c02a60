// Puts models on the screen, and moves about in them.
#include "app/state/shown.hpp"

#include <utility>

namespace headcount {

Shown newly_shown(Document document) {
    Derived derived = derive(document, nullptr);
    return {std::move(document), std::move(derived), {}};
}

bool set_document(Shown& model, Document document) {
    if (document == model.document) return false;
    const bool other_model = document.file != model.document.file || document.base != model.document.base;
    model.document = std::move(document);
    // What cannot be shown leaves the last picture; but not that of another model, which would pass for this one's.
    const bool possible = !other_model || validate(model.document.architecture).empty();
    model.derived = derive(model.document, possible ? &model.derived : nullptr);
    return true;
}

std::optional<Error> show_model(std::optional<Shown>& there, const Architecture& architecture, const Input& input) {
    if (there && there->document.base == architecture && there->document.input == input) return std::nullopt;
    if (const Result<Counted> counted = count(architecture, input); !counted) return counted.error();
    Look look = there ? there->look : Look{};
    look.selection = look.hover = {};
    there = newly_shown({architecture, architecture, "", input});
    there->look = std::move(look);
    return std::nullopt;
}

void go_to(Look& look, const Place& place) {
    look.asked_for = place;
    ++look.askings;
}

void light(Shown& model, std::string_view at) {
    const ModelGraph& graph = model.derived.shown.graph;
    const Tensor* const tensor = graph.find(at);
    const Block* const block = tensor ? &graph.blocks[tensor->block] : graph.find_block(at);
    if (!block && !at.empty()) return;
    model.look.selection = tensor ? Subject(TensorSubject{tensor->id}) : Subject();
    go_to(model.look, {block ? block->id : "", 0, {}});
}

void arrive_at(Shown& model, const Place& place) {
    model.look.here = place;
    auto* const tensor = std::get_if<TensorSubject>(&model.look.selection);
    const ModelGraph& graph = model.derived.shown.graph;
    const Block* const block = graph.find_block(place.id);
    const Tensor* const there = graph.find(place.id);
    if (!tensor || !tensor->copies.head || (!block && !there)) return;
    const auto index = block ? static_cast<BlockIndex>(block - graph.blocks.data()) : there->block;
    if (graph.is(index, BlockKind::head)) tensor->copies.head = place.copy;
}

void drop_lost_selection(Shown& model, const Shown* other) {
    const auto* const tensor = std::get_if<TensorSubject>(&model.look.selection);
    const auto has = [&](const Shown& each) { return each.derived.shown.graph.find(tensor->id) != nullptr; };
    if (tensor && !has(model) && !(other && has(*other))) model.look.selection = {};
}

}  // namespace headcount
