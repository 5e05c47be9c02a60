// Where the layers of a model differ.
#include "core/arch/layers.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/arch/family.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

std::uint32_t bits_of(const std::vector<LayerSet>& sets, std::int64_t layer) {
    std::uint32_t bits = 0, bit = 1;
    for (const LayerSet& set : sets) {
        if (set.contains(layer)) bits |= bit;
        bit <<= 1;
    }
    return bits;
}

// Beside layers that have attention.
std::string_view word_of(RecurrenceKind kind) {
    constexpr std::array<std::string_view, 10> words{"state space", "linear",   "state space", "convolution",
                                                     "linear",      "linear",   "recurrent",   "mean",
                                                     "recurrent",   "recurrent"};
    return words[static_cast<std::size_t>(kind)];
}

// What tells a group from the others, one word for each difference that there is. What attention or a feed-forward has
// is no difference from layers without it.
std::string words_for(const LayerKind& kind, const std::vector<LayerGroup>& groups, const Layer& layer, bool numbered) {
    const auto any = [](const LayerKind&) { return true; };
    const auto attends = [](const LayerKind& of) { return of.attention; };
    const auto mixes = [](const LayerKind& of) { return of.attention || of.recurrent; };
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
    const bool first = (kind.unnormed && differs(&LayerKind::unnormed, any)) || (kind.convolved && groups.size() > 1);
    if (first || kind.gives_values) add("first");
    if (kind.shared) add(numbered ? "shared " + std::to_string(kind.shared->which + 1) : "shared");
    const bool mixed = differs(&LayerKind::recurrent, any) || differs(&LayerKind::attention, any);
    if (kind.recurrent && mixed) add(word_of(layer.recurrence->kind));
    if (kind.feed_forward && differs(&LayerKind::mixture, feeds_forward)) add(kind.mixture ? "mixture" : "dense");
    if (kind.attention && windows)
        add(!kind.windowed ? "full" : layer.attention.window->chunked ? "chunked" : "sliding");
    if (kind.attention && !windows && mixed) add("attention");
    if (kind.attention && !windows && differs(&LayerKind::rotated, attends)) add(kind.rotated ? "rotary" : "unrotated");
    if (differs(&LayerKind::borrows, attends) && kind.borrows) add("borrowing");
    if (differs(&LayerKind::indexed, attends) && !kind.indexed) add("unindexed");
    if (differs(&LayerKind::sparse, feeds_forward) && kind.sparse) add("sparse");
    if (!kind.feed_forward && mixes(kind) && differs(&LayerKind::feed_forward, mixes)) add("alone");
    const bool unlike = std::ranges::any_of(groups, [&](const LayerGroup& group) {
        return group.kind.besides != kind.besides || group.kind.shared != kind.shared ||
               group.kind.convolved != kind.convolved || group.kind.gives_values != kind.gives_values;
    });
    if (words.empty() && unlike) add(kind.besides == 0 ? "plain" : "with more");
    if (words.empty() && !mixes(kind)) add(kind.mixture ? "mixture" : "feed-forward");
    return words;
}

void name(std::vector<LayerGroup>& groups, const Layer& layer) {
    const auto largest = std::ranges::max_element(groups, {}, &LayerGroup::count);
    for (LayerGroup& group : groups) {
        group.label = words_for(group.kind, groups, layer, true);
        group.look = words_for(group.kind, groups, layer, false);
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

LayerKinds::LayerKinds(const Architecture& arch, bool encoder) : arch_(arch), encoder_(encoder) {
    if (encoder) return;
    if (arch.layer.recurrence && arch.layer.recurrence->kind == RecurrenceKind::general_delta)
        giving_ = first_recurrent();
    if (!arch.family) return;
    if (arch.family->besides)
        for (Extra& beside : arch.family->besides(arch))
            if (beside.in_layers && beside.layers != LayerSet() && !contains(besides_, beside.layers))
                besides_.push_back(std::move(beside.layers));
    if (arch.family->shared) shared_ = arch.family->shared(arch);
    convolves_ = arch.family->convolution && arch.family->convolution(arch);
}

// Among the layers that the pattern's sets tell apart.
std::optional<std::int64_t> LayerKinds::first_recurrent() const {
    const LayerSet &mixers = arch_.layer.mixer_layers, &own = arch_.layer.recurrence->layers;
    const std::int64_t seen = std::max(mixers.first(), own.first()) + std::lcm(mixers.cycle(), own.cycle());
    for (std::int64_t layer = 0; layer < std::min(arch_.layers, seen); ++layer)
        if (mixers.contains(layer) && own.contains(layer)) return layer;
    return std::nullopt;
}

LayerKind LayerKinds::operator[](std::int64_t layer) const {
    const bool unnormed = !arch_.norm.first && layer == 0;
    const Layer& all = arch_.layer;
    if (encoder_)
        return {.windowed = all.attention.window && arch_.encoder->windowed.contains(layer),
                .rotated = arch_.positions == Positions::rope,
                .mixture = all.mixture && arch_.encoder->mixtures.contains(layer),
                .encoder = true,
                .unnormed = unnormed};
    const bool mixes = all.mixer_layers.contains(layer);
    const bool recurrent = mixes && all.recurrence && all.recurrence->layers.contains(layer);
    const bool attention = mixes && (!recurrent || all.recurrence->beside_attention);
    const bool feed_forward = all.feed_forward_layers.contains(layer);
    const bool mixture = feed_forward && all.mixture && all.mixture->layers.contains(layer);
    const bool shares = shared_ && shared_->layers.contains(layer);
    const std::int64_t use = shares ? shared_->layers.count(layer) : 0;
    const bool turns = arch_.positions == Positions::rope && all.attention.rotated.contains(layer);
    return {.windowed = attention && all.attention.window && all.attention.window->layers.contains(layer),
            .rotated = (attention || shares) && turns,
            .mixture = mixture,
            .attention = attention,
            .recurrent = recurrent,
            .feed_forward = feed_forward,
            .borrows = attention && all.attention.borrowing.contains(layer),
            .indexed = attention && all.attention.indexer && all.attention.indexer->layers.contains(layer),
            .unnormed = unnormed,
            .convolved = convolves_ && layer == 0,
            .sparse = feed_forward && !mixture && all.feed_forward.gated && all.sparse_layers.contains(layer),
            .gives_values = giving_ == layer,
            .shared = shares ? std::optional(SharedUse{use, use % shared_->sets}) : std::nullopt,
            .besides = bits_of(besides_, layer)};
}

// Every set of layers in which the layers of the stack differ.
std::vector<const LayerSet*> LayerKinds::sets() const {
    std::vector<const LayerSet*> sets;
    const Attention& attention = arch_.layer.attention;
    if (encoder_) {
        if (attention.window) sets.push_back(&arch_.encoder->windowed);
        if (arch_.layer.mixture) sets.push_back(&arch_.encoder->mixtures);
        return sets;
    }
    if (attention.window) sets.push_back(&attention.window->layers);
    if (arch_.positions == Positions::rope) sets.push_back(&attention.rotated);
    if (arch_.layer.mixture) sets.push_back(&arch_.layer.mixture->layers);
    if (arch_.layer.recurrence) sets.push_back(&arch_.layer.recurrence->layers);
    if (attention.indexer) sets.push_back(&attention.indexer->layers);
    sets.push_back(&attention.borrowing);
    sets.push_back(&arch_.layer.mixer_layers);
    sets.push_back(&arch_.layer.feed_forward_layers);
    sets.push_back(&arch_.layer.sparse_layers);
    for (const LayerSet& set : besides_) sets.push_back(&set);
    return sets;
}

LayerKinds::Pattern LayerKinds::pattern() const {
    Pattern pattern;
    for (const LayerSet* set : sets()) {
        pattern.first = std::max(pattern.first, set->first());
        // A pattern that is too long is refused before it grows out of 64 bits: each cycle is at most 4,096.
        if (pattern.cycle <= longest_pattern) pattern.cycle = std::lcm(pattern.cycle, set->cycle());
    }
    if (!arch_.norm.first || convolves_) pattern.first = std::max<std::int64_t>(pattern.first, 1);
    if (giving_) pattern.first = std::max(pattern.first, *giving_ + 1);
    if (shared_) pattern.first = std::max(pattern.first, arch_.layers);  // each that has it is of a kind of its own
    return pattern;
}

LayerKind layer_kind(const Architecture& arch, std::int64_t layer, bool encoder) {
    return LayerKinds(arch, encoder)[layer];
}

bool are_built_alike(const LayerKind& a, const LayerKind& b) {
    LayerKind other = b;
    if (a.shared && b.shared) other.shared = a.shared;
    return a == other;
}

std::int64_t stack_layers(const Architecture& arch, const LayerKind& kind) {
    return kind.encoder ? arch.encoder->layers : arch.layers;
}

bool is_of_kind(const Architecture& arch, std::int64_t layer, const LayerKind& kind) {
    return layer < stack_layers(arch, kind) && layer_kind(arch, layer, kind.encoder) == kind;
}

std::int64_t pattern_length(const Architecture& arch, bool encoder) {
    const LayerKinds::Pattern pattern = LayerKinds(arch, encoder).pattern();
    return pattern.first + pattern.cycle;
}

namespace {

std::vector<LayerGroup> groups_of_stack(const Architecture& arch, bool encoder) {
    const LayerKinds kinds(arch, encoder);
    const LayerKinds::Pattern pattern = kinds.pattern();
    const std::int64_t layers = encoder ? arch.encoder->layers : arch.layers;
    const std::int64_t seen = std::min(layers, pattern.first + std::min(pattern.cycle, longest_pattern));
    std::vector<LayerGroup> groups;
    for (std::int64_t layer = 0; layer < seen; ++layer) {
        const LayerKind kind = kinds[layer];
        // A layer of the cycle stands for all that come a whole number of cycles later.
        std::int64_t copies = layer < pattern.first ? 1 : 1 + (layers - 1 - layer) / pattern.cycle;
        const auto group = std::ranges::find(groups, kind, &LayerGroup::kind);
        if (group == groups.end())
            groups.push_back({.kind = kind, .first = layer, .count = copies, .name = {}, .label = {}});
        else
            group->count += copies;
    }
    name(groups, arch.layer);
    if (!arch.encoder) return groups;
    const std::string stack = encoder ? "encoder" : "decoder";
    for (LayerGroup& group : groups) {
        for (std::string* words : {&group.label, &group.look}) *words = words->empty() ? stack : stack + ", " + *words;
        if (encoder) group.main = false;
    }
    return groups;
}

}  // namespace

std::vector<LayerGroup> layer_groups(const Architecture& arch) {
    std::vector<LayerGroup> groups = groups_of_stack(arch, false);
    if (!arch.encoder) return groups;
    const std::vector<LayerGroup> before = groups_of_stack(arch, true);
    groups.insert(groups.begin(), before.begin(), before.end());
    return groups;
}

std::vector<std::int64_t> layers_of(const Architecture& arch, const LayerGroup& group) {
    std::vector<std::int64_t> layers;
    const LayerKinds kinds(arch, group.kind.encoder);
    for (std::int64_t layer = group.first; std::ssize(layers) < group.count; ++layer)
        if (kinds[layer] == group.kind) layers.push_back(layer);
    return layers;
}

Expr LayerKinds::count(const LayerGroup& group) const {
    const Expr all = encoder_ ? Symbol::encoder_layers : Symbol::layers;
    const std::int64_t layers = stack_layers(arch_, group.kind);
    if (group.count == layers) return all;
    const bool rest = pattern().cycle == 1 && group.kind == (*this)[layers - 1] && group.count > 1;
    return rest ? all - (layers - group.count) : Expr(group.count);
}

}  // namespace headcount
