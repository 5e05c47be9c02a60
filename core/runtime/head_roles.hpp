// What attention heads look at in a text, measured: for each way of looking the head that looks so most.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "core/runtime/explain.hpp"

namespace headcount {

// Where a head may look: at the token before; at earlier ones that are the same as its own; at what came behind those
// (as an induction head does); at full stops; at the first token, where one looks that has nothing to do.
enum class HeadRole { previous, same, behind_same, stop, first };
inline constexpr std::array<std::string_view, 5> head_role_keys{"previous", "same", "behind_same", "stop", "first"};
std::string_view info(HeadRole role);  // "the word before"
// Whether a token is one.
inline bool is_full_stop(std::string_view token) { return token == "." || token == " ."; }

// The head whose attention falls there most.
struct HeadFound {
    HeadRole role = HeadRole::previous;
    std::int64_t layer = 0, head = 0;
    double share = 0;         // of its attention, from 0 to 1: the mean over all tokens for which there is such a place
    double even = 0;          // the same, if attention were spread evenly over all that a token sees
    std::int64_t tokens = 0;  // that this is the mean of
};

// A text that was read by a causal model, with its weights.
struct AttendedText {
    std::vector<std::int32_t> ids;
    std::function<bool(std::int64_t position)> is_stop;  // whether a token is a full stop
    std::int64_t layers = 0;
    std::function<std::int64_t(std::int64_t layer)> heads;  // that see all before them; 0: the layer has none
    std::function<MatrixView(std::int64_t layer, std::int64_t head)> attention;  // (tokens, tokens) or more
};

inline constexpr std::int64_t most_measured = 64;  // of a longer text the last tokens that look

// Those that look so at least twice as much as even attention would, and with a tenth of it or more: at most one a
// role, in the order of the roles. Takes layers * heads * tokens * most_measured steps.
std::vector<HeadFound> find_heads(const AttendedText& text);

}  // namespace headcount
