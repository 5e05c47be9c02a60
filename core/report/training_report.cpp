// The size and the tokens that a training's budget is best spent on, as tables and as JSON.
#include "core/report/training_report.hpp"

#include "core/analysis/amount_text.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/report/costs_report.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

Json plan_json(const TrainingPlan& plan) {
    return {{"flops", plan.flops},
            {"parameters", plan.parameters},
            {"tokens", plan.tokens},
            {"tokens_per_parameter", plan.tokens_each()}};
}

}  // namespace

Table training_table(const TrainingPlans& plans) {
    Table table{
        {{"training"}, figures("parameters"), figures("tokens"), figures("tokens a parameter"), figures("operations")},
        {}};
    for (const auto& [name, plan] : {std::pair<const char*, const TrainingPlan*>{"best for the budget", &plans.best},
                                     {"this model for the budget", &plans.here},
                                     {"this model by the rule", &plans.rule}})
        table.rows.push_back({std::string(name), rough_count_text(plan->parameters), rough_count_text(plan->tokens),
                              factor_text(plan->tokens_each()), flop_text(plan->flops)});
    return table;
}

Json training_json(const TrainingPlans& plans) {
    return {{"flops", plans.best.flops},
            {"best", plan_json(plans.best)},
            {"model", plan_json(plans.here)},
            {"rule", plan_json(plans.rule)},
            {"source", compute_optimal_source}};
}

std::vector<std::string> sources_of(std::span<const LawSays> laws) {
    std::vector<std::string> sources;
    for (const LawSays& says : laws)
        if (!contains(sources, says.law->source)) sources.emplace_back(says.law->source);
    return sources;
}

std::string loss_text(const LawTraining& training) { return training.loss ? decimal_text(*training.loss, 2) : ""; }

std::string outside_text(const LawSays& says) {
    std::string text;
    const auto add = [&](const std::string& each) { text += (text.empty() ? "" : ", ") + each; };
    const std::vector<std::string>& best = says.best.outside;
    for (const std::string& each : best) add(each);
    for (const std::string& each : says.here.outside)
        if (!contains(best, each)) add("with this model " + each);
    return text;
}

Table laws_table(std::span<const LawSays> laws) {
    Table table{{{"law"},
                 {"N is"},
                 known("best N"),
                 known("tokens"),
                 known("loss"),
                 figures("this model's N"),
                 figures("tokens"),
                 figures("loss"),
                 figures("best tokens for it"),
                 {"outside of what the law was fitted on"}},
                {}};
    for (const LawSays& says : laws)
        table.rows.push_back({std::string(says.law->name), says.counted, rough_count_text(says.best.plan.parameters),
                              rough_count_text(says.best.plan.tokens), loss_text(says.best),
                              rough_count_text(says.here.plan.parameters), rough_count_text(says.here.plan.tokens),
                              loss_text(says.here), rough_count_text(says.own.plan.tokens), outside_text(says)});
    return table;
}

Json laws_json(std::span<const LawSays> laws) {
    const auto trained = [](const LawTraining& training) {
        Json json = plan_json(training.plan);
        json["loss"] = training.loss ? Json(*training.loss) : Json(nullptr);
        json["outside"] = training.outside;
        return json;
    };
    Json list = Json::array();
    for (const LawSays& says : laws) {
        const FittedOn& fitted = says.law->fitted;
        list.push_back({{"law", says.law->name},
                        {"source", says.law->source},
                        {"counts", says.counted},
                        {"fitted",
                         {{"parameters", {fitted.least_parameters, fitted.most_parameters}},
                          {"tokens", {fitted.least_tokens, fitted.most_tokens}},
                          {"data", fitted.data}}},
                        {"best", trained(says.best)},
                        {"model", trained(says.here)},
                        {"own", trained(says.own)}});
    }
    return list;
}

}  // namespace headcount
