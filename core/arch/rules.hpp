// Numbers of an architecture that follow from others where it gives none of its own.
#pragma once

#include <optional>

#include "core/arch/architecture.hpp"
#include "core/base/expr.hpp"

namespace headcount {

// What the symbol stands for where an architecture may leave it to others: the number that it gives, else the rule that
// makes it (kv_heads: h; head_dim: d / h; source, of sound that has a table of positions: C_enc). Nothing of symbols
// that follow from no others, and of parts that it lacks.
std::optional<Expr> rule_of(const Architecture& arch, Symbol symbol);

}  // namespace headcount
