// In which formats a model's file says that its weights are stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/arch/formats.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

// As a configuration's "quantization_config" says, with what is not quantized in its "dtype": fp8, mxfp4, bitsandbytes,
// GPTQ, AWQ, compressed-tensors, ModelOpt. Nothing where it says neither.
std::optional<Formats> stored_formats(const Carried& configuration);
// What it says of formats that is not known, a sentence each.
std::vector<std::string> notes_on_formats(const Carried& configuration);
// What it says of quantization alone.
std::optional<Formats> quantized_formats(const Carried& configuration);

// As a GGUF file's "general.file_type" says: the recipe by which llama-quantize made it. Where it says nothing, as most
// of the bytes of its matrices are; nothing where that is no format that is counted.
std::optional<Formats> stored_formats(const Checkpoint& weights);
// As most of the bytes of these matrices are, whatever the file says.
std::optional<Formats> formats_of_matrices(const Checkpoint& weights);

}  // namespace headcount
