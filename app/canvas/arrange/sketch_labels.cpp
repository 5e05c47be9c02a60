// The words of the layout's pencil: a tensor's label in one to three lines, and which of all find room.
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

#include "app/canvas/arrange/sketch.hpp"
#include "core/base/text.hpp"

namespace headcount {

const Sketch::Words& Sketch::words(const Tensor& tensor) const {
    const auto known = words_.find(&tensor);
    if (known != words_.end()) return known->second;
    Words made{name_text(tensor), shape_text(tensor), grouped(count(tensor))};
    made.symbol_width = width_of(tensor.symbol, TextRole::name);
    made.name_width = width_of(made.name, TextRole::name);
    made.shape_width = width_of(made.shape, TextRole::number);
    made.count_width = width_of(made.count, TextRole::number);
    return words_[&tensor] = std::move(made);
}

float Sketch::label_width(std::string_view id, int lines) const {
    const Tensor* tensor = find(id);
    if (!tensor) return 0;
    const Words& said = words(*tensor);
    if (lines == 1) return said.symbol_width + px(8) + said.shape_width;
    const float both = std::max(said.name_width, said.shape_width);
    return lines == 2 ? both : std::max(both, said.count_width);
}

float Sketch::label_height(int lines) const {
    return lines == 1 ? name_line() : name_line() + static_cast<float>(lines - 1) * number_line();
}

void Sketch::tensor_label(std::string_view id, Point top, int lines, Anchor anchor) {
    const Tensor* tensor = find(id);
    if (!tensor) return;
    const Words& said = words(*tensor);
    if (lines == 1) {
        float width = label_width(id, 1);
        float left = anchor == Anchor::left ? top.x : anchor == Anchor::right ? top.x - width : top.x - width / 2;
        label({left, top.y}, std::string(tensor->symbol), TextRole::name, Tone::high, Anchor::left, id);
        label({left + width, top.y + px(2)}, said.shape, TextRole::number, Tone::mid, Anchor::right, id);
        return;
    }
    label(top, said.name, TextRole::name, Tone::high, anchor, id);
    label({top.x, top.y + name_line()}, said.shape, TextRole::number, Tone::mid, anchor, id);
    if (lines <= 2) return;
    detail({top.x, top.y + name_line() + number_line()}, said.count, id, anchor);
}

void Sketch::tensor_label_in(std::string_view id, Rect slab, Point beside, int lines) {
    for (int fitting = lines; fitting > 0; --fitting) {
        if (slab.width() < label_width(id, fitting) + px(16) || slab.height() < label_height(fitting) + px(2)) continue;
        std::size_t first = scene.labels.size();
        tensor_label(id, {slab.min.x + px(8), slab.centre().y - label_height(fitting) / 2}, fitting);
        for (std::size_t i = first; i < scene.labels.size(); ++i)
            scene.labels[i].tone = i == first ? Tone::on_slab : Tone::on_slab_low;
        return;
    }
    tensor_label(id, beside, lines);
}

namespace {

// A line has no width.
bool runs_through(const Wire& wire, const Rect& ink) {
    for (std::size_t i = 1; i < wire.points.size(); ++i)
        if (around(wire.points[i - 1], wire.points[i]).overlaps(ink)) return true;
    return false;
}

}  // namespace

Rect Sketch::ink(const Label& label) const {
    const float left = label.at.x - left_of_anchor(label.anchor, label.width);
    return {{left, label.at.y + px(2)}, {left + label.width, label.at.y + px(13)}};
}

bool Sketch::is_crowded(const Label& label, const std::vector<Rect>& kept) const {
    const Rect rect = ink(label);
    const bool on_slab = label.tone == Tone::on_slab || label.tone == Tone::on_slab_low;
    const Rect with_gap{{rect.min.x - px(3), rect.min.y}, {rect.max.x + px(3), rect.max.y}};
    // A subscript hangs lower.
    const float foot = is_name(label) && label.text.find('_') != std::string::npos ? px(2) : 0;
    const Rect whole{rect.min, {rect.max.x, rect.max.y + foot}};
    // Half in a card would seem to belong to neither side.
    const auto cuts = [&](const Frame& frame) {
        const bool card = frame.kind == FrameKind::component || frame.kind == FrameKind::card;
        return card && whole.overlaps(frame.rect) && !frame.rect.holds(whole);
    };
    const bool outside = rect.min.x < input_.area.min.x - px(2) || rect.max.x > input_.area.max.x + px(2) ||
                         rect.min.y < input_.area.min.y - px(4) || rect.max.y > input_.area.max.y + px(8);
    return outside || std::ranges::any_of(kept, [&](const Rect& other) { return with_gap.overlaps(other); }) ||
           (!on_slab &&
            std::ranges::any_of(scene.slabs,
                                [&](const Slab& slab) { return rect.overlaps(slab.rect) && slab.id != label.id; })) ||
           std::ranges::any_of(scene.frames, cuts);
}

// Near its place, or above, below, right or left of what it names, where no line runs; nothing where there is no room
// either.
std::optional<Label> Sketch::beside_matrix(const Label& label, const std::vector<Rect>& kept) const {
    const auto slab = std::ranges::find_if(scene.slabs, [&](const Slab& each) { return each.id == label.id; });
    if (label.role != TextRole::name || slab == scene.slabs.end()) return std::nullopt;
    // A bias hangs below.
    Rect matrix = slab->rect;
    constexpr std::string_view weight = ".weight";
    if (label.id.ends_with(weight))
        if (const std::string bias = label.id.substr(0, label.id.size() - weight.size()) + ".bias"; true)
            for (const Slab& each : scene.slabs)
                if (each.id == bias) matrix.max.y = std::max(matrix.max.y, each.rect.max.y);
    const float line = name_line(), middle = matrix.centre().y - line / 2;
    Label moved = label;
    moved.anchor = Anchor::left;
    if (moved.tone == Tone::on_slab) moved.tone = Tone::high;
    // Out of its card it would seem to be another's.
    const auto leaves_card = [&](const Label& there) {
        return std::ranges::any_of(scene.frames, [&](const Frame& frame) {
            const bool card = frame.kind == FrameKind::component || frame.kind == FrameKind::card;
            return card && frame.rect.holds(slab->rect) && !frame.rect.holds(ink(there));
        });
    };
    const float own = label.at.x - left_of_anchor(label.anchor, label.width);
    for (const Point at : {Point{own, label.at.y - px(4)},  // what hangs lower may have run into the card's edge
                           Point{matrix.min.x, matrix.min.y - line},
                           {matrix.min.x, matrix.max.y + px(1)},
                           {matrix.max.x + px(4), middle},
                           {matrix.min.x - px(14) - label.width, middle},
                           {matrix.max.x - label.width, matrix.min.y - line},
                           {matrix.max.x - label.width, matrix.max.y + px(1)}}) {
        moved.at = moved.pivot = at;
        const bool crossed =
            std::ranges::any_of(scene.wires, [&](const Wire& wire) { return runs_through(wire, ink(moved)); });
        if (!crossed && !leaves_card(moved) && !is_crowded(moved, kept)) return moved;
    }
    return std::nullopt;
}

// No matrix is without its name: one that nothing is said of has its own beside it.
void Sketch::name_matrices() {
    for (std::size_t i = 0; i < scene.slabs.size(); ++i) {
        const Slab slab = scene.slabs[i];
        const Tensor* const tensor = find(slab.id);
        const bool matrix = slab.look == SlabLook::parameter && tensor && tensor->shape.rank() > 1;
        const auto named = [&](const Label& label) { return names(label, slab); };
        if (!matrix || std::ranges::any_of(scene.labels, named)) continue;
        name({slab.rect.max.x + px(4), slab.rect.centre().y - name_line() / 2}, tensor->symbol, slab.id);
    }
}

void Sketch::drop_crowded_labels() {
    name_matrices();
    // What is trained is named before what flows.
    const auto flows = [&](const Label& label) {
        const Tensor* const tensor = label.role == TextRole::name ? find(label.id) : nullptr;
        return tensor && tensor->role != Role::parameter;
    };
    const auto is_matrix = [&](const Label& label) {
        const Tensor* const tensor = find(label.id);
        const bool trained = tensor && tensor->role == Role::parameter && tensor->shape.rank() > 1;
        return trained || std::ranges::any_of(scene.slabs, [&](const Slab& slab) {
                   return slab.grid_columns > 0 && names(label, slab);
               });
    };
    const auto rank = [&](const Label& label) {
        return static_cast<int>(label.role) * 4 + static_cast<int>(label.tone == Tone::low || flows(label));
    };
    std::vector<std::size_t> order(scene.labels.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return rank(scene.labels[a]) < rank(scene.labels[b]); });
    std::vector<Rect> kept;
    std::vector<std::size_t> stay;  // which those are
    const auto keep = [&](std::size_t index) {
        kept.push_back(ink(scene.labels[index]));
        stay.push_back(index);
    };
    // Of those that are shown together none without the others, as far as these have been looked at.
    const auto drop_lone = [&](TextRole last) {
        std::map<int, std::ptrdiff_t> lacking;
        for (const Label& each : scene.labels)
            if (each.pair > 0 && each.role <= last) ++lacking[each.pair];
        for (const std::size_t index : stay)
            if (scene.labels[index].pair > 0) --lacking[scene.labels[index].pair];
        std::erase_if(stay, [&](std::size_t index) {
            return scene.labels[index].pair > 0 && lacking[scene.labels[index].pair] > 0;
        });
        kept.clear();
        for (const std::size_t index : stay)
            if (!scene.labels[index].crowded) kept.push_back(ink(scene.labels[index]));
    };
    // Names, then those that found no place beside what they name, then shapes and counts.
    const auto names =
        std::ranges::find_if(order, [&](std::size_t index) { return scene.labels[index].role > TextRole::name; });
    std::vector<std::size_t> crowded;
    for (auto each = order.begin(); each != names; ++each)
        if (is_crowded(scene.labels[*each], kept))
            crowded.push_back(*each);
        else
            keep(*each);
    for (const std::size_t index : crowded) {
        Label& label = scene.labels[index];
        if (std::optional<Label> moved = beside_matrix(label, kept)) {
            label = *std::move(moved);
            keep(index);
        } else if (label.role == TextRole::name && label.pair == 0 && is_matrix(label)) {
            label.crowded = true;
            stay.push_back(index);
        }
    }
    drop_lone(TextRole::name);  // before numbers give way to what is not shown
    for (auto each = names; each != order.end(); ++each)
        if (!is_crowded(scene.labels[*each], kept)) keep(*each);
    drop_lone(TextRole::caption);
    std::ranges::sort(stay);
    std::vector<Label> labels;
    labels.reserve(stay.size());
    for (const std::size_t index : stay) labels.push_back(std::move(scene.labels[index]));
    scene.labels = std::move(labels);
}

}  // namespace headcount
