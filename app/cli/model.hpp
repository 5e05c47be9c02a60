// From the words ARCH, --set, --tokens and the like to a model that is counted.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/arguments.hpp"
#include "app/state/document.hpp"
#include "core/analysis/parameters.hpp"
#include "core/arch/validate.hpp"
#include "core/files/presets.hpp"

namespace headcount {

// Opens ARCH and applies every --set. The architecture is valid: an impossible combination is an error that ends with
// the --set that would mend it. What is opened can be counted, as a document's base must be.
Result<Document> open_document(const ModelArguments& arguments, std::span<const Preset> presets);

// Fills in the input; what is absent stays as it is. The input fits the architecture.
Result<Document> with_input(Document document, const InputArguments& arguments);

struct CountedModel {
    Architecture architecture;
    ModelGraph graph;
    Bindings bindings;
    Parameters parameters;
    std::string note;  // what a preset leaves out; mostly empty
};
Result<CountedModel> count_model(const Architecture& architecture, const Input& input = {});

// The same from the words. An edited model says so in its name.
Result<CountedModel> count_model(const ModelArguments& arguments);

}  // namespace headcount
