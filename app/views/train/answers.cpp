// The right panel of the Train view: what the model answers on held-out lines, milestones, and what was predicted
// beside what was measured.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "app/parts/file_tasks.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/train/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string share_words(double share) { return decimal_text(share * 100, 1) + " %"; }

// The answer letter by letter, those that are wrong in the colour of what is wrong, and underlined.
void answer_row(const Ui& ui, const TaskAnswer& answer) {
    const auto [min, max] = take_line(ui, size::table_row);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& mono = ui.fonts.mono;
    const float wide = max.x - min.x;
    draw_text_in(list, mono, min, ImVec2(min.x + wide * 0.36F, max.y), ui.theme.text_mid, answer.question);
    const auto right = static_cast<std::size_t>(std::ranges::count(answer.right, true));
    const bool whole = answer.whole();
    const bool by_letter = answer.answer.size() == answer.right.size();  // else a token is a number
    float x = min.x + wide * 0.38F;
    const float end = max.x - ui.px(64), centre = std::round((min.y + max.y) / 2);
    for (std::size_t i = 0; i < answer.answer.size(); ++i) {
        const std::string_view letter = std::string_view(answer.answer).substr(i, 1);
        const bool wrong = by_letter ? !answer.right[i] : !whole;
        const float step = text_width(mono, letter);
        if (x + step > end) break;
        put_text(list, mono, ImVec2(x, text_top(mono, centre)), wrong ? ui.theme.wrong : ui.theme.text_high, letter);
        if (wrong)
            list.AddRectFilled(ImVec2(x, centre + ui.px(7)), ImVec2(x + step - 1, centre + ui.px(8)), ui.theme.wrong);
        x += step;
    }
    draw_icon(list, whole ? Icon::check : Icon::cross, ImVec2(max.x - ui.px(8), centre), ui.px(12),
              whole ? ui.theme.right : ui.theme.wrong);
    draw_text_in(list, ui.fonts.table, min, ImVec2(max.x - ui.px(22), max.y),
                 whole ? ui.theme.right : ui.theme.text_mid,
                 whole ? "right" : std::to_string(right) + " of " + std::to_string(answer.right.size()), Align::right);
}

void answers(const TrainPanel& panel, const TrainSnapshot& run) {
    const Ui& ui = panel.ui;
    const HeldOut& held = run.now->held_out;
    for (const TaskAnswer& answer : run.answers) answer_row(ui, answer);
    gap(ui, 6);
    const std::string lines = grouped(run.of.settings.held_out) + " held-out lines: ";
    if (run.of.settings.task.kind == TaskKind::text)
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  share_words(held.tokens_right) + " of the next tokens are right.");
    else
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  "Of " + lines + share_words(held.tokens_right) + " of tokens, " + share_words(held.lines_right) +
                      " of answers whole.");
}

// The one that stands beside, with what it answers to the same questions; or how one comes to be there.
void beside_rows(TrainPanel& panel, const TrainSnapshot& run) {
    const Ui& ui = panel.ui;
    const TrainSnapshot* const kept = panel.beside();
    section_title(ui, "Beside it", kept && kept->now ? "at step " + grouped(kept->step) : std::string());
    gap(ui, 4);
    if (!kept || !kept->now) {
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  "Keep this training, change one thing at the left, and train again: both are on one chart.");
        gap(ui, 6);
        if (button(ui, "train.keep", {.label = "Keep beside", .small = true})) panel.ask(KeepTraining{});
        return;
    }
    paragraph(ui, ui.fonts.table, ui.theme.text_high, "Kept: " + difference_words(kept->of, run.of));
    gap(ui, 4);
    answers(panel, *kept);
    gap(ui, 6);
    if (button(ui, "train.let_go", {.label = "Let it go", .small = true})) panel.ask(LetGoTraining{});
}

struct Milestone {
    std::string_view words;
    bool (*reached)(const TrainSnapshot& run, const HeldOut& held);
    std::string (*value)(const HeldOut& held);
};

std::string loss_of(const HeldOut& held) { return decimal_text(held.loss, 3); }
std::string lines_of(const HeldOut& held) { return share_words(held.lines_right); }

constexpr std::array<Milestone, 4> milestones{{
    {"better than knowing nothing",
     [](const TrainSnapshot& run, const HeldOut& held) { return held.loss < 0.98 * run.knows_nothing(); }, loss_of},
    {"half of the answers whole", [](const TrainSnapshot&, const HeldOut& held) { return held.lines_right >= 0.5; },
     lines_of},
    {"99 % of the answers whole", [](const TrainSnapshot&, const HeldOut& held) { return held.lines_right >= 0.99; },
     lines_of},
    {"within 2 % of the floor",
     [](const TrainSnapshot& run, const HeldOut& held) { return run.floor && held.loss <= 1.02 * *run.floor; },
     loss_of},
}};

void milestone_rows(TrainPanel& panel, const TrainSnapshot& run) {
    const Ui& ui = panel.ui;
    section_title(ui, "Milestones", "press one to go there");
    bool any = false;
    for (std::size_t i = 0; i < milestones.size(); ++i) {
        const Milestone& milestone = milestones[i];
        const auto found = std::ranges::find_if(
            run.points, [&](const auto& point) { return milestone.reached(run, point->held_out); });
        if (found == run.points.end()) continue;
        any = true;
        const auto [min, max] = take_line(ui, size::table_row);
        const std::string name = "train.milestone." + std::to_string(i);
        ui.recorder.record(name, min, max);
        const Press press = press_area(ui, name.c_str(), min, max, size::radius_field);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        if (press.hovered) tint_row(ui, min, max, hover_tint(ui.theme));
        draw_text_in(list, ui.fonts.mono, min, max, ui.theme.text_mid, grouped((*found)->step));
        draw_text_in(list, ui.fonts.table, ImVec2(min.x + ui.px(52), min.y), max, ui.theme.text_high, milestone.words);
        draw_text_in(list, ui.fonts.mono, min, max, ui.theme.text_high, milestone.value((*found)->held_out),
                     Align::right);
        if (press.pressed) {
            if (panel.playing()) panel.ask(PlayTraining{false});
            // Of steps between snapshots no weights are kept.
            const auto kept = std::lower_bound(run.kept.begin(), run.kept.end(), (*found)->step);
            panel.set(
                [&](TrainPlace& place) { place.step = kept == run.kept.end() ? std::nullopt : std::optional(*kept); });
        }
    }
    if (!any) paragraph(ui, ui.fonts.table, ui.theme.text_low, "None yet.");
}

// A label with what was predicted and what was measured.
void both_row(const Ui& ui, std::string_view label, const std::string& predicted, const std::string& measured,
              bool strong = false) {
    const auto [min, max] = take_line(ui, size::table_row);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = min.x + (max.x - min.x) * 0.69F;
    draw_text_in(list, strong ? ui.fonts.table_medium : ui.fonts.table, min, ImVec2(middle, max.y),
                 strong ? ui.theme.text_high : ui.theme.text_mid, label);
    draw_text_in(list, ui.fonts.mono, min, ImVec2(middle, max.y), ui.theme.text_high, predicted, Align::right);
    draw_text_in(list, ui.fonts.mono, min, max, ui.theme.text_high, measured, Align::right);
}

void head_row(const Ui& ui, std::string_view label) {
    const auto [min, max] = take_line(ui, 20);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text_in(list, ui.fonts.caption, min, max, ui.theme.text_low, label);
    draw_text_in(list, ui.fonts.caption, min, ImVec2(min.x + (max.x - min.x) * 0.69F, max.y), ui.theme.text_low,
                 "predicted", Align::right);
    draw_text_in(list, ui.fonts.caption, min, max, ui.theme.text_low, "measured", Align::right);
}

void figures(const Ui& ui, const TrainSnapshot& run) {
    section_title(ui, "Predicted and measured");
    gap(ui, 2);
    head_row(ui, "Memory, bytes");
    const TrainMemory &said = run.predicted, &real = run.measured;
    both_row(ui, "Weights", grouped(said.weights), grouped(real.weights));
    both_row(ui, "Gradients", grouped(said.gradients), grouped(real.gradients));
    both_row(ui, "Moments", grouped(said.moments), grouped(real.moments));
    both_row(ui, "Activations kept", grouped(said.kept), grouped(real.kept));
    both_row(ui, "Backward pass", grouped(said.passing), grouped(real.passing));
    both_row(ui, "Working room", grouped(said.working), grouped(real.working));
    both_row(ui, "All", bytes_text(said.total()), bytes_text(real.total()), true);
    gap(ui, 8);
    head_row(ui, "A step");
    const auto flops = static_cast<double>(run.work.flops);
    both_row(ui, "By the graph", flop_text(flops), "");
    both_row(ui, "6 · N · tokens", flop_text(run.work.by_rule), "");
    if (run.roof > 0) {
        const bool steps = run.steps_per_second > 0;
        both_row(ui, "Steps a second", "≤ " + decimal_text(run.roof / flops, 1),
                 steps ? decimal_text(run.steps_per_second, 1) : "");
        both_row(ui, "A second", "≤ " + flop_text(run.roof), steps ? flop_text(flops * run.steps_per_second) : "");
    }
    const double last = run.points.empty() ? 0 : run.points.front()->held_out.loss;
    both_row(ui, "Loss at step 0", decimal_text(run.knows_nothing(), 3), decimal_text(last, 3));
    double lowest = last;
    for (const auto& point : run.points) lowest = std::min(lowest, point->held_out.loss);
    both_row(ui, "Lowest loss so far", run.floor ? "≥ " + decimal_text(*run.floor, 3) : "", decimal_text(lowest, 3));
}

void open_or_save(TrainPanel& panel) {
    const Ui& ui = panel.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float right = start.x + available_width();
    const Button save{.label = info(FileTask::trained).menu};
    const Button open{.label = "Open in Run",
                      .icon = Icon::next,
                      .look = ButtonLook::primary,
                      .width = (right - start.x - ui.px(8) - button_width(ui, save)) / ui.scale,
                      .tooltip = "The weights of this step are a model like any: in Explore, Run, Compare, What-if",
                      .icon_behind = true};
    if (button(ui, "train.open", open)) panel.ask(OpenTraining{});
    ImGui::SetCursorScreenPos(ImVec2(right - button_width(ui, save), start.y));
    if (button(ui, "train.save", save)) panel.intents.push_back(AskForFile{FileTask::trained});
}

}  // namespace

Intents draw_train_answers(TrainPanel panel, bool presented, std::string_view spoken) {
    const Ui& ui = panel.ui;
    const TrainSnapshot* const run = panel.shown();
    if (!run || !run->now) return std::move(panel.intents);
    struct Section {
        std::string_view key;  // of train_parts, or of none
        std::function<void()> draw;
    };
    const auto answered = [&] {
        section_title(ui, "Answers at step " + grouped(run->step), "held out");
        gap(ui, 4);
        answers(panel, *run);
    };
    std::vector<Section> sections{{"", answered}};
    if (!presented) sections.push_back({"", [&] { beside_rows(panel, *run); }});
    sections.push_back({"", [&] { milestone_rows(panel, *run); }});
    sections.insert(presented ? sections.end() - 1 : sections.end(), {"figures", [&] { figures(ui, *run); }});
    sections.push_back({"open", [&] { open_or_save(panel); }});
    std::ranges::stable_partition(sections, [&](const Section& each) { return !spoken.empty() && each.key == spoken; });
    for (const Section& each : sections) {
        if (&each != &sections.front()) separator(ui, 12, 12);
        each.draw();
    }
    return std::move(panel.intents);
}

}  // namespace headcount
