// A page of matrices between frames: what is shown of a run, what was made of that, and how far it is scrolled.
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
};

// What may be chosen to be shown; of the diagram the layer whose numbers it has.
struct RunChoice {
    RunSight sight;
    RunShows shows = RunShows::matrices;
};
// The way to what is shown, at the top of the window: model, layer, part, head, each to be chosen. Returns what was
// chosen instead.
std::optional<RunChoice> draw_run_way(const Ui& ui, const RunSnapshot& run, const RunChoice& here);

// The page of words, at the cursor: what each word of the text looks at in one head, and which heads are worth a look.
void draw_run_words(RunPanel& panel, const RunSnapshot& run);

inline constexpr float above_page = 8, below_page = 24;  // design pixels

// Of a page that is made anew as `now`: from where on it has to be seen. Where the window scrolls.
void keep_sight(const Ui& ui, RunMatricesKept& kept, const PageMade& now, const RunPages& pages);

// Scrolls there, `room` pixels being in sight. Returns how far, for this frame has been laid out as it was before.
float follow_sight(const Ui& ui, RunMatricesKept& kept, float room);

// Scrolls to the cell or the head that is asked for, of a page that begins at `top`; what is in sight of the screen.
void bring_into_sight(const Ui& ui, RunMatricesKept& kept, float top, ImVec2 from_to);

}  // namespace headcount
