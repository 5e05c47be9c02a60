// What a wrong number would be: the answers that known mistakes lead to, each calculated from the graph.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lesson/reference.hpp"

namespace headcount {

enum class Mistake {
    none,
    all_heads,            // all heads together where one is asked about
    one_head,             // one head where all are
    width_for_head_size,  // d for d_h
    head_size_for_width,
    query_for_kv_heads,  // h for h_kv
    kv_for_query_heads,
    swapped,      // rows and columns
    all_layers,   // all layers together where one is asked about
    one_layer,    // one layer where all are
    no_bias,      // biases forgotten
    tied_twice,   // the tied output head counted again
    no_output,    // the output head forgotten
    left_out,     // another tensor forgotten
    twice,        // a tensor counted twice
    activation,   // an activation counted as parameters
    tokens,       // multiplied by the tokens or the context
    gb_for_gib,   // decimal units for binary ones, or the other way round
    no_batch,     // the batch forgotten
    batch,        // the batch where it does not enter
    no_cached,    // the cached tokens forgotten
    only_cached,  // only these
    total,        // all experts where the active ones are asked about, or the other way round
    not_rounded_up,
    bytes,      // numbers for bytes, bits for bytes, another number format
    symbol,     // another dimension in a dimension's place
    no_factor,  // a number that the formula is multiplied with left out: the 2 of keys and values
    factor,     // a factor left out, or there once too often
    added,      // sides added in place of multiplied
    cut,        // cut off, not rounded
    rounded,    // rounded where every digit is asked for
    named,      // another thing's number
    power,      // off by a power of ten
    other,
};
std::string_view mistake_key(Mistake mistake);    // "all_heads": in JSON
std::string_view mistake_words(Mistake mistake);  // "all heads for one"

// One mistake and the number that it leads to.
struct Slip {
    Mistake mistake;
    std::int64_t value;
    std::string text;  // what that number is: "all 32 heads together; one head is asked about"
};

struct AskedNumber {
    Expr value;
    std::span<const CountedTensor> counted;  // the parameters in it, if it counts some
    bool bytes = false;
};

// The slips of a number, the likelier first. None has the right value, and no value is there twice.
std::vector<Slip> number_slips(const CountedModel& model, const AskedNumber& asked);

// Whether numbers, or both sides of a shape, have one digit: in a small model several things are as large, and that one
// of them is says nothing of what was thought.
inline bool is_chance(std::int64_t number) { return number < 10; }

// What else in the model is this number (a tensor, a component, the total): a sentence's end, or empty.
std::string number_named(const CountedModel& model, std::int64_t number, bool parameters);

// Which tensors have these sides: "the shape of Gate (T × d_ff)"; empty where none has, or only `except`.
std::string shape_named(const CountedModel& model, std::int64_t rows, std::int64_t columns, std::string_view except);

// The slips that were found so far, and how one more is calculated: the asked number with something changed in it.
class SlipList {
  public:
    SlipList(const CountedModel& model, const AskedNumber& asked);

    const CountedModel& model;
    const AskedNumber& asked;
    const std::int64_t right;

    std::optional<std::int64_t> number(Symbol symbol) const { return model.bindings[symbol]; }
    bool has(Symbol symbol) const;
    std::string plural(Symbol symbol, std::string_view one) const;  // "32 heads"

    // What is right, nothing, or there already is left out; of a formula, what has no value too.
    void add(Mistake mistake, std::optional<std::int64_t> value, std::string text);
    void add(Mistake mistake, const Expr& value, std::string text);
    // The number times that dimension, where it is more than one.
    void times(Mistake mistake, Symbol symbol, std::string text);
    // The number with 1 in that dimension's place, where that makes it less: not of what is divided by it.
    void one_of(Mistake mistake, Symbol symbol, std::string text);
    // The number with another in that dimension's place, where it is in it.
    void replaced(Mistake mistake, Symbol symbol, const Expr& by, std::string text);

    std::vector<Slip> take() { return std::move(found_); }

  private:
    std::vector<Slip> found_;
};

// One dimension for another: heads, layers, head size, cached tokens, batch, experts, rounding.
void add_dimension_slips(SlipList& slips);

// Of counts of parameters: tensors forgotten or counted twice, and what is no parameter.
void add_parameter_slips(SlipList& slips);

}  // namespace headcount
