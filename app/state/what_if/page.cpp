// Asks the engine what the What-if view shows when it is looked at, and changes what it asks.
#include "app/state/what_if/page.hpp"

#include <algorithm>

#include "app/state/overloaded.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/judge.hpp"
#include "core/analysis/made_for.hpp"

namespace headcount {
namespace {

constexpr std::size_t most_answers = 8, most_pictured = 200;

// In the window nothing is named by a command line's options.
std::string said(Error error) {
    if (error.where.starts_with("--") || error.where == "budget" || error.where == "size") error.where.clear();
    if (error.fix.ends_with(", with --set"))
        error.fix.erase(error.fix.size() - std::string_view(", with --set").size());
    return sentence(error);
}

// What was found, or why there is nothing.
template <class Found, class Kept>
void keep(Result<Found> found, Kept& kept, std::string& problem) {
    if (found)
        kept = std::move(*found);
    else
        problem = said(found.error());
}

std::optional<SweepPoint> point_of(const WhatIfQuestion& of, const PointWants& wants) {
    PointMaker maker(of.input, wants);
    if (maker.refusal(of.architecture)) return std::nullopt;
    Result<SweepPoint> point = maker.at(of.architecture);
    return point ? std::optional(std::move(*point)) : std::nullopt;
}

std::string too_many(std::span<const ValueRange> ranges) {
    double points = 1;
    for (const ValueRange& range : ranges) {
        if (wrong_range(range)) return {};  // said by the sweep
        points *= static_cast<double>(count_of(range).value_or(INT64_MAX));
    }
    return points > static_cast<double>(most_drawn) ? "More than 20,000 points are no picture: give a larger step" : "";
}

// What was typed, or else what the model has.
Result<std::int64_t> wished(const SolvePlace& place, const std::optional<SweepPoint>& now) {
    const auto held = std::ranges::find(held_metrics, place.held);
    const std::size_t index = held == held_metrics.end() ? 0 : static_cast<std::size_t>(held - held_metrics.begin());
    const MetricInfo& metric = info(held_metrics[index]);
    if (const std::string& text = place.wished[index]; !text.empty())
        return parse_amount(text, metric.label, metric.unit);
    const std::optional<std::int64_t> own = now ? whole_value_of(*now, metric.metric) : std::nullopt;
    if (!own) return Error{"the model has no such number", std::string(metric.label), "type one"};
    return *own;
}

// What a condition is about where nothing was typed: of a room what the input takes of it.
std::optional<double> of_model(Judge& judge, const WhatIfQuestion& of, Metric metric) {
    if (info(metric).from == FigureFrom::batch) return static_cast<double>(of.input.batch);
    if (info(metric).from == FigureFrom::context) return static_cast<double>(all_at_once(of.input).tokens);
    return judge.figure(metric, of.architecture);
}

// The conditions that can be read; of the others what is wrong.
void read_goals(const WhatIfQuestion& of, const SolvePlace& place, FoundAnswers& answers) {
    Wish asked = answers.wish;
    for (const WishedGoal& each : place.goals) asked.shown.push_back(each.metric);
    Judge judge(asked, of.architecture);
    for (const WishedGoal& each : place.goals) {
        std::string& own = answers.own.emplace_back();
        std::string& problem = answers.problems.emplace_back();
        const std::optional<double> has = of_model(judge, of, each.metric);
        if (has) own = figure_text(each.metric, *has);
        std::optional<double> amount = has;
        if (!each.typed.empty()) {
            const Result<double> typed = parse_amount_of(each.metric, each.typed, info(each.metric).label);
            if (!typed) problem = said(typed.error());
            amount = typed ? std::optional(*typed) : std::nullopt;
        }
        if (amount)
            answers.wish.goals.push_back({each.metric, each.least, *amount});
        else
            answers.unread = true;
    }
    for (std::size_t i = 0; i < place.goals.size(); ++i) {
        const std::optional<Error> wrong = wrong_metric(answers.wish, place.goals[i].metric);
        if (!wrong || !answers.problems[i].empty()) continue;
        answers.problems[i] = said(*wrong);
        answers.unread = true;
    }
}

FoundAnswers find_answers(const WhatIfQuestion& of, const SolvePlace& place, const std::optional<SweepPoint>& now,
                          std::span<const Architecture> siblings, std::span<const Metric> shown) {
    FoundAnswers answers;
    Wish& wish = answers.wish;
    const bool of_total = place.held == Metric::total && place.goals.empty() && shown.empty();
    wish.held = place.held;
    wish.input = of_total ? Input{.tokens = 1} : of.input;
    wish.pass = of.pass;
    wish.reached = of.reached;
    wish.answers = shown.empty() ? most_answers : most_pictured;
    wish.shown.assign(shown.begin(), shown.end());
    wish.friendly = !place.any_shape;
    std::vector<Field> free = place.free.empty() ? std::vector{Field::layers} : place.free;
    // Of one number there is no front.
    if (!shown.empty() && free.size() == 1)
        free.insert(free.front() == Field::dim ? free.end() : free.begin(),
                    free.front() == Field::dim ? Field::layers : Field::dim);
    wish.free = freed(of.architecture, free, wish.friendly, siblings);
    const Result<std::int64_t> amount = wished(place, now);
    if (amount) wish.amount = *amount;
    read_goals(of, place, answers);
    if (!amount) {
        answers.unread = true;
        answers.problem = said(amount.error());
    }
    if (answers.unread) return answers;
    Result<std::vector<Answer>> list = solve(of.architecture, wish);
    if (!list)
        answers.problem = said(list.error());
    else if (const std::optional<Error> small = too_small(wish, list->front()))
        answers.problem = said(*small);
    else
        answers.answers = std::move(*list);
    return answers;
}

FoundWish find_wish(const WhatIfQuestion& question, const SolvePlace& place, std::span<const Architecture> siblings,
                    std::span<const Metric> shown = {}) {
    FoundWish found{question, place, point_of(question, {.memory = true, .pass = question.pass}), {}};
    found.answers = find_answers(question, place, found.now, siblings, shown);
    return found;
}

FoundSizes find_sizes(const FoundSolve& found, std::span<const Architecture> siblings) {
    FoundSizes sizes;
    sizes.siblings = sizes_followed(found.of.architecture, siblings);
    Result<std::int64_t> total = found.place.size.empty()
                                     ? Result<std::int64_t>(found.now ? found.now->parameters.total : 1)
                                     : parse_amount(found.place.size, "size", Unit::parameters);
    if (!total) {
        sizes.problem = said(total.error());
        return sizes;
    }
    sizes.total = *total;
    keep(same_shape(found.of.architecture, siblings, sizes.total), sizes.sizes, sizes.problem);
    return sizes;
}

// Of a mixture what a token passes is what is trained on it.
FoundTraining find_training(const FoundSolve& found) {
    FoundTraining training;
    const std::int64_t size = found.now ? std::max<std::int64_t>(1, found.now->parameters.active) : 1;
    training.rule = optimal_training(size);
    double budget = std::max(1.0, training.rule.flops);
    if (!found.place.budget.empty()) {
        const Result<double> typed = parse_operations(found.place.budget, "budget");
        if (!typed) {
            training.problem = said(typed.error());
            return training;
        }
        budget = *typed;
    }
    training.best = compute_optimal(budget);
    training.here = training_for(budget, size);
    if (const Result<CountedModel> model = count_model(found.of.architecture))
        training.laws = laws_say(found.of.architecture, model->parameters, budget);
    return training;
}

// Where devices vary, of none of them.
std::string no_figure_along(std::span<const ValueRange> ranges, Metric metric, const WhatIfQuestion& question) {
    std::string problem = no_figure(metric, question.pass, question.input);
    for (const ValueRange& range : ranges)
        if (range.choices)
            for (const Device& device : range.choices->devices) {
                PassOptions pass = question.pass;
                pass.device = device;
                if (problem = no_figure(metric, pass, question.input); problem.empty()) return problem;
            }
    return problem;
}

FoundSweep find_sweep(const WhatIfQuestion& question, const SweepPlace& place) {
    FoundSweep found{question, place, place.ranges, {}, {}, {}};
    if (found.ranges.empty()) found.ranges.push_back(suggested_range(question.architecture, Field::layers));
    const PointWants wants = wants_for(std::span(&place.metric, 1), question.pass, question.reached);
    found.problem = no_figure_along(found.ranges, place.metric, question);
    if (!found.problem.empty()) return found;
    found.now = point_of(question, wants);
    found.problem = too_many(found.ranges);
    if (!found.problem.empty()) return found;
    keep(sweep(question.architecture, found.ranges, question.input, wants), found.sweep, found.problem);
    return found;
}

FoundSensitivity find_sensitivity(const WhatIfQuestion& question, Metric metric) {
    FoundSensitivity found{question, metric, {}, no_figure(metric, question.pass, question.input)};
    if (found.problem.empty())
        keep(sensitivity(question.architecture, question.input,
                         wants_for(std::span(&metric, 1), question.pass, question.reached)),
             found.sensitivity, found.problem);
    return found;
}

// `siblings` are the published sizes of the model's family, itself among them.
FoundSolve find_solve(const WhatIfQuestion& question, const SolvePlace& place, std::span<const Architecture> siblings) {
    FoundSolve found;
    static_cast<FoundWish&>(found) = find_wish(question, place, siblings);
    found.sizes = find_sizes(found, siblings);
    found.training = find_training(found);
    return found;
}

FoundFront find_front(const WhatIfQuestion& question, const SolvePlace& place, std::span<const Architecture> siblings) {
    FoundFront found;
    const std::array<Metric, 2> shown{place.across, place.upwards};
    static_cast<FoundWish&>(found) = find_wish(question, place, siblings, shown);
    const Wish& wish = found.answers.wish;
    if (!found.answers.answers.empty())
        found.front = front_of(wish, found.answers.answers, wish.goals.size(), wish.goals.size() + 1);
    if (!found.now || wrong_metric(wish, shown[0]) || wrong_metric(wish, shown[1])) return found;
    Judge judge(wish, question.architecture);
    const auto x = judge.figure(shown[0], question.architecture), y = judge.figure(shown[1], question.architecture);
    if (x && y) found.figures = {*x, *y};
    return found;
}

}  // namespace

std::string no_figure(Metric metric, const PassOptions& pass, const Input& input) {
    if (needs_device(metric) && !pass.device) return "No device is known: see what Costs says of them";
    if (is_timed(metric) && !pass.roof_for(input, phase_of(metric, pass.phase)))
        return unpublished_speed(*pass.device) + ": choose another";
    if (metric == Metric::price && !pass.price) return "What an hour of this device costs is not said: type it";
    if (!is_likely(metric)) return "";
    const Result<Workload> run = workload_of(phase_of(metric, pass.phase), input, pass);
    return run ? "" : "How long it likely takes is not said: " + said(run.error());
}

void look_at_what_if(WhatIfPage& page, const WhatIfPlace& place, const WhatIfQuestion& question,
                     std::string_view preset, std::span<const Preset> presets) {
    switch (place.tab) {
        case WhatIfTab::sweep:
            if (!page.sweep || page.sweep->of != question || !page.sweep->is_of(place.sweep)) {
                page.sweep = std::make_shared<const FoundSweep>(find_sweep(question, place.sweep));
            } else if (page.sweep->place != place.sweep) {
                FoundSweep another = *page.sweep;
                another.place = place.sweep;
                page.sweep = std::make_shared<const FoundSweep>(std::move(another));
            }
            return;
        case WhatIfTab::sensitivity:
            if (!page.sensitivity || page.sensitivity->of != question || page.sensitivity->metric != place.sensitivity)
                page.sensitivity =
                    std::make_shared<const FoundSensitivity>(find_sensitivity(question, place.sensitivity));
            return;
        case WhatIfTab::front:
            if (!page.front || page.front->of != question || page.front->place != place.solve)
                page.front =
                    std::make_shared<const FoundFront>(find_front(question, place.solve, siblings_of(presets, preset)));
            return;
        case WhatIfTab::solve:
            if (!page.solve || page.solve->of != question || page.solve->place != place.solve)
                page.solve =
                    std::make_shared<const FoundSolve>(find_solve(question, place.solve, siblings_of(presets, preset)));
            return;
        case WhatIfTab::shelf: return;
    }
}

std::vector<Architecture> siblings_of(std::span<const Preset> presets, std::string_view id) {
    std::vector<Architecture> siblings;
    const Preset* const own = find_preset(presets, id);
    if (!own) return siblings;
    for (const Preset& each : presets)
        if (each.group == own->group) siblings.push_back(each.architecture);
    return siblings;
}

void change_what_if(WhatIfPlace& place, const WhatIfIntent& intent) {
    std::visit(Overloaded{
                   [&](const ShowWhatIfTab& show) { place.tab = show.tab; },
                   [&](const SetSweep& set) {
                       place.sweep = set.sweep;
                       if (place.sweep.ranges.size() > most_ranges) place.sweep.ranges.resize(most_ranges);
                       if (place.sweep.ranges.size() < most_ranges) place.sweep.third = 0;
                   },
                   [&](const SetSensitivity& set) { place.sensitivity = set.metric; },
                   [&](const SetWish& set) {
                       place.solve = set.solve;
                       if (place.solve.free.size() > most_freed) place.solve.free.resize(most_freed);
                       if (place.solve.goals.size() > most_goals) place.solve.goals.resize(most_goals);
                   },
                   [&](const SetShelf& set) { place.shelf = set.shelf; },
               },
               intent);
}

}  // namespace headcount
