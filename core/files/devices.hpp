// The devices that ship with the program, assets/hardware.json, and one's own.
#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/arch/input.hpp"
#include "core/base/result.hpp"

namespace headcount {

// What a device's speeds are called in the file and by hand.
struct DeviceSpeed {
    std::string_view key, word;
    std::optional<double> Device::*speed;

    constexpr bool is_bandwidth() const { return speed == &Device::bandwidth; }
};
inline constexpr std::array<DeviceSpeed, 7> device_speeds{{{"bandwidth", "bw", &Device::bandwidth},
                                                           {"flops_16", "fp16", &Device::flops_16},
                                                           {"flops_32", "fp32", &Device::flops_32},
                                                           {"flops_tf32", "tf32", &Device::flops_tf32},
                                                           {"flops_fp8", "fp8", &Device::flops_fp8},
                                                           {"flops_int8", "int8", &Device::flops_int8},
                                                           {"flops_fp4", "fp4", &Device::flops_fp4}}};

// Reads {"devices": [{...}]}, in the order of the file; docs/formats.md says what each has.
Result<std::vector<Device>> load_devices(const std::filesystem::path& file);
Result<std::vector<Device>> shipped_devices();
// And behind them one's own, of a file of the same form (own_file: "devices.json"), where there is one.
struct KnownDevices {
    std::vector<Device> devices;
    std::optional<Error> unread;  // one's own are left out: their file is damaged, or has an id of one that ships

    std::string note() const;  // says so, a sentence; empty where all were read
};
Result<KnownDevices> known_devices();
// Puts it among one's own, in place of the one with its id, and says where that is. Errors: what is there is damaged,
// or cannot be written.
Result<std::filesystem::path> keep_device(const Device& device);

// As such a file has it.
nlohmann::ordered_json device_json(const Device& device);

// The device of this id, of as much of its name as has the id, or of its number where no other has that ("4090"),
// whatever the capitals and separators; the error names the nearest, or all.
Result<Device> find_device(std::span<const Device> devices, std::string_view id);

inline constexpr std::string_view made_device = "custom";  // the id of all that are made by hand
// A device made by hand: "mem=80GB,bw=3.35TB/s,fp16=989T", where `mem` must be and speeds may be left out. They are
// called fp32, tf32, fp16 (or bf16), fp8, int8, fp4, each said once, whatever the capitals.
Result<Device> parse_device(std::string_view text);

// One of these, or one made by hand. Of all that are known one's own may be meant, where these were not read.
Result<Device> named_device(std::span<const Device> devices, std::string_view name);
Result<Device> named_device(const KnownDevices& known, std::string_view name);

}  // namespace headcount
