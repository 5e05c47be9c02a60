// Why one head has fewer columns than the model: its slice of the weights, and the answer as columns of the product.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/parts/words.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/views/worksheet/view.hpp"

namespace headcount {
namespace {

// X · W, of which one head sees some columns.
struct HeadProduct {
    const Tensor* head;
    const Tensor* input;
    const Tensor* weight;
    std::int64_t input_rows, width, columns, heads, own;  // own: columns of one head
};

std::optional<HeadProduct> product_of_head(const SheetView& view, const Blank& blank) {
    const Tensor* const tensor = asked_tensor(view, blank);
    const ModelGraph& graph = view.question.model->graph;
    const Bindings& numbers = view.question.model->bindings;
    const Node* node = tensor ? graph.producer(index_of(graph, *tensor)) : nullptr;
    if (!node || node->op != Op::take_head) return std::nullopt;
    for (int steps = 0; node && node->op != Op::linear && steps < 8; ++steps)
        node = node->inputs.empty() ? nullptr : graph.producer(node->inputs.front());
    if (!node || node->op != Op::linear || node->parameters.empty()) return std::nullopt;
    const Tensor& input = graph.tensors[node->inputs.front()];
    const Tensor& weight = graph.tensors[node->parameters.front()];
    if (input.shape.rank() != 2 || weight.shape.rank() != 2 || tensor->shape.rank() != 2) return std::nullopt;
    const std::int64_t columns = value_of(weight.shape[1], numbers), own = value_of(tensor->shape[1], numbers);
    if (own <= 0 || columns % own != 0 || columns == own) return std::nullopt;
    return HeadProduct{
        tensor,  &input,        &weight, value_of(input.shape[0], numbers), value_of(weight.shape[0], numbers),
        columns, columns / own, own};
}

// Where the parts stand.
struct Places {
    ImVec2 weight_min, weight_max;   // the matrix
    float strip_top = 0, strip = 0;  // of the input and the product, with its height
    float input_right = 0;           // the input begins at the left end
    float slice = 0;                 // one head's columns
    int lit = 0;
    float enlarged = 0;  // from the product to its larger picture
};

// `scale` pixels a number.
Places places_of(const Ui& ui, const HeadProduct& product, ImVec2 start, float width, double scale) {
    Places at;
    const auto wide = static_cast<float>(static_cast<double>(product.columns) * scale);
    const auto tall = static_cast<float>(static_cast<double>(product.width) * scale);
    at.weight_min = ImVec2(std::round(start.x + width - wide), std::round(start.y + ui.px(26)));
    at.weight_max = ImVec2(start.x + width, std::round(at.weight_min.y + tall));
    at.strip_top = at.weight_max.y + std::round(ui.px(18));
    at.strip = std::round(
        std::max(ui.px(size::smallest_matrix), static_cast<float>(static_cast<double>(product.input_rows) * scale)));
    at.input_right = std::round(start.x + tall);
    at.slice = wide / static_cast<float>(product.heads);
    at.lit = static_cast<int>(std::min<std::int64_t>(3, product.heads - 1));
    return at;
}

// A tensor's name and shape beside it; returns where they end.
float draw_named(const SheetView& view, const Tensor& tensor, ImVec2 at) {
    const Ui& ui = view.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float x = at.x + draw_symbol(list, ui.fonts.body_bold, at, ui.theme.text_high, tensor.symbol) + ui.px(8);
    const std::string shape = known_shape(view, tensor);
    draw_text(list, ui.fonts.mono, ImVec2(x, at.y + ui.px(1)), ui.theme.text_mid, shape);
    return x + text_width(ui.fonts.mono, shape);
}

void draw_weight(SheetView& view, const HeadProduct& product, const Places& at) {
    const Ui& ui = view.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 colour = part_colour(ui.theme, product.weight->part);
    const float label = at.weight_min.y - ui.px(22);
    const float end = draw_named(view, *product.weight, ImVec2(at.weight_min.x, label)) + ui.px(16);
    const std::string slices = std::to_string(product.heads) + " slices, one per head";
    const float words = text_width(ui.fonts.table, slices);
    if (at.weight_max.x - words > end)
        draw_text(list, ui.fonts.table, ImVec2(at.weight_max.x - words, label + ui.px(1)), ui.theme.text_low, slices);
    list.AddRectFilled(at.weight_min, at.weight_max, with_alpha(colour, 0.32F));
    if (at.slice >= 3)
        for (std::int64_t i = 1; i < product.heads; ++i) {
            const float line = std::round(at.weight_min.x + at.slice * static_cast<float>(i));
            list.AddRectFilled(ImVec2(line, at.weight_min.y), ImVec2(line + 1, at.weight_max.y), ui.theme.canvas);
        }
    const float left = at.weight_min.x + at.slice * static_cast<float>(at.lit);
    const ImVec2 min(std::round(left), at.weight_min.y),
        max(std::round(left + std::max(at.slice, ui.px(2))), at.weight_max.y);
    list.AddRectFilled(min, max, colour);
    list.AddRect(min, max, ui.theme.text_high);
}

// Cells of the product, one a head.
void draw_cells(const Ui& ui, ImVec2 min, float slice, float height, std::int64_t heads, ImU32 colour, int lit) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float apart = slice > 6 ? 2.0F : 0.0F;
    const ImU32 paper = ui.theme.dark ? ui.theme.raised : ui.theme.panel;
    for (std::int64_t i = 0; i < heads; ++i) {
        const float left = min.x + slice * static_cast<float>(i);
        const ImVec2 from(std::round(left), min.y), to(std::round(left + slice - apart), min.y + height);
        if (to.x - from.x < 1) continue;
        const bool is_lit = i == lit;
        list.AddRectFilled(from, to, is_lit ? colour : paper, ui.px(size::radius_matrix));
        list.AddRect(from, to, is_lit ? ui.theme.text_high : ui.theme.edge, ui.px(size::radius_matrix));
    }
}

void draw_product_line(SheetView& view, const HeadProduct& product, const Places& at, ImVec2 start) {
    const Ui& ui = view.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = at.strip_top + at.strip / 2;
    const ImVec2 input_max(at.input_right, at.strip_top + at.strip);
    list.AddRectFilled(ImVec2(start.x, at.strip_top), input_max, ui.theme.dark ? ui.theme.raised : ui.theme.panel);
    list.AddRect(ImVec2(start.x, at.strip_top), input_max, ui.theme.activation_edge);
    const float from = at.input_right + ui.px(4), to = at.weight_min.x - ui.px(4);
    if (to - from > ui.px(8)) {
        list.AddLine(ImVec2(from, middle), ImVec2(to - ui.px(5), middle), ui.theme.edge, ui.px(size::edge));
        list.AddTriangleFilled(ImVec2(to - ui.px(6), middle - ui.px(3)), ImVec2(to, middle),
                               ImVec2(to - ui.px(6), middle + ui.px(3)), ui.theme.edge);
    }
    const float label = at.strip_top + at.strip + ui.px(8);
    draw_named(view, *product.input, ImVec2(start.x, label));
    const ImU32 colour = part_colour(ui.theme, product.head->part);
    draw_cells(ui, ImVec2(at.weight_min.x, at.strip_top), at.slice, at.strip, product.heads, colour, at.lit);
    const float lit = std::round(at.weight_min.x + at.slice * (static_cast<float>(at.lit) + 0.5F));
    list.AddLine(ImVec2(lit, at.weight_max.y), ImVec2(lit, at.strip_top), ui.theme.text_high, ui.px(1.5F));
}

// What the student's columns would be, above the enlarged product.
std::string caption_of(const SheetView& view, const Blank& blank, const HeadProduct& product) {
    const Grade& grade = view.of(blank).grade;
    std::string text = "your answer, " + grade.given;
    if (grade.mistake == Mistake::all_heads) text += ": all " + std::to_string(product.heads) + " heads side by side";
    return text;
}

// The product over the whole width, with what was answered as a bracket above it. Returns its lower end.
float draw_enlarged(SheetView& view, const Blank& blank, const HeadProduct& product, const Places& at, ImVec2 start,
                    float width) {
    const Ui& ui = view.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::optional<GivenShape> given = given_shape(view, blank);
    const bool wrong = given && view.of(blank).fields[1].mark == Mark::wrong;
    const auto most = static_cast<float>(std::max(product.columns, wrong ? given->columns : 0));
    const float full = width * static_cast<float>(product.columns) / most;
    const float top = at.strip_top + at.strip + at.enlarged, height = std::round(ui.px(14));
    for (const auto& [from, to] : {std::pair(at.weight_min.x, start.x), {at.weight_max.x, start.x + full}})
        list.AddLine(ImVec2(from, at.strip_top + at.strip + 2), ImVec2(to, top - ui.px(14)), ui.theme.strong_line, 1);
    const ImU32 colour = part_colour(ui.theme, product.head->part);
    const float slice = full / static_cast<float>(product.heads);
    draw_cells(ui, ImVec2(start.x, top), slice, height, product.heads, colour, at.lit);
    const float left = start.x + slice * static_cast<float>(at.lit), middle = std::round(left + slice / 2);
    list.AddRect(ImVec2(left - ui.px(4), top - ui.px(4)), ImVec2(left + slice + ui.px(2), top + height + ui.px(4)),
                 ui.theme.selection, ui.px(size::radius_field), 0, ui.px(size::ring));
    if (wrong) {
        const ImU32 ink = readable(ui.theme, ui.theme.wrong);
        const float end = start.x + std::max(ui.px(3), width * static_cast<float>(given->columns) / most);
        const float y = top - ui.px(14);
        list.AddLine(ImVec2(start.x, y), ImVec2(end, y), ink, ui.px(1.5F));
        for (const float x : {start.x, end}) list.AddLine(ImVec2(x, y), ImVec2(x, y + ui.px(6)), ink, ui.px(1.5F));
        const std::string words = caption_of(view, blank, product);
        const float wide = text_width(ui.fonts.body, words);
        draw_text(list, ui.fonts.body, ImVec2(std::max(start.x, end - wide), y - ui.px(22)), ink, words, width);
    }
    const float below = top + height + ui.px(14);
    list.AddLine(ImVec2(middle, top + height + ui.px(5)), ImVec2(middle, below), ui.theme.text_high, ui.px(1.5F));
    draw_text(list, ui.fonts.body_bold, ImVec2(std::max(start.x, middle - ui.px(16)), below + ui.px(3)),
              ui.theme.text_high, "one head: " + known_shape(view, *product.head));
    std::array<char, 48> scale{};
    std::snprintf(scale.data(), scale.size(), "drawn %.2g times larger",
                  static_cast<double>(full / std::max(1.0F, at.weight_max.x - at.weight_min.x)));
    const float wide = text_width(ui.fonts.table, scale.data());
    draw_text(list, ui.fonts.table, ImVec2(start.x + width - wide, below + ui.px(4)), ui.theme.text_low, scale.data());
    return below + ui.px(24);
}

}  // namespace

std::string head_equation(const SheetView& view, const Blank& blank) {
    const std::optional<HeadProduct> product = product_of_head(view, blank);
    if (!product) return {};
    const std::string weight(product->weight->symbol);
    return std::string(product->head->symbol) + " = " + std::string(product->input->symbol) + " · " + weight +
           ", where this head uses only its own columns of " + weight;
}

bool draw_head_answer(SheetView& view, const Blank& blank) {
    const std::optional<HeadProduct> product = product_of_head(view, blank);
    if (!product) return false;
    const Ui& ui = view.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), spare = ImGui::GetContentRegionAvail().y;
    const float known = ui.px(8) + ui.px(known_line) * static_cast<float>(given_symbols(view).size() + 1);
    const float other = ui.px(26 + 18 + 14 + 42) + ui.px(size::smallest_matrix);
    const float between = std::clamp(spare - other - known, ui.px(50), ui.px(104)), below = other + between;
    const auto most_height = static_cast<double>(std::max(known, spare - below));
    const double scale =
        std::min(static_cast<double>(width) * 0.48 / static_cast<double>(std::max(product->columns, product->width)),
                 most_height / static_cast<double>(product->width));
    Places at = places_of(ui, *product, start, width, scale);
    at.enlarged = std::round(between);
    draw_known(view, blank, ImVec2(start.x, at.weight_min.y - ui.px(2)), at.weight_min.x - start.x - ui.px(16));
    draw_weight(view, *product, at);
    draw_product_line(view, *product, at, start);
    const float end = draw_enlarged(view, blank, *product, at, start, width);
    ui.recorder.record("worksheet.drawing", start, ImVec2(start.x + width, end));
    place(start, ImVec2(width, end - start.y));
    return true;
}

}  // namespace headcount
