// What the formulas of memory come to with an input, and what fits into a device.
#include <algorithm>
#include <limits>
#include <numeric>

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
Expr with_cached(const Expr& formula) {
    return replaced(formula, Symbol::tokens, Expr(Symbol::cached) + Symbol::tokens);
}

void say_cached(Memory& memory) {
    const auto say = [](MemoryFigure& figure) { figure.formula = with_cached(figure.formula); };
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
        if (is_kept(tensor.role))
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
    memory.wide_states = wide_states_;
    memory.narrow_states = narrow_states_;
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
    return on_device_.total(at_once(bindings));
}

MemoryFormulas::Moments MemoryFormulas::moments_of(Expr Piece::*which) const {
    Moments all;
    // Which part each piece is, in the order in which they come; and the order in which they go.
    std::vector<std::size_t> parts, going(pieces_.size());
    for (const Piece& piece : pieces_) {
        parts.push_back(static_cast<std::size_t>(std::ranges::find(all.parts, piece.*which) - all.parts.begin()));
        if (parts.back() == all.parts.size()) all.parts.push_back(piece.*which);
    }
    std::iota(going.begin(), going.end(), std::size_t{0});
    std::ranges::sort(going, {}, [&](std::size_t piece) { return pieces_[piece].last; });
    std::vector<std::int64_t> now(all.parts.size());
    const auto exceeds = [](const std::vector<std::int64_t>& one, const std::vector<std::int64_t>& other) {
        return std::ranges::equal(one, other, std::ranges::greater_equal());
    };
    std::size_t come = 0, gone = 0;
    for (std::size_t node = 0; node < names_.size(); ++node) {
        for (; come < parts.size() && pieces_[come].first == node; ++come) ++now[parts[come]];
        const auto goes = [&] { return gone < going.size() && pieces_[going[gone]].last == node; };
        if (!goes() && node + 1 < names_.size()) continue;  // there is as much at the next
        if (std::ranges::none_of(all.counts, [&](const auto& counts) { return exceeds(counts, now); })) {
            for (std::size_t i = all.counts.size(); i-- > 0;)
                if (exceeds(now, all.counts[i])) {
                    all.counts.erase(all.counts.begin() + static_cast<std::ptrdiff_t>(i));
                    all.nodes.erase(all.nodes.begin() + static_cast<std::ptrdiff_t>(i));
                }
            all.counts.push_back(now);
            all.nodes.push_back(node);
        }
        for (; goes(); ++gone) --now[parts[going[gone]]];
    }
    return all;
}

MemoryFormulas::OnDevice MemoryFormulas::all_on_device() const {
    OnDevice all{.held = {device_weights_, device_cache_, device_states_, device_gradients_, device_optimizer_}};
    for (const Kept& kept : kept_on_device_) all.held.push_back(kept.layers * kept.one);
    Moments moments = moments_of(&Piece::on_device);
    all.parts = std::move(moments.parts);
    all.moments = std::move(moments.counts);
    return all;
}

std::vector<MemoryFormulas::MomentOfActivations> MemoryFormulas::moments_of_activations(bool cached) const {
    if (options_.training) return {};
    const Moments moments = moments_of(&Piece::bytes);
    std::vector<MomentOfActivations> all;
    for (std::size_t i = 0; i < moments.nodes.size(); ++i) {
        std::vector<Expr> terms;
        for (std::size_t part = 0; part < moments.parts.size(); ++part)
            if (const std::int64_t count = moments.counts[i][part]; count > 0)
                terms.push_back(count == 1 ? moments.parts[part] : Expr(count) * moments.parts[part]);
        const Expr bytes = sum_of(terms);
        all.push_back({names_[moments.nodes[i]], cached ? with_cached(bytes) : bytes});
    }
    return all;
}

std::optional<std::int64_t> MemoryFormulas::OnDevice::total(const Bindings& at_once) const {
    std::int64_t sum = 0, most = 0;
    for (const Expr& each : held)
        if (const Result<std::int64_t> bytes = evaluate(each, at_once); !bytes || !add_to(sum, *bytes))
            return std::nullopt;
    std::vector<std::int64_t> sizes;
    for (const Expr& each : parts) {
        const Result<std::int64_t> bytes = evaluate(each, at_once);
        if (!bytes) return std::nullopt;
        sizes.push_back(*bytes);
    }
    for (const std::vector<std::int64_t>& moment : moments) {
        std::int64_t there = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const std::optional<std::int64_t> all = checked_multiply(moment[i], sizes[i]);
            if (!all || !add_to(there, *all)) return std::nullopt;
        }
        most = std::max(most, there);
    }
    return checked_add(sum, most);
}

MemoryFormulas::OnDevice MemoryFormulas::OnDevice::with(const Bindings& known) const {
    OnDevice all = *this;
    for (std::vector<Expr>* const list : {&all.held, &all.parts})
        for (Expr& each : *list) each = worked_out(each, known);
    return all;
}

std::vector<Room> MemoryFormulas::rooms(std::span<const Device> devices, const Bindings& asked) const {
    Bindings values = at_once(asked);
    std::vector<Room> rooms(devices.size());
    const auto search = [&](Symbol symbol, std::int64_t Room::*largest_there) {
        Bindings tried = values;
        tried.set(symbol, std::nullopt);
        const OnDevice known = on_device_.with(tried);
        for (std::size_t i = 0; i < devices.size(); ++i) {
            const std::int64_t usable = options_.serving.usable(devices[i]);
            rooms[i].*largest_there = largest([&](std::int64_t number) {
                tried.set(symbol, number);
                const std::optional<std::int64_t> total = known.total(tried);
                return total && *total <= usable;
            });
        }
    };
    search(Symbol::tokens, &Room::longest_context);
    search(Symbol::batch, &Room::largest_batch);
    if (!values[Symbol::tokens]) values.set(Symbol::tokens, 1);
    const std::optional<std::int64_t> total = on_device_.total(values);
    for (std::size_t i = 0; i < devices.size(); ++i) {
        rooms[i].fits = total && *total <= options_.serving.usable(devices[i]);
        if (longest_) rooms[i].longest_context = std::min(rooms[i].longest_context, *evaluate(*longest_, values));
    }
    return rooms;
}

}  // namespace headcount
