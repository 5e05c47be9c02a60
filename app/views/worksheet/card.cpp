// Beside the question: what the student knows, and the answer as it was given, drawn to scale. It never says what is
// still to be found.
#include <algorithm>
#include <cmath>

#include "app/parts/inspector_usage.hpp"
#include "app/state/in_view.hpp"
#include "app/ui/disclosure.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/worksheet/drawings.hpp"
#include "core/lesson/rewrite.hpp"

namespace headcount {
namespace {

// What makes the matrix in question: "Q = X · W_q".
void draw_made_from(SheetView& view, const Shown& shown, const Blank& blank) {
    const Tensor* const tensor = asked_tensor(view, blank);
    if (const std::string head = head_equation(view, blank); !head.empty()) {
        gap(view.ui, 2);
        const Font& font = view.ui.fonts.body;
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const ImVec2 extent(available_width(), wrapped_extent(font, head, available_width(), true).y);
        draw_wrapped(*ImGui::GetWindowDrawList(), font, start, view.ui.theme.text_mid, head, extent.x, true);
        return place(start, extent);
    }
    if (!tensor || tensor->role == Role::parameter) return;
    const Tensor* const own = shown.derived.shown.graph.find(tensor->id);
    if (!own) return;
    const Node* const node = shown.derived.shown.graph.producer(index_of(shown.derived.shown.graph, *own));
    if (!node) return;
    Inspector to{view.ui, shown, {}};
    gap(view.ui, 2);
    const Runs runs = equation_of(to, *node);
    formula_line(view.ui, "worksheet.equation", runs, view.ui.fonts.mono, view.ui.theme.text_mid);
}

// The derivation of what is found already, for whoever asks.
void draw_how(SheetView& view, const Blank& blank) {
    if (!is_told(view, blank) || derivation(view.question, blank).empty()) return;
    gap(view.ui, 4);
    if (disclosure_row(view.ui, "worksheet.how", {.label = "How it is found"})) draw_derivation(view, blank);
}

// Whether the head size is to be found, and by which rule.
std::optional<Expr> rule_to_find(const SheetView& view, const Blank& blank) {
    const auto* shape = std::get_if<ShapeAnswer>(&blank.answer);
    const Expr rule = head_dim_rule(view.question.model->architecture);
    const bool used = shape && (uses(shape->rows, Symbol::head_dim) || uses(shape->columns, Symbol::head_dim));
    if (!used || rule.kind() == Expr::Kind::integer) return std::nullopt;
    return rule;
}

}  // namespace

const Tensor* asked_tensor(const SheetView& view, const Blank& blank) {
    const auto* shape = std::get_if<ShapeAnswer>(&blank.answer);
    return shape && !shape->id.empty() ? view.question.model->graph.find(shape->id) : nullptr;
}

float draw_known(SheetView& view, const Blank& blank, ImVec2 at, float width) {
    const Ui& ui = view.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = std::round(ui.px(known_line)), sign = ui.px(62), number = sign + ui.px(20);
    float y = at.y;
    draw_text(list, ui.fonts.body_bold, ImVec2(at.x, y), ui.theme.text_high, "What you know", width);
    y += ui.px(26);
    const auto row = [&](std::string_view name, std::string_view value, std::string_view words) {
        const float top = text_top(ui.fonts.mono_body, y + line / 2);
        draw_symbol(list, ui.fonts.mono_body, ImVec2(at.x, top), ui.theme.text_high, name);
        draw_text(list, ui.fonts.mono_body, ImVec2(at.x + sign, top), ui.theme.text_mid, "=");
        const float wide = draw_text(list, ui.fonts.mono_medium, ImVec2(at.x + number, top), ui.theme.text_high, value);
        const float from = number + std::max(ui.px(52), wide + ui.px(12));
        if (width - from > ui.px(50))
            draw_text(list, ui.fonts.body, ImVec2(at.x + from, text_top(ui.fonts.body, y + line / 2)),
                      ui.theme.text_mid, words, width - from);
        y += line;
    };
    for (const Symbol symbol : given_symbols(view))
        if (const auto value = view.question.model->bindings[symbol])
            row(info(symbol).text, std::to_string(*value), info(symbol).name);
    const std::optional<Expr> rule = rule_to_find(view, blank);
    const bool found = is_told(view, blank);
    if (rule) {
        const Result<std::int64_t> value = evaluate(*rule, view.question.model->bindings);
        row(in_symbols(*rule), found && value ? std::to_string(*value) : "?", "columns for one head");
    }
    return y - at.y;
}

Intents draw_worksheet_card(const Ui& ui, const Desk& desk, const Shown& model) {
    const SheetQuestion* const question = desk.question();
    if (!question) return {};
    SheetView view{ui, desk, *question, sheet_memory(ui), {}};
    const Blank& blank = blank_in_sight(view);
    text_line(ui, ui.fonts.title, ui.theme.text_high, label_of(*question, blank));
    draw_made_from(view, model, blank);
    draw_how(view, blank);
    if (shows_diagram(desk)) return {};
    gap(ui, 14);
    if (draw_head_answer(view, blank)) return {};
    const ImVec2 start = ImGui::GetCursorScreenPos();
    place(start, ImVec2(available_width(), draw_known(view, blank, start, available_width())));
    gap(ui, 20);
    if (question->kind == QuestionKind::shape)
        draw_shape_answer(view, blank);
    else if (question->kind == QuestionKind::count)
        draw_number_answer(view, blank);
    return std::move(view.intents);
}

}  // namespace headcount
