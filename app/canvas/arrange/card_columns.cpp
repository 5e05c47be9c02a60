// A card whose strands hang below what they read, side by side.
#include <algorithm>
#include <numeric>
#include <vector>

#include "app/canvas/arrange/card.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float most_more = 12;     // design pixels: between a matrix and what it makes, where there is room
constexpr float beside_narrow = 4;  // from a matrix to its name

}  // namespace

float BlockCard::column_width(const Strand& strand, float scale, const StrandRoom& room) const {
    const bool first = room.words == CardWords::first || room.words == CardWords::trained;
    float width = room.words == CardWords::all ? px(beside_way) + strand.words
                  : first                      ? px(beside_way) + strand.first
                                               : 0;
    for (const StrandPiece& piece : strand.pieces)
        if (shows(piece, room)) width = std::max(width, piece_width(piece, scale));
    return width;
}

float BlockCard::piece_height(const StrandPiece& piece, float scale) const {
    const float own = sketch_.thick(piece.sides.rows, scale);
    return (piece.made ? std::min(own, px(tallest_made)) : own) + bias_height(piece, scale);
}

float BlockCard::strand_height(const Strand& strand, float scale, const StrandRoom& room) const {
    float own = 0;
    for (const StrandPiece& piece : strand.pieces)
        if (shows(piece, room))
            own += (&piece == &strand.pieces.front() ? names() : gap(room)) + piece_height(piece, scale);
    return own;
}

float BlockCard::columns_height(float scale, const StrandRoom& room) const {
    float tallest = 0;
    for (const Strand& strand : strands_) tallest = std::max(tallest, strand_height(strand, scale, room));
    return std::max(tallest + px(above_row + below_row),
                    step_height(scale) + px(2 * below_row) + (room.words == CardWords::all ? px(least_words) : 0)) +
           (room.below_title ? px(title_lines) : 0);
}

float BlockCard::columns_width(float scale, const StrandRoom& room) const {
    float sum = split(scale, room) - box_.min.x + arrow(room) * static_cast<float>(1 + levels()) + padding();
    for (const Strand& strand : strands_) sum += column_width(strand, scale, room) + px(columns_apart);
    return sum + steps_width(scale, room) + px(way_in);
}

Rect BlockCard::slabs_of(const StrandPiece& piece, Point left, float tallest) {
    Rect all = sketch_.slab(piece.drawn.front(), left, scale_, tallest);
    for (std::size_t i = 1; i < piece.drawn.size(); ++i)
        all.max.x = sketch_.slab(piece.drawn[i], {all.max.x + px(drawn_apart), left.y}, scale_, tallest).max.x;
    return all;
}

Rect BlockCard::draw_hung(const StrandPiece& piece, Point corner) {
    const float tall = piece_height(piece, scale_) - bias_height(piece, scale_);
    const Rect rect = piece.made ? slabs_of(piece, {corner.x, corner.y + tall / 2}, px(tallest_made))
                                 : draw_weight(piece, sketch_.hung(piece.id, corner, scale_));
    if (piece.bias.empty()) return rect;
    sketch_.bias_below(piece.bias, rect, scale_);
    return {rect.min, {rect.max.x, sketch_.scene.slabs.back().rect.max.y}};
}

// Right of the way that leads in from above, or of a narrow matrix; a large one has its size inside.
void BlockCard::name_hung(const StrandPiece& piece, const Rect& rect, float width, Named where) {
    const Tensor& tensor = *graph_.find(piece.id);
    std::string name = piece.made ? std::string(tensor.symbol) : sketch_.name_text(tensor);
    // What has changed gives way.
    if (px(beside_way) + sketch_.width_of(name, TextRole::name) > width) name = tensor.symbol;
    const std::string shape = sketch_.shape_text(tensor);
    const Point at{rect.min.x + px(beside_way), rect.min.y - sketch_.name_line() - px(name_gap) / 2};
    if (where == Named::above) sketch_.name(at, name, tensor.id);
    if (where == Named::beside)
        sketch_.name({rect.max.x + px(beside_narrow), rect.centre().y - sketch_.name_line() / 2}, tensor.symbol,
                     tensor.id);
    const float number = sketch_.width_of(shape, TextRole::number);
    if (!piece.made && rect.width() >= number + px(12) && rect.height() >= sketch_.number_line() + px(4)) {
        const bool both = rect.height() >= 2 * sketch_.number_line() + px(6);
        const float y = rect.centre().y - (both ? sketch_.number_line() : sketch_.number_line() / 2);
        sketch_.label({rect.centre().x, y}, shape, TextRole::number, Tone::on_slab, Anchor::centre, tensor.id);
        if (both)
            sketch_.detail({rect.centre().x, y + sketch_.number_line()}, grouped(sketch_.count(tensor)), tensor.id,
                           Anchor::centre, Tone::on_slab_low);
        return;
    }
    const float beside = px(beside_way + 8) + sketch_.width_of(name, TextRole::name);
    if (room_.words == CardWords::all && beside + number <= width)
        sketch_.number({rect.min.x + beside, at.y + px(1)}, shape, tensor.id);
}

void BlockCard::draw_columns() {
    // In the middle of a card that is taller, with some of that between a matrix and the name of what it makes.
    const float free = std::max(0.0F, box_.height() - columns_height(scale_, room_));
    const auto gaps_in = [&](const Strand& strand) {
        const auto shown =
            std::ranges::count_if(strand.pieces, [&](const StrandPiece& each) { return shows(each, room_); });
        return static_cast<float>(std::max<std::ptrdiff_t>(1, shown - 1));
    };
    float most_gaps = 1, tallest = 0;
    for (const Strand& strand : strands_) {
        most_gaps = std::max(most_gaps, gaps_in(strand));
        tallest = std::max(tallest, strand_height(strand, scale_, room_));
    }
    // Enough for a name where there is so much.
    const float for_name = names() - gap(room_);
    const float common = std::min(std::max(px(most_more), for_name), free / (2 * most_gaps));
    const float spare = (free - common * most_gaps) / 2;
    const float bus = box_.min.y + spare + px(above_row + (room_.below_title ? title_lines : 0));
    // The ways below keep clear of the steps' words where they can.
    const float words = step_height(scale_) / 2 + 2 * sketch_.number_line() + px(2 * ways_apart + 8);
    foot_ = std::min(box_.max.y, std::max(box_.max.y - spare, step_y_ + words));
    // What is left over is shared out among the gaps.
    const auto gaps = static_cast<float>(strands_.size() + steps_.size());
    const float left_over = std::max(0.0F, box_.width() - columns_width(scale_, room_));
    const auto end_of_name = [&](const StrandPiece& piece) {
        return px(beside_way) + sketch_.width_of(graph_.find(piece.id)->symbol, TextRole::name);
    };
    // Columns that are narrower than their names are widened first, where that is enough for all.
    std::vector<float> lacks;
    for (const Strand& strand : strands_) {
        const float next = column_width(strand, scale_, room_) + px(columns_apart + way_in / 2);
        lacks.push_back(std::max(0.0F, end_of_name(strand.pieces.front()) + px(3) - next));
    }
    const float lacking = std::accumulate(lacks.begin(), lacks.end() - 1, 0.0F);  // behind the last there is room
    const bool widened = lacking <= left_over;
    const float slack = (left_over - (widened ? lacking : 0)) / gaps;
    const float from = split(scale_, room_);
    float left = from + arrow(room_);
    for (std::size_t i = 0; i < strands_.size(); ++i) {
        strands_[i].left = left += before(i, room_);
        left += column_width(strands_[i], scale_, room_) + px(columns_apart) + 0.6F * slack + (widened ? lacks[i] : 0);
    }
    place_steps(slack);
    const std::string input = flowing_in();
    const float norm_y = entry().y;
    // From one piece to the next: a strand that is shorter has more of it.
    const auto apart_in = [&](const Strand& strand) {
        const float own = tallest + common * most_gaps - strand_height(strand, scale_, room_);
        return gap(room_) + std::max(common, std::min(for_name, own / gaps_in(strand)));
    };
    const bool room_above =
        std::ranges::all_of(strands_, [&](const Strand& each) { return apart_in(each) >= names(); });
    for (Strand& strand : strands_) {
        const float wide = column_width(strand, scale_, room_) + px(columns_apart), x = strand.left + px(way_in) / 2;
        float y = bus + names();
        const float apart = apart_in(strand);
        if (strand.after)
            lead_up(strand, bus, {x, y - px(1)});
        else if (!strand.pieces.front().brought)
            sketch_.wire({{from, norm_y}, {from, bus}, {x, bus}, {x, y - px(1)}}, input);
        std::string above;
        for (const StrandPiece& piece : strand.pieces) {
            if (!shows(piece, room_)) continue;
            const bool first = &piece == &strand.pieces.front();
            if (!first) {
                sketch_.line({{x, y}, {x, y + apart}}, above);
                y += apart;
            }
            const Rect rect = draw_hung(piece, {strand.left, y});
            // Where columns are narrower than their names, a name ends before the way into the next one.
            const bool last = &strand == &strands_.back();
            const float beyond = last ? box_.max.x : (&strand + 1)->left + px(way_in) / 2;
            const bool all = room_.words == CardWords::all;
            const float name = sketch_.width_of(graph_.find(piece.id)->symbol, TextRole::name);
            const bool fits_above = all || ((first || apart >= names()) && strand.left + end_of_name(piece) < beyond);
            const bool fits_beside = rect.max.x + px(2 * beside_narrow) + name < beyond;
            // What strands make is named at one height where it can be.
            const bool on_top = fits_above && (all || first || room_above || !fits_beside);
            const Named where = on_top ? Named::above : fits_beside ? Named::beside : Named::no;
            name_hung(piece, rect, all || last ? wide : beyond - strand.left, where);
            y = rect.max.y;
            above = piece.flows;
        }
        strand.end = strand.solid = {x, y};
    }
}

// From the foot of the strand that it reads below all others, and up before the first of its own level.
void BlockCard::lead_up(const Strand& strand, float bus, Point end) {
    const Strand& from = *strand_of(*strand.after);
    const auto first = std::ranges::find_if(strands_, [&](const Strand& each) { return each.level == strand.level; });
    const float y = foot_ - px(ways_apart), up = first->left - arrow(room_) / 2;
    sketch_.wire({from.end, {from.end.x, y}, {up, y}, {up, bus}, {end.x, bus}, end}, output_of(*strand.after).id);
}

}  // namespace headcount
