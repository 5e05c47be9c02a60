// Puts together what configurations and weights say of formats.
#include "core/files/stored_formats.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/arch/validate.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/formats_of_modules.hpp"
#include "core/files/formats_of_tensors.hpp"
#include "core/files/quantizers.hpp"
#include "core/files/said.hpp"

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

// Of a configuration that says something of quantization; null.
const Json* quantization_in(const Carried& configuration) {
    const Json& all = configuration.object();
    const auto config = all.find("quantization_config");
    return config == all.end() || !config->is_object() || config->empty() ? nullptr : &*config;
}

// What stands there in the place of such an object, as JSON; empty where nothing does.
std::string no_quantization(const Carried& configuration) {
    const Json& all = configuration.object();
    const auto config = all.find("quantization_config");
    const bool says = config != all.end() && !config->is_object() && !config->is_null() && *config != false;
    return says ? config->dump() : "";
}

// Whether its graph can be made, and every layer looked at by itself.
bool can_be_listed(const Architecture& arch) {
    constexpr std::int64_t most_layers = 100'000;
    return arch.layers <= most_layers && (!arch.encoder || arch.encoder->layers <= most_layers) &&
           validate(arch).empty();
}

}  // namespace

std::optional<Formats> quantized_formats(const Architecture& arch) {
    if (!quantization_in(arch.carried)) return std::nullopt;
    const StoredFormats stored = stored_formats(arch);
    return stored.doubt.empty() ? stored.weights : std::nullopt;
}

std::optional<Precision> quantized_cache(const Architecture& arch) {
    const Json* const config = quantization_in(arch.carried);
    return config ? cache_in(*config) : std::nullopt;
}

StoredFormats stored_formats(const Architecture& arch) {
    StoredFormats found;
    const std::optional<P> computed = computed_in(arch.carried);
    if (computed) found.weights = *computed;
    found.cache = quantized_cache(arch);
    const Json* const config = quantization_in(arch.carried);
    if (const std::string text = no_quantization(arch.carried); !text.empty())
        found.doubt = "quantization_config is " + shown(text) + ", and no object that says how they are stored";
    if (config && !can_be_listed(arch)) {
        found.doubt = "its layers cannot be listed";
    } else if (config) {
        if (const std::optional<Quantizing> quantizing = quantizing_in(*config, computed.value_or(P::bf16))) {
            const FormatsOfModules modules = formats_of_modules(arch, expand(arch), *quantizing);
            found.weights = modules.formats;
            found.scales_open = quantizing->scales_open;
            if (!quantizing->uncounted.empty())
                found.notes.push_back("Not counted in what the weights take: " + quantizing->uncounted + ".");
            found.doubt = found.scales_open ? "scales of ue8m0 take a byte or four" : quantizing->rough;
            if (modules.experts_differ) found.doubt = "some of a layer's experts are stored otherwise than its first";
            if (modules.senses_open) found.doubt = "which matrices of tower and connector are quantized is not known";
            for (const std::string& unread : modules.unread)
                found.doubt = "the expression " + quote(unread) + " of quantization_config cannot be read";
        } else {
            const std::string method = said_text(*config, "quant_method");
            found.doubt = "how quantization_config stores weights" + (method.empty() ? "" : " (" + method + ")") +
                          " is not known";
        }
    }
    if (config && says_cache(*config) && !found.cache)
        found.notes.emplace_back("Not known: in what keys and values are cached; --kv-dtype says it.");
    for (const char* field : {"dtype", "torch_dtype"})
        if (const std::string word = said_text(arch.carried.object(), field);
            !word.empty() && word != "auto" && !computed)
            found.notes.push_back("Not known: " + std::string(field) + " " + quote(word) +
                                  "; --dtype says how weights are stored.");
    return found;
}

Input published_input(const Architecture& arch, const std::optional<Formats>& stored) {
    Input input = first_input(arch);
    const StoredFormats said = stored_formats(arch);
    input.precision = stored ? *stored : said.weights.value_or(input.precision);
    input.cache = said.cache;
    return input;
}

Input input_for_other(Input input, const Architecture& one, const Architecture& other) {
    return input_for_other(std::move(input), published_input(one), published_input(other));
}

Input input_for_other(Input input, const Input& own, const Input& of_other) {
    if (input.precision == own.precision) input.precision = of_other.precision;
    if (input.cache == own.cache) input.cache = of_other.cache;
    return input;
}

std::string doubt_on_weights(const Architecture& arch, const Formats& weights) {
    if (!quantization_in(arch.carried) && no_quantization(arch.carried).empty()) return "";
    const StoredFormats stored = stored_formats(arch);
    return stored.weights.value_or(Input{}.precision) == weights ? stored.doubt : "";
}

std::vector<std::string> notes_on(const StoredFormats& stored) {
    std::vector<std::string> notes = stored.notes;
    if (!stored.doubt.empty())
        notes.insert(notes.begin(), "What the weights take is only about right: " + stored.doubt +
                                        ". --dtype says how they are stored.");
    return notes;
}

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

namespace {

// The recipes by which llama-quantize may have made a GGUF file, as this says: with an importance matrix, and without.
std::vector<Recipe> recipes_of(const Checkpoint& weights) {
    std::vector<Recipe> found;
    if (!is_gguf(weights) || !weights.metadata.is_object()) return found;
    const std::int64_t type = said_number(weights.metadata, "general.file_type", -1);
    for (const RecipeInfo& recipe : recipes())
        if (recipe.file_type == type) found.push_back(recipe.recipe);
    return found;
}

// Bits of a tile's scale, as the weights have them; nothing where they have none.
std::optional<std::int64_t> bits_of_scales(const Checkpoint& weights) {
    for (const CheckpointTensor& tensor : weights.tensors)
        if (tensor.name.ends_with(".weight_scale_inv")) return tensor.type.bytes * 8 / tensor.type.elements;
    return std::nullopt;
}

void set_scales(Precision& format, std::int64_t bits) {
    Layout shared = layout(format);
    if (shared.blocks != Blocks::tile) return;
    shared.block_bits = bits;
    format = Precision(format.numbers, shared);
}

}  // namespace

StoredFormats stored_formats(const Checkpoint& weights, const Architecture& arch) {
    StoredFormats found = stored_formats(arch);
    if (!can_be_listed(arch)) return found;
    const ModelGraph graph = expand(arch);
    const std::vector<Recipe> possible = recipes_of(weights);
    const std::optional<Formats> each = formats_of_tensors(weights, arch, graph);
    if (each || is_gguf(weights)) found.doubt.clear();
    if (each) {
        const auto alike =
            std::ranges::find_if(possible, [&](Recipe recipe) { return store_alike(arch, graph, *each, recipe); });
        found.weights = alike != possible.end() ? Formats(*alike) : *each;
    } else if (!possible.empty())
        found.weights = possible.front();
    else if (!found.weights || is_gguf(weights))
        found.weights = formats_of_matrices(weights);
    if (const std::optional<std::int64_t> bits = bits_of_scales(weights); bits && found.weights) {
        for (std::optional<Precision>& kind : found.weights->own)
            if (kind) set_scales(*kind, *bits);
        for (NamedFormat& named : found.weights->named) set_scales(named.precision, *bits);
        if (found.scales_open) found.doubt.clear();
    }
    return found;
}

}  // namespace headcount
