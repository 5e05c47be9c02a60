// headcount devices: what models can be held on and run by, this machine among it.
#include "core/files/devices.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>
#include <utility>

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

constexpr std::array<std::pair<std::string_view, std::optional<double> Device::*>, 6> peaks{
    {{"fp32", &Device::flops_32},
     {"tf32", &Device::flops_tf32},
     {"fp16", &Device::flops_16},
     {"fp8", &Device::flops_fp8},
     {"int8", &Device::flops_int8},
     {"fp4", &Device::flops_fp4}}};

Table hardware_table(std::span<const Device> devices) {
    Table table{{{"id"}, {"name"}, figures("memory"), figures("a second")}, {}};
    for (const auto& [name, peak] : peaks) table.columns.push_back(figures(std::string(name)));
    for (const Device& device : devices) {
        std::vector<ReportCell> row{device.id, printable(device.name), bytes_text(device.memory),
                                    device.bandwidth ? bandwidth_text(*device.bandwidth) : ""};
        for (const auto& [name, peak] : peaks) row.emplace_back(device.*peak ? flop_text(*(device.*peak)) : "");
        table.rows.push_back(std::move(row));
    }
    return table;
}

// All that is known of each, in plain numbers.
Table hardware_csv(std::span<const Device> devices) {
    Table table{{{"id"}, {"name"}, figures("memory"), figures("bandwidth")}, {}};
    for (const auto& [name, peak] : peaks) table.columns.push_back(figures(std::string(name)));
    table.columns.push_back({"source"});
    for (const Device& device : devices) {
        const auto number = [](const std::optional<double>& speed) {
            return speed ? ReportCell(static_cast<std::int64_t>(*speed)) : ReportCell("");
        };
        std::vector<ReportCell> row{device.id, device.name, device.memory, number(device.bandwidth)};
        for (const auto& [name, peak] : peaks) row.push_back(number(device.*peak));
        row.emplace_back(device.source);
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
    Result<std::vector<Device>> devices = all_devices();
    if (!devices) return devices.error();
    if (arguments.measure) std::erase_if(*devices, [](const Device& each) { return each.id != this_machine; });
    if (arguments.json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const Device& device : *devices) list.push_back(device_json(device));
        output.out << noted_json({{"devices", std::move(list)}}, output.notes);
    } else if (arguments.csv) {
        output.out << csv(hardware_csv(*devices));
    } else {
        write_text(output.out, hardware_table(*devices));
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
