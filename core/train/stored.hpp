// Trained numbers as a checkpoint stores them: where in the block of parameters each number of each of its tensors
// lies, and files of them.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/model.hpp"
#include "core/train/parameters.hpp"

namespace headcount {

struct StoredPlaces {
    std::string name;                  // "model.layers.0.self_attn.q_proj.weight"
    std::vector<std::int64_t> shape;   // as stored
    std::vector<std::int64_t> places;  // by number, row by row: an index into the parameters' floats
};

// Of all tensors that a checkpoint of this architecture has, in its order, but for those that follow a rule. `graph` is
// that of a run. Errors: no memory.
Result<std::vector<StoredPlaces>> stored_places(const Architecture& arch, const ModelGraph& graph,
                                                const ParameterLayout& parameters);

// A model whose matrices are drawn from a normal distribution, so that all tokens are about as likely: tables and the
// output head with a deviation of 0.02, other matrices of 0.5 / √inputs, those that lead back to the stream by √(2·L)
// less (Radford et al. 2019); norms 1, biases 0, a recurrence's rates and steps as Mamba-2 draws them.
Result<std::shared_ptr<const Model>> first_model(const Architecture& arch, std::uint64_t seed);

// One tensor of a file.
struct FileTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;
};
// How numbers stand in a file.
enum class FileNumbers { fp32, bf16 };  // bf16: rounded to the nearest, ties to even
inline constexpr std::array<std::string_view, 2> file_numbers_words{"fp32", "bf16"};
// Whole or not at all. `about` is the file's own text, under "about".
std::optional<Error> write_tensors(const std::filesystem::path& path, const std::vector<FileTensor>& tensors,
                                   FileNumbers form, const std::string& about = {});
struct TensorFile {
    std::vector<FileTensor> tensors;
    std::string about;

    const FileTensor* find(std::string_view name) const;
};
Result<TensorFile> read_tensors(const std::filesystem::path& path);

}  // namespace headcount
