// What measurements say, as tables and as JSON; see the header.
#include "core/report/measured_report.hpp"

#include <algorithm>
#include <cmath>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/goal.hpp"
#include "core/analysis/rates.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/report/costs_report.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

std::string part_text(double part) { return factor_text(std::round(1000 * part) / 10) + " %"; }

double rate_of(const Checked& row) { return tokens_per_second(row.time.tokens, row.time.seconds); }

std::string model_text(const Measurement& measurement) {
    std::string text = measurement.model;
    for (const auto& [key, value] : measurement.set) text.append(" ").append(key).append("=").append(value);
    return text;
}

// Of fewer devices than share the pass, it says how many.
std::string measurements_text(const Likely& likely) {
    const std::vector<Measurement>& of = likely.of;
    std::vector<std::string_view> devices;
    std::int64_t most = 0;
    for (const Measurement& each : of) {
        if (!contains(devices, each.run.device.id)) devices.push_back(each.run.device.id);
        most = std::max(most, each.run.devices);
    }
    return grouped(std::ssize(of)) + (of.size() == 1 ? " measurement: " : " measurements: ") + listed(devices) +
           (most < likely.devices ? ", of at most " + grouped(most) + (most == 1 ? " device" : " devices") : "");
}

}  // namespace

std::string range_text(const Efficiency& efficiency) {
    if (efficiency.least == efficiency.most) return part_text(efficiency.likely);
    return part_text(efficiency.likely) + " (" + part_text(efficiency.least) + " to " + part_text(efficiency.most) +
           ")";
}

std::string concluded_text(const Likely& likely) {
    if (likely.sending == likely.seconds()) return "what is sent, which takes longer";
    if (likely.with_fewer == likely.seconds()) return "a step of fewer sequences, which cannot take longer";
    return measurements_text(likely);
}

Table likely_table(std::span<const Likely> passes) {
    Table table{{{"pass"}, figures("likely"), figures("tokens a second"), {"of the roof's speed"}, {"concluded from"}},
                {}};
    for (const Likely& each : passes)
        table.rows.push_back({std::string(word_of(phase_words, each.phase)), seconds_text(each.seconds()),
                              real_text(tokens_per_second(each.tokens, each.seconds())),
                              each.follows_part() ? range_text(each.efficiency) : "", concluded_text(each)});
    return table;
}

std::string unlikely_words(Phase phase, const Error& why) {
    return "How long the " + std::string(word_of(phase_nouns, phase)) + " likely takes is not said: " + sentence(why);
}

Table served_table(const Served& bound, const Served& likely) {
    const std::string copies =
        bound.copies > 1 ? grouped(bound.copies) + " × " + grouped(bound.users / bound.copies) + " = " : "";
    const std::string users =
        bound.users == 1 ? "for one user" : "for " + copies + grouped(bound.users) + " users at once";
    Table table{{{users}, {""}, figures("at the roof"), figures("likely")}, {}};
    for (const MetricInfo& each : metrics) {
        const std::optional<double> best = value_of(bound, each.metric), is = value_of(likely, each.metric);
        if (!best) continue;
        table.rows.push_back({std::string(each.label), each.unit == Unit::seconds ? "at least" : "at most",
                              figure_text(each.metric, *best), is ? figure_text(each.metric, *is) : ""});
    }
    return table;
}

Json served_json(const Served& bound, const Served& likely) {
    const auto put = [](Json& json, const Served& served) {
        for (const MetricInfo& each : metrics)
            if (const std::optional<double> value = value_of(served, each.metric)) json[each.key] = *value;
    };
    Json json{{"users", bound.users}, {"copies", bound.copies}}, of_likely = Json::object();
    put(json, bound);
    put(of_likely, likely);
    json["likely"] = std::move(of_likely);
    return json;
}

Json likely_json(const Likely& likely) {
    Json of = Json::array();
    for (const Measurement& each : likely.of)
        of.push_back({{"model", model_text(each)},
                      {"device", each.run.device.id},
                      {"devices", each.run.devices},
                      {"source", each.source}});
    return {{"seconds", likely.seconds()},
            {"tokens_per_second", tokens_per_second(likely.tokens, likely.seconds())},
            {"efficiency", likely.efficiency.likely},
            {"least", likely.efficiency.least},
            {"most", likely.efficiency.most},
            {"of", std::move(of)}};
}

Table checked_table(std::span<const Checked> rows) {
    Table table{{{"model"},
                 {"device"},
                 {"pass"},
                 figures("tokens"),
                 figures("batch"),
                 {"weights"},
                 figures("measured"),
                 figures("at most"),
                 figures("part"),
                 figures("predicted"),
                 figures("off"),
                 {"with"},
                 {"source"}},
                {}};
    for (const Checked& row : rows) {
        const Measurement& one = *row.measurement;
        const Workload& run = one.run;
        const double measured = rate_of(row);
        table.rows.push_back({model_text(one), (run.devices > 1 ? grouped(run.devices) + " × " : "") + run.device.id,
                              std::string(word_of(phase_words, run.phase)), run.input.tokens, run.input.batch,
                              formats_text(run.input.precision), real_text(measured),
                              real_text(tokens_per_second(row.time.tokens, row.time.bound)),
                              part_text(row.time.efficiency()), row.predicted ? real_text(*row.predicted) : "",
                              row.predicted ? (*row.predicted < measured ? "-" : "+") +
                                                  part_text(std::abs(*row.predicted / measured - 1))
                                            : "",
                              one.with, one.source});
    }
    return table;
}

Json checked_json(std::span<const Checked> rows) {
    Json list = Json::array();
    for (const Checked& row : rows) {
        const Measurement& one = *row.measurement;
        const Workload& run = one.run;
        Json json{{"model", one.model},
                  {"set", Json::object()},
                  {"device", run.device.id},
                  {"devices", run.devices},
                  {"phase", word_of(phase_words, run.phase)},
                  {"tokens", run.input.tokens},
                  {"batch", run.input.batch},
                  {"dtype", formats_text(run.input.precision)},
                  {"tokens_per_second", rate_of(row)},
                  {"bound", tokens_per_second(row.time.tokens, row.time.bound)},
                  {"efficiency", row.time.efficiency()},
                  {"predicted", nullptr},
                  {"with", one.with},
                  {"source", one.source}};
        for (const auto& [key, value] : one.set) json["set"][key] = value;
        if (row.predicted) json["predicted"] = *row.predicted;
        list.push_back(std::move(json));
    }
    return list;
}

}  // namespace headcount
