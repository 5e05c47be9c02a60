// A sweep's points and a search's answers as tables and as JSON.
#include "core/report/sweep_report.hpp"

#include "core/base/text.hpp"

namespace headcount {

using Json = nlohmann::ordered_json;

Table sweep_table(const Sweep& sweep) {
    Table table;
    for (Field field : sweep.fields) table.columns.push_back({std::string(info(field).key), ColumnAlign::right});
    for (const char* name : {"total", "active", "weights", "kv_cache", "kv_cache_per_token", "flops"})
        table.columns.push_back({name, ColumnAlign::right});
    for (const SweepPoint& point : sweep.points) {
        std::vector<Cell> row;
        for (std::int64_t value : point.values) row.emplace_back(std::to_string(value));
        for (std::int64_t number : {point.parameters.total, point.parameters.active, point.weights, point.cache,
                                    point.cache_per_token, point.flops})
            row.emplace_back(number);
        table.rows.push_back(std::move(row));
    }
    return table;
}

Json sweep_json(const Sweep& sweep) {
    Json keys = Json::array(), points = Json::array();
    for (Field field : sweep.fields) keys.push_back(info(field).key);
    for (const SweepPoint& point : sweep.points)
        points.push_back({{"values", point.values},
                          {"total", point.parameters.total},
                          {"active", point.parameters.active},
                          {"weights", point.weights},
                          {"kv_cache", point.cache},
                          {"kv_cache_per_token", point.cache_per_token},
                          {"flops", point.flops}});
    return {{"vary", std::move(keys)},
            {"left_out", sweep.left_out},
            {"too_large", sweep.too_large},
            {"points", std::move(points)}};
}

Table answers_table(const Wish& wish, std::span<const Answer> answers) {
    Table table{{{std::string(info(wish.field).key), ColumnAlign::right},
                 {"total", ColumnAlign::right},
                 {"difference", ColumnAlign::right},
                 {"of it", ColumnAlign::right}},
                {}};
    for (const Answer& answer : answers)
        table.rows.push_back({std::to_string(answer.value), answer.total, signed_grouped(answer.total - wish.total),
                              percent(answer.total - wish.total, wish.total)});
    return table;
}

Json answers_json(const Wish& wish, std::span<const Answer> answers) {
    Json list = Json::array();
    for (const Answer& answer : answers)
        list.push_back({{"value", answer.value}, {"total", answer.total}, {"difference", answer.total - wish.total}});
    return {{"field", info(wish.field).key}, {"wanted", wish.total}, {"answers", std::move(list)}};
}

}  // namespace headcount
