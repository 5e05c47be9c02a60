// Reads the .bin files of llama2.c: seven numbers, from which every tensor's place follows. The weights are not
// touched. The format: export.py, run.c and runq.c of https://github.com/karpathy/llama2.c
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/base/result.hpp"
#include "core/checkpoints/checkpoint.hpp"
#include "core/checkpoints/file_bytes.hpp"

namespace headcount {

// Whether the file begins as versions 1 and 2 do, with "ak42". The oldest version has no such mark.
bool has_llama2c_magic(std::span<const std::byte> bytes);

// The oldest version (32-bit floats, no mark), version 1 (the same with a header of 256 bytes) and version 2 (groups of
// 8-bit numbers, each with a 32-bit scale). The numbers must explain the file's size to the byte. `name` stands for the
// file in errors.
//
// The tensors have Hugging Face's names, a tensor a layer. Metadata: dim, hidden_dim, n_layers, n_heads, n_kv_heads,
// vocab_size (never negative), seq_len, version (0, 1, 2), shared_classifier; group_size in version 2; freq_cis in the
// oldest one: the two tables of rotary angles, which are no parameters and are not among the tensors.
Result<Checkpoint> read_llama2c(FileBytes bytes, const std::string& name);

}  // namespace headcount
