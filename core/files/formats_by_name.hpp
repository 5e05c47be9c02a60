// Formats of single tensors, said as kinds of weights and what differs from its kind by name.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/arch/formats.hpp"

namespace headcount {

class FormatsByName {
  public:
    // How a checkpoint's tensor ("model.layers.{i}.mlp.up_proj.weight") is stored in this layer; outside of layers in
    // 0.
    void put(const std::string& tensor, WeightKind kind, std::int64_t layer, const Precision& stored);

    // Each kind in the format that most of its tensors have, `kinds` among equals; the others by name. What is in
    // `kinds.rest` is not said again.
    Formats formats(Formats kinds) const;

  private:
    struct Named {
        WeightKind kind;
        std::map<std::int64_t, Precision> stored;
    };
    std::map<std::string, Named> named_;
};

}  // namespace headcount
