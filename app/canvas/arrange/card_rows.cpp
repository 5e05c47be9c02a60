// A card whose strands lie below each other, each in a row that is read from left to right.
#include <algorithm>

#include "app/canvas/arrange/card.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Design pixels.
constexpr float row_inset = 7, titled_inset = 3, low_inset = 2;  // above the first row and below the last
constexpr float beside_matrix = 8, behind_words = 6;      // from a matrix to its words, and from those to the line on
constexpr float around_matrix = 8, least_made_room = 26;  // above and below a matrix; of what is made, with its name
constexpr float cached_room = 62, around_norm = 20;
constexpr float made_name = 16, hanging = 2;          // above what is made: its name, and what hangs below that
constexpr float memory_branch = 10, memory_foot = 8;  // right of the stream's branch, above the edge
constexpr float made_below = 12, around_bias = 5;  // from a matrix to what it makes below it; from a bias to the edge
constexpr int says_cached = 2;  // with fewer lines there is no room for the word: the cache's outline says it too

float label_width(const StrandPiece& piece, int lines) { return piece.labels[static_cast<std::size_t>(lines - 1)]; }

float inset_of(const Plan& plan) { return plan.title_row > 0 ? titled_inset : plan.low ? low_inset : row_inset; }

int lines_in(const Sketch& sketch, float height) {
    return height >= sketch.label_height(3) + sketch.px(2) ? 3 : height >= sketch.label_height(2) ? 2 : 1;
}

}  // namespace

float memory_y(const Sketch& sketch, const Plan& plan, std::string_view block) {
    return plan.box(block).max.y - sketch.px(memory_foot);
}

Point lay_out_memory(Sketch& sketch, const Plan& plan, std::string_view block, float x) {
    const std::string memory(memory_of(sketch, block));
    const float y = memory_y(sketch, plan, block);
    float from = plan.memory_x;
    if (!plan.beside) {
        const float scale = plan.scales.model, wide = sketch.thick(sketch.sides(memory).columns, scale);
        const float right = plan.layer.min.x - sketch.px(12);
        const Rect slab = sketch.slab(memory, {right - wide, y}, scale, sketch.px(28));
        if (sketch.has(memory + ".weight")) {
            const Rect bar = sketch.norm_slab(memory, {slab.min.x - sketch.px(10) - wide, y}, scale);
            sketch.line({{bar.max.x, y}, {slab.min.x, y}}, memory);
        }
        const float below = slab.max.y + sketch.px(3);
        sketch.name({right, below}, "Memory " + std::string(sketch.find(memory)->symbol), memory, Anchor::right);
        sketch.number({right, below + sketch.name_line()}, sketch.shape_text(memory), memory, Anchor::right);
        from = slab.max.x;
    }
    Door& door = sketch.scene.doors.back();
    door.memory = {from, y};
    door.memory_tensor = memory;
    sketch.line({door.memory, {x, y}}, memory);
    sketch.scene.wires.back().faint = !makes_memory_anew(sketch);
    return {x, y};
}

// Behind those of the strand that it reads.
std::size_t BlockCard::first_slot(const Strand& strand, CardForm form) const {
    if (!strand.after) return 0;
    const Strand& from = *strand_of(*strand.after);
    const auto slots =
        std::ranges::count_if(from.pieces, [&](const StrandPiece& each) { return in_row(from, each, form); });
    return first_slot(from, form) + static_cast<std::size_t>(slots);
}

// Above and below a matrix, of which there is less where rows are low.
float BlockCard::air(float row) const { return std::min(px(around_matrix), 0.25F * row); }

// Of a bias that stands beside its weight, where rows are too low for one below the other.
float BlockCard::bias_beside(const StrandPiece& piece, float scale, float row) const {
    if (piece.bias.empty() || tall(piece.sides, scale) + bias_height(piece, scale) <= row - air(row)) return 0;
    return px(2) + wide(piece.bias_sides, scale);
}

float BlockCard::piece_words(const Strand& strand, const StrandPiece& piece, float scale, const Rows& rows,
                             CardWords words) const {
    const float wide = piece_width(piece, scale), bias = bias_beside(piece, scale, rows.height);
    if (piece.made) {
        const StrandPiece* const norm = norm_of(strand, piece);
        const bool beside = norm && norm_beside(*norm, made_height(strand, piece, scale, rows), scale, rows);
        const float bar = beside ? px(drawn_apart) + sketch_.thick(norm->sides.columns, scale) : 0;
        if (!rows.made_above) return bar + px(behind_words) + piece.name;
        if (words != CardWords::all) return bar;
        const bool cached = piece.kept && !rows.low && rows.lines >= says_cached;
        return std::max(bar, px(cached ? cached_room : least_made_room) - wide);
    }
    if (words == CardWords::all && rows.low) return std::max(0.0F, piece.labels[is_low(strand, piece) ? 0 : 1] - wide);
    if (words != CardWords::all) {
        if (bias == 0 && names_above(piece, scale, rows.height)) return 0;
        return bias + px(beside_matrix) + piece.name;
    }
    const int inside = std::min(rows.lines, 2);
    if (tall(piece.sides, scale) >= sketch_.label_height(inside) + px(2) && wide >= label_width(piece, inside) + px(16))
        return bias;
    return bias + px(beside_matrix) + label_width(piece, rows.lines);
}

BlockCard::Rows BlockCard::rows_at(float scale, const StrandRoom& room) const {
    Rows rows;
    rows.low = room.form == CardForm::low_rows;
    rows.below = ways_below_rows();
    rows.height = (box_.height() - rows.below - 2 * px(inlet_ ? inner_inset : inset_of(plan_))) /
                  static_cast<float>(std::max<std::size_t>(strands_.size(), 1));
    rows.lines = lines_in(sketch_, rows.height);
    rows.apart = rows_apart(rows, scale, room);
    rows.made_above = names_made_above(rows, scale);
    for (const Strand& strand : strands_) {
        std::size_t index = first_slot(strand, room.form);
        for (const StrandPiece& piece : strand.pieces) {
            if (!in_row(strand, piece, room.form)) continue;
            rows.slots.resize(std::max(rows.slots.size(), index + 1));
            Slot& slot = rows.slots[index++];
            const float matrix = piece_width(piece, scale);
            slot.width = std::max(slot.width, matrix + piece_words(strand, piece, scale, rows, room.words));
        }
    }
    for (Slot& slot : rows.slots) {
        slot.left = rows.width;
        rows.width += slot.width + px(room::gap);
    }
    return rows;
}

float BlockCard::made_height(const Strand& strand, const StrandPiece& piece, float scale, const Rows& rows) const {
    const float least = px(norm_of(strand, piece) ? least_side : 2 * least_side);
    return std::min(tall(piece.sides, scale), std::max(rows.apart - px(36), least));
}

float BlockCard::above_made(const StrandPiece& piece) const {
    const bool hangs = graph_.find(piece.drawn.front())->symbol.find('_') != std::string::npos;
    return px(hangs ? made_name + hanging : made_name);
}

// Whether there is room above all of them, below the row before and the card's edge.
bool BlockCard::names_made_above(const Rows& rows, float scale) const {
    for (const Strand& strand : strands_)
        for (const StrandPiece& piece : strand.pieces) {
            if (!piece.made || piece.brief) continue;
            const float height = made_height(strand, piece, scale, rows);
            const bool first = &strand == &strands_.front();
            if (height / 2 + above_made(piece) > (first ? first_row(rows) - box_.min.y : rows.apart - height / 2))
                return false;
        }
    return true;
}

// Of what a strand makes in the end, below its last matrix.
float BlockCard::below_row_height(const Strand& strand, float scale) const {
    return !ends_made(strand) ? 0
                              : px(made_below) + std::min(tall(strand.pieces.back().sides, scale), px(2 * least_side));
}

std::optional<float> BlockCard::rows_width(float scale, const StrandRoom& room) const {
    const Rows rows = rows_at(scale, room);
    if (inlet_ && rows.height < px(named_row)) return std::nullopt;
    for (const Strand& strand : strands_)
        for (const StrandPiece& piece : strand.pieces) {
            const bool low = rows.low && is_low(strand, piece), above = rows.low && room.words == CardWords::all;
            const float words = above ? sketch_.label_height(low ? 1 : 2)
                                : low ? sketch_.name_line()
                                      : air(rows.height);
            const float own = tall(piece.sides, scale) + (low ? below_row_height(strand, scale) : 0);
            const float bias = bias_beside(piece, scale, rows.height) > 0 ? 0 : bias_height(piece, scale);
            if (piece.norm ? 2 * (own + bias) > rows.height - px(around_norm)
                           : !piece.made && own + bias > rows.height - words)
                return std::nullopt;
        }
    for (const CardStep& step : steps_) {
        if (step.weight.empty()) continue;
        const bool named = room.words == CardWords::all && !words_beside(step, scale);
        const float words = names() * (named ? 2.0F : 1.0F);
        const float most = inlet_ ? box_.height() - words : named ? most_named() : box_.height() - px(24);
        if (step_tall(step, scale) > most) return std::nullopt;
    }
    const float memory = reads_memory_ ? px(memory_branch) : 0;
    return split(scale, room) + memory + arrow(room) + rows.width + steps_width(scale, room) + padding() - box_.min.x;
}

// Where what it reads comes to it.
Point BlockCard::branch_of(const Strand& strand) const {
    if (strand.after) return strand_of(*strand.after)->end;
    if (strand.from_other_stack) return memory_;
    return entry();
}

void BlockCard::draw_rows() {
    Rows rows = rows_at(scale_, room_);
    foot_ = box_.max.y;
    float left = split(scale_, room_) + (reads_memory_ ? px(memory_branch) : 0);
    if (reads_memory_) memory_ = lay_out_memory(sketch_, plan_, block_, left);
    left += arrow(room_);
    const float end = left + rows.width + steps_width(scale_, room_) + padding();
    const float slack = std::max(0.0F, box_.max.x - end) /
                        static_cast<float>(std::max<std::size_t>(rows.slots.size() + steps_.size(), 1));
    place_steps(slack);
    for (std::size_t i = 0; i < rows.slots.size(); ++i) rows.slots[i].left += left + slack * static_cast<float>(i);
    const float apart = rows.height = rows.apart;
    float y = first_row(rows);
    // Where a bias hangs down to the card's edge, as far from that as the first name is from the other.
    float hangs = 0;
    for (const StrandPiece& piece : strands_.empty() ? std::vector<StrandPiece>() : strands_.back().pieces)
        if (!piece.made && !piece.norm && bias_beside(piece, scale_, apart) == 0)
            hangs = std::max(hangs, tall(piece.sides, scale_) / 2 + bias_height(piece, scale_));
    const float last = y + apart * static_cast<float>(strands_.size() - 1), above = sketch_.name_line() / 2;
    if (!inlet_ && plan_.title_row == 0 && hangs > above && last + hangs > box_.max.y - px(around_bias))
        y -= (hangs - above) / 2;
    // Inside of another card the first name has no more room above it than the others.
    const StrandPiece* const first = strands_.empty() ? nullptr : &strands_.front().pieces.front();
    if (inlet_ && first && names_above(*first, scale_, apart)) y += names() / 2 - px(drawn_apart);
    for (Strand& strand : strands_) {
        draw_row(strand, rows, y);
        y += apart;
    }
}

// What is kept from an earlier pass.
bool BlockCard::is_faint(const Strand& strand) const { return strand.from_other_stack && !makes_memory_anew(sketch_); }

// The way to its first matrix, which is at this height.
void BlockCard::lead_in(const Strand& strand, float entry) {
    const std::string input = strand.after              ? output_of(*strand.after).id
                              : strand.from_other_stack ? std::string(memory_of(sketch_, block_))
                                                        : flowing_in();
    const Point branch = branch_of(strand);
    const float turn = strand.after ? strand.left - px(room::gap) : branch.x;
    sketch_.wire({branch, {turn, branch.y}, {turn, entry}, {strand.left - px(2), entry}}, input);
    if (strand.after) sketch_.scene.wires.back().tilted_start = strand_of(*strand.after)->solid;
    sketch_.scene.wires.back().faint = is_faint(strand);
}

void BlockCard::draw_row(Strand& strand, const Rows& rows, float y) {
    const std::size_t first = first_slot(strand, room_.form);
    // What ends in something below it stands higher.
    const float up = rows.low ? below_row_height(strand, scale_) / 2 : 0;
    const auto height_of = [&](const StrandPiece& piece) { return is_low(strand, piece) ? y - up : y; };
    strand.left = rows.slots[first].left;
    if (!strand.pieces.front().brought) lead_in(strand, height_of(strand.pieces.front()));
    Rect last{{strand.left, y}, {strand.left, y}};
    strand.end = strand.solid = {strand.left, y};
    std::size_t index = first;
    std::string flows;
    for (const StrandPiece& piece : strand.pieces) {
        if (piece.brief) continue;
        if (piece.norm) {
            flows = piece.flows;
            continue;
        }
        if (piece.made) {
            const float tallest = made_height(strand, piece, scale_, rows);
            if (in_row(strand, piece, room_.form)) {
                const float left = rows.slots[index++].left;
                if (!piece.brought) {
                    sketch_.line({strand.end, {left - px(1), y}}, piece.id);
                    sketch_.scene.wires.back().tilted_start = strand.solid;
                    sketch_.scene.wires.back().faint = is_faint(strand);
                }
                last = slabs_of(piece, {left, y}, tallest);
                strand.end = strand.solid = {last.max.x, last.centre().y};
                if (const StrandPiece* const norm = norm_of(strand, piece))
                    last.max.x = draw_norm(*norm, last, rows.slots[index - 1], rows);
                name_made(piece, last, rows);
                if (!rows.made_above) strand.end.x = last.max.x + px(2 * behind_words) + piece.name;
            } else {
                last = draw_made_below(piece, last);
                strand.end = strand.solid = {last.max.x, last.centre().y};
            }
        } else {
            const float left = rows.slots[index++].left;
            const float middle = height_of(piece), bend = left - px(room::gap);
            if (&piece != &strand.pieces.front()) {
                sketch_.wire({strand.end, {bend, strand.end.y}, {bend, middle}, {left - px(2), middle}}, flows);
                sketch_.scene.wires.back().tilted_start = strand.solid;
            }
            last = draw_weight(piece, sketch_.slab(piece.id, {left, middle}, scale_));
            float right = last.max.x;
            if (bias_beside(piece, scale_, rows.height) > 0)
                right = sketch_.slab(piece.bias, {right + px(2), middle}, scale_).max.x;
            else
                sketch_.bias_below(piece.bias, last, scale_);
            const float until =
                (index < rows.slots.size() ? rows.slots[index].left : steps_.front().left - arrow(room_)) - px(2);
            strand.solid = {right, middle};
            strand.end = {label_piece(strand, piece, last, right, until, rows), middle};
        }
        flows = piece.flows;
    }
}

// What stands elsewhere is outlined, and its cells are there.
Rect BlockCard::draw_weight(const StrandPiece& piece, const Rect& drawn) {
    if (piece.again) sketch_.outline_last();
    return drawn;
}

// Right of it in a row that is too low for both; returns how far that reaches.
float BlockCard::draw_norm(const StrandPiece& piece, const Rect& made, const Slot& slot, const Rows& rows) {
    if (norm_beside(piece, made.height(), scale_, rows)) {
        const Rect bar = sketch_.slab(piece.id, {made.max.x + px(drawn_apart), made.centre().y}, scale_);
        sketch_.bias_below(piece.bias, bar, scale_);
        return bar.max.x;
    }
    const float room = slot.width, below = made.max.y + px(norm_below) + tall(piece.sides, scale_) / 2;
    const Rect bar = sketch_.slab(piece.id, {made.min.x, below}, scale_);
    sketch_.bias_below(piece.bias, bar, scale_);
    if (bar.width() + px(6) + sketch_.width_of("norm", TextRole::caption) <= room)
        sketch_.caption({bar.max.x + px(6), bar.centre().y - px(8)}, "norm", piece.flows);
    return made.max.x;
}

// Above it, with whether it is kept for later tokens; or behind it.
void BlockCard::name_made(const StrandPiece& piece, const Rect& rect, const Rows& rows) {
    const Tensor& made = *graph_.find(piece.drawn.front());
    const Point at = rows.made_above
                         ? Point{rect.min.x, rect.min.y - above_made(piece)}
                         : Point{rect.max.x + px(behind_words), rect.centre().y - sketch_.label_height(1) / 2};
    sketch_.name(at, made.symbol, made.id);
    sketch_.scene.labels.back().pair = static_cast<int>(made.block) + 1;  // all or none
    if (!piece.kept || !rows.made_above || (!rows.low && rows.lines < says_cached)) return;
    const Point words = rows.low ? Point{at.x, rect.max.y + px(around_norm)}
                                 : Point{at.x + sketch_.width_of(made.symbol, TextRole::name) + px(6), at.y};
    sketch_.label(words, "cached", TextRole::number, Tone::cached, Anchor::left, piece.id);
}

// Below the matrix that makes it, and the bias of that.
Rect BlockCard::draw_made_below(const StrandPiece& piece, const Rect& matrix) {
    const float foot = matrix.max.y + bias_height(*(&piece - 1), scale_), tallest = px(2 * least_side);
    const float y = foot + px(made_below) + std::min(tall(piece.sides, scale_), tallest) / 2;
    const Rect rect = slabs_of(piece, {matrix.min.x, y}, tallest);
    const float x = std::min(rect.centre().x, rect.min.x + px(20));
    sketch_.wire({{x, foot}, {x, rect.min.y - px(1)}}, piece.id);
    const Tensor& made = *graph_.find(piece.drawn.front());
    sketch_.name({x + px(10), rect.max.y + px(2)}, made.symbol, made.id);
    return rect;
}

// Inside where there is room, else beside it, or its name above; returns where a line goes on behind the words.
float BlockCard::label_piece(const Strand& strand, const StrandPiece& piece, const Rect& rect, float right, float until,
                             const Rows& rows) {
    const float y = rect.centre().y;
    const Tensor& weight = *graph_.find(piece.id);
    const std::string name = sketch_.name_text(weight), symbol(weight.symbol);  // what has changed gives way
    const int inside = std::min(rows.lines, 2);
    const auto fits = [&](float from, const std::string& text) {
        return from + sketch_.width_of(text, TextRole::name) + px(2) <= until;
    };
    if (room_.words == CardWords::all && rect.width() >= label_width(piece, inside) + px(16) &&
        rect.height() >= sketch_.label_height(inside) + px(2)) {
        const std::size_t before = sketch_.scene.labels.size();
        sketch_.tensor_label_in(piece.id, rect, {right, y}, rows.lines);
        const float below = rect.max.y + bias_height(piece, scale_) + px(3);
        if (static_cast<int>(sketch_.scene.labels.size() - before) < rows.lines)
            sketch_.detail({rect.min.x, below}, grouped(sketch_.count(weight)), piece.id);
        return right;
    }
    if (room_.words == CardWords::all && rows.low) {
        const Point above{rect.min.x, rect.min.y - sketch_.name_line()};
        if (is_low(strand, piece)) {
            sketch_.tensor_label(piece.id, above, 1);
        } else {
            sketch_.name(above, name, piece.id);
            const float below = rect.max.y + bias_height(piece, scale_) + px(name_gap);
            sketch_.number({rect.min.x, below}, sketch_.shape_text(weight), piece.id);
        }
        return right;
    }
    const float beside = right + px(beside_matrix);
    for (int lines = rows.lines; lines > 0; --lines) {
        const float behind = beside + label_width(piece, lines) + px(behind_words);
        if (behind > until) continue;
        sketch_.tensor_label(piece.id, {beside, y - sketch_.label_height(lines) / 2}, lines);
        return behind;
    }
    if (!names_above(piece, scale_, rows.height) && names_inside(piece, scale_)) {
        const bool whole = rect.width() >= sketch_.width_of(name, TextRole::name) + px(2 * inside_edge);
        sketch_.label({rect.min.x + px(inside_edge), y - px(8)}, whole ? name : symbol, TextRole::name, Tone::on_slab,
                      Anchor::left, piece.id);
        return right;
    }
    if (names_above(piece, scale_, rows.height) || !fits(beside, symbol)) {
        sketch_.name({rect.min.x, rect.min.y - px(20)}, fits(rect.min.x, name) ? name : symbol, piece.id);
        return right;
    }
    const std::string& said = fits(beside, name) ? name : symbol;
    sketch_.name({beside, y - sketch_.label_height(1) / 2}, said, piece.id);
    return std::min(until, beside + sketch_.width_of(said, TextRole::name) + px(behind_words));
}

}  // namespace headcount
