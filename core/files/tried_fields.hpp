// What an architecture's fields follow from in its configuration, found by trying: the family reads the file again with
// other values in it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/arch/fields.hpp"

namespace headcount {

// Which key of a configuration a field was read from: "num_key_value_heads" for the key/value heads, in whatever
// spelling the file has. Empty where no key says the field: it is the type's default.
std::string source_key(const Family& family, const nlohmann::json& config, Field field);

// What the configuration of a language model, or of what reads images alone, leaves to its type and the count follows
// from, as its files spell it: "hidden_size 4,096", "tie_word_embeddings false". Not what follows from what is said
// (heads of keys as many as of queries), nor a flag by which nothing is there; and without a value what is counted by
// name and shape alone.
std::vector<std::string> unsaid_fields(const nlohmann::json& config);

}  // namespace headcount
