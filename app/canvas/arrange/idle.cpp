// What a model stores at its end and nothing here reads: a norm of another row, a head that pools in another way.
#include <algorithm>

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount {
namespace {

constexpr float idle_gap = 6, idle_words = 104;  // design pixels

}  // namespace

std::vector<std::string> idle_ends(const Sketch& sketch) {
    const ModelGraph& graph = sketch.input().model.graph;
    std::vector<std::string> ids;
    for (const Tensor& tensor : graph.tensors) {
        const bool end = tensor.component == Component::output || tensor.component == Component::norm;
        if (tensor.idle && end && !graph.layer_of(tensor.block) && !tensor.bias) ids.push_back(tensor.id);
    }
    return ids;
}

float idle_height(const Sketch& sketch, float scale) {
    const std::vector<std::string> ids = idle_ends(sketch);
    if (ids.empty()) return 0;
    float highest = 0;
    for (const std::string& id : ids)
        highest = std::max(
            highest, sketch.thick(sketch.sides(id).rows, scale) + sketch.px(2) + sketch.thick(sketch.drawn(1), scale));
    const float names = ids.size() > 1 ? sketch.name_line() : 0;
    return names + std::max(highest, sketch.name_line() + sketch.number_line() - names) + sketch.px(8);
}

void lay_out_idle(Sketch& sketch, const Plan& plan, Point from) {
    const std::vector<std::string> ids = idle_ends(sketch);
    if (ids.empty()) return;
    const bool several = ids.size() > 1;      // each below its name
    const bool read = !sketch.has("logits");  // by what pools, which is not drawn
    sketch.name(from, several ? "Pooling head" : sketch.find(ids.back())->label, several ? "" : ids.back());
    sketch.caption({from.x, from.y + sketch.name_line()}, read ? "counted alone" : "stored, not read", ids.back());
    Point at{from.x + sketch.px(idle_words), from.y + (several ? sketch.name_line() : sketch.px(2))};
    for (const std::string& id : ids) {
        const Rect rect = sketch.hung(id, at, plan.scales.model);
        sketch.bias_below(id.substr(0, id.size() - std::string_view("weight").size()) + "bias", rect,
                          plan.scales.model);
        const std::string name = several ? sketch.name_text(*sketch.find(id)) : "";
        sketch.name({at.x, from.y}, name, id);
        at.x = std::max(rect.max.x, at.x + sketch.width_of(name, TextRole::name)) + sketch.px(idle_gap);
    }
}

}  // namespace headcount
