// A sub-block in its card on the page of the whole model, from its nodes alone: what reads the same input stands above
// each other, each in a lane, and what follows stands right of that. It knows no kind of sub-block.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/canvas/arrange/block_layout.hpp"

namespace headcount {

// A tensor of the sub-block as it is drawn, with how wide its words are in pixels.
struct LaneMatrix {
    std::string id;
    Sides sides{0, 0};
    float name = 0, shape = 0, count = 0;

    float width(int lines) const { return std::max({name, lines > 1 ? shape : 0, lines > 2 ? count : 0}); }
};

// An operation with what it makes; what only passes that on is no step.
struct LaneStep {
    std::vector<std::size_t> from;       // the steps that make its inputs
    int level = 0;                       // column
    float lane = 0;                      // row
    std::optional<LaneMatrix> weight;    // what it multiplies by
    std::string bias;                    // that is added to it; empty where there is none
    std::optional<MarkKind> mark;        // what it does, where that is a sign
    std::optional<std::size_t> heads;    // the item of the flow that is there many times
    std::vector<LaneMatrix> made;        // what comes out, side by side; none where the page around draws it
    std::string norm, normed;            // that rescales what comes out, and what it makes of it
    std::string flows;                   // what leaves
    bool outside = false, other = false;  // reads the stream, or what another stack made

    // In pixels, once it is arranged.
    float left = 0, y = 0, right = 0, out = 0;  // out: the height at which it leaves
};

// Which words there is room for: a name, a shape, a count on so many lines; 0 is a name alone. They stand above and
// below matrices or beside them, and what lanes make below what they multiply by or beside it.
struct LaneForm {
    int lines = 3;
    bool over = false, hung = false;
};
enum class WordsAt { beside, inside, over, before };  // before: left of the matrix, below what flows in

class LaneCard {
  public:
    LaneCard(Sketch& sketch, const Plan& plan, std::string_view block);

    // The largest scales: with the names of all, and with their shapes.
    LargestScales largest() const;
    void lay_out();

  private:
    struct Column {
        float left = 0, mark = 0, weights = 0, words = 0, made = 0, gap = 0;
        WordsAt at = WordsAt::beside;
        bool alone = false;
    };
    struct Extent {
        float up = 0, down = 0;
    };

    // Design pixels.
    static constexpr float beside_gap = 8, apart = 3, name_above = 18, edge = 5, mark_room = 24, hung_gap = 12,
                           least_tall = 2 * least_side;

    float px(float design) const { return sketch_.px(design); }
    LaneMatrix matrix(TensorIndex tensor) const;
    void gather();
    void add_made(LaneStep& step, TensorIndex output);
    void assign();
    float words_height(int lines) const;
    float below_height(int lines) const;
    float bias_height(const LaneStep& step, float scale) const;
    float norm_height(const LaneStep& step, float scale) const;
    float made_width(const LaneStep& step, float scale) const;
    float tallest(const LaneStep& step) const;
    bool inside(const LaneMatrix& weight, float scale) const;
    WordsAt words_at(int level, float scale, const LaneForm& form) const;
    Extent extent(const LaneStep& step, float scale, const LaneForm& form) const;
    bool fits(float scale, const LaneForm& form) const;
    float columns(float scale, const LaneForm& form, std::vector<Column>& made) const;
    std::vector<const LaneStep*> at_level(int level) const;
    float split(float scale) const;

    void place(const LaneForm& form);
    void draw(LaneStep& step);
    float draw_weight(const LaneStep& step, float x);
    float draw_made(const LaneStep& step, float x, float y);
    void name_weight(const LaneStep& step, const Rect& weight, float foot);
    void lead(const LaneStep& step);
    void lead_in(const LaneStep& step, float to);

    Sketch& sketch_;
    const Plan& plan_;
    const ModelGraph& graph_;
    std::string_view block_;
    const Rect& box_;
    std::vector<FlowItem> items_;
    std::vector<LaneStep> steps_;
    std::vector<Column> columns_;
    int levels_ = 0, lanes_ = 0;
    float scale_ = 0, pitch_ = 0, memory_x_ = 0;
    LaneForm form_;
};

}  // namespace headcount
