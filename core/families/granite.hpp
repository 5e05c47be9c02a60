// Pieces of the module trees of Granite's mixtures.
#pragma once

#include "core/families/layout.hpp"

namespace headcount {

// Router and experts, stacked as linear layers store them.
constexpr auto granite_expert_modules(std::string_view router) {
    return std::to_array<Module>({
        {5, "input_linear", ModuleKind::stacked_linear, {Part::expert_gate, Part::expert_up}, {}},
        {5, "output_linear", ModuleKind::stacked_linear, Part::expert_down, {}},
        {5, "router.layer", ModuleKind::linear, Part::router, router},
        {5, "activation", ModuleKind::activation, {}, {}},
    });
}

// A feed-forward that every token passes: the shared experts, or without experts all that there is.
constexpr auto granite_shared_modules(std::string_view mlp) {
    return std::to_array<Module>({
        {4, "shared_mlp", ModuleKind::container, {}, mlp},
        {5, "activation", ModuleKind::activation, {}, {}},
        {5, "input_linear", ModuleKind::linear, {Part::shared_gate, Part::shared_up, Part::gate, Part::up}, {}},
        {5, "output_linear", ModuleKind::linear, {Part::shared_down, Part::down}, {}},
    });
}

}  // namespace headcount
