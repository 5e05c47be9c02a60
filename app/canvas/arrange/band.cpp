// The page of attention as a class is shown it: Q, K and V above each other on a card that enlarges them, and through
// all three, and their weights, the band of columns that is one head's; below it the scores of all heads, and how what
// they make goes back to the stream.
#include <algorithm>

#include "app/canvas/arrange/block_layout.hpp"
#include "app/canvas/arrange/head_plan.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

class BandPage : Sketch {
  public:
    BandPage(const LayoutInput& input, const BlockWays& ways)
        : Sketch(input), ways_(ways), area_(input.area), plan_(plan_band(*this)) {
        scene.model_scale = plan_.scale;
        scene.layer_scale = plan_.made_scale;
    }

    Scene lay_out() {
        block_title(attention_block, area_);  // where the frame on the page around has it
        frame("", plan_.card, FrameKind::card, Component::attention);
        draw_input();
        for (std::size_t i = 0; i < band_lanes.size(); ++i) draw_lane(i);
        draw_band();
        draw_words();
        draw_row();
        drop_crowded_labels();
        return finished();
    }

  private:
    static constexpr std::string_view norm = "layer.attention.norm", queries = band_lanes[0].made,
                                      scores = "layer.attention.head.scores", joined = "layer.attention.joined",
                                      output = "layer.attention.output.weight";

    bool shares() const { return plan_.kv_heads < plan_.heads; }
    std::int64_t columns_each() const { return static_cast<std::int64_t>(numbers(queries).columns) / plan_.heads; }
    // Where words keep clear of the band.
    bool band_is_left() const { return strips_[0].min.x + strips_[0].width() / 2 > cells_[0].centre().x; }

    void draw_input();
    void draw_lane(std::size_t index);
    Rect draw_slice(std::size_t index, const Rect& weight);
    void draw_strip(std::size_t index);
    void draw_band();
    std::string title_in(float room) const;
    std::string sum_in(float room) const;
    void draw_words();
    void draw_row();
    Rect draw_squares();
    void draw_way_out(const Rect& squares);
    void name_inside_or_above(std::string_view id, const Rect& slab);

    const BlockWays& ways_;
    const Rect& area_;
    BandPlan plan_;
    std::array<Rect, 3> strips_{}, cells_{};  // Q, K and V, and what the head has of each
    Rect band_;                               // of the last of them, with its edge
};

// From the stream through the norm to where the three part.
void BandPage::draw_input() {
    const float y = plan_.lane_y(1), left = area_.min.x + px(room::padding), turn = area_.min.x + px(6);
    const Point from = ways_.entry;
    const std::string read = block_input(*this, attention_block);
    float until = plan_.split;
    if (has(norm)) {
        const Rect bar = norm_slab(norm, {left, y}, plan_.scale);
        norm_words(bar, norm);
        line({{bar.max.x, y}, {plan_.split, y}}, norm);
        until = bar.min.x - px(2);
    }
    wire({from, {turn, from.y}, {turn, y}, {until, y}}, ways_.entry_tensor, false, has(norm));
    if (!ways_.onward) return;
    // The other sub-block reads the same: along the foot of the page to where it leaves.
    const float bottom = area_.max.y - px(5), x = ways_.onward->x;
    line({{plan_.split, y}, {plan_.split, bottom}, {x, bottom}, *ways_.onward}, read);
}

void BandPage::draw_lane(std::size_t index) {
    const BandLane& lane = band_lanes[index];
    const float y = plan_.lane_y(index), gap = px(2);
    const Rect weight = slab(lane.weight, {plan_.weights, y}, plan_.scale);
    bias_below(lane.bias, weight, plan_.scale);
    const float middle = plan_.lane_y(1);
    wire({{plan_.split, middle}, {plan_.split, y}, {weight.min.x - gap, y}}, block_input(*this, attention_block));
    const Rect slice = draw_slice(index, weight);
    float from = weight.max.x;
    const Tensor& tensor = *find(lane.weight);
    if (names_inside(*this, lane.weight, plan_.scale, plan_.beside_band(index))) {
        const bool right = slice.centre().x < weight.centre().x;  // of the band
        const float x = right ? (slice.max.x + weight.max.x) / 2 : (weight.min.x + slice.min.x) / 2;
        label({x, y - px(9)}, tensor.symbol, TextRole::name, Tone::on_slab, Anchor::centre, lane.weight);
    } else {
        name({from + px(5), y - px(9)}, tensor.symbol, lane.weight);
        from += px(8) + width_of(tensor.symbol, TextRole::name);
    }
    draw_strip(index);
    wire({{from, y}, {strips_[index].min.x - gap, y}}, lane.made);
}

// The head's columns of a weight.
Rect BandPage::draw_slice(std::size_t index, const Rect& weight) {
    const float all = static_cast<float>(plan_.heads_in(index)), at = static_cast<float>(plan_.head_in(index));
    const float width = std::max(weight.width() / all, px(2.5F)), over = px(2);
    const float left = weight.min.x + (weight.width() - width) * (all > 1 ? at / (all - 1) : 0);
    const Rect slice{{left, weight.min.y - over}, {left + width, weight.max.y + over}};
    frame(band_lanes[index].weight, slice, FrameKind::band, Component::attention);
    return slice;
}

// One of Q, K and V: a square for each head, and the head's own filled.
void BandPage::draw_strip(std::size_t index) {
    const BandLane& lane = band_lanes[index];
    const std::int64_t heads = plan_.heads_in(index);
    const Rect strip = slab(lane.made, {plan_.inner.min.x, plan_.lane_y(index)}, plan_.made_scale, plan_.tallest());
    Slab& slab = scene.slabs.back();
    slab.base = {};
    slab.grid_columns = static_cast<int>(heads);
    slab.grid_cells = heads;
    const SlabLook look = slab.look;
    const Part part = slab.part;
    const float cell = strip.width() / static_cast<float>(heads), width = std::max(cell, px(3));
    const float left = std::min(strip.min.x + cell * static_cast<float>(plan_.head_in(index)), strip.max.x - width);
    strips_[index] = strip;
    cells_[index] = {{left, strip.min.y}, {left + width, strip.max.y}};
    scene.slabs.push_back(
        {.id = std::string(lane.of_head), .rect = cells_[index], .part = part, .look = look, .solid = true});
    const bool beside = index > 0 && plan_.inner.max.x - strip.max.x > label_width(lane.made, 1) + px(20);
    if (beside) return tensor_label(lane.made, {strip.max.x + px(10), strip.centre().y - px(9)}, 1);
    const float top = strip.min.y - plan_.line - px(1);
    if (band_is_left())
        tensor_label(lane.made, {strip.max.x, top}, 1, Anchor::right);
    else
        tensor_label(lane.made, {strip.min.x, top}, 1);
}

// Through all three in one piece, or, where heads share keys and values, from the group's columns to what it shares.
void BandPage::draw_band() {
    const float aside = px(3), over = px(4);
    const auto around = [&](const Rect& first, const Rect& last) {
        return Rect{{first.min.x - aside, first.min.y - over}, {first.max.x + aside, last.max.y + over}};
    };
    band_ = around(cells_[shares() ? 1 : 0], cells_[2]);
    frame(band_lanes[0].of_head, shares() ? around(cells_[0], cells_[0]) : band_, FrameKind::band,
          Component::attention);
    if (!shares()) return;
    frame(band_lanes[1].of_head, band_, FrameKind::band, Component::attention);
    const float cell = strips_[0].width() / static_cast<float>(plan_.heads);
    const float first = strips_[0].min.x + cell * static_cast<float>(plan_.head_in(1) * plan_.group());
    const float from = strips_[0].max.y + px(2);
    for (const auto& [x, to] :
         {std::pair(first, band_.min.x), {first + cell * static_cast<float>(plan_.group()), band_.max.x}})
        line({{x, from}, {to, band_.min.y}}, band_lanes[1].of_head);
}

std::string BandPage::title_in(float room) const {
    const std::string head = "head " + std::to_string(plan_.head), each = std::to_string(columns_each());
    if (!shares())
        return fitting(*this,
                       {head + " takes " + each + " columns of each", head + ": " + each + " columns of each", head},
                       TextRole::title, room);
    const std::int64_t first = plan_.head_in(1) * plan_.group(), last = first + plan_.group() - 1;
    const std::string group =
        plan_.kv_heads == 1 ? "all heads" : "heads " + std::to_string(first) + "–" + std::to_string(last);
    return fitting(*this, {head + ": K and V shared by " + group, group + " share K and V", head}, TextRole::title,
                   room);
}

std::string BandPage::sum_in(float room) const {
    const std::string all = std::to_string(plan_.heads), kv = std::to_string(plan_.kv_heads),
                      each = std::to_string(columns_each());
    if (shares())
        return fitting(*this,
                       {all + " heads × " + each + " columns of Q, " + kv + " × " + each + " of K and V",
                        all + " × " + each + " columns of Q, " + kv + " × " + each + " of K, V",
                        all + " heads in Q, " + kv + " in K and V"},
                       TextRole::title, room);
    const std::string product = all + (plan_.heads == 1 ? " head × " : " heads × ") + each + " = " +
                                std::to_string(columns_each() * plan_.heads);
    return fitting(*this, {product + " columns", product}, TextRole::title, room);
}

// What is seen, how much larger, and how many columns that makes.
void BandPage::draw_words() {
    const std::string scale = drawn_at(plan_.made_scale, plan_.scale);
    const float y = plan_.card.min.y + px(6), left = plan_.inner.min.x, right = plan_.inner.max.x;
    caption({right, y}, scale, "", Anchor::right);
    const float room = plan_.inner.width() - width_of(scale, TextRole::caption) - px(14);
    title({left, y}, title_in(room), queries);

    if (!plan_.sums) return;
    const float below = plan_.inner.max.y + px(3), bracket = below + px(5), end = strips_[0].max.x;
    if (!shares()) line({{left, below}, {left, bracket}, {end, bracket}, {end, below}}, queries);
    // Beside the line that leads on from the band.
    const float from = band_.centre().x, last = shares() ? right : end;
    const bool behind = last - from > from - left;
    title({behind ? last : left, below + px(9)}, sum_in(std::max(last - from, from - left) - px(8)), queries,
          behind ? Anchor::right : Anchor::left);
}

// Below the card: from the band through the scores of all heads to the way out.
void BandPage::draw_row() {
    const Rect squares = draw_squares();
    const float y = plan_.row.centre().y, from = band_.centre().x, gap = px(2);
    if (from + px(14) <= squares.min.x) {
        wire({{from, band_.max.y}, {from, y}, {squares.min.x - gap, y}}, scores);
    } else {
        const float turn = plan_.card.max.y + px(3), to = squares.centre().x;
        wire({{from, band_.max.y}, {from, turn}, {to, turn}, {to, squares.min.y - gap}}, scores);
    }
    draw_way_out(squares);
}

// A square for each head's scores, each of which is the door to that head's page.
Rect BandPage::draw_squares() {
    const Point room{px(90), std::min(plan_.row.height() - px(4), px(60))};
    lay_out_grid(*this, {*find(scores), "layer.attention.head", plan_.heads},
                 {plan_.row.min.x + px(76), plan_.row.centre().y}, room, false);
    Door& door = scene.doors.back();
    door.entry_tensor = band_lanes[0].made;
    frame(scores, door.cell(plan_.head), FrameKind::band, Component::attention);
    return door.rect;
}

// The heads side by side, through W_o, back to the stream.
void BandPage::draw_way_out(const Rect& squares) {
    const float y = plan_.row.centre().y, arrow = px(20), gap = px(2);
    const float wide = thick(sides(output, true).columns, plan_.scale);
    const float joined_wide = thick(sides(joined, true).columns, plan_.scale);
    const Rect last = weight("layer.attention.output", {plan_.row.max.x - wide, y}, plan_.scale);
    const Rect all = slab(joined, {last.min.x - arrow - joined_wide, y}, plan_.scale, plan_.row.height());
    name_inside_or_above(output, last);
    name_inside_or_above(joined, all);
    const float words = squares.max.x + px(8), room = all.min.x - arrow - words;
    const std::string count = std::to_string(plan_.heads), one = plan_.heads == 1 ? "1 head" : count + " heads";
    const std::string named =
        fitting(*this, {count + (plan_.heads == 1 ? " score matrix" : " score matrices"), one}, TextRole::title, room);
    const std::string shape = shape_text(scores);
    const std::string size = fitting(*this, {shape + " each", shape}, TextRole::number, room);
    title({words, y - px(16)}, named, scores);
    number({words, y + px(1)}, size, scores);
    const float end = words + std::max(width_of(named, TextRole::title), width_of(size, TextRole::number));
    wire({{end + px(6), y}, {all.min.x - gap, y}}, joined);
    wire({{all.max.x, y}, {last.min.x - gap, y}}, joined);
    lead_out(*this, ways_, {last.max.x, y}, "layer.attention.output");
}

void BandPage::name_inside_or_above(std::string_view id, const Rect& slab) {
    const Tensor& tensor = *find(id);
    const bool inside = tensor.role == Role::parameter && names_inside(*this, id, plan_.scale);
    // Before the matrix and over the way to it where there is no room above either.
    const bool above = slab.min.y - px(18) >= plan_.card.max.y + px(1);
    const float y = inside ? slab.centre().y - px(9) : above ? slab.min.y - px(18) : slab.centre().y - px(19);
    label({inside || above ? slab.centre().x : slab.min.x - px(2), y}, tensor.symbol, TextRole::name,
          inside ? Tone::on_slab : Tone::high, inside || above ? Anchor::centre : Anchor::right, id);
}

}  // namespace

bool has_band(const LayoutInput& input) {
    const Sketch sketch(input);
    // Of heads in pairs none leads to rows of the output projection alone.
    return input.band && !input.log_sides && !input.beside && !input.model.graph.first(Op::subtract) &&
           std::ranges::all_of(band_lanes, [&](const BandLane& lane) {
               return sketch.has(lane.weight) && sketch.has(lane.made) && sketch.has(lane.of_head);
           });
}

bool band_holds(const ModelGraph& graph, std::string_view id) {
    constexpr std::string_view block = ".attention.";
    constexpr std::array<std::string_view, 14> drawn{
        "norm",    "norm.weight", "norm.bias", "query.weight", "query.bias", "key.weight",    "key.bias",
        "queries", "keys",        "values",    "value.weight", "value.bias", "output.weight", "output.bias"};
    const std::size_t at = id.find(block);
    if (at == std::string_view::npos || !graph.find(id)) return false;
    const std::string_view rest = id.substr(at + block.size());
    return rest.starts_with("head.") || rest == "joined" || rest == "output" || contains(drawn, rest);
}

Scene layout_band(const LayoutInput& input, const BlockWays& ways) { return BandPage(input, ways).lay_out(); }

}  // namespace headcount
