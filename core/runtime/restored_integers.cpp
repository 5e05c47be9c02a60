// Whole numbers, each less a zero point and times a scale: AutoGPTQ's and AutoAWQ's words of 32 bits, those of
// compressed-tensors, and bytes.
#include <array>

#include "core/runtime/restored_parts.hpp"

namespace headcount {
namespace {

constexpr std::int64_t word_bits = 32;

bool has_type(const CheckpointTensor& part, std::string_view type) { return part.type.name == type; }

// What such numbers are restored with is not in the file.
Error missing(std::string_view parts, const CheckpointTensor& numbers) {
    return {"the " + std::string(parts) + " of quantized numbers are missing", numbers.name,
            "fetch the whole checkpoint"};
}

// How many bits a number has where so many fill these words; nothing where that is no number of bits that is packed in
// words without crossing from one to the next, or where fewer than nine leave it open.
std::optional<std::int64_t> bits_of(std::int64_t words, std::int64_t numbers) {
    std::optional<std::int64_t> found;
    for (const std::int64_t bits : {2, 4, 8})
        if (words == (numbers * bits + word_bits - 1) / word_bits) {
            if (found) return std::nullopt;
            found = bits;
        }
    return found;
}

// The group of inputs that each belongs to: as a tensor of the file says, else so many behind one another, as many in
// the last as in the first.
Result<std::vector<std::int64_t>> groups_of(const QuantizedMatrix& matrix, const CheckpointTensor* listed,
                                            const CheckpointTensor& scales, std::int64_t groups) {
    const std::int64_t inputs = matrix.inputs();
    std::vector<std::int64_t> made(static_cast<std::size_t>(inputs));
    if (!listed) {
        if (inputs % groups != 0) return matrix.odd(scales);
        for (std::int64_t i = 0; i < inputs; ++i) made[static_cast<std::size_t>(i)] = i / (inputs / groups);
        return made;
    }
    if (!has_type(*listed, "I32") || !QuantizedMatrix::is_of(*listed, {inputs})) return matrix.odd(*listed);
    const Result<StoredPart> part = matrix.read(*listed);
    if (!part) return part.error();
    for (std::int64_t i = 0; i < inputs; ++i) {
        const std::int64_t group = part->word(i);
        if (group < 0 || group >= groups)
            return Error{"input " + std::to_string(i) + " belongs to group " + std::to_string(group) + " of " +
                             std::to_string(groups),
                         listed->name, "quantize the model again"};
        made[static_cast<std::size_t>(i)] = group;
    }
    return made;
}

// Where AutoAWQ puts each of eight numbers of four bits in a word.
constexpr std::array<std::int64_t, 8> awq_places{0, 4, 1, 5, 2, 6, 3, 7};

// qweight (in · bits/32, out) and qzeros (groups, out · bits/32), or AWQ's qweight (in, out · bits/32); scales
// (groups, out).
RestoredMatrix restored_words(const QuantizedMatrix& matrix, const Quantization& quantization) {
    const CheckpointTensor *const words = matrix.find_in_module(".qweight"),
                                  *const zeros = matrix.find_in_module(".qzeros"),
                                  *const scales = matrix.find_in_module(".scales");
    if (!words) return std::optional<std::vector<float>>();
    if (!zeros || !scales) return missing(zeros ? "scales" : "zero points", *words);
    const std::int64_t inputs = matrix.inputs(), outputs = matrix.outputs();
    if (!has_type(*words, "I32") || words->shape.size() != 2) return matrix.odd(*words);
    const bool awq = words->shape[0] == inputs && words->shape[1] != outputs;
    const std::optional<std::int64_t> bits = awq ? bits_of(words->shape[1], outputs) : bits_of(words->shape[0], inputs);
    if (!bits || words->shape[awq ? 0 : 1] != (awq ? inputs : outputs) || (awq && *bits != 4))
        return matrix.odd(*words);
    if (scales->shape.size() != 2 || scales->shape[0] < 1 || scales->shape[1] != outputs) return matrix.odd(*scales);
    const std::int64_t groups = scales->shape[0], in_word = word_bits / *bits;
    const std::int64_t zero_words = (outputs + in_word - 1) / in_word;
    if (!has_type(*zeros, "I32") || !QuantizedMatrix::is_of(*zeros, {groups, zero_words})) return matrix.odd(*zeros);
    const Result<std::vector<std::int64_t>> group = groups_of(matrix, matrix.find_in_module(".g_idx"), *scales, groups);
    const Result<StoredPart> number = matrix.read(*words), zero = matrix.read(*zeros), scale = matrix.read(*scales);
    for (const Result<StoredPart>* part : {&number, &zero, &scale})
        if (!*part) return part->error();
    if (!group) return group.error();
    const std::optional<std::vector<float>> times = scale->numbers();
    if (!times) return matrix.odd(*scales);
    const auto place = [&](std::int64_t i) { return awq ? awq_places[static_cast<std::size_t>(i % 8)] : i % in_word; };
    const int largest = (1 << *bits) - 1;
    std::vector<float> made(matrix.elements());
    for (std::int64_t out = 0; out < outputs; ++out)
        for (std::int64_t in = 0; in < inputs; ++in) {
            const std::int64_t from = (*group)[static_cast<std::size_t>(in)];
            const int own = awq ? number->packed(in * words->shape[1] + out / in_word, place(out), *bits)
                                : number->packed(in / in_word * outputs + out, place(in), *bits);
            int middle = zero->packed(from * zero_words + out / in_word, place(out), *bits);
            if (!awq && quantization.zeros_less_one) middle = (middle + 1) & largest;
            made[static_cast<std::size_t>(out * inputs + in)] =
                (*times)[static_cast<std::size_t>(from * outputs + out)] * static_cast<float>(own - middle);
        }
    return std::optional(std::move(made));
}

// weight_packed (out, in · bits/32), weight_scale (out, groups) and, where they are not all 0, weight_zero_point
// (out · bits/32, groups); all of them above the least that so many bits can be.
RestoredMatrix restored_packed(const QuantizedMatrix& matrix) {
    const CheckpointTensor *const words = matrix.find("_packed"), *const scales = matrix.find("_scale"),
                                  *const zeros = matrix.find("_zero_point");
    if (!words || !has_type(*words, "I32")) return std::optional<std::vector<float>>();
    if (!scales) return missing("scales", *words);
    const std::int64_t inputs = matrix.inputs(), outputs = matrix.outputs();
    const std::optional<std::int64_t> bits =
        words->shape.size() == 2 && words->shape[0] == outputs ? bits_of(words->shape[1], inputs) : std::nullopt;
    if (!bits) return matrix.odd(*words);
    const std::int64_t groups = scales->elements / outputs, in_word = word_bits / *bits;
    if (groups < 1 || !QuantizedMatrix::is_of(*scales, {outputs, groups})) return matrix.odd(*scales);
    const std::int64_t zero_words = (outputs + in_word - 1) / in_word;
    if (zeros && (!has_type(*zeros, "I32") || !QuantizedMatrix::is_of(*zeros, {zero_words, groups})))
        return matrix.odd(*zeros);
    const Result<std::vector<std::int64_t>> group = groups_of(matrix, matrix.find("_g_idx"), *scales, groups);
    const Result<StoredPart> number = matrix.read(*words), scale = matrix.read(*scales),
                             zero = zeros ? matrix.read(*zeros) : StoredPart{};
    for (const Result<StoredPart>* part : {&number, &zero, &scale})
        if (!*part) return part->error();
    if (!group) return group.error();
    const std::optional<std::vector<float>> times = scale->numbers();
    if (!times) return matrix.odd(*scales);
    const int middle = 1 << (*bits - 1);
    std::vector<float> made(matrix.elements());
    for (std::int64_t out = 0; out < outputs; ++out)
        for (std::int64_t in = 0; in < inputs; ++in) {
            const std::int64_t from = (*group)[static_cast<std::size_t>(in)];
            const int own = number->packed(out * words->shape[1] + in / in_word, in % in_word, *bits);
            const int less = zeros ? zero->packed(out / in_word * groups + from, out % in_word, *bits) : middle;
            made[static_cast<std::size_t>(out * inputs + in)] =
                (*times)[static_cast<std::size_t>(out * groups + from)] * static_cast<float>(own - less);
        }
    return std::optional(std::move(made));
}

// weight (out, in) in bytes: times weight_scale, one a row or one for all (compressed-tensors), or times SCB / 127, one
// a row (bitsandbytes).
RestoredMatrix restored_bytes(const QuantizedMatrix& matrix) {
    const CheckpointTensor* const bytes = matrix.find("");
    if (!bytes || !has_type(*bytes, "I8") || bytes->shape != matrix.shape()) return std::optional<std::vector<float>>();
    const CheckpointTensor* const largest = matrix.find_in_module(".SCB");
    const CheckpointTensor* const scales = largest ? largest : matrix.find("_scale");
    const CheckpointTensor* const zeros = largest ? nullptr : matrix.find("_zero_point");
    if (!scales) return missing("scales", *bytes);
    const std::int64_t outputs = matrix.outputs(), inputs = matrix.inputs();
    for (const CheckpointTensor* part : {scales, zeros})
        if (part && !QuantizedMatrix::is_of(*part, {outputs}) && !QuantizedMatrix::is_of(*part, {1}))
            return matrix.odd(*part);
    if (zeros && !has_type(*zeros, "I8")) return matrix.odd(*zeros);
    const Result<StoredPart> number = matrix.read(*bytes), scale = matrix.read(*scales),
                             zero = zeros ? matrix.read(*zeros) : StoredPart{};
    for (const Result<StoredPart>* part : {&number, &zero, &scale})
        if (!*part) return part->error();
    const std::optional<std::vector<float>> times = scale->numbers();
    if (!times) return matrix.odd(*scales);
    const auto byte = [](const StoredPart& part, std::int64_t i) {
        return static_cast<int>(static_cast<std::int8_t>(part.bytes[static_cast<std::size_t>(i)]));
    };
    std::vector<float> made(matrix.elements());
    for (std::int64_t out = 0; out < outputs; ++out) {
        const float own = (*times)[times->size() == 1 ? 0 : static_cast<std::size_t>(out)];
        const int less = zeros ? byte(*zero, zeros->elements == 1 ? 0 : out) : 0;
        for (std::int64_t in = 0; in < inputs; ++in) {
            const auto whole = static_cast<float>(byte(*number, out * inputs + in) - less);
            made[static_cast<std::size_t>(out * inputs + in)] = largest ? whole * own * (1.0F / 127) : whole * own;
        }
    }
    return std::optional(std::move(made));
}

}  // namespace

RestoredMatrix restored_integers(const QuantizedMatrix& matrix, const Quantization& quantization) {
    if (matrix.shape().size() != 2) return std::optional<std::vector<float>>();
    if (RestoredMatrix made = restored_words(matrix, quantization); !made || *made) return made;
    if (RestoredMatrix made = restored_packed(matrix); !made || *made) return made;
    return restored_bytes(matrix);
}

}  // namespace headcount
