// How panels name what they show: places in the model, numbers that may not fit, small marks. Text and colours, no
// drawing.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/parts/part_colours.hpp"
#include "app/state/intent.hpp"
#include "app/ui/swatch.hpp"

namespace headcount {

TensorIndex index_of(const ModelGraph& graph, const Tensor& tensor);

// Filled for a parameter, paper with a tab for an activation, in the colour of the cache for what is cached.
Swatch swatch_of(const Theme& theme, const Tensor& tensor);

// The checkpoint's tensor that holds this parameter or buffer; null for an activation.
const StoredTensor* stored_with(const ModelGraph& graph, TensorIndex parameter);

// "[11008, 4096]"
std::string stored_shape_text(const Shape& shape, const Bindings& bindings);

// Whether it is repeated with the layers.
// "Linear attention": a block as a title.
std::string block_title(const Block& block);

bool in_layer(const ModelGraph& graph, BlockIndex block);
// Whether it is in a layer that has a state in attention's place.
bool is_recurrent(const ModelGraph& graph, BlockIndex block);

// The layers that the block is of; null outside of layers. The first of them stands for all.
const LayerGroup* group_of(const ModelGraph& graph, BlockIndex block);

// "Layer 0", "Layer 0 · Head 3", "Layer 3 · Expert 5", "Layer 3 · one expert", "Outside the layers".
std::string place_of(const ModelGraph& graph, BlockIndex block, const Copies& copies);

// Which copies a panel is of: those that are selected, else the head that the canvas is at.
Copies copies_shown(const Shown& model);

// "58 mixture layers", "1 layer": all that are like the one that is shown.
std::string layers_text(const LayerGroup& group);

// "dense, 3" where the model has several kinds of layers, else nothing.
std::string kind_text(const ModelGraph& graph, BlockIndex block);

// "12.9 B active": what a token uses of a model with experts; nothing where it uses all.
std::string active_text(const Parameters& parameters);

// A meaning as a sentence: numbers filled in, a capital at the start, a full stop at the end.
std::string as_sentence(std::string_view meaning, const Bindings& bindings);

// The tensor that a subject is, if it is one of this graph.
const Tensor* tensor_of(const ModelGraph& graph, const Subject& subject);

// A formula's value, and how many numbers a shape holds; 0 where there is none, as in no counted architecture.
std::int64_t value_of(const Expr& expr, const Bindings& bindings);
std::int64_t elements_of(const Shape& shape, const Bindings& bindings);

// "6,738,415,616" and "12.6 GiB"; "over 2^63" for what does not fit.
std::string count_text(std::optional<std::int64_t> count);
std::string memory_text(std::optional<std::int64_t> bytes);

// "bf16"
inline std::string precision_name(const Input& input) { return formats_title(input.precision); }

// "bf16", with what was chosen for the cache: "bf16 · cache in int8"
inline std::string formats_said(const Input& input) {
    return precision_name(input) + (input.cache ? " · cache in " + precision_text(*input.cache) : "");
}

// "100 tokens", "4 × 100 tokens"
std::string tokens_text(const Input& input);

// What is wrong, and what to do: "30 heads do not divide 4,096. Use 32." Where it is, is seen.
std::string sentence_of(const Error& error);

// A token on a chip or beside a bar: without the space that begins a word; a space alone as "·".
std::string chip_text(std::string_view piece);

// The same beside others: where another one differs by the space alone, that is a dot.
class ChipTexts {
  public:
    explicit ChipTexts(const std::vector<std::string>& pieces);
    std::string of(std::string_view piece) const;

  private:
    std::set<std::string, std::less<>> told_apart_;
};

}  // namespace headcount
