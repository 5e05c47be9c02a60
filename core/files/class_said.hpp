// What the class that a configuration names says of its model: the stack alone, without an output head, or another one.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/arch/architecture.hpp"
#include "core/arch/class_form.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Of an architecture as its family read it from the file: where `architectures` names the class of the stack
// ("LlamaModel", whose tensors are named from there on), a head with parameters of its own leaves. A class that is not
// known is kept among what is carried. Errors: the class puts something in the place of scores for tokens.
std::optional<Error> obey_class(const nlohmann::json& config, Architecture& arch);

// The file of what stands below a classifier of text: as its family reads it. And the classifier on what was read.
// Errors name the field.
nlohmann::json of_stack(nlohmann::json config, const Family& family, const ClassForm& form);
std::optional<Error> put_classes(const nlohmann::json& config, const ClassForm& form, Architecture& arch);

// The same of a file that wraps the text part which was read. Errors: its class puts something in the place of scores
// for tokens, or leaves out a head that has parameters of its own.
std::optional<Error> obey_class_of_whole(const nlohmann::json& config, Architecture& arch);

// What transformers calls a type's decoder with its scores, as a model by itself; empty where the type is no other.
std::string decoder_class(const Family& family);

// Of a model whose class is not known, or is another type's; empty of others.
std::string note_on_class(const Architecture& arch);

// The class to name in the file of an architecture that ends without a head; empty where the family's own word is
// right.
std::string class_without_head(const Architecture& arch);

}  // namespace headcount
