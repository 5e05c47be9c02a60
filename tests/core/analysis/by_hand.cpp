#include "tests/core/analysis/by_hand.hpp"

#include <algorithm>
#include <set>

#include "tests/golden/golden.hpp"

namespace headcount::test {
namespace {

std::int64_t norm_by_hand(const Architecture& arch, std::int64_t width) {
    return width * ((arch.norm.scale ? 1 : 0) + (arch.norm.bias ? 1 : 0));
}

// Two or three matrices from the width to `inner` and back.
std::int64_t matrices_by_hand(const Architecture& arch, std::int64_t inner) {
    const DenseFeedForward& form = arch.layer.feed_forward;
    const std::int64_t inputs = form.input_bias ? (form.gated ? 2 : 1) * inner : 0;
    return (form.gated ? 3 : 2) * arch.dim * inner + (form.bias ? inputs + arch.dim : 0);
}

std::int64_t latent_by_hand(const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    const Latent& latent = *attention.latent;
    const std::int64_t d = arch.dim, h = attention.heads, bias = attention.qkv_bias ? 1 : 0;
    std::int64_t count = 0, from = d;
    if (latent.query_rank) {
        from = *latent.query_rank;
        count += d * from + bias * from + norm_by_hand(arch, from);
    }
    count += from * h * (latent.nope_dim + latent.rope_dim);
    count += (d + bias) * (latent.kv_rank + latent.rope_dim) + norm_by_hand(arch, latent.kv_rank);
    count += latent.kv_rank * h * (latent.nope_dim + latent.value_dim);
    return count + h * latent.value_dim * d + (attention.output_bias ? d : 0) + (attention.sinks ? h : 0);
}

std::int64_t attention_by_hand(const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    if (attention.latent) return latent_by_hand(arch);
    const std::int64_t d = arch.dim, d_h = *bindings(arch, {})[Symbol::head_dim];
    const std::int64_t q = attention.heads * d_h, kv = kv_heads(arch) * d_h;
    std::int64_t count = d * q + 2 * d * kv + q * d;
    if (attention.qkv_bias) count += q + 2 * kv;
    if (attention.output_bias) count += d;
    if (attention.sinks) count += attention.heads;
    if (attention.differential) count += 4 * d_h;
    if (attention.output_gate) count += d * q + (attention.qkv_bias && attention.gate_bias ? q : 0);
    std::int64_t weights = 0;
    if (attention.qk_norm == QkNorm::per_head) weights = 2 * d_h;
    if (attention.qk_norm == QkNorm::each_head || attention.qk_norm == QkNorm::across) weights = q + kv;
    return count + weights * (attention.qk_norm_bias ? 2 : 1);
}

std::int64_t mixture_by_hand(const Architecture& arch) {
    const Mixture& mixture = *arch.layer.mixture;
    std::int64_t count = arch.dim * mixture.experts + (mixture.router_bias ? mixture.experts : 0);
    Architecture of_expert = arch;
    of_expert.layer.feed_forward.bias = arch.layer.feed_forward.bias && mixture.expert_bias;
    count += mixture.experts * matrices_by_hand(of_expert, mixture.expert_dim);
    // Some families' checkpoints have it among the parameters.
    const auto is_parameter = [](const Module& module) {
        const bool correction = std::ranges::find(module.parts, Part::router_correction) != module.parts.end();
        return correction && !is_buffer(module.kind);
    };
    if (mixture.correction_bias && std::ranges::any_of(arch.family->modules, is_parameter)) count += mixture.experts;
    if (mixture.shared_experts == 0) return count;
    return count + matrices_by_hand(arch, mixture.shared_experts * mixture.shared_dim.value_or(mixture.expert_dim)) +
           (mixture.shared_gate ? arch.dim : 0);
}

// As the papers have them: Mamba-2's z, x, B, C and dt, or q, k, v, z, b and a; the convolution over all but z; A, the
// step's bias, and D; the norm; and the way back.
std::int64_t delta_or_mamba2_by_hand(const Architecture& arch) {
    const Recurrence& of = *arch.layer.recurrence;
    const std::int64_t keys = of.groups * of.state_dim, values = of.heads * of.head_dim;
    const bool mamba = of.kind == RecurrenceKind::mamba2;
    const std::int64_t made = 2 * values + 2 * keys + (mamba ? 1 : 2) * of.heads;
    const std::int64_t convolved = values + 2 * keys;
    return arch.dim * (made + values) + (of.bias ? made : 0) + (of.output_bias ? arch.dim : 0) +
           convolved * (of.conv_kernel + (of.conv_bias ? 1 : 0)) + (mamba ? 3 : 2) * of.heads +
           (of.norm ? (mamba ? values : of.head_dim) : 0);
}

// Mamba's x and z; the convolution; dt's bottleneck, B and C with their norms; dt; A and D; and the way back.
std::int64_t mamba_by_hand(const Architecture& arch) {
    const Recurrence& of = *arch.layer.recurrence;
    const std::int64_t values = of.heads * of.head_dim, made = of.step_rank + 2 * of.state_dim;
    return 2 * arch.dim * values + (of.bias ? 2 * values : 0) + values * (of.conv_kernel + (of.conv_bias ? 1 : 0)) +
           values * made + (of.inner_norms == InnerNorms::trained ? made : 0) + (of.step_rank + 1) * of.heads +
           of.heads * of.state_dim + of.heads + values * arch.dim + (of.output_bias ? arch.dim : 0);
}

std::int64_t short_convolution_by_hand(const Architecture& arch) {
    const Recurrence& of = *arch.layer.recurrence;
    return 4 * arch.dim * arch.dim + (of.bias ? 3 * arch.dim : 0) + (of.output_bias ? arch.dim : 0) +
           arch.dim * (of.conv_kernel + (of.conv_bias ? 1 : 0));
}

// Kimi's q, k and v with their convolutions; bottlenecks as wide as a head for decays and for the gate; b; A, the bias
// of each row's steps, the norm of a head; and the way back.
std::int64_t kimi_by_hand(const Architecture& arch) {
    const Recurrence& of = *arch.layer.recurrence;
    const std::int64_t head = of.state_dim, all = of.heads * head, biases = 5 * all + 2 * head + of.heads;
    return 4 * arch.dim * all + 2 * head * (arch.dim + all) + arch.dim * of.heads +
           3 * all * (of.conv_kernel + (of.conv_bias ? 1 : 0)) + of.heads + all + (of.norm ? head : 0) +
           (of.bias ? biases : 0) + (of.output_bias ? arch.dim : 0);
}

// Lightning attention's q, k, v and gate, its norm over all heads, and the way back.
std::int64_t lightning_by_hand(const Architecture& arch) {
    const Recurrence& of = *arch.layer.recurrence;
    const std::int64_t all = of.heads * of.state_dim;
    return 5 * arch.dim * all + (of.norm ? all : 0) + (of.bias ? 4 * all : 0) + (of.output_bias ? arch.dim : 0);
}

// RG-LRU's x and y, the convolution, two gates of a matrix a block, how fast each column fades, and the way back.
std::int64_t gated_linear_by_hand(const Architecture& arch) {
    const Recurrence& of = *arch.layer.recurrence;
    const std::int64_t all = of.heads * of.head_dim;
    return 3 * arch.dim * all + all * (of.conv_kernel + (of.conv_bias ? 1 : 0)) + 2 * all * of.head_dim + all +
           (of.bias ? 4 * all : 0) + (of.output_bias ? arch.dim : 0);
}

// RWKV's k, v and r with a blend each, how fast weights fade, what the token itself counts, and the way back.
std::int64_t weighted_mean_by_hand(const Architecture& arch) {
    const Recurrence& of = *arch.layer.recurrence;
    return 4 * arch.dim * of.head_dim + 3 * arch.dim + 2 * of.head_dim + (of.bias ? 3 * of.head_dim : 0) +
           (of.output_bias ? arch.dim : 0);
}

// RWKV-6's r, k, v, g and the way back; six blends, of five of which the share passes a bottleneck; the decays'
// bottleneck and what is added to them; u; and a norm with offsets. RWKV-7's six blends have none; a bottleneck is
// there for the decays, for what is taken away, for the gate and, in layers but the first, for the first one's values,
// all but the gate's with what is added; and two numbers for each column of keys.
std::int64_t time_mix_by_hand(const Architecture& arch, bool first) {
    const Recurrence& of = *arch.layer.recurrence;
    const std::int64_t all = of.heads * of.state_dim, ways = arch.dim + all;
    const std::int64_t both = 6 * arch.dim + ways * of.step_rank + all + all + (of.norm ? 2 * all : 0) +
                              arch.dim * all + (of.output_bias ? arch.dim : 0);
    if (of.kind == RecurrenceKind::dynamic_decay)
        return both + 4 * arch.dim * all + (of.bias ? 4 * all : 0) + 10 * arch.dim * of.blend_rank;
    return both + 3 * arch.dim * all + (of.bias ? 3 * all : 0) + ways * (of.write_rank + of.gate_rank) + all + 2 * all +
           (first ? 0 : ways * of.value_rank + all);
}

std::int64_t recurrence_by_hand(const Architecture& arch, bool first) {
    switch (arch.layer.recurrence->kind) {
        case RecurrenceKind::dynamic_decay:
        case RecurrenceKind::general_delta: return time_mix_by_hand(arch, first);
        case RecurrenceKind::gated_linear: return gated_linear_by_hand(arch);
        case RecurrenceKind::weighted_mean: return weighted_mean_by_hand(arch);
        case RecurrenceKind::mamba: return mamba_by_hand(arch);
        case RecurrenceKind::short_convolution: return short_convolution_by_hand(arch);
        case RecurrenceKind::kimi_delta: return kimi_by_hand(arch);
        case RecurrenceKind::lightning: return lightning_by_hand(arch);
        default: return delta_or_mamba2_by_hand(arch);
    }
}

// What is added to the rows that norms have made, as MiniMax does, shares no norm.
bool shares_norms(const Architecture& arch) {
    return arch.layer.joining == Joining::parallel_shared && !arch.family->computation(arch).normed_residual;
}

std::int64_t layer_by_hand(const Architecture& arch, std::int64_t layer, bool encoder = false) {
    const LayerKind kind = layer_kind(arch, layer, encoder);
    const Symbol inner = encoder ? Symbol::encoder_ffn_dim : Symbol::ffn_dim;
    const std::int64_t mixer = (kind.recurrent ? recurrence_by_hand(arch, kind.gives_values) : 0) +
                               (kind.attention ? attention_by_hand(arch) : 0);
    const bool first = kind.recurrent && arch.layer.recurrence->norms_first;
    const std::int64_t sides = arch.norm.placement == NormPlacement::both && !first ? 2 : 1;
    if (!kind.feed_forward) return mixer + sides * norm_by_hand(arch, arch.dim);
    const bool alone = !kind.recurrent && !kind.attention;
    const bool let_through = kind.recurrent && !kind.mixture && blends_tokens(arch.layer.recurrence->kind);
    const bool passes = let_through && arch.layer.recurrence->kind != RecurrenceKind::general_delta;
    const std::int64_t norms = alone ? sides : shares_norms(arch) ? 1 : 2 * sides;
    return norms * norm_by_hand(arch, arch.dim) + mixer +
           (kind.mixture ? mixture_by_hand(arch) : matrices_by_hand(arch, *bindings(arch, {})[inner])) +
           (let_through ? arch.dim : 0) + (passes ? arch.dim * arch.dim + arch.dim : 0);
}

// What layers share before their mixers, each set of weights once, and what each of these layers has of its own.
std::int64_t shared_by_hand(const Architecture& arch) {
    if (!arch.family->shared || !arch.family->shared(arch)) return 0;
    const SharedLayer shared = *arch.family->shared(arch);
    const Attention& attention = arch.layer.attention;
    const std::int64_t d = arch.dim, d_ff = *bindings(arch, {})[Symbol::ffn_dim], more = shared.width - d;
    const std::int64_t q = attention.heads * *bindings(arch, {})[Symbol::head_dim];
    const std::int64_t kv = kv_heads(arch) * *bindings(arch, {})[Symbol::head_dim];
    // Columns of the matrices that read more than the stream.
    std::int64_t columns = q + 2 * kv + (attention.output_gate ? q : 0);
    if (const std::optional<Latent>& latent = attention.latent)
        columns = latent->query_rank.value_or(attention.heads * (latent->nope_dim + latent->rope_dim)) +
                  latent->kv_rank + latent->rope_dim;
    const std::int64_t one = attention_by_hand(arch) + more * columns + norm_by_hand(arch, shared.width) +
                             norm_by_hand(arch, d) + matrices_by_hand(arch, d_ff);
    std::int64_t narrow = shared.adapter_rank * (d + (arch.layer.feed_forward.gated ? 2 : 1) * d_ff);
    if (shared.attention_adapters && !attention.latent) narrow += 3 * shared.adapter_rank * 2 * shared.width;
    std::set<std::int64_t> sets;
    std::int64_t own = 0;
    for (std::int64_t layer = 0; layer < arch.layers; ++layer) {
        const LayerKind kind = layer_kind(arch, layer);
        if (!kind.shared || (!kind.recurrent && !kind.attention)) continue;
        sets.insert(kind.shared->set);
        own += d * d + (kind.shared->which < shared.adapted ? narrow : 0);
    }
    return static_cast<std::int64_t>(sets.size()) * one + own;
}

bool has_module_of(const Family& family, Part part) {
    return std::ranges::any_of(family.modules, [&](const Module& module) {
        return std::ranges::find(module.parts, part) != module.parts.end();
    });
}

}  // namespace

std::int64_t narrowed_inside_by_hand(const Architecture& arch) {
    const bool inside = std::ranges::any_of(arch.family->modules, [](const Module& module) {
        return module.depth > 1 && std::ranges::find(module.parts, Part::output_projection) != module.parts.end();
    });
    return inside && arch.embedding_dim ? arch.dim * *arch.embedding_dim : 0;
}

// Output head, and what leads to it; or the pooler.
std::int64_t output_by_hand(const Architecture& arch, std::int64_t table) {
    const bool contacts = has_module_of(*arch.family, Part::contact_head) && !arch.encoder;
    const std::int64_t besides = contacts ? arch.layers * arch.layer.attention.heads + 1 : 0;
    if (arch.output == OutputKind::none) return besides + narrowed_inside_by_hand(arch);
    if (arch.output == OutputKind::pooler)
        return besides + narrowed_inside_by_hand(arch) + arch.dim * arch.dim + arch.dim;
    // NeoMME leads back to its embedding by the matrix that led away from it.
    const bool same_way = arch.tied && arch.family->type == "neomme";
    const std::int64_t narrowing = arch.embedding_dim && !same_way ? arch.dim * *arch.embedding_dim : 0;
    const bool buffered =
        std::ranges::find(arch.family->modules, ModuleKind::buffer_row, &Module::kind) != arch.family->modules.end();
    const std::int64_t bias = arch.head_bias && !buffered ? arch.vocab : 0;
    const bool wide = arch.output == OutputKind::masked && arch.transform_dim;
    const std::int64_t head = besides + (arch.tied ? 0 : wide ? arch.vocab * *arch.transform_dim : table) + bias;
    const std::vector<Extra> more = arch.family->besides ? arch.family->besides(arch) : std::vector<Extra>();
    const auto has = [&](Part part) {
        return std::ranges::any_of(more, [&](const Extra& beside) { return beside.part == part; });
    };
    if (arch.output == OutputKind::language) return head + narrowing + (has(Part::idle_head_bias) ? arch.vocab : 0);
    const bool pools = has(Part::pooler);
    const std::int64_t pooler = pools ? arch.dim * arch.dim + arch.dim : 0;
    const std::int64_t columns = arch.transform_dim.value_or(arch.embedding_dim.value_or(arch.dim));
    const bool idle = !arch.tied && arch.head_bias && has_module_of(*arch.family, Part::idle_head_bias);
    return pooler + head + arch.dim * columns + (arch.transform_bias ? columns : 0) + (idle ? arch.vocab : 0);
}

// What the family says that its models have besides (of one place), but for what is counted by its name above.
std::int64_t besides_by_hand(const Architecture& arch, std::optional<Component> place) {
    std::vector<Extra> all = arch.family->besides ? arch.family->besides(arch) : std::vector<Extra>();
    if (arch.whole) {
        const Result<Senses> senses = arch.whole->type->senses(arch.whole->file.object());
        all.insert(all.end(), (*senses)->begin(), (*senses)->end());
    }
    const std::int64_t encoding = arch.encoder ? arch.encoder->layers : 0;
    std::int64_t count = 0;
    for (const Extra& beside : all) {
        const bool own = beside.part == Part::beside || beside.part == Part::unscored_rows ||
                         beside.part == Part::idle_router || beside.part == Part::idle_embedding;
        if (!own || beside.buffer || (place && beside.component != *place)) continue;
        std::int64_t layers = beside.copies;
        if (beside.in_layers)
            layers = (beside.stacks != Extra::Stacks::encoder ? beside.layers.count(arch.layers) : 0) +
                     (beside.stacks != Extra::Stacks::decoder ? encoding : 0);
        for (const std::vector<Expr>* sides : {&beside.weight, &beside.bias}) {
            std::int64_t product = sides->empty() ? 0 : 1;
            for (const Expr& side : *sides) product *= *evaluate(side, bindings(arch, Input{}));
            count += layers * product;
        }
    }
    return count;
}

namespace {

// A distance table a stack, the encoder's layers and its final norm, and what looks at it in each of the decoder's.
std::int64_t beside_by_hand(const Architecture& arch) {
    std::int64_t tables = 0, more = 0;
    if (scores_distances(arch)) tables = arch.layer.attention.relative_buckets * arch.layer.attention.heads;
    if (!arch.encoder) return tables;
    Architecture alone = arch;
    alone.layer.attention.output_gate = false;
    alone.layer.attention.sinks = false;
    alone.layer.attention.qk_norm = QkNorm::none;
    const std::int64_t sides = arch.norm.placement == NormPlacement::both ? 2 : 1;
    more = arch.layers * (attention_by_hand(alone) + sides * norm_by_hand(arch, arch.dim));
    Architecture read = arch;
    read.layer.feed_forward.gated = arch.layer.feed_forward.gated && !arch.family->ungated_encoder;
    for (std::int64_t layer = 0; layer < arch.encoder->layers; ++layer) more += layer_by_hand(read, layer, true);
    return 2 * tables + more + (arch.norm.final ? norm_by_hand(arch, arch.dim) : 0);
}

// A table's rows and their norm, and of each layer matrices of its own for keys and for queries of distances; the
// convolution beside the first layer with its norm; and gates of distances.
std::int64_t distances_by_hand(const Architecture& arch) {
    const auto table = arch.family->distances ? arch.family->distances(arch) : std::nullopt;
    const auto convolution = arch.family->convolution ? arch.family->convolution(arch) : std::nullopt;
    const std::int64_t d = arch.dim, q = arch.layer.attention.heads * *bindings(arch, {})[Symbol::head_dim];
    std::int64_t count = convolution ? convolution->kernel * d * d + 3 * d : 0;
    const std::int64_t heads = arch.layer.attention.heads;
    const bool gates = arch.family->gated_distances && scores_distances(arch) && !arch.layer.attention.latent;
    const std::int64_t layers = arch.layers + (arch.encoder ? arch.encoder->layers : 0);
    if (gates) count += layers * (8 * (d / heads) + 8 + heads);
    if (!table) return count;
    count += *evaluate(table->rows, bindings(arch, Input{})) * d + (table->normed ? norm_by_hand(arch, d) : 0);
    if (table->shared) return count;
    const std::int64_t keys = table->keys ? d * q + (table->key_bias ? q : 0) : 0,
                       queries = table->queries ? d * q + q : 0;
    return count + arch.layers * (keys + queries);
}

}  // namespace

std::int64_t counted_by_hand(const Architecture& arch) {
    const std::int64_t d = arch.dim, table = arch.vocab * arch.embedding_dim.value_or(d);
    const std::int64_t own = arch.embedding_dim.value_or(d), summed = arch.embedding_norm ? own : d;
    std::int64_t total = table + output_by_hand(arch, table) + arch.token_types * summed + beside_by_hand(arch);
    if (arch.output == OutputKind::masked) total += norm_by_hand(arch, arch.transform_dim.value_or(own));
    if (arch.embedding_dim) total += d * own + (arch.embedding_norm ? d : 0);
    if (has_position_table(arch)) total += (arch.context + arch.position_offset) * summed;
    const bool angles = has_module_of(*arch.family, Part::rotary_table) && rotates(arch) && !arch.encoder;
    if (angles) total += arch.context * *bindings(arch, {})[Symbol::head_dim];
    if (arch.norm.final) total += norm_by_hand(arch, d) - (arch.norm.bias && !arch.norm.final_bias ? d : 0);
    if (arch.embedding_norm) total += norm_by_hand(arch, summed);
    if (has_module_of(*arch.family, Part::first_norm) && !arch.norm.final)
        total += has_head(arch) ? 2 * d : norm_by_hand(arch, d);
    for (std::int64_t layer = 0; layer < arch.layers; ++layer) total += layer_by_hand(arch, layer);
    return total + shared_by_hand(arch) + distances_by_hand(arch) + besides_by_hand(arch);
}

// The experts that a token is not sent to.
std::int64_t idle_by_hand(const Architecture& arch) {
    std::int64_t idle = 0;
    const auto add = [&](std::int64_t layers, bool encoder) {
        for (std::int64_t layer = 0; layer < layers; ++layer)
            if (layer_kind(arch, layer, encoder).mixture)
                idle += (arch.layer.mixture->experts - arch.layer.mixture->experts_per_token) *
                        matrices_by_hand(arch, arch.layer.mixture->expert_dim);
    };
    add(arch.layers, false);
    if (arch.encoder) add(arch.encoder->layers, true);
    for (const Component component : {Component::tower, Component::connector}) idle += besides_by_hand(arch, place);
    return idle;
}

}  // namespace headcount::test
