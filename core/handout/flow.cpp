// The tensors that a question names as boxes, joined as the graph computes them; and the small drawing for paper.

#include <algorithm>
#include <map>
#include <set>

#include "core/base/markup.hpp"
#include "core/handout/handout.hpp"

namespace headcount {
namespace {

constexpr int box_width = 130, box_height = 46, gap_x = 38, gap_y = 16, margin = 2;

// Which of the boxes each box is made from, through whatever lies between.
class Links {
  public:
    Links(const ModelGraph& graph, const std::vector<FlowBox>& boxes) : graph_(graph) {
        for (std::size_t i = 0; i < boxes.size(); ++i)
            box_of_[static_cast<TensorIndex>(boxes[i].tensor - graph.tensors.data())] = i;
        for (const auto& [tensor, box] : box_of_) {
            std::set<TensorIndex> seen;
            follow(tensor, box, seen);
        }
    }
    const std::set<std::pair<std::size_t, std::size_t>>& pairs() const { return pairs_; }

  private:
    void follow(TensorIndex tensor, std::size_t to, std::set<TensorIndex>& seen) {
        const Node* node = graph_.producer(tensor);
        if (!node) return;
        for (TensorIndex input : node->inputs) {
            if (!seen.insert(input).second) continue;
            if (const auto found = box_of_.find(input); found != box_of_.end())
                pairs_.emplace(found->second, to);
            else
                follow(input, to, seen);
        }
    }

    const ModelGraph& graph_;
    std::map<TensorIndex, std::size_t> box_of_;
    std::set<std::pair<std::size_t, std::size_t>> pairs_;
};

// A column for each step of the computation, each in the middle of the height.
void place(Flow& flow) {
    for (std::size_t round = 0; round < flow.boxes.size(); ++round)
        for (const auto& [from, to] : flow.links)
            flow.boxes[to].column = std::max(flow.boxes[to].column, flow.boxes[from].column + 1);
    std::map<int, int> filled;
    for (FlowBox& box : flow.boxes) {
        box.row = static_cast<float>(filled[box.column]++);
        flow.columns = std::max(flow.columns, box.column + 1);
        flow.rows = std::max(flow.rows, filled[box.column]);
    }
    for (FlowBox& box : flow.boxes) box.row += static_cast<float>(flow.rows - filled[box.column]) / 2;
}

int top_of(const FlowBox& box) { return margin + static_cast<int>(box.row * (box_height + gap_y)); }

std::string number(int value) { return std::to_string(value); }

std::string line(const FlowBox& from, const FlowBox& to) {
    const int x1 = margin + from.column * (box_width + gap_x) + box_width,
              x2 = margin + to.column * (box_width + gap_x);
    const int y1 = top_of(from) + box_height / 2, y2 = top_of(to) + box_height / 2;
    const int middle = x2 - gap_x / 2;
    return "<path d=\"M" + number(x1) + " " + number(y1) + "H" + number(middle) + "V" + number(y2) + "H" +
           number(x2 - 5) + "\" fill=\"none\" stroke=\"#5f6978\" stroke-width=\"1.25\"/><path d=\"M" + number(x2 - 6) +
           " " + number(y2 - 3) + "l6 3l-6 3z\" fill=\"#5f6978\"/>";
}

std::string drawn(const FlowBox& box, const CountedModel& model, bool solved) {
    const int x = margin + box.column * (box_width + gap_x), y = top_of(box);
    const bool parameter = box.tensor->role == Role::parameter;
    const std::string shape = solved ? shape_in_numbers(box.tensor->shape, model.bindings) : "      ×      ";
    return "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(box_width) + "\" height=\"" +
           number(box_height) + "\" rx=\"4\" fill=\"" + (parameter ? "#f0f2f5" : "#ffffff") +
           "\" stroke=\"#3e4753\"/><text x=\"" + number(x + 10) + "\" y=\"" + number(y + 18) +
           "\" font-size=\"11.5\" font-weight=\"600\" fill=\"#12161c\">" + html_text(box.label) +
           "</text><text xml:space=\"preserve\" x=\"" + number(x + 10) + "\" y=\"" + number(y + 36) +
           "\" font-size=\"11.5\" fill=\"#454e5b\">" + shape + "</text>";
}

}  // namespace

Flow flow_of(const SheetQuestion& question) {
    Flow flow;
    for (std::size_t i = 0; i < question.blanks.size(); ++i) {
        const Blank& blank = question.blanks[i];
        const auto* shape = std::get_if<ShapeAnswer>(&blank.answer);
        const Tensor* tensor = shape && !shape->id.empty() ? question.model->graph.find(shape->id) : nullptr;
        if (!tensor) continue;
        const bool there = std::ranges::any_of(flow.boxes, [&](const FlowBox& box) { return box.tensor == tensor; });
        const std::string label = blank.label.substr(0, blank.label.find(" ("));
        if (!there) flow.boxes.push_back({tensor, i, label.size() > 19 ? std::string(tensor->label) : label, 0, 0});
    }
    if (flow.boxes.size() < 3) return {};
    const Links links(question.model->graph, flow.boxes);
    flow.links.assign(links.pairs().begin(), links.pairs().end());
    place(flow);
    return flow;
}

std::string flow_svg(const SheetQuestion& question, bool solved) {
    const Flow flow = flow_of(question);
    if (flow.boxes.empty()) return {};
    const int width = 2 * margin + flow.columns * box_width + (flow.columns - 1) * gap_x;
    const int height = 2 * margin + flow.rows * box_height + (flow.rows - 1) * gap_y;
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 " + number(width) + " " +
                      number(height) + "\" width=\"" + number(width) + "\" height=\"" + number(height) +
                      "\" font-family=\"Inter, Helvetica, Arial, sans-serif\"><title>How these are computed</title>";
    for (const auto& [from, to] : flow.links) svg += line(flow.boxes[from], flow.boxes[to]);
    for (const FlowBox& box : flow.boxes) svg += drawn(box, *question.model, solved);
    return svg + "</svg>";
}

}  // namespace headcount
