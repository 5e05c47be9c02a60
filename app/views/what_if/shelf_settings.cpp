// The left panel of the shelf: which models stand beside each other, and by what.
#include "app/parts/words.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/what_if/settings.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, shelf_axis_keys.size()> shelf_axis_words{
    "Year",           "Parameters",         "Active parameters",  "Width",
    "Depth",          "Share of attention", "KV cache per token", "FLOPs per token",
    "Tokens a second"};

struct Ready {
    std::string_view key, words;
    ShelfPlace place;
};
constexpr std::array<Ready, 4> ready{{
    {"growth", "Parameters by year", {ShelfAxis::year, ShelfAxis::total, false, true}},
    {"shape", "Width by depth", {ShelfAxis::depth, ShelfAxis::width, true, true}},
    {"attention", "Share of attention by size", {ShelfAxis::total, ShelfAxis::attention_share, true, false}},
    {"cache", "KV cache by size", {ShelfAxis::total, ShelfAxis::cache_per_token, true, true}},
}};

void log_row(Settings& settings, std::string_view name, std::string_view label, ShelfAxis axis, bool on,
             bool ShelfPlace::*which) {
    if (axis == ShelfAxis::year) return;
    const ToggleResult result = toggle_row(settings.ui, name, {.label = label}, on);
    if (!result.value) return;
    ShelfPlace changed = settings.place().shelf;
    changed.*which = *result.value;
    settings.set(SetShelf{changed});
}

// All, and each kind.
constexpr std::array<std::string_view, 1 + model_kind_keys.size()> shelf_kind_words{
    "All models", "Decoders", "Encoders", "Encoder and decoder", "With a state", "Of images", "Of sound"};

void shelf_kind(Settings& settings) {
    ShelfPlace changed = settings.place().shelf;
    const std::size_t now = changed.kind ? 1 + static_cast<std::size_t>(*changed.kind) : 0;
    const auto kind = choose(settings, "shelf.kind", "Which models", shelf_kind_words, now);
    if (!kind) return;
    changed.kind.reset();
    if (*kind > 0) changed.kind = static_cast<ModelKind>(*kind - 1);
    settings.set(SetShelf{changed});
}

}  // namespace

void shelf_settings(Settings& settings) {
    const ShelfPlace& place = settings.place().shelf;
    section_title(settings.ui, "All presets beside each other");
    gap(settings.ui, 4);
    const auto chip = [&](std::string_view key, std::string_view words, ShelfPlace form) {
        form.kind = place.kind;
        if (chip_button(settings.ui, "shelf." + std::string(key), words, place == form)) settings.set(SetShelf{form});
        gap(settings.ui, 6);
    };
    for (const Ready& each : ready) chip(each.key, each.words, each.place);
    for (const auto& [form, words] :
         {std::pair{ShelfForm::table, "As rows of a table"}, std::pair{ShelfForm::tree, "Family tree"}}) {
        ShelfPlace other = place;
        other.form = form;
        chip(word_of(shelf_form_keys, form), words, other);
    }
    gap(settings.ui, 8);
    shelf_kind(settings);
    if (place.form == ShelfForm::tree)
        return paragraph(settings.ui, settings.ui.fonts.table, settings.ui.theme.text_low,
                         "The area of a square is its parameters, at one scale for all; a line leads to it from what "
                         "it was made from, or in the image of. The wheel zooms, a drag moves. A click opens a model.");
    const bool rows = place.form == ShelfForm::table;
    const std::optional<std::size_t> y =
        rows ? std::nullopt
             : choose(settings, "shelf.y", "Upwards", shelf_axis_words, static_cast<std::size_t>(place.y));
    const auto x = choose(settings, "shelf.x", rows ? "In the order of" : "Across", shelf_axis_words,
                          static_cast<std::size_t>(place.x));
    ShelfPlace changed = place;
    if (x) changed.x = static_cast<ShelfAxis>(*x);
    if (y) changed.y = static_cast<ShelfAxis>(*y);
    if (x || y) settings.set(SetShelf{changed});
    if (rows)
        return paragraph(settings.ui, settings.ui.fonts.table, settings.ui.theme.text_low,
                         "The model as it is stands first. A click opens a model; Ctrl+C copies the table.");
    log_row(settings, "shelf.log_y", "Logarithmic scale upwards", place.y, place.log_y, &ShelfPlace::log_y);
    log_row(settings, "shelf.log_x", "Logarithmic scale across", place.x, place.log_x, &ShelfPlace::log_x);
    gap(settings.ui, 8);
    paragraph(settings.ui, settings.ui.fonts.table, settings.ui.theme.text_low,
              "A line joins the models of the series that is pointed at. A click opens a model.");
}

}  // namespace headcount
