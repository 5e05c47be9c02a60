// The format of every single tensor of a checkpoint, in the layer that it is in, and the bytes that it takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/checkpoint_names.hpp"
#include "core/analysis/counted_model.hpp"

namespace headcount {

struct StoredAs {
    std::string format;  // "q4_k"; of what the checkpoint fuses "q4_k + q6_k", where its parts differ
    std::int64_t bytes = 0;
};

class TensorFormats {
  public:
    // In the formats that the model's input says. `model` must outlive it.
    explicit TensorFormats(const CountedModel& model);

    // Nothing where the bytes do not fit in 64 bits.
    std::optional<StoredAs> of(const ParameterRow& row, const TensorPlace& place) const;

  private:
    // One, or those of all matrices that it is cut into.
    std::vector<FormatRun> runs_at(TensorIndex part, const TensorPlace& place) const;

    const CountedModel& model_;
    StoredWeights weights_;
    // Where layers differ: by layer of the decoder, and of an encoder beside it, how many earlier ones are of its kind.
    std::vector<std::int64_t> before_, encoder_before_;
};

}  // namespace headcount
