// The middle panel of the Costs view: what the model takes, against what the device has.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/charts/stacked_bar.hpp"
#include "app/parts/chart_menu.hpp"
#include "app/parts/flush_table.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/costs/panels.hpp"
#include "app/views/costs/rows.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/base/text.hpp"
#include "core/files/open.hpp"
#include "core/report/costs_report.hpp"

namespace headcount {
namespace {

constexpr std::string_view figures_name = "costs.open.memory";
constexpr float presented_bar = 44;  // unscaled: its height

std::string memory_remark(const Costs& costs) {
    const Input& input = costs.of.input;
    std::string text = "T = " + grouped(input.tokens);
    if (input.cached > 0) text += " · P = " + grouped(input.cached);
    if (costs.of.architecture.encoder) text += " · S = " + grouped(input.source);
    return text + " · B = " + grouped(input.batch) + " · " + formats_said(input);
}

// "13.6 GiB", whether that fits, and into what.
void draw_verdict(const Ui& ui, const Costs& costs) {
    const bool divided = costs.options.sharding.divided();
    const std::int64_t bytes = divided ? costs.memory.device.total : costs.memory.total;
    const bool fits = bytes <= costs.options.serving.usable(costs.device);
    const std::int64_t reserve = costs.options.serving.reserve;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float line = std::round(ui.px(26)), width = available_width();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string value = std::string(doubt_sign(costs.weights_doubt)) + bytes_text(bytes);
    const float after = start.x + text_width(ui.fonts.mono_total, value) + ui.px(10);
    draw_text_in(list, ui.fonts.body, ImVec2(after, start.y), start + ImVec2(width, line), ui.theme.text_mid,
                 !divided ? "in all"
                 : costs.options.sharding.devices == 1
                     ? "on the device"
                     : "on each of " + grouped(costs.options.sharding.devices) + " devices, at least");
    const ImU32 ink = readable(ui.theme, fits ? ui.theme.right : ui.theme.wrong);
    const ImVec2 below(start.x, start.y + line);
    draw_icon(list, fits ? Icon::check : Icon::cross, below + ImVec2(ui.px(7), line / 2), ui.px(14), ink);
    draw_text_in(list, ui.fonts.body_medium, below + ImVec2(ui.px(20), 0), below + ImVec2(width, line), ink,
                 (fits ? "Fits " : "Does not fit ") + costs.device.name + ", " + bytes_text(costs.device.memory) +
                     (reserve > 0 ? " less " + grouped(reserve) + " %" : std::string()));
    const About about(total_key);  // the weights are most of it
    draw_text_in(list, ui.fonts.mono_total, start, start + ImVec2(width, line), ui.theme.text_high, value);
    place(start, ImVec2(width, 2 * line));
    ui.recorder.record(fits ? "costs.fits" : "costs.too_large", below, below + ImVec2(width, line));
    const Sharding& sharding = costs.options.sharding;
    if (sharding.data() <= 1 || sharding.zero == 3 || sharding.expert > 1) return;
    const std::string copies = sharding.data() == sharding.devices
                                   ? "Each of them holds a whole copy of the model, for a batch of its own"
                                   : "There are " + grouped(sharding.data()) + " copies, each for a batch of its own";
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, copies + ": tensor parallel divides one among several.");
}

struct Bars {
    std::vector<StackBar> bars;
    std::vector<StackSegment> segments;
    std::vector<const HeldRow*> rows;  // of each segment
};

// Whether a segment belongs to the row that is pointed out: the parts of the weights to those, all to the total.
bool is_pointed_out(const HeldRow& row, std::string_view pointed) {
    return row.key == pointed || pointed == "total" || (pointed == "weights" && row.component);
}

void add_segment(const Ui& ui, const Shown& model, Bars& chart, const HeldRow& row, int bar, std::string_view pointed) {
    const MemoryFigure& figure = bar == 0 ? row.whole : row.each;
    if (figure.bytes == 0) return;
    StackSegment segment;
    segment.value = static_cast<double>(figure.bytes);
    segment.colour = held_colour(ui.theme, row);
    segment.bar = bar;
    segment.label = row.label;
    segment.text = bytes_text(figure.bytes);
    segment.note = {segment.text, row.label, grouped(figure.bytes) + " bytes", {}, {subject_key(row.subject)}};
    segment.name = std::string(row.key) + (bar == 0 ? "" : ".device");
    segment.lit = !nothing(row.subject) && alike(model.look.hover, row.subject);
    const bool selected = !nothing(row.subject) && alike(model.look.selection, row.subject);
    segment.selected = pointed.empty() ? selected : is_pointed_out(row, pointed);
    chart.segments.push_back(std::move(segment));
    chart.rows.push_back(&row);
}

// The whole model with its weights by component; where it is divided, what one device holds of it below.
Bars bars_of(const Ui& ui, const Shown& model, const CostsRows& rows, std::string_view pointed) {
    const Costs& costs = *rows.of;
    const bool divided = costs.options.sharding.divided();
    Bars chart;
    chart.bars.push_back({divided ? "Whole model" : "", divided ? bytes_text(costs.memory.total) : ""});
    for (const HeldRow& row : rows.held)
        if (row.swatch != SwatchLook::none) add_segment(ui, model, chart, row, 0, pointed);
    if (!divided) return chart;
    const std::int64_t devices = costs.options.sharding.devices;
    chart.bars.push_back({devices == 1 ? "On the device" : "One of " + grouped(devices) + " devices, at least",
                          bytes_text(costs.memory.device.total)});
    for (const HeldRow& row : rows.held)
        if (!row.sum && !row.inside) add_segment(ui, model, chart, row, 1, pointed);
    return chart;
}

void draw_bars(Inspector& inspector, const CostsRows& rows, std::string_view pointed, bool presents) {
    const Costs& costs = *rows.of;
    const Bars bars = bars_of(inspector.ui, inspector.model, rows, pointed);
    StackedBars chart;
    chart.title = "Memory of " + costs.of.architecture.name;
    if (presents) chart.bar_height = presented_bar;
    chart.bars = bars.bars;
    chart.segments = bars.segments;
    const std::int64_t usable = costs.options.serving.usable(costs.device);
    chart.capacity = static_cast<double>(usable);
    chart.capacity_text = bytes_text(usable);
    const ChartResult result = stacked_bars(inspector.ui, "costs.bars", chart);
    add_chart_intents(inspector.intents, result);
    if (result.hovered) inspector.point_at(bars.rows[static_cast<std::size_t>(*result.hovered)]->subject, false);
    if (result.clicked) inspector.point_at(bars.rows[static_cast<std::size_t>(*result.clicked)]->subject, true);
}

FigureFormula formula_of(const HeldRow& row, bool divided) {
    FigureFormula formula;
    if (!row.sum) {
        formula.formula = row.whole.formula;
        formula.result = row.whole.bytes;
        formula.terms = row.terms;
    } else {
        formula.words.emplace_back("sum", "of the rows above");
        formula.words.emplace_back("bytes", row.bytes);
    }
    formula.words.emplace_back("is", row.gib);
    if (!divided || row.besides || row.each.bytes == 0) return formula;
    formula.on_device_words = row.on_device + ", " + grouped(row.each.bytes) + " bytes";
    if (!row.sum && row.each.formula != row.whole.formula) formula.on_device = row.each.formula;
    return formula;
}

// Whether the weights are one row: to a class that is not shown what they consist of, where all rows have no room.
bool weights_as_one(const Ui& ui, const CostsRows& rows, std::string_view pointed) {
    const float room = ImGui::GetWindowPos().y + ImGui::GetWindowSize().y - ImGui::GetCursorScreenPos().y;
    if (room >= static_cast<float>(rows.held.size()) * ui.px(costs_figure_height)) return false;
    return pointed.empty() || std::ranges::none_of(rows.held, [&](const HeldRow& row) {
               return row.inside && is_pointed_out(row, pointed);
           });
}

// The row `into_sight` is scrolled to.
void draw_memory_figures(Inspector& inspector, const CostsRows& rows, std::string_view into_sight, bool as_one) {
    const bool divided = rows.of->options.sharding.divided();
    CostsFigures figures(inspector, figures_name, rows.of->held.bindings);
    for (const HeldRow& row : rows.held) {
        if (row.inside && as_one) continue;
        const float top = ImGui::GetCursorScreenPos().y;
        CostsFigure figure{.key = row.key,
                           .label = row.label,
                           .exact = row.bytes,
                           .brief = row.gib,
                           .swatch = held_swatch(inspector.ui.theme, row),
                           .strong = row.strong,
                           .subject = row.subject,
                           .tooltip = row.explained};
        if (row.inside) figure.indent = 18;
        figures.row(figure, [&] { return formula_of(row, divided); });
        if (row.key == into_sight) scroll_into_sight(top, ImGui::GetCursorScreenPos().y, inspector.ui.px(24));
    }
}

// With each way to recompute, beside each other.
void draw_kept(const Ui& ui, const CostsRows& rows) {
    if (rows.kept.empty()) return;
    constexpr float column = 84;
    separator(ui, 12, 10);
    section_title(ui, "Kept for the backward pass", "by what is recomputed");
    const std::array<std::string, 4> heads{"layers", "none", "scores", "whole layers"};
    draw_costs_line(ui, {"in all layers", heads, -1}, column, true);
    const int chosen = 1 + static_cast<int>(rows.of->options.training->recompute);
    for (const KeptRow& row : rows.kept) {
        const std::array<std::string, 4> cells{row.layers, row.bytes[0], row.bytes[1], row.bytes[2]};
        if (draw_costs_line(ui, {row.label, cells, chosen}, column) && !row.formula.empty())
            show_tooltip(ui, {.title = row.label, .derivation = row.formula, .remark = "Bytes in one layer."});
    }
}

constexpr std::array device_columns{TableColumn{"Device", 230, 160, Align::left, false, false, true},
                                    TableColumn{"Memory", 84, 74, Align::right, true}, TableColumn{"Fits", 50, 44},
                                    TableColumn{"Context", 110, 76, Align::right, true},
                                    TableColumn{"Batch", 90, 54, Align::right, true}};

void fill(const Ui& ui, const CostsPage& page, std::size_t index, TableRow& row) {
    const Device& device = page.devices[index];
    const Room& room = page.shown->rooms[index];
    row.name = device.id;
    row.cells[0] = {device.name};
    row.cells[1] = {row.keep(bytes_text(device.memory))};
    row.cells[2] = {room.fits ? "yes" : "no", readable(ui.theme, room.fits ? ui.theme.right : ui.theme.wrong)};
    row.cells[3] = {row.keep(room_text(room.longest_context))};
    row.cells[4] = {row.keep(room_text(room.largest_batch))};
}

// Every device that ships: whether the model fits, and what would. Pressing a row chooses the device.
void draw_costs_devices(Inspector& inspector, const CostsPage& page, const CostsPlace& place) {
    const Ui& ui = inspector.ui;
    const std::vector<Device>& devices = page.devices;
    const std::int64_t context = page.shown->of.architecture.context;
    section_title(ui, "Devices",
                  context > 0 ? "the most that fits; made for " + grouped(context) + " tokens" : "the most that fits");
    TableOptions options;
    options.rows = static_cast<int>(devices.size());
    options.height = rows_height(ui, devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (devices[i].id == place.device) options.selected = static_cast<int>(i);
    const ImVec2 extent(available_width(), options.height + 1);
    const TableResult result = flush_table(ui, "costs.devices", device_columns, options, extent,
                                           ui.px(size::panel_padding), [&](int index, TableRow& row) {
                                               fill(ui, page, static_cast<std::size_t>(index), row);
                                               row.selected = index == options.selected;
                                           });
    if (result.hovered) {
        const Device& device = devices[static_cast<std::size_t>(*result.hovered)];
        show_tooltip(ui, {.title = device.name, .remark = "Source: " + device.source + "."});
    }
    if (result.clicked)
        inspector.intents.push_back(with_costs(
            place, [&](CostsPlace& chosen) { chosen.device = devices[static_cast<std::size_t>(*result.clicked)].id; }));
}

}  // namespace

Intents draw_costs_memory(const Ui& ui, const Shown& model, const CostsPage& page, const CostsPlace& place,
                          const Show& show) {
    const CostsRows& rows = costs_rows(ui, model, page);
    Inspector to{ui, model, {}};
    // What is pointed out opens, and what was closes; a press may still do either.
    const std::string pointed = show.presenting ? show.pointed : std::string();
    const bool moved = std::exchange(kept<std::string>(ui, "costs.pointed"), pointed) != pointed;
    if (moved) kept<std::string>(ui, figures_name) = pointed;
    if (!rows.of) {
        draw_costs_title(ui, page, "Memory", "");
        return std::move(to.intents);
    }
    const Costs& costs = *rows.of;
    draw_costs_title(ui, page, "Memory", memory_remark(costs));
    draw_verdict(ui, costs);
    gap(ui, 8);
    draw_bars(to, rows, pointed, show.presenting);
    gap(ui, 10);
    const bool as_one = show.presenting && weights_as_one(ui, rows, pointed);
    draw_memory_figures(to, rows, moved ? pointed : std::string(), as_one);
    if (show.presenting) return std::move(to.intents);  // what a clicker goes along, and no more
    if (!rows.where.empty()) {
        gap(ui, 6);
        explore_link(ui, model, "costs.where",
                     "Most activations at once: while " + rows.where + " is made. Show in Explore", costs.memory.where,
                     to.intents);
    }
    draw_kept(ui, rows);
    if (costs.rooms.empty()) return std::move(to.intents);
    separator(ui, 12, 10);
    draw_costs_devices(to, page, place);
    return std::move(to.intents);
}

}  // namespace headcount
