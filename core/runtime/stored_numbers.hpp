// Numbers as files store them, made into float32; GGUF's in the order of the published checkpoint: cut, joined and
// transposed as llama.cpp's converters did not.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "core/checkpoints/checkpoint.hpp"
#include "core/checkpoints/file_bytes.hpp"
#include "core/checkpoints/gguf_published.hpp"
#include "core/runtime/fill_weights.hpp"

namespace headcount {

// Fills `out` with the tensor's numbers from the `first` on; the tensor lies in `file`. Where numbers come in blocks,
// `first` begins one and whole blocks are asked for. Fails where the file ends before the tensor does, by now too, and
// where its type is none of F32, BF16, F16, F64, fp8's two and ggml's blocks. With no room in `out`: whether it could
// be read.
std::optional<Error> read_numbers(FileBytes& file, const CheckpointTensor& tensor, std::int64_t first,
                                  std::span<float> out);

// The same bytes as the file has them: `count` numbers from the `first` on, whole blocks.
Result<std::span<const std::byte>> read_blocks(FileBytes& file, const CheckpointTensor& tensor, std::int64_t first,
                                               std::int64_t count);

// In which blocks such numbers can stay in memory; null where they cannot.
const BlockForm* kept_form(const StorageType& type);

// Whether `read_numbers` reads this type.
bool is_read(const StorageType& type);

// Fills `out` with numbers of one tensor of the file, from its `first` on: whole blocks, where it is stored in blocks.
using ReadPart = std::function<std::optional<Error>(std::size_t index, std::int64_t first, std::span<float> out)>;

// Rows of numbers that are all there.
ReadRows held_rows(std::vector<float> numbers);

// One piece of one tensor of a file.
struct FilePiece {
    std::size_t index = 0;
    std::int64_t first = 0;  // number
};

// Where one of the tensors that a published one stands for lies in the file just as it is published (`copy`: the expert
// or head); nothing for what was turned or joined. Fails where the file's tensor is too small for it.
Result<std::optional<FilePiece>> published_piece(const Checkpoint& gguf, const PublishedTensor& tensor,
                                                 std::int64_t copy);

// How it is read. What lies in the file in one piece is read when it is asked for, and nothing else of the stack that
// it is cut from; what was turned or joined is read here. `read` must do as long as what comes back is used.
Result<ReadRows> published_rows(const Checkpoint& gguf, const PublishedTensor& tensor, std::int64_t copy,
                                const ReadPart& read);

// Whether llama.cpp's converter for this architecture stores queries and keys so that neighbouring columns are turned
// together, where the published weights turn the halves (LlamaModel.permute in convert_hf_to_gguf.py).
bool permutes_queries(const Checkpoint& gguf);

}  // namespace headcount
