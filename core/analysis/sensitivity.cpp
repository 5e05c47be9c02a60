// One step of every field, counted.
#include "core/analysis/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/amount_text.hpp"
#include "core/arch/fields.hpp"
#include "core/arch/matters.hpp"
#include "core/arch/validate.hpp"

namespace headcount {
namespace {

bool has_places(Field field) { return info(field).kind == FieldKind::flag || info(field).kind == FieldKind::choice; }

std::size_t places_of(Field field) { return info(field).kind == FieldKind::flag ? 2 : info(field).choices.size(); }

// The fields that are numbers of this architecture. A width that follows Meta's rule is worked by the rule's multiple,
// and parts that are not there would be brought in, not made larger.
bool can_step(const Architecture& arch, Field field) {
    if (info(field).kind != FieldKind::number) return false;
    if (field == Field::position_offset && !has_position_table(arch)) return false;
    if (field == Field::shared_experts && arch.layer.mixture && arch.layer.mixture->shared_experts == 0) return false;
    const std::optional<std::string> text = field_text(arch, field);
    // A head size that follows from the width can be given all the same.
    const bool follows = field == Field::head_dim && text == "auto" && !arch.layer.attention.latent;
    return text && *text != "none" && (*text != "auto" || follows) && field_number(arch, field).has_value();
}

// One key/value head for each head is the same model whether that is given or not: not given, they follow.
Architecture without_all_kv_heads(Architecture arch) {
    Attention& attention = arch.layer.attention;
    if (attention.kv_heads == attention.heads) attention.kv_heads.reset();
    return arch;
}
Architecture with_all_kv_heads(Architecture arch) {
    Attention& attention = arch.layer.attention;
    if (!attention.kv_heads && !attention.latent) attention.kv_heads = attention.heads;
    return arch;
}

// The other value of a flag, the next choice that is possible; nothing where no other is.
// `point`: what the architecture itself comes to.
std::optional<FieldStep> place_step_of(PointMaker& maker, const Architecture& arch, const SweepPoint& point,
                                       Field field) {
    const auto now = static_cast<std::size_t>(field_place(arch, field)), count = places_of(field);
    for (std::size_t i = 1; i < count; ++i) {
        FieldStep step{field, static_cast<std::int64_t>(now), static_cast<std::int64_t>((now + i) % count), {}};
        const Result<Architecture> changed = with_field(arch, field, step.text(step.to));
        if (!changed || maker.refusal(*changed)) continue;
        const bool idle = !matters(arch, field) && !matters(*changed, field);
        Result<SweepPoint> after = idle ? point : maker.at(*changed);
        if (!after) continue;
        step.after = std::move(*after);
        return step;
    }
    return std::nullopt;
}

// `other_graphs`: for architectures with other formulas, so that those of this one stay.
std::optional<FieldStep> step_of(PointMaker& maker, PointMaker& other_graphs, const Architecture& arch, Field field) {
    const std::int64_t now = *field_number(arch, field);
    for (bool up : {true, false}) {
        const std::optional<std::int64_t> next = next_possible(maker, arch, field, kept_multiple(field, now), up);
        const std::optional<Architecture> changed = next ? with_number(arch, field, *next) : std::nullopt;
        if (!changed) continue;
        PointMaker& made = same_formulas(arch, *changed) ? maker : other_graphs;
        if (Result<SweepPoint> point = made.at(*changed)) return FieldStep{field, now, *next, std::move(*point)};
    }
    return std::nullopt;
}

}  // namespace

std::string FieldStep::text(std::int64_t value) const {
    const FieldInfo& about = info(field);
    if (about.kind == FieldKind::flag) return value == 1 ? "true" : "false";
    if (about.kind == FieldKind::choice) return std::string(about.choices[static_cast<std::size_t>(value)]);
    return std::to_string(value);
}

std::string FieldStep::words(std::int64_t value) const {
    const FieldInfo& about = info(field);
    if (about.kind == FieldKind::flag) return value == 1 ? "yes" : "no";
    if (about.kind == FieldKind::choice) return std::string(about.labels[static_cast<std::size_t>(value)]);
    return std::to_string(value);
}

Architecture with_step(const Architecture& arch, const FieldStep& step) {
    const Architecture& from = step.field == Field::heads ? without_all_kv_heads(arch) : arch;
    const Result<Architecture> changed = with_field(from, step.field, step.text(step.to));
    return changed ? *changed : arch;
}

Result<Sensitivity> sensitivity(const Architecture& arch, const Input& input, const PointWants& wants) {
    PointMaker maker(input, wants), other_graphs(input, wants);  // each remembers the formulas of the last graph
    if (const std::vector<Problem> problems = validate(arch); !problems.empty()) return problems.front().error;
    if (const std::vector<Error> errors = validate(arch, input); !errors.empty()) return errors.front();
    Result<SweepPoint> now = maker.at(arch);
    if (!now) return now.error();
    Sensitivity all{std::move(*now), {}, {}};
    const Architecture follows = without_all_kv_heads(arch), given = with_all_kv_heads(arch);
    for (const FieldInfo& field : fields()) {
        if (field.field == Field::tied_layers) continue;  // which would come first in every model
        if (has_places(field.field)) {
            const std::optional<Field> part = part_with(field.field);
            if (!field_text(follows, field.field) || (part && !has_part(follows, *part))) continue;
            if (std::optional<FieldStep> step = place_step_of(other_graphs, follows, all.now, field.field))
                all.steps.push_back(std::move(*step));
            continue;
        }
        const Architecture& stepped = field.field == Field::kv_heads ? given : follows;
        if (!can_step(stepped, field.field)) continue;
        if (std::optional<FieldStep> step = step_of(maker, other_graphs, stepped, field.field))
            all.steps.push_back(std::move(*step));
        else
            all.without.push_back(field.field);
    }
    return all;
}

std::optional<double> change_of(const Sensitivity& all, const FieldStep& step, Metric metric) {
    if (whole_value_of(all.now, metric)) {
        const std::optional<std::int64_t> whole = whole_change_of(all, step, metric);
        return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
    }
    const std::optional<double> before = value_of(all.now, metric), after = value_of(step.after, metric);
    return before && after ? std::optional(*after - *before) : std::nullopt;
}

std::optional<std::int64_t> whole_change_of(const Sensitivity& all, const FieldStep& step, Metric metric) {
    const std::optional<std::int64_t> before = whole_value_of(all.now, metric),
                                      after = whole_value_of(step.after, metric);
    if (!before || !after) return std::nullopt;
    const bool any = is_room(metric) && (any_has_room(*before) || any_has_room(*after));
    return any && *before != *after ? std::nullopt : std::optional(*after - *before);  // both at least 0: it fits
}

std::vector<std::size_t> sorted_steps(const Sensitivity& all, Metric metric) {
    std::vector<std::size_t> places(all.steps.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto moved = [&](std::size_t place) {
        return std::abs(change_of(all, all.steps[place], metric).value_or(0));
    };
    std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) { return moved(a) > moved(b); });
    return places;
}

}  // namespace headcount
