// A page of matrices between frames: what is shown of a run, and what was made of that.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/state/run/place.hpp"
#include "app/views/run/heat_map.hpp"

namespace headcount {

// What a page was made from.
struct PageMade {
    std::shared_ptr<const RunValues> of;
    std::int64_t layers_shown = 0;
    RunSight sight;
    std::optional<CellAt> pinned;
    float width = 0, scale = 0;
    bool shared = false;

    bool operator==(const PageMade&) const = default;
};

struct RunMatricesKept {
    enum class Scroll { none, cell, head };

    PageMade made;
    RunPages pages;
    RunHeat heat;
    std::vector<HeadColumns> heads;
    ScenePainter painter;
    RunSight sight;                    // what the menus have chosen
    std::vector<RunCell> trail;        // as it was when the page last followed it
    std::optional<std::int64_t> head;  // the same
    Scroll scroll = Scroll::none;      // what is to be brought into sight
    float room = 0;                    // how much of the page was in sight last, in pixels
    std::optional<float> from;         // from where on the page, made anew, has to be seen
    std::shared_ptr<const RunValues> said_of;
    std::optional<CellAt> said_for;
    std::optional<Explanation> said;
};

}  // namespace headcount
