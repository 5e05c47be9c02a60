// What is in full colour while the window presents: what is selected, or what a tour's step says, with what belongs to
// it. Everything else recedes.
#pragma once

#include <string_view>
#include <vector>

#include "app/diagram/panels.hpp"

namespace headcount {

// Whether a tensor is of a component: one of its parameters, or made inside of it.
bool belongs(const ModelGraph& graph, const Tensor& tensor, Component component);

class Spotlight {
  public:
    explicit Spotlight(const DiagramOf& of);

    bool everything() const { return everything_; }
    // Of a thing of the canvas: a tensor, a block, "component.attention". What has no id is always lit.
    bool holds(std::string_view id) const;

  private:
    void light_named(std::string_view id);
    void light_component(Component component);
    void light_neighbours(TensorIndex tensor);
    bool holds_block(BlockIndex block) const;

    const ModelGraph& graph_;
    bool everything_ = true;
    std::vector<bool> lit_;  // by tensor
};

}  // namespace headcount
