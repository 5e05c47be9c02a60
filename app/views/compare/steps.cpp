// The steps of the waterfall: what the difference is made of.
#include "app/parts/part_colours.hpp"
#include "app/views/compare/panels.hpp"
#include "core/analysis/difference.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// As the data flows; norms, which are small, come last.
constexpr std::array in_order{Component::embedding,    Component::output, Component::attention, Component::recurrence,
                              Component::feed_forward, Component::norm,   Component::tower,     Component::connector};

WaterfallStep step_of(std::string label, std::int64_t change, const ChangeFormula& formula) {
    WaterfallStep step;
    step.label = std::move(label);
    step.change = static_cast<double>(change);
    step.text = signed_grouped(change);
    step.note.value = step.text;
    step.note.title = step.label;
    if (change == 0) {
        step.formula = "no change";
        step.words = true;
        return step;
    }
    step.formula = formula.symbols;
    // Two whole formulas are for the note alone.
    if (formula.symbol) step.second = formula.numbers;
    if (!formula.symbol && !formula.symbols.empty()) {
        step.formula = "several dimensions";
        step.words = true;
    }
    if (!formula.symbols.empty()) step.note.derivation = formula.symbols + "\n" + formula.numbers;
    return step;
}

std::vector<CompareStep> by_component(const Theme& theme, const BothSides& both) {
    const CountedModel &a = both.a(), &b = both.b();
    std::vector<CompareStep> steps;
    for (const Component component : in_order) {
        const std::int64_t in_a = a.parameters.of(component), in_b = b.parameters.of(component);
        if (in_a == 0 && in_b == 0) continue;
        CompareStep step{
            step_of(std::string(component_name(component)), in_b - in_a, component_change(a, b, component)), component};
        step.step.colour = component_colour(theme, component);
        step.step.name = component_key(component);
        step.step.note.remark = grouped(in_a) + " in A, " + grouped(in_b) + " in B";
        steps.push_back(std::move(step));
    }
    return steps;
}

// The first parameter of a kind, of A where A has it.
Subject subject_of(const BothSides& both, const KindDifference& kind) {
    for (const Counted* side : {&both.a(), &both.b()})
        for (const Tensor& tensor : side->graph.tensors)
            if (kind.holds(tensor)) return TensorSubject{tensor.id};
    return {};
}

std::vector<CompareStep> by_kind(const Theme& theme, const BothSides& both) {
    const CountedModel &a = both.a(), &b = both.b();
    std::vector<CompareStep> steps;
    for (const KindDifference& kind : both.difference()->kinds) {
        if (kind.difference() == 0) continue;
        CompareStep step{step_of(std::string(kind.label), kind.difference(), kind_change(a, b, kind)),
                         subject_of(both, kind)};
        step.step.colour = part_colour(theme, kind.part);
        step.step.name = kind.key;
        step.step.note.remark = grouped(kind.a) + " in A, " + grouped(kind.b) + " in B";
        steps.push_back(std::move(step));
    }
    return steps;
}

// "d  768 → 4096", or without a symbol the values alone.
std::string values_of(const FieldDifference& row) {
    const std::optional<Symbol> symbol = info(row.field).symbol;
    return (symbol ? std::string(headcount::info(*symbol).text) + "  " : "") + row.a + " → " + row.b;
}

std::string labels_of(const std::vector<Field>& all) {
    return listed(all, [](Field field) { return info(field).label; });
}

std::string remark_of(const FieldDifference& row) {
    if (row.counted_at)
        return "Changes together with " + std::string(info(*row.counted_at).label) +
               ", which is impossible without it.";
    const std::string together = row.with.empty() ? "" : " It changes together with " + labels_of(row.with) + ".";
    if (!row.own) return "By itself it makes no possible model of A." + together;
    const std::optional<std::int64_t> beyond = row.interaction();
    return "By itself it adds " + signed_grouped(*row.own) + " to A; because of the fields above it, " +
           (beyond ? signed_grouped(*beyond) : "beyond 64 bits") + " more." + together;
}

CompareStep field_step(const Theme& theme, const FieldDifference& row, const ChangeFormula& change) {
    const FieldInfo& about = info(row.field);
    CompareStep step{step_of(std::string(about.label), row.adds.value_or(0), change), row.field};
    step.step.formula = values_of(row);
    step.step.words = !about.symbol;
    if (!row.with.empty())
        step.step.second =
            "with " + (row.with.size() == 1 ? labels_of(row.with)
                                            : grouped(static_cast<std::int64_t>(row.with.size())) + " others");
    if (row.counted_at) step.step.text = "in " + std::string(info(*row.counted_at).label);
    step.step.note.value = step.step.text;
    step.step.note.remark = remark_of(row);
    const ImU32 hue = about.symbol ? symbol_colour(theme, *about.symbol) : 0;
    step.step.colour = hue ? hue : theme.norm;
    step.step.name = about.key;
    return step;
}

std::vector<CompareStep> by_field(const Theme& theme, const BothSides& both) {
    const std::vector<FieldDifference>& rows = both.difference()->fields;
    const std::vector<ChangeFormula> changes = field_changes(both.a(), both.b(), rows);
    std::vector<CompareStep> steps;
    for (std::size_t i = 0; i < rows.size(); ++i) steps.push_back(field_step(theme, rows[i], changes[i]));
    if (both.difference()->unnamed == 0) return steps;
    CompareStep rest{step_of("What is in no field", both.difference()->unnamed, {}), {}};
    rest.step.formula = fieldless_text(*both.difference());
    rest.step.words = true;
    rest.step.colour = theme.edge;
    rest.step.name = "unnamed";
    steps.push_back(std::move(rest));
    return steps;
}

}  // namespace

bool lights(const BothSides& both, const Subject& subject, const Subject& of_step) {
    if (nothing(subject) || nothing(of_step)) return false;
    if (alike(subject, of_step)) return true;
    const auto* component = std::get_if<Component>(&of_step);
    const auto* tensor = std::get_if<TensorSubject>(&of_step);
    for (const Counted* side : {&both.a(), &both.b()}) {
        if (component && lights(subject, side->graph, *component)) return true;
        if (const Tensor* const found = tensor ? side->graph.find(tensor->id) : nullptr) return lights(subject, *found);
    }
    return false;
}

std::vector<CompareStep> compare_steps(const Theme& theme, const BothSides& both, CompareSplit split) {
    std::vector<CompareStep> steps;
    if (!both.difference()) return steps;
    if (split == CompareSplit::component) steps = by_component(theme, both);
    if (split == CompareSplit::kind) steps = by_kind(theme, both);
    if (split == CompareSplit::field) steps = by_field(theme, both);
    for (CompareStep& each : steps) each.step.note.about = {subject_key(each.subject)};
    return steps;
}

}  // namespace headcount
