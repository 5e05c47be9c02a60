// The shelf: all presets on one chart, with the document among them; a click opens one.
#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "app/charts/scatter.hpp"
#include "app/parts/chart_menu.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/made_for.hpp"
#include "app/ui/table.hpp"
#include "app/views/what_if/panels.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/rates.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/files/documents.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

struct ShelfModel {
    std::string id, name, group;  // of a preset; the document has no id
    ModelKind kind{};
    std::array<std::optional<double>, shelf_axis_keys.size()> values;  // by ShelfAxis
};

// Nothing where it cannot be counted. Cache, operations and speed are of one token, and of one that an encoder reads
// beside it, in this number format, with nothing cached.
std::optional<ShelfModel> shelf_model(const Architecture& arch, std::optional<int> year, const Formats& precision,
                                      const std::optional<Device>& device) {
    const Input input{.tokens = 1, .precision = precision, .source = 1};
    const Result<CountedModel> counted = count_model(arch, input);
    PointWants wants;
    wants.pass.device = device;
    PointMaker maker(input, wants);
    if (!counted || maker.refusal(arch)) return std::nullopt;
    const Result<SweepPoint> point = maker.at(arch);
    if (!point) return std::nullopt;
    ShelfModel model{.id = {}, .name = arch.name, .group = {}, .kind = kind_of(arch), .values = {}};
    const auto set = [&](ShelfAxis axis, double value) { model.values[static_cast<std::size_t>(axis)] = value; };
    if (year) set(ShelfAxis::year, *year);
    const auto total = static_cast<double>(counted->parameters.total);
    set(ShelfAxis::total, total);
    set(ShelfAxis::active, static_cast<double>(counted->parameters.active));
    if (const auto width = field_number(arch, Field::dim)) set(ShelfAxis::width, static_cast<double>(*width));
    if (const auto depth = field_number(arch, Field::layers)) set(ShelfAxis::depth, static_cast<double>(*depth));
    if (total > 0) set(ShelfAxis::attention_share, percent_of(counted->parameters, Component::attention));
    set(ShelfAxis::cache_per_token, static_cast<double>(point->cache_per_token));
    if (const auto flops = value_of(*point, Metric::flops_per_token)) set(ShelfAxis::flops_per_token, *flops);
    if (const auto rate = value_of(*point, Metric::tokens_per_second)) set(ShelfAxis::tokens_per_second, *rate);
    return model;
}

// Of all presets, in their order.
std::vector<ShelfModel> shelf_models(std::span<const Preset> presets, const Formats& precision,
                                     const std::optional<Device>& device) {
    std::vector<ShelfModel> models;
    for (const Preset& preset : presets) {
        std::optional<ShelfModel> model = shelf_model(preset.architecture, preset.year, precision, device);
        if (!model) continue;
        model->id = preset.id;
        model->group = preset.group;
        models.push_back(std::move(*model));
    }
    return models;
}

struct AxisWords {
    std::string_view title;
    AxisUnit unit;
};
constexpr std::array<AxisWords, shelf_axis_keys.size()> axis_words{{
    {"Year", AxisUnit::plain},
    {"Parameters", AxisUnit::count},
    {"Active parameters", AxisUnit::count},
    {"Width", AxisUnit::plain},
    {"Layers", AxisUnit::plain},
    {"Share of attention", AxisUnit::percent},
    {"KV cache per token within windows", AxisUnit::bytes},
    {"FLOPs per token", AxisUnit::flop},
    {"Tokens a second, at most", AxisUnit::plain},
}};

const AxisWords& words_of(ShelfAxis axis) { return axis_words[static_cast<std::size_t>(axis)]; }

// "Tokens a second on NVIDIA H100 SXM, at most"
std::string title_of(ShelfAxis axis, const std::optional<Device>& device) {
    std::string title(words_of(axis).title);
    if (axis == ShelfAxis::tokens_per_second && device) title.insert(title.find(','), " on " + device->name);
    return title;
}

std::optional<double> on(const ShelfModel& model, ShelfAxis axis) {
    return model.values[static_cast<std::size_t>(axis)];
}

// "Year 2023", "13.0 B parameters" as one line.
std::string line_of(const ShelfModel& model, ShelfAxis axis) {
    const AxisWords& words = words_of(axis);
    const std::optional<double> value = on(model, axis);
    const std::string text = value ? axis_label(*value, words.unit) : "not known";
    return std::string(words.title) + " " + text;
}

struct Drawn {
    std::vector<const ShelfModel*> models;
    std::vector<ScatterPoint> points;
    std::vector<ScatterLine> lines;
    std::vector<double> x, y;
};

Drawn drawn_of(const std::vector<ShelfModel>& models, const ShelfModel* own, const std::string& preset,
               const ShelfPlace& place, std::span<const std::string> joined) {
    Drawn drawn;
    std::map<std::string, std::vector<std::array<double, 2>>> series;
    const auto add = [&](const ShelfModel& model, bool selected) {
        const std::optional<double> x = on(model, place.x), y = on(model, place.y);
        if (!x || !y) return;
        // Such as the cache of an encoder, which has none.
        if ((place.log_x && *x <= 0) || (place.log_y && *y <= 0)) return;
        ScatterPoint& point = drawn.points.emplace_back();
        point.x = *x;
        point.y = *y;
        point.label = model.name;
        point.name = model.id.empty() ? "document" : model.id;
        point.selected = selected;
        point.series = selected ? 1 : 0;
        point.note = {model.name,
                      model.group,
                      line_of(model, place.y) + " · " + line_of(model, place.x),
                      selected ? "The model as it is." : "A click opens it.",
                      {std::string(selected ? total_key : std::string_view{})}};
        drawn.models.push_back(&model);
        drawn.x.push_back(*x);
        drawn.y.push_back(*y);
        if (!model.group.empty()) series[model.group].push_back({*x, *y});
    };
    for (const ShelfModel& model : models)
        if (!place.kind || model.kind == *place.kind) add(model, !own && model.id == preset);
    if (own) add(*own, true);
    for (auto& [group, points] : series) {
        if (points.size() < 2 || !contains(joined, group)) continue;
        std::ranges::sort(points);
        ScatterLine& line = drawn.lines.emplace_back();
        line.points = std::move(points);
        line.width = 1;
    }
    return drawn;
}

// The model as it is, then the others in the order of what is across; what is not known comes last.
std::vector<const ShelfModel*> rows_of(const std::vector<ShelfModel>& models, const ShelfModel* own,
                                       const std::string& preset, const ShelfPlace& place) {
    std::vector<const ShelfModel*> rows;
    for (const ShelfModel& model : models)
        if (!place.kind || model.kind == *place.kind) rows.push_back(&model);
    std::ranges::stable_sort(rows, {}, [&](const ShelfModel* model) {
        return on(*model, place.x).value_or(std::numeric_limits<double>::infinity());
    });
    const auto shown = std::ranges::find(rows, preset, &ShelfModel::id);
    if (own)
        rows.insert(rows.begin(), own);
    else if (shown != rows.end())
        std::rotate(rows.begin(), shown, shown + 1);
    return rows;
}

// As people read it: a count to its last digit.
std::string cell_of(const ShelfModel& model, ShelfAxis axis) {
    const std::optional<double> value = on(model, axis);
    if (!value) return "";
    if (words_of(axis).unit == AxisUnit::count) return grouped(static_cast<std::int64_t>(*value));
    return axis_label(*value, words_of(axis).unit);
}

Table table_of(std::span<const ShelfModel* const> rows) {
    Table table{{{"Model"}}, {}};
    for (const AxisWords& words : axis_words) table.columns.push_back(figures(std::string(words.title)));
    for (const ShelfModel* const model : rows) {
        table.rows.push_back({model->name});
        for (std::size_t axis = 0; axis < axis_words.size(); ++axis)
            table.rows.back().emplace_back(cell_of(*model, static_cast<ShelfAxis>(axis)));
    }
    return table;
}

void draw_rows(const Ui& ui, std::span<const ShelfModel* const> rows, bool own_first, Intents& intents) {
    std::vector<TableColumn> columns{{.title = "Model", .width = 240, .minimum = 120, .grows = true}};
    constexpr std::array<std::string_view, axis_words.size()> titles{
        "Year", "Parameters", "Active", "Width", "Layers", "Attention", "KV/token", "FLOPs/token", "Tokens/s"};
    for (std::size_t axis = 0; axis < titles.size(); ++axis) {
        const bool count = axis_words[axis].unit == AxisUnit::count;
        columns.push_back({.title = titles[axis],
                           .width = count ? 160.0F : 96.0F,
                           .minimum = count ? 130.0F : 56.0F,
                           .align = Align::right,
                           .mono = true});
    }
    const TableOptions options{.rows = static_cast<int>(rows.size()), .selected = own_first ? 0 : -1};
    const TableResult result = table(ui, "shelf.table", columns, options, [&](int index, TableRow& row) {
        const ShelfModel& model = *rows[static_cast<std::size_t>(index)];
        row.name = model.id.empty() ? std::string_view("document") : model.id;
        row.selected = own_first && index == 0;
        row.cells[0].text = model.name;
        if (row.selected) row.about = total_key;
        for (std::size_t axis = 0; axis < titles.size(); ++axis)
            row.cells[1 + axis].text = row.keep(cell_of(model, static_cast<ShelfAxis>(axis)));
    });
    if (result.copy) intents.push_back(Copy{csv(table_of(rows), made_for_here(ui)), "the table (CSV)"});
    if (!result.clicked) return;
    const ShelfModel& pressed = *rows[static_cast<std::size_t>(*result.clicked)];
    if (!pressed.id.empty()) intents.push_back(OpenPreset{pressed.id});
}

}  // namespace

std::vector<std::string> shelf_keys(const Document& document, std::span<const Preset> presets) {
    const Preset* const own = find_preset(presets, document.preset);
    std::vector<std::string> keys;
    if (!own) return keys;
    keys.push_back(own->id);
    for (const Preset& preset : presets)
        if (&preset != own && preset.group == own->group) keys.push_back(preset.id);
    return keys;
}

Intents draw_shelf(const Ui& ui, const Shown& model, const ShelfPlace& place, std::span<const Preset> presets,
                   const Show& show, const std::optional<Device>& device) {
    if (place.form == ShelfForm::tree) return draw_family_tree(ui, model, place.kind, presets);
    Intents intents;
    const Formats& precision = model.document.input.precision;
    const std::vector<ShelfModel>& models = made(ui, "what_if.shelf", std::tuple(presets.size(), precision, device),
                                                 [&] { return shelf_models(presets, precision, device); });
    // The document is one of the presets, or a model of its own of the same year.
    const Preset* const preset = find_preset(presets, model.document.preset);
    const bool edited = !preset || model.document.architecture != preset->architecture;
    const Architecture& shown = model.derived.shown.architecture;
    const std::optional<int> year = preset ? preset->year : std::nullopt;
    std::optional<ShelfModel> own;
    if (edited)
        own = made(ui, "what_if.shelf.own", std::tuple(shown, year, precision, device),
                   [&] { return shelf_model(shown, year, precision, device); });
    if (own) own->name = title_of(model.document);
    const auto sorted =
        std::ranges::count_if(models, [&](const ShelfModel& each) { return !place.kind || each.kind == *place.kind; });
    const std::string presets_shown = std::to_string(sorted) + " presets, of one token in " + formats_title(precision);
    if (place.form == ShelfForm::table) {
        section_title(ui, "Models by " + inside_title(title_of(place.x, device)), presets_shown);
        gap(ui, 8);
        const auto rows = rows_of(models, own ? &*own : nullptr, model.document.preset, place);
        const bool first = own || (!rows.empty() && rows.front()->id == model.document.preset);
        draw_rows(ui, rows, first, intents);
        return intents;
    }
    // Lines of all series would be a thicket: of the document's, and of the one that was pointed at last.
    std::string& pointed = kept<std::string>(ui, "what_if.series");
    const std::array<std::string, 2> joined{preset ? preset->group : std::string(), pointed};
    Drawn drawn = drawn_of(models, own ? &*own : nullptr, model.document.preset, place, joined);
    std::string said;
    for (ScatterPoint& point : drawn.points) {
        if (!show.presenting || point.name != show.pointed) continue;
        point.selected = true;
        said = point.note.value + ": " + point.note.derivation;
    }
    const AxisUnit across = words_of(place.x).unit, up = words_of(place.y).unit;
    const std::string title_across = title_of(place.x, device), title_up = title_of(place.y, device);
    const std::vector<ChartSeries> series{{"Presets", ui.theme.text_mid}, {"This model", ui.theme.selection}};
    ScatterChart chart;
    chart.title = title_up + " against " + inside_title(title_across);
    chart.x = axis_over(drawn.x, place.log_x && place.x != ShelfAxis::year, across, title_across);
    chart.y = axis_over(drawn.y, place.log_y && place.y != ShelfAxis::year, up, title_up);
    chart.series = series;
    chart.points = drawn.points;
    chart.lines = drawn.lines;
    section_title(ui, chart.title, presets_shown);
    gap(ui, 8);
    const bool timed = place.x == ShelfAxis::tokens_per_second || place.y == ShelfAxis::tokens_per_second;
    if (timed && drawn.points.empty()) {
        PassOptions pass;
        pass.device = device;
        draw_what_if_problem(ui, model, "shelf.problem",
                             no_figure(Metric::tokens_per_second, pass, {.precision = precision}), intents);
        return intents;
    }
    draw_pointed_out(ui, show, said);
    chart.height = std::max(160.0F, ImGui::GetContentRegionAvail().y / ui.scale);
    const ChartResult result = scatter_chart(ui, "shelf.chart", chart);
    const std::string group =
        result.hovered ? drawn.models[static_cast<std::size_t>(*result.hovered)]->group : std::string();
    if (std::exchange(pointed, group) != group) ui.memory.animating = true;  // it is drawn in the next frame
    if (result.clicked) {
        const ShelfModel& pressed = *drawn.models[static_cast<std::size_t>(*result.clicked)];
        if (!pressed.id.empty()) intents.push_back(OpenPreset{pressed.id});
    }
    add_chart_intents(intents, result);
    return intents;
}

}  // namespace headcount
