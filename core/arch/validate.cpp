// Which combinations of fields are possible, each rule with the nearest value that keeps it.
#include "core/arch/validate.hpp"

#include <algorithm>

#include "core/arch/family.hpp"
#include "core/arch/finding.hpp"
#include "core/arch/layers.hpp"
#include "core/arch/matters.hpp"
#include "core/base/text.hpp"

namespace headcount {

std::optional<std::int64_t> Finding::nearest(std::int64_t start, const std::function<bool(std::int64_t)>& keeps) const {
    constexpr std::int64_t furthest = 65536;
    for (std::int64_t away = 1; mends && away <= furthest; ++away) {
        if (start <= INT64_MAX - away && keeps(start + away)) return start + away;
        if (start > away && keeps(start - away)) return start - away;
    }
    return std::nullopt;
}

namespace {

void add_fix(Problem& problem, Field field, std::optional<std::int64_t> value) {
    if (value) problem.fixes.push_back({field, std::to_string(*value), "Use " + std::to_string(*value)});
}

std::string number(std::int64_t value) { return std::to_string(value); }

// Whether positions can turn heads of this size: where only some of the columns are turned, those are counted.
bool even_head(const Architecture& arch, std::int64_t head_dim) {
    return arch.positions != Positions::rope || arch.layer.attention.rotary_dim || head_dim % 2 == 0;
}

// Heads that divide the width into heads of a size that the positions can use.
bool heads_divide(const Architecture& arch, std::int64_t dim, std::int64_t heads) {
    return arch.layer.attention.head_dim || arch.layer.attention.latent ||
           (dim % heads == 0 && even_head(arch, dim / heads));
}

bool heads_fit(const Architecture& arch, std::int64_t dim, std::int64_t heads) {
    bool grouped = !arch.layer.attention.latent;
    return (!grouped || heads % arch.layer.attention.kv_heads.value_or(1) == 0) && heads_divide(arch, dim, heads);
}

// Nearest values that fit the key/value heads too. Where there are none, those clash as well and get a problem of
// their own, so they are left out of this one.
void add_heads_and_width_fixes(const Architecture& arch, const Finding& finding, Problem& problem) {
    std::int64_t heads = arch.layer.attention.heads;
    auto fixed_heads = finding.nearest(heads, [&](std::int64_t n) { return heads_fit(arch, arch.dim, n); });
    if (!fixed_heads)
        fixed_heads = finding.nearest(heads, [&](std::int64_t n) { return heads_divide(arch, arch.dim, n); });
    add_fix(problem, Field::heads, fixed_heads);
    add_fix(problem, Field::dim,
            finding.nearest(arch.dim, [&](std::int64_t n) { return heads_divide(arch, n, heads); }));
}

void heads_divide_width(const Architecture& arch, Finding& finding) {
    const Attention& attention = arch.layer.attention;
    if (attention.head_dim || attention.latent || arch.dim % attention.heads == 0) return;
    Problem problem{{number(attention.heads) + " heads do not divide width " + number(arch.dim) + " evenly", "heads",
                     "give a number of heads that divides the width, or a head size of its own (head_dim)"},
                    {Field::heads, Field::dim, Field::head_dim},
                    {}};
    add_heads_and_width_fixes(arch, finding, problem);
    finding.problems.push_back(std::move(problem));
}

void kv_heads_divide_heads(const Architecture& arch, Finding& finding) {
    const Attention& attention = arch.layer.attention;
    if (attention.heads % kv_heads(arch) == 0) return;
    Problem problem{
        {number(kv_heads(arch)) + " key/value heads do not divide " + number(attention.heads) + " heads evenly",
         "kv_heads", "every key/value head serves the same number of query heads"},
        {Field::kv_heads, Field::heads},
        {}};
    add_fix(problem, Field::kv_heads,
            finding.nearest(kv_heads(arch), [&](std::int64_t n) { return attention.heads % n == 0; }));
    add_fix(problem, Field::heads,
            finding.nearest(attention.heads, [&](std::int64_t n) { return heads_fit(arch, arch.dim, n); }));
    finding.problems.push_back(std::move(problem));
}

void rotary_heads_are_even(const Architecture& arch, Finding& finding) {
    std::optional<std::int64_t> head_dim = bindings(arch, {})[Symbol::head_dim];
    if (!head_dim || even_head(arch, *head_dim) || arch.layer.attention.latent) return;
    const Attention& attention = arch.layer.attention;
    if (!attention.head_dim && arch.dim % attention.heads != 0) return;  // said already
    Problem problem{{"rotary positions turn pairs of columns, and head size " + number(*head_dim) + " is odd",
                     "head_dim", "use an even head size, or other positions"},
                    {Field::head_dim, Field::heads, Field::dim, Field::positions},
                    {}};
    if (attention.head_dim) {
        add_fix(problem, Field::head_dim, finding.nearest(*head_dim, [](std::int64_t n) { return n % 2 == 0; }));
    } else {
        add_heads_and_width_fixes(arch, finding, problem);
    }
    problem.fixes.push_back({Field::positions, "learned", "Use learned positions"});
    finding.problems.push_back(std::move(problem));
}

void ffn_dim_exists(const Architecture& arch, Finding& finding) {
    Result<std::int64_t> width = evaluate(ffn_dim_rule(arch), bindings(arch, {}));
    bool ruled = std::holds_alternative<MetaRule>(arch.layer.feed_forward.width);
    if (width && *width >= 1) return;
    Error error =
        width ? Error{"Meta's rule gives a feed-forward width of 0", "ffn_dim", "use a larger width or multiplier"}
              : within("ffn_dim", width.error());
    std::vector<Field> fields{Field::ffn_dim};
    if (ruled) fields = {Field::ffn_multiple_of, Field::ffn_multiplier, Field::dim};
    finding.problems.push_back({std::move(error), std::move(fields), {}});
}

// Partial rotary positions turn pairs of columns that a head has.
void rotated_columns_fit(const Architecture& arch, Finding& finding) {
    const Attention& attention = arch.layer.attention;
    std::optional<std::int64_t> head_dim = bindings(arch, {})[Symbol::head_dim];
    const bool latent = attention.latent.has_value();
    if (arch.positions != Positions::rope || !head_dim || (!latent && !attention.rotary_dim)) return;
    const Field field = latent ? Field::rope_dim : Field::rotary_dim;
    const std::int64_t turned = latent ? attention.latent->rope_dim : *attention.rotary_dim;
    if (turned % 2 == 0 && turned <= *head_dim) return;
    Problem problem{
        {"rotary positions cannot turn " + number(turned) + " of the " + number(*head_dim) + " columns of a head",
         std::string(info(field).key), "turn an even number of columns that a head has"},
        {field, Field::head_dim},
        {}};
    add_fix(problem, field,
            finding.nearest(turned, [&](std::int64_t n) { return n % 2 == 0 && (latent || n <= *head_dim); }));
    finding.problems.push_back(std::move(problem));
}

// Of layers without a window, where they have sizes of their own.
void full_heads_fit(const Architecture& arch, Finding& finding) {
    const Attention& attention = arch.layer.attention;
    if (!attention.full || attention.latent) return;
    const std::int64_t kv = attention.full->kv_heads, columns = attention.full->head_dim;
    if (attention.heads % kv != 0) {
        Problem problem{{number(kv) + " key/value heads do not divide " + number(attention.heads) + " heads evenly",
                         "full_kv_heads", "every key/value head serves the same number of query heads"},
                        {Field::full_kv_heads, Field::heads},
                        {}};
        add_fix(problem, Field::full_kv_heads,
                finding.nearest(kv, [&](std::int64_t n) { return attention.heads % n == 0; }));
        finding.problems.push_back(std::move(problem));
    }
    if (even_head(arch, columns)) return;
    Problem problem{{"rotary positions turn pairs of columns, and head size " + number(columns) + " is odd",
                     "full_head_dim", "use an even head size"},
                    {Field::full_head_dim, Field::positions},
                    {}};
    add_fix(problem, Field::full_head_dim, finding.nearest(columns, [](std::int64_t n) { return n % 2 == 0; }));
    finding.problems.push_back(std::move(problem));
}

void index_is_of_latent_attention(const Architecture& arch, Finding& finding) {
    if (!arch.layer.attention.indexer || arch.layer.attention.latent) return;
    finding.problems.push_back(
        {{"only latent attention has heads that choose keys", "index_heads",
          "give the attention a bottleneck (kv_rank), or take these heads away"},
         {Field::index_heads, Field::kv_rank},
         {{Field::index_heads, "none", "Take them away"}, {Field::kv_rank, "512", "Use latent attention"}}});
}

// Of the columns by which keys are chosen as many are turned as of all others' keys.
void index_columns_fit(const Architecture& arch, Finding& finding) {
    const Attention& attention = arch.layer.attention;
    if (!attention.indexer || !attention.latent || arch.positions != Positions::rope) return;
    const std::int64_t columns = attention.indexer->head_dim, turned = attention.latent->rope_dim;
    if (turned <= columns) return;
    finding.problems.push_back(
        {{"rotary positions cannot turn " + number(turned) + " of the " + number(columns) + " columns of an index head",
          "index_dim", "give index heads at least as many columns as position turns"},
         {Field::index_dim, Field::rope_dim},
         {{Field::index_dim, number(turned), "As many as are turned"}}});
}

void experts_are_enough(const Architecture& arch, Finding& finding) {
    const std::optional<Mixture>& mixture = arch.layer.mixture;
    if (!mixture || mixture->experts_per_token <= mixture->experts) return;
    finding.problems.push_back(
        {{"a token cannot be sent to " + number(mixture->experts_per_token) + " of " + number(mixture->experts) +
              " experts",
          "experts_per_token", "send it to at most as many as there are"},
         {Field::experts_per_token, Field::experts},
         {{Field::experts_per_token, number(mixture->experts), "Use " + number(mixture->experts)},
          {Field::experts, number(mixture->experts_per_token), "Use " + number(mixture->experts_per_token)}}});
}

// Sub-blocks side by side read the same stream: there is no sum between them that a norm could follow, and one norm
// for both can only stand before them.
void joining_has_its_norms(const Architecture& arch, Finding& finding) {
    const Joining joining = arch.layer.joining;
    const NormPlacement placement = arch.norm.placement;
    const bool fits = joining == Joining::in_turn || placement == NormPlacement::before ||
                      (joining == Joining::parallel && placement != NormPlacement::after_sum);
    if (fits) return;
    finding.problems.push_back(
        {{"sub-blocks side by side have no place for norms " +
              std::string(placement == NormPlacement::after_sum ? "after the sum" : "after each of them"),
          "joining", "put the norms before, or the sub-blocks in turn"},
         {Field::joining, Field::norm_placement},
         {{Field::norm_placement, "before", "Norms before"}, {Field::joining, "in_turn", "In turn"}}});
}

void latent_heads_have_no_norms(const Architecture& arch, Finding& finding) {
    if (!arch.layer.attention.latent || arch.layer.attention.qk_norm == QkNorm::none) return;
    finding.problems.push_back(
        {{"latent attention has norms in its bottlenecks, and none of queries and keys", "qk_norm", "leave them out"},
         {Field::qk_norm, Field::kv_rank},
         {{Field::qk_norm, "none", "Use none"}}});
}

void pairs_have_values(const Architecture& arch, Finding& finding) {
    const Attention& attention = arch.layer.attention;
    if (!attention.differential || !matters(arch, Field::differential)) return;
    const bool of_full = kv_heads(arch) % 2 == 0;
    const std::int64_t odd = !of_full ? kv_heads(arch) : attention.full ? attention.full->kv_heads : 0;
    if (odd % 2 == 0) return;
    const Field field = of_full ? Field::full_kv_heads : Field::kv_heads;
    Problem problem{
        {"heads in pairs have their values in two halves, and " + number(odd) + " key/value heads have none",
         "differential", "use an even number of key/value heads, or no pairs"},
        {Field::differential, field},
        {}};
    add_fix(problem, field,
            finding.nearest(odd, [&](std::int64_t n) { return n % 2 == 0 && attention.heads % n == 0; }));
    problem.fixes.push_back({Field::differential, "false", "Use no pairs"});
    finding.problems.push_back(std::move(problem));
}

void groups_divide_state_heads(const Architecture& arch, Finding& finding) {
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    if (!recurrence || recurrence->heads % recurrence->groups == 0) return;
    if (!matters(arch, Field::state_groups)) return;
    Problem problem{{number(recurrence->groups) + " state groups do not divide " + number(recurrence->heads) +
                         " state heads evenly",
                     "state_groups", "every group serves the same number of heads"},
                    {Field::state_groups, Field::state_heads},
                    {}};
    add_fix(problem, Field::state_groups,
            finding.nearest(recurrence->groups, [&](std::int64_t n) { return recurrence->heads % n == 0; }));
    add_fix(problem, Field::state_heads,
            finding.nearest(recurrence->heads, [&](std::int64_t n) { return n % recurrence->groups == 0; }));
    finding.problems.push_back(std::move(problem));
}

// What comes later cannot be seen from a state that is written token by token, nor in chunks that end here.
void full_sight_is_alone(const Architecture& arch, Finding& finding) {
    const Attention& attention = arch.layer.attention;
    const bool chunks = attention.window && attention.window->chunked;
    if (attention.mask == AttentionMask::causal || (!chunks && !arch.layer.recurrence && !attention.latent)) return;
    const Field other = chunks ? Field::window : attention.latent ? Field::kv_rank : Field::state_dim;
    finding.problems.push_back({{"tokens that look at all others have no " + std::string(info(other).label) + " here",
                                 "mask", "let them look at those before, or leave it out"},
                                {Field::mask, other},
                                {{Field::mask, "causal", "Use causal"}, {other, "none", "Leave it out"}}});
}

// Half of the ranges hold one distance each; where tokens look both ways, half of those are for what comes later.
void ranges_are_enough(const Architecture& arch, Finding& finding) {
    constexpr std::int64_t least = 4;
    const std::int64_t buckets = arch.layer.attention.relative_buckets;
    if (!scores_distances(arch) || buckets >= least) return;
    finding.problems.push_back(
        {{number(buckets) + " ranges of distances are too few", "relative_buckets", "give at least " + number(least)},
         {Field::relative_buckets},
         {{Field::relative_buckets, number(least), "Use " + number(least)}}});
}

// One set of weights is that of one kind of layers; of experts and beside an encoder it is not known.
void tied_layers_are_alike(const Architecture& arch, Finding& finding) {
    if (!arch.tied_layers || (layer_groups(arch).size() == 1 && !arch.layer.mixture)) return;
    finding.problems.push_back(
        {{"layers that differ cannot share one set of weights", "tied_layers", "give each its own, or make them alike"},
         {Field::tied_layers},
         {{Field::tied_layers, "false", "Give each its own"}}});
}

// A head that is the embedding reads rows as wide as that.
void tied_head_fits(const Architecture& arch, Finding& finding) {
    if (arch.output != OutputKind::masked || !arch.tied || !arch.transform_dim) return;
    if (*arch.transform_dim == arch.embedding_dim.value_or(arch.dim)) return;
    finding.problems.push_back({{"an output head that is the embedding reads as many columns as that has",
                                 "transform_dim", "leave it out, or give the head weights of its own"},
                                {Field::transform_dim, Field::tied},
                                {{Field::transform_dim, "auto", "Leave it to the embedding"},
                                 {Field::tied, "false", "Give the head its own"}}});
}

// A stack that makes the scores itself is none without them.
void stack_keeps_its_scores(const Architecture& arch, Finding& finding) {
    if (arch.output != OutputKind::none || !arch.family || !arch.family->scores_in_base()) return;
    finding.problems.push_back({{"the stack of this type makes scores for tokens itself, and is nothing without them",
                                 "output", "give it scores for tokens"},
                                {Field::output},
                                {{Field::output, "language", "Scores for tokens"}}});
}

void pattern_is_short(const Architecture& arch, Finding& finding) {
    if (pattern_length(arch) <= longest_pattern && (!arch.encoder || pattern_length(arch, true) <= longest_pattern))
        return;
    finding.problems.push_back(
        {{"the layers differ in a pattern that repeats only after more than " + number(longest_pattern) + " of them",
          "window_layers", "use cycles whose lengths have more in common"},
         {Field::window_layers, Field::mixture_layers, Field::rotated_layers, Field::recurrence_layers,
          Field::mixer_layers, Field::ffn_layers},
         {}});
}

void layers_have_something(const Architecture& arch, Finding& finding) {
    if (arch.family && arch.family->besides) return;  // of which a layer may be made
    const std::int64_t different = std::min(arch.layers, pattern_length(arch));
    const LayerKinds kinds(arch);
    for (std::int64_t layer = 0; layer < different; ++layer) {
        const LayerKind kind = kinds[layer];
        if (kind.attention || kind.recurrent || kind.feed_forward) continue;
        finding.problems.push_back(
            {{"layer " + number(layer) + " has neither a mixer nor a feed-forward", "mixer_layers",
              "give each layer one of them"},
             {Field::mixer_layers, Field::ffn_layers},
             {{Field::mixer_layers, "1", "Mixers in all layers"}, {Field::ffn_layers, "1", "FFNs in all layers"}}});
        return;
    }
}

std::vector<Problem> problems_of(const Architecture& arch, bool mends) {
    Finding finding{mends, {}};
    std::vector<Problem>& problems = finding.problems;
    if (arch.vocab == 0 && !reads_numbers(arch))  // what a params.json may leave open
        return {{{"the vocabulary is not given", "vocab", "give the number of tokens that the tokenizer knows"},
                 {Field::vocab},
                 {{Field::vocab, "32000", "Use 32000"}}}};
    const Bindings values = bindings(arch, {});
    for (const FieldInfo& field : fields()) {
        if (field.kind != FieldKind::number || field.field == Field::ffn_dim) continue;
        const std::int64_t value =
            (field.symbol ? values[*field.symbol] : field_number(arch, field.field)).value_or(field.least);
        if (value >= field.least || field_text(arch, field.field) == "auto") continue;
        const std::string least = number(field.least);
        const std::string said = must_be(field.label, numbers_from(field.least), number(value)).what;
        problems.push_back({{said, std::string(field.key), ""}, {field.field}, {{field.field, least, "Use " + least}}});
    }
    if (!problems.empty()) return problems;  // the rules below divide by these
    if (attends(arch)) {
        heads_divide_width(arch, finding);
        kv_heads_divide_heads(arch, finding);
        rotary_heads_are_even(arch, finding);
    }
    ffn_dim_exists(arch, finding);
    rotated_columns_fit(arch, finding);
    full_heads_fit(arch, finding);
    index_is_of_latent_attention(arch, finding);
    index_columns_fit(arch, finding);
    experts_are_enough(arch, finding);
    copies_are_few(arch, finding);
    laurel_is_in_turn(arch, finding);
    laurel_has_a_stream(arch, finding);
    joining_has_its_norms(arch, finding);
    latent_heads_have_no_norms(arch, finding);
    pairs_have_values(arch, finding);
    groups_divide_state_heads(arch, finding);
    full_sight_is_alone(arch, finding);
    ranges_are_enough(arch, finding);
    encoder_stands_beside(arch, finding);
    tied_head_fits(arch, finding);
    stack_keeps_its_scores(arch, finding);
    patches_fit(arch, finding);
    sound_fits(arch, finding);
    const std::size_t before = problems.size();
    sharing_layers_fit(arch, finding);
    if (problems.size() == before) pattern_is_short(arch, finding);  // which layers that share something lengthen
    layers_have_something(arch, finding);
    if (problems.empty()) tied_layers_are_alike(arch, finding);
    return problems;
}

}  // namespace

std::vector<Problem> validate(const Architecture& arch) { return problems_of(arch, true); }

bool possible(const Architecture& arch) { return problems_of(arch, false).empty(); }

}  // namespace headcount
