// Pointing at parts of a chart, its menu, its legend, its numbers as text.
#include "app/charts/chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/imgui_drawing.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/made_for.hpp"
#include "app/ui/menu.hpp"
#include "core/base/markup.hpp"

namespace headcount {
namespace {

constexpr std::size_t most_recorded = 500;
constexpr float remark_height = 18;  // unscaled

// Which item of a chart the arrow keys have come to, by the chart's ID.
using Cursors = std::map<ImGuiID, int>;

float outside(const ChartTarget& target, ImVec2 point) {
    const float x = std::max({target.min.x - point.x, point.x - target.max.x, 0.0F});
    const float y = std::max({target.min.y - point.y, point.y - target.max.y, 0.0F});
    return std::hypot(x, y);
}

// Of a value of 0: it is nowhere, and no stop for the arrow keys.
bool empty(const ChartTarget& target) { return !(target.max.x > target.min.x && target.max.y > target.min.y); }

int first_target(std::span<const ChartTarget> targets) {
    const auto first = std::ranges::find_if_not(targets, empty);
    return first == targets.end() ? -1 : static_cast<int>(first - targets.begin());
}

std::optional<int> target_at(std::span<const ChartTarget> targets, ImVec2 point, float reach) {
    std::optional<int> best;
    float least = reach;
    for (std::size_t i = targets.size(); i-- > 0;) {
        const float away = outside(targets[i], point);
        if (empty(targets[i]) || away > least || (best && away == least)) continue;
        best = static_cast<int>(i);
        least = away;
    }
    return best;
}

ImVec2 middle(const ChartTarget& target) {
    return {(target.min.x + target.max.x) / 2, (target.min.y + target.max.y) / 2};
}

// Moves the cursor by the arrow keys that were pressed.
int moved(std::span<const ChartTarget> targets, int cursor) {
    const std::array<std::pair<ImGuiKey, ImVec2>, 4> arrows{{{ImGuiKey_LeftArrow, {-1, 0}},
                                                             {ImGuiKey_RightArrow, {1, 0}},
                                                             {ImGuiKey_UpArrow, {0, -1}},
                                                             {ImGuiKey_DownArrow, {0, 1}}}};
    for (const auto& [key, direction] : arrows) {
        if (!compat::key_pressed(key)) continue;
        const int next = next_target(targets, cursor, direction);
        if (next == cursor) continue;  // the edge of the chart: the focus may leave it
        compat::keep_focus();
        cursor = next;
    }
    return cursor;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

// What of the menu was chosen; what it gives is still to be filled in.
std::optional<ChartAsked> chart_menu(const Ui& ui) {
    using What = ChartAsked::What;
    constexpr std::array<std::pair<std::string_view, What>, 3> texts{{{"Copy the numbers (CSV)", What::copy_csv},
                                                                      {"Save the numbers (CSV)...", What::save_csv},
                                                                      {"Save as SVG...", What::save_svg}}};
    std::array<MenuEntry, texts.size() + png_choices.size()> entries;
    for (std::size_t i = 0; i < texts.size(); ++i) entries[i].name = texts[i].first;
    for (std::size_t i = 0; i < png_choices.size(); ++i) entries[texts.size() + i] = png_choices[i].entry();
    entries[0].icon = Icon::copy;
    const std::optional<int> chosen = popup_menu(ui, "menu", {.list_width = 232, .searchable = false}, entries);
    if (!chosen) return std::nullopt;
    const auto place = static_cast<std::size_t>(*chosen);
    if (place < texts.size()) return ChartAsked{.what = texts[place].second};
    const PngChoice& png = png_choices[place - texts.size()];
    return ChartAsked{.what = What::save_png, .pixels = png.pixels, .ground = png.ground};
}

// What is saved of a chart: below it, what it is of.
struct SavedChart {
    ChartArea area;
    std::string made_for;
    const std::function<void(Pen&)>& draw;

    SavedChart(const Ui& ui, const ChartArea& chart, const std::function<void(Pen&)>& drawn)
        : area(chart), made_for(made_for_here(ui)), draw(drawn) {
        if (!made_for.empty()) area.max.y += ui.px(remark_height);
    }
    void into(const Ui& ui, Pen& pen) const {
        draw(pen);
        const float top = area.max.y - (made_for.empty() ? 0 : ui.px(remark_height));
        pen.text_in(ui.fonts.caption, {area.min.x, top}, area.max, ui.theme.text_low, made_for);
    }
};

// By itself, for a picture that shows nothing else.
void draw_slide(const Ui& ui, const ChartArea& area, const std::function<void(Pen&)>& draw) {
    UiMemory::Slide& slide = ui.memory.slide;
    if (slide.chart == 0 || slide.chart != ImGui::GetID("menu")) return;
    const SavedChart saved(ui, area, draw);
    slide.min = saved.area.min;
    slide.max = saved.area.max;
    slide.list = compat::new_list(saved.area.min, saved.area.max, slide.fineness);
    ListPen pen(*slide.list);
    saved.into(ui, pen);
}

void show_note(const Ui& ui, const ChartNote& note, const ChartTarget& target, bool by_keys) {
    if (note.value.empty() && note.title.empty()) return;
    const About about(note.about);
    Tooltip tooltip{note.title, note.value, note.derivation, note.remark, {}};
    // The pointer is elsewhere: beside the thing.
    if (by_keys) tooltip.end = ImVec2(target.min.x - ui.px(8), (target.min.y + target.max.y) / 2);
    show_tooltip(ui, tooltip);
}

}  // namespace

ChartArea area_here(float height) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    return {start, {start.x + std::max(1.0F, available_width()), start.y + height}};
}

std::string chart_csv(const ChartTable& table) {
    std::string text;
    const auto add = [&](const std::vector<std::string>& fields) {
        for (std::size_t i = 0; i < fields.size(); ++i) text += (i > 0 ? "," : "") + csv_field(fields[i]);
        text += "\r\n";
    };
    add(table.columns);
    for (const std::vector<std::string>& row : table.rows) add(row);
    return text;
}

std::string chart_number(double value) {
    std::array<char, 340> text{};
    const bool whole = std::abs(value) < 9.0e15 && value == std::floor(value);
    std::snprintf(text.data(), text.size(), whole ? "%.0f" : "%.10g", value);
    return text.data();
}

int next_target(std::span<const ChartTarget> targets, int current, ImVec2 direction) {
    if (current < 0 || current >= static_cast<int>(targets.size())) return first_target(targets);
    const ImVec2 from = middle(targets[static_cast<std::size_t>(current)]);
    const int step = direction.x + direction.y > 0 ? 1 : -1;
    for (int i = current + step; i >= 0 && i < static_cast<int>(targets.size()); i += step) {
        const ImVec2 way = middle(targets[static_cast<std::size_t>(i)]) - from;
        if (std::abs(way.x) <= 0.5F && std::abs(way.y) <= 0.5F && !empty(targets[static_cast<std::size_t>(i)]))
            return i;
    }
    int best = current;
    float least = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const ImVec2 way = middle(targets[i]) - from;
        const float along = way.x * direction.x + way.y * direction.y;
        const float across = std::abs(way.x * direction.y) + std::abs(way.y * direction.x);
        // Ahead, and nearer to the direction than to its sides.
        if (static_cast<int>(i) == current || empty(targets[i]) || along <= 0.5F || across > 2 * along) continue;
        const float cost = along + 2 * across;
        if (best != current && cost >= least) continue;
        best = static_cast<int>(i);
        least = cost;
    }
    return best;
}

ChartResult explain_chart(const Ui& ui, std::string_view name, const ChartArea& area,
                          std::span<const ChartTarget> targets, const std::function<ChartNote(std::size_t)>& note,
                          float reach) {
    ChartResult result;
    bool by_keys = false;
    std::optional<IdScope> scope(name);
    ui.recorder.record(name, area.min, area.max);
    // Of thousands of points tests need no more.
    for (std::size_t i = 0; i < std::min(targets.size(), most_recorded); ++i)
        ui.recorder.record(name, targets[i].name.empty() ? std::to_string(i) : std::string(targets[i].name),
                           targets[i].min, targets[i].max);
    const Press press = press_area(ui, "chart", area.min, area.max, size::radius_field);
    int& cursor = kept<Cursors>(ui, "charts.cursors")[ImGui::GetID("chart")];
    if (cursor < 0 || cursor >= static_cast<int>(targets.size()) || empty(targets[static_cast<std::size_t>(cursor)]))
        cursor = first_target(targets);
    std::optional<int> pointed;
    if (press.hovered) pointed = target_at(targets, ImGui::GetIO().MousePos, reach);
    if (press.focused && cursor >= 0) {
        cursor = moved(targets, cursor);
        by_keys = !pointed;
        if (by_keys) pointed = cursor;
    }
    if (pointed && press.hovered && press.pressed) cursor = *pointed;
    result.hovered = pointed;
    if (press.pressed) result.clicked = pointed;
    open_chart_menu(ui, area);
    place(area.min, area.max - area.min);
    scope.reset();
    if (!pointed) return result;
    const auto index = static_cast<std::size_t>(*pointed);
    show_note(ui, note(index), targets[index], by_keys);
    return result;
}

ChartResult finish_chart(const Ui& ui, std::string_view name, std::string_view title, const ChartArea& area,
                         ChartResult result, const std::function<void(Pen&)>& draw,
                         const std::function<ChartTable()>& numbers) {
    ListPen pen(*ImGui::GetWindowDrawList());
    draw(pen);
    std::optional<IdScope> scope;
    if (!name.empty()) scope.emplace(name);
    draw_slide(ui, area, draw);
    std::optional<ChartAsked> asked = chart_menu(ui);
    if (!asked) return result;
    asked->title = title;
    asked->chart = ImGui::GetID("menu");
    if (asked->what == ChartAsked::What::copy_csv || asked->what == ChartAsked::What::save_csv)
        asked->text = csv_remark(made_for_here(ui)) + chart_csv(numbers());
    if (asked->what == ChartAsked::What::save_svg) {
        const ImVec2 margin(ui.px(size::card_padding), ui.px(size::card_padding));
        const SavedChart saved(ui, area, draw);
        SvgPen document(ui, saved.area.min - margin, saved.area.max + margin, ui.theme.panel);
        saved.into(ui, document);
        asked->text = document.document(title);
    }
    result.asked = std::move(asked);
    return result;
}

void open_chart_menu(const Ui& ui, const ChartArea& area) {
    const bool here = ImGui::IsMouseHoveringRect(area.min, area.max) && ImGui::IsWindowHovered();
    if (here && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) open_menu(ui, "menu");
}

float draw_chart_legend(const Ui& ui, Pen* pen, std::span<const ChartSeries> series, ImVec2 min, float width) {
    if (series.empty()) return 0;
    const float height = ui.px(20), gap = ui.px(16), mark = ui.px(size::swatch);
    ImVec2 at = min;
    for (const ChartSeries& each : series) {
        const float wide = mark + ui.px(8) + text_width(ui.fonts.caption, each.name);
        if (at.x > min.x && at.x + wide > min.x + width) at = {min.x, at.y + height};
        if (pen) {
            const float centre = at.y + height / 2;
            pen->fill({at.x, centre - mark / 2}, {at.x + mark, centre + mark / 2}, each.colour, size::radius_matrix);
            pen->text_in(ui.fonts.caption, {at.x + mark + ui.px(8), at.y}, {min.x + width, at.y + height},
                         ui.theme.text_mid, each.name);
        }
        at.x += wide + gap;
    }
    return at.y + height - min.y;
}

}  // namespace headcount
