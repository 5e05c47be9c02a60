// The architecture of a decoder-only transformer as a value: what the sliders edit and everything else is read from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/arch/activation.hpp"
#include "core/arch/input.hpp"
#include "core/base/expr.hpp"

namespace headcount {

struct Family;  // core/arch/family.hpp

enum class Positions {
    rope,     // rotary: queries and keys are turned by their position, no parameters (Su et al. 2021)
    learned,  // one trained row a position, added to the embedding
    none,
};

enum class NormKind { rms, layer };          // Zhang & Sennrich 2019; Ba et al. 2016
enum class NormPlacement { before, after };  // on the sub-block's input, or on its output before it is added

struct Norm {
    NormKind kind = NormKind::rms;
    NormPlacement placement = NormPlacement::before;
    bool scale = true;  // a trained weight a channel
    bool bias = false;  // a trained offset a channel
    double epsilon = 1e-6;

    bool operator==(const Norm&) const = default;
};

// Multi-head, grouped-query (Ainslie et al. 2023) or multi-query attention, by the number of key/value heads.
struct GroupedAttention {
    std::int64_t heads = 32;
    std::optional<std::int64_t> kv_heads;  // absent: one for each query head
    std::optional<std::int64_t> head_dim;  // absent: dim / heads
    bool qkv_bias = false;
    bool output_bias = false;

    bool operator==(const GroupedAttention&) const = default;
};

// A multiplier kept as a fraction, so that 1.3 is 13/10 and not the nearest double.
struct Ratio {
    std::int64_t numerator = 1, denominator = 1;

    bool operator==(const Ratio&) const = default;
};

// Meta's rule for the feed-forward width (FeedForward.__init__ in facebookresearch/llama, model.py): two thirds of 4·d,
// rounded down, times a multiplier, rounded down, rounded up to a multiple.
struct MetaRule {
    std::int64_t multiple_of = 256;
    Ratio multiplier;

    bool operator==(const MetaRule&) const = default;
};

struct DenseFeedForward {
    bool gated = true;  // down(activation(gate(x)) * up(x)) (Shazeer 2020) instead of down(activation(up(x)))
    Activation activation = Activation::silu;
    std::variant<std::int64_t, MetaRule> width = std::int64_t{11008};
    bool bias = false;

    bool operator==(const DenseFeedForward&) const = default;
};

// One kind of layer; today every layer of a model is of the same kind.
struct LayerKind {
    GroupedAttention attention;
    DenseFeedForward feed_forward;

    bool operator==(const LayerKind&) const = default;
};

struct Architecture {
    const Family* family = nullptr;  // never null once made: says how the checkpoint names and fuses its tensors
    std::string name;
    std::int64_t dim = 4096;
    std::int64_t layers = 32;
    std::int64_t vocab = 32000;
    std::int64_t context = 4096;
    Positions positions = Positions::rope;
    bool tied = false;  // the output head is the embedding, counted once
    Norm norm;
    LayerKind layer;

    bool operator==(const Architecture&) const = default;
};

// h_kv: as given, or one for each query head.
std::int64_t kv_heads(const Architecture& arch);

// d_h and d_ff as formulas: the number given, or the rule that makes it (d / h; ceil_to(2·4·d/3, 256)).
Expr head_dim_rule(const Architecture& arch);
Expr ffn_dim_rule(const Architecture& arch);

// What every symbol stands for in this architecture with this input. A derived dimension that has no value (no heads
// to divide by, a product that does not fit) stays unset; `validate` says so in words.
Bindings bindings(const Architecture& arch, const Input& input);

// "SwiGLU", "GeGLU", "GELU", "ReLU", ...: the field's name for a feed-forward.
std::string_view feed_forward_name(const DenseFeedForward& feed_forward);

}  // namespace headcount
