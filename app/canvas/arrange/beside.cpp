// The model's page where two models stand beside each other: tables on the left, the layer with its sub-blocks, the
// output head below. Of each sub-block its matrices alone, above their words; what happens between them is a page
// nearer.
#include <algorithm>
#include <cmath>

#include "app/canvas/arrange/pair_cells.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Design pixels.
constexpr float beside_deck = 14, page_title = 34, section_head = 32, below_section = 8, section_gap = 8,
                below_sections = 8;
constexpr float edge = 6, padding = 16, padding_right = 8, table_gap = 10, to_layer = 12, below_head = 2,
                head_words = 21, above_head = 12;
constexpr float table_from = 50;                          // its name, its shape and what has changed stand above it
constexpr float stream_from = 20;                         // of the first table, where the residual stream begins
constexpr float across_share = 0.1F, down_share = 0.08F;  // of the area: all tables side by side, the head
constexpr float legible_side = 30;    // design pixels: words give way before the longest side is shorter
constexpr float near_enough = 1.15F;  // one scale for model and layer is worth this much size

class PairLayout {
  public:
    explicit PairLayout(const LayoutInput& input)
        : input_(input), swapped_(other_side_of(input)), own_(input), other_(swapped_), pair_{own_, other_} {}

    Scene lay_out() {
        tables_ = pair_cells(pair_, {"embedding.weight", "embedding_projection.weight", "layer_embedding.weight",
                                     "layer_projection.weight", "token_types.weight", "positions.weight",
                                     "head_transform.weight", "pooler.weight", "output_projection.weight"});
        mixer_.drawn = mixer_cells(pair_);
        feed_forward_.drawn = pair_cells(pair_, Component::feed_forward);
        choose_scales();
        if (!layer_fits(plan_.scales.layer)) {
            keep_apart(mixer_);
            keep_apart(feed_forward_);
            choose_scales();
        }
        divide_layer();
        own_.scene.model_scale = plan_.scales.model;
        own_.scene.layer_scale = plan_.scales.layer;
        Plan card = plan_;
        card.inner.max.x -= px(padding_right);  // where its number ends
        lay_out_layer(own_, card);
        lay_out_tables();
        if (own_.find_block(mixer_block(own_))) lay_out_section(mixer_block(own_), mixer_);
        if (has_feed_forward(own_)) lay_out_section(feed_forward_block, feed_forward_);
        lay_out_head();
        own_.drop_crowded_labels();
        return own_.finished();
    }

  private:
    float px(float design) const { return own_.px(design); }
    float width() const { return input_.area.width(); }
    float height() const { return input_.area.height(); }
    bool tied(const Sketch& side) const { return side.input().model.graph.tied_head.has_value(); }
    // As it is multiplied: width rows, vocabulary columns.
    Sides head_of(const Sketch& side) const {
        const Sides table = side.sides("embedding.weight");
        return tied(side) ? Sides{table.columns, table.rows} : side.sides("output_head.weight");
    }
    Rect drawn(const Sides& sides, Point corner, float scale) const {
        return {corner, {corner.x + own_.thick(sides.columns, scale), corner.y + own_.thick(sides.rows, scale)}};
    }
    Sides head() const {
        const Sides a = head_of(own_), b = head_of(other_);
        return {std::max(a.rows, b.rows), std::max(a.columns, b.columns)};
    }

    // The matrices of a sub-block that are drawn: of both sides, each in the same place on either. Where there is no
    // room for that either side draws its own alone, and the other's are packed only so that both have one scale.
    struct Section {
        std::vector<PairCell> drawn, others;
        float height = 0;  // with their words
        Rect box;
    };
    void keep_apart(Section& section) const;
    bool pack(Section& section, float scale) const;

    float model_scale() const;
    void place();
    std::optional<float> layer_height(float scale);  // nothing where it is too wide
    bool layer_fits(float scale);
    float layer_scale();
    void choose_scales();
    void divide_layer();
    void lay_out_tables();
    void lay_out_section(std::string_view block, const Section& section);
    void lay_out_cell(const PairCell& cell, Point corner);
    void lay_out_head();
    void say(const PairWords& words, std::string_view id, Point at, bool inside, PairLines lines);
    Rect matrix(std::string_view id, Point corner, float scale);

    const LayoutInput& input_;
    const LayoutInput swapped_;
    Sketch own_;
    const Sketch other_;
    const Pair pair_;
    Plan plan_;
    PairLines lines_ = PairLines::all;  // of the layer's matrices
    std::vector<PairCell> tables_;
    Section mixer_, feed_forward_;
    float head_top_ = 0, head_left_ = 0;
};

float PairLayout::model_scale() const {
    const Sides under = head();
    double columns = 0, tallest = 0, others = 0;  // the words of all but the first stand below the others
    for (const PairCell& table : tables_) {
        columns += table.most.columns;
        tallest = std::max(tallest, table.most.rows);
        if (&table != &tables_.front()) others = std::max(others, table.most.rows);
    }
    const float rows = px(table_from + below_head + head_words + above_head) + px(least_side);
    const float words = static_cast<float>(tables_.size() - 1) * own_.label_height(line_count(PairLines::all));
    return largest_scale(
        {one_row(own_),
         {tallest + under.rows, height() - rows},
         {others + under.rows, std::max(px(least_side), height() - rows - words)},
         {columns, across_share * width()},
         {under.rows, down_share * height()},
         {under.columns + columns, width() - px(table_gap * static_cast<float>(tables_.size()) + 2 * beside_deck)}});
}

// Where everything goes at the model's scale.
void PairLayout::place() {
    const float scale = plan_.scales.model;
    const Rect& area = input_.area;
    float x = area.min.x, words_end = area.min.x;
    for (PairCell& table : tables_) {
        table.at = {x, area.min.y + px(table_from)};
        // Those of the first above it, of the others in a column below the stream.
        const float from = &table == &tables_.front() ? x : tables_[1].at.x;
        words_end = std::max(words_end, from + table.words.back());
        x += own_.thick(table.most.columns, scale) + px(table_gap);
    }
    const float bar = own_.thick(head().rows, scale);
    const bool bias = own_.has("output_head.bias") || other_.has("output_head.bias");
    head_left_ = x + px(beside_deck - table_gap);
    const Point corner{std::max(words_end, x - px(table_gap)) + px(to_layer), area.min.y + px(beside_deck)};
    const float least = px(page_title + 2 * least_box + section_gap + below_sections + head_words + above_head);
    head_top_ = std::max(corner.y + least,
                         area.max.y - px(below_head) - (bias ? px(2) + own_.thick(own_.drawn(1), scale) : 0) - bar);
    plan_.layer = {
        corner,
        {std::max(corner.x + px(least_layer), area.max.x - px(beside_deck)), head_top_ - px(head_words + above_head)}};
    plan_.inner = {{plan_.layer.min.x + px(edge), plan_.layer.min.y + px(page_title)},
                   {plan_.layer.max.x - px(edge), plan_.layer.max.y - px(below_sections)}};
    plan_.stream_x = plan_.layer.min.x + px(padding);
}

void PairLayout::keep_apart(Section& section) const {
    section.others = section.drawn;
    std::erase_if(section.drawn, [&](const PairCell& cell) { return !own_.has(cell.id); });
    std::erase_if(section.others, [&](const PairCell& cell) { return !other_.has(cell.id); });
}

bool PairLayout::pack(Section& section, float scale) const {
    const float room = plan_.inner.width() - px(padding + padding_right);
    const std::optional<float> own = pack_cells(own_, section.drawn, room, scale, lines_);
    const std::optional<float> others = pack_cells(own_, section.others, room, scale, lines_);
    if (own && others) section.height = std::max(*own, *others);
    return own && others;
}

std::optional<float> PairLayout::layer_height(float scale) {
    if (!pack(mixer_, scale) || !pack(feed_forward_, scale)) return std::nullopt;
    return mixer_.height + feed_forward_.height + px(2 * (section_head + below_section) + section_gap);
}

bool PairLayout::layer_fits(float scale) {
    return layer_height(scale).value_or(plan_.inner.height() + 1) <= plan_.inner.height();
}

// Words give way only as far as that makes the matrices larger, shapes only for such as are hard to see.
float PairLayout::layer_scale() {
    const float most = largest_scale({one_row(own_)}), least = most * 1e-8F;
    double longest = 1;
    for (const Section* section : {&mixer_, &feed_forward_})
        for (const std::vector<PairCell>* cells : {&section->drawn, &section->others})
            for (const PairCell& cell : *cells) longest = std::max({longest, cell.most.rows, cell.most.columns});
    float best = 0;
    PairLines chosen = PairLines::name;
    for (const PairLines lines : pair_lines) {
        lines_ = lines;
        float scale = largest_fitting(least, most, [&](float trial) { return layer_fits(trial); });
        // A little larger, words may find room on the matrices and leave more.
        constexpr int steps = 16;
        float larger = scale;
        for (int i = 0; i < steps; ++i)
            if (layer_fits(larger *= 1.03F)) scale = larger;
        if (scale > best && layer_fits(scale)) {
            best = scale;
            chosen = lines;
        }
        if (best * static_cast<float>(longest) >= px(legible_side)) break;
    }
    lines_ = chosen;
    if (best > 0) return best;
    // Too high at any scale: then no higher than with all sides as short as they can be.
    const std::optional<float> needed = layer_height(least);
    return largest_fitting(least, most, [&](float trial) {
        const std::optional<float> height = layer_height(trial);
        return needed && height && *height <= *needed;
    });
}

void PairLayout::choose_scales() {
    plan_.scales.model = model_scale();
    constexpr int rounds = 4;  // a smaller model leaves the layer more room
    for (int i = 0; i < rounds; ++i) {
        place();
        plan_.scales.layer = layer_scale();
        if (plan_.scales.layer >= plan_.scales.model) break;
        plan_.scales.model = plan_.scales.layer;
    }
    const bool alike = input_.log_sides || plan_.scales.layer < near_enough * plan_.scales.model;
    if (alike) plan_.scales.layer = plan_.scales.model = std::min(plan_.scales.layer, plan_.scales.model);
    place();
}

// The room of a layer among its sub-blocks.
void PairLayout::divide_layer() {
    layer_fits(plan_.scales.layer);
    const float used = px(section_head + below_section) + mixer_.height;
    const float rest = px(section_head + below_section + section_gap) + feed_forward_.height;
    const float spare = std::max(0.0F, plan_.inner.height() - used - rest);
    // Where nothing fits, either sub-block has its half.
    const Rect& all = plan_.inner;
    mixer_.box = feed_forward_.box = all;
    mixer_.box.max.y = std::round(std::min(all.min.y + used + spare / 2, std::max(all.centre().y, all.max.y - rest)));
    feed_forward_.box.min.y = mixer_.box.max.y + px(section_gap);
}

// A matrix of this side, or the outline of the other's where it has none.
Rect PairLayout::matrix(std::string_view id, Point corner, float scale) {
    if (own_.has(id)) return own_.hung(id, corner, scale);
    const Rect rect = drawn(other_.sides(id), corner, scale);
    own_.scene.slabs.push_back(
        {.id = std::string(id), .rect = rect, .part = other_.find(id)->part, .look = SlabLook::absent});
    return rect;
}

void PairLayout::say(const PairWords& words, std::string_view id, Point at, bool inside, PairLines lines) {
    const bool here = own_.has(id);
    const auto line = [&](const std::string& text, TextRole role, Tone tone, Tone on_slab) {
        const Tone absent = role == TextRole::name ? Tone::low : Tone::mid;
        own_.label(at, text, role, !here ? absent : inside ? on_slab : tone, Anchor::left, id);
        at.y += role == TextRole::name ? own_.name_line() : own_.number_line();
    };
    line(words.name, TextRole::name, Tone::high, Tone::on_slab);
    if (has_shape(lines)) line(words.shape, TextRole::number, Tone::mid, Tone::on_slab_low);
    if (has_mark(lines)) line(words.mark, TextRole::number, words.changed ? Tone::high : Tone::low, Tone::on_slab);
}

void PairLayout::lay_out_tables() {
    const float y = tables_.front().at.y + px(stream_from);
    float x = 0;              // of the last table that the stream can leave there
    float below = y + px(6);  // all but the first, which stands on its own side of the words
    for (const PairCell& table : tables_) {
        matrix(table.id, table.at, plan_.scales.model);
        const bool first = &table == &tables_.front();
        const float end = table.at.y + own_.thick(table.most.rows, plan_.scales.model);
        if (first || end >= y) x = table.at.x + own_.thick(table.most.columns, plan_.scales.model);
        if (!first) below = std::max(below, end + px(4));
    }
    for (const PairCell& table : tables_) {
        PairWords words = pair_words(pair_, table.id);
        const bool first = &table == &tables_.front();
        if (first) words.name = "Embedding";
        const Point at = first ? Point{table.at.x, input_.area.min.y} : Point{tables_[1].at.x, below};
        say(words, table.id, at, false, PairLines::all);
        const auto numbers = static_cast<float>(!words.shape.empty()) + static_cast<float>(!words.mark.empty());
        if (!first) below += own_.name_line() + numbers * own_.number_line();
    }
    own_.wire({{x, y}, {plan_.layer.min.x - px(1), y}}, first_stream(own_), true);
}

void PairLayout::lay_out_cell(const PairCell& cell, Point corner) {
    const float scale = plan_.scales.layer;
    const PairLines lines = said_of(cell, lines_);
    const Rect rect = matrix(cell.id, corner, scale);
    const float below = corner.y + cell_height(own_, cell, scale) + px(4);
    if (!cell.bias.empty()) own_.bias_below(cell.bias, rect, scale);
    const float spare = static_cast<float>(cell.least.rows) * scale - own_.label_height(line_count(lines));
    const float inset = std::max(px(2), std::min(px(6), spare / 2));
    const Point at = cell.inside ? Point{corner.x + px(8), corner.y + inset} : Point{corner.x, below};
    say(pair_words(pair_, cell.id), cell.id, at, cell.inside, lines);
}

void PairLayout::lay_out_section(std::string_view block, const Section& section) {
    const Rect& box = section.box;
    const Component component = component_of(own_, block);
    const std::string id = component_id(component);
    own_.frame(id, box, FrameKind::component, component);
    own_.door(block, box);
    Door& door = own_.scene.doors.back();
    door.entry = {box.min.x, box.centre().y};
    door.entry_tensor = stream_into(own_, block);
    door.exit = {{box.max.x, box.centre().y}};
    const Point corner{box.min.x + px(padding), box.min.y + px(7)};
    own_.title({corner.x + px(16), corner.y}, component_name(component), id);
    own_.number({box.max.x - px(padding), corner.y + px(1)}, grouped(own_.component_in_layer(component)), id,
                Anchor::right);
    const Point first{corner.x, box.min.y + px(section_head)};
    for (const PairCell& cell : section.drawn) lay_out_cell(cell, {first.x + cell.at.x, first.y + cell.at.y});
    if (component == Component::feed_forward)
        lay_out_pair_hidden(own_, pair_, section.drawn, first, box, plan_.scales.layer, lines_);
}

void PairLayout::lay_out_head() {
    constexpr std::string_view trained = "output_head.weight", table = "embedding.weight";
    const float scale = plan_.scales.model;
    const Point corner{head_left_, head_top_};
    const float words_x = std::max(head_left_, plan_.stream_x + px(10));
    const Point at{words_x, head_top_ - px(head_words)};
    own_.wire({{plan_.stream_x, plan_.layer.max.y}, {plan_.stream_x, head_top_ - px(1)}}, last_stream(own_), true);
    if (!own_.has("logits")) return;
    if (!tied(own_)) {
        const Rect rect = matrix(trained, corner, scale);
        own_.bias_below("output_head.bias", rect, scale);
        // The other side's head, where that is its embedding.
        const Sides there = head_of(other_), here = head_of(own_);
        if (tied(other_) && (there.rows != here.rows || there.columns != here.columns))
            own_.scene.slabs.back().base = drawn(there, corner, scale);
    } else {
        const Sides sides = head_of(own_);
        const bool numbers = input_.values.has_value();
        own_.scene.slabs.push_back({.id = std::string(table),
                                    .rect = drawn(sides, corner, scale),
                                    .part = Part::token_embedding,
                                    .look = SlabLook::ghost,
                                    .rows = numbers ? std::llround(sides.rows) : 0,
                                    .columns = numbers ? std::llround(sides.columns) : 0,
                                    .transposed = true});
    }
    const std::string_view id = tied(own_) ? table : trained;
    const PairWords words = pair_words(pair_, id);
    own_.name_and_size(at, "Output head", tied(own_) ? "tied, counted once" : words.shape, id, 10);
    if (!words.mark.empty() && !tied(own_))
        own_.label({input_.area.max.x - px(beside_deck), at.y + px(1)}, words.mark, TextRole::number,
                   words.changed ? Tone::high : Tone::low, Anchor::right, id);
}

}  // namespace

Scene layout_beside(const LayoutInput& input) { return PairLayout(input).lay_out(); }

}  // namespace headcount
