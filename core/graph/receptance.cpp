// Time mixing of RWKV-6 (Finch, Peng et al. 2024, arXiv:2404.05892) and RWKV-7 (Goose, Peng et al. 2025,
// arXiv:2503.14456). What projections read of a token is blended with the token before; each row of a head's state
// fades as far as the token says, and a token counts more for itself than what is left of it for later ones. What
// RWKV-7 writes takes away what another key had, and its layers take some of the first one's values.
#include "core/graph/builder.hpp"

namespace headcount {
namespace {

class TimeMix {
  public:
    TimeMix(GraphBuilder& builder, const LayerKind& kind, TensorIndex input)
        : builder_(builder),
          gives_values_(kind.gives_values),
          input_(input),
          recurrence_(*builder.arch.layer.recurrence),
          delta_(recurrence_.kind == RecurrenceKind::general_delta) {}

    TensorIndex build() {
        if (!delta_) low_shares_ = make_low_shares();
        const TensorIndex for_steps =
            blend({"step_blend", Part::step_blend, "Blend for decays", "μ_w", "steps_blended", "X_w"},
                  {"low_step_share", "step_share", "W_mw", "step_shares", "D_w", Part::step_share}, 0);
        const TensorIndex for_keys =
            blend({"key_blend", Part::key_blend, "Blend for keys", "μ_k", "keys_blended", "X_k"},
                  {"low_key_share", "key_share", "W_mk", "key_shares", "D_k", Part::key_share}, 1);
        const TensorIndex for_values =
            blend({"value_blend", Part::value_blend, "Blend for values", "μ_v", "values_blended", "X_v"},
                  {"low_value_share", "value_share", "W_mv", "value_shares", "D_v", Part::value_share}, 2);
        const TensorIndex for_queries =
            blend({"query_blend", Part::query_blend, "Blend for the receptance", "μ_r", "queries_blended", "X_r"},
                  {"low_query_share", "query_share", "W_mr", "query_shares", "D_r", Part::query_share}, 3);
        const TensorIndex for_gates =
            blend({"gate_blend", Part::gate_blend, "Blend for the gate", "μ_g", "gates_blended", "X_g"},
                  {"low_gate_share", "gate_share", "W_mg", "gate_shares", "D_g", Part::gate_share}, 4);
        std::optional<TensorIndex> for_writes;
        if (delta_)
            for_writes = build_blend(
                builder_, input_,
                {"write_blend", Part::write_blend, "Blend for what is taken away", "μ_a", "writes_blended", "X_a"});
        keep_last_row(builder_, input_, Part::state_key);
        const TensorIndex q = project(
            for_queries, "query", Part::state_query, "Receptance", "W_r",
            {"queries", "Receptance", "R", "{h_s} heads of {N}: what each token looks for in the state"}, columns_);
        TensorIndex k =
            project(for_keys, "key", Part::state_key, "Key projection", "W_k",
                    {"keys", "Keys", "K", "{h_s} heads of {N}: where in the state each token writes"}, columns_);
        const TensorIndex v = values(for_values);
        const TensorIndex decays = decay(for_steps);
        std::vector<TensorIndex> taken;
        if (delta_) taken = take_away(*for_writes, k);
        const TensorIndex read = heads(q, k, v, decays, taken);
        const TensorIndex own = bonus(q, k, v), gate = gates(for_gates);
        const TensorIndex whole = delta_ ? both(norm(read), own) : norm(both(read, own));
        return project_state_back(builder_, gated(gate, whole));
    }

  private:
    // Of the token before as much as a trained number of each column says, and in RWKV-6 what the token says besides.
    struct ShareWords {
        std::string_view low, name, weight, made, symbol;
        Part part;
    };
    TensorIndex blend(const BlendWords& words, const ShareWords& share, std::int64_t which) {
        if (!low_shares_) return build_blend(builder_, input_, words);
        const Shape narrow{builder_.rows, Symbol::blend_rank};
        const TensorIndex low = builder_.node(Op::take_columns, {*low_shares_}, {},
                                              {share.low, share.part, "This share's bottleneck", "m", narrow,
                                               "{r_b} of these columns", Role::activation, true},
                                              ColumnRange{.first = Expr(which) * Symbol::blend_rank});
        const TensorIndex made = builder_.linear(
            low,
            {share.name, share.part, "Share by token", share.weight, "b", Symbol::dim, false,
             "Makes of {r_b} numbers how much more each of {d} columns has of the token before."},
            {share.made, "Share by token", share.symbol, "how much more each column has of the token before"});
        return build_blend(builder_, input_, words, made);
    }

    // The bottlenecks of five shares side by side.
    TensorIndex make_low_shares() {
        const TensorIndex blended = build_blend(
            builder_, input_, {"low_blend", Part::low_blend, "Blend for shares", "μ_x", "low_blended", "X_x"});
        const TensorIndex low = builder_.linear(
            blended,
            {"share_down", Part::share_down, "Bottlenecks of shares", "W_m", "b", Expr(5) * Symbol::blend_rank, false,
             "Brings each token's {d} blended numbers to {r_b} for each of five shares."},
            {"low_shares", "Bottlenecks of shares", "M", "{r_b} numbers for each of five shares"});
        return activate(low, Part::share_down, Activation::tanh,
                        {"low_shares_bent", "Bottlenecks, bounded", "M'", "each number between -1 and 1"});
    }

    TensorIndex project(TensorIndex from, std::string_view name, Part part, std::string_view label,
                        std::string_view symbol, const LinearOutput& output, const Expr& columns) {
        return builder_.linear(from,
                               {name, part, label, symbol, "b", columns, recurrence_.bias,
                                "Makes, of each token's {d} blended numbers, what the state is written and read by."},
                               output);
    }

    TensorIndex activate(TensorIndex from, Part part, Activation function, const LinearOutput& output) {
        const Shape rows = builder_.shape(from);
        return builder_.node(Op::activate, {from}, {},
                             {output.name, part, output.label, output.symbol, rows, output.meaning},
                             GateRule{function, {}});
    }

    // Of a bottleneck so wide, and where it is bent.
    struct Narrow {
        std::string_view down, down_label, down_symbol, low, low_symbol, bent, bent_symbol, low_meaning;
        Part part;
        Expr rank;
        std::optional<Activation> function = {};
    };
    TensorIndex narrow(TensorIndex from, const Narrow& way) {
        const TensorIndex low = builder_.linear(from,
                                                {way.down, way.part, way.down_label, way.down_symbol, "b", way.rank,
                                                 false, "Brings each token's {d} blended numbers to a few."},
                                                {way.low, way.down_label, way.low_symbol, way.low_meaning});
        return way.function
                   ? activate(low, way.part, *way.function, {way.bent, way.down_label, way.bent_symbol, "each bounded"})
                   : low;
    }

    TensorIndex decay(TensorIndex from) {
        const TensorIndex low = narrow(from, {.down = "step_down",
                                              .down_label = "Decay bottleneck",
                                              .down_symbol = "W_wd",
                                              .low = "low_steps",
                                              .low_symbol = "w_l",
                                              .bent = "low_steps_bent",
                                              .bent_symbol = "w'_l",
                                              .low_meaning = "{r_s} numbers, from which the decays are made",
                                              .part = Part::state_step_down,
                                              .rank = Symbol::step_rank,
                                              .function = Activation::tanh});
        const TensorIndex raw = builder_.linear(
            low,
            {"step", Part::state_step, "Decay projection", "W_w", "b", columns_, false,
             "Makes of {r_s} numbers how far each row of each head's state fades."},
            {"raw_steps", "Decay projection", "w", "how far each row of each head's state fades, unbounded"});
        const Shape each{columns_}, rows = builder_.shape(raw);
        const TensorIndex offset = builder_.parameter(
            "step_offset.bias",
            {"step_offset", Part::step_bias, "Decay bias", "w_0", each,
             "For each row of each head's state how far it fades before a token says so.", Role::parameter});
        builder_.graph.tensors[offset].bias = true;
        constexpr double slowest = 0.6065306597126334;  // e^(-1/2)
        return builder_.node(Op::decay, {raw}, {offset},
                             {"decays", Part::decay_rate, "Decay", "α", rows,
                              "how much of each row of each head's state is left at each token"},
                             DecayRule{.of = delta_ ? DecayRule::Rate::sigmoid : DecayRule::Rate::exponential,
                                       .factor = delta_ ? slowest : 1,
                                       .by_token = true});
    }

    // The first layer's are those that others take some of.
    TensorIndex values(TensorIndex from) {
        const TensorIndex own =
            project(from, "value", Part::state_value, "Value projection", "W_v",
                    {"values", "Values", "V", "{h_s} heads of {d_s}: what each token writes"}, values_);
        if (!delta_) return own;
        if (gives_values_) {
            builder_.first_values = own;
            return own;
        }
        const Shape rows = builder_.shape(own);
        const TensorIndex low =
            narrow(from, {.down = "value_down",
                          .down_label = "Value bottleneck",
                          .down_symbol = "W_vd",
                          .low = "low_values",
                          .low_symbol = "v_l",
                          .low_meaning = "{r_v} numbers, from which the share of the first layer's values is made",
                          .part = Part::state_value_down,
                          .rank = Symbol::value_rank});
        const TensorIndex raw = builder_.linear(
            low,
            {"first_share", Part::first_share, "Share of the first values", "W_vs", "v_0", values_, true,
             "Makes of {r_v} numbers how much of the first layer's values counts."},
            {"raw_shares", "Share of the first values", "v", "how much of the first layer's values counts, unbounded"});
        const TensorIndex less = builder_.node(Op::sum, {*builder_.first_values, own}, {},
                                               {"value_difference", Part::state_value, "To the first values", "V_d",
                                                rows, "the first layer's values less these"},
                                               Scaling{.factor = -1});
        const TensorIndex share = builder_.node(Op::gate, {raw, less}, {},
                                                {"value_change", Part::first_share, "Share of that", "V_s", rows,
                                                 "as much of the difference as the share's sigmoid says"},
                                                GateRule{Activation::sigmoid, {}});
        return builder_.node(Op::sum, {own, share}, {},
                             {"values_mixed", Part::state_value, "Values with the first", "V'", rows,
                              "between these values and the first layer's"},
                             Scaling{});
    }

    // The direction that is looked at before a token is written, and how much of what it had goes, row by row; and less
    // of the key itself where less goes.
    std::vector<TensorIndex> take_away(TensorIndex from, TensorIndex& k) {
        const Shape rows = builder_.shape(k), each{columns_};
        const TensorIndex low = narrow(from, {.down = "write_down",
                                              .down_label = "Bottleneck of what is taken away",
                                              .down_symbol = "W_ad",
                                              .low = "low_writes",
                                              .low_symbol = "a_l",
                                              .low_meaning = "{r_a} numbers, from which is made how much is taken away",
                                              .part = Part::state_write_down,
                                              .rank = Symbol::write_rank});
        const TensorIndex raw = builder_.linear(
            low,
            {"write", Part::state_write, "How much is taken away", "W_a", "a_0", columns_, true,
             "Makes of {r_a} numbers how much each row of each head's state loses."},
            {"raw_writes", "How much is taken away", "a", "how much each row of each head's state loses, unbounded"});
        const auto scaled = [&](std::string_view name, Part part, std::string_view label, std::string_view symbol,
                                std::string_view meaning, std::string_view output, std::string_view output_symbol) {
            const TensorIndex numbers = builder_.parameter(std::string(name) + ".weight",
                                                           {name, part, label, symbol, each, meaning, Role::parameter});
            return builder_.node(
                Op::scale_columns, {k}, {numbers},
                {output, part, label, output_symbol, rows, "each column of the keys times its number"});
        };
        const auto share = [&](TensorIndex of, std::string_view name, std::string_view label, std::string_view symbol,
                               std::string_view meaning) {
            return builder_.node(Op::gate, {raw, of}, {}, {name, Part::state_write, label, symbol, rows, meaning},
                                 GateRule{Activation::sigmoid, {}});
        };
        const TensorIndex direction =
            scaled("erased_key", Part::erased_key, "Key that is taken away", "ξ",
                   "For each column of the keys how much it has in what is taken away.", "erased_keys", "K_ξ");
        constexpr double least = 1e-24;  // of the squares' sum, as PyTorch's normalize has it
        const Norm one{.kind = NormKind::l2, .scale = false, .bias = false, .epsilon = least};
        const TensorIndex erased = builder_.norm(direction, one,
                                                 {.name = "erased_normed",
                                                  .part = Part::erased_key,
                                                  .label = "Key that is taken away, of length 1",
                                                  .symbol = "κ",
                                                  .width = Symbol::state_dim,
                                                  .of_each_head = true,
                                                  .epsilon_least = true});
        const TensorIndex gone =
            share(erased, "erased", "What is taken away", "κ_a", "as much of that key as is taken away");
        const TensorIndex loose = scaled(
            "written_key", Part::written_key, "Part of the key that depends", "η",
            "For each column of the keys how much less is written where less is taken away.", "loose_keys", "K_η");
        const TensorIndex kept =
            share(loose, "kept_keys", "What of that is written", "K_a", "as much of it as is taken away");
        const TensorIndex less = builder_.node(
            Op::sum, {k, loose}, {},
            {"firm_keys", Part::written_key, "Rest of the key", "K_f", rows, "the keys less what depends"},
            Scaling{.factor = -1});
        k = builder_.node(Op::sum, {less, kept}, {},
                          {"keys_written", Part::state_key, "Keys that are written", "K'", rows,
                           "the rest, and what of the other is written"},
                          Scaling{});
        return {erased, gone};
    }

    TensorIndex heads(TensorIndex q, TensorIndex k, TensorIndex v, TensorIndex decays,
                      const std::vector<TensorIndex>& taken) {
        builder_.open(BlockKind::head, "head", Symbol::state_heads);
        const auto take = [&](TensorIndex from, std::string_view name, std::string_view symbol) {
            const Tensor& whole = builder_.graph.tensors[from];
            const Shape own{whole.shape[0], from == v ? Symbol::state_head_dim : Symbol::state_dim};
            const Part part = whole.part;
            const std::string_view label = whole.label;
            return builder_.node(
                Op::take_head, {from}, {},
                {name, part, label, symbol, own, from == v ? "this head's {d_s} columns" : "this head's {N} columns",
                 Role::activation, true},
                HeadRule{.step = own[1]});
        };
        const TensorIndex queries = take(q, "queries", "R_i");
        std::vector<TensorIndex> written{take(k, "keys", "K_i"), take(v, "values", "V_i"),
                                         take(decays, "decay", "α_i")};
        if (delta_)
            written.insert(written.end(), {take(taken[0], "erased_key", "κ_i"), take(taken[1], "erased", "κ_ai")});
        const Shape cells{Symbol::state_dim, Symbol::state_head_dim}, rows{Symbol::tokens, Symbol::state_head_dim};
        const StateRule rule{.replaces = delta_, .apart = delta_, .read_first = !delta_};
        const TensorIndex state = builder_.node(
            Op::update_state, std::move(written), {},
            {"state", Part::state_key, "State", "S", cells,
             delta_ ? "what the head remembers: faded, less what another key had, and at each key its value added"
                    : "what the head remembers: faded, and at each key its value added",
             Role::state},
            rule);
        const TensorIndex read = builder_.node(Op::read_state, {queries, state}, {},
                                               {"output", Part::state_value, "Head output", "Y_i", rows,
                                                delta_ ? "what each token's query reads from the state as it then is"
                                                       : "what each token's query reads from the state before it",
                                                Role::activation, true},
                                               rule);
        builder_.close();
        const Shape side_by_side{Symbol::tokens, Expr(Symbol::state_heads) * Symbol::state_head_dim};
        return builder_.node(
            Op::join_heads, {read}, {},
            {"joined", Part::state_value, "Heads joined", "Y_h", side_by_side, "{h_s} heads of {d_s} side by side"});
    }

    TensorIndex bonus(TensorIndex q, TensorIndex k, TensorIndex v) {
        const Shape each{Symbol::state_heads, Symbol::state_dim}, rows = builder_.shape(v);
        const TensorIndex weights = builder_.parameter(
            "first.weight",
            {"first", Part::first_weight, "Weight of the token itself", "u", each,
             "For each column of each head's keys how much it counts for the token itself.", Role::parameter});
        return builder_.node(Op::bonus, {q, k, v}, {weights},
                             {"own", Part::first_weight, "The token's own value", "Y_o", rows,
                              "each head's value, as much as the token's own key and query agree"});
    }

    TensorIndex both(TensorIndex read, TensorIndex own) {
        const Shape rows = builder_.shape(read);
        return builder_.node(
            Op::sum, {read, own}, {},
            {"whole", Part::state_value, "Read, and its own", "Y_b", rows, "what was read, and the token's own value"},
            Scaling{});
    }

    // Each head's columns by themselves.
    TensorIndex norm(TensorIndex from) {
        if (!recurrence_.norm) return from;
        const Norm norm{.kind = NormKind::layer,
                        .bias = true,
                        .epsilon = builder_.computation.read_norm_epsilon.value_or(builder_.arch.norm.epsilon)};
        NormSpec spec{.name = "norm_read", .part = Part::state_norm, .label = "Norm of what was read", .symbol = "Y_n"};
        spec.own_offset = 0;
        spec.width = Symbol::state_head_dim;
        spec.weights = Shape{builder_.shape(from)[1]};
        spec.of_each_head = true;
        return builder_.norm(from, norm, spec);
    }

    TensorIndex gates(TensorIndex from) {
        if (!delta_)
            return project(
                from, "gate", Part::state_gate, "Gate projection", "W_g",
                {"gates", "Gate projection", "G", "how much passes of what is read, for each token and column"},
                values_);
        const TensorIndex low = narrow(from, {.down = "gate_down",
                                              .down_label = "Gate bottleneck",
                                              .down_symbol = "W_gd",
                                              .low = "low_gates",
                                              .low_symbol = "g_l",
                                              .bent = "low_gates_bent",
                                              .bent_symbol = "g'_l",
                                              .low_meaning = "{r_g} numbers, from which the gate is made",
                                              .part = Part::state_gate_down,
                                              .rank = Symbol::gate_rank,
                                              .function = Activation::sigmoid});
        return builder_.linear(
            low,
            {"gate", Part::state_gate, "Gate projection", "W_g", "b", values_, false,
             "Makes the gate of {r_g} numbers."},
            {"gates", "Gate projection", "G", "how much passes of what is read, for each token and column"});
    }

    TensorIndex gated(TensorIndex gate, TensorIndex from) {
        const Shape rows = builder_.shape(from);
        return builder_.node(Op::gate, {gate, from}, {},
                             {"gated", Part::state_gate, "Gated", "Y_g", rows,
                              delta_ ? "what was read, times the gate, cell by cell"
                                     : "what was read, times SiLU of the gate, cell by cell"},
                             GateRule{delta_ ? Activation::linear : Activation::silu, {}});
    }

    GraphBuilder& builder_;
    const bool gives_values_;
    TensorIndex input_;
    const Recurrence& recurrence_;
    const bool delta_;  // what another key had is taken away, and the first layer's values count
    const Expr columns_ = Expr(Symbol::state_heads) * Symbol::state_dim;      // of queries and keys
    const Expr values_ = Expr(Symbol::state_heads) * Symbol::state_head_dim;  // and of values, as many
    std::optional<TensorIndex> low_shares_ = {};                              // (T, 5·r_b)
};

}  // namespace

TensorIndex build_receptance(GraphBuilder& builder, const LayerKind& kind, TensorIndex input) {
    const TensorIndex made = TimeMix(builder, kind, input).build();
    if (kind.gives_values) {
        Tensor& given = builder.graph.tensors[*builder.first_values];
        given.part = Part::first_values;
        given.symbol = "V_1";
    }
    return made;
}

}  // namespace headcount
