// Matrices: their bodies and cells, the preset's outlines, breaks, grids of alike, and what is lit.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/canvas/arrange/picking.hpp"
#include "app/canvas/draw/labels.hpp"
#include "app/canvas/draw/page_view.hpp"

namespace headcount {
namespace {

constexpr float least_framed = 8;          // design pixels: a token's row that is as thick shows what is in it
constexpr float least_framed_numbers = 4;  // the same of numbers as colours

void outline(const Brush& brush, const Rect& rect, float out, float width, Rgba colour, float clarity, float top) {
    Rect around = rect.grown(out);
    if (brush.view.flat()) {  // around what ends at the screen's edge it stays on the screen
        const float across = brush.view.lens.area().width() / 2, down = brush.view.lens.area().height() / 2;
        if (rect.min.x >= -across - 1) around.min.x = std::max(around.min.x, -across);
        if (rect.max.x <= across + 1) around.max.x = std::min(around.max.x, across);
        if (rect.min.y >= -down - 1) around.min.y = std::max(around.min.y, -down);
        if (rect.max.y <= down + 1) around.max.y = std::min(around.max.y, down);
    }
    brush.add({.bottom = top, .top = top, .edge = faded(colour, clarity), .edge_width = width, .radius = brush.px(4)},
              around);
}

Box body(const Brush& brush, const Slab& slab) {
    const float clarity = brush.clarity(slab.door);
    const Palette::Hue& hue = brush.hue(slab.part);
    const Rect rect = brush.view.plane(slab.rect);
    Box box{.edge_width = brush.px(1), .radius = std::min({brush.px(2), rect.width() / 3, rect.height() / 3})};
    switch (slab.look) {
        case SlabLook::parameter:
            box.fill = faded(hue.fill, clarity);
            box.edge = faded(hue.edge, clarity);
            box.ink = faded(hue.ink, 0.3F * clarity);
            break;
        case SlabLook::activation:
        case SlabLook::cached: {
            const bool cached = slab.look == SlabLook::cached;
            box.fill = faded(cached ? brush.palette.cache_fill : brush.palette.deck, clarity);
            box.edge = faded(cached ? brush.palette.cache_edge : brush.palette.activation_edge, clarity);
            box.ink = faded(cached ? brush.palette.cache_edge : brush.palette.activation_edge, 0.4F * clarity);
            box.tab = faded(hue.fill, clarity);
            box.tab_width = std::min(brush.px(3), rect.width() / 2);
            if (slab.solid) box.fill = box.tab;
            break;
        }
        case SlabLook::ghost:
            box.fill = faded(hue.fill, 0.22F * clarity);
            box.edge = faded(hue.fill, clarity);
            box.ink = faded(hue.fill, 0.4F * clarity);
            box.dash = brush.px(4);
            break;
        case SlabLook::absent:
            box.edge = faded(brush.palette.text_low, clarity);
            box.dash = brush.px(4);
            break;
        case SlabLook::hollow:
            box.fill = faded(brush.palette.raised, clarity);
            box.edge = faded(brush.palette.strong_line, clarity);
            break;
    }
    box.top = brush.view.height(slab);
    return box;
}

// The body of a matrix, with its cells where it has any to scale.
void add_body(const Brush& brush, const Box& box, const Slab& slab, const Rect& rect) {
    // A cut one shows its pattern as if it were whole: its cells are not to scale, and cannot be pointed at.
    const bool patterned = slab.rows > 0 && slab.columns > 0 && box.pattern != CellPattern::none;
    if (!slab.has_cells() && !patterned)
        brush.add(box, rect);
    else
        brush.add_with_cells(box, rect, {slab.rect, slab.columns, slab.rows, brush.view.first_cell(slab)});
}

// One row for one token, the same in every activation that has a row for each.
void draw_token(const Brush& brush, const Slab& slab, const Rect& rect, float top, float clarity) {
    const Tensor* tensor = brush.model.graph.find(slab.id);
    const std::optional<double>& token = brush.view.looks.token;
    if (!token || !tensor || !has_token_rows(slab, *tensor)) return;
    const std::int64_t tokens = brush.model.bindings[Symbol::tokens].value_or(1);
    const auto at = static_cast<float>(token_at(slab, *tensor, *token, tokens));
    if (at < 0) return;  // out of the window
    const auto rows = static_cast<float>(std::max<std::int64_t>(1, token_rows(slab)));
    const float thick = std::max(brush.px(1.5F), (slab.transposed ? rect.width() : rect.height()) / rows);
    const auto row_in = [&](Rect row) {
        float& from = slab.transposed ? row.min.x : row.min.y;
        float& to = slab.transposed ? row.max.x : row.max.y;
        from += at * (to - from - thick);
        to = from + thick;
        return row;
    };
    // Numbers that can be read are framed, not covered.
    const bool numbers = shown_numbers(brush.view, slab).has_value();
    const bool thin = thick < brush.px(numbers ? least_framed_numbers : least_framed);
    Box box{.bottom = top, .top = top, .fill = faded(brush.palette.selection, (thin ? 0.85F : 0.1F) * clarity)};
    if (!thin) box.edge = faded(brush.palette.selection, clarity), box.edge_width = brush.px(1.5F);
    brush.add(box, row_in(rect));
    const Rect row = row_in(brush.view.screen_box(slab.rect));
    if (clarity >= clear_enough && row.overlaps(brush.view.lens.area())) brush.drawing.lit.push_back({row, true});
}

// A break across the matrix: the rest would not fit.
void draw_break(const Brush& brush, const Slab& slab, const Rect& rect, float top, float clarity) {
    const float reach = brush.px(3), thin = std::min(rect.width(), rect.height());
    const float gap = std::min(brush.px(4), 0.3F * thin), from_end = std::min(brush.px(9), 0.6F * thin);
    const Box paper{.bottom = top, .top = top, .fill = faded(brush.palette.deck, clarity)};
    if (slab.cut)
        brush.add(paper,
                  {{rect.min.x - reach, rect.max.y - from_end}, {rect.max.x + reach, rect.max.y - from_end + gap}});
    if (slab.cut_right)
        brush.add(paper,
                  {{rect.max.x - from_end, rect.min.y - reach}, {rect.max.x - from_end + gap, rect.max.y + reach}});
}

// The square of a grid that the pointer is on.
void mark_pointed(const Brush& brush, const Slab& slab, float clarity) {
    const Page& page = brush.view.page;
    const std::optional<Leaf>& pointed = brush.view.looks.pointed;
    for (std::size_t i = 0; pointed && i < page.behind.size(); ++i)
        if (page.scene.doors[i].rect == slab.rect && page.behind[i] == pointed->page)
            outline(brush, brush.snapped(brush.view.plane(page.scene.doors[i].cell(pointed->copy))), 0, brush.px(2),
                    brush.palette.selection, clarity, 0);
}

// The squares that a token passes, as an example spread over all; of very many the first. Where each is entered, what
// is seen in it has the same colours: they are paler.
void light_some(const Brush& brush, const Slab& slab, std::int64_t rows, float clarity) {
    constexpr std::int64_t most_apart = 64;
    const auto columns = static_cast<std::int64_t>(slab.grid_columns);
    const Door squares{.rect = slab.rect, .columns = columns, .count = columns * rows};
    const Palette::Hue& hue = brush.hue(slab.part);
    constexpr float paler = 0.35F;
    const bool entered =
        std::ranges::any_of(brush.view.page.scene.doors, [&](const Door& door) { return door.rect == slab.rect; });
    const Box box{.fill = faded(hue.fill, entered ? paler * clarity : clarity),
                  .edge = faded(hue.edge, clarity),
                  .edge_width = brush.px(1)};
    const auto light = [&](std::int64_t first, std::int64_t last) {
        brush.add(box, brush.snapped(brush.view.plane({squares.cell(first).min, squares.cell(last).max})));
    };
    if (slab.grid_lit <= most_apart) {
        for (std::int64_t i = 0; i < slab.grid_lit; ++i) {
            // Somewhere in its share of all, so that they do not stand in a row.
            const std::int64_t begin = i * slab.grid_cells / slab.grid_lit,
                               end = (i + 1) * slab.grid_cells / slab.grid_lit;
            const std::int64_t at = begin + (i * 7 + 3) % (end - begin);
            light(at, at);
        }
        return;
    }
    const std::int64_t full = slab.grid_lit / columns, rest = slab.grid_lit - full * columns;
    if (full > 0) light(0, full * columns - 1);
    if (rest > 0) light(full * columns, full * columns + rest - 1);
}

// The cells that the mask leaves, on top of the matrix.
Box looked_at(const Box& matrix, const Slab& slab, Rgba fill) {
    Box box = matrix;
    box.edge = box.tab = 0;
    box.bottom = matrix.top;
    box.fill = fill;
    box.pattern = slab.mask->sees_all() ? CellPattern::cells : CellPattern::causal;
    box.diagonal = static_cast<std::int32_t>(slab.earlier());
    if (slab.mask->size > 0) {
        const std::int64_t window = std::min(slab.mask->size, std::int64_t{1} << 30);
        box.value_columns = static_cast<std::int32_t>(window);
        if (slab.mask->kind == Mask::Kind::around) {
            box.diagonal += static_cast<std::int32_t>(window);
            box.value_columns = static_cast<std::int32_t>(std::min(2 * window + 1, std::int64_t{1} << 30));
        }
        if (slab.mask->kind == Mask::Kind::chunk)
            box.values = static_cast<std::uint32_t>(slab.first_position % window + 1);
    }
    return box;
}

constexpr float least_masked = 5;  // design pixels: what a smaller square looks at cannot be told

// Every square of a grid of heads is what one of them looks at: with a run's numbers, how much.
void mask_squares(const Brush& brush, const Slab& slab, std::int64_t rows, float clarity) {
    const Door squares{.rect = slab.rect, .columns = slab.grid_columns, .count = slab.grid_columns * rows};
    if (brush.view.screen_box(squares.cell(0)).width() < brush.px(least_masked)) return;
    const Rgba fill = faded(brush.hue(slab.part).fill, 0.75F * clarity);
    const NumberSource& numbers = brush.view.looks.numbers;
    for (std::int64_t i = 0; i < slab.grid_cells; ++i) {
        const Rect square = squares.cell(i).grown(-brush.px(1.5F));
        if (!brush.in_sight(square)) continue;
        const bool told = numbers && clarity >= clear_enough && brush.view.flat();
        if (const std::optional<CellNumbers> own = told ? numbers(slab.id, i) : std::nullopt) {
            Slab one{.id = slab.id, .rect = square, .part = slab.part, .rows = slab.rows, .columns = slab.columns};
            one.mask = slab.mask;
            one.first_position = slab.first_position;
            draw_heat(brush, one, brush.snapped(brush.view.plane(square)), *own, i);
            continue;
        }
        brush.add_with_cells(looked_at({}, slab, fill), brush.snapped(brush.view.plane(square)),
                             {square, slab.columns, slab.rows, {}});
    }
}

// All squares of a grid are two boxes, however many there are: the full rows, and the rest.
void draw_grid(const Brush& brush, const Slab& slab, float clarity) {
    const auto columns = static_cast<std::int64_t>(slab.grid_columns);
    const std::int64_t rows = (slab.grid_cells + columns - 1) / columns, full = slab.grid_cells / columns;
    const float width = slab.rect.width() / static_cast<float>(columns),
                height = slab.rect.height() / static_cast<float>(rows);
    const bool cached = slab.look == SlabLook::cached;
    const Rgba edge = faded(cached ? brush.palette.cache_edge : brush.palette.activation_edge, clarity);
    const Box box{.fill = faded(cached ? brush.palette.cache_fill : brush.palette.deck, clarity),
                  .edge = edge,
                  .edge_width = brush.px(1),
                  .pattern = CellPattern::cells,
                  .ink = edge};
    const auto stretch = [&](std::int64_t row, std::int64_t count, std::int64_t across) {
        if (count <= 0 || across <= 0) return;
        const float y = slab.rect.min.y + static_cast<float>(row) * height;
        const Rect part{{slab.rect.min.x, y},
                        {slab.rect.min.x + static_cast<float>(across) * width, y + static_cast<float>(count) * height}};
        brush.add_with_cells(box, brush.snapped(brush.view.plane(part)), {part, across, count, {}});
    };
    stretch(0, full, columns);
    stretch(full, 1, slab.grid_cells - full * columns);
    if (slab.grid_lit > 0) light_some(brush, slab, rows, clarity);
    if (slab.mask) mask_squares(brush, slab, rows, clarity);
    mark_pointed(brush, slab, clarity);
}

// Where the cells from the one to the other lie, as far as the slab shows them; nothing where it shows none.
std::optional<Rect> plane_of(const Brush& brush, const Slab& slab, const Cell& least, const Cell& most) {
    const Cell first = brush.view.first_cell(slab);
    const auto side = [&](std::int64_t from, std::int64_t to, std::int64_t count) {
        return std::pair(std::clamp<std::int64_t>(from, 0, count), std::clamp<std::int64_t>(to + 1, 0, count));
    };
    auto [down, end_down] = side(slab.transposed ? least.column - first.column : least.row - first.row,
                                 slab.transposed ? most.column - first.column : most.row - first.row, slab.rows);
    auto [across, end_across] = side(slab.transposed ? least.row - first.row : least.column - first.column,
                                     slab.transposed ? most.row - first.row : most.column - first.column, slab.columns);
    if (down >= end_down || across >= end_across) return std::nullopt;
    const WorldRect whole = brush.view.seen.placement.world(slab.rect);
    const Camera& camera = brush.view.lens.camera();
    const auto at = [&](double begin, double target, double size, std::int64_t cell, std::int64_t count) {
        const double along = size / static_cast<double>(count) * static_cast<double>(cell);
        return static_cast<float>((begin - target + along) * camera.zoom);
    };
    return Rect{{at(whole.min.x, camera.x, whole.width(), across, slab.columns),
                 at(whole.min.y, camera.y, whole.height(), down, slab.rows)},
                {at(whole.min.x, camera.x, whole.width(), end_across, slab.columns),
                 at(whole.min.y, camera.y, whole.height(), end_down, slab.rows)}};
}

constexpr float least_frame = 3, least_heads_frame = 5;  // design pixels

// At least so large, around the same middle.
Rect at_least(const Rect& rect, float side) {
    const float wide = std::max(0.0F, side - rect.width()) / 2, high = std::max(0.0F, side - rect.height()) / 2;
    return {{rect.min.x - wide, rect.min.y - high}, {rect.max.x + wide, rect.max.y + high}};
}

void frame_cells(const Brush& brush, const Slab& slab, float top, float clarity) {
    if (clarity < clear_enough || slab.rows <= 0 || slab.columns <= 0 || slab.grid_columns > 0) return;
    for (const FramedCells& each : brush.view.looks.framed) {
        if (each.id != slab.id || (each.copy && *each.copy != brush.view.seen.leaf.copy)) continue;
        const std::optional<Rect> cells = plane_of(brush, slab, each.least, each.most);
        if (!cells) continue;
        const bool heads = each.why == FramedCells::Why::head, own = each.why == FramedCells::Why::own;
        if (heads && std::min(cells->width(), cells->height()) < brush.px(least_heads_frame)) continue;
        const Rect rect = at_least(*cells, brush.px(least_frame));
        const bool agrees = each.why == FramedCells::Why::agrees,
                   judged = agrees || each.why == FramedCells::Why::differs;
        if (judged) {
            const Rgba colour = agrees ? brush.palette.right : brush.palette.wrong;
            outline(brush, rect, brush.px(1), brush.px(agrees ? 2 : 3), colour, clarity, top);
        } else if (heads) {
            outline(brush, rect, 0, brush.px(1), brush.palette.text_high, clarity, top);
        } else {
            outline(brush, rect, brush.px(2), brush.px(4), brush.palette.ground, clarity, top);
            outline(brush, rect, brush.px(1), brush.px(own ? 2 : 1.5F), brush.palette.selection, clarity, top);
        }
        const Point middle = brush.view.lens.area().centre();
        const Rect screen{{rect.min.x + middle.x, rect.min.y + middle.y},
                          {rect.max.x + middle.x, rect.max.y + middle.y}};
        if (!heads && screen.overlaps(brush.view.lens.area()))
            brush.drawing.framed.push_back({each.id, screen, own, judged ? std::optional(agrees) : std::nullopt});
    }
}

// One cell of the matrix, framed: the one that is spoken of.
void mark_cell(const Brush& brush, const Slab& slab, float top) {
    const std::optional<Looks::InCell>& at = brush.view.looks.cell;
    if (!at || at->id != slab.id || !(at->leaf == brush.view.seen.leaf) || !slab.has_cells()) return;
    const std::optional<Rect> cell = plane_of(brush, slab, at->cell, at->cell);
    if (!cell) return;
    const bool on_hue = slab.look == SlabLook::parameter && !shown_numbers(brush.view, slab);
    const Rgba ink = on_hue ? brush.hue(slab.part).ink : brush.palette.selection;
    outline(brush, *cell, 0, brush.px(2), ink, 1, top);
}

// Where a smaller matrix that hangs from the same corner ended.
void draw_seams(const Brush& brush, const Rect& rect, const Rect& base, float top, Rgba ink) {
    const float width = brush.px(1.25F);
    const Box seam{.bottom = top, .top = top, .fill = ink};
    const float right = std::min(base.max.x, rect.max.x), below = std::min(base.max.y, rect.max.y);
    if (base.max.x < rect.max.x - 1) brush.add(seam, {{right - width, rect.min.y}, {right, below}});
    if (base.max.y < rect.max.y - 1) brush.add(seam, {{rect.min.x, below - width}, {right, below}});
}

// While one token is looked at, the others' are not lit with it.
Glow glow_of(const Brush& brush, const Slab& slab, Glow own) {
    const std::optional<double>& token = brush.view.looks.token;
    if (!token || slab.id != "tokens") return own;
    return slab.token == token ? Glow::hovered : Glow::none;
}

void draw_slab(const Brush& brush, const Slab& slab) {
    const float clarity = brush.clarity(slab.door);
    if (clarity <= 0 || !(brush.in_sight(slab.rect) || (slab.base && brush.in_sight(*slab.base)))) return;
    const Rect rect = brush.snapped(brush.view.plane(slab.rect));
    Box box = body(brush, slab);
    if (slab.base) {
        const Rect base = brush.snapped(brush.view.plane(*slab.base));
        const bool larger = base.max.x > rect.max.x + 1 || base.max.y > rect.max.y + 1;
        const Box dashed{
            .bottom = box.top,
            .top = box.top,
            .edge = faded(larger ? brush.palette.text_low : brush.hue(slab.part).ink, (larger ? 1.0F : 0.6F) * clarity),
            .edge_width = brush.px(1),
            .dash = brush.px(4)};
        if (larger) brush.add(dashed, base);
        add_body(brush, box, slab, rect);
        const bool hangs = std::abs(base.min.y - rect.min.y) <= 1;
        if (slab.look == SlabLook::parameter && hangs)
            draw_seams(brush, rect, base, box.top, faded(brush.hue(slab.part).ink, clarity));
        else if (!larger && slab.look == SlabLook::parameter)
            brush.add(dashed, base);
    } else if (slab.grid_columns > 0) {
        draw_grid(brush, slab, clarity);
    } else if (slab.mask) {
        brush.add(box, rect);
        add_body(brush, looked_at(box, slab, faded(brush.hue(slab.part).fill, 0.5F * clarity)), slab, rect);
    } else {
        add_body(brush, box, slab, rect);
    }
    if (draw_numbers(brush, slab, rect) && slab.look != SlabLook::parameter) {
        box.fill = 0;  // what it is stays in sight: its outline, and what made it
        box.pattern = CellPattern::none;
        brush.add(box, rect);
    }
    draw_break(brush, slab, rect, box.top, clarity);
    mark_cell(brush, slab, box.top);
    frame_cells(brush, slab, box.top, clarity);
    draw_token(brush, slab, rect, box.top, clarity);
    if (clarity < clear_enough) return;
    const Rect screen = brush.view.screen_box(slab.rect);
    if (!screen.overlaps(brush.view.lens.area())) return;
    brush.drawing.regions.push_back({slab.id, screen, true});
    brush.obstacles.push_back({slab.id, slab.rect, brush.view.screen_quad(slab.rect)});
    const Glow light = glow_of(brush, slab, brush.glow(slab.id));
    if (light == Glow::selected)
        outline(brush, rect, brush.px(selection_ring), brush.px(2), brush.palette.selection, clarity, box.top);
    if (light == Glow::hovered)
        outline(brush, rect, brush.px(2), brush.px(1.25F), brush.palette.selection, clarity, box.top);
    if (light == Glow::near) outline(brush, rect, brush.px(2), brush.px(1), brush.palette.lit_edge, clarity, box.top);
    if (glow_of(brush, slab, brush.pointer_glow(slab.id)) != Glow::none) brush.drawing.lit.push_back({screen});
}

}  // namespace

void draw_slabs(const Brush& brush) {
    const Scene& scene = brush.view.page.scene;
    if (brush.view.flat()) {
        for (const Slab& slab : scene.slabs) draw_slab(brush.on(slab.id), slab);
        return;
    }
    // Tilted, what is nearer stands before what is farther away.
    std::vector<const Slab*> order;
    for (const Slab& slab : scene.slabs) order.push_back(&slab);
    std::ranges::stable_sort(order, [&](const Slab* a, const Slab* b) {
        return brush.view.screen(a->rect.centre()).y < brush.view.screen(b->rect.centre()).y;
    });
    for (const Slab* slab : order) draw_slab(brush.on(slab->id), *slab);
}

}  // namespace headcount
