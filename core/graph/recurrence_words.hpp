// What the parts of a mixer with a state are called, as their papers have it.
#pragma once

#include <string_view>

namespace headcount {

// What queries, keys or values are called on their way: as projected, convolved, kept for the next tokens, activated.
struct PathWords {
    std::string_view weight;           // the symbol of the matrix
    std::string_view projected_label;  // and what it makes
    std::string_view projected, convolved_label, convolved, last_label, last, label, symbol;
    std::string_view normed_label, normed, filter_label;
};

// In what the two differ: names, as their papers have them.
struct RecurrenceWords {
    PathWords query, key, value;
    std::string_view step_weight, step_label, steps;
};
inline constexpr RecurrenceWords mamba_words{.query = {"W_C", "C projection", "C_p", "C, convolved", "C_c",
                                                       "C, last rows", "C_last", "C", "C", "", "", "C convolution"},
                                             .key = {"W_B", "B projection", "B_p", "B, convolved", "B_c",
                                                     "B, last rows", "B_last", "B", "B", "", "", "B convolution"},
                                             .value = {"W_x", "x projection", "x_p", "x, convolved", "x_c",
                                                       "x, last rows", "x_last", "x", "x", "", "", "x convolution"},
                                             .step_weight = "W_dt",
                                             .step_label = "Step projection",
                                             .steps = "dt"};
inline constexpr RecurrenceWords delta_words{
    .query = {"W_q", "Query projection", "Q_p", "Queries, convolved", "Q_c", "Queries, last rows", "Q_last", "Queries",
              "Q", "Queries of length 1", "Q_n", "Query convolution"},
    .key = {"W_k", "Key projection", "K_p", "Keys, convolved", "K_c", "Keys, last rows", "K_last", "Keys", "K",
            "Keys of length 1", "K_n", "Key convolution"},
    .value = {"W_v", "Value projection", "V_p", "Values, convolved", "V_c", "Values, last rows", "V_last", "Values",
              "V", "", "", "Value convolution"},
    .step_weight = "W_a",
    .step_label = "Decay projection",
    .steps = "a"};

}  // namespace headcount
