// Works out what an architecture comes to.
#include <algorithm>

#include "core/analysis/hire.hpp"
#include "core/analysis/links.hpp"
#include "core/analysis/rates.hpp"
#include "core/analysis/sweep.hpp"
#include "core/arch/validate.hpp"
#include "core/base/checked.hpp"

namespace headcount {

std::optional<std::int64_t> whole_value_of(const SweepPoint& point, Metric metric) {
    switch (metric) {
        case Metric::total: return point.parameters.total;
        case Metric::active: return point.parameters.active;
        case Metric::weights: return point.weights;
        case Metric::cache: return point.cache;
        case Metric::cache_per_token: return point.cache_per_token;
        case Metric::states: return point.states;
        case Metric::memory: return point.memory;
        case Metric::flops: return point.flops;
        case Metric::longest_context: return point.longest_context;
        case Metric::largest_batch: return point.largest_batch;
        default: return std::nullopt;
    }
}

std::optional<double> value_of(const SweepPoint& point, Metric metric) {
    if (metric == Metric::seconds) return point.seconds;
    if (metric == Metric::likely_seconds) return point.likely;
    if (metric == Metric::price) return point.price;
    if (const std::optional<Metric> bound = info(metric).bound; bound && point.likely_served)
        return value_of(*point.likely_served, *bound);
    if (point.served && is_served(metric)) return value_of(*point.served, metric);
    if (point.tokens > 0 && metric == Metric::flops_per_token)
        return static_cast<double>(point.flops) / static_cast<double>(point.tokens);
    if (point.seconds && metric == Metric::tokens_per_second) return tokens_per_second(point.tokens, *point.seconds);
    const std::optional<std::int64_t> whole = whole_value_of(point, metric);
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

PointWants wants_for(std::span<const Metric> shown, const PassOptions& pass,
                     const std::shared_ptr<const Reached>& reached) {
    const auto any = [&](auto&& is) { return std::ranges::any_of(shown, is); };
    PointWants wants{.memory = any([](Metric each) { return each == Metric::memory; }), .pass = pass, .reached = {}};
    wants.served = any(is_served);
    wants.room = any(is_room);
    if (any(is_likely)) wants.reached = reached;
    if (!any([](Metric each) { return info(each).unit == Unit::flops || needs_device(each); }))
        wants.pass.device.reset();
    return wants;
}

PointWants wants_for_all(const PassOptions& pass, const std::shared_ptr<const Reached>& reached) {
    return {.memory = true, .pass = pass, .served = true, .room = true, .reached = reached};
}

PointMaker::Formulas::Formulas(const Architecture& arch) : graph(expand(arch)), totals(arch, graph) {}

PointMaker::Formulas& PointMaker::formulas_of(const Architecture& arch) {
    // A recipe looks at how many layers there are, names say which, what is divided at how many heads; and before
    // which layers no adapter stands hangs on where they are.
    const bool own = input_.precision.by_layer() || wants_.pass.sharding.divided() || wants_.pass.adapters;
    if (formulas_ && (own ? formulas_->own == arch : formulas_->totals.of == formula_shape(arch))) return *formulas_;
    formulas_.emplace(arch);
    if (own) formulas_->own = arch;
    return *formulas_;
}

const MemoryFormulas& PointMaker::held_of(Formulas& formulas, const Architecture& arch) const {
    if (!formulas.memory) formulas.memory.emplace(arch, formulas.graph, wants_.pass.held(input_));
    return *formulas.memory;
}

const std::vector<PointMaker::Formulas::Form>& PointMaker::forms_of(Formulas& formulas, const Architecture& arch,
                                                                    Phase phase) const {
    std::vector<Formulas::Form>& forms = formulas.forms[static_cast<std::size_t>(phase)];
    if (!forms.empty()) return forms;
    const Input input = input_in(input_, phase);
    std::optional<ModelGraph> behind_others;
    if (input.cached > 0) behind_others = expand(arch, input);
    const ModelGraph& graph = behind_others ? *behind_others : formulas.graph;
    WorkOptions how = work_options(arch, graph, input_, phase, wants_.pass);
    for (const bool absorbed : {false, true}) {
        if (absorbed && !arch.layer.attention.latent) continue;
        how.absorbed = absorbed;
        forms.push_back({flops_formula(graph, how), {}});
        if (wants_.pass.roof_for(input_, phase)) forms.back().least = least_formulas(graph, how);
    }
    return forms;
}

void PointMaker::set_input(const Input& input) {
    // What the cache holds decides which graph it is.
    for (const Phase phase : {Phase::prefill, Phase::decode, Phase::training})
        if ((input_in(input, phase).cached > 0) != (input_in(input_, phase).cached > 0)) formulas_.reset();
    input_ = input;
}

std::optional<PointMaker::Refusal> PointMaker::refusal(const Architecture& arch) const {
    if (!possible(arch)) return Refusal::impossible;
    if (!validate(arch, input_).empty()) return Refusal::input;
    if (wrong_options(wants_.pass.held(input_), arch)) return Refusal::held;
    if (wrong_context(wants_.pass.sharding, arch, input_)) return Refusal::held;
    if (wants_.pass.adapters && wrong_adapters(expand(arch), *wants_.pass.adapters)) return Refusal::held;
    return std::nullopt;
}

namespace {

// Nothing where a number does not fit in 64 bits.
std::optional<double> seconds_of(const Roof& roof, const LeastFormulas& least, const Bindings& values) {
    const Result<std::int64_t> flops = evaluate(least.flops, values), bytes = evaluate(least.bytes, values);
    if (!flops || !bytes) return std::nullopt;
    return seconds_at(roof, LeastWork{*flops, *bytes});
}

}  // namespace

// In the form that `pass_of` takes.
Result<PointMaker::PassCosts> PointMaker::pass_at(Formulas& formulas, const Architecture& arch, Phase phase,
                                                  const Input& input) const {
    // Which experts a device reads and what it sends, no formula of the whole says.
    if (wants_.pass.sharding.expert > 1 || wants_.pass.link) {
        const Result<Pass> pass = device_pass_of(arch, input, phase, wants_.pass);
        if (!pass) return pass.error();
        return PassCosts{pass->work.flops.counted(), pass->seconds};
    }
    const Bindings values = bindings(arch, input_in(input, phase));
    const std::optional<Roof> roof = wants_.pass.roof_for(input, phase);
    std::optional<PassCosts> best;
    for (const Formulas::Form& form : forms_of(formulas, arch, phase)) {
        const Result<std::int64_t> flops = evaluate(form.flops, values);
        const std::optional<double> seconds = roof ? seconds_of(*roof, form.least, values) : std::nullopt;
        if (!best && !flops) return flops.error();
        if (!best && roof && !seconds)
            return Error{"the traffic does not fit in 64 bits", "compute", "make a dimension smaller"};
        if (!flops || (roof && !seconds)) continue;
        if (!best || std::pair(seconds, *flops) < std::pair(best->seconds, best->flops))
            best = PassCosts{*flops, seconds};
    }
    return *best;
}

// Of the passes whatever the phase is that is meant; what that one costs is known.
std::optional<Served> PointMaker::served_at(Formulas& formulas, const Architecture& arch,
                                            const PassCosts& meant) const {
    if (!wants_.pass.roof_for(input_, Phase::decode) || sees_all(arch)) return std::nullopt;
    const std::int64_t copies = wants_.pass.sharding.data();
    const std::optional<std::int64_t> users = checked_multiply(input_.batch, copies);
    if (!users) return std::nullopt;
    Served served{.users = *users, .copies = copies, .first_token = {}, .next_token = {}};
    const WaitedFor step = waited_for(input_, wants_.pass);
    const PointMaker one_stage(step.input, {.pass = step.options, .reached = {}});
    if (wants_.pass.phase == Phase::prefill)
        served.first_token = meant.seconds;
    else if (const Result<PassCosts> pass = pass_at(formulas, arch, Phase::prefill, input_))
        served.first_token = pass->seconds;
    if (const Result<PassCosts> pass = one_stage.pass_at(formulas, arch, Phase::decode, step.input))
        served.next_token = pass->seconds;
    return served;
}

// What is sent is not measured: what is likely without it, or the bound with it, whichever is longer.
void PointMaker::say_likely(SweepPoint& point, Formulas& formulas, const Architecture& arch, PassCosts meant) const {
    std::optional<PointMaker> unsent;
    std::optional<Served> served = point.served;
    if (wants_.pass.link) {
        unsent.emplace(input_, wants_);
        unsent->wants_.pass.link.reset();
        if (const Result<PassCosts> pass = unsent->pass_at(formulas, arch, wants_.pass.phase, input_)) meant = *pass;
        if (served) served = unsent->served_at(formulas, arch, meant);
    }
    const PointMaker& maker = unsent ? *unsent : *this;
    const BoundWith step = [&](std::int64_t batch) -> std::optional<double> {
        Input fewer = input_;
        fewer.batch = batch;
        const Result<PassCosts> found = maker.pass_at(formulas, arch, Phase::decode, fewer);
        return found ? found->seconds : std::nullopt;
    };
    const auto no_shorter = [](std::optional<double> likely, std::optional<double> bound) {
        return likely ? std::optional(std::max(*likely, bound.value_or(0))) : std::nullopt;
    };
    const Reached& reached = *wants_.reached;
    if (const Result<Workload> run = workload_of(wants_.pass.phase, input_, wants_.pass); run && meant.seconds)
        if (const std::optional<double> part = reached(*run))
            point.likely =
                no_shorter(std::max(*meant.seconds / *part, likely_with_fewer(*run, step, reached)), point.seconds);
    if (!served) return;
    point.likely_served = likely_served(*served, step, input_, wants_.pass, reached);
    for (std::optional<double> Served::*seconds : {&Served::first_token, &Served::next_token})
        (*point.likely_served).*seconds = no_shorter((*point.likely_served).*seconds, (*point.served).*seconds);
}

Result<SweepPoint> PointMaker::at(const Architecture& arch) {
    Formulas& formulas = formulas_of(arch);
    const MemoryFormulas& memory = held_of(formulas, arch);
    const Bindings values = bindings(arch, all_at_once(input_));
    const Result<Totals> totals = formulas.totals.formulas.at(values);
    if (!totals) return totals.error();
    SweepPoint point;
    point.parameters = *totals;
    for (const auto& [number, formula] :
         {std::pair<std::int64_t*, const Expr*>{&point.cache_per_token, &memory.cache_per_token_formula()},
          {&point.cache, &memory.cache_formula()},
          {&point.states, &memory.states_formula()}}) {
        const Result<std::int64_t> value = evaluate(*formula, values);
        if (!value) return value.error();
        *number = *value;
    }
    const Phase phase = wants_.pass.phase;
    const Result<PassCosts> pass = pass_at(formulas, arch, phase, input_);
    if (!pass) return pass.error();
    point.flops = pass->flops;
    const Input read = input_in(input_, phase);
    point.tokens = checked_multiply(read.tokens, read.batch).value_or(0);
    point.sharing = wants_.pass.sharing();
    point.seconds = pass->seconds;
    if (point.seconds && wants_.pass.price && point.tokens > 0)
        point.price = *wants_.pass.price * device_hours(sold_tokens, point.tokens, *point.seconds, point.sharing);
    if (wants_.served) point.served = served_at(formulas, arch, *pass);
    if (wants_.reached) say_likely(point, formulas, arch, *pass);
    if (wants_.room && wants_.pass.device) {
        const Room room = memory.room(*wants_.pass.device, values);
        if (!arch.patches) point.longest_context = room.longest_context;
        point.largest_batch = room.largest_batch;
    }
    // A training keeps them as its recipe says, and adapters stand beside them.
    const Result<std::int64_t> bytes = input_.precision.uniform() && phase != Phase::training && !wants_.pass.adapters
                                           ? evaluate(bytes_formula(totals->total, input_.precision.rest), {})
                                           : evaluate(memory.weights_formula(), values);
    if (!bytes) return bytes.error();
    point.weights = *bytes;
    if (!wants_.memory && !wants_.pass.device) return point;
    const std::optional<std::int64_t> held = memory_of(formulas, arch);
    if (wants_.memory && !held)
        return Error{"the memory does not fit in 64 bits", "memory", "make a dimension smaller"};
    if (wants_.memory) point.memory = held;
    if (wants_.pass.device) point.fits = held && *held <= wants_.pass.serving.usable(*wants_.pass.device);
    return point;
}

std::optional<std::int64_t> PointMaker::memory_of(Formulas& formulas, const Architecture& arch) const {
    return held_of(formulas, arch).total_on_device(bindings(arch, all_at_once(input_)));
}

std::optional<std::int64_t> PointMaker::amount_of(const Architecture& arch, Metric metric) {
    if (metric == Metric::total) return total_of(arch);
    if (metric == Metric::memory) return memory_of(formulas_of(arch), arch);
    if (metric == Metric::flops) {
        const Result<PassCosts> pass = pass_at(formulas_of(arch), arch, wants_.pass.phase, input_);
        return pass ? std::optional(pass->flops) : std::nullopt;
    }
    const Result<SweepPoint> point = at(arch);
    return point ? whole_value_of(*point, metric) : std::nullopt;
}

std::vector<std::int64_t> PointMaker::totals_for(const Architecture& arch) {
    const FormulaShape shape = formula_shape(arch);
    if (formulas_)
        if (auto depths = formulas_->totals.depths_in(arch, shape)) return *std::move(depths);
    // Where layers differ, those of a deeper model are more kinds: whoever asks for more layers next finds them there.
    constexpr std::int64_t most_layers = 512;
    if (shape.ones.layers > 1 && shape.ones.layers < most_layers) {
        Architecture deeper = arch;
        deeper.layers += (arch.layers + 1) / 2;
        formulas_.emplace(deeper);
        if (auto depths = formulas_->totals.depths_in(arch, shape)) return *std::move(depths);
    }
    formulas_.emplace(arch);
    return {};
}

std::optional<std::int64_t> PointMaker::total_of(const Architecture& arch) {
    const std::vector<std::int64_t> depths = totals_for(arch);
    const Result<std::int64_t> total = formulas_->totals.formulas.total_at(bindings(arch, input_), depths);
    return total ? std::optional(*total) : std::nullopt;
}

Result<Totals> PointMaker::totals_of(const Architecture& arch) {
    const std::vector<std::int64_t> depths = totals_for(arch);
    return formulas_->totals.formulas.at(bindings(arch, input_), depths);
}

std::optional<Served> likely_served_of(const Architecture& arch, const Input& input, const PassOptions& options,
                                       const std::shared_ptr<const Reached>& reached) {
    const Result<SweepPoint> point = PointMaker(input, {.pass = options, .served = true, .reached = reached}).at(arch);
    return point ? point->likely_served : std::nullopt;
}

std::optional<Served> served_of(const Architecture& arch, const Input& input, const PassOptions& options) {
    const Result<SweepPoint> point = PointMaker(input, {.pass = options, .served = true, .reached = {}}).at(arch);
    return point ? point->served : std::nullopt;
}

BoundWith step_bound(const Architecture& arch, const Input& input, PassOptions options) {
    options.link.reset();
    return [&arch, input, options](std::int64_t batch) -> std::optional<double> {
        Input fewer = input;
        fewer.batch = batch;
        const std::optional<Served> served = served_of(arch, fewer, options);
        return served ? served->next_token : std::nullopt;
    };
}

std::optional<AmountFormula> amount_formula(const Architecture& arch, const Input& input, Metric metric,
                                            const PassOptions& options) {
    if (metric == Metric::total) return AmountFormula{total_formula(expand(arch)), bindings(arch, input)};
    if (metric == Metric::memory) {
        const Bindings numbers = bindings(arch, all_at_once(input));
        const Result<Memory> held = memory(arch, expand(arch), numbers, options.held(input));
        if (!held) return std::nullopt;
        // What is there at the moment when the most is.
        const MemoryParts& device = held->device;
        return AmountFormula{device.weights.formula + device.cache.formula + device.states.formula +
                                 device.activations.formula + device.gradients.formula + device.optimizer.formula,
                             numbers};
    }
    if (metric != Metric::flops) return std::nullopt;
    const Result<Pass> pass = pass_of(arch, input, options.phase, options);
    if (!pass) return std::nullopt;
    return AmountFormula{flops_formula(pass->graph, {.pairs = options.pairs,
                                                     .absorbed = pass->work.absorbed,
                                                     .trained = options.trained(options.phase)}),
                         pass->bindings};
}

}  // namespace headcount
