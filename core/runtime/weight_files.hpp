// The tensors of a checkpoint's files by the names of the published checkpoint, as `fill_weights` asks for them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/checkpoints/file_bytes.hpp"
#include "core/checkpoints/gguf_published.hpp"
#include "core/runtime/fill_weights.hpp"

namespace headcount {

class WeightFiles {
  public:
    // Opens the files. The checkpoint must outlive it.
    static Result<WeightFiles> open(const Checkpoint& checkpoint);

    // How the tensor that was asked for can be read, as long as these files are there; errors name it: missing, of
    // another shape, of a type not read.
    Result<ReadRows> read(const StoredCopy& copy);

    // What this kind of file has done to the weights.
    FillOptions options(const Architecture& arch, double norm_offset) const;

  private:
    explicit WeightFiles(const Checkpoint& checkpoint) : checkpoint_(&checkpoint) {}

    Result<ReadRows> read_as_stored(const CheckpointTensor& tensor, const StoredCopy& copy);
    Result<ReadRows> read_published(const PublishedTensor& tensor, const StoredCopy& copy);

    const Checkpoint* checkpoint_;
    std::vector<FileBytes> files_;
    std::map<std::string, std::size_t, std::less<>> names_;  // of the checkpoint's tensors
    std::vector<PublishedTensor> published_;                 // GGUF's
    std::map<std::string, std::size_t, std::less<>> published_names_;
};

}  // namespace headcount
