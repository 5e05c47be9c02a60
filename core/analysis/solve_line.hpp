// What a search is made of: one free number with all others as they are, of whose values some are worth a look; and the
// sentences about a wish or about what was found.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/analysis/judge.hpp"
#include "core/analysis/solve.hpp"

namespace headcount {

class SolveLine {
  public:
    // `arch`, `judge` and `freed` must outlive it.
    SolveLine(const Architecture& arch, Judge& judge, const Freed& freed) : arch_(arch), judge_(judge), freed_(freed) {}

    // Whether the amount may fall where the field grows, so that all of its few values are looked at: heads share a
    // width that stays, and a rule's multiple rounds up. And where its values are listed.
    bool bounded() const;

    std::vector<std::int64_t> few() const;

    struct Value {
        std::int64_t value, amount;
    };
    // The amount at a possible value that is a multiple.
    std::optional<Value> at(std::int64_t value);

    // Of the last value below the wish and its amount: the least amount that is worth a look; nothing where none is.
    using Worth = std::function<std::optional<double>(std::int64_t value, double amount)>;

    // Of a number that the amount grows with: the possible values on both sides of where it passes the wish, or of the
    // last where the conditions hold that come first, at most so many on each. `start` is a value near it, where one is
    // known. No possible value is looked for further than `furthest` multiples away.
    // Nothing is found where it is not worth it.
    std::vector<Value> around(std::int64_t wish, std::size_t each_side, std::optional<std::int64_t> start = {},
                              std::int64_t furthest = 4096, const Worth& worth = {});

    // Whether the amount depends on the field at all, as far as can be told without a possible value.
    bool matters();

    // Whether the smallest value's amount fits in 64 bits: then larger ones may.
    bool fits_at_least();

    bool overflowed() const { return overflowed_; }  // some possible value's amount did not fit

  private:
    std::optional<Architecture> with(std::int64_t place) const;
    // Where layers are not alike, each number of them is a graph of its own, and as large as they are many.
    bool grows_the_graph() const { return freed_.field == Field::layers && !judge_.alike(); }
    // The amount at the value's place among the multiples; infinite where it does not fit.
    double amount_at(std::int64_t place);

    std::int64_t first_place() const { return info(freed_.field).least == 0 ? 0 : 1; }

    std::int64_t last_place() const { return (std::int64_t{1} << 61) / freed_.multiple; }

    const Architecture& arch_;
    Judge& judge_;
    const Freed& freed_;
    bool overflowed_ = false;
};

// Whether the field is of the width and of what it is divided into: few of its values may be possible.
bool splits_width(Field field);

// Whether what is possible of one field hangs on the other.
bool coupled(Field a, Field b);

// What is wrong with a wish by itself.
std::optional<Error> wrong_wish(const Wish& wish);

// What is held is the same whatever the field is.
Error no_dependence(const Wish& wish, Field field);

// No value of what is free makes an amount of 64 bits.
Error never_fits(const Wish& wish);

Error nothing_possible(const Architecture& arch, const Wish& wish);

// No answer keeps all conditions; `nearest` comes nearest to it, with these figures of them.
Error never_met(const Wish& wish, const Answer& nearest, const std::vector<double>& figures);

}  // namespace headcount
