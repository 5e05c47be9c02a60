// How much memory a model takes, as formulas. What they come to is in memory_figures.cpp.
#include "core/analysis/memory.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <numeric>

#include "core/analysis/host_layers.hpp"
#include "core/analysis/parameters.hpp"
#include "core/analysis/storages.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 3> recomputes{"none", "selective", "full"};

std::optional<Error> wrong_experts(const Sharding& sharding, const Architecture& arch) {
    if (sharding.expert == 1) return std::nullopt;
    const std::int64_t experts = arch.layer.mixture ? arch.layer.mixture->experts : 0;
    if (experts == 0) return Error{"this model has no experts to divide", "expert", "give 1"};
    if (sharding.expert > experts)
        return Error{grouped(experts) + " experts cannot be divided among " + grouped(sharding.expert), "expert",
                     "give at most " + grouped(experts)};
    if (sharding.replicas() % sharding.expert == 0) return std::nullopt;
    return Error{grouped(sharding.replicas()) + " devices that have the same part of the other weights cannot be " +
                     "divided into groups of " + grouped(sharding.expert),
                 "expert", "give a divisor of " + grouped(sharding.replicas())};
}

// Of which each device of a tensor-parallel group has some.
std::int64_t most_heads(const Architecture& arch) {
    const std::int64_t states = bindings(arch, Input{})[Symbol::state_heads].value_or(arch.dim);
    if (!arch.layer.recurrence) return arch.layer.attention.heads;
    return attends(arch) ? std::max(arch.layer.attention.heads, states) : states;
}

std::int64_t all_layers(const Architecture& arch) {
    return checked_add(arch.layers, arch.encoder ? arch.encoder->layers : 0).value_or(arch.layers);
}

// What is wrong besides how the model is divided.
std::optional<Error> wrong_beside(const MemoryOptions& options, const Architecture& arch) {
    if (options.sharding.offload && !options.training)
        return Error{"without training there are no gradients", "offload", "leave it out, or look at training"};
    if (options.decoding)
        if (std::optional<Error> none = no_decoding(arch)) return none;
    if (options.sharding.gpu_layers) {
        const auto cannot = [](std::string_view why, std::string_view fix) {
            return Error{std::string(why), "gpu-layers", std::string(fix)};
        };
        if (options.training)
            return cannot("a training has all layers on the device", "leave it out, or look at inference");
        if (options.sharding.devices > 1)
            return cannot("layers lie on one device, or in the host's memory", "give 1 device");
        if (arch.encoder) return cannot("of an encoder and a decoder the last layers are not said", "leave it out");
        if (arch.tied_layers || (arch.family->shared && arch.family->shared(arch)))
            return cannot("layers share weights", "leave it out");
    }
    if (options.trains_weights() && !options.weights.uniform())
        return Error{"weights of " + formats_text(options.weights) + " cannot be trained", "dtype",
                     "give fp32, bf16 or fp16, or train adapters beside them"};
    if (options.serving.chunk < 0)
        return Error{"a chunk of " + grouped(options.serving.chunk) + " tokens is none", "chunk", "give at least 1"};
    for (const auto& [tokens, name] :
         {std::pair(options.serving.block, "block"), std::pair(options.serving.pad, "pad")})
        if (tokens < 0)
            return Error{"a " + std::string(name) + " of " + grouped(tokens) + " tokens is none", name,
                         "give 0 or more"};
    if (options.serving.block > 0 && options.serving.pad > 0)
        return Error{"a cache lies in blocks or in one piece", "pad", "leave one out"};
    if (options.serving.reserve < 0 || options.serving.reserve > 99)
        return Error{"no device has " + grouped(options.serving.reserve) + " % to leave free", "reserve",
                     "give 0 to 99 %"};
    return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> group_of(const Sharding& sharding) {
    const std::optional<std::int64_t> group = checked_multiply(sharding.tensor, sharding.pipeline);
    return group ? checked_multiply(*group, sharding.context) : std::nullopt;
}

std::optional<std::int64_t> devices_of(const Sharding& sharding, std::int64_t copies) {
    const std::optional<std::int64_t> group = group_of(sharding);
    const auto all = checked_ceil_to(copies, sharding.expert / std::gcd(sharding.expert, sharding.context));
    return group && all ? checked_multiply(*group, *all) : std::nullopt;
}

std::span<const std::string_view> recompute_words() { return recomputes; }

Input all_at_once(Input input) {
    input.tokens = checked_add(input.tokens, input.cached).value_or(std::numeric_limits<std::int64_t>::max());
    input.cached = 0;
    return input;
}

Result<CountedModel> held_model(const Architecture& arch, const Input& input) {
    Result<CountedModel> model = count_model(arch, all_at_once(input));
    if (model) model->bindings = bindings(arch, input);
    return model;
}

std::optional<Error> no_decoding(const Architecture& arch) {
    if (!sees_all(arch)) return std::nullopt;
    return Error{"a model in which every token sees every other makes none one by one", "decode",
                 "look at prefill or training"};
}

std::optional<Error> wrong_sharding(const Sharding& sharding, const Architecture& arch) {
    for (const auto& [count, name] : {std::pair<std::int64_t, const char*>{sharding.devices, "devices"},
                                      {sharding.tensor, "tensor"},
                                      {sharding.pipeline, "pipeline"},
                                      {sharding.context, "context"},
                                      {sharding.expert, "expert"}})
        if (count < 1) return Error{grouped(count) + " is too few to hold a model", name, "give at least 1"};
    if (sharding.zero < 0 || sharding.zero > 3)
        return Error{"there is no ZeRO stage " + grouped(sharding.zero), "zero", "give 0, 1, 2 or 3"};
    if (const std::int64_t heads = sharding.tensor > 1 ? most_heads(arch) : 1; sharding.tensor > heads)
        return Error{grouped(heads) + " heads cannot be divided among " + grouped(sharding.tensor) + " devices",
                     "tensor", "give at most " + grouped(heads)};
    const std::int64_t layers = all_layers(arch);
    if (sharding.pipeline > layers)
        return Error{grouped(layers) + " layers cannot be cut into " + grouped(sharding.pipeline) + " stages",
                     "pipeline", "give at most " + grouped(layers)};
    const std::optional<std::int64_t> each = group_of(sharding);
    if (!each || sharding.devices % *each != 0) {
        const std::optional<std::int64_t> nearest = each ? checked_ceil_to(sharding.devices, *each) : std::nullopt;
        return Error{grouped(sharding.devices) + (sharding.devices == 1 ? " device" : " devices") +
                         " cannot be divided into groups of " + grouped(sharding.tensor) + " × " +
                         grouped(sharding.pipeline) + (sharding.context > 1 ? " × " + grouped(sharding.context) : ""),
                     "devices",
                     nearest ? "give " + grouped(*nearest) + " devices, or other groups" : "give smaller groups"};
    }
    return wrong_experts(sharding, arch);
}

std::string uneven_parts(const Sharding& sharding, const Architecture& arch) {
    std::string uneven;
    // Where there are more parts than of these, several devices have the same one.
    const auto look = [&](std::int64_t count, std::int64_t parts, const char* what, const char* among) {
        if (count < 1 || (count >= parts ? count % parts : parts % count) == 0) return;
        uneven += (uneven.empty() ? "" : ", ") + grouped(count) + ' ' + what + " among " + grouped(parts) + ' ' + among;
    };
    look(most_heads(arch), sharding.tensor, "heads", "devices");
    if (attends(arch) && !arch.layer.attention.latent)
        look(kv_heads(arch), sharding.tensor, "key/value heads", "devices");
    look(all_layers(arch), sharding.pipeline, "layers", "stages");
    if (arch.layer.mixture) look(arch.layer.mixture->experts, sharding.expert, "experts", "devices");
    return uneven;
}

std::optional<Error> wrong_options(const MemoryOptions& options, const Architecture& arch) {
    if (std::optional<Error> wrong = wrong_sharding(options.sharding, arch)) return wrong;
    return wrong_beside(options, arch);
}

Portion operator*(const Portion& a, const Portion& b) {
    const std::int64_t left = std::gcd(a.these, b.of), right = std::gcd(b.these, a.of);
    return {(a.these / left) * (b.these / right),
            checked_multiply(a.of / right, b.of / left).value_or(std::numeric_limits<std::int64_t>::max())};
}

Portion whole_ones(std::int64_t count, std::int64_t devices) {
    count = std::max<std::int64_t>(count, 1);
    const std::int64_t most = count / devices + (count % devices == 0 ? 0 : 1), common = std::gcd(most, count);
    return {most / common, count / common};
}

Expr part_of(const Expr& bytes, std::int64_t parts) { return part_of(bytes, Portion{1, parts}); }

Expr part_of(const Expr& bytes, const Portion& share) {
    if (share.of == 1) return bytes;
    return ceil_to(share.these == 1 ? bytes : Expr(share.these) * bytes, share.of) / share.of;
}

Precision kept_precision(const ModelGraph& graph, TensorIndex tensor, Precision computed, Precision cache) {
    const Node* const made = graph.producer(tensor);
    if (made && made->op == Op::update_state) return Precision::fp32;
    const Role role = graph.tensors[tensor].role;
    return is_kept(role) ? cache : computed;
}

Expr cache_per_token(const ModelGraph& graph, const Precision& cache, bool past_windows) {
    std::vector<Expr> each;
    for (const Tensor& tensor : graph.tensors)
        if (tensor.role == Role::cache && uses(tensor.shape[0], Symbol::tokens) &&
            !(past_windows && uses(tensor.shape[0], Symbol::window)))
            each.push_back(graph.copies(tensor.block) * bytes_formula(tensor.shape[1], cache));
    return sum_of(each);
}

MemoryFormulas::MemoryFormulas(const Architecture& arch, const ModelGraph& graph, const MemoryOptions& options)
    : options_(options) {
    assert(!wrong_beside(options, arch) && "options that this architecture cannot have");
    const StoredWeights weights(arch, graph,
                                options.trains_weights()
                                    ? Formats(kept_formats(*options.training, options.weights.rest).weights)
                                    : options.weights);
    for (std::size_t i = 0; i < components.size(); ++i) weights_by_component_[i] = weights.total(graph, components[i]);
    weights_ = weights.total(graph);
    if (options.adapters) {
        adapters_ = bytes_formula(adapter_parameters(graph, *options.adapters), adapter_format);
        weights_ = weights_ + adapters_;
    }
    const Sharding& sharding = options.sharding;
    // The bottleneck of latent attention is one for all heads.
    const std::int64_t heads = arch.layer.attention.heads, with_keys = arch.layer.attention.latent ? 1 : kv_heads(arch);
    kv_heads_ = whole_ones(with_keys, sharding.tensor);
    // Queries are where their keys are, as far as these are divided.
    heads_ = sharding.tensor < with_keys ? kv_heads_ : whole_ones(heads, sharding.tensor);
    layers_ = whole_ones(all_layers(arch), sharding.pipeline);
    if (arch.layer.mixture) experts_ = whole_ones(arch.layer.mixture->experts, sharding.expert);
    if (arch.layer.recurrence)
        state_heads_ = whole_ones(bindings(arch, Input{})[Symbol::state_heads].value_or(1), sharding.tensor);
    for (const StoredTensor& tensor : graph.stored)
        if (Apart* const found = apart(graph, tensor)) found->weights = found->weights + weights.bytes(graph, tensor);

    std::vector<Expr> cached, states;
    for (const Tensor& tensor : graph.tensors) {
        if (tensor.role == Role::state) {
            states.push_back(graph.copies(tensor.block) * kept_of(graph, tensor));
            const auto index = static_cast<TensorIndex>(&tensor - graph.tensors.data());
            wide_states_ |= kept_precision(graph, index, options.cache, options.cache) == Precision(Precision::fp32);
        }
        if (tensor.role != Role::cache) continue;
        cached.push_back(graph.copies(tensor.block) * kept_of(graph, tensor));
        const Expr& rows = tensor.shape[0];
        windows_ = windows_ || (!options.training && uses(rows, Symbol::tokens) && uses(rows, Symbol::window));
    }
    cache_per_token_ = cache_per_token(graph, options.cache);
    cache_past_windows_ = cache_per_token(graph, options.cache, true);
    if (!options.training) {
        if (!cached.empty()) cache_ = Expr(Symbol::batch) * sum_of(cached);
        if (!states.empty()) states_ = Expr(Symbol::batch) * sum_of(states);
    }
    if (has_position_table(arch)) longest_ = arch.patches ? Expr(arch.context) : Expr(Symbol::context);

    if (options.training) {
        build_training(graph, *options.training);
        build_states(graph, *options.training);
    } else {
        build_inference(graph);
    }
    divide();
    if (options.sharding.gpu_layers)
        leave_in_host(HostLayers(arch, graph, *options.sharding.gpu_layers), graph, weights);
    on_device_ = all_on_device();
}

// Of a sequence's cache, or state, in one of the layers that have it.
Expr MemoryFormulas::kept_of(const ModelGraph& graph, const Tensor& tensor) const {
    if (tensor.role == Role::cache)
        return bytes_formula(cached_rows(tensor.shape[0]) * tensor.shape[1], options_.cache);
    const auto index = static_cast<TensorIndex>(&tensor - graph.tensors.data());
    return bytes_formula(element_count(tensor.shape), kept_precision(graph, index, options_.cache, options_.cache));
}

// Of one sequence's cache.
Expr MemoryFormulas::cached_rows(const Expr& rows) const {
    const auto& [chunk, reserve, block, pad] = options_.serving;
    if ((block == 0 && pad == 0) || !uses(rows, Symbol::tokens)) return rows;
    const Expr at_once = chunk == 0 ? Expr(Symbol::tokens) : Expr(chunk);
    if (pad > 0) return ceil_to(replaced(rows, Symbol::window, Expr(Symbol::window) + at_once), pad);
    const Expr whole = ceil_to(replaced(rows, Symbol::window, Expr(Symbol::window) - Expr(1) + at_once), block);
    return uses(rows, Symbol::window) ? whole + Expr(block) : whole;
}

// Of a chunk's tokens, whichever sequences they are of, or of the one that each sequence makes; their scores are
// against all tokens of one.
Expr MemoryFormulas::elements_at_once(const ModelGraph& graph, const Storage& storage) const {
    const std::int64_t chunk = options_.serving.chunk;
    const bool decoding = options_.decoding;
    const bool of_tokens =
        uses(storage.elements, Symbol::tokens) && (decoding || !uses(storage.elements, Symbol::source));
    if ((chunk == 0 && !decoding) || !of_tokens) return storage.elements;
    const Expr all = Expr(Symbol::batch) * Symbol::tokens;
    const Expr at_once = decoding ? Expr(Symbol::batch) : min(all, chunk);
    if (storage.of_scores) {
        const Tensor& tensor = graph.tensors[storage.tensor];
        return graph.runs_in_layer(tensor.block) * replaced(tensor.shape[0], Symbol::tokens, at_once) * tensor.shape[1];
    }
    return replaced(replaced(storage.elements, Symbol::batch, 1), Symbol::tokens, at_once);
}

void MemoryFormulas::build_inference(const ModelGraph& graph) {
    const Expr each = info(activation_precision(options_.weights)).bits / 8;
    // What makes a text token by token needs no logits but the last.
    const bool last_only = graph.remembers();
    for (const Node& node : graph.nodes) names_.push_back(graph.tensors[node.output].id);
    for (const Storage& storage : storages(graph, Purpose::inference).all) {
        if (storage.of_scores && !options_.scores) continue;
        // The source was read before the first token was made.
        if (options_.decoding && graph.of_source(storage.tensor)) continue;
        const bool logits = graph.tensors[storage.tensor].part == Part::output_head;
        Expr elements = storage.elements;
        if (last_only) elements = logits ? Expr(Symbol::batch) * Symbol::vocab : elements_at_once(graph, storage);
        Expr bytes = each * elements;
        // The token that each sequence makes is on every device of a context's group.
        const std::int64_t tokens = options_.decoding || (last_only && logits) ? 1 : options_.sharding.context;
        Expr on_device = part_of(bytes, (storage.whole ? 1 : options_.sharding.tensor) * tokens);
        pieces_.push_back({std::move(bytes), std::move(on_device), storage.first, storage.last});
    }
}

Result<Memory> memory(const Architecture& arch, const ModelGraph& graph, const Bindings& bindings,
                      const MemoryOptions& options) {
    if (std::optional<Error> wrong = wrong_options(options, arch)) return *wrong;
    return MemoryFormulas(arch, graph, options).at(bindings);
}

}  // namespace headcount
