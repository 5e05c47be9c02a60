// Lays the whole model out: embedding, one layer that stands for all, output head. A pure function of its input.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/canvas/scene.hpp"

namespace headcount {

// A graph with its numbers.
struct NumberedGraph {
    const ModelGraph& graph;
    const Bindings& bindings;
};

inline constexpr std::string_view main_layer = "layer";  // the block of the kind that most layers are of
inline constexpr std::string_view attention_block = "layer.attention", feed_forward_block = "layer.feed_forward";

// Where two models are drawn at one scale, each in a canvas of the same size, the other one is the base of each.
struct Beside {
    bool second = false;            // this one says how it differs from the first
    std::string layer{main_layer};  // the block of the other's layers that is drawn
};

// No page of this block is drawn at more pixels of the screen a row or column, when it fills the canvas. A layer's
// block is written "layer." here, whichever kind it is of.
struct PageScale {
    std::string block;
    double most = 0;
    double card = 0;  // the same of what is enlarged on a card; 0: any

    bool operator==(const PageScale&) const = default;
};

// What a run says of the picture whose cells have its numbers.
struct ValuesShown {
    // By the block of each kind of layers: whose numbers they are, of all that are drawn as one.
    std::map<std::string, std::int64_t, std::less<>> layers;
    std::vector<std::string> first;   // words of the first tokens; empty: they have none
    std::optional<std::string> last;  // of the last one; nothing: the run has not read so many

    // The one of this block; `otherwise` where its kind has none.
    std::int64_t layer_of(std::string_view block, std::int64_t otherwise) const {
        const auto found = layers.find(block);
        return found == layers.end() ? otherwise : found->second;
    }
    bool operator==(const ValuesShown&) const = default;
};
inline constexpr std::size_t token_chips_shown = 4;

// A sub-block, as the graph has it, that gets so many times its share of the layer's height.
struct Roomier {
    std::string block;
    float times = 1;
};

struct LayoutInput {
    NumberedGraph model;
    NumberedGraph base;  // the preset: its sizes are dashed outlines where they differ
    Rect area;           // in pixels
    float unit = 1;      // pixels a design pixel: the interface scale
    std::function<float(std::string_view text, TextRole role)> text_width;
    double bytes_per_number = 2;  // as the cache keeps them
    bool log_sides = false;       // sides by their logarithm, so that small ones can be seen beside large ones
    // The kind of layers that is drawn for all, by its block's id. Layouts write "layer." for it, whatever it is.
    std::string layer = std::string(main_layer);
    // Which of the layer's blocks with heads is drawn: layouts write "layer.attention." for it, whatever it is.
    std::string attention = std::string(attention_block);
    std::optional<Beside> beside = {};
    std::optional<std::int64_t> band = {};  // the head whose columns of Q, K and V attention shows, to a class
    std::vector<PageScale> page_scales = {};
    std::optional<ValuesShown> values = {};
    double most_scale = 0, most_card_scale = 0;  // pixels of this page a row or column; 0: as many as have room
    std::vector<std::string> closed = {};  // sub-blocks, as the graph has them: their matrices in lines, no diagram
    bool low_closed = false;               // in one line each
    std::optional<Roomier> roomier = {};
};

// The same seen from the other side of a pair.
LayoutInput other_side_of(const LayoutInput& input);

// A number of rows or columns as it is drawn: 0 stays 0, and 1 is something.
inline double drawn_side(double side, bool log_sides) { return log_sides ? std::log2(1 + side) : side; }

// What an id of one kind of layers, by that's block, is in another; any other id stays.
std::string in_layer(std::string_view id, std::string_view from, std::string_view to);

// Where a parameter is used: in its own block; what all layers share is in none of them, but in a sub-block of each.
BlockIndex used_in(const ModelGraph& graph, const Tensor& tensor);

// Among the kinds of a model's layers the one with this block, else that of the most layers.
const LayerBlock& layer_shown(const ModelGraph& graph, std::string_view block);

inline constexpr float least_side = 6;  // design pixels: no side is drawn thinner

Scene layout_model(const LayoutInput& input);

// The same for one of two models beside each other: what is trained, each matrix with its words below it. Places and
// scales follow from both models, so that either side has the same.
Scene layout_beside(const LayoutInput& input);

// How a sub-block hangs on the residual stream, in pixels of its own page.
struct BlockWays {
    Point entry;           // where its input leaves the stream
    ThingId entry_tensor;  // what flows in there
    Point memory;          // the same of what another stack made
    ThingId memory_tensor;
    std::vector<Point> exit;         // from the right of all that is inside back to the stream
    std::vector<ThingId> elsewhere;  // what is drawn on the way there already
    std::optional<Point> onward;     // where the output of its norm leaves for the other sub-block, which shares it
    float shrunk = 1;  // pixels of the page a pixel of the screen, when one has come to it: words are never scaled
};

// One sub-block with every operation, parameter and activation of it, laid out from the graph alone. A block inside it
// is a grid of its repeats, with a door.
Scene layout_block(const LayoutInput& input, std::string_view block, const BlockWays& ways);
// In less width, or height, it finds no room: there for the names of matrices that lie above each other.
Point least_block_size(const LayoutInput& input, std::string_view block, const BlockWays& ways);

// Attention as a class is shown it: which columns of Q, K and V are one head's. Whether it is shown so: where that is
// asked for, of one model, to scale, and heads take columns.
bool has_band(const LayoutInput& input);
// Whether it is drawn there, or on a head's page: what else there is of attention is not.
bool band_holds(const ModelGraph& graph, std::string_view id);
Scene layout_band(const LayoutInput& input, const BlockWays& ways);

// One head of attention: how its queries, keys and values come about, scores and weights, what it adds to the output,
// and what the cache keeps. The same for every head but for the numbers in its labels.
Scene layout_head(const LayoutInput& input);

}  // namespace headcount
