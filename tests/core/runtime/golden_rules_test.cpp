// The golden files notice it when a rule is left out or bent: for each number of Computation at least one of them
// disagrees. Else a mistake in it would go unseen.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "tests/core/runtime/golden_model.hpp"

namespace headcount {
namespace {

using namespace testing_data;

using Bend = std::function<void(Computation&)>;

Bend of_ropes(const std::function<void(Rope&)>& bend) {
    return [bend](Computation& computation) {
        bend(computation.rope);
        if (computation.windowed_rope) bend(*computation.windowed_rope);
    };
}

Bend of_ropes(RopeScaling scaling, const std::function<void(Rope&)>& bend) {
    return of_ropes([=](Rope& rope) {
        if (rope.scaling == scaling) bend(rope);
    });
}

// Where a model has no such rule, nothing changes, and the model is left out.
const std::map<std::string, Bend>& rope_bends() {
    static const std::map<std::string, Bend> all{
        {"windowed_rope", [](Computation& c) { c.windowed_rope.reset(); }},
        {"base", of_ropes([](Rope& rope) { rope.base *= 1.1; })},
        {"pairs", of_ropes([](Rope& rope) { rope.pairs = RopePairs::halves; })},
        {"scaling", of_ropes([](Rope& rope) { rope.scaling = RopeScaling::none; })},
        {"attention_factor", of_ropes([](Rope& rope) { rope.attention_factor = 1; })},
        {"linear factor", of_ropes(RopeScaling::linear, [](Rope& rope) { rope.factor = 1; })},
        {"llama3 factor", of_ropes(RopeScaling::llama3, [](Rope& rope) { rope.factor *= 2; })},
        {"llama3 original_context", of_ropes(RopeScaling::llama3, [](Rope& rope) { rope.original_context *= 2; })},
        {"low_factor", of_ropes(RopeScaling::llama3, [](Rope& rope) { rope.low_factor = 2; })},
        {"high_factor", of_ropes(RopeScaling::llama3, [](Rope& rope) { rope.high_factor = 8; })},
        {"yarn factor", of_ropes(RopeScaling::yarn, [](Rope& rope) { rope.factor *= 2; })},
        {"yarn original_context", of_ropes(RopeScaling::yarn, [](Rope& rope) { rope.original_context *= 8; })},
        {"beta_fast", of_ropes(RopeScaling::yarn, [](Rope& rope) { rope.beta_fast /= 8; })},
        {"beta_slow", of_ropes(RopeScaling::yarn, [](Rope& rope) { rope.beta_slow /= 10; })},
        {"truncate", of_ropes(RopeScaling::yarn, [](Rope& rope) { rope.truncate = true; })},
        {"divisors", of_ropes([](Rope& rope) { std::swap(rope.short_divisors, rope.long_divisors); })},
        {"longrope original_context",
         of_ropes(RopeScaling::longrope,
                  [](Rope& rope) { rope.original_context = rope.original_context < 20 ? 100 : 4; })},
    };
    return all;
}

const std::map<std::string, Bend>& routing_bends() {
    const auto scores = [](RouterScores from, RouterScores to) {
        return [=](Computation& c) {
            if (c.routing.scores == from && !c.routing.normalized) c.routing.scores = to;
        };
    };
    static const std::map<std::string, Bend> all{
        {"softmax", scores(RouterScores::softmax, RouterScores::softmax_of_chosen)},
        {"softmax_of_chosen", scores(RouterScores::softmax_of_chosen, RouterScores::softmax)},
        {"sigmoid", scores(RouterScores::sigmoid, RouterScores::softmax)},
        {"normalized", [](Computation& c) { c.routing.normalized = false; }},
        {"not normalized",
         [](Computation& c) {
             if (c.routing.scores != RouterScores::softmax_of_chosen) c.routing.normalized = true;
         }},
        {"scaling", [](Computation& c) { c.routing.scaling = 1; }},
        {"on_input", [](Computation& c) { c.routing.on_input = false; }},
        {"groups", [](Computation& c) { c.routing.groups = c.routing.groups_used = 1; }},
        {"group_by_best_two",
         [](Computation& c) {
             if (c.routing.groups > 1) c.routing.group_by_best_two = false;
         }},
    };
    return all;
}

const std::map<std::string, Bend>& step_bends() {
    static const std::map<std::string, Bend> all{
        {"least step", [](Computation& c) { c.step.least = 0; }},
        {"largest step", [](Computation& c) { c.step.most.reset(); }},
    };
    return all;
}

const std::map<std::string, Bend>& attention_bends() {
    static const std::map<std::string, Bend> all{
        {"clip_qkv", [](Computation& c) { c.clip_qkv.reset(); }},
        {"score_scale", [](Computation& c) { c.score_scale *= 1.1; }},
        {"score_scale_by_layer", [](Computation& c) { c.score_scale_by_layer = false; }},
        {"score_soft_cap", [](Computation& c) { c.score_soft_cap.reset(); }},
    };
    return all;
}

const std::map<std::string, Bend>& other_bends() {
    static const std::map<std::string, Bend> all{
        {"embedding_scale", [](Computation& c) { c.embedding_scale = 1; }},
        {"residual_scale", [](Computation& c) { c.residual_scale = 1; }},
        {"logit_scale", [](Computation& c) { c.logit_scale = 1; }},
        {"logit_soft_cap", [](Computation& c) { c.logit_soft_cap.reset(); }},
        {"norm_offset", [](Computation& c) { c.norm_offset = 0; }},
        {"latent_norm_epsilon", [](Computation& c) { c.latent_norm_epsilon.reset(); }},
        {"slopes",
         [](Computation& c) {
             if (c.alibi) c.alibi->slopes.assign(c.alibi->slopes.size(), 0);
         }},
        {"order of slopes",
         [](Computation& c) {
             if (c.alibi) std::reverse(c.alibi->slopes.begin(), c.alibi->slopes.end());
         }},
        {"rounded_before_scale",
         [](Computation& c) {
             if (c.alibi) c.alibi->rounded_before_scale = false;
         }},
        {"query_temperature", [](Computation& c) { c.query_temperature.reset(); }},
        {"query_temperature floor",
         [](Computation& c) {
             if (c.query_temperature) c.query_temperature->floor += 1;
         }},
        {"relative_distance",
         [](Computation& c) {
             if (c.relative_distance != Computation().relative_distance) c.relative_distance *= 2;
         }},
        {"clamped_gate", [](Computation& c) { c.clamped_gate.reset(); }},
        {"alpha",
         [](Computation& c) {
             if (c.clamped_gate) c.clamped_gate->alpha = 1;
         }},
        {"limit",
         [](Computation& c) {
             if (c.clamped_gate) c.clamped_gate->limit /= 2;
         }},
    };
    return all;
}

bool notices(const std::shared_ptr<const Model>& model, const GoldenModel& golden) {
    Run run = start(model);
    give_texts(run, golden);
    append(run, golden.prompt);
    const std::vector<double> apart = differences(run, golden);
    return *std::max_element(apart.begin(), apart.end()) > agreement;
}

using Has = std::function<bool(const Architecture&)>;

void expect_notice(const std::map<std::string, Bend>& bends, const Has& has) {
    std::map<std::string, int> models;
    for (const std::string& name : golden_runs()) {
        const GoldenModel golden = golden_run(name);
        if (golden.shipped || !has(golden.architecture)) continue;
        const std::shared_ptr<Model> model = std::const_pointer_cast<Model>(model_of(golden));
        const Computation right = *computation_of(golden.architecture);
        for (const auto& [rule, bend] : bends) {
            Computation bent = right;
            bend(bent);
            if (bent == right) continue;
            ++models[rule];
            model->graph = expand(golden.architecture, bent, Cache::filled);
            EXPECT_TRUE(notices(model, golden)) << name << " without its " << rule;
        }
    }
    for (const auto& [rule, bend] : bends) EXPECT_GT(models[rule], 0) << "no model has " << rule;
}

TEST(GoldenRules, EveryModelNoticesABentRotation) { expect_notice(rope_bends(), rotates); }

TEST(GoldenRules, EveryMixtureNoticesABentRouting) {
    expect_notice(routing_bends(), [](const Architecture& arch) { return arch.layer.mixture.has_value(); });
}

TEST(GoldenRules, EveryModelThatAttendsNoticesOtherScores) { expect_notice(attention_bends(), attends); }

TEST(GoldenRules, ARecurrenceNoticesItsStepsLimits) {
    expect_notice(step_bends(), [](const Architecture& arch) { return arch.layer.recurrence.has_value(); });
}

TEST(GoldenRules, EveryModelNoticesWhatElseIsLeftOut) {
    expect_notice(other_bends(), [](const Architecture&) { return true; });
}

}  // namespace
}  // namespace headcount
