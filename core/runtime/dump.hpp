// A run's activations as a file, and what they are called there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/checkpoints/checkpoint.hpp"
#include "core/runtime/run.hpp"

namespace headcount {

// Every kept activation and cache that takes memory of its own: "embedded", and with the layer's index behind the
// layer's name (see `activation_name`); of heads, and of the experts of a token, all in one tensor, which then has
// a dimension before the rows: (heads, tokens, tokens) of "layer.3.attention.head.weights". Beside them "hidden.0" to
// "hidden.L", "logits", as int64 the "input_ids" that were read, and as (tokens, k) the ids of the experts that each
// token was sent to, under `experts_name`.
std::optional<Error> write_activations(const Run& run, const std::filesystem::path& path);

// "layer.attention.queries" of layer 3 is "layer.3.attention.queries".
std::string activation_name(const ModelGraph& graph, TensorIndex tensor, std::int64_t layer);
// "layer.3.feed_forward.routing.experts", beside the weights that a mixture's router gave them.
std::string experts_name(const ModelGraph& graph, TensorIndex routing, std::int64_t layer);

// One tensor of such a file.
struct DumpTensor {
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;
};

// A file that `write_activations` wrote.
class DumpFile {
  public:
    static Result<DumpFile> open(const std::filesystem::path& path);

    // Errors: there is none of this name, or a number in it is none.
    Result<DumpTensor> read(const std::string& name) const;
    Error wrong_shape(const std::string& name, const DumpTensor& found,
                      const std::vector<std::int64_t>& expected) const;

  private:
    DumpFile(std::filesystem::path path, Checkpoint file) : path_(std::move(path)), file_(std::move(file)) {}

    std::filesystem::path path_;
    Checkpoint file_;
};

}  // namespace headcount
