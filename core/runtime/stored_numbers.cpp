// float32, bfloat16, float16, and ggml's blocks of 8 and 4 bits (ggml-quants.c, dequantize_row_q8_0 and _q4_0).
#include "core/runtime/stored_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace headcount {
namespace {

template <class T>
T number_at(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
}

float from_bfloat16(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits.
float from_float16(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1f, fraction = bits & 0x3ff;
    if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000 | fraction << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float small = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -small : small;
}

// A scale, then 32 whole numbers of 8 bits.
void read_q8_0(const std::byte* block, float* out) {
    const float scale = from_float16(number_at<std::uint16_t>(block));
    for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(number_at<std::int8_t>(block + 2 + i));
}

// A scale, then 16 bytes: the low halves are the first 16 numbers, the high halves the others, each less 8.
void read_q4_0(const std::byte* block, float* out) {
    const float scale = from_float16(number_at<std::uint16_t>(block));
    for (int i = 0; i < 16; ++i) {
        const int both = std::to_integer<int>(block[2 + i]);
        out[i] = scale * static_cast<float>((both & 15) - 8);
        out[i + 16] = scale * static_cast<float>((both >> 4) - 8);
    }
}

// llama2.c's version 2: all whole numbers first, then a float32 scale for each group (export.py).
bool is_llama2c_group(const StorageType& type) {
    return type.name == "Q8_0" && type.bytes == type.elements + 4;
}

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
void read_blocks(const std::byte* from, const StorageType& type, std::span<float> out) {
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
    } else {
        for (std::size_t i = 0; i + 32 <= out.size(); i += 32, from += type.bytes)
            type.name == "Q8_0" ? read_q8_0(from, &out[i]) : read_q4_0(from, &out[i]);
    }
}

}  // namespace

bool is_read(const StorageType& type) {
    const std::string_view name = type.name;
    if (is_llama2c_group(type)) return true;
    return name == "F32" || name == "BF16" || name == "F16" || name == "F64" || name == "Q8_0" || name == "Q4_0";
}

std::optional<Error> read_numbers(FileBytes& file, const CheckpointTensor& tensor, std::int64_t first,
                                  std::span<float> out) {
    const StorageType& type = tensor.type;
    if (!is_read(type))
        return Error{"numbers of type " + std::string(type.name) + " cannot be computed with", tensor.name,
                     "store the weights as F32, BF16, F16, Q8_0 or Q4_0"};
    const auto bytes = static_cast<std::uint64_t>(tensor.bytes);
    if (tensor.offset > file.size() || bytes > file.size() - tensor.offset || first < 0 ||
        first + static_cast<std::int64_t>(out.size()) > tensor.elements)
        return Error{"the file ends before the tensor does", tensor.name, "fetch the file again"};
    // In pieces of whole blocks, so that no second copy of a large tensor is in memory.
    const std::size_t block = static_cast<std::size_t>(type.elements);
    const std::size_t most = std::max<std::size_t>((std::size_t{1} << 18) / block, 1) * block;
    for (std::size_t done = 0; done < out.size(); done += most) {
        const std::span<float> piece = out.subspan(done, std::min(most, out.size() - done));
        const std::int64_t from = first + static_cast<std::int64_t>(done);
        const auto count = static_cast<std::int64_t>(piece.size());
        if (is_llama2c_group(type)) {
            if (std::optional<Error> error = read_llama2c_groups(file, tensor, from, piece)) return error;
            continue;
        }
        const auto found =
            bytes_at(file, tensor, from / type.elements * type.bytes, count / type.elements * type.bytes);
        if (!found) return found.error();
        read_blocks(found->data(), type, piece);
    }
    return std::nullopt;
}

}  // namespace headcount
