// One step of every number, counted.
#include "core/analysis/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/steps.hpp"
#include "core/arch/validate.hpp"

namespace headcount {
namespace {

// The fields that are numbers of this architecture. A width that follows Meta's rule is worked by the rule's multiple,
// and parts that are not there would be brought in, not made larger.
bool can_step(const Architecture& arch, Field field) {
    if (info(field).kind != FieldKind::number) return false;
    if (field == Field::position_offset && arch.positions != Positions::learned) return false;
    if (field == Field::shared_experts && arch.layer.mixture && arch.layer.mixture->shared_experts == 0) return false;
    const std::optional<std::string> text = field_text(arch, field);
    return text && *text != "none" && *text != "auto" && field_number(arch, field).has_value();
}

std::optional<FieldStep> step_of(PointMaker& maker, const Architecture& arch, Field field) {
    const std::int64_t now = *field_number(arch, field);
    for (bool up : {true, false}) {
        const std::optional<std::int64_t> next = next_possible(maker, arch, field, kept_multiple(field, now), up);
        const std::optional<Architecture> changed = next ? with_number(arch, field, *next) : std::nullopt;
        if (!changed) continue;
        if (Result<SweepPoint> point = maker.at(*changed)) return FieldStep{field, now, *next, std::move(*point)};
    }
    return std::nullopt;
}

}  // namespace

Result<Sensitivity> sensitivity(const Architecture& arch, const Input& input, const PointWants& wants) {
    PointMaker maker(input, wants);
    if (const std::vector<Problem> problems = validate(arch); !problems.empty()) return problems.front().error;
    if (const std::vector<Error> errors = validate(arch, input); !errors.empty()) return errors.front();
    Result<SweepPoint> now = maker.at(arch);
    if (!now) return now.error();
    Sensitivity all{std::move(*now), {}, {}};
    for (const FieldInfo& field : fields()) {
        if (!can_step(arch, field.field)) continue;
        if (std::optional<FieldStep> step = step_of(maker, arch, field.field))
            all.steps.push_back(std::move(*step));
        else
            all.without.push_back(field.field);
    }
    return all;
}

std::optional<double> change_of(const Sensitivity& all, const FieldStep& step, Metric metric) {
    if (const std::optional<std::int64_t> whole = whole_change_of(all, step, metric))
        return static_cast<double>(*whole);
    const std::optional<double> before = value_of(all.now, metric), after = value_of(step.after, metric);
    return before && after ? std::optional(*after - *before) : std::nullopt;
}

std::optional<std::int64_t> whole_change_of(const Sensitivity& all, const FieldStep& step, Metric metric) {
    const std::optional<std::int64_t> before = whole_value_of(all.now, metric),
                                      after = whole_value_of(step.after, metric);
    return before && after ? std::optional(*after - *before) : std::nullopt;  // both at least 0: it fits
}

std::vector<std::size_t> sorted_steps(const Sensitivity& all, Metric metric) {
    std::vector<std::size_t> places(all.steps.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto moved = [&](std::size_t place) {
        return std::abs(change_of(all, all.steps[place], metric).value_or(0));
    };
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return moved(a) > moved(b); });
    return places;
}

}  // namespace headcount
