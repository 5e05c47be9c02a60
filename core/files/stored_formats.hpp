// In which formats a model's file says that its weights are stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/arch/formats.hpp"
#include "core/arch/input.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

struct StoredFormats {
    std::optional<Formats> weights;  // nothing where the file says nothing of them
    std::optional<Precision> cache;  // of keys and values
    std::string doubt;               // why it is only about known what weights take, a clause; empty where it is known
    bool scales_open = false;        // the doubt is on the bits of scales alone, which weights say
    std::vector<std::string> notes;  // what is not known, or not for sure, a sentence each
};
// The doubt among them.
std::vector<std::string> notes_on(const StoredFormats& stored);
// As a configuration's "quantization_config" says (quantizers.hpp), with what is not quantized in its "dtype".
StoredFormats stored_formats(const Architecture& arch);
// Why it is only about known what weights take in these formats, as those of StoredFormats; empty where it is known.
std::string doubt_on_weights(const Architecture& arch, const Formats& weights);
// What it says of quantization alone.
std::optional<Formats> quantized_formats(const Architecture& arch);
std::optional<Precision> quantized_cache(const Architecture& arch);

// What goes through the model at first, in the formats that its configuration says, or its weights as they are stored.
Input published_input(const Architecture& arch, const std::optional<Formats>& stored = {});
// What goes through one model, for another: in the other's own formats where it is in those of the one; else as chosen.
// `own` and `of_other` are published_input of the two.
Input input_for_other(Input input, const Input& own, const Input& of_other);
Input input_for_other(Input input, const Architecture& one, const Architecture& other);

// As each tensor of these weights is, where it is not packed; else as a GGUF file's "general.file_type" says, which is
// the recipe by which llama-quantize made it, and is what is said where all tensors are as it chooses them; else as the
// configuration says, or as most of the bytes of the matrices are.
StoredFormats stored_formats(const Checkpoint& weights, const Architecture& arch);
// As most of the bytes of these matrices are, whatever the file says; nothing where that is no format that is counted.
std::optional<Formats> formats_of_matrices(const Checkpoint& weights);

}  // namespace headcount
