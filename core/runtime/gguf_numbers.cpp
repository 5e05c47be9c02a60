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
Numbers transposed(const Numbers& from, std::int64_t rows, std::int64_t columns) {
    Numbers to(from.size());
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            to[static_cast<std::size_t>(column * rows + row)] = from[static_cast<std::size_t>(row * columns + column)];
    return to;
}

// Blocks of `from` bytes after each other, `turns` of them, put into blocks of `whole` numbers at `place`.
void interleave(const Numbers& from, Numbers& to, std::int64_t blocks, std::int64_t whole, std::int64_t place) {
    const std::int64_t size = static_cast<std::int64_t>(from.size()) / blocks;
    for (std::int64_t block = 0; block < blocks; ++block)
        std::copy_n(from.begin() + block * size, size, to.begin() + block * whole + place);
}

Error odd_shape(const PublishedTensor& tensor) {
    return {"its parts have shapes that do not go together", tensor.name, "convert the model again"};
}

}  // namespace

Result<Numbers> published_numbers(const Checkpoint& gguf, const PublishedTensor& tensor, std::int64_t copy,
                                  const ReadWhole& read) {
    const std::int64_t size = product(tensor.shape);
    Numbers all;
    std::int64_t place = 0;
    for (const std::size_t index : tensor.from) {
        Result<Numbers> part = read(index);
        if (!part) return part.error();
        const std::vector<std::int64_t>& shape = gguf.tensors[index].shape;
        const auto count = static_cast<std::int64_t>(part->size());
        switch (fit_of(gguf, index)) {
            case Fit::conv1d:
                return shape.size() == 2 ? transposed(*part, shape[0], shape[1]) : std::move(*part);
            case Fit::each_expert:
            case Fit::each_head:
                if ((copy + 1) * size > count) return odd_shape(tensor);
                return Numbers(part->begin() + copy * size, part->begin() + (copy + 1) * size);
            case Fit::qkv: {
                // Which of the three is in its name; keys and values have as many rows.
                const std::int64_t columns = shape.size() > 1 ? shape[1] : 1, rows = tensor.shape.front();
                const std::int64_t others = shape.front() - rows;
                std::int64_t first = 0;
                if (tensor.name.find(".k_proj") != std::string::npos) first = shape.front() - 2 * rows;
                if (tensor.name.find(".v_proj") != std::string::npos) first = others;
                if (first < 0 || (first + rows) * columns > count) return odd_shape(tensor);
                return Numbers(part->begin() + first * columns, part->begin() + (first + rows) * columns);
            }
            case Fit::stacked:
            case Fit::stacked_rows:
            case Fit::latent_keys:
            case Fit::latent_values: {
                const Fit fit = fit_of(gguf, index);
                const std::int64_t blocks = shape.front();
                if (blocks == 0 || count % blocks != 0) return odd_shape(tensor);
                const bool turned = shape.size() == 3 && (fit == Fit::stacked || fit == Fit::latent_keys);
                if (turned)
                    for (std::int64_t block = 0; block < blocks; ++block) {
                        const std::int64_t each = count / blocks;
                        const Numbers one =
                            transposed(Numbers(part->begin() + block * each, part->begin() + (block + 1) * each),
                                       shape[1], shape[2]);
                        std::copy(one.begin(), one.end(), part->begin() + block * each);
                    }
                all.resize(static_cast<std::size_t>(size));
                // Side by side along the outputs: those of a stacked matrix are its columns, else its rows.
                const std::int64_t turns = turned && fit == Fit::stacked ? blocks * shape[2] : blocks;
                if (turns == 0 || place + count / turns > size / turns) return odd_shape(tensor);
                interleave(*part, all, turns, size / turns, place);
                place += count / turns;
                break;
            }
            default:
                return std::move(*part);
        }
    }
    return all;
}

bool permutes_queries(const Checkpoint& gguf) {
    constexpr std::array architectures{"llama",   "granite", "granitemoe", "olmo",
                                       "smollm3", "minicpm", "deci",       "arctic"};
    const std::string own = architecture_of(gguf);
    return std::find(architectures.begin(), architectures.end(), own) != architectures.end();
}

}  // namespace headcount
