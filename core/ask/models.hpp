// Which shipped model a question names: "llama 3 8b", "gpt2", "mixtral".
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/ask/words.hpp"
#include "core/files/presets.hpp"

namespace headcount {

// A preset's id and name, cut into atoms, and how it is spelled in full: these, and as it was published
// ("Llama-2-7b-hf").
struct ModelName {
    const Preset* preset;
    std::vector<Atom> id, name;
    std::vector<std::string> in_full;
};
std::vector<ModelName> model_names(std::span<const Preset> presets);

// What the atoms from `at` on name. Words may be left out ("llama 8b", "llama 3"); then several models may be meant, of
// which the one with the id `likely`, or else the first, is taken. A size or version that no model has is a miss.
struct NamedModel {
    const Preset* preset = nullptr;  // null where there is none
    std::size_t atoms = 0;           // how many; 0 where they are about no model
    std::vector<const Preset*>
        others;  // that could as well be meant; of a miss those that come near, the nearest first
};
NamedModel model_at(std::span<const Atom> atoms, std::size_t at, std::span<const ModelName> names,
                    std::string_view likely);

}  // namespace headcount
