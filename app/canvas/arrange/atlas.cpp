// Lays all pages out and says which of them are seen.
#include "app/canvas/arrange/atlas.hpp"

#include <algorithm>
#include <cmath>

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount {
namespace {

constexpr float page_margin = 0.96F;  // of the area that a page takes when one has come to it
constexpr float corners = 84;         // design pixels at the bottom of the canvas, at most this share of it
constexpr float corners_share = 0.17F;
// Design pixels: words have a size, so a page is not laid out for less. In a small window it is then seen smaller.
constexpr float least_width = 700, least_height = 240, least_head_height = 480;
constexpr float memory_above_foot = 12;  // of what comes in there, on ground of its own
constexpr float least_band_width = 520, least_band_height = 148;
// A page begins to be seen at this share of the size at which it fills the canvas, or, where it is nearly as large when
// one is at the layer, a little later; it is clear after that, over so many pictures of a way that nothing is swapped,
// and at the latest where it fills the canvas.
constexpr double dim_at = 0.45, later = 1.02, latest = 0.96, clears_within = 0.3;
constexpr float neighbours = 0.3F;       // how clearly the copies around the one in the middle are seen
constexpr std::size_t most_copies = 12;  // of a page at once: tilted, many are in sight towards the horizon
constexpr std::int64_t most_away = 3;    // squares from the middle

float clarity_at(double share, double share_at_layer) {
    const double from = std::clamp(share_at_layer * later, dim_at, latest);
    const double way = std::clamp((share - from) / std::min(clears_within, 0.8 * (1 - from)), 0.0, 1.0);
    return static_cast<float>(way * way * (3 - 2 * way));
}

Point moved(Point point, const Rect& door, float factor) {
    return {(point.x - door.min.x) * factor, (point.y - door.min.y) * factor};
}

// What the page around draws of the block itself, so that the block's page does not.
std::vector<ThingId> drawn_outside(const Scene& scene, const ModelGraph& graph, std::string_view block) {
    std::vector<ThingId> ids;
    for (const Slab& slab : scene.slabs) {
        const Tensor* tensor = graph.find(slab.id);
        if (slab.door == no_door && tensor && graph.blocks[tensor->block].id == block) ids.push_back(slab.id);
    }
    return ids;
}

// Whether the page behind a door is that of attention with one head's columns.
bool shows_band(const LayoutInput& input, const Door& door) {
    return door.block == input.layer + std::string(attention_block.substr(main_layer.size())) && has_band(input);
}

// Whether it is one of attention's, which has a layout of its own.
bool is_head(const ModelGraph& graph, std::string_view block) {
    const auto own = static_cast<BlockIndex>(graph.find_block(block) - graph.blocks.data());
    return graph.is(own, BlockKind::head) && graph.first(Op::scores, own);
}

Point size_of_block(const LayoutInput& input, const Page& around, const Door& door) {
    if (is_head(input.model.graph, door.block) || shows_band(input, door)) return {};
    BlockWays ways;
    ways.elsewhere = drawn_outside(around.scene, input.model.graph, door.block);
    return least_block_size(input, door.block, ways);
}

// Of either model of a pair, so that both have the same room.
float width_of_block_in_pair(const LayoutInput& input, const Door& door) {
    const LayoutInput other = other_side_of(input);
    const std::string block = other.layer + door.block.substr(std::min(input.layer.size(), door.block.size()));
    return other.model.graph.find_block(block) ? least_block_size(other, block, {}).x : 0;
}

// What a pair allows this page, in pixels of it.
void limit_scale(const std::vector<PageScale>& scales, const std::string& block, double filling, LayoutInput& inside) {
    inside.most_scale = inside.most_card_scale = 0;
    const auto found = std::ranges::find_if(scales, [&](const PageScale& scale) { return scale.block == block; });
    if (found == scales.end()) return;
    inside.most_scale = found->most / filling;
    inside.most_card_scale = found->card / filling;
}

// The layers that the block is in.
std::string layer_of_block(const LayoutInput& input, std::string_view block) {
    const ModelGraph& graph = input.model.graph;
    const std::optional<std::size_t> layer =
        graph.layer_of(static_cast<BlockIndex>(graph.find_block(block) - graph.blocks.data()));
    return layer ? graph.blocks[graph.layers[*layer].block].id : input.layer;
}

// The block whose heads these are, as layouts write it.
std::string attention_of(const LayoutInput& input, std::string_view head) {
    const ModelGraph& graph = input.model.graph;
    const std::string& block = graph.blocks[*graph.find_block(head)->parent].id;
    return std::string(main_layer) + block.substr(input.layer.size());
}

// Whether the heads' layers do, and compare nothing else: others are laid out from their nodes alone.
bool makes_keys_and_values(const ModelGraph& graph, std::string_view head) {
    const Block& around = graph.blocks[*graph.find_block(head)->parent];
    const std::string& block = around.id;
    if (around.kind == BlockKind::shared) return false;  // with ways of its own beside these
    const Node* const scores =
        graph.first(Op::scores, static_cast<BlockIndex>(graph.find_block(head) - graph.blocks.data()));
    if (scores && scores->inputs.size() > 2) return false;
    return graph.find(block + ".latent_up.weight") ||
           (graph.find(block + ".key.weight") && graph.find(block + ".value.weight"));
}

Scene scene_behind(const LayoutInput& input, const Page& around, const Door& door, bool covers, float factor,
                   float shrunk) {
    if (is_head(input.model.graph, door.block) && makes_keys_and_values(input.model.graph, door.block)) {
        LayoutInput head = input;
        head.attention = attention_of(input, door.block);
        return layout_head(head);
    }
    const bool band = shows_band(input, door);
    BlockWays ways;
    ways.shrunk = shrunk;
    ways.entry = moved(door.entry, door.rect, factor);
    ways.entry_tensor = door.entry_tensor;
    ways.memory = moved(door.memory, door.rect, factor);
    ways.memory_tensor = door.memory_tensor;
    for (Point point : door.exit) ways.exit.push_back(moved(point, door.rect, factor));
    if (door.onward) ways.onward = moved(*door.onward, door.rect, factor);
    ways.elsewhere = drawn_outside(around.scene, input.model.graph, door.block);
    if (covers) {  // from edge to edge of its own ground
        ways.entry = {input.area.min.x, input.area.centre().y};
        ways.memory = {input.area.min.x, input.area.max.y - memory_above_foot * input.unit};
        ways.onward = std::nullopt;
        ways.exit = {{input.area.max.x, input.area.centre().y}};
    }
    return band ? layout_band(input, ways) : layout_block(input, door.block, ways);
}

// What a scene needs to be seen from anywhere, once all of it is there.
Scene finished(Scene scene, const Rect& page, bool own_ground, float unit) {
    put_behind_doors(scene);
    pin_labels(scene, page, own_ground, unit);
    return scene;
}

// Where a page lies whose card is too low for it: in the middle of that, as wide as the canvas is.
Rect place_alone(const Rect& cell, const Rect& room) {
    const float scale = std::min(cell.width() / room.width(), cell.height() / room.height());
    const Point middle = cell.centre(), half{room.width() * scale / 2, room.height() * scale / 2};
    return {{middle.x - half.x, middle.y - half.y}, {middle.x + half.x, middle.y + half.y}};
}

void add_pages_behind(Atlas& atlas, PageIndex around, const LayoutInput& input) {
    for (std::size_t i = 0; i < atlas.pages[around].scene.doors.size(); ++i) {
        const Door door = atlas.pages[around].scene.doors[i];
        const Rect room = page_room(atlas.area, input.unit);
        LayoutInput inside = input;
        inside.layer = layer_of_block(input, door.block);
        Rect cell = door.cell(0);
        const auto filling = [&] { return std::min(room.width() / cell.width(), room.height() / cell.height()); };
        inside.area = {{0, 0}, {cell.width(), cell.height()}};
        const Point size = size_of_block(inside, atlas.pages[around], door);
        const bool low = !door.grid && !input.beside && size.y > cell.height() * filling() * page_margin;
        // Then it covers what is drawn in its place, and hangs on nothing around.
        const bool alone = door.closed || low, covers = door.grid || alone;
        constexpr float far_wider = 1.5F;  // than a head's square is the canvas: its page lies across the middle of it
        const bool across = door.grid && room.width() * cell.height() > far_wider * room.height() * cell.width();
        if (alone || across) cell = place_alone(cell, room);
        const float fit = filling();
        const bool band = shows_band(input, door);
        const float least = door.grid ? least_head_height : band ? least_band_height : least_height;
        const float least_across = band ? least_band_width : least_width;
        const float pair = input.beside && around == 0 ? width_of_block_in_pair(inside, door) : 0;
        const float factor = std::max({fit * page_margin, least_across * input.unit / cell.width(),
                                       size.x / cell.width(), pair / cell.width(), least * input.unit / cell.height()});
        inside.area = {{0, 0}, {cell.width() * factor, cell.height() * factor}};
        limit_scale(input.page_scales, plain_block(atlas, door.block), static_cast<double>(fit / factor), inside);
        Page page{.block = door.block,
                  .bounds = inside.area,
                  .own_ground = covers,
                  .filling = static_cast<double>(fit / factor),
                  .scene = finished(scene_behind(inside, atlas.pages[around], door, covers, factor,
                                                 std::max(1.0F, factor / (fit * page_margin))),
                                    inside.area, covers, input.unit),
                  .placement = {static_cast<double>(cell.min.x), static_cast<double>(cell.min.y),
                                1 / static_cast<double>(factor)},
                  .around = around,
                  .door = i};
        // On ground of its own it has the edge and the swatch of its card, too.
        if (alone)
            for (const Frame& frame : atlas.pages[around].scene.frames)
                if (frame.rect == door.rect)
                    page.scene.frames.push_back({frame.id, page.bounds, FrameKind::component, frame.component});
        atlas.pages[around].behind.push_back(atlas.pages.size());
        atlas.pages.push_back(std::move(page));
        add_pages_behind(atlas, atlas.pages.size() - 1, input);
    }
}

Placement of_copy(const Page& page, const Door& door, std::int64_t copy) {
    Placement placement = page.placement;
    const Point first = door.cell(0).min, cell = door.cell(copy).min;
    placement.x += static_cast<double>(cell.x - first.x);
    placement.y += static_cast<double>(cell.y - first.y);
    return placement;
}

// First and one past the last of `count` cells from `begin` on that a stretch of the world overlaps.
struct Range {
    std::int64_t first, end;
};
Range overlapped(double begin, double cell, std::int64_t count, double from, double to) {
    const auto at = [&](double position) {
        return std::clamp(std::floor((position - begin) / cell), -1.0, static_cast<double>(count));
    };
    return {std::max<std::int64_t>(0, static_cast<std::int64_t>(at(from))),
            std::min<std::int64_t>(count, static_cast<std::int64_t>(at(to)) + 1)};
}

class Looking {
  public:
    Looking(const Atlas& atlas, const Lens& lens)
        : atlas_(atlas), lens_(lens), sight_(lens.seen()), layer_zoom_(atlas.layer_zoom) {
        if (lens.camera().flat()) return;
        for (const Frame& frame : atlas.pages.front().scene.frames)
            if (frame.kind == FrameKind::layer && frame.id == atlas.layer)
                layer_zoom_ = fitted(Placement{}.world(frame.rect), lens.area(), place_margin, lens.camera()).zoom;
    }

    std::vector<SeenPage> from_outside_in() {
        look({}, Placement{}, 1);
        return std::move(seen_);
    }

  private:
    void look(Leaf leaf, const Placement& placement, float clarity) {
        const Page& page = atlas_.pages[leaf.page];
        const std::size_t index = seen_.size();
        seen_.push_back({leaf, placement, clarity, std::vector<float>(page.scene.doors.size(), 1.0F)});
        for (std::size_t i = 0; i < page.scene.doors.size(); ++i)
            seen_[index].summaries[i] = 1 - look_behind(page, placement, i);
    }

    // Of the copies that may be seen, those around the middle of the screen, the farthest first.
    std::vector<std::int64_t> nearest_copies(const Door& door, const WorldRect& rect, Range columns, Range rows) const {
        const std::int64_t column = index_at(lens_.camera().x, rect.min.x, rect.width(), door.columns);
        const std::int64_t row = index_at(lens_.camera().y, rect.min.y, rect.height(), door.rows());
        // Never more than a window of squares around it, so that a thousand heads cost what a few cost.
        const auto near = [](Range range, std::int64_t middle) {
            return Range{std::max(range.first, middle - most_away), std::min(range.end, middle + most_away + 1)};
        };
        const Range across = near(columns, column), down = near(rows, row);
        std::vector<std::int64_t> copies;
        for (std::int64_t i = down.first; i < down.end; ++i)
            for (std::int64_t j = across.first; j < across.end; ++j)
                if (i * door.columns + j < door.count) copies.push_back(i * door.columns + j);
        const auto distance = [&](std::int64_t copy) {
            return std::max(std::abs(copy / door.columns - row), std::abs(copy % door.columns - column));
        };
        std::ranges::stable_sort(copies, [&](std::int64_t a, std::int64_t b) { return distance(a) < distance(b); });
        if (copies.size() > most_copies) copies.resize(most_copies);
        std::ranges::reverse(copies);
        return copies;
    }

    // How clearly the page behind this door is seen.
    float look_behind(const Page& around, const Placement& placement, std::size_t index) {
        if (around.behind.empty()) return 0;
        const Door& door = around.scene.doors[index];
        const PageIndex inside = around.behind[index];
        const Page& page = atlas_.pages[inside];
        // Tilted, it fills the canvas seen from farther off.
        const WorldRect first = Placement(page.placement).within(placement).world(page.bounds);
        const double share_at_home = lens_.camera().flat()
                                         ? page.placement.scale * placement.scale / page.filling
                                         : 1 / fitted(first, page_room(lens_.area(), 1), 0, lens_.camera()).zoom;
        const float clarity = clarity_at(share_at_home * lens_.camera().zoom, share_at_home * layer_zoom_);
        if (clarity <= 0) return 0;
        const WorldRect rect = placement.world(door.rect);
        const Range columns = overlapped(rect.min.x, rect.width() / static_cast<double>(door.columns), door.columns,
                                         sight_.min.x, sight_.max.x);
        const Range rows = overlapped(rect.min.y, rect.height() / static_cast<double>(door.rows()), door.rows(),
                                      sight_.min.y, sight_.max.y);
        for (const std::int64_t copy : nearest_copies(door, rect, columns, rows)) {
            const Placement own = of_copy(page, door, copy).within(placement);
            // The one in the middle is meant; its neighbours are there to be gone to.
            const bool meant = !door.grid || own.world(page.bounds).contains({lens_.camera().x, lens_.camera().y});
            look({inside, copy}, own, meant ? clarity : clarity * neighbours);
        }
        return clarity;
    }

    const Atlas& atlas_;
    const Lens& lens_;
    WorldRect sight_;
    double layer_zoom_;  // of the camera that shows the layer, as tilted as this one
    std::vector<SeenPage> seen_;
};

}  // namespace

std::int64_t index_at(double position, double begin, double extent, std::int64_t count) {
    const double at = std::floor((position - begin) / extent * static_cast<double>(count));
    return static_cast<std::int64_t>(std::clamp(at, 0.0, static_cast<double>(count - 1)));
}

Rect page_room(const Rect& area, float unit) {
    return {area.min, {area.max.x, area.max.y - std::min(corners * unit, area.height() * corners_share)}};
}

std::string plain_block(const Atlas& atlas, std::string_view block) { return in_layer(block, atlas.layer, main_layer); }

Placement Placement::within(const Placement& outer) const {
    return {outer.x + x * outer.scale, outer.y + y * outer.scale, scale * outer.scale};
}

Atlas lay_out_atlas(const LayoutInput& input, bool pages_behind) {
    LayoutInput moved = input;
    moved.area = {{0, 0}, {input.area.width(), input.area.height()}};
    Atlas atlas;
    atlas.area = moved.area;
    const ModelGraph& graph = input.model.graph;
    atlas.layer = moved.layer = graph.blocks[layer_shown(graph, input.layer).block].id;
    if (moved.beside)
        moved.beside->layer = input.base.graph.blocks[layer_shown(input.base.graph, input.beside->layer).block].id;
    // In latent attention every head has keys and values of its own.
    const std::int64_t heads = input.model.bindings[Symbol::heads].value_or(1);
    if (!graph.find(atlas.layer + ".attention.latent_up.weight"))
        atlas.group = std::max<std::int64_t>(1, heads / input.model.bindings[Symbol::kv_heads].value_or(heads));
    atlas.pages.push_back(
        {.block = "",
         .bounds = moved.area,
         .own_ground = false,
         .filling = 1,
         .scene = finished(moved.beside ? layout_beside(moved) : layout_model(moved), moved.area, false, input.unit)});
    for (const Frame& frame : atlas.pages.front().scene.frames)
        if (frame.kind == FrameKind::layer && frame.id == atlas.layer)
            atlas.layer_zoom = fitted(Placement{}.world(frame.rect), atlas.area, place_margin * input.unit).zoom;
    if (pages_behind) add_pages_behind(atlas, 0, moved);
    return atlas;
}

Camera home(const Atlas& atlas) {
    const Point middle = atlas.area.centre();
    return {.x = static_cast<double>(middle.x), .y = static_cast<double>(middle.y)};
}

Placement placement_of(const Atlas& atlas, Leaf leaf) {
    const Page& page = atlas.pages[leaf.page];
    if (!page.around) return {};
    const Placement own = of_copy(page, atlas.pages[*page.around].scene.doors[page.door], leaf.copy);
    // Only a page at the end of the way has copies: what is around it is there once.
    return own.within(placement_of(atlas, {*page.around, 0}));
}

std::vector<SeenPage> seen_pages(const Atlas& atlas, const Lens& lens) {
    return Looking(atlas, lens).from_outside_in();
}

}  // namespace headcount
