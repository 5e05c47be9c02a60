// What training takes, as the analysis predicts it and as it was allocated.
#include <array>

#include "core/analysis/arithmetic.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/memory_passing.hpp"
#include "core/analysis/rates.hpp"
#include "core/base/checked.hpp"
#include "core/runtime/multiply_speed.hpp"
#include "core/train/trainer_state.hpp"

namespace headcount {

Result<TrainMemory> Trainer::predicted_memory() const {
    const State& own = *state_;
    constexpr std::array<Optimizer, 3> kinds{Optimizer::adam, Optimizer::sgd, Optimizer::muon};
    MemoryOptions options;
    options.weights = Precision::fp32;
    options.training =
        Training{.optimizer = kinds[static_cast<std::size_t>(own.settings.optimizer.kind)], .scores = true};
    const Input input{.tokens = own.form.tokens,
                      .batch = own.settings.batch,
                      .precision = Precision::fp32,
                      .source = std::max<std::int64_t>(1, own.form.source)};
    const Bindings values = bindings(architecture(), input);
    const Result<Memory> found = memory(architecture(), graph(), values, options);
    if (!found) return found.error();
    const Result<std::int64_t> working = working_bytes(graph(), values, std::max(1, own.settings.threads));
    if (!working) return working.error();
    const bool muon = own.settings.optimizer.kind == OptimizerKind::muon;
    const Result<std::int64_t> orthogonal = muon ? muon_bytes(graph(), values) : 0;
    if (!orthogonal) return orthogonal.error();
    return TrainMemory{.weights = found->weights.bytes,
                       .gradients = found->gradients.bytes,
                       .moments = found->optimizer.bytes,
                       .kept = found->activations.bytes,
                       .passing = found->backward.bytes,
                       .working = *working + *orthogonal};
}

TrainMemory Trainer::measured_memory() const {
    const State& own = *state_;
    constexpr std::int64_t each = sizeof(float);
    return {.weights = parameters().trained() * each,
            .gradients = std::ssize(own.gradients) * each,
            .moments = own.descent.bytes(),
            .kept = own.pass.kept_bytes(),
            .passing = own.pass.passing_bytes(),
            .working = own.pass.working_bytes() + own.descent.working_bytes()};
}

double Trainer::roof() { return multiply_speed(state_->pass.pool()); }

Result<StepWork> Trainer::work() const {
    const State& own = *state_;
    const Input input{.tokens = own.form.tokens,
                      .batch = own.settings.batch,
                      .precision = Precision::fp32,
                      .source = std::max<std::int64_t>(1, own.form.source)};
    const Bindings values = bindings(architecture(), input);
    const Result<PassWork> pass = arithmetic(
        graph(), values,
        {.weights = Precision::fp32, .cache = Precision::fp32, .pairs = Pairs::full, .trained = Recompute::none});
    if (!pass) return pass.error();
    const Result<Parameters> counted = count_parameters(graph(), values);
    if (!counted) return counted.error();
    const std::int64_t passes = own.settings.passes, lines = own.settings.batch * passes;
    const std::int64_t tokens = lines * own.form.tokens, source = lines * own.form.source;
    const Multiplied multiplied = counted->multiplied();
    const std::optional<std::int64_t> flops = checked_multiply(passes, pass->flops.full);
    if (!flops) return Error{"the operations of a step do not fit in 64 bits", "passes", "take fewer"};
    return StepWork{.flops = *flops,
                    .by_rule = operations_by_rule(multiplied.token, static_cast<double>(tokens), true) +
                               operations_by_rule(multiplied.source, static_cast<double>(source), true),
                    .tokens = tokens + source};
}

}  // namespace headcount
