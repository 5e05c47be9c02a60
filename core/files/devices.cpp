// The devices that ship with the program.
#include "core/files/devices.hpp"

#include "core/base/checked.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/files/assets.hpp"

namespace headcount {
namespace {

constexpr std::int64_t mebibyte = 1024 * 1024;

std::optional<std::string> text_of(const nlohmann::json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string() || found->get_ref<const std::string&>().empty()) return std::nullopt;
    return found->get<std::string>();
}

// A positive number, or none where it is left out; false where it is something else.
bool read_speed(const nlohmann::json& json, const char* key, std::optional<double>& speed) {
    const auto found = json.find(key);
    if (found == json.end()) return true;
    if (!found->is_number() || !(found->get<double>() > 0)) return false;
    speed = found->get<double>();
    return true;
}

Result<Device> read_device(const nlohmann::json& json) {
    if (!json.is_object()) return Error{"a device is no object", "", "give each in { }"};
    Device device;
    for (const auto& [key, text] :
         {std::pair<const char*, std::string*>{"id", &device.id}, {"name", &device.name}, {"source", &device.source}}) {
        std::optional<std::string> found = text_of(json, key);
        if (!found) return Error{"there is no text \"" + std::string(key) + "\"", device.id, "give one in quotes"};
        *text = std::move(*found);
    }
    const auto memory = json.find("memory_mib");
    const bool whole = memory != json.end() && memory->is_number_integer();
    const std::optional<std::int64_t> bytes =
        whole && *memory >= 1 ? checked_multiply(memory->get<std::int64_t>(), mebibyte) : std::nullopt;
    if (!bytes) return Error{"\"memory_mib\" is no size", device.id, "give its memory as a whole number of MiB"};
    device.memory = *bytes;
    const bool speeds = read_speed(json, "bandwidth", device.bandwidth) &&
                        read_speed(json, "flops_16", device.flops_16) && read_speed(json, "flops_32", device.flops_32);
    if (!speeds)
        return Error{"a speed is no positive number", device.id,
                     "give \"bandwidth\", \"flops_16\" and \"flops_32\" a second, or leave them out"};
    return device;
}

}  // namespace

Result<std::vector<Device>> load_devices(const std::filesystem::path& file) {
    Result<nlohmann::json> json = read_json(file);
    if (!json) return json.error();
    const auto list = json->find("devices");
    if (list == json->end() || !list->is_array() || list->empty())
        return Error{"there is no list \"devices\"", file.string(), "give at least one device in [ ]"};
    std::vector<Device> devices;
    for (const nlohmann::json& each : *list) {
        Result<Device> device = read_device(each);
        if (!device) return within(file.string(), device.error());
        devices.push_back(std::move(*device));
    }
    return devices;
}

Result<std::vector<Device>> shipped_devices() {
    Result<std::filesystem::path> assets = assets_directory();
    if (!assets) return assets.error();
    return load_devices(*assets / "hardware.json");
}

Result<Device> find_device(std::span<const Device> devices, std::string_view id) {
    std::vector<std::string_view> ids;
    std::string all;
    for (const Device& device : devices) {
        if (device.id == id) return device;
        ids.push_back(device.id);
        all += (all.empty() ? "use one of " : ", ") + device.id;
    }
    const std::string nearest = did_you_mean(nearest_names(id, ids));
    return Error{"there is no such device", std::string(id), nearest.empty() ? all : nearest};
}

}  // namespace headcount
