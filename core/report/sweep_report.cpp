// A sweep's points as a table and as JSON.
#include "core/report/sweep_report.hpp"

#include "core/base/text.hpp"

namespace headcount {

using Json = nlohmann::ordered_json;

Table sweep_table(const Sweep& sweep) {
    Table table;
    for (Field field : sweep.fields) table.columns.push_back(figures(std::string(info(field).key)));
    for (const char* name : {"total", "active", "weights", "kv_cache", "kv_cache_per_token", "flops"})
        table.columns.push_back(figures(name));
    const bool memory = !sweep.points.empty() && sweep.points.front().memory;
    const bool seconds = !sweep.points.empty() && sweep.points.front().seconds;
    if (memory) table.columns.push_back(figures("memory"));
    if (seconds) table.columns.push_back(figures("seconds"));
    for (const SweepPoint& point : sweep.points) {
        std::vector<ReportCell> row;
        for (std::int64_t value : point.values) row.emplace_back(std::to_string(value));
        for (std::int64_t number : {point.parameters.total, point.parameters.active, point.weights, point.cache,
                                    point.cache_per_token, point.flops})
            row.emplace_back(number);
        if (memory) row.emplace_back(point.memory.value_or(0));
        if (seconds) row.emplace_back(factor_text(point.seconds.value_or(0)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Json sweep_json(const Sweep& sweep) {
    Json keys = Json::array(), points = Json::array();
    for (Field field : sweep.fields) keys.push_back(info(field).key);
    for (const SweepPoint& point : sweep.points) {
        Json each{{"values", point.values},
                  {"total", point.parameters.total},
                  {"active", point.parameters.active},
                  {"weights", point.weights},
                  {"kv_cache", point.cache},
                  {"kv_cache_per_token", point.cache_per_token},
                  {"flops", point.flops}};
        if (point.memory) each["memory"] = *point.memory;
        if (point.seconds) each["seconds"] = *point.seconds;
        points.push_back(std::move(each));
    }
    return {{"vary", std::move(keys)},
            {"left_out", sweep.left_out},
            {"too_large", sweep.too_large},
            {"points", std::move(points)}};
}

}  // namespace headcount
