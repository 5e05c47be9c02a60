// The totals alone, for many architectures that differ in numbers only: their formulas are made once and worked out
// often. What counts every tensor is core/analysis/parameters.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/graph.hpp"

namespace headcount {

struct Totals {
    std::int64_t total = 0, active = 0;  // as in Parameters

    bool operator==(const Totals&) const = default;
};

class TotalFormulas {
  public:
    explicit TotalFormulas(const ModelGraph& graph);
    explicit TotalFormulas(const Architecture& arch) : TotalFormulas(expand(arch)) {}

    // Fails only where a sum does not fit in 64 bits.
    Result<Totals> at(const Bindings& bindings) const;

    // The total alone, which fits wherever it fits by itself: also of a token that is sent to more experts than there
    // are.
    Result<std::int64_t> total_at(const Bindings& bindings) const;

  private:
    struct Term {
        Shape shape;
        Expr copies;
        Expr there, passed;  // of a layer's experts, and what a token uses of them; both 1 of most
    };
    static Result<std::int64_t> total_of(const Term& term, const Bindings& bindings);

    std::vector<Term> terms_;
};

// Whether both architectures have the same graph but for what its symbols stand for: then the formulas of one, worked
// out with the bindings of the other, are the other's.
bool same_formulas(const Architecture& a, const Architecture& b);

}  // namespace headcount
