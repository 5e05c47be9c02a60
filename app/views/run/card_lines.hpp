// The lines of a cell's card, laid out once for all that is done with them: measured, pressed, drawn.
#pragma once

#include <string>
#include <vector>

#include "app/views/run/card.hpp"

namespace headcount {

inline constexpr float card_padding = 12, card_row = 20, card_bars_height = 72;  // unscaled
inline constexpr std::size_t most_card_terms = 3;

// A piece of a line that can be pressed.
struct CardPiece {
    std::string text;
    std::optional<CellAt> cell;
    float x = 0, width = 0;
};

struct CardLine {
    enum class Kind { words, formula, bars, scale, term, rule } kind = Kind::words;
    std::string text, value;
    std::vector<CardPiece> pieces;
    float y = 0, height = card_row;
};

class CardLines {
  public:
    CardLines(const Ui& ui, const RunCard& card);

    std::vector<CardLine> lines;
    float height() const;

  private:
    const Model& model() const { return card_.run.values->model(); }
    void add(CardLine line);
    void wrapped(std::string text, CardLine::Kind kind);
    std::string subtitle() const;
    void put(CardLine& line, std::string text, std::optional<CellAt> cell = {});
    void add_terms();
    void add_step(const AfterSum& step);

    const Ui& ui_;
    const RunCard& card_;
    const float width_;
    float y_ = 0;
};

}  // namespace headcount
