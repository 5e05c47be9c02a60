// Experiments on a run: what a place of the model adds is switched off, multiplied, or taken from another run. First in
// words, whatever the model; then as what happens to the output of one of its graph's nodes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"

namespace headcount {

class Run;  // core/runtime/run.hpp

// "layer.1.attention", "layer.1.attention.head:3", "layer.1.feed_forward.expert:2", "stream.1@5"; all counted from 0.
struct ChangePlace {
    enum class Stack { main, encoder, decoder };  // main: the decoder, or the only one

    Stack stack = Stack::main;
    std::int64_t layer = 0;
    std::string block;                        // by its name in the graph; empty: what leaves the layer
    std::optional<std::int64_t> head = {};    // its columns of what the output projection reads
    std::optional<std::int64_t> expert = {};  // what it made, before the router's weight
    std::optional<std::int64_t> token = {};   // of what leaves the layer

    bool operator==(const ChangePlace&) const = default;
};

struct Change {
    enum class Kind { off, scale, patch };

    Kind kind = Kind::off;
    ChangePlace place;
    double factor = 0;                // of off and scale
    std::filesystem::path file = {};  // of patch: what `write_activations` wrote of another run

    bool operator==(const Change&) const = default;
};

std::string_view key(Change::Kind kind);  // "off"

// "PLACE" of off, "PLACE=X" of scale, "PLACE=FILE" of patch. Errors name the text: no place, no number, no file.
Result<Change> parse_change(Change::Kind kind, std::string_view text);

std::string place_text(const ChangePlace& place);  // as it is parsed
std::string change_text(const Change& change);     // "layer.1.attention × 0.5"

// Of a matrix (T, h·d_h) whose numbers are not what they are taken for: reshaped where axes are to be exchanged, or
// `back` from there as if they were (T, h·d_h).
struct Regrouping {
    enum class As {
        heads_first,    // (h, T, d_h), one behind the other
        columns_first,  // (T, d_h, h)
        turned,         // each head's (T, d_h) as (d_h, T)
    };
    As as = As::heads_first;
    std::int64_t heads = 1;
    bool back = false;
};

// A change as the walk over the graph obeys it: of a node's output, which has a row for each token, some columns.
struct NodeChange {
    TensorIndex tensor = 0;
    std::int64_t layer = 0;
    std::optional<std::int64_t> expert = {}, token = {};  // absent: all
    std::int64_t first_column = 0, columns = 0;
    std::optional<float> factor = {};                      // else the rows below
    std::map<std::int64_t, std::vector<float>> rows = {};  // by token; where there is none a token keeps its own
    std::optional<Regrouping> regrouping = {};             // of all that the node makes, before the others
    bool rounded = false;                                  // at last, to bfloat16
};

// How many tokens a run is to read: of its prompt, with those that it makes, and of what an encoder reads.
struct RunLengths {
    std::int64_t prompt = 0, all = 0, source = 0;
};

// In the graph of a filled cache, which is what `Run` walks. Reads the file of a patch, whose rows are those of a
// prompt as long as this one. With `other`, a run of the same model, a patch is taken from that instead, token by token
// of the prompt as far as it has any. Errors name the place: no such layer, part, head, expert or token; and the file:
// not there, without this tensor, of another shape, with a number that is none; and what `other` has not kept.
Result<NodeChange> resolve(const Change& change, const Architecture& arch, const ModelGraph& graph,
                           const RunLengths& lengths, const Run* other = nullptr);

// A sub-block of a layer, and what of it can be changed by itself.
struct LayerPart {
    BlockIndex block = 0;
    std::int64_t heads = 0, experts = 0;  // 0: it has none
};
// In the order of the layer, which is one of its stack's.
std::vector<LayerPart> parts_of(const Architecture& arch, const ModelGraph& graph, ChangePlace::Stack stack,
                                std::int64_t layer);

}  // namespace headcount
