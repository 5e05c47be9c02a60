// Finds the device that an option names.
#include "app/cli/hardware.hpp"

#include "core/analysis/arithmetic.hpp"
#include "core/files/devices.hpp"

namespace headcount {

Result<Device> read_device(const std::string& id) {
    Result<std::vector<Device>> devices = shipped_devices();
    if (!devices) return devices.error();
    Result<Device> device = find_device(*devices, id);
    if (!device) return within("--hardware", device.error());
    return device;
}

Result<std::optional<Device>> read_fast_device(const std::optional<std::string>& id, Precision precision) {
    if (!id) return std::optional<Device>();
    Result<Device> device = read_device(*id);
    if (!device) return device.error();
    if (!roof_of(*device, precision))
        return Error{"how fast it is, is not published", *id, "use another, such as rtx-4090"};
    return std::optional(std::move(*device));
}

}  // namespace headcount
