// What the card of a sub-block draws of its flow, before it is known where and how large.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/canvas/arrange/flow.hpp"
#include "app/canvas/arrange/sketch.hpp"
#include "core/base/find.hpp"

namespace headcount {

// A matrix, a filter or a vector with what is added to it below, or what one has made.
struct StrandPiece {
    std::string id;
    std::string bias = {};                // empty where there is none
    std::string flows = {};               // what leaves it
    Sides sides{0, 0}, bias_sides{0, 0};  // the model's or the base's
    std::array<float, 3> labels{};        // how wide its label of one to three lines is
    float name = 0;                       // ... and its name, but for how it has changed
    std::size_t item = 0;                 // of the flow
    bool made = false;                    // an activation
    bool norm = false;                    // of what stands before it in its strand
    bool kept = false;                    // made, and shown as what the cache keeps
    bool brief = false;                   // made, and read by a mark alone, which stands for it in a row
    bool brought = false;                 // made elsewhere: it comes in beside the stream
    bool again = false;                   // a matrix that another sub-block of the layer has drawn
    std::vector<std::string> drawn;       // itself, or what is kept of it for later tokens
};

// What one matrix makes of the input, step by step; where several read what a strand makes, each begins another.
struct Strand {
    std::vector<StrandPiece> pieces = {};
    std::vector<std::size_t> items = {};    // of the flow
    std::optional<std::size_t> after = {};  // of these the one that it reads; nothing where it reads the input
    bool from_other_stack = false;          // ... or what another stack has made
    bool from_stream = false;               // ... or what the sub-block's norm reads
    int level = 0;                          // how many strands are before it on the way from there
    std::size_t reader = 0;                 // the step on the right that reads it first
    float words = 0, first = 0;             // how wide its names are, and the first of them
    float left = 0;                         // in pixels, once it is drawn
    Point end;                              // ... where what it makes leaves it, behind its words
    Point solid;                            // ... the same without them, as when it is seen tilted

    bool has(std::size_t item) const { return contains(items, item); }
};

// What brings strands together, or changes that.
struct CardStep {
    std::size_t item = 0;
    std::string weight = {};  // of its matrix or norm; empty where it trains nothing
    std::string made = {};    // what it makes, where that is drawn behind it
    Sides sides{0, 0}, made_sides{0, 0};
    double held = 0;             // columns of the widest thing that heads use and is no part of any
    float words = 0, label = 0;  // how wide its name is, and its label of two lines
    float left = 0, width = 0, made_left = 0;
    float solid_left = 0, solid_right = 0;  // of what is drawn, where that is narrower than its words
};

struct CardBranch;
struct CardParts {
    std::vector<FlowItem> items;
    std::vector<Strand> strands;  // those that are read first stand first, so that few of their ways cross
    std::vector<CardStep> steps;
    std::vector<CardBranch> branches;  // the first step brings together what they make

    // How tall what stands above each other is, in rows as they are drawn.
    double rows() const;
    bool has_norms() const;  // of what strands make
};

// A block inside the sub-block, beside others or there many times, that makes something of the input by itself.
struct CardBranch {
    std::string block;  // of the graph
    CardParts parts;
    std::int64_t copies = 1, runs = 1;       // how many there are, and how many of them a token passes
    std::string chosen_by = {};              // what decides which; empty where a token passes all
    std::optional<std::size_t> strand = {};  // of the sub-block, that which makes the decision
    std::optional<std::size_t> reads = {};   // ... that which makes what it reads; nothing where that is the input
    std::vector<std::size_t> items = {};     // of the sub-block's flow
};
CardParts card_parts(const Sketch& sketch, std::string_view block);

}  // namespace headcount
