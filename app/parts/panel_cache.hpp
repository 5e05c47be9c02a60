// Spares panels from being drawn again: one that would look as it did keeps its windows and what is in them. Building
// such a frame costs next to nothing, however much there is to see.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/parts/explore_layout.hpp"
#include "app/parts/run_pointed.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

struct ImGuiWindow;

namespace headcount {

class PanelCache {
  public:
    // Everything must be drawn again: other fonts, another theme.
    void clear() { panels_.clear(); }

    // Once a frame, before the panels: whether anything happened that a panel may answer.
    void begin_frame(const Ui& ui, const Session& session);

    // Whether the panel stays as it is. If so it is part of this frame, with its rectangles and stops for Tab.
    bool keep(const Ui& ui, std::string_view name, const Area& area);

    // What a panel leaves behind is watched from before its window begins until it has ended.
    class Watch {
      public:
        Watch(PanelCache* cache, const Ui& ui, std::string_view name, const Area& area);
        ~Watch();
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;
        void window_is_open();  // between Begin and End

      private:
        PanelCache* cache_;
        const Ui& ui_;
        std::string_view name_;
        Area area_;
        ImGuiWindow* window_ = nullptr;
        std::size_t rects_, stops_;
        bool moving_before_;
    };

  private:
    struct Panel {
        std::string_view name;
        Area area;
        ImGuiWindow* window = nullptr;
        int calm_frames = 0;  // in a row, in which it was drawn and nothing happened to it
        std::vector<NamedRect> rects;
        std::vector<ImGuiID> tab_stops;
    };

    Panel& panel(std::string_view name);
    bool undisturbed(const Area& area) const;

    // What panels are drawn from, but for what is lit in them.
    struct Seen {
        Document document;
        View view;
        Look look;
        DeskState desk;
        std::shared_ptr<const Sheet> sheet;  // that is open on it: another one where a file was read again
        OpenedClass pupils;
        std::string sheet_problem;
        std::vector<std::shared_ptr<const ClaimsGroup>> claims;
        std::shared_ptr<const void> run_model, run_shown, run_next, run_lens, run_trial, run_ranked,
            run_diagnosis;                     // of the Run view
        std::shared_ptr<const void> training;  // of the Train view
        std::optional<RunWatch> run_watch;
        Document side_document;  // of the diagram beside a lesson, or the same
        Look side_look;
        bool can_undo = false, can_redo = false;
        const void* font_texture = nullptr;

        bool operator==(const Seen&) const = default;
    };
    struct Lit {
        Subject hover, side_hover;
        RunPointed run;

        bool operator==(const Lit&) const = default;
    };

    std::vector<Panel> panels_;
    Seen seen_;
    Lit lit_;
    bool calm_ = false;        // nothing happened that a panel may answer with another layout
    bool same_light_ = false;  // ... nor is anything else lit: that takes one frame, and nothing has to settle
};

}  // namespace headcount
