// Blanks that are typed: numbers, formulas, words; and what is pointed at in the diagram.
#include <cmath>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/worksheet/view.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr float line_height = 36, widest = 420;
constexpr std::size_t longest_text = 20'000;

void draw_label(const Ui& ui, const Blank& blank) {
    if (blank.label.empty()) return;
    gap(ui, 8);
    paragraph(ui, ui.fonts.body_medium, ui.theme.text_high, plain_words(blank.label));
    gap(ui, 4);
}

// `written` is how what was given is shown.
TextFieldResult draw_field(SheetView& view, const Blank& blank, const TextField& look, std::string_view written) {
    const SheetField& field = view.of(blank).fields.front();
    TextField with = look;
    with.text = written;
    with.look = look_of(field.mark);
    TextFieldResult typed = text_field(view.ui, "worksheet." + blank.id, with);
    if (typed.focused) view.memory.blank = blank.id;
    SheetField now = field;
    if (typed.edited) {
        now.text = whole_letters(*typed.edited, longest_text);
        view.ask(GiveAnswer{blank.id, now.text});
    }
    if (typed.left) view.leave(now);
    if (typed.entered) go_to_next_field(view, blank.id);
    return typed;
}

std::string_view prompt_of(const SheetQuestion& question, const Blank& blank) {
    if (question.kind == QuestionKind::formula) return "A formula in these symbols";
    const auto* number = std::get_if<NumberAnswer>(&blank.answer);
    return number && number->resolved.bytes ? "Bytes, GiB or GB" : "A number or a formula";
}

}  // namespace

void draw_number_blanks(SheetView& view) {
    const Ui& ui = view.ui;
    for (const Blank& blank : view.question.blanks) {
        if (view.of(blank).fields.empty()) continue;
        draw_label(ui, blank);
        const ImVec2 extent(std::round(std::min(available_width(), ui.px(widest))), std::round(ui.px(line_height)));
        draw_field(view, blank,
                   {.prompt = prompt_of(view.question, blank), .font = &ui.fonts.mono_answer, .extent = extent},
                   view.of(blank).fields.front().text);
        gap(ui, 4);
        draw_hint(view, blank);
    }
}

void draw_text_blanks(SheetView& view) {
    const Ui& ui = view.ui;
    for (const Blank& blank : view.question.blanks) {
        if (view.of(blank).fields.empty()) continue;
        draw_label(ui, blank);
        const float line = ui.fonts.body.size;
        const auto lines = static_cast<float>(std::max(4, view.question.lines + 2));
        const ImVec2 extent(available_width(), std::round(lines * line + ui.px(18)));
        draw_field(view, blank, {.prompt = "In your own words", .extent = extent, .lines = view.question.lines + 2},
                   view.of(blank).fields.front().text);
        gap(ui, 8);
        text_line(ui, ui.fonts.table, ui.theme.text_low,
                  view.of(blank).fields.front().mark == Mark::empty ? "It is kept for your teacher to read."
                                                                    : "Kept for your teacher to read.");
        draw_hint(view, blank);
    }
}

void draw_select_blanks(SheetView& view) {
    const Ui& ui = view.ui;
    const ModelGraph& graph = view.question.model->graph;
    for (const Blank& blank : view.question.blanks) {
        if (view.of(blank).fields.empty()) continue;
        draw_label(ui, blank);
        const ImVec2 extent(std::round(std::min(available_width(), ui.px(widest))), std::round(ui.px(line_height)));
        const std::string& id = view.of(blank).fields.front().text;
        const Tensor* const tensor = id.empty() ? nullptr : graph.find(id);
        // What was pressed is kept by its id and shown by its name.
        draw_field(view, blank, {.prompt = "Press it in the diagram, or type its name", .extent = extent},
                   tensor ? std::string(tensor->label) : id);
        gap(ui, 6);
        const std::string words =
            tensor ? std::string(tensor->symbol) + ": " + filled_in(tensor->meaning, view.question.model->bindings)
                   : "A double click goes nearer, Esc goes back.";
        symbol_line(ui, ui.fonts.body, ui.theme.text_mid, words);
        draw_hint(view, blank);
    }
}

}  // namespace headcount
