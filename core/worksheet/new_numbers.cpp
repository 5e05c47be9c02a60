// Other numbers for the same questions: architectures drawn from a seed, always possible ones.
#include "core/worksheet/new_numbers.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/analysis/counted_model.hpp"
#include "core/arch/fields.hpp"
#include "core/arch/layers.hpp"
#include "core/arch/validate.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::array<std::int64_t, 11> token_counts{24, 36, 48, 60, 72, 90, 120, 150, 180, 200, 250};
constexpr std::array<std::int64_t, 7> batches{2, 3, 5, 6, 7, 10, 12};
constexpr std::array<std::int64_t, 6> caches{300, 500, 700, 1000, 1500, 2000};
constexpr std::array<std::int64_t, 9> head_counts{8, 12, 16, 20, 24, 28, 32, 40, 48};
constexpr std::array<std::int64_t, 5> head_sizes{64, 80, 96, 112, 128};
constexpr std::array<std::int64_t, 8> layer_counts{6, 10, 14, 18, 22, 26, 30, 36};
constexpr std::array<std::int64_t, 8> vocabularies{10'000, 16'384, 30'000, 32'768, 50'304, 64'000, 100'352, 152'064};
constexpr std::array<std::int64_t, 6> contexts{1024, 2048, 4096, 6144, 8192, 16'384};
constexpr std::array<std::int64_t, 5> expert_counts{4, 6, 8, 16, 64};
constexpr std::array<std::int64_t, 4> experts_chosen{1, 2, 3, 4};

// One architecture being drawn.
class Drawing {
  public:
    Drawing(const Architecture& arch, const Input& input, const std::optional<std::vector<std::string>>& fields,
            std::uint64_t seed)
        : arch_(arch), input_(input), fields_(fields), draw_(seed) {}

    std::optional<std::pair<Architecture, Input>> run() {
        heads();
        numbers();
        input();
        if (!possible_ || !validate(arch_).empty() || !validate(arch_, input_).empty()) return std::nullopt;
        return std::pair(arch_, input_);
    }

  private:
    bool wanted(std::string_view key) const { return !fields_ || contains(*fields_, key); }

    template <std::size_t size>
    std::int64_t one_of(const std::array<std::int64_t, size>& numbers) {
        return numbers[draw_.below(size)];
    }

    void set(Field field, std::int64_t number) {
        Result<Architecture> changed = with_field(arch_, field, std::to_string(number));
        if (changed)
            arch_ = std::move(*changed);
        else
            possible_ = false;
    }

    // Whether the architecture gives this field as a number, not leaving it to a rule or having no such part.
    bool given(Field field) const {
        const std::optional<std::string> text = field_text(arch_, field);
        return text && !text->empty() && is_digit(text->front());
    }

    // Heads, their size and the width go together; so do key/value heads.
    void heads() {
        if (arch_.layer.attention.latent) {
            if (wanted("heads")) set(Field::heads, one_of(head_counts));
            return;
        }
        const std::int64_t before = arch_.layer.attention.heads, kv_before = kv_heads(arch_);
        const std::optional<std::int64_t> size_before = field_number(arch_, Field::head_dim);
        const std::int64_t count = wanted("heads") ? one_of(head_counts) : before;
        const bool own_size = arch_.layer.attention.head_dim.has_value();
        const std::int64_t size = wanted("head_dim") || wanted("dim") ? one_of(head_sizes) : size_before.value_or(64);
        if (own_size && wanted("head_dim")) set(Field::head_dim, size);
        if (count != before) set(Field::heads, count);
        if (!own_size && (wanted("dim") || count != before)) set(Field::dim, count * size);
        if (own_size && wanted("dim")) set(Field::dim, 256 * static_cast<std::int64_t>(4 + draw_.below(24)));
        if (!arch_.layer.attention.kv_heads) return;
        if (kv_before == before) {
            set(Field::kv_heads, count);
        } else if (kv_before > 1 && (wanted("kv_heads") || count % kv_before != 0)) {
            std::vector<std::int64_t> divisors;
            for (std::int64_t n = 2; n < count; ++n)
                if (count % n == 0) divisors.push_back(n);
            set(Field::kv_heads, divisors[draw_.below(divisors.size())]);
        }
    }

    void numbers() {
        if (wanted("layers") && layer_groups(arch_).size() == 1) set(Field::layers, one_of(layer_counts));
        if (wanted("vocab")) set(Field::vocab, one_of(vocabularies));
        if (wanted("context")) set(Field::context, one_of(contexts));
        const std::int64_t step = 128;
        const std::int64_t steps_wide = std::max<std::int64_t>(1, 2 * arch_.dim / step);
        const auto wide = [&] {
            return step * (steps_wide + static_cast<std::int64_t>(draw_.below(static_cast<std::size_t>(steps_wide))));
        };
        if (wanted("ffn_dim") && given(Field::ffn_dim) && !given(Field::ffn_multiple_of)) set(Field::ffn_dim, wide());
        if (!arch_.layer.mixture) return;
        if (wanted("expert_dim")) set(Field::expert_dim, wide() + step / 2);
        if (wanted("experts")) set(Field::experts, one_of(expert_counts));
        if (wanted("experts_per_token")) set(Field::experts_per_token, one_of(experts_chosen));
    }

    void input() {
        if (wanted("tokens")) input_.tokens = one_of(token_counts);
        if (wanted("source") && arch_.encoder) input_.source = one_of(token_counts);
        if (wanted("batch") && input_.batch > 1) input_.batch = one_of(batches);
        if (wanted("cached") && input_.cached > 0) input_.cached = one_of(caches);
    }

    Architecture arch_;
    Input input_;
    const std::optional<std::vector<std::string>>& fields_;
    Draw draw_;
    bool possible_ = true;
};

// Whether two dimensions are the same number that were not before: then one number would have two meanings.
bool coincides(const Bindings& drawn, const Bindings& before) {
    for (std::size_t i = 0; i < symbol_count; ++i)
        for (std::size_t k = 0; k < i; ++k) {
            const auto a = static_cast<Symbol>(i), b = static_cast<Symbol>(k);
            if (drawn[a] && drawn[a] == drawn[b] && *drawn[a] > 1 && before[a] != before[b]) return true;
        }
    return false;
}

}  // namespace

std::uint64_t Draw::next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

std::pair<Architecture, Input> with_new_numbers(const Architecture& arch, const Input& input,
                                                const std::optional<std::vector<std::string>>& fields,
                                                std::uint64_t seed) {
    constexpr int most_tries = 200;
    const Bindings before = bindings(arch, input);
    Draw tries(seed);
    for (int i = 0; i < most_tries; ++i) {
        const auto drawn = Drawing(arch, input, fields, tries.next()).run();
        if (!drawn || *drawn == std::pair(arch, input)) continue;
        const Bindings numbers = bindings(drawn->first, drawn->second);
        if (coincides(numbers, before)) continue;
        if (!count_model(drawn->first, drawn->second)) continue;
        return *drawn;
    }
    return {arch, input};
}

std::vector<std::size_t> drawn_order(std::size_t count, std::uint64_t seed) {
    std::vector<std::size_t> places(count);
    std::iota(places.begin(), places.end(), std::size_t{0});
    Draw draw(seed);
    for (std::size_t i = count; i > 1; --i) std::swap(places[i - 1], places[draw.below(i)]);
    return places;
}

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
    std::vector<std::size_t> places = drawn_order(count, seed);
    if (count > 1 && std::ranges::is_sorted(places)) std::rotate(places.begin(), places.begin() + 1, places.end());
    return places;
}

}  // namespace headcount
