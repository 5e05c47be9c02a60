// What is said of the selection where no tour speaks.
#include "app/parts/caption.hpp"
#include "app/parts/words.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

Saying said_of(const Counted& shown, const Tensor& tensor) {
    const std::string shape = shape_in_numbers(tensor.shape, shown.bindings);
    const std::string name(tensor.label);
    if (tensor.role != Role::parameter) return {name + ": " + shape, as_sentence(tensor.meaning, shown.bindings)};
    const std::int64_t one = elements_of(tensor.shape, shown.bindings);
    const std::int64_t copies = value_of(shown.graph.copies(tensor.block), shown.bindings);
    std::string sentence =
        shape + (copies == 1 ? " numbers." : " numbers, " + grouped(copies) + " times in the model: ");
    if (copies > 1) sentence += count_text(checked_multiply(one, copies)) + " in all.";
    return {name + ": " + grouped(one), sentence};
}

Saying said_of(const Counted& shown, Component component) {
    const std::int64_t count = shown.parameters.of(component);
    return {std::string(component_name(component)) + ": " + grouped(count),
            percent(count, shown.parameters.total) + " of all parameters."};
}

}  // namespace

Saying said_of_selection(const Session& session) {
    const Counted& shown = session.derived.shown;
    const Subject& selection = session.look.selection;
    if (const Tensor* const tensor = tensor_of(shown.graph, selection)) return said_of(shown, *tensor);
    if (const auto* component = std::get_if<Component>(&selection)) return said_of(shown, *component);
    if (const auto* field = std::get_if<Field>(&selection)) {
        const std::string value = field_text(shown.architecture, *field).value_or("");
        const auto number = field_number(shown.architecture, *field);
        return {std::string(info(*field).label) + ": " + (number ? grouped(*number) : value),
                "What is lit has this size along one of its sides."};
    }
    const std::string layers = grouped(shown.bindings[Symbol::layers].value_or(0));
    const std::string width = std::to_string(shown.bindings[Symbol::dim].value_or(0));
    return {title_of(session.document) + ": " + grouped(shown.parameters.total) + " parameters",
            layers + " layers of width " + width + ", " + tokens_text(shown.input) + "."};
}

}  // namespace headcount
