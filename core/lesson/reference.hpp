// Which model a lesson is about, and what an answer is written in: formulas in named dimensions, and words that the
// graph answers ("count of model").
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/counted_model.hpp"
#include "core/files/presets.hpp"

namespace headcount {

// A preset with fields changed, or the architecture that the reader has.
struct ModelChoice {
    bool own = false;
    std::string preset;
    std::vector<std::pair<std::string, std::string>> set;  // fields, in order

    bool operator==(const ModelChoice&) const = default;
};

// A parameter that a count has in it, and how often.
struct CountedTensor {
    TensorIndex tensor;
    Expr times;
};

// What a reference about a second model says there. In a value it is a number alone: symbols stand for others there.
struct Elsewhere {
    CountedModelPtr model;
    Expr formula;
    std::vector<CountedTensor> counted;  // every parameter in it
    std::int64_t value = 0;
};

// An answer, worked out in symbols.
struct Resolved {
    Expr value;                          // of a shape: its rows
    std::optional<Expr> columns;         // of a shape
    std::vector<CountedTensor> counted;  // every parameter in it
    std::vector<std::string> ids;        // the tensors and blocks that it names
    std::vector<Elsewhere> elsewhere;    // what in it is of other models
    bool bytes = false;
};

// Reads an answer:
//   a formula           "T", "h_kv·d_h", "ceil_to(2*4*d/3, 256)"
//   a reference         "shape of layer.attention.head.scores", "count of layer.feed_forward.up.weight"
//   both together       "{count of model} - {count of model in llama-2-7b}"
// References: shape, rows, columns, count (parameters of one copy), all (of every copy), elements (of an activation),
// copies, bytes OF a tensor, a block, a component (embedding, attention, feed_forward, norm, output), model, layers,
// active, cache, biases; behind it WITHOUT NORMS, and IN a preset. Errors name the character, the unknown id or the
// symbol without value.
Result<Resolved> resolve(std::string_view answer, const CountedModel& model, std::span<const Preset> presets);

// How the name of an architecture begins whose numbers are no known model's. Within a sentence its A is small.
inline constexpr std::string_view changed_model = "A model with ";

// The same as far as it can be checked without a model.
std::optional<Error> check_answer(std::string_view answer);

// "LLaMA 7B, 100 tokens" from "{name}, {T} tokens": in braces stands what an answer may be, and name, source, family,
// layers ("32 layers", "12 + 12 layers" of two stacks), and "count by kind of layer.attention", as `count_by_kind`
// says it. Dimensions are printed plainly, counts grouped, "{~count of model}" short (6.74 B).
// `called`: what the model is called, where that is not its name.
Result<std::string> filled_text(std::string_view text, const CountedModel& model, std::span<const Preset> presets,
                                std::string_view called = {});
std::optional<Error> check_text(std::string_view text);

// What the references of a text are about, as they name it: "model", "layer.attention", "d_ff".
std::vector<std::string> subjects_in(std::string_view text);

// How many there are of a block within another around it.
Expr copies_within(const ModelGraph& graph, BlockIndex block, BlockIndex outer);

// How many bytes counted tensors take in the number format at hand, as `headcount memory` counts them.
// `numbers` is their sum. Where groups of numbers share a scale each tensor is rounded up for itself, as the checkpoint
// stores it, so that what is fused is one.
Expr stored_bytes(const CountedModel& model, const Expr& numbers, std::span<const CountedTensor> counted);

// "count of layer.attention without norms in llama-7b", taken apart.
struct Reference {
    std::string_view quantity, subject, preset;
    bool without_norms = false;
};
// How many parameters layers have in the block of that id, or in what stands in its place in layers of another kind:
// "202,383,360 parameters in each layer", "11,507,286,016 parameters in each of 58 mixture layers and 583,483,392 in
// each of 3 dense layers", most layers first. Errors: no such block, or one outside of layers.
Result<std::string> count_by_kind(const Reference& asked, const CountedModel& model);

// As a formula; what it counts and names goes into `into`. Errors name what the model does not have.
Result<Expr> ask_graph(const Reference& asked, const CountedModel& model, Resolved& into);

}  // namespace headcount
