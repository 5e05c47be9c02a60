// The devices that ship with the program: assets/hardware.json.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/arch/input.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Reads {"devices": [{"id", "name", "memory_mib", "bandwidth", "flops_16", "flops_32", "source"}]}, speeds in bytes and
// operations a second; where they are not published they are left out. In the order of the file.
Result<std::vector<Device>> load_devices(const std::filesystem::path& file);
Result<std::vector<Device>> shipped_devices();

// The device of this id; the error names the nearest, or all.
Result<Device> find_device(std::span<const Device> devices, std::string_view id);

}  // namespace headcount
