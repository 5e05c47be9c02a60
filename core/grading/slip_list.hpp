// The slips that were found so far, and how one more is calculated: the asked number with something changed in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/grading/slips.hpp"

namespace headcount {

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
