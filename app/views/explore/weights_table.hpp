// The Weights tab: how the tensors of the document's file compare with the computed ones.
#pragma once

#include <string>
#include <string_view>

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// The document has weights, so that there is such a tab.
inline bool has_weights(const Session& session) {
    return session.derived.weights.checkpoint != nullptr;
}

// Below the tabs, to the window's end.
Intents draw_weights(const Ui& ui, const Session& session);

// "safetensors, 4 shards, 12.6 GiB, 291 tensors match, 0 do not"
std::string weights_summary(const FileWeights& weights);

// The differences, or the bytes by type where there are none.
std::string weights_as_csv(const FileWeights& weights);

// The computed tensor of a published name, "model.layers.3.mlp.up_proj.weight", and which of its copies; null where
// there is none.
struct NamedTensor {
    const StoredTensor* stored = nullptr;
    Copies copies = {};
};
NamedTensor stored_named(const Counted& counted, std::string_view name);

}  // namespace headcount
