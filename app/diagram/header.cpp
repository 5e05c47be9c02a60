// Above the canvas: the way here as a breadcrumb, what filled and outlined mean, the bar of the scale.
#include <algorithm>
#include <cmath>

#include "app/canvas/draw/page_view.hpp"
#include "app/diagram/view.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/swatch.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float longest_bar = 75;  // design pixels

// A round number of rows or columns whose bar is between 30 and 75 design pixels long.
std::int64_t bar_length(double scale, float unit) {
    constexpr double most = 9e18;  // a number of 64 bits, however small the scale is
    const double longest = std::min(most, static_cast<double>(longest_bar * unit) / scale);
    const double decade = std::pow(10.0, std::floor(std::log10(longest)));
    for (double step : {5.0, 2.0, 1.0})
        if (step * decade <= longest) return std::max<std::int64_t>(1, static_cast<std::int64_t>(step * decade));
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(decade));
}

// Pixels of the screen a row or column of the page that is in the middle of the screen.
double scale_here(const CanvasView& canvas) {
    const SeenPage* here = &canvas.seen.front();
    for (const SeenPage& page : canvas.seen)
        if (page.leaf.page == canvas.way.back().leaf.page && page.clarity > clear_enough) here = &page;
    const Scene& scene = canvas.atlas.pages[here->leaf.page].scene;
    // On the model's page the layer may have a scale of its own.
    const bool in_layer = here->leaf.page == 0 && canvas.way.back().id.starts_with("layer");
    const float scale = in_layer ? scene.layer_scale : scene.model_scale;
    return static_cast<double>(scale) * here->placement.scale * canvas.camera.zoom;
}

// Rows or columns of the longest matrix.
std::int64_t longest_side(const CanvasView& canvas) {
    std::int64_t longest = 0;
    for (const Page& page : canvas.atlas.pages)
        for (const Slab& slab : page.scene.slabs) longest = std::max({longest, slab.rows, slab.columns});
    return longest;
}

}  // namespace

float draw_scale_bar(const Ui& ui, const CanvasView& canvas, bool log_sides, float right, float centre) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& mono = ui.fonts.mono_caption;
    const double scale = std::max(scale_here(canvas), 1e-12);
    const std::int64_t length = bar_length(scale, ui.scale);
    // Where one cell is longer than the bar may be, the cells themselves say how large they are. Where no matrix is as
    // long as the bar, all are drawn as thin as may be, and none to scale.
    const bool fits = static_cast<double>(length) * scale <= static_cast<double>(ui.px(longest_bar)) &&
                      length <= longest_side(canvas);
    const std::string number = log_sides ? "log scale" : fits ? grouped(length) : "";
    float x = right - text_width(mono, number);
    draw_text(list, mono, {x, text_top(mono, centre)}, ui.theme.text_mid, number);
    const float bar = log_sides || !fits ? 0 : static_cast<float>(static_cast<double>(length) * scale);
    if (bar > 0) {
        x -= ui.px(8) + bar;
        list.AddRectFilled({x, centre}, {x + bar, centre + ui.px(1)}, ui.theme.text_mid);
        for (float end : {x, x + bar - ui.px(1)})
            list.AddRectFilled({end, centre - ui.px(4)}, {end + ui.px(1), centre + ui.px(5)}, ui.theme.text_mid);
    }
    ui.recorder.record(canvas.name, "scale_bar", {x, centre - ui.px(6)}, {right, centre + ui.px(6)});
    return x;
}

namespace {

// What filled and outlined mean, ending at x. Returns where free space ends.
float draw_legend(const Ui& ui, float x, float centre) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& words = ui.fonts.table;
    const auto mark = [&](SwatchLook look, std::string_view word) {
        x -= ui.px(20) + text_width(words, word);
        draw_text(list, words, {x, text_top(words, centre)}, ui.theme.text_mid, word);
        x -= ui.px(16);
        draw_swatch(ui, list, {x, centre}, {look, look == SwatchLook::parameter ? ui.theme.text_mid : 0}, 10);
    };
    mark(SwatchLook::activation, "activations");
    mark(SwatchLook::parameter, "parameters");
    return x - ui.px(16);
}
float legend_width(const Ui& ui) {
    return text_width(ui.fonts.table, "activations") + text_width(ui.fonts.table, "parameters") + ui.px(88);
}

// Where what is seen of the picture is not to one scale.
struct NotToScale {
    bool thickened = false, cut = false, dashed = false;
    std::string enlarged;
};
NotToScale not_to_scale(const CanvasView& canvas) {
    NotToScale found;
    const Lens lens = canvas.lens();
    const Looks looks;
    for (const SeenPage& page : canvas.seen) {
        if (page.clarity < clear_enough) continue;
        const PageView view(canvas.atlas, page, lens, looks);
        const Scene& scene = view.page.scene;
        for (const Slab& slab : scene.slabs) {
            const bool told = slab.thickened || slab.cut || slab.cut_right || slab.base;
            if (!told || view.clarity(slab.door) < clear_enough) continue;
            const bool in_sight = view.screen_box(slab.rect).overlaps(canvas.area);
            found.thickened = found.thickened || (slab.thickened && in_sight);
            found.cut = found.cut || ((slab.cut || slab.cut_right) && in_sight);
            found.dashed =
                found.dashed || (slab.base && (in_sight || view.screen_box(*slab.base).overlaps(canvas.area)));
        }
        // Seen smaller than they were laid out, the cards have no room to say it.
        if (page.leaf == canvas.way.back().leaf && page.placement.scale * canvas.camera.zoom < 1)
            found.enlarged = scene.enlarged;
    }
    return found;
}

// In full or in short.
std::string words_of(const NotToScale& found, const DiagramOf& diagram, bool full) {
    std::string text;
    const auto add = [&](const std::string& words) { text += (text.empty() ? "" : " · ") + words; };
    const std::optional<RunTokens> run =
        diagram.edits ? tokens_of_run(diagram) : std::nullopt;  // the Run view says it itself
    if (run && run->drawn) add("T = " + grouped(run->count) + ", the tokens of the run");
    if (run && !run->drawn)
        add("the run has values of " + grouped(run->count) + (run->count == 1 ? " token" : " tokens"));
    if (found.dashed && diagram.shown.document.architecture != diagram.shown.document.base)
        add("dashed = " + diagram.shown.document.base.name);
    if (found.thickened) add(full ? "thin sides drawn at 6 px" : "thin sides at 6 px");
    if (!found.enlarged.empty()) add(full ? found.enlarged + " larger" : found.enlarged);
    if (found.cut) add("cut where longer than there is room");
    return text;
}

}  // namespace

std::optional<Stop> draw_way(const Ui& ui, const DiagramOf& diagram, const CanvasView& canvas, float& x, float free,
                             float centre) {
    std::optional<Stop> chosen;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < canvas.way.size(); ++i) {
        const Stop& stop = canvas.way[i];
        const bool last = i + 1 == canvas.way.size();
        const Font& font = last ? ui.fonts.body_bold : ui.fonts.body;
        const std::string name = name_of(diagram, stop);
        const float width = symbol_width(font, name);
        if (x + width > free) break;
        const std::string id = "way." + std::to_string(i);
        const ImVec2 from(x - ui.px(4), centre - ui.px(11)), to(x + width + ui.px(4), centre + ui.px(11));
        const IdScope scope("canvas");
        const Press press = press_area(ui, id.c_str(), from, to, size::radius_field);
        ui.recorder.record(canvas.name, id, from, to);
        if (press.pressed) chosen = stop;
        const ImU32 ink = last || press.hovered ? ui.theme.text_high : ui.theme.text_mid;
        draw_symbol(list, font, {x, text_top(font, centre)}, ink, name);
        x += width + ui.px(10);
        if (last) break;
        draw_icon(list, Icon::chevron_right, {x + ui.px(4), centre}, ui.px(12), ui.theme.text_low);
        x += ui.px(18);
    }
    return chosen;
}

std::optional<Stop> draw_canvas_header(const Ui& ui, const DiagramOf& diagram, const CanvasView& canvas) {
    const ImVec2 min = ImGui::GetWindowPos();
    const float right = min.x + ImGui::GetWindowSize().x - ui.px(canvas_margin);
    const float centre = min.y + ui.px(canvas_header / 2);
    float x = min.x + ui.px(canvas_margin);
    const float bar = draw_scale_bar(ui, canvas, diagram.shown.look.log_sides, right, centre) - ui.px(16);
    std::optional<Stop> chosen = draw_way(ui, diagram, canvas, x, bar, centre);
    const Font& font = ui.fonts.table;
    const float room = bar - x - ui.px(8);
    const NotToScale found = not_to_scale(canvas);
    const std::string full = words_of(found, diagram, true);
    std::string remark = full;
    if (text_width(font, remark) > room - legend_width(ui)) remark = words_of(found, diagram, false);
    // What is not to scale is said before what filled and outlined mean.
    const bool legend = text_width(font, remark) <= room - legend_width(ui);
    if (legend) draw_legend(ui, bar + ui.px(16), centre);
    if (!legend && text_width(font, full) <= room) remark = full;
    const float space = room - (legend ? legend_width(ui) : 0);
    if (space > ui.px(60) && !remark.empty()) {
        const ImVec2 at(x + ui.px(4), text_top(font, centre));
        const float wide = draw_text(*ImGui::GetWindowDrawList(), font, at, ui.theme.text_low, remark, space);
        ui.recorder.record(canvas.name, "remark", at, {at.x + wide, at.y + font.size});
    }
    return chosen;
}

}  // namespace headcount
