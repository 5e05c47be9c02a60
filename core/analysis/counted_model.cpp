// Validates, expands and counts.
#include "core/analysis/counted_model.hpp"

#include "core/arch/validate.hpp"

namespace headcount {

Result<CountedModel> count_model(const Architecture& architecture, const Input& input) {
    if (const std::vector<Problem> problems = validate(architecture); !problems.empty()) return problems.front().error;
    if (const std::vector<Error> errors = validate(architecture, input); !errors.empty()) return errors.front();
    CountedModel model{architecture, input, expand(architecture, input), bindings(architecture, input), {}};
    Result<Parameters> parameters = count_parameters(model.graph, model.bindings);
    if (!parameters) return parameters.error();
    model.parameters = std::move(*parameters);
    return model;
}

Result<CountedModel> count_model(const Architecture& architecture) {
    return count_model(architecture, first_input(architecture));
}

Result<CountedModelPtr> counted_model(const Architecture& architecture, const Input& input) {
    Result<CountedModel> model = count_model(architecture, input);
    if (!model) return model.error();
    return std::make_shared<const CountedModel>(std::move(*model));
}

Result<Counted> count(const Architecture& architecture, const Input& input) {
    Result<CountedModel> model = count_model(architecture, input);
    if (!model) return model.error();
    Counted counted{std::move(*model), {}, {}};
    Result<std::vector<ActivationRow>> rows = activations(counted.graph, counted.bindings, input.precision);
    if (!rows) return rows.error();
    Result<std::vector<ActivationRow>> head = head_activations(counted.graph, counted.bindings, input.precision);
    if (!head) return head.error();
    counted.activations = std::move(*rows);
    counted.head = std::move(*head);
    return counted;
}

}  // namespace headcount
