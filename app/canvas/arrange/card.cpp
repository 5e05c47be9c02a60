// How a sub-block's card is laid out at a scale, and the largest scales at which there is room.
#include "app/canvas/arrange/card.hpp"

#include "core/base/find.hpp"

namespace headcount {
namespace {

// Those that say more first.
constexpr StrandRoom rooms[] = {{CardForm::rows, CardWords::all},        {CardForm::low_rows, CardWords::all},
                                {CardForm::columns, CardWords::all},     {CardForm::columns, CardWords::all, true},
                                {CardForm::rows, CardWords::first},      {CardForm::low_rows, CardWords::first},
                                {CardForm::columns, CardWords::first},   {CardForm::columns, CardWords::first, true},
                                {CardForm::columns, CardWords::few},     {CardForm::columns, CardWords::few, true},
                                {CardForm::columns, CardWords::trained}, {CardForm::columns, CardWords::trained, true},
                                {CardForm::columns, CardWords::bare},    {CardForm::columns, CardWords::bare, true}};

constexpr std::size_t most_rows = 4;  // more are too low to be read

}  // namespace

const Strand* BlockCard::strand_of(std::size_t item) const {
    return find_if_in(strands_, [&](const Strand& each) { return each.has(item); });
}

const Tensor* BlockCard::weight_of(const CardStep& step) const {
    return step.weight.empty() ? nullptr : graph_.find(step.weight);
}

float BlockCard::split(float scale, const StrandRoom& room) const {
    if (inlet_) return box_.min.x + px(inner_padding);
    if (!room.below_title) return card_split(sketch_, plan_, block_, scale);
    return box_.min.x + px(room::padding + room::gap) + std::max(sketch_.thick(plan_.dim, scale), norm_words_);
}

std::optional<float> BlockCard::width_in(float scale, const StrandRoom& room) const {
    if (room.form != CardForm::columns) return strands_.size() <= most_rows ? rows_width(scale, room) : std::nullopt;
    // What comes from another stack reaches rows.
    if (room.below_title && (!has_title_in_corner() || inlet_)) return std::nullopt;
    if (reads_memory_ || columns_height(scale, room) > box_.height()) return std::nullopt;
    return columns_width(scale, room);
}

bool BlockCard::fits(float scale, const StrandRoom& room) const {
    const std::optional<float> width = width_in(scale, room);
    return width && *width <= box_.width();
}

// In the height that it has, in any form with such words.
std::optional<float> BlockCard::least_width(float scale, CardWords words) {
    std::optional<float> least;
    for (const StrandRoom& room : rooms)
        if (const std::optional<float> width = room.words == words ? width_in(scale, room) : std::nullopt)
            least = std::min(least.value_or(*width), *width);
    return least;
}

StrandRoom BlockCard::room_at(float scale) const {
    for (const StrandRoom& room : rooms)
        if (fits(scale, room)) return room;
    return {CardForm::rows, CardWords::first};
}

// Rows: closer to each other than their share, where that is more than they need with names above.
float BlockCard::rows_apart(const Rows& rows, float scale, const StrandRoom& room) const {
    float need = sketch_.label_height(rows.lines) + px(2);
    for (const Strand& strand : strands_) {
        float tallest = 0;
        for (const StrandPiece& piece : strand.pieces)
            if (!piece.made) tallest = std::max(tallest, piece_height(piece, scale) + px(10));
        if (rows.low) tallest += below_row_height(strand, scale);
        need = std::max(need, tallest + (room.words == CardWords::all && !rows.low ? 0 : 2 * names()));
    }
    return std::min(rows.height, 1.25F * need);
}

float BlockCard::matrices_alone() const {
    double rows = 0, columns = 0;
    float height = box_.height() / 2;
    for (const BlockCard& branch : inside_) {
        double above = 0, tallest = 0;  // each other; of the steps
        for (const Strand& strand : branch.strands_) {
            above += strand.pieces.front().sides.rows;
            columns += strand.pieces.front().sides.columns;
        }
        for (const CardStep& step : branch.steps_) {
            tallest = std::max(tallest, step.sides.rows);
            columns += step.sides.columns + step.made_sides.columns;
        }
        rows += std::max(above, tallest);
    }
    if (!inside_.empty())
        height = std::max(box_.height() - (px(title_lines) + 2 * names()) * static_cast<float>(inside_.size()),
                          0.2F * box_.height());
    for (const Strand& strand : strands_)
        for (const StrandPiece& piece : strand.pieces) rows = std::max(rows, piece.sides.rows);
    for (const Strand& strand : strands_) columns += strand.pieces.front().sides.columns;
    for (const CardStep& step : steps_) {
        rows = std::max(rows, step.sides.rows);
        columns += step.sides.columns + step.made_sides.columns;
    }
    return largest_scale({{rows, height}, {columns, box_.width() / 2}});
}

LargestScales BlockCard::largest() {
    if (!branches_.empty()) return largest_apart();
    const float most = largest_scale({one_row(sketch_)}), least = most * 1e-8F;
    const auto largest_in = [&](bool rows, CardWords words) {
        return largest_fitting(least, most, [&](float scale) {
            return std::ranges::any_of(rooms, [&](const StrandRoom& room) {
                return (room.form != CardForm::columns) == rows && room.words == words && fits(scale, room);
            });
        });
    };
    constexpr float enough_rows = 0.6F;  // a row reads like a sentence, and is worth smaller matrices
    constexpr float enough_made = 0.3F;  // what is made is worth much smaller ones
    constexpr float enough = 0.6F;       // names are worth smaller ones, but not tiny ones
    const float in_rows = largest_in(true, CardWords::first), in_columns = largest_in(false, CardWords::all);
    if (in_rows > least && in_rows >= enough_rows * in_columns) {
        const float with = largest_in(true, CardWords::all);
        return {in_rows, with >= enough * in_rows ? with : in_rows};
    }
    const float bare = largest_in(false, CardWords::bare), few = largest_in(false, CardWords::few);
    // Where there is room for nothing, as much as the matrices alone would need.
    if (bare <= least) return {matrices_alone(), matrices_alone()};
    const float shapes = few >= enough_made * bare ? few : bare;
    for (const float with : {in_columns, largest_in(false, CardWords::first), largest_in(false, CardWords::trained)})
        if (with >= enough * shapes) return {shapes, std::min(shapes, with)};
    return {shapes, shapes};
}

Point BlockCard::lay_out() {
    scale_ = plan_.scales.layer;
    std::optional<ChosenBranches> chosen;
    if (!branches_.empty()) chosen = chosen_branches();
    room_ = chosen ? room_of(chosen->apart) : room_at(scale_);
    if (!inlet_) {
        lay_out_card(sketch_, plan_, block_);
        lay_out_norm(sketch_, plan_, block_, card_norm_y(sketch_, plan_, block_), split(scale_, room_));
    }
    // Where it is low, a step's name has the room above it before its shape has that below.
    const float half = step_height(scale_) / 2;
    step_y_ =
        inlet_ ? std::clamp(box_.min.y + names() + half, box_.centre().y, std::max(box_.centre().y, box_.max.y - half))
               : box_.centre().y;
    if (chosen)
        draw_branches(*chosen);
    else
        room_.form == CardForm::columns ? draw_columns() : draw_rows();
    draw_steps();
    const CardStep& last = steps_.back();
    return {last.left + last.width, step_y_};
}

LargestScales card_scales(const Sketch& sketch, const Plan& plan, std::string_view block, const CardParts& parts) {
    Sketch trial(sketch.input());
    return BlockCard(trial, plan, block, parts).largest();
}

void lay_out_block_card(Sketch& sketch, const Plan& plan, std::string_view block, const CardParts& parts) {
    if (parts.items.empty()) return;
    lay_out_return(sketch, plan, block, BlockCard(sketch, plan, block, parts).lay_out());
}

}  // namespace headcount
