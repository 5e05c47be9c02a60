// headcount devices: what models can be held on and run by, this machine among it.
#include "core/files/devices.hpp"

#include <nlohmann/json.hpp>
#include <ostream>
#include <span>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "app/cli/run_settings.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/table.hpp"
#include "core/runtime/this_machine.hpp"

namespace headcount {
namespace {

struct DevicesArguments {
    bool measure = false, csv = false, json = false;
    std::optional<std::int64_t> threads;
};

// As people read it; `plain`: in numbers alone, with the sources.
Table hardware_table(std::span<const Device> devices, bool plain) {
    Table table{{{"id"}, {"name"}, figures("memory")}, {}};
    for (const DeviceSpeed& each : device_speeds)
        table.columns.push_back(figures(std::string(each.is_bandwidth() ? each.key : each.word)));
    if (plain) table.columns.push_back({"source"});
    for (const Device& device : devices) {
        std::vector<ReportCell> row{device.id, printable(device.name),
                                    plain ? ReportCell(device.memory) : bytes_text(device.memory)};
        for (const DeviceSpeed& each : device_speeds) {
            const std::optional<double>& speed = device.*each.speed;
            if (!speed)
                row.emplace_back("");
            else if (plain)
                row.emplace_back(static_cast<std::int64_t>(*speed));
            else
                row.emplace_back(each.is_bandwidth() ? bandwidth_text(*speed) : flop_text(*speed));
        }
        if (plain) row.emplace_back(device.source);
        table.rows.push_back(std::move(row));
    }
    return table;
}

Failure print_devices(const DevicesArguments& arguments, Output& output) {
    if (arguments.measure) {
        const Result<Device> machine = measure_machine(threads_of(arguments.threads));
        if (!machine) return machine.error();
        const Result<std::filesystem::path> kept = keep_device(*machine);
        if (!kept) return kept.error();
        output.notes.push_back("kept in " + printable(kept->string()));
    }
    Result<KnownDevices> known = known_devices();
    if (!known) return known.error();
    if (known->unread) return known->unread;
    std::vector<Device>& devices = known->devices;
    if (arguments.measure) std::erase_if(devices, [](const Device& each) { return each.id != this_machine; });
    if (arguments.json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const Device& device : devices) list.push_back(device_json(device));
        output.out << noted_json({{"devices", std::move(list)}}, output.notes);
    } else if (arguments.csv) {
        output.out << csv(hardware_table(devices, true));
    } else {
        write_text(output.out, hardware_table(devices, false));
    }
    return std::nullopt;
}

Failure wrong_words(const DevicesArguments& arguments) {
    if (arguments.threads && !arguments.measure) return Error{"nothing is measured", "--threads", "give --measure too"};
    return wrong_csv_or_json(arguments.csv, arguments.json);
}

}  // namespace

Command devices_command() {
    const auto describe = [](CLI::App* command, DevicesArguments& arguments) {
        command->add_flag("--measure", arguments.measure,
                          "measure this machine, and keep it as " + std::string(this_machine) + " for --device");
        add_whole(command, "--threads", arguments.threads, "N", "of its processor (as many as it has, up to 8)", 1,
                  256);
        add_csv_or_json(command, arguments.csv, arguments.json);
        add_rule(command, [&arguments] { return wrong_words(arguments); });
    };
    return make_command("devices", "the devices that models are held on and run by, with this machine measured",
                        describe, print_devices);
}

}  // namespace headcount
