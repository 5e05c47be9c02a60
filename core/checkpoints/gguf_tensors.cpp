// GGUF's list of tensors: names, shapes, types (how many elements a block of ggml's has, and how many bytes), and where
// their data lie.
#include <algorithm>
#include <array>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/checkpoints/gguf.hpp"
#include "core/checkpoints/written.hpp"

namespace headcount {
namespace {

// A type without bytes is one that ggml has removed.
constexpr std::array<StorageType, 43> ggml_types{{
    {"F32", 1, 4},      {"F16", 1, 2},        {"Q4_0", 32, 18},     {"Q4_1", 32, 20},     {"Q4_2", 0, 0},
    {"Q4_3", 0, 0},     {"Q5_0", 32, 22},     {"Q5_1", 32, 24},     {"Q8_0", 32, 34},     {"Q8_1", 32, 36},
    {"Q2_K", 256, 84},  {"Q3_K", 256, 110},   {"Q4_K", 256, 144},   {"Q5_K", 256, 176},   {"Q6_K", 256, 210},
    {"Q8_K", 256, 292}, {"IQ2_XXS", 256, 66}, {"IQ2_XS", 256, 74},  {"IQ3_XXS", 256, 98}, {"IQ1_S", 256, 50},
    {"IQ4_NL", 32, 18}, {"IQ3_S", 256, 110},  {"IQ2_S", 256, 82},   {"IQ4_XS", 256, 136}, {"I8", 1, 1},
    {"I16", 1, 2},      {"I32", 1, 4},        {"I64", 1, 8},        {"F64", 1, 8},        {"IQ1_M", 256, 56},
    {"BF16", 1, 2},     {"Q4_0_4_4", 0, 0},   {"Q4_0_4_8", 0, 0},   {"Q4_0_8_8", 0, 0},   {"TQ1_0", 256, 54},
    {"TQ2_0", 256, 66}, {"IQ4_NL_4_4", 0, 0}, {"IQ4_NL_4_8", 0, 0}, {"IQ4_NL_8_8", 0, 0}, {"MXFP4", 32, 17},
    {"NVFP4", 64, 36},  {"Q1_0", 128, 18},    {"Q2_0", 64, 18},
}};

void read_name(ByteReader& reader, CheckpointTensor& tensor) {
    const std::uint64_t at = reader.at();
    const std::string_view name = reader.text("a tensor's name");
    if (reader.ok() && (name.empty() || !is_utf8(name)))
        reader.fail(at, name.empty() ? "a tensor's name is empty" : "a tensor's name is not UTF-8", check_writer);
    if (reader.ok()) tensor.name = name;
}

// GGUF counts dimensions from the innermost; PyTorch, and we, from the outermost.
void read_shape(ByteReader& reader, CheckpointTensor& tensor) {
    constexpr std::uint32_t most_dimensions = 4;
    std::uint64_t at = reader.at();
    const auto dimensions = reader.number<std::uint32_t>("a tensor's number of dimensions");
    if (dimensions > most_dimensions)
        reader.fail(
            at, in_quotes(tensor.name) + " has " + std::to_string(dimensions) + " dimensions, at most 4 were expected",
            check_writer);
    tensor.elements = 1;
    for (std::uint32_t i = 0; i < dimensions && reader.ok(); ++i) {
        at = reader.at();
        const auto size = reader.number<std::int64_t>("a tensor's dimension");
        const std::optional<std::int64_t> elements = size < 0 ? std::nullopt : checked_multiply(tensor.elements, size);
        if (!elements) {
            reader.fail(at, in_quotes(tensor.name) + " has more elements than 64 bits can count", check_writer);
            return;
        }
        tensor.elements = *elements;
        tensor.shape.push_back(size);
    }
    std::ranges::reverse(tensor.shape);
}

void read_type(ByteReader& reader, CheckpointTensor& tensor) {
    const std::uint64_t at = reader.at();
    const auto number = reader.number<std::uint32_t>("a tensor's type");
    if (!reader.ok()) return;
    const Result<StorageType> type = ggml_type(number);
    if (!type) {
        reader.fail(at, in_quotes(tensor.name) + ": " + type.error().what, type.error().fix);
        return;
    }
    tensor.type = *type;
    const std::int64_t row = tensor.shape.empty() ? 1 : tensor.shape.back();
    if (row % type->elements != 0) {
        reader.fail(at,
                    "rows of " + in_quotes(tensor.name) + " have " + std::to_string(row) + " elements, a multiple of " +
                        std::string(type->name) + "'s block of " + std::to_string(type->elements) + " was expected",
                    check_writer);
        return;
    }
    const std::optional<std::int64_t> bytes = checked_multiply(tensor.elements / type->elements, type->bytes);
    if (!bytes) reader.fail(at, in_quotes(tensor.name) + " has more bytes than 64 bits can count", check_writer);
    tensor.bytes = bytes.value_or(0);
}

// The byte where the tensor's offset stands in its entry: at the end.
std::uint64_t offset_place(const GgufPart& part, std::size_t i) {
    return part.places[i] + 8 + part.tensors[i].name.size() + 4 + 8 * part.tensors[i].shape.size() + 4;
}

void check_distinct_names(ByteReader& reader, const GgufPart& part) {
    const auto order = order_by(part.tensors, [](const CheckpointTensor& each) { return std::string_view(each.name); });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (part.tensors[order[i]].name == part.tensors[order[i - 1]].name)
            reader.fail(part.places[order[i]],
                        "the tensor " + in_quotes(part.tensors[order[i]].name) + " is there twice", check_writer);
}

void check_apart(ByteReader& reader, const GgufPart& part) {
    auto order = order_by(part.tensors, [](const CheckpointTensor& each) { return each.offset; });
    std::erase_if(order, [&](std::size_t i) { return part.tensors[i].bytes == 0; });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const CheckpointTensor &before = part.tensors[order[i - 1]], &tensor = part.tensors[order[i]];
        if (tensor.offset - before.offset < static_cast<std::uint64_t>(before.bytes))
            reader.fail(offset_place(part, order[i]),
                        "the data of " + in_quotes(tensor.name) + " overlap those of " + in_quotes(before.name),
                        check_writer);
    }
}

}  // namespace

Result<StorageType> ggml_type(std::uint32_t number) {
    if (number >= ggml_types.size())
        return Error{"tensor type " + std::to_string(number) + " is unknown, types 0 to " +
                         std::to_string(ggml_types.size() - 1) + " are known",
                     "", "write the file with another type"};
    const StorageType& type = ggml_types[number];
    if (type.bytes == 0)
        return Error{
            "tensor type " + std::to_string(number) + " (" + std::string(type.name) + ") was removed from GGUF", "",
            "quantize the model again with a present llama.cpp"};
    return type;
}

void read_gguf_tensors(ByteReader& reader, std::uint64_t count, GgufPart& part) {
    for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
        part.places.push_back(reader.at());
        CheckpointTensor tensor;
        read_name(reader, tensor);
        read_shape(reader, tensor);
        read_type(reader, tensor);
        tensor.offset = reader.number<std::uint64_t>("a tensor's offset");
        part.tensors.push_back(std::move(tensor));
    }
    if (reader.ok()) check_distinct_names(reader, part);
}

void place_gguf_tensors(ByteReader& reader, std::uint64_t alignment, GgufPart& part) {
    const std::uint64_t data = (reader.at() + alignment - 1) / alignment * alignment;
    const std::uint64_t room = data < reader.size() ? reader.size() - data : 0;
    for (std::size_t i = 0; i < part.tensors.size() && reader.ok(); ++i) {
        CheckpointTensor& tensor = part.tensors[i];
        if (tensor.offset % alignment != 0)
            reader.fail(offset_place(part, i),
                        "the offset of " + in_quotes(tensor.name) + ", " + std::to_string(tensor.offset) +
                            ", is no multiple of the alignment, " + std::to_string(alignment),
                        check_writer);
        const auto bytes = static_cast<std::uint64_t>(tensor.bytes);
        if (bytes > room || tensor.offset > room - bytes)
            reader.fail(offset_place(part, i),
                        "the data of " + in_quotes(tensor.name) + " run past the end of the file: " +
                            grouped(tensor.bytes) + " bytes at " + std::to_string(tensor.offset) + " after byte " +
                            std::to_string(data) + " of " + std::to_string(reader.size()),
                        "copy the whole file again");
        tensor.offset += data;
    }
    if (reader.ok()) check_apart(reader, part);
}

}  // namespace headcount
