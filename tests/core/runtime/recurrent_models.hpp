// Small models with recurrences, of no family that has any: their names in checkpoints are Headcount's own.
#pragma once

#include <map>
#include <string>

#include "tests/core/runtime/weight_file.hpp"

namespace headcount::testing_data {

// Sizes that fill no vector and leave a tail.
inline Architecture recurrent(RecurrenceKind kind, std::string_view layers) {
    Architecture arch = architecture_of(small_llama());
    arch.layer.recurrence = Recurrence{.state_dim = 5,
                                       .heads = 4,
                                       .groups = 2,
                                       .head_dim = 7,
                                       .conv_kernel = 4,
                                       .kind = kind,
                                       .layers = *LayerSet::parse(layers, "layers")};
    return arch;
}

inline Architecture small_mamba() {
    Architecture arch = recurrent(RecurrenceKind::mamba2, "1");
    arch.positions = Positions::none;
    arch.layer.feed_forward_layers = LayerSet::none();
    return arch;
}

// Three of four layers have a state, one has gated attention.
inline Architecture small_delta() {
    Architecture arch = recurrent(RecurrenceKind::gated_delta, "1101");
    arch.layers = 4;
    arch.layer.recurrence->conv_bias = false;
    arch.layer.attention.output_gate = true;
    return arch;
}

// Whose keys are as wide as values.
inline Architecture small_linear(RecurrenceKind kind) {
    Architecture arch = recurrent(kind, "101");
    arch.layers = 3;
    arch.layer.recurrence->conv_bias = false;
    arch.layer.recurrence->head_dim = arch.layer.recurrence->state_dim;
    return arch;
}

inline std::map<std::string, Architecture> recurrent_models() {
    Architecture alone = small_mamba();
    alone.layer.recurrence->groups = 1;
    alone.layer.recurrence->bias = true;
    Architecture wide = small_delta();
    wide.layer.recurrence->groups = 4;
    wide.layer.recurrence->head_dim = 40;
    return {{"mamba", small_mamba()},
            {"mamba_of_one_group", alone},
            {"delta", small_delta()},
            {"delta_wide", wide},
            {"kimi", small_linear(RecurrenceKind::kimi_delta)},
            {"lightning", small_linear(RecurrenceKind::lightning)},
            {"gated_linear", recurrent(RecurrenceKind::gated_linear, "1")},
            {"weighted_mean", recurrent(RecurrenceKind::weighted_mean, "1")},
            {"dynamic_decay", small_linear(RecurrenceKind::dynamic_decay)},
            {"general_delta", small_linear(RecurrenceKind::general_delta)}};
}

}  // namespace headcount::testing_data
