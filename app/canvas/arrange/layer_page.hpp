// The page of the whole model: where its parts go, at which scales, and the parts themselves.
#pragma once

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/canvas/arrange/sketch.hpp"
#include "app/canvas/arrange/strands.hpp"

namespace headcount {

// How many pixels a row or column is: one scale for both where that serves.
struct Scales {
    float model = 0, layer = 0;
};

// Where the parts go, all in pixels.
struct Plan {
    Rect tokens;                  // empty where there is no room for them
    Rect embedding, layer, ends;  // ends: final norm, output head, logits
    Rect inner;                   // of the layer, its sub-blocks
    // A sub-block, without the row of its title.
    struct Card {
        std::string block;  // "layer.attention"
        Rect rect;
        float header = 0;     // how wide its name and count are, in pixels
        bool closed = false;  // its name and its matrices in lines
    };
    std::vector<Card> cards;   // in the order in which they run
    std::string mixer_block;   // "layer.attention"
    float stream_x = 0;        // the residual stream's line inside the layer
    float arrow = 0;           // length of an arrow between two columns
    float return_gap = 0;      // room for a sub-block's way back to the stream
    bool shares_norm = false;  // both sub-blocks read the output of one
    bool low = false;          // there is no room for words above and below a norm
    float title_row = 0;       // above a sub-block, of its title; 0: in its corner
    Scales scales;

    double dim = 0;  // how many columns norms have as they are drawn

    const Card& of(std::string_view block) const {
        const auto found = std::ranges::find(cards, block, &Card::block);
        assert(found != cards.end() && "no card of this block");
        return *found;
    }
    const Rect& box(std::string_view block) const { return of(block).rect; }
    // With the row of its title, if that has one.
    Rect card(std::string_view block) const {
        const Rect& rect = box(block);
        return {{rect.min.x, rect.min.y - title_row}, rect.max};
    }
    // Whether it is the feed-forward below a mixer: by itself that is laid out in a mixer's place.
    bool second(std::string_view block) const { return block == feed_forward_block && block != mixer_block; }
    // Of a sub-block's way back, along the middle of the gap below it.
    float return_y(std::string_view block) const { return box(block).max.y + way_back; }
    float way_back = 0;

    bool beside = false;      // the layer of another stack stands left or right of this one
    bool looked_at = true;    // this is the one that one looks at
    bool others_end = false;  // what stands below is the end of another stack
    float memory_x = 0;       // beside it: where what that stack made comes up to this one
};

// The pencil of one kind of layers and all around them, and what their sub-blocks consist of.
struct LayerPencils {
    explicit LayerPencils(const LayoutInput& input);
    LayerPencils(const LayerPencils&) = delete;
    LayerPencils& operator=(const LayerPencils&) = delete;

    const LayoutInput of_layer;
    Sketch own;
    struct Card {
        std::string block;
        CardParts parts;
    };
    std::vector<Card> cards;  // in the order in which they run
    // More than what mixes tokens, once or twice, and a feed-forward below that.
    bool has_many() const;
};
Plan plan_model(const LayerPencils& pencils, Rect area);

// Of two stacks, one of which reads what the other has made.
struct StackPencils {
    LayerPencils first, second;
};
struct StackPlans {
    Plan first, second;
};
// Nothing where there is no room for both beside each other.
std::optional<StackPlans> plan_stacks(const StackPencils& pencils, Rect area);

// Design pixels: how wide a layer is and how high each of its sub-blocks however little room there is, so that none is
// ever turned inside out; the rest of the picture then lies beyond the edge.
inline constexpr float least_layer = 100, least_box = 24;

// The largest scales at which a sub-block fits into its part of a plan: its matrices alone, and with its words.
struct LargestScales {
    float shapes, with_words;
};
LargestScales card_scales(const Sketch& sketch, const Plan& plan, std::string_view block, const CardParts& parts);

// The block of the shown layers that mixes tokens: "layer.attention"; of layers without one their feed-forward, which
// then stands in its place.
std::string mixer_block(const Sketch& sketch);
// Of those layers the one whose keys and values are of what another stack made; nothing where there is none.
std::optional<std::string> cross_block(const Sketch& sketch);
// All sub-blocks of those layers, as layouts write them, in the order in which they run.
std::vector<std::string> sub_blocks(const Sketch& sketch);
// What makes the first that the sub-block reads, where that is no sum on the stream but what another sub-block of the
// layer has made, alone or added to the stream; null where it reads the stream.
const Node* made_for(const Sketch& sketch, std::string_view block);
// The sub-block of the shown layers in which the tensor is made, as layouts write it; empty where it is in none.
std::string maker_of(const Sketch& sketch, TensorIndex tensor);
// Whether another one of the layer reads what it makes, instead of the stream.
bool is_read_by_another(const Sketch& sketch, std::string_view block);
// What leaves a sub-block.
std::string made_in(const Sketch& sketch, std::string_view block);
// What another stack has made and the sub-block reads; empty where there is no such thing.
std::string_view memory_of(const Sketch& sketch, std::string_view block);
// Whether they are made anew in this pass, or kept from the first of the decoder's tokens on.
bool makes_memory_anew(const Sketch& sketch);
// Where that comes in, above the foot of its card.
float memory_y(const Sketch& sketch, const Plan& plan, std::string_view block);
// What the stack of the shown layers makes for another one; null where nothing else reads it.
const Tensor* made_for_others(const Sketch& sketch);
// The end of such a stack, below its layer; returns where its way goes on, and where more can be said of it.
struct StackEnd {
    Point way, words;
};
StackEnd lay_out_stack_end(Sketch& sketch, const Plan& plan);
inline constexpr float stack_end = 40;  // design pixels: how high that is
// What the block is counted as.
Component component_of(const Sketch& sketch, std::string_view block);

// Whether there is a feed-forward below a mixer.
inline bool has_feed_forward(const Sketch& sketch) {
    return sketch.find_block(feed_forward_block) && mixer_block(sketch) != feed_forward_block;
}
inline bool has_latent_heads(const Sketch& sketch) { return sketch.has("layer.attention.latent_down.weight"); }
bool in_turn(const Sketch& sketch);      // the feed-forward, if any, reads what the mixer has added to
bool shares_norm(const Sketch& sketch);  // both sub-blocks read the output of one norm
bool norm_after_sum(const Sketch& sketch);

// Where the words about the output head and the logits go, with `room` pixels from the head's left side on.
enum class HeadWords { inside, inside_two_lines, beside, below };
struct EndsWords {
    HeadWords head;
    bool logits_beside;
};
// Of the output head as it is multiplied, or of the embedding where there is none.
Sides head_sides(const Sketch& sketch, bool or_base = false);

EndsWords ends_words(const Sketch& sketch, float scale, float room);
// What models store besides and do not read here: a norm, a head that pools.
std::vector<std::string> idle_ends(const Sketch& sketch);
float idle_height(const Sketch& sketch, float scale);
// In a row right of `from`, each hanging from there.
void lay_out_idle(Sketch& sketch, const Plan& plan, Point from);
// How high what stands between the layer and the head is: the final norm, what transforms for the head, and the way to
// the embedding's width. And all below the layer.
float ends_before_head(const Sketch& sketch, float scale);
float ends_height(const Sketch& sketch, float scale, float room);
inline constexpr float stream_inset = 22;  // the head begins this far left of the stream, in design pixels

// The layer's card with its title, and the kinds of layers to be chosen from: `chosen` is looked at.
void lay_out_layer(Sketch& sketch, const Plan& plan);
// Its sub-blocks, all by its own pencil in the end.
void lay_out_sub_blocks(LayerPencils& pencils, const Plan& plan);
// What another pencil has drawn, with the ids that the graph has.
void add_scene(Scene& scene, Scene other);
// Both stacks in one picture; nothing where there are no two, or no room.
std::optional<Scene> layout_stacks(const LayoutInput& input);
// The parts, each in its own file.
void lay_out_embedding(Sketch& sketch, const Plan& plan);
// Of that the tables, what else makes the stream `more_from` design pixels below; and the stream, at this height from
// the table into the layer and down.
Rect lay_out_tables(Sketch& sketch, const Plan& plan, float more_from);
void lay_out_stream(Sketch& sketch, const Plan& plan, const Rect& table, float y);
// What else makes the stream, and what reads pictures or sound beside the text, hanging from there.
void lay_out_below_table(Sketch& sketch, const Plan& plan, Point corner);
// The tables of other stacks that have their own, by their ids: they hang below.
std::vector<std::string> other_tables(const Sketch& sketch);
// Of what else hangs below the first table than positions and projections: rows above each other, and how many groups.
struct HungRows {
    double rows = 0;
    int groups = 0;
};
HungRows hung_rows(const Sketch& sketch);
inline constexpr float chip_padding = 3;  // of a token's chip, beside what stands in it, in design pixels
// A few of the shown stack's tokens, each a chip with its position, or its word, of which as much is there as has
// `room`, in pixels.
struct TokenChip {
    std::string name;
    std::optional<double> token;  // a share of all; nothing where it stands for more
};
std::vector<TokenChip> token_chips(const Sketch& sketch, float room);
void lay_out_block_card(Sketch& sketch, const Plan& plan, std::string_view block, const CardParts& parts);
// A sub-block by its name, how many parameters it has, and its matrices with their names.
void lay_out_closed(Sketch& sketch, const Plan& plan, std::string_view block);
// How high that is at least to hold all of them, in pixels, and the largest scale at which it does in its place; where
// none is small enough, one at which most have room.
float closed_height(const Sketch& sketch, std::string_view block, float width);
float closed_scale(const Sketch& sketch, const Plan& plan, std::string_view block);
// Of what has been laid out the sub-block, as the graph has it, to be closed so that others have room: the one with the
// most matrices that found no place for their names, or one whose matrices lie over each other. Nothing where all have
// theirs.
std::optional<std::string> crowded_block(const Scene& scene, const LayoutInput& input);
// One that is open, though some of its names found no place, or have to give way on the screen to those above or below.
std::optional<std::string> tight_block(const Scene& scene, const LayoutInput& input);
void lay_out_ends(Sketch& sketch, const Plan& plan);

// One small square for each head around the middle of a column, with words above and below inside a card; returns where
// those squares are.
struct HeadsOf {
    std::string_view shown;                   // a tensor of each
    std::string_view said;                    // below its shape
    std::vector<std::string_view> held = {};  // what all of them use and is no part of any
    std::string_view held_name = {};          // of the first
};
std::string heads_text(std::int64_t heads);  // "32 heads"
Rect lay_out_heads(Sketch& sketch, const HeadsOf& of, Point left, float width, const Rect& card);
// The squares alone, of so many that are alike: those that a token passes are lit. In so many columns, or in as many as
// leave each the most of the room right of `left`, the middle of their left side.
struct UnitsOf {
    std::string_view shown;
    std::int64_t count, lit = 0, columns = 0;
};
Slab& lay_out_units(Sketch& sketch, const UnitsOf& of, Point left, Point room);
// Of squares that are alike, so many in a row wherever they are drawn: about twice as many as there are rows, and rows
// of equal length where there are such.
std::int64_t columns_of_grid(std::int64_t count);

// A sub-block's frame with its name and how many parameters it has, and its door.
void lay_out_card(Sketch& sketch, const Plan& plan, std::string_view block);
// Where the input of the first matrices branches: right of the norm and of the card's name.
float card_split(const Sketch& sketch, const Plan& plan, std::string_view block);
float card_split(const Sketch& sketch, const Plan& plan, std::string_view block, float scale);
float card_norm_y(const Sketch& sketch, const Plan& plan, std::string_view block);

// A sub-block's input: from the stream through its norm to `until`.
void lay_out_norm(Sketch& sketch, const Plan& plan, std::string_view block, float y, float until);
// The same to the edge of a card that is its name alone.
void lay_out_way_in(Sketch& sketch, const Plan& plan, std::string_view block, const Rect& card);
// What another stack made, to where it branches inside of the card of the block, `x` pixels from the left; left of the
// layer the last norm of that, and what comes out of it, unless it stands beside this one. Returns where it branches.
Point lay_out_memory(Sketch& sketch, const Plan& plan, std::string_view block, float x);
// What a norm trains: "4096", "2 × 4096" with weight and bias, "no weights".
std::string norm_size(const Sketch& sketch, std::string_view norm);
// What flows into a sub-block, and what its first matrices read: the same, or the norm of it.
std::string_view stream_into(const Sketch& sketch, std::string_view block);
std::string block_input(const Sketch& sketch, std::string_view block);
// The tensor that enters the first layer of the shown stack, and the one that leaves the last.
std::string_view first_stream(const Sketch& sketch);
std::string_view last_stream(const Sketch& sketch);
// A sub-block's way back: from `from` down, left along the gap, through the output's slab into the add mark on the
// stream.
void lay_out_return(Sketch& sketch, const Plan& plan, std::string_view block, Point from);

}  // namespace headcount
