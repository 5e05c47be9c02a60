// Attention of the chosen layer and head: which earlier tokens each token looks at.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/diagram/run_heat.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float numbers_height = 16, legend_height = 26;
constexpr float separate = 8;             // unscaled: cells so large have a line between them, and are all of one size
constexpr float roomy = 40;               // unscaled: what stands in and beside cells so large is larger, too
constexpr double least_share = 0.005;     // that is written in a cell
constexpr float most_looked_width = 190;  // unscaled
constexpr std::size_t most_looked = 3;

// The triangle of a head, its square where tokens see later ones, or the rectangle where they look at another text; of
// which `rows` are there.
struct Triangle {
    const Ui& ui;
    const RunSnapshot& run;
    const MatrixView& weights;
    AttentionMask mask = AttentionMask::causal;
    std::int64_t rows = 0;
    bool at_source = false;
    MapLook look = {};
    std::int64_t cells = 0, across = 0;  // down and along
    float side = 0;                      // of a cell
    ImVec2 min = {};

    // Of its words and numbers.
    const Font& font() const { return side >= ui.px(roomy) ? ui.fonts.mono : ui.fonts.mono_caption; }
    float whole() const { return side * static_cast<float>(cells); }
    float width() const { return side * static_cast<float>(across); }
    std::int64_t tokens() const { return weights.rows; }
    std::int64_t token_of(std::int64_t cell) const { return cell * tokens() / std::max<std::int64_t>(cells, 1); }
    std::int64_t key_of(std::int64_t cell) const { return cell * weights.columns / std::max<std::int64_t>(across, 1); }
    std::string key_text(std::int64_t key) const { return at_source ? source_text(run, key) : token_text(run, key); }
    ImVec2 corner(float column, float row) const { return min + ImVec2(side * column, side * row); }
};

void lay_out(Triangle& of_head, ImVec2 start) {
    const Ui& ui = of_head.ui;
    const float room = of_head.look.room;
    const auto most_cells = static_cast<std::int64_t>(room / ui.px(3));
    of_head.cells = std::min(of_head.tokens(), std::max<std::int64_t>(1, most_cells));
    of_head.across = std::min(of_head.weights.columns, std::max<std::int64_t>(1, most_cells));
    of_head.side =
        std::min(ui.px(of_head.look.most_side), room / static_cast<float>(std::max(of_head.cells, of_head.across)));
    if (of_head.side >= ui.px(separate)) of_head.side = std::floor(of_head.side);
    of_head.min = ImVec2(std::round(start.x + ui.px(of_head.look.labels)), std::round(start.y + ui.px(numbers_height)));
}

// The greatest of the weights that share a cell; nothing where all are masked.
std::optional<float> weight_in(const AttentionCells& of, std::int64_t row, std::int64_t column) {
    const auto span = [](std::int64_t cell, std::int64_t all, std::int64_t cells) {
        const std::int64_t from = cell * all / cells;
        return std::pair(from, std::max(from + 1, (cell + 1) * all / cells));
    };
    const auto [first_row, end_row] = span(row, of.weights.rows, of.cells);
    const auto [first_column, end_column] = span(column, of.weights.columns, of.across);
    std::optional<float> most;
    for (std::int64_t i = first_row; i < std::min(end_row, of.rows); ++i)
        for (std::int64_t j = first_column; j < std::min(end_column, of.end_seen(i, of.weights.columns)); ++j) {
            const float weight = of.weights.at(i, j);
            if (std::isfinite(weight)) most = std::max(most.value_or(0), weight);
        }
    return most;
}

// Of words or numbers, where not all have room: every so many-th, and the chosen one, beside which no other stands.
struct Named {
    std::int64_t chosen, step, first = 0;

    bool operator()(std::int64_t token) const {
        return token == chosen || (token % step == first && std::abs(token - chosen) >= step);
    }
};

// Every so many-th has this room, where each is `side` pixels from the next.
std::int64_t one_in(float room, float side) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(room / std::max(side, 0.01F))));
}

void draw_labels(const Triangle& head, std::int64_t chosen) {
    const Ui& ui = head.ui;
    // Of a token, several of which share a cell where that is small.
    const float down = head.whole() / static_cast<float>(std::max<std::int64_t>(head.tokens(), 1)),
                along = head.width() / static_cast<float>(std::max<std::int64_t>(head.weights.columns, 1));
    const float line = std::max(down, ui.px(least_labelled));
    const Named named{chosen, one_in(ui.px(least_labelled), down)};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& caption = head.font();
    for (std::int64_t i = 0; i < head.tokens(); ++i) {
        if (!named(i)) continue;
        const float middle = head.min.y + down * (static_cast<float>(i) + 0.5F);
        const ImVec2 from(head.min.x - ui.px(head.look.labels), middle - line / 2),
            to(head.min.x - ui.px(6), middle + line / 2);
        ui.recorder.record("run.row." + std::to_string(i), {head.min.x, from.y}, {head.min.x, to.y});
        const ImU32 ink = i == chosen ? ui.theme.text_high : ui.theme.text_mid;
        draw_text_in(list, i == chosen ? ui.fonts.mono_medium : caption, from, to, ink, token_text(head.run, i),
                     Align::right);
    }
    // A column hangs from its word, which stands where it begins: of rows without a word at their left.
    const bool on_diagonal = head.look.large && head.mask == AttentionMask::causal && !head.at_source;
    const Named hangs{chosen, named.step, named.step / 2};
    for (std::int64_t key = 0; on_diagonal && key < head.tokens(); ++key) {
        if (!hangs(key)) continue;
        const ImVec2 from(head.min.x + along * static_cast<float>(key + 1) + ui.px(6),
                          head.min.y + down * (static_cast<float>(key) + 0.5F) - line / 2);
        const ImVec2 to = from + ImVec2(ui.px(head.look.labels), line);
        ui.recorder.record("run.column." + std::to_string(key), from, to);
        draw_text_in(list, key == chosen ? ui.fonts.mono_medium : caption, from, to,
                     key == chosen ? ui.theme.text_high : ui.theme.text_low, token_text(head.run, key));
    }
    const float widest = text_width(caption, std::to_string(head.weights.columns)) + ui.px(2);
    const std::int64_t fits = one_in(widest, along);
    const std::int64_t each = fits == 1 ? 1 : (fits + 4) / 5 * 5;
    for (std::int64_t key = 0; !on_diagonal && key < head.weights.columns; key += each) {
        const float middle = head.min.x + along * (static_cast<float>(key) + 0.5F);
        draw_text_in(list, caption, ImVec2(middle - widest, head.min.y - ui.px(numbers_height)),
                     ImVec2(middle + widest, head.min.y), ui.theme.text_low, std::to_string(key), Align::centre);
    }
}

// Written in the cells that have room: "17" of 17 %.
void draw_shares(const Triangle& head) {
    const Ui& ui = head.ui;
    const float widest = text_width(ui.fonts.mono_caption, "100");
    if (!head.look.large || head.side < widest || head.cells != head.tokens() || head.across != head.weights.columns)
        return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::int64_t row = 0; row < head.rows; ++row)
        for (std::int64_t key = 0; key < head.across; ++key) {
            const auto share = static_cast<double>(head.weights.at(row, key));
            if (!(share >= least_share) || (head.mask == AttentionMask::causal && key > row)) continue;
            const ImVec2 from = head.corner(static_cast<float>(key), static_cast<float>(row));
            const ImU32 cell = attention_heat(ui.theme, static_cast<float>(share));
            const bool paper = contrast(ui.theme.canvas, cell) > contrast(ui.theme.text_high, cell);
            draw_text_in(list, head.font(), from, from + ImVec2(head.side, head.side),
                         paper ? ui.theme.canvas : ui.theme.text_high, std::to_string(std::lround(share * 100)),
                         Align::centre);
        }
}

void draw_scale(const Ui& ui) {
    constexpr int steps = 24;
    const auto [start, end] = take_line(ui, legend_height);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float centre = std::round(start.y + std::round(ui.px(legend_height)) / 2), half = ui.px(4),
                from = start.x + ui.px(14);
    put_text(list, ui.fonts.mono_caption, ImVec2(start.x, text_top(ui.fonts.mono_caption, centre)), ui.theme.text_low,
             "0");
    const float width = ui.px(80);
    for (int i = 0; i < steps; ++i)
        list.AddRectFilled(ImVec2(from + width * static_cast<float>(i) / steps, centre - half),
                           ImVec2(from + width * static_cast<float>(i + 1) / steps, centre + half),
                           attention_heat(ui.theme, (static_cast<float>(i) + 0.5F) / steps));
    put_text(list, ui.fonts.mono_caption, ImVec2(from + width + ui.px(6), text_top(ui.fonts.mono_caption, centre)),
             ui.theme.text_low, "1");
    draw_text_in(list, ui.fonts.caption, start, end, ui.theme.text_low, "row = query, column = key", Align::right);
}

// How this weight came about.
void open_cell(RunPanel& panel, const Triangle& head, std::int64_t row, std::int64_t column) {
    const RunValues& values = *head.run.values;
    const std::int64_t layer = panel.layer(), of = panel.head();
    const std::optional<TensorIndex> tensor = values.attention_tensor(layer, head.at_source);
    if (!tensor) return;
    panel.set([&](RunPlace& place) {
        place.shows = RunShows::diagram;
        place.goes = true;
        place.trail = {{values.model().graph.tensors[*tensor].id, layer, of, row, column}};
    });
}

// Which cell is pointed at; pressed, its row is chosen, and pressed twice it is opened.
void touch(RunPanel& panel, const Triangle& head, const std::string& name) {
    const Ui& ui = panel.ui;
    const ImVec2 max = head.min + ImVec2(head.width(), head.whole());
    ui.recorder.record(name, head.min, max);
    const Press press = press_area(ui, name.c_str(), head.min, max, size::radius_field);
    if (!press.hovered) return;
    const auto cell = [&](float away, std::int64_t cells) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(away / head.side), 0, cells - 1);
    };
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const std::int64_t row = head.token_of(cell(mouse.y - head.min.y, head.cells)),
                       column = head.key_of(cell(mouse.x - head.min.x, head.across));
    // In another text the one that is as far from its end.
    const std::int64_t own = std::max<std::int64_t>(0, row + std::ssize(panel.run()->tokens) - head.tokens());
    if (press.pressed) panel.set([&](RunPlace& place) { place.position = own; });
    if (column > row && head.mask == AttentionMask::causal) {
        show_tooltip(ui, {"Masked", {}, {}, "A token sees itself and those before it."});
        return;
    }
    if (row >= head.rows) {
        show_tooltip(
            ui,
            {"Not yet", {}, {}, panel.page.watch ? "The computation has not come so far." : not_yet_words(head.run)});
        return;
    }
    const float weight = head.weights.at(row, column);
    const std::string words = in_quotes(token_text(head.run, row)) + " looks at " + in_quotes(head.key_text(column));
    const std::string value = "A[" + std::to_string(row) + ", " + std::to_string(column) +
                              "] = " + decimal_text(static_cast<double>(weight), 4);
    show_tooltip(ui, {words, value, {}, "A row adds up to 1. Double-click shows how it is computed."});
    if (ImGui::IsMouseDoubleClicked(0)) open_cell(panel, head, row, column);
}

// Whether heads look at the text itself, or at what the encoder made of the source.
void choose_text(RunPanel& panel, bool at_source) {
    constexpr std::array<std::string_view, 2> texts{"Own text", "Source"};
    gap(panel.ui, 4);
    const ChoiceResult chosen =
        segmented_row(panel.ui, "run.looks_at_source", {.label = "Tokens look at"}, texts, at_source ? 1 : 0);
    if (chosen.chosen) panel.set([&](RunPlace& place) { place.at_source = *chosen.chosen == 1; });
}

// A chip under the pointer comes before the position.
std::int64_t row_looked_at(const RunPanel& panel) {
    return pointed_in_run(panel.ui).chip.value_or(panel.lit_position());
}

}  // namespace

// Menus "Layer 1" and "Head 1" that choose what is looked at; `right` is where they end.
void choose_layer_and_head(RunPanel& panel, const RunValues& values, float right, float centre) {
    const std::int64_t heads = values.heads_of(panel.layer());
    if (values.layers() <= 0 || heads <= 0) return;
    constexpr float width = 92;
    const Ui& ui = panel.ui;
    const auto menu = [&](std::string_view name, const std::string& word, std::int64_t count, std::int64_t current,
                          float end) {
        const NumberedEntries all(word, count);
        ImGui::SetCursorScreenPos(ImVec2(end - ui.px(width), std::round(centre - ui.px(size::button) / 2)));
        const MenuButton button{.label = all.names[static_cast<std::size_t>(current)],
                                .width = width,
                                .list_width = 140,
                                .current = static_cast<int>(current),
                                .searchable = false};
        return menu_button(ui, name, button, all.entries);
    };
    const auto layer = menu("run.layer", "Layer", values.layers(), panel.layer(), right - ui.px(width + 8));
    const auto head = menu("run.head", "Head", heads, panel.head(), right);
    if (layer) panel.set([&](RunPlace& place) { place.layer = *layer; });
    if (head) panel.set([&](RunPlace& place) { place.head = *head; });
}

AttentionMask mask_looked_at(const RunPanel& panel, const RunValues& values) {
    const bool at_source = panel.place.at_source && values.layers(true) > 0;
    return at_source ? AttentionMask::full : values.model().architecture.layer.attention.mask;
}

std::string_view no_attention_words(const RunValues& values, std::int64_t layer) {
    const LayerKind kind = layer_kind(values.model().architecture, layer);
    if (kind.recurrent && !kind.attention)
        return "This layer has no attention: its tokens write into a state of fixed size, and read it.";
    if (!kind.attention) return "This layer has no attention: it is a feed-forward alone.";
    return "Attention is not kept: all numbers of this model and so many tokens would take more memory than there is "
           "for them.";
}

void draw_attention_cells(const Ui& ui, ImDrawList& list, ImVec2 min, float side, const AttentionCells& of) {
    const float line = side >= ui.px(separate) ? 1.0F : 0.0F;
    const auto edge = [&](float from, std::int64_t cell) {
        const float at = from + side * static_cast<float>(cell);
        return side >= 1 ? std::round(at) : at;
    };
    for (std::int64_t row = 0; row < of.cells; ++row)
        for (std::int64_t column = 0; column < of.end_seen(row, of.across); ++column) {
            const std::optional<float> weight = weight_in(of, row, column);
            list.AddRectFilled(ImVec2(edge(min.x, column), edge(min.y, row)),
                               ImVec2(edge(min.x, column + 1) - line, edge(min.y, row + 1) - line),
                               weight ? attention_heat(ui.theme, *weight) : no_heat(ui.theme));
        }
}

void draw_run_attention(RunPanel& panel, const RunSnapshot& run) {
    const Ui& ui = panel.ui;
    const ImVec2 title = ImGui::GetCursorScreenPos();
    const float right = title.x + available_width();
    section_title(ui, "Attention");
    const ImVec2 below = ImGui::GetCursorScreenPos();
    choose_layer_and_head(panel, *run.values, right, title.y + ui.px(12));
    ImGui::SetCursorScreenPos(below);
    const bool two = run.values->layers(true) > 0, at_source = two && panel.place.at_source;
    if (two) choose_text(panel, at_source);
    const MatrixView weights = run.values->attention(panel.layer(), panel.head(), at_source);
    if (!weights) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_low, no_attention_words(*run.values, panel.layer()));
        return;
    }
    gap(ui, 6);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width();
    // As high for three tokens as for thirty, so that what stands below it stays where it is.
    const float room = std::min(width - ui.px(MapLook{}.labels), ui.px(run_attention_height(panel)));
    const float whole = draw_attention_map(panel, run, "run.attention", start, width, {.room = room}).y;
    place(start, ImVec2(width, ui.px(numbers_height + 4) + std::max(whole, room)));
    draw_scale(ui);
}

float draw_looked(const RunPanel& panel, const RunSnapshot& run, ImVec2 min, ImVec2 max, std::size_t most,
                  std::optional<std::int64_t> row) {
    const Ui& ui = panel.ui;
    const bool at_source = run.values->layers(true) > 0 && panel.place.at_source;
    const MatrixView weights = run.values->attention(panel.layer(), panel.head(), at_source);
    const std::int64_t chosen = row.value_or(row_looked_at(panel));
    const auto room = static_cast<std::size_t>(std::max(0.0F, (max.y - min.y) / ui.px(18) + 0.01F));
    if (!weights || chosen >= weights.rows || max.x - min.x < ui.px(96) || room < 2) return 0;
    const std::int64_t seen = mask_looked_at(panel, *run.values) == AttentionMask::full ? weights.columns : chosen + 1;
    std::vector<std::int64_t> keys(static_cast<std::size_t>(std::min(seen, weights.columns)));
    std::iota(keys.begin(), keys.end(), 0);
    const std::size_t shown = std::min({keys.size(), most, room - 1});
    std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(shown), keys.end(),
                      [&](std::int64_t a, std::int64_t b) { return weights.at(chosen, a) > weights.at(chosen, b); });
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& font = ui.fonts.mono_caption;
    const float line = ui.px(18);
    draw_text(list, ui.fonts.caption, min, ui.theme.text_mid, in_quotes(token_text(run, chosen)) + " looks at",
              max.x - min.x);
    if (chosen >= rows_there(panel, run, panel.layer())) {
        draw_text(list, ui.fonts.caption, min + ImVec2(0, line), ui.theme.text_low, "not yet known", max.x - min.x);
        return 2 * line;
    }
    for (std::size_t i = 0; i < shown; ++i) {
        const ImVec2 from(min.x, min.y + line * static_cast<float>(i + 1)), to(max.x, from.y + line);
        const std::string share = share_text(static_cast<double>(weights.at(chosen, keys[i])));
        const float number = text_width(font, share) + ui.px(6);
        const std::string at = std::to_string(keys[i]);
        const float behind = text_width(font, at) + ui.px(6);
        const float word = draw_text(
            list, font, ImVec2(from.x, text_top(font, (from.y + to.y) / 2)), ui.theme.text_high,
            at_source ? source_text(run, keys[i]) : token_text(run, keys[i]), to.x - number - behind - from.x);
        draw_text_in(list, font, ImVec2(from.x + word + ui.px(6), from.y), to, ui.theme.text_low, at);
        draw_text_in(list, font, from, to, ui.theme.text_mid, share, Align::right);
    }
    const float height = line * static_cast<float>(shown + 1);
    ui.recorder.record("run.looks_at", min, ImVec2(max.x, min.y + height));
    return height;
}

ImVec2 draw_attention_map(RunPanel& panel, const RunSnapshot& run, const std::string& name, ImVec2 start, float width,
                          const MapLook& look) {
    const Ui& ui = panel.ui;
    const bool at_source = run.values->layers(true) > 0 && panel.place.at_source;
    const MatrixView weights = run.values->attention(panel.layer(), panel.head(), at_source);
    if (!weights) return {};
    const float right = start.x + width;
    const AttentionMask mask = mask_looked_at(panel, *run.values);
    Triangle head{
        .ui = ui, .run = run, .weights = weights, .mask = mask, .rows = rows_there(panel, run, panel.layer())};
    head.at_source = at_source;
    head.look = look;
    lay_out(head, start);
    const float whole = head.whole();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_attention_cells(ui, list, head.min, head.side, {weights, mask, head.cells, head.across, head.rows});
    draw_shares(head);
    const std::int64_t chosen = look.row.value_or(row_looked_at(panel));
    draw_labels(head, chosen);
    if (chosen < head.tokens()) {
        const auto cell = static_cast<float>(chosen * head.cells / std::max<std::int64_t>(head.tokens(), 1));
        const ImVec2 corner = head.corner(cell, cell) - ImVec2(2, 2);
        const auto frame = [&](ImVec2 from, ImVec2 to) {
            list.AddRect(from, to, ui.theme.selection, ui.px(2), 0, ui.px(2));
        };
        const float end = mask == AttentionMask::full ? head.width() : head.side * (cell + 1);
        frame(ImVec2(head.min.x - 2, corner.y), ImVec2(head.min.x + end + 2, corner.y + head.side + 4));
        if (pointed_in_run(ui).chip && !look.row && !at_source) {  // who looks at it: from its own row down
            const ImVec2 foot(corner.x + head.side + 4, head.min.y + whole + 2);
            frame(corner, foot);
            ui.recorder.record(name + ".column", corner, foot);
        }
        if (mask == AttentionMask::causal && !look.large) {  // where the triangle leaves room
            const float from = head.min.x + std::max({whole * 0.5F, whole - ui.px(150), ui.px(76)}) + ui.px(14);
            draw_looked(panel, run, ImVec2(from, head.min.y + ui.px(2)),
                        ImVec2(std::min(right, from + ui.px(most_looked_width)),
                               head.min.y + std::max(whole * 0.42F, ui.px(76))),
                        most_looked, look.row);
        }
    }
    touch(panel, head, name);
    const ImVec2 extent(head.width(), whole), end = head.min + extent;
    if (look.large) map_seen(ui).rect = Rect{{head.min.x, head.min.y}, {end.x, end.y}};
    return extent;
}

}  // namespace headcount
