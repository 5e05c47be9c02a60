// Spacing, lines, titles, cards, panels: what stands between components.
#pragma once

#include <string_view>
#include <utility>

#include "app/ui/ui.hpp"

namespace headcount {

void gap(const Ui& ui, float pixels);  // vertical, scaled
float available_width();
// A line of the panel's width at the cursor, which goes below it.
std::pair<ImVec2, ImVec2> take_line(const Ui& ui, float height);  // unscaled
void separator(const Ui& ui, float above = 16, float below = 16, bool edge_to_edge = true);

// 13 px, 600, with an optional remark at the right in a low colour. 24 px high.
void section_title(const Ui& ui, std::string_view title, std::string_view remark = {});
// The tint behind a row that is lit, reaching a little beyond the text on both sides.
void tint_row(const Ui& ui, ImVec2 min, ImVec2 max, ImU32 tint);

void caption(const Ui& ui, std::string_view text);

// Scrolls no further than it needs for these heights of the screen, with so many pixels above and below, to be seen.
void scroll_into_sight(float top, float bottom, float margin);

// A card with a few quiet sentences, which a cross closes: at the cursor, at the available width, as high as the text
// needs. Returns whether the cross was pressed. Records name and name.dismiss.
bool notice_card(const Ui& ui, std::string_view name, std::string_view text);

// Heights that follow from content are known one frame late: as remembered, or `guess` in the first frame.
float known_height(const Ui& ui, ImGuiID id, float guess);
// Asks for another frame where the height differs from the one that this frame was laid out with.
void remember_height(const Ui& ui, ImGuiID id, float height);

// A raised, bordered surface around what is drawn while the object lives. The height is what was needed in the
// previous frame's layout of the same name, so it adapts without measuring twice.
class Card {
  public:
    Card(const Ui& ui, std::string_view name, ImU32 fill = 0, ImU32 border = 0, float padding = size::card_padding);
    ~Card();
    Card(const Card&) = delete;
    Card& operator=(const Card&) = delete;

  private:
    const Ui& ui;
    std::string_view name = {};
    ImVec2 start;
    float padding, width;
    ImU32 fill, border;
};

// A child region with the panel's colour and padding (half of it above and below), that scrolls vertically where its
// content is higher.
class Panel {
  public:
    Panel(const Ui& ui, std::string_view name, ImVec2 size, ImU32 fill = 0, float padding = size::panel_padding,
          bool scrolls = true);
    ~Panel();
    Panel(const Panel&) = delete;
    Panel& operator=(const Panel&) = delete;
    bool visible = false;
};

}  // namespace headcount
