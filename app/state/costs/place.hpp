// What the Costs view remembers: which device, how the model is held there, which pass is looked at. None of it is part
// of the document; the weights' number format and the input are the document's own.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/analysis/memory.hpp"
#include "core/analysis/pass.hpp"

namespace headcount {

struct CostsPlace {
    std::string device = "rtx-4090";  // an id of assets/hardware.json, or one made by hand (parse_device)
    Training how;                     // it is trained, in that phase
    std::optional<Adapters> adapters = {};
    bool scores = false;  // inference keeps whole scores
    Serving serving;
    Sharding sharding;
    Phase phase = Phase::prefill;
    // As typed, and may be empty: of a device's hour, "2.5"; of a whole training, "15T"; that each device sends a
    // second, "450GB/s", as if that took no time where it is.
    std::string price, train_tokens, link;
    bool full = false;  // arithmetic of every query against every key, and not only of what is not masked

    bool operator==(const CostsPlace&) const = default;
};

struct SetCosts {
    CostsPlace place;
};
struct MeasureMachine {};  // this one, as a device, which is chosen then
using CostsIntent = std::variant<SetCosts, MeasureMachine>;

}  // namespace headcount
