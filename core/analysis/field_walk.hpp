// From one architecture to another, field by field in the order of fields(): what each one adds to the total by itself,
// and what it adds where those before it have changed already.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/counted_model.hpp"
#include "core/arch/fields.hpp"

namespace headcount {

struct FieldDifference {
    Field field;
    std::string a, b;                 // its value on both sides, as people read it: "128", "After sum", "yes"; "none"
    std::vector<Field> with;          // that change together with it, since without them it makes no possible model
    std::optional<Field> counted_at;  // it is itself one of those of this field: then the two sums below are empty
    // What the total gains where the walk begins with this field (and `with`) alone as in b; nothing where that is
    // impossible.
    std::optional<std::int64_t> own;
    // What the total gains where the fields before it are as in b already.
    std::optional<std::int64_t> adds;
    std::string a_given = {}, b_given = {};  // its value as files and `--set` give it: "128", "after_sum", "true"

    // What it adds beyond its own because of those before it; all of it where it has no own. Nothing where it is
    // counted at another, or where that does not fit in 64 bits.
    std::optional<std::int64_t> interaction() const;
    bool operator==(const FieldDifference&) const = default;
};

// Where the walk begins: `a` with those numbers given that it leaves to a rule and `b` gives, such as a head size of
// 128 that width by heads makes in `a` as well. Its total is a's.
Architecture walk_start(Architecture a, const Architecture& b);

// Whether it is also counted what each field makes by itself, which costs as much again.
enum class ByItself { counted, left_out };

// One row for each field that differs, in the order of fields(). What the rows add sums to b's total less a's, but for
// what differs in no field.
std::vector<FieldDifference> field_walk(const CountedModel& a, const CountedModel& b,
                                        ByItself by_itself = ByItself::counted);

// `from`, which is where the walk begins or has come to, with the field of a row, and those that change with it, as in
// `b`; nothing where b has no such field.
std::optional<Architecture> with_row_of(Architecture from, const Architecture& b, const FieldDifference& row);

}  // namespace headcount
