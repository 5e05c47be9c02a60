// float32, bfloat16, float16, llama2.c's groups, and ggml's blocks.
#include "core/runtime/stored_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/find.hpp"
#include "core/runtime/block_form.hpp"
#include "core/runtime/ggml_codebooks.hpp"
#include "core/runtime/number_bits.hpp"

namespace headcount {
namespace {

template <class Stored, class Read>
void read_each(const std::byte* from, std::span<float> out, const Read& read) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = read(number_at<Stored>(from + i * sizeof(Stored)));
}

// The tensor's stored bytes from the `first` on.
Result<std::span<const std::byte>> bytes_at(FileBytes& file, const CheckpointTensor& tensor, std::int64_t first,
                                            std::int64_t count) {
    Result<std::span<const std::byte>> found =
        file.at(tensor.offset + static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count));
    if (found) return found;
    return Error{found.error().what, tensor.name, found.error().fix};
}

std::optional<Error> read_llama2c_groups(FileBytes& file, const CheckpointTensor& tensor, std::int64_t first,
                                         std::span<float> out) {
    const auto count = static_cast<std::int64_t>(out.size());
    Result<std::span<const std::byte>> found = bytes_at(file, tensor, first, count);
    if (!found) return found.error();
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = number_at<std::int8_t>(&(*found)[i]);
    const std::int64_t group = tensor.type.elements, first_group = first / group;
    found =
        bytes_at(file, tensor, tensor.elements + first_group * 4, ((first + count - 1) / group - first_group + 1) * 4);
    if (!found) return found.error();
    for (std::int64_t i = 0; i < count; ++i)
        out[static_cast<std::size_t>(i)] *= number_at<float>(found->data() + ((first + i) / group - first_group) * 4);
    return std::nullopt;
}

// Whole blocks.
void unpack(const std::byte* from, const StorageType& type, std::span<float> out) {
    if (type.name == "F32") {
        std::memcpy(out.data(), from, out.size_bytes());
    } else if (type.name == "F64") {
        read_each<double>(from, out, [](double value) {
            return std::isfinite(value) && std::fabs(value) < 3e38 ? static_cast<float>(value) : NAN;
        });
    } else if (type.name == "BF16") {
        read_each<std::uint16_t>(from, out, from_bfloat16);
    } else if (type.name == "F16") {
        read_each<std::uint16_t>(from, out, from_float16);
    } else if (type.name == "F8_E4M3") {
        read_each<std::uint8_t>(from, out, from_e4m3);
    } else if (type.name == "F8_E5M2") {
        read_each<std::uint8_t>(from, out, from_e5m2);
    } else if (type.name == "F8_E8M0") {
        read_each<std::uint8_t>(from, out, from_e8m0);
    } else {
        const BlockForm* const form = block_form(type.name);
        const UnpackBlock of_book = form ? nullptr : codebook_unpacking(type.name);
        for (std::size_t i = 0; i < out.size(); i += static_cast<std::size_t>(type.elements), from += type.bytes)
            form ? form->restore(from, 1, &out[i]) : of_book(from, &out[i]);
    }
}

std::optional<Error> beyond_end(FileBytes& file, const CheckpointTensor& tensor, std::int64_t first,
                                std::int64_t count) {
    const auto bytes = static_cast<std::uint64_t>(tensor.bytes);
    if (tensor.offset <= file.size() && bytes <= file.size() - tensor.offset && first >= 0 &&
        first + count <= tensor.elements)
        return std::nullopt;
    return Error{"the file ends before the tensor does", tensor.name, "fetch the file again"};
}

}  // namespace

bool is_read(const StorageType& type) {
    constexpr std::array<std::string_view, 7> single{"F32", "BF16", "F16", "F64", "F8_E4M3", "F8_E5M2", "F8_E8M0"};
    return contains(single, type.name) || block_form(type.name) || codebook_unpacking(type.name);
}

const BlockForm* kept_form(const StorageType& type) {
    const BlockForm* const form = block_form(type.name);
    return form && form->bytes * type.elements == type.bytes * form->numbers ? form : nullptr;
}

Result<std::span<const std::byte>> read_blocks(FileBytes& file, const CheckpointTensor& tensor, std::int64_t first,
                                               std::int64_t count) {
    if (std::optional<Error> error = beyond_end(file, tensor, first, count)) return *std::move(error);
    const StorageType& type = tensor.type;
    return bytes_at(file, tensor, first / type.elements * type.bytes, count / type.elements * type.bytes);
}

std::optional<Error> read_numbers(FileBytes& file, const CheckpointTensor& tensor, std::int64_t first,
                                  std::span<float> out) {
    const StorageType& type = tensor.type;
    if (!is_read(type))
        return Error{"numbers of type " + std::string(type.name) + " cannot be computed with", tensor.name,
                     "store the weights as F32, BF16 or F16, or quantize them as GGUF, GPTQ, AWQ, compressed-tensors "
                     "or bitsandbytes do"};
    if (std::optional<Error> error = beyond_end(file, tensor, first, std::ssize(out))) return error;
    // In pieces of whole blocks, so that no second copy of a large tensor is in memory.
    const std::size_t block = static_cast<std::size_t>(type.elements);
    const std::size_t most = std::max<std::size_t>((std::size_t{1} << 18) / block, 1) * block;
    for (std::size_t done = 0; done < out.size(); done += most) {
        const std::span<float> piece = out.subspan(done, std::min(most, out.size() - done));
        const std::int64_t from = first + static_cast<std::int64_t>(done);
        const auto count = static_cast<std::int64_t>(piece.size());
        // llama2.c's version 2: all whole numbers first, then a float32 scale for each group (export.py).
        if (type.name == "Q8_0" && type.bytes == type.elements + 4) {
            if (std::optional<Error> error = read_llama2c_groups(file, tensor, from, piece)) return error;
            continue;
        }
        const Result<std::span<const std::byte>> found = read_blocks(file, tensor, from, count);
        if (!found) return found.error();
        unpack(found->data(), type, piece);
    }
    return std::nullopt;
}

}  // namespace headcount
