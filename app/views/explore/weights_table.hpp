// The Weights tab: how the tensors of the document's file compare with the computed ones.
#pragma once

#include <string>
#include <string_view>

#include "app/state/intent.hpp"
#include "app/state/shown.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// Below the tabs, to the window's end.
Intents draw_weights(const Ui& ui, const Shown& model);

// "safetensors, 4 shards, 12.6 GiB, 291 tensors match, 0 do not"
std::string weights_summary(const FileWeights& weights);

// The differences, or the bytes by type where there are none.
std::string weights_as_csv(const FileWeights& weights, std::string_view made_for);

// The computed tensor of a published name, "model.layers.3.mlp.up_proj.weight", and which of its copies; null where
// there is none.
struct NamedTensor {
    const StoredTensor* stored = nullptr;
    Copies copies = {};
};
NamedTensor stored_named(const Counted& counted, std::string_view name);

}  // namespace headcount
