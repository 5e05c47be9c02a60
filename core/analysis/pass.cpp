// Works out one pass; see the header.
#include "core/analysis/pass.hpp"

#include <utility>

#include "core/analysis/adapter_work.hpp"
#include "core/analysis/rates.hpp"
#include "core/base/checked.hpp"

namespace headcount {

Input input_in(Input input, Phase phase) {
    if (phase == Phase::prefill) return input;
    input = all_at_once(input);
    if (phase == Phase::training) return input;
    input.cached = input.tokens - 1;
    input.tokens = 1;
    return input;
}

namespace {

// Takes the absorbed form where that is the better one.
std::optional<Error> take_works(Pass& pass, WorkOptions options, bool latent) {
    Result<PassWork> anew = arithmetic(pass.graph, pass.bindings, options);
    if (!anew) return anew.error();
    pass.work = std::move(*anew);
    if (!latent) return std::nullopt;
    options.absorbed = true;
    Result<PassWork> absorbed = arithmetic(pass.graph, pass.bindings, options);
    const auto cost = [&](const PassWork& work) {
        return std::pair(pass.roof ? seconds_at(*pass.roof, work.least) : 0, work.flops.counted());
    };
    if (!absorbed || cost(*absorbed) >= cost(pass.work)) return std::nullopt;
    pass.anew = std::exchange(pass.work, std::move(*absorbed));
    return std::nullopt;
}

}  // namespace

MemoryOptions PassOptions::held(const Input& input) const {
    MemoryOptions options;
    options.weights = input.precision;
    options.cache = input.cached_in();
    options.serving = serving;
    options.scores = scores;
    options.adapters = adapters;
    options.sharding = sharding;
    options.decoding = phase == Phase::decode;
    if (phase == Phase::training) options.training = training.value_or(Training{});
    return options;
}

std::optional<Roof> PassOptions::roof_for(const Input& input, Phase of) const {
    const std::optional<Roof> roof = device ? roof_of(*device, input.precision, sharing()) : std::nullopt;
    return roof && (roof->has_peak() || of == Phase::decode) ? roof : std::nullopt;
}

std::optional<Recompute> PassOptions::trained(Phase run) const {
    return run == Phase::training ? std::optional(training.value_or(Training{}).recompute) : std::nullopt;
}

WorkOptions work_options(const Architecture& arch, const ModelGraph& graph, const Input& input, Phase phase,
                         const PassOptions& options) {
    WorkOptions how{.weights = StoredWeights(arch, graph, input.precision),
                    .cache = input.cached_in(),
                    .pairs = options.pairs,
                    .trained = options.trained(phase),
                    .last_logits = phase == Phase::prefill && graph.remembers(),
                    .readers = options.sharding.context,
                    .adapters = options.adapters};
    if (how.trained && how.adapters)
        how.gradients = std::make_shared<const AdapterGradients>(arch, graph, *how.adapters);
    return how;
}

WaitedFor waited_for(Input input, PassOptions options) {
    const std::int64_t stages = std::exchange(options.sharding.pipeline, 1);
    options.sharding.devices /= stages;
    input.batch = (input.batch + stages - 1) / stages;
    return {std::move(input), std::move(options)};
}

Result<Pass> pass_of(const Architecture& arch, const Input& asked, Phase phase, const PassOptions& options) {
    const Attention& attention = arch.layer.attention;
    const bool whole = sees_all(arch) && !attention.window && !attention.indexer;  // no pair is masked
    if (phase == Phase::decode)
        if (std::optional<Error> none = no_decoding(arch)) return *none;
    const Input input = input_in(asked, phase);
    Pass pass{.graph = expand(arch, input),
              .bindings = bindings(arch, input),
              .tokens = 0,
              .source = 0,
              .roof = options.roof_for(input, phase),
              .seconds = {}};
    WorkOptions how = work_options(arch, pass.graph, input, phase, options);
    if (whole) how.pairs = Pairs::full;
    const bool latent = attention.latent.has_value();
    if (std::optional<Error> error = take_works(pass, how, latent)) return *error;
    pass.tokens = checked_multiply(input.tokens, input.batch).value_or(0);
    if (pass.graph.has_encoder() && pass.graph.cache != Cache::filled)
        pass.source = checked_multiply(input.source, input.batch).value_or(0);
    pass.seconds = pass.computing();
    return pass;
}

double operations_by_rule(const Pass& pass, const Multiplied& multiplied, bool training,
                          const std::optional<Multiplied>& adapters) {
    const auto of = [&](const Multiplied& each, bool trained) {
        return operations_by_rule(each.token, static_cast<double>(pass.tokens), trained) +
               operations_by_rule(each.source, static_cast<double>(pass.source), trained);
    };
    if (!adapters) return of(multiplied, training);
    const double forwards = of(multiplied, false);
    // Of 6·N those 2·N are left out that are gradients of weights.
    return of(*adapters, training) + (training ? of(multiplied, true) - forwards : forwards);
}

}  // namespace headcount
