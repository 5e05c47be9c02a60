// Attention of the chosen layer and head: which earlier tokens each token looks at.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/diagram/run_heat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/look.hpp"

namespace headcount {
namespace {

constexpr float labels_width = 64, most_side = 18, least_labelled = 11, numbers_height = 16, legend_height = 26;
constexpr std::size_t most_looked = 3;

struct Grid {
    ImVec2 min;
    float side = 0;
    std::int64_t cells = 0;   // along a side
    std::int64_t tokens = 0;  // that they stand for

    std::int64_t token_of(std::int64_t cell) const { return cell * tokens / std::max<std::int64_t>(cells, 1); }
};

// Where the triangle of so many tokens stands in a square of `room` pixels behind its labels.
Grid grid_of(const Ui& ui, ImVec2 start, std::int64_t tokens, float room) {
    Grid grid{.tokens = tokens};
    const auto most_cells = static_cast<std::int64_t>(room / ui.px(3));
    grid.cells = std::min(tokens, std::max<std::int64_t>(1, most_cells));
    grid.side = std::min(ui.px(most_side), room / static_cast<float>(grid.cells));
    if (grid.side >= ui.px(4)) grid.side = std::floor(grid.side);
    grid.min = ImVec2(std::round(start.x + ui.px(labels_width)), std::round(start.y + ui.px(numbers_height)));
    return grid;
}

// The greatest of the weights that share a cell; nothing where all are masked.
std::optional<float> weight_in(const MatrixView& weights, std::int64_t cells, std::int64_t rows, std::int64_t row,
                               std::int64_t column) {
    const std::int64_t tokens = weights.rows;
    const auto from = [&](std::int64_t cell) { return cell * tokens / cells; };
    const auto until = [&](std::int64_t cell) { return std::max(from(cell) + 1, from(cell + 1)); };
    std::optional<float> most;
    for (std::int64_t i = from(row); i < std::min(until(row), rows); ++i)
        for (std::int64_t j = from(column); j < std::min(until(column), std::min(i + 1, weights.columns)); ++j) {
            const float weight = weights.at(i, j);
            if (std::isfinite(weight)) most = std::max(most.value_or(0), weight);
        }
    return most;
}

void draw_labels(const Ui& ui, const RunSnapshot& run, const Grid& grid, std::int64_t chosen) {
    if (grid.side < ui.px(least_labelled) || grid.cells != grid.tokens) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::int64_t i = 0; i < grid.tokens; ++i) {
        const float y = grid.min.y + grid.side * static_cast<float>(i);
        const ImU32 ink = i == chosen ? ui.theme.text_high : ui.theme.text_mid;
        draw_text_in(list, i == chosen ? ui.fonts.mono_medium : ui.fonts.mono_caption,
                     ImVec2(grid.min.x - ui.px(labels_width), y), ImVec2(grid.min.x - ui.px(6), y + grid.side), ink,
                     chip_text(run.tokens[static_cast<std::size_t>(i)]), Align::right);
        const std::string number = std::to_string(i);
        const float x = grid.min.x + grid.side * static_cast<float>(i);
        const bool room = text_width(ui.fonts.mono_caption, std::to_string(grid.tokens)) + ui.px(2) <= grid.side;
        if (room || i % 5 == 0)
            draw_text_in(list, ui.fonts.mono_caption, ImVec2(x - ui.px(6), grid.min.y - ui.px(numbers_height)),
                         ImVec2(x + grid.side + ui.px(6), grid.min.y), ui.theme.text_low, number, Align::centre);
    }
}

// "there" looks at: the three that it looks at most, where the triangle leaves room.
void draw_looked(const Ui& ui, const RunSnapshot& run, const MatrixView& weights, std::int64_t rows,
                 std::int64_t chosen, ImVec2 min, ImVec2 max) {
    if (chosen >= weights.rows) return;
    const auto room = static_cast<std::size_t>(std::max(0.0F, (max.y - min.y) / ui.px(18)));
    if (max.x - min.x < ui.px(96) || room < 2) return;
    std::vector<std::int64_t> keys(static_cast<std::size_t>(std::min(chosen + 1, weights.columns)));
    std::iota(keys.begin(), keys.end(), 0);
    const std::size_t shown = std::min({keys.size(), most_looked, room - 1});
    std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(shown), keys.end(),
                      [&](std::int64_t a, std::int64_t b) { return weights.at(chosen, a) > weights.at(chosen, b); });
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = ui.px(18);
    const std::string who =
        "\xE2\x80\x9C" + chip_text(run.tokens[static_cast<std::size_t>(chosen)]) + "\xE2\x80\x9D looks at";
    draw_text(list, ui.fonts.caption, min, ui.theme.text_mid, who, max.x - min.x);
    if (chosen >= rows) {
        draw_text(list, ui.fonts.caption, min + ImVec2(0, line), ui.theme.text_low, "not yet known", max.x - min.x);
        return;
    }
    for (std::size_t i = 0; i < shown; ++i) {
        const ImVec2 from(min.x, min.y + line * static_cast<float>(i + 1)), to(max.x, from.y + line);
        const std::string share = share_text(static_cast<double>(weights.at(chosen, keys[i])));
        const float number = text_width(ui.fonts.mono_caption, share) + ui.px(6);
        const std::string at = std::to_string(keys[i]);
        const float behind = text_width(ui.fonts.mono_caption, at) + ui.px(6);
        const float word =
            draw_text(list, ui.fonts.mono_caption, ImVec2(from.x, text_top(ui.fonts.mono_caption, (from.y + to.y) / 2)),
                      ui.theme.text_high, chip_text(run.tokens[static_cast<std::size_t>(keys[i])]),
                      to.x - number - behind - from.x);
        draw_text_in(list, ui.fonts.mono_caption, ImVec2(from.x + word + ui.px(6), from.y), ImVec2(to.x, to.y),
                     ui.theme.text_low, at);
        draw_text_in(list, ui.fonts.mono_caption, from, to, ui.theme.text_mid, share, Align::right);
    }
    ui.recorder.record("run.looks_at", min, ImVec2(max.x, min.y + line * static_cast<float>(shown + 1)));
}

// Who looks at the token of this cell: from its own row down.
void draw_column(const Ui& ui, const Grid& grid, float cell) {
    const ImVec2 from(grid.min.x + grid.side * cell - 2, grid.min.y + grid.side * cell - 2);
    const ImVec2 to(from.x + grid.side + 4, grid.min.y + grid.side * static_cast<float>(grid.cells) + 2);
    ImGui::GetWindowDrawList()->AddRect(from, to, ui.theme.selection, ui.px(2), 0, ui.px(2));
    ui.recorder.record("run.attention.column", from, to);
}

void draw_scale(const Ui& ui) {
    constexpr int steps = 24;
    const ImVec2 start = ImGui::GetCursorScreenPos(), extent(available_width(), std::round(ui.px(legend_height)));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float centre = std::round(start.y + extent.y / 2), half = ui.px(4), from = start.x + ui.px(14);
    put_text(list, ui.fonts.mono_caption, ImVec2(start.x, text_top(ui.fonts.mono_caption, centre)), ui.theme.text_low,
             "0");
    const float width = ui.px(80);
    for (int i = 0; i < steps; ++i)
        list.AddRectFilled(ImVec2(from + width * static_cast<float>(i) / steps, centre - half),
                           ImVec2(from + width * static_cast<float>(i + 1) / steps, centre + half),
                           attention_heat(ui.theme, (static_cast<float>(i) + 0.5F) / steps));
    put_text(list, ui.fonts.mono_caption, ImVec2(from + width + ui.px(6), text_top(ui.fonts.mono_caption, centre)),
             ui.theme.text_low, "1");
    draw_text_in(list, ui.fonts.caption, start, start + extent, ui.theme.text_low, "row = query, column = key",
                 Align::right);
    place(start, extent);
}

// Which cell is pointed at; pressed, its row is chosen.
void touch(const Ui& ui, const Session& session, const RunSnapshot& run, const Grid& grid, const MatrixView& weights,
           std::int64_t rows, Intents& intents) {
    const ImVec2 max =
        grid.min + ImVec2(grid.side * static_cast<float>(grid.cells), grid.side * static_cast<float>(grid.cells));
    ui.recorder.record("run.attention", grid.min, max);
    const Press press = press_area(ui, "run.attention", grid.min, max, size::radius_field);
    if (!press.hovered) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto cell = [&](float at, float from) {
        return grid.token_of(
            std::clamp<std::int64_t>(static_cast<std::int64_t>((at - from) / grid.side), 0, grid.cells - 1));
    };
    const std::int64_t row = cell(mouse.y, grid.min.y), column = cell(mouse.x, grid.min.x);
    if (press.pressed) intents.push_back(with_run(session, [&](RunPlace& place) { place.position = row; }));
    if (column > row) {
        show_tooltip(ui, {"Masked", {}, {}, "A token sees itself and those before it."});
        return;
    }
    if (row >= rows) {
        show_tooltip(ui, {"Not yet", {}, {}, not_yet_words(run)});
        return;
    }
    const float weight = weights.at(row, column);
    const std::string words = "\xE2\x80\x9C" + chip_text(run.tokens[static_cast<std::size_t>(row)]) +
                              "\xE2\x80\x9D looks at \xE2\x80\x9C" +
                              chip_text(run.tokens[static_cast<std::size_t>(column)]) + "\xE2\x80\x9D";
    const std::string value = "A[" + std::to_string(row) + ", " + std::to_string(column) +
                              "] = " + decimal_text(static_cast<double>(weight), 4);
    show_tooltip(ui, {words, value, {}, "A row adds up to 1."});
}

}  // namespace

std::int64_t rows_there(const RunSnapshot& run, std::int64_t layer) {
    const std::int64_t tokens = run.values->tokens();
    return run.reached(tokens - 1, layer + 1) ? tokens : tokens - 1;
}

void draw_attention_cells(const Ui& ui, ImDrawList& list, ImVec2 min, float side, const MatrixView& weights,
                          std::int64_t cells, std::int64_t rows) {
    const float line = side >= ui.px(8) ? 1.0F : 0.0F;  // between large cells
    for (std::int64_t row = 0; row < cells; ++row)
        for (std::int64_t column = 0; column <= row; ++column) {
            const std::optional<float> weight = weight_in(weights, cells, rows, row, column);
            const ImVec2 from(min.x + side * static_cast<float>(column), min.y + side * static_cast<float>(row));
            list.AddRectFilled(from, ImVec2(from.x + side - line, from.y + side - line),
                               weight ? attention_heat(ui.theme, *weight) : no_heat(ui.theme));
        }
}

void choose_layer_and_head(const Ui& ui, const Session& session, float right, float centre, Intents& intents) {
    const RunSnapshot* const run = run_of(session);
    if (!run) return;
    const auto menu = [&](std::string_view name, const std::string& word, std::int64_t count, std::int64_t current,
                          float x) -> std::optional<int> {
        std::vector<std::string> names;
        for (std::int64_t i = 0; i < count; ++i) names.push_back(word + " " + std::to_string(i));
        std::vector<MenuEntry> entries;
        for (const std::string& each : names) entries.push_back({.name = each});
        ImGui::SetCursorScreenPos(ImVec2(x, std::round(centre - ui.px(size::button) / 2)));
        const MenuButton button{.label = names[static_cast<std::size_t>(current)],
                                .width = 92,
                                .list_width = 140,
                                .current = static_cast<int>(current),
                                .searchable = false};
        return menu_button(ui, name, button, entries);
    };
    const std::int64_t layers = run->values->layers(), heads = run->values->heads();
    if (layers <= 0 || heads <= 0) return;
    const auto layer = menu("run.layer", "Layer", layers, shown_layer(session), right - ui.px(92 + 8 + 92));
    const auto head = menu("run.head", "Head", heads, shown_head(session), right - ui.px(92));
    if (layer) intents.push_back(with_run(session, [&](RunPlace& place) { place.layer = *layer; }));
    if (head) intents.push_back(with_run(session, [&](RunPlace& place) { place.head = *head; }));
}

void draw_run_attention(const Ui& ui, const Session& session, Intents& intents) {
    const RunSnapshot* const run = run_of(session);
    if (!run) return;
    const ImVec2 title = ImGui::GetCursorScreenPos();
    const float right = title.x + available_width();
    section_title(ui, "Attention");
    const ImVec2 below = ImGui::GetCursorScreenPos();
    choose_layer_and_head(ui, session, right, title.y + ui.px(12), intents);
    ImGui::SetCursorScreenPos(below);
    const MatrixView weights = run->values->attention(shown_layer(session), shown_head(session));
    if (!weights) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_low,
                  "Attention is not kept: all numbers of this model and so many tokens would take more memory than "
                  "there is for them.");
        return;
    }
    gap(ui, 6);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width();
    // As high for three tokens as for thirty, so that what stands below it stays where it is.
    const float room = std::min(width - ui.px(labels_width), ui.px(run_attention_height(ui)));
    const Grid grid = grid_of(ui, start, weights.rows, room);
    const float side = grid.side * static_cast<float>(grid.cells);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::int64_t rows = rows_there(*run, shown_layer(session));
    draw_attention_cells(ui, list, grid.min, grid.side, weights, grid.cells, rows);
    const std::optional<std::int64_t>& chip = pointed_in_run(ui).chip;
    const std::int64_t chosen = chip ? *chip : lit_position(ui, session);
    draw_labels(ui, *run, grid, chosen);
    if (chosen < weights.rows) {
        const auto cell = static_cast<float>(chosen * grid.cells / std::max<std::int64_t>(grid.tokens, 1));
        const ImVec2 from(grid.min.x - 2, grid.min.y + grid.side * cell - 2);
        list.AddRect(from, ImVec2(grid.min.x + grid.side * (cell + 1) + 2, from.y + grid.side + 4), ui.theme.selection,
                     ui.px(2), 0, ui.px(2));
        if (chip) draw_column(ui, grid, cell);
    }
    draw_looked(
        ui, *run, weights, rows, chosen,
        ImVec2(grid.min.x + std::max({side * 0.5F, side - ui.px(150), ui.px(76)}) + ui.px(14), grid.min.y + ui.px(2)),
        ImVec2(right, grid.min.y + std::max(side * 0.42F, ui.px(76))));
    touch(ui, session, *run, grid, weights, rows, intents);
    place(start, ImVec2(width, ui.px(numbers_height + 4) + std::max(side, room)));
    draw_scale(ui);
}

}  // namespace headcount
