// How few devices hold a model.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/memory.hpp"

namespace headcount {

// By the rule of `memory`, over all groups that divide the heads evenly and all numbers of stages. The model must
// outlive it.
class LeastDevices {
  public:
    // The options must be possible for the model, but for how they divide it.
    LeastDevices(const MemoryOptions& options, const CountedModel& model) : model_(model), options_(options) {}

    // Nothing where even the most stages do not hold it.
    std::optional<Sharding> with(const Device& device);

    // Bytes; nothing where they do not fit in 64 bits.
    std::optional<std::int64_t> on_device(const Sharding& sharding);

  private:
    std::int64_t most_stages() const;

    const CountedModel& model_;
    MemoryOptions options_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::optional<std::int64_t>> held_;  // by group and stages
};

}  // namespace headcount
