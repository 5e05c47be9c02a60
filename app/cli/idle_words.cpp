// Finds words that play no part.
#include "app/cli/idle_words.hpp"

#include <algorithm>
#include <array>

#include "core/analysis/stored_weights.hpp"
#include "core/arch/layers.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/graph/graph.hpp"

namespace headcount {
namespace {

constexpr const char* leave_out = "leave it out";

// A number of the input that the model itself says, whatever it is told.
void find_fixed(const Architecture& arch, const InputArguments& words, std::vector<Error>& idle) {
    const Input asked{.tokens = words.tokens.value_or(1), .source = words.source.value_or(1)};
    const Bindings computed = bindings(arch, asked);
    const auto other = [&](Symbol symbol, std::int64_t number) -> std::optional<std::int64_t> {
        const std::optional<std::int64_t> all = computed[symbol];
        return all == number ? std::nullopt : all;
    };
    if (words.source && !arch.encoder)
        idle.push_back(
            {"this model has no encoder beside a decoder, which could read a source", "--source", leave_out});
    else if (const auto all = other(Symbol::source, asked.source); words.source && all)
        idle.push_back({"the encoder of this model always reads " + grouped(*all) + " positions of sound", "--source",
                        "leave it out, or give " + grouped(*all)});
    if (const auto all = other(Symbol::tokens, asked.tokens); words.tokens && all)
        idle.push_back({"this model always reads an image, as " + grouped(*all) + " rows", "--tokens",
                        "give " + grouped(*all) + ", or another image by --set image_height and image_width"});
}

bool masks_some(const ModelGraph& graph) {
    return std::ranges::any_of(
        graph.nodes, [](const Node& each) { return each.op == Op::masked_softmax && !each.rule<Mask>().sees_all(); });
}

// Whether a tensor of the checkpoint is called so, in each of these layers.
bool has_tensor(const Architecture& arch, const ModelGraph& graph, const NamedFormat& named) {
    std::vector<std::int64_t> layers;
    bool found = false;
    for (const StoredTensor& stored : graph.stored) {
        if (stored.name != named.tensor) continue;
        found = true;
        if (!stored.layer || named.layers.empty()) continue;
        const std::vector<std::int64_t> own = layers_of(arch, graph.layers[*stored.layer].group);
        layers.insert(layers.end(), own.begin(), own.end());
    }
    return found && std::ranges::all_of(named.layers, [&](const auto& range) {
               const auto within = [&](std::int64_t layer) { return range.first <= layer && layer <= range.second; };
               return std::ranges::count_if(layers, within) == range.second - range.first + 1;
           });
}

// A format of what the model does not have.
void find_formats(const Architecture& arch, const ModelGraph& graph, const std::string& text,
                  std::vector<Error>& idle) {
    std::array<bool, weight_kind_count> has{};
    for (const StoredTensor& stored : graph.stored)
        for (const TensorIndex part : stored.parts) has[static_cast<std::size_t>(weight_kind(graph, part))] = true;
    for (const KeyValue& part : pairs_of(text)) {
        const std::vector<WeightKind> kinds = kinds_called(part.key);
        const auto is_there = [&](WeightKind kind) { return has[static_cast<std::size_t>(kind)]; };
        if (!kinds.empty() && std::ranges::none_of(kinds, is_there))
            idle.push_back(
                {"this model has no weights of " + quote(part.key) + " by themselves", "--dtype", leave_out});
    }
    const Result<Formats> formats = parse_formats(text, "--dtype");
    if (!formats) return;
    for (const NamedFormat& each : formats->named)
        if (!has_tensor(arch, graph, each))
            idle.push_back(
                {"this model has no tensor " + quote(each.tensor) +
                     (each.layers.empty() ? "" : " in all of these layers"),
                 "--dtype",
                 "name one that \"headcount tensors\" lists, a layer's as model.layers.[3].mlp.up_proj.weight"});
}

}  // namespace

std::vector<Error> idle_in(const Document& document, const InputArguments& words) {
    const Architecture& arch = document.architecture;
    std::vector<Error> idle;
    find_fixed(arch, words, idle);
    const bool formats = words.precision && words.precision->find('=') != std::string::npos;
    if (!words.cache && !words.full && !formats) return idle;
    const ModelGraph graph = expand(arch);
    if (words.cache && !graph.remembers())
        idle.push_back({"this model keeps nothing of earlier tokens", "--kv-dtype", leave_out});
    if (words.full && !masks_some(graph))
        idle.push_back({"in this model no key is masked from a query", "--full", leave_out});
    if (formats) find_formats(arch, graph, *words.precision, idle);
    return idle;
}

namespace {

// Operations are those of the form of latent attention that takes less time at the roof.
bool hangs_on(Metric metric, InputWord word, const Architecture& arch) {
    const Unit unit = info(metric).unit;
    if (unit == Unit::parameters) return false;
    const bool of_weights = metric == Metric::weights, of_one = of_weights || metric == Metric::cache_per_token;
    if (metric == Metric::states)
        return word == InputWord::batch || word == InputWord::dtype || word == InputWord::kv_dtype ||
               word == InputWord::phase;
    const bool counted = unit == Unit::flops && !arch.layer.attention.latent;
    const bool divided =
        source_of(metric) == Metric::memory || needs_device(metric) || (unit == Unit::flops && !counted);
    switch (word) {
        case InputWord::tokens:
        case InputWord::cached: return !of_one && metric != Metric::longest_context;
        case InputWord::batch: return !of_one && metric != Metric::largest_batch;
        case InputWord::source:
        case InputWord::phase: return !of_one;
        case InputWord::dtype: return !counted;
        case InputWord::kv_dtype: return !counted && !of_weights;
        case InputWord::device:
        case InputWord::devices:
        case InputWord::tensor:
        case InputWord::pipeline:
        case InputWord::context: return divided;
        case InputWord::expert: return divided || counted;
        case InputWord::link: return is_timed(metric);
        case InputWord::full: return unit == Unit::flops || is_timed(metric);
    }
    return true;
}

}  // namespace

std::vector<Error> idle_in_figures(const Architecture& arch, const InputArguments& words,
                                   std::span<const Metric> figures, std::string_view fix) {
    std::vector<Error> idle;
    for (const SaidWord& each : words.said) {
        // Adapters are weights, too; else these hang on no phase.
        const auto plays = [&](Metric metric) {
            return hangs_on(metric, each.word, arch) || (each.flag == "--adapter" && metric == Metric::weights);
        };
        if (std::ranges::none_of(figures, plays))
            idle.push_back({"nothing that is shown depends on this", each.flag, std::string(fix)});
    }
    return idle;
}

Failure idle_in_all(std::span<const OpenedDocument* const> models) {
    if (models.empty()) return std::nullopt;
    for (const Error& each : models.front()->idle) {
        const bool everywhere = std::ranges::all_of(models, [&](const OpenedDocument* model) {
            return std::ranges::count(model->idle, each.where, &Error::where) > 0;
        });
        if (everywhere) return each;
    }
    return std::nullopt;
}

}  // namespace headcount
