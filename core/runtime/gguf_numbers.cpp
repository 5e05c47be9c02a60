// Undoes what the names say was done (core/checkpoints/gguf_names.hpp).
#include "core/runtime/gguf_numbers.hpp"

#include <algorithm>
#include <array>

namespace headcount {
namespace {

using Numbers = std::vector<float>;

std::string architecture_of(const Checkpoint& gguf) {
    const auto found = gguf.metadata.find("general.architecture");
    return found != gguf.metadata.end() && found->is_string() ? found->get<std::string>() : "";
}

Fit fit_of(const Checkpoint& gguf, std::size_t index) {
    const std::string architecture = architecture_of(gguf);
    const bool two_norms = architecture == "falcon" &&
                           std::any_of(gguf.tensors.begin(), gguf.tensors.end(),
                                       [](const auto& tensor) { return tensor.name.ends_with(".attn_norm_2.weight"); });
    return find_published_name(architecture, gguf.tensors[index].name, two_norms).fit;
}

std::int64_t product(std::span<const std::int64_t> shape) {
    std::int64_t all = 1;
    for (const std::int64_t each : shape) all *= each;
    return all;
}

// (rows, columns) to (columns, rows).
void transpose(std::span<float> numbers, std::int64_t rows, std::int64_t columns) {
    const Numbers from(numbers.begin(), numbers.end());
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            numbers[static_cast<std::size_t>(column * rows + row)] =
                from[static_cast<std::size_t>(row * columns + column)];
}

Numbers slice(const Numbers& from, std::int64_t first, std::int64_t count) {
    return Numbers(from.begin() + first, from.begin() + first + count);
}

// Where queries, keys or values begin in what stands one below the other; keys and values have as many rows.
std::int64_t first_row(const PublishedTensor& tensor, std::int64_t all_rows) {
    const std::int64_t rows = tensor.shape.front();
    if (tensor.name.find(".k_proj") != std::string::npos) return all_rows - 2 * rows;
    if (tensor.name.find(".v_proj") != std::string::npos) return all_rows - rows;
    return 0;
}

Error odd_shape(const PublishedTensor& tensor) {
    return {"its parts have shapes that do not go together", tensor.name, "convert the model again"};
}

// Tensors that the published one holds side by side, put into it one after the other.
class Joined {
  public:
    explicit Joined(const PublishedTensor& tensor) : numbers(static_cast<std::size_t>(product(tensor.shape))) {}

    // False where the shapes do not go together.
    bool add(Numbers part, const std::vector<std::int64_t>& shape, Fit fit) {
        const auto count = static_cast<std::int64_t>(part.size()), size = static_cast<std::int64_t>(numbers.size());
        const std::int64_t blocks = shape.empty() ? 0 : shape.front();
        if (blocks == 0 || count % blocks != 0) return false;
        const bool turned = shape.size() == 3 && (fit == Fit::stacked || fit == Fit::latent_keys);
        for (std::int64_t block = 0; turned && block < blocks; ++block)
            transpose(std::span(part).subspan(static_cast<std::size_t>(block * (count / blocks)),
                                              static_cast<std::size_t>(count / blocks)),
                      shape[1], shape[2]);
        // Side by side along the outputs: those of a stacked matrix are its columns, else its rows.
        const std::int64_t turns = turned && fit == Fit::stacked ? blocks * shape[2] : blocks;
        if (turns == 0 || size % turns != 0 || place_ + count / turns > size / turns) return false;
        for (std::int64_t turn = 0; turn < turns; ++turn)
            std::copy_n(part.begin() + turn * (count / turns), count / turns,
                        numbers.begin() + turn * (size / turns) + place_);
        place_ += count / turns;
        return true;
    }

    Numbers numbers;

  private:
    std::int64_t place_ = 0;  // in each turn
};

}  // namespace

Result<Numbers> published_numbers(const Checkpoint& gguf, const PublishedTensor& tensor, std::int64_t copy,
                                  const ReadWhole& read) {
    const std::int64_t size = product(tensor.shape);
    Joined joined(tensor);
    for (const std::size_t index : tensor.from) {
        Result<Numbers> part = read(index);
        if (!part) return part.error();
        const std::vector<std::int64_t>& shape = gguf.tensors[index].shape;
        const auto count = static_cast<std::int64_t>(part->size());
        switch (const Fit fit = fit_of(gguf, index)) {
            case Fit::conv1d:
                if (shape.size() == 2) transpose(*part, shape[0], shape[1]);
                return std::move(*part);
            case Fit::each_expert:
            case Fit::each_head:
                if ((copy + 1) * size > count) return odd_shape(tensor);
                return slice(*part, copy * size, size);
            case Fit::qkv: {
                const std::int64_t first = first_row(tensor, shape.front()) * (shape.size() > 1 ? shape[1] : 1);
                if (first < 0 || first + size > count) return odd_shape(tensor);
                return slice(*part, first, size);
            }
            case Fit::stacked:
            case Fit::stacked_rows:
            case Fit::latent_keys:
            case Fit::latent_values:
                if (!joined.add(std::move(*part), shape, fit)) return odd_shape(tensor);
                break;
            default:
                if (count != size) return odd_shape(tensor);
                return std::move(*part);
        }
    }
    return std::move(joined.numbers);
}

bool permutes_queries(const Checkpoint& gguf) {
    constexpr std::array architectures{"llama",   "granite", "granitemoe", "olmo",
                                       "smollm3", "minicpm", "deci",       "arctic"};
    const std::string own = architecture_of(gguf);
    return std::find(architectures.begin(), architectures.end(), own) != architectures.end();
}

}  // namespace headcount
