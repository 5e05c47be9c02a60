// What the panels of the What-if view share, and its tabs.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/parts/complaints.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/made_for.hpp"
#include "app/ui/recorder.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/tabs.hpp"
#include "app/views/what_if/panels.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"

namespace headcount {

AxisUnit axis_unit(Unit unit) {
    switch (unit) {
        case Unit::parameters:
        case Unit::tokens:
        case Unit::sequences: return AxisUnit::count;
        case Unit::bytes: return AxisUnit::bytes;
        case Unit::flops: return AxisUnit::flop;
        case Unit::seconds: return AxisUnit::seconds;
        case Unit::tokens_per_second:
        case Unit::price: break;
    }
    return AxisUnit::plain;
}

std::string value_text(const SweepPoint& point, Metric metric) {
    if (const auto whole = whole_value_of(point, metric)) return exact_amount_text(*whole, metric);
    const std::optional<double> value = value_of(point, metric);
    return value ? axis_label(*value, axis_unit(info(metric).unit)) : std::string();
}

std::string value_text(const Shown& model, const SweepPoint& point, Metric metric) {
    const std::string text = value_text(point, metric);
    return text.empty() ? text : std::string(sign_of(model.derived, metric)) + text;
}

std::string change_text(double change, std::optional<std::int64_t> whole, Metric metric) {
    const bool counts = info(metric).unit == Unit::parameters;
    if (whole && counts) return signed_grouped(*whole);
    if (change == 0) return "0";
    const std::string text = axis_label(std::abs(change), axis_unit(info(metric).unit));
    return (change < 0 ? "-" : "+") + text;
}

std::string inside_title(std::string_view label) {
    std::string text(label);
    const auto letter = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
    if (std::islower(letter(1))) text.front() = lower(text.front());
    return text;
}

std::vector<Field> varied_fields(const Architecture& arch) {
    std::vector<Field> varied;
    for (const FieldInfo& about : fields())
        if (about.kind == FieldKind::number && field_number(arch, about.field)) varied.push_back(about.field);
    return varied;
}

std::optional<Intent> adopt(const Shown& model, std::span<const NumberOf> numbers) {
    Document document = model.document;
    for (const auto& [of, value] : numbers) {
        if (of.choices) {
            if (of.choices->of > Choices::Of::cache) continue;
            const std::optional<Formats>& format = of.choices->formats[static_cast<std::size_t>(value)];
            if (format && of.choices->of == Choices::Of::weights) document.input.precision = *format;
            if (format && of.choices->of == Choices::Of::cache && format->rest != document.input.cached_in())
                document.input.cache = format->rest;
            continue;
        }
        if (of.input) {
            document.input.*of.input->number = value;
            continue;
        }
        std::optional<Architecture> changed = with_number(document.architecture, of.field, value);
        if (!changed) return std::nullopt;
        document.architecture = std::move(*changed);
    }
    if (numbers.empty() || document == model.document) return std::nullopt;
    if (document.architecture == model.document.architecture) return SetInput{document.input};
    const ValueRange& first = numbers.front().of;
    return Replace{std::move(document), first.input || first.choices ? std::nullopt : std::optional(first.field)};
}

void chart_title(const Ui& ui, std::string_view title, const std::string& right) {
    section_title(ui, title, right);
    if (const std::string made_for = made_for_here(ui); !made_for.empty()) {
        const Aside aside;
        gap(ui, 2);
        paragraph(ui, ui.fonts.caption, ui.theme.text_low, made_for);
    }
    gap(ui, 8);
}

void draw_what_if_problem(const Ui& ui, const Shown& model, std::string_view name, const std::string& problem,
                          Intents& intents) {
    const std::vector<Complaint> all = complaints(model);
    const auto input = std::ranges::find_if(all, [](const Complaint& each) { return each.input && each.mending; });
    if (input == all.end()) {
        message_card(ui, name, problem + ".", {});
        return;
    }
    if (message_card(ui, name, input->sentence, input->mending->label))
        intents.push_back(Replace{input->mending->document, input->mending->edited, true});
}

std::string sweep_sentence(const Sweep& sweep) {
    const auto of = [](std::int64_t count, std::string_view one, std::string_view several) {
        return grouped(count) + std::string(count == 1 ? one : several);
    };
    std::string said = of(std::ssize(sweep.points), " model.", " models.");
    if (sweep.left_out > 0) said += " " + of(sweep.left_out, " more is", " more are") + " not possible, and left out.";
    if (sweep.too_large > 0) said += " " + of(sweep.too_large, " is", " are") + " too large to count in 64 bits.";
    return said;
}

std::vector<std::int64_t> values_of(const ValueRange& range) {
    std::vector<std::int64_t> values;
    for (std::int64_t place = 0; place < count_of(range).value_or(0); ++place) values.push_back(value_at(range, place));
    return values;
}

Axis sweep_axis(const std::vector<double>& values, std::string title) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double room = std::max(0.02 * (*most - *least), 1.0);  // with less, ticks would stand at fractions
    return {*least - room, *most + room, false, AxisUnit::plain, std::move(title), true};
}

Intents draw_what_if_tabs(const Ui& ui, WhatIfTab shown) {
    constexpr std::array<std::string_view, what_if_tab_keys.size()> words{"Sweep", "Sensitivity", "Solve", "Front",
                                                                          "Shelf"};
    const auto current = static_cast<std::size_t>(shown);
    const std::optional<int> chosen = tab_bar(ui, "what_if.tabs", words, static_cast<int>(current));
    record_keys(ui.recorder, "what_if.tabs", "what_if.tab", what_if_tab_keys);
    if (!chosen) return {};
    return {AtWhatIf{ShowWhatIfTab{static_cast<WhatIfTab>(*chosen)}}};
}

void draw_pointed_out(const Ui& ui, const Show& show, const std::string& words) {
    if (!show.presenting) return;
    // The chart below stays where it is.
    const auto [min, max] = take_line(ui, 26);
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.title, min, max, ui.theme.text_high, words);
    if (!words.empty()) ui.recorder.record("what_if.pointed", min, max);
    gap(ui, 6);
}

}  // namespace headcount
