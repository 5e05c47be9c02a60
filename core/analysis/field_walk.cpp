// From one architecture to another, field by field.
#include "core/analysis/field_walk.hpp"

#include <algorithm>

#include "core/analysis/parameters.hpp"
#include "core/arch/matters.hpp"
#include "core/arch/validate.hpp"
#include "core/base/checked.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

// Totals of architectures that are near to one another: formulas are made again only where the graph is another.
class NearTotals {
  public:
    NearTotals(const CountedModel& a, const CountedModel& b)
        : near_{{a.architecture, a.graph}, {b.architecture, b.graph}} {}

    // Nothing where it is impossible, or its total does not fit in 64 bits. What is asked for next is near to this one,
    // or to the one before it.
    std::optional<std::int64_t> at(const Architecture& arch) {
        if (!possible(arch)) return std::nullopt;
        FormulaShape shape = formula_shape(arch);
        for (const ShapedTotals& known : near_)
            if (const auto depths = known.depths_in(arch, shape)) return by(known.formulas, arch, *depths);
        constexpr std::size_t most = 4;
        if (near_.size() == most) near_.erase(near_.begin() + 2);
        near_.emplace_back(std::move(shape), TotalFormulas(arch));
        return by(near_.back().formulas, arch);
    }

  private:
    static std::optional<std::int64_t> by(const TotalFormulas& formulas, const Architecture& arch,
                                          TotalFormulas::Depths depths = {}) {
        const Result<std::int64_t> total = formulas.total_at(bindings(arch, {}), depths);
        return total ? std::optional(*total) : std::nullopt;
    }

    std::vector<ShapedTotals> near_;  // of both ends, and of what was made on the way
};

// Where the walk stands, and what has not changed yet.
struct Walk {
    const Architecture& a;
    const Architecture& b;
    std::int64_t a_total, b_total;
    NearTotals around;
    Architecture at;
    std::int64_t total;
    std::vector<Field> left;
};

std::optional<Architecture> with_all(Architecture from, const Architecture& b, Field first,
                                     const std::vector<Field>& others) {
    std::optional<Architecture> changed = with_field_of(std::move(from), b, first);
    for (const Field field : others)
        if (changed) changed = with_field_of(*std::move(changed), b, field);
    return changed;
}

// A width that the heads do not divide is possible with b's heads: with one other field, else with as many of the next
// ones as it takes. The last resort is all of them, which make b.
void take_step(Walk& walk, FieldDifference& row) {
    const auto tried = [&](const std::vector<Field>& with) {
        const std::optional<Architecture> next = with_all(walk.at, walk.b, row.field, with);
        const std::optional<std::int64_t> total = next ? walk.around.at(*next) : std::nullopt;
        if (!total) return false;
        row.with = with;
        row.adds = *total - walk.total;
        walk.total = *total;
        walk.at = *next;
        return true;
    };
    bool done = tried({});
    for (std::size_t i = 0; i < walk.left.size() && !done; ++i) done = tried({walk.left[i]});
    for (std::size_t count = 2; count <= walk.left.size() && !done; ++count)
        done = tried({walk.left.begin(), walk.left.begin() + static_cast<std::ptrdiff_t>(count)});
    if (!done) {
        row.with = walk.left;
        row.adds = walk.b_total - walk.total;
        walk.total = walk.b_total;
        walk.at = walk.b;
    }
}

void find_own(Walk& walk, FieldDifference& row, bool first) {
    if (first) {
        row.own = row.adds;
        return;
    }
    const std::optional<Architecture> alone = with_all(walk.a, walk.b, row.field, row.with);
    if (const std::optional<std::int64_t> total = alone ? walk.around.at(*alone) : std::nullopt)
        row.own = *total - walk.a_total;
}

}  // namespace

std::optional<std::int64_t> FieldDifference::interaction() const {
    return adds ? checked_subtract(*adds, own.value_or(0)) : std::nullopt;
}

std::optional<Architecture> with_row_of(Architecture from, const Architecture& b, const FieldDifference& row) {
    return with_all(std::move(from), b, row.field, row.with);
}

namespace {

Architecture start_of(Architecture a, const Architecture& b, const std::vector<Field>& changed) {
    const Architecture before = a;
    for (const FieldInfo& about : fields()) {
        if (!about.symbol || contains(changed, about.field)) continue;
        if (field_text(before, about.field) != "auto" || field_text(b, about.field).value_or("auto") == "auto")
            continue;
        if (field_number(before, about.field) != field_number(b, about.field)) continue;
        if (std::optional<Architecture> given = with_field_of(a, b, about.field)) a = *std::move(given);
    }
    return a;
}

// A choice by its word in files, a flag as "true" or "false"; else as people read it.
std::string given_value(const Architecture& arch, Field field) {
    const bool worded = info(field).kind == FieldKind::choice || info(field).kind == FieldKind::flag;
    const std::optional<std::string> text = worded && matters(arch, field) ? field_text(arch, field) : std::nullopt;
    return text ? *text : field_words(arch, field);
}

}  // namespace

Architecture walk_start(Architecture a, const Architecture& b) {
    const std::vector<Field> changed = changed_fields(a, b);
    return start_of(std::move(a), b, changed);
}

std::vector<FieldDifference> field_walk(const CountedModel& from, const CountedModel& to, ByItself by_itself) {
    const Architecture &a = from.architecture, &b = to.architecture;
    const std::vector<Field> changed = changed_fields(a, b);
    const Architecture start = start_of(a, b, changed);
    Walk walk{.a = start,
              .b = b,
              .a_total = from.parameters.total,
              .b_total = to.parameters.total,
              .around = NearTotals(from, to),
              .at = start,
              .total = from.parameters.total,
              .left = changed};
    std::vector<FieldDifference> rows;
    for (const Field field : changed) {
        FieldDifference& row =
            rows.emplace_back(FieldDifference{field, field_words(a, field), field_words(b, field), {}, {}, {}, {}});
        row.a_given = given_value(a, field);
        row.b_given = given_value(b, field);
        const auto place = std::ranges::find(walk.left, field);
        if (place == walk.left.end()) continue;  // it went with one before it
        walk.left.erase(place);
        take_step(walk, row);
        if (by_itself == ByItself::counted) find_own(walk, row, rows.size() == 1);
        for (const Field other : row.with) std::erase(walk.left, other);
    }
    for (const FieldDifference& row : rows)
        for (const Field other : row.with)
            std::ranges::find_if(rows, [&](const auto& each) { return each.field == other; })->counted_at = row.field;
    return rows;
}

}  // namespace headcount
