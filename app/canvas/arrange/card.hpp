// A sub-block in its card on the page of the whole model, from its nodes alone: what one matrix makes of the input step
// by step is a strand, lying in a row or hanging in a column; what brings strands together follows to the right. It
// knows no kind of sub-block.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount {

// What a card has room for: the words of all; the names of those matrices that read its input; any that find some; or
// only what is trained, with those names and without.
enum class CardWords { all, first, few, trained, bare };
// Strands in rows; the same with what each makes in the end below the matrix that makes it; strands in columns.
enum class CardForm { rows, low_rows, columns };

// How it shares its room: with those words, and with its strands below the title or right of it.
struct StrandRoom {
    CardForm form = CardForm::columns;
    CardWords words = CardWords::all;
    bool below_title = false;
};

// Of a card inside another one: what comes in, and at which height.
struct CardInlet {
    std::string tensor;
    float y = 0;
};

class BlockCard {
  public:
    BlockCard(Sketch& sketch, const Plan& plan, std::string_view block, const CardParts& parts,
              const std::optional<CardInlet>& inlet = {})
        : sketch_(sketch),
          plan_(plan),
          graph_(sketch.input().model.graph),
          block_(block),
          box_(inlet ? Rect{} : plan.box(block)),
          inlet_(inlet),
          items_(parts.items),
          strands_(parts.strands),
          steps_(parts.steps),
          branches_(parts.branches) {
        for (const CardBranch& branch : branches_)
            inside_.emplace_back(sketch, plan, branch.block, branch.parts, CardInlet{block_input(sketch, block)});
        const std::string norm = block_ + ".norm";
        norm_words_ = std::max(sketch.width_of("Norm", TextRole::name),
                               sketch.width_of(norm_size(sketch, norm), TextRole::number));
        reads_memory_ = std::ranges::any_of(strands_, [](const Strand& each) { return each.from_other_stack; });
    }

    // Below the title there is room right of both unless a norm is shared, or the title has a row of its own.
    bool has_title_in_corner() const { return !plan_.shares_norm && plan_.title_row <= 0; }
    // Whether it has room at this scale, in pixels a row or column.
    bool fits(float scale, const StrandRoom& room) const;
    LargestScales largest();
    // Returns where what it makes leaves it.
    Point lay_out();

  private:
    // Design pixels.
    static constexpr float above_row = 5, name_gap = 3, beside_way = 9, way_in = 5, columns_apart = 6, bare_gap = 9,
                           below_row = 20, ways_apart = 7, tallest_made = 14, mark_width = 16, least_words = 34,
                           title_lines = 38, least_arrow = 12, drawn_apart = 3, inner_padding = 6, inner_arrow = 10,
                           inner_inset = 1, named_row = 16, inside_edge = 2, least_inside = 18, norm_below = 3;

    float px(float design) const { return sketch_.px(design); }
    const Tensor& tensor(TensorIndex index) const { return graph_.tensors[index]; }
    const Tensor& output_of(std::size_t item) const { return tensor(items_[item].output); }
    const Strand* strand_of(std::size_t item) const;
    // Where strands begin, what flows there, and how far from its right edge a card ends.
    Point entry() const { return {split(scale_, room_), inlet_ ? inlet_->y : card_norm_y(sketch_, plan_, block_)}; }
    std::string flowing_in() const { return inlet_ ? inlet_->tensor : block_input(sketch_, block_); }
    float padding() const { return px(inlet_ ? inner_padding : room::padding); }
    // How wide it is at least; nothing where it is too high.
    std::optional<float> width_in(float scale, const StrandRoom& room) const;
    LargestScales largest_apart();
    // Of a step, its matrix or norm; null where it trains nothing.
    const Tensor* weight_of(const CardStep& step) const;
    float wide(const Sides& sides, float scale) const { return sketch_.thick(sides.columns, scale); }
    float tall(const Sides& sides, float scale) const { return sketch_.thick(sides.rows, scale); }
    // Of a bias below its weight, and the gap between both.
    float bias_height(const StrandPiece& piece, float scale) const {
        return piece.bias.empty() ? 0 : px(2) + tall(piece.bias_sides, scale);
    }

    // Where the input leaves the norm's line: right of the title, or right of the norm alone.
    float split(float scale, const StrandRoom& room) const;
    float arrow(const StrandRoom& room) const {
        return room.words == CardWords::all ? plan_.arrow
                                            : std::min(plan_.arrow, px(inlet_ ? inner_arrow : least_arrow));
    }
    StrandRoom room_at(float scale) const;
    float matrices_alone() const;  // the largest scale for those, whatever else there is

    // Strands in rows.
    struct Slot {
        float left = 0, width = 0;  // of the widest in it, with its words
    };
    struct Rows {
        std::vector<Slot> slots;
        float height = 0;         // of a row, as far as there is room
        float apart = 0;          // from one to the next
        int lines = 0;            // of a label
        float width = 0;          // of all slots, with what is between them
        bool low = false;         // what a strand makes in the end stands below the matrix that makes it
        float below = 0;          // of ways that pass below all rows
        bool made_above = false;  // what is made has its name above it, else behind it
    };
    std::size_t first_slot(const Strand& strand, CardForm form) const;
    float piece_words(const Strand& strand, const StrandPiece& piece, float scale, const Rows& rows,
                      CardWords words) const;
    float air(float row) const;
    float bias_beside(const StrandPiece& piece, float scale, float row) const;
    bool names_above(const StrandPiece& piece, float scale, float row) const {
        return row - tall(piece.sides, scale) >= sketch_.name_line() + px(name_gap);
    }
    bool names_inside(const StrandPiece& piece, float scale) const {
        return tall(piece.sides, scale) >= px(least_inside) &&
               wide(piece.sides, scale) >= piece.name + 2 * px(inside_edge);
    }
    // Whether what the strand makes in the end has a place of its own.
    static bool ends_made(const Strand& strand) {
        return strand.pieces.size() > 1 && strand.pieces.back().made && !strand.pieces.back().brief;
    }
    // The matrix above what its strand makes in the end.
    static bool is_low(const Strand& strand, const StrandPiece& piece) {
        return ends_made(strand) && &piece == &strand.pieces[strand.pieces.size() - 2];
    }
    // A norm stands below what it rescales.
    static bool in_row(const Strand& strand, const StrandPiece& piece, CardForm form) {
        const bool below = form == CardForm::low_rows && ends_made(strand) && &piece == &strand.pieces.back();
        return !piece.norm && !piece.brief && !below;
    }
    Rows rows_at(float scale, const StrandRoom& room) const;
    float rows_apart(const Rows& rows, float scale, const StrandRoom& room) const;
    float ways_below_rows() const;
    float above_made(const StrandPiece& piece) const;  // how far up the name of what is made begins
    bool names_made_above(const Rows& rows, float scale) const;
    float first_row(const Rows& rows) const {
        return box_.centre().y - (rows.below + rows.apart * static_cast<float>(strands_.size() - 1)) / 2;
    }
    // What is made, and has a norm below or beside it.
    static const StrandPiece* norm_of(const Strand& strand, const StrandPiece& made) {
        const bool normed = &made != &strand.pieces.back() && (&made + 1)->norm;
        return normed ? &made + 1 : nullptr;
    }
    float made_height(const Strand& strand, const StrandPiece& piece, float scale, const Rows& rows) const;
    bool norm_beside(const StrandPiece& norm, float made, float scale, const Rows& rows) const {
        return made + 2 * (px(norm_below) + tall(norm.sides, scale)) > rows.apart;
    }
    std::optional<float> rows_width(float scale, const StrandRoom& room) const;
    float below_row_height(const Strand& strand, float scale) const;
    void draw_rows();
    void draw_row(Strand& strand, const Rows& rows, float y);
    float draw_norm(const StrandPiece& piece, const Rect& made, const Slot& slot, const Rows& rows);
    void name_made(const StrandPiece& piece, const Rect& rect, const Rows& rows);
    Rect draw_made_below(const StrandPiece& piece, const Rect& matrix);
    float label_piece(const Strand& strand, const StrandPiece& piece, const Rect& rect, float right, float until,
                      const Rows& rows);
    Rect draw_weight(const StrandPiece& piece, const Rect& drawn);
    Point branch_of(const Strand& strand) const;
    bool is_faint(const Strand& strand) const;
    void lead_in(const Strand& strand, float entry);

    // Strands in columns.
    bool shows(const StrandPiece& piece, const StrandRoom& room) const {
        return !piece.made || piece.brought || room.words < CardWords::trained;
    }
    float names() const { return sketch_.name_line() + px(name_gap); }
    float gap(const StrandRoom& room) const { return room.words == CardWords::all ? names() : px(bare_gap); }
    float column_width(const Strand& strand, float scale, const StrandRoom& room) const;
    float piece_height(const StrandPiece& piece, float scale) const;
    float piece_width(const StrandPiece& piece, float scale) const {
        const auto gaps = static_cast<float>(piece.drawn.size() - 1);
        return sketch_.thick(piece.sides.columns, scale) + gaps * px(drawn_apart);
    }
    // What is made, cut where it is taller; returns the extent of all that is drawn of it.
    Rect slabs_of(const StrandPiece& piece, Point left, float tallest);
    float strand_height(const Strand& strand, float scale, const StrandRoom& room) const;
    float columns_height(float scale, const StrandRoom& room) const;
    float columns_width(float scale, const StrandRoom& room) const;
    int levels() const { return strands_.empty() ? 0 : strands_.back().level; }
    // Before the first column of a level, for the ways that come up to it.
    float before(std::size_t column, const StrandRoom& room) const {
        const bool first = column > 0 && strands_[column].level > strands_[column - 1].level;
        return first ? arrow(room) : 0;
    }
    void draw_columns();
    Rect draw_hung(const StrandPiece& piece, Point corner);
    enum class Named { above, beside, no };
    void name_hung(const StrandPiece& piece, const Rect& rect, float width, Named where);
    void lead_up(const Strand& strand, float bus, Point end);

    // Branches: other cards inside it, below or beside each other, each with its title above it or left of it.
    struct Apart {
        bool beside = false, titles_left = false;
        CardWords words = CardWords::all;
        bool below_title = false;  // of this card, with its own strands, or right of it
        bool anyhow = false;       // however little room there is
    };
    struct Branches {
        float strands = 0, left = 0, end = 0;  // where the card's own strands begin and the branches, and those end
        std::vector<Rect> frames;
    };
    bool is_deck(std::size_t branch) const { return branches_[branch].copies > 1; }
    std::string title_of(std::size_t branch, const Apart& apart, float width) const;
    float title_width(std::size_t branch) const;
    float title_height(float height, std::size_t branch) const;
    float own_width(const Strand& strand, float scale, CardWords words) const;
    float own_height(const Strand& strand, float scale) const;
    float least_height(float scale, CardWords words) const;
    float wished_height(float scale) const;
    std::optional<float> least_width(float scale, CardWords words);
    std::optional<Branches> branches_at(float scale, const Apart& apart);
    std::optional<Branches> branches_in(float scale, const Apart& apart, Rect area, Branches at);
    struct ChosenBranches {
        Apart apart;
        Branches at;
    };
    static StrandRoom room_of(const Apart& apart) { return {.words = apart.words, .below_title = apart.below_title}; }
    ChosenBranches chosen_branches();
    void draw_branches(const ChosenBranches& chosen);
    float draw_own(Strand& strand, Point corner, float until);
    Point draw_title(std::size_t branch, const Rect& frame, const Apart& apart);
    void join_branches(const std::vector<Point>& ends, const Branches& at, bool beside);
    bool is_in_branch(std::size_t item) const;
    const CardStep& reader_of(const CardBranch& branch) const;
    static const StrandPiece& largest_of(const Strand& strand);

    // Steps, the same for both.
    float step_width(const CardStep& step, float scale, const StrandRoom& room) const;
    float step_made_width(const CardStep& step, float scale, const StrandRoom& room) const;
    bool words_beside(const CardStep& step, float scale) const;
    float most_named() const;              // how tall a matrix is at most that has words above and below
    float step_height(float scale) const;  // of the tallest matrix among the steps
    float step_tall(const CardStep& step, float scale) const;  // with what is added below, in the middle of it
    float steps_width(float scale, const StrandRoom& room) const;
    void place_steps(float slack);
    void draw_steps();
    void lead_out_added();
    void draw_step(CardStep& step);
    void draw_step_made(const CardStep& step);
    void name_step(const CardStep& step, const Rect& rect, float below);
    float way_above_foot(std::size_t number) const;
    void lead_to(std::size_t number);

    Sketch& sketch_;
    const Plan& plan_;
    const ModelGraph& graph_;
    const std::string block_;
    Rect box_;
    std::optional<CardInlet> inlet_;
    const std::vector<FlowItem>& items_;
    std::vector<Strand> strands_;
    std::vector<CardStep> steps_;
    const std::vector<CardBranch>& branches_;
    std::vector<BlockCard> inside_;  // of each branch
    StrandRoom room_;
    bool reads_memory_ = false;  // what another stack has made
    float norm_words_ = 0, scale_ = 0, foot_ = 0, step_y_ = 0;
    Point memory_;
};

}  // namespace headcount
