// The device that an option names, and its roof.
#pragma once

#include <optional>
#include <string>

#include "core/analysis/arithmetic.hpp"
#include "core/arch/device.hpp"
#include "core/base/result.hpp"

namespace headcount {

struct Machine {
    std::optional<Device> device;
    std::optional<Roof> roof;
};

// What --hardware names; errors name the nearest.
Result<Device> read_device(const std::string& id);

// With its roof for numbers of this format; both absent where nothing was named. Fails for a device whose speed is not
// published.
Result<Machine> read_machine(const std::optional<std::string>& id, Precision precision);

}  // namespace headcount
