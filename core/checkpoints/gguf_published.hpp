// A GGUF file's tensors as the published checkpoint has them: named, cut and laid out so that the two can be compared.
// llama.cpp's converters decide its names (gguf-py/gguf/tensor_mapping.py), each model's authors the published ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

// How a tensor of GGUF is the published one's.
enum class Fit {
    same,
    bare,         // the published name has no ".weight"
    bare_row,     // the same, of one row, to which GGUF gives sides of 1
    bare_rows,    // the same, to which the published one has sides of 1, [1, 1, columns]
    bare_turned,  // a bare one whose last two sides GGUF has the other way round
    bare_heads,   // a bare one, [heads, columns]; GGUF has all in a row
    lettered,     // published as so many bare ones, each [1, 1, columns], named by a letter each; GGUF stacks them
    conv1d,       // published [in, out]; GGUF has [out, in]
    each_expert,  // GGUF stacks what is published expert by expert
    stacked,  // published stacked too, [experts, in, out], and bare; GGUF has [experts, out, in], cut in two by name
    stacked_rows,   // published stacked too, [experts, out, in]; GGUF cuts it in two
    joined_rows,    // published as one, [out, in]; GGUF cuts it in two
    row,            // published as one row; in GGUF in several
    filters,        // published [columns, 1, kernel]; in GGUF the side of 1 is left out, or stands elsewhere
    each_head,      // GGUF stacks what is published head by head
    one_row,        // published [1, in], in GGUF [in]
    qkv,            // published as three tensors, in GGUF one below the other
    latent_keys,    // [heads, rank, nope]: the keys' rows of the published [heads * (nope + value), rank]
    latent_values,  // [heads, value, rank]: the values' rows of it
};

struct PublishedName {
    std::string name;  // with {e} for every expert, {h} for every head, {qkv} for q, k and v, or other letters for as
                       // many tensors; empty: not known
    Fit fit = Fit::same;
};

// The table of names that a file's tensors follow: as its architecture is called ("llama", "qwen3moe"), but where the
// tensors tell that it is another form of it: Falcon's later decoder, whose attention and feed-forward have a norm
// each, under names of their own; T5 with gates; DistilBERT, which llama.cpp writes as BERT.
std::string gguf_table(const Checkpoint& gguf);

// In that table: "blk.3.attn_q.weight" is "model.layers.3.self_attn.q_proj.weight".
PublishedName find_published_name(std::string_view table, std::string_view gguf_name);

// Whether layers have a state. GGUF has the decay itself in the place of its logarithm, and more that is not undone
// here: such tensors are named and counted, and not read.
bool has_states(const Checkpoint& gguf);

// Whether llama.cpp writes the tensor though the model's checkpoint has none: the rotary embedding's factors, what
// RWKV-7's first layer does not read, and what sentence-transformers puts on an embedding's rows, out of files of its
// own.
bool added_by_gguf(std::string_view gguf_name);

struct PublishedTensor {
    std::string name;                 // {e} stands for every expert, {h} for every head
    std::vector<std::int64_t> shape;  // of one of them, outermost first
    std::int64_t count = 1;           // how many tensors of the published checkpoint these are
    StorageType type;
    std::int64_t elements = 0, bytes = 0;  // of all of them
    std::vector<std::size_t> from;         // which tensors of the file they are made of
    std::int64_t first = 0;                // the number with which it begins there, where it is cut out of one

    bool operator==(const PublishedTensor&) const = default;
};

struct PublishedTensors {
    std::vector<PublishedTensor> tensors;
    // Which tensors of the file are none of the published model's: the rotary factors, scales of blocks, what nothing
    // reads, what is there in two forms, and layers that only predict further tokens.
    std::vector<std::size_t> added;
    // The names of those whose one number stands in the file's metadata (Apertus).
    std::vector<std::string> in_metadata;
};

// Experts that GGUF stacks are one entry a matrix, with their number; matrices that it cuts (gate and up, latent
// attention's keys and values) are joined, those that it joins (queries, keys and values) are cut, Conv1D's are
// transposed. What is not known keeps its name and shape.
PublishedTensors published_tensors(const Checkpoint& gguf);

}  // namespace headcount
