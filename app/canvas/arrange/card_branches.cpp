// A card in which other cards lie: mixers beside each other, or experts of which a token passes a few and what every
// token passes. Each reads the card's input by itself, and the card's first step brings together what they make.
#include <algorithm>

#include "app/canvas/arrange/card.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Design pixels.
constexpr float deck_behind = 12;                                    // what is seen of the cards behind a deck's first
constexpr float below_all = 4, below_ways = 12, way_below = 3;       // ... with ways below; of a way in above a foot
constexpr float apart_down = 4, beside_frame = 6, around_piece = 4;  // between two; in a frame left and right
constexpr float header = 20, deck_header = 26, high_header = 42;  // titles above; squares beside the title or below it
constexpr float high_from = 130;                                  // how high a deck is whose squares stand below
constexpr float title_inset = 8, units_height = 16, least_units = 36, units_below = 16;
constexpr float above_own = 19, own_from = 8, below_own = 12;  // of a strand of the card's own, with its way below
constexpr float past_norm = 6, over_title = 3;                 // of a way from the stream past the norm
constexpr float roomy = 1.25F, to_right = 0.35F;               // how much of what is left over a card and ways get

struct Order {
    bool beside, titles_left;
};
constexpr Order orders[] = {{false, false}, {true, false}, {false, true}, {true, true}};
constexpr CardWords tiers[] = {CardWords::all, CardWords::first, CardWords::few, CardWords::bare};

}  // namespace

// "One of 8 experts, 2 a token", "Shared expert, every token", or less of it.
std::string BlockCard::title_of(std::size_t branch, const Apart& apart, float width) const {
    const CardBranch& own = branches_[branch];
    const Block& block = *graph_.find_block(own.block);
    std::vector<std::string> wordings;
    if (is_deck(branch)) {
        const std::string count = grouped(own.copies), all = count + " " + block.name + "s";
        const std::string some = own.runs < own.copies ? ", " + grouped(own.runs) + " a token" : "";
        if (!apart.titles_left) wordings = {"One of " + all + some, all + some, all};
        wordings.push_back("× " + count);
    } else {
        const auto counts_shared = [&](const Tensor& each) {
            return graph_.inside(each.block, static_cast<BlockIndex>(&block - graph_.blocks.data())) &&
                   uses(each.shape, Symbol::shared_experts);
        };
        std::string name = words_of(block);
        if (!apart.titles_left && std::ranges::any_of(graph_.tensors, counts_shared)) {
            const std::int64_t count = sketch_.whole(Symbol::shared_experts);
            const std::string words = count == 1 ? name + " expert" : grouped(count) + " " + block.name + " experts";
            wordings = {words + ", every token", words};
        }
        wordings.push_back(std::move(name));
    }
    for (const std::string& wording : wordings)
        if (sketch_.width_of(wording, TextRole::name) <= width) return wording;
    return "";
}

float BlockCard::title_width(std::size_t branch) const {
    const Apart left{.titles_left = true};
    const float words = sketch_.width_of(title_of(branch, left, box_.width()), TextRole::name);
    return px(2 * title_inset) + (is_deck(branch) ? std::max(words, px(least_units)) : words);
}

float BlockCard::title_height(float height, std::size_t branch) const {
    return px(!is_deck(branch) ? header : height >= px(high_from) ? high_header : deck_header);
}

float BlockCard::own_width(const Strand& strand, float scale, CardWords words) const {
    float width = 0;
    for (const StrandPiece& piece : strand.pieces) {
        if (piece.made) continue;
        width = std::max({width, wide(piece.sides, scale), piece.name});
        if (words == CardWords::all)
            width = std::max(width, sketch_.width_of(sketch_.shape_text(piece.id), TextRole::number));
    }
    return width;
}

float BlockCard::own_height(const Strand& strand, float scale) const {
    float height = 0;
    for (const StrandPiece& piece : strand.pieces)
        if (!piece.made) height += tall(piece.sides, scale) + bias_height(piece, scale) + px(2);
    return height;
}

// Of the form in which it is the lowest.
float BlockCard::least_height(float scale, CardWords words) const {
    float row = px(named_row);
    for (const Strand& strand : strands_)
        for (const StrandPiece& piece : strand.pieces)
            if (!piece.made) row = std::max(row, piece_height(piece, scale) + px(around_piece));
    const float rows = std::max(row * static_cast<float>(strands_.size()),
                                step_height(scale) + names() * (words == CardWords::all ? 2.0F : 1.0F));
    return std::min(rows + px(around_piece), columns_height(scale, {.words = words}));
}

// How high it is at most: more would be empty.
float BlockCard::wished_height(float scale) const {
    float row = sketch_.label_height(3) + px(above_own);
    for (const Strand& strand : strands_)
        for (const StrandPiece& piece : strand.pieces)
            if (!piece.made) row = std::max(row, piece_height(piece, scale) + px(above_own));
    const float rows = row * static_cast<float>(strands_.size());
    return std::max(std::min(rows, columns_height(scale, {}) + px(above_own)), step_height(scale) + px(4 * above_own));
}

// Where all have room at this scale, their cards with them; nothing where they have none.
std::optional<BlockCard::Branches> BlockCard::branches_at(float scale, const Apart& apart) {
    const StrandRoom room = room_of(apart);
    const auto from_stream = [](const Strand& each) { return each.from_stream; };  // which comes over the title
    if (apart.below_title && (!has_title_in_corner() || std::ranges::any_of(strands_, from_stream)))
        return std::nullopt;
    Branches at;
    at.strands = at.left = split(scale, room) + arrow(room);
    for (const Strand& strand : strands_) at.left += own_width(strand, scale, apart.words) + arrow(room);
    const bool deck = is_deck(0), many = branches_.size() > 1;
    at.end = box_.max.x - padding() - steps_width(scale, room) - px(deck ? deck_behind : 0);
    const float top = px((deck ? deck_behind : below_all) + (apart.below_title ? title_lines : 0));
    const Rect area{{at.left, box_.min.y + top},
                    {at.end, box_.max.y - px(apart.beside && many ? below_ways : below_all)}};
    return branches_in(scale, apart, area, std::move(at));
}

std::optional<BlockCard::Branches> BlockCard::branches_in(float scale, const Apart& apart, Rect area, Branches at) {
    const std::size_t count = branches_.size();
    const auto gaps = static_cast<float>(count - 1);
    if (apart.beside && count == 1) return std::nullopt;
    // Their heights: as those need them that lie below each other.
    float titles = 0, needed = 0;
    std::vector<float> needs, heights;
    for (std::size_t i = 0; i < count; ++i) {
        needs.push_back(inside_[i].least_height(scale, apart.words) + (apart.titles_left ? 0 : title_height(0, i)));
        needed += needs.back();
        if (apart.titles_left) titles = std::max(titles, title_width(i));
    }
    const float whole = area.height() - (apart.beside ? 0 : gaps * px(apart_down));
    for (std::size_t i = 0; i < count; ++i) {
        const float share = apart.beside ? whole : whole * needs[i] / needed;
        const float above = apart.titles_left ? 0 : title_height(share, i);
        heights.push_back(std::min(share, inside_[i].wished_height(scale) + above));
    }
    float used = apart.beside ? *std::ranges::max_element(heights) : gaps * px(apart_down);
    for (std::size_t i = 0; i < count && !apart.beside; ++i) used += heights[i];
    float y = area.min.y + std::max(0.0F, area.height() - used) / 2, across = 0;
    const float between = plan_.arrow + px(deck_behind);
    for (std::size_t i = 0; i < count; ++i) {
        const float inset = px(is_deck(i) ? beside_frame : 0),
                    above = apart.titles_left ? 0 : title_height(heights[i], i);
        const float height = apart.beside ? used : heights[i];
        BlockCard& card = inside_[i];
        card.box_ = {{titles > 0 ? titles : inset, y + above}, {0, y + height - px(2)}};
        card.box_.max.x = area.max.x;
        const float from = card.box_.min.x;
        const std::optional<float> width = card.least_width(scale, apart.words);
        if (!width && !apart.anyhow) return std::nullopt;
        float wide = from + width.value_or(card.columns_width(scale, {.words = apart.words})) + inset;
        if (is_deck(i) && !apart.titles_left) wide = std::max(wide, px(2 * title_inset + 2 * least_units));
        at.frames.push_back({{0, y}, {wide, y + height}});
        across = apart.beside ? across + wide + (i > 0 ? between : 0) : std::max(across, wide);
        if (!apart.beside) y += height + px(apart_down);
    }
    if (across > area.width() && (!apart.anyhow || apart.titles_left)) return std::nullopt;
    for (const Strand& strand : strands_)
        if (own_height(strand, scale) + px(own_from + 2 * way_below) > at.frames.front().height() && !apart.anyhow)
            return std::nullopt;
    // A part of what is left over is theirs, another that of the ways to them.
    const float wider = std::clamp(area.width() / std::max(across, 1.0F), 0.01F, roomy);
    const float spare = std::max(0.0F, area.width() - across * wider);
    at.strands += spare * to_right / 2;
    at.left += spare * to_right;
    float x = at.left;
    for (std::size_t i = 0; i < count; ++i) {
        Rect& frame = at.frames[i];
        const float wide = frame.width() * wider;
        frame.min.x = x;
        frame.max.x = x + wide;
        BlockCard& card = inside_[i];
        card.box_ = {{x + card.box_.min.x, card.box_.min.y},
                     {frame.max.x - px(is_deck(i) ? beside_frame : 0), card.box_.max.y}};
        if (apart.beside) x = frame.max.x + between * wider;
    }
    return at;
}

LargestScales BlockCard::largest_apart() {
    const float most = largest_scale({one_row(sketch_)}), least = most * 1e-8F;
    const auto largest_with = [&](CardWords words, bool below_title, float limit) {
        return largest_fitting(least, limit, [&](float scale) {
            return std::ranges::any_of(orders, [&](const Order& order) {
                const std::optional<Branches> at =
                    branches_at(scale, {order.beside, order.titles_left, words, below_title});
                return at && at->end - at->left > 0;
            });
        });
    };
    constexpr float enough = 0.6F;  // all words are worth smaller matrices, but not tiny ones
    for (const bool below_title : {false, true})
        for (const CardWords words : {CardWords::first, CardWords::bare}) {
            const float named = largest_with(words, below_title, most);
            if (named <= least) continue;
            const float with = largest_with(CardWords::all, below_title, named);
            return {named, with >= enough * named ? with : named};
        }
    return {matrices_alone(), matrices_alone()};
}

bool BlockCard::is_in_branch(std::size_t item) const {
    return std::ranges::any_of(branches_, [&](const CardBranch& branch) { return contains(branch.items, item); });
}

// The step that brings what the branch makes together with others'.
const CardStep& BlockCard::reader_of(const CardBranch& branch) const {
    const auto reads = [&](const CardStep& step) {
        return std::ranges::any_of(items_[step.item].from,
                                   [&](std::size_t from) { return contains(branch.items, from); });
    };
    const auto found = std::ranges::find_if(steps_, reads);
    return found == steps_.end() ? steps_.front() : *found;
}

// Of what it trains the first that no other is taller than.
const StrandPiece& BlockCard::largest_of(const Strand& strand) {
    return *std::ranges::max_element(strand.pieces, {},
                                     [](const StrandPiece& piece) { return piece.made ? 0 : piece.sides.rows; });
}

// A strand of the card's own, hanging from a corner, its name above it; returns the foot of what it draws.
float BlockCard::draw_own(Strand& strand, Point corner, float until) {
    strand.left = corner.x;
    float y = corner.y;
    bool first = true;
    for (const StrandPiece& piece : strand.pieces) {
        if (piece.made) continue;
        const Rect rect = sketch_.hung(piece.id, {corner.x, y}, scale_);
        sketch_.bias_below(piece.bias, rect, scale_);
        y = rect.max.y + bias_height(piece, scale_) + px(2);
        if (&piece == &largest_of(strand)) strand.end = strand.solid = {rect.max.x, rect.centre().y};
        if (first)
            sketch_.name({rect.min.x, rect.min.y - px(above_own)}, sketch_.name_text(*graph_.find(piece.id)), piece.id);
        first = false;
    }
    const float shape = y + px(2) + sketch_.number_line();
    if (room_.words != CardWords::all || shape > until - px(below_own)) return y;
    sketch_.number({corner.x, y + px(2)}, sketch_.shape_text(strand.pieces.front().id), strand.pieces.front().id);
    return shape;
}

// The frame of many, their squares, and what they are called; returns where what decides which of them are lit comes
// in.
Point BlockCard::draw_title(std::size_t branch, const Rect& frame, const Apart& apart) {
    const CardBranch& own = branches_[branch];
    const Rect& body = inside_[branch].box_;
    const float inset = px(is_deck(branch) ? title_inset : 0);
    const float width = (apart.titles_left ? body.min.x : frame.max.x) - frame.min.x - inset;
    if (is_deck(branch)) sketch_.frame(own.block, frame, FrameKind::card, component_of(sketch_, own.block), own.copies);
    const bool high = !apart.titles_left && body.min.y - frame.min.y >= px(high_header);
    const bool in_row = is_deck(branch) && !apart.titles_left && !high;
    const std::string title = title_of(branch, apart, width - (in_row ? px(title_inset + least_units) : 0));
    Point at{frame.min.x + inset, frame.min.y + px(is_deck(branch) && !apart.titles_left ? 4 : 2)};
    sketch_.name(at, title, own.block);
    if (!is_deck(branch) || own.chosen_by.empty()) return at;
    const float below = at.y + px(units_below), foot = frame.max.y - px(2 * way_below);
    const float high_units =
        apart.titles_left ? std::clamp(foot - below, px(least_side), px(units_height)) : px(units_height);
    Point units{at.x, below + high_units / 2};
    if (in_row)
        units = {at.x + sketch_.width_of(title, TextRole::name) + px(title_inset), frame.min.y + px(deck_header) / 2};
    const float room = frame.min.x + width - units.x;
    lay_out_units(sketch_, {.shown = own.chosen_by, .count = own.copies, .lit = own.runs}, units,
                  {apart.titles_left ? room - inset : room - inset / 2, high_units})
        .named_by = own.block;
    return {in_row ? frame.min.x : units.x - px(1), units.y};
}

BlockCard::ChosenBranches BlockCard::chosen_branches() {
    for (const bool below_title : {false, true})
        for (const CardWords words : tiers)
            for (const Order& order : orders) {
                const Apart apart{order.beside, order.titles_left, words, below_title};
                if (std::optional<Branches> at = branches_at(scale_, apart)) return {apart, *std::move(at)};
            }
    const Apart left{.titles_left = true, .words = CardWords::bare, .anyhow = true};
    if (std::optional<Branches> at = branches_at(scale_, left)) return {left, *std::move(at)};
    const Apart above{.words = CardWords::bare, .anyhow = true};
    return {above, *branches_at(scale_, above)};  // which takes whatever room there is
}

void BlockCard::draw_branches(const ChosenBranches& chosen) {
    const auto& [apart, at] = chosen;
    place_steps(0);
    const Point from = entry();
    const std::string input = flowing_in();
    float x = at.strands, foot = at.frames.front().min.y;
    for (Strand& strand : strands_) {
        const float top = at.frames.front().min.y + px(own_from);
        foot = std::max(foot, draw_own(strand, {x, top}, at.frames.front().max.y));
        if (strand.from_stream) {
            const float left = box_.min.x + px(past_norm), over = box_.min.y + px(over_title), down = x + px(own_from);
            sketch_.wire({{left, from.y}, {left, over}, {down, over}, {down, top - px(1)}},
                         stream_into(sketch_, block_));
        } else {
            sketch_.wire({from, {from.x, strand.end.y}, {x - px(2), strand.end.y}}, input);
        }
        x += own_width(strand, scale_, apart.words) + arrow(room_);
    }
    std::vector<Point> ends;
    for (std::size_t i = 0; i < branches_.size(); ++i) {
        const Rect& frame = at.frames[i];
        BlockCard& card = inside_[i];
        const Point choice = draw_title(i, frame, apart);
        if (branches_[i].strand) {
            const Strand& strand = strands_[*branches_[i].strand];
            const float half = tall(largest_of(strand).sides, scale_) / 2 - px(2);
            const float out = std::clamp(choice.y, strand.end.y - half, strand.end.y + half);
            const float turn = strand.left + own_width(strand, scale_, apart.words) + px(around_piece);
            std::vector<Point> way{{strand.end.x, out}};
            if (std::abs(out - choice.y) > px(1)) way.insert(way.end(), {{turn, out}, {turn, choice.y}});
            way.push_back(choice);
            sketch_.wire(std::move(way), branches_[i].chosen_by);
        }
        const bool passes = (apart.titles_left || i == 0) && (apart.titles_left || !strands_.empty());
        const float below = std::max(foot + px(beside_frame), card.box_.centre().y);
        card.inlet_->y = !passes ? card.box_.centre().y
                                 : std::min(apart.titles_left ? frame.max.y : below, frame.max.y - px(way_below));
        card.scale_ = scale_;
        const Point inside = {card.split(scale_, {}), card.inlet_->y};
        const float under = box_.max.y - px(below_all);
        const std::optional<std::size_t> reads = branches_[i].reads;
        const Point begin = reads ? strands_[*reads].end : from;
        const std::string flows = reads ? strands_[*reads].pieces.back().flows : input;
        apart.beside&& i > 0 ? sketch_.line({begin, {begin.x, under}, {inside.x, under}, inside}, flows)
                             : sketch_.line({begin, {begin.x, inside.y}, inside}, flows);
        ends.push_back(card.lay_out());
    }
    join_branches(ends, at, apart.beside);
}

void BlockCard::join_branches(const std::vector<Point>& ends, const Branches& at, bool beside) {
    const float half = px(mark_width) / 2;
    step_y_ = beside ? ends.back().y : (ends.front().y + ends.back().y) / 2;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const BlockCard& card = inside_[i];
        const CardStep& reader = reader_of(branches_[i]);
        const float x = reader.left + reader.width / 2;
        const std::string& made = card.output_of(card.steps_.back().item).id;
        const Point end = ends[i];
        if (beside && i + 1 < ends.size()) {
            const float over = at.frames[i + 1].min.y - px(beside_frame), up = at.frames[i].max.x + px(deck_behind + 2);
            sketch_.wire({end, {up, end.y}, {up, over}, {x, over}, {x, step_y_ - half}}, made);
        } else if (std::abs(end.y - step_y_) < half) {
            sketch_.wire({end, {x - half, end.y}}, made);
        } else {
            sketch_.wire({end, {x, end.y}, {x, step_y_ + (end.y < step_y_ ? -half : half)}}, made);
        }
        // What nothing in it reads joins its way out.
        for (const Strand& strand : card.strands_) {
            const auto reads = [&](const FlowItem& item) {
                return std::ranges::any_of(item.from, [&](std::size_t from) { return strand.has(from); });
            };
            if (std::ranges::any_of(card.items_, reads)) continue;
            const float foot = at.frames[i].max.y - px(2), out = end.x + px(beside_frame);
            sketch_.line({strand.end, {strand.end.x, foot}, {out, foot}, {out, end.y}}, strand.pieces.back().flows);
        }
    }
}

}  // namespace headcount
