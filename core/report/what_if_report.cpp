// What other values of the fields give, as tables and as JSON.
#include "core/report/what_if_report.hpp"

#include <algorithm>
#include <cmath>

#include "core/analysis/amount_text.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/json.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

// A figure of which the model has none is not.
bool shown(const Sensitivity& all, const MetricInfo& metric) {
    const std::optional<double> now = value_of(all.now, metric.metric);
    return now && !is_none(metric.metric, *now);
}

ReportCell change_cell(const Sensitivity& all, const FieldStep& step, const MetricInfo& metric) {
    if (const std::optional<std::int64_t> whole = whole_change_of(all, step, metric.metric)) return ChangeCell{*whole};
    const std::optional<double> change = change_of(all, step, metric.metric);
    return change ? ReportCell(ChangeCell{*change}) : ReportCell(std::string());
}

ReportCell signed_amount(std::int64_t change, Metric metric) {
    if (info(metric).unit == Unit::parameters) return ChangeCell{change};
    const std::string size = amount_text(change < 0 ? -change : change, metric);
    return change == 0 ? "0" : (change < 0 ? "-" : "+") + size;
}

}  // namespace

std::string metric_title(Metric metric, const Sharding& sharding) {
    const bool shared = metric == Metric::memory && sharding.divided();
    return shared ? on_device_title(sharding) : std::string(info(metric).key);
}

Table sensitivity_table(const Sensitivity& all, Metric by, const Sharding& sharding) {
    Table table{{{"field"}, known("from"), known("to")}, {}};
    for (const MetricInfo& metric : metrics)
        if (shown(all, metric)) table.columns.push_back(figures(metric_title(metric.metric, sharding)));
    for (std::size_t place : sorted_steps(all, by)) {
        const FieldStep& step = all.steps[place];
        std::vector<ReportCell> row{std::string(info(step.field).key), step.text(step.from), step.text(step.to)};
        for (const MetricInfo& metric : metrics)
            if (shown(all, metric)) row.push_back(change_cell(all, step, metric));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Json sensitivity_json(const Sensitivity& all, Metric by) {
    Json now = Json::object(), steps = Json::array(), without = Json::array();
    const auto put = [](Json& json, const MetricInfo& metric, std::optional<std::int64_t> whole,
                        std::optional<double> real) {
        if (whole)
            json[std::string(metric.key)] = whole_json(*whole, metric.metric);
        else if (real)
            json[std::string(metric.key)] = *real;
    };
    for (const MetricInfo& metric : metrics)
        put(now, metric, whole_value_of(all.now, metric.metric), value_of(all.now, metric.metric));
    for (std::size_t place : sorted_steps(all, by)) {
        const FieldStep& step = all.steps[place];
        const bool number = info(step.field).kind == FieldKind::number;
        Json row{{"field", info(step.field).key},
                 {"from", number ? Json(step.from) : Json(step.text(step.from))},
                 {"to", number ? Json(step.to) : Json(step.text(step.to))}};
        for (const MetricInfo& metric : metrics)
            put(row, metric, whole_change_of(all, step, metric.metric), change_of(all, step, metric.metric));
        steps.push_back(std::move(row));
    }
    for (Field field : all.without) without.push_back(info(field).key);
    return {
        {"by", info(by).key}, {"now", std::move(now)}, {"steps", std::move(steps)}, {"without", std::move(without)}};
}

std::string real_text(double value, Metric metric) {
    switch (info(metric).unit) {
        case Unit::seconds: return seconds_text(value);
        case Unit::flops: return flop_text(value);
        default: return real_text(value);
    }
}

namespace {

ReportCell sweep_cell(const SweepPoint& point, Metric metric) {
    if (const std::optional<std::int64_t> whole = whole_value_of(point, metric))
        return is_room(metric) && any_has_room(*whole) ? ReportCell(room_text(*whole)) : *whole;
    const std::optional<double> real = value_of(point, metric);
    if (!real) return std::string();
    constexpr double most = 1e15;  // operations a token, say, which are a whole number as well
    if (*real == std::floor(*real) && *real < most) return static_cast<std::int64_t>(*real);
    return factor_text(*real);
}

}  // namespace

std::vector<Metric> usual_figures(const PointWants& wants) {
    std::vector<Metric> figures{Metric::total, Metric::active,          Metric::weights,
                                Metric::cache, Metric::cache_per_token, Metric::flops};
    if (wants.memory) figures.push_back(Metric::memory);
    if (wants.pass.device) figures.push_back(Metric::seconds);
    if (wants.pass.price) figures.push_back(Metric::price);
    return figures;
}

bool all_fit(const Sweep& sweep) {
    return std::ranges::all_of(sweep.points, [](const SweepPoint& each) { return each.fits != false; });
}

Table sweep_table(const Sweep& sweep, std::span<const Metric> shown, const Sharding& sharding, bool all_fit) {
    Table table;
    for (const ValueRange& range : sweep.ranges) table.columns.push_back(known(std::string(range.key())));
    for (const Metric metric : shown) table.columns.push_back(figures(metric_title(metric, sharding)));
    if (!all_fit) table.columns.push_back({"fits"});
    for (const SweepPoint& point : sweep.points) {
        std::vector<ReportCell> row;
        for (std::size_t i = 0; i < point.values.size(); ++i)
            row.emplace_back(value_text(sweep.ranges[i], point.values[i]));
        for (const Metric metric : shown) row.push_back(sweep_cell(point, metric));
        if (!all_fit) row.emplace_back(!point.fits ? "" : *point.fits ? "yes" : "no");
        table.rows.push_back(std::move(row));
    }
    return table;
}

Json sweep_json(const Sweep& sweep, std::span<const Metric> shown) {
    Json keys = Json::array(), points = Json::array();
    for (const ValueRange& range : sweep.ranges) keys.push_back(range.key());
    for (const SweepPoint& point : sweep.points) {
        Json values = Json::array();
        for (std::size_t i = 0; i < point.values.size(); ++i) {
            const ValueRange& range = sweep.ranges[i];
            const std::int64_t value = point.values[i];
            if (!range.choices)
                values.push_back(value);
            else if (range.choices->counts_devices())
                values.push_back(range.choices->counts[static_cast<std::size_t>(value)]);
            else
                values.push_back(value_text(range, value));
        }
        Json each{{"values", std::move(values)}};
        for (const Metric metric : shown) {
            const std::string key(info(metric).key);
            if (const std::optional<std::int64_t> whole = whole_value_of(point, metric))
                each[key] = whole_json(*whole, metric);
            else if (const std::optional<double> real = value_of(point, metric))
                each[key] = *real;
        }
        if (point.fits) each["fits"] = *point.fits;
        points.push_back(std::move(each));
    }
    return {{"vary", std::move(keys)},
            {"left_out", sweep.left_out},
            {"too_large", sweep.too_large},
            {"points", std::move(points)}};
}

Table both_points_table(const SweepPoint& a, const SweepPoint& b, const Sharding& sharding) {
    Table table{{{"figure"}, {"A", ColumnKind::of_a}, {"B", ColumnKind::of_b}, figures("difference"), figures("of A")},
                {}};
    for (const MetricInfo& metric : metrics) {
        const std::optional<double> in_a = value_of(a, metric.metric), in_b = value_of(b, metric.metric);
        if (!in_a || !in_b || (is_none(metric.metric, *in_a) && is_none(metric.metric, *in_b))) continue;
        const auto whole_a = whole_value_of(a, metric.metric), whole_b = whole_value_of(b, metric.metric);
        std::vector<ReportCell> row{metric_title(metric.metric, sharding)};
        bool any = false;  // of which nothing can be taken away
        if (whole_a && whole_b) {
            for (const std::int64_t whole : {*whole_a, *whole_b})
                row.emplace_back(exact_amount_text(whole, metric.metric));
            any = is_room(metric.metric) && (any_has_room(*whole_a) || any_has_room(*whole_b));
            row.push_back(any ? ReportCell(std::string()) : signed_amount(*whole_b - *whole_a, metric.metric));
        } else {
            for (const double real : {*in_a, *in_b}) row.emplace_back(real_text(real, metric.metric));
            row.emplace_back((*in_b < *in_a ? "-" : "+") + real_text(std::abs(*in_b - *in_a), metric.metric));
        }
        row.emplace_back(*in_a > 0 && !any ? factor_text(100 * (*in_b - *in_a) / *in_a) + " %" : "");
        table.rows.push_back(std::move(row));
    }
    return table;
}

Json both_points_json(const SweepPoint& a, const SweepPoint& b) {
    Json list = Json::array();
    for (const MetricInfo& metric : metrics) {
        const std::optional<double> in_a = value_of(a, metric.metric), in_b = value_of(b, metric.metric);
        if (!in_a || !in_b) continue;
        const auto whole_a = whole_value_of(a, metric.metric), whole_b = whole_value_of(b, metric.metric);
        Json row{{"figure", metric.key}};
        if (whole_a && whole_b)
            row.update({{"a", whole_json(*whole_a, metric.metric)},
                        {"b", whole_json(*whole_b, metric.metric)},
                        {"difference", *whole_b - *whole_a}});
        else
            row.update({{"a", *in_a}, {"b", *in_b}, {"difference", *in_b - *in_a}});
        if (row["a"].is_null() || row["b"].is_null()) row["difference"] = nullptr;
        list.push_back(std::move(row));
    }
    return list;
}

Table answers_table(const Wish& wish, std::span<const Answer> answers) {
    Table table;
    for (const Freed& freed : wish.free) table.columns.push_back(known(std::string(info(freed.field).key)));
    table.columns.push_back(figures("total"));
    const bool budget = wish.held != Metric::total;
    if (budget) table.columns.push_back(figures(metric_title(wish.held, wish.pass.sharding)));
    table.columns.push_back(figures(budget ? "left" : "difference"));
    table.columns.push_back(figures("of it"));
    for (std::size_t i = 0; i < wish.goals.size() + wish.shown.size(); ++i)
        table.columns.push_back(figures(metric_title(metric_at(wish, i), wish.pass.sharding)));
    for (const Answer& answer : answers) {
        std::vector<ReportCell> row;
        for (std::int64_t value : answer.values) row.emplace_back(std::to_string(value));
        row.emplace_back(answer.parameters.total);
        if (budget) row.emplace_back(amount_text(answer.amount, wish.held));
        const std::int64_t away = budget ? wish.amount - answer.amount : answer.amount - wish.amount;
        row.push_back(budget ? ReportCell(amount_text(away, wish.held)) : signed_amount(away, wish.held));
        row.emplace_back(percent(away, wish.amount));
        for (std::size_t i = 0; i < answer.figures.size(); ++i)
            row.emplace_back(figure_text(metric_at(wish, i), answer.figures[i]));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Json answers_json(const Wish& wish, std::span<const Answer> answers) {
    Json list = Json::array();
    for (const Answer& answer : answers)
        list.push_back(
            {{"value", answer.values.front()}, {"total", answer.amount}, {"difference", answer.amount - wish.amount}});
    return {{"field", info(wish.free.front().field).key}, {"wanted", wish.amount}, {"answers", std::move(list)}};
}

Json answers_of_several_json(const Wish& wish, std::span<const Answer> answers, std::span<const std::size_t> front) {
    const auto put = [&](Json& json, std::size_t place, double figure) {
        const Metric metric = metric_at(wish, place);
        const bool whole = !is_timed(metric);
        json[std::string(info(metric).key)] =
            whole ? whole_json(static_cast<std::int64_t>(figure), metric) : Json(figure);
    };
    Json keys = Json::array(), list = Json::array();
    for (const Freed& freed : wish.free) keys.push_back(info(freed.field).key);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const Answer& answer = answers[i];
        Json& json = list.emplace_back(Json{{"values", answer.values},
                                            {"total", answer.parameters.total},
                                            {"active", answer.parameters.active},
                                            {"amount", answer.amount},
                                            {"difference", answer.amount - wish.amount}});
        Json figures = Json::object();
        for (std::size_t place = 0; place < answer.figures.size(); ++place) put(figures, place, answer.figures[place]);
        for (std::size_t place = 0; place < wish.goals.size(); ++place)
            json["limited"].push_back(figures[std::string(info(metric_at(wish, place)).key)]);
        if (!wish.shown.empty()) {
            json["figures"] = std::move(figures);
            json["front"] = contains(front, i);
        }
    }
    Json json{{"free", std::move(keys)}, {"held", info(wish.held).key}, {"wanted", wish.amount}};
    for (std::size_t place = 0; place < wish.goals.size(); ++place) {
        const Goal& goal = wish.goals[place];
        Json amount = Json::object();
        put(amount, place, goal.amount);
        json["limits"].push_back({{"figure", info(goal.metric).key}, {goal.least ? "least" : "most", amount.front()}});
    }
    for (const Metric each : wish.shown) json["front"].push_back(info(each).key);
    json["answers"] = std::move(list);
    return json;
}

Table sizes_table(std::int64_t total, const Architecture& arch, std::span<const SizedModel> sizes) {
    Table table;
    for (Field field : sized_fields(arch)) table.columns.push_back(known(std::string(info(field).key)));
    for (const char* name : {"total", "difference", "of it"}) table.columns.push_back(figures(name));
    for (const SizedModel& size : sizes) {
        std::vector<ReportCell> row;
        for (Field field : sized_fields(arch))
            row.emplace_back(std::to_string(field_number(size.architecture, field).value_or(0)));
        const std::int64_t away = size.parameters.total - total;
        row.emplace_back(size.parameters.total);
        row.emplace_back(ChangeCell{away});
        row.emplace_back(percent(away, total));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Json sizes_json(std::int64_t total, const Architecture& arch, std::size_t siblings, std::span<const SizedModel> sizes) {
    Json list = Json::array();
    for (const SizedModel& size : sizes) {
        Json values = Json::object();
        for (Field field : sized_fields(arch))
            values[std::string(info(field).key)] = field_number(size.architecture, field).value_or(0);
        list.push_back({{"fields", std::move(values)},
                        {"total", size.parameters.total},
                        {"active", size.parameters.active},
                        {"difference", size.parameters.total - total}});
    }
    return {{"wanted", total}, {"published_sizes", siblings}, {"answers", std::move(list)}};
}

}  // namespace headcount
