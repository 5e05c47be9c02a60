// The left panel of the What-if view: what is varied and what of it is looked at.
#include "app/views/what_if/settings.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "app/parts/read_row.hpp"
#include "app/parts/words.hpp"
#include "app/state/what_if/page.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/typed_row.hpp"
#include "app/views/costs/rows.hpp"
#include "app/views/what_if/panels.hpp"
#include "app/views/what_if/solve.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/files/devices.hpp"

namespace headcount {
namespace {

std::optional<Metric> choose_metric(Settings& settings, std::string_view name, std::string_view label, Metric current) {
    std::array<std::string_view, metrics.size()> words;
    for (std::size_t i = 0; i < metrics.size(); ++i) words[i] = metrics[i].label;
    const auto chosen = choose(settings, name, label, words, static_cast<std::size_t>(current));
    return chosen ? std::optional(static_cast<Metric>(*chosen)) : std::nullopt;
}

std::optional<Metric> choose_drawn(Settings& settings, Metric current) {
    return choose_metric(settings, "what_if.metric", "What is drawn", current);
}

// The same one as in Costs.
void choose_device(Settings& settings) {
    const std::vector<Device>& devices = settings.of.costs.devices;
    if (const std::optional<Error>& wrong = settings.of.costs.wrong; wrong && devices.empty())
        message_card(settings.ui, "what_if.devices", sentence(*wrong), {});
    const PassOptions pass = pass_options(settings.of.costs, settings.of.held, settings.of.model.document.architecture);
    if (!pass.device) return;
    caption(settings.ui, pass.sharing() > 1 ? "At the roof of " + grouped(pass.sharing()) + " of" : "At the roof of");
    gap(settings.ui, 4);
    std::vector<MenuEntry> entries;
    for (const Device& device : devices) entries.push_back({.name = device.name, .words = device.id});
    const auto current = std::ranges::find(devices, *pass.device);
    const MenuButton menu{.label = current->name,
                          .width = available_width() / settings.ui.scale,
                          .list_width = 300,
                          .current = static_cast<int>(current - devices.begin())};
    const std::optional<int> chosen = menu_button(settings.ui, "what_if.device", menu, entries);
    if (chosen)
        settings.intents.push_back(with_costs(settings.of.held, [&](CostsPlace& place) {
            place.device = devices[static_cast<std::size_t>(*chosen)].id;
        }));
    gap(settings.ui, 12);
}

// What figures hang on that is no number of the model: the device, and what an hour of it costs.
void choose_hired(Settings& settings, std::initializer_list<Metric> drawn, std::span<const ValueRange> varied = {}) {
    const bool devices_vary = std::ranges::any_of(
        varied, [](const ValueRange& range) { return range.choices && range.choices->of == Choices::Of::device; });
    if (std::ranges::any_of(drawn, needs_device) && !devices_vary) choose_device(settings);
    const Architecture& arch = settings.of.model.document.architecture;
    const auto of_a_pass = [](Metric metric) {
        return !is_served(metric) && (is_timed(metric) || info(metric).unit == Unit::flops);
    };
    if (std::ranges::any_of(drawn, of_a_pass) && !sees_all(arch)) {
        const auto now = static_cast<std::size_t>(phase_for(settings.of.held, arch));
        if (const auto phase = choose(settings, "what_if.phase", "Of which pass", phase_names, now))
            settings.intents.push_back(
                with_costs(settings.of.held, [&](CostsPlace& place) { place.phase = static_cast<Phase>(*phase); }));
    }
    if (!contains(drawn, Metric::price)) return;
    price_row(settings.ui, "what_if.price", settings.of.held, settings.intents);
    gap(settings.ui, 12);
}

// Of the memory of a model that Costs divides.
void say_divided(Settings& settings) {
    const std::int64_t devices =
        pass_options(settings.of.costs, settings.of.held, settings.of.model.document.architecture).sharing();
    if (devices == 1) return;
    caption(settings.ui, "On each of " + grouped(devices) + " devices");
    gap(settings.ui, 12);
}

// One end of a range, or its step: what it may be.
struct RangeRow {
    std::string_view label, name;  // "in steps of", and what an error calls it: "the step"
    std::int64_t ValueRange::*part;
    std::int64_t least = 1, most = INT64_MAX;
    std::string_view below = {};  // what is wrong below `least` where that is the other end
};

Result<std::int64_t> read_end(std::string_view text, const RangeRow& row) {
    Result<std::int64_t> number = parse_length(text, "", 0);
    if (!number) return must_be_number(row.name, text, number.error(), row.least);
    if (*number > row.most) return Error{"the range would run backwards", "", "give at most " + grouped(row.most)};
    if (*number < row.least)
        return row.below.empty() ? must_be(row.name, numbers_from(row.least), text)
                                 : Error{std::string(row.below), "", "give at least " + grouped(row.least)};
    return number;
}

// What cannot be is kept in the field with what is wrong with it, and the range stays; it is taken over as soon as the
// other end makes it possible.
void number_row(Settings& settings, const std::string& name, const SweepPlace& place, std::size_t index,
                const RangeRow& row) {
    const std::string text = std::to_string(place.ranges[index].*row.part);
    const auto take = [&](std::int64_t number) {
        SweepPlace changed = place;
        changed.ranges[index].*row.part = number;
        changed.ranges[index].listed.clear();
        settings.set(SetSweep{std::move(changed)});
    };
    std::string said;
    {
        const IdScope scope(name);
        const std::string refused(refused_text(settings.ui, "field"));
        const Result<std::int64_t> number = read_end(refused.empty() ? text : refused, row);
        if (!number) said = sentence_of(number.error());
        if (number && !refused.empty()) {
            forget_rejected(settings.ui, "field");
            take(*number);
        }
    }
    TypedRow drawn{.label = row.label, .text = text};
    if (!said.empty()) drawn.error = FieldError{said, {}};
    const TypedRowResult result = typed_row(settings.ui, name, drawn);
    if (!result.typed) return;
    if (const Result<std::int64_t> number = read_end(*result.typed, row)) {
        take(*number);
        return;
    }
    const IdScope scope(name);
    refuse(settings.ui, "field", *result.typed, {.text = text, .row = name});
}

// An image has as many rows as it has, and what reads all at once has none before them.
bool varies(const Architecture& arch, const InputNumber& number) {
    if (number.number == &Input::tokens) return !arch.patches;
    if (number.number == &Input::cached) return !sees_all(arch);
    return number.number != &Input::source || arch.encoder;
}

void field_menu(Settings& settings, const std::string& name, const SweepPlace& place, std::size_t index) {
    const Document& document = settings.of.model.document;
    std::vector<ValueRange> varied;
    for (const Field field : varied_fields(document.architecture)) varied.push_back({.field = field});
    for (const InputNumber& number : input_numbers)
        if (varies(document.architecture, number)) varied.push_back({.field = Field::layers, .input = number});
    const PassOptions pass = pass_options(settings.of.costs, settings.of.held, document.architecture);
    for (const Choices::Of of : {Choices::Of::weights, Choices::Of::cache, Choices::Of::device})
        varied.push_back(suggested_range(of, document.input, pass, settings.of.costs.devices));
    std::erase_if(varied, [&](const ValueRange& range) {
        for (std::size_t other = 0; other < place.ranges.size(); ++other)
            if (other != index && range.key() == place.ranges[other].key()) return true;
        return false;
    });
    std::vector<MenuEntry> entries;
    int current = -1;
    for (std::size_t i = 0; i < varied.size(); ++i) {
        entries.push_back({.name = varied[i].label(), .words = varied[i].key()});
        if (varied[i].key() == place.ranges[index].key()) current = static_cast<int>(i);
    }
    const MenuButton menu{.label = place.ranges[index].label(),
                          .width = available_width() / settings.ui.scale,
                          .list_width = 268,
                          .current = current};
    const std::optional<int> chosen = menu_button(settings.ui, name, menu, entries);
    if (!chosen || (*chosen == current && place.ranges[index].listed.empty() && !place.ranges[index].choices)) return;
    SweepPlace changed = place;
    const ValueRange& range = varied[static_cast<std::size_t>(*chosen)];
    changed.ranges[index] = range.choices ? range
                            : range.input ? suggested_range(document.input, *range.input)
                                          : suggested_range(document.architecture, range.field);
    // Parameters and weights are the same whatever goes through the model.
    if ((range.input || range.choices) && place.metric <= Metric::weights) changed.metric = Metric::memory;
    if (range.choices && range.choices->of == Choices::Of::device && !needs_device(changed.metric))
        changed.metric = Metric::next_token;
    settings.set(SetSweep{std::move(changed)});
}

// Where it begins, where it ends, and in which steps.
void step_rows(Settings& settings, const std::string& name, const SweepPlace& place, std::size_t index) {
    const ValueRange& range = place.ranges[index];
    const std::int64_t least = range.least();
    const bool ends = range.from > least;
    number_row(settings, name + ".from", place, index,
               {"from", "the first value", &ValueRange::from, least, std::max(least, range.to), {}});
    number_row(settings, name + ".to", place, index,
               {"to", "the last value", &ValueRange::to, std::max(least, range.from), INT64_MAX,
                ends ? "the range would run backwards" : std::string_view()});
    number_row(settings, name + ".step", place, index,
               {"in steps of", "the step", &ValueRange::step, 1, INT64_MAX, {}});
}

// All of them, as the command line has them: "bf16,int8,int4", "1..64:x2".
void values_row(Settings& settings, const std::string& name, const SweepPlace& place, std::size_t index) {
    const ValueRange& range = place.ranges[index];
    const auto read = [&](std::string text) -> Result<ValueRange> {
        std::erase(text, ' ');
        Result<ValueRange> typed = parse_varied(std::string(range.key()) + "=" + text,
                                                [&](auto id) { return find_device(settings.of.costs.devices, id); });
        if (!typed || !typed->choices) return typed;
        // As it is stored, the file says.
        const std::optional<Formats>& stored = settings.of.model.document.stored;
        for (std::optional<Formats>& format : typed->choices->formats)
            if (!format && !stored)
                return Error{"nothing says how this model is stored", "", "name a format, such as bf16"};
            else if (!format)
                format = stored;
        return typed;
    };
    // Apart, so that a field that is too narrow shows the first of them, and no number is cut.
    std::string text;
    for (const char letter : range_text(range)) text += letter == ',' ? ", " : std::string(1, letter);
    if (std::optional<ValueRange> typed = read_row(settings.ui, name, {.label = "values", .text = text}, read)) {
        SweepPlace changed = place;
        changed.ranges[index] = *std::move(typed);
        settings.set(SetSweep{std::move(changed)});
    }
}

void range_rows(Settings& settings, const SweepPlace& place, std::size_t index) {
    const Ui& ui = settings.ui;
    const std::string name = "sweep.range" + std::to_string(index);
    constexpr std::array<std::string_view, most_ranges> titles{"Across", "Upwards", "A map for each"};
    section_title(ui, place.ranges.size() > 1 ? titles[index] : "What varies");
    gap(ui, 4);
    field_menu(settings, name + ".field", place, index);
    gap(ui, 4);
    const ValueRange& range = place.ranges[index];
    if (range.listed.empty() && !range.choices)
        step_rows(settings, name, place, index);
    else
        values_row(settings, name + ".values", place, index);
    gap(ui, 12);
}

// Which of the third number's values the map is drawn for.
void choose_third(Settings& settings, const SweepPlace& place) {
    if (place.ranges.size() < most_ranges || wrong_range(place.ranges.back())) return;
    if (count_of(place.ranges.back()).value_or(INT64_MAX) > most_drawn) return;
    std::vector<std::string> words;
    for (const std::int64_t value : values_of(place.ranges.back()))
        words.push_back(place.ranges.back().choices ? value_text(place.ranges.back(), value) : grouped(value));
    std::vector<MenuEntry> entries(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) entries[i].name = words[i];
    const std::size_t current = std::min(place.third, words.size() - 1);
    caption(settings.ui, "Drawn for " + inside_title(place.ranges.back().label()));
    gap(settings.ui, 4);
    const MenuButton menu{.label = words[current],
                          .width = available_width() / settings.ui.scale,
                          .list_width = 268,
                          .current = static_cast<int>(current)};
    const std::optional<int> chosen = menu_button(settings.ui, "sweep.third", menu, entries);
    gap(settings.ui, 12);
    if (!chosen) return;
    SweepPlace changed = place;
    changed.third = static_cast<std::size_t>(*chosen);
    settings.set(SetSweep{std::move(changed)});
}

// Another number varies too, or one less.
void more_ranges(Settings& settings, const SweepPlace& place) {
    constexpr std::array<std::string_view, most_ranges> more{"", "Vary a second number", "Vary a third number"};
    constexpr std::array<std::string_view, most_ranges> names{"", "sweep.two", "sweep.three"};
    SweepPlace changed = place;
    const std::size_t count = place.ranges.size();
    if (count < most_ranges && button(settings.ui, names[count], {.label = more[count], .small = true})) {
        for (const Field field : {Field::dim, Field::layers, Field::vocab}) {
            const bool varied = std::ranges::any_of(
                changed.ranges, [&](const ValueRange& range) { return range.key() == info(field).key; });
            if (changed.ranges.size() > count || varied) continue;
            ValueRange& added =
                changed.ranges.emplace_back(suggested_range(settings.of.model.document.architecture, field));
            if (count == 2)
                added.step *= std::max<std::int64_t>(1, (added.to - added.from) / added.step / 3);  // few maps
        }
        settings.set(SetSweep{std::move(changed)});
    }
    if (count < 2) return;
    gap(settings.ui, 6);
    if (!button(settings.ui, "sweep.one", {.label = "Vary one number less", .small = true})) return;
    changed = place;
    changed.ranges.pop_back();
    settings.set(SetSweep{std::move(changed)});
}

void sweep_settings(Settings& settings) {
    const FoundSweep* const found = settings.of.page.sweep.get();
    SweepPlace place = settings.place().sweep;
    if (found) place.ranges = found->ranges;
    if (const auto metric = choose_drawn(settings, place.metric)) {
        SweepPlace changed = settings.place().sweep;
        changed.metric = *metric;
        settings.set(SetSweep{std::move(changed)});
    }
    choose_hired(settings, {place.metric}, place.ranges);
    if (place.metric == Metric::memory) say_divided(settings);
    for (std::size_t i = 0; i < place.ranges.size(); ++i) range_rows(settings, place, i);
    choose_third(settings, place);
    if (!place.ranges.empty()) more_ranges(settings, place);
    if (!found || !found->sweep) return;
    gap(settings.ui, 12);
    paragraph(settings.ui, settings.ui.fonts.table, settings.ui.theme.text_mid, sweep_sentence(*found->sweep));
    gap(settings.ui, 8);
    paragraph(settings.ui, settings.ui.fonts.table, settings.ui.theme.text_low,
              "A click on a point makes it the model, which undo takes back; a device becomes that of Costs.");
}

void sensitivity_settings(Settings& settings) {
    if (const auto metric = choose_drawn(settings, settings.place().sensitivity)) settings.set(SetSensitivity{*metric});
    choose_hired(settings, {settings.place().sensitivity});
    if (settings.place().sensitivity == Metric::memory) say_divided(settings);
    paragraph(
        settings.ui, settings.ui.fonts.table, settings.ui.theme.text_mid,
        "Each field goes one sensible step, all else as it is: a number up to the next value with which the model "
        "is possible, and a multiple of what it is a multiple of now; a choice to the next.");
    gap(settings.ui, 8);
    paragraph(settings.ui, settings.ui.fonts.table, settings.ui.theme.text_low,
              "A click on a bar makes that step; undo goes back.");
}

void wish_settings(Settings& settings, const FoundWish& found) {
    SolvePanel wish{settings.ui, settings.of.model, settings.place().solve, settings.of.costs.devices,
                    found,       settings.intents};
    draw_wish(wish);
}

// Between which figures, and of which wish.
void front_settings(Settings& settings) {
    if (!settings.of.page.front) return;
    const SolvePlace& place = settings.place().solve;
    const auto figure = [&](std::string_view name, std::string_view label, Metric SolvePlace::*which) {
        const std::optional<Metric> chosen = choose_metric(settings, name, label, place.*which);
        if (!chosen) return;
        SolvePlace changed = place;
        changed.*which = *chosen;
        settings.set(SetWish{std::move(changed)});
    };
    figure("front.across", "Across", &SolvePlace::across);
    figure("front.upwards", "Upwards", &SolvePlace::upwards);
    choose_hired(settings, {place.across, place.upwards});
    wish_settings(settings, *settings.of.page.front);
}

}  // namespace

Intents draw_what_if_settings(const Ui& ui, const WhatIfSettings& of) {
    Intents intents;
    Settings to{ui, of, intents};
    switch (of.place.tab) {
        case WhatIfTab::sweep: sweep_settings(to); break;
        case WhatIfTab::sensitivity: sensitivity_settings(to); break;
        case WhatIfTab::shelf: shelf_settings(to); break;
        case WhatIfTab::front: front_settings(to); break;
        case WhatIfTab::solve:
            if (to.of.page.solve) wish_settings(to, *to.of.page.solve);
            break;
    }
    return intents;
}

}  // namespace headcount
