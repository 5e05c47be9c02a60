// What the formulas of memory come to with an input, and what fits into a device.
#include <algorithm>
#include <limits>

#include "core/analysis/host_layers.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// What to do about it is found by search: MemoryFormulas::at.
Error too_large(std::string_view what) {
    return {"the memory of " + std::string(what) + " does not fit in 64 bits", "memory", ""};
}

std::optional<Error> fill(MemoryFigure& figure, const Expr& formula, const Bindings& bindings) {
    const Result<std::int64_t> bytes = evaluate(formula, bindings);
    if (!bytes) return bytes.error();
    figure = {formula, *bytes};
    return std::nullopt;
}

// As if all tokens were read, and none were cached.
Bindings at_once(Bindings values) {
    const std::optional<std::int64_t> tokens = values[Symbol::tokens];
    if (!tokens) return values;
    const std::int64_t cached = values[Symbol::cached].value_or(0);
    values.set(Symbol::tokens, checked_add(*tokens, cached).value_or(std::numeric_limits<std::int64_t>::max()));
    values.set(Symbol::cached, 0);
    return values;
}

// Of T tokens in all P are cached.
void say_cached(Memory& memory) {
    const auto say = [](MemoryFigure& figure) {
        figure.formula = replaced(figure.formula, Symbol::tokens, Expr(Symbol::cached) + Symbol::tokens);
    };
    for (MemoryParts* parts : {static_cast<MemoryParts*>(&memory), &memory.device})
        for (MemoryFigure* figure : {&parts->weights, &parts->cache, &parts->gradients, &parts->optimizer,
                                     &parts->states, &parts->activations})
            say(*figure);
    for (MemoryFigure* figure : {&memory.cache_per_token, &memory.backward}) say(*figure);
    if (memory.cache_next_token) say(*memory.cache_next_token);
    for (KeptActivations& kept : memory.kept)
        for (MemoryFigure* figure : {&kept.one, &kept.all}) say(*figure);
}

// Whether the sum fits in 64 bits.
bool add_up(MemoryParts& parts) {
    for (const MemoryFigure* each :
         {&parts.weights, &parts.cache, &parts.states, &parts.activations, &parts.gradients, &parts.optimizer})
        if (!add_to(parts.total, each->bytes)) return false;
    return true;
}

}  // namespace

MemoryFormulas::Apart* MemoryFormulas::apart(const ModelGraph& graph, const StoredTensor& tensor) {
    const bool chosen = options_.sharding.expert > 1 && of_experts(graph, tensor);
    const auto of = [&](Symbol symbol) {
        return std::ranges::any_of(tensor.parts, [&](TensorIndex part) {
            return graph.tensors[part].component == Component::attention && uses(graph.tensors[part].shape, symbol);
        });
    };
    const Portion within = of(Symbol::heads)      ? heads_
                           : of(Symbol::kv_heads) ? kv_heads_
                                                  : Portion{1, options_.sharding.tensor};
    const Portion share = within * (tensor.layer ? layers_ : Portion{1, options_.sharding.pipeline});
    if (!chosen && share == even()) return nullptr;
    const auto found = std::ranges::find_if(
        apart_, [&](const Apart& each) { return each.of_model == share && each.of_experts == chosen; });
    if (found != apart_.end()) return &*found;
    return &apart_.emplace_back(Apart{.of_model = share, .of_experts = chosen});
}

Expr MemoryFormulas::share(const Expr& all, Expr Apart::*of, std::int64_t zero) const {
    const Sharding& sharding = options_.sharding;
    const Portion replicas{1, sharding.zero >= zero ? sharding.replicas() : 1};
    Expr rest = all;
    for (const Apart& each : apart_) rest = rest - each.*of;
    Expr sum = part_of(rest, even() * replicas);
    for (const Apart& each : apart_) {
        const bool by_expert = each.of_experts && sharding.expert > replicas.of;
        sum = sum + part_of(each.*of, each.of_model * (by_expert ? experts_ : replicas));
    }
    return sum;
}

void MemoryFormulas::divide() {
    device_weights_ = share(weights_, &Apart::weights, 3);
    device_gradients_ = share(gradients_, &Apart::gradients, 2);
    device_optimizer_ = share(optimizer_, &Apart::optimizer, 1);
    device_cache_ = part_of(cache_, kv_heads_ * layers_ * Portion{1, options_.sharding.context});
    device_states_ = part_of(states_, state_heads_ * layers_);
    if (!options_.sharding.offload) return;
    host_ = device_gradients_ + device_optimizer_;
    device_gradients_ = device_optimizer_ = 0;
}

void MemoryFormulas::leave_in_host(const HostLayers& layers, const ModelGraph& graph, const StoredWeights& weights) {
    std::vector<Expr> caches, states;
    for (const Tensor& tensor : graph.tensors)
        if (tensor.role == Role::cache || tensor.role == Role::state)
            (tensor.role == Role::cache ? caches : states)
                .push_back(Expr(Symbol::batch) * layers.copies(tensor.block) * kept_of(graph, tensor));
    const Expr in_host = layers.weights(weights), cache = sum_of(caches), state = sum_of(states);
    device_weights_ = weights_ - in_host + layers.in_both(weights);
    device_cache_ = cache_ - cache;
    device_states_ = states_ - state;
    host_ = in_host + cache + state;
}

std::optional<MemoryFormulas::Moment> MemoryFormulas::peak(Expr Piece::*which, const Bindings& bindings) const {
    std::vector<std::int64_t> more(names_.size()), less(names_.size());
    for (const Piece& part : pieces_) {
        const Result<std::int64_t> bytes = evaluate(part.*which, bindings);
        if (!bytes || !add_to(more[part.first], *bytes) || !add_to(less[part.last], *bytes)) return std::nullopt;
    }
    Moment most;
    std::int64_t now = 0;
    for (std::size_t node = 0; node < names_.size(); ++node) {
        if (!add_to(now, more[node])) return std::nullopt;
        if (now > most.bytes) most = {node, now};
        now -= less[node];
    }
    return most;
}

std::optional<Error> MemoryFormulas::fill_activations(Memory& memory, const Bindings& bindings) const {
    std::vector<Expr> all, on_device;
    if (options_.training) {
        memory.where = "backward";
        if (std::optional<Error> error = fill(memory.backward, backward_, bindings)) return error;
        for (const Kept& kept : kept_on_device_) on_device.push_back(kept.layers * kept.one);
        for (const Kept& kept : kept_) {
            KeptActivations& row = memory.kept.emplace_back();
            row.block = kept.block;
            if (std::optional<Error> error = fill(row.one, kept.one, bindings)) return error;
            if (std::optional<Error> error = fill(row.all, kept.layers * kept.one, bindings)) return error;
            row.layers = *evaluate(kept.layers, bindings);
            all.push_back(row.all.formula);
        }
    } else {
        const std::optional<Moment> most = peak(&Piece::bytes, bindings), there = peak(&Piece::on_device, bindings);
        if (!most || !there) return too_large("activations");
        memory.where = names_[most->node];
        for (const Piece& part : pieces_) {
            if (part.first <= most->node && most->node <= part.last) all.push_back(part.bytes);
            if (part.first <= there->node && there->node <= part.last) on_device.push_back(part.on_device);
        }
    }
    if (std::optional<Error> error = fill(memory.activations, sum_of(all), bindings)) return error;
    return fill(memory.device.activations, sum_of(on_device), bindings);
}

Result<Memory> MemoryFormulas::at(const Bindings& asked) const {
    const Bindings bindings = at_once(asked);
    Result<Memory> found = figures_at(bindings);
    if (found && asked[Symbol::cached].value_or(0) > 0) say_cached(*found);
    if (found) return found;
    const std::int64_t tokens = largest([&](std::int64_t number) {
        Bindings values = bindings;
        values.set(Symbol::tokens, number);
        return static_cast<bool>(figures_at(values));
    });
    Error error = found.error();
    if (tokens > 0) {
        error.fix = "give at most " + grouped(tokens) + " tokens";
        return error;
    }
    Bindings least = bindings;
    least.set(Symbol::tokens, 1);
    least.set(Symbol::batch, 1);
    error.fix = figures_at(least) ? "give fewer tokens or a smaller batch" : "make a dimension smaller";
    return error;
}

Result<Memory> MemoryFormulas::figures_at(const Bindings& bindings) const {
    Memory memory;
    MemoryParts& device = memory.device;
    for (std::size_t i = 0; i < components.size(); ++i)
        if (std::optional<Error> error = fill(memory.weights_by_component[i], weights_by_component_[i], bindings))
            return *error;
    for (const auto& [figure, formula] : {std::pair<MemoryFigure*, Expr>{&memory.weights, weights_},
                                          {&memory.adapters, adapters_},
                                          {&memory.cache, cache_},
                                          {&memory.cache_per_token, cache_per_token_},
                                          {&memory.states, states_},
                                          {&memory.gradients, gradients_},
                                          {&memory.optimizer, optimizer_},
                                          {&device.weights, device_weights_},
                                          {&device.cache, device_cache_},
                                          {&device.states, device_states_},
                                          {&device.gradients, device_gradients_},
                                          {&device.optimizer, device_optimizer_}})
        if (std::optional<Error> error = fill(*figure, formula, bindings)) return *error;
    if (std::optional<Error> error = fill_activations(memory, bindings)) return *error;
    const Result<std::int64_t> host = evaluate(host_, bindings);
    if (!host) return host.error();
    memory.host = *host;
    // A window that is full lets go of its first token for each new one.
    const std::optional<std::int64_t> tokens = bindings[Symbol::tokens], window = bindings[Symbol::window];
    if (windows_ && tokens && window)
        if (std::optional<Error> error = fill(memory.cache_next_token.emplace(),
                                              *tokens < *window ? cache_per_token_ : cache_past_windows_, bindings))
            return *error;
    if (!add_up(memory) || !add_up(device)) return too_large("everything");
    return memory;
}

std::optional<std::int64_t> MemoryFormulas::total_on_device(const Bindings& bindings) const {
    return total_of(at_once(bindings));
}

std::optional<std::int64_t> MemoryFormulas::total_of(const Bindings& bindings) const {
    std::int64_t total = 0;
    const auto add = [&](const Expr& formula) {
        const Result<std::int64_t> bytes = evaluate(formula, bindings);
        return bytes && add_to(total, *bytes);
    };
    bool fits = add(device_weights_) && add(device_cache_) && add(device_states_) && add(device_gradients_) &&
                add(device_optimizer_);
    for (const Kept& kept : kept_on_device_) fits = fits && add(kept.layers * kept.one);
    const std::optional<Moment> most = peak(&Piece::on_device, bindings);
    return fits && most ? checked_add(total, most->bytes) : std::nullopt;
}

MemoryFormulas MemoryFormulas::on_device(const Bindings& known) const {
    MemoryFormulas formulas = *this;
    for (Expr* const each : {&formulas.device_weights_, &formulas.device_cache_, &formulas.device_states_,
                             &formulas.device_gradients_, &formulas.device_optimizer_})
        *each = worked_out(*each, known);
    for (Kept& kept : formulas.kept_on_device_) {
        kept.one = worked_out(kept.layers * kept.one, known);
        kept.layers = 1;
    }
    for (Piece& piece : formulas.pieces_) piece.on_device = worked_out(piece.on_device, known);
    return formulas;
}

Room MemoryFormulas::room(const Device& device, const Bindings& asked) const {
    Bindings values = at_once(asked);
    const std::int64_t usable = options_.serving.usable(device);
    const auto fits = [&](const MemoryFormulas& formulas) {
        const std::optional<std::int64_t> total = formulas.total_of(values);
        return total && *total <= usable;
    };
    const auto largest_of = [&](Symbol symbol) {
        const std::optional<std::int64_t> here = values[symbol];
        values.set(symbol, std::nullopt);
        const MemoryFormulas formulas = on_device(values);
        const std::int64_t found = largest([&](std::int64_t number) {
            values.set(symbol, number);
            return fits(formulas);
        });
        values.set(symbol, here);
        return found;
    };
    Room room;
    room.longest_context = largest_of(Symbol::tokens);
    room.largest_batch = largest_of(Symbol::batch);
    if (!values[Symbol::tokens]) values.set(Symbol::tokens, 1);
    room.fits = fits(*this);
    if (longest_) room.longest_context = std::min(room.longest_context, *longest_);
    return room;
}

}  // namespace headcount
