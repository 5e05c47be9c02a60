// What the canvas says: names of places, what is under the pointer, the menu of the other button.
#include "app/parts/words.hpp"

#include <algorithm>
#include <cmath>

#include "app/charts/chart.hpp"
#include "app/diagram/view.hpp"
#include "app/parts/hidden.hpp"
#include "app/state/window_options.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/tooltip.hpp"
#include "core/base/scripts.hpp"
#include "core/base/text.hpp"
#include "core/runtime/explain.hpp"

namespace headcount {
namespace {

constexpr double just_apart = 1;  // where a cell says what it is made of, the one beside it says much the same

std::string cell_text(const Cell& cell) { return "row " + grouped(cell.row) + ", column " + grouped(cell.column); }

// What a slab shows of its tensor: all of it, or what belongs to one head.
struct ShownPart {
    std::string owner;  // ", head 3", ", KV head 0"; empty for a whole tensor
    std::string shape;  // "4096 × 128, columns 384 to 511 of 4096 × 4096"
    std::int64_t count = 0;
};

std::string shape_text(std::int64_t rows, std::int64_t columns) {
    return std::to_string(rows) + " × " + std::to_string(columns);
}

ShownPart shown_of(const Counted& shown, const Tensor& tensor, const Hit& hit) {
    const std::string whole = shape_in_numbers(tensor.shape, shown.bindings);
    const Slab* slab = hit.slab;
    if (!slab || (slab->row_step == 0 && slab->column_step == 0))
        return {"", whole, elements_of(tensor.shape, shown.bindings)};
    // Query heads may share a key/value head.
    const std::int64_t heads = std::max<std::int64_t>(1, shown.bindings[Symbol::heads].value_or(1));
    const bool latent = shown.architecture.layer.attention.latent.has_value();
    const std::int64_t kv_heads =
        latent ? heads : std::max<std::int64_t>(1, shown.bindings[Symbol::kv_heads].value_or(1));
    const bool key_or_value = tensor.part == Part::key || tensor.part == Part::value;
    const std::int64_t head = key_or_value ? hit.leaf.copy * kv_heads / heads : hit.leaf.copy;
    const std::int64_t rows = slab->transposed ? slab->columns : slab->rows;
    const std::int64_t columns = slab->transposed ? slab->rows : slab->columns;
    const Cell first = first_cell(*slab, head);
    const bool by_rows = slab->row_step > 0;
    const std::int64_t from = by_rows ? first.row : first.column, size = by_rows ? rows : columns;
    const std::string range = std::to_string(from) + " to " + std::to_string(from + size - 1);
    const bool shared = key_or_value && kv_heads < heads;
    if (tensor.shape.rank() == 1)
        return {(shared ? ", KV head " : ", head ") + std::to_string(head),
                std::to_string(size) + ", " + range + " of " + whole, size};
    return {(shared ? ", KV head " : ", head ") + std::to_string(head),
            shape_text(rows, columns) + (by_rows ? ", rows " : ", columns ") + range + " of " + whole, rows * columns};
}

std::string whole_text(const Counted& shown, const Tensor& tensor) {
    return shape_in_numbers(tensor.shape, shown.bindings);
}

// What the other of two models has there.
std::string beside_text(const Counted& other, const Tensor& tensor, const std::string& own) {
    const Tensor* const there = other.graph.find(tensor.id);
    const std::string& name = other.architecture.name;
    if (!there) return name + " has no such tensor.";
    const std::string shape = whole_text(other, *there);
    return shape == own ? "The same in " + name + "." : name + " has " + shape + ".";
}

// "Layer 0", "Encoder layer 0"; the one whose numbers are shown.
std::string layer_name(const DiagramOf& diagram, const LayerBlock& layer) {
    const ModelGraph& graph = diagram.counted().graph;
    const bool stacked = graph.is(graph.stack_of(layer.block), BlockKind::stack);
    const std::optional<ValuesShown> values = values_of_run(diagram);
    const std::string& block = graph.blocks[layer.block].id;
    const std::int64_t number = values ? values->layer_of(block, layer.group.first) : layer.group.first;
    return capitalized((stacked ? layer.group.label + " " : "") + "layer " + std::to_string(number));
}

}  // namespace

bool tells_cells_apart(const Ui& ui, const CanvasView& canvas, const Hit& hit, double least) {
    if (!hit.cell || !hit.slab || canvas.atlas.pages.size() <= hit.leaf.page) return false;
    const WorldRect rect = placement_of(canvas.atlas, hit.leaf).world(hit.slab->rect);
    const double across = rect.width() / static_cast<double>(hit.slab->columns);
    const double down = rect.height() / static_cast<double>(hit.slab->rows);
    return std::min(across, down) * canvas.camera.zoom >= least * static_cast<double>(ui.scale);
}

std::string name_of(const DiagramOf& diagram, const Stop& stop) {
    const ModelGraph& graph = diagram.counted().graph;
    switch (stop.kind) {
        case Stop::Kind::model: return "Model";
        case Stop::Kind::layer: return layer_name(diagram, layer_shown(graph, stop.id));
        case Stop::Kind::block: {
            const Block* block = graph.find_block(stop.id);
            if (!block) return stop.id;
            const bool alone = block->repeat == Expr(1);
            return block_title(*block) + (alone ? "" : " " + std::to_string(stop.leaf.copy));
        }
        case Stop::Kind::matrix: {
            const Tensor* tensor = graph.find(stop.id);
            return tensor ? std::string(tensor->symbol) : stop.id;
        }
        case Stop::Kind::cells:
            return "[" + std::to_string(stop.cell.row) + ", " + std::to_string(stop.cell.column) + "]";
    }
    return stop.id;
}

namespace {

// A token by what the last run of this model read there, where it came as far; and by its place.
struct NamedToken {
    std::string text;   // "“time”"; empty where no run says it
    std::string place;  // "token 5 of T = 100"

    std::string words() const { return text.empty() ? place : text + ", " + place; }
};
NamedToken token_named(const DiagramOf& diagram, double token) {
    const Counted& shown = diagram.counted();
    const std::int64_t tokens = shown.bindings[Symbol::tokens].value_or(1),
                       cached = shown.bindings[Symbol::cached].value_or(0);
    const std::int64_t position = cached + std::llround(token * static_cast<double>(tokens - 1));
    const std::string all = cached > 0 ? "P + T = " + grouped(cached + tokens) : "T = " + grouped(tokens);
    return {token_of_run(diagram, position), "token " + grouped(position) + " of " + all};
}

// The canvas, but for what is lit with the pointer and the name of what it is on; other words where it has to be.
TooltipRoom room_for_words(const CanvasView& canvas) {
    const ImVec2 min = ImGui::GetWindowPos();
    TooltipRoom room{min, min + ImGui::GetWindowSize()};
    for (const Lit& lit : canvas.drawing.lit) {
        const Rect& rect = lit.rect;
        room.clear.push_back({{std::max(rect.min.x, canvas.area.min.x), std::max(rect.min.y, canvas.area.min.y)},
                              {std::min(rect.max.x, canvas.area.max.x), std::min(rect.max.y, canvas.area.max.y)}});
    }
    for (const PlacedLabel& label : canvas.drawing.labels) {
        const bool own = label.id == canvas.explained->id && label.role == TextRole::name && label.id != "tokens";
        (own ? room.clear : room.words)
            .push_back({{label.at.x, label.at.y}, {label.at.x + label.width, label.at.y + label.height}});
    }
    return room;
}

// What a run has in the cell.
std::optional<float> number_in(const DiagramOf& diagram, const Hit& hit) {
    const NumberSource source = numbers_of_run(diagram);
    const std::optional<CellNumbers> numbers = source ? source(hit.id, hit.leaf.copy) : std::nullopt;
    if (!numbers || !numbers->has(hit.cell->row, hit.cell->column)) return std::nullopt;
    return numbers->at(hit.cell->row, hit.cell->column);
}

// "12 layers: sliding borrowing", of the layers of a block; empty of other ids, and where all layers are alike.
std::string layer_kind_text(const ModelGraph& graph, std::string_view id) {
    for (const LayerLook& look : looks_of(graph))
        for (const std::size_t kind : look.kinds) {
            const LayerBlock& layer = graph.layers[kind];
            if (graph.blocks[layer.block].id != id || layer.group.look.empty()) continue;
            return grouped(look.count) + (look.count == 1 ? " layer: " : " layers: ") + layer.group.look;
        }
    return "";
}

}  // namespace

void explain_hit(const Ui& ui, const DiagramOf& diagram, const CanvasView& canvas) {
    if (!canvas.explained) return;
    const Hit& hit = *canvas.explained;
    if (diagram.explain && tells_cells_apart(ui, canvas, hit, just_apart) && diagram.explain(hit)) return;
    const Counted& shown = diagram.counted();
    const TooltipRoom room = room_for_words(canvas);
    if (hit.behind) {
        const Block* block = shown.graph.find_block(canvas.atlas.pages[hit.behind->page].block);
        const std::string one = capitalized(block ? block->name : "head") + " " + std::to_string(hit.behind->copy);
        show_tooltip(ui, {.title = one, .remark = "Double-click to look inside.", .room = &room});
        return;
    }
    const Tensor* tensor = shown.graph.find(hit.id);
    if (!tensor) {
        const std::string kind = layer_kind_text(shown.graph, hit.id);
        if (!kind.empty()) show_tooltip(ui, {.title = kind, .remark = "Press to look at one of these.", .room = &room});
        return;
    }
    const std::optional<NamedToken> token =
        canvas.token ? std::optional(token_named(diagram, *canvas.token)) : std::nullopt;
    if (token && tensor->role == Role::input) {
        const std::string title = capitalized(token->place), text = without_scripts(token->text);
        show_tooltip(ui,
                     {.title = title, .value = text, .remark = "Its row is lit in every activation.", .room = &room});
        return;
    }
    const ShownPart part = shown_of(shown, *tensor, hit);
    const std::string title = std::string(tensor->label) + part.owner;
    std::string remark = as_sentence(tensor->meaning, shown.bindings);
    if (shown.graph.tied_head && &shown.graph.tensors[*shown.graph.tied_head] == tensor)
        remark += " It is also the output head, and counted once.";
    if (canvas.other) remark = beside_text(*canvas.other, *tensor, whole_text(shown, *tensor)) + " " + remark;
    // One cell is one number: how many there are in all is not its value.
    const bool one = tells_cells_apart(ui, canvas, hit);
    const std::optional<float> number = one ? number_in(diagram, hit) : std::nullopt;
    const std::string value = number ? cell_text(static_cast<double>(*number))
                              : one  ? cell_text(*hit.cell)
                                     : grouped(part.count);
    const std::string derivation = number               ? cell_text(*hit.cell) + ", one number of " + part.shape
                                   : one                ? "one number of " + part.shape
                                   : part.owner.empty() ? shape_in_symbols(tensor->shape) + " = " + part.shape
                                                        : part.shape;
    if (token) remark = "Lit: " + token->words() + ". " + remark;
    const std::string count = number || one ? std::string() : count_key(tensor->id);
    const About about(tensor->id), meant(keys_in({tensor->meaning}));
    show_tooltip(
        ui,
        {.title = title, .value = value, .derivation = derivation, .remark = remark, .room = &room, .about = count});
}

Intents draw_canvas_menu(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas) {
    const Counted& shown = diagram.counted();
    const Look& look = diagram.shown.look;
    const Tensor* tensor = canvas.asked ? shown.graph.find(canvas.asked->id) : nullptr;
    std::vector<MenuEntry> entries;
    std::vector<Intent> intents;
    const auto add = [&](const MenuEntry& entry, Intent intent) {
        entries.push_back(entry);
        intents.push_back(std::move(intent));
    };
    std::string count, shape, copy_count, copy_shape, counted;
    const std::string_view offer = canvas.asked && diagram.offer ? diagram.offer(*canvas.asked) : "";
    if (!offer.empty()) add({.name = offer, .group = tensor ? tensor->label : "Run"}, {});
    if (tensor) {
        count = grouped(elements_of(tensor->shape, shown.bindings));
        shape = shape_in_numbers(tensor->shape, shown.bindings);
        copy_count = "Copy " + count;
        counted = count_key(tensor->id);
        copy_shape = "Copy " + shape;
        const bool parameter = tensor->role == Role::parameter;
        const BottomTab tab = parameter                                        ? BottomTab::tensors
                              : shown.graph.is(tensor->block, BlockKind::head) ? BottomTab::head
                                                                               : BottomTab::activations;
        add({.name = copy_count, .group = tensor->label, .about = counted, .icon = Icon::copy}, Copy{count, count});
        add({.name = copy_shape, .group = tensor->label, .about = tensor->id, .icon = Icon::copy}, Copy{shape, shape});
        add({.name = "Zoom to it", .group = tensor->label, .icon = Icon::search},
            GoTo{{tensor->id, canvas.asked->leaf.copy, {}}});
        add({.name = "Show its row in the table", .group = tensor->label}, ShowTab{tab});
    }
    add({.name = "The whole model", .detail = "F", .group = "View"}, GoTo{});
    add({.name = look.tilted ? "Flat" : "Tilted", .detail = "P", .group = "View"}, Tilt{!look.tilted});
    add({.name = look.log_sides ? "Sides to scale" : "Sides by their logarithm", .detail = "L", .group = "View"},
        DrawLogSides{!look.log_sides});
    const Input& input = diagram.shown.document.input;
    if (const Input other = with_other_step(diagram.shown.document); other != input)
        add({.name = decoding(input) ? "The whole prompt" : "One decoding step", .detail = "D", .group = "View"},
            SetInput{other});
    const std::size_t copied = entries.size();  // made only when it is asked for
    add({.name = "Copy", .group = "The picture as SVG", .icon = Icon::copy}, Copy{});
    if (canvas.is_saved) {
        const auto slide = [](int pixels, bool ground, bool crop) {
            return ChartFile{.slide = {Slide::Of::diagram, 0, pixels, ground, crop}};
        };
        add({.name = "Save...", .group = "The picture as SVG", .beside = true}, AskForFile{FileTask::svg});
        if (!look.tilted)
            add({.name = "Cut to this...", .group = "The picture as SVG", .beside = true},
                AskForFile{FileTask::svg, slide(1, true, true)});
        for (const PngChoice& png : png_choices)
            add(png.entry(), AskForFile{FileTask::diagram_png, slide(png.pixels, png.ground, false)});
        const std::string_view moving = diagram.step                         ? "The tour from here on"
                                        : !look.here.id.empty()              ? "The way to this place"
                                        : diagram.view.workspace == run_view ? "The words of the run"
                                                                             : "";
        if (!moving.empty())
            for (const auto& [task, name] :
                 {std::pair(FileTask::gif, "GIF..."), std::pair(FileTask::frames, "Frames in a folder...")})
                if (task != FileTask::gif || writes_gif())
                    add({.name = name, .group = moving, .beside = task != FileTask::gif && writes_gif()},
                        AskForFile{task, {.slide = {.of = Slide::Of::diagram, .moves = true}}});
    }
    const std::optional<int> chosen = popup_menu(ui, "canvas.menu", {.list_width = 264, .searchable = false}, entries);
    canvas.offered.reset();
    if (!chosen) return {};
    if (!offer.empty() && *chosen == 0) {
        canvas.offered = canvas.asked;
        return {};
    }
    if (static_cast<std::size_t>(*chosen) == copied)
        return {Copy{svg_of(ui, diagram, still_of(ui, diagram, canvas)), "the picture (SVG)"}};
    return {std::move(intents[static_cast<std::size_t>(*chosen)])};
}

}  // namespace headcount
