// Below what is shown of a run: attention in every head as small pictures, the length of the residual stream behind
// each layer, and what the model would have said there.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/diagram/run_heat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tabs.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/changes.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, run_tab_keys.size()> tab_words{"Attention in every head", "Residual stream",
                                                                      "Logit lens"};
constexpr float least_thumb = 14, most_thumb = 44, between_thumbs = 4, between_layers = 20, caption_line = 20;

struct Bottom {
    RunPanel& panel;
    const RunSnapshot& run;
    ImVec2 min, max;  // of what is below the tabs, inside the padding
    float tabs_end;
    mutable std::optional<ChangePlace> opened = {};  // whose menu is asked for
};

void remark(const Bottom& area, std::string_view words) {
    const Ui& ui = area.panel.ui;
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float from = corner.x + extent.x - ui.px(size::panel_padding) - text_width(ui.fonts.table, words);
    if (from < area.tabs_end + ui.px(8)) return;
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.table, ImVec2(corner.x + extent.x / 2, corner.y),
                 ImVec2(corner.x + extent.x - ui.px(size::panel_padding), corner.y + ui.px(size::tab_bar)),
                 ui.theme.text_low, words, Align::right);
}

// The side of a head's picture, and how many layers stand side by side. More than there is room for scroll.
struct Thumbs {
    float side = 0;
    std::int64_t columns = 0;  // layers beside each other
};

Thumbs thumbs_of(const Bottom& area, std::int64_t layers, std::int64_t heads) {
    const Ui& ui = area.panel.ui;
    const float width = area.max.x - area.min.x;
    const auto all = static_cast<float>(layers), each = static_cast<float>(heads);
    const float fits = (width - ui.px(between_layers) * (all - 1)) / all / each - ui.px(between_thumbs);
    const float high = area.max.y - area.min.y - ui.px(caption_line);
    const float side = std::floor(std::clamp(std::min(fits, high), ui.px(least_thumb), ui.px(most_thumb)));
    const float layer = (side + ui.px(between_thumbs)) * each + ui.px(between_layers);
    return {side, std::max<std::int64_t>(1, static_cast<std::int64_t>((width + ui.px(between_layers)) / layer))};
}

void thumb(const Bottom& area, std::int64_t layer, std::int64_t head, ImVec2 min, float side) {
    const Ui& ui = area.panel.ui;
    const ImVec2 max = min + ImVec2(side, side);
    const std::string name = "run.thumb." + std::to_string(layer) + "." + std::to_string(head);
    ui.recorder.record(name, min, max);
    const IdScope scope(name);
    const bool chosen = layer == area.panel.layer() && head == area.panel.head();
    const Press press = press_area(ui, "thumb", min, max, size::radius_matrix, chosen);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, no_heat(ui.theme));
    const RunValues& values = *area.run.values;
    const MatrixView weights = values.attention(layer, head, area.panel.place.at_source && values.layers(true) > 0);
    const auto most = static_cast<std::int64_t>(side / std::max(2.0F, ui.px(2)));
    const std::int64_t down = std::min(weights.rows, most), across = std::min(weights.columns, most);
    const AttentionCells cells{weights, mask_looked_at(area.panel, values), down, across,
                               rows_there(area.panel, area.run, layer)};
    if (down > 0) draw_attention_cells(ui, list, min, side / static_cast<float>(std::max(down, across)), cells);
    list.AddRect(min, max, press.hovered ? ui.theme.edge : ui.theme.line);
    if (chosen)
        list.AddRect(min - ImVec2(ui.px(3), ui.px(3)), max + ImVec2(ui.px(3), ui.px(3)), ui.theme.selection,
                     ui.px(size::radius_field), 0, ui.px(2));
    if (press.hovered)
        show_tooltip(ui, {"Layer " + std::to_string(layer) + ", head " + std::to_string(head),
                          {},
                          {},
                          "Click to look at it; the right button offers to change it."});
    if (press.hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Right))
        area.opened = ChangePlace{.layer = layer, .block = "attention", .head = head};
    if (press.pressed)
        area.panel.set([&](RunPlace& place) {
            place.layer = layer;
            place.head = head;
        });
}

// Those whose heads' weights are there: in a hybrid not the recurrent ones.
std::vector<std::int64_t> layers_with_weights(const RunValues& values) {
    std::vector<std::int64_t> layers;
    for (std::int64_t layer = 0; layer < values.layers(); ++layer)
        if (values.attention(layer, 0)) layers.push_back(layer);
    return layers;
}

void draw_heads_of(const Bottom& area, std::int64_t layer, std::int64_t heads, ImVec2 corner, float side) {
    const Ui& ui = area.panel.ui;
    const bool chosen = layer == area.panel.layer();
    put_text(*ImGui::GetWindowDrawList(), ui.fonts.caption, corner, chosen ? ui.theme.text_high : ui.theme.text_mid,
             "Layer " + std::to_string(layer));
    for (std::int64_t head = 0; head < heads; ++head)
        thumb(area, layer, head,
              ImVec2(std::round(corner.x + (side + ui.px(between_thumbs)) * static_cast<float>(head)),
                     std::round(corner.y + ui.px(caption_line))),
              side);
}

void draw_heads(const Bottom& area) {
    const Ui& ui = area.panel.ui;
    const RunValues& values = *area.run.values;
    const std::vector<std::int64_t> layers = layers_with_weights(values);
    if (layers.empty()) {
        remark(area, attends(values.model().architecture) ? "attention is not kept: it would take too much memory"
                                                          : "no layer has attention: each reads a state of fixed size");
        return;
    }
    const std::int64_t heads = values.heads_of(layers.front());
    const auto count = static_cast<std::int64_t>(layers.size());
    remark(area, std::to_string(count * heads) + " heads, click one");
    const Thumbs thumbs = thumbs_of(area, count, heads);
    const float layer_width = (thumbs.side + ui.px(between_thumbs)) * static_cast<float>(heads) + ui.px(between_layers);
    const float line = thumbs.side + ui.px(caption_line + 10);
    float bottom = area.min.y;
    for (std::int64_t i = 0; i < count; ++i) {
        const ImVec2 corner(area.min.x + layer_width * static_cast<float>(i % thumbs.columns),
                            area.min.y + line * static_cast<float>(i / thumbs.columns));
        bottom = corner.y + line;
        if (ImGui::IsRectVisible(corner, ImVec2(corner.x + layer_width, corner.y + line)))
            draw_heads_of(area, layers[static_cast<std::size_t>(i)], heads, corner, thumbs.side);
    }
    place(area.min, ImVec2(1, bottom - area.min.y));
}

// Null until it is found, which takes no longer than a few frames.
const RunLens* lens_of(const Bottom& area) {
    const RunLens* const lens = area.panel.page.lens.get();
    return lens && &lens->of->model() == &area.run.values->model() ? lens : nullptr;
}

// Whether the stream that a lens looks at has been shown behind so many layers.
bool reached(const Bottom& area, const RunLens& lens, std::int64_t layers) {
    return area.run.reached(lens.position, layers);
}

// A place that is kept for what the step has not come to.
void not_yet(const Bottom& area, std::int64_t layers, ImVec2 min, ImVec2 max) {
    const Ui& ui = area.panel.ui;
    ui.recorder.record("run.not_yet." + std::to_string(layers), min, max);
    draw_dashed_rect(*ImGui::GetWindowDrawList(), min, max, ui.theme.strong_line, ui.px(4), std::max(1.0F, ui.px(1)));
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.caption, min, max, ui.theme.text_low, "not yet", Align::centre);
}

// One bar a layer: how long the stream is behind it. Their scale is of all layers, so that none changes when the next
// one comes.
void draw_norms(const Bottom& area) {
    const Ui& ui = area.panel.ui;
    const RunLens* const lens = lens_of(area);
    if (!lens) return;
    if (lens->lengths.empty()) {
        remark(area, "the residual stream is not kept");
        return;
    }
    remark(area, "its length √(x₀² + x₁² + …) at position " + std::to_string(lens->position));
    const std::size_t count = lens->lengths.size();
    const double most = *std::ranges::max_element(lens->lengths);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = (area.max.x - area.min.x) / static_cast<float>(count);
    const float base = area.max.y - ui.px(caption_line), high = base - area.min.y - ui.px(caption_line);
    for (std::size_t i = 0; i < count; ++i) {
        const float from = std::round(area.min.x + width * static_cast<float>(i));
        const float to = std::round(from + std::min(width - ui.px(6), ui.px(72)));
        const double length = lens->lengths[i];
        const float top = base - std::max(1.0F, high * static_cast<float>(most > 0 ? length / most : 0));
        const std::string name = "run.norm." + std::to_string(i);
        ui.recorder.record(name, ImVec2(from, area.min.y), ImVec2(to, area.max.y));
        const IdScope scope(name);
        const Press press =
            press_area(ui, "bar", ImVec2(from, area.min.y), ImVec2(to, area.max.y), size::radius_field, i == 0);
        const bool there = reached(area, *lens, static_cast<std::int64_t>(i));
        if (there)
            list.AddRectFilled(ImVec2(from, top), ImVec2(to, base),
                               press.hovered ? ui.theme.lit_edge : ui.theme.activation_edge, ui.px(2));
        else
            not_yet(area, static_cast<std::int64_t>(i), ImVec2(from, base - high), ImVec2(to, base));
        const std::string below = i == 0 ? "embedded" : "layer " + std::to_string(i - 1);
        const bool room = to - from >= text_width(ui.fonts.caption, "layer 00");
        if (room || i % 4 == 0)
            draw_text(list, ui.fonts.caption, ImVec2(from, base + ui.px(3)),
                      there ? ui.theme.text_mid : ui.theme.text_low, room ? below : std::to_string(i), width);
        const std::string value = decimal_text(length, 2);
        if (there && width >= text_width(ui.fonts.mono_caption, value) + 4)
            put_text(list, ui.fonts.mono_caption, ImVec2(from, top - ui.px(caption_line)), ui.theme.text_high, value);
        if (press.hovered && there)
            show_tooltip(ui, {i == 0 ? "As embedded" : "Behind " + below,
                              "|x| = " + decimal_text(length, 4),
                              {},
                              "Of the residual stream at this position."});
        if (press.pressed && i > 0)
            area.panel.set([&](RunPlace& place) { place.layer = static_cast<std::int64_t>(i) - 1; });
    }
}

// A column a layer: the likeliest tokens if the model stopped there.
void draw_lens(const Bottom& area) {
    const Ui& ui = area.panel.ui;
    const RunLens* const lens = lens_of(area);
    if (!lens || !lens->asked) return;
    if (lens->rows.empty()) {
        remark(area, area.run.of->light() ? "the residual stream is not kept"
                                          : "for small models: the output head runs once a layer");
        return;
    }
    remark(area, "the output head behind every layer, at position " + std::to_string(lens->position));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = (area.max.x - area.min.x) / static_cast<float>(lens->rows.size());
    const float line = ui.px(17);
    for (std::size_t i = 0; i < lens->rows.size(); ++i) {
        const LensRow& row = lens->rows[i];
        const float x = area.min.x + width * static_cast<float>(i), right = x + std::min(width - ui.px(14), ui.px(150));
        ui.recorder.record("run.lens." + std::to_string(row.layers), ImVec2(x, area.min.y), ImVec2(right, area.max.y));
        put_text(list, ui.fonts.caption, ImVec2(x, area.min.y), ui.theme.text_mid,
                 row.layers == 0 ? std::string("embedded") : "layer " + std::to_string(row.layers - 1));
        float y = area.min.y + ui.px(caption_line);
        if (!reached(area, *lens, row.layers)) {
            not_yet(area, row.layers, ImVec2(x, y), ImVec2(right, y + 2 * line));
            continue;
        }
        const ChipTexts texts = candidate_texts(area.run, row.first, &Candidate::id);
        for (const Candidate& each : row.first) {
            if (y + line > area.max.y + 1) break;
            const std::string share = share_text(each.plain);
            const float number = text_width(ui.fonts.mono_caption, share) + ui.px(6);
            const bool fits = right - x > number + ui.px(24);
            const auto part = static_cast<float>(each.plain);
            list.AddRectFilled(ImVec2(x - ui.px(3), y),
                               ImVec2(x - ui.px(3) + (right - x + ui.px(6)) * part, y + line - 2),
                               with_alpha(ui.theme.output_head, 0.28F), ui.px(2));
            draw_text_in(list, ui.fonts.mono, ImVec2(x, y), ImVec2(right - (fits ? number : 0), y + line - 2),
                         ui.theme.text_high, texts.of(piece_of(area.run, each.id)));
            if (fits)
                draw_text_in(list, ui.fonts.mono_caption, ImVec2(x, y), ImVec2(right, y + line - 2), ui.theme.text_mid,
                             share, Align::right);
            y += line;
        }
    }
}

}  // namespace

Intents draw_run_layers(RunPanel panel) {
    const Ui& ui = panel.ui;
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float padding = ui.px(size::panel_padding), scrolled = ImGui::GetScrollY();
    ImGui::SetCursorScreenPos(ImVec2(corner.x + padding, corner.y - scrolled));
    const std::optional<int> tab = tab_bar(ui, "run.tabs", tab_words, static_cast<int>(panel.place.tab));
    const float tabs_end = ImGui::GetItemRectMax().x;
    if (tab) panel.set([&](RunPlace& place) { place.tab = static_cast<RunTab>(*tab); });
    if (!panel.run()) return std::move(panel.intents);
    const Bottom area{panel, *panel.run(), ImVec2(corner.x + padding, corner.y + ui.px(size::tab_bar + 6) - scrolled),
                      ImVec2(corner.x + extent.x - padding, corner.y + extent.y - ui.px(8)), tabs_end};
    constexpr std::array<void (*)(const Bottom&), tab_words.size()> draw{draw_heads, draw_norms, draw_lens};
    draw[static_cast<std::size_t>(panel.place.tab)](area);
    change_menu(panel, "run.head_menu", area.opened);
    return std::move(panel.intents);
}

}  // namespace headcount
