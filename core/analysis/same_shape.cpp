// Sizes along a family's proportions.
#include "core/analysis/same_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/steps.hpp"
#include "core/arch/validate.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::int64_t widest = 1 << 20;
constexpr std::int64_t most_layers_off = 2;  // from what the proportions ask for
constexpr std::int64_t around = 6;           // widths on each side of the nearest that are tried

struct Size {
    double width;
    Proportions proportions;
};

std::int64_t ffn_width(const Architecture& arch) {
    if (arch.layer.mixture) return arch.layer.mixture->expert_dim;
    return field_number(arch, Field::ffn_dim).value_or(arch.dim);
}

// Made of the same parts, so that its proportions mean the same.
bool alike(const Architecture& a, const Architecture& b) {
    return a.layer.mixture.has_value() == b.layer.mixture.has_value() &&
           a.layer.attention.latent.has_value() == b.layer.attention.latent.has_value() &&
           a.layer.feed_forward.gated == b.layer.feed_forward.gated;
}

class Scaler {
  public:
    Scaler(const Architecture& arch, std::span<const Architecture> siblings) : arch_(arch), maker_(Input{.tokens = 1}) {
        for (const Architecture& each : siblings)
            if (alike(arch, each) && possible(each)) add(each);
        // The model's own, at its width, before what another of the same width has.
        std::erase_if(sizes_, [&](const Size& size) { return size.width == static_cast<double>(arch.dim); });
        add(arch);
        std::sort(sizes_.begin(), sizes_.end(), [](const Size& a, const Size& b) { return a.width < b.width; });
        const Attention& attention = arch.layer.attention;
        head_ = attention.latent ? std::nullopt : bindings(arch, Input{})[Symbol::head_dim];
        if (head_ && *head_ > widest) head_.reset();
        unit_ = std::lcm(kept_multiple(Field::dim, arch.dim), head_.value_or(1));
        const std::int64_t serves = served();
        if (!attention.latent && unit_ * serves <= arch.dim / 4) unit_ = std::lcm(unit_, head_.value_or(1) * serves);
        if (unit_ > arch.dim) unit_ = std::max<std::int64_t>(1, kept_multiple(Field::dim, arch.dim));
    }

    Result<std::vector<SizedModel>> nearest(std::int64_t total, std::size_t most) {
        std::int64_t low = 1, high = 1;  // widths, in units
        while (high * unit_ < widest && total_at(high) < total) {
            low = high;
            high *= 2;
        }
        while (low + 1 < high) {
            const std::int64_t middle = low + (high - low) / 2;
            (total_at(middle) < total ? low : high) = middle;
        }
        std::vector<SizedModel> found;
        for (std::int64_t place = std::max<std::int64_t>(1, low - around); place <= low + 1 + around; ++place)
            for (std::int64_t more = -most_layers_off; more <= most_layers_off; ++more) add_model(found, place, more);
        if (found.empty())
            return Error{"no size of this shape is possible near " + short_count(total) + " parameters", "--size",
                         "change what it must fit as well, with --set"};
        const auto away = [&](const SizedModel& model) { return std::abs(model.parameters.total - total); };
        std::stable_sort(found.begin(), found.end(),
                         [&](const SizedModel& a, const SizedModel& b) { return away(a) < away(b); });
        if (away(found.front()) > total)
            return Error{"no size of this shape is as small as " + short_count(total) + " parameters", "--size",
                         "the nearest possible is " + grouped(found.front().parameters.total)};
        if (found.size() > most) found.resize(most);
        return found;
    }

  private:
    void add(const Architecture& arch) { sizes_.push_back({static_cast<double>(arch.dim), proportions_of(arch)}); }

    // At a width: of the sizes on both sides of it, by how near it is to each.
    Proportions proportions_at(double width) const {
        const auto above =
            std::find_if(sizes_.begin(), sizes_.end(), [&](const Size& size) { return size.width >= width; });
        if (above == sizes_.begin()) return above->proportions;
        if (above == sizes_.end()) return sizes_.back().proportions;
        const Size& below = *(above - 1);
        const double part = std::log(width / below.width) / std::log(above->width / below.width);
        const auto between = [&](double a, double b) { return std::exp(std::lerp(std::log(a), std::log(b), part)); };
        return {between(below.proportions.width_per_layer, above->proportions.width_per_layer),
                between(below.proportions.ffn_per_width, above->proportions.ffn_per_width)};
    }

    static std::int64_t rounded(double value, std::int64_t multiple) {
        constexpr double most = 1e12;  // far beyond what is possible, and it fits
        const double times = std::min(most, std::round(value / static_cast<double>(multiple)));
        return std::max<std::int64_t>(1, static_cast<std::int64_t>(times)) * multiple;
    }

    // Query heads that a key/value head serves.
    std::int64_t served() const {
        const Attention& attention = arch_.layer.attention;
        if (!attention.kv_heads || *attention.kv_heads <= 1) return 1;
        return std::clamp<std::int64_t>(attention.heads / *attention.kv_heads, 1, widest);
    }

    // Heads of the same size, and key/value heads that serve as many.
    void set_heads(Architecture& arch) const {
        Attention& attention = arch.layer.attention;
        const std::int64_t before = attention.heads;
        // What all heads are wide beside the model's width stays.
        attention.heads =
            rounded(static_cast<double>(before) * static_cast<double>(arch.dim) / static_cast<double>(arch_.dim), 1);
        if (!attention.kv_heads || attention.latent) return;
        const std::int64_t serves = served();
        std::int64_t kv = *attention.kv_heads == 1 ? 1 : std::max<std::int64_t>(1, attention.heads / serves);
        if (kv > widest) kv = 1;
        while (attention.heads % kv != 0) --kv;
        attention.kv_heads = kv;
    }

    std::optional<Architecture> model(std::int64_t place, std::int64_t more) const {
        Architecture scaled = arch_;
        scaled.dim = place * unit_;
        const double width = static_cast<double>(scaled.dim);
        const Proportions wanted = proportions_at(width);
        scaled.layers = rounded(width / wanted.width_per_layer, 1) + more;
        if (scaled.layers < 1) return std::nullopt;
        set_heads(scaled);
        const std::int64_t now = ffn_width(arch_);
        const Field field = arch_.layer.mixture ? Field::expert_dim : Field::ffn_dim;
        const std::int64_t ffn = rounded(width * wanted.ffn_per_width, kept_multiple(field, now));
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

    std::int64_t total_at(std::int64_t place) {
        const std::optional<Architecture> scaled = model(place, 0);
        return scaled ? maker_.total_of(*scaled).value_or(INT64_MAX) : 0;
    }

    void add_model(std::vector<SizedModel>& found, std::int64_t place, std::int64_t more) {
        const std::optional<Architecture> scaled = model(place, more);
        if (!scaled || !possible(*scaled)) return;
        const Result<SweepPoint> point = maker_.at(*scaled);
        if (point) found.push_back({*scaled, point->parameters, proportions_of(*scaled)});
    }

    const Architecture& arch_;
    PointMaker maker_;
    std::vector<Size> sizes_;
    std::optional<std::int64_t> head_;
    std::int64_t unit_ = 1;
};

}  // namespace

std::vector<Field> sized_fields(const Architecture& arch) {
    std::vector<Field> fields{Field::dim, Field::layers, Field::heads};
    if (arch.layer.attention.kv_heads && !arch.layer.attention.latent) fields.push_back(Field::kv_heads);
    const bool dense = !arch.layer.mixture || arch.layer.mixture->layers.count(arch.layers) < arch.layers;
    if (dense) fields.push_back(Field::ffn_dim);
    if (arch.layer.mixture) fields.push_back(Field::expert_dim);
    if (arch.embedding_dim) fields.push_back(Field::embedding_dim);
    return fields;
}

Proportions proportions_of(const Architecture& arch) {
    const double width = static_cast<double>(arch.dim);
    return {width / static_cast<double>(arch.layers), static_cast<double>(ffn_width(arch)) / width};
}

Result<std::vector<SizedModel>> same_shape(const Architecture& arch, std::span<const Architecture> siblings,
                                           std::int64_t total, std::size_t most) {
    if (total < 1) return Error{"a size of " + grouped(total) + " is none", "--size", "give at least 1"};
    if (const std::vector<Problem> problems = validate(arch); !problems.empty()) return problems.front().error;
    return Scaler(arch, siblings).nearest(total, most);
}

}  // namespace headcount
