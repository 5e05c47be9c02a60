// The model as a question supposes it: with other numbers, twice or half as many, other choices of its fields.
#include <algorithm>

#include "core/arch/fields.hpp"
#include "core/arch/matters.hpp"
#include "core/arch/validate.hpp"
#include "core/ask/answer.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

class Supposing {
  public:
    Supposing(const Architecture& base, const Heard& heard) : base_(base), heard_(heard), made_{base, {}} {}

    Result<Supposed> made() {
        for (const auto& [symbol, value] : heard_.supposed)
            if (const std::optional<Error> wrong = step_or_set(symbol, value)) return *wrong;
        for (const auto& [symbol, change] : heard_.scaled) {
            const std::int64_t value = now(symbol).value_or(0);
            const std::optional<std::int64_t> twice = checked_multiply(value, 2);
            if (!twice) return Error{"twice as many are too many", "", ""};
            if (const std::optional<Error> wrong = set(symbol, change == AskChange::half ? value / 2 : *twice))
                return *wrong;
        }
        if (heard_.tied) {
            const Field tied = Field::tied;
            if (const std::optional<Error> wrong = set({tied, *heard_.tied ? "true" : sets_off})) return *wrong;
            say(std::string(*heard_.tied ? "tied" : "untied") + " embeddings");
        }
        for (const FieldText& each : heard_.chosen)
            if (const std::optional<Error> wrong = set(each)) return *wrong;
        for (const std::string& each : heard_.chosen_words) say(each);
        if (const std::vector<Problem> problems = validate(made_.architecture); !problems.empty())
            return problems.front().error;
        made_.architecture.name += how_;
        return std::move(made_);
    }

  private:
    std::optional<std::int64_t> now(Symbol symbol) const {
        const std::optional<Field> field = field_of(symbol);
        return field ? field_number(base_, *field) : std::nullopt;
    }
    void say(const std::string& what) { how_ += (how_.empty() ? " with " : ", ") + what; }
    // What the model has no such thing of has it neither on nor off; a number may be another field's: as many key/value
    // heads as heads.
    std::optional<Error> set(FieldText to) {
        const auto other = std::ranges::find(fields(), std::string_view(to.value), &FieldInfo::key);
        if (other != fields().end() && info(to.field).kind == FieldKind::number)
            to.value = std::to_string(field_number(made_.architecture, other->field).value_or(0));
        const std::optional<std::string> has = field_text(made_.architecture, to.field);
        const bool goes = info(to.field).kind == FieldKind::flag && to.value == sets_off;
        if (has == to.value || (goes && !(has == "true" && matters(made_.architecture, to.field)))) return std::nullopt;
        Result<Architecture> with = with_field(std::move(made_.architecture), to.field, to.value);
        if (!with) return with.error();
        made_.architecture = *std::move(with);
        made_.sets.push_back(std::string(info(to.field).key) + "=" + to.value);
        return std::nullopt;
    }
    std::optional<Error> set(Symbol symbol, std::int64_t value) {
        const std::optional<Field> field = field_of(symbol);
        if (!field) return Error{std::string(info(symbol).name) + " is no field of the model", "", ""};
        if (std::optional<Error> wrong = set({*field, std::to_string(value)})) return wrong;
        say(grouped(value) + " " + std::string(info(symbol).name));
        return std::nullopt;
    }
    std::optional<Error> step_or_set(Symbol symbol, std::int64_t value) {
        if (!heard_.step) return set(symbol, value);
        std::optional<std::int64_t> number;
        if (const std::optional<std::int64_t> has = now(symbol))
            number = *heard_.step == AskChange::more ? checked_add(*has, value) : checked_subtract(*has, value);
        if (number && *number >= 0) return set(symbol, *number);
        return Error{base_.name + " has " + grouped(now(symbol).value_or(0)) + " " + std::string(info(symbol).name), "",
                     "change it by less"};
    }

    const Architecture& base_;
    const Heard& heard_;
    Supposed made_;
    std::string how_;  // " with 64 layers, ReLU"
};

}  // namespace

Result<Supposed> supposed_of(const Architecture& base, const Heard& heard) { return Supposing(base, heard).made(); }

void note_change(Heard& heard, const Architecture& base, const Supposed& supposed, const CountedModel& model) {
    if (supposed.sets.empty()) {
        heard.notes.push_back(base.name + " has it so: nothing changes.");
        return;
    }
    const Result<CountedModelPtr> before = counted_model(base, Input{.tokens = 1});
    if (before) {
        const std::int64_t total = (*before)->parameters.total, more = model.parameters.total - total;
        heard.notes.push_back(more == 0 ? "As many parameters as " + base.name + "."
                                        : signed_grouped(more) + " parameters to the " + grouped(total) + " of " +
                                              base.name + ".");
    }
    std::string sets = "To have it so: ";
    for (const std::string& each : supposed.sets) sets += (each == supposed.sets.front() ? "--set " : " --set ") + each;
    heard.notes.push_back(sets);
}

}  // namespace headcount
