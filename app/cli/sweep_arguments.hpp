// What a sweep is told: its ranges, its columns, and what of that goes together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/held_arguments.hpp"
#include "app/cli/model.hpp"
#include "app/cli/options.hpp"

namespace headcount {

struct SweepArguments {
    ModelArguments model;
    std::vector<std::string> more;  // as ModelArguments::arch
    InputArguments input;
    HeldArguments held;
    std::vector<ValueRange> vary;             // up to three
    std::optional<std::vector<Metric>> show;  // the columns; absent: the usual
    Prices price;
    bool memory = false, csv = false, json = false;
};

void describe_sweep(CLI::App* command, SweepArguments& arguments);

// Whether a figure was chosen as a column; what is varied.
bool shows(const SweepArguments& arguments, Metric metric);
bool varies(const SweepArguments& arguments, Choices::Of what);
bool varies_device(const SweepArguments& arguments);

// The devices that are varied, in place of their names.
Failure find_devices(std::vector<ValueRange>& varied, Notes& said);
// Prices by device go to the devices that are varied, and each of them has one.
Failure set_prices(std::vector<ValueRange>& varied, const Prices& prices);

// A format that is as stored, where nothing says how that is.
Failure not_stored(const SweepArguments& arguments, const OpenedDocument& opened);
// What is asked for that only a device has.
Failure no_device(const SweepArguments& arguments, bool named);

}  // namespace headcount
