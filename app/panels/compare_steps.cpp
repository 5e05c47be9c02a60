// The steps of the waterfall: what the difference is made of.
#include "app/panels/compare_steps.hpp"

#include "app/panels/part_colours.hpp"
#include "core/analysis/change_formula.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// As the data flows; norms, which are small, come last.
constexpr std::array in_order{Component::embedding, Component::output, Component::attention, Component::feed_forward,
                              Component::norm};

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
    const Side a = side_of(both.a()), b = side_of(both.b());
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

// The first parameter of a part, of A where A has it.
Subject subject_of(const BothSides& both, Part part) {
    for (const Counted* side : {&both.a(), &both.b()})
        for (const Tensor& tensor : side->graph.tensors)
            if (tensor.role == Role::parameter && tensor.part == part) return TensorSubject{tensor.id};
    return {};
}

std::vector<CompareStep> by_kind(const Theme& theme, const BothSides& both) {
    const Side a = side_of(both.a()), b = side_of(both.b());
    std::vector<CompareStep> steps;
    for (const KindDifference& kind : both.difference->kinds) {
        if (kind.difference() == 0) continue;
        CompareStep step{step_of(std::string(kind.label), kind.difference(), kind_change(a, b, kind.part)),
                         subject_of(both, kind.part)};
        step.step.colour = part_colour(theme, kind.part);
        step.step.name = kind.key;
        step.step.note.remark = grouped(kind.a) + " in A, " + grouped(kind.b) + " in B";
        steps.push_back(std::move(step));
    }
    return steps;
}

std::vector<CompareStep> by_field(const Theme& theme, const BothSides& both) {
    const Side a = side_of(both.a()), b = side_of(both.b());
    std::vector<CompareStep> steps;
    for (const FieldDifference& field : both.difference->fields) {
        const FieldInfo& about = info(field.field);
        CompareStep step{step_of(std::string(about.label), field.own.value_or(0), field_change(a, b, field.field)),
                         field.field};
        const std::string values = field.a + " → " + field.b;
        step.step.formula = field.own ? values : values + ", not possible alone";
        step.step.words = !about.symbol || !field.own;
        if (about.symbol && field.own) step.step.formula = std::string(info(*about.symbol).text) + "  " + values;
        step.step.note.remark = field.own ? "This field alone, as B has it, makes this of A."
                                          : "This field alone, as B has it, makes no possible model of A.";
        if (!field.own) step.step.text = "none alone";
        const ImU32 hue = about.symbol ? symbol_colour(theme, *about.symbol) : 0;
        step.step.colour = hue ? hue : theme.norm;
        step.step.name = about.key;
        steps.push_back(std::move(step));
    }
    if (both.difference->interaction == 0 || steps.empty()) return steps;
    CompareStep together{step_of("Together", both.difference->interaction, {}), {}};
    together.step.formula = "beyond the sum of their own";
    together.step.words = true;
    together.step.colour = theme.edge;
    together.step.name = "together";
    together.step.note.remark =
        "What the fields make together beyond what each makes alone: a wider layer costs more "
        "where there are more layers.";
    steps.push_back(std::move(together));
    return steps;
}

}  // namespace

bool lights_step(const BothSides& both, const Subject& subject, const Subject& step) {
    if (nothing(subject) || nothing(step)) return false;
    if (subject == step) return true;
    const auto* component = std::get_if<Component>(&step);
    if (!component) return false;
    return lights(subject, both.a().graph, *component) || lights(subject, both.b().graph, *component);
}

std::vector<CompareStep> compare_steps(const Theme& theme, const BothSides& both, CompareSplit split) {
    std::vector<CompareStep> steps;
    if (!both.difference) return steps;
    if (split == CompareSplit::component) steps = by_component(theme, both);
    if (split == CompareSplit::kind) steps = by_kind(theme, both);
    if (split == CompareSplit::field) steps = by_field(theme, both);
    return steps;
}

}  // namespace headcount
