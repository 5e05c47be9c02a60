// Draws the row and its menu; see the header.
#include "app/parts/format_row.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/menu.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::array usual{Precision::fp32, Precision::bf16, Precision::fp16, Precision::int8, Precision::int4};

std::string_view group_of(const PrecisionInfo& format) {
    if (format.gguf) return "GGUF's blocks, all tensors alike";
    return format.layout.block > 1 ? "With scales" : "Each number by itself";
}

// "4.5 bits", of a number with its part of what is shared.
std::string bits_text(const PrecisionInfo& format) {
    const Layout& shared = format.layout;
    const auto numbers =
        static_cast<double>(shared.blocks == Blocks::tile ? shared.block * shared.block : shared.block);
    double bits = static_cast<double>(format.bits) + static_cast<double>(shared.block_bits) / numbers;
    if (shared.outer > 0) bits += static_cast<double>(shared.outer_bits) / static_cast<double>(shared.outer);
    return factor_text(bits) + " bits";
}

struct FormatMenu {
    std::vector<Formats> formats;
    std::vector<std::string> details;
    std::vector<MenuEntry> entries;
};

FormatMenu menu_of(bool recipes_too) {
    FormatMenu menu;
    if (recipes_too)
        for (const RecipeInfo& recipe : recipes()) {
            menu.formats.emplace_back(recipe.recipe);
            menu.details.push_back("most in " + std::string(info(recipe.base).key));
            menu.entries.push_back({.name = recipe.key, .group = "llama.cpp's recipes"});
        }
    for (const PrecisionInfo& format : precisions()) {
        menu.formats.emplace_back(format.precision);
        menu.details.push_back(bits_text(format));
        menu.entries.push_back({.name = format.key, .group = group_of(format)});
    }
    for (std::size_t i = 0; i < menu.entries.size(); ++i) menu.entries[i].detail = menu.details[i];
    return menu;
}

}  // namespace

FormatResult format_row(const Ui& ui, std::string_view name, const ChoiceRow& row, const Formats& current,
                        bool recipes) {
    std::vector<Formats> shown(usual.begin(), usual.end());
    if (!contains(shown, current)) shown.push_back(current);
    std::vector<std::string> texts;
    // Several at once have no room in a button; what the row belongs to names them.
    for (const Formats& each : shown)
        texts.push_back(each.own == decltype(each.own){} && each.named.empty() ? formats_text(each) : "mixed");
    std::vector<std::string_view> labels(texts.begin(), texts.end());
    labels.emplace_back("…");
    const auto at = static_cast<int>(std::ranges::find(shown, current) - shown.begin());
    const ChoiceResult result = segmented_row(ui, name, row, labels, at);
    FormatResult found{.chosen = {}, .hovered = result.hovered};
    const bool opens = result.chosen && static_cast<std::size_t>(*result.chosen) == shown.size();
    if (result.chosen && !opens) found.chosen = shown[static_cast<std::size_t>(*result.chosen)];
    if (!opens && !compat::popup_is_or_was_open()) return found;
    const std::string menu_name = std::string(name) + ".menu";
    const FormatMenu menu = menu_of(recipes);
    const auto place = static_cast<int>(std::ranges::find(menu.formats, current) - menu.formats.begin());
    if (opens) open_menu(ui, menu_name, place);
    if (const std::optional<int> chosen = popup_menu(ui, menu_name, {.current = place}, menu.entries))
        found.chosen = menu.formats[static_cast<std::size_t>(*chosen)];
    return found;
}

}  // namespace headcount
