// The card of one number: what it is, its formula, a bar for every term, the largest of them with their operands. Its
// lines are laid out once for all that is done with them: measured, pressed, drawn.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/state/run/snapshot.hpp"
#include "app/state/view.hpp"
#include "app/ui/ui.hpp"
#include "core/runtime/turned.hpp"

namespace headcount {

// Of a number that position turns: its pairs as hands, and where its token stands, which may be elsewhere than in the
// run.
struct TurnedByHand {
    std::optional<TurnedHands> hands;
    std::int64_t standing = 0, furthest = 0;
    std::optional<double> in_the_run = {};  // the number there, where its token stands elsewhere
};
// What the number would be where its token is to stand, if that was asked for; `said` then says that.
TurnedByHand turn_by_hand(const RunValues& values, Explanation& said, std::optional<std::int64_t> standing);

struct RunCard {
    const ModelGraph& graph;
    const Explanation& said;
    std::string name, subtitle;  // "Q[5, 17]", and what place that is
    bool pinned = false;         // its operands can be pressed
    bool changes = false;        // an experiment can change it
    bool back = false;           // it was followed from another cell
    bool bars = true;            // a bar for every term, where there is room
    bool low = false;            // no room even so: small hands, and their terms as one
    bool buttons = true;         // where it is pinned; no room for them either: Esc lets go of it
    TurnedByHand turned = {};
};

// "token 5 “there”, head 1, its column 3 of 16"
std::string place_words(const RunSnapshot& run, const CellAt& cell);

inline constexpr float run_card_width = 304, card_padding = 12, card_row = 20,
                       run_card_margin = 12;  // unscaled; the last is around it
inline constexpr std::size_t most_card_terms = 3;
// How many terms have a line of their own, the largest: one more than the most where no other is left then.
std::size_t listed_terms(const Explanation& said);

// A piece of a line that can be pressed.
struct CardPiece {
    std::string text;
    std::optional<CellAt> cell;
    float x = 0, width = 0;
};

struct CardLine {
    enum class Kind { words, formula, bars, scale, term, rule, hands, turn } kind = Kind::words;
    std::string text, value;
    std::vector<CardPiece> pieces;
    float y = 0, height = card_row;
};

// Without what has no room in so many pixels: the bars, then all but the largest terms, then the buttons.
void fit_card(const Ui& ui, RunCard& card, float room);

class CardLines {
  public:
    CardLines(const Ui& ui, const RunCard& card);

    std::vector<CardLine> lines;
    float height() const;

  private:
    void add(CardLine line);
    void wrapped(std::string text, CardLine::Kind kind);
    void add_hands();
    void add_terms();
    void add_term(CardLine line);
    void add_step(const AfterSum& step);

    const Ui& ui_;
    const RunCard& card_;
    const float width_;
    float y_ = 0;
};

// Where it stands beside the picture it takes so many pixels of the width.
inline float card_strip(const Ui& ui) { return std::round(ui.px(run_card_width + 2 * run_card_margin)); }
// Whether it does where the answers were, and does not lie over the picture: to a class, and where that would have too
// little room beside it, while a cell is pinned. `shown`, `answers`: how wide they are, in pixels.
bool run_card_beside(const Ui& ui, const View& view, float shown, float answers);

struct CardAnswer {
    std::optional<CellAt> follow;  // an operand was pressed
    bool back = false, change = false, close = false;
    std::optional<std::int64_t> standing;  // where the token is to stand
};

// The lines of hands and of the position, as they are pressed and drawn: as many dials side by side as have room, of
// one hand each, or of a query's and a key's. A hand that is dragged turns the position that turns it.
inline constexpr std::string_view turn_words = "position";
inline constexpr std::size_t most_dials = 8;
std::size_t dials_of(const TurnedHands& hands);
float dials_height(const Ui& ui, const RunCard& card);
std::optional<std::int64_t> press_dials(const Ui& ui, const RunCard& card, ImVec2 from, ImVec2 to);
std::optional<std::int64_t> press_turn(const Ui& ui, const RunCard& card, ImVec2 from, ImVec2 to);
void draw_dials(const Ui& ui, const RunCard& card, ImU32 hue, ImVec2 from, ImVec2 to);
void draw_turn(const Ui& ui, const RunCard& card, ImVec2 from, ImVec2 to);

// In two steps: its parts have the pointer before what lies below it, and are drawn over that.
CardAnswer press_run_card(const Ui& ui, const RunCard& card, ImVec2 min);
void draw_run_card(const Ui& ui, const RunCard& card, ImVec2 min);

using RunRect = std::pair<ImVec2, ImVec2>;  // least and greatest corner, pixels of the screen

inline bool meet(const RunRect& a, const RunRect& b) {
    return a.first.x < b.second.x && b.first.x < a.second.x && a.first.y < b.second.y && b.first.y < a.second.y;
}

struct CardRoom {
    ImVec2 min, max;                     // what is seen of the picture
    std::span<const RunRect> lit;        // what the card speaks of: not to be covered
    std::span<const RunRect> shown;      // the other matrices
    std::span<const RunRect> cell = {};  // where the cell itself is: to be seen, whatever else is not
    float margin = 0;
};

// The upper left corner at which a card of this size covers least.
ImVec2 place_card(const CardRoom& room, ImVec2 size);

}  // namespace headcount
