// What is wrong with somebody else's transformer: what they wrote beside the run, layer by layer, and the mistake that
// makes their numbers.
#include "app/state/run/diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/cells.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float judged_row = 22, judged_side = 9, between_judged = 3, judged_name = 62;  // unscaled

// What stands before the layers, each layer, what stands behind them.
struct JudgedRow {
    std::string name;
    std::optional<std::int64_t> layer;
    std::vector<const ComparedTensor*> compared;
};

std::vector<JudgedRow> judged_rows(const Diagnosis& found) {
    std::vector<JudgedRow> rows;
    bool behind = false;
    for (const ComparedTensor& each : found.compared) {
        behind = behind || each.layer;
        if (rows.empty() || rows.back().layer != each.layer)
            rows.push_back({each.layer ? "Layer " + std::to_string(*each.layer)
                            : behind   ? "Behind"
                                       : "Before",
                            each.layer,
                            {}});
        rows.back().compared.push_back(&each);
    }
    return rows;
}

// A square for each tensor, in the order of the forward pass: what differs is higher, and so told apart without colour.
void draw_judged(RunPanel& panel, const Diagnosis& found, const JudgedRow& row) {
    const Ui& ui = panel.ui;
    const auto line = take_line(ui, judged_row);
    const ImVec2 min = line.first, max = line.second;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string name = "run.diagnosis." + row.name;
    const Press press = row.layer ? press_area(ui, name.c_str(), min, max, ui.px(size::radius_field)) : Press{};
    if (row.layer && (press.hovered || panel.layer() == *row.layer))
        tint_row(ui, min, max, press.hovered ? hover_tint(ui.theme) : selected_tint(ui.theme));
    draw_text_in(list, ui.fonts.table, min, max, ui.theme.text_mid, row.name);
    const float from = min.x + ui.px(judged_name), room = max.x - from;
    const float step = std::min(ui.px(judged_side + between_judged), room / static_cast<float>(row.compared.size()));
    const float middle = std::round((min.y + max.y) / 2),
                wide = std::max(1.0F, std::round(step - ui.px(between_judged)));
    for (std::size_t i = 0; i < row.compared.size(); ++i) {
        const ComparedTensor& each = *row.compared[i];
        const bool agrees = !found.first || each.agrees();
        const float x = std::round(from + step * static_cast<float>(i));
        const float high = std::round(ui.px(agrees ? judged_side / 2 : judged_row / 2 - 3));
        const ImVec2 top(x, middle - high), bottom(x + wide, middle + high);
        list.AddRectFilled(top, bottom, agrees ? ui.theme.right : ui.theme.wrong, ui.px(1));
        if (ImGui::IsMouseHoveringRect(top, bottom))
            show_tooltip(ui, {each.ours, {}, {}, agrees ? "agrees" : "differs"});
    }
    if (press.pressed)
        panel.set([&](RunPlace& place) {
            place.layer = *row.layer;
            place.shows = RunShows::diagram;
        });
}

void draw_said(const Ui& ui, const Diagnosis& found) {
    int number = 0;
    for (const SaidLine& line : said_lines(found)) {
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const ImU32 ink = line.about != Says::verdict || line.detail ? ui.theme.text_mid : ui.theme.text_high;
        paragraph(ui, line.about == Says::verdict && !line.detail ? ui.fonts.body_medium : ui.fonts.table, ink,
                  line.about == Says::verdict && line.detail ? line.text : begun_as_sentence(line.text));
        ui.recorder.record("run.diagnosis.line." + std::to_string(number++), start,
                           {start.x + available_width(), ImGui::GetCursorScreenPos().y});
        gap(ui, line.detail ? 2 : 4);
    }
}

void draw_share_done(const Ui& ui, double share) {
    const auto line = take_line(ui, 10);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float top = std::round((line.first.y + line.second.y) / 2 - ui.px(1.5F)), bottom = top + ui.px(3);
    const float wide = line.second.x - line.first.x;
    list.AddRectFilled({line.first.x, top}, {line.second.x, bottom}, ui.theme.track, ui.px(1));
    list.AddRectFilled({line.first.x, top}, {line.first.x + wide * static_cast<float>(share), bottom},
                       ui.theme.selection, ui.px(1));
    ui.recorder.record("run.diagnosis.progress", {line.first.x, top}, {line.second.x, bottom});
}

}  // namespace

JudgedCells judged_cells(const RunDiagnosis* diagnosis, const RunValues& values, const ValuesShown& shown) {
    JudgedCells judged;
    judged.known = diagnosis && diagnosis->found && diagnosis->of.lock() == values.shared_model();
    if (!judged.known) return judged;
    const ModelGraph& graph = values.model().graph;
    for (const Tensor& each : graph.tensors)
        if (is_computed(each.role)) judged.pale.push_back(each.id);
    for (const ComparedTensor& each : diagnosis->found->compared) {
        const Tensor& tensor = graph.tensors[each.tensor];
        if (each.layer && *each.layer != layer_of(shown, graph, tensor)) continue;
        std::erase(judged.pale, tensor.id);
        const MatrixView view = values.activation(each.tensor, each.layer.value_or(0));
        if (!view) continue;
        const bool agrees = !diagnosis->found->first || each.agrees();
        judged.framed.push_back({.why = agrees ? FramedCells::Why::agrees : FramedCells::Why::differs,
                                 .id = tensor.id,
                                 .copy = {},
                                 .least = {0, 0},
                                 .most = {view.rows - 1, view.columns - 1}});
    }
    std::ranges::sort(judged.pale);
    return judged;
}

void draw_run_diagnosis(RunPanel& panel) {
    const Ui& ui = panel.ui;
    const std::string& path = panel.place.against;
    section_title(ui, "What is wrong with mine?", std::filesystem::path(path).filename().string());
    gap(ui, 6);
    const RunDiagnosis* const diagnosis = panel.page.diagnosis.get();
    if (!diagnosis || !diagnosis->done()) {
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  diagnosis ? "Mistakes are made in copies of the model, and their numbers compared with yours."
                            : "It is compared once the model has read its prompt.");
        draw_share_done(ui, diagnosis ? diagnosis->progress : 0);
    } else if (diagnosis->wrong) {
        message_card(ui, "run.diagnosis.wrong", capitalized(sentence(*diagnosis->wrong)) + ".", {});
    } else {
        draw_said(ui, *diagnosis->found);
        gap(ui, 4);
        for (const JudgedRow& row : judged_rows(*diagnosis->found)) draw_judged(panel, *diagnosis->found, row);
        gap(ui, 4);
        paragraph(ui, ui.fonts.caption, ui.theme.text_low,
                  "Of " + grouped(std::ssize(diagnosis->ids)) + " tokens, " +
                      (diagnosis->own_ids ? "whose ids the file says." : "those of the prompt."));
    }
    gap(ui, 8);
    const bool done = diagnosis && diagnosis->done();
    if (button(ui, "run.diagnosis.close", {.label = done ? "Close" : "Stop", .small = true}))
        panel.set([](RunPlace& place) { place.against.clear(); });
    if (!done) return;
    ImGui::SameLine(0, ui.px(8));
    if (button(ui, "run.diagnosis.again", {.label = "Read it again", .small = true}))
        panel.intents.push_back(OpenFile{.path = path, .against = true});
}

}  // namespace headcount
