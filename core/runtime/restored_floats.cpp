// Floating-point numbers of eight and four bits times scales: fp8 in tiles and by rows, MXFP4, NVFP4 and NF4.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/runtime/number_bits.hpp"
#include "core/runtime/restored_parts.hpp"

namespace headcount {
namespace {

// The scales of (rows, columns) numbers: one for each square of so many rows and columns.
struct ScaleGrid {
    std::vector<float> scales;
    std::int64_t rows_each = 1, columns_each = 1, in_row = 1;

    float at(std::int64_t row, std::int64_t column) const {
        return scales[static_cast<std::size_t>(row / rows_each * in_row + column / columns_each)];
    }
};

std::int64_t parts_of(std::int64_t size, std::int64_t each) { return size / each + (size % each != 0 ? 1 : 0); }

// Of weight_scale_inv: by tiles. Of weight_scale: one for all, one a row, or groups along each row.
Result<ScaleGrid> grid_of(const QuantizedMatrix& matrix, const CheckpointTensor& scales,
                          std::optional<std::array<std::int64_t, 2>> tile) {
    const std::int64_t outputs = matrix.outputs(), inputs = matrix.inputs();
    ScaleGrid grid;
    if (scales.elements == 1) {
        grid.rows_each = outputs, grid.columns_each = inputs;
    } else if (tile && (*tile)[0] > 0 && (*tile)[1] > 0 &&
               QuantizedMatrix::is_of(scales, {parts_of(outputs, (*tile)[0]), parts_of(inputs, (*tile)[1])})) {
        grid.rows_each = (*tile)[0], grid.columns_each = (*tile)[1], grid.in_row = parts_of(inputs, (*tile)[1]);
    } else if (const std::int64_t groups = scales.elements / outputs;
               groups > 0 && inputs % groups == 0 && QuantizedMatrix::is_of(scales, {outputs, groups})) {
        grid.columns_each = inputs / groups, grid.in_row = groups;
    } else {
        return matrix.odd(scales);
    }
    const Result<StoredPart> part = matrix.read(scales);
    if (!part) return part.error();
    std::optional<std::vector<float>> numbers = part->numbers();
    if (!numbers) return matrix.odd(scales);
    grid.scales = *std::move(numbers);
    return grid;
}

// weight (out, in) of eight bits, and a scale beside it; without one it is as it stands, which is not for here.
RestoredMatrix restored_fp8(const QuantizedMatrix& matrix, const Quantization& quantization) {
    const CheckpointTensor* const bytes = matrix.find("");
    const CheckpointTensor *const tiles = matrix.find("_scale_inv"), *const scales =
                                                                         tiles ? tiles : matrix.find("_scale");
    if (!bytes || !bytes->type.name.starts_with("F8_E") || bytes->shape != matrix.shape() || !scales)
        return std::optional<std::vector<float>>();
    if (matrix.shape().size() != 2)
        return Error{"numbers of eight bits with scales are read of matrices alone, not of " + shape_text(bytes->shape),
                     bytes->name, "store each expert's matrices by themselves, or all of them as BF16"};
    const Result<ScaleGrid> grid = grid_of(matrix, *scales, quantization.tile);
    if (!grid) return grid.error();
    const Result<StoredPart> part = matrix.read(*bytes);
    if (!part) return part.error();
    std::optional<std::vector<float>> made = part->numbers();
    if (!made) return matrix.odd(*bytes);
    for (std::int64_t row = 0; row < matrix.outputs(); ++row)
        for (std::int64_t column = 0; column < matrix.inputs(); ++column)
            (*made)[static_cast<std::size_t>(row * matrix.inputs() + column)] *= grid->at(row, column);
    return made;
}

// Two numbers in a byte, the first in the low half.
int low_first(const StoredPart& part, std::int64_t i) {
    const int both = std::to_integer<int>(part.bytes[static_cast<std::size_t>(i / 2)]);
    return i % 2 == 0 ? both & 15 : both >> 4;
}

// Experts: x_blocks (experts, out, in/32, 16) and x_scales (experts, out, in/32), which stand transposed to x
// (gpt-oss).
RestoredMatrix restored_mxfp4(const QuantizedMatrix& matrix) {
    const CheckpointTensor *const blocks = matrix.find("_blocks"), *const scales = matrix.find("_scales");
    if (!blocks || !scales || matrix.shape().size() != 3) return std::optional<std::vector<float>>();
    constexpr std::int64_t block = 32;
    const std::int64_t experts = matrix.shape()[0], inputs = matrix.shape()[1], outputs = matrix.shape()[2];
    if (blocks->type.name != "U8" || blocks->elements * 2 != static_cast<std::int64_t>(matrix.elements()) ||
        inputs % block != 0 || !QuantizedMatrix::is_of(*blocks, {experts, outputs, inputs / block, block / 2}))
        return matrix.odd(*blocks);
    if ((scales->type.name != "U8" && scales->type.name != "F8_E8M0") ||
        !QuantizedMatrix::is_of(*scales, {experts, outputs, inputs / block}))
        return matrix.odd(*scales);
    const Result<StoredPart> number = matrix.read(*blocks), scale = matrix.read(*scales);
    if (!number || !scale) return (!number ? number : scale).error();
    std::vector<float> made(matrix.elements());
    std::int64_t i = 0;
    for (std::int64_t expert = 0; expert < experts; ++expert)
        for (std::int64_t out = 0; out < outputs; ++out)
            for (std::int64_t in = 0; in < inputs; ++in, ++i) {
                const float power = from_e8m0(number_at<std::uint8_t>(scale->bytes.data() + i / block));
                made[static_cast<std::size_t>((expert * inputs + in) * outputs + out)] =
                    power * from_e2m1(low_first(*number, i));
            }
    return std::optional(std::move(made));
}

// weight or weight_packed (out, in/2), weight_scale (out, in/16) of eight bits, and one scale for all: weight_scale_2
// to multiply with (ModelOpt), or weight_global_scale to divide by (compressed-tensors). MXFP4 has no scale for all.
RestoredMatrix restored_fp4(const QuantizedMatrix& matrix) {
    const CheckpointTensor *const own = matrix.find(""), *const packed = matrix.find("_packed");
    const CheckpointTensor *const bytes = packed ? packed : own, *const scales = matrix.find("_scale");
    if (!bytes || bytes->type.name != "U8" || !scales) return std::optional<std::vector<float>>();
    if (!QuantizedMatrix::is_of(*bytes, {matrix.outputs(), matrix.inputs() / 2}) || matrix.inputs() % 2 != 0)
        return matrix.odd(*bytes);
    const bool powers = scales->type.name == "U8";
    CheckpointTensor typed = *scales;
    if (powers) typed.type = {"F8_E8M0", 1, 1};
    Result<ScaleGrid> grid = grid_of(matrix, typed, std::nullopt);
    if (!grid) return grid.error();
    const CheckpointTensor *const factor = matrix.find("_scale_2"), *const divisor = matrix.find("_global_scale");
    if (const CheckpointTensor* const all = factor ? factor : divisor) {
        if (all->elements != 1) return matrix.odd(*all);
        const Result<StoredPart> part = matrix.read(*all);
        if (!part) return part.error();
        const std::optional<std::vector<float>> number = part->numbers();
        if (!number) return matrix.odd(*all);
        for (float& each : grid->scales) each = factor ? each * number->front() : each / number->front();
    }
    const Result<StoredPart> number = matrix.read(*bytes);
    if (!number) return number.error();
    std::vector<float> made(matrix.elements());
    for (std::int64_t row = 0; row < matrix.outputs(); ++row)
        for (std::int64_t column = 0; column < matrix.inputs(); ++column) {
            const std::int64_t i = row * matrix.inputs() + column;
            made[static_cast<std::size_t>(i)] = from_e2m1(low_first(*number, i)) * grid->at(row, column);
        }
    return std::optional(std::move(made));
}

// What bitsandbytes says of a tensor of four bits as JSON: {"blocksize": 64, "nested_blocksize": 256, ...}.
struct NestedScales {
    std::int64_t block = 0, nested_block = 0;
    float offset = 0;
};
Result<NestedScales> nested_scales(const QuantizedMatrix& matrix, const CheckpointTensor& state) {
    const Result<StoredPart> part = matrix.read(state);
    if (!part) return part.error();
    const auto* const text = reinterpret_cast<const char*>(part->bytes.data());
    const nlohmann::json read = nlohmann::json::parse(text, text + part->bytes.size(), nullptr, false);
    const auto number = [&](const char* key) {
        const auto found = read.is_object() ? read.find(key) : read.end();
        return read.is_object() && found != read.end() && found->is_number() ? found->get<double>() : 0.0;
    };
    const NestedScales found{
        .block = static_cast<std::int64_t>(std::clamp(number("blocksize"), 0.0, 1e9)),
        .nested_block = static_cast<std::int64_t>(std::clamp(number("nested_blocksize"), 0.0, 1e9)),
        .offset = static_cast<float>(number("nested_offset"))};
    if (found.block > 0) return found;
    return Error{"how many numbers share a scale does not stand there", state.name, "quantize the model again"};
}

// Numbers of a part that must have so many.
Result<std::vector<float>> so_many(const QuantizedMatrix& matrix, const CheckpointTensor* part, std::int64_t count,
                                   const std::string& name) {
    if (!part) return Error{"a part of the quantized numbers is missing", name, "fetch the whole checkpoint"};
    if (part->elements != count) return matrix.odd(*part);
    const Result<StoredPart> read = matrix.read(*part);
    if (!read) return read.error();
    std::optional<std::vector<float>> numbers = read->numbers();
    if (!numbers) return matrix.odd(*part);
    return *std::move(numbers);
}

// weight in bytes, the first number in the high half; what each of sixteen stands for; and the largest number of each
// block, of which again 256 may share a scale (Dettmers et al. 2023).
RestoredMatrix restored_nf4(const QuantizedMatrix& matrix) {
    const CheckpointTensor *const bytes = matrix.find(""), *const largest = matrix.find(".absmax");
    if (!bytes || bytes->type.name != "U8" || !largest) return std::optional<std::vector<float>>();
    const CheckpointTensor* state = matrix.find(".quant_state.bitsandbytes__nf4");
    if (!state) state = matrix.find(".quant_state.bitsandbytes__fp4");
    if (!state) return Error{"what its numbers stand for is missing", bytes->name, "fetch the whole checkpoint"};
    const auto elements = static_cast<std::int64_t>(matrix.elements());
    if (bytes->elements != (elements + 1) / 2) return matrix.odd(*bytes);
    const Result<NestedScales> nested = nested_scales(matrix, *state);
    if (!nested) return nested.error();
    const std::int64_t blocks = parts_of(elements, nested->block);
    const Result<std::vector<float>> meaning = so_many(matrix, matrix.find(".quant_map"), 16, bytes->name);
    if (!meaning) return meaning.error();
    std::vector<float> scales;
    if (largest->type.name == "U8") {
        if (largest->elements != blocks || nested->nested_block < 1) return matrix.odd(*largest);
        const Result<std::vector<float>> table = so_many(matrix, matrix.find(".nested_quant_map"), 256, bytes->name);
        const Result<std::vector<float>> outer =
            so_many(matrix, matrix.find(".nested_absmax"), parts_of(blocks, nested->nested_block), bytes->name);
        if (!table || !outer) return (!table ? table : outer).error();
        const Result<StoredPart> part = matrix.read(*largest);
        if (!part) return part.error();
        for (std::int64_t i = 0; i < blocks; ++i)
            scales.push_back((*table)[std::to_integer<std::size_t>(part->bytes[static_cast<std::size_t>(i)])] *
                                 (*outer)[static_cast<std::size_t>(i / nested->nested_block)] +
                             nested->offset);
    } else {
        Result<std::vector<float>> plain = so_many(matrix, largest, blocks, bytes->name);
        if (!plain) return plain.error();
        scales = std::move(*plain);
    }
    const Result<StoredPart> number = matrix.read(*bytes);
    if (!number) return number.error();
    std::vector<float> made(matrix.elements());
    for (std::int64_t i = 0; i < elements; ++i) {
        const int other = low_first(*number, i ^ 1);
        made[static_cast<std::size_t>(i)] =
            (*meaning)[static_cast<std::size_t>(other)] * scales[static_cast<std::size_t>(i / nested->block)];
    }
    return std::optional(std::move(made));
}

}  // namespace

RestoredMatrix restored_floats(const QuantizedMatrix& matrix, const Quantization& quantization) {
    if (RestoredMatrix made = restored_mxfp4(matrix); !made || *made) return made;
    if (RestoredMatrix made = restored_fp8(matrix, quantization); !made || *made) return made;
    if (matrix.shape().size() != 2) return std::optional<std::vector<float>>();
    if (RestoredMatrix made = restored_nf4(matrix); !made || *made) return made;
    return restored_fp4(matrix);
}

}  // namespace headcount
