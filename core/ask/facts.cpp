// What follows from a few numbers: bits of a parameter, bytes of so many, one dimension for each of another, and which
// layers are of which kind.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/made_for.hpp"
#include "core/analysis/stored_weights.hpp"
#include "core/arch/fields.hpp"
#include "core/arch/layers.hpp"
#include "core/arch/matters.hpp"
#include "core/ask/answer.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/graph/attributes.hpp"

namespace headcount {
namespace {

constexpr double bits_of_a_byte = 8;

// Layers from 0, as "0 to 4, 6 to 10, 12".
std::string runs_text(const std::vector<std::int64_t>& layers) {
    constexpr std::size_t most = 8;
    std::vector<std::string> runs;
    for (std::size_t i = 0; i < layers.size();) {
        std::size_t end = i + 1;
        while (end < layers.size() && layers[end] == layers[end - 1] + 1) ++end;
        runs.push_back(grouped(layers[i]) + (end > i + 1 ? " to " + grouped(layers[end - 1]) : ""));
        i = end;
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(most, runs.size()); ++i) text += (i > 0 ? ", " : "") + runs[i];
    return text + (runs.size() > most ? ", ... " + runs.back() : "");
}

}  // namespace

AskOutcome answer_bits(const WideQuestion& question) {
    const CountedModel& model = question.model;
    const Formats& formats = model.input.precision;
    const Result<std::int64_t> bytes =
        evaluate(StoredWeights(model.architecture, model.graph, formats).total(model.graph), model.bindings);
    if (!bytes) return {std::nullopt, sentence(bytes.error()), {}};
    const double each = static_cast<double>(*bytes) / static_cast<double>(model.parameters.total);
    const std::string in_bits = real_text(bits_of_a_byte * each), in_bytes = real_text(each);
    const bool asks_bytes = question.heard.wide == AskWide::bytes_each;
    AskAnswer answer;
    answer.title = std::string(asks_bytes ? "Bytes" : "Bits") + " of a parameter, on the average";
    answer.about = asked_about(model, false, formats_title(formats));
    answer.number = asks_bytes ? in_bytes : in_bits;
    answer.unit = asks_bytes ? "bytes" : "bits";
    const std::string times = asks_bytes ? "" : "8 · ";
    answer.symbols = times + "bytes of all weights / parameters";
    answer.numbers = times + grouped(*bytes) + " / " + grouped(model.parameters.total);
    answer.result = answer.number;
    answer.notes.push_back(asks_bytes ? in_bits + " bits." : in_bytes + " bytes.");
    answer.notes.emplace_back("With scales, and with what stays in another format, such as norms.");
    answer.light = "total";
    return {std::move(answer), {}, {}};
}

AskOutcome answer_sized(const WideQuestion& question) {
    const std::int64_t parameters = *question.heard.total;
    const Formats& formats = question.model.input.precision;
    if (formats != Formats(formats.rest))
        return {std::nullopt, "Say one format of all parameters, such as fp16 or int4.", {}};
    const Result<std::int64_t> bytes = evaluate(bytes_formula(Expr(parameters), formats.rest), {});
    if (!bytes) return {std::nullopt, sentence(bytes.error()), {}};
    AskAnswer answer;
    answer.title = short_count(parameters) + " parameters in " + formats_title(formats);
    answer.about = "any model";
    answer.count = *bytes;
    answer.number = answer.result = grouped(*bytes);
    answer.unit = "bytes";
    answer.in_short = bytes_text(*bytes);
    const double each = static_cast<double>(*bytes) / static_cast<double>(parameters);
    answer.symbols = "parameters · bytes of one";
    answer.numbers = grouped(parameters) + " · " + real_text(each);
    if (layout(formats.rest).block > 1)
        answer.notes.emplace_back("With the scales of its blocks; what a model keeps in 16 bits is not known.");
    answer.notes.emplace_back("The weights alone: name a model for its KV cache and activations.");
    return {std::move(answer), {}, {}};
}

AskOutcome answer_ratio(const WideQuestion& question) {
    const CountedModel& model = question.model;
    const auto [over, under] = *question.heard.ratio;
    std::string missing;
    const auto size = [&](Symbol symbol) {
        const std::int64_t value = size_of(model, symbol).value_or(0);
        if (value <= 0 && missing.empty()) missing = info(symbol).name;
        return std::max<std::int64_t>(1, value);
    };
    const std::int64_t above = size(over), below = size(under);
    if (!missing.empty()) return {std::nullopt, model.architecture.name + " has no " + missing + ".", {}};
    AskAnswer answer;
    answer.title = "Ratio of " + std::string(info(over).name) + " to " + std::string(info(under).name);
    answer.about = model.architecture.name;
    answer.number = answer.result = real_text(static_cast<double>(above) / static_cast<double>(below));
    if (above % below == 0) answer.count = above / below;
    answer.symbols = std::string(info(over).text) + " / " + std::string(info(under).text);
    answer.numbers = std::to_string(above) + " / " + std::to_string(below);
    if (const std::optional<Field> field = field_of(over)) answer.light = "field." + std::string(info(*field).key);
    return {std::move(answer), {}, {}};
}

std::string value_words(const Architecture& arch, Field field) {
    return matters(arch, field) && field_text(arch, field) ? field_words(arch, field) : "";
}

AskOutcome answer_field(const WideQuestion& question) {
    const Architecture& arch = question.model.architecture;
    const FieldInfo& field = info(*question.heard.field);
    AskAnswer answer;
    answer.title = field.label;
    answer.about = arch.name;
    answer.says = field.meaning;
    answer.number = answer.result = value_words(arch, field.field);
    answer.light = "field." + std::string(field.key);
    if (answer.number.empty())
        return {std::nullopt, arch.name + " has no " + lower(std::string(field.label)) + ".", {}};
    return {std::move(answer), {}, {}};
}

AskOutcome answer_device_speed(const WideQuestion& question) {
    const Heard& heard = question.heard;
    const std::optional<Device>& own = question.about.pass.device;
    const Device* const device = heard.device ? heard.device : own ? &*own : nullptr;
    if (!device) return {std::nullopt, "Say of which device, such as an H100.", {}};
    const bool peak = heard.wide == AskWide::peak;
    const Precision format = heard.precision_given ? heard.input.precision.rest : Precision(Precision::bf16);
    const std::optional<double> speed = peak ? peak_flops(*device, format) : device->bandwidth;
    if (!speed) return {std::nullopt, unpublished_speed(*device) + ".", {}};
    AskAnswer answer;
    // What it does not multiply as stored it multiplies in 16 bits.
    const bool as_stored =
        *speed != device->flops_16 ||
        contains(std::array{Precision::bf16, Precision::fp16, Precision::tf32, Precision::fp32}, format.numbers);
    answer.title = !peak ? "Memory bandwidth" : "Peak in " + (as_stored ? precision_text(format) : "16 bits");
    answer.about = device->name;
    answer.number = answer.result = peak ? peak_text({*speed, 1}) : bandwidth_text(*speed);
    if (peak) answer.notes.emplace_back("Of dense matrix products, without zeros that are passed over.");
    if (peak && !as_stored)
        answer.notes.push_back("Numbers in " + precision_text(format) + " are multiplied in 16 bits here.");
    answer.notes.push_back(device->source + ".");
    return {std::move(answer), {}, {}};
}

AskOutcome answer_rope_base(const WideQuestion& question) {
    constexpr std::array<std::string_view, 7> scalings{"",     "linear",   "dynamic",     "llama3",
                                                       "yarn", "longrope", "proportional"};
    static_assert(scalings.size() == static_cast<std::size_t>(RopeScaling::proportional) + 1);
    const CountedModel& model = question.model;
    AskAnswer answer;
    answer.title = "Base of rotary positions, θ";
    answer.about = model.architecture.name;
    answer.says = "Pair i of d columns is turned by θ^(−2·i/d) from one position to the next.";
    std::vector<Rope> known;
    std::vector<double> bases;
    for (const Node& node : model.graph.nodes) {
        if (node.op != Op::rotate) continue;
        const Rope& rope = node.rule<Rotation>().rope;
        if (contains(known, rope)) continue;
        known.push_back(rope);
        if (!contains(bases, rope.base)) {
            answer.number += (bases.empty() ? "" : " and ") + grouped(std::llround(rope.base));
            bases.push_back(rope.base);
        }
        const std::optional<std::size_t> layer = model.graph.layer_of(node.block);
        if (rope.scaling != RopeScaling::none)
            answer.notes.push_back("Scaled as " + std::string(scalings[static_cast<std::size_t>(rope.scaling)]) +
                                   " does" + (rope.factor == 1 ? "" : ", by " + factor_text(rope.factor)) +
                                   (layer && !model.graph.layers[*layer].group.label.empty()
                                        ? ", in layers called " + model.graph.layers[*layer].group.label
                                        : std::string()) +
                                   ".");
    }
    if (known.empty()) return {std::nullopt, model.architecture.name + " has no rotary positions.", {}};
    answer.result = answer.number;
    answer.light = "field.positions";
    return {std::move(answer), {}, {}};
}

AskOutcome answer_layers_of(const WideQuestion& question) {
    const CountedModel& model = question.model;
    struct Kind {
        std::string label;
        bool encoder;
        std::vector<std::int64_t> layers;
        bool asked;
    };
    std::vector<Kind> kinds;
    for (const LayerBlock& each : model.graph.layers) {
        const LayerGroup& group = each.group;
        const bool asked = question.heard.layer_named && model.graph.blocks[each.block].id == question.heard.layer;
        const std::string& label = group.look.empty() ? group.label : group.look;
        auto kind = std::ranges::find_if(
            kinds, [&](const Kind& known) { return known.label == label && known.encoder == group.kind.encoder; });
        if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {label, group.kind.encoder, {}, false});
        kind->asked = kind->asked || asked;
        for (std::int64_t layer = group.first; layer < stack_layers(model.architecture, group.kind); ++layer)
            if (is_of_kind(model.architecture, layer, group.kind)) kind->layers.push_back(layer);
    }
    for (Kind& each : kinds) std::ranges::sort(each.layers);
    const auto named = [&](const Kind& kind) {
        std::string words = kind.encoder && model.architecture.encoder ? "encoder" : "";
        if (!kind.label.empty()) words += (words.empty() ? "" : ", ") + kind.label;
        return words.empty() ? std::string("alike") : words;
    };
    const auto asked = std::ranges::find(kinds, true, &Kind::asked);
    const Kind& shown = asked == kinds.end() ? kinds.front() : *asked;
    AskAnswer answer;
    answer.title = "Layers, " + named(shown);
    answer.about = model.architecture.name;
    answer.count = std::ssize(shown.layers);
    answer.number = answer.result = grouped(std::ssize(shown.layers));
    answer.unit = "layers: " + runs_text(shown.layers);
    for (const Kind& each : kinds)
        if (&each != &shown)
            answer.notes.push_back(capitalized(named(each)) + ": " + grouped(std::ssize(each.layers)) +
                                   (each.layers.size() == 1 ? " layer: " : " layers: ") + runs_text(each.layers) + ".");
    if (kinds.size() == 1)
        answer.notes.emplace_back("All layers are of one kind. They are numbered from 0.");
    else
        answer.notes.emplace_back("Layers are numbered from 0.");
    answer.light = "field.layers";
    return {std::move(answer), {}, {}};
}

}  // namespace headcount
