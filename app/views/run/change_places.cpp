// What the places of an experiment are called, what a press makes of them, and the menu of what can be made of one.
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "app/parts/words.hpp"
#include "app/ui/menu.hpp"
#include "app/views/run/cells.hpp"
#include "app/views/run/changes.hpp"
#include "core/base/find.hpp"
#include "core/experiment/weight_changes.hpp"

namespace headcount {
namespace {

// Of a number: itself, the token's row, the column, that as a neuron; and the sub-block that it is in, or its head. Of
// a weight all of its matrix, too.
std::vector<ChangePlace> places_around(const Model& model, const ChangePlace& where) {
    std::vector<ChangePlace> places;
    const auto add = [&](ChangePlace place) {
        if (!contains(places, place)) places.push_back(std::move(place));
    };
    const auto without = [&](bool column, bool token) {
        ChangePlace place = where;
        if (column) place.column.reset();
        if (token) place.token.reset();
        return place;
    };
    add(where);
    add(without(true, false));
    add(without(false, true));
    if (weight_at(model.architecture, model.graph, where)) add(without(true, true));
    if (where.layer == ChangePlace::outside) return places;
    const auto found = [&](const ChangePlace& place) {
        const RunLengths any{1, 1, 1};
        return resolve({.kind = Change::Kind::off, .place = place}, model.architecture, model.graph, any);
    };
    const Result<NodeChange> own = found(without(true, true));
    if (!own) return places;
    const TensorIndex tensor = own->tensor;
    const Result<NodeChange> whole = found({.stack = where.stack, .layer = where.layer, .block = where.block});
    for (const LayerPart& part : parts_of(model.architecture, model.graph, where.stack, where.layer)) {
        const Block& block = model.graph.blocks[part.block];
        if (!model.graph.inside(model.graph.tensors[tensor].block, part.block)) continue;
        ChangePlace place{.stack = where.stack, .layer = where.layer, .block = block.name, .expert = where.expert};
        ChangePlace neuron = place;
        neuron.column = 0;
        const Result<NodeChange> read = found(neuron);
        if (part.heads == 0 && where.column && read && read->tensor == tensor) {
            neuron.column = where.column;
            add(neuron);
        }
        // Keys that several heads share are no head's.
        if (where.head && (!whole || whole->columns == own->columns * part.heads)) {
            ChangePlace head = place;
            head.head = where.head;
            add(head);
        }
        add(place);
    }
    return places;
}

// What the menu of a place is about: itself, what it is in, and what is in it.
std::vector<ChangePlace> places_at(const Model& model, const ChangePlace& where) {
    if (where.is_activation()) return places_around(model, where);
    std::vector<ChangePlace> places{where};
    if (where.token) return places;
    if (where.head || where.expert) {
        places.push_back(where);
        places.back().head = places.back().expert = std::nullopt;
        return places;
    }
    for (const LayerPart& part : parts_of(model.architecture, model.graph, where.stack, where.layer)) {
        if (model.graph.blocks[part.block].name != where.block) continue;
        for (std::int64_t i = 0; i < part.heads; ++i) places.emplace_back(where).head = i;
        for (std::int64_t i = 0; i < part.experts; ++i) places.emplace_back(where).expert = i;
    }
    return places;
}

// "keys" of attention's, "scores" of a head's, "cross attention keys".
std::string activation_words(std::string_view block) {
    for (const Component each : {Component::attention, Component::feed_forward}) {
        const std::string_view key = component_key(each);
        if (block.starts_with(key) && block.substr(key.size()).starts_with('.')) block.remove_prefix(key.size() + 1);
    }
    for (const std::string_view inside : {"head.", "expert."})
        if (block.starts_with(inside)) block.remove_prefix(inside.size());
    return part_words(block);
}

}  // namespace

std::string part_words(std::string_view block) {
    const std::string_view feed_forward = component_key(Component::feed_forward);
    std::string words(block);
    if (block.starts_with(feed_forward)) words.replace(0, feed_forward.size(), "feed-forward");
    std::ranges::replace_if(
        words, [](char c) { return c == '_' || c == '.'; }, ' ');
    return words;
}

bool is_of_weight(const RunSnapshot& run, const ChangePlace& place) {
    const Model& model = run.values->model();
    return weight_at(model.architecture, model.graph, place).has_value();
}

std::string place_title(const RunSnapshot& run, const ChangePlace& place, bool brief) {
    const bool weight = is_of_weight(run, place);
    const bool encoder = place.stack == ChangePlace::Stack::encoder, stream = place.block.empty();
    const bool neuron = place.column && !stream && !place.is_activation();
    // Whose else would a head or a neuron be.
    const bool plain = (place.head && place.block == component_key(Component::attention)) ||
                       (neuron && place.block == component_key(Component::feed_forward));
    std::string words = plain ? "" : stream ? "stream" : activation_words(place.block);
    const auto add = [&](const char* name, const std::optional<std::int64_t>& index) {
        if (index) words += (words.empty() ? "" : " ") + std::string(name) + " " + std::to_string(*index);
    };
    add("head", place.head);
    add("expert", place.expert);
    if (weight) add("row", place.token);
    add(neuron ? "neuron" : "column", place.column);
    const std::string around = place.layer == ChangePlace::outside ? (encoder ? "Encoder" : "Model")
                                                                   : (brief     ? encoder ? "Enc L" : "L"
                                                                      : encoder ? "Encoder layer "
                                                                                : "Layer ") +
                                                                         std::to_string(place.layer);
    const std::string title = around + " · " + words;
    if (!place.token || weight) return title;
    const std::vector<RunToken>& all = encoder ? run.source : run.tokens;
    const auto at = static_cast<std::size_t>(*place.token);
    return title + " at " + (at < all.size() ? in_quotes(chip_text(all[at].text)) : std::to_string(at));
}

std::int64_t copies_of(const Model& model, BlockIndex block) {
    const Result<std::int64_t> copies =
        evaluate(model.graph.blocks[block].repeat, bindings(model.architecture, Input{.tokens = 1}));
    return copies ? *copies : 0;
}

std::optional<ChangePlace> change_place_of(const RunValues& values, const CellAt& cell) {
    const ModelGraph& graph = values.model().graph;
    if (std::optional<ChangePlace> weight = place_of_weight(graph, cell)) return weight;
    const BlockIndex block = graph.tensors[cell.tensor].block;
    std::optional<ChangePlace> place = place_of(graph, cell.tensor, cell.layer);
    if (place && graph.is(block, BlockKind::head)) place->head = cell.copy;
    if (place && graph.is(block, BlockKind::expert)) {
        const std::optional<std::int32_t> expert = values.expert(cell);
        if (!expert) return std::nullopt;
        place->expert = *expert;
    }
    // What a head takes is changed where all of them stand, as late as that can be.
    for (auto i = static_cast<TensorIndex>(graph.tensors.size()); !place && i-- > 0;) {
        if (graph.one_head_of(i) != cell.tensor) continue;
        place = place_of(graph, i, cell.layer);
        const MatrixView each = values.activation(cell.tensor, cell.layer, 0), all = values.activation(i, cell.layer);
        const std::int64_t heads = copies_of(values.model(), block);
        if (!each || !all || each.columns == 0 || heads == 0) return std::nullopt;
        if (place) place->head = cell.copy * (all.columns / each.columns) / heads;
    }
    if (!place) return std::nullopt;
    place->column = cell.column;
    place->token = cell.row;
    if (const std::optional<std::int64_t> token = token_of(values, cell)) place->token = *token;
    return place;
}

std::optional<ChangePlace> change_place_of(const ModelGraph& graph, BlockIndex block, std::int64_t layer,
                                           std::int64_t copy) {
    const LayerBlock& around = graph.layers[*graph.layer_of(block)];
    std::optional<BlockIndex> part = block;
    while (part && !graph.is_part(*part, around.block)) part = graph.blocks[*part].parent;
    if (!part) return std::nullopt;
    ChangePlace place{.stack = around.group.kind.encoder ? ChangePlace::Stack::encoder : ChangePlace::Stack::main,
                      .layer = layer,
                      .block = graph.blocks[*part].name};
    if (graph.is(block, BlockKind::head)) place.head = copy;
    if (graph.is(block, BlockKind::expert)) place.expert = copy;
    return place;
}

void take_from_other(const RunPanel& panel, RunPlace& place, Change::Kind kind) {
    if (kind == Change::Kind::patch && place.experiments.other.empty())
        place.experiments.other = panel.run() && panel.run()->tokenizer ? place.prompt : place.ids;
}

std::optional<std::size_t> change_at(const RunPlace& run, const ChangePlace& place) {
    for (std::size_t i = 0; i < run.experiments.changes.size(); ++i)
        if (run.experiments.changes[i].change.place == place) return i + 1;
    return std::nullopt;
}

void add_change(RunPanel& panel, Change change) {
    if (panel.place.experiments.changes.size() >= most_changes) return;
    panel.set([&](RunPlace& place) {
        take_from_other(panel, place, change.kind);
        place.experiments.changes.push_back({std::move(change)});
        place.beside = true;
    });
}

void press_place(RunPanel& panel, const ChangePlace& place) {
    const std::optional<std::size_t> number = change_at(panel.place, place);
    panel.set([&](RunPlace& run) {
        std::vector<RunChange>& changes = run.experiments.changes;
        if (number)
            changes[*number - 1].on = !changes[*number - 1].on;
        else if (changes.size() < most_changes)
            changes.push_back({.change = {.place = place}});
        run.beside = true;
        if (place.stack == ChangePlace::Stack::encoder || !place.head) return;
        run.layer = place.layer;
        run.head = *place.head;
    });
}

void press_layer(RunPanel& panel, const std::vector<ChangePlace>& parts) {
    const auto is_off = [&](const ChangePlace& part) {
        const std::optional<std::size_t> number = change_at(panel.place, part);
        return number && panel.place.experiments.changes[*number - 1].on;
    };
    const bool on = !std::ranges::all_of(parts, is_off);
    panel.set([&](RunPlace& run) {
        std::vector<RunChange>& changes = run.experiments.changes;
        for (const ChangePlace& part : parts) {
            if (const std::optional<std::size_t> number = change_at(run, part))
                changes[*number - 1].on = on;
            else if (changes.size() < most_changes)
                changes.push_back({.change = {.place = part}});
        }
    });
}

void change_menu(RunPanel& panel, std::string_view name, const std::optional<ChangePlace>& opened) {
    const Ui& ui = panel.ui;
    auto& [where, of] = kept<std::pair<ChangePlace, std::weak_ptr<const Model>>>(ui, name);
    if (!panel.run()) return;
    const std::shared_ptr<const Model>& model = panel.run()->values->shared_model();
    if (opened) {
        where = *opened;
        of = model;
        open_menu(ui, name);
    }
    if (of.lock() != model) return;  // the places are another model's
    const std::vector<ChangePlace> places = places_at(panel.run()->values->model(), where);
    std::vector<std::string> titles;
    for (const ChangePlace& each : places) titles.push_back(place_title(*panel.run(), each));
    using enum Change::Kind;
    constexpr std::array<std::pair<std::string_view, Change::Kind>, 5> all_offers{
        {{"Off", off},
         {"Scaled, by half", scale},
         {"As on average over the prompt", mean},
         {"Set to a number", put},
         {"Replaced, from another prompt", patch}}};
    // Of a number the place alone: what becomes of it is chosen where it then stands.
    const std::span offers = std::span(all_offers).first(where.is_activation() ? 1 : all_offers.size());
    std::vector<MenuEntry> entries;
    for (const std::string& title : titles)
        for (const auto& [words, kind] : offers)
            entries.push_back(where.is_activation() ? MenuEntry{.name = title, .group = "Switch off, or change"}
                                                    : MenuEntry{.name = words, .group = title});
    const std::optional<int> chosen =
        popup_menu(ui, name, {.list_width = 300, .searchable = places.size() > 2 && !where.is_activation()}, entries);
    if (!chosen) return;
    const auto at = static_cast<std::size_t>(*chosen);
    const Change::Kind kind = offers[at % offers.size()].second;
    if (kind != off || where.is_activation()) unfold_change(ui, panel.place.experiments.changes.size());
    add_change(panel, {.kind = kind, .place = places[at / offers.size()], .number = first_number(kind)});
}

}  // namespace headcount
