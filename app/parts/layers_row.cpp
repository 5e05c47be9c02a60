// Layers as text, cells and words: the row that says which layers are of a kind.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "app/parts/field_rows.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {
namespace {

constexpr float cells_height = 22, words_height = 26, cell_height = 14, widest_cell = 14, narrowest_cell = 4;
constexpr float cell_gap = 2, cycle_gap = 7;  // a line stands between the first layers and the cycle

struct Pattern {
    std::string_view word, text, tooltip;
};
constexpr std::array window_patterns{Pattern{"all", "1", "Every layer has the window"},
                                     Pattern{"1 of 2", "10", "Window and full layers in turn"},
                                     Pattern{"3 of 4", "1110", "Three layers with the window, then a full one"},
                                     Pattern{"5 of 6", "111110", "Five layers with the window, then a full one"}};
constexpr std::array rotary_patterns{Pattern{"all", "1", "Every layer turns queries and keys"},
                                     Pattern{"1 of 2", "10", "Every second layer knows no position"},
                                     Pattern{"3 of 4", "1110", "Every fourth layer knows no position"}};
constexpr std::array mixture_patterns{Pattern{"all", "1", "Every layer has experts"},
                                      Pattern{"1 of 2", "01", "Dense layers and mixtures in turn"},
                                      Pattern{"not 1st", "0|1", "All but the first layer have experts"},
                                      Pattern{"not first 3", "000|1", "All but the first three layers have experts"}};
constexpr std::array recurrence_patterns{
    Pattern{"all", "1", "Every layer has a state, and none attention"},
    Pattern{"1 of 2", "10", "Layers with a state and with attention in turn"},
    Pattern{"3 of 4", "1110", "Three layers with a state, then one with attention"},
    Pattern{"7 of 8", "11111110", "Seven layers with a state, then one with attention"}};
constexpr std::array mixer_patterns{Pattern{"all", "1", "Every layer has attention or a state"},
                                    Pattern{"1 of 2", "10", "Every second layer is a feed-forward alone"}};
constexpr std::array feed_forward_patterns{Pattern{"all", "1", "Every layer has a feed-forward"},
                                           Pattern{"1 of 2", "01", "Every second layer has one"},
                                           Pattern{"none", "0", "No layer has one"}};

constexpr std::array own_patterns{Pattern{"none", "0", "No layer's mixer is known by its tensors alone"},
                                  Pattern{"all", "1", "Every layer's is"}};

std::span<const Pattern> patterns_of(Field field) {
    if (field == Field::recurrence_layers) return recurrence_patterns;
    if (field == Field::mixer_layers) return mixer_patterns;
    if (field == Field::ffn_layers) return feed_forward_patterns;
    if (field == Field::own_mixers) return own_patterns;
    if (field == Field::window_layers) return window_patterns;
    if (field == Field::rotated_layers) return rotary_patterns;
    return mixture_patterns;
}

// "layer 3", "layers 0, 6, 12, ...": which layers a cell stands for.
std::string layers_of(const LayerSet& set, std::int64_t cell, std::int64_t layers) {
    if (cell < set.first() || cell + set.cycle() >= layers) return "Layer " + std::to_string(cell);
    std::string text = "Layers " + std::to_string(cell) + ", " + std::to_string(cell + set.cycle());
    if (cell + 2 * set.cycle() < layers) text += ", …";
    return text;
}

// The text with one layer of the pattern changed. The bar stays where it is.
std::string toggled(std::string text, std::int64_t first, std::int64_t cell) {
    char& flag = text[static_cast<std::size_t>(cell < first || first == 0 ? cell : cell + 1)];
    flag = flag == '1' ? '0' : '1';
    return text;
}

struct Cells {
    FieldForm& form;
    Field field;
    const LayerSet& set;
    std::string_view text;
    ImVec2 start;  // of the line
    float width;   // of one cell
};

void draw_cell(const Cells& cells, std::int64_t cell, float left) {
    const Ui& ui = cells.form.ui;
    const std::string part = "cell." + std::to_string(cell);
    const std::string name = row_name(info(cells.field).key, part);
    const ImVec2 min(left, std::round(cells.start.y + ui.px((cells_height - cell_height) / 2)));
    const ImVec2 max(left + cells.width, min.y + std::round(ui.px(cell_height)));
    const IdScope scope(name);
    ui.recorder.record(name, min, max);
    const Press press = press_area(ui, "cell", min, max, 2, false);
    const bool on = cells.set.contains(cell);
    ImU32 fill = on ? ui.theme.text_mid : ui.theme.field;
    if (press.hovered) fill = mix(fill, ui.theme.text_high, 0.35F);
    draw_box(*ImGui::GetWindowDrawList(), min, max, fill, on ? fill : ui.theme.strong_line, ui.px(2));
    if (press.hovered) {
        const std::string layers = layers_of(cells.set, cell, cells.form.model.document.architecture.layers);
        show_tooltip(ui, {layers, {}, {}, on ? "Press to take it out" : "Press to put it in"});
    }
    if (press.pressed) set_field(cells.form, cells.field, toggled(std::string(cells.text), cells.set.first(), cell));
}

// A cell a layer of the pattern, where they are not too many to press. One cell alone would say nothing.
void draw_cells(FieldForm& form, Field field, const LayerSet& set, std::string_view text) {
    const Ui& ui = form.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(cells_height)));
    const std::int64_t count = set.first() + set.cycle();
    const float room = extent.x - ui.px(cycle_gap);
    const float step =
        std::min(std::floor(room / static_cast<float>(count)), std::round(ui.px(widest_cell + cell_gap)));
    const float width = step - std::round(ui.px(cell_gap));
    if (count == 1 || width < ui.px(narrowest_cell)) return;
    const Cells cells{form, field, set, text, start, width};
    float left = start.x;
    for (std::int64_t cell = 0; cell < count; ++cell, left += step) {
        if (cell == set.first() && cell > 0) {
            const float line = std::round(left + ui.px((cycle_gap - cell_gap) / 2) - 1);
            ImGui::GetWindowDrawList()->AddRectFilled(
                ImVec2(line, start.y + ui.px(3)), ImVec2(line + 1, start.y + extent.y - ui.px(3)), ui.theme.text_low);
            left += ui.px(cycle_gap);
        }
        draw_cell(cells, cell, left);
    }
    place(start, extent);
}

// Words for usual patterns, and at the right "22 of 26".
void draw_patterns(FieldForm& form, Field field, const LayerSet& set) {
    const Ui& ui = form.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const std::int64_t layers = form.model.document.architecture.layers;
    const std::string amount = std::to_string(set.count(layers)) + " of " + std::to_string(layers);
    const float height = std::round(ui.px(words_height)), end = start.x + available_width();
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.mono_caption, start,
                 ImVec2(end, start.y + height - std::round(ui.px(4))), ui.theme.text_low, amount, Align::right);
    const float right = end - text_width(ui.fonts.mono_caption, amount) - ui.px(8);
    float left = start.x;
    int index = 0;
    for (const Pattern& pattern : patterns_of(field)) {
        const std::string part = "pattern." + std::to_string(index++);
        if (left + word_button_width(ui, pattern.word) > right) break;
        const ImVec2 middle(left, start.y + std::round(ui.px(words_height / 2 - 2)));
        if (word_button(ui, row_name(info(field).key, part), middle, pattern.word, pattern.tooltip) &&
            set.text() != pattern.text)
            set_field(form, field, pattern.text);
        left += word_button_width(ui, pattern.word) + ui.px(6);
    }
    place(start, ImVec2(end - start.x, height));
}

}  // namespace

void layers_row(FieldForm& form, Field field) {
    text_row(form, field);
    const std::optional<std::string> text = field_text(form.model.document.architecture, field);
    const Result<LayerSet> set = LayerSet::parse(text.value_or("1"), info(field).key);
    if (!text || !set) return;
    draw_cells(form, field, *set, *text);
    draw_patterns(form, field, *set);
}

}  // namespace headcount
