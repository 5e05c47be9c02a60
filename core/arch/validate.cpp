// Which combinations of fields are possible, each rule with the nearest value that keeps it.
#include "core/arch/validate.hpp"

#include <functional>

#include "core/base/text.hpp"

namespace headcount {
namespace {

using Rule = std::function<bool(std::int64_t)>;

// The number from 1 up nearest to `start` that keeps the rule, looking at most this far away; larger wins a tie.
std::optional<std::int64_t> nearest(std::int64_t start, const Rule& keeps) {
    constexpr std::int64_t furthest = 65536;
    for (std::int64_t away = 1; away <= furthest; ++away) {
        if (start <= INT64_MAX - away && keeps(start + away)) return start + away;
        if (start > away && keeps(start - away)) return start - away;
    }
    return std::nullopt;
}

void add_fix(Problem& problem, Field field, std::optional<std::int64_t> value) {
    if (value) problem.fixes.push_back({field, std::to_string(*value), "Use " + std::to_string(*value)});
}

std::string number(std::int64_t value) {
    return std::to_string(value);
}

bool even_head(const Architecture& arch, std::int64_t head_dim) {
    return arch.positions != Positions::rope || head_dim % 2 == 0;
}

// Heads that divide the width into heads of a size that the positions can use.
bool heads_divide(const Architecture& arch, std::int64_t dim, std::int64_t heads) {
    return arch.layer.attention.head_dim || (dim % heads == 0 && even_head(arch, dim / heads));
}

bool heads_fit(const Architecture& arch, std::int64_t dim, std::int64_t heads) {
    return heads % arch.layer.attention.kv_heads.value_or(1) == 0 && heads_divide(arch, dim, heads);
}

// Nearest values that fit the key/value heads too. Where there are none, those clash as well and get a problem of
// their own, so they are left out of this one.
void add_heads_and_width_fixes(const Architecture& arch, Problem& problem) {
    std::int64_t heads = arch.layer.attention.heads;
    auto fixed_heads = nearest(heads, [&](std::int64_t n) { return heads_fit(arch, arch.dim, n); });
    if (!fixed_heads) fixed_heads = nearest(heads, [&](std::int64_t n) { return heads_divide(arch, arch.dim, n); });
    add_fix(problem, Field::heads, fixed_heads);
    add_fix(problem, Field::dim, nearest(arch.dim, [&](std::int64_t n) { return heads_divide(arch, n, heads); }));
}

void heads_divide_width(const Architecture& arch, std::vector<Problem>& problems) {
    const GroupedAttention& attention = arch.layer.attention;
    if (attention.head_dim || arch.dim % attention.heads == 0) return;
    Problem problem{{number(attention.heads) + " heads do not divide width " + number(arch.dim) + " evenly", "heads",
                     "give a number of heads that divides the width, or a head size of its own (head_dim)"},
                    {Field::heads, Field::dim, Field::head_dim},
                    {}};
    add_heads_and_width_fixes(arch, problem);
    problems.push_back(std::move(problem));
}

void kv_heads_divide_heads(const Architecture& arch, std::vector<Problem>& problems) {
    const GroupedAttention& attention = arch.layer.attention;
    if (attention.heads % kv_heads(arch) == 0) return;
    Problem problem{
        {number(kv_heads(arch)) + " key/value heads do not divide " + number(attention.heads) + " heads evenly",
         "kv_heads", "every key/value head serves the same number of query heads"},
        {Field::kv_heads, Field::heads},
        {}};
    add_fix(problem, Field::kv_heads,
            nearest(kv_heads(arch), [&](std::int64_t n) { return attention.heads % n == 0; }));
    add_fix(problem, Field::heads,
            nearest(attention.heads, [&](std::int64_t n) { return heads_fit(arch, arch.dim, n); }));
    problems.push_back(std::move(problem));
}

void rotary_heads_are_even(const Architecture& arch, std::vector<Problem>& problems) {
    std::optional<std::int64_t> head_dim = bindings(arch, {})[Symbol::head_dim];
    if (!head_dim || even_head(arch, *head_dim)) return;
    const GroupedAttention& attention = arch.layer.attention;
    if (!attention.head_dim && arch.dim % attention.heads != 0) return;  // said already
    Problem problem{{"rotary positions turn pairs of columns, and head size " + number(*head_dim) + " is odd",
                     "head_dim", "use an even head size, or other positions"},
                    {Field::head_dim, Field::heads, Field::dim, Field::positions},
                    {}};
    if (attention.head_dim) {
        add_fix(problem, Field::head_dim, nearest(*head_dim, [](std::int64_t n) { return n % 2 == 0; }));
    } else {
        add_heads_and_width_fixes(arch, problem);
    }
    problem.fixes.push_back({Field::positions, "learned", "Use learned positions"});
    problems.push_back(std::move(problem));
}

void ffn_dim_exists(const Architecture& arch, std::vector<Problem>& problems) {
    Result<std::int64_t> width = evaluate(ffn_dim_rule(arch), bindings(arch, {}));
    bool ruled = std::holds_alternative<MetaRule>(arch.layer.feed_forward.width);
    if (width && *width >= 1) return;
    Error error =
        width ? Error{"Meta's rule gives a feed-forward width of 0", "ffn_dim", "use a larger width or multiplier"}
              : within("ffn_dim", width.error());
    std::vector<Field> fields{Field::ffn_dim};
    if (ruled) fields = {Field::ffn_multiple_of, Field::ffn_multiplier, Field::dim};
    problems.push_back({std::move(error), std::move(fields), {}});
}

}  // namespace

std::vector<Problem> validate(const Architecture& arch) {
    std::vector<Problem> problems;
    for (const FieldInfo& field : fields()) {
        std::optional<std::int64_t> value =
            field.kind == FieldKind::number ? field_number(arch, field.field) : std::nullopt;
        bool derived = field.field == Field::head_dim || field.field == Field::ffn_dim;
        if (!value || *value >= 1 || derived) continue;
        problems.push_back({{number(*value) + " is below 1", std::string(field.key), "give at least 1"},
                            {field.field},
                            {{field.field, "1", "Use 1"}}});
    }
    if (arch.layer.attention.head_dim.value_or(1) < 1)
        problems.push_back({{"head size is below 1", "head_dim", "give at least 1"}, {Field::head_dim}, {}});
    if (!problems.empty()) return problems;  // the rules below divide by these
    heads_divide_width(arch, problems);
    kv_heads_divide_heads(arch, problems);
    rotary_heads_are_even(arch, problems);
    ffn_dim_exists(arch, problems);
    return problems;
}

std::vector<Error> validate(const Architecture& arch, const Input& input) {
    std::vector<Error> errors;
    if (input.tokens < 1) errors.push_back({number(input.tokens) + " tokens are too few", "tokens", "give at least 1"});
    if (input.batch < 1)
        errors.push_back({"a batch of " + number(input.batch) + " is too small", "batch", "give at least 1"});
    if (input.cached < 0)
        errors.push_back({number(input.cached) + " cached tokens are too few", "cached", "give 0 or more"});
    bool too_long = input.cached > arch.context || input.tokens > arch.context - input.cached;
    if (arch.positions == Positions::learned && too_long)
        errors.push_back(
            {number(input.tokens) +
                 (input.cached > 0 ? " tokens after " + number(input.cached) + " cached ones" : " tokens") +
                 " pass the last of " + number(arch.context) + " learned positions",
             "tokens", "give fewer tokens or a longer context"});
    return errors;
}

}  // namespace headcount
