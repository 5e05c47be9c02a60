// Reads the commands off CLI11.
#include "app/cli/command_table.hpp"

namespace headcount {
namespace {

OptionRow row_of(const CLI::Option& option) {
    OptionRow row{.names = {},
                  .value = option.get_items_expected_max() == 0 ? "" : option.get_type_name(),
                  .what = option.get_description(),
                  .required = option.get_required(),
                  .repeated = option.get_items_expected_max() > 1};
    if (option.get_positional()) {
        row.names.push_back(option.get_name(true));
        if (row.value == "TEXT") row.value = row.names.front();
    } else {
        for (const std::string& letter : option.get_snames()) row.names.push_back('-' + letter);
        for (const std::string& word : option.get_lnames()) row.names.push_back("--" + word);
    }
    return row;
}

void add_rows(std::vector<CommandRow>& table, const CLI::App& command, const std::string& path) {
    CommandRow row{.path = path,
                   .what = command.get_description(),
                   .footer = command.get_footer(),
                   .help = row_of(*command.get_help_ptr())};
    for (const CLI::Option* option : command.get_options({})) {
        if (option == command.get_help_ptr() || option->get_group().empty()) continue;
        (option->get_positional() ? row.places : row.options).push_back(row_of(*option));
    }
    const std::vector<const CLI::App*> inside = command.get_subcommands(std::function<bool(const CLI::App*)>());
    for (const CLI::App* each : inside) row.commands.push_back({each->get_name(), each->get_description()});
    table.push_back(std::move(row));
    for (const CLI::App* each : inside) add_rows(table, *each, path + ' ' + each->get_name());
}

}  // namespace

std::vector<CommandRow> command_table(const CLI::App& program) {
    std::vector<CommandRow> table;
    add_rows(table, program, program.get_name());
    return table;
}

}  // namespace headcount
