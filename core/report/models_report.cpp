// Several models side by side, a row each: tables and JSON.
#include "core/report/models_report.hpp"

#include <algorithm>

#include "core/analysis/amount_text.hpp"
#include "core/arch/family.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/json.hpp"
#include "core/report/what_if_report.hpp"

namespace headcount {
namespace {

// Row by row, as far as its model is known.
Table marked(Table table, std::span<const ModelBeside> models) {
    for (std::size_t i = 0; i < models.size(); ++i) mark(table.columns, table.rows[i], models[i].sign);
    return table;
}

}  // namespace

Table models_table(std::span<const ModelBeside> models) {
    Table table{{{"model"}, figures("total"), figures("active")}, {}};
    for (const ModelBeside& of : models) {
        const Parameters& parameters = of.model.parameters;
        table.rows.push_back({of.model.architecture.name, parameters.total, parameters.active});
    }
    for (const Component component : components) {
        const auto count = [&](const ModelBeside& of) { return of.model.parameters.of(component); };
        if (std::ranges::all_of(models, [&](const ModelBeside& of) { return count(of) == 0; })) continue;
        table.columns.push_back(figures(std::string(component_name(component))));
        for (std::size_t i = 0; i < models.size(); ++i) table.rows[i].emplace_back(count(models[i]));
    }
    return marked(std::move(table), models);
}

Table model_figures_table(std::span<const ModelBeside> models) {
    Table table{{{"model"}}, {}};
    for (const ModelBeside& of : models) table.rows.push_back({of.model.architecture.name});
    for (const MetricInfo& metric : metrics) {
        const bool counted = metric.unit == Unit::parameters;  // which the other table has
        const auto lacks = [&](const ModelBeside& of) { return !value_of(of.point, metric.metric); };
        const auto none = [&](const ModelBeside& of) {
            return is_none(metric.metric, value_of(of.point, metric.metric).value_or(0));
        };
        if (counted || std::ranges::any_of(models, lacks) || std::ranges::all_of(models, none)) continue;
        table.columns.push_back(figures(std::string(metric.key)));
        for (std::size_t i = 0; i < models.size(); ++i) {
            const std::optional<std::int64_t> whole = whole_value_of(models[i].point, metric.metric);
            table.rows[i].emplace_back(whole ? exact_amount_text(*whole, metric.metric)
                                             : real_text(*value_of(models[i].point, metric.metric), metric.metric));
        }
    }
    return marked(std::move(table), models);
}

nlohmann::ordered_json model_json(const CountedModel& model) {
    return {{"name", model.architecture.name},
            {"family", model.architecture.family->name},
            {"total", model.parameters.total},
            {"active", model.parameters.active},
            {"by_component", by_component(model.parameters.by_component)}};
}

nlohmann::ordered_json figures_json(const SweepPoint& point) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const MetricInfo& metric : metrics) {
        if (const auto whole = whole_value_of(point, metric.metric))
            json[std::string(metric.key)] = whole_json(*whole, metric.metric);
        else if (const auto real = value_of(point, metric.metric))
            json[std::string(metric.key)] = *real;
    }
    return json;
}

}  // namespace headcount
