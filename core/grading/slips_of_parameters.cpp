// Slips of counts of parameters: tensors forgotten or counted twice, and what is no parameter.
#include "core/base/checked.hpp"
#include "core/grading/slip_list.hpp"

namespace headcount {
namespace {

std::int64_t count_of(const CountedModel& model, const CountedTensor& part) {
    return *evaluate(part.times * element_count(model.graph.tensors[part.tensor].shape), model.bindings);
}

// One or another tensor forgotten, or counted twice.
void parts(SlipList& slips) {
    const ModelGraph& graph = slips.model.graph;
    const auto without = [&](const auto& wanted) {
        std::int64_t sum = 0;
        for (const CountedTensor& part : slips.asked.counted)
            if (wanted(graph.tensors[part.tensor])) sum += count_of(slips.model, part);
        return sum;
    };
    const auto drop = [&](Mistake mistake, std::int64_t sum, const std::string& text) {
        const std::int64_t left = slips.asked.bytes ? 0 : slips.right - sum;
        if (sum > 0 && left > 0) slips.add(mistake, std::optional(left), text);
    };
    const bool alone = slips.asked.counted.size() == 1;
    if (alone || slips.asked.bytes) return;
    drop(Mistake::no_bias, without([](const Tensor& t) { return t.id.ends_with(".bias"); }), "without the biases");
    drop(Mistake::no_bias,
         without([](const Tensor& t) { return t.id.ends_with(".bias") && t.component != Component::norm; }),
         "without the biases of the linear layers");
    if (graph.tied_head && slips.right == slips.model.parameters.total) {
        const std::int64_t table =
            *evaluate(element_count(graph.tensors[*graph.tied_head].shape), slips.model.bindings);
        slips.add(Mistake::tied_twice, checked_add(slips.right, table),
                  "the output head counted a second time: it is tied, the same matrix as the embedding");
    }
    drop(Mistake::no_output, without([](const Tensor& t) { return t.component == Component::output; }),
         "without the output head");
    drop(Mistake::left_out, without([](const Tensor& t) {
             return t.component == Component::embedding || t.component == Component::output;
         }),
         "without embedding and output head");
    for (Component component : components)
        drop(Mistake::left_out, without([&](const Tensor& t) { return t.component == component; }),
             "without this part: " + std::string(component_name(component)));
    for (const CountedTensor& part : slips.asked.counted) {
        const Tensor& tensor = graph.tensors[part.tensor];
        const std::string what = std::string(tensor.label) + " (" + tensor.id + ")";
        drop(Mistake::left_out, count_of(slips.model, part), "without " + what);
        const Result<std::int64_t> one = element_count(tensor.shape, slips.model.bindings);
        if (one) drop(Mistake::left_out, *one, "with " + what + " once too few");
        slips.add(Mistake::twice, checked_add(slips.right, count_of(slips.model, part)),
                  "with " + what + " counted twice");
    }
    for (Component component : components) {
        const std::int64_t sum = without([&](const Tensor& t) { return t.component == component; });
        if (sum > 0)
            slips.add(Mistake::left_out, std::optional(sum),
                      "this part alone: " + std::string(component_name(component)));
    }
    for (const CountedTensor& part : slips.asked.counted)
        slips.add(Mistake::left_out, std::optional(count_of(slips.model, part)),
                  std::string(graph.tensors[part.tensor].label) + " alone (" + graph.tensors[part.tensor].id + ")");
    drop(Mistake::left_out,
         without([](const Tensor& t) { return t.component == Component::norm; }) +
             without([](const Tensor& t) { return t.id.ends_with(".bias") && t.component != Component::norm; }),
         "without norms and biases");
}

// What depends on the input is no parameter.
void tokens(SlipList& slips) {
    const std::string never = ": the number of parameters does not depend on how many tokens pass";
    slips.times(Mistake::tokens, Symbol::tokens,
                "multiplied by the " + slips.plural(Symbol::tokens, "tokens (T)") + never);
    slips.times(Mistake::tokens, Symbol::context,
                "multiplied by the context of " + slips.plural(Symbol::context, "tokens (C)") + never);
    for (const Tensor& tensor : slips.model.graph.tensors) {
        if (tensor.role != Role::activation && tensor.role != Role::cache) continue;
        const std::string what = shape_in_symbols(tensor.shape) + ", the numbers in \"" + std::string(tensor.label) +
                                 "\": an activation, made anew for every input, not a parameter";
        const Result<std::int64_t> one = element_count(tensor.shape, slips.model.bindings);
        if (!one) continue;
        slips.add(Mistake::activation, std::optional(*one), what);
        slips.add(Mistake::activation, checked_add(slips.right, *one),
                  "with \"" + std::string(tensor.label) + "\" counted in: an activation, not a parameter");
    }
}

}  // namespace

void add_parameter_slips(SlipList& slips) {
    parts(slips);
    tokens(slips);
}

}  // namespace headcount
