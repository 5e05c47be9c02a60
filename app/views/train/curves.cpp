// The loss from who knows nothing down to what nobody can know, the share of right answers, one head's map as it
// forms, and the knob that looks back.
#include <algorithm>
#include <cmath>

#include "app/charts/scatter.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/views/train/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float curves_title = 38, left_room = 46, shares_height = 62, maps_height = 44, knob_height = 20,
                ticks_height = 18, curves_between = 12;                                              // unscaled
constexpr float least_with_maps = 320, least_with_shares = 210, low_shares = 44, words_height = 18;  // unscaled
constexpr std::int64_t least_steps = 20;  // that the axis reaches

// Where everything stands for one training.
struct Curves {
    const Ui& ui;
    const TrainSnapshot& run;
    const TrainSnapshot* beside;  // may be null
    ChartArea loss, shares, maps;
    float knob = 0;  // its height on the screen
    Axis steps, nats;

    float x(double step) const { return point_of(loss, steps, nats, step, 0).x; }
    float y(double value) const { return point_of(loss, steps, nats, 0, value).y; }
    float share_y(double share) const { return point_of(shares, steps, Axis{}, 0, share).y; }
    bool has_shares() const { return shares.max.y > shares.min.y; }
    std::int64_t step_at(float at) const {
        const double share = std::clamp((at - loss.min.x) / std::max(1.0F, loss.max.x - loss.min.x), 0.0F, 1.0F);
        return std::llround(share * steps.to);
    }
};

Curves curves_of(const Ui& ui, const TrainSnapshot& run, const TrainSnapshot* beside, ImVec2 min, ImVec2 max) {
    const float left = min.x + ui.px(left_room), right = max.x;
    const float ticks = max.y - ui.px(ticks_height), knob = ticks - ui.px(knob_height) / 2;
    const float maps_end = knob - ui.px(knob_height) / 2;
    // Where little is high the maps, which stand below in large, give way, and then the shares, which are beside it.
    const bool low = max.y - min.y < ui.px(least_with_maps), lowest = max.y - min.y < ui.px(least_with_shares);
    const float maps = maps_end - (low ? 0 : ui.px(maps_height));
    const float shares_high = ui.px(lowest ? 0 : low ? low_shares : shares_height);
    const float shares_end = maps - ui.px(curves_between), shares = shares_end - shares_high;
    const float loss_end = lowest ? shares_end : shares - ui.px(curves_between);
    double most = run.knows_nothing(), least = run.floor.value_or(most);
    std::int64_t steps = least_steps;
    for (const TrainSnapshot* const each : {&run, beside}) {
        if (!each) continue;
        steps = std::max<std::int64_t>(steps, std::ssize(each->history));
        for (const StepFigures& made : each->history)
            if (std::isfinite(made.loss)) least = std::min(least, made.loss);
        for (const auto& point : each->points) {
            if (!std::isfinite(point->held_out.loss)) continue;
            least = std::min(least, point->held_out.loss);
            most = std::max(most, point->held_out.loss);
        }
    }
    // So much that the words above the upper bound and below the lower one have room.
    const float top = min.y + ui.px(curves_title + words_height / 2);
    const double words = static_cast<double>(ui.px(words_height) / std::max(ui.px(3 * words_height), loss_end - top));
    const double room = std::max({(most - least) * words / (1 - 2 * words), 0.02});
    return {ui,
            run,
            beside,
            {{left, top}, {right, loss_end}},
            {{left, shares}, {right, shares_end}},
            {{left, maps}, {right, maps_end}},
            knob,
            {0, static_cast<double>(steps), false, AxisUnit::plain, {}},
            {std::max(0.0, least - room), most + room, false, AxisUnit::plain, {}}};
}

// Of the training that stands beside.
ImU32 beside_hue(const Ui& ui) { return ui.theme.query; }

// Its points on the chart: y(held out) for each.
template <class Height>
std::vector<ImVec2> points_of(const Curves& of, const TrainSnapshot& run, const Height& y) {
    std::vector<ImVec2> points;
    for (const auto& point : run.points)
        if (std::isfinite(point->held_out.loss))
            points.emplace_back(of.x(static_cast<double>(point->step)), y(point->held_out));
    return points;
}

void draw_title(const Curves& of, ImVec2 min, ImVec2 max) {
    const Ui& ui = of.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 end(max.x, min.y + ui.px(curves_title));
    draw_text_in(list, ui.fonts.body_bold, min, end, ui.theme.text_high, "Loss");
    float x = end.x;
    const float centre = std::round((min.y + end.y) / 2);
    const auto key = [&](std::string_view words, ImU32 colour) {
        x -= text_width(ui.fonts.table, words);
        put_text(list, ui.fonts.table, ImVec2(x, text_top(ui.fonts.table, centre)), ui.theme.text_mid, words);
        x -= ui.px(22);
        draw_pill(list, ImVec2(x, centre - ui.px(1.5F)), ImVec2(x + ui.px(16), centre + ui.px(1.5F)), colour);
        x -= ui.px(14);
    };
    if (of.beside) key("kept: " + difference_words(of.beside->of, of.run.of), beside_hue(ui));
    key("held out", ui.theme.text_high);
    key("train", ui.theme.text_low);
    const bool fills_in = !of.run.architecture.encoder && sees_all(of.run.architecture);
    draw_text_in(list, ui.fonts.table, ImVec2(min.x + text_width(ui.fonts.body_bold, "Loss") + ui.px(10), min.y),
                 ImVec2(x, end.y), ui.theme.text_low,
                 std::string("nats a token, every ") + (fills_in ? "hidden one" : "token") +
                     " counted; drag below to look back");
}

std::string floor_text(const TrainSnapshot& run) {
    return "floor of the task: " + (run.floor_words.empty() ? "" : run.floor_words + " = ") +
           decimal_text(*run.floor, 3);
}

std::string nothing_text(const TrainSnapshot& run) {
    return "knows nothing: ln " + std::to_string(run.architecture.vocab) + " = " + decimal_text(run.knows_nothing(), 3);
}

// A dashed line across, with its words at one end, above or below it.
void draw_bound(const Curves& of, double value, const std::string& words, bool above) {
    const Ui& ui = of.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = std::round(of.y(value));
    draw_dashed_line(list, ImVec2(of.loss.min.x, y), ImVec2(of.loss.max.x, y), ui.theme.text_low, ui.px(5), 1);
    const ImVec2 min(of.loss.min.x + ui.px(6), above ? y - ui.px(18) : y + ui.px(2));
    const ImVec2 max(of.loss.max.x - ui.px(4), min.y + ui.px(16));
    draw_text_in(list, ui.fonts.table, min, max, ui.theme.text_mid, words, above ? Align::right : Align::left);
    if (!above) ui.recorder.record("train.floor", min, {min.x + text_width(ui.fonts.table, words), max.y});
}

std::vector<ImVec2> held_out_losses(const Curves& of, const TrainSnapshot& run) {
    return points_of(of, run, [&](const HeldOut& held) { return of.y(held.loss); });
}

// No more points than one a pixel: the mean of the steps that share it.
std::vector<ImVec2> train_losses(const Curves& of) {
    const std::vector<StepFigures>& history = of.run.history;
    std::vector<ImVec2> train;
    double sum = 0;
    for (std::size_t i = 0, count = 1; i < history.size(); ++i, ++count) {
        sum += history[i].loss;
        const float here = of.x(static_cast<double>(history[i].step));
        const bool last = i + 1 == history.size();
        if (!last && std::floor(of.x(static_cast<double>(history[i + 1].step))) == std::floor(here)) continue;
        train.emplace_back(here, of.y(sum / static_cast<double>(count)));
        sum = 0;
        count = 0;
    }
    return train;
}

void draw_losses(const Curves& of) {
    const Ui& ui = of.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const Tick& tick : fitting_ticks(ui, of.nats, of.loss.max.y - of.loss.min.y, true)) {
        if (tick.label.empty()) continue;
        const float y = std::round(of.y(tick.value));
        list.AddRectFilled(ImVec2(of.loss.min.x, y), ImVec2(of.loss.max.x, y + 1), ui.theme.line);
        draw_text_in(list, ui.fonts.mono_caption, ImVec2(of.loss.min.x - ui.px(left_room), y - ui.px(8)),
                     ImVec2(of.loss.min.x - ui.px(8), y + ui.px(8)), ui.theme.text_low, tick.label, Align::right);
    }
    const TrainSnapshot& run = of.run;
    draw_bound(of, run.knows_nothing(), nothing_text(run), true);
    if (run.floor) draw_bound(of, *run.floor, floor_text(run), false);
    list.PushClipRect(of.loss.min, of.loss.max, true);
    ListPen pen(list);
    pen.strokes(train_losses(of), ui.theme.text_low, ui.px(2));
    if (of.beside) pen.strokes(held_out_losses(of, *of.beside), beside_hue(ui), ui.px(2));
    pen.strokes(held_out_losses(of, run), ui.theme.text_high, ui.px(2));
    list.PopClipRect();
}

void draw_shares(const Curves& of) {
    const Ui& ui = of.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const double share : {0.0, 0.5, 1.0}) {
        const float y = std::round(of.share_y(share));
        list.AddRectFilled(ImVec2(of.shares.min.x, y), ImVec2(of.shares.max.x, y + 1), ui.theme.line);
        draw_text_in(list, ui.fonts.mono_caption, ImVec2(of.shares.min.x - ui.px(left_room), y - ui.px(8)),
                     ImVec2(of.shares.min.x - ui.px(8), y + ui.px(8)), ui.theme.text_low,
                     std::to_string(std::lround(share * 100)) + " %", Align::right);
    }
    ListPen pen(list);
    const bool whole = of.run.of.settings.task.kind != TaskKind::text;
    for (const TrainSnapshot* const each : {of.beside, &of.run}) {
        if (!each) continue;
        const ImU32 hue = each == of.beside ? beside_hue(ui) : ui.theme.right;
        pen.strokes(points_of(of, *each, [&](const HeldOut& held) { return of.share_y(held.tokens_right); }), hue,
                    ui.px(2));
        const auto lines = points_of(of, *each, [&](const HeldOut& held) { return of.share_y(held.lines_right); });
        for (std::size_t i = 1; whole && i < lines.size(); ++i)
            pen.dashes(lines[i - 1], lines[i], hue, ui.px(3), ui.px(1.5F));
    }
    // What the lines are, at the end and in the half that they leave most room.
    const std::string_view words =
        whole ? "right, held out: each token; dashed: the whole answer" : "the next token right, held out";
    const float right = of.shares.max.x - ui.px(4), from = right - text_width(ui.fonts.table, words) - ui.px(6);
    float above = of.shares.max.y - of.shares.min.y, below = above;
    for (const TrainSnapshot* const each : {of.beside, &of.run}) {
        if (!each) continue;
        for (const bool answers : {false, true}) {
            const auto height = [&](const HeldOut& held) {
                return of.share_y(answers ? held.lines_right : held.tokens_right);
            };
            const std::vector<ImVec2> line = answers && !whole ? std::vector<ImVec2>() : points_of(of, *each, height);
            for (const std::vector<ImVec2>& piece : cut_line(line, {{from, of.shares.min.y}, of.shares.max}))
                for (const ImVec2 at : piece) {
                    above = std::min(above, at.y - of.shares.min.y);
                    below = std::min(below, of.shares.max.y - at.y);
                }
        }
    }
    const float y = below > above ? of.shares.max.y - ui.px(20) : of.shares.min.y + ui.px(2);
    ui.recorder.record("train.shares.words", ImVec2(from, y), ImVec2(right, y + ui.px(16)));
    draw_text_in(list, ui.fonts.table, ImVec2(of.shares.min.x, y), ImVec2(right, y + ui.px(16)), ui.theme.text_mid,
                 words, Align::right);
}

// The map of the head that is looked at, as often as there is room.
void draw_maps(const TrainPanel& panel, const Curves& of) {
    const Ui& ui = of.ui;
    const float side = of.maps.max.y - of.maps.min.y - ui.px(8);
    if (side <= 0) return;
    float free = of.maps.min.x;
    for (const auto& point : of.run.points) {
        const float x = of.x(static_cast<double>(point->step));
        const TrainMap* const map = panel.map(*point);
        if (!map || x < free || x + side > of.maps.max.x + 1) continue;
        draw_train_map(ui, *map, ImVec2(std::round(x), of.maps.min.y), side);
        free = x + side + ui.px(14);
    }
}

void draw_knob(const Curves& of) {
    const Ui& ui = of.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float at = of.x(static_cast<double>(of.run.step)), half = ui.px(size::track) / 2;
    draw_pill(list, ImVec2(of.loss.min.x, of.knob - half), ImVec2(of.loss.max.x, of.knob + half), ui.theme.track);
    draw_pill(list, ImVec2(of.loss.min.x, of.knob - half), ImVec2(at, of.knob + half), ui.theme.text_mid);
    list.AddRectFilled(ImVec2(std::round(at), of.loss.min.y), ImVec2(std::round(at) + 1, of.knob), ui.theme.text_high);
    list.AddCircleFilled(ImVec2(at, of.knob), ui.px(size::knob) / 2, ui.theme.knob);
    for (const Tick& tick : fitting_ticks(ui, of.steps, of.loss.max.x - of.loss.min.x, false)) {
        if (tick.label.empty()) continue;
        const float x = of.x(tick.value);
        draw_text_in(list, ui.fonts.mono_caption, ImVec2(x - ui.px(30), of.knob + ui.px(8)),
                     ImVec2(x + ui.px(30), of.knob + ui.px(knob_height + ticks_height) / 2 + ui.px(8)),
                     ui.theme.text_low, tick.label, Align::centre);
    }
    if (of.run.now) {
        if (std::isfinite(of.run.now->held_out.loss))
            list.AddCircleFilled(ImVec2(at, of.y(of.run.now->held_out.loss)), ui.px(4), ui.theme.text_high);
        if (of.has_shares())
            list.AddCircleFilled(ImVec2(at, of.share_y(of.run.now->held_out.tokens_right)), ui.px(4), ui.theme.right);
    }
}

// Where so large a card covers least of the losses and the bounds' words: beside the step's line, else away from it.
ImVec2 place_of_card(const Curves& of, ImVec2 extent) {
    const Ui& ui = of.ui;
    std::vector<std::vector<ImVec2>> lines{train_losses(of), held_out_losses(of, of.run)};
    if (of.beside) lines.push_back(held_out_losses(of, *of.beside));
    const float half = ui.px(words_height / 2), nothing = text_width(ui.fonts.table, nothing_text(of.run));
    if (of.run.floor) {
        const float words = of.y(*of.run.floor) + half, wide = text_width(ui.fonts.table, floor_text(of.run));
        lines.push_back({{of.loss.min.x, words}, {of.loss.min.x + ui.px(6) + wide, words}});
    }
    const float above = of.y(of.run.knows_nothing()) - half;
    lines.push_back({{of.loss.max.x - ui.px(4) - nothing, above}, {of.loss.max.x, above}});
    const auto covered = [&](ImVec2 min) {
        float length = 0;
        for (const std::vector<ImVec2>& line : lines)
            for (const std::vector<ImVec2>& piece : cut_line(line, {min, min + extent}))
                for (std::size_t i = 1; i < piece.size(); ++i)
                    length += std::hypot(piece[i].x - piece[i - 1].x, piece[i].y - piece[i - 1].y);
        return length;
    };
    const float at = of.x(static_cast<double>(of.run.step)), apart = ui.px(12), from = of.loss.min.y + ui.px(20);
    ImVec2 best(std::round(at + apart), std::round(from));
    std::optional<float> least;
    std::vector<float> columns{at + apart};
    for (float x = at - apart - extent.x; x >= of.loss.min.x; x -= extent.x / 3) columns.push_back(x);
    for (float x = at + apart; x + extent.x <= of.loss.max.x; x += extent.x / 3) columns.push_back(x);
    for (const float x : columns) {
        for (float y = from; y == from || y + extent.y <= of.loss.max.y; y += ui.px(4)) {
            const ImVec2 min(std::round(x), std::round(y));
            if (min.x < of.loss.min.x || min.x + extent.x > of.loss.max.x) break;
            const float length = covered(min);
            if (least && length >= *least) continue;
            least = length;
            best = min;
        }
        if (least == 0.0F) break;
    }
    return best;
}

// What is known of the step that is looked at, beside its line.
void draw_card(const Curves& of) {
    const TrainSnapshot& run = of.run;
    if (!run.now) return;
    const Ui& ui = of.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool trained = run.step > 0 && run.step <= std::ssize(run.history);
    const StepFigures* const figures = trained ? &run.history[static_cast<std::size_t>(run.step - 1)] : nullptr;
    const TrainSnapshot* const beside = of.beside && of.beside->now ? of.beside : nullptr;
    const float pad = ui.px(10);
    const ImVec2 extent(ui.px(180), ui.px(6 + 20.0F * static_cast<float>(2 + (figures ? 1 : 0) + (beside ? 1 : 0))));
    const ImVec2 min = place_of_card(of, extent), max = min + extent;
    if (max.y > of.loss.max.y) return;
    ui.recorder.record("train.card", min, max);
    draw_box(list, min, max, ui.theme.raised, ui.theme.strong_line, ui.px(size::radius_button));
    const auto row = [&](int index, const Font& font, ImU32 ink, std::string_view label, const std::string& value,
                         const Font& number) {
        const ImVec2 from(min.x + pad, min.y + ui.px(4 + 20.0F * static_cast<float>(index)));
        const ImVec2 to(max.x - pad, from.y + ui.px(20));
        draw_text_in(list, font, from, to, ink, label);
        draw_text_in(list, number, from, to, index == 0 ? ui.theme.text_low : ui.theme.text_high, value, Align::right);
    };
    row(0, ui.fonts.mono_medium, ui.theme.text_high, "step " + grouped(run.step),
        figures ? "lr " + axis_label(figures->learning_rate, AxisUnit::plain) : "", ui.fonts.mono_caption);
    row(1, ui.fonts.table, ui.theme.text_mid, "held out", decimal_text(run.now->held_out.loss, 3), ui.fonts.mono);
    if (figures)
        row(2, ui.fonts.table, ui.theme.text_mid, "train, this batch", decimal_text(figures->loss, 3), ui.fonts.mono);
    if (beside)
        row(figures ? 3 : 2, ui.fonts.table, readable(ui.theme, beside_hue(ui)),
            beside->step == run.step ? "kept" : "kept, step " + grouped(beside->step),
            decimal_text(beside->now->held_out.loss, 3), ui.fonts.mono);
}

// Dragged, the knob goes to the step that is kept next.
void touch(TrainPanel& panel, const Curves& of) {
    const float around = of.ui.px(8);
    const ImVec2 min(of.loss.min.x - around, of.loss.min.y), max(of.loss.max.x + around, of.knob + around);
    const ImVec2 knob(of.x(static_cast<double>(of.run.step)), of.knob), half(4, 4);
    of.ui.recorder.record("train.knob", knob - half, knob + half);
    of.ui.recorder.record("train.curves", of.loss.min, of.loss.max);
    const Press press = press_area(of.ui, "train.back", min, max, -1);
    const std::vector<std::int64_t>& kept = of.run.kept;
    if (!(press.held || press.pressed) || kept.empty()) return;
    const std::int64_t wanted = of.step_at(ImGui::GetIO().MousePos.x);
    const auto nearest = std::ranges::min_element(kept, {}, [&](std::int64_t each) { return std::abs(each - wanted); });
    const std::optional<std::int64_t> step = *nearest == of.run.newest() ? std::nullopt : std::optional(*nearest);
    if (step == panel.place.step) return;
    if (panel.playing()) panel.ask(PlayTraining{false});
    panel.set([&](TrainPlace& place) { place.step = step; });
}

// Why there is nothing to see.
void draw_empty(TrainPanel& panel, ImVec2 min, ImVec2 max) {
    const Ui& ui = panel.ui;
    const TrainSnapshot* const run = panel.page.shown.get();
    const std::optional<Error> error = panel.page.text_error ? panel.page.text_error : run ? run->error : std::nullopt;
    ImGui::SetCursorScreenPos(min + ImVec2(0, ui.px(size::panel_padding)));
    ImGui::PushClipRect(min, max, true);
    const bool no_file = panel.place.settings.task.kind == TaskKind::text && panel.place.text_file.empty();
    const std::string words =
        no_file ? "Type or choose the path of a text file at the left: a model learns its next characters."
        : error ? begun_as_sentence(sentence(*error))
        : run   ? "Play makes the first weights of this model, and begins. It takes memory for weights, gradients, "
                  "moments, and what each step keeps."
                : "";
    paragraph(ui, ui.fonts.body, error && !no_file ? ui.theme.text_high : ui.theme.text_mid, words);
    ImGui::PopClipRect();
}

}  // namespace

Intents draw_train_curves(TrainPanel panel) {
    const Ui& ui = panel.ui;
    const float padding = ui.px(size::panel_padding);
    const ImVec2 min = ImGui::GetWindowPos() + ImVec2(padding, 0);
    const ImVec2 max = ImGui::GetWindowPos() + ImGui::GetWindowSize() - ImVec2(padding, ui.px(4));
    const TrainSnapshot* const run = panel.shown();
    if (!run) {
        draw_empty(panel, min, max);
        return std::move(panel.intents);
    }
    const Curves curves = curves_of(ui, *run, panel.beside(), min, max);
    draw_title(curves, min, max);
    draw_losses(curves);
    if (curves.has_shares()) draw_shares(curves);
    draw_maps(panel, curves);
    draw_knob(curves);
    draw_card(curves);
    touch(panel, curves);
    if (run->error) {
        ImGui::SetCursorScreenPos(curves.loss.min + ImVec2(ui.px(8), ui.px(24)));
        paragraph(ui, ui.fonts.body, ui.theme.wrong, begun_as_sentence(sentence(*run->error)));
    }
    return std::move(panel.intents);
}

}  // namespace headcount
