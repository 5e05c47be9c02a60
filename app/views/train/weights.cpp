// A layer's matrices beside their gradients, and which parts of the model learn now.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/diagram/run_heat.hpp"
#include "app/parts/part_colours.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/card.hpp"
#include "app/views/train/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float weights_title = 40, name_height = 20, learners_share = 0.34F, weights_between = 16, learner_row = 26,
                least_learner_row = 16;
constexpr float least_pair = name_height + 24;  // high: with less a matrix is a line

std::string limit_text(float largest) {
    return "±" + decimal_text(static_cast<double>(largest), largest < 0.01F ? 4 : largest < 1 ? 3 : 1);
}

void draw_cells(const Ui& ui, const TrainMatrix& matrix, const std::vector<float>& cells, float largest, ImU32 hue,
                ImVec2 min, ImVec2 max) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, no_heat(ui.theme));
    if (cells.empty()) {
        const float inset = ui.px(8);
        const std::string_view none = "none before the first step";
        if (text_width(ui.fonts.caption, none) + 2 * inset < max.x - min.x)
            draw_text_in(list, ui.fonts.caption, min, max, ui.theme.text_low, none, Align::centre);
        return;
    }
    const ImVec2 extent = max - min;
    const auto corner = [&](std::int64_t row, std::int64_t column) {
        return min + ImVec2(extent.x * static_cast<float>(column) / static_cast<float>(matrix.shown_columns),
                            extent.y * static_cast<float>(row) / static_cast<float>(matrix.shown_rows));
    };
    for (std::int64_t row = 0; row < matrix.shown_rows; ++row)
        for (std::int64_t column = 0; column < matrix.shown_columns; ++column)
            list.AddRectFilled(
                corner(row, column), corner(row + 1, column + 1),
                heat_of(ui.theme, hue, cells[static_cast<std::size_t>(row * matrix.shown_columns + column)], largest));
    list.AddRect(min, max, ui.theme.strong_line);
}

// What of a matrix is the chosen head's, as shares of its sides: left, top, right, bottom.
std::optional<std::array<float, 4>> part_of_head(const TrainSnapshot& run, Part part, std::int64_t head) {
    const Attention& attention = run.architecture.layer.attention;
    const Bindings numbers = bindings(run.architecture, Input{});
    const std::int64_t heads = numbers[Symbol::heads].value_or(1), kv = numbers[Symbol::kv_heads].value_or(heads);
    if (attention.latent || head >= heads) return std::nullopt;
    const auto share = [](std::int64_t index, std::int64_t of) {
        return std::pair(static_cast<float>(index) / static_cast<float>(of),
                         static_cast<float>(index + 1) / static_cast<float>(of));
    };
    if (part == Part::query) {
        const auto [from, to] = share(head, heads);
        return std::array{from, 0.0F, to, 1.0F};
    }
    if (part == Part::key || part == Part::value) {
        const auto [from, to] = share(head * kv / heads, kv);
        return std::array{from, 0.0F, to, 1.0F};
    }
    if (part != Part::attention_output) return std::nullopt;
    const auto [from, to] = share(head, heads);
    return std::array{0.0F, from, 1.0F, to};
}

// Before the first step there is no number to ask for, whatever was asked in a training before.
std::optional<GradientCell> asked_in(const TrainPanel& panel, const TrainMatrix& matrix, const Tensor& tensor) {
    const std::optional<GradientCell>& cell = panel.place.cell;
    return cell && cell->tensor == tensor.id && !matrix.gradients.empty() ? cell : std::nullopt;
}

// A press asks where a number comes from; the same again lets it go.
void press_gradient(TrainPanel& panel, const TrainMatrix& matrix, const Tensor& tensor, ImVec2 min, ImVec2 max) {
    const Ui& ui = panel.ui;
    if (matrix.shown.empty()) return;
    const std::string name = "train.gradient." + tensor.id;
    ui.recorder.record(name, min, max);
    const Press press = press_area(ui, name.c_str(), min, max, -1);
    const auto index = [](float at, float from, float to, std::int64_t cells) {
        const auto share = std::clamp((at - from) / std::max(1.0F, to - from), 0.0F, 1.0F);
        return std::min(cells - 1, static_cast<std::int64_t>(share * static_cast<float>(cells)));
    };
    if (!press.pressed) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto [row, column] =
        matrix.shown[static_cast<std::size_t>(index(mouse.y, min.y, max.y, matrix.shown_rows) * matrix.shown_columns +
                                              index(mouse.x, min.x, max.x, matrix.shown_columns))];
    const GradientCell cell{tensor.id, row, column};
    if (panel.playing()) panel.ask(PlayTraining{false});
    const bool again = panel.place.cell == cell;
    panel.set([&](TrainPlace& place) { place.cell = again ? std::nullopt : std::optional(cell); });
}

void draw_pair(TrainPanel& panel, const TrainSnapshot& run, const TrainMatrix& matrix, ImVec2 min, ImVec2 max) {
    const Ui& ui = panel.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Tensor& tensor = run.graph->tensors[matrix.tensor];
    const ImU32 hue = part_colour(ui.theme, tensor.part);
    const float gap = ui.px(6), half = (max.x - min.x - gap) / 2, top = min.y + ui.px(name_height);
    const std::string shape = std::to_string(matrix.rows) + " × " + std::to_string(matrix.columns);
    const auto one = [&](ImVec2 from, ImVec2 to, std::string_view name, const std::string& rest, float largest,
                         const std::vector<float>& cells) {
        const ImVec2 words(from.x, min.y), end(to.x, top);
        const float wide = symbol_width(ui.fonts.mono_medium, name);
        if (wide <= to.x - from.x) {
            draw_text_in(list, ui.fonts.mono_medium, words, end, ui.theme.text_high, name, Align::left, true);
            ui.recorder.record("train.name", tensor.id + "." + std::string(name), words, {words.x + wide, end.y});
        }
        const std::string limit = cells.empty() ? std::string() : limit_text(largest);
        const float right = text_width(ui.fonts.mono_caption, limit);
        if (wide + ui.px(12) + text_width(ui.fonts.mono_caption, rest) + right < to.x - from.x)
            draw_text_in(list, ui.fonts.mono_caption, ImVec2(words.x + wide + ui.px(8), words.y), end,
                         ui.theme.text_mid, rest);
        if (wide + ui.px(8) + right < to.x - from.x)
            draw_text_in(list, ui.fonts.mono_caption, words, end, ui.theme.text_low, limit, Align::right);
        draw_cells(ui, matrix, cells, largest, hue, from, to);
        const bool framed = panel.place.shows == TrainShows::mixer && !cells.empty();
        if (const auto part = framed ? part_of_head(run, tensor.part, panel.place.head) : std::nullopt) {
            const ImVec2 side = to - from;
            list.AddRect(from + ImVec2(side.x * (*part)[0], side.y * (*part)[1]),
                         from + ImVec2(side.x * (*part)[2], side.y * (*part)[3]), ui.theme.selection, ui.px(2), 0,
                         ui.px(1.5F));
        }
    };
    one(ImVec2(min.x, top), ImVec2(min.x + half, max.y), tensor.symbol, shape, matrix.largest_weight, matrix.weights);
    one(ImVec2(max.x - half, top), max, "gradient", "", matrix.largest_gradient, matrix.gradients);
    press_gradient(panel, matrix, tensor, ImVec2(max.x - half, top), max);
    if (const auto cell = asked_in(panel, matrix, tensor)) {
        const ImVec2 from(max.x - half, top), side = max - from;
        const auto at = [&](std::int64_t row, std::int64_t column) {
            return from + ImVec2(side.x * static_cast<float>(column) / static_cast<float>(matrix.columns),
                                 side.y * static_cast<float>(row) / static_cast<float>(matrix.rows));
        };
        const ImVec2 around(ui.px(2), ui.px(2)), first = at(cell->row, cell->column) - around,
                                                 last = at(cell->row + 1, cell->column + 1) + around;
        list.AddRect(first, last, ui.theme.selection, 0, 0, ui.px(1.5F));
        ui.recorder.record("train.asked", first, last);
    }
    ui.recorder.record("train.matrix." + tensor.id, ImVec2(min.x, top), max);
    // Where one was pressed its card says more.
    const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(ImVec2(min.x, top), max);
    if (hovered && !asked_in(panel, matrix, tensor))
        show_tooltip(ui, {.title = tensor.label,
                          .value = shape,
                          .remark = "Weights at the left; at the right what their gradient was in the last step. Cells "
                                    "that share a place show the one that is furthest from 0. Press one of the "
                                    "gradient to see where it comes from."});
}

void draw_matrices(TrainPanel& panel, const TrainSnapshot& run, ImVec2 min, ImVec2 max) {
    const Ui& ui = panel.ui;
    const auto count = static_cast<std::int64_t>(run.matrices.size());
    if (count == 0) return;
    // In two rows where these have the height for it.
    const bool low = max.y - min.y < 2 * ui.px(least_pair) + ui.px(8);
    const std::int64_t columns = std::min<std::int64_t>(count, low ? count : 2), rows = (count + columns - 1) / columns;
    const float gap = ui.px(weights_between),
                wide = (max.x - min.x - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const float high = (max.y - min.y - ui.px(8) * static_cast<float>(rows - 1)) / static_cast<float>(rows);
    if (high < ui.px(least_pair)) return;
    for (std::int64_t i = 0; i < count; ++i) {
        const ImVec2 at(std::round(min.x + (wide + gap) * static_cast<float>(i % columns)),
                        std::round(min.y + (high + ui.px(8)) * static_cast<float>(i / columns)));
        draw_pair(panel, run, run.matrices[static_cast<std::size_t>(i)], at,
                  ImVec2(std::round(at.x + wide), std::round(at.y + high)));
    }
}

// Where the gradient's number comes from that is asked for, in place of who learns. False: none is.
bool draw_origin(TrainPanel& panel, const TrainSnapshot& run, ImVec2 min, ImVec2 max) {
    const std::optional<GradientCell>& asked = panel.place.cell;
    if (!asked || !run.cell) return false;
    const Ui& ui = panel.ui;
    const auto let_go = [&] { panel.set([](TrainPlace& place) { place.cell.reset(); }); };
    if (!*run.cell) {
        ImGui::SetCursorScreenPos(min + ImVec2(0, ui.px(weights_title / 2)));
        paragraph(ui, ui.fonts.table, ui.theme.text_high, begun_as_sentence(sentence(run.cell->error())));
        return true;
    }
    const Explanation& said = **run.cell;
    const Tensor& tensor = run.graph->tensors[said.cell.tensor];
    RunCard card{.graph = *run.graph,
                 .said = said,
                 .name = "∂L/∂" + cell_name(*run.graph, said.cell),
                 .subtitle = "gradient of " + std::string(tensor.label) + ", layer " + std::to_string(said.cell.layer) +
                             ", in the lines of step " + grouped(run.step),
                 .pinned = true};
    fit_card(ui, card, max.y - min.y - ui.px(8));
    const float high = CardLines(ui, card).height();
    const ImVec2 at(std::max(min.x, max.x - ui.px(run_card_width)), std::max(min.y + ui.px(8), max.y - high));
    const CardAnswer answer = press_run_card(ui, card, at);
    draw_run_card(ui, card, at);
    if (answer.close) let_go();
    return true;
}

void draw_learners(const TrainPanel& panel, const TrainSnapshot& run, ImVec2 min, ImVec2 max) {
    const Ui& ui = panel.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float y = min.y;
    draw_text_in(list, ui.fonts.body_bold, ImVec2(min.x, y), ImVec2(max.x, y + ui.px(weights_title)),
                 ui.theme.text_high, "Who learns now");
    y += ui.px(weights_title);
    if (run.learners.empty()) {
        constexpr std::string_view words = "Before the first step nothing has a gradient.";
        const Font& font = ui.fonts.table;
        list.AddText(font.face, font.size, ImVec2(min.x, text_top(font, y + ui.px(12))), ui.theme.text_low,
                     words.data(), words.data() + words.size(), max.x - min.x);
        return;
    }
    const float number = text_width(ui.fonts.mono, "0.0000") + ui.px(10), mark = ui.px(16), least_bar = ui.px(28);
    const float most_names = max.x - min.x - number - least_bar - ui.px(6);
    float widest = 0;
    for (const TrainLearner& learner : run.learners)
        widest = std::max(widest, mark + text_width(ui.fonts.table, learner.name));
    const bool whole = widest <= most_names;
    const float names = std::min(std::max(widest, (max.x - min.x) * 0.52F), most_names);
    const double most = std::max(run.learners.front().length, 1e-30);
    // All in the height that there is; where they are too many, the smallest ones as one vector.
    const float rule = ui.px(6), room = max.y - y - rule;
    const auto count = run.learners.size(),
               fit = static_cast<std::size_t>(std::max(0.0F, room / ui.px(least_learner_row)));
    const std::size_t shown = count + 1 <= fit ? count : std::min(count, std::max<std::size_t>(fit, 3) - 2);
    const std::size_t lines = shown + (shown < count ? 2 : 1);
    const float row =
        std::clamp(std::floor(room / static_cast<float>(lines)), ui.px(least_learner_row), ui.px(learner_row));
    const auto line = [&](std::string_view name, const std::string& value, const TrainLearner* learner) {
        const ImVec2 from(min.x, y), to(max.x, y + row);
        const float centre = std::round((from.y + to.y) / 2);
        if (learner)
            list.AddRectFilled(ImVec2(from.x, centre - ui.px(4)), ImVec2(from.x + ui.px(8), centre + ui.px(4)),
                               component_colour(ui.theme, learner->component), ui.px(2));
        draw_text_in(list, ui.fonts.table, ImVec2(from.x + mark, from.y),
                     ImVec2(learner ? from.x + names : to.x - number, to.y), ui.theme.text_mid, name);
        draw_text_in(list, ui.fonts.mono, from, to, ui.theme.text_high, value, Align::right);
        const float left = from.x + names + ui.px(6), right = to.x - number;
        if (learner && right > left)
            list.AddRectFilled(
                ImVec2(left, centre - ui.px(4)),
                ImVec2(left + std::max(1.0F, (right - left) * static_cast<float>(learner->length / most)),
                       centre + ui.px(4)),
                component_colour(ui.theme, learner->component), ui.px(2));
        y = to.y;
    };
    for (std::size_t i = 0; i < shown; ++i) {
        const TrainLearner& learner = run.learners[i];
        ui.recorder.record("train.learner." + std::to_string(i), ImVec2(min.x, y), ImVec2(max.x, y + row));
        line(whole ? learner.name : learner.brief, decimal_text(learner.length, 3), &learner);
    }
    double rest = 0;
    for (std::size_t i = shown; i < count; ++i) rest += run.learners[i].length * run.learners[i].length;
    if (shown < count) {
        ui.recorder.record("train.learners.rest", ImVec2(min.x, y), ImVec2(max.x, y + row));
        line(std::to_string(count - shown) + " more, as one vector", decimal_text(std::sqrt(rest), 3), nullptr);
    }
    list.AddRectFilled(ImVec2(min.x, y + ui.px(4)), ImVec2(max.x, y + ui.px(4) + 1), ui.theme.line);
    y += rule;
    ui.recorder.record("train.learners.all", ImVec2(min.x, y), ImVec2(max.x, y + row));
    const double clip = run.of.settings.clip;
    const bool clipped = clip > 0 && run.gradient_length > clip;
    line(clipped ? "All, cut to " + decimal_text(clip, 1) : "All, as one vector", decimal_text(run.gradient_length, 3),
         nullptr);
}

}  // namespace

Intents draw_train_weights(TrainPanel panel) {
    const Ui& ui = panel.ui;
    const TrainSnapshot* const run = panel.shown();
    if (!run) return std::move(panel.intents);
    const float padding = ui.px(size::panel_padding);
    const ImVec2 min = ImGui::GetWindowPos() + ImVec2(padding, 0);
    const ImVec2 max = ImGui::GetWindowPos() + ImGui::GetWindowSize() - ImVec2(padding, ui.px(12));
    // The card of a number has its own width.
    const float card = panel.place.cell && run->cell ? ui.px(run_card_width) + padding : 0;
    const float split = std::round(max.x - std::max((max.x - min.x) * learners_share, card));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 title_end(split - padding, min.y + ui.px(weights_title));
    const std::int64_t layer = std::clamp<std::int64_t>(panel.place.layer, 0, run->architecture.layers - 1);
    const std::string of_layer = "Layer " + std::to_string(layer), whole = of_layer + ", weights and gradients";
    constexpr std::array<std::string_view, train_shows_keys.size()> shows{"Attention", "Feed-forward"};
    const float choice = ui.px(190), top = std::round(min.y + ui.px((weights_title - 24) / 2));
    const bool fits = text_width(ui.fonts.body_bold, whole) + ui.px(8) <= title_end.x - choice - min.x;
    draw_text_in(list, ui.fonts.body_bold, min, ImVec2(title_end.x - choice, title_end.y), ui.theme.text_high,
                 fits ? whole : of_layer);
    ImGui::SetCursorScreenPos(ImVec2(title_end.x - choice, top));
    const ChoiceResult chosen = segmented(ui, "train.shows", shows, static_cast<int>(panel.place.shows));
    if (chosen.chosen) panel.set([&](TrainPlace& place) { place.shows = static_cast<TrainShows>(*chosen.chosen); });
    draw_matrices(panel, *run, ImVec2(min.x, title_end.y), ImVec2(split - padding, max.y));
    list.AddRectFilled(ImVec2(split, min.y + ui.px(8)), ImVec2(split + 1, max.y), ui.theme.line);
    if (!draw_origin(panel, *run, ImVec2(split + padding, min.y), max))
        draw_learners(panel, *run, ImVec2(split + padding, min.y), max);
    return std::move(panel.intents);
}

}  // namespace headcount
