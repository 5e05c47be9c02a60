// Sizes along a family's proportions.
#include "core/analysis/same_shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "core/analysis/sweep.hpp"
#include "core/arch/matters.hpp"
#include "core/arch/validate.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::int64_t widest = 1 << 20;
constexpr std::int64_t around = 6;         // widths on each side of the nearest that are tried
constexpr std::int64_t layers_around = 2;  // of the layers that bring the total nearest
constexpr double near_enough = 0.03;       // of the total
// How many times off the proportions may be; the next where nothing that is
// near enough was found.
constexpr std::array<double, 3> tolerances{1.15, 1.4, 1e300};

struct Size {
    double total;
    Proportions proportions;
};

struct Candidate {
    SizedModel model;
    double off = 0;  // logarithm of how many times off its proportions are
};

std::int64_t ffn_width(const Architecture& arch) {
    if (arch.layer.mixture) return arch.layer.mixture->expert_dim;
    return field_number(arch, Field::ffn_dim).value_or(arch.dim);
}

// Made of the same parts, so that its proportions mean the same.
bool alike(const Architecture& a, const Architecture& b) {
    return a.layer.mixture.has_value() == b.layer.mixture.has_value() &&
           a.layer.attention.latent.has_value() == b.layer.attention.latent.has_value() &&
           a.layer.recurrence.has_value() == b.layer.recurrence.has_value() &&
           a.layer.feed_forward.gated == b.layer.feed_forward.gated;
}

// The published sizes that are followed.
std::vector<Architecture> followed(const Architecture& arch, std::span<const Architecture> siblings) {
    std::vector<Architecture> kept;
    bool own = false;
    for (const Architecture& each : siblings) {
        if (!alike(arch, each) || !possible(each)) continue;
        own = own || (proportions_of(each) == proportions_of(arch) && each.dim == arch.dim);
        kept.push_back(each);
    }
    if (!own) kept.clear();
    return kept;
}

// As many key/value heads as all published sizes have, however many query heads these have; nothing where they differ.
std::optional<std::int64_t> kv_heads_of(const std::vector<Architecture>& published) {
    if (published.empty()) return std::nullopt;
    const Attention& first = published.front().layer.attention;
    const auto same = [&](const Architecture& each) { return each.layer.attention.kv_heads == first.kv_heads; };
    const auto other = [&](const Architecture& each) { return each.layer.attention.heads != first.heads; };
    return std::ranges::all_of(published, same) && std::ranges::any_of(published, other) ? first.kv_heads
                                                                                         : std::nullopt;
}

class Scaler {
  public:
    Scaler(const Architecture& arch, std::span<const Architecture> siblings, std::int64_t total)
        : arch_(arch), maker_(Input{.tokens = 1}), total_(total) {
        const std::vector<Architecture> published = followed(arch, siblings);
        wanted_ = wanted(published);
        kv_heads_ = kv_heads_of(published);
        if (kv_heads_ != arch.layer.attention.kv_heads) kv_heads_.reset();
        const Attention& attention = arch.layer.attention;
        std::optional<std::int64_t> head;
        if (attends(arch) && !attention.latent) head = bindings(arch, Input{})[Symbol::head_dim];
        if (head && (*head > widest || *head < 1)) head.reset();
        // Whole heads where they make up the width.
        const bool makes_width = head && arch.dim % *head == 0 && arch.dim / *head == attention.heads;
        unit_ = makes_width ? *head : std::lcm(kept_multiple(Field::dim, arch.dim), head.value_or(1));
        // Heads that make up the width are as many as key/value heads divide, where that leaves enough widths.
        const std::int64_t groups = kv_heads_.value_or(served()), all = std::lcm(unit_, head.value_or(1) * groups);
        const bool enough = all <= width_about() / (kv_heads_ ? 2 : 4);
        if (!enough && makes_width) kv_heads_.reset();
        if (!attention.latent && enough && (makes_width || !kv_heads_)) unit_ = all;
        if (unit_ > arch.dim) unit_ = std::max<std::int64_t>(1, kept_multiple(Field::dim, arch.dim));
    }

    Result<std::vector<SizedModel>> nearest(std::size_t most) {
        std::int64_t low = 1, high = 1;  // widths, in units
        while (high * unit_ < widest && total_at(high) < total_) {
            low = high;
            high *= 2;
        }
        while (low + 1 < high) {
            const std::int64_t middle = low + (high - low) / 2;
            (total_at(middle) < total_ ? low : high) = middle;
        }
        std::vector<Candidate> all;
        for (std::int64_t place = std::max<std::int64_t>(1, low - around); place <= low + 1 + around; ++place) {
            const std::int64_t middle = layers_at(place);
            for (std::int64_t more = -layers_around; more <= layers_around; ++more)
                add_model(all, place, middle + more);
        }
        if (all.empty())
            return Error{"no size of this shape is possible near " + short_count(total_) + " parameters", "--size",
                         "change what it must fit as well, with --set"};
        std::ranges::stable_sort(all, [&](const Candidate& a, const Candidate& b) {
            return away(a) != away(b) ? away(a) < away(b) : a.off < b.off;
        });
        std::vector<SizedModel> found;
        for (const double tolerance : tolerances) {
            found.clear();
            for (const Candidate& each : all)
                if (each.off <= std::log(tolerance)) found.push_back(each.model);
            if (!found.empty() && static_cast<double>(std::abs(found.front().parameters.total - total_)) <=
                                      near_enough * static_cast<double>(total_))
                break;
        }
        if (std::abs(found.front().parameters.total - total_) > total_)
            return Error{"no size of this shape is as small as " + short_count(total_) + " parameters", "--size",
                         "the nearest possible is " + grouped(found.front().parameters.total)};
        if (found.size() > most) found.resize(most);
        return found;
    }

  private:
    std::int64_t away(const Candidate& each) const { return std::abs(each.model.parameters.total - total_); }

    // At the total: of the sizes on both sides of it, by how near it is to each.
    Proportions wanted(const std::vector<Architecture>& published) {
        std::vector<Size> sizes;
        for (const Architecture& each : published)
            if (const auto counted = maker_.total_of(each))
                sizes.push_back({static_cast<double>(*counted), proportions_of(each)});
        if (sizes.empty()) return proportions_of(arch_);
        std::ranges::stable_sort(sizes, [](const Size& a, const Size& b) { return a.total < b.total; });
        const auto total = static_cast<double>(total_);
        const auto above = std::ranges::find_if(sizes, [&](const Size& size) { return size.total >= total; });
        if (above == sizes.begin()) return above->proportions;
        if (above == sizes.end()) return sizes.back().proportions;
        const Size& below = *(above - 1);
        const double part = std::log(total / below.total) / std::log(above->total / below.total);
        const auto between = [&](double a, double b) { return std::exp(std::lerp(std::log(a), std::log(b), part)); };
        return {between(below.proportions.width_per_layer, above->proportions.width_per_layer),
                between(below.proportions.ffn_per_width, above->proportions.ffn_per_width)};
    }

    std::int64_t layers_wanted(std::int64_t place) const {
        return rounded(static_cast<double>(place * unit_) / wanted_.width_per_layer, 1);
    }

    // The layers that bring the total nearest at a width.
    std::int64_t layers_at(std::int64_t place) {
        const std::int64_t layers = layers_wanted(place);
        const std::optional<Totals>&now = totals_at(place, layers), &after = totals_at(place, layers + 1);
        if (!now || !after || after->total <= now->total) return layers;
        const double more = static_cast<double>(total_ - now->total) / static_cast<double>(after->total - now->total);
        const auto most = static_cast<double>(layers);
        return layers + static_cast<std::int64_t>(std::round(std::clamp(more, -most, most)));
    }

    static std::int64_t rounded(double value, std::int64_t multiple) {
        constexpr double most = 1e12;  // far beyond what is possible, and it fits
        const double times = std::min(most, std::round(value / static_cast<double>(multiple)));
        return std::max<std::int64_t>(1, static_cast<std::int64_t>(times)) * multiple;
    }

    // About how wide the size that is wanted is, and at least as wide as it is now: parameters grow by the third power.
    std::int64_t width_about() {
        const std::optional<std::int64_t> now = maker_.total_of(arch_);
        const double times = now && *now > 0 ? std::cbrt(static_cast<double>(total_) / static_cast<double>(*now)) : 1;
        return static_cast<std::int64_t>(
            std::min<double>(widest, static_cast<double>(arch_.dim) * std::max(1.0, times)));
    }

    // Query heads that a key/value head serves.
    std::int64_t served() const {
        const Attention& attention = arch_.layer.attention;
        if (!attention.kv_heads || *attention.kv_heads <= 1) return 1;
        return std::clamp<std::int64_t>(attention.heads / *attention.kv_heads, 1, widest);
    }

    // Heads of the same size; key/value heads as the family has them, or such that each serves as many.
    void set_heads(Architecture& arch) const {
        if (!attends(arch)) return;
        Attention& attention = arch.layer.attention;
        const std::int64_t before = attention.heads;
        // What all heads are wide beside the model's width stays.
        attention.heads =
            rounded(static_cast<double>(before) * static_cast<double>(arch.dim) / static_cast<double>(arch_.dim),
                    kv_heads_.value_or(1));
        if (!attention.kv_heads || attention.latent) return;
        std::int64_t kv =
            kv_heads_.value_or(*attention.kv_heads == 1 ? 1 : std::max<std::int64_t>(1, attention.heads / served()));
        if (kv > widest) kv = 1;
        while (attention.heads % kv != 0) --kv;
        attention.kv_heads = kv;
    }

    // As many times as the width, and whole groups.
    void set_state_heads(Architecture& arch) const {
        if (!arch.layer.recurrence) return;
        Recurrence& recurrence = *arch.layer.recurrence;
        const double times = static_cast<double>(arch.dim) / static_cast<double>(arch_.dim);
        recurrence.heads = rounded(static_cast<double>(recurrence.heads) * times, recurrence.groups);
    }

    Architecture model(std::int64_t place, std::int64_t layers) const {
        Architecture scaled = arch_;
        scaled.dim = place * unit_;
        const double width = static_cast<double>(scaled.dim);
        scaled.layers = layers;
        if (scaled.encoder) {
            const double beside = static_cast<double>(arch_.encoder->layers) / static_cast<double>(arch_.layers);
            scaled.encoder->layers = rounded(static_cast<double>(layers) * beside, 1);
            if (auto& own = scaled.encoder->ffn_dim)
                own = rounded(static_cast<double>(*own) * width / static_cast<double>(arch_.dim),
                              kept_multiple(Field::encoder_ffn_dim, *own));
        }
        set_heads(scaled);
        set_state_heads(scaled);
        const std::int64_t now = ffn_width(arch_);
        const Field field = arch_.layer.mixture ? Field::expert_dim : Field::ffn_dim;
        const std::int64_t ffn = rounded(width * wanted_.ffn_per_width, kept_multiple(field, now));
        if (arch_.layer.mixture) scaled.layer.mixture->expert_dim = ffn;
        if (auto* dense = std::get_if<std::int64_t>(&scaled.layer.feed_forward.width)) {
            const double own = static_cast<double>(*dense) / static_cast<double>(arch_.dim);
            *dense = arch_.layer.mixture ? rounded(width * own, kept_multiple(Field::ffn_dim, *dense)) : ffn;
        }
        if (scaled.embedding_dim)
            scaled.embedding_dim =
                rounded(static_cast<double>(*arch_.embedding_dim) * width / static_cast<double>(arch_.dim),
                        kept_multiple(Field::embedding_dim, *arch_.embedding_dim));
        return scaled;
    }

    // Nothing where they do not fit in 64 bits. Where layers differ each number of them is another graph.
    const std::optional<Totals>& totals_at(std::int64_t place, std::int64_t layers) {
        const auto [at, is_new] = totals_.try_emplace({place, layers});
        if (!is_new) return at->second;
        if (const Result<Totals> totals = maker_.totals_of(model(place, layers))) at->second = *totals;
        return at->second;
    }

    std::int64_t total_at(std::int64_t place) {
        const std::optional<Totals>& totals = totals_at(place, layers_wanted(place));
        return totals ? totals->total : INT64_MAX;
    }

    void add_model(std::vector<Candidate>& found, std::int64_t place, std::int64_t layers) {
        if (layers < 1) return;
        const Architecture scaled = model(place, layers);
        if (!possible(scaled)) return;
        const std::optional<Totals>& totals = totals_at(place, layers);
        if (!totals) return;
        const Proportions came = proportions_of(scaled);
        const double off = std::abs(std::log(came.width_per_layer / wanted_.width_per_layer)) +
                           std::abs(std::log(came.ffn_per_width / wanted_.ffn_per_width));
        found.push_back({{scaled, *totals, came}, off});
    }

    const Architecture& arch_;
    PointMaker maker_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::optional<Totals>> totals_;
    std::int64_t total_;
    Proportions wanted_;
    std::optional<std::int64_t> kv_heads_;  // of the family
    std::int64_t unit_ = 1;
};

}  // namespace

std::vector<Field> sized_fields(const Architecture& arch) {
    std::vector<Field> fields{Field::dim, Field::layers, Field::heads};
    if (arch.encoder) fields.push_back(Field::encoder_layers);
    if (arch.layer.attention.kv_heads && !arch.layer.attention.latent) fields.push_back(Field::kv_heads);
    fields.push_back(Field::ffn_dim);
    if (arch.encoder && arch.encoder->ffn_dim) fields.push_back(Field::encoder_ffn_dim);
    if (arch.layer.recurrence) fields.push_back(Field::state_heads);
    if (arch.layer.mixture) fields.push_back(Field::expert_dim);
    if (arch.embedding_dim) fields.push_back(Field::embedding_dim);
    std::erase_if(fields, [&](Field field) { return !matters(arch, field); });
    return fields;
}

Proportions proportions_of(const Architecture& arch) {
    const double width = static_cast<double>(arch.dim);
    return {width / static_cast<double>(arch.layers), static_cast<double>(ffn_width(arch)) / width};
}

std::size_t sizes_followed(const Architecture& arch, std::span<const Architecture> siblings) {
    return std::max<std::size_t>(1, followed(arch, siblings).size());
}

Result<std::vector<SizedModel>> same_shape(const Architecture& arch, std::span<const Architecture> siblings,
                                           std::int64_t total, std::size_t most) {
    if (total < 1) return Error{"a size of " + grouped(total) + " is none", "--size", "give at least 1"};
    if (const std::vector<Problem> problems = validate(arch); !problems.empty()) return problems.front().error;
    return Scaler(arch, siblings, total).nearest(most);
}

}  // namespace headcount
