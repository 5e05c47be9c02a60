// Tables and JSON of sensitivity.
#include "core/report/sensitivity_report.hpp"

#include "core/base/text.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

bool shown(const Sensitivity& all, const MetricInfo& metric) {
    return value_of(all.now, metric.metric).has_value();
}

ReportCell change_cell(const Sensitivity& all, const FieldStep& step, const MetricInfo& metric) {
    if (metric.unit == Unit::seconds) {
        const double change = change_of(all, step, metric.metric).value_or(0);
        return change > 0 ? "+" + factor_text(change) : change < 0 ? "-" + factor_text(-change) : "0";
    }
    return signed_grouped(whole_change_of(all, step, metric.metric).value_or(0));
}

}  // namespace

Table sensitivity_table(const Sensitivity& all, Metric by) {
    Table table{{{"field", ColumnAlign::left}, figures("from"), figures("to")}, {}};
    for (const MetricInfo& metric : metrics)
        if (shown(all, metric)) table.columns.push_back(figures(std::string(metric.key)));
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
            json[std::string(metric.key)] = *whole;
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

}  // namespace headcount
