// Blanks that are typed: numbers, formulas, words, the sides of shapes; and what is pointed at in the diagram.
#include <cmath>
#include <optional>
#include <utility>

#include "app/parts/words.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/swatch.hpp"
#include "app/views/worksheet/view.hpp"
#include "core/base/utf8.hpp"
#include "core/grading/typed.hpp"

namespace headcount {
namespace {

constexpr float line_height = 36, widest = 420;
constexpr std::size_t longest_text = 20'000;

FieldLook look_of(Mark mark) {
    if (mark == Mark::right) return FieldLook::right;
    return mark == Mark::wrong || mark == Mark::unreadable ? FieldLook::wrong : FieldLook::plain;
}

// What stands in the brackets of "Output (after projection)".
std::string remark_of(const Blank& blank) {
    const std::size_t start = blank.label.find(" (");
    if (start == std::string::npos || !blank.label.ends_with(')')) return {};
    return blank.label.substr(start + 2, blank.label.size() - start - 3);
}

// The keyboard goes on from there once what was typed is checked.
void enter(SheetView& view, std::string field) {
    view.memory.entered = std::move(field);
    view.ui.memory.animating = true;
}

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
    if (typed.entered) enter(view, blank.id);
    return typed;
}

std::string_view prompt_of(const SheetQuestion& question, const Blank& blank) {
    if (question.kind == QuestionKind::formula) return "A formula in these symbols";
    const auto* number = std::get_if<NumberAnswer>(&blank.answer);
    return number && number->resolved.bytes ? "Bytes, GiB or GB" : "A number or a formula";
}

ImVec2 line_extent(const Ui& ui) {
    return {std::round(std::min(available_width(), ui.px(widest))), std::round(ui.px(line_height))};
}

void draw_number_blank(SheetView& view, const Blank& blank) {
    const Ui& ui = view.ui;
    draw_field(view, blank,
               {.prompt = prompt_of(view.question, blank), .font = &ui.fonts.mono_answer, .extent = line_extent(ui)},
               view.of(blank).fields.front().text);
    gap(ui, 4);
}

void draw_words_blank(SheetView& view, const Blank& blank) {
    const Ui& ui = view.ui;
    const SheetField& field = view.of(blank).fields.front();
    const auto lines = static_cast<float>(std::max(4, view.question.lines + 2));
    const ImVec2 extent(available_width(), std::round(lines * ui.fonts.body.size + ui.px(18)));
    draw_field(view, blank, {.prompt = "In your own words", .extent = extent, .lines = view.question.lines + 2},
               field.text);
    gap(ui, 8);
    text_line(ui, ui.fonts.table, ui.theme.text_low,
              field.mark == Mark::empty ? "It is kept for your teacher to read." : "Kept for your teacher to read.");
}

void draw_select_blank(SheetView& view, const Blank& blank) {
    const Ui& ui = view.ui;
    const CountedModel& model = *view.question.model;
    const std::string& id = view.of(blank).fields.front().text;
    const Tensor* const tensor = id.empty() ? nullptr : model.graph.find(id);
    // What was pressed is kept by its id and shown by its name.
    draw_field(view, blank, {.prompt = "Press it in the diagram, or type its name", .extent = line_extent(ui)},
               tensor ? std::string(tensor->label) : id);
    gap(ui, 6);
    const std::string words = tensor ? std::string(tensor->symbol) + ": " + filled_in(tensor->meaning, model.bindings)
                                     : "A double click goes nearer, Esc goes back.";
    symbol_line(ui, ui.fonts.body, ui.theme.text_mid, words);
}

// What the model reads, what was switched off, and the way to the Run view and back from it.
void draw_experiment_blank(SheetView& view, const Blank& blank) {
    const Ui& ui = view.ui;
    const Experiment& experiment = std::get<ExperimentAnswer>(blank.answer).experiment;
    {
        const Card card(ui, "worksheet.prompt");
        paragraph(ui, ui.fonts.body, ui.theme.text_high, experiment.prompt);
    }
    gap(ui, 10);
    draw_field(view, blank,
               {.prompt = "Its place, or what is off in Run",
                .font = &ui.fonts.mono_answer,
                .extent = ImVec2(available_width(), line_extent(ui).y)},
               view.of(blank).fields.front().text);
    gap(ui, 10);
    const Button begin{.label = "Try it in Run", .icon = Icon::play};
    const Button take{.label = "Use what is off in Run", .icon = Icon::check};
    const ImVec2 start = ImGui::GetCursorScreenPos();
    if (button(ui, "worksheet.try", begin)) view.intents.push_back(TryExperiment{experiment});
    ImGui::SetCursorScreenPos(start + ImVec2(button_width(ui, begin) + std::round(ui.px(8)), 0));
    if (button(ui, "worksheet.take", take)) view.intents.push_back(TakeExperiment{blank.id});
    place(start, ImVec2(available_width(), std::round(ui.px(size::button))));
    gap(ui, 4);
}

constexpr float field_room = 132, field_line = 36, times_room = 26, between_fields = 18, low_line = 30, low_between = 8,
                lowest_line = 28, lowest_between = 3, shape_header = 32;

// Where the fields stand, from the left end of a row.
struct Columns {
    float rows, times, columns, field, end;
};

Columns columns_of(const Ui& ui) {
    const float width = available_width();
    const float times = std::round(ui.px(times_room));
    const float field = std::round(std::min(ui.px(field_room), (width * 0.5F - times) / 2));
    return {width - 2 * field - times, width - field - times, width - field, field, width};
}

void draw_header(const Ui& ui, const Columns& at) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = std::round(ui.px(shape_header));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const auto& [x, word] : {std::pair(0.0F, "Matrix"), {at.rows, "Rows"}, {at.columns, "Columns"}})
        draw_text_in(list, ui.fonts.table, ImVec2(start.x + x, start.y), ImVec2(start.x + at.end, start.y + height),
                     ui.theme.text_mid, word);
    list.AddRectFilled(ImVec2(start.x, start.y + height - 1), ImVec2(start.x + at.end, start.y + height),
                       ui.theme.line);
    place(start, ImVec2(at.end, height));
}

void draw_label(SheetView& view, const Blank& blank, ImVec2 start, float width, float height) {
    const Ui& ui = view.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto& shape = std::get<ShapeAnswer>(blank.answer);
    const Tensor* const tensor = shape.id.empty() ? nullptr : view.question.model->graph.find(shape.id);
    float x = start.x;
    if (tensor) {
        draw_swatch(ui, list, ImVec2(x, start.y + height / 2), swatch_of(ui.theme, *tensor), 13);
        x += ui.px(26);
    }
    const std::string remark = remark_of(blank), label = label_of(view.question, blank);
    const float room = start.x + width - x - ui.px(12), middle = start.y + height / 2;
    const float shift = remark.empty() ? 0 : ui.px(8);
    draw_text(list, ui.fonts.body_medium, ImVec2(x, text_top(ui.fonts.body_medium, middle - shift)), ui.theme.text_high,
              label, room);
    if (!remark.empty())
        draw_text(list, ui.fonts.caption, ImVec2(x, text_top(ui.fonts.caption, middle + ui.px(9))), ui.theme.text_mid,
                  remark, room);
}

// Somebody types "100 x 4096", or pastes "100 × 4096", into the first field.
std::optional<TypedShape> whole_shape(std::string_view typed) {
    if (typed.find_first_of("xX,") == std::string_view::npos && typed.find("×") == std::string_view::npos &&
        typed.find("by") == std::string_view::npos)
        return std::nullopt;
    Result<TypedShape> shape = typed_shape(typed);
    return shape ? std::optional(*std::move(shape)) : std::nullopt;
}

// Into both fields.
void take_apart(SheetView& view, const Blank& blank, const TypedShape& shape) {
    view.ask(GiveAnswer{blank.id, shape_text(in_symbols(shape.rows), in_symbols(shape.columns))});
    if (!view.desk.kept.at_end) view.ask(CheckFields{{blank.id + ".rows", blank.id + ".columns"}});
}

// Returns whether both sides are typed into this one. Then Tab passes over the other one (`stop`).
bool draw_side(SheetView& view, const Blank& blank, std::size_t side, ImVec2 at, ImVec2 extent, bool stop = true) {
    const Ui& ui = view.ui;
    const AnsweredBlank& answered = view.of(blank);
    const SheetField& field = answered.fields[side];
    const std::string name = "worksheet." + field.id;
    ImGui::SetCursorScreenPos(at);
    const TextFieldResult typed = text_field(ui, name,
                                             {.text = field.text,
                                              .look = look_of(field.mark),
                                              .font = &ui.fonts.mono_answer,
                                              .extent = extent,
                                              .stop = stop});
    if (typed.focused) view.memory.blank = blank.id;
    SheetField now = field;
    if (typed.edited) {
        now.text = *typed.edited;
        const std::string& other = answered.fields[1 - side].text;
        view.ask(GiveAnswer{blank.id, side == 0 ? shape_text(now.text, other) : shape_text(other, now.text)});
    }
    // Beside columns that are there already, what was checked as a product stays one.
    const bool anew = answered.fields[1].text.empty() || field.mark == Mark::typed || now.text != field.text;
    const std::optional<TypedShape> whole = side == 0 && anew ? whole_shape(now.text) : std::nullopt;
    if (!typed.left) return whole.has_value();
    if (whole)
        take_apart(view, blank, *whole);
    else
        view.leave(now);
    if (typed.entered) enter(view, whole ? blank.id + ".columns" : field.id);
    return whole.has_value();
}

}  // namespace

void draw_typed_blanks(SheetView& view) {
    for (const Blank& blank : view.question.blanks) {
        draw_label(view.ui, blank);
        if (view.question.kind == QuestionKind::text)
            draw_words_blank(view, blank);
        else if (view.question.kind == QuestionKind::select)
            draw_select_blank(view, blank);
        else if (view.question.kind == QuestionKind::experiment)
            draw_experiment_blank(view, blank);
        else
            draw_number_blank(view, blank);
        draw_hint(view, blank);
    }
}

void draw_shape_blanks(SheetView& view) {
    const Ui& ui = view.ui;
    const Columns at = columns_of(ui);
    draw_header(ui, at);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const Blank& blank : view.question.blanks) {
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const auto [high, apart] = view.lowest() ? std::pair(lowest_line, lowest_between)
                                   : view.low()  ? std::pair(low_line, low_between)
                                                 : std::pair(field_line, between_fields);
        const float line = std::round(ui.px(high)), height = line + std::round(ui.px(apart));
        const float top = std::round(start.y + (height - line) / 2);
        ui.recorder.record("worksheet.row", blank.id, start, ImVec2(start.x + at.end, start.y + height));
        draw_label(view, blank, start, at.rows, height);
        const bool whole = draw_side(view, blank, 0, ImVec2(start.x + at.rows, top), ImVec2(at.field, line));
        draw_text_in(list, ui.fonts.mono, ImVec2(start.x + at.times, start.y),
                     ImVec2(start.x + at.columns, start.y + height), ui.theme.text_mid, "×", Align::centre);
        draw_side(view, blank, 1, ImVec2(start.x + at.columns, top), ImVec2(at.field, line), !whole);
        place(start, ImVec2(at.end, height));
        draw_hint(view, blank);
        const ImVec2 below = ImGui::GetCursorScreenPos();
        list.AddRectFilled(ImVec2(below.x, below.y), ImVec2(below.x + at.end, below.y + 1), ui.theme.line);
        place(below, ImVec2(at.end, 1));
    }
}

}  // namespace headcount
