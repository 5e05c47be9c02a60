// Undoes what the names say was done (core/checkpoints/gguf_published.hpp).
#include <array>
#include <memory>
#include <vector>

#include "core/base/find.hpp"
#include "core/runtime/stored_numbers.hpp"

namespace headcount {
namespace {

using Numbers = std::vector<float>;

Fit fit_of(const Checkpoint& gguf, std::size_t index) {
    return find_published_name(gguf_table(gguf), gguf.tensors[index].name).fit;
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

// The last two sides, of each block where there are more.
void turn_last_sides(Numbers& numbers, std::span<const std::int64_t> shape) {
    const std::int64_t rows = shape[shape.size() - 2], columns = shape.back(), size = rows * columns;
    for (std::size_t first = 0; size > 0 && first < numbers.size(); first += static_cast<std::size_t>(size))
        transpose(std::span(numbers).subspan(first, static_cast<std::size_t>(size)), rows, columns);
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

Result<Numbers> read_all(const Checkpoint& gguf, std::size_t index, const ReadPart& read) {
    if (std::optional<Error> error = read(index, 0, {})) return *std::move(error);  // before memory is taken for it
    Numbers all(static_cast<std::size_t>(gguf.tensors[index].elements));
    if (std::optional<Error> error = read(index, 0, all)) return *std::move(error);
    return all;
}

// Rows from a piece of a tensor of the file.
Result<ReadRows> rows_of(const Checkpoint& gguf, const PublishedTensor& tensor, const FilePiece& piece,
                         const ReadPart& read) {
    const CheckpointTensor& own = gguf.tensors[piece.index];
    const std::int64_t block = own.type.elements;
    if (piece.first % block == 0 && tensor.shape.back() % block == 0)
        return ReadRows([read, piece](std::int64_t first, std::span<float> out) {
            return read(piece.index, piece.first + first, out);
        });
    const Result<Numbers> all = read_all(gguf, piece.index, read);  // its rows begin within blocks
    if (!all) return all.error();
    return held_rows({all->begin() + piece.first, all->begin() + piece.first + product(tensor.shape)});
}

}  // namespace

Result<std::optional<FilePiece>> published_piece(const Checkpoint& gguf, const PublishedTensor& tensor,
                                                 std::int64_t copy) {
    const std::size_t index = tensor.from.front();
    const CheckpointTensor& own = gguf.tensors[index];
    const std::int64_t size = product(tensor.shape);
    FilePiece piece{index};
    switch (fit_of(gguf, index)) {
        case Fit::conv1d:
        case Fit::bare_turned:
            if (own.shape.size() >= 2) return std::optional<FilePiece>();
            break;
        case Fit::stacked:
        case Fit::stacked_rows:
        case Fit::joined_rows:
        case Fit::latent_keys:
        case Fit::latent_values: return std::optional<FilePiece>();
        case Fit::each_expert:
        case Fit::each_head: piece.first = copy * size; break;
        case Fit::qkv:
        case Fit::lettered: piece.first = tensor.first; break;
        default:
            if (own.elements != size) return odd_shape(tensor);
    }
    if (piece.first < 0 || piece.first + size > own.elements) return odd_shape(tensor);
    return std::optional(piece);
}

Result<ReadRows> published_rows(const Checkpoint& gguf, const PublishedTensor& tensor, std::int64_t copy,
                                const ReadPart& read) {
    const Result<std::optional<FilePiece>> piece = published_piece(gguf, tensor, copy);
    if (!piece) return piece.error();
    if (*piece) return rows_of(gguf, tensor, **piece, read);
    Joined joined(tensor);
    for (const std::size_t index : tensor.from) {
        const std::vector<std::int64_t>& shape = gguf.tensors[index].shape;
        const Fit fit = fit_of(gguf, index);
        Result<Numbers> part = read_all(gguf, index, read);
        if (!part) return part.error();
        if (fit == Fit::conv1d || fit == Fit::bare_turned) {
            turn_last_sides(*part, shape);
            return held_rows(*std::move(part));
        }
        if (!joined.add(*std::move(part), shape, fit)) return odd_shape(tensor);
    }
    return held_rows(std::move(joined.numbers));
}

ReadRows held_rows(std::vector<float> numbers) {
    auto shared = std::make_shared<const Numbers>(std::move(numbers));
    return [shared](std::int64_t first, std::span<float> out) -> std::optional<Error> {
        std::copy_n(shared->begin() + first, out.size(), out.begin());
        return std::nullopt;
    };
}

bool permutes_queries(const Checkpoint& gguf) {
    constexpr std::array architectures{"llama",   "granite", "granitemoe", "olmo",
                                       "smollm3", "minicpm", "deci",       "arctic"};
    const std::string own = gguf_table(gguf);
    return contains(architectures, own);
}

}  // namespace headcount
