// The front: of many answers to a wish those that no other beats in two figures, as a picture.
#include <algorithm>
#include <set>
#include <utility>

#include "app/charts/scatter.hpp"
#include "app/parts/chart_menu.hpp"
#include "app/ui/slider_row.hpp"
#include "app/views/what_if/solve.hpp"
#include "core/files/documents.hpp"

namespace headcount {
namespace {

enum Series : int { others, best, own };

// "Width 4096 \u00b7 Layers 32"
std::string name_of(const Wish& wish, const Answer& answer) {
    std::string name;
    for (std::size_t i = 0; i < answer.values.size(); ++i)
        name += (i > 0 ? " \u00b7 " : "") + std::string(info(wish.free[i].field).label) + " " +
                std::to_string(answer.values[i]);
    return name;
}

// A logarithmic scale where values differ much.
Axis axis_of(const std::vector<double>& values, Metric metric) {
    constexpr double much = 30;
    const auto [least, most] = std::ranges::minmax(values);
    return axis_over(values, least > 0 && most > much * least, axis_unit(info(metric).unit),
                     std::string(info(metric).label));
}

}  // namespace

Intents draw_front(const Ui& ui, const Shown& model, const SolvePlace& place, const WhatIfPage& page) {
    Intents intents;
    if (!page.front) return intents;
    const FoundFront& found = *page.front;
    const FoundAnswers& answers = found.answers;
    SolvePanel to{ui, model, place, {}, found, intents};
    ScatterChart chart;
    chart.title = std::string(info(place.upwards).label) + " against " + inside_title(info(place.across).label);
    const std::string counted =
        std::to_string(found.front.size()) + " of " + std::to_string(answers.answers.size()) +
        (answers.answers.size() == 1 ? " answer, which none beats" : " answers, which none beats");
    chart_title(ui, chart.title, answers.answers.empty() ? "" : counted);
    if (answers.answers.empty()) {
        if (!answers.problem.empty()) message_card(ui, "front.problem", answers.problem + ".", {});
        return intents;
    }
    const About about(total_key);
    const std::size_t first = answers.wish.goals.size();
    std::vector<ScatterPoint> points;
    std::vector<double> x, y;
    ScatterLine line{.points = {}, .colour = ui.theme.right};
    const auto said = [&](Metric metric, double value) {
        return std::string(sign_of(model.derived, metric)) + figure_text(metric, value);
    };
    const auto add = [&](Series series, const std::string& name, double across, double upwards) -> ScatterPoint& {
        x.push_back(across);
        y.push_back(upwards);
        ScatterPoint& point = points.emplace_back(ScatterPoint{.x = across, .y = upwards, .series = series});
        point.note = {name,
                      {},
                      std::string(info(place.across).label) + " " + said(place.across, across) + " \u00b7 " +
                          std::string(info(place.upwards).label) + " " + said(place.upwards, upwards),
                      series == own ? "The model as it is." : "A click makes it the model."};
        point.radius = series == others ? 3 : 4;
        return point;
    };
    // Those of the front, whose names come first. Of several at one point the first stands for all.
    std::vector<std::size_t> order = found.front;
    std::set<std::pair<double, double>> taken;
    const auto take = [&](std::size_t i) {
        const std::vector<double>& figures = answers.answers[i].figures;
        return taken.emplace(figures[first], figures[first + 1]).second;
    };
    std::ranges::for_each(found.front, take);
    for (std::size_t i = 0; i < answers.answers.size(); ++i)
        if (take(i)) order.push_back(i);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Answer& answer = answers.answers[order[i]];
        const bool in_front = i < found.front.size();
        const std::string name = name_of(answers.wish, answer);
        ScatterPoint& point = add(in_front ? best : others, name, answer.figures[first], answer.figures[first + 1]);
        if (!in_front) continue;
        point.label = name;
        line.points.push_back({point.x, point.y});
    }
    if (found.figures) add(own, title_of(model.document), (*found.figures)[0], (*found.figures)[1]).name = "document";
    const std::vector<ChartSeries> series{
        {"Other answers", ui.theme.text_low}, {"None beats these", ui.theme.right}, {"This model", ui.theme.selection}};
    chart.x = axis_of(x, place.across);
    chart.y = axis_of(y, place.upwards);
    chart.series = series;
    chart.points = points;
    chart.lines = std::span(&line, 1);
    chart.height = std::max(160.0F, ImGui::GetContentRegionAvail().y / ui.scale);
    const ChartResult result = scatter_chart(ui, "front.chart", chart);
    if (result.clicked && static_cast<std::size_t>(*result.clicked) < order.size())
        adopt_answer(to, answers.answers[order[static_cast<std::size_t>(*result.clicked)]]);
    add_chart_intents(intents, result);
    return intents;
}

}  // namespace headcount
