// What of the picture is lit: what is selected, what the pointer is on, and what that reads and makes.
#pragma once

#include <string_view>
#include <vector>

#include "app/canvas/draw/compose.hpp"
#include "app/diagram/panels.hpp"

namespace headcount {

class CanvasLight {
  public:
    explicit CanvasLight(const DiagramOf& of) : CanvasLight(of, of.shown.look.hover) {}
    CanvasLight(const DiagramOf& of, const Subject& hover);  // where the pointer is on something else by now

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

}  // namespace headcount
