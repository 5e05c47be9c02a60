// Which model runs and what that takes; predicted shapes beside real ones; the colours of the numbers.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/diagram/run_heat.hpp"
#include "app/parts/part_colours.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// The last of the menu open files again that were open before, with a press.
void choose_source(RunPanel& panel, const Shown& own, std::span<const std::string> recent) {
    const bool none = own.derived.weights.checkpoint == nullptr;
    const std::string file = std::filesystem::path(own.document.file).filename().string();
    const std::string random = own.document.architecture.name + ", random weights",
                      weights = none || file.empty() ? "Open weights, such as GPT-2's ..." : "The weights of " + file;
    std::vector<MenuEntry> entries{
        {.name = "Tiny stories", .words = "shipped"}, {.name = random, .words = "what-if"}, {.name = weights}};
    std::vector<std::string> paths, names, folders;
    for (const std::string& path : recent)
        if (path != own.document.file) paths.push_back(path);
    for (const std::filesystem::path path : paths) {
        names.push_back(path.filename().string());
        folders.push_back(path.parent_path().filename().string());
    }
    for (std::size_t i = 0; i < paths.size(); ++i)
        entries.push_back({.name = names[i], .detail = folders[i], .group = "Open again", .words = paths[i]});
    const auto current = static_cast<std::size_t>(panel.place.source);
    const MenuButton menu{.label = entries[current].name,
                          .width = available_width() / panel.ui.scale,
                          .list_width = 320,
                          .current = static_cast<int>(current),
                          .searchable = false};
    const std::optional<int> chosen = menu_button(panel.ui, "run.source", menu, entries);
    if (chosen && static_cast<std::size_t>(*chosen) >= run_source_keys.size())
        panel.intents.push_back(OpenFile{paths[static_cast<std::size_t>(*chosen) - run_source_keys.size()]});
    else if (chosen && none && static_cast<RunSource>(*chosen) == RunSource::file)
        panel.intents.push_back(AskForFile{FileTask::open});
    else if (chosen && *chosen != static_cast<int>(current))
        panel.ask(from_source(panel.place, static_cast<RunSource>(*chosen)));
}

void fact_rows(const Ui& ui, const RunModel& model) {
    const Architecture& arch = model.architecture();
    if (!arch.family) return;
    const Bindings numbers = bindings(arch, Input{});
    const auto row = [&](std::string_view key, std::string_view label, Symbol symbol) {
        const std::optional<std::int64_t> value = numbers[symbol];
        const std::optional<Field> field = field_of(symbol);
        const About about(field ? subject_key(*field) : std::string());
        if (value && *value > 0)
            derived_row(ui, "run.fact." + std::string(key), label, info(symbol).text, std::to_string(*value));
    };
    row("encoder_layers", "Encoder layers", Symbol::encoder_layers);
    row("layers", "Layers", Symbol::layers);
    row("dim", "Width", Symbol::dim);
    const std::optional<std::int64_t> heads = numbers[Symbol::heads], size = numbers[Symbol::head_dim];
    if (heads && size)
        derived_row(ui, "run.fact.heads", "Heads", info(Symbol::heads).text,
                    std::to_string(*heads) + " of " + std::to_string(*size));
    row("kv_heads", "KV heads", Symbol::kv_heads);
    row("ffn_dim", "FFN hidden", Symbol::ffn_dim);
    row("vocab", "Vocabulary", Symbol::vocab);
    const About about(total_key);
    derived_row(ui, "run.fact.parameters", "Parameters", {}, grouped(model.parameters));
}

std::string memory_words(const RunModel& model) {
    const MemoryNeed& need = model.need;
    std::string said = bytes_text(need.weights) + " of weights, as they are kept, " + bytes_text(need.caches) +
                       " of keys and values in fp32";
    if (need.activations > 0) said += ", " + bytes_text(need.activations) + " of numbers to look at";
    return said + ", for " + grouped(model.options.capacity) + " tokens.";
}

// What is said below a row, and where it costs nothing to run only while that is pointed at.
void say(const Ui& ui, const RunModel& model, bool hovered, std::string_view title, const std::string& words) {
    if (!model.light())
        paragraph(ui, ui.fonts.caption, ui.theme.text_low, words);
    else if (hovered)
        show_tooltip(ui, {title, {}, {}, words});
}

// Before anything is taken; and how long it took.
void cost_rows(const Ui& ui, const RunSnapshot* run, const RunModel& model) {
    const bool memory = derived_row(ui, "run.cost.memory", "Memory", {}, bytes_text(model.need.total()));
    say(ui, model, memory, "Memory", memory_words(model));
    const bool measured = run && run->of.get() == &model && run->last_seconds > 0;
    derived_row(ui, "run.cost.predicted", measured ? "Last pass, predicted" : "A token, predicted", {},
                flop_text(measured ? run->last_flops : model.decode_flops));
    if (!measured) return;
    const bool time = derived_row(ui, "run.cost.measured", "Last pass, measured", {},
                                  decimal_text(run->last_seconds * 1000, 2) + " ms");
    const std::string tokens = run->last_tokens == 1 ? "1 token" : std::to_string(run->last_tokens) + " tokens";
    say(ui, model, time, "The last pass",
        "It read " + tokens + ": " + flop_text(run->last_flops / run->last_seconds) + " a second.");
}

// Each activation's shape as the graph has it, beside what came out.
void shape_rows(const Ui& ui, const RunValues& values) {
    const ModelGraph& graph = values.model().graph;
    // All tokens as if they had come at once: none is cached.
    const Bindings numbers = bindings(values.model().architecture, values.input());
    struct Line {
        std::string_view symbol;
        std::string predicted, real;
    };
    std::vector<Line> lines;
    std::size_t alike = 0;
    for (const Node& node : graph.nodes) {
        const Tensor& tensor = graph.tensors[node.output];
        const MatrixView real = values.activation(node.output, 0, 0);
        if (!real || tensor.shape.rank() != 2) continue;
        Line line{tensor.symbol, shape_in_numbers(tensor.shape, numbers),
                  std::to_string(real.rows) + " × " + std::to_string(real.columns)};
        alike += line.predicted == line.real ? 1 : 0;
        lines.push_back(std::move(line));
    }
    if (lines.empty()) return;
    const std::string remark = std::to_string(alike) + " of " + std::to_string(lines.size());
    if (!disclosure_row(ui, "run.shapes", {.label = "Shapes as predicted", .remark = remark})) return;
    for (const Line& line : lines) {
        const auto [start, end] = take_line(ui, size::table_row);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float part = (end.x - start.x) / 3;
        draw_text_in(list, ui.fonts.mono, start, end, ui.theme.text_high, line.symbol, Align::left, true);
        draw_text_in(list, ui.fonts.mono, start, ImVec2(start.x + 2 * part, end.y), ui.theme.text_mid, line.predicted,
                     Align::right);
        draw_text_in(list, ui.fonts.mono, start, end, line.predicted == line.real ? ui.theme.text_mid : ui.theme.wrong,
                     line.real, Align::right);
    }
}

// The colours from the least to the greatest, and what these are: of the matrix that is pointed at, or of all.
void draw_scale(const Ui& ui, ImU32 hue, const std::optional<float>& limit) {
    constexpr int steps = 48;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), height = std::round(ui.px(10)), words = ui.px(18);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (int i = 0; i < steps; ++i) {
        const float value = (static_cast<float>(i) + 0.5F) / steps * 2 - 1;
        const float from = std::round(start.x + width * static_cast<float>(i) / steps);
        const float to = std::round(start.x + width * static_cast<float>(i + 1) / steps);
        list.AddRectFilled(ImVec2(from, start.y), ImVec2(to, start.y + height), heat_of(ui.theme, hue, value, 1));
    }
    ui.recorder.record("run.legend", start, ImVec2(start.x + width, start.y + height));
    const ImVec2 below(start.x, start.y + height + ui.px(2)), end(start.x + width, below.y + words);
    const std::string most = limit ? cell_text(static_cast<double>(*limit)) : "max";
    const auto write = [&](std::string_view text, Align align) {
        draw_text_in(list, ui.fonts.mono_caption, below, end, ui.theme.text_mid, text, align);
    };
    write("-" + most, Align::left);
    write("0", Align::centre);
    write("+" + most, Align::right);
    if (limit) ui.recorder.record("run.legend.limit", most, below, end);
    place(start, ImVec2(width, height + ui.px(2) + words));
}

}  // namespace

void draw_run_model(RunPanel& panel, const Shown& own, std::span<const std::string> recent) {
    const Ui& ui = panel.ui;
    section_title(ui, "Model");
    gap(ui, 4);
    choose_source(panel, own, recent);
    gap(ui, 6);
    const RunModel* const model = panel.page.model.get();
    const RunSnapshot* const run = panel.page.shown.get();
    if (model && model->wrong) {
        message_card(ui, "run.model", sentence(*model->wrong) + ".", {});
    } else if (model && run && run->error && run->of.get() == model && !run->prompt_is_wrong()) {
        message_card(ui, "run.failure", sentence(*run->error) + ".", {});
        gap(ui, 6);
    }
}

void draw_run_sizes(const RunPanel& panel) {
    const Ui& ui = panel.ui;
    const RunModel* const model = panel.page.model.get();
    if (!model || model->wrong) return;
    separator(ui, 10, 10);
    section_title(ui, "Sizes and costs");
    fact_rows(ui, *model);
    gap(ui, 6);
    cost_rows(ui, panel.run(), *model);
    if (panel.run()) shape_rows(ui, *panel.run()->values);
}

void draw_run_legend(RunPanel& panel) {
    const Ui& ui = panel.ui;
    section_title(ui, "Heat maps");
    gap(ui, 4);
    const RunPointed& pointed = pointed_in_run(ui);
    const ModelGraph* const graph = panel.run() ? &panel.run()->values->model().graph : nullptr;
    const bool one = graph && pointed.matrix && *pointed.matrix < graph->tensors.size();
    const ImU32 hue = one ? part_colour(ui.theme, graph->tensors[*pointed.matrix].part) : ui.theme.query;
    draw_scale(ui, hue, pointed.limit);
    const std::string text = (one ? pointed.symbol + ": negative" : "Negative") + " is " +
                             (hue == ui.theme.embedding ? "sand" : "blue") + ", positive its block's hue.";
    const ImVec2 start = ImGui::GetCursorScreenPos();
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, text, true);
    place(start,
          ImVec2(1, std::max(ui.px(32), ImGui::GetCursorScreenPos().y - start.y)));  // two lines: what is below stays
    gap(ui, 4);
    const ToggleResult shared = toggle_row(
        ui, "run.shared_scale",
        {.label = "One scale for all",
         .tooltip = "On: the same colour is the same number everywhere. Off: each matrix has its own scale."},
        panel.place.shared_scale);
    if (shared.value) panel.set([&](RunPlace& place) { place.shared_scale = *shared.value; });
}

}  // namespace headcount
