// Turned pairs of a pinned number as hands on the card, and what turns them: a hand that is dragged, or the position.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/ui/rich_text.hpp"
#include "app/ui/theme.hpp"
#include "app/views/run/card.hpp"
#include "app/views/run/cells.hpp"

namespace headcount {
namespace {

constexpr float largest_dial = 92, low_dial = 40, knob = 6, value_width = 34, track_gap = 10;  // unscaled

struct Dial {
    ImVec2 centre;
    float radius;
};

Dial dial_of(const Ui& ui, std::size_t index, std::size_t count, ImVec2 from, ImVec2 to) {
    const float all = to.x - from.x, side = std::min(all / static_cast<float>(count), to.y - from.y - ui.px(4));
    const float left = from.x + (all - side * static_cast<float>(count)) / 2 + side * static_cast<float>(index);
    return {{left + side / 2, (from.y + to.y) / 2}, side / 2 - ui.px(3)};
}

double length(const std::array<double, 2>& hand) { return std::hypot(hand[0], hand[1]); }
double longest(const std::vector<Hand>& hands) {
    double most = 0;
    for (const Hand& hand : hands) most = std::max(most, length(hand.before));
    return most;
}

// The second number of a pair upwards, so that hands turn as angles are drawn.
ImVec2 tip_of(const Dial& dial, const std::array<double, 2>& hand, double most) {
    const double share = most > 0 ? static_cast<double>(dial.radius) / most : 0;
    return dial.centre + ImVec2(static_cast<float>(hand[0] * share), static_cast<float>(-hand[1] * share));
}

void draw_hand(const Ui& ui, const Dial& dial, ImVec2 tip, ImU32 colour, float width) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddLine(dial.centre, tip, colour, ui.px(width));
    if (width > 1) list.AddCircleFilled(tip, ui.px(width), colour);
}

struct Track {
    float from, to, y;
};
Track track_of(const Ui& ui, ImVec2 from, ImVec2 to) {
    const float words = text_width(ui.fonts.table, turn_words);
    return {from.x + words + ui.px(track_gap + knob), to.x - ui.px(value_width + knob),
            std::round((from.y + to.y) / 2)};
}

}  // namespace

TurnedByHand turn_by_hand(const RunValues& values, Explanation& said, std::optional<std::int64_t> standing) {
    const RunNumbers numbers = numbers_of(values);
    TurnedByHand made{.hands = turned_hands(numbers, said), .furthest = values.tokens() - 1};
    if (!made.hands) return made;
    made.standing = made.hands->cell.row;
    if (!standing || *standing == made.standing) return made;
    const RunNumbers there = standing_at(numbers, made.hands->cell, *standing);
    Result<Explanation> moved = explain(there, said.cell);
    if (!moved) return made;
    made.in_the_run = said.kept;
    made.standing = *standing;
    made.hands = turned_hands(there, *moved);
    said = *std::move(moved);
    return made;
}

std::size_t dials_of(const TurnedHands& hands) { return std::min(hands.own.size(), most_dials); }

float dials_height(const Ui& ui, const RunCard& card) {
    const float each = (run_card_width - 2 * card_padding) / static_cast<float>(dials_of(*card.turned.hands));
    return ui.px(std::min(each, card.low ? low_dial : largest_dial) + 4);
}

std::optional<std::int64_t> press_dials(const Ui& ui, const RunCard& card, ImVec2 from, ImVec2 to) {
    ui.recorder.record("run.card.hands", from, to);
    if (!press_area(ui, "hands", from, to, -1).held) return std::nullopt;
    const TurnedHands& hands = *card.turned.hands;
    const std::size_t count = dials_of(hands);
    const ImVec2 begun = ImGui::GetIO().MouseClickedPos[0], at = ImGui::GetIO().MousePos;
    std::size_t nearest = 0;
    float least = to.x - from.x;
    for (std::size_t i = 0; i < count; ++i) {
        const float apart = std::abs(dial_of(ui, i, count, from, to).centre.x - begun.x);
        if (apart < least) least = apart, nearest = i;
    }
    const ImVec2 centre = dial_of(ui, nearest, count, from, to).centre;
    const Hand& hand = hands.own[nearest];
    if (begun.x == at.x && begun.y == at.y) return std::nullopt;  // taken, and not moved yet
    if (hand.step == 0) return std::nullopt;                      // no position turns it
    const double angle = std::atan2(static_cast<double>(centre.y - at.y), static_cast<double>(at.x - centre.x));
    // The shorter way from where the hand is.
    const double further = std::remainder(angle - std::atan2(hand.after[1], hand.after[0]), 2 * std::numbers::pi);
    const auto by = static_cast<std::int64_t>(std::llround(std::clamp(further / hand.step, -1e6, 1e6)));
    return std::clamp<std::int64_t>(card.turned.standing + by, 0, card.turned.furthest);
}

std::optional<std::int64_t> press_turn(const Ui& ui, const RunCard& card, ImVec2 from, ImVec2 to) {
    const Track track = track_of(ui, from, to);
    const ImVec2 min(track.from - ui.px(knob), from.y), max(track.to + ui.px(knob), to.y);
    ui.recorder.record("run.card.position", min, max);
    if (!press_area(ui, "position", min, max, ui.px(size::radius_field)).held) return std::nullopt;
    const float share = std::clamp((ImGui::GetIO().MousePos.x - track.from) / (track.to - track.from), 0.0F, 1.0F);
    return std::llround(static_cast<double>(share) * static_cast<double>(card.turned.furthest));
}

void draw_dials(const Ui& ui, const RunCard& card, ImU32 hue, ImVec2 from, ImVec2 to) {
    const Theme& theme = ui.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const TurnedHands& hands = *card.turned.hands;
    const double own = longest(hands.own), other = longest(hands.other);
    for (std::size_t i = 0; i < dials_of(hands); ++i) {
        const Hand& hand = hands.own[i];
        const Dial dial = dial_of(ui, i, dials_of(hands), from, to);
        list.AddCircle(dial.centre, dial.radius, theme.strong_line);
        if (hands.other.empty()) {
            const double begin = std::atan2(hand.before[1], hand.before[0]);
            const double turned =
                std::remainder(std::atan2(hand.after[1], hand.after[0]) - begin, 2 * std::numbers::pi);
            // Clockwise on a screen is against the angle.
            list.PathArcTo(dial.centre, dial.radius / 3, static_cast<float>(-begin),
                           static_cast<float>(-begin - turned));
            list.PathStroke(theme.text_low, 0, ui.px(1.5F));
            draw_hand(ui, dial, tip_of(dial, hand.before, own), theme.text_low, 1);
        } else {
            draw_hand(ui, dial, tip_of(dial, hands.other[i].after, other), theme.key, 2);
        }
        draw_hand(ui, dial, tip_of(dial, hand.after, own), hands.other.empty() ? hue : theme.query, 2.5F);
    }
}

void draw_turn(const Ui& ui, const RunCard& card, ImVec2 from, ImVec2 to) {
    const Theme& theme = ui.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Track track = track_of(ui, from, to);
    draw_text_in(list, ui.fonts.table, from, to, theme.text_mid, turn_words);
    draw_text_in(list, ui.fonts.mono, from, to, theme.text_high, std::to_string(card.turned.standing), Align::right);
    const float share = card.turned.furthest > 0
                            ? static_cast<float>(card.turned.standing) / static_cast<float>(card.turned.furthest)
                            : 0;
    const float x = track.from + share * (track.to - track.from), half = ui.px(1.5F);
    list.AddRectFilled({track.from, track.y - half}, {track.to, track.y + half}, theme.strong_line, half);
    list.AddRectFilled({track.from, track.y - half}, {x, track.y + half}, theme.selection, half);
    list.AddCircleFilled({x, track.y}, ui.px(knob), theme.text_high);
}

}  // namespace headcount
