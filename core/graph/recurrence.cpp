// Mixers with a state of fixed size: Mamba (Gu & Dao 2023), Mamba-2 (Dao & Gu 2024) and the gated delta rule (Yang et
// al. 2025). All project, convolve over the last few tokens, let each head's state fade, write to it and read it; all
// gate what was read before it is projected back.
#include <array>
#include <cmath>

#include "core/graph/builder.hpp"
#include "core/graph/recurrence_words.hpp"

namespace headcount {
namespace {

class Mixer {
  public:
    Mixer(GraphBuilder& builder, TensorIndex input)
        : builder_(builder),
          input_(input),
          recurrence_(*builder.arch.layer.recurrence),
          delta_(recurrence_.kind == RecurrenceKind::gated_delta || recurrence_.kind == RecurrenceKind::kimi_delta),
          narrowed_(recurrence_.kind == RecurrenceKind::kimi_delta),
          by_row_(recurrence_.kind == RecurrenceKind::mamba),
          fixed_(recurrence_.kind == RecurrenceKind::lightning),
          words_(delta_ || fixed_ ? delta_words : mamba_words) {}

    TensorIndex build() {
        if (by_row_) return build_by_row();
        if (fixed_) return build_fixed();
        const Expr keys = Expr(Symbol::state_groups) * Symbol::state_dim;
        const Expr values = Expr(Symbol::state_heads) * Symbol::state_head_dim;
        TensorIndex q = project("query", Part::state_query, words_.query, "queries", keys,
                                "{g_s} groups of {N}: what each token looks for in the state");
        TensorIndex k = project("key", Part::state_key, words_.key, "keys", keys,
                                "{g_s} groups of {N}: where in the state each token writes");
        TensorIndex v = project("value", Part::state_value, words_.value, "values", values,
                                "{h_s} heads of {d_s}: what each token writes");
        const TensorIndex z = narrowed_ ? project_gate_narrowly(values) : project_gate(values);
        const TensorIndex step =
            narrowed_ ? project_step_narrowly()
                      : project("step", Part::state_step, words_.step_label, words_.step_weight, "raw_steps",
                                words_.steps, Symbol::state_heads, "how far each head's state fades, unbounded");
        std::optional<TensorIndex> writes;
        if (delta_) writes = write_strength();
        q = convolve("query", Part::convolved_query, words_.query, q);
        k = convolve("key", Part::convolved_key, words_.key, k);
        v = convolve("value", Part::convolved_value, words_.value, v);
        if (delta_) {
            q = to_length_one(q, Part::state_query, "queries_normed", words_.query);
            k = to_length_one(k, Part::state_key, "keys_normed", words_.key);
        }
        const TensorIndex steps = step_of(step), decays = decay_of(steps);
        const TensorIndex read = heads(q, k, v, Fading{decays, writes.value_or(steps)});
        return project_state_back(builder_, gate_and_norm(read, z));
    }

  private:
    // How much is left of a head's state at each token, and how much of the token is written.
    struct Fading {
        TensorIndex decays = 0, writes = 0;
    };

    // Lightning attention: activated as projected.
    TensorIndex build_fixed() {
        const Expr keys = Expr(Symbol::state_groups) * Symbol::state_dim;
        const Expr values = Expr(Symbol::state_heads) * Symbol::state_head_dim;
        const auto make = [&](std::string_view name, Part part, const PathWords& words, std::string_view output,
                              std::string_view activated, const Expr& columns, std::string_view meaning) {
            const TensorIndex raw = project(name, part, words, output, columns, meaning);
            return activate(raw, part, activated, words);
        };
        const TensorIndex q = make("query", Part::state_query, words_.query, "queries", "queries_activated", keys,
                                   "{h_s} heads of {N}: what each token looks for in the state");
        const TensorIndex k = make("key", Part::state_key, words_.key, "keys", "keys_activated", keys,
                                   "{h_s} heads of {N}: where in the state each token writes");
        const TensorIndex v = make("value", Part::state_value, words_.value, "values", "values_activated", values,
                                   "{h_s} heads of {d_s}: what each token writes");
        const TensorIndex z = project_gate(values);
        return project_state_back(builder_, gate_and_norm(heads(q, k, v, {}), z));
    }

    TensorIndex project_gate(const Expr& values) {
        return project("gate", Part::state_gate, "Gate projection", "W_z", "gates", "z", values,
                       "how much passes of what is read, for each token and column");
    }

    // Both pass a bottleneck (Kimi).
    TensorIndex project_gate_narrowly(const Expr& values) {
        const TensorIndex low = project("gate_down", Part::state_gate_down, "Gate bottleneck", "W_g", "low_gates", "g",
                                        Symbol::step_rank, "{r_s} numbers, from which the gate is made");
        return builder_.linear(
            low,
            {"gate", Part::state_gate, "Gate projection", "W_z", "b", values, recurrence_.bias,
             "Makes the gate of {r_s} numbers."},
            {"gates", "Gate projection", "z", "how much passes of what is read, for each token and column"});
    }
    TensorIndex project_step_narrowly() {
        const TensorIndex low = project("step_down", Part::state_step_down, "Decay bottleneck", "W_r", "low_steps", "r",
                                        Symbol::step_rank, "{r_s} numbers, from which the decays are made");
        return builder_.linear(
            low,
            {"step", Part::state_step, words_.step_label, words_.step_weight, "b",
             Expr(Symbol::state_heads) * Symbol::state_dim, recurrence_.bias,
             "Makes of {r_s} numbers how far each row of each head's state fades."},
            {"raw_steps", words_.step_label, words_.steps, "how far each row of each head's state fades, unbounded"});
    }

    // Mamba: what states are written and read by is made of what was convolved.
    TensorIndex build_by_row() {
        const Expr values = Expr(Symbol::state_heads) * Symbol::state_head_dim;
        TensorIndex v = project("value", Part::state_value, words_.value, "values", values,
                                "{h_s} heads of {d_s}: what each token writes");
        const TensorIndex z = project_gate(values);
        v = convolve("value", Part::convolved_value, words_.value, v);
        const auto make = [&](std::string_view name, Part part, std::string_view label, std::string_view symbol,
                              const LinearOutput& output, const Expr& columns) {
            return builder_.linear(v,
                                   {name, part, label, symbol, "b", columns, false,
                                    "Makes, of each token's convolved numbers, what the state is written and read by."},
                                   output);
        };
        TensorIndex low = make("step_down", Part::state_step_down, "Step bottleneck", "W_r",
                               {"low_steps", "Step bottleneck", "r", "{r_s} numbers, from which the steps are made"},
                               Symbol::step_rank);
        TensorIndex k = make("key", Part::state_key, words_.key.projected_label, words_.key.weight,
                             {"keys", words_.key.label, words_.key.symbol, "where in the states each token writes"},
                             Symbol::state_dim);
        TensorIndex q =
            make("query", Part::state_query, words_.query.projected_label, words_.query.weight,
                 {"queries", words_.query.label, words_.query.symbol, "what each token looks for in the states"},
                 Symbol::state_dim);
        if (recurrence_.inner_norms != InnerNorms::none) {
            low = rescaled(low, "step_norm", Part::state_step_norm, "Step norm", "r_n", Symbol::step_rank);
            k = rescaled(k, "key_norm", Part::state_key_norm, "B norm", "B_n", Symbol::state_dim);
            q = rescaled(q, "query_norm", Part::state_query_norm, "C norm", "C_n", Symbol::state_dim);
        }
        const TensorIndex raw =
            builder_.linear(low,
                            {"step", Part::state_step, words_.step_label, words_.step_weight, "b_dt",
                             Symbol::state_heads, true, "Makes each head's step of {r_s} numbers."},
                            {"raw_steps", words_.step_label, words_.steps, "how long each step is, unbounded"});
        const TensorIndex steps = step_of(raw), read = heads(q, k, v, Fading{decay_of(steps), steps});
        return project_state_back(builder_, gate_and_norm(read, z));
    }

    TensorIndex rescaled(TensorIndex from, std::string_view name, Part part, std::string_view label,
                         std::string_view symbol, const Expr& width) {
        const Norm norm{.kind = NormKind::rms,
                        .scale = recurrence_.inner_norms == InnerNorms::trained,
                        .bias = false,
                        .epsilon = builder_.computation.inner_norm_epsilon.value_or(builder_.arch.norm.epsilon)};
        return builder_.norm(from, norm,
                             {.name = name, .part = part, .label = label, .symbol = symbol, .width = width});
    }

    TensorIndex project(std::string_view name, Part part, const PathWords& words, std::string_view output,
                        const Expr& columns, std::string_view meaning) {
        return project(name, part, words.projected_label, words.weight, output, words.projected, columns, meaning);
    }

    TensorIndex project(std::string_view name, Part part, std::string_view label, std::string_view symbol,
                        std::string_view output, std::string_view output_symbol, const Expr& columns,
                        std::string_view meaning) {
        return builder_.linear(input_,
                               {name, part, label, symbol, "b", columns, recurrence_.bias,
                                "Makes, of each token's {d} numbers, what the state is written and read by."},
                               {output, label, output_symbol, meaning});
    }

    TensorIndex write_strength() {
        const TensorIndex raw = project("write", Part::state_write, "Write projection", "W_b", "raw_writes", "b",
                                        Symbol::state_heads, "how much of each token is written, unbounded");
        const Shape each = builder_.shape(raw);
        const bool twice = builder_.computation.writes_twice;
        const TensorIndex once = builder_.node(
            Op::activate, {raw}, {},
            {twice ? "half_writes" : "writes", Part::state_write, twice ? "Half write" : "Write strength",
             twice ? "β'" : "β", each, "how much of each token is written, for each head between 0 and 1"},
            GateRule{Activation::sigmoid, {}});
        if (!twice) return once;
        return builder_.node(Op::sum, {once, once}, {},
                             {"writes", Part::state_write, "Write strength", "β", each,
                              "how much of each token is written, for each head between 0 and 2: above 1 what its key "
                              "had turns its sign"},
                             Scaling{});
    }

    // Each column over the last {K} tokens, then the activation function.
    TensorIndex convolve(std::string_view name, Part part, const PathWords& words, TensorIndex from) {
        const Part made_by = builder_.graph.tensors[from].part;
        const NameOf names = names_of(name);
        const TensorIndex mixed =
            build_convolution(builder_,
                              {name, part, words.filter_label, names.convolved, words.convolved_label, words.convolved,
                               names.tail, words.last_label, words.last},
                              from);
        return activate(mixed, made_by, names.activated, words);
    }

    TensorIndex activate(TensorIndex from, Part part, std::string_view name, const PathWords& words) {
        const Shape rows = builder_.shape(from);
        const Activation activation =
            builder_.computation.recurrence_activation.value_or(builder_.arch.layer.feed_forward.activation);
        return builder_.node(Op::activate, {from}, {},
                             {name, part, words.label, words.symbol, rows, "the activation function of each"},
                             GateRule{activation, {}});
    }

    struct NameOf {
        std::string_view convolved, tail, activated;
    };
    static NameOf names_of(std::string_view name) {
        if (name == "query") return {"queries_convolved", "queries_tail", "queries_activated"};
        if (name == "key") return {"keys_convolved", "keys_tail", "keys_activated"};
        return {"values_convolved", "values_tail", "values_activated"};
    }

    TensorIndex to_length_one(TensorIndex from, Part part, std::string_view name, const PathWords& words) {
        constexpr double epsilon = 1e-6;
        const Norm norm{.kind = NormKind::l2, .scale = false, .bias = false, .epsilon = epsilon};
        return builder_.norm(from, norm,
                             {.name = name,
                              .part = part,
                              .label = words.normed_label,
                              .symbol = words.normed,
                              .width = Symbol::state_dim,
                              .of_each_head = true});
    }

    // Δ = softplus(dt + b), between the model's limits: how much time passes at a token.
    TensorIndex step_of(TensorIndex raw) {
        const Shape rows = builder_.shape(raw), each{rows[1]};
        std::vector<TensorIndex> offset;  // of Mamba with the projection
        if (!by_row_) {
            offset.push_back(builder_.parameter(
                "step_offset.bias",
                {"step_offset", Part::step_bias, "Step bias", "b_dt", each,
                 narrowed_ ? "For each row of each head's state how long a step is before a token says so."
                           : "For each head how long a step is before a token says so.",
                 Role::parameter}));
            builder_.graph.tensors[offset.back()].bias = true;
        }
        return builder_.node(
            Op::step, {raw}, std::move(offset),
            {"steps", Part::state_step, "Steps", "Δ", rows, "how much time passes for each head at each token"},
            builder_.computation.step);
    }

    // α = exp(-exp(A) · Δ).
    TensorIndex decay_of(TensorIndex steps) {
        const Shape each = by_row_ ? Shape{Symbol::state_heads, Symbol::state_dim} : Shape{Symbol::state_heads};
        const Shape one = builder_.shape(steps), rows = by_row_ ? Shape{one[0], one[1] * Symbol::state_dim} : one;
        const TensorIndex rate = builder_.parameter(
            "decay.weight", {"decay", Part::decay_rate, "Decay rate", "A", each,
                             by_row_ ? "For each head and row of its state the logarithm of how fast it fades."
                                     : "For each head the logarithm of how fast its state fades.",
                             Role::parameter});
        return builder_.node(Op::decay, {steps}, {rate},
                             {"decays", Part::decay_rate, "Decay", "α", rows,
                              narrowed_ ? "how much of each row of each head's state is left at each token"
                                        : "how much of each head's state is left at each token"},
                             DecayRule{});
    }

    // Everything in here happens h_s times.
    TensorIndex heads(TensorIndex q, TensorIndex k, TensorIndex v, std::optional<Fading> fading) {
        const Shape each{Symbol::state_heads};
        std::vector<TensorIndex> skip;
        if (!delta_ && !fixed_)
            skip.push_back(builder_.parameter(
                "skip.weight",
                {"skip", Part::state_skip, "Skip", "D", each,
                 "For each head how much of its own value a token adds to what it reads.", Role::parameter}));
        const Expr shared = by_row_ ? Symbol::state_heads : Expr(Symbol::state_heads) / Symbol::state_groups;
        builder_.open(BlockKind::head, "head", Symbol::state_heads);
        const auto take = [&](TensorIndex from, std::string_view name, std::string_view symbol, const Expr& columns,
                              const Expr& share, std::string_view meaning) {
            const Tensor& whole = builder_.graph.tensors[from];
            const Shape own{whole.shape[0], columns};
            const Part part = whole.part;
            const std::string_view label = whole.label;
            return builder_.node(Op::take_head, {from}, {},
                                 {name, part, label, symbol, own, meaning, Role::activation, true},
                                 HeadRule{.step = columns, .share = share});
        };
        const bool group = !narrowed_ && !fixed_ && (by_row_ ? 1 : recurrence_.groups) < recurrence_.heads;
        const Expr share = group ? shared : Expr(1);
        const std::string_view of_group = by_row_ ? "all {N} columns, as every head has them"
                                                  : "its group's {N} columns, which serve {h_s/g_s} heads";
        const std::string_view of_keys = group ? of_group : "this head's {N} columns";
        const bool delta_named = delta_ || fixed_;
        q = take(q, "queries", delta_named ? "Q_i" : "C_i", Symbol::state_dim, share, of_keys);
        k = take(k, "keys", delta_named ? "K_i" : "B_i", Symbol::state_dim, share, of_keys);
        v = take(v, "values", delta_named ? "V_i" : "x_i", Symbol::state_head_dim, 1, "this head's {d_s} columns");
        std::vector<TensorIndex> written{k, v};
        if (fading) {
            written.push_back(by_row_ || narrowed_ ? take(fading->decays, "decay", "α_i", Symbol::state_dim, 1,
                                                          "this head's {N} columns")
                                                   : take(fading->decays, "decay", "α_i", 1, 1, "this head's column"));
            written.push_back(take(fading->writes, "write", delta_ ? "β_i" : "Δ_i", 1, 1, "this head's column"));
        }
        const Shape state_shape{Symbol::state_dim, Symbol::state_head_dim},
            rows{Symbol::tokens, Symbol::state_head_dim};
        const StateRule rule{
            .replaces = delta_,
            .query_factor = delta_ ? 1 / std::sqrt(static_cast<double>(recurrence_.state_dim)) : 1,
            .fading = fading ? std::nullopt : std::optional(FixedFading{recurrence_.heads, builder_.arch.layers})};
        const TensorIndex state =
            builder_.node(Op::update_state, std::move(written), {},
                          {"state", Part::state_key, "State", "S", state_shape,
                           delta_ ? "what the head remembers: faded, and where a key points replaced by its value"
                                  : "what the head remembers: faded, and at each key its value added",
                           Role::state},
                          rule);
        std::vector<TensorIndex> inputs{q, state};
        if (!skip.empty()) inputs.push_back(v);
        const TensorIndex read =
            builder_.node(Op::read_state, std::move(inputs), std::move(skip),
                          {"output", Part::state_value, "Head output", "Y_i", rows,
                           "what each token's query reads from the state as it then is", Role::activation, true},
                          rule);
        builder_.close();
        const Shape side_by_side{Symbol::tokens, Expr(Symbol::state_heads) * Symbol::state_head_dim};
        return builder_.node(
            Op::join_heads, {read}, {},
            {"joined", Part::state_value, "Heads joined", "Y_h", side_by_side, "{h_s} heads of {d_s} side by side"});
    }

    // Mamba-2 gates before its norm, over the heads of a group; the delta rule behind, over each head; lightning
    // attention behind, over all.
    TensorIndex gate_and_norm(TensorIndex read, TensorIndex z) {
        const Shape rows = builder_.shape(read);
        const bool plain = narrowed_ || fixed_;
        const auto gated = [&](TensorIndex from) {
            return builder_.node(Op::gate, {z, from}, {},
                                 {"gated", Part::state_gate, "Gated", "Y_g", rows,
                                  plain ? "what was read, times the gate's sigmoid, cell by cell"
                                        : "what was read, times SiLU of the gate, cell by cell"},
                                 GateRule{plain ? Activation::sigmoid : Activation::silu, {}});
        };
        Norm norm{.kind = NormKind::rms,
                  .epsilon = builder_.computation.read_norm_epsilon.value_or(builder_.arch.norm.epsilon)};
        NormSpec spec{.name = "norm_read", .part = Part::state_norm, .label = "Norm of what was read", .symbol = "Y_n"};
        spec.own_offset = 0;
        if (delta_) {
            spec.width = Symbol::state_head_dim;
            spec.of_each_head = true;
            return gated(recurrence_.norm ? builder_.norm(read, norm, spec) : read);
        }
        if (by_row_ || !recurrence_.norm) return gated(read);
        if (fixed_) {
            spec.width = rows[1];
            return gated(builder_.norm(read, norm, spec));
        }
        spec.weights = Shape{rows[1]};
        spec.of_each_head = recurrence_.groups > 1;
        spec.width = spec.of_each_head ? rows[1] / Symbol::state_groups : rows[1];
        if (builder_.computation.normed_before_gate) return gated(builder_.norm(read, norm, spec));
        return builder_.norm(gated(read), norm, spec);
    }

    GraphBuilder& builder_;
    TensorIndex input_;
    const Recurrence& recurrence_;
    const bool delta_;
    const bool narrowed_;  // steps and gates pass a bottleneck, and each row of a state fades by itself
    const bool by_row_;    // the same, where one bottleneck is of steps alone, and follows the convolution
    const bool fixed_;     // states fade at rates that are not trained
    const RecurrenceWords& words_;
};

}  // namespace

TensorIndex project_state_back(GraphBuilder& builder, TensorIndex from) {
    return builder.linear(from,
                          {"output", Part::state_output, "Output projection", "W_o", "b_o", Symbol::dim,
                           builder.arch.layer.recurrence->output_bias,
                           "Brings what {h_s} heads of {d_s} read back to the {d} numbers of the residual stream."},
                          {"output", "Recurrence output", "Y", "{h_s} heads brought back to width {d}"});
}

std::string_view block_name(RecurrenceKind kind) {
    constexpr std::array<std::string_view, 10> names{
        "state_space",      "linear_attention",  "state_space",   "short_convolution", "linear_attention",
        "linear_attention", "linear_recurrence", "weighted_mean", "time_mix",          "time_mix"};
    return names[static_cast<std::size_t>(kind)];
}

TensorIndex build_recurrence(GraphBuilder& builder, const LayerKind& of_layer, TensorIndex input) {
    const RecurrenceKind kind = builder.arch.layer.recurrence->kind;
    if (kind == RecurrenceKind::short_convolution) return build_short_convolution(builder, input);
    if (kind == RecurrenceKind::gated_linear) return build_linear_recurrence(builder, input);
    if (kind == RecurrenceKind::weighted_mean) return build_weighted_mean(builder, input);
    if (kind == RecurrenceKind::dynamic_decay || kind == RecurrenceKind::general_delta)
        return build_receptance(builder, of_layer, input);
    return Mixer(builder, input).build();
}

}  // namespace headcount
