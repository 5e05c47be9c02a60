// The names that configurations give to activation functions (transformers, activations.py).
#include "core/families/activations.hpp"

#include <array>
#include <utility>

namespace headcount {
namespace {

// The first name of each function is the one that is written.
constexpr std::array<std::pair<std::string_view, Activation>, 9> names_of_activations{{
    {"silu", Activation::silu},
    {"swish", Activation::silu},
    {"gelu", Activation::gelu},
    {"gelu_new", Activation::gelu_tanh},
    {"gelu_pytorch_tanh", Activation::gelu_tanh},
    {"gelu_fast", Activation::gelu_tanh},
    {"gelu_python", Activation::gelu},
    {"relu", Activation::relu},
    {"relu2", Activation::relu2},
}};

}  // namespace

Activation read_activation(ConfigReader& reader, ConfigReader::Names names, std::string_view otherwise) {
    std::string name = reader.text(names, otherwise);
    std::string known;
    for (const auto& [candidate, activation] : names_of_activations) {
        if (candidate == name) return activation;
        known += (known.empty() ? "use one of " : ", ") + std::string(candidate);
    }
    reader.reject("unknown activation function " + as_written(name), known);
    return Activation::silu;
}

std::string_view activation_name(Activation activation, std::string_view usual) {
    for (const auto& [name, candidate] : names_of_activations)
        if (candidate == activation && name == usual) return name;
    for (const auto& [name, candidate] : names_of_activations)
        if (candidate == activation) return name;
    return "";
}

}  // namespace headcount
