// The devices that ship with the program.
#include "core/files/devices.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "core/analysis/amount_text.hpp"
#include "core/base/find.hpp"
#include "core/base/json_fields.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"
#include "core/files/assets.hpp"

namespace headcount {
namespace {

using namespace json_fields;

constexpr std::int64_t mebibyte = 1024 * 1024;

std::vector<std::string_view> device_keys() {
    std::vector<std::string_view> keys{"id", "name", "alone", "memory_mib", "source"};
    for (const DeviceSpeed& each : device_speeds) keys.push_back(each.key);
    return keys;
}

// A positive number; what is left out is not published.
Wrong read_speed(const Json& json, std::string_view path, std::string_view key, std::optional<double>& speed) {
    const auto found = json.find(key);
    if (found == json.end()) return std::nullopt;
    if (!found->is_number() || !(found->get<double>() > 0))
        return Error{"this is no positive number", under(path, key), "say how much a second, or leave it out"};
    speed = found->get<double>();
    return std::nullopt;
}

Wrong read_device(const Json& json, std::string_view path, Device& device) {
    if (!json.is_object()) return Error{"this is not a device", std::string(path), "put each in { }"};
    if (Wrong wrong = unknown_key(json, path, device_keys())) return wrong;
    for (auto [key, text] : {std::pair("id", &device.id), {"name", &device.name}, {"source", &device.source}})
        if (Wrong wrong = read_text(json, path, key, *text, true)) return wrong;
    const Json& alone = json.value("alone", Json(false));
    if (!alone.is_boolean())
        return Error{"this is neither true nor false", under(path, "alone"), "say true, or leave it out"};
    device.alone = alone.get<bool>();
    if (!json.contains("memory_mib"))
        return Error{"there is no \"memory_mib\"", under(path, "memory_mib"), "give its memory in MiB"};
    std::int64_t mib = 0;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / mebibyte;
    if (Wrong wrong = read_number(json, path, "memory_mib", 1, most, mib)) return wrong;
    device.memory = mib * mebibyte;
    for (const DeviceSpeed& each : device_speeds)
        if (Wrong wrong = read_speed(json, path, each.key, device.*each.speed)) return wrong;
    return std::nullopt;
}

Wrong read_devices(const Json& json, std::vector<Device>& devices) {
    constexpr std::array<std::string_view, 1> keys{"devices"};
    constexpr std::size_t most_devices = 1000;
    if (Wrong wrong = unknown_key(json, "", keys)) return wrong;
    if (Wrong wrong = wrong_list(json, "", "devices", 1, most_devices)) return wrong;
    for (const Json& each : json["devices"]) {
        const std::string path = at("devices", devices.size());
        Device device;
        if (Wrong wrong = read_device(each, path, device)) return wrong;
        const auto same = std::ranges::find(devices, device.id, &Device::id);
        if (same != devices.end())
            return Error{"the id " + quote(device.id) + " is also that of " +
                             at("devices", static_cast<std::size_t>(same - devices.begin())),
                         under(path, "id"), "change one"};
        devices.push_back(std::move(device));
    }
    return std::nullopt;
}

constexpr std::string_view own_name = "devices.json";

// None where there is no such file.
Result<std::vector<Device>> own_devices() {
    const std::filesystem::path file = own_file(own_name);
    std::error_code failure;
    if (file.empty() || !std::filesystem::exists(file, failure)) return std::vector<Device>{};
    return load_devices(file);
}

}  // namespace

Result<std::vector<Device>> load_devices(const std::filesystem::path& file) {
    Result<nlohmann::json> json = read_json(file);
    if (!json) return json.error();
    std::vector<Device> devices;
    if (Wrong wrong = read_devices(*json, devices)) return within(file.string(), *wrong);
    return devices;
}

Result<std::vector<Device>> shipped_devices() {
    Result<std::filesystem::path> assets = assets_directory();
    if (!assets) return assets.error();
    return load_devices(*assets / "hardware.json");
}

namespace {

// Behind those that ship, where all ids differ.
Wrong add_own(std::vector<Device>& devices) {
    Result<std::vector<Device>> own = own_devices();
    if (!own) return own.error();
    for (const Device& device : *own)
        if (contains(devices, device.id, &Device::id))
            return Error{"the id " + quote(device.id) + " is that of a device that ships", own_file(own_name).string(),
                         "change it"};
    devices.insert(devices.end(), std::make_move_iterator(own->begin()), std::make_move_iterator(own->end()));
    return std::nullopt;
}

}  // namespace

Result<KnownDevices> known_devices() {
    Result<std::vector<Device>> shipped = shipped_devices();
    if (!shipped) return shipped.error();
    KnownDevices known{*std::move(shipped), {}};
    known.unread = add_own(known.devices);
    return known;
}

std::string KnownDevices::note() const {
    return unread ? "One's own devices are left out: " + sentence(*unread) + "." : "";
}

Result<std::filesystem::path> keep_device(const Device& device) {
    const std::filesystem::path file = own_file(own_name);
    if (file.empty())
        return Error{"there is no folder for it", std::string(own_name), "set HOME or XDG_DATA_HOME to a folder"};
    Result<std::vector<Device>> own = own_devices();
    if (!own) return own.error();
    std::erase_if(*own, [&](const Device& each) { return each.id == device.id; });
    own->insert(own->begin(), device);
    nlohmann::ordered_json json{{"devices", nlohmann::ordered_json::array()}};
    for (const Device& each : *own) json["devices"].push_back(device_json(each));
    std::error_code failure;
    std::filesystem::create_directories(file.parent_path(), failure);  // where this fails, writing says so
    if (const auto written = write_text(file, json.dump(2) + "\n"); !written) return written.error();
    return file;
}

nlohmann::ordered_json device_json(const Device& device) {
    nlohmann::ordered_json json{{"id", device.id}, {"name", device.name}, {"memory_mib", device.memory / mebibyte}};
    if (device.alone) json["alone"] = true;
    for (const DeviceSpeed& each : device_speeds)
        if (const std::optional<double>& speed = device.*each.speed) json[std::string(each.key)] = *speed;
    json["source"] = device.source;
    return json;
}

Result<Device> find_device(std::span<const Device> devices, std::string_view id) {
    std::vector<std::string_view> ids;
    for (const Device& device : devices) {
        if (device.id == id) return device;
        ids.push_back(device.id);
    }
    const auto bare = [](std::string_view text) {
        std::string letters;
        for (const char c : text)
            if (std::string_view("-_. ").find(c) == std::string_view::npos) letters += lower(c);
        return letters;
    };
    const std::string asked = bare(id);
    for (const Device& device : devices) {
        const std::string known = bare(device.id), name = bare(device.name);
        // "RTX 4090", and with more of the name: "GeForce RTX 4090".
        if (asked == known || (name.find(asked) != std::string::npos && asked.find(known) != std::string::npos))
            return device;
    }
    // "4090", where one alone has that number behind its letters.
    constexpr std::size_t telling = 3;
    constexpr std::string_view digits = "0123456789";
    const auto ends_so = [&](const Device& device) {
        const std::string known = bare(device.id);
        return known.ends_with(asked) && known.find_first_of(digits) == known.size() - asked.size();
    };
    if (std::min(asked.find_first_not_of(digits), asked.size()) >= telling &&
        std::ranges::count_if(devices, ends_so) == 1)
        return *std::ranges::find_if(devices, ends_so);
    return Error{"there is no such device", std::string(id), use_one_of(id, ids)};
}

namespace {

// "mem=80": so few bytes are of no device, and their unit was left out.
std::optional<Error> lacks_unit(std::string_view part, double number, std::string_view such) {
    constexpr double least = 1e6;
    if (number >= least) return std::nullopt;
    return Error{"that is too little for any device", std::string(part),
                 "write its unit, such as " + std::string(such)};
}

}  // namespace

Result<Device> parse_device(std::string_view text) {
    Device device{.id = std::string(made_device), .name = std::string(text), .bandwidth = {}, .source = "made by hand"};
    std::vector<std::string> said;
    for (const auto& [name, given, part] : pairs_of(text)) {
        const std::string key = lower(name), word = key == "bf16" ? "fp16" : key;
        if (std::ranges::count(said, word) > 0)
            return Error{quote(key) + " was said before", std::string(part), "say it once"};
        said.push_back(word);
        std::string value(given);
        if (word == "mem") {
            if (value.ends_with('b'))
                return Error{"a small b is a bit", std::string(part), "write bytes, such as mem=80GB"};
            const Result<std::int64_t> bytes = parse_amount(value, "mem", Unit::bytes);
            if (!bytes) return bytes.error();
            if (std::optional<Error> wrong = lacks_unit(part, static_cast<double>(*bytes), "mem=" + value + "GB"))
                return *wrong;
            device.memory = *bytes;
            continue;
        }
        const auto speed = std::ranges::find(device_speeds, word, &DeviceSpeed::word);
        if (speed == device_speeds.end())
            return Error{"a device has no " + quote(word), std::string(part),
                         "write it as mem=80GB,bw=3.35TB/s,fp16=989T; speeds are fp32, tf32, fp16, fp8, int8, fp4"};
        if (speed->is_bandwidth()) {
            const Result<double> bandwidth = parse_bandwidth(value, part);
            if (!bandwidth) return bandwidth.error();
            device.bandwidth = *bandwidth;
            continue;
        }
        if (value.ends_with("/s")) value.resize(value.size() - 2);
        const Result<double> number = parse_operations(value, word);
        if (!number) return Error{number.error().what, std::string(part), "write it as " + std::string(word) + "=1.5T"};
        if (std::optional<Error> wrong = lacks_unit(part, *number, std::string(word) + "=" + value + "T"))
            return *wrong;
        device.*speed->speed = *number;
    }
    if (device.memory == 0) return Error{"the device has no memory", device.name, "add mem=80GB"};
    return device;
}

Result<Device> named_device(std::span<const Device> devices, std::string_view name) {
    return name.find('=') == std::string_view::npos ? find_device(devices, name) : parse_device(name);
}

Result<Device> named_device(const KnownDevices& known, std::string_view name) {
    Result<Device> device = named_device(known.devices, name);
    const bool made = name.find('=') != std::string_view::npos;
    return device || made || !known.unread ? device : *known.unread;
}

}  // namespace headcount
