// Activation functions and every name that they have, in files, on the screen and in equations. No arithmetic.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/base/checked.hpp"

namespace headcount {

enum class Activation { silu, gelu, gelu_tanh, relu, relu2, tanh, sigmoid, quick_gelu, linear, xielu };

struct ActivationInfo {
    Activation activation;
    std::string_view key;          // "gelu_tanh": in files
    std::string_view label;        // "GELU tanh": by itself
    std::string_view short_label;  // "ReLU²": beside the other choices
    std::string_view function;     // "GELU": in equations, and a feed-forward without a gate
    std::string_view gated;        // "GeGLU": a feed-forward with one (Shazeer 2020)
    std::string_view hidden;       // what becomes of U, and with a gate of G and U
    std::string_view gated_hidden;
};

inline constexpr std::array activation_functions{
    ActivationInfo{Activation::silu, "silu", "SiLU", "SiLU", "SiLU", "SwiGLU", "SiLU(U): cell by cell",
                   "SiLU(G) ⊙ U: gate and up multiplied cell by cell"},
    ActivationInfo{Activation::gelu, "gelu", "GELU", "GELU", "GELU", "GeGLU", "GELU(U): cell by cell",
                   "GELU(G) ⊙ U: gate and up multiplied cell by cell"},
    ActivationInfo{Activation::gelu_tanh, "gelu_tanh", "GELU tanh", "GELU tanh", "GELU", "GeGLU",
                   "GELU(U): cell by cell", "GELU(G) ⊙ U: gate and up multiplied cell by cell"},
    ActivationInfo{Activation::relu, "relu", "ReLU", "ReLU", "ReLU", "ReGLU", "ReLU(U): cell by cell",
                   "ReLU(G) ⊙ U: gate and up multiplied cell by cell"},
    // So et al. 2021
    ActivationInfo{Activation::relu2, "relu2", "ReLU squared", "ReLU²", "ReLU²", "gated ReLU²",
                   "ReLU²(U): cell by cell", "ReLU²(G) ⊙ U: gate and up multiplied cell by cell"},
    ActivationInfo{Activation::tanh, "tanh", "tanh", "tanh", "tanh", "gated tanh", "tanh(U): cell by cell",
                   "tanh(G) ⊙ U: gate and up multiplied cell by cell"},
    ActivationInfo{Activation::sigmoid, "sigmoid", "Sigmoid", "sigmoid", "sigmoid", "GLU", "sigmoid(U): cell by cell",
                   "sigmoid(G) ⊙ U: gate and up multiplied cell by cell"},  // Dauphin et al. 2017
    // x · sigmoid(1.702 · x): Hendrycks & Gimpel 2016's first approximation, which CLIP has
    ActivationInfo{Activation::quick_gelu, "quick_gelu", "Quick GELU", "Q.GELU", "QuickGELU", "gated QuickGELU",
                   "QuickGELU(U): cell by cell", "QuickGELU(G) ⊙ U: gate and up multiplied cell by cell"},
    ActivationInfo{Activation::linear, "linear", "None", "none", "linear", "bilinear", "linear(U): as it is",
                   "linear(G) ⊙ U: gate and up multiplied cell by cell"},
    // Huang & Schlag 2024: two trained numbers
    ActivationInfo{Activation::xielu, "xielu", "xIELU", "xIELU", "xIELU", "gated xIELU", "xIELU(U): cell by cell",
                   "xIELU(G) ⊙ U: gate and up multiplied cell by cell"},
};

constexpr const ActivationInfo& info(Activation activation) {
    return activation_functions[static_cast<std::size_t>(activation)];
}

static_assert(in_order(activation_functions, &ActivationInfo::activation),
              "info() looks activations up by their place in the table");

// One kind of name of all of them, in the table's order.
constexpr std::array<std::string_view, activation_functions.size()> activation_names(
    std::string_view ActivationInfo::*kind) {
    std::array<std::string_view, activation_functions.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = activation_functions[i].*kind;
    return all;
}

}  // namespace headcount
