// The words of the layout's pencil: a tensor's label in one to three lines, and which of all find room.
#include <algorithm>

#include "app/canvas/sketch.hpp"
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
    if (lines > 2)
        label({top.x, top.y + name_line() + number_line()}, said.count, TextRole::number, Tone::low, anchor, id);
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

void Sketch::drop_crowded_labels() {
    struct Kept {
        Rect rect;
        std::size_t index;
    };
    auto rank = [](const Label& label) {
        return static_cast<int>(label.role) * 4 + static_cast<int>(label.tone == Tone::low);
    };
    std::vector<std::size_t> order(scene.labels.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rank(scene.labels[a]) < rank(scene.labels[b]); });
    std::vector<Kept> kept;
    for (std::size_t index : order) {
        const Label& label = scene.labels[index];
        float width = label.width;
        float left = label.at.x - (label.anchor == Anchor::left     ? 0
                                   : label.anchor == Anchor::centre ? width / 2
                                                                    : width);
        Rect rect{{left, label.at.y + px(2)}, {left + width, label.at.y + px(13)}};
        auto over = [&](const Rect& other) {
            return rect.min.x < other.max.x && other.min.x < rect.max.x && rect.min.y < other.max.y &&
                   other.min.y < rect.max.y;
        };
        bool on_slab = label.tone == Tone::on_slab || label.tone == Tone::on_slab_low;
        const Rect with_gap{{rect.min.x - px(3), rect.min.y}, {rect.max.x + px(3), rect.max.y}};
        bool crowded =
            std::any_of(kept.begin(), kept.end(), [&](const Kept& other) { return with_gap.overlaps(other.rect); }) ||
            (!on_slab && std::any_of(scene.slabs.begin(), scene.slabs.end(),
                                     [&](const Slab& slab) { return over(slab.rect) && slab.id != label.id; }));
        // A subscript hangs lower.
        const float foot = is_name(label) && label.text.find('_') != std::string::npos ? px(2) : 0;
        const Rect ink{rect.min, {rect.max.x, rect.max.y + foot}};
        // Half in a card would seem to belong to neither side.
        crowded = crowded || std::any_of(scene.frames.begin(), scene.frames.end(), [&](const Frame& frame) {
                      const bool card = frame.kind == FrameKind::component || frame.kind == FrameKind::card;
                      return card && ink.overlaps(frame.rect) && !frame.rect.holds(ink);
                  });
        bool outside = rect.min.x < input_.area.min.x - px(2) || rect.max.x > input_.area.max.x + px(2) ||
                       rect.min.y < input_.area.min.y - px(4) || rect.max.y > input_.area.max.y + px(8);
        if (!crowded && !outside) kept.push_back({rect, index});
    }
    std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.index < b.index; });
    std::vector<Label> labels;
    labels.reserve(kept.size());
    for (const Kept& each : kept) labels.push_back(std::move(scene.labels[each.index]));
    scene.labels = std::move(labels);
}

}  // namespace headcount
