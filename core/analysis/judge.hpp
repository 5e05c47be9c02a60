// What a search asks of every architecture that it meets: whether it is possible, what it comes to, and which of a
// wish's conditions it keeps.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/analysis/goal.hpp"
#include "core/analysis/solve.hpp"
#include "core/analysis/sweep.hpp"

namespace headcount {

// The conditions of a wish, the budget that is held among them.
std::vector<Goal> conditions_of(const Wish& wish);

// Why a figure cannot be worked out for a wish: a room without a memory, a time without a device.
std::optional<Error> wrong_metric(const Wish& wish, Metric metric);

class Judge {
  public:
    // Both must outlive it, and no figure of the wish be wrong.
    Judge(const Wish& wish, const Architecture& now);

    // Also in shape, where the wish asks for shapes that hardware likes.
    bool possible(const Architecture& arch) const;
    // Whether so wide a model may have so many heads, told before there is an architecture of these numbers.
    bool splits(std::int64_t dim, std::int64_t heads) const;
    const PointMaker& maker() const { return any_; }  // of the wish's own input
    bool alike() const { return alike_; }             // formulas are the same for each number of layers

    // What is held; nothing where that does not fit in 64 bits.
    std::optional<std::int64_t> held(const Architecture& arch);

    // A condition, as a metric that grows with every width, and that may be at most or must be at least so much.
    struct Rule {
        Metric metric;
        std::size_t input;  // for which it is worked out
        bool least;
        double amount;

        bool keeps(double is) const { return least ? is >= amount : is <= amount; }
    };
    const std::vector<Rule>& rules() const { return rules_; }
    std::optional<double> at(const Rule& rule, const Architecture& arch);
    // All of them, and the budget that is held.
    bool keeps(const Architecture& arch);

    std::optional<double> figure(Metric metric, const Architecture& arch);
    std::optional<Totals> totals(const Architecture& arch);

  private:
    bool likes(std::int64_t head_size) const;
    std::size_t place_of(const Input& input);
    PointMaker& maker(std::size_t input, const Architecture& arch);
    std::optional<double> amount(std::size_t input, Metric metric, const Architecture& arch);

    const Wish& wish_;
    const Architecture& now_;
    std::vector<Input> inputs_;  // the wish's own first
    PointWants wants_;
    PointMaker any_;
    bool alike_ = true;
    bool split_ = false;                                      // the width is divided among heads
    std::map<std::int64_t, std::vector<PointMaker>> makers_;  // of each input, by layers where these are not alike
    std::vector<Rule> rules_;
    double tokens_ = 1;           // of the pass, of all sequences
    std::optional<double> room_;  // the least memory that a condition leaves
};

}  // namespace headcount
