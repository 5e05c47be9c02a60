// The family tree of the presets on the screen: the sheet that is printed, as a picture to zoom; a press opens a model.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

#include "app/parts/part_colours.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/what_if/panels.hpp"
#include "app/views/what_if/tree_words.hpp"
#include "core/base/text.hpp"
#include "core/poster/poster.hpp"

namespace headcount {
namespace {

using poster::Placed;

// What is seen of it.
struct TreeSight {
    ImVec2 min, max;                // of the picture, in this frame
    std::size_t models = 0;         // of the sheet that the camera was fitted to
    bool whole = true;              // all of it is in sight, and stays so when the window changes
    Camera camera;                  // in pixels of the sheet
    std::optional<ImVec2> held;     // where the pointer was in the frame before, while it holds the picture
    bool dragged = false;           // since it was pressed
    std::optional<std::size_t> at;  // the model that the keys have come to

    Rect area() const { return {{min.x, min.y}, {max.x, max.y}}; }
};

constexpr double wheel_notch = 1.2, nearest = 16;  // of the zoom; screen pixels a pixel of the sheet
constexpr float sheet_margin = 8, slack = 4;       // pixels; a press that moves less is no drag
constexpr float years_height = 22;

constexpr WorldRect whole_sheet{{poster::margin / 2, poster::top - 8},
                                {poster::width - poster::margin / 2, poster::bottom}};

// A model is made from one that is older, and stands behind that.
std::vector<std::size_t> by_weight(const std::vector<TreeNode>& nodes) {
    std::vector<std::size_t> order(nodes.size()), from(nodes.size());
    for (std::size_t i = nodes.size(); i-- > 0;) {
        order[i] = i;
        if (nodes[i].parent) from[*nodes[i].parent] += 1 + from[i];
    }
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::size_t i) { return std::pair(from[i], nodes[i].total); });
    return order;
}

TreeSheet tree_sheet(std::span<const Preset> presets, std::optional<ModelKind> kind) {
    TreeSheet made;
    std::vector<const Preset*> chosen;
    for (const Preset& preset : presets)
        if (!kind || kind_of(preset.architecture) == *kind) chosen.push_back(&preset);
    Result<std::vector<TreeNode>> tree = family_tree(chosen, presets);
    if (!tree) {
        made.problem = sentence(tree.error());
        return made;
    }
    made.sheet = poster::lay_out(*tree);
    if (made.sheet.models.size() == tree->size()) {
        made.nodes = *std::move(tree);
        made.by_weight = by_weight(made.nodes);
    } else {
        made.problem = "A sheet has no room for " + std::to_string(tree->size()) + " models.";
    }
    return made;
}

// Of a picture, what its years leave free.
Rect below_years(const Ui& ui, Rect area) {
    area.min.y += std::min(std::round(ui.px(years_height)), area.height() / 2);
    return area;
}

WorldRect rect_of(const Placed& model) {
    return {{std::min(model.x, model.words_x) - 1, model.y},
            {std::max(model.x + model.side, model.words_x + model.room), model.bottom}};
}

std::optional<std::size_t> model_at(const TreeSheet& tree, const Lens& lens, ImVec2 pointer) {
    const std::optional<WorldPoint> point = lens.unproject(Point{pointer.x, pointer.y});
    for (std::size_t i = 0; point && i < tree.nodes.size(); ++i)
        if (rect_of(tree.sheet.models[i]).contains(*point)) return i;
    return std::nullopt;
}

// Left to what it was made from, right to what was made from it, up and down in the order of the sheet.
void step_by_keys(const TreeSheet& tree, TreeSight& sight) {
    const auto pressed = [](ImGuiKey key) { return compat::key_pressed(key); };
    const bool left = pressed(ImGuiKey_LeftArrow), right = pressed(ImGuiKey_RightArrow), up = pressed(ImGuiKey_UpArrow),
               down = pressed(ImGuiKey_DownArrow);
    if (tree.nodes.empty() || !(left || right || up || down)) return;
    const std::size_t now = sight.at.value_or(0);
    std::size_t next = now;
    if (!sight.at) {
        next = 0;
    } else if (left) {
        next = tree.nodes[now].parent.value_or(now);
    } else if (right) {
        const auto child = std::ranges::find(tree.nodes, std::optional(now), &TreeNode::parent);
        if (child != tree.nodes.end()) next = static_cast<std::size_t>(child - tree.nodes.begin());
    } else {
        next = down ? std::min(now + 1, tree.nodes.size() - 1) : now - std::min<std::size_t>(now, 1);
    }
    sight.at = next;
    const WorldRect rect = rect_of(tree.sheet.models[next]);
    const WorldRect seen = Lens(sight.camera, sight.area()).seen();
    if (seen.contains(rect.min) && seen.contains(rect.max)) return;
    sight.camera.x = rect.centre().x;
    sight.camera.y = rect.centre().y;
}

void move_picture(const Ui& ui, TreeSight& sight, const Press& press) {
    const ImGuiIO& io = ImGui::GetIO();
    const Rect area = sight.area(), room = below_years(ui, area);
    Camera whole = fitted(whole_sheet, room, sheet_margin);
    whole.y += static_cast<double>(area.centre().y - room.centre().y) / whole.zoom;
    if (press.hovered && io.MouseWheel != 0) {
        sight.camera = zoomed_at(sight.camera, area, {io.MousePos.x, io.MousePos.y},
                                 std::pow(wheel_notch, static_cast<double>(io.MouseWheel)));
        sight.whole = false;
    }
    if (ImGui::IsMouseClicked(0)) sight.dragged = false;
    if (press.held && ImGui::IsMouseDown(0)) {
        const ImVec2 before = sight.held.value_or(io.MousePos);
        sight.dragged = sight.dragged || ImGui::IsMouseDragging(0, slack);
        if (sight.dragged)
            sight.camera = panned(sight.camera, area, {before.x, before.y}, {io.MousePos.x, io.MousePos.y});
        sight.whole = sight.whole && !sight.dragged;
        sight.held = io.MousePos;
    } else {
        sight.held.reset();
    }
    if (sight.whole || sight.camera.zoom <= whole.zoom) sight.camera = whole;
    sight.camera.zoom = std::min(sight.camera.zoom, nearest);
    sight.camera.x = std::clamp(sight.camera.x, 0.0, poster::width);
    sight.camera.y = std::clamp(sight.camera.y, 0.0, poster::height);
}

void draw_way(const TreePen& pen, std::size_t child, ImU32 colour, float width) {
    const TreeNode& node = pen.tree.nodes[child];
    if (!node.parent) return;
    const poster::Way way = poster::way(pen.tree.sheet.models[*node.parent], pen.tree.sheet.models[child]);
    std::array<ImVec2, 4> points;
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = on_screen(pen.lens, way.points[i][0], way.points[i][1]);
    if (way.curved)
        pen.list.AddBezierCubic(points[0], points[1], points[2], points[3], colour, width);
    else
        pen.list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, ImDrawFlags_None, width);
}

// Its parts from left to right, each as wide as its share.
void draw_square(const TreePen& pen, std::size_t i, std::string_view chosen) {
    const TreeNode& node = pen.tree.nodes[i];
    const Placed& model = pen.tree.sheet.models[i];
    double x = model.x;
    for (const Component component : components) {
        const std::int64_t count = node.by_component[static_cast<std::size_t>(component)];
        if (count == 0) continue;
        const double wide = model.side * static_cast<double>(count) / static_cast<double>(node.total);
        pen.list.AddRectFilled(on_screen(pen.lens, x, model.y), on_screen(pen.lens, x + wide, model.y + model.side),
                               component_colour(pen.ui.theme, component));
        x += wide;
    }
    if (node.preset->id != chosen) return;
    const Rect around = ring_around(pen, square_of(pen, i));
    pen.list.AddRect(ImVec2(around.min.x, around.min.y), ImVec2(around.max.x, around.max.y), pen.ui.theme.selection, 0,
                     ImDrawFlags_None, pen.ui.px(tree_ring));
}

// At the top, wherever one is on the sheet.
void draw_years(const TreePen& pen, const TreeSight& sight) {
    const Ui& ui = pen.ui;
    const float below = sight.min.y + std::round(ui.px(years_height)), padding = ui.px(4);
    for (const poster::YearSpan& year : pen.tree.sheet.years) {
        const float x = on_screen(pen.lens, year.x, 0).x;
        pen.list.AddLine(ImVec2(x, sight.min.y), ImVec2(x, sight.max.y), ui.theme.line);
    }
    pen.list.AddRectFilled(sight.min, ImVec2(sight.max.x, below), ui.theme.panel);
    for (const poster::YearSpan& year : pen.tree.sheet.years) {
        const std::string words = std::to_string(year.year);
        const float wide = text_width(ui.fonts.body_bold, words);
        const float end = on_screen(pen.lens, year.x + year.width, 0).x - wide - padding;
        const float x = std::min(end, std::max(on_screen(pen.lens, year.x, 0).x, sight.min.x) + padding);
        put_text(pen.list, ui.fonts.body_bold, ImVec2(x, sight.min.y), ui.theme.text_high, words);
    }
}

// "6.74 B more than GPT-J 6B: Layers 28 → 32"
std::string origin_of(const TreeNode& node, std::span<const TreeNode> all) {
    if (!node.parent) return "The first of its line.";
    const std::string changes = listed(node.changes);
    const std::string cost = node.cost == 0 ? "As many parameters as " : signed_short(node.cost) + " on ";
    return cost + all[*node.parent].preset->architecture.name + (changes.empty() ? "." : ": " + changes + ".");
}

void explain_model(const Ui& ui, const TreeSheet& tree, std::size_t i, std::string_view chosen) {
    const TreeNode& node = tree.nodes[i];
    const bool own = node.preset->id == chosen;
    const std::string value = grouped(node.total),
                      remark = origin_of(node, tree.nodes) + (own ? "" : " A click opens it.");
    show_tooltip(ui, {.title = node.preset->architecture.name,
                      .value = value,
                      .remark = remark,
                      .about = own ? total_key : std::string_view{}});
}

// Models that are in sight, for tests.
void record_models(const Ui& ui, const TreeSheet& tree, const TreeSight& sight, const Lens& lens) {
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const Placed& model = tree.sheet.models[i];
        const ImVec2 min = on_screen(lens, model.x, model.y),
                     max = on_screen(lens, model.x + model.side, model.y + model.side);
        if (min.x >= sight.min.x && max.x <= sight.max.x && min.y >= sight.min.y && max.y <= sight.max.y)
            ui.recorder.record("shelf.tree." + tree.nodes[i].preset->id, min, max);
    }
}

void draw_picture(const TreePen& pen, const TreeSight& sight, std::optional<std::size_t> lit, std::string_view chosen) {
    pen.list.PushClipRect(sight.min, sight.max, true);
    for (std::size_t i = 0; i < pen.tree.nodes.size(); ++i) draw_way(pen, i, pen.ui.theme.strong_line, size::line);
    for (std::size_t i = 0; lit && i < pen.tree.nodes.size(); ++i)
        if (i == *lit || pen.tree.nodes[i].parent == lit)
            draw_way(pen, i, pen.ui.theme.selection, pen.ui.px(size::edge));
    for (std::size_t i = 0; i < pen.tree.nodes.size(); ++i) draw_square(pen, i, chosen);
    draw_tree_words(pen, below_years(pen.ui, sight.area()), chosen);
    draw_years(pen, sight);
    pen.list.PopClipRect();
}

// Above the picture: what it is, and what can be done with all of it.
void tree_header(const Ui& ui, const TreeSheet& tree, TreeSight& sight, Intents& intents) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float right = start.x + available_width();
    section_title(ui, "Family tree of " + std::to_string(tree.nodes.size()) + " models");
    const ImVec2 end = ImGui::GetCursorScreenPos();
    const Button save{.label = "Save for print", .small = true, .tooltip = "On a sheet of A2, as SVG"};
    const Button fit{.label = "Fit", .small = true, .tooltip = "All of it"};
    const float save_left = right - button_width(ui, save);
    ImGui::SetCursorScreenPos(ImVec2(save_left - ui.px(8) - button_width(ui, fit), start.y));
    if (button(ui, "shelf.tree.fit", fit)) sight.whole = true;
    ImGui::SetCursorScreenPos(ImVec2(save_left, start.y));
    if (button(ui, "shelf.tree.save", save))
        if (const Result<std::string> svg = poster_svg(tree.nodes))
            intents.push_back(AskForFile{FileTask::chart_svg, {.name = "Family tree", .text = *svg}});
    ImGui::SetCursorScreenPos(end);
    gap(ui, 8);
}

}  // namespace

Intents draw_family_tree(const Ui& ui, const Shown& model, std::optional<ModelKind> kind,
                         std::span<const Preset> presets) {
    Intents intents;
    const TreeSheet& tree = made(ui, "what_if.tree", std::tuple(presets.data(), presets.size(), kind),
                                 [&] { return tree_sheet(presets, kind); });
    if (!tree.problem.empty()) {
        paragraph(ui, ui.fonts.body, ui.theme.text_mid, tree.problem);
        return intents;
    }
    TreeSight& sight = kept<TreeSight>(ui, "what_if.tree.sight");
    if (std::exchange(sight.models, tree.nodes.size()) != tree.nodes.size()) sight = {.models = tree.nodes.size()};
    tree_header(ui, tree, sight, intents);
    sight.min = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 extent(std::max(room.x, ui.px(size::field_width)), std::max(room.y, ui.px(size::field_width)));
    sight.max = sight.min + extent;
    const Press press = press_area(ui, "tree", sight.min, sight.max, 0);
    move_picture(ui, sight, press);
    if (press.focused) step_by_keys(tree, sight);
    const Lens lens(sight.camera, sight.area());
    const bool by_pointer = press.hovered && !sight.dragged;
    const std::optional<std::size_t> pointed =
        by_pointer ? model_at(tree, lens, ImGui::GetIO().MousePos) : std::nullopt;
    const std::string& chosen = model.document.preset;
    draw_picture({ui, tree, lens, *ImGui::GetWindowDrawList()}, sight, pointed ? pointed : sight.at, chosen);
    ui.recorder.record("shelf.chart", sight.min, sight.max);
    record_models(ui, tree, sight, lens);
    if (pointed) explain_model(ui, tree, *pointed, chosen);
    if (const auto taken = press.hovered ? pointed : sight.at; press.pressed && taken && !sight.dragged)
        intents.push_back(OpenPreset{tree.nodes[*taken].preset->id});
    place(sight.min, extent);
    return intents;
}

}  // namespace headcount
