// One function a method, which says what its program writes beside a matrix's numbers.
#include "core/files/quantizers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/utf8.hpp"
#include "core/files/said.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;
using P = Precision;
using Stored = std::optional<Precision>;

constexpr std::int64_t most_bits = 16;  // of a number that is packed

// AutoGPTQ's QuantLinear: zero points of as many bits as numbers, 16-bit scales, and which group each input belongs to.
Stored gptq(const Json& config, std::int64_t) {
    const std::int64_t bits = said_number(config, "bits", 4);
    if (bits < 1 || bits > most_bits) return std::nullopt;
    Layout layout = for_groups(said_number(config, "group_size", 128), 16 + bits);
    layout.column_bits = 32;
    return integers(bits, layout);
}

// AutoAWQ's WQLinear_GEMM.
Stored awq(const Json& config, std::int64_t) {
    const std::int64_t bits = said_number(config, "bits", said_number(config, "w_bit", 4));
    const std::int64_t group = said_number(config, "group_size", said_number(config, "q_group_size", 128));
    if (bits < 1 || bits > most_bits) return std::nullopt;
    return integers(bits, for_groups(group, 16 + bits));
}

// In tiles (DeepSeek-V3, section 3.3); without these a scale of the matrix, as AutoFP8 writes it.
Stored fp8(const Json& config, std::int64_t) {
    const auto tile = config.find("weight_block_size");
    if (tile == config.end() || tile->is_null()) {
        const std::int64_t of_inputs = said_text(config, "activation_scheme") == "static" ? 32 : 0;
        return Precision(P::fp8, {.tensor_bits = 32 + of_inputs});
    }
    const bool square = tile->is_array() && tile->size() == 2 && (*tile)[0].is_number_integer() &&
                        (*tile)[0] == (*tile)[1] && (*tile)[0] > 1;
    if (!square) return std::nullopt;
    return Precision(P::fp8, {.block = (*tile)[0], .block_bits = 32, .blocks = Blocks::tile});
}

Stored fbgemm_fp8(const Json&, std::int64_t) { return Precision(P::fp8, {.row_bits = 32}); }

// Beside a matrix lies the table of what four bits stand for, 16 numbers of 32 bits, and nested the one of 256 for its
// scales.
Stored bitsandbytes(const Json& config, std::int64_t) {
    if (said_flag(config, "load_in_8bit", false)) return Precision(P::int8, {.row_bits = 32, .tensor_bits = 8});
    const bool nested = said_flag(config, "bnb_4bit_use_double_quant", false);
    Layout shared = layout(nested ? P::nf4_double : P::nf4);
    shared.tensor_bits += 16 * 32 + (nested ? 256 * 32 : 0);
    return Precision(P::nf4, shared);
}

// A scale and a zero point, each as activations are computed. Three bits are packed by tens, across groups.
Stored hqq(const Json& config, std::int64_t whole) {
    const std::int64_t bits = said_number(config, "nbits", 4);
    if (bits == 3) return std::nullopt;
    return integers(bits, for_groups(said_number(config, "group_size", 64), 2 * whole));
}
constexpr const char* hqq_params = "weight_quant_params";
Stored hqq_of_all(const Json& config, std::int64_t whole) {
    const Json params = said_object(said_object(config, "quant_config"), hqq_params);
    return params.empty() ? std::nullopt : hqq(params, whole);
}

// What of a matrix has a scale.
enum class Scaled { groups, rows, whole };
struct TorchAo {
    std::string_view name, type;  // as its first versions call it, and the class of its configuration
    NumberFormat numbers;
    Scaled scaled;
};
constexpr std::array torch_ao{
    TorchAo{"int4_weight_only", "Int4WeightOnlyConfig", P::int4, Scaled::groups},
    TorchAo{"int8_weight_only", "Int8WeightOnlyConfig", P::int8, Scaled::rows},
    TorchAo{"int8_dynamic_activation_int8_weight", "Int8DynamicActivationInt8WeightConfig", P::int8, Scaled::rows},
    TorchAo{"float8_weight_only", "Float8WeightOnlyConfig", P::fp8, Scaled::rows},
    TorchAo{"float8_dynamic_activation_float8_weight", "Float8DynamicActivationFloat8WeightConfig", P::fp8,
            Scaled::whole},
};
// Groups have a scale and a zero point; scales of fp8 have 32 bits.
Stored torchao(const Json& config, std::int64_t whole) {
    const Json type = said_object(said_object(config, "quant_type"), "default");
    const std::string word = type.empty() ? said_text(config, "quant_type") : said_text(type, "_type");
    const Json options = type.empty() ? said_object(config, "quant_type_kwargs") : said_object(type, "_data");
    const auto found =
        std::ranges::find_if(torch_ao, [&](const TorchAo& each) { return each.name == word || each.type == word; });
    if (found == torch_ao.end()) return std::nullopt;
    const std::int64_t scale = found->numbers == P::fp8 ? 32 : whole;
    switch (found->scaled) {
        case Scaled::groups:
            return Precision(found->numbers, for_groups(said_number(options, "group_size", 128), 2 * scale));
        case Scaled::rows: return Precision(found->numbers, {.row_bits = scale});
        case Scaled::whole: break;
    }
    return Precision(found->numbers, {.tensor_bits = scale});
}

// optimum's: scales of rows, or of groups of 128 with a shift.
Stored quanto(const Json& config, std::int64_t whole) {
    const std::string weights = said_text(config, "weights");
    if (weights == "int8") return Precision(P::int8, {.row_bits = whole});
    if (weights == "float8") return Precision(P::fp8, {.row_bits = whole});
    if (weights == "int4") return Precision(P::int4, {.block = 128, .block_bits = 2 * whole});
    if (weights == "int2") return Precision(P::int2, {.block = 128, .block_bits = 2 * whole});
    return std::nullopt;
}

Stored eetq(const Json&, std::int64_t) { return Precision(P::int8, {.row_bits = 16}); }

// Egiazarian et al. 2024: for so many inputs a code into each codebook, of as many bits as an integer of PyTorch; the
// codebooks, and a scale of each output.
Stored aqlm(const Json& config, std::int64_t) {
    const std::int64_t books = said_number(config, "num_codebooks", 1),
                       bits = said_number(config, "nbits_per_codebook", 16),
                       in = said_number(config, "in_group_size", 8), code = bits <= 8 ? 8 : 16;
    const bool possible = books >= 1 && books <= 64 && bits >= 1 && bits <= 16 && in >= 1 && in <= 4096 &&
                          said_number(config, "out_group_size", 1) == 1 && books * code % in == 0;
    if (!possible) return std::nullopt;
    return integers(books * code / in, {.row_bits = 16, .tensor_bits = (books << bits) * in * 16});
}

// Four numbers of -1, 0 and 1 in a byte.
Stored bitnet(const Json&, std::int64_t whole) { return Precision(P::int2, {.tensor_bits = whole}); }

Stored mxfp4(const Json&, std::int64_t) { return P::mxfp4; }

constexpr const char* usual_list = "modules_to_not_convert";
struct Method {
    std::string_view name;
    Stored (*stored)(const Json& config, std::int64_t whole);  // bits of what is not quantized
    const char* skipped = usual_list;                          // what lists modules that are not quantized
    enum class Of { layers, experts, every_linear } of = Of::layers;
    // Of what is stored in this, what is written beside it and is of no fixed length, or not of every version.
    struct Uncounted {
        NumberFormat numbers;
        std::string_view what;
    };
    std::optional<Uncounted> uncounted = {};
};
constexpr Method::Uncounted state_in_json{P::nf4, "a line of JSON beside each matrix, of 80 to 200 bytes"};
constexpr Method::Uncounted zeros_of_rows{
    P::int8, "a zero point of 8 bytes for each row of a matrix, which older versions write"};
constexpr std::array methods{
    Method{"gptq", gptq},
    Method{"awq", awq},
    Method{"fp8", fp8},
    Method{"finegrained_fp8", fp8},
    Method{"fbgemm_fp8", fbgemm_fp8},
    Method{.name = "bitsandbytes",
           .stored = bitsandbytes,
           .skipped = "llm_int8_skip_modules",
           .of = Method::Of::every_linear,
           .uncounted = state_in_json},
    Method{"hqq", hqq_of_all, "skip_modules", Method::Of::every_linear},
    Method{.name = "torchao", .stored = torchao, .of = Method::Of::every_linear, .uncounted = zeros_of_rows},
    Method{"quanto", quanto, usual_list, Method::Of::every_linear},
    Method{"eetq", eetq, usual_list, Method::Of::every_linear},
    Method{"aqlm", aqlm, "linear_weights_not_to_quantize"},
    Method{"bitnet", bitnet},
    Method{"mxfp4", mxfp4, usual_list, Method::Of::experts},
};

void set_layers(Formats& formats, const Precision& stored) {
    for (const WeightKind kind : layer_kinds) formats.of(kind) = stored;
}

// GPTQModel's "dynamic": what is skipped, and what has other bits or groups.
void read_dynamic(const Json& config, Quantizing& quantizing) {
    const Json dynamic = said_object(config, "dynamic");
    const auto quantizes = [](const auto& rule) { return !rule.key().starts_with("-:"); };
    bool mixed = false;
    for (auto rule = dynamic.begin(); rule != dynamic.end(); ++rule) mixed = mixed || quantizes(rule);
    // The first that fits holds, and JSON's objects have no order here.
    if (mixed && dynamic.size() > 1) quantizing.rough = "which of dynamic's rules comes first is not known";
    for (const auto& [key, own] : dynamic.items()) {
        const bool skips = key.starts_with("-:");
        const std::string text = skips || key.starts_with("+:") ? key.substr(2) : key;
        Json merged = config;
        if (own.is_object()) merged.update(own);
        quantizing.rules.push_back({ModuleRule::Says::expression, text, skips ? std::nullopt : gptq(merged, 0)});
    }
}

// optimum's list of lists: nothing else is quantized.
void read_chosen(const Json& config, Quantizing& quantizing, const Precision& stored) {
    const auto lists = config.find("modules_in_block_to_quantize");
    if (lists == config.end() || !lists->is_array() || lists->empty()) return;
    for (const Json& list : *lists) add_rules(quantizing, said_texts(Json{{"names", list}}, "names"), stored);
    quantizing.kinds = quantizing.kinds.rest;
}

// HQQ's way to say each module's own.
void read_hqq_modules(const Json& config, const Precision& whole, Quantizing& quantizing) {
    const Json modules = said_object(config, "quant_config");
    for (const auto& [name, own] : modules.items())
        if (own.is_object() && own.contains(hqq_params))
            add_rules(quantizing, {name}, hqq(said_object(own, hqq_params), info(whole).bits));
}

// Of a method that is not known, which says so many bits at least: with a 16-bit scale for each group.
Stored about(const Json& config) {
    for (const char* key : {"bits", "nbits", "w_bit", "weight_bits", "num_bits"}) {
        const auto found = config.find(key);
        if (found == config.end() || !found->is_number()) continue;
        const double bits = found->get<double>();
        for (const std::int64_t least : {8, 4, 3, 2})
            if (bits >= static_cast<double>(least) && bits < 16) {
                const bool whole = found->is_number_integer();
                const std::int64_t group = std::clamp<std::int64_t>(said_number(config, "group_size", 128), 2, 1 << 16);
                const double more = (bits - static_cast<double>(least)) * 256;
                return whole && more == 0
                           ? integers(least, for_groups(group, 16))
                           : integers(least, for_groups(256, static_cast<std::int64_t>(std::lround(more))));
            }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Precision> integers(std::int64_t bits, const Layout& layout) {
    constexpr std::array<std::pair<std::int64_t, NumberFormat>, 4> known{
        {{2, P::int2}, {3, P::int3}, {4, P::int4}, {8, P::int8}}};
    for (const auto& [number, format] : known)
        if (number == bits) return Precision(format, layout);
    return std::nullopt;
}

Layout for_groups(std::int64_t group, std::int64_t bits) {
    return group > 1 ? Layout{.block = group, .block_bits = bits} : Layout{.row_bits = bits};
}

void add_rules(Quantizing& quantizing, const std::vector<std::string>& names, const std::optional<Precision>& stored) {
    for (const std::string& name : names) {
        const bool expression = name.starts_with("re:");
        quantizing.rules.push_back({name == "Linear" ? ModuleRule::Says::linear
                                    : expression     ? ModuleRule::Says::expression
                                                     : ModuleRule::Says::components,
                                    expression ? name.substr(3) : name, stored});
    }
}

namespace {

std::optional<Quantizing> read_quantizing(const Json& config, const Precision& whole) {
    const std::string name = said_text(config, "quant_method");
    if (name == "compressed-tensors") return compressed_tensors(config, whole);
    if (name == "modelopt" || config.contains("quant_algo")) return modelopt(config, whole);
    Quantizing found{.kinds = whole, .rules = {}};
    const auto method = std::ranges::find(methods, name, &Method::name);
    const Stored stored = method != methods.end() ? method->stored(config, info(whole).bits) : std::nullopt;
    if (name == "hqq" && !stored) read_hqq_modules(config, whole, found);
    if (!stored && !found.rules.empty()) return found;
    if (!stored) {
        Stored rough = about(config);
        if (!rough) rough = about(said_object(said_object(config, "quant_config"), hqq_params));
        if (!rough) return std::nullopt;
        found.rough = "of how " + (name.empty() ? "quantization_config" : quote(name)) +
                      " stores weights no more than the bits is known";
        set_layers(found.kinds, *rough);
        return found;
    }
    if (method->uncounted && method->uncounted->numbers == stored->numbers) found.uncounted = method->uncounted->what;
    found.every_linear = method->of == Method::Of::every_linear;
    if (method->of == Method::Of::experts)
        found.kinds.of(WeightKind::experts) = stored;
    else
        set_layers(found.kinds, *stored);
    add_rules(found, said_texts(config, method->skipped), std::nullopt);
    if (name == "gptq") {
        read_dynamic(config, found);
        read_chosen(config, found, *stored);
        if (said_flag(config, "lm_head", false)) found.kinds.of(WeightKind::output) = stored;
    }
    found.scales_open = said_text(config, "scale_fmt") == "ue8m0";
    // A list that does not name the output head leaves it in no peace.
    const auto list = config.find("llm_int8_skip_modules");
    if (name == "bitsandbytes" && list != config.end() && list->is_array()) found.kinds.of(WeightKind::output) = stored;
    return found;
}

// Where the size of groups is said as what is none, the usual one stands in its place, or a whole row (-1).
std::string unread_groups(const Json& config) {
    const auto is_size = [](const Json& value) {
        return value.is_null() || (value.is_number_integer() && (value > 0 || value == -1));
    };
    const Json flat = config.flatten();
    for (const auto& [path, value] : flat.items())
        if (path.ends_with("group_size") && !is_size(value))
            return "the " + path.substr(path.rfind('/') + 1) + " " + value.dump() +
                   " of quantization_config is not known";
    return "";
}

}  // namespace

std::optional<Quantizing> quantizing_in(const Json& config, const Precision& whole) {
    std::optional<Quantizing> found = read_quantizing(config, whole);
    if (found && found->rough.empty()) found->rough = unread_groups(config);
    return found;
}

bool says_cache(const Json& config) {
    return std::ranges::any_of(std::array{"kv_cache_scheme", "kv_cache_quant_algo"}, [&](const char* key) {
        const auto found = config.find(key);
        return found != config.end() && !found->is_null() && *found != "none";
    });
}

std::optional<Precision> cache_in(const Json& config) {
    const Json scheme = said_object(config, "kv_cache_scheme");
    const std::int64_t bits = said_number(scheme, "num_bits", 0);
    const bool real = said_text(scheme, "type") == "float";
    const std::string word = said_text(config, "kv_cache_quant_algo");
    if (word == "FP8" || (real && bits == 8)) return Precision(P::fp8);
    if (word == "NVFP4" || (real && bits == 4)) return Precision(P::nvfp4, {.block = 16, .block_bits = 8});
    if (word == "INT8" || (!real && bits == 8)) return Precision(P::int8);
    return std::nullopt;
}

}  // namespace headcount
