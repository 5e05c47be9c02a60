// headcount diff: what a change of a model changes, with an exit status for scripts.
#include <cmath>
#include <ostream>

#include "app/cli/options.hpp"
#include "app/cli/two_models.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/analysis/condition.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/difference_report.hpp"
#include "core/report/table.hpp"
#include "core/report/what_if_report.hpp"

namespace headcount {
namespace {

struct DiffArguments {
    TwoArguments two;
    std::vector<Condition> fail_on;
    bool json = false;
};

// "params>1%,kv>0"
Result<std::vector<Condition>> read_conditions(const std::string& text, std::string_view flag) {
    std::vector<Condition> conditions;
    for (const std::string& each : split(text, ',')) {
        Result<Condition> condition = parse_condition(each, flag);
        if (!condition) return condition.error();
        conditions.push_back(*std::move(condition));
    }
    return conditions;
}

struct CheckedCondition {
    const Condition* condition;
    double change;
    bool holds;
};

Result<std::vector<CheckedCondition>> check(const std::vector<Condition>& conditions, const TwoModels& both) {
    std::vector<CheckedCondition> all;
    for (const Condition& each : conditions) {
        const std::optional<double> change = change_of(each, both.in_a, both.in_b, both.difference.fields.size());
        const std::string where = "--fail-on " + each.text;
        if (!change && both.a.pass.device)
            return Error{"there is no such figure of these models there", where, "name another"};
        if (!change)
            return Error{std::string(is_room(*each.metric) ? "room" : "time") + " is a device's", where,
                         "name one with --device"};
        all.push_back({&each, *change, holds(each, *change)});
    }
    return all;
}

std::string text_of_change(const CheckedCondition& checked) {
    const Condition& condition = *checked.condition;
    const std::string sign = checked.change < 0 ? "-" : "+";
    const double size = std::abs(checked.change);
    if (!condition.metric) return factor_text(size) + (size == 1 ? " field differs" : " fields differ");
    if (condition.percent) return std::isinf(size) ? "from nothing" : sign + factor_text(size) + " %";
    if (info(*condition.metric).unit == Unit::seconds) return sign + factor_text(size) + " s";
    if (info(*condition.metric).unit == Unit::tokens_per_second) return sign + factor_text(size) + " tokens a second";
    return sign + exact_amount_text(static_cast<std::int64_t>(size), *condition.metric);
}

Failure failure_of(const std::vector<CheckedCondition>& checked) {
    std::string texts;
    for (const CheckedCondition& each : checked)
        if (each.holds) texts += (texts.empty() ? "" : ", ") + each.condition->text + " (" + text_of_change(each) + ")";
    if (texts.empty()) return std::nullopt;
    return Error{"the models differ by more than they may", "--fail-on", texts};
}

nlohmann::ordered_json diff_json(const TwoModels& both, const std::vector<CheckedCondition>& checked) {
    nlohmann::ordered_json all = difference_json(both.a.model, both.b.model, both.difference);
    nlohmann::ordered_json json{{"a", all["a"]}, {"b", all["b"]}, {"fields", all["fields"]}};
    json["a"].update(asked_json(both.a));
    json["b"].update(asked_json(both.b));
    json["figures"] = both_points_json(both.in_a, both.in_b);
    json["conditions"] = nlohmann::ordered_json::array();
    for (const CheckedCondition& each : checked)
        json["conditions"].push_back(
            {{"condition", each.condition->text}, {"change", each.change}, {"holds", each.holds}});
    return json;
}

Failure print_diff(const DiffArguments& arguments, Output& output) {
    const Result<TwoModels> both = read_two_models(arguments.two, output.notes);
    if (!both) return both.error();
    const Result<std::vector<CheckedCondition>> checked = check(arguments.fail_on, *both);
    if (!checked) return checked.error();
    std::ostream& out = output.out;
    output.answered = true;
    if (arguments.json) {
        out << noted_json(diff_json(*both, *checked), both->notes);
        return failure_of(*checked);
    }
    out << "A, the old: " << printable(title_as_known(both->a.document))
        << "\nB, the new: " << printable(title_as_known(both->b.document)) << "\n\n";
    if (both->difference.fields.empty()) {
        out << "No field differs.\n";
    } else {
        write_figures(out, field_difference_table(both->difference), *both);
    }
    out << "\nWith " << pass_words(*both) << ":\n\n";
    write_figures(out, both_points_table(both->in_a, both->in_b, both->a.pass.sharding), *both);
    if (!checked->empty()) out << '\n';
    for (const CheckedCondition& each : *checked)
        out << each.condition->text << (each.holds ? " holds: " : " does not hold: ") << text_of_change(each) << '\n';
    return failure_of(*checked);
}

}  // namespace

Command diff_command() {
    const auto describe = [](CLI::App* command, DiffArguments& arguments) {
        add_two_models(command, arguments.two, "OLD", "NEW");
        add_value(command, "--fail-on", arguments.fail_on, "CONDITION[,CONDITION]",
                  "end with exit status 1 where one holds of NEW less OLD: params>1%, kv>0, memory>=1GiB, fields>0",
                  read_conditions);
        add_json(command, arguments.json);
    };
    return make_command("diff", "what a change of a model changes; an exit status for scripts", describe, print_diff);
}

}  // namespace headcount
