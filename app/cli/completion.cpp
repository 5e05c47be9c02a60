// headcount completion: a script that makes a shell complete the commands, their options and what stands behind them.
#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>

#include "app/cli/completion_scripts.hpp"
#include "app/cli/options.hpp"
#include "core/arch/fields.hpp"
#include "core/claims/claims.hpp"
#include "core/files/assets.hpp"
#include "core/files/devices.hpp"
#include "core/files/presets.hpp"
#include "core/tours/tour.hpp"
#include "core/worksheet/worksheet.hpp"

namespace headcount {
namespace {

enum class Shell { bash, zsh, fish };
constexpr std::array<std::string_view, 3> shells{"bash", "zsh", "fish"};

struct CompletionArguments {
    const CLI::App* program = nullptr;
    std::optional<Shell> shell;  // always there once it is read
};

template <class Things>
std::vector<std::string> ids_of(const Things& things) {
    std::vector<std::string> ids;
    for (const auto& thing : things) ids.push_back(thing.id);
    return ids;
}

// Folders with weights that ship are named as presets are.
void add_shipped_models(std::vector<std::string>& words, const std::filesystem::path& assets) {
    std::error_code ignored;
    const std::size_t first = words.size();
    for (const auto& entry : std::filesystem::directory_iterator(assets / "models", ignored))
        if (entry.is_directory(ignored)) words.push_back(entry.path().filename().string());
    std::sort(words.begin() + static_cast<std::ptrdiff_t>(first), words.end());
}

// "KEY", and "KEY=VALUE" with what stands between the two.
Completion fields_as(const std::string& value) {
    Completion keys{.words = {}, .goes_on = value.find('=') != std::string::npos};
    for (const FieldInfo& field : fields()) keys.words.push_back(std::string(field.key) + (keys.goes_on ? "=" : ""));
    return keys;
}

// Of every value in the table, from what ships with the program.
Result<Completions> completions_of(std::span<const CommandRow> table) {
    const Result<std::filesystem::path> assets = assets_directory();
    if (!assets) return assets.error();
    const Result<std::vector<Preset>> presets = shipped_presets();
    if (!presets) return presets.error();
    const Result<KnownDevices> devices = known_devices();
    if (!devices) return devices.error();
    const Result<std::vector<Tour>> tours = shipped_tours();
    if (!tours) return tours.error();
    const Result<std::vector<Worksheet>> sheets = shipped_worksheets();
    if (!sheets) return sheets.error();
    const Result<std::vector<ClaimsFile>> claims = shipped_claims();
    if (!claims) return claims.error();

    Completions named{{"FILE", {.files = true}},
                      {"ARCH", {.words = ids_of(*presets), .files = true}},
                      {"DEVICE", {.words = ids_of(devices->devices)}},
                      {"TOUR", {.words = ids_of(*tours), .files = true}},
                      {"SHEET", {.words = ids_of(*sheets), .files = true}},
                      {"CLAIM", {.words = ids_of(*claims), .files = true}}};
    add_shipped_models(named["ARCH"].words, *assets);
    for (const ClaimsFile& file : *claims)
        for (const Claim& claim : file.claims) named["CLAIM"].words.push_back(claim.id);

    Completions found;
    for (const CommandRow& command : table)
        for (const auto* rows : {&command.options, &command.places})
            for (const OptionRow& row : *rows) {
                if (const auto known = named.find(row.value); known != named.end())
                    found.insert(*known);
                else if (row.value.starts_with("KEY"))
                    found.emplace(row.value, fields_as(row.value));
                else if (row.value.find('|') != std::string::npos)  // "dark|light"
                    found.emplace(row.value, Completion{.words = split(row.value, '|')});
            }
    return found;
}

Failure print_completion(const CompletionArguments& arguments, Output& output) {
    const std::vector<CommandRow> table = command_table(*arguments.program);
    const Result<Completions> completions = completions_of(table);
    if (!completions) return completions.error();
    switch (*arguments.shell) {
        case Shell::bash: write_bash(output.out, table, *completions); break;
        case Shell::zsh: write_zsh(output.out, table, *completions); break;
        case Shell::fish: write_fish(output.out, table, *completions); break;
    }
    return std::nullopt;
}

}  // namespace

Command completion_command() {
    const auto describe = [](CLI::App* command, CompletionArguments& arguments) {
        arguments.program = command->get_parent();
        add_choice(command, "SHELL", arguments.shell, "which shell reads it", shells)->required();
    };
    return make_command("completion", "a script that makes a shell complete what is typed", describe, print_completion);
}

}  // namespace headcount
