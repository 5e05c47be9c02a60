// Experiments on a run: what a place of the model adds is switched off, multiplied, or taken from another run. First in
// words, whatever the model; then as what happens to the output of one of its graph's nodes.
#pragma once

#include <array>
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

// "layer.1.attention", "layer.1.attention.head:3", "layer.1.feed_forward.expert:2", "layer.0.feed_forward.neuron:17",
// "stream.1@5"; an activation by the name that `activation_name` gives it, "layer.0.attention.keys@2",
// "layer.0.attention.head.scores.head:3.column:2@5", "embedded@1". All counted from 0.
struct ChangePlace {
    enum class Stack { main, encoder, decoder };  // main: the decoder, or the only one
    static constexpr std::int64_t outside = -1;   // of all layers

    Stack stack = Stack::main;
    std::int64_t layer = 0;
    // A sub-block by its name in the graph, or an activation behind its layer's: "feed_forward.hidden", which is not
    // told from one outside of layers. Empty: what leaves the layer.
    std::string block;
    std::optional<std::int64_t> head = {};    // of a sub-block: its columns of what the output projection reads
    std::optional<std::int64_t> expert = {};  // what it made, before the router's weight
    std::optional<std::int64_t> column = {};  // of a sub-block: of what its last matrix reads, a neuron
    std::optional<std::int64_t> token = {};   // its row

    bool is_activation() const { return layer == outside || block.find('.') != std::string::npos; }
    bool operator==(const ChangePlace&) const = default;
};

struct Change {
    // Set to 0; multiplied; as another run has it; what it is on average over the prompt's tokens; a number. And
    // how people write them.
    enum class Kind { off, scale, patch, mean, put };
    static constexpr std::array<std::string_view, 5> kinds{"off", "scale", "patch", "mean", "put"};

    Kind kind = Kind::off;
    ChangePlace place;
    double number = 0;                // of scale and put
    std::filesystem::path file = {};  // of patch: what `write_activations` wrote of another run

    bool operator==(const Change&) const = default;
};

std::string_view key(Change::Kind kind);  // "off"
inline bool takes_number(Change::Kind kind) { return kind == Change::Kind::scale || kind == Change::Kind::put; }

// "PLACE" of off and mean, "PLACE=X" of scale and put, "PLACE=FILE" of patch. Errors name the text: no place, no
// number, no file.
Result<Change> parse_change(Change::Kind kind, std::string_view text);

std::string place_text(const ChangePlace& place);  // as it is parsed
std::string written_change(const Change& change);  // the same of a change, without a patch's file
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
    std::optional<std::int64_t> copy = {}, token = {};  // a head or an expert that makes it; absent: all
    std::int64_t first_column = 0, columns = 0;
    std::optional<float> factor = {}, number = {};         // multiplied by the one, set to the other; else the rows
    std::map<std::int64_t, std::vector<float>> rows = {};  // by token
    std::vector<float> row = {};                           // of all others; empty: they keep their own
    std::optional<Regrouping> regrouping = {};             // of all that the node makes, before the others
    bool rounded = false;                                  // at last, to bfloat16
};

// How many tokens a run is to read: of its prompt, with those that it makes, and of what an encoder reads.
struct RunLengths {
    std::int64_t prompt = 0, all = 0, source = 0;
};

// Runs of the same model that numbers are taken from.
struct OtherRuns {
    const Run* patched = nullptr;   // by a patch, in the place of its file
    const Run* as_it_is = nullptr;  // by a mean: of the same tokens
    bool later = false;             // only the place is looked for: what comes back has no numbers, and changes nothing
};

// In the graph of a filled cache, which is what `Run` walks. Reads the file of a patch, whose rows are those of a
// prompt as long as this one, or of one token's place those of any in which it is; of a run in its place, token by
// token of the prompt as far as it has any. Errors name the place: no such layer, part, activation, head, expert,
// column or token; and the file: not there, without this tensor, of another shape, with a number that is none; what
// another run has not kept; and a mean without one.
Result<NodeChange> resolve(const Change& change, const Architecture& arch, const ModelGraph& graph,
                           const RunLengths& lengths, const OtherRuns& others = {});

// How a change calls the whole of this tensor; nothing where no row of it can be changed: what tokens or their states
// share, and what is another's memory seen differently.
std::optional<ChangePlace> place_of(const ModelGraph& graph, TensorIndex tensor, std::int64_t layer);
// What it would call this tensor, a parameter as well, whatever can be changed.
ChangePlace place_named(const ModelGraph& graph, TensorIndex tensor, std::int64_t layer);

// A sub-block of a layer, and what of it can be changed by itself.
struct LayerPart {
    BlockIndex block = 0;
    std::int64_t heads = 0, experts = 0;  // 0: it has none
};
// In the order of the layer, which is one of its stack's.
std::vector<LayerPart> parts_of(const Architecture& arch, const ModelGraph& graph, ChangePlace::Stack stack,
                                std::int64_t layer);

}  // namespace headcount
