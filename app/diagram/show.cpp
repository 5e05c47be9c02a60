// Lays the canvas out, composes what is seen of it, and shows it: boxes and lines by the painter, words by ImGui.
#include <algorithm>
#include <cmath>

#include "app/diagram/light.hpp"
#include "app/diagram/view.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {
namespace {

float width_of(const Fonts& fonts, std::string_view text, TextRole role) {
    const Font& font = font_of(fonts, role);
    return role == TextRole::name ? symbol_width(font, text) : text_width(font, text);
}

double bytes_of(Precision precision) { return static_cast<double>(info(precision).bits) / 8; }

std::int64_t heads_of(const DiagramOf& diagram) {
    return std::max<std::int64_t>(1, diagram.counted().bindings[Symbol::heads].value_or(1));
}

// The place that the camera was sent to and has not been moved from: in a window of another size it fills that.
std::optional<Stop> filling(const CanvasView& canvas) {
    if (canvas.way.size() < 2 || canvas.motion || canvas.way.back().kind == Stop::Kind::cells) return std::nullopt;
    const Lens lens(canvas.camera, canvas.atlas.area);
    const Camera sent = camera_at(canvas.way.back(), canvas.atlas, lens, canvas.laid.unit);
    const double apart = std::max(std::abs(sent.x - canvas.camera.x), std::abs(sent.y - canvas.camera.y));
    const bool there = apart * sent.zoom < 1 && std::abs(sent.zoom / canvas.camera.zoom - 1) < 0.01;
    return there ? std::optional(canvas.way.back()) : std::nullopt;
}

// The cell that one is at, to be marked.
std::optional<Looks::InCell> cell_here(const CanvasView& canvas) {
    if (canvas.way.empty() || canvas.way.back().kind != Stop::Kind::cells) return std::nullopt;
    const Stop& stop = canvas.way.back();
    return Looks::InCell{stop.leaf, stop.id, stop.cell};
}

void draw_label(const Ui& ui, ImDrawList& list, const PlacedLabel& label) {
    const Font& font = font_of(ui.fonts, label.role);
    if (label.ground != 0)
        list.AddRectFilled({label.at.x - ui.px(2), label.at.y},
                           {label.at.x + label.width + ui.px(2), label.at.y + label.height}, label.ground);
    const About about(key_of(label), label.text);
    if (label.role == TextRole::name)
        put_symbol(list, font, {label.at.x, label.at.y}, label.colour, label.text);
    else
        put_text(list, font, {label.at.x, label.at.y}, label.colour, label.text);
}

// Runs when the frame is drawn, with the drawing of that frame.
void paint(const ImDrawList*, const ImDrawCmd* command) {
    const auto& canvas = *static_cast<const CanvasView*>(command->UserCallbackData);
    if (canvas.painter) canvas.painter(canvas.drawing);
}

}  // namespace

const Font& font_of(const Fonts& fonts, TextRole role) {
    switch (role) {
        case TextRole::title:
        case TextRole::name: return fonts.body_bold;
        case TextRole::number: return fonts.mono_caption;
        case TextRole::caption: return fonts.table;
    }
    return fonts.body;
}

std::string key_of(const PlacedLabel& label) {
    if (label.role == TextRole::name) return {};
    // A figure that stands beside no single thing is made of several: any of them may be hidden.
    if (label.role == TextRole::number && label.id.empty()) return std::string(anything);
    return label.counts ? count_key(label.id) : std::string(label.id);
}

std::string layer_with(const ModelGraph& graph, std::string_view id) {
    for (const LayerBlock& layer : graph.layers) {
        const std::string& block = graph.blocks[layer.block].id;
        if (id.starts_with(block) && (id.size() == block.size() || id[block.size()] == '.')) return block;
    }
    return {};
}

void follow_layer(const DiagramOf& diagram, CanvasView& canvas) {
    const ModelGraph& graph = diagram.counted().graph;
    const auto look_at = [&](std::string_view id) {
        const std::string layer = layer_with(graph, id);
        if (!layer.empty()) canvas.layer = layer;
    };
    if (diagram.shown.look.selection != canvas.selected) {
        canvas.selected = diagram.shown.look.selection;
        if (const auto* tensor = std::get_if<TensorSubject>(&canvas.selected)) {
            look_at(tensor->id);
            canvas.head = tensor->copies.head.value_or(canvas.head);
        }
    }
    if (diagram.shown.look.askings != canvas.askings) look_at(diagram.shown.look.asked_for.id);
    canvas.layer = graph.blocks[layer_shown(graph, canvas.layer).block].id;
}

std::optional<std::int64_t> band_shown(const DiagramOf& diagram, CanvasView& canvas) {
    const Look& look = diagram.shown.look;
    const Place& place = look.askings != canvas.askings ? look.asked_for : look.here;
    if (place.id.ends_with(".attention.head")) canvas.head = place.copy;
    if (!presents_diagram(diagram.view) || look.tilted || look.log_sides) return std::nullopt;
    const auto within = [&] { return std::clamp<std::int64_t>(canvas.head, 0, heads_of(diagram) - 1); };
    if (const auto* component = std::get_if<Component>(&look.selection))
        return *component == Component::attention ? std::optional(within()) : std::nullopt;
    if (const auto* field = std::get_if<Field>(&look.selection)) {
        const bool of_heads = *field == Field::heads || *field == Field::kv_heads || *field == Field::head_dim;
        return of_heads ? std::optional(within()) : std::nullopt;
    }
    const auto* tensor = std::get_if<TensorSubject>(&look.selection);
    return tensor && band_holds(diagram.counted().graph, tensor->id) ? std::optional(within()) : std::nullopt;
}

bool comes_near(const DiagramOf& diagram, const CanvasView& canvas) {
    if (canvas.atlas.pages.empty()) return diagram.shown.look.askings != canvas.askings;
    return canvas.motion || !(canvas.camera == home(canvas.atlas)) || diagram.shown.look.askings != canvas.askings ||
           canvas.goes_in(diagram.shown.look) || ImGui::GetIO().MouseWheel != 0 || ImGui::IsMouseDoubleClicked(0) ||
           compat::enter_pressed() || compat::key_pressed(ImGuiKey_Space, false);
}

LayoutInput layout_input(const Ui& ui, bool log_sides, const Counted& shown, const Counted& base,
                         const CanvasView& canvas) {
    return {.model = {shown.graph, shown.bindings},
            .base = {base.graph, base.bindings},
            .area = canvas.area,
            .unit = ui.scale,
            .text_width = [&ui](std::string_view text, TextRole role) { return width_of(ui.fonts, text, role); },
            .bytes_per_number = bytes_of(shown.input.computed()),
            .log_sides = log_sides,
            .layer = canvas.layer};
}

void take_pages(const Ui& ui, CanvasView& canvas, Atlas atlas, CanvasView::Laid now) {
    const std::optional<Stop> fills = filling(canvas);
    canvas.camera = carried_over(canvas.camera, canvas.atlas, atlas);
    if (fills && !(now.extent == canvas.laid.extent && now.unit == canvas.laid.unit))
        if (const auto place = stop_at(atlas, {fills->id, fills->leaf.copy, {}}))
            canvas.camera = camera_at(*place, atlas, canvas.lens(), ui.scale);
    if (canvas.motion) canvas.motion->from = canvas.camera;
    if (canvas.motion) canvas.motion->to = carried_over(canvas.motion->to, canvas.atlas, atlas);
    canvas.atlas = std::move(atlas);
    ++canvas.layouts;
    canvas.laid = std::move(now);
}

void lay_out_canvas(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas) {
    const Counted &shown = diagram.counted(), &base = diagram.shown.derived.base;
    follow_layer(diagram, canvas);
    const Point extent{canvas.area.width(), canvas.area.height()};
    CanvasView::Laid now{shown.architecture,
                         base.architecture,
                         shown.input,
                         extent,
                         ui.scale,
                         diagram.shown.look.log_sides,
                         comes_near(diagram, canvas),
                         canvas.layer,
                         band_shown(diagram, canvas),
                         values_of_run(diagram)};
    if (!canvas.atlas.pages.empty() && now == canvas.laid) return;
    LayoutInput input = layout_input(ui, now.log_sides, shown, base, canvas);
    input.band = now.band;
    input.values = now.values;
    Atlas atlas = lay_out_atlas(input, now.pages_behind);
    const bool resized = !(now.extent == canvas.laid.extent && now.unit == canvas.laid.unit);
    const bool spoken =
        std::ranges::any_of(diagram.framed, [](const FramedCells& each) { return each.why == FramedCells::Why::own; });
    // Pages of another size have a cell elsewhere: one that is spoken of is gone to anew.
    if (resized && spoken && diagram.shown.look.asked_for.cell && !diagram.watch && !canvas.atlas.pages.empty())
        canvas.askings = diagram.shown.look.askings - 1;
    take_pages(ui, canvas, std::move(atlas), std::move(now));
}

void compose_canvas(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas) {
    const Counted& shown = diagram.counted();
    const CanvasView::Numbers numbers{
        {diagram.run}, diagram.view.run.layer, diagram.view.run.shared_scale, canvas.layouts};
    if (!(numbers == canvas.numbers_of)) canvas.limits.clear();
    canvas.numbers_of = numbers;
    const Look& look = diagram.shown.look;
    const Subject& hover = canvas.hover ? *canvas.hover : look.hover;
    // The row of a cell that is spoken of is framed where that reads it.
    const bool spoken =
        std::ranges::any_of(diagram.framed, [](const FramedCells& each) { return each.why == FramedCells::Why::own; });
    CanvasView::Composed now{.layouts = canvas.layouts,
                             .unit = ui.scale,
                             .camera = canvas.camera,
                             .area = canvas.area,
                             .selection = look.selection,
                             .hover = hover,
                             .pointed = canvas.pointed,
                             .cell = cell_here(canvas),
                             .token = canvas.token && !spoken ? canvas.token : diagram.token,
                             .numbers = numbers,
                             .framed = diagram.framed,
                             .watch = diagram.watch,
                             .heat = diagram.heat,
                             .next = {diagram.next},
                             .map = canvas.map};
    const bool other_theme = canvas.theme != ui.theme, may_stay = !presents_diagram(diagram.view);
    if (may_stay && !other_theme && canvas.composed == now) return;
    canvas.composed.reset();
    const CanvasLight light(diagram, hover);
    const Spotlight spotlight(diagram);
    const bool all_lit = spotlight.everything() && !canvas.fades;
    const Palette outside = all_lit ? Palette{} : palette_outside(ui.theme);
    const auto recedes = [&](std::string_view id) {
        return !all_lit &&
               (canvas.fades ? std::binary_search(canvas.alike.begin(), canvas.alike.end(), id) : !spotlight.holds(id));
    };
    std::map<int, Palette> heated;  // by hundredths
    const auto own_palette = [&](std::string_view id) -> const Palette* {
        if (recedes(id)) return &outside;
        const auto heat = diagram.heat.find(id);
        if (heat == diagram.heat.end()) return nullptr;
        const int hundredths = static_cast<int>(std::lround(100 * heat->second));
        const auto [made, is_new] = heated.try_emplace(hundredths);
        if (is_new) made->second = palette_heated(ui.theme, static_cast<float>(hundredths) / 100);
        return &made->second;
    };
    const Looks looks{
        .unit = ui.scale,
        .glow = [&](std::string_view id) { return light.glow(id); },
        .pointer_glow = [&](std::string_view id) { return light.by_pointer(id); },
        .text_width = [&](std::string_view text, TextRole role) { return width_of(ui.fonts, text, role); },
        .pointed = canvas.pointed,
        .cell = now.cell,
        .framed = now.framed,
        .token = now.token,
        .own_palette = own_palette,
        .numbers = numbers_of_run(diagram, &canvas.limits),
        .token_word = words_of_run(diagram)};
    compose(canvas.atlas, canvas.seen, {shown.graph, shown.bindings}, canvas.lens(), palette_of(ui, canvas), looks,
            canvas.drawing);
    add_next_words(ui, diagram, canvas);
    if (may_stay) canvas.composed = std::move(now);
}

void draw_picture(const Ui& ui, CanvasView& canvas, ImDrawList& list) {
    const Rect& area = canvas.area;
    list.PushClipRect({area.min.x, area.min.y}, {area.max.x, area.max.y}, true);
    list.AddCallback(paint, &canvas);
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
    for (const PlacedLabel& label : canvas.drawing.labels) draw_label(ui, list, label);
    list.PopClipRect();
}

void show_canvas(const Ui& ui, CanvasView& canvas) {
    draw_picture(ui, canvas, *ImGui::GetWindowDrawList());
    if (const std::optional<Rect>& words = canvas.next_words)
        ui.recorder.record(std::string(canvas.name) + ".next_words", {words->min.x, words->min.y},
                           {words->max.x, words->max.y});
    for (const Framed& framed : canvas.drawing.framed)
        ui.recorder.record(std::string(canvas.name) + (!framed.agrees   ? ".lit"
                                                       : *framed.agrees ? ".agrees"
                                                                        : ".differs"),
                           framed.id, {framed.rect.min.x, framed.rect.min.y}, {framed.rect.max.x, framed.rect.max.y});
    for (const Region& region : canvas.drawing.regions) {
        const bool block = region.id.starts_with("component.");
        const std::string name = block ? "block.layer." + region.id.substr(10) : region.id;
        ui.recorder.record(canvas.name, name, {region.rect.min.x, region.rect.min.y},
                           {region.rect.max.x, region.rect.max.y});
    }
}

}  // namespace headcount
