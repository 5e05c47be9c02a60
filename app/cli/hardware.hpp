// The device that an option names.
#pragma once

#include <optional>
#include <string>

#include "core/arch/device.hpp"
#include "core/base/result.hpp"

namespace headcount {

// What --hardware names; errors name the nearest.
Result<Device> read_device(const std::string& id);

// The same for a time; absent where nothing was named. Fails for a device whose speed with numbers of this format is
// not published.
Result<std::optional<Device>> read_fast_device(const std::optional<std::string>& id, Precision precision);

}  // namespace headcount
