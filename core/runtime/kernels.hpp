// The arithmetic that takes the time, on one thread, with the widest vectors that this machine has.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/arch/activation.hpp"
#include "core/arch/computation.hpp"
#include "core/runtime/block_form.hpp"

namespace headcount::kernels {

// Highway (Debian's libhwy) chooses among its instruction sets when the program runs; Eigen is fixed to one when it is
// compiled. Measured on one core with AVX-512 against OpenBLAS, float32: 128 × 768 · 768 × 768 in 1.6 ms against 2.1,
// 128 × 64 · 64 × 64 in 11 µs against 17; nowhere slower by more than a
// tenth, and the threads are ours.

// Which set was chosen: "AVX3".
std::string_view instruction_set();

// How a product's right side lies: row k of it begins at data + (k - first_row) · row_step, its columns side by side;
// where panel_step is not 0, in panels of `panel_columns` that lie panel_step apart. Or it is kept as it is stored: in
// panels of blocks of this form, panel_step bytes apart.
struct Right {
    const float* data = nullptr;
    std::int64_t row_step = 0, panel_step = 0;
    std::int64_t first_row = 0;
    const BlockForm* form = nullptr;
    const std::byte* blocks = nullptr;
};

// (rows, inner) · (inner, columns) into (rows, columns), which `bias`, (columns), is added to. Columns begin at a
// panel.
struct Product {
    const float* left = nullptr;
    std::int64_t left_step = 0;
    Right right;
    float* out = nullptr;
    std::int64_t out_step = 0;
    std::int64_t rows = 0, inner = 0, columns = 0;
    const float* bias = nullptr;
    float factor = 1;         // of each sum, bias included
    bool out_is_far = false;  // not in the processor's caches: asked for before the sums are made
};

// Reads up to `panel_columns` - 1 floats behind each right row's last column, and behind the bias.
void multiply(const Product& product);

// One row. `weight` and `bias` may be null; `offset` is added to each weight. out may be in.
struct NormRow {
    std::int64_t columns = 0;
    float epsilon = 0;
    const float* weight = nullptr;
    const float* bias = nullptr;
    float offset = 0;
    bool centred = false;          // LayerNorm, not RMSNorm
    bool of_sum = false;           // divided by the root of the squares' sum, not of their mean
    bool epsilon_outside = false;  // added to the root
    bool less_one = false;         // the mean is the sum over one less than there are columns
    bool unrooted = false;         // divided by the mean itself
    bool multiplied = false;       // by the root, not divided by it
    bool mean_kept = false;        // subtracted only from what is squared
    bool epsilon_least = false;    // the mean is at least epsilon, and nothing is added to it
};
void norm(const float* in, float* out, const NormRow& row);

// in[0..count) to weights that sum to 1, or with a sink to less. out may be in.
void softmax(const float* in, float* out, std::int64_t count, const float* sink);

void scale(float* values, std::int64_t count, float factor);
void soft_cap(float* values, std::int64_t count, float cap);  // cap · tanh(x / cap)
void clamp(float* values, std::int64_t count, float limit);
void add(const float* a, const float* b, float factor, float* out, std::int64_t count);  // a + factor · b
void activate(Activation function, const float* in, float* out, std::int64_t count);
// slopes · f'(in): what becomes of a gradient on its way back through the function. out may be slopes.
void activate_back(Activation function, const float* in, const float* slopes, float* out, std::int64_t count);
void gate(Activation function, const float* gate, const float* up, float* out, std::int64_t count);
void clamped_gate(const ClampedGate& rule, const float* gate, const float* up, float* out, std::int64_t count);

// Pairs (a, b) of `pairs` columns turned: a·cos - b·sin, b·cos + a·sin. Halves: b is `pairs` behind a; else its
// neighbour.
void rotate(const float* in, float* out, const float* cosines, const float* sines, std::int64_t pairs, bool halves);

// One row of a convolution of each column: Σ rows[j][c] · weights[j · weight_step + c] over so many tokens, + bias[c],
// which may be null.
struct ConvolvedRow {
    const float* const* rows = nullptr;
    const float* weights = nullptr;
    std::int64_t tokens = 0, weight_step = 0, columns = 0;
    const float* bias = nullptr;
};
void convolve(const ConvolvedRow& row, float* out);

// softplus(x + bias), between `least` and `most`. And what is left of a state: e^(-e^rate · x).
// Without a bias where that is null.
void time_steps(const float* in, const float* bias, float least, float most, float* out, std::int64_t count);
void decay(const float* in, const float* rates, float* out, std::int64_t count);

// Rows of so many columns, `step` floats apart.
struct Rows {
    float* data = nullptr;
    std::int64_t step = 0;

    float* row(std::int64_t index) const { return data + index * step; }
};

// One head's state over some tokens, each of which lets it fade, writes to it, and reads it:
//   S = decay · S + keyᵀ · (write · value), or, where a value replaces, keyᵀ · (write · (value - key · decay · S)),
//   out = factor · query · S + skip · value.
struct StatePass {
    Rows state;           // (inner, columns), rows whole vectors apart
    Rows queries, keys;   // (tokens, inner)
    Rows values, out;     // (tokens, columns)
    Rows decays, writes;  // (tokens, 1), decays also (tokens, inner): then each row of the state has its own
    std::int64_t decay_step = 0;
    std::int64_t tokens = 0, inner = 0, columns = 0;
    Rows erased = {}, taken = {};  // (tokens, inner), of `apart`: whose values go, and how much of them from each row
    // What a token writes is added; or added after the state was read; or replaces what its key had; or is added where
    // another key loses what it had before.
    enum class Writing { adds, adds_after, replaces, apart };
    Writing writing = Writing::adds;
    float factor = 1, skip = 0;
};
void pass_state(const StatePass& pass);

// The sum of all, for measuring how fast memory can be read.
float sum(const float* values, std::int64_t count);

}  // namespace headcount::kernels
