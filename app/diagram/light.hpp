// What of the picture is lit: what is selected, what the pointer is on, and what that reads and makes; and what is in
// the spotlight.
#pragma once

#include <string_view>
#include <vector>

#include "app/canvas/draw/compose.hpp"
#include "app/diagram/panels.hpp"

namespace headcount {

class CanvasLight {
  public:
    explicit CanvasLight(const DiagramOf& diagram) : CanvasLight(diagram, diagram.shown.look.hover) {}
    CanvasLight(const DiagramOf& diagram, const Subject& hover);  // where the pointer is on something else by now

    // Of a thing of the canvas: a tensor, a block, "component.attention".
    Glow glow(std::string_view id) const;
    Glow by_pointer(std::string_view id) const;  // the same, whatever is selected

  private:
    void add_beside(TensorIndex tensor);
    void add_ends(Component component);

    const ModelGraph& graph_;
    const Subject& selection_;
    const Subject& hover_;
    std::vector<TensorIndex> near_;  // what the hovered thing reads and makes
};

// What is in full colour while the window presents: what is selected, or what a tour's step says, with what belongs to
// it. Everything else recedes.
class Spotlight {
  public:
    explicit Spotlight(const DiagramOf& diagram);

    bool everything() const { return everything_; }
    // Of a thing of the canvas: a tensor, a block, "component.attention". What has no id is always lit.
    bool holds(std::string_view id) const;

  private:
    void light_named(std::string_view id);
    void light_component(Component component);
    void light_neighbours(TensorIndex tensor);

    const ModelGraph& graph_;
    bool everything_ = true;
    std::vector<bool> lit_;  // by tensor
};

}  // namespace headcount
