// Reads what configurations say of their quantization; the keys are those of transformers' quantizers.
#include "core/files/stored_formats.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;
using P = Precision;

// "bfloat16", as transformers writes it, or "torch.bfloat16".
std::optional<P> computed_in(const Carried& configuration) {
    constexpr std::array<std::pair<std::string_view, P>, 3> known{
        {{"float32\"", P::fp32}, {"bfloat16\"", P::bf16}, {"float16\"", P::fp16}}};
    for (const char* field : {"dtype", "torch_dtype"})
        if (const std::string* value = configuration.find(field))
            for (const auto& [word, precision] : known)
                if (*value == '"' + std::string(word) || *value == "\"torch." + std::string(word)) return precision;
    return std::nullopt;
}

std::string text_of(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}
std::int64_t number_of(const Json& json, const char* key, std::int64_t otherwise) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
}
bool flag_of(const Json& json, const char* key, bool otherwise) {
    const auto found = json.find(key);
    return found != json.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

// The nearest of what the table has: a group of a whole row is one of 128.
P int4_of(std::int64_t group, bool zeros) {
    if (group == 32) return zeros ? P::int4_zeros : P::int4;
    if (group == 64) return zeros ? P::int4_g64_zeros : P::int4_g64;
    return zeros ? P::int4_g128_zeros : P::int4_g128;
}

std::optional<P> of_integers(std::int64_t bits, std::int64_t group, bool zeros) {
    if (bits == 8) return P::int8;
    return bits == 4 ? std::optional(int4_of(group, zeros)) : std::nullopt;
}

// The first group of layers stands for all.
std::optional<P> of_compressed(const Json& config) {
    const auto groups = config.find("config_groups");
    if (groups == config.end() || !groups->is_object() || groups->empty()) return std::nullopt;
    const Json& first = groups->front();
    const auto weights = first.is_object() ? first.find("weights") : first.end();
    if (!first.is_object() || weights == first.end() || !weights->is_object()) return std::nullopt;
    const std::int64_t bits = number_of(*weights, "num_bits", 0), group = number_of(*weights, "group_size", 128);
    if (text_of(*weights, "type") != "float") return of_integers(bits, group, !flag_of(*weights, "symmetric", true));
    if (bits == 8) return P::fp8;
    if (bits == 4) return group == 32 ? P::mxfp4 : P::nvfp4;
    return std::nullopt;
}

std::optional<P> format_in(const Json& config) {
    const std::string method = text_of(config, "quant_method");
    if (method == "fp8" || method == "finegrained_fp8")
        return config.contains("weight_block_size") && config["weight_block_size"].is_array() ? P::fp8_tiles : P::fp8;
    if (method == "fbgemm_fp8") return P::fp8;
    if (method == "mxfp4") return P::mxfp4;
    if (method == "bitsandbytes") {
        if (flag_of(config, "load_in_8bit", false)) return P::int8;
        return flag_of(config, "bnb_4bit_use_double_quant", false) ? P::nf4_double : P::nf4;
    }
    if (method == "gptq" || method == "awq")
        return of_integers(number_of(config, "bits", 4), number_of(config, "group_size", 128), true);
    if (method == "compressed-tensors") return of_compressed(config);
    const std::string algorithm = text_of(config, "quant_algo");
    if (algorithm == "FP8") return P::fp8;
    if (algorithm == "NVFP4") return P::nvfp4;
    return std::nullopt;
}

}  // namespace

std::optional<Formats> quantized_formats(const Carried& configuration) {
    const Json& all = configuration.object();
    const auto config = all.find("quantization_config");
    if (config == all.end() || !config->is_object()) return std::nullopt;
    const std::optional<P> format = format_in(*config);
    if (!format) return std::nullopt;
    Formats formats = computed_in(configuration).value_or(P::bf16);
    // MXFP4 is of experts alone, as in gpt-oss; the others are of every linear layer but the output head.
    if (text_of(*config, "quant_method") == "mxfp4")
        formats.of(WeightKind::experts) = format;
    else
        for (const WeightKind kind : layer_kinds) formats.of(kind) = format;
    return formats;
}

std::vector<std::string> notes_on_formats(const Carried& configuration) {
    std::vector<std::string> notes;
    const Json& all = configuration.object();
    const auto note = [&](const std::string& what) {
        notes.push_back("Not known: " + what + "; --dtype says how weights are stored.");
    };
    if (const auto config = all.find("quantization_config");
        config != all.end() && config->is_object() && !config->empty() && !format_in(*config)) {
        const std::string method = text_of(*config, "quant_method");
        note("how quantization_config stores weights" + (method.empty() ? "" : " (" + method + ")"));
    }
    for (const char* field : {"dtype", "torch_dtype"})
        if (const std::string word = text_of(all, field);
            !word.empty() && word != "auto" && !computed_in(configuration))
            note(std::string(field) + " " + quote(word));
    return notes;
}

std::optional<Formats> stored_formats(const Carried& configuration) {
    if (std::optional<Formats> quantized = quantized_formats(configuration)) return quantized;
    const std::optional<P> precision = computed_in(configuration);
    return precision ? std::optional(Formats(*precision)) : std::nullopt;
}

namespace {

// The format that a type of a file is; nothing of packed numbers, whose types say no format.
std::optional<P> format_of(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, P>, 6> plain{{{"F32", P::fp32},
                                                                   {"F16", P::fp16},
                                                                   {"BF16", P::bf16},
                                                                   {"F8_E4M3", P::fp8},
                                                                   {"F8_E5M2", P::fp8_e5m2},
                                                                   {"I8", P::int8}}};
    const auto found = std::ranges::find(plain, type, [](const auto& each) { return each.first; });
    if (found != plain.end()) return found->second;
    std::string key;
    for (const char letter : type) key += lower(letter);
    const Result<P> block = parse_precision(key, "");
    return block ? std::optional(*block) : std::nullopt;
}

}  // namespace

std::optional<Formats> formats_of_matrices(const Checkpoint& weights) {
    std::map<P, std::int64_t> bytes, whole;  // of each format; of those that are not quantized
    for (const CheckpointTensor& tensor : weights.tensors)
        if (const std::optional<P> format = format_of(tensor.type.name); format && tensor.shape.size() > 1) {
            bytes[*format] += tensor.bytes;
            if (info(*format).bits >= 16) whole[*format] += tensor.bytes;
        }
    const auto most = [](const auto& of) {
        return std::ranges::max_element(of, {}, [](const auto& each) { return each.second; });
    };
    if (bytes.empty()) return std::nullopt;
    const P first = most(bytes)->first;
    if (is_gguf(weights)) {
        Formats formats = first;
        formats.of(WeightKind::norm) = formats.of(WeightKind::router) = P::fp32;
        return formats;
    }
    if (info(first).bits >= 16) return Formats(first);
    Formats formats = whole.empty() ? P::bf16 : most(whole)->first;
    for (const WeightKind kind : layer_kinds) formats.of(kind) = first;
    return formats;
}

std::optional<Formats> stored_formats(const Checkpoint& weights) {
    if (!is_gguf(weights) || !weights.metadata.is_object()) return std::nullopt;
    if (!weights.metadata.contains("general.file_type")) return formats_of_matrices(weights);
    const std::int64_t type = number_of(weights.metadata, "general.file_type", -1);
    constexpr std::array<std::pair<std::int64_t, P>, 3> whole{{{0, P::fp32}, {1, P::fp16}, {32, P::bf16}}};
    for (const auto& [number, precision] : whole)
        if (number == type) {
            Formats formats = precision;  // vectors have 32 bits in every GGUF file
            formats.of(WeightKind::norm) = formats.of(WeightKind::router) = P::fp32;
            return formats;
        }
    for (const RecipeInfo& recipe : recipes())
        if (recipe.file_type == type) return Formats(recipe.recipe);
    return std::nullopt;
}

}  // namespace headcount
