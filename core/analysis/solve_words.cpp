// The sentences of a search.
#include <algorithm>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/solve_line.hpp"
#include "core/arch/validate.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::int64_t most_multiple = std::int64_t{1} << 40;

// "dim and layers"
std::string names_of(const Wish& wish) {
    std::string text;
    for (const Freed& each : wish.free) text += (text.empty() ? "" : " and ") + std::string(info(each.field).key);
    return text;
}

std::string held_by(const Wish& wish) {
    return wish.held == Metric::total ? "total" : std::string(info(wish.held).key);
}

// "the nearest possible is 7.2 GiB, with dim=128, layers=1"
std::string nearest_words(const Wish& wish, const Answer& nearest, const std::string& amounts) {
    std::string values;
    for (std::size_t i = 0; i < nearest.values.size(); ++i)
        values +=
            (i == 0 ? "" : ", ") + std::string(info(wish.free[i].field).key) + "=" + std::to_string(nearest.values[i]);
    return "the nearest possible is " + amounts + ", with " + values;
}

}  // namespace

std::optional<Error> wrong_wish(const Wish& wish) {
    if (wish.free.empty() || wish.free.size() > most_freed)
        return Error{grouped(static_cast<std::int64_t>(wish.free.size())) + " fields cannot be free", "--free",
                     "free one to " + std::to_string(most_freed)};
    for (const Freed& each : wish.free) {
        if (info(each.field).kind != FieldKind::number)
            return Error{std::string(info(each.field).key) + " is no number", "--vary",
                         "free a number, such as layers"};
        if (each.multiple < 1)
            return Error{"a multiple of " + grouped(each.multiple) + " is none", "--multiple", "give at least 1"};
        if (each.multiple > most_multiple)
            return Error{"a multiple of " + grouped(each.multiple) + " is larger than any model", "--multiple",
                         "give at most " + grouped(most_multiple)};
    }
    for (const Freed& each : wish.free)
        if (std::ranges::count(wish.free, each.field, &Freed::field) > 1)
            return Error{std::string(info(each.field).key) + " is free twice", "--free", "name it once"};
    if (wish.amount < 1)
        return Error{"a budget of " + grouped(wish.amount) + " holds nothing", "--" + held_by(wish), "give at least 1"};
    for (const Goal& each : wish.goals)
        if (std::optional<Error> wrong = wrong_metric(wish, each.metric)) return wrong;
    for (const Metric each : wish.shown)
        if (std::optional<Error> wrong = wrong_metric(wish, each)) return wrong;
    return std::nullopt;
}

Error no_dependence(const Wish& wish, Field field) {
    const bool shapes = wish.held == Metric::total;
    return {"the " + held_by(wish) + (wish.held == Metric::flops ? " do not depend on " : " does not depend on ") +
                std::string(info(field).key),
            "--vary",
            shapes ? "free a field that shapes a matrix, such as dim, layers or vocab"
                   : "free another field, such as dim or layers"};
}

Error never_fits(const Wish& wish) {
    return {"the " + held_by(wish) + (wish.held == Metric::flops ? " do" : " does") + " not fit in 64 bits, whatever " +
                names_of(wish) + " is",
            "--vary",
            wish.held == Metric::total ? "make another dimension smaller, with --set"
                                       : "give fewer tokens or a smaller batch, or make another dimension smaller"};
}

Error nothing_possible(const Architecture& arch, const Wish& wish) {
    if (const std::vector<Problem> problems = validate(arch); !problems.empty()) return problems.front().error;
    if (const std::vector<Error> errors = validate(arch, wish.input); !errors.empty()) return errors.front();
    return {"no value of " + names_of(wish) + " is possible", "--vary", "change what it must fit as well, with --set"};
}

Error never_met(const Wish& wish, const Answer& nearest, const std::vector<double>& figures) {
    const std::vector<Goal> conditions = conditions_of(wish);
    std::string within, reaches, amounts;
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        const Goal& each = conditions[i];
        std::string& said = each.least ? reaches : within;
        const std::string_view verb = each.least ? "reaches " : "stays within ";
        said += (said.empty() ? std::string(verb) : " and ") + figure_words(each.metric, each.amount);
        amounts += (amounts.empty() ? "" : " and ") + figure_words(each.metric, figures[i]);
    }
    const std::string said = within + (within.empty() || reaches.empty() ? "" : " and ") + reaches;
    const std::string_view first = info(conditions.front().metric).key;
    const bool has_option = first == "memory" || first == "flops";
    return {"nothing with " + names_of(wish) + " free " + said, has_option ? "--" + std::string(first) : "--where",
            nearest_words(wish, nearest, amounts)};
}

std::optional<Error> too_small(const Wish& wish, const Answer& best) {
    if (wish.held != Metric::total || best.amount / 2 <= wish.amount) return std::nullopt;
    return Error{"nothing with " + names_of(wish) + " free is as small as " + amount_text(wish.amount, wish.held),
                 "--total", nearest_words(wish, best, amount_text(best.amount, wish.held))};
}

}  // namespace headcount
