// What those wait for who send texts to a model: a batch of them, a sequence each, is read at once, and then every step
// writes one token of each. Where devices hold copies of the model, or of all but its experts, each copy has a batch.
#pragma once

#include <cstdint>
#include <optional>

#include "core/analysis/metric.hpp"

namespace headcount {

// At a roof, or as it likely is. What nothing is known of is absent.
struct Served {
    std::int64_t users = 1;             // sequences of the batches of all copies
    std::int64_t copies = 1;            // Sharding::data
    std::optional<double> first_token;  // seconds until each has its first token: the prefill of all of them
    std::optional<double> next_token;   // seconds from one token of each to the next: a decoding step of all

    bool operator==(const Served&) const = default;
};

// One of the metrics for which is_served; nothing of others, and of what is absent.
std::optional<double> value_of(const Served& served, Metric metric);

}  // namespace headcount
