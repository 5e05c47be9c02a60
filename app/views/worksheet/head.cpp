// Why one head has fewer columns than the model: its slice of the weights, and the answer as columns of the product.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/canvas/matrix_row.hpp"
#include "app/parts/words.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/matrix_view.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/worksheet/view.hpp"

namespace headcount {
namespace {

// X · W, of which one head sees some columns.
struct HeadProduct {
    const Tensor* head;
    const Tensor* input;
    const Tensor* weight;
    std::int64_t input_rows, width, columns, heads;
};

std::optional<HeadProduct> product_of_head(const SheetView& view, const Blank& blank) {
    const Tensor* const tensor = asked_tensor(view, blank);
    const ModelGraph& graph = view.question.model->graph;
    const Bindings& numbers = view.question.model->bindings;
    const Node* node = tensor ? graph.producer(index_of(graph, *tensor)) : nullptr;
    if (!node || node->op != Op::take_head) return std::nullopt;
    node = graph.product_behind(node->output);
    if (!node) return std::nullopt;
    const Tensor& input = graph.tensors[node->inputs.front()];
    const Tensor& weight = graph.tensors[node->parameters.front()];
    if (input.shape.rank() != 2 || weight.shape.rank() != 2 || tensor->shape.rank() != 2) return std::nullopt;
    const std::int64_t columns = value_of(weight.shape[1], numbers), own = value_of(tensor->shape[1], numbers);
    if (own <= 0 || columns % own != 0 || columns == own) return std::nullopt;
    return HeadProduct{
        tensor,  &input,       &weight, value_of(input.shape[0], numbers), value_of(weight.shape[0], numbers),
        columns, columns / own};
}

// Where the parts stand on the screen.
struct Places {
    struct Box {
        ImVec2 min, max, words;
    };
    Box input, weight, made;
    float slice = 0;  // one head's columns
    int lit = 0;
};

MatrixCaption caption_of(const SheetView& view, const Tensor& tensor) {
    return {std::string(tensor.symbol), known_shape(view, tensor)};
}

// The known symbols stand above the input, `known` high.
Places places_of(const SheetView& view, const HeadProduct& product, ImVec2 start, ImVec2 room, float known) {
    const Ui& ui = view.ui;
    const auto rows = static_cast<double>(product.input_rows), width = static_cast<double>(product.width),
               columns = static_cast<double>(product.columns);
    std::array sizes{MatrixSize{.rows = rows, .columns = width},
                     MatrixSize{.spot = MatrixSpot::right, .rows = width, .columns = columns, .before = ui.px(24)},
                     MatrixSize{.spot = MatrixSpot::result, .rows = rows, .columns = columns}};
    for (std::size_t i = 0; i < 2; ++i) {
        const ImVec2 words = matrix_caption_extent(ui, caption_of(view, i == 0 ? *product.input : *product.weight));
        sizes[i].words = {{words.x, words.y}};
    }
    const MatrixRow row = place_matrices(sizes, {.from = {start.x, start.y},
                                                 .width = room.x,
                                                 .height = room.y,
                                                 .scale = ui.scale,
                                                 .least_side = ui.px(size::smallest_matrix),
                                                 .corner = {std::min(ui.px(270), room.x * 0.62F), known}});
    const auto box = [&](std::size_t i, float by) -> Places::Box {
        const auto& [area, words] = row.matrices[i];
        return {{area.min.x + by, area.min.y}, {area.max.x + by, area.max.y}, {words.x + by, words.y}};
    };
    const Rect made = row.matrices[2].area;
    const float spare = start.x + room.x - made.max.x;  // the product ends where its larger picture does
    return {box(0, 0), box(1, spare), box(2, spare), made.width() / static_cast<float>(product.heads),
            static_cast<int>(std::min<std::int64_t>(3, product.heads - 1))};
}

void draw_weight(SheetView& view, const HeadProduct& product, const Places& at) {
    const Ui& ui = view.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 colour = part_colour(ui.theme, product.weight->part);
    const MatrixCaption caption = caption_of(view, *product.weight);
    draw_matrix_caption(ui, at.weight.words, caption);
    const float end = at.weight.words.x + matrix_caption_extent(ui, caption).x;
    const std::string slices = std::to_string(product.heads) + " slices, one per head";
    const float words = text_width(ui.fonts.table, slices);
    if (at.weight.max.x - words > end)
        draw_text(list, ui.fonts.table, ImVec2(at.weight.max.x - words, at.weight.words.y + ui.px(1)),
                  ui.theme.text_low, slices);
    list.AddRectFilled(at.weight.min, at.weight.max, with_alpha(colour, 0.32F));
    if (at.slice >= 3)
        for (std::int64_t i = 1; i < product.heads; ++i) {
            const float line = std::round(at.weight.min.x + at.slice * static_cast<float>(i));
            list.AddRectFilled(ImVec2(line, at.weight.min.y), ImVec2(line + 1, at.weight.max.y), ui.theme.canvas);
        }
    const float left = at.weight.min.x + at.slice * static_cast<float>(at.lit);
    const ImVec2 min(std::round(left), at.weight.min.y),
        max(std::round(left + std::max(at.slice, ui.px(2))), at.weight.max.y);
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

void draw_product_line(SheetView& view, const HeadProduct& product, const Places& at) {
    const Ui& ui = view.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_matrix(ui, list, at.input.min, at.input.max, swatch_of(ui.theme, *product.input), ui.px(size::tab));
    draw_matrix_caption(ui, at.input.words, caption_of(view, *product.input));
    const ImU32 colour = part_colour(ui.theme, product.head->part);
    draw_cells(ui, at.made.min, at.slice, at.made.max.y - at.made.min.y, product.heads, colour, at.lit);
    const float lit = std::round(at.made.min.x + at.slice * (static_cast<float>(at.lit) + 0.5F));
    list.AddLine(ImVec2(lit, at.weight.max.y), ImVec2(lit, at.made.min.y), ui.theme.text_high, ui.px(1.5F));
}

// What the student's columns would be, above the enlarged product.
std::string caption_of(const SheetView& view, const Blank& blank, const HeadProduct& product) {
    const Grade& grade = view.of(blank).grade;
    std::string text = "your answer, " + grade.given;
    if (grade.mistake == Mistake::all_heads) text += ": all " + std::to_string(product.heads) + " heads side by side";
    return text;
}

// The product over the whole width from `top` on, with what was answered as a bracket above it. Returns its lower end.
float draw_enlarged(SheetView& view, const Blank& blank, const HeadProduct& product, const Places& at, ImVec2 start,
                    float top, float width) {
    const Ui& ui = view.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::optional<GivenShape> given = given_shape(view, blank);
    const bool wrong = given && view.of(blank).fields[1].mark == Mark::wrong;
    const auto most = static_cast<float>(std::max(product.columns, wrong ? given->columns : 0));
    const float full = width * static_cast<float>(product.columns) / most;
    const float height = std::round(ui.px(14));
    for (const auto& [from, to] : {std::pair(at.made.min.x, start.x), {at.made.max.x, start.x + full}})
        list.AddLine(ImVec2(from, at.made.max.y + 2), ImVec2(to, top - ui.px(14)), ui.theme.strong_line, 1);
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
                  static_cast<double>(full / std::max(1.0F, at.made.max.x - at.made.min.x)));
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
    const float enlarged = ui.px(14 + 42), least = known + ui.px(12 + 26 + size::smallest_matrix);
    const float between = std::clamp(spare - enlarged - least, ui.px(30), ui.px(80));
    const Places at = places_of(view, *product, start, {width, std::max(least, spare - enlarged - between)}, known);
    draw_known(view, blank, start, at.weight.min.x - start.x - ui.px(16));
    draw_weight(view, *product, at);
    draw_product_line(view, *product, at);
    const float end =
        draw_enlarged(view, blank, *product, at, start, at.input.words.y + ui.px(20) + std::round(between), width);
    ui.recorder.record("worksheet.drawing", start, ImVec2(start.x + width, end));
    place(start, ImVec2(width, end - start.y));
    return true;
}

}  // namespace headcount
