// Where the layers of a model differ.
#include "core/arch/layers.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/arch/family.hpp"

namespace headcount {
namespace {

// Every set of layers in which the layers of this model differ.
std::vector<const LayerSet*> sets_of(const Architecture& arch) {
    std::vector<const LayerSet*> sets;
    const Attention& attention = arch.layer.attention;
    if (attention.window) sets.push_back(&attention.window->layers);
    if (arch.positions == Positions::rope) sets.push_back(&attention.rotated);
    if (arch.layer.mixture) sets.push_back(&arch.layer.mixture->layers);
    if (arch.layer.recurrence) sets.push_back(&arch.layer.recurrence->layers);
    if (attention.indexer) sets.push_back(&attention.indexer->layers);
    sets.push_back(&attention.borrowing);
    sets.push_back(&arch.layer.mixer_layers);
    sets.push_back(&arch.layer.feed_forward_layers);
    sets.push_back(&arch.layer.own_mixers);
    return sets;
}

// Beside layers that have attention.
std::string_view word_of(RecurrenceKind kind) {
    constexpr std::array<std::string_view, 5> words{"state space", "linear", "state space", "convolution", "linear"};
    return words[static_cast<std::size_t>(kind)];
}

// The layers before the pattern's cycle, and the cycle's length.
struct Pattern {
    std::int64_t first = 0, cycle = 1;
};

Pattern pattern_of(const Architecture& arch) {
    Pattern pattern;
    const std::vector<OwnTensor> own = own_tensors(arch);
    std::vector<const LayerSet*> sets = sets_of(arch);
    for (const OwnTensor& tensor : own)
        if (tensor.layers) sets.push_back(&*tensor.layers);
    for (const LayerSet* set : sets) {
        pattern.first = std::max(pattern.first, set->first());
        // A pattern that is too long is refused before it grows out of 64 bits: each cycle is at most 4,096.
        if (pattern.cycle <= longest_pattern) pattern.cycle = std::lcm(pattern.cycle, set->cycle());
    }
    if (!arch.norm.first) pattern.first = std::max<std::int64_t>(pattern.first, 1);
    return pattern;
}

// A bit for each set of layers that has some of the family's own tensors, where this layer is in it.
std::uint32_t own_tensors_of(const Architecture& arch, std::int64_t layer) {
    std::uint32_t bits = 0;
    const std::vector<OwnTensor> own = own_tensors(arch);
    std::vector<const LayerSet*> sets;
    for (const OwnTensor& tensor : own) {
        if (!tensor.layers) continue;
        const LayerSet& layers = *tensor.layers;
        if (std::ranges::any_of(sets, [&](const LayerSet* set) { return *set == layers; })) continue;
        if (layers.contains(layer)) bits |= std::uint32_t{1} << sets.size();
        sets.push_back(&layers);
    }
    return bits;
}

// What tells a group from the others, one word for each difference that there is. What attention or a feed-forward has
// is no difference from layers without it.
std::string words_for(const LayerKind& kind, const std::vector<LayerGroup>& groups, const Layer& layer) {
    const auto any = [](const LayerKind&) { return true; };
    const auto attends = [](const LayerKind& of) { return of.attention; };
    const auto mixes = [](const LayerKind& of) { return of.attention || of.recurrent || of.own; };
    const auto feeds_forward = [](const LayerKind& of) { return of.feed_forward; };
    const auto differs = [&](bool LayerKind::*trait, auto among) {
        const LayerGroup* first = nullptr;
        for (const LayerGroup& group : groups) {
            if (!among(group.kind)) continue;
            if (first && group.kind.*trait != first->kind.*trait) return true;
            first = &group;
        }
        return false;
    };
    std::string words;
    const auto add = [&](std::string_view word) { words += (words.empty() ? "" : " ") + std::string(word); };
    const bool windows = differs(&LayerKind::windowed, attends);
    if (kind.unnormed && differs(&LayerKind::unnormed, any)) add("first");
    const bool mixed = differs(&LayerKind::recurrent, any) || differs(&LayerKind::attention, any);
    if (kind.recurrent && mixed) add(word_of(layer.recurrence->kind));
    if (kind.own && differs(&LayerKind::own, any)) add("own");
    if (kind.feed_forward && differs(&LayerKind::mixture, feeds_forward)) add(kind.mixture ? "mixture" : "dense");
    if (kind.attention && windows)
        add(!kind.windowed ? "full" : layer.attention.window->chunked ? "chunked" : "sliding");
    if (kind.attention && !windows && mixed) add("attention");
    if (kind.attention && !windows && differs(&LayerKind::rotated, attends)) add(kind.rotated ? "rotary" : "unrotated");
    if (differs(&LayerKind::borrows, attends) && kind.borrows) add("borrowing");
    if (differs(&LayerKind::indexed, attends) && !kind.indexed) add("unindexed");
    if (!kind.feed_forward && mixes(kind) && differs(&LayerKind::feed_forward, mixes)) add("alone");
    const bool unlike = std::ranges::any_of(
        groups, [&](const LayerGroup& group) { return group.kind.tensors != kind.tensors; });
    if (words.empty() && unlike) add(kind.tensors == 0 ? "plain" : "with more");
    if (words.empty() && !mixes(kind)) add(kind.mixture ? "mixture" : "feed-forward");
    return words;
}

void name(std::vector<LayerGroup>& groups, const Layer& layer) {
    const auto largest = std::ranges::max_element(groups, {}, &LayerGroup::count);
    for (LayerGroup& group : groups) {
        group.label = words_for(group.kind, groups, layer);
        group.name = "layer";
        group.main = &group == &*largest;
        if (group.main) continue;
        group.name += "_" + (group.label.empty() ? std::string("unrotated") : group.label);
        std::ranges::replace_if(
            group.name, [](char letter) { return letter == ' ' || letter == '-'; }, '_');
    }
    // Two groups may differ in rotation and window at once, where one word tells them apart no more.
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (groups[i].name == groups[j].name) groups[i].name += "_" + std::to_string(i);
}

}  // namespace

LayerKind layer_kind(const Architecture& arch, std::int64_t layer, bool encoder) {
    const bool unnormed = !arch.norm.first && layer == 0;
    if (encoder) return {.rotated = false, .encoder = true, .unnormed = unnormed};
    const Layer& all = arch.layer;
    const bool own = all.own_mixers.contains(layer);
    const bool mixes = !own && all.mixer_layers.contains(layer);
    const bool recurrent = mixes && all.recurrence && all.recurrence->layers.contains(layer);
    const bool attention = mixes && (!recurrent || all.recurrence->beside_attention);
    const bool feed_forward = all.feed_forward_layers.contains(layer);
    return {.windowed = attention && all.attention.window && all.attention.window->layers.contains(layer),
            .rotated = attention && arch.positions == Positions::rope && all.attention.rotated.contains(layer),
            .mixture = feed_forward && all.mixture && all.mixture->layers.contains(layer),
            .attention = attention,
            .recurrent = recurrent,
            .feed_forward = feed_forward,
            .borrows = attention && all.attention.borrowing.contains(layer),
            .indexed = attention && all.attention.indexer && all.attention.indexer->layers.contains(layer),
            .unnormed = unnormed,
            .own = own,
            .tensors = own_tensors_of(arch, layer)};
}

std::int64_t stack_layers(const Architecture& arch, const LayerKind& kind) {
    return kind.encoder ? arch.encoder->layers : arch.layers;
}

bool is_of_kind(const Architecture& arch, std::int64_t layer, const LayerKind& kind) {
    return layer < stack_layers(arch, kind) && layer_kind(arch, layer, kind.encoder) == kind;
}

std::int64_t pattern_length(const Architecture& arch) {
    Pattern pattern = pattern_of(arch);
    return pattern.first + pattern.cycle;
}

std::vector<OwnTensor> own_tensors(const Architecture& arch) {
    return arch.family && arch.family->own ? arch.family->own(arch) : std::vector<OwnTensor>();
}

std::vector<LayerGroup> layer_groups(const Architecture& arch) {
    Pattern pattern = pattern_of(arch);
    std::int64_t seen = std::min(arch.layers, pattern.first + std::min(pattern.cycle, longest_pattern));
    std::vector<LayerGroup> groups;
    for (std::int64_t layer = 0; layer < seen; ++layer) {
        LayerKind kind = layer_kind(arch, layer);
        // A layer of the cycle stands for all that come a whole number of cycles later.
        std::int64_t copies = layer < pattern.first ? 1 : 1 + (arch.layers - 1 - layer) / pattern.cycle;
        const auto group = std::ranges::find(groups, kind, &LayerGroup::kind);
        if (group == groups.end())
            groups.push_back({kind, layer, copies, {}, {}});
        else
            group->count += copies;
    }
    name(groups, arch.layer);
    if (!arch.encoder) return groups;
    for (LayerGroup& group : groups) group.label = group.label.empty() ? "decoder" : "decoder, " + group.label;
    groups.insert(groups.begin(), {layer_kind(arch, 0, true), 0, arch.encoder->layers, "layer", "encoder"});
    return groups;
}

Expr layer_count(const Architecture& arch, const LayerGroup& group) {
    if (group.kind.encoder) return Symbol::encoder_layers;
    if (group.count == arch.layers) return Symbol::layers;
    Pattern pattern = pattern_of(arch);
    bool rest = pattern.cycle == 1 && group.kind == layer_kind(arch, arch.layers - 1) && group.count > 1;
    return rest ? Expr(Symbol::layers) - (arch.layers - group.count) : Expr(group.count);
}

}  // namespace headcount
