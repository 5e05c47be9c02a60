// Beside the question: what the student knows, and the answer as it was given, drawn to scale. It never says what is
// still to be found.
#include <algorithm>
#include <cmath>

#include "app/parts/inspector_usage.hpp"
#include "app/parts/words.hpp"
#include "app/state/in_view.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/matrix_view.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/views/worksheet/view.hpp"
#include "core/base/text.hpp"
#include "core/grading/typed.hpp"

namespace headcount {
namespace {

constexpr float least_figure = 60, most_figure = 260;  // design pixels: how high a matrix to scale is
constexpr float asked_rows = 64;                       // of the words left of one that is asked for
constexpr float figure_above_diagram = 110;            // whatever room there is: the diagram's follows from it

// Whether nothing of it is left to find: it is right, or was shown.
bool is_told(const SheetView& view, const Blank& blank) {
    const AnsweredBlank& answered = view.of(blank);
    return answered.shown || answered.right() || view.desk.solved(view.question);
}

// A side that was found is said; the other is still asked for.
std::string sides(const SheetView& view, const Blank& blank) {
    const auto& shape = std::get<ShapeAnswer>(blank.answer);
    const AnsweredBlank& answered = view.of(blank);
    const bool all = is_told(view, blank);
    const auto side = [&](std::size_t at, const Expr& value) {
        const bool found = all || (answered.fields.size() == 2 && answered.fields[at].mark == Mark::right);
        const Result<std::int64_t> number = evaluate(value, view.question.model->bindings);
        return found && number ? std::to_string(*number) : std::string("?");
    };
    return side(0, shape.rows) + " × " + side(1, shape.columns);
}

// A label below a rectangle, in words and in figures.
void draw_caption(const Ui& ui, ImVec2 at, ImU32 colour, std::string_view words, std::string_view figures) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float x = at.x + draw_text(list, ui.fonts.body, at, colour, words) + ui.px(8);
    draw_text(list, ui.fonts.mono_body, ImVec2(x, text_top(ui.fonts.mono_body, at.y + ui.fonts.body.size / 2)), colour,
              figures);
}

// A number as it was understood, in ones: "512 MiB" as 536,870,912.
std::optional<double> given_number(const SheetView& view, const NumberAnswer& asked, const AnsweredBlank& answered) {
    const Outcome verdict = answered.grade.verdict;
    if (verdict != Outcome::right && verdict != Outcome::wrong) return std::nullopt;
    const Result<TypedCount> read = typed_count(answered.grade.given, asked.resolved.bytes);
    if (!read) return std::nullopt;
    if (!read->exact) return static_cast<double>(read->rounded->value);
    const Result<std::int64_t> value = evaluate(*read->exact, view.question.model->bindings);
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

// What makes the matrix in question: "Q = X · W_q".
void draw_made_from(SheetView& view, const Shown& shown, const Blank& blank) {
    const Tensor* const tensor = asked_tensor(view, blank);
    if (const std::string head = head_equation(view, blank); !head.empty()) {
        gap(view.ui, 2);
        return draw_words(view.ui, view.ui.fonts.body, view.ui.theme.text_mid, head);
    }
    if (!tensor || tensor->role == Role::parameter) return;
    const Tensor* const own = shown.derived.shown.graph.find(tensor->id);
    if (!own) return;
    const Node* const node = shown.derived.shown.graph.producer(index_of(shown.derived.shown.graph, *own));
    if (!node) return;
    Inspector to{view.ui, shown, {}};
    gap(view.ui, 2);
    const Runs runs = equation_runs(to, equation_of(to.graph(), *node));
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

// A matrix whose sides are still asked for: of its part's colour, and of no size.
void draw_asked_shape(const SheetView& view, const Blank& blank) {
    const Ui& ui = view.ui;
    const Tensor* const tensor = asked_tensor(view, blank);
    const Swatch swatch = tensor ? swatch_of(ui.theme, *tensor) : Swatch{};
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float line = ui.px(24), side = ui.px(86), left = start.x + ui.px(asked_rows);
    const ImVec2 min(std::round(left), std::round(start.y + line)), max = min + ImVec2(std::round(side * 1.5F), side);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, with_alpha(swatch.colour ? swatch.colour : ui.theme.activation_edge, 0.3F));
    draw_dashed_rect(list, min, max, ui.theme.activation_edge, ui.px(4), 1);
    draw_text_in(list, ui.fonts.body, {min.x, start.y}, {max.x, min.y}, ui.theme.text_mid, "columns ?", Align::centre);
    draw_text_in(list, ui.fonts.body, {start.x, min.y}, {min.x - ui.px(8), max.y}, ui.theme.text_mid, "rows ?",
                 Align::right);
    draw_text_in(list, ui.fonts.mono_body, min, max, ui.theme.text_high, sides(view, blank), Align::centre);
    const float foot = max.y + ui.px(8);
    draw_text(list, ui.fonts.table, {start.x, foot}, ui.theme.text_low, "not to scale: its sides are asked for");
    ui.recorder.record("worksheet.asked_shape", start, ImVec2(start.x + available_width(), foot + line));
    place(start, ImVec2(available_width(), foot + line - start.y));
}

// At the cursor, at the available width. Nothing is drawn to compare with before something wrong was given.
void draw_shape_answer(SheetView& view, const Blank& blank, bool above_diagram) {
    const Ui& ui = view.ui;
    const std::optional<GivenShape> given = given_shape(view, blank);
    if (!given && !is_told(view, blank)) {
        if (!above_diagram) draw_asked_shape(view, blank);
        return;
    }
    const auto& shape = std::get<ShapeAnswer>(blank.answer);
    const Bindings& numbers = view.question.model->bindings;
    const Result<std::int64_t> rows = evaluate(shape.rows, numbers), columns = evaluate(shape.columns, numbers);
    if (!rows || !columns) return;
    const bool alone = !given || view.of(blank).right();  // with nothing beside it
    MatrixFigure figure{.rows = *rows, .columns = *columns};
    if (!alone) figure.preset_rows = given->rows, figure.preset_columns = given->columns;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), line = ui.px(24);
    const float room = ImGui::GetContentRegionAvail().y - 3 * line;
    const float height =
        above_diagram ? ui.px(figure_above_diagram) : std::clamp(room, ui.px(least_figure), ui.px(most_figure));
    const MatrixGeometry at = fit_matrix(figure, start, start + ImVec2(width, height), ui.px(size::smallest_matrix));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Tensor* const tensor = asked_tensor(view, blank);
    const Swatch swatch = tensor ? swatch_of(ui.theme, *tensor) : Swatch{};
    list.AddRectFilled(at.min, at.max, with_alpha(swatch.colour ? swatch.colour : ui.theme.activation_edge, 0.3F));
    if (alone)
        list.AddRect(at.min, at.max, ui.theme.activation_edge);
    else
        draw_dashed_rect(list, at.min, at.max, ui.theme.lit_edge, ui.px(4), 1);
    if (!alone) list.AddRect(at.min, at.preset_max, ui.theme.wrong, ui.px(size::radius_matrix), 0, ui.px(1.75F));
    float y = std::round(std::max(at.max.y, at.preset_max.y) + ui.px(8));
    draw_caption(ui, ImVec2(start.x, y), ui.theme.text_high,
                 alone ? "right:" : "dashed, the right proportions:", sides(view, blank));
    y += line;
    if (!alone)
        draw_caption(ui, ImVec2(start.x, y), readable(ui.theme, ui.theme.wrong),
                     "your answer:", view.of(blank).grade.given);
    y += line;
    ui.recorder.record("worksheet.drawing", start, ImVec2(start.x + width, y));
    place(start, ImVec2(width, y - start.y));
}

void draw_number_answer(SheetView& view, const Blank& blank) {
    const Ui& ui = view.ui;
    const auto* number = std::get_if<NumberAnswer>(&blank.answer);
    if (!number) return;
    const AnsweredBlank& answered = view.of(blank);
    const bool told = is_told(view, blank), is_right = answered.right();
    const std::optional<double> given = given_number(view, *number, answered);
    const Result<std::int64_t> right = evaluate(number->resolved.value, view.question.model->bindings);
    if (!right || *right <= 0) return;
    const bool own = given && *given > 0;
    if (!own && !told) return;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), bar = std::round(ui.px(14)), line = ui.px(24);
    const auto exact = static_cast<double>(*right);
    const double most = own ? std::max(*given, exact) : exact;
    const auto wide = [&](double value) {
        return std::max(ui.px(2), std::round(width * static_cast<float>(value / most)));
    };
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float y = start.y;
    if (own) {
        draw_caption(ui, ImVec2(start.x, y), is_right ? ui.theme.text_high : readable(ui.theme, ui.theme.wrong),
                     "your answer", answered.grade.given);
        y += line;
        list.AddRectFilled(ImVec2(start.x, y), ImVec2(start.x + wide(*given), y + bar),
                           is_right ? ui.theme.right : ui.theme.wrong, ui.px(size::radius_matrix));
        y += bar + ui.px(16);
    }
    if (!is_right) {
        draw_caption(ui, ImVec2(start.x, y), ui.theme.text_high, told ? "right" : "what is right, to the same scale",
                     told ? right_answer(view.question, blank) : "?");
        if (!told) ui.recorder.record("worksheet.asked", ImVec2(start.x, y), ImVec2(start.x + width, y + line));
        y += line;
        const ImVec2 min(start.x, y), max(start.x + wide(exact), y + bar);
        list.AddRectFilled(min, max, ui.theme.track, ui.px(size::radius_matrix));
        draw_dashed_rect(list, min, max, ui.theme.lit_edge, ui.px(4), 1);
        y += bar + ui.px(8);
    }
    ui.recorder.record("worksheet.drawing", start, ImVec2(start.x + width, y));
    place(start, ImVec2(width, y - start.y));
}

}  // namespace

std::string known_shape(const SheetView& view, const Tensor& tensor) {
    for (const Blank& blank : view.question.blanks)
        if (asked_tensor(view, blank) == &tensor) return sides(view, blank);
    return shape_in_numbers(tensor.shape, view.question.model->bindings);
}

std::optional<GivenShape> given_shape(const SheetView& view, const Blank& blank) {
    const AnsweredBlank& answered = view.of(blank);
    const bool both =
        answered.fields.size() == 2 && answered.fields[0].mark >= Mark::right && answered.fields[1].mark >= Mark::right;
    if (!both) return std::nullopt;
    const auto [rows, columns] = shape_sides(answered.grade.given);
    const Result<std::int64_t> r = parse_whole_number(rows, ""), c = parse_whole_number(columns, "");
    if (!r || !c) return std::nullopt;
    return GivenShape{*r, *c};
}

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
    // What says where it is has all of the room for that.
    if (!place_of(*question) || !question->at.empty()) return {};
    gap(ui, 14);
    const bool above_diagram = shows_diagram(desk);
    if (!above_diagram) {
        if (draw_head_answer(view, blank)) return {};
        const ImVec2 start = ImGui::GetCursorScreenPos();
        place(start, ImVec2(available_width(), draw_known(view, blank, start, available_width())));
        gap(ui, 20);
    }
    if (question->kind == QuestionKind::shape)
        draw_shape_answer(view, blank, above_diagram);
    else if (question->kind == QuestionKind::count)
        draw_number_answer(view, blank);
    return std::move(view.intents);
}

}  // namespace headcount
