// Recurrences: convolutions over the last tokens, how far states fade, and each head's state written and read. On the
// way back a head's states are made once more, and all of a line's are there at once.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/train/pass.hpp"

namespace headcount {

void BatchPass::convolve(const Node& node) {
    const Weight weights = weight(node.parameters.front());
    const Weight bias = node.parameters.size() > 1 ? weight(node.parameters[1]) : Weight{};
    const Value in = input(node, 0), out = output(node);
    const std::int64_t line = in.rows / shape_.sequences, kernel = weights.rows;
    each_row(in.rows, in.columns * kernel, [&](std::int64_t row, float*) {
        const std::int64_t first = std::max<std::int64_t>(0, kernel - 1 - row % line);
        for (std::int64_t i = 0; i < in.columns; ++i) out.row(row)[i] = bias ? bias.data[i] : 0.0f;
        for (std::int64_t j = first; j < kernel; ++j)
            for (std::int64_t i = 0; i < in.columns; ++i)
                out.row(row)[i] += in.row(row - (kernel - 1) + j)[i] * weights.data[j * weights.columns + i];
    });
}

void BatchPass::convolve_back(const Node& node) {
    const Weight weights = weight(node.parameters.front());
    const Weight bias = node.parameters.size() > 1 ? weight(node.parameters[1]) : Weight{};
    const Value in = input(node, 0), slopes = slope(node.output);
    const std::int64_t line = in.rows / shape_.sequences, kernel = weights.rows;
    for (std::int64_t row = 0; row < in.rows; ++row) {
        const float* const back = slopes.row(row);
        if (bias.gradient) kernels::add(bias.gradient, back, 1, bias.gradient, in.columns);
        for (std::int64_t j = std::max<std::int64_t>(0, kernel - 1 - row % line); weights.gradient && j < kernel; ++j)
            for (std::int64_t i = 0; i < in.columns; ++i)
                weights.gradient[j * weights.columns + i] += back[i] * in.row(row - (kernel - 1) + j)[i];
    }
    each_row_into(into(node.inputs.front()), [&](std::int64_t row, float* out) {
        std::fill_n(out, in.columns, 0.0f);
        for (std::int64_t ahead = 0; ahead < std::min(kernel, line - row % line); ++ahead)
            for (std::int64_t i = 0; i < in.columns; ++i)
                out[i] += slopes.row(row + ahead)[i] * weights.data[(kernel - 1 - ahead) * weights.columns + i];
    });
}

void BatchPass::time_steps(const Node& node) {
    const auto& rule = node.rule<StepRule>();
    const Weight bias = node.parameters.empty() ? Weight{} : weight(node.parameters.front());
    const Value in = input(node, 0), out = output(node);
    const double most = rule.most.value_or(std::numeric_limits<double>::infinity());
    each_row(in.rows, in.columns, [&](std::int64_t row, float*) {
        kernels::time_steps(in.row(row), bias.data, static_cast<float>(rule.least), static_cast<float>(most),
                            out.row(row), in.columns);
    });
}

void BatchPass::time_steps_back(const Node& node) {
    const auto& rule = node.rule<StepRule>();
    const Weight bias = node.parameters.empty() ? Weight{} : weight(node.parameters.front());
    const Value in = input(node, 0), slopes = slope(node.output);
    const auto most = static_cast<float>(rule.most.value_or(std::numeric_limits<double>::infinity()));
    // In place: nobody reads these slopes again.
    each_row(in.rows, in.columns, [&](std::int64_t row, float*) {
        for (std::int64_t i = 0; i < in.columns; ++i) {
            const float x = in.row(row)[i] + (bias ? bias.data[i] : 0.0f);
            const float soft = std::max(x, 0.0f) + std::log1p(std::exp(-std::abs(x)));
            const bool within = soft >= static_cast<float>(rule.least) && soft <= most;
            slopes.row(row)[i] *= within ? 1 / (1 + std::exp(-x)) : 0.0f;
        }
    });
    for (std::int64_t row = 0; bias.gradient && row < in.rows; ++row)
        kernels::add(bias.gradient, slopes.row(row), 1, bias.gradient, in.columns);
    each_row_into(into(node.inputs.front()),
                  [&](std::int64_t row, float* out) { std::copy_n(slopes.row(row), in.columns, out); });
}

// exp(-rate · step), of each head, or of each of its state's rows, which may share a rate or a step; or exp(-rate) of
// rates that tokens say.
void BatchPass::decay(const Node& node) {
    const Weight rates = weight(node.parameters.front());
    const Value in = input(node, 0), out = output(node);
    const auto& rule = node.rule<DecayRule>();
    if (rule.by_token)
        return each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
            for (std::int64_t i = 0; i < out.columns; ++i)
                out.row(row)[i] = static_cast<float>(std::exp(-rule.rate(in.row(row)[i] + rates.data[i])));
        });
    const std::int64_t each = out.columns / in.columns, shared = out.columns / (rates.rows * rates.columns);
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        for (std::int64_t i = 0; i < out.columns; ++i)
            out.row(row)[i] = std::exp(-static_cast<float>(rule.rate(static_cast<double>(rates.data[i / shared]))) *
                                       in.row(row)[i / each]);
    });
}

void BatchPass::decay_back(const Node& node) {
    const Weight rates = weight(node.parameters.front());
    const Value in = input(node, 0), slopes = slope(node.output);
    const auto& rule = node.rule<DecayRule>();
    if (rule.by_token) {
        const auto slope_of = [&](std::int64_t row, std::int64_t i) {
            const double a = in.row(row)[i] + rates.data[i];
            return static_cast<float>(-std::exp(-rule.rate(a)) * rule.slope(a)) * slopes.row(row)[i];
        };
        for (std::int64_t row = 0; rates.gradient && row < in.rows; ++row)
            for (std::int64_t i = 0; i < in.columns; ++i) rates.gradient[i] += slope_of(row, i);
        return each_row_into(into(node.inputs.front()), [&](std::int64_t row, float* out) {
            for (std::int64_t i = 0; i < in.columns; ++i) out[i] = slope_of(row, i);
        });
    }
    const std::int64_t each = slopes.columns / in.columns, shared = slopes.columns / (rates.rows * rates.columns);
    const auto stored = [&](std::int64_t i) { return static_cast<double>(rates.data[i / shared]); };
    const auto rate = [&](std::int64_t i) { return static_cast<float>(rule.rate(stored(i))); };
    const auto slope_of = [&](std::int64_t row, std::int64_t i) {  // of rate · step
        return -std::exp(-rate(i) * in.row(row)[i / each]) * slopes.row(row)[i];
    };
    for (std::int64_t row = 0; rates.gradient && row < in.rows; ++row)
        for (std::int64_t i = 0; i < slopes.columns; ++i)
            rates.gradient[i / shared] +=
                slope_of(row, i) * static_cast<float>(rule.slope(stored(i))) * in.row(row)[i / each];
    each_row_into(into(node.inputs.front()), [&](std::int64_t row, float* out) {
        std::fill_n(out, in.columns, 0.0f);
        for (std::int64_t i = 0; i < slopes.columns; ++i) out[i / each] += slope_of(row, i) * rate(i);
    });
}

struct BatchPass::States {
    const Node *update = nullptr, *read = nullptr;
    Side queries, keys, values, decays, writes;
    Side erased, taken;  // keys whose values go before a token is written, and how much of them from each row
    Value out, out_slopes;
    Weight skip;
    std::int64_t heads = 0, inner = 0, columns = 0;
    bool by_row = false;                // each row of a state fades by itself
    std::optional<FixedFading> fading;  // else tokens say how far it fades, and how much of them is written
    std::int64_t layer = 0;

    bool apart() const { return update->rule<StateRule>().apart; }
    bool replaces() const { return update->rule<StateRule>().replaces && !apart(); }
    bool reads_first() const { return read->rule<StateRule>().read_first; }
};

// A constant where there is no such side.
BatchPass::HeadRows BatchPass::rows_or(const Side& side, std::int64_t sequence, std::int64_t head, const float& other) {
    float* none = nullptr;
    return side.columns.empty() ? HeadRows{&other, 0} : rows_of(side, sequence, head, none);
}

BatchPass::States BatchPass::open_states(const Step& step, bool back) {
    States found;
    for (const Node* node : step.nodes) {
        if (node->op == Op::update_state) found.update = node;
        if (node->op == Op::read_state) found.read = node;
    }
    const ModelGraph& graph = trainee_->graph;
    const auto open = [&](TensorIndex taken) { return open_side(*graph.producer(taken), back); };
    found.queries = open(found.read->inputs[0]);
    found.keys = open(found.update->inputs[0]);
    found.values = open(found.update->inputs[1]);
    found.layer = layer_;
    found.fading = found.update->rule<StateRule>().fading;
    if (!found.fading) {
        found.decays = open(found.update->inputs[2]);
        if (found.apart()) {
            found.erased = open(found.update->inputs[3]);
            found.taken = open(found.update->inputs[4]);
        } else if (found.update->inputs.size() > 3) {
            found.writes = open(found.update->inputs[3]);
        }
    }
    found.out = value(found.read->output);
    if (back) found.out_slopes = slope(found.read->output);
    if (!found.read->parameters.empty()) found.skip = weight(found.read->parameters.front());
    found.heads = std::ssize(found.values.columns);
    found.inner = found.keys.width;
    found.columns = found.values.width;
    found.by_row = !found.fading && found.decays.width > 1;
    return found;
}

// S = a · S + kᵀ · u, u = w · (v - k · a · S), or w · v where nothing is replaced, or where that is apart, less
// takenᵀ · (erased · S) of the state before; out = factor · q · S + skip · v, of the state after or before. The states
// of all tokens, (tokens + 1, inner, columns), the first before any of them; room for a row is behind them.
void BatchPass::make_states(const States& states, std::int64_t sequence, std::int64_t head, float* all) {
    const bool replaces = states.replaces(), apart = states.apart();
    const std::int64_t inner = states.inner, columns = states.columns, cells = inner * columns;
    const float whole = 1, left = states.fading ? states.fading->left(head, states.layer) : 0;
    const auto rows = [&](const Side& side, const float& other) { return rows_or(side, sequence, head, other); };
    const HeadRows keys = rows(states.keys, whole), values = rows(states.values, whole),
                   decays = rows(states.decays, left), writes = rows(states.writes, whole),
                   erased = rows(states.erased, whole), taken = rows(states.taken, whole);
    std::fill_n(all, cells, 0.0f);
    float* const written = all + (states.keys.rows + 1) * cells;
    for (std::int64_t token = 0; token < states.keys.rows; ++token) {
        const float *before = all + token * cells, *key = keys.data + token * keys.step,
                    *fades = decays.data + token * decays.step, *value = values.data + token * values.step;
        float* const now = all + (token + 1) * cells;
        const float strength = writes.data[token * writes.step];
        std::copy_n(value, columns, written);
        float* const lost = written + columns;
        std::fill_n(lost, columns, 0.0f);
        for (std::int64_t i = 0; apart && i < inner; ++i)
            kernels::add(lost, before + i * columns, erased.data[token * erased.step + i], lost, columns);
        for (std::int64_t i = 0; i < inner; ++i) {
            const float fade = fades[states.by_row ? i : 0];
            for (std::int64_t j = 0; j < columns; ++j) {
                now[i * columns + j] = fade * before[i * columns + j];
                if (replaces) written[j] -= key[i] * now[i * columns + j];
            }
        }
        for (std::int64_t i = 0; i < inner; ++i) {
            const float gone = apart ? taken.data[token * taken.step + i] : 0.0f;
            for (std::int64_t j = 0; j < columns; ++j)
                now[i * columns + j] += key[i] * strength * written[j] - gone * lost[j];
        }
    }
}

void BatchPass::run_states(const Step& step) {
    const States states = open_states(step, false);
    const auto factor = static_cast<float>(states.read->rule<StateRule>().query_factor);
    const std::int64_t cells = states.inner * states.columns, tokens = states.keys.rows;
    pool_->run(shape_.sequences, [&](std::int64_t sequence, int thread) {
        for (std::int64_t head = 0; head < states.heads; ++head) {
            float *all = room(thread), *none = nullptr;
            make_states(states, sequence, head, all);
            const HeadRows queries = rows_of(states.queries, sequence, head, none),
                           values = rows_of(states.values, sequence, head, none);
            const float skip = states.skip ? states.skip.data[head] : 0.0f;
            for (std::int64_t token = 0; token < tokens; ++token) {
                float* const out = states.out.row(sequence * tokens + token) + head * states.columns;
                const float *state = all + (token + (states.reads_first() ? 0 : 1)) * cells,
                            *query = queries.data + token * queries.step;
                for (std::int64_t j = 0; j < states.columns; ++j) out[j] = skip * values.data[token * values.step + j];
                for (std::int64_t i = 0; i < states.inner; ++i)
                    for (std::int64_t j = 0; j < states.columns; ++j)
                        out[j] += factor * query[i] * state[i * states.columns + j];
            }
        }
    });
}

// From the last token to the first, with what the state then changes the loss by; returns the same of `skip`.
float BatchPass::run_state_back(const States& states, std::int64_t sequence, std::int64_t head, float* room) {
    const bool replaces = states.replaces(), apart = states.apart(), first = states.reads_first();
    const auto factor = static_cast<float>(states.read->rule<StateRule>().query_factor);
    const std::int64_t inner = states.inner, columns = states.columns, cells = inner * columns,
                       tokens = states.keys.rows;
    make_states(states, sequence, head, room);
    const float whole = 1, left = states.fading ? states.fading->left(head, states.layer) : 0;
    const auto rows = [&](const Side& side, const float& other) { return rows_or(side, sequence, head, other); };
    const HeadRows queries = rows(states.queries, whole), keys = rows(states.keys, whole),
                   values = rows(states.values, whole), decays = rows(states.decays, left),
                   writes = rows(states.writes, whole), erased = rows(states.erased, whole),
                   taken = rows(states.taken, whole);
    float nobody = 0;  // of what nothing makes
    const auto back_of = [&](const Side& side, std::int64_t token) {
        if (side.columns.empty()) return &nobody;
        return side.own_slopes.row(sequence * tokens + token) + side.columns[static_cast<std::size_t>(head)];
    };
    const float skip = states.skip ? states.skip.data[head] : 0.0f;
    float skip_slope = 0;
    float *const state = room + (tokens + 1) * cells, *const free = state + cells, *const to_free = free + columns,
                 *const lost = to_free + columns, *const to_lost = lost + columns;
    std::fill_n(state, cells, 0.0f);
    for (std::int64_t token = tokens; token-- > 0;) {
        const float *before = room + token * cells, *now = before + cells, *key = keys.data + token * keys.step;
        const float *query = queries.data + token * queries.step, *value = values.data + token * values.step;
        const float *fades = decays.data + token * decays.step, strength = writes.data[token * writes.step];
        const float* const out = states.out_slopes.row(sequence * tokens + token) + head * columns;
        float *to_query = back_of(states.queries, token), *to_key = back_of(states.keys, token),
              *to_value = back_of(states.values, token), *to_decay = back_of(states.decays, token),
              *to_write = back_of(states.writes, token);
        const auto fade = [&](std::int64_t i) { return fades[states.by_row ? i : 0]; };
        for (std::int64_t j = 0; j < columns; ++j) {
            skip_slope += out[j] * value[j];
            to_value[j] += skip * out[j];
            free[j] = value[j];  // what is written, before its strength
        }
        for (std::int64_t i = 0; i < inner; ++i)
            for (std::int64_t j = 0; j < columns; ++j) {
                to_query[i] += factor * (first ? before : now)[i * columns + j] * out[j];
                if (!first) state[i * columns + j] += factor * query[i] * out[j];
                if (replaces) free[j] -= key[i] * fade(i) * before[i * columns + j];
            }
        std::fill_n(to_free, columns, 0.0f);
        for (std::int64_t i = 0; i < inner; ++i)
            for (std::int64_t j = 0; j < columns; ++j) {
                const float back = state[i * columns + j];
                to_free[j] += back * key[i];
                to_key[i] += back * strength * free[j];
            }
        for (std::int64_t j = 0; j < columns; ++j) {
            *to_write += to_free[j] * free[j];
            to_free[j] *= strength;
            to_value[j] += to_free[j];
        }
        if (apart) {
            const float *erase = erased.data + token * erased.step, *take = taken.data + token * taken.step;
            float *to_erase = back_of(states.erased, token), *to_take = back_of(states.taken, token);
            std::fill_n(lost, 2 * columns, 0.0f);
            for (std::int64_t i = 0; i < inner; ++i) {
                kernels::add(lost, before + i * columns, erase[i], lost, columns);
                kernels::add(to_lost, state + i * columns, -take[i], to_lost, columns);
            }
            for (std::int64_t i = 0; i < inner; ++i)
                for (std::int64_t j = 0; j < columns; ++j) {
                    to_take[i] -= state[i * columns + j] * lost[j];
                    to_erase[i] += to_lost[j] * before[i * columns + j];
                }
        }
        for (std::int64_t i = 0; i < inner; ++i)
            for (std::int64_t j = 0; j < columns; ++j) {
                float& back = state[i * columns + j];
                const float earlier = before[i * columns + j], gone = replaces ? -to_free[j] : 0.0f;
                to_key[i] += gone * fade(i) * earlier;
                back += key[i] * gone;
                to_decay[states.by_row ? i : 0] += back * earlier;
                back *= fade(i);
                if (apart) back += erased.data[token * erased.step + i] * to_lost[j];
                if (first) back += factor * query[i] * out[j];
            }
    }
    return skip_slope;
}

void BatchPass::bonus(const Node& node) {
    const Weight weights = weight(node.parameters.front());
    const Value queries = input(node, 0), keys = input(node, 1), values = input(node, 2), out = output(node);
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        for (std::int64_t first = 0; first < out.columns; first += weights.columns) {
            float agree = 0;
            for (std::int64_t i = first; i < first + weights.columns; ++i)
                agree += queries.row(row)[i] * keys.row(row)[i] * weights.data[i];
            for (std::int64_t i = first; i < first + weights.columns; ++i) out.row(row)[i] = agree * values.row(row)[i];
        }
    });
}

// y = a · v, a = Σ q · k · w of a head's columns: dv = a · dy, and with b = Σ v · dy: dq = b · k · w, dk = b · q · w,
// dw = b · q · k.
void BatchPass::bonus_back(const Node& node) {
    const Weight weights = weight(node.parameters.front());
    const Value queries = input(node, 0), keys = input(node, 1), values = input(node, 2), slopes = slope(node.output);
    const auto each_head = [&](std::int64_t row, const auto& act) {
        for (std::int64_t first = 0; first < slopes.columns; first += weights.columns) {
            float agree = 0, back = 0;
            for (std::int64_t i = first; i < first + weights.columns; ++i) {
                agree += queries.row(row)[i] * keys.row(row)[i] * weights.data[i];
                back += values.row(row)[i] * slopes.row(row)[i];
            }
            for (std::int64_t i = first; i < first + weights.columns; ++i) act(i, agree, back);
        }
    };
    for (std::int64_t row = 0; weights.gradient && row < slopes.rows; ++row)
        each_head(row, [&](std::int64_t i, float, float back) {
            weights.gradient[i] += back * queries.row(row)[i] * keys.row(row)[i];
        });
    for (const std::size_t side : {0U, 1U}) {
        const Value& other = side == 0 ? keys : queries;
        each_row_into(into(node.inputs[side]), [&](std::int64_t row, float* out) {
            each_head(row,
                      [&](std::int64_t i, float, float back) { out[i] = back * other.row(row)[i] * weights.data[i]; });
        });
    }
    each_row_into(into(node.inputs[2]), [&](std::int64_t row, float* out) {
        each_head(row, [&](std::int64_t i, float agree, float) { out[i] = agree * slopes.row(row)[i]; });
    });
}

void BatchPass::run_states_back(const Step& step) {
    const States states = open_states(step, true);
    float* const skips = working(skips_);
    pool_->run(shape_.sequences, [&](std::int64_t sequence, int thread) {
        for (std::int64_t head = 0; head < states.heads; ++head)
            skips[sequence * states.heads + head] = run_state_back(states, sequence, head, room(thread));
    });
    for (std::int64_t i = 0; states.skip.gradient && i < shape_.sequences * states.heads; ++i)
        states.skip.gradient[i % states.heads] += skips[i];
}

}  // namespace headcount
