// compressed-tensors and ModelOpt: files in which groups of modules are stored each in their own way.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/files/quantizers.hpp"
#include "core/files/said.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;
using P = Precision;
using Stored = std::optional<Precision>;

// Whether a number of the inputs is kept as well: their scale, where that does not follow from what is read.
bool scales_inputs(const Json& group) {
    const Json inputs = said_object(group, "input_activations");
    return !inputs.empty() && !said_flag(inputs, "dynamic", false);
}

// NVFP4's two scales of a tensor: of its numbers, and of what it reads.
Stored nvfp4(bool reads) { return Precision(P::nvfp4, {.block = 16, .block_bits = 8, .tensor_bits = reads ? 64 : 32}); }

// Where scales lie, each of so many bits; and two numbers of 64 bits, a matrix's sides, where it is packed.
Stored with_scales(NumberFormat numbers, const Json& weights, std::int64_t each, std::int64_t beside) {
    std::string strategy = said_text(weights, "strategy");
    const std::int64_t group = said_number(weights, "group_size", -1);
    if (strategy.empty()) strategy = group > 1 ? "group" : "tensor";
    if (strategy == "block") {
        const auto sides = weights.find("block_structure");
        const bool square = sides != weights.end() && sides->is_array() && sides->size() == 2 &&
                            (*sides)[0].is_number_integer() && (*sides)[0] == (*sides)[1] && (*sides)[0] > 1;
        if (!square) return std::nullopt;
        return Precision(numbers,
                         {.block = (*sides)[0], .block_bits = each, .blocks = Blocks::tile, .tensor_bits = beside});
    }
    const bool whole = strategy == "tensor";
    Layout layout = whole ? Layout{} : for_groups(strategy == "channel" ? -1 : group, each);
    layout.tensor_bits = beside + (whole ? each : 0);
    const std::string order = said_text(weights, "actorder");
    if (order == "group" || order == "dynamic") layout.column_bits = 32;
    return Precision(numbers, layout);
}

// compressors of compressed-tensors: pack-quantized, int-quantized, float-quantized, nvfp4- and mxfp4-pack-quantized.
Stored stored_group(const Json& group, std::string format, std::int64_t whole) {
    const Json weights = said_object(group, "weights");
    if (const std::string own = said_text(group, "format"); !own.empty()) format = own;
    if (format == "mixed-precision") format.clear();
    const std::int64_t bits = said_number(weights, "num_bits", 0), size = said_number(weights, "group_size", -1);
    const std::int64_t of_inputs = scales_inputs(group) ? whole : 0;
    if (said_text(weights, "type") == "float") {
        if (bits == 8) return with_scales(P::fp8, weights, whole, of_inputs);
        if (bits == 4 && size == 32) return Precision(P::mxfp4);
        return bits == 4 ? nvfp4(group.contains("input_activations") && !group["input_activations"].is_null())
                         : std::nullopt;
    }
    const bool packed = format.empty() ? bits != 8 : format == "pack-quantized";
    if (!packed && format != "int-quantized" && format != "naive-quantized" && !format.empty()) return std::nullopt;
    const std::int64_t zeros = said_flag(weights, "symmetric", true) ? 0 : packed ? bits : 8;
    const Stored numbers = integers(bits, {});
    return numbers ? with_scales(numbers->numbers, weights, whole + zeros, of_inputs + (packed ? 128 : 0))
                   : std::nullopt;
}

// "FP8", "NVFP4" and the like of ModelOpt's unified checkpoints.
Stored stored_by(const std::string& algorithm, std::int64_t group, std::int64_t whole) {
    if (algorithm == "FP8") return Precision(P::fp8, {.tensor_bits = 64});
    if (algorithm == "FP8_PER_CHANNEL_PER_TOKEN") return Precision(P::fp8, {.row_bits = 32});
    if (algorithm == "NVFP4") return nvfp4(true);
    if (algorithm == "W4A16_NVFP4") return nvfp4(false);
    if (algorithm == "MXFP4") return Precision(P::mxfp4);
    if (algorithm == "W4A16_AWQ" || algorithm == "W4A16")
        return integers(4, {.block = std::max<std::int64_t>(group, 2), .block_bits = 32, .column_bits = whole});
    return std::nullopt;
}

}  // namespace

Quantizing compressed_tensors(const Json& config, const Precision& whole) {
    Quantizing found{.kinds = whole, .rules = {}};
    add_rules(found, said_texts(config, "ignore"), std::nullopt);
    const Json groups = said_object(config, "config_groups");
    for (const auto& [name, group] : groups.items()) {
        if (!group.is_object() || said_object(group, "weights").empty()) continue;
        const Stored stored = stored_group(group, said_text(config, "format"), info(whole).bits);
        if (!stored) found.rough = "of how " + name + " of compressed-tensors stores weights too little is known";
        add_rules(found, said_texts(group, "targets"), stored);
    }
    // Names come before classes, whatever their order.
    std::stable_partition(found.rules.begin(), found.rules.end(),
                          [](const ModuleRule& rule) { return rule.says != ModuleRule::Says::linear; });
    const Json scheme = said_object(config, "kv_cache_scheme");
    if (groups.empty() && scheme.empty()) found.rough = "compressed-tensors says no group of what it stores";
    if (!scheme.empty() && !said_flag(scheme, "dynamic", false)) found.cache_scale = info(whole).bits;
    return found;
}

Quantizing modelopt(const Json& config, const Precision& whole) {
    Quantizing found{.kinds = whole, .rules = {}};
    const std::string algorithm = said_text(config, "quant_algo");
    const std::int64_t group = said_number(config, "group_size", 128), bits = info(whole).bits;
    for (const char* key : {"exclude_modules", "ignore", "modules_to_not_convert"})
        add_rules(found, said_texts(config, key), std::nullopt);
    const Json layers = said_object(config, "quantized_layers");
    for (const auto& [name, own] : layers.items())
        if (own.is_object())
            add_rules(found, {name},
                      stored_by(said_text(own, "quant_algo"), said_number(own, "group_size", group), bits));
    const Stored all = stored_by(algorithm, group, bits);
    if (all)
        for (const WeightKind kind : layer_kinds) found.kinds.of(kind) = *all;
    else if (layers.empty())
        found.rough = "of how ModelOpt's " + algorithm + " stores weights too little is known";
    if (said_text(config, "kv_cache_quant_algo") == "FP8") found.cache_scale = 32;
    return found;
}

}  // namespace headcount
