// llama-quantize's rules, as llama_tensor_get_type in src/llama-quant.cpp of llama.cpp has them: more bits for what
// errors in hurt most.
#pragma once

#include <cstdint>

#include "core/arch/family.hpp"
#include "core/arch/formats.hpp"

namespace headcount {

// Among the tensors that the rules tell apart.
enum class TensorUse { value, key, query, attention_output, up_or_gate, down, output, embedding, other };

// What the rules know of the whole model.
struct RecipeModel {
    Recipe recipe;
    bool importance;  // it is made with an importance matrix, where there is a choice
    std::int64_t layers;
    std::int64_t queries_each;  // query heads that share a key
    std::int64_t experts;       // 1 of none
    bool tied;                  // a file has no output head of its own
    KnownToRecipes known;
};

// Among the tensors of its use there are so many `before`, of values `values` in all.
struct RecipePlace {
    std::int64_t layer, before, values;
    bool expert;
};

NumberFormat in_layer(const RecipeModel& model, TensorUse use, const RecipePlace& place, std::int64_t row);
NumberFormat outside_of_layers(const RecipeModel& model, TensorUse use, std::int64_t row);
// Keys' and values' own matrices of latent attention.
NumberFormat of_latent(const RecipeModel& model, std::int64_t row);

}  // namespace headcount
