// Where the difference comes from: the sum, the waterfall, size and cache.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/parts/chart_menu.hpp"
#include "app/parts/complaints.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/recorder.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/compare/panels.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/files/open.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, compare_split_keys.size()> split_words{"Component", "Tensor kind",
                                                                              "Changed field"};
constexpr float split_title_height = 24, line_height = 24, figure_width = 176, figure_height = 46, figure_row = 22;
constexpr float least_row = 33, most_row = 56, presented_row = 88, least_total = 26,
                around_chart = 262;  // what else the panel holds; unscaled

// "8,030,261,248 - 6,738,415,616 = +1,291,845,632"
void draw_sum(const Ui& ui, const BothSides& both, Intents& intents) {
    const std::int64_t a = both.a().parameters.total, b = both.b().parameters.total;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), line = std::round(ui.px(line_height));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string sign(doubt_sign(both.own.derived.doubt + both.other.derived.doubt));
    const std::string text =
        total_text(both.other.derived) + " - " + total_text(both.own.derived) + " = " + sign + signed_grouped(b - a);
    const About about(total_key);
    draw_text(list, ui.fonts.mono, ImVec2(start.x, text_top(ui.fonts.mono, start.y + line / 2)), ui.theme.text_mid,
              text, width);
    const ImVec2 end(start.x + width, start.y + line);
    ui.recorder.record("compare.sum", start, end);
    if (ImGui::IsMouseHoveringRect(start, end) && ImGui::IsMouseClicked(ImGuiMouseButton_Right))
        intents.push_back(Copy{signed_grouped(b - a), signed_grouped(b - a)});
    place(start, ImVec2(width, line));
}

// Why B is there at all, where nobody has chosen it; else nothing.
std::string why_compared(const Document& document, bool presents) {
    switch (why_compared_with(document)) {
        case ComparedBecause::chosen: break;
        case ComparedBecause::edited:
            return document.preset.empty() ? "B is the file as it was read." : "B is the preset, unedited.";
        case ComparedBecause::alike:
            return presents ? "B was chosen because it resembles A."
                            : "B was chosen because it resembles A; choose another one above.";
    }
    return "";
}

// What is impossible about a side, with its mending; and why B is there where nobody has chosen it.
void draw_remarks(const Ui& ui, const BothSides& both, bool presents, Intents& intents) {
    for (const CompareSide side : {CompareSide::a, CompareSide::b}) {
        const Shown& of = both.of(side);
        if (of.derived.current) continue;
        const std::vector<Complaint> all = complaints(of);
        if (all.empty()) continue;
        const Complaint& first = all.front();
        const std::string sentence = std::string(side == CompareSide::a ? "A: " : "B: ") + first.sentence;
        gap(ui, 4);
        const std::string name = std::string("compare.") + side_key(side) + ".problem";
        const std::string_view fix = first.mending ? std::string_view(first.mending->label) : std::string_view();
        if (message_card(ui, name, sentence, fix) && first.mending) {
            Intents asked{Replace{first.mending->document, first.mending->edited, true}};
            if (side == CompareSide::b) asked = asked_of_other(std::move(asked));
            intents.push_back(std::move(asked.front()));
        }
        gap(ui, 4);
    }
    const std::string why = why_compared(both.own.document, presents);
    if (why.empty()) return;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    text_line(ui, ui.fonts.caption, ui.theme.text_low, why);
    ui.recorder.record("compare.why", start, ImVec2(start.x + available_width(), ImGui::GetCursorScreenPos().y));
    gap(ui, 6);
}

void draw_switch(const Ui& ui, CompareSplit split, Intents& intents) {
    const ChoiceResult result = segmented(ui, "compare.split", split_words, static_cast<int>(split), true);
    record_keys(ui.recorder, "compare.split", "compare.split", compare_split_keys);
    if (result.chosen) intents.push_back(AtCompare{SplitBy{static_cast<CompareSplit>(*result.chosen)}});
}

// In which order the fields change, and what of the difference is interaction.
void draw_order(const Ui& ui, const Difference& difference) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    std::string words = "In this order, each upon those above it";
    if (difference.interaction != 0) words += " · interaction " + signed_grouped(difference.interaction);
    paragraph(ui, ui.fonts.caption, ui.theme.text_low, words);
    ui.recorder.record("compare.order", start, ImVec2(start.x + available_width(), ImGui::GetCursorScreenPos().y));
}

// In design pixels, whether the rows are as low as they can be.
bool tight(float room, std::size_t steps) { return room < least_row * static_cast<float>(steps + 2); }

void draw_chart(const Ui& ui, const BothSides& both, float room, float most, Intents& intents) {
    const std::vector<CompareStep>& steps =
        made(ui, "compare.steps", basis_of(ui, both), [&] { return compare_steps(ui.theme, both, both.place.split); });
    const Look& look = both.own.look;
    std::vector<WaterfallStep> shown;
    for (const CompareStep& each : steps) {
        WaterfallStep& step = shown.emplace_back(each.step);
        step.selected = lights(both, look.selection, each.subject);
        step.lit = lights(both, look.hover, each.subject);
    }
    Waterfall chart;
    chart.title = "Where the difference comes from";
    chart.from_label = title_of(both.own.document);
    chart.to_label = title_of(both.other.document);
    const std::int64_t from = both.a().parameters.total, to = both.b().parameters.total;
    chart.from = static_cast<double>(from);
    chart.to = static_cast<double>(to);
    chart.from_text = total_text(both.own.derived);
    chart.to_text = total_text(both.other.derived);
    chart.about = total_key;
    chart.steps = shown;
    const float rows = static_cast<float>(shown.size()) + 2;
    chart.row_height = std::clamp(std::floor(room / ui.scale / rows), least_row, most);
    chart.total_height = tight(room / ui.scale, shown.size()) ? least_total : chart.row_height;
    const ChartResult result = waterfall(ui, "compare.waterfall", chart);
    const auto subject = [&](int index) -> const Subject& { return steps[static_cast<std::size_t>(index)].subject; };
    add_chart_intents(intents, result);
    if (result.hovered && !nothing(subject(*result.hovered))) intents.push_back(Hover{subject(*result.hovered)});
    if (!result.clicked || nothing(subject(*result.clicked))) return;
    intents.push_back(Select{subject(*result.clicked)});
    if (const auto* const field = std::get_if<Field>(&subject(*result.clicked)))
        open_compare_editor(ui, CompareSide::a, *field, ImGui::GetMousePos());
}

// "512 KiB → 128 KiB", B in high; the formulas beside the pointer.
void draw_figure(const Ui& ui, const CompareFigure& figure, ImVec2 min, ImVec2 max, bool stacked, Intents& intents) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const About about(figure.about);
    const std::array<std::string, 2> texts = figure_texts(figure);
    const std::string a = texts[0] + " → ", b = texts[1];
    const float b_width = text_width(ui.fonts.mono_medium, b), all = text_width(ui.fonts.mono, a) + b_width;
    const float middle = stacked ? std::round((min.y + max.y) / 2) : min.y;
    draw_text_in(list, ui.fonts.table, min, stacked ? ImVec2(max.x, middle) : max, ui.theme.text_mid, figure.label);
    const float x = stacked ? min.x : max.x - all;
    const float centre = std::round((middle + max.y) / 2);
    draw_text(list, ui.fonts.mono, ImVec2(x, text_top(ui.fonts.mono, centre)), ui.theme.text_mid, a);
    draw_text(list, ui.fonts.mono_medium, ImVec2(x + all - b_width, text_top(ui.fonts.mono_medium, centre)),
              ui.theme.text_high, b);
    ui.recorder.record("compare.figure", figure.key, min, max);
    if (!ImGui::IsMouseHoveringRect(min, max)) return;
    const std::string title = figure.label + ": " + texts[0] + " in A, " + b + " in B";
    const std::string derivation = figure.symbols[0] == figure.symbols[1]
                                       ? figure.symbols[0] + "\n" + figure.numbers[0] + "\n" + figure.numbers[1]
                                       : figure.numbers[0] + "\n" + figure.numbers[1];
    show_tooltip(ui, {title, b, derivation, figure.remark});
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) intents.push_back(Copy{b, b});
}

void draw_figures(const Ui& ui, const BothSides& both, Intents& intents) {
    const std::array<CompareFigure, 3>& figures =
        made(ui, "compare.figures", basis_of(ui, both), [&] { return compare_figures(both); });
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), each = std::floor(width / 3);
    const bool beside = each >= ui.px(figure_width);
    const float height = std::round(ui.px(beside ? figure_height : figure_row));
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const auto at = static_cast<float>(i);
        const ImVec2 min = beside ? ImVec2(start.x + at * each, start.y) : ImVec2(start.x, start.y + at * height);
        const ImVec2 max(min.x + (beside ? each - ui.px(8) : width), min.y + height);
        draw_figure(ui, figures[i], min, max, beside, intents);
    }
    place(start, ImVec2(width, beside ? height : 3 * height));
}

// A tensor that differs, as it is multiplied on either side.
struct ChangedShape {
    std::string id, name;
    std::array<std::string, 2> shapes;
};

// Of what is selected, on either side; also of what one of them stores in one tensor with others.
std::vector<ChangedShape> changed_shapes(const BothSides& both) {
    std::vector<ChangedShape> changed;
    const auto add = [&](const std::string& id, std::int64_t copies) {
        const Tensor* const a = both.a().graph.find(id);
        const Tensor* const b = both.b().graph.find(id);
        ChangedShape each{id,
                          std::string((a ? *a : *b).symbol) + (copies > 1 ? " × " + std::to_string(copies) : ""),
                          {a ? shape_in_numbers(a->shape, both.a().bindings) : "none",
                           b ? shape_in_numbers(b->shape, both.b().bindings) : "none"}};
        const bool known = contains(changed, id, &ChangedShape::id);
        const bool lit = lights(both, both.own.look.selection, TensorSubject{id});
        if (!known && lit && each.shapes[0] != each.shapes[1]) changed.push_back(std::move(each));
    };
    for (const TensorDifference& row : both.difference()->tensors)
        for (const auto& [side, there, stored] : {std::tuple(&both.a(), !row.a_shape.empty(), row.a_stored),
                                                  {&both.b(), !row.b_shape.empty(), row.b_stored}}) {
            if (!there) continue;
            for (const auto part : side->graph.stored[stored].parts)
                add(side->graph.tensors[part].id, std::max(row.a_copies, row.b_copies));
        }
    return changed;
}

// As many as have room above `bottom`. Returns whether any had.
bool draw_changed_shapes(const Ui& ui, const BothSides& both, float bottom) {
    const std::vector<ChangedShape> changed = changed_shapes(both);
    bool drawn = false;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < changed.size(); ++i) {
        if (ImGui::GetCursorScreenPos().y + ui.px(figure_row) > bottom) break;
        const auto [min, max] = take_line(ui, figure_row);
        const About about(changed[i].id);
        const auto& [was, b] = changed[i].shapes;
        const std::string a = was + " → ";
        draw_text_in(list, ui.fonts.body, min, max, ui.theme.text_high, changed[i].name, Align::left, true);
        const float of_b = text_width(ui.fonts.mono_medium, b);
        draw_text_in(list, ui.fonts.mono, min, ImVec2(max.x - of_b, max.y), ui.theme.text_mid, a, Align::right);
        draw_text_in(list, ui.fonts.mono_medium, min, max, ui.theme.text_high, b, Align::right);
        ui.recorder.record("compare.shape." + std::to_string(i), min, max);
        drawn = true;
    }
    return drawn;
}

}  // namespace

Intents draw_compare_split(const Ui& ui, const BothSides& both, bool presents) {
    Intents intents;
    const float top = ImGui::GetCursorScreenPos().y;
    const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowSize().y;
    const ImVec2 title = ImGui::GetCursorScreenPos();
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.title, title,
                 ImVec2(title.x + available_width(), title.y + std::round(ui.px(split_title_height))),
                 ui.theme.text_high, "Where the difference comes from");
    place(title, ImVec2(available_width(), std::round(ui.px(split_title_height))));
    gap(ui, 4);
    if (!presents) draw_sum(ui, both, intents);  // whose numbers stand above already
    draw_remarks(ui, both, presents, intents);
    if (!both.difference()) {
        message_card(ui, "compare.failure", both.page.failure, {});
        return intents;
    }
    gap(ui, 4);
    draw_switch(ui, both.place.split, intents);
    // A low panel shall need no scrolling for the figures below.
    const float room = bottom - top - ui.px(around_chart);
    const bool low = tight(room / ui.scale, components.size());
    gap(ui, low ? 6 : 12);
    if (both.place.split == CompareSplit::field && !both.difference()->fields.empty())
        draw_order(ui, *both.difference());
    draw_chart(ui, both, room, presents ? presented_row : most_row, intents);
    separator(ui, low ? 6 : 12, low ? 4 : 8);
    // What a class is shown of it step by step, whose names have little room in the pictures.
    if (presents && draw_changed_shapes(ui, both, bottom - ui.px(size::panel_padding))) return intents;
    draw_figures(ui, both, intents);
    gap(ui, 8);
    const ImVec2 sentence = ImGui::GetCursorScreenPos();
    const About part(anything), total(total_key);
    const std::string words = compare_sentence(both);
    // A class sees all of it or none: nobody scrolls.
    if (presents && sentence.y + wrapped_extent(ui.fonts.table, words, available_width()).y > bottom) return intents;
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, words);
    ui.recorder.record("compare.sentence", sentence,
                       ImVec2(sentence.x + available_width(), ImGui::GetCursorScreenPos().y));
    return intents;
}

}  // namespace headcount
