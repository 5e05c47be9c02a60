// What is drawn over the heat maps of a page: names, what is done between them, and frames around what is spoken of.
#pragma once

#include <vector>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/matrix_view.hpp"
#include "app/ui/ui.hpp"
#include "app/views/run/card.hpp"
#include "app/views/run/figures.hpp"

namespace headcount {

// A figure's name with what stands beside it.
MatrixCaption run_caption(const RunFigure& figure, std::string_view beside);

class RunMarks {
  public:
    // `corner` is where the page begins, in pixels of the screen.
    RunMarks(const Ui& ui, const RunValues& values, const RunPages& pages, ImVec2 corner)
        : ui_(ui), values_(values), pages_(pages), figures_(figures_of(pages.lines)), corner_(corner) {}

    void words() const;
    // The chosen head's columns, where all heads stand beside each other.
    void head(const std::vector<HeadColumns>& columns, std::int64_t head) const;
    // Rows of tokens that another expert took than the one whose weights are drawn.
    void dim_other_experts() const;
    // Over the newest token's row of what its step has not come to.
    void hide_what_is_to_come(const RunSnapshot& run) const;
    // A token's row of every activation, and the column of it where others look at it.
    void token(std::int64_t position) const;
    // Around the cell, and around all that its formula reads.
    void rings(const Explanation& said) const;
    void ring(const CellAt& cell, ImU32 colour) const { ring({cell, cell}, colour, 2); }

    // On the screen: the rectangles that `rings` frames and a cell's, with a little around them; those of all matrices.
    std::vector<RunRect> lit(const Explanation& said) const;
    std::vector<RunRect> places_of(const CellAt& cell) const;
    std::vector<RunRect> matrices() const;
    RunRect on_screen(const RunRect& of_page, float around = 0) const {
        const ImVec2 edge(around, around);
        return {corner_ + of_page.first - edge, corner_ + of_page.second + edge};
    }

  private:
    // Cells of one matrix, from the upper left one to the lower right one.
    struct Reach {
        CellAt least, most;
    };
    static std::vector<Reach> reaches(const Explanation& said);
    void label(const RunFigure& figure) const;
    std::vector<RunRect> rects_of(const std::vector<Reach>& all, float around) const;
    static RunRect area_of(const RunFigure& figure, const Reach& cells);
    void ring(const Reach& cells, ImU32 colour, float width) const;
    void outline(const RunFigure& figure, const RunRect& of_page, ImU32 colour, float width) const;
    void record(const char* what, const RunFigure& figure, const RunRect& rect) const;

    const Ui& ui_;
    const RunValues& values_;
    const RunPages& pages_;
    const std::vector<const RunFigure*> figures_;
    const ImVec2 corner_;
};

}  // namespace headcount
