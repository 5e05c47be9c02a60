// What attention compares and mixes: queries, keys and values, made, normed, turned and remembered.
#pragma once

#include <algorithm>
#include <array>

#include "core/graph/builder.hpp"

namespace headcount {

// The sizes of heads, which layers without a window may have of their own, and words for them.
struct HeadSizes {
    bool full;
    bool joined = false;  // what they are made of is twice as wide as the stream
    Symbol columns = full ? Symbol::full_head_dim : Symbol::head_dim;
    Symbol kv_heads = full ? Symbol::full_kv_heads : Symbol::kv_heads;

    template <std::size_t N>
    struct Text {
        std::array<char, N> letters{};
        constexpr Text(const char (&text)[N]) { std::copy(text, text + N, letters.begin()); }
    };
    // The words, which speak of {d_h} and {h_kv}, and once at most of {d}, with these sizes in their place.
    template <Text text>
    std::string_view say() const {
        static constexpr auto of_full = [] {
            std::string_view words(text.letters.data(), text.letters.size() - 1);
            auto letters = text.letters;
            for (std::size_t i = 0; i < words.size(); ++i) {
                if (words.substr(i).starts_with("{d_h}")) letters[i + 3] = 'g';
                if (words.substr(i).starts_with("h_kv}")) letters[i + 3] = 'g';
            }
            return letters;
        }();
        static constexpr auto of_joined = [] {
            constexpr std::string_view usual = "{d}", wide = "{2·d}";
            std::array<char, text.letters.size() - usual.size() + wide.size()> letters{};
            const std::string_view words(text.letters.data(), text.letters.size());
            const std::size_t at = words.find(usual);
            if (at == std::string_view::npos) return letters;
            const auto next = std::copy(words.begin(), words.begin() + at, letters.begin());
            const auto behind = std::copy(wide.begin(), wide.end(), next);
            std::copy(words.begin() + at + usual.size(), words.end(), behind);
            return letters;
        }();
        if (joined && of_joined.front() != 0) return {of_joined.data(), of_joined.size() - 1};
        const auto& letters = full ? of_full : plain<text>;
        return {letters.data(), letters.size() - 1};
    }
    template <Text text>
    static constexpr auto plain = text.letters;
};

HeadSizes sizes_of(const Architecture& arch, const LayerKind& kind);

// Of what a gate is made that says for each query by how much its scores change with the distance.
struct DistanceGate {
    TensorIndex rows;          // (T, d), of which each head reads its share of columns
    TensorIndex weight, bias;  // (d / h, 8), the same for all heads
    TensorIndex strength;      // (h)
};

struct Projected {
    TensorIndex queries, keys, values;        // (T, h·d_h), (T, h_kv·d_h), (T, h_kv·d_h)
    std::optional<TensorIndex> gate = {};     // (T, h·d_h)
    std::vector<TensorIndex> distances = {};  // (rows, h·d_h): keys of distances, queries of them, or both
    std::optional<DistanceGate> distance_gate = {};
};

// What the family's gate of distances is made of, where it has one; and the gate of the head that is open, (T, 1).
std::optional<DistanceGate> build_distance_gate(GraphBuilder& builder, TensorIndex input);
TensorIndex gate_distances(GraphBuilder& builder, const DistanceGate& gate);

// Queries from `input`, keys and values from `other`: the same, or what an encoder made.
Projected project(GraphBuilder& builder, const HeadSizes& sizes, TensorIndex input, TensorIndex other,
                  const Mask& mask);

// What the layer makes of the rows of distances, for its heads to compare with these queries and keys.
std::vector<TensorIndex> build_distance_sides(GraphBuilder& builder, const LayerBuild& layer, const HeadSizes& sizes,
                                              const Projected& projected);

// What a layer's heads compare: queries, keys and values of `input`, or those keys and values that an earlier layer
// has made; normed and turned by position where they are, with those of earlier tokens.
Projected build_inputs(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input);

}  // namespace headcount
