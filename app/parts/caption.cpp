// Below a diagram that is shown to a class: the step of a tour, its words, its question, and the way on.
#include "app/parts/caption.hpp"

#include <algorithm>
#include <cmath>

#include "app/parts/hidden.hpp"
#include "app/parts/words.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/rich_text.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float margin = 20, above = 14, progress_width = 122, between = 22, least_words = 160;
constexpr float dash_height = 3, dash_gap = 4, mark = 20;

bool presents(const Session& session) { return session.view.show.presenting; }

const Font& title_font(const Ui& ui, const Session& session) {
    return presents(session) ? ui.fonts.question : ui.fonts.title;
}

// What stands at the right, from there to the left.
struct Controls {
    Button back{.icon = Icon::chevron_left, .width = 36};
    Button next{
        .label = "Next", .icon = Icon::chevron_right, .look = ButtonLook::primary, .width = 92, .icon_behind = true};
    bool presents_too = false;  // and the words to present, and to leave
};

Controls controls_of(const Session& session) {
    Controls controls;
    const WorkedStep* const step = current_step(session);
    const Show& show = session.view.show;
    controls.presents_too = !show.presenting;
    if (!step) return controls;
    const bool asks = !step->answer.empty() && !show.revealed;
    const bool last = std::holds_alternative<LeaveTour>(next_in_tour(session));
    controls.back.disabled = show.step == 0 && !show.revealed;
    if (asks)
        controls.next.label = "Answer";
    else if (last)
        controls.next = {.label = "Finish", .look = ButtonLook::primary, .width = 92};
    controls.back.tooltip = "The step before (Page Up)";
    controls.next.tooltip = asks   ? "What the class was asked (Page Down)"
                            : last ? "Back to the model as it was (Page Down)"
                                   : "The next step (Page Down)";
    return controls;
}

constexpr Button present{.label = "Present", .icon = Icon::monitor, .tooltip = "Large, for a class (F5)"};

float controls_width(const Ui& ui, const Session& session, const Controls& controls) {
    if (!current_step(session)) return 0;
    float width = button_width(ui, controls.back) + ui.px(8) + button_width(ui, controls.next);
    if (controls.presents_too) width += ui.px(8) + button_width(ui, present) + ui.px(8) + ui.px(size::icon_button);
    return width;
}

// The room for words, and what has room beside them: where they would have less than they need, first the dashes go,
// then what is pressed. Keys lead on all the same.
struct Column {
    float left = 0, width = 0;
    bool progress = false, controls = false;
};

Column column_of(const Ui& ui, const Session& session, float left, float width) {
    Column column{left + ui.px(margin), width - ui.px(2 * margin)};
    const float begin = ui.px(progress_width + between);
    const float end = controls_width(ui, session, controls_of(session)) + ui.px(between);
    column.controls = current_step(session) && column.width - end >= ui.px(least_words);
    if (column.controls) column.width -= end;
    column.progress = column.controls && column.width - begin >= ui.px(least_words);
    if (column.progress) column.width -= begin;
    if (column.progress) column.left += begin;
    return {std::round(column.left), std::max(std::round(column.width), 1.0F), column.progress, column.controls};
}

// Draws the words below each other from `top` on, or only measures them. Returns their lower end.
class Words {
  public:
    Words(const Ui& ui, const Session& session, Column column, float top, ImDrawList* list)
        : ui_(ui), session_(session), column_(column), y_(top), list_(list) {}

    float put(const StepWords& words, bool revealed) {
        paragraph(title_font(ui_, session_), ui_.theme.text_high, words.title, "title");
        y_ += ui_.px(presents(session_) ? 4 : 1);
        if (!words.caption.empty()) paragraph(ui_.fonts.body, ui_.theme.text_mid, words.caption, "words");
        if (words.ask.empty()) return y_;
        y_ += ui_.px(4);
        const float top = y_, answer = width_of(ui_.fonts.body_bold, words.answer);
        const float beside = width_of(ui_.fonts.body_medium, words.ask) + ui_.px(between);
        const bool both = beside + answer <= column_.width;
        marked(Icon::help, ui_.fonts.body_medium, ui_.theme.text_high, words.ask, "ask", 0);
        const float bottom = y_;
        // Without room beside its question an answer stands below, where its room is kept from the first.
        if (both) y_ = top;
        if ((revealed || !list_) && answer > 0)
            marked(Icon::check, ui_.fonts.body_bold, readable(ui_.theme, ui_.theme.right), words.answer, "answer",
                   both ? beside : 0);
        y_ = std::max(y_, bottom);
        return y_;
    }

  private:
    void paragraph(const Font& font, ImU32 colour, std::string_view text, std::string_view name, float indent = 0) {
        const ImVec2 at(column_.left + indent, y_);
        const float width = column_.width - indent;
        const float height = wrapped_extent(font, text, width, true).y;
        if (list_) draw_wrapped(*list_, font, at, colour, text, width, true);
        if (list_) ui_.recorder.record("caption", name, at, ImVec2(at.x + width, at.y + height));
        y_ = std::round(y_ + height);
    }
    float width_of(const Font& font, std::string_view text) const {
        return text.empty() ? 0 : ui_.px(mark) + symbol_width(font, text);
    }
    // An icon and words, so much to the right.
    void marked(Icon icon, const Font& font, ImU32 colour, std::string_view text, std::string_view name, float from) {
        const float line = wrapped_extent(font, "X", column_.width).y;
        if (list_) draw_icon(*list_, icon, ImVec2(column_.left + from + ui_.px(7), y_ + line / 2), ui_.px(14), colour);
        paragraph(font, colour, text, name, from + ui_.px(mark));
    }

    const Ui& ui_;
    const Session& session_;
    Column column_;
    float y_;
    ImDrawList* list_;
};

Saying said_of(const Counted& shown, const Tensor& tensor) {
    const std::string shape = shape_in_numbers(tensor.shape, shown.bindings);
    const std::string name(tensor.label);
    if (tensor.role != Role::parameter) return {name + ": " + shape, as_sentence(tensor.meaning, shown.bindings)};
    const std::int64_t one = elements_of(tensor.shape, shown.bindings);
    const std::int64_t copies = value_of(shown.graph.copies(tensor.block), shown.bindings);
    std::string sentence = shape + " numbers";
    const LayerGroup* const group = group_of(shown.graph, tensor.block);
    const std::string all = copies > 1 ? count_text(checked_multiply(one, copies)) : "";
    if (group && shown.graph.layers.size() > 1) {  // other kinds of layers may have such a matrix too
        const std::int64_t times = copies / group->count;
        sentence += ", " + (times == 1 ? "one" : grouped(times)) + (group->count == 1 ? " in " : " in each of ") +
                    layers_text(*group);
        if (copies > 1) sentence += ": " + all + " in these";
    } else if (copies > 1) {
        sentence += ", " + grouped(copies) + " times in the model: " + all + " in all";
    }
    sentence += '.';
    return {name + ": " + grouped(one), sentence};
}

Saying said_of(const Counted& shown, Component component) {
    const std::int64_t count = shown.parameters.of(component);
    return {std::string(component_name(component)) + ": " + grouped(count),
            percent(count, shown.parameters.total) + " of all parameters."};
}

// W_q and K^T have scripts; the underscores of somebody's model's name are none.
void keep_name_plain(std::string& text, std::string_view name) {
    const std::string plain = plain_in_quotes("\"" + std::string(name) + "\"");
    const std::string kept = plain.substr(1, plain.size() - 2);
    if (name.empty() || kept == name) return;
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + kept.size()))
        text.replace(at, name.size(), kept);
}

StepWords as_shown(StepWords words, const Session& session) {
    for (std::string* text : {&words.title, &words.caption, &words.ask, &words.answer})
        keep_name_plain(*text, session.derived.shown.architecture.name);
    return words;
}

// The words that a window shows now.
StepWords words_now(const Session& session) {
    if (current_step(session)) return as_shown(session.run->words, session);
    const Saying said = said_of_selection(session);
    return as_shown({said.title, said.sentence, "", ""}, session);
}

// What the numbers in these words are about: of a step all that it refers to. What the step asks for covers nothing
// that it says itself.
std::vector<std::string> keys_now(const Session& session) {
    const WorkedStep* const step = current_step(session);
    if (step && session.view.hidden.empty()) return {};
    const Subject& selection = session.look.selection;
    if (!step) return {subject_key(nothing(selection) ? Subject(TotalSubject{}) : selection)};
    const TourStep& said = session.run->source.steps[step->index];
    return keys_in({said.title, said.caption, said.ask, said.answer});
}

bool says(const StepWords& words, const WorkedStep& step) {
    return words.title == step.title && words.caption == step.caption && words.ask == step.ask &&
           words.answer == step.answer;
}

// "Step 4 of 12", and a dash for each, which leads there.
void draw_progress(const Ui& ui, const Session& session, ImVec2 min, float height, Intents& intents) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::size_t count = session.run->tour.steps.size(), at = session.view.show.step;
    const std::string words = "Step " + std::to_string(at + 1) + " of " + std::to_string(count);
    const float middle = min.y + height / 2;
    draw_text(list, ui.fonts.body, ImVec2(min.x, text_top(ui.fonts.body, middle - ui.px(10))), ui.theme.text_mid,
              words);
    const float gap = count > 20 ? ui.px(1) : ui.px(dash_gap);
    const auto number = static_cast<float>(count);
    const float width = std::clamp((ui.px(progress_width) - gap * (number - 1)) / number, 1.0F, ui.px(24));
    const float top = std::round(middle + ui.px(6)), bottom = top + std::round(ui.px(dash_height));
    for (std::size_t i = 0; i < count; ++i) {
        const float left = min.x + static_cast<float>(i) * (width + gap);
        const ImVec2 from(std::round(left), top), to(std::round(left + width), bottom);
        const ImU32 ink = i == at ? ui.theme.text_high : i < at ? ui.theme.text_low : ui.theme.strong_line;
        list.AddRectFilled(from, to, ink, ui.px(1.5F));
        const std::string name = "step." + std::to_string(i);
        const ImVec2 reach(gap / 2, ui.px(8));
        ui.recorder.record("caption", name, from - reach, to + reach);
        const IdScope scope("caption");
        if (press_area(ui, name.c_str(), from - reach, to + reach, -1, false).pressed)
            intents.push_back(StepTour{static_cast<int>(i) - static_cast<int>(at), true});
    }
}

void draw_controls(const Ui& ui, const Session& session, float right, float middle, Intents& intents) {
    const Controls controls = controls_of(session);
    const float top = std::round(middle - ui.px(size::button) / 2);
    float x = right - controls_width(ui, session, controls);
    const auto put = [&](std::string_view name, const Button& what) {
        ImGui::SetCursorScreenPos(ImVec2(std::round(x), top));
        x += button_width(ui, what) + ui.px(8);
        return button(ui, name, what);
    };
    if (put("caption.back", controls.back)) intents.push_back(StepTour{-1});
    if (put("caption.next", controls.next)) intents.push_back(next_in_tour(session));
    if (!controls.presents_too) return;
    if (put("caption.present", present)) intents.push_back(Present{true});
    ImGui::SetCursorScreenPos(ImVec2(std::round(x), top));
    if (icon_button(ui, "caption.leave", Icon::cross, "Leave the tour: the model is as before"))
        intents.push_back(LeaveTour{});
}

}  // namespace

Saying said_of_selection(const Session& session) {
    const Counted& shown = session.derived.shown;
    const Subject& selection = session.look.selection;
    if (const Tensor* const tensor = tensor_of(shown.graph, selection)) return said_of(shown, *tensor);
    if (const auto* component = std::get_if<Component>(&selection)) return said_of(shown, *component);
    if (const auto* field = std::get_if<Field>(&selection)) {
        const std::string value = field_words(shown.architecture, *field);
        const auto number = field_number(shown.architecture, *field);
        return {std::string(info(*field).label) + ": " + (number ? grouped(*number) : value),
                "What is lit has this size along one of its sides."};
    }
    const std::string before =
        shown.graph.has_encoder() ? grouped(*shown.bindings[Symbol::encoder_layers]) + " + " : "";
    const std::string layers = before + grouped(shown.bindings[Symbol::layers].value_or(0));
    const std::string width = std::to_string(shown.bindings[Symbol::dim].value_or(0));
    return {title_of(session.document) + ": " + total_text(session.derived) + " parameters",
            layers + " layers of width " + width + ", " + tokens_text(shown.input) + "."};
}

void draw_caption_below(const PanelFrame& frame, const Area& area) {
    if (area.empty()) return;
    line_between(frame.ui, {0, area.min.y - 1}, {area.max.x, area.min.y});
    draw_panel(frame, {"caption", area, frame.ui.theme.panel, {}, still_panel}, draw_caption);
}

float caption_height_below(const PanelFrame& frame) {
    return frame.session.run ? caption_height(frame.ui, frame.session, ImGui::GetIO().DisplaySize.x) : 0;
}

float caption_height(const Ui& ui, const Session& session, float width) {
    const Column column = column_of(ui, session, 0, width);
    const Font& title = title_font(ui, session);
    const Font& body = ui.fonts.body;
    const std::string& name = session.derived.shown.architecture.name;
    const StepWords now = current_step(session) ? session.run->words : words_now(session);
    const std::vector<WorkedStep> none;
    const std::vector<WorkedStep>& steps = session.run ? session.run->tour.steps : none;
    auto& known = kept<CaptionHeight>(ui, "caption.height");
    const bool same_fonts =
        known.title == std::pair(title.face, title.size) && known.body == std::pair(body.face, body.size);
    const bool same_words = known.now == now && known.name == name &&
                            std::equal(known.steps.begin(), known.steps.end(), steps.begin(), steps.end(), says);
    if (same_fonts && same_words && known.width == column.width) return known.height;
    known = {now, {}, name, {title.face, title.size}, {body.face, body.size}, column.width, 0, known.times + 1};
    float height = 0;
    const auto measure = [&](const StepWords& words) {
        height = std::max(height, Words(ui, session, column, 0, nullptr).put(words, true));
    };
    for (const WorkedStep& step : steps) {
        known.steps.push_back({step.title, step.caption, step.ask, step.answer});
        measure(as_shown(known.steps.back(), session));
    }
    measure(words_now(session));
    return known.height = std::round(height + 2 * ui.px(above));
}

Intents draw_caption(const Ui& ui, const Session& session) {
    Intents intents;
    const ImVec2 min = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float middle = std::round(min.y + extent.y / 2);
    const Column column = column_of(ui, session, min.x, extent.x);
    const StepWords words = words_now(session);
    // In the middle with its answer, so that this comes in without moving what stands there.
    const float height = Words(ui, session, column, 0, nullptr).put(words, true);
    const float top = std::round(min.y + std::max(ui.px(above), (extent.y - height) / 2));
    if (column.progress)
        draw_progress(ui, session, ImVec2(std::round(min.x + ui.px(margin)), min.y), extent.y, intents);
    const std::vector<std::string> keys = keys_now(session);
    const About about(keys);
    Words(ui, session, column, top, ImGui::GetWindowDrawList()).put(words, session.view.show.revealed);
    if (column.controls) draw_controls(ui, session, std::round(min.x + extent.x - ui.px(margin)), middle, intents);
    return intents;
}

}  // namespace headcount
