// Finds the device that an option names.
#include "app/cli/hardware.hpp"

#include "core/files/devices.hpp"

namespace headcount {

Result<Device> read_device(const std::string& id) {
    Result<std::vector<Device>> devices = shipped_devices();
    if (!devices) return devices.error();
    Result<Device> device = find_device(*devices, id);
    if (!device) return within("--hardware", device.error());
    return device;
}

Result<Machine> read_machine(const std::optional<std::string>& id, Precision precision) {
    if (!id) return Machine{};
    Result<Device> device = read_device(*id);
    if (!device) return device.error();
    const std::optional<Roof> roof = roof_of(*device, precision);
    if (!roof) return Error{"how fast it is, is not published", *id, "use another, such as rtx-4090"};
    return Machine{*device, roof};
}

}  // namespace headcount
