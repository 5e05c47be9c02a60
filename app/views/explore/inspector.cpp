// The inspector: the selection opened to its formula, its costs and its use. Which kind of subject is which file is
// decided here; what they share is in app/parts/inspector_parts.hpp.
#include "app/parts/inspector_parts.hpp"
#include "app/views/explore/panels.hpp"

namespace headcount {
namespace {

void inspect(Inspector& to) {
    const Subject& subject = to.model.look.selection;
    if (const Tensor* tensor = tensor_of(to.graph(), subject)) {
        const TensorIndex index = index_of(to.graph(), *tensor);
        if (tensor->role == Role::parameter || tensor->role == Role::buffer)
            inspect_parameter(to, index);
        else
            inspect_activation(to, index);
    } else if (const auto* component = std::get_if<Component>(&subject)) {
        inspect_component(to, *component);
    } else if (const auto* field = std::get_if<Field>(&subject)) {
        inspect_field(to, *field);
    } else {
        inspect_total(to);  // also where nothing is selected: the panel is never empty
    }
}

}  // namespace

Intents draw_inspector(const Ui& ui, const Session& session) {
    Inspector inspector{ui, session, {}};
    inspect(inspector);
    return std::move(inspector.intents);
}

}  // namespace headcount
