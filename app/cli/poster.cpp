// headcount poster: the family tree of the presets on one sheet to print.
#include "core/poster/poster.hpp"

#include <array>

#include "app/cli/options.hpp"
#include "app/cli/pdf.hpp"
#include "core/base/find.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::array<FileFormat, 2> poster_formats{
    {{"svg", "the family tree on a sheet of A2"}, {"pdf", "the same, to print"}}};
enum class PosterFormat { svg, pdf };

struct PosterArguments {
    std::vector<std::string> named;  // presets; all that have a year where there are none
    OutputArguments output;
};

Result<std::vector<const Preset*>> chosen(const std::vector<std::string>& named, std::span<const Preset> presets) {
    std::vector<const Preset*> all;
    for (const std::string& name : named) {
        const Preset* const preset = preset_called(presets, name);
        if (!preset) return no_one_preset(presets, name, "PRESET");
        if (!preset->year)
            return Error{"of " + quote(preset->id) + " no year is known", "PRESET", "name one that was published"};
        if (!contains(all, preset)) all.push_back(preset);
    }
    if (named.empty())
        for (const Preset& preset : presets) all.push_back(&preset);
    return all;
}

// As large as the sheet, and nothing around it; a little lower, so that rounding makes no second page.
std::string poster_page(std::string_view svg) {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Family tree</title>\n<style>"
           "@page { size: 594mm 420mm; margin: 0 } body { margin: 0 } svg { display: block; width: 594mm; height: "
           "419.9mm }</style></head><body>" +
           std::string(svg.substr(svg.find("<svg"))) + "</body></html>\n";
}

Failure write_poster(const PosterArguments& arguments, Output& output) {
    const Result<std::vector<Preset>> presets = shipped_presets(&output.notes);
    if (!presets) return presets.error();
    const Result<std::vector<const Preset*>> shown = chosen(arguments.named, *presets);
    if (!shown) return shown.error();
    const Result<std::vector<TreeNode>> tree = family_tree(*shown, *presets);
    if (!tree) return tree.error();
    const Result<std::string> svg = poster_svg(*tree);
    if (!svg) return svg.error();
    std::vector<std::filesystem::path> read;
    for (const Preset* preset : *shown) read.push_back(preset->file);
    const bool is_pdf = static_cast<PosterFormat>(arguments.output.format.value_or(0)) == PosterFormat::pdf;
    const Result<std::string> text = is_pdf ? pdf_of(poster_page(*svg), ".svg") : *svg;
    return text ? write_out(*text, arguments.output.file, read, output.out) : text.error();
}

}  // namespace

Command poster_command() {
    const auto describe = [](CLI::App* command, PosterArguments& arguments) {
        command->add_option("PRESET", arguments.named, "presets; all that have a year where none is named")
            ->type_name("TEXT ...");
        add_output(command, arguments.output, poster_formats)->required();
        add_rule(command, [&arguments] { return settle(arguments.output, poster_formats); });
    };
    return make_command("poster", "draw the family tree of the presets on a sheet to print", describe, write_poster);
}

}  // namespace headcount
