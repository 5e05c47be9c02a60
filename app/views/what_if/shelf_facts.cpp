// Counts the presets for the shelf.
#include "app/views/what_if/shelf_facts.hpp"

#include "app/state/derived.hpp"
#include "core/analysis/rates.hpp"
#include "core/analysis/sweep.hpp"

namespace headcount {
namespace {

struct Shelf {
    std::size_t presets = 0;
    std::optional<Precision> precision;
    std::vector<ShelfModel> models;
};

struct Own {
    Architecture arch;
    std::optional<int> year;
    std::optional<Precision> precision;
    std::optional<ShelfModel> model;
};

}  // namespace

const std::optional<ShelfModel>& own_shelf_model(const Ui& ui, const Architecture& arch, std::optional<int> year,
                                                 Precision precision) {
    Own& own = kept<Own>(ui, "what_if.shelf.own");
    if (own.arch != arch || own.year != year || own.precision != precision)
        own = {arch, year, precision, shelf_model(arch, year, precision)};
    return own.model;
}

std::optional<ShelfModel> shelf_model(const Architecture& arch, std::optional<int> year, Precision precision) {
    Input input;
    input.tokens = 1;
    input.precision = precision;
    const Result<Counted> counted = count(arch, input);
    PointMaker maker(input);
    if (!counted || maker.refusal(arch)) return std::nullopt;
    const Result<SweepPoint> point = maker.at(arch);
    if (!point) return std::nullopt;
    ShelfModel model{{}, arch.name, {}, {}};
    const auto set = [&](ShelfAxis axis, double value) { model.values[static_cast<std::size_t>(axis)] = value; };
    if (year) set(ShelfAxis::year, *year);
    const auto total = static_cast<double>(counted->parameters.total);
    set(ShelfAxis::total, total);
    set(ShelfAxis::active, static_cast<double>(counted->parameters.active));
    if (const auto width = field_number(arch, Field::dim)) set(ShelfAxis::width, static_cast<double>(*width));
    if (const auto depth = field_number(arch, Field::layers)) set(ShelfAxis::depth, static_cast<double>(*depth));
    if (total > 0) set(ShelfAxis::attention_share, percent_of(counted->parameters, Component::attention));
    set(ShelfAxis::cache_per_token, static_cast<double>(point->cache_per_token));
    return model;
}

const std::vector<ShelfModel>& shelf_models(const Ui& ui, std::span<const Preset> presets, Precision precision) {
    Shelf& shelf = kept<Shelf>(ui, "what_if.shelf");
    if (shelf.precision == precision && shelf.presets == presets.size()) return shelf.models;
    shelf = {presets.size(), precision, {}};
    for (const Preset& preset : presets) {
        std::optional<ShelfModel> model = shelf_model(preset.architecture, preset.year, precision);
        if (!model) continue;
        model->id = preset.id;
        model->group = preset.group;
        shelf.models.push_back(std::move(*model));
    }
    return shelf.models;
}

}  // namespace headcount
