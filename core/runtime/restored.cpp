// Finds a matrix's parts, and asks each way in which it may be quantized.
#include "core/runtime/restored.hpp"

#include <nlohmann/json.hpp>

#include "core/base/checked.hpp"
#include "core/runtime/number_bits.hpp"
#include "core/runtime/restored_parts.hpp"
#include "core/runtime/stored_numbers.hpp"

namespace headcount {

Quantization quantization_of(const Carried& configuration) {
    Quantization found;
    const nlohmann::json& all = configuration.object();
    const auto config = all.find("quantization_config");
    if (config == all.end() || !config->is_object()) return found;
    const auto tile = config->find("weight_block_size");
    if (tile != config->end() && tile->is_array() && tile->size() == 2 && (*tile)[0].is_number_unsigned() &&
        (*tile)[1].is_number_unsigned())
        found.tile = {(*tile)[0], (*tile)[1]};
    found.zeros_less_one = config->value("checkpoint_format", nlohmann::json()) != "gptq_v2";
    return found;
}

std::int32_t StoredPart::word(std::int64_t index) const { return number_at<std::int32_t>(bytes.data() + index * 4); }

int StoredPart::packed(std::int64_t index, std::int64_t place, std::int64_t bits) const {
    const auto all = static_cast<std::uint32_t>(word(index));
    return static_cast<int>(all >> (place * bits) & ((1u << bits) - 1));
}

std::optional<std::vector<float>> StoredPart::numbers() const {
    CheckpointTensor whole = *tensor;
    whole.offset = 0;
    FileBytes file{std::span(bytes)};
    std::vector<float> made(static_cast<std::size_t>(whole.elements));
    if (read_numbers(file, whole, 0, made)) return std::nullopt;
    return made;
}

std::size_t QuantizedMatrix::elements() const { return static_cast<std::size_t>(checked_product(shape_).value_or(0)); }

const CheckpointTensor* QuantizedMatrix::find(std::string_view ending) const {
    return files_.find(name_ + std::string(ending));
}

const CheckpointTensor* QuantizedMatrix::find_in_module(std::string_view ending) const {
    constexpr std::string_view weight = ".weight";
    if (!name_.ends_with(weight)) return nullptr;
    return files_.find(name_.substr(0, name_.size() - weight.size()) + std::string(ending));
}

Result<StoredPart> QuantizedMatrix::read(const CheckpointTensor& part) const {
    Result<std::vector<std::byte>> bytes = files_.bytes(part);
    if (!bytes) return bytes.error();
    return StoredPart{&part, std::move(*bytes)};
}

bool QuantizedMatrix::is_of(const CheckpointTensor& part, std::initializer_list<std::int64_t> shape) {
    const auto without_ones = [](const auto& sides) {
        std::vector<std::int64_t> kept;
        for (const std::int64_t side : sides)
            if (side != 1) kept.push_back(side);
        return kept;
    };
    return without_ones(part.shape) == without_ones(shape);
}

Error QuantizedMatrix::odd(const CheckpointTensor& part) const {
    return {"what the quantized numbers of " + shape_text(shape_) + " are restored with has the shape " +
                shape_text(part.shape) + " and the type " + std::string(part.type.name),
            part.name, "quantize the model again, or open the weights with the architecture that they belong to"};
}

RestoredMatrix restored_numbers(const StoredParts& files, const Quantization& quantization, const std::string& name,
                                const std::vector<std::int64_t>& shape) {
    if (shape.size() < 2) return std::optional<std::vector<float>>();
    const QuantizedMatrix matrix(files, name, shape);
    for (const auto& restored : {restored_integers, restored_floats})
        if (RestoredMatrix made = restored(matrix, quantization); !made || *made) return made;
    return std::optional<std::vector<float>>();
}

}  // namespace headcount
