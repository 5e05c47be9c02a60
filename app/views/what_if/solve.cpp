// Solve: a total, a memory or the arithmetic of a pass is held, one or two numbers are free.
#include "app/views/what_if/solve.hpp"

#include <array>

#include "app/parts/explore_layout.hpp"
#include "app/parts/words.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/typed_row.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float wish_gap = 32, wish_width = 268;  // design pixels
constexpr float sizes_part = 0.57F;               // of what is below the answers

// The device whose memory the budget is to be.
void device_menu(SolvePanel& to) {
    const Ui& ui = to.ui;
    const std::span<const Device> devices = to.devices;
    if (devices.empty()) return;
    std::vector<std::string> memory;
    for (const Device& device : devices) memory.push_back(bytes_text(device.memory));
    std::vector<MenuEntry> entries;
    for (std::size_t i = 0; i < devices.size(); ++i)
        entries.push_back({.name = devices[i].name, .detail = memory[i], .words = devices[i].id});
    gap(ui, 4);
    const MenuButton menu{.label = "Memory of a device", .width = available_width() / ui.scale, .list_width = 320};
    const std::optional<int> chosen = menu_button(ui, "solve.device", menu, entries);
    if (!chosen) return;
    const Device& device = devices[static_cast<std::size_t>(*chosen)];
    constexpr std::int64_t mebi = 1 << 20;
    to.ask([&](SolvePlace& place) {
        const std::int64_t usable = to.found.of.pass.serving.usable(device);
        place.wished[held_index(Metric::memory)] =
            usable % mebi == 0 ? std::to_string(usable / mebi) + " MiB" : std::to_string(usable);
    });
}

std::string wrong_amount(const std::string& typed, const MetricInfo& metric) {
    if (typed.empty()) return {};
    const Result<std::int64_t> amount = parse_amount(typed, metric.label, metric.unit);
    return amount ? std::string() : sentence_of(amount.error());
}

void held_rows(SolvePanel& to) {
    const Ui& ui = to.ui;
    constexpr std::array<std::string_view, held_metrics.size()> words{"Parameters", "Memory", "FLOPs"};
    const std::size_t index = held_index(to.place().held);
    const MetricInfo& metric = info(held_metrics[index]);
    section_title(ui, "What is held");
    gap(ui, 4);
    const ChoiceResult chosen = segmented(ui, "solve.held", words, static_cast<int>(index), true);
    if (chosen.chosen)
        to.ask([&](SolvePlace& place) { place.held = held_metrics[static_cast<std::size_t>(*chosen.chosen)]; });
    gap(ui, 4);
    const std::string& typed = to.place().wished[index];
    AmountRow row{index == 0 ? "nearest to" : "at most", {}, wrong_amount(typed, metric), {}};
    row.tooltip = index == 0   ? "8B, 8.03 B, 8,030,261,248"
                  : index == 1 ? "24 GiB, 24 GB (10^9), 512 MiB"
                               : "1e15, 1.5 PFLOP";
    const std::optional<std::int64_t> own = to.found.now ? whole_value_of(*to.found.now, metric.metric) : std::nullopt;
    if (own) row.own = exact_amount_text(*own, metric.metric);
    {
        const About about(total_key);
        amount_row(to, "solve.amount", row, typed,
                   [=](SolvePlace& place) -> std::string& { return place.wished[index]; });
    }
    if (index == 1) device_menu(to);
    if (const std::int64_t devices = to.found.of.pass.sharing(); index == 1 && devices > 1)
        caption(ui, "On each of " + grouped(devices) + " devices");
    if (index == 0) return;
    gap(ui, 8);
    const Input& input = to.found.of.input;
    paragraph(ui, ui.fonts.table, ui.theme.text_mid,
              (index == 1 ? "Weights, cache and the most activations at once, of " : "One pass over ") +
                  tokens_text(input) + ", in " + std::string(precision_name(input)) + ".");
}

// The place among `varied` of the field; -1 where it is none of them.
int place_among(const std::vector<Field>& varied, Field field) {
    const auto found = std::find(varied.begin(), varied.end(), field);
    return found == varied.end() ? -1 : static_cast<int>(found - varied.begin());
}

void free_menu(SolvePanel& to, const std::vector<Field>& varied, std::size_t index) {
    const Ui& ui = to.ui;
    const std::vector<Freed>& free = to.found.answers.wish.free;
    const bool there = index < free.size();
    std::vector<MenuEntry> entries;
    if (index > 0) entries.push_back({.name = "No second number"});
    for (Field field : varied) entries.push_back({.name = info(field).label, .words = info(field).key});
    const int first = index > 0 ? 1 : 0;
    const MenuButton menu{.label = there ? info(free[index].field).label : "No second number",
                          .width = available_width() / ui.scale,
                          .list_width = 268,
                          .current = there ? place_among(varied, free[index].field) + first : 0};
    const std::optional<int> chosen = menu_button(ui, "solve.free" + std::to_string(index), menu, entries);
    if (!chosen) return;
    std::vector<Field> changed;
    for (const Freed& each : free) changed.push_back(each.field);
    if (*chosen < first) {
        changed.resize(1);
    } else {
        const Field field = varied[static_cast<std::size_t>(*chosen - first)];
        if (index < changed.size())
            changed[index] = field;
        else
            changed.push_back(field);
        if (changed.size() == 2 && changed[0] == changed[1]) changed.resize(1);
    }
    to.ask([&](SolvePlace& place) { place.free = changed; });
}

void free_rows(SolvePanel& to) {
    const Ui& ui = to.ui;
    section_title(ui, "What is free");
    gap(ui, 4);
    const std::vector<Field> varied = varied_fields(to.model.document.architecture);
    for (std::size_t i = 0; i < most_free; ++i) {
        free_menu(to, varied, i);
        gap(ui, 6);
    }
    std::string kept;
    for (const Freed& each : to.found.answers.wish.free)
        if (each.multiple > 1)
            kept += (kept.empty() ? "Kept: " : ", ") + std::string(info(each.field).label) + " a multiple of " +
                    std::to_string(each.multiple);
    gap(ui, 2);
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, kept.empty() ? "Heads divide what they share." : kept + ".");
    gap(ui, 8);
    paragraph(ui, ui.fonts.table, ui.theme.text_low, "A click on an answer makes it the model; undo goes back.");
}

}  // namespace

std::size_t held_index(Metric held) {
    for (std::size_t i = 0; i < held_metrics.size(); ++i)
        if (held_metrics[i] == held) return i;
    return 0;
}

Intents draw_solve(const Ui& ui, const Shown& model, const SolvePlace& place, const WhatIfPage& page,
                   std::span<const Device> devices) {
    Intents intents;
    if (!page.solve) return intents;
    SolvePanel to{ui, model, place, devices, *page.solve, intents};
    const ImVec2 start = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    // As wide as the other tabs' settings.
    const Area settings = explore_layout(ImGui::GetIO().DisplaySize, ui.scale, 0, 0, ui.chrome).architecture;
    const float space = std::round(ui.px(wish_gap)), aside = settings.max.x - settings.min.x - space;
    const float left = std::round(std::min(aside > 0 ? aside : ui.px(wish_width), room.x * 0.4F));
    {
        const Panel wish(ui, "solve.wish", ImVec2(left, room.y), 0, 0);
        held_rows(to);
        gap(ui, 16);
        free_rows(to);
    }
    const float line = std::round(start.x + left + space / 2);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(line, start.y - ui.px(size::panel_padding)),
                                              ImVec2(line + 1, start.y + room.y + ui.px(size::panel_padding)),
                                              ui.theme.line);
    ImGui::SetCursorScreenPos(ImVec2(start.x + left + space, start.y));
    const Panel answers(ui, "solve.found", ImVec2(std::max(1.0F, room.x - left - space), room.y), 0, 0);
    draw_answers(to);
    separator(ui, 16, 16, false);
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const float width = available_width(), half = std::round((width - space) * sizes_part);
    const float height = std::max(ui.px(260), ImGui::GetContentRegionAvail().y);
    {
        const Panel sizes(ui, "solve.sizes.part", ImVec2(half, height), 0, 0, false);
        draw_sizes(to);
    }
    ImGui::SetCursorScreenPos(ImVec2(below.x + half + space, below.y));
    {
        const Panel training(ui, "solve.training.part", ImVec2(width - half - space, height), 0, 0, false);
        draw_training(to);
    }
    return intents;
}

}  // namespace headcount
